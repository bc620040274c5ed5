"""Every limit of the product, in one place. What goes over one gets an error or a denial that says so."""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB

JSON_DEPTH = 64
"""Objects and arrays in one another, in arguments, outputs and schemas."""
PATH_CHARS = 4096
"""Characters of a path, from an argument or from a field of the call."""
URL_CHARS = 8 * KIB
"""Characters of a URL."""
FACETS = 1024
"""Facets of a call; a call that touches more is too complex to be judged."""
FACET_CHARS = 64 * KIB
"""Characters of all facets of a call together."""
MARKS = 30
"""Combining marks on one character. The time to bring them to one form grows with their square."""
SHELL_COMMANDS = 256
"""Simple commands of a command line."""
SHELL_WORDS = 2_000
"""Words of a command line."""
SHELL_DEPTH = 16
"""Substitutions, subshells, and shells that are handed a command line, in one another."""
SHELL_PIECES = 2_000
"""Quotes, escapes and expansions of a command line."""
SHELL_PIECE_CHARS = 4096
"""Characters of a word without quotes. The grammar takes time that grows with their square."""
SHELL_FAULTS = 8
"""Places of a command line that are not understood, behind each of which reading goes on."""
SHELL_GRAMMAR_CHARS = 1024
"""Characters of a line that the grammar still reads although our own reader does not understand it. The
grammar's recovery from errors takes time that grows with the square."""
SHELL_SOURCE_CHARS = 1000
"""Characters of a command that a verdict quotes."""
SHELL_REMEMBERED = 512
"""Short command lines whose facets are kept for when they come again; some 20 MiB at the very worst."""
SHELL_REMEMBERED_CHARS = 256
"""Characters of a command line that counts as short."""
TRACE_STATE_CHARS = 512
"""Characters of a caller's `tracestate`; a longer one is left out, its `traceparent` counts."""
SPAN_QUEUE = 2048
"""Spans that wait for a collector; beyond, the oldest are dropped."""
SPAN_BATCH = 32
"""Spans of one export. The interpreter is busy with each for some 0.1 ms, and answers wait meanwhile."""
SPAN_FLUSH_SECONDS = 2.0
"""How long a stop waits for the spans that are left."""
PROBLEMS = 1000
"""Problems of one bundle that are listed; the others are counted."""
PROBLEM_CHARS = 600
"""Characters of what a problem says; the middle of a longer text is left out."""
PATTERN_CHARS = 1024
"""Characters of a rule's pattern."""
EXPRESSION_CHARS = 4096
"""Characters of a matcher, or of the condition of a rule."""
VIOLATIONS = 100
"""Violations that a verdict lists; a call with more is denied all the same."""
CONTRACT_PATTERN_BYTES = 64 * KIB
"""A schema's pattern, compiled. The time to match a text grows with it."""
SCHEMA_CHAIN = 32
"""Parts of a schema that apply to one value, one through the other. Judging takes stack for each."""
SCHEMA_EFFORT = 10_000
"""Looks that a schema may take at one value. A look takes at most some microseconds."""
SCHEMA_OBJECTS = 2_000
"""Places of a schema, through its references and choices, that an author is warned about."""
WARNINGS_SHOWN = 20
"""Warnings of one code that are printed; the others are counted. A script gets all of them."""
ENUM_NUMBERS = 32
"""Fractions and integers beyond 64 bits in one enumeration. Comparing with one takes microseconds."""
EXPLAINED_PARTS = 10_000
"""Parts of a schema, counted once for each value they meet, in which violations are looked for."""
EXPLAINED_VALUES = 100_000
"""Values that may be copied into violations, and parts of choices; beyond, only the first is listed."""

# Bounds on a bundle. They are the same for everybody, so that a bundle that loads here loads there.
BUNDLE_FILES = 10_000
BUNDLE_FILE_BYTES = 128 * MIB
BUNDLE_BYTES = 512 * MIB
FOLDER_DEPTH = 16
YAML_DEPTH = 16
BUNDLE_TESTS = 10_000
"""Tests that a bundle brings along; all of them run before it is activated."""
VIEW_BYTES = 32 * KIB
"""Of a view that can be approved. A larger one can only be denied, and is in no list."""
FLAGS = 32
"""Places of a view that are listed because characters in them deceive; the others are counted."""
FLAG_CHARACTERS = 16
"""Different characters that one such place lists."""
MOST_MARKS = 4
"""Combining marks that may be drawn over one another where a person reads."""
CONTEXT_ITEMS = 12
"""Commands, files and addresses of each kind that stand over an approval; the others are counted."""
CONTEXT_CHARS = 200
"""Characters of one of them, and of a title. The arguments below are never cut."""
RISK_ITEMS = 4
"""Things that one note of a risk lists; the others are counted."""
QUORUM = 16
OPTIONS = 16
"""Answers that a tool offers to whoever approves, or a question to whoever answers."""
OPTION_CHARS = 200
GRANT_SCHEMA_BYTES = 4 * KIB
"""The schema of a session grant, which a person wrote and others have to oversee."""
GRANT_SCHEMA_DEPTH = 8
"""Objects and arrays in one another in it."""
FLOW_RECORDS = 5_000
"""Records of a flow's trace, beyond which it takes no new call; its trace still fits into one message."""
APPROVAL_SECONDS = 7 * 24 * 3600
"""The longest time that a policy gives people to decide."""
ASKS = 100_000
"""The most that a policy lets one agent, or one session, ask of people at a time, or within a minute."""
GRANT_SECONDS = 7 * 24 * 3600
GRANT_USES = 100_000
"""The longest, and the most often, that a policy lets one grant serve its session."""

