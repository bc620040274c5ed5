"""The codes under which imported tools are registered: none is one that is there already."""

import re
from collections.abc import Iterable

from adjudicator.authoring.imports.notes import ImportFaultError, Notes
from adjudicator.domain.call import quoted
from adjudicator.policy.registry_reader import tool_code_fault

_OTHERS = re.compile(r"[^A-Za-z0-9._:/-]+")


class Codes:
    """Gives each tool its code. Two that differ by case alone would share a file on some machines."""

    def __init__(self, known: Iterable[str], prefix: str) -> None:
        self._known = {code.casefold() for code in known}
        self._prefix = prefix

    def code_for(self, name: str, notes: Notes) -> str:
        """The code, with a note where it is not the name. Raises ImportFaultError when there is none."""
        code = f"{self._prefix}.{_OTHERS.sub('_', name)}" if self._prefix and name else name
        advice = "" if self._prefix else "; `--prefix` gives the tools other names"
        if fault := tool_code_fault(code):
            raise ImportFaultError(f"{fault}{advice}")
        if code.casefold() in self._known:
            raise ImportFaultError(
                f"there is a tool {quoted(code)} already{advice or '; use another prefix'}"
            )
        self._known.add(code.casefold())
        if code != name:
            notes.add(f"is registered as `{code}`; the runtime asks about it by that name")
        return code
