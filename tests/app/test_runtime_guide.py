"""The guide for runtimes says what works."""

import re

from running import ROOT

GUIDE = (ROOT / "docs" / "runtime.md").read_text()


def test_the_python_example_runs_as_it_is_printed(shared_sidecar):
    """With nothing changed but the address; the call is allowed and its trace is finished."""
    example = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL).group(1)
    assert "127.0.0.1:7411" in example
    names = {}
    exec(example.replace("127.0.0.1:7411", shared_sidecar.address), names)  # noqa: S102 - the guide's own text
    assert names["verdict"].allowed
    assert shared_sidecar.trace(names["verdict"].trace_number).HasField("finished_at")


def test_the_guide_names_only_what_the_contract_has():
    """Methods, enum values and fields of the examples are in the proto files."""
    contract = "".join(each.read_text() for each in (ROOT / "proto").rglob("*.proto"))
    words = set(re.findall(r"\b(?:OUTCOME|DECISION|APPROVAL_STATE|EXECUTION_STATUS)_[A-Z]+\b", GUIDE))
    words |= set(re.findall(r"\b[a-z]+_[a-z_]+(?=[:=])", GUIDE))
    assert len(words) > 10
    assert [word for word in sorted(words) if word not in contract] == []
