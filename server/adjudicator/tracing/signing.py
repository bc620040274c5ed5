"""Signatures of heads and archives: Ed25519 (RFC 8032), by a key that only the sidecar has."""

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from adjudicator.domain.record import ArchiveEnd, Head, Tail, Writer, archived_text, signed_text


class Signer:
    """Signs heads with a key that is made of 32 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public_key(self) -> bytes:
        """The 32 bytes by which anybody can check the signatures."""
        return self._key.public_key().public_bytes_raw()

    def head(self, writer: Writer, tail: Tail, signed_at: int) -> Head:
        """The signed head of a chain that ends so; `signed_at` is in microseconds since 1970."""
        text = signed_text(writer.name, tail.sequence, tail.hash, signed_at)
        return Head(writer.name, tail.sequence, tail.hash, signed_at, self._key.sign(text))

    def archive_end(self, writer: str, tail: Tail, kept: bytes, signed_at: int) -> ArchiveEnd:
        """The signed end of an archive; `signed_at` is in microseconds since 1970."""
        text = archived_text(writer, tail.sequence, tail.hash, kept, signed_at)
        return ArchiveEnd(writer, tail.sequence, tail.hash, kept, signed_at, self._key.sign(text))


class Seal:
    """Checks what the owner of one key has signed."""

    def __init__(self, public_key: bytes) -> None:
        try:
            self._key: Ed25519PublicKey | None = Ed25519PublicKey.from_public_bytes(public_key)
        except (ValueError, TypeError):
            self._key = None  # no key, so nothing is signed by it

    def on_head(self, head: Head) -> bool:
        """Whether the signature is the key's, over exactly this head."""
        return self._is_on(
            signed_text(head.writer, head.sequence, head.hash, head.signed_at), head.signature
        )

    def on_archive_end(self, end: ArchiveEnd) -> bool:
        """Whether the signature is the key's, over exactly this end of an archive."""
        text = archived_text(end.writer, end.sequence, end.hash, end.kept, end.signed_at)
        return self._is_on(text, end.signature)

    def _is_on(self, text: bytes, signature: bytes) -> bool:
        if self._key is None:
            return False
        try:
            self._key.verify(signature, text)
        except InvalidSignature:
            return False
        return True


def fingerprint(public_key: bytes) -> str:
    """A key as people compare it: the first 16 hexadecimal digits of its SHA-256, in groups of four."""
    digits = hashlib.sha256(public_key).hexdigest()[:16]
    return "-".join(digits[place : place + 4] for place in range(0, 16, 4))
