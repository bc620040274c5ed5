"""What a person is asked about a call: from the registry, and from what it touches. It never fails."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.approvals.deception import Flag
from adjudicator.approvals.risks import (
    Notes,
    Touched,
    cut,
    is_written,
    note_deception,
    note_facets,
    note_size,
    trigger_of,
)
from adjudicator.config.limits import CONTEXT_ITEMS
from adjudicator.domain.call import ToolCall
from adjudicator.domain.facet import Access, ArgumentKind, Facet, Opacity
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.request import Context, Priority, Request, RequestType, Risk, Trigger
from adjudicator.domain.verdict import Cause
from adjudicator.facets.derive import derive
from adjudicator.policy.redaction import MARKER
from adjudicator.policy.registry import Tool

_ABSENT = object()
_GAP = re.compile(r"[ \t]{32}|\n[ \t\n]{8}\n")
_TYPES = (
    (frozenset({Trigger.SECURITY_VIOLATION, Trigger.SUSPICIOUS_COMMAND}), RequestType.SECURITY),
    (frozenset({Trigger.DESTRUCTIVE_ACTION}), RequestType.DESTRUCTIVE),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that asks, and what the policy says of it.

    `call` is as it may be shown. `arguments` are the real ones, of which nothing gets into a request that
    is not in `shown` too. `cause` is why the call asks. `priorities` has the triggers that count; of
    another one a person is told, and it changes nothing else.
    """

    call: ToolCall
    tool: Tool
    arguments: dict[str, Any]
    shown: dict[str, Any]
    cause: Cause
    priorities: Mapping[Trigger, Priority]


def request_of(asked: Asked, flags: Sequence[Flag]) -> Request:
    """The request; `flags` are those of the call as it is shown.

    The type is security, else destructive, where a risk of that kind counts; else decision for a tool with
    options; else approval. The priority is the highest of the tool's own and of those of the risks that
    count, and medium where there is none of either.
    """
    touched = _touched(asked)
    risks = _risks(asked, touched, flags)
    counting = {risk.trigger for risk in risks} & asked.priorities.keys()
    tool = asked.tool
    return Request(
        type=_type(tool, counting),
        priority=_priority(tool, [asked.priorities[trigger] for trigger in counting]),
        title=_title(asked, touched or ()),
        description=tool.description,
        options=tool.options,
        recommended=tool.recommended_option,
        risks=risks,
        context=_context(touched or ()),
    )


def _touched(asked: Asked) -> list[Touched] | None:
    """What the call touches; None when that cannot be worked out."""
    try:
        facets = derive(
            asked.arguments,
            asked.tool.arguments,
            asked.call.working_directory,
            dict(asked.call.resolved_paths),
        )
    except Exception:  # noqa: BLE001 - a person is told so; the call was judged, and waits for them
        return None
    return [Touched(facet, is_shown(asked, facet.pointer)) for facet in facets if facet.kind is not None]


def is_shown(asked: Asked, pointer: str) -> bool:
    """Whether people see the argument exactly as it is; one that was left out hides nothing."""
    real = _value_at(asked.arguments, pointer)
    if real is _ABSENT:
        return True
    shown = _value_at(asked.shown, pointer)
    return type(shown) is type(real) and bool(shown == real)


def _value_at(value: Any, pointer: str) -> Any:
    for part in parts_of(pointer):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return _ABSENT
    return value


def _risks(asked: Asked, touched: list[Touched] | None, flags: Sequence[Flag]) -> tuple[Risk, ...]:
    notes = Notes()
    note_deception(notes, flags)
    if touched is None:
        notes.add(Trigger.SUSPICIOUS_COMMAND, "what the call touches could not be worked out")
    note_facets(notes, touched or (), asked.call.working_directory)
    if any(_GAP.search(text) for text in _command_lines(asked, touched or ())):
        notes.add(Trigger.SUSPICIOUS_COMMAND, "has a long gap, behind which something may be overlooked")
    if asked.cause.value.startswith("OPAQUE_"):
        trigger = trigger_of(Opacity(asked.cause.value.removeprefix("OPAQUE_")))
        if not notes.has(trigger):
            notes.add(trigger, f"the rules cannot know the call: {asked.cause.value}")
    if asked.tool.options:
        notes.add(Trigger.SEVERAL_OPTIONS, f"has {len(asked.tool.options)} options to choose from")
    note_size(notes, sum(map(len, _texts(asked.shown))))
    if asked.tool.access is Access.WRITE and not notes.has(Trigger.SIGNIFICANT_CHANGE):
        notes.add(Trigger.SIGNIFICANT_CHANGE, "the tool can change things")
    return notes.risks()


def _command_lines(asked: Asked, touched: Sequence[Touched]) -> Iterator[str]:
    """The command lines of the call as they are shown."""
    for pointer in {each.facet.pointer for each in touched if each.facet.kind is ArgumentKind.SHELL}:
        yield from _texts(_value_at(asked.shown, pointer))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _type(tool: Tool, counting: set[Trigger]) -> RequestType:
    for triggers, kind in _TYPES:
        if triggers & counting:
            return kind
    return RequestType.DECISION if tool.options else RequestType.APPROVAL


def _priority(tool: Tool, of_risks: list[Priority]) -> Priority:
    candidates = [*of_risks, *([] if tool.priority is None else [tool.priority])]
    return max(candidates, key=lambda each: each.rank, default=Priority.MEDIUM)


def _title(asked: Asked, touched: Sequence[Touched]) -> str:
    """The tool's title and the first thing that its rules look at, whole or visibly cut; on one line."""
    pointers = list(dict.fromkeys(each.facet.pointer for each in touched))
    if not pointers:
        return asked.tool.title
    main = _value_at(asked.shown, pointers[0])
    if main is _ABSENT and not touched[0].facet.misfit:
        main = touched[0].facet.text  # what the registry says that leaving it out means
    elif isinstance(main, list) and all(isinstance(word, str) for word in main):
        main = shlex.join(main)
    if not isinstance(main, str):
        return asked.tool.title
    more = f" (and {len(pointers) - 1:,} more)" if len(pointers) > 1 else ""
    return f"{asked.tool.title}: {_on_one_line(cut(main))}{more}"


def _on_one_line(text: str) -> str:
    return text.replace("\n", "\\n").replace("\t", "\\t")


def _context(touched: Sequence[Touched]) -> Context:
    paths = [each for each in touched if each.facet.kind is ArgumentKind.PATH and not each.facet.mention]
    commands = [each for each in touched if each.facet.words and not each.facet.mention]
    return Context(
        commands=_listed(commands),
        writes=_listed([each for each in paths if is_written(each.facet)]),
        reads=_listed([each for each in paths if not is_written(each.facet)]),
        urls=_listed([each for each in touched if each.facet.kind is ArgumentKind.URL]),
    )


def _listed(touched: Sequence[Touched]) -> tuple[str, ...]:
    texts = list(dict.fromkeys(_text(each.facet) if each.is_shown else MARKER for each in touched))
    listed = [cut(text) for text in texts[:CONTEXT_ITEMS]]
    if len(texts) > CONTEXT_ITEMS:
        listed.append(f"(and {len(texts) - CONTEXT_ITEMS:,} more)")
    return tuple(listed)


def _text(facet: Facet) -> str:
    return f"something that is no {facet.kind.value}" if facet.misfit and facet.kind else facet.text
