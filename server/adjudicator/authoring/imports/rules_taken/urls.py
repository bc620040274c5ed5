"""Hosts of URLs, made into patterns of URLs."""

import re

from adjudicator.authoring.imports.forms.source_rules import UrlSpec
from adjudicator.authoring.imports.rules_taken.taken import WHOLE, NotTranslatedError, Taken, checked

_BELOW = "*."
_HOST = re.compile(r"[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]")


def loose_url(spec: UrlSpec) -> Taken:
    """A pattern for a Deny or an Ask: the host, and all names below it. Raises NotTranslatedError."""
    if spec.domain in ("", "*"):
        return WHOLE
    host = spec.domain.removeprefix(_BELOW)
    return checked([f"url:*://{host}"], ["names below the host count too"], loose=True)


def exact_url(spec: UrlSpec) -> Taken:
    """A pattern for an Allow: over https, at its own port. Raises NotTranslatedError."""
    if not _HOST.fullmatch(spec.domain.removeprefix(_BELOW)):
        # A port, a path or a wildcard would be a part of a name there, which no host has.
        raise NotTranslatedError("names no host; write its name alone, or `*.` before it")
    host = f"**.{spec.domain.removeprefix(_BELOW)}" if spec.domain.startswith(_BELOW) else spec.domain
    remark = "narrower than there: over https alone, at its own port"
    return checked([f"url:https://{host}/**"], [remark], loose=False)
