"""Bundles of any size from the shipped models: many tenants, roles three deep, rules for each."""

from collections.abc import Iterable
from pathlib import Path

MODELS = Path(__file__).parents[2] / "policies" / "models"
TOOL = "read"
SCHEMA = (
    '{"type": "object", "properties": {"path": {"type": "string", "minLength": 1}}, "required": ["path"], '
)
SCHEMA += '"additionalProperties": false}'
TOOLS = [TOOL, *(f"tool-{number}" for number in range(9))]


def tenant(number: int) -> str:
    """The code of a tenant."""
    return f"tenant-{number:05d}"


def write_bundle(folder: Path, tenants: int, rules: int) -> None:
    """A bundle with this many rules, spread evenly over the tenants."""
    codes = [tenant(number) for number in range(tenants)]
    _write(folder, codes, (rule(codes[number % tenants], number // tenants) for number in range(rules)))


def write_crowded_bundle(folder: Path, patterns: int) -> None:
    """A bundle in which one role has this many path patterns for one tool of one tenant."""
    code = tenant(0)
    rows = (
        f"p, role:reader, {code}, {TOOL}, path:/srv/{code}/part-{number}/**, , allow, rule {number}"
        for number in range(patterns)
    )
    _write(folder, [code], rows)


def _write(folder: Path, codes: list[str], rules: Iterable[str]) -> None:
    for name in ("models", "registry", "schemas"):
        (folder / name).mkdir(parents=True)
    for model in MODELS.glob("*.conf"):
        (folder / "models" / model.name).write_text(model.read_text())
    (folder / "bundle.yaml").write_text("format: 1\ndefaults: {effect: deny, approval_seconds: 60}\n")
    _write_registry(folder, codes)
    links = [row for code in codes for row in _links(code)]
    access = [f"p, role:reader, {code}, files.read, allow" for code in codes]
    scope = [f"p, role:reader, {code}, *, allow" for code in codes]
    (folder / "permission.csv").write_text("\n".join([*links, *access, ""]))
    (folder / "scope.csv").write_text("\n".join([*links, *scope, ""]))
    people = [f"g, user:operator, role:approver, {code}" for code in codes]
    decide = [f"p, role:approver, {code}, *, *, allow" for code in codes]
    (folder / "approvers.csv").write_text("\n".join([*people, *decide, ""]))
    with (folder / "rules.csv").open("w") as file:
        file.writelines(f"{row}\n" for row in links)
        file.writelines(f"{row}\n" for row in rules)


def rule(code: str, number: int) -> str:
    """One rule of a tenant: of ten, seven allow, two deny and one asks, over ten tools."""
    tool = TOOLS[number // 10 % len(TOOLS)]
    kind = number % 10
    effect = "deny" if kind in (3, 6) else "ask" if kind == 9 else "allow"
    role = ("role:reader", "role:writer", "role:lead")[number % 3]
    return (
        f"p, {role}, {code}, {tool}, path:/srv/{code}/part-{number}/**, , {effect}, rule {number} of {code}"
    )


def _links(code: str) -> list[str]:
    return [
        f"g, agent:worker, role:lead, {code}",
        f"g, role:lead, role:writer, {code}",
        f"g, role:writer, role:reader, {code}",
    ]


def _write_registry(folder: Path, codes: list[str]) -> None:
    tools = "".join(
        f"{tool}: {{title: T, description: D, access: read, permission: files.read, "
        "arguments: {/path: {kind: path}}}\n"
        for tool in TOOLS
    )
    (folder / "registry" / "tools.yaml").write_text(tools)
    names = ", ".join(TOOLS)
    (folder / "registry" / "tenants.yaml").write_text(
        "".join(f"{code}: {{title: T, tools: [{names}]}}\n" for code in codes)
    )
    (folder / "registry" / "agents.yaml").write_text(
        f"worker: {{title: W, kind: builder, tenants: [{', '.join(codes)}]}}\n"
    )
    for tool in TOOLS:
        (folder / "schemas" / f"{tool}.json").write_text(SCHEMA)
