"""Definitions of tools brought into a bundle's registry: known there, and allowed to nobody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.authoring.imports.argument_guesses import guessed_arguments
from adjudicator.authoring.imports.notes import ImportFaultError, Note, Notes
from adjudicator.authoring.imports.schema_texts import schema_text
from adjudicator.authoring.imports.schemas_taken.contracts import arguments_contract, output_contract
from adjudicator.authoring.imports.texts import shown_text
from adjudicator.authoring.imports.tool_codes import Codes
from adjudicator.authoring.imports.yaml_edits import scalar, with_entries, with_items, word
from adjudicator.authoring.progress import Progress
from adjudicator.config.limits import IMPORTED_TEXT_CHARS, IMPORTED_TITLE_CHARS
from adjudicator.domain.call import quoted
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.invisible import plain
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION
from adjudicator.policy.registry_reader import TENANTS, TOOLS, code_fault
from adjudicator.policy.schemas import FOLDER
from adjudicator.policy.source import OUTPUT


@dataclass(frozen=True, slots=True)
class ToolWish:
    """What whoever imports tools wants of it.

    `trust_hints` takes the server's word for it that a tool only reads.
    """

    origin: str
    prefix: str = ""
    permission: str = ""
    tenant: str = ""
    trust_hints: bool = False

    @property
    def needed(self) -> str:
        """The permission that the tools need."""
        return self.permission or (f"{self.prefix}.use" if self.prefix else "imported.use")


@dataclass(frozen=True, slots=True)
class TakenTool:
    """One tool as the bundle will have it. `files` has its schemas by their names there."""

    name: str
    code: str
    access: Access
    arguments: tuple[ArgumentSpec, ...]
    entry: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ToolImport:
    """What an import would come to. `left_out` says of tools why they are not among those taken."""

    tools: tuple[TakenTool, ...]
    left_out: tuple[Note, ...]
    notes: tuple[Note, ...]
    edits: Mapping[str, str]


def import_tools(
    definitions: Sequence[Mapping[str, Any]], bundle: OpenBundle, wish: ToolWish, progress: Progress
) -> ToolImport:
    """The tools that can be taken, and the bundle's files as they would be with them.

    No row is written: who may call them is still to be said. Raises ImportFaultError when the wish itself
    cannot be met.
    """
    _check_wish(bundle, wish)
    codes = Codes(bundle.snapshot.registry.tools, wish.prefix)
    taken: list[TakenTool] = []
    left_out: list[Note] = []
    notes: list[Note] = []
    for number, definition in enumerate(definitions):
        progress("reading the definitions", number, len(definitions))
        name = _said(definition, "name")
        about = Notes(quoted(name))
        try:
            taken.append(_taken(definition, codes.code_for(name, about), wish, about))
        except ImportFaultError as error:
            left_out.append(Note(quoted(name), "", f"left out: {error}"))
        notes += about
    return ToolImport(tuple(taken), tuple(left_out), tuple(notes), _edits(bundle, taken, wish))


def _check_wish(bundle: OpenBundle, wish: ToolWish) -> None:
    for what, text in (("permission", wish.needed), ("prefix", wish.prefix or "none")):
        if fault := code_fault(text):
            raise ImportFaultError(f"the {what} {fault}")
    if wish.tenant and wish.tenant not in bundle.snapshot.registry.tenants:
        raise ImportFaultError(
            f"{quoted(wish.tenant)} is not a registered tenant; register it, or correct the name"
        )
    held = bundle.policies[PERMISSION.name].rows
    for number in range(len(held)):
        if held.fields(number)[2] == wish.needed:
            raise ImportFaultError(
                f"the permission `{wish.needed}` is held already, by {held.ref(number)}; "
                "name one that nobody holds"
            )


def _taken(definition: Mapping[str, Any], code: str, wish: ToolWish, notes: Notes) -> TakenTool:
    contract = arguments_contract(definition.get("inputSchema"), notes)
    hinted = _annotations(definition).get("readOnlyHint") is True
    access = Access.READ if wish.trust_hints and hinted else Access.WRITE
    arguments = guessed_arguments(contract, access, notes)
    if access is Access.READ and any(spec.kind is ArgumentKind.SHELL for spec in arguments):
        access = Access.WRITE
        arguments = guessed_arguments(contract, access, Notes(""))
        notes.add("a command line can write, so its access is write, whatever the server says")
    elif access is Access.READ:
        notes.add("its access is read, because the server says so")
    elif hinted:
        notes.add("the server says that it only reads, which is not trusted: its access is write")
    files = {f"{FOLDER}/{code}.json": schema_text(contract), **_output(definition, code, notes)}
    entry = "\n".join(_entry(definition, code, access, arguments, wish, notes))
    return TakenTool(definition["name"], code, access, tuple(arguments), entry, files)


def _output(definition: Mapping[str, Any], code: str, notes: Notes) -> dict[str, str]:
    if definition.get("outputSchema") is None:
        return {}
    try:
        contract = output_contract(definition["outputSchema"], notes)
    except ImportFaultError as error:
        notes.add(f"{error}; it has no contract of its output", "/outputSchema")
        return {}
    return {f"{FOLDER}/{code}{OUTPUT}.json": schema_text(contract)}


def _entry(
    definition: Mapping[str, Any],
    code: str,
    access: Access,
    arguments: Sequence[ArgumentSpec],
    wish: ToolWish,
    notes: Notes,
) -> Iterator[str]:
    title = _said(definition, "title") or _said(_annotations(definition), "title") or definition["name"]
    title = shown_text(title, IMPORTED_TITLE_CHARS, "the title", notes) or code
    said = shown_text(_said(definition, "description"), IMPORTED_TEXT_CHARS, "the description", notes)
    yield f"{word(code)}:"
    yield f"  title: {scalar(title)}"
    yield f"  description: {scalar(said or title)}"
    yield f"  access: {access.value}"
    yield f"  permission: {word(wish.needed)}"
    if arguments:
        yield "  arguments:"
    for spec in arguments:
        writes = ", access: write" if spec.access is Access.WRITE else ""
        absent = f", absent: {word(spec.absent)}" if spec.absent else ""
        yield f"    {word(spec.pointer)}: {{kind: {spec.kind.value}{writes}{absent}}}"


def _said(of: Mapping[str, Any], key: str) -> str:
    found = of.get(key)
    return found if isinstance(found, str) else ""


def _annotations(definition: Mapping[str, Any]) -> Mapping[str, Any]:
    found = definition.get("annotations")
    return found if isinstance(found, dict) else {}


def _edits(bundle: OpenBundle, taken: Sequence[TakenTool], wish: ToolWish) -> dict[str, str]:
    if not taken:
        return {}
    files = bundle.sources.files
    edits = {name: text for tool in taken for name, text in tool.files.items()}
    comment = f"Imported from {plain(wish.origin)}. Nobody holds `{wish.needed}` yet."
    edits[TOOLS] = with_entries(files[TOOLS], [tool.entry for tool in taken], comment)
    if wish.tenant:
        codes = [tool.code for tool in taken]
        edits[TENANTS] = with_items(files[TENANTS], wish.tenant, "tools", codes)
    return edits
