"""Many gRPC streams for little: HTTP/2 on plain sockets, so that what is measured is the server.

It does what a gRPC client does on the wire: it opens a stream with a request, takes what comes, answers
pings. A stream that nobody reads is left alone, with the windows that HTTP/2 begins with.
"""

import selectors
import socket
import struct
import time

_DATA, _HEADERS, _SETTINGS, _PING, _WINDOW = 0, 1, 4, 6, 8
_ACK, _END_STREAM, _END_HEADERS = 1, 1, 4
_INITIAL_WINDOW = 4
_LARGEST = 2**31 - 1
_USUAL = 65_535


class Stream:
    """One stream on a connection of its own."""

    def __init__(self, address, method, token, request, *, reads):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray()
        self.answered = False
        settings = struct.pack(">HI", _INITIAL_WINDOW, _LARGEST if reads else _USUAL)
        opening = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", _frame(_SETTINGS, 0, 0, settings)]
        if reads:
            opening.append(_frame(_WINDOW, 0, 0, struct.pack(">I", _LARGEST - _USUAL)))
        message = b"\0" + len(request).to_bytes(4, "big") + request
        opening.append(_frame(_HEADERS, _END_HEADERS, 1, _headers(address, method, token)))
        opening.append(_frame(_DATA, _END_STREAM, 1, message))
        self.socket.sendall(b"".join(opening))

    def take(self):
        """The bytes of messages that have come."""
        got = self.socket.recv(1 << 18)
        if not got:
            raise SystemExit("the sidecar closed a stream")
        self._buffer += got
        found = []
        while len(self._buffer) >= 9 and len(self._buffer) >= 9 + int.from_bytes(self._buffer[:3], "big"):
            length, kind, flags = int.from_bytes(self._buffer[:3], "big"), *self._buffer[3:5]
            body = bytes(self._buffer[9 : 9 + length])
            del self._buffer[: 9 + length]
            if kind == _DATA:
                found.append(body)
            elif kind == _HEADERS:
                self.answered = True
            elif kind in (_SETTINGS, _PING) and not flags & _ACK:
                self.socket.sendall(_frame(kind, _ACK, 0, body if kind == _PING else b""))
        return b"".join(found)


def read(streams, until):
    """Take what comes until told to stop; of each stream, the pieces with the moments they came at."""
    seen = {each: [] for each in streams}
    with selectors.DefaultSelector() as selector:
        for each in streams:
            selector.register(each.socket, selectors.EVENT_READ, each)
        while not until():
            for key, _ in selector.select(0.1):
                if got := key.data.take():
                    seen[key.data].append((time.monotonic_ns(), got))
    return list(seen.values())


def _frame(kind, flags, stream, body):
    return len(body).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + body


def _headers(address, method, token):
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": method,
        ":authority": address,
        "content-type": "application/grpc",
        "te": "trailers",
        "authorization": token,
    }
    return b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())


def _text(value):
    if len(value) > 126:
        raise ValueError("longer than one byte can say")
    return bytes((len(value),)) + value.encode()
