"""The people: they watch the approver stream, look at what they are shown, and decide by the script."""

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.cli.demo.script import Act
from adjudicator.client.approver import ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.config.approver_tokens import read_token, token_path

_DECISIONS = {"approve": pb.DECISION_APPROVE, "deny": pb.DECISION_DENY}
Seen = Callable[[Act, pb.Approval], None]
Decided = Callable[[Act, str, str, pb.ResolveResponse], None]


class People:
    """One watcher, and one client for each person who decides."""

    def __init__(self, address: str, data: Path, names: Iterable[str], pause: float) -> None:
        self._clients = {
            name: ApproverClient(address, token=read_token(token_path(data, name))) for name in names
        }
        self._watcher = next(iter(self._clients.values()))
        self._pause = pause
        self._gone = threading.Event()
        self._restarted = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, acts: dict[str, Act], seen: Seen, decided: Decided) -> None:
        """Decide each pending approval whose call_id is in `acts`, and tell what was seen and decided."""
        self._thread = threading.Thread(target=self._watch, args=(acts, seen, decided), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Go away; the stream ends."""
        self._gone.set()
        for client in self._clients.values():
            client.close()
        if self._thread is not None:
            self._thread.join(5)

    def after_power_cut(self) -> None:
        """From now on decide also what was asked before it."""
        self._restarted.set()

    def _watch(self, acts: dict[str, Act], seen: Seen, decided: Decided) -> None:
        """Watch, and come back when the stream breaks: the snapshot has what is still pending."""
        opened: set[str] = set()
        while not self._gone.is_set():
            try:
                for event in self._watcher.watch():
                    for approval in _approvals(event):
                        act = acts[approval.call_id]
                        waits_for_restart = act.power_cut and not self._restarted.is_set()
                        if approval.id in opened or waits_for_restart:
                            continue
                        if approval.state == pb.APPROVAL_STATE_PENDING:
                            opened.add(approval.id)
                            seen(act, approval)
                            self._decide(act, approval, decided)
            except (ClientError, ValueError):  # the sidecar is down, or `close` was called
                self._gone.wait(0.1)

    def _decide(self, act: Act, approval: pb.Approval, decided: Decided) -> None:
        for name, decision in act.decisions:
            time.sleep(self._pause)
            receipt = self._clients[name].resolve(
                approval.id,
                _DECISIONS[decision],
                view_digest=approval.view_digest,
                reason=f"{decision} in the demonstration",
            )
            decided(act, name, decision, receipt)


def _approvals(event: pb.WatchPendingResponse) -> list[pb.Approval]:
    if event.HasField("snapshot"):
        return list(event.snapshot.approvals)
    return [event.change.approval] if event.HasField("change") else []
