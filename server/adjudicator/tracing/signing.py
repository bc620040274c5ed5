"""Signatures of heads: Ed25519 (RFC 8032), by a key that only the sidecar has."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from adjudicator.domain.record import Head, Tail, Writer, signed_text


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


def is_signed(head: Head, public_key: bytes) -> bool:
    """Whether the signature is the key's, over exactly this head."""
    text = signed_text(head.writer, head.sequence, head.hash, head.signed_at)
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(head.signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
