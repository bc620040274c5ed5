"""What the files of two bundles say otherwise: rows, registry, schemas, models, settings, tests."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from adjudicator.policy.bundle_settings import FILE, BundleSettings
from adjudicator.policy.bundle_tests import BundleTest
from adjudicator.policy.casbin.rows import Rows
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.registry_reader import AGENTS, TENANTS, TOOLS
from adjudicator.policy.source import TESTS

_FOLDERS = ("models", "schemas")
_OFF = "off"


@dataclass(frozen=True, slots=True)
class Difference:
    """What of one part of a bundle differs. Each entry is one line for people, with its place if any."""

    part: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether anything differs at all."""
        return bool(self.added or self.removed or self.changed)


def differences_of(was: OpenBundle, now: OpenBundle) -> tuple[Difference, ...]:
    """The parts that differ, in the order in which a bundle is read."""
    return tuple(each for each in _all(was, now) if each.is_any)


def _all(was: OpenBundle, now: OpenBundle) -> Iterator[Difference]:
    yield _settings(was.settings, now.settings)
    for file, name in ((TENANTS, "tenants"), (AGENTS, "agents"), (TOOLS, "tools")):
        yield _entries(file, getattr(was.snapshot.registry, name), getattr(now.snapshot.registry, name))
    for folder in _FOLDERS:
        yield _files(folder, was, now)
    for name, policy in was.policies.items():
        other = now.policies[name]
        rows, links = (policy.rows, other.rows), (policy.roles.rows, other.roles.rows)
        yield _rows(f"{name}.csv", rows, links)
    yield _tests(was, now)


def _rows(part: str, *pairs: tuple[Rows, Rows]) -> Difference:
    """Rows by what they say: one that was moved, or spaced otherwise, is the same."""
    added: list[str] = []
    removed: list[str] = []
    for was, now in pairs:
        before, after = set(was.all_texts()), set(now.all_texts())
        added += _told(now, before)
        removed += _told(was, after)
    return Difference(part, tuple(added), tuple(removed))


def _told(rows: Rows, known: set[str]) -> Iterator[str]:
    for number, text in enumerate(rows.all_texts()):
        if text not in known:
            ref = rows.ref(number)
            yield f"{ref}: {ref.text}"


def _entries(part: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Difference:
    both = [code for code in was if code in now and was[code] != now[code]]
    changed = (f"{code}: {', '.join(_other_fields(was[code], now[code]))}" for code in both)
    return _difference(part, was, now, tuple(changed))


def _other_fields(was: Any, now: Any) -> Iterator[str]:
    """The fields that differ; of what is short, what it was and is."""
    for name in (each.name for each in fields(was)):
        before, after = getattr(was, name), getattr(now, name)
        if before == after:
            continue
        if isinstance(before, frozenset) and isinstance(after, frozenset):
            signs = [f"+{each}" for each in sorted(after - before)]
            yield f"{name} {' '.join([*signs, *(f'-{each}' for each in sorted(before - after))])}"
        else:
            yield f"{name} {_short(before)} -> {_short(after)}"


def _short(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"[{', '.join(sorted(value))}]"
    if value is None or isinstance(value, bool | int | str):
        return json.dumps(value)
    return str(getattr(value, "value", "…"))


def _settings(was: BundleSettings, now: BundleSettings) -> Difference:
    before, after = dict(_flat(was)), dict(_flat(now))
    changed = tuple(
        f"{key}: {before.get(key, _OFF)} -> {after.get(key, _OFF)}"
        for key in before | after
        if before.get(key) != after.get(key)
    )
    return _difference(FILE, _listed(was), _listed(now), changed)


def _listed(settings: BundleSettings) -> dict[str, str]:
    return {place.text: tool for tool, (_, place) in settings.listed.items()}


def _flat(settings: BundleSettings) -> Iterator[tuple[str, str]]:
    yield "effect", _short(settings.default)
    yield "record_arguments", _short(settings.record_arguments)
    yield "record_output", _short(settings.record_output)
    for each in fields(settings.approvals):
        value = getattr(settings.approvals, each.name)
        if not isinstance(value, Mapping):
            yield each.name, _short(value)
            continue
        for trigger in sorted(value, key=lambda trigger: trigger.value):
            yield f"{each.name}.{trigger.value}", _short(value[trigger])


def _files(folder: str, was: OpenBundle, now: OpenBundle) -> Difference:
    before, after = (
        {source.name: source.text for source in bundle.sources.under(folder)} for bundle in (was, now)
    )
    both = (name for name in before if name in after)
    changed = tuple(name for name in both if _meaning(name, before[name]) != _meaning(name, after[name]))
    return _difference(folder, before, after, changed)


def _meaning(name: str, text: str) -> str:
    """What is equal for two files that differ in their layout alone, where that can be told."""
    return json.dumps(json.loads(text), sort_keys=True) if name.endswith(".json") else text


def _tests(was: OpenBundle, now: OpenBundle) -> Difference:
    before, after = (
        {f"{test.file}: {test.name}": test for test in bundle.bundle.tests} for bundle in (was, now)
    )
    both = (name for name in before if name in after)
    changed = tuple(name for name in both if _said(before[name]) != _said(after[name]))
    return _difference(TESTS, before, after, changed)


def _said(test: BundleTest) -> BundleTest:
    """The test without its place."""
    return replace(test, file="", line=0, column=0)


def _difference(
    part: str, was: Mapping[str, Any], now: Mapping[str, Any], changed: tuple[str, ...] = ()
) -> Difference:
    added = tuple(name for name in now if name not in was)
    return Difference(part, added, tuple(name for name in was if name not in now), changed)
