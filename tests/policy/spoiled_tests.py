"""Sound files of bundle tests, and edits that spoil them."""

HEAD = "defaults: {tenant: studio, agent: coder, tool: read}\ntests:\n"
SOUND = '  - name: a\n    call: {arguments: {"path": "a"}}\n    expect: {verdict: ALLOW}\n'
CALL = 'call: {arguments: {"path": "a"}}'

# Of each edit to HEAD + SOUND: what stands there, what a hand made of it, and the message. The message is
# expected at the `§` if there is one.
EDITS = [
    ("tests:\n", "test:\n", "`test` is not a key of `a.yaml`"),
    ("tests:\n", "description: §''\ntests:\n", "`description` is empty"),
    ("tool: read}", "tool: read, arguments: §{}}", "`arguments` is not a key of `defaults`"),
    ("tenant: studio, ", "", "`call` has no `tenant`, nor have the `defaults` of the file; add it"),
    ("name: a", "title: §a", "`title` is not a key of `tests`"),
    ("name: a\n    ", "§", "`tests` has no `name`; add it"),
    ("name: a", "name: §''", "`name` is empty"),
    (CALL, "call: §read", "`call` must be a mapping"),
    (CALL, "call: §{}", "`call` has no `arguments`; add it"),
    (CALL, "call: {arguments: {}, path: §a}", "`path` is not a key of `call`"),
    (CALL, "call: {arguments: {}, mode: §observe}", "write `auto`, `ask_always`, `read_only`"),
    (CALL, "call: {arguments: {}, on_behalf_of: §critic}", "`on_behalf_of` must be a list"),
    (CALL, "call: {arguments: {}, resolved_paths: §[/a]}", "`resolved_paths` must be a mapping"),
    (CALL, "call:\n      arguments:\n        §path: a", "`arguments` must be JSON, as in"),
    (CALL, "call:\n      arguments: §", "`arguments` is empty"),
    ("verdict: ALLOW", "verdict: §allow", "write `ALLOW`, `DENY`, `ASK`"),
    ("{verdict: ALLOW}", "§{step: 7}", "`expect` has no `verdict`; add it"),
    ("{verdict: ALLOW}", "§ALLOW", "`expect` must be a mapping"),
    ("{verdict: ALLOW}", "§{verdict: DENY}", "say for which: add `step`, `cause` or `rule`"),
    ("ALLOW}", "ALLOW, step: §9}", "a whole number from 1 to 8"),
    ("ALLOW}", "ALLOW, step: §S7}", "a whole number from 1 to 8"),
    ("ALLOW}", "ALLOW, cause: §RULE_ALOW}", "`cause` is 'RULE_ALOW'; write"),
    ("ALLOW}", "ALLOW, reason_code: §OK}", "`reason_code` is 'OK'; write"),
    ("ALLOW}", "ALLOW, outcome: §ALLOW}", "`outcome` is not a key of `expect`"),
    ("expect: ", "§name: b\n    expect: ", "`name` is here twice"),
]

LISTS = """\
defaults: {tenant: studio, agent: coder, tool: read}
must_deny:
  - {arguments: {"path": ".env"}, because: {cause: RULE_DENY}}
must_ask:
  - {tool: bash, arguments: {"command": "x"}, name: a command}
must_allow:
  - {arguments: {"path": "a"}}
may_decide:
  - {approver: "user:ann", tool: deploy, priority: critical}
may_not_decide:
  - {approver: "user:eve", tool: deploy, tenant: studio}
tests:
  - name: terms
    call: {tool: deploy, arguments: {}}
    expect: {verdict: ASK, approval: {quorum: 2, four_eyes: true}}
"""

# The same of LISTS.
LISTS_EDITS = [
    ("{cause: RULE_DENY}", "§RULE_DENY", "`because` must be a mapping"),
    ("{cause: RULE_DENY}", "{verdict: §DENY}", "`verdict` is not a key of `because`"),
    ("{cause: RULE_DENY}", "{violations: §path}", "`violations` must be a list"),
    ('arguments: {"path": ".env"}, ', "", "`must_deny` has no `arguments`; add it"),
    ("name: a command", "title: §a", "`title` is not a key of `must_ask`"),
    ('  - {arguments: {"path": "a"}}\n', "  []\n", "`must_allow` holds no test; add one, or remove it"),
    ("defaults: {tenant: studio, ", "defaults: {", "`may_decide` has no `tenant`, nor have the `defaults`"),
    ('approver: "user:ann", ', "", "`may_decide` has no `approver`; add it"),
    ("priority: critical", "priority: §urgent", "write `low`, `medium`, `high`, `critical`"),
    ("tool: deploy, tenant: studio", "tenant: studio", "`may_not_decide` has no `tool`; add it"),
    ("quorum: 2", "quorum: §0", "a whole number from 1 to 16"),
    ("four_eyes: true", "four_eyes: §2", "`four_eyes` is '2'; write `true`, `false`"),
    ("{quorum: 2, four_eyes: true}", "§{}", "`approval` says nothing; add"),
    ("verdict: ASK,", "verdict: ALLOW,", "only an ASK has an approval"),
]