# Bounds on what authors import, which others wrote.
IMPORT_BYTES = 16 * MIB
"""Of a list of tools, or of permissions."""
IMPORT_DEPTH = JSON_DEPTH + 8
"""Objects and arrays in one another in it: a schema stands some levels deep."""
IMPORTED_RULES = 2_000
"""Permission rules of one file: each is held against all others."""
IMPORTED_TITLE_CHARS = 100
IMPORTED_TEXT_CHARS = 1000
"""Characters of a description."""
IMPORTED_ARGUMENTS = 64
"""Arguments of one tool that are declared."""

# Bounds on the picture of a bundle, so that a person can read it and a browser can draw it.
PICTURE_CELLS = 4_000
"""Cells of all tenants together."""
PICTURE_TOOLS = 60
"""Rows of one tenant; tools that are alike share one, and what is left out is counted."""
PICTURE_SUBJECTS = 24
"""Columns of one tenant for agents, and as many for roles; those that are alike share one."""
PICTURE_ROWS = 3
"""Rules of one effect that a cell lists; the others are counted."""
DIAGRAM_EDGES = 480
"""Edges of a Mermaid diagram. Mermaid itself draws none with more than 500."""
DIAGRAM_CHARS = 48_000
"""Characters of one. Mermaid itself draws none with more than 50,000."""

# Bounds on files that are verified, which anybody may have made.
EXPORT_LINE_BYTES = 64 * MIB
"""Of one record, many times what a call can bring along."""
HEAD_LINE_BYTES = 4 * KIB

# Bounds on what a bridge holds of an editor, and for it.
BRIDGE_LINE_BYTES = MIB
"""Of a line that an editor sends to a bridge."""
BRIDGE_BUFFER_BYTES = 4 * MIB
"""Of lines that wait for an editor to read them."""
BRIDGE_PATIENCE_SECONDS = 5.0
"""How long an editor may read nothing before it is told nothing more until it has read the rest."""
BRIDGE_RESPONSES = 16
"""Answers of an editor that wait for the sidecar; its lines are read no further meanwhile."""
BRIDGE_REMEMBERED = 1000
"""Approvals that are over of which a bridge still knows what it showed."""
FILE_CHANGE_SECONDS = 300
"""How long a file-change request waits for an editor."""

# Bounds on an explanation, which is made offline.
EXPLAINED_FACETS = 16
"""Things that a call touches for which rows are looked for that nearly match, the strictest first."""
EXPLAINED_MISSES = 5
"""Rows that nearly match, of each of them, unless all are wanted."""
EXPLAINED_CHANGES = 4
"""The most changes that are put together for another outcome."""
EXPLAINED_SUGGESTIONS = 4
"""The ways to another outcome that are shown, of the policy and of the call each."""
EXPLAINED_LOADS = 10
"""How often a large bundle is loaded with changes, for all outcomes together."""
EXPLAINED_LOADED_ROWS = 200_000
"""Rows that all these loads read at least, so that a small bundle is loaded more often."""
EXPLAINED_MOST_LOADS = 60
EXPLAINED_AGENTS = 200
"""Other agents, and other tenants, with which a call is tried."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what one caller can make the sidecar hold or do.

    `message_bytes` is well over `arguments_bytes`, so that arguments that are too large are still
    judged, denied and traced instead of failing below the chain. `arguments_digits` counts those of all
    integers beyond 64 bits together: comparing such integers with one another takes time. An output of
    more than `output_values` is refused; one of more than `arguments_values` is recorded unjudged.

    For all watchers of approvals together `watch_recent` changes are kept, of `watch_shared_bytes` at
    most, and as much again of snapshots. Who is more than `watch_backlog` changes behind starts over. A
    watcher that does not read is held one message of `watch_part_bytes`, or of one approval.
    """

    message_bytes: int = 8 * MIB
    arguments_bytes: int = MIB
    arguments_depth: int = JSON_DEPTH
    arguments_values: int = 2_000
    arguments_digits: int = 4 * KIB
    view_bytes: int = VIEW_BYTES
    output_bytes: int = 512 * KIB
    output_values: int = 20_000
    final_output_bytes: int = 64 * KIB
    page_bytes: int = 2 * MIB
    on_behalf_of: int = 16
    resolved_paths: int = 64
    path_chars: int = PATH_CHARS
    reason_chars: int = 500
    claim_seconds: int = 600
    wait_seconds: int = 3600
    retry_seconds: int = 60
    held_calls: int = 1000
    held_calls_of_session: int = 100
    limit_seconds: int = 366 * 24 * 3600
    execution_seconds: int = 366 * 24 * 3600
    watchers: int = 2048
    trace_watchers: int = 32
    question_watchers: int = 64
    description_bytes: int = 4 * KIB
    flow_input_bytes: int = 64 * KIB
    question_bytes: int = 4 * KIB
    question_options: int = OPTIONS
    option_chars: int = OPTION_CHARS
    answer_bytes: int = 4 * KIB
    buckets: int = 1000
    cursor_chars: int = 64 * KIB
    page: int = 500
    default_page: int = 100
    watch_backlog: int = 1000
    watch_recent: int = 512
    watch_shared_bytes: int = 4 * MIB
    watch_part_bytes: int = 32 * KIB
    concurrent_calls: int = 2000
    preview_calls: int = 2000
    default_preview_calls: int = 200
    preview_listed: int = 200
    preview_seconds: float = 15.0
