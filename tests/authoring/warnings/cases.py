"""What each code is about: an edit of the shipped bundle that has the warning, and one that has not.

An edit is a file, what to replace in it (nothing adds a line), and by what. `at` is how the text begins
that the warning points at, and `line` a part of its line.
"""

from dataclasses import dataclass, field

RULES, SCOPE, PERMISSION, APPROVERS = "rules.csv", "scope.csv", "permission.csv", "approvers.csv"
TENANTS, AGENTS, TOOLS = "registry/tenants.yaml", "registry/agents.yaml", "registry/tools.yaml"
LS = "schemas/ls.json"
TEXTS = '{"type": "array", "items": {"type": "string", "minLength": 1}}'


@dataclass(frozen=True)
class Case:
    """One case; without `spoilt` edits it is only about what must not warn."""

    code: str
    name: str
    spoilt: list = field(default_factory=list)
    file: str = ""
    at: str = ""
    line: str = ""
    fine: list = field(default_factory=list)


def added(file, row):
    """An edit that adds a row."""
    return (file, "", row)


def in_ls(properties, required=""):
    """An edit that gives `ls` one more argument, an object with these properties."""
    inner = (
        f'"filter": {{"type": "object", "properties": {{{properties}}}, "required": [{required}], '
        '"additionalProperties": false},'
    )
    return (LS, '"properties": {', f'"properties": {{{inner}')


def declared_in_ls(argument):
    """An edit that has the registry declare one more argument of `ls`."""
    end = "    /path: {kind: path}\n\nfind_file"
    return (TOOLS, end, end.replace("\n\n", f"\n    {argument}\n\n"))


