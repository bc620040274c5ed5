"""What keeps a call from another outcome of the rule chain, facet by facet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adjudicator.authoring.explanation.call_changes import (
    elsewhere,
    with_working_directory,
    without_commands,
)
from adjudicator.authoring.explanation.changes import Change, Defence
from adjudicator.authoring.explanation.differences import Nearness
from adjudicator.authoring.explanation.identity_obstacles import identity_obstacles
from adjudicator.authoring.explanation.obstacles import (
    Obstacle,
    Standpoint,
    approval_obstacles,
    asking_changes,
    contract_obstacles,
    denying_changes,
    mode_obstacles,
    thing,
)
from adjudicator.authoring.explanation.rows_asked import matching_rules
from adjudicator.chain.gate import facets_of
from adjudicator.config.limits import EXPLAINED_FACETS
from adjudicator.domain.arguments import Arguments, Fault
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import ArgumentKind, Facet, Opacity
from adjudicator.domain.verdict import Outcome
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Tool
from adjudicator.policy.snapshot import Effect, EvaluationError, subject_of

_DENIED = 3
_ELSEWHERE = 2


@dataclass(frozen=True, slots=True)
class _Said:
    """The numbers of the rows that match one facet, and the list that has the tool."""

    facet: Facet
    rows: dict[Effect, list[int]]
    listed: Effect | None

    def says(self, effect: Effect) -> bool:
        return bool(self.rows[effect]) or self.listed is effect

    @property
    def is_left(self) -> bool:
        """Whether it is a mention that no rule speaks of: another facet answers for it."""
        return self.facet.mention and not any(self.rows.values())


def obstacles(at: Standpoint, want: Outcome) -> tuple[Obstacle, ...]:
    """All that keeps the call from that outcome, as far as it can be told from here."""
    tool = at.tool
    if want is Outcome.DENY:
        changes = tuple(_denials(at, tool)) if tool is not None else ()
        return (Obstacle("nothing denies the call", changes),)
    found = list(identity_obstacles(at))
    if tool is not None and at.tenant is not None:
        found += mode_obstacles(at, tool, want)
        found += _of_rules(at, tool, want)
        found += approval_obstacles(at, tool, want)
        found += contract_obstacles(at, tool) if isinstance(at.case.arguments, Arguments) else ()
    return tuple(found)


def _of_rules(at: Standpoint, tool: Tool, want: Outcome) -> Iterator[Obstacle]:
    if isinstance(at.case.arguments, Fault):
        yield Obstacle(at.case.arguments.message)
        return
    try:
        facets = facets_of(at.case, at.case.arguments)
        said = [_said(at, tool, facet) for facet in facets]
    except (TooComplexError, InvalidArgumentError) as error:
        yield Obstacle(str(error))
    except EvaluationError as error:
        yield Obstacle(f"{error.rule or 'the policy'}: {error.message}")
    else:
        shorter = tuple(_shorter(at, said, want))
        denied = _denied(at, tool, said, want)
        yield from (replace(each, changes=(*shorter, *each.changes)) for each in denied)
        if want is Outcome.ALLOW:
            lacking = _unallowed(at, tool, said)
            yield from (replace(each, changes=(*shorter, *each.changes)) for each in lacking)
        else:
            yield from _unasked(at, tool, said)


def _shorter(at: Standpoint, said: Sequence[_Said], want: Outcome) -> Iterator[Change]:
    """The command line without one of its commands, or without all that are in the way.

    A file that is denied belongs to one of them.
    """
    commands = [each for each in said if each.facet.kind is ArgumentKind.SHELL and not each.facet.mention]
    for each in commands[:EXPLAINED_FACETS] if len(commands) > 1 else ():
        yield from without_commands(at.case, [each.facet])
    offending = [
        each.facet
        for each in commands
        if each.rows[Effect.DENY] or (want is Outcome.ALLOW and not each.says(Effect.ALLOW))
    ]
    if 1 < len(offending) < len(commands):
        yield from without_commands(at.case, offending)


def _said(at: Standpoint, tool: Tool, facet: Facet) -> _Said:
    listed, _ = at.bundle.settings.listed.get(tool.code, (None, None))
    return _Said(facet, matching_rules(at.bundle, at.case, facet), None if facet.mention else listed)


def _denied(at: Standpoint, tool: Tool, said: Sequence[_Said], want: Outcome) -> Iterator[Obstacle]:
    """Each Deny row is one obstacle, however many facets it matches."""
    for number in dict.fromkeys(number for each in said for number in each.rows[Effect.DENY]):
        facets = [each.facet for each in said if number in each.rows[Effect.DENY]]
        excepted = at.rows.exception(number, facets[0]) if len(facets) == 1 else ()
        paths = _elsewhere(at, tool, facets[0]) if want is Outcome.ALLOW else ()
        others = (*without_commands(at.case, facets), *paths)
        changes = (*others, *excepted, *at.rows.remove(RULES.name, number))
        what = f"{at.bundle.rule_sets[RULES.name].ref(number)} denies {thing(facets[0])}"
        yield Obstacle(what, changes)


def _unallowed(at: Standpoint, tool: Tool, said: Sequence[_Said]) -> Iterator[Obstacle]:
    """Each facet that no Allow matches, and whose default is not the other facet's."""
    lacking = [each.facet for each in said if not each.says(Effect.ALLOW) and not each.is_left]
    for facet in lacking[:EXPLAINED_FACETS]:
        why = _why_none(facet)
        changes = (
            *at.rows.rule(tool.code, facet, Effect.ALLOW),
            *without_commands(at.case, [facet]),
            *_known(at, facet),
            *_elsewhere(at, tool, facet),
        )
        yield Obstacle(f"no Allow matches {thing(facet)}{why}", changes)


