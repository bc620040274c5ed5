"""JSON files of a bundle, read as strictly as arguments are."""

from typing import Any

from adjudicator.config.limits import BUNDLE_FILE_BYTES, JSON_DEPTH
from adjudicator.domain.strict_json import Fault, read_json
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source, position


def parse_json(source: Source, problems: Problems) -> Any:
    """The file's value, or None with a problem noted."""
    read = read_json(
        source.text,
        "its contents",
        max_bytes=BUNDLE_FILE_BYTES,
        max_depth=JSON_DEPTH,
        verb="write",
        quoting=True,
    )
    if isinstance(read, Fault):
        at = (0, 0) if read.offset is None else position(source.text[: read.offset])
        problems.add(source.name, read.sentence, *at)
        return None
    if read.value is None:
        problems.add(source.name, "the file is `null`; write an object")
    return read.value