CASES = [
    Case(
        "never-matches",
        "a tool that is not on the list",
        [added(RULES, "p, role:reader, archive, fetch, *, , deny, why")],
        RULES,
        "fetch, *",
        "archive",
        [added(RULES, "p, role:reader, studio, fetch, url:https://x.test/**, , deny, why")],
    ),
    Case(
        "never-matches",
        "an argument that no listed tool has",
        [added(RULES, "p, role:reader, archive, *, url:https://x.test/**, , deny, why")],
        RULES,
        "url:",
        "archive",
        [added(RULES, "p, role:reader, studio, *, url:https://x.test/**, , deny, why")],
    ),
    Case(
        "never-matches",
        "a permission that no listed tool requires",
        [added(PERMISSION, "p, role:reader, archive, net.fetch, deny")],
        PERMISSION,
        "net.fetch",
        "archive",
        [added(PERMISSION, "p, role:critic, studio, net.fetch, deny")],
    ),
    Case(
        "never-matches",
        "a scope for a tool that is not on the list",
        [added(SCOPE, "p, role:critic, archive, bash, deny")],
        SCOPE,
        "bash",
        "archive",
        [added(SCOPE, "p, role:critic, studio, fetch, deny")],
    ),
    Case(
        "never-matches",
        "who decides on a tool that is not on the list",
        [added(APPROVERS, "p, user:eve, archive, deploy, *, deny")],
        APPROVERS,
        "deploy",
        "archive",
        [added(APPROVERS, "p, user:eve, archive, question, *, deny")],
    ),
    Case(
        "switched-off",
        "a tenant",
        [(TENANTS, "  mode: read_only", "  enabled: false")],
        TENANTS,
        "archive:",
    ),
    Case(
        "switched-off",
        "an agent",
        [(AGENTS, "  title: Coder", "  title: Coder\n  enabled: false")],
        AGENTS,
        "coder:",
    ),
    Case(
        "switched-off",
        "a tool",
        [(TOOLS, "# meant: switched-off, whoever looks for it reads what took its place\n", "")],
        TOOLS,
        "legacy_deploy:",
        "",
        [(SCOPE, "p, role:critic, studio, legacy_deploy, deny\n", "")],
    ),
    Case(
        "out-of-reach",
        "a rule for who lacks the permission",
        [added(RULES, "p, role:designer, studio, deploy, *, , ask, why")],
        RULES,
        "role:designer, studio, deploy",
        "",
        [added(RULES, "p, role:designer, studio, deploy, *, , deny, why")],
    ),
    Case(
        "out-of-reach",
        "a rule for who is kept away by the registry",
        [
            added(PERMISSION, "p, role:designer, studio, shell.run, allow"),
            added(RULES, "p, role:designer, studio, bash, *, , ask, why"),
        ],
        RULES,
        "role:designer, studio, bash",
    ),
    Case(
        "out-of-reach",
        "a permission for who has its tools out of scope",
        [
            (AGENTS, "  kind: critic", "  kind: builder"),
            added(PERMISSION, "p, role:critic, studio, deploy.run, allow"),
        ],
        PERMISSION,
        "role:critic, studio, deploy.run",
        "",
        [added(PERMISSION, "p, role:designer, studio, code.change, allow")],
    ),
    Case(
        "out-of-reach",
        "a scope for whom the registry keeps away",
        [added(SCOPE, "p, agent:critic, studio, deploy, allow")],
        SCOPE,
        "agent:critic, studio, deploy",
        "",
        [added(SCOPE, "p, agent:critic, studio, fetch, allow")],
    ),
    Case(
        "denied-whole",
        "a rule under a Deny of a role above",
        [
            added(RULES, "p, role:engineer, studio, *, path:./keys/**, , deny, why"),
            added(RULES, "p, agent:coder, studio, read, path:./keys/a/*, , allow, why"),
        ],
        RULES,
        "allow, why",
        "path:./keys/a/*",
        [
            added(RULES, "p, role:engineer, studio, *, path:./keys/**, path:./keys/a/*, deny, why"),
            added(RULES, "p, role:designer, studio, *, path:./keys/**, , deny, why"),
            added(RULES, "p, agent:coder, studio, read, path:./keys/a/*, , allow, why"),
        ],
    ),
    Case(
        "denied-whole",
        "a permission",
        [added(PERMISSION, "p, role:reader, studio, code.query, deny")],
        PERMISSION,
        "allow",
        "role:reader, studio, code.query",
        [added(PERMISSION, "p, agent:critic, studio, code.query, deny")],
    ),
    Case(
        "denied-whole",
        "who decides",
        [added(APPROVERS, "p, role:lead, studio, *, *, deny")],
        APPROVERS,
        "allow",
        "role:lead, studio, *, critical",
        [added(APPROVERS, "p, user:eve, studio, *, *, deny")],
    ),
    Case(
        "read-only-tenant",
        "a rule",
        [added(RULES, "p, role:engineer, archive, write, path:./x/**, , ask, why")],
        RULES,
        "ask, why",
        "archive",
        [added(RULES, "p, role:engineer, archive, write, path:./x/**, , deny, why")],
    ),
    Case(
        "read-only-tenant",
        "a scope",
        [added(SCOPE, "p, agent:coder, archive, write, allow")],
        SCOPE,
        "allow",
        "write",
        [added(SCOPE, "p, agent:coder, archive, read, allow")],
    ),
    Case(
        "duplicate",
        "a part of what a role above may",
        [added(RULES, "p, agent:coder, studio, read, path:./docs/*, path:**/.env*, allow, why")],
        RULES,
        "allow, why",
        "agent:coder",
        [added(RULES, "p, agent:coder, studio, read, path:./docs/*, , allow, why")],
    ),
    Case(
        "duplicate",
        "a scope",
        [added(SCOPE, "p, role:critic, studio, read, allow")],
        SCOPE,
        "allow",
        "role:critic, studio, read",
        [added(SCOPE, "p, role:critic, studio, read, deny")],
    ),
    Case(
        "duplicate",
        "who decides",
        [added(APPROVERS, "p, user:ann, archive, read, low, allow")],
        APPROVERS,
        "allow",
        "user:ann, archive, read",
        [added(APPROVERS, "p, user:zoe, archive, read, low, allow")],
    ),
    Case(
        "duplicate",
        "what a list of bundle.yaml says",
        [added(RULES, "p, role:engineer, studio, command_execution, *, , ask, why")],
        RULES,
        "ask, why",
        "command_execution",
        [added(RULES, "p, role:engineer, studio, command_execution, shell:timeout *, , ask, why")],
    ),
    Case(
        "duplicate",
        "of two that say the same the later one",
        [
            added(RULES, "p, role:reader, studio, read, path:**/*, , deny, first"),
            added(RULES, "p, role:reader, studio, read, path:**/**, , deny, second"),
        ],
        RULES,
        "deny, second",
        "path:**/**",
        [
            added(
                RULES,
                "p, role:engineer, studio, bash, path:**/plans/**, , ask, it asks of mentions too",
            )
        ],
    ),
    Case(
        "no-rule",
        "a tool that nothing speaks of",
        [("bundle.yaml", "  - codegraph_find_callers\n", "")],
        TENANTS,
        "codegraph_find_callers",
        "",
        [
            ("bundle.yaml", "  - codegraph_find_callers\n", ""),
            added(RULES, "p, role:reader, studio, codegraph_find_callers, *, , deny, why"),
        ],
    ),
    Case(
        "nobody-has-role",
        "the only agent is disabled",
        [(AGENTS, "  title: Designer", "  title: Designer\n  enabled: false")],
        RULES,
        "role:designer",
        "",
        [(AGENTS, "  tenants: [studio]", "  tenants: [studio]\n  enabled: true")],
    ),
    Case(
        "may-be-empty",
        "deeper than the first level",
        [in_ls('"name": {"type": "string"}', '"name"')],
        LS,
        '"name"',
        "",
        [in_ls('"name": {"type": "string", "pattern": "^.+$"}', '"name"')],
    ),
    Case(
        "may-be-empty",
        "a format",
        [in_ls('"name": {"type": "string", "format": "uri-reference"}', '"name"')],
        LS,
        '"name"',
        "",
        [in_ls('"name": {"type": "string", "format": "uri"}', '"name"')],
    ),
    Case(
        "may-be-null",
        "one of the types",
        [in_ls('"name": {"type": ["string", "null"], "minLength": 1}', '"name"')],
        LS,
        '"name"',
        "",
        [in_ls('"name": {"enum": ["a", "b"]}', '"name"')],
    ),
    Case(
        "undeclared-argument",
        "a folder, in an object",
        [in_ls('"outputDir": {"type": "string", "minLength": 1}')],
        LS,
        '"outputDir"',
        "",
        [
            in_ls('"outputDir": {"type": "string", "minLength": 1}'),
            declared_in_ls("/filter/outputDir: {kind: path}"),
        ],
    ),
    Case(
        "undeclared-argument",
        "addresses in a list",
        [in_ls('"mirrors": {"type": "array", "items": {"type": "string", "format": "uri"}}')],
        LS,
        '"mirrors"',
        "",
        [
            in_ls('"mirrors": {"type": "array", "items": {"type": "string", "format": "uri"}}'),
            declared_in_ls("/filter/mirrors/*: {kind: url}"),
        ],
    ),
    Case(
        "undeclared-argument",
        "no text",
        fine=[in_ls('"file": {"type": "integer"}, "url": {"enum": ["a"]}')],
    ),
    Case(
        "undeclared-argument",
        "a list of paths, or nothing",
        [in_ls(f'"files": {{"anyOf": [{TEXTS}, {{"type": "null"}}]}}')],
        LS,
        '"files"',
        "",
        [
            in_ls(f'"files": {{"anyOf": [{TEXTS}, {{"type": "null"}}]}}'),
            declared_in_ls("/filter/files/*: {kind: path}"),
        ],
    ),
    Case(
        "undeclared-argument",
        "an address, by the format of a choice",
        [in_ls('"mirror": {"oneOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}')],
        LS,
        '"mirror"',
    ),
    Case(
        "undeclared-argument",
        "a choice of what is no text, and of a few values",
        fine=[
            in_ls('"file": {"anyOf": [{"type": "integer"}, {"type": "null"}]}'),
            (LS, '"properties": {', '"properties": {"url": {"allOf": [{"anyOf": [{"enum": ["a"]}]}]},'),
        ],
    ),
    Case(
        "undeclared-argument",
        "a secret, which cannot be declared",
        fine=[in_ls('"webhook": {"type": "string", "writeOnly": true}')],
    ),
    Case(
        "critic-can-write",
        "a permission and a scope",
        [
            (SCOPE, "p, role:critic, studio, write, deny\n", ""),
            added(PERMISSION, "p, role:critic, studio, files.write, allow"),
        ],
        AGENTS,
        "studio, archive]",
        "",
        [added(PERMISSION, "p, role:critic, studio, files.write, allow")],
    ),
    Case(
        "unheld-permission",
        "a permission that was taken away",
        [(PERMISSION, "p, role:engineer, studio, deploy.run, allow\n", "")],
        TENANTS,
        "deploy",
    ),
    Case(
        "idle-agent",
        "a tenant without a row for it",
        [(AGENTS, "  tenants: [studio]\n", "  tenants: [studio, archive]\n")],
        AGENTS,
        "archive]",
        "",
        [
            (AGENTS, "  tenants: [studio]\n", "  tenants: [studio, archive]\n"),
            added(SCOPE, "p, agent:designer, archive, read, allow"),
        ],
    ),
    Case(
        "too-few-approvers",
        "a quorum and four eyes",
        [(APPROVERS, "g, user:bob, role:lead, studio\n", "")],
        TOOLS,
        "deploy:",
        "",
        [
            (APPROVERS, "g, user:bob, role:lead, studio\n", ""),
            (TOOLS, "  four_eyes: true\n", ""),
        ],
    ),
    Case(
        "too-few-approvers",
        "a deny for all who could",
        [added(APPROVERS, "p, role:approver, studio, bash, high, deny")],
        TOOLS,
        "bash:",
        "",
        [added(APPROVERS, "p, role:approver, archive, write, high, deny")],
    ),
    Case(
        "allows-anything",
        "a rule",
        [
            (
                RULES,
                "p, role:engineer, studio, fetch, *, , ask",
                "p, role:engineer, studio, fetch, *, , allow",
            )
        ],
        RULES,
        "*, , allow",
        "fetch",
        [added(RULES, "p, role:designer, studio, codegraph_query, *, , allow, why")],
    ),
    Case(
        "allows-anything",
        "a list",
        [("bundle.yaml", "auto_approved:\n", "auto_approved:\n  - ls\n")],
        "bundle.yaml",
        "ls",
    ),
    Case(
        "tool-of-no-tenant",
        "a tool that was taken off the list",
        [(TENANTS, "    - fetch\n", "")],
        TOOLS,
        "fetch:",
        "",
        [(TENANTS, "    - legacy_deploy\n", "")],
    ),
]
