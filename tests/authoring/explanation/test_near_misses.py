"""Rows that nearly match, and the one part of each that does not."""

import pytest


def misses(found, facet=0):
    """The part and the sentence of each near miss of a facet, by place."""
    return {str(each.rule): (each.part.value, each.why) for each in found.facets[facet].misses.nearest}


def place(explained, part):
    """The place of the row of the rules that has this text."""
    lines = (explained.folder / "rules.csv").read_text().split("\n")
    return f"rules.csv:{next(number for number, line in enumerate(lines, start=1) if part in line)}"


NEAR = [
    (
        {"agent": "designer", "tool": "write", "arguments": {"path": "src/a.py", "content": ""}},
        "p, role:engineer, studio, write, path:./**",
        "subject",
        "it is for `role:engineer`, which `agent:designer` has not in `studio`",
    ),
    (
        {"tenant": "archive", "tool": "write", "arguments": {"path": "drafts/a", "content": ""}},
        "p, role:engineer, studio, write, path:./drafts/**",
        "tenant",
        "it is for tenant `studio`",
    ),
    (
        {"tool": "write", "arguments": {"path": "src/a.py", "content": ""}},
        "write, path:./scratch/**",
        "argument",
        "the path has `src/` where the rule is for `scratch/`",
    ),
    (
        {"arguments": {"path": ".env"}},
        "studio, read, path:./**, path:**/.env*",
        "exception",
        "its exception `path:**/.env*` takes this value out",
    ),
    (
        {"arguments": {"path": "../x"}},
        "studio, read, path:./**, path:**/.env*",
        "argument",
        "the path is `/srv/x`, outside of the working directory, the rule is for `./**`",
    ),
    (
        {"tool": "bash", "arguments": {"command": "git commit -m x"}},
        "shell:git status *",
        "argument",
        "the command has `commit` where the rule is for `status`",
    ),
    (
        {"tool": "bash", "arguments": {"command": "git diff HEAD"}},
        "shell:git diff,",
        "argument",
        "the command goes on with `HEAD` where the rule ends",
    ),
]


@pytest.mark.parametrize(("fields", "row", "part", "why"), NEAR, ids=[part for _, _, part, _ in NEAR])
def test_a_row_says_what_keeps_it_from_matching(shipped, fields, row, part, why):
    """All its other parts match, and the sentence names the one that does not."""
    found = shipped.of(shipped.call(**fields), every_miss=True)
    assert misses(found)[place(shipped, row)] == (part, why)


def test_capital_letters_keep_an_allow_from_matching(shipped):
    """Allow compares exactly, and the sentence says so."""
    call = shipped.call(tool="write", arguments={"path": "Drafts/a", "content": ""})
    part, why = misses(shipped.of(call, every_miss=True))[place(shipped, "write, path:./drafts/**")]
    assert part == "argument"
    assert why.startswith("Allow compares exactly: the call writes `/srv/app/Drafts/a`")


def test_a_value_that_cannot_be_known_is_said_to_be_so(shipped):
    """No Allow matches what is opaque, whatever its pattern."""
    call = shipped.call(directory="")
    part, why = misses(shipped.of(call, every_miss=True))[place(shipped, "studio, read, path:./**")]
    assert part == "argument"
    assert why.startswith("Allow never matches what cannot be known: the path is relative")


def test_a_condition_that_does_not_hold_is_the_part(conditional):
    """The row would match but for its `when`."""
    condition = "r.facet.access == 'write'"
    row = f'p, role:reader, studio, read, path:./src/**, , "{condition}", deny, only when written'
    at = conditional.append("rules.csv", row)
    found = misses(conditional.of(conditional.call()))
    assert found[at] == ("condition", f"its condition `{condition}` does not hold")


def test_a_row_with_two_parts_that_do_not_match_is_not_near(shipped):
    """For another agent and another tenant it would need two changes."""
    found = shipped.of(shipped.call(tool="write", arguments={"path": "x", "content": ""}), every_miss=True)
    assert place(shipped, "archive, write, path:./restored/**") not in misses(found)


def test_the_list_is_bounded_and_counts_the_rest(changed):
    """Five rows for a facet, and how many more; all of them when all are wanted."""
    for number in range(20):
        changed.append("rules.csv", f"p, role:engineer, studio, write, path:./dr{number}/**, , allow, more")
    call = changed.call(tool="write", arguments={"path": "drx/a", "content": ""})
    few, every = changed.of(call).facets[0].misses, changed.of(call, every_miss=True).facets[0].misses
    assert len(few.nearest) == 5
    assert len(few.nearest) + few.more == len(every.nearest)
    assert every.more == 0


def test_rows_of_permission_and_scope_are_near_as_well(shipped):
    """Who else holds the permission is named."""
    call = shipped.call(agent="designer", tool="command_execution", arguments={"command": "make"})
    permission = shipped.of(call).objects[0]
    assert permission.matches == ()
    assert [each.why for each in permission.misses.nearest] == [
        "it is for `role:engineer`, which `agent:designer` has not in `studio`"
    ]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://a.b.x.test/", "the host is `a.b.x.test`, the rule is for `*.x.test`"),
        ("https://x.test/", "the host is `x.test`, the rule is for `*.x.test`"),
        ("https://a.x.test:8443/", "the port is 8443, the rule is for the one of the scheme"),
    ],
)
def test_a_star_in_a_host_is_one_label(changed, url, why):
    """What keeps a deeper name from matching is the host and not what stands behind it."""
    changed.append("rules.csv", "p, role:engineer, studio, fetch, url:https://*.x.test/**, , allow, why")
    found = changed.of(changed.call(tool="fetch", arguments={"url": url}), every_miss=True)
    assert ("argument", why) in misses(found).values()
