"""From a bundle's folder to a snapshot, or to the list of everything that is wrong with the bundle."""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from adjudicator.policy.approver_rules import Entitlements
from adjudicator.policy.bundle_settings import FILE, BundleSettings, read_bundle_settings
from adjudicator.policy.bundle_tests import SUFFIX, BundleTest, CallTest, read_bundle_tests
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.model import APPROVERS, PERMISSION, RULES, SCOPE, Shape
from adjudicator.policy.policy_reader import Policy, read_policy, refuse_split_roles
from adjudicator.policy.problem import BundleError, Problem, Problems
from adjudicator.policy.registry_reader import AGENTS, TENANTS, TOOLS, read_registry
from adjudicator.policy.remembered_rules import RememberedRules
from adjudicator.policy.schemas import FOLDER, read_contracts, read_output_contracts
from adjudicator.policy.shadow import refuse_shadowed
from adjudicator.policy.snapshot import Snapshot
from adjudicator.policy.source import TESTS, Sources, read_sources
from adjudicator.policy.tool_lists import ListedTools

__all__ = [
    "Bundle",
    "BundleError",
    "OpenBundle",
    "Problem",
    "few_collections",
    "load_bundle",
    "open_bundle",
    "open_sources",
    "read_bundle",
]

_SHAPES = (PERMISSION, SCOPE, RULES, APPROVERS)
_REGISTRY = (TENANTS, AGENTS, TOOLS)
_NEVER = 1_000_000_000

Loaded = TypeVar("Loaded")


@dataclass(frozen=True, slots=True)
class Bundle:
    """One bundle, read and checked: what decides, and the tests that it has yet to pass.

    `contents` is the hash of all its files, those with tests included.
    """

    snapshot: Snapshot
    tests: tuple[BundleTest, ...]
    contents: str

    @property
    def call_tests(self) -> tuple[CallTest, ...]:
        """Those of the tests that are about a call."""
        return tuple(test for test in self.tests if isinstance(test, CallTest))


@dataclass(frozen=True, slots=True)
class OpenBundle:
    """A bundle with all that it was made of, for whoever works on it rather than with it.

    `policies` has the four by the names of their shapes, and `rule_sets` the same ready to be asked.
    """

    bundle: Bundle
    sources: Sources
    settings: BundleSettings
    policies: Mapping[str, Policy]
    rule_sets: Mapping[str, CompiledRules]

    @property
    def snapshot(self) -> Snapshot:
        """What decides."""
        return self.bundle.snapshot


def load_bundle(directory: Path) -> Snapshot:
    """The snapshot of the bundle in this folder, whose tests are read and not run; see `read_bundle`."""
    return read_bundle(directory).snapshot


def read_bundle(directory: Path) -> Bundle:
    """The bundle in this folder.

    Raises BundleError with every problem that the bundle has, and nothing else; there is no lenient mode.
    """
    return _guarded(lambda: _built(_sources(directory)).bundle)


def open_bundle(directory: Path) -> OpenBundle:
    """The same, with all that the bundle is made of."""
    return _guarded(lambda: _built(_sources(directory)))


def open_sources(sources: Sources) -> OpenBundle:
    """The same of files that are in memory already, as after an edit."""
    return _guarded(lambda: _built((sources, Problems())))


def _guarded(load: Callable[[], Loaded]) -> Loaded:
    try:
        with few_collections():
            return load()
    except BundleError:
        raise
    except Exception as error:  # a fault of ours must leave the last good bundle in force, not end a reload
        message = f"the bundle could not be read: {type(error).__name__}; this is a fault of the loader"
        raise BundleError([Problem(".", 0, 0, message)]) from error


@contextmanager
def few_collections() -> Iterator[None]:
    """Young garbage is collected as ever; a full collection would walk over all that was loaded so far.

    It would stop every thread, and come often while a lot is loaded.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], _NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _sources(directory: Path) -> tuple[Sources, Problems]:
    problems = Problems()
    if _is_something_else(directory):
        problems.add(".", f"there is no `{FILE}` here; name the folder of a bundle, as in `policies`")
        problems.raise_any()  # before every file of whatever this is becomes a problem
    sources = read_sources(directory, problems)
    if not sources.names:
        problems.raise_any()
    return sources, problems


def _built(read: tuple[Sources, Problems]) -> OpenBundle:
    sources, problems = read
    _check_layout(sources, problems)
    registry = read_registry(sources, problems)
    settings = read_bundle_settings(sources, registry, problems)
    policies = {shape.name: read_policy(sources, shape, registry, problems) for shape in _SHAPES}
    permission, scope, rules, approvers = policies.values()
    refuse_split_roles([permission, scope, rules], problems)
    refuse_shadowed(rules, settings.listed, problems)
    contracts = read_contracts(sources, registry, problems)
    output_contracts = read_output_contracts(sources, registry, problems)
    tests = read_bundle_tests(sources, problems)
    problems.raise_any()
    rule_sets = {name: policy.rule_set() for name, policy in policies.items()}
    snapshot = Snapshot(
        version=sources.version,
        registry=registry,
        permission=RememberedRules(rule_sets[PERMISSION.name]),
        scope=RememberedRules(rule_sets[SCOPE.name]),
        rules=ListedTools(rule_sets[RULES.name], settings.listed),
        rule_count=len(rules.rows) + len(settings.listed),
        contracts=contracts,
        default=settings.default,
        approvals=settings.approvals,
        approvers=Entitlements(rule_sets[APPROVERS.name], approvers.rows, approvers.roles, registry.tools),
        output_contracts=output_contracts,
        record_arguments=settings.record_arguments,
        record_output=settings.record_output,
    )
    return OpenBundle(Bundle(snapshot, tests, sources.contents), sources, settings, policies, rule_sets)


def _is_something_else(directory: Path) -> bool:
    """Whether this is a folder with nothing of a bundle in it; what cannot be read is told later."""
    try:
        return directory.is_dir() and not any((directory / name).exists() for name in (FILE, *_REGISTRY))
    except OSError:
        return False


def _check_layout(sources: Sources, problems: Problems) -> None:
    single = {FILE, *_REGISTRY, *(shape.file for shape in _SHAPES)}
    for name in sorted(single - sources.names):
        problems.add(name, "the file is missing; add it")
    for shape in _SHAPES:
        _check_rows_layout(shape, sources, problems)
    for name in sorted(sources.names):
        folder, is_inside, _ = name.partition("/")
        is_test = folder == TESTS and is_inside and name.endswith(SUFFIX)
        if name not in single and folder != FOLDER and not _is_rows(name) and not is_test:
            problems.add(name, "not a file of a bundle; remove it, or begin its name with a dot")


def _check_rows_layout(shape: Shape, sources: Sources, problems: Problems) -> None:
    file, folder = f"{shape.name}.csv" in sources.names, sources.has_folder(shape.name)
    if file and folder:
        problems.add(f"{shape.name}.csv", f"there is a folder {shape.name}/ as well; keep one of the two")
    if not file and not folder:
        problems.add(f"{shape.name}.csv", "the file is missing; add it, or a folder of `.csv` files")


def _is_rows(name: str) -> bool:
    folder, _, rest = name.removesuffix(".csv").partition("/")
    return name.endswith(".csv") and folder in [shape.name for shape in _SHAPES] and "/" not in rest
