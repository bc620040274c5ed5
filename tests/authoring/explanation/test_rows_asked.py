"""Which rows match, which of them decides, and through which roles the agent got there."""


def matches(rows):
    """Place, effect and whether it decides, of each row that matches."""
    return [
        (match.effect.value, match.decides, match.overruled and match.overruled.value)
        for match in rows.matches
    ]


def test_all_rows_that_match_are_named_and_one_decides(shipped):
    """An Allow comes before the Ask that matches too."""
    call = shipped.call(tool="write", arguments={"path": "drafts/a", "content": ""})
    (facet,) = shipped.of(call).facets
    assert matches(facet) == [("allow", True, None), ("ask", False, "allow")]
    assert str(facet.matches[0].rule) == str(facet.finding.rule)


def test_the_roles_lead_from_the_agent_to_the_row(shipped):
    """The coder reads as an engineer, who is a reader."""
    (facet,) = shipped.of(shipped.call()).facets
    assert [role for role, _ in facet.matches[0].through] == ["role:engineer", "role:reader"]
    assert all(rule.text.startswith("g, ") for _, rule in facet.matches[0].through)


def test_a_list_of_the_bundle_speaks_after_the_rows(shipped):
    """A Deny row comes before the tool's place in `approval_required`."""
    call = shipped.call(tool="apply_autofix", arguments={"diagnostic": "d1", "path": ".git/config"})
    (facet,) = shipped.of(call).facets
    assert matches(facet) == [("deny", True, None), ("ask", False, "deny")]
    assert facet.matches[1].number is None


def test_a_list_decides_where_no_row_does(shipped):
    """The question about the code passes by `auto_approved`."""
    found = shipped.of(shipped.call(tool="codegraph_query", arguments={"query": "who?"}))
    assert matches(found.facets[0]) == [("allow", True, None)]
    assert found.facets[0].matches[0].rule == found.verdict.rule


def test_a_mention_that_no_rule_speaks_of_has_no_finding(shipped):
    """The command answers for its operands."""
    found = shipped.of(shipped.call(tool="bash", arguments={"command": "git show HEAD"}))
    mentions = [each for each in found.facets if each.facet.mention]
    assert mentions
    assert all(each.finding is None for each in mentions)


def test_every_agent_of_the_call_is_asked_for_its_scope(shipped):
    """The critic's Deny row is there beside the coder's Allow row."""
    call = shipped.call(tool="write", on_behalf_of=("critic",), arguments={"path": "a", "content": ""})
    _, coder, critic = shipped.of(call).objects
    assert matches(coder) == [("allow", True, None)]
    assert matches(critic) == [("deny", True, None), ("allow", False, "deny")]
