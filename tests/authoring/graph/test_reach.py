"""What a cell says is what the chain says of calls, and what the rules say of themselves."""

import json

import pytest
from adjudicator.authoring.graph.chart import Wanted, chart_of
from adjudicator.authoring.graph.reach import Reach
from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import unheard
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Cause, Outcome, Step
from adjudicator.policy.snapshot import Effect, RuleQuestion

LIMITS = Limits()
VALUES = (
    {"command": "git status"},
    {"command": "git push origin main"},
    {"command": "sudo ls"},
    {"command": "cat /etc/passwd"},
    {"path": "src/a.py"},
    {"path": "drafts/a.md"},
    {"path": "/etc/passwd"},
    {"path": ".env"},
    {"path": "a/.git/config"},
    {"name": "a.py", "dir": "."},
    {"name": "a/b"},
    {"url": "https://example.com/"},
    {"url": "http://169.254.169.254/"},
    {"query": "x"},
    {"symbol": "x"},
    {"environment": "staging", "version": "1.0.0"},
    {"paths": ["a.py", "/etc/x"]},
    {},
)
BEFORE = frozenset({Cause.MODE_READ_ONLY})


def cells(bundle, **wanted):
    """Every cell with its tenant, subject and tool."""
    chart = chart_of(bundle, Wanted(**wanted), unheard)
    for panel in chart.panels:
        for line, row in zip(panel.lines, panel.cells, strict=True):
            for subject, cell in zip(panel.subjects, row, strict=True):
                yield panel.tenant, subject, line.tool, cell


def verdicts(bundle, tenant, agent, tool):
    """What calls of the tool with all kinds of arguments get by the rules."""
    for value in VALUES:
        call = ToolCall(
            tenant.code,
            agent,
            tool.code,
            json.dumps(value),
            principal="user:ann",
            working_directory="/srv/app",
        )
        yield judged(call, bundle.snapshot, LIMITS)


def test_no_call_gets_what_its_cell_does_not_have(shipped):
    """An agent's cell has every outcome that any call comes to by rules, and the step that stops all."""
    seen = set()
    for tenant, subject, tool, cell in cells(shipped):
        if subject.is_role:
            continue
        for verdict in verdicts(shipped, tenant, subject.code, tool):
            stopped = verdict.step < Step.GATE or verdict.cause in BEFORE
            assert (cell.reach is Reach.OUT) == stopped
            if stopped:
                assert (cell.stop.step, cell.stop.cause) == (verdict.step, verdict.cause)
            elif verdict.step is Step.GATE:
                assert verdict.outcome in cell.ways
                seen.add((subject.code, tool.code, verdict.outcome))
    # The values are telling: calls that are allowed, asked and denied by rules are among them.
    assert {outcome for *_, outcome in seen} == set(Outcome)


def test_a_cell_of_one_outcome_has_no_other(shipped):
    """ALLOW, ASK or DENY in a cell alone means that no call comes to anything else by rules."""
    alone = 0
    for tenant, subject, tool, cell in cells(shipped):
        if subject.is_role or cell.reach in (Reach.MIXED, Reach.OUT):
            continue
        outcomes = {
            each.outcome for each in verdicts(shipped, tenant, subject.code, tool) if each.step is Step.GATE
        }
        assert {each.value.lower() for each in outcomes} <= {cell.reach.value}
        alone += 1
    assert alone


def test_a_role_is_stopped_by_what_the_models_say_of_it(shipped):
    """S5 and S6 of a role's cell are the answers of the two rule sets for the role as the subject."""
    for tenant, subject, tool, cell in cells(shipped):
        if not subject.is_role or tool.code not in tenant.tools or tool.status.value == "disabled":
            continue
        for step, name, thing in (
            (Step.PERMISSION, "permission", tool.permission),
            (Step.SCOPE, "scope", tool.code),
        ):
            rules = shipped.rule_sets[name]
            question = RuleQuestion(subject.name, tenant.code, thing)
            may = (
                rules.match(Effect.DENY, question) is None
                and rules.match(Effect.ALLOW, question) is not None
            )
            if not may:
                assert cell.stop.step is step
                break
        else:
            assert cell.stop is None or cell.stop.cause is Cause.MODE_READ_ONLY


