"""The files of a first bundle: the package's templates with names in the place of placeholders."""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from adjudicator.authoring.starter.names import Names

TESTS_SCHEMA = ".schema/bundle-tests.schema.json"
# What YAML takes as one text wherever it stands.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]*")


def starter_files(names: Names) -> dict[str, str]:
    """The text of each file by its name in the bundle. The names have no faults."""
    found = _texts(files("adjudicator.authoring.starter") / "bundle", "")
    return {name: _filled(name, text, names) for name, text in found}


def editor_files() -> dict[str, str]:
    """What editors read beside the bundle and no sidecar does: the schema that the tests begin with."""
    schema = files("adjudicator.policy") / "bundle_tests.schema.json"
    return {TESTS_SCHEMA: schema.read_text(encoding="utf-8")}


def _texts(folder: Traversable, under: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _texts(entry, f"{under}{entry.name}/")
        else:
            yield f"{under}{entry.name}", entry.read_text(encoding="utf-8")


def _filled(file: str, text: str, names: Names) -> str:
    for field in ("tenant", "agent", "approver"):
        value = getattr(names, field)
        word = value if _PLAIN.fullmatch(value) or not file.endswith(".yaml") else f'"{value}"'
        text = text.replace(f"{{{{{field}}}}}", word)
    return text
