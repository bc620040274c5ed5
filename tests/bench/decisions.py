"""What one decision costs, by how many rules there are, beside stock pycasbin, and in crowded buckets.

    python tests/bench/run.py decisions

Each figure is the shortest of many rounds, since other work on the machine only adds to it.
"""

import time

import casbin
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.casbin.reader import read_engine
from adjudicator.policy.loader import load_bundle
from adjudicator.policy.snapshot import Effect, RuleQuestion
from bundles import TOOL, tenant, write_bundle, write_crowded_bundle

SMALL, LARGE = (1, 10), (10_000, 1_000_000)
CROWDED, FEW = 10_000, 10
JOINED = 10_000
RBAC = """
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act
"""


def shortest(run, calls=100, rounds=60):
    """Microseconds of one run: the shortest of the rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, (time.perf_counter() - started) / calls)
    return best * 1e6


def rule_chain(snapshot, code, path):
    """Asks Deny, Allow, Ask about one path, as the chain does: the decision of the rules."""
    facet = Facet(ArgumentKind.PATH, path)

    def decide():
        question = RuleQuestion("agent:worker", code, TOOL, facet)
        for effect in (Effect.DENY, Effect.ALLOW, Effect.ASK):
            if found := snapshot.rules.match(effect, question):
                return found
        return None

    return decide


def whole_chain(snapshot, code, path):
    """All eight steps, from the parsed arguments to the verdict."""
    limits = Limits()
    call = ToolCall(code, "worker", TOOL, f'{{"path": "{path}"}}', working_directory=f"/srv/{code}")
    arguments = read_arguments(
        call.arguments_json,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    return lambda: judge(Case(call, arguments, snapshot), lambda _check, _error: None)


def by_size(folder):
    """Microseconds of the rules, and of the whole chain, at 10 rules and at a million."""
    figures = []
    for tenants, rules in (SMALL, LARGE):
        target = folder / f"{rules}-rules"
        write_bundle(target, tenants, rules)
        snapshot = load_bundle(target)
        code = tenant(tenants // 2)
        path = f"/srv/{code}/part-1/src/a.py"
        if whole_chain(snapshot, code, path)().outcome is not Outcome.ALLOW:
            raise SystemExit(f"the call is not allowed at {rules} rules")
        figures.append(
            (shortest(rule_chain(snapshot, code, path)), shortest(whole_chain(snapshot, code, path)))
        )
    return figures


def by_crowd(folder):
    """Microseconds of the rules with few and with many patterns for one role, tenant and tool."""
    figures = []
    for patterns in (FEW, CROWDED):
        target = folder / f"{patterns}-patterns"
        write_crowded_bundle(target, patterns)
        snapshot = load_bundle(target)
        path = f"/srv/{tenant(0)}/part-{patterns // 2}/src/a.py"
        decide = rule_chain(snapshot, tenant(0), path)
        if decide() is None:
            raise SystemExit(f"no rule matches with {patterns} patterns")
        figures.append(shortest(decide))
    return figures


def beside_pycasbin(folder):
    """Microseconds of `enforce` with a role join: ours, and pycasbin's (one call)."""
    rows = [f"p, role{number}, data{number}, read" for number in range(JOINED)]
    rows += [f"g, user{number}, role{number}" for number in range(100)]
    policy = folder / "joined.csv"
    policy.write_text("\n".join(rows))
    (folder / "joined.conf").write_text(RBAC)
    engine = read_engine(RBAC, policy.read_text())
    stock = casbin.Enforcer(str(folder / "joined.conf"), str(policy))
    request = ("user50", "data50", "write")
    started = time.perf_counter()
    answer = stock.enforce(*request)
    theirs = (time.perf_counter() - started) * 1e6
    if engine.enforce(*request) != answer:
        raise SystemExit("the two disagree")
    return shortest(lambda: engine.enforce(*request)), theirs
