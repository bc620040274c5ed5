"""Who speaks on the approver plane: whom the bearer token names. No request field says it."""

import hashlib
import hmac
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import structlog
from grpc import aio

from adjudicator.config.approver_tokens import is_token_file, name_in, read_token
from adjudicator.config.private_files import PrivateFileError
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.transport.errors import abort

_OPEN = "/grpc.health.v1.Health/"
_SETTLED_NS = 2_000_000_000
_LOOK_NS = 250_000_000
_GLANCE_NS = 2_000_000
Metadata = Iterable[tuple[str, str | bytes]]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # not subscriptable when it runs
Stamp = tuple[int, ...]
# gRPC runs each request in a task of its own, so one request never sees another's actor.
_ACTOR: ContextVar[str] = ContextVar("actor", default="")
_log = structlog.get_logger("adjudicator.transport")


@dataclass(frozen=True, slots=True)
class _TokenFile:
    """What was found in one file: the digest of a person's token, or why it counts for nobody."""

    stamp: Stamp
    person: str = ""
    digest: bytes = b""
    flaw: str = ""


class Approvers:
    """The people whose tokens lie in a folder.

    Every request lists the folder, so somebody who is added is known at once and somebody who is
    removed decides nothing more; a file is read again only when its status has changed. A file that
    counts for nobody is logged when that is found, not at every request.
    """

    def __init__(
        self,
        folder: Path,
        now_ns: Callable[[], int] = time.time_ns,
        steady_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._folder = folder
        self._now_ns = now_ns
        self._steady_ns = steady_ns
        self._files: dict[str, _TokenFile] = {}
        self._flaws: dict[str, str] = {}
        self._known: list[tuple[str, bytes]] = []
        self._generation = 0
        self._glanced_at = self._looked_at = self._changed_at = 0

    def actor(self, metadata: Metadata) -> str:
        """The actor of a request, `user:<name>`; raises UNAUTHENTICATED."""
        presented = _bearer(metadata)
        found = ""
        if presented is not None:
            digest = hashlib.sha256(presented.encode()).digest()
            for person, known in self._people():
                # No early end: the time taken tells nothing about which token nearly fits.
                if hmac.compare_digest(known, digest):
                    found = person
        if not found:
            raise _unauthenticated()
        return f"user:{found}"

    def people(self) -> frozenset[str]:
        """The actors that have a credential, as of a quarter of a second ago at most."""
        self.generation()
        return frozenset(f"user:{person}" for person, _ in self._known)

    def admission(self, metadata: Metadata) -> "Admission":
        """The admission of whoever makes a request whose answer goes on; raises UNAUTHENTICATED."""
        return Admission(self, metadata)

    def generation(self) -> int:
        """Rises when it is found that the people have changed; a stream asks before each message.

        Every few milliseconds at most it is looked whether a file came or went, by the folder's status;
        and all is looked at a few times a second, since a file that is written over leaves no mark there.
        """
        now = self._steady_ns()
        if now - self._glanced_at >= _GLANCE_NS:
            self._glanced_at = now
            if now - self._looked_at >= _LOOK_NS or self._folder_changed_at() != self._changed_at:
                self._people()
        return self._generation

    def _people(self) -> list[tuple[str, bytes]]:
        """Everybody with a token of their own."""
        self._looked_at, self._changed_at = self._steady_ns(), self._folder_changed_at()
        self._files = dict(self._look())
        shared = Counter(file.digest for file in self._files.values() if file.person)
        flaws = {name: file.flaw for name, file in self._files.items() if file.flaw}
        people = []
        for name, file in self._files.items():
            if not file.person:
                continue
            if shared[file.digest] > 1:
                # Whoever has it could vote once under each name.
                flaws[name] = "another file holds the same token"
            else:
                people.append((file.person, file.digest))
        self._tell(flaws)
        if people != self._known:
            self._known = people
            self._generation += 1
        return people

    def _folder_changed_at(self) -> int:
        try:
            return self._folder.stat().st_mtime_ns
        except OSError:
            return 0

    def _look(self) -> Iterator[tuple[str, _TokenFile]]:
        try:
            with os.scandir(self._folder) as entries:
                found = [entry for entry in entries if is_token_file(entry.name)]
        except OSError as error:
            yield "", _TokenFile((), flaw=error.strerror or str(error))
            return
        for entry in found:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # removed since it was listed
            known = self._files.get(entry.name)
            stamp = _stamp(status)
            if known is None or known.stamp != stamp:
                known = self._read(Path(entry.path), stamp, status)
            yield entry.name, known

    def _read(self, file: Path, stamp: Stamp, status: os.stat_result) -> _TokenFile:
        # A file that has just changed may change again without another time stamp: look again.
        if self._now_ns() - max(status.st_mtime_ns, status.st_ctime_ns) < _SETTLED_NS:
            stamp = ()
        person = name_in(file.name)
        if person is None:
            return _TokenFile(stamp, flaw="its name is no approver's")
        try:
            token = read_token(file)
        except PrivateFileError as error:
            return _TokenFile(stamp, flaw=error.why)
        return _TokenFile(stamp, person, hashlib.sha256(token.encode()).digest())

    def _tell(self, flaws: dict[str, str]) -> None:
        for name, flaw in flaws.items():
            if self._flaws.get(name) != flaw:
                _log.warning("a token counts for nobody", file=str(self._folder / name), problem=flaw)
        self._flaws = flaws


class Admission:
    """Whether whoever watches is still an approver, and the same one: nobody else sees anything more."""

    def __init__(self, approvers: Approvers, metadata: Metadata) -> None:
        self._approvers = approvers
        self._metadata = tuple(metadata)
        self._generation = approvers.generation()  # before the look: what changes after it is found
        self._actor = approvers.actor(self._metadata)

    def check(self) -> None:
        """Raise UNAUTHENTICATED if not, within a quarter of a second of the change at the latest."""
        generation = self._approvers.generation()
        if generation != self._generation:
            if self._approvers.actor(self._metadata) != self._actor:
                raise _unauthenticated()
            self._generation = generation


class RequireApprover(aio.ServerInterceptor):
    """Lets only known approvers through to any method but the health check."""

    def __init__(self, approvers: Approvers) -> None:
        self._approvers = approvers

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["Handler | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "Handler | None":
        """The method, which then finds its `current_actor`, or one that answers UNAUTHENTICATED."""
        handler = await continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(_OPEN):
            return handler
        try:
            _ACTOR.set(self._approvers.actor(handler_call_details.invocation_metadata))
        except AdjudicatorError as error:
            return _refusing(handler, error)
        return handler


def current_actor() -> str:
    """Who makes the request that is being served; raises UNAUTHENTICATED when nobody was let through."""
    actor = _ACTOR.get()
    if not actor:
        raise _unauthenticated()
    return actor


def _unauthenticated() -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.UNAUTHENTICATED,
        "the approver plane needs 'authorization: Bearer TOKEN' with the token of an approver",
    )


def _refusing(handler: Handler, error: AdjudicatorError) -> Handler:
    async def unary(_: Any, context: aio.ServicerContext[Any, Any]) -> None:
        await abort(context, error)

    async def stream(_: Any, context: aio.ServicerContext[Any, Any]) -> Any:
        await abort(context, error)
        yield

    makers: dict[tuple[bool, bool], tuple[Any, Any]] = {
        (False, False): (grpc.unary_unary_rpc_method_handler, unary),
        (False, True): (grpc.unary_stream_rpc_method_handler, stream),
        (True, False): (grpc.stream_unary_rpc_method_handler, unary),
        (True, True): (grpc.stream_stream_rpc_method_handler, stream),
    }
    make, behaviour = makers[bool(handler.request_streaming), bool(handler.response_streaming)]
    refusing: Handler = make(behaviour, handler.request_deserializer, handler.response_serializer)
    return refusing


def _bearer(metadata: Metadata) -> str | None:
    values = [value for key, value in metadata if key.lower() == "authorization"]
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    scheme, _, token = values[0].partition(" ")
    return token if scheme.lower() == "bearer" and token else None


def _stamp(status: os.stat_result) -> Stamp:
    return (
        status.st_dev,
        status.st_ino,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_size,
        status.st_mode,
    )
