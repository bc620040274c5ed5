"""What two bundles say otherwise, part by part."""

import json

from adjudicator.authoring.comparison.differences import differences_of


def parts(was, now):
    """What differs, by its part."""
    return {each.part: each for each in differences_of(was, now)}


def test_rows_are_told_with_their_place_and_sign(shipped, edited):
    """A row that was changed is one that is gone and one that is new."""
    edited.replace("rules.csv", "shell:pwd, , allow", "shell:pwd, , ask")
    edited.append("scope.csv", "p, role:designer, studio, bash, deny\n")
    edited.append("approvers.csv", "g, user:zoe, role:approver, studio\n")
    found = parts(shipped, edited.open())
    assert list(found) == ["scope.csv", "rules.csv", "approvers.csv"]
    assert [len(each) for each in (found["rules.csv"].added, found["rules.csv"].removed)] == [1, 1]
    assert found["rules.csv"].added[0].startswith("rules.csv:86: p, role:engineer, studio, bash, shell:pwd")
    assert "g, user:zoe" in found["approvers.csv"].added[0]


def test_registry_entries_are_told_field_by_field(shipped, edited):
    """What was added, what is gone, and of the others which fields differ."""
    edited.replace("registry/tools.yaml", "  quorum: 2\n", "  quorum: 3\n")
    edited.replace("registry/tenants.yaml", "    - fetch\n", "")
    found = parts(shipped, edited.open())
    assert found["registry/tools.yaml"].changed == ("deploy: quorum 2 -> 3",)
    assert found["registry/tenants.yaml"].changed == ("studio: tools -fetch",)


def test_settings_and_lists_are_told(shipped, edited):
    """The default, the terms of approvals, and the tools that pass or ask for everybody."""
    edited.replace("bundle.yaml", "effect: deny", "effect: ask")
    edited.replace("bundle.yaml", "external_network_call: low", "external_network_call: off")
    edited.replace("bundle.yaml", "  - codegraph_explain\n", "")
    found = parts(shipped, edited.open())["bundle.yaml"]
    assert found.removed == ("auto_approved: codegraph_explain",)
    assert set(found.changed) == {"effect: DENY -> ASK", "priorities.external_network_call: low -> off"}


def test_a_schema_in_another_layout_is_the_same(shipped, edited):
    """Only what a schema says counts; a text of a model counts as it stands."""
    path = edited.folder / "schemas" / "ls.json"
    schema = json.loads(path.read_text())
    path.write_text(json.dumps(schema, indent=9) + "\n")
    assert parts(shipped, edited.open()) == {}
    path.write_text(json.dumps(schema | {"minProperties": 1}) + "\n")
    assert parts(shipped, edited.open())["schemas"].changed == ("schemas/ls.json",)


def test_tests_are_told_by_name(shipped, edited):
    """One that expects something else is changed."""
    edited.replace(
        "tests/steps.yaml", "verdict: DENY, step: 4, cause: TOOL_DISABLED", "verdict: DENY, step: 4"
    )
    changed = parts(shipped, edited.open())["tests"].changed
    assert changed == ("tests/steps.yaml: step 4, a tool that was taken out of use",)
