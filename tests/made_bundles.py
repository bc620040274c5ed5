"""Bundles of many agents, roles, tools and rules, and of long and odd names."""

import shutil
from itertools import pairwise
from pathlib import Path

SHIPPED = Path(__file__).parents[1] / "policies"
LONG = "a-name-as-long-as-names-of-things-in-a-bundle-may-come-to-be-here"
AGENT = "{}:\n  title: Agent\n  kind: builder\n  tenants: [acme]\n"
TOOL = (
    "{}:\n  title: T\n  description: d\n  access: read\n  permission: use\n"
    "  arguments:\n    /path: {{kind: path}}\n"
)
SCHEMA = '{"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": false}\n'


def made(folder, *, tools=1, agents=1, roles=1, rules=0, suffix="", title="Acme"):
    """A bundle with one tenant, in which each agent has a role, and each role the next one."""
    shutil.copytree(SHIPPED / "models", folder / "models")
    for name in ("registry", "schemas"):
        (folder / name).mkdir()
    codes = [f"tool{number}{suffix}" for number in range(tools)]
    people = [f"agent{number}{suffix}" for number in range(agents)]
    groups = [f"role{number}{suffix}" for number in range(roles)]
    listed = "".join(f"    - {code}\n" for code in codes)
    write(folder, "registry/tenants.yaml", [f"acme:\n  title: '{title}'\n  tools:\n{listed}"])
    write(folder, "registry/agents.yaml", map(AGENT.format, people))
    write(folder, "registry/tools.yaml", map(TOOL.format, codes))
    for code in codes:
        write(folder, f"schemas/{code}.json", [SCHEMA])
    links = [f"g, agent:{code}, role:{groups[at % roles]}, acme\n" for at, code in enumerate(people)]
    links += [f"g, role:{one}, role:{two}, acme\n" for one, two in pairwise(groups[: agents + 1])]
    held = sorted({line.split("role:")[-1].split(",")[0] for line in links})
    write(folder, "permission.csv", [*links, *(f"p, role:{role}, acme, use, allow\n" for role in held)])
    write(folder, "scope.csv", [*links, *(f"p, role:{role}, acme, *, allow\n" for role in held)])
    write(folder, "rules.csv", [*links, *(_rule(at, held, codes) for at in range(rules))])
    write(folder, "approvers.csv", ["g, user:ann, role:lead, acme\np, role:lead, acme, *, *, allow\n"])
    write(folder, "bundle.yaml", ["format: 1\ndefaults:\n  effect: deny\n  approval_seconds: 60\n"])
    return folder


def _rule(number, roles, tools):
    effect = ("allow", "deny", "ask")[number % 3]
    role, tool = roles[number % len(roles)], tools[number % len(tools)]
    return f"p, role:{role}, acme, {tool}, path:/srv/{number}/**, , {effect}, why\n"


def write(folder, name, texts):
    """Put texts into a file of a folder."""
    (folder / name).write_text("".join(texts))