def _why_none(facet: Facet) -> str:
    if facet.kind is None:
        return ", for it has no argument that rules look at; only a row for the tool alone would"
    return f", which cannot be known: {facet.opaque.why}" if facet.opaque else ""


def _unasked(at: Standpoint, tool: Tool, said: Sequence[_Said]) -> Iterator[Obstacle]:
    """Each facet that the default denies; and where nothing asks, that nothing does."""
    by_default = [
        each.facet
        for each in said
        if not each.says(Effect.ALLOW) and not each.says(Effect.ASK) and not each.is_left
    ]
    asks = any(each.says(Effect.ASK) and not each.says(Effect.ALLOW) for each in said)
    if at.case.snapshot.default is Outcome.DENY:
        for facet in by_default[:EXPLAINED_FACETS]:
            changes = (*at.rows.rule(tool.code, facet, Effect.ASK), *_known(at, facet))
            yield Obstacle(f"no rule matches {thing(facet)}", (*changes, *at.registry.default_ask()))
    if not asks and not by_default and not _always_asks(at, tool):
        yield from _passed(at, tool, [each for each in said if not each.facet.mention])


def _always_asks(at: Standpoint, tool: Tool) -> bool:
    return tool.require_approval or at.case.has_mode(Mode.ASK_ALWAYS)


def _passed(at: Standpoint, tool: Tool, said: Sequence[_Said]) -> Iterator[Obstacle]:
    """What lets the first facet pass, and that no Ask speaks of it: rules ask when both change."""
    if not said:
        return
    first = said[0]
    always = tuple(asking_changes(at, tool))
    numbers = first.rows[Effect.ALLOW]
    turned = tuple(at.rows.effect(numbers[0], Effect.ASK)) if len(numbers) == 1 else ()
    for number in numbers:
        changes = (*at.rows.exception(number, first.facet), *turned, *always)
        what = f"{at.bundle.rule_sets[RULES.name].ref(number)} allows {thing(first.facet)}"
        yield Obstacle(what, changes)
    if first.listed is Effect.ALLOW:
        taken = at.registry.take_from_list("auto_approved", tool.code, Defence.NONE)
        yield Obstacle(f"`auto_approved` has tool `{tool.code}`", (*taken, *always))
    if not first.says(Effect.ASK):
        changes = (*at.rows.rule(tool.code, first.facet, Effect.ASK), *turned, *always)
        yield Obstacle(f"no Ask matches {thing(first.facet)}", changes)


def _known(at: Standpoint, facet: Facet) -> Iterator[Change]:
    """What makes a relative path known."""
    if facet.opaque is not None and facet.opaque.code is Opacity.PATH:
        yield from with_working_directory(at.case, at.bundle.bundle.call_tests)


def _elsewhere(at: Standpoint, tool: Tool, facet: Facet) -> Iterator[Change]:
    """Paths of the same name that Allow rows for this agent cover; the nearest rows first."""
    if facet.kind is not ArgumentKind.PATH or facet.mention:
        return
    policy = at.bundle.policies[RULES.name]
    held = frozenset(policy.roles.graph.held(subject_of(at.case.call.agent), at.case.call.tenant))
    effect = policy.shape.policy.index("eft")
    arguments = {
        fields[3]
        for fields in policy.rows.all_fields()
        if fields[1] == at.case.call.tenant
        and fields[0] in held
        and fields[2] in (ANY, tool.code)
        and fields[effect] == Effect.ALLOW.value
        and fields[3].startswith(("path:", f"{facet.access.value}:"))
    }
    near = Nearness(facet)
    for argument in sorted(arguments, key=lambda each: (-near.to(each), each))[:_ELSEWHERE]:
        yield from elsewhere(at.case, facet, argument)


def _denials(at: Standpoint, tool: Tool) -> Iterator[Change]:
    """What denies the call: a row for one of its values, or for all calls of the tool by the agent."""
    if isinstance(at.case.arguments, Arguments):
        try:
            facets = facets_of(at.case, at.case.arguments)
        except (TooComplexError, InvalidArgumentError):
            facets = ()
        for facet in [each for each in facets if not each.mention][:_DENIED]:
            yield from at.rows.rule(tool.code, facet, Effect.DENY)
    yield from denying_changes(at, tool)
