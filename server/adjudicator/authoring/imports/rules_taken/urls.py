"""Hosts of URLs, made into patterns of URLs."""

from adjudicator.authoring.imports.forms.source_rules import UrlSpec
from adjudicator.authoring.imports.rules_taken.taken import WHOLE, Taken, checked

_BELOW = "*."


def loose_url(spec: UrlSpec) -> Taken:
    """A pattern for a Deny or an Ask: the host, and all names below it. Raises NotTranslatedError."""
    if spec.domain in ("", "*"):
        return WHOLE
    host = spec.domain.removeprefix(_BELOW)
    return checked([f"url:*://{host}"], ["names below the host count too"], loose=True)


def exact_url(spec: UrlSpec) -> Taken:
    """A pattern for an Allow: over https, at its own port. Raises NotTranslatedError."""
    host = f"**.{spec.domain.removeprefix(_BELOW)}" if spec.domain.startswith(_BELOW) else spec.domain
    remark = "narrower than there: over https alone, at its own port"
    return checked([f"url:https://{host}/**"], [remark], loose=False)
