"""The editor's lines as data, or what is wrong with one. A line that is not understood decides nothing."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.api.v1.approval_service_pb2 import Decision, GrantWish
from adjudicator.cli.bridge.file_changes import DECISIONS as FILE_CHANGE_DECISIONS
from adjudicator.cli.plain import plain
from adjudicator.config.limits import BRIDGE_LINE_BYTES, JSON_DEPTH
from adjudicator.domain.strict_json import Fault, read_json

DECISIONS = {
    "approve": Decision.DECISION_APPROVE,
    "approve_session": Decision.DECISION_APPROVE_SESSION,
    "deny": Decision.DECISION_DENY,
    "cancel": Decision.DECISION_CANCEL,
    "skip": Decision.DECISION_SKIP,
    "delegate": Decision.DECISION_DELEGATE,
}
APPROVING = frozenset({Decision.DECISION_APPROVE, Decision.DECISION_APPROVE_SESSION})
_ID = re.compile(r"[A-Za-z0-9._:/-]{1,128}")
_QUOTED_CHARS = 80
_MOST_USES = 2**32 - 1
_MOST_SECONDS = 366 * 24 * 3600


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    """A decision on the approval of this exact id. `view_digest` is None where none was given."""

    approval_id: str
    decision: Decision
    request_id: str
    view_digest: str | None = None
    selected_option: str = ""
    reason: str = ""
    delegate_to: str = ""
    grant: GrantWish | None = None
    to_file_change: bool = False


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """An answer to the question of this exact id."""

    id: str
    selected_option: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class FileChangeFailed:
    """The editor could not ask: its error to a file-change request. It decides nothing."""

    approval_id: str
    message: str


Answer = ApprovalAnswer | QuestionAnswer | FileChangeFailed


class LineError(ValueError):
    """A line that cannot be used. `about` has the ids that it names, to be told with what is wrong."""

    def __init__(self, problem: str, about: Mapping[str, str] | None = None) -> None:
        super().__init__(problem)
        self.about = about or {}


def answer_in(line: bytes) -> Answer:
    """The answer that a line holds. Raises LineError."""
    fields = _object(line)
    if "jsonrpc" in fields:
        return _file_change(_Fields(fields, "a JSON-RPC response"), line)
    kind = fields.get("type")
    if kind == "approval_response":
        return _approval(_Fields(fields, kind), line)
    if kind == "question_response":
        return _question(_Fields(fields, kind))
    raise LineError(f"type is {_quoted(kind)}: write approval_response or question_response")


def _object(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise LineError(f"byte {error.start + 1} is not UTF-8") from error
    read = read_json(
        text, "lines", max_bytes=BRIDGE_LINE_BYTES, max_depth=JSON_DEPTH, verb="write", quoting=True
    )
    if isinstance(read, Fault):
        raise LineError(read.message)
    if not isinstance(read.value, dict):
        raise LineError("a line has to be one JSON object")
    return read.value


class _Fields:
    """The fields of one line, taken one by one; what nobody took is a field that the line cannot have."""

    def __init__(
        self, fields: dict[str, Any], kind: str, about: Mapping[str, str] | None = None, within: str = ""
    ) -> None:
        self._fields = fields
        self._kind = kind
        self._within = within
        self._known: list[str] = [] if within else ["type"]
        self.about = _ids(fields) if about is None else about

    def text(self, name: str) -> str | None:
        """A string, or None where it is left out or null."""
        value = self.value(name)
        if value is None or isinstance(value, str):
            return value
        raise self.error(f"{self._within}{name} has to be a string")

    def identifier(self, name: str) -> str:
        """An id, which has to be there."""
        value = self.text(name)
        if value is None or _ID.fullmatch(value) is None:
            raise self.error(f"{name} has to be the exact id")
        return value

    def count(self, name: str, most: int) -> int:
        """A number from 1; 0 where it is left out. To wish for none is an error, not a wish for all."""
        value = self.value(name)
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise self.error(f"{self._within}{name} has to be a whole number from 1 to {most:,}")
        return value

    def value(self, name: str) -> Any:
        """Whatever it is."""
        self._known.append(name)
        return self._fields.get(name)

    def has(self, name: str) -> bool:
        """Whether it is there, and be it null."""
        self._known.append(name)
        return name in self._fields

    def only_known(self) -> None:
        """Refuse the line if it has another field: one that is spelled wrong would be lost in silence."""
        for name in self._fields:
            if name not in self._known:
                known = ", ".join(dict.fromkeys(self._known))
                raise self.error(f"{self._kind} has no field {_quoted(name)}: it has {known}")

    def error(self, problem: str) -> LineError:
        """An error of this line."""
        return LineError(problem, self.about)


def _ids(fields: dict[str, Any]) -> dict[str, str]:
    texts = {name: fields.get(name) for name in ("approval_id", "request_id", "id")}
    return {name: text for name, text in texts.items() if isinstance(text, str) and _ID.fullmatch(text)}


def _approval(fields: _Fields, line: bytes) -> ApprovalAnswer:
    approval_id = fields.identifier("approval_id")
    decision = DECISIONS.get(str(fields.text("decision")))
    answer = ApprovalAnswer(
        approval_id=approval_id,
        decision=decision or Decision.DECISION_UNSPECIFIED,
        request_id=_request_id(fields, approval_id, line),
        view_digest=fields.text("view_digest"),
        selected_option=fields.text("selected_option") or "",
        reason=fields.text("reason") or "",
        delegate_to=fields.text("delegate_to") or "",
        grant=_grant(fields),
    )
    fields.only_known()
    if decision is None:
        raise fields.error(f"decision has to be one of {', '.join(DECISIONS)}; nothing was decided")
    for problem in _misplaced(answer):
        raise fields.error(problem)
    return answer


def _misplaced(answer: ApprovalAnswer) -> list[str]:
    """What does not go with the decision: whoever wrote it meant something else."""
    delegates = answer.decision == Decision.DECISION_DELEGATE
    wrong = {
        "delegate needs delegate_to": delegates and not answer.delegate_to,
        "delegate_to goes with delegate only": bool(answer.delegate_to) and not delegates,
        "selected_option goes with approve and approve_session only": bool(answer.selected_option)
        and answer.decision not in APPROVING,
        "grant goes with approve_session only": answer.grant is not None
        and answer.decision != Decision.DECISION_APPROVE_SESSION,
    }
    return [problem for problem, is_so in wrong.items() if is_so]


def _request_id(fields: _Fields, approval_id: str, line: bytes) -> str:
    if fields.value("request_id") is not None:
        return fields.identifier("request_id")
    return _own_request_id(approval_id, line)


def _own_request_id(approval_id: str, line: bytes) -> str:
    """One that the same line has again, so that a repeat after a break is known as one."""
    return f"bridge-{hashlib.sha256(approval_id.encode() + b' ' + line.strip()).hexdigest()}"


def _grant(fields: _Fields) -> GrantWish | None:
    value = fields.value("grant")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise fields.error("grant has to be an object")
    inner = _Fields(value, "grant", fields.about, "grant.")
    wish = GrantWish(
        arguments_schema_json=inner.text("arguments_schema_json") or "",
        uses=inner.count("uses", _MOST_USES),
    )
    if seconds := inner.count("lifetime_seconds", _MOST_SECONDS):
        wish.lifetime.FromSeconds(seconds)
    inner.only_known()
    return wish


def _question(fields: _Fields) -> QuestionAnswer:
    answer = QuestionAnswer(
        id=fields.identifier("id"),
        selected_option=fields.text("selected_option") or "",
        text=fields.text("text") or "",
    )
    fields.only_known()
    return answer


def _file_change(fields: _Fields, line: bytes) -> ApprovalAnswer | FileChangeFailed:
    """A response to a file-change request. One that says no decision that is known declines."""
    if fields.value("jsonrpc") != "2.0":
        raise fields.error('jsonrpc has to be "2.0"')
    approval_id = fields.identifier("id")
    has_result, has_error = fields.has("result"), fields.has("error")
    fields.only_known()
    if has_result == has_error:
        raise fields.error("a JSON-RPC response has either a result or an error")
    if has_error:
        return FileChangeFailed(approval_id, _error_message(fields.value("error")))
    result = fields.value("result")
    word = result.get("decision") if isinstance(result, dict) else None
    decision = FILE_CHANGE_DECISIONS.get(word) if isinstance(word, str) else None
    return ApprovalAnswer(
        approval_id=approval_id,
        decision=decision or Decision.DECISION_DENY,
        request_id=_own_request_id(approval_id, line),
        to_file_change=True,
    )


def _error_message(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else None
    return plain(message)[:_QUOTED_CHARS] if isinstance(message, str) else "it did not say why"


def _quoted(value: Any) -> str:
    return repr(plain(str(value))[:_QUOTED_CHARS])