def test_rules_are_counted_as_the_engine_finds_them(shipped):
    """A cell counts the rows that the engine's keys lead to, less those about what the tool has none of."""
    engine = shipped.policies["rules"].engine
    for tenant, subject, tool, cell in cells(shipped):
        if cell.stop is not None or tool.require_approval:
            continue
        for effect in Effect:
            request = (subject.name, tenant.code, tool.code, None)
            found = {number for bucket in engine.could_match(effect.value, request) for number in bucket}
            way = cell.ways.get(Outcome(effect.value.upper()))
            listed = shipped.settings.listed.get(tool.code, (None,))[0] is effect
            if way is None:
                continue
            assert way.rules <= len(found) + listed
            if {spec.kind.value for spec in tool.arguments} == {"shell"}:
                rows = shipped.policies["rules"].rows
                fitting = [n for n in found if not rows.fields(n)[3].startswith(("url:", "text:"))]
                assert way.rules == len(fitting) + listed


def test_every_registered_thing_is_there(shipped):
    """Each tenant has its agents, its roles and all tools, each once."""
    chart = chart_of(shipped, Wanted(), unheard)
    studio = next(panel for panel in chart.panels if panel.tenant.code == "studio")
    assert [each.name for each in studio.subjects] == [
        *("agent:coder", "agent:critic", "agent:designer"),
        *("role:critic", "role:designer", "role:engineer", "role:reader"),
    ]
    assert sorted(line.tool.code for line in studio.lines) == sorted(shipped.snapshot.registry.tools)


SOMETIMES = "  access: read\n  permission: code.query"
ALWAYS = "  access: read\n  require_approval: true\n  permission: code.query"


@pytest.mark.parametrize(
    ("edit", "agent", "tool", "reach"),
    [
        (("rules.csv", "shell:sudo *, , deny", "*, , deny"), "coder", "bash", "deny"),
        (("bundle.yaml", "effect: deny", "effect: ask"), "coder", "fetch", "mixed"),
        (("registry/tenants.yaml", "mode: auto", "mode: ask_always"), "coder", "codegraph_query", "ask"),
        (("registry/tenants.yaml", "mode: auto", "mode: read_only"), "coder", "bash", "out"),
        (("registry/tools.yaml", SOMETIMES, ALWAYS), "coder", "codegraph_query", "ask"),
        (
            ("registry/agents.yaml", "kind: critic", "kind: critic\n  enabled: false"),
            "critic",
            "read",
            "out",
        ),
    ],
)
def test_a_cell_follows_its_bundle(edited, edit, agent, tool, reach):
    """A row for every call, the default, a mode and an approval that is always asked each show."""
    edited.replace(*edit)
    bundle = edited.open()
    found = {
        (each.name, of.code): cell for tenant, each, of, cell in cells(bundle) if tenant.code == "studio"
    }
    assert found[f"agent:{agent}", tool].reach.value == reach


def test_filters_choose_what_is_drawn(shipped):
    """Globs over tenants, agents, roles and tools; an agent brings along the roles that it has."""
    drawn = list(cells(shipped, tenants=("stu*",), agents=("designer",), tools=("codegraph_*", "read")))
    assert {tenant.code for tenant, *_ in drawn} == {"studio"}
    assert {subject.name for _, subject, *_ in drawn} == {"agent:designer", "role:designer", "role:reader"}
    assert len({tool.code for _, _, tool, _ in drawn}) == 5
    by_role = {subject.name for _, subject, *_ in cells(shipped, tenants=("studio",), roles=("engineer",))}
    assert by_role == {"agent:coder", "role:engineer"}


def test_nothing_is_drawn_twice(shipped):
    """A pair of subject and tool has one cell in its tenant."""
    keys = [(tenant.code, subject.name, tool.code) for tenant, subject, tool, _ in cells(shipped)]
    assert len(keys) == len(set(keys))
