"""What a person should know of a call before they approve it, from what it touches.

No note repeats anything of an argument that is hidden from people: it only says that there is something.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adjudicator.approvals.dangers import dangers_of
from adjudicator.approvals.deception import Flag
from adjudicator.config.limits import CONTEXT_CHARS, KIB, RISK_ITEMS
from adjudicator.domain.facet import UNKNOWN, Access, ArgumentKind, Facet, Opacity
from adjudicator.domain.request import Risk, Trigger

_MUCH_TEXT = 8 * KIB
_SECRET = re.compile(
    r"""(?:^|/)(?:
        \.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?
        | \.ssh(?:/(?!known_hosts$|[^/]*\.pub$).*)? | id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?
        | \.aws(?:/.*)? | \.gnupg(?:/.*)? | \.kube/config | \.docker/config\.json | \.config/gcloud(?:/.*)?
        | [._]netrc | \.pgpass | \.git-credentials | \.npmrc | \.pypirc | \.htpasswd | \.vault-token
        | etc/(?:g?shadow|sudoers)-? | proc/[^/]+/environ
        | (?:client_)?secrets?\.(?:json|ya?ml|toml|ini|env) | credentials(?:\.json)?
        | [^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx)
    )$""",
    re.VERBOSE,
)
_AUTHORITY = re.compile(r"://([^/?#\s]+)")
_CONNECTION = ("/dev/tcp/", "/dev/udp/")
_NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd"})
_TEMPORARY = ("/tmp/", "/var/tmp/")  # noqa: S108 - compared with, not written to
_UNKNOWN_THINGS = {
    ArgumentKind.SHELL: "the command cannot be known",
    ArgumentKind.PATH: "where a path leads cannot be known",
}
_WHICH_FILES = frozenset({Opacity.EXPANSION, Opacity.PATH})
_ORDER = {trigger: place for place, trigger in enumerate(Trigger)}


@dataclass(frozen=True, slots=True)
class Touched:
    """One thing that a call touches, and whether people are shown the argument that says so."""

    facet: Facet
    is_shown: bool


@dataclass(slots=True)
class Notes:
    """Notes on one call; what is said several times is said once, with the things that it is said of."""

    _things: dict[tuple[Trigger, str], dict[str, None]] = field(default_factory=dict)

    def add(self, trigger: Trigger, says: str, *things: str) -> None:
        """Note what is said, of these things."""
        self._things.setdefault((trigger, says), {}).update(dict.fromkeys(things))

    def has(self, trigger: Trigger) -> bool:
        """Whether there is a note of the trigger."""
        return any(each is trigger for each, _ in self._things)

    def risks(self) -> tuple[Risk, ...]:
        """The notes as risks, what is worst first."""
        risks = [Risk(trigger, _sentence(says, list(things))) for (trigger, says), things in self._noted()]
        return tuple(risks)

    def _noted(self) -> list[tuple[tuple[Trigger, str], dict[str, None]]]:
        return sorted(self._things.items(), key=lambda item: _ORDER[item[0][0]])


def note_facets(notes: Notes, touched: Sequence[Touched], working_directory: str) -> None:
    """Note what is risky about the things that a call touches."""
    for each in touched:
        hidden = "something that is not shown"
        for trigger, says, thing in _of_facet(each.facet, working_directory):
            notes.add(trigger, says, thing if each.is_shown else hidden)
    written = {
        each.facet.text
        for each in touched
        if is_written(each.facet) and not each.facet.misfit and each.facet.text not in _NOWHERE
    }
    if len(written) > 1:
        notes.add(Trigger.SIGNIFICANT_CHANGE, f"writes {len(written):,} files")


def note_deception(notes: Notes, flags: Sequence[Flag]) -> None:
    """Note which characters of the call deceive the eye, and where."""
    for flag in flags:
        listed = " ".join(flag.characters[:RISK_ITEMS])
        where = f"{flag.kind.value} {listed} in {'the name ' if flag.is_name else ''}{flag.pointer}"
        notes.add(Trigger.SUSPICIOUS_COMMAND, "has characters that deceive the eye", where)


def note_size(notes: Notes, characters: int) -> None:
    """Note that the arguments are long."""
    if characters > _MUCH_TEXT:
        notes.add(Trigger.SIGNIFICANT_CHANGE, f"has {characters:,} characters of text")


def trigger_of(opacity: Opacity) -> Trigger:
    """What something that cannot be known is: in most command lines it is only which files are meant."""
    return Trigger.AMBIGUOUS_TASK if opacity in _WHICH_FILES else Trigger.SUSPICIOUS_COMMAND


def is_written(facet: Facet) -> bool:
    """Whether the facet is a file that the call names as what it writes."""
    return facet.kind is ArgumentKind.PATH and facet.access is Access.WRITE and not facet.mention


def cut(text: str) -> str:
    """The text, or its beginning and how much more there is; nobody takes that for the whole."""
    if len(text) <= CONTEXT_CHARS:
        return text
    return f"{text[:CONTEXT_CHARS]}... ({len(text) - CONTEXT_CHARS:,} more characters)"


def _sentence(says: str, things: list[str]) -> str:
    if not things:
        return says
    listed = ", ".join(map(cut, things[:RISK_ITEMS]))
    more = f", and {len(things) - RISK_ITEMS:,} more" if len(things) > RISK_ITEMS else ""
    return f"{says}: {listed}{more}"


def _of_facet(facet: Facet, working_directory: str) -> Iterator[tuple[Trigger, str, str]]:
    if facet.opaque is not None and not facet.mention:
        says = _UNKNOWN_THINGS.get(facet.kind, "an argument cannot be known") if facet.kind else ""
        yield trigger_of(facet.opaque.code), says, facet.opaque.why
    if facet.misfit:
        return
    if facet.kind is ArgumentKind.SHELL and facet.words:
        yield from _of_command(facet)
    elif facet.kind is ArgumentKind.PATH:
        yield from _of_path(facet, working_directory)
    elif facet.kind is ArgumentKind.URL and facet.url is not None:
        yield Trigger.EXTERNAL_NETWORK_CALL, "reaches the network", str(facet.url.host)


def _of_command(facet: Facet) -> Iterator[tuple[Trigger, str, str]]:
    for danger, told_by in dangers_of(facet.words):
        hosts = _hosts(facet.words) if danger.trigger is Trigger.EXTERNAL_NETWORK_CALL else []
        for host in hosts or [""]:
            yield danger.trigger, danger.does, f"{told_by} {host}".rstrip()


def _hosts(words: Sequence[str]) -> list[str]:
    """Where the addresses among the words lead, without what stands before the last `@`."""
    found = (_AUTHORITY.search(word) for word in words)
    return [readable(each[1].rpartition("@")[2]) for each in found if each is not None]


def _of_path(facet: Facet, working_directory: str) -> Iterator[tuple[Trigger, str, str]]:
    text = facet.text
    if _SECRET.search(text.casefold()) is not None:
        yield Trigger.SECURITY_VIOLATION, "touches secrets", facet.inside or text
    if text.startswith(_CONNECTION):
        yield Trigger.EXTERNAL_NETWORK_CALL, "reaches the network", text
    elif facet.access is Access.WRITE and facet.inside is None and text not in _NOWHERE:
        yield from _outside(facet, working_directory)


def _outside(facet: Facet, working_directory: str) -> Iterator[tuple[Trigger, str, str]]:
    text = facet.text
    if facet.opaque is None:
        is_harmless = text.startswith(_TEMPORARY)
        trigger = Trigger.SIGNIFICANT_CHANGE if is_harmless else Trigger.SECURITY_VIOLATION
        yield trigger, "writes outside the working directory", text
    elif not (working_directory and text.startswith(f"{working_directory}/") and "/.." not in text):
        yield Trigger.SECURITY_VIOLATION, "may write outside the working directory", readable(text)


def readable(text: str) -> str:
    """A facet's text with a sign for what only the shell knows."""
    return text.replace(UNKNOWN, "?")
