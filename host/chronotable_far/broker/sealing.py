"""Sealed messages: a broker and whoever listens there see their times and about their sizes.

ChaCha20-Poly1305 with a random nonce in front. What a message is about (its place, its sender, its
number) is authenticated with it and not sent: one that was moved, renamed or made without the key
does not open. Replays open, so whoever receives has to know them by their numbers.
"""

import hmac
import os
from functools import lru_cache

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
except ImportError:  # in a browser, for which it is not made
    from chronotable_far.broker.cipher import (  # type: ignore[assignment]
        ChaCha20Poly1305,
        InvalidTag,
    )

KEY_BYTES = 32
FILL = 256
"""Bytes that a text is filled up to a multiple of."""
MOST_BYTES = 1 << 20
"""Of a text that is sealed; more is not opened."""

_NONCE, _TAG, _LENGTH = 12, 16, 4


class NotSealedError(Exception):
    """A message does not open: it is forged, damaged, of another place, or far too long."""


def derived(secret: bytes, purpose: str, size: int = KEY_BYTES) -> bytes:
    """Return a key, or up to 32 other bytes, made of a strong secret for one purpose.

    HKDF (RFC 5869) with SHA-256, without salt.
    """
    secret = hmac.digest(bytes(KEY_BYTES), secret, "sha256")
    return hmac.digest(secret, purpose.encode() + b"\1", "sha256")[:size]


def about(*parts: str | int) -> bytes:
    """Return what a message is about as bytes; other parts never give the same."""
    texts = [str(part).encode() for part in parts]
    return b"".join(b"%d:%b" % (len(text), text) for text in texts)


def seal(key: bytes, subject: bytes, text: bytes, fill: int = FILL) -> bytes:
    """Return a sealed text; `subject` is what it is about. Raises ValueError where it is too long.

    With `fill` 1 its exact length can be seen.
    """
    if len(text) > MOST_BYTES:
        raise ValueError(f"{len(text)} bytes are too many to be sealed")
    plain = len(text).to_bytes(_LENGTH, "big") + text
    plain += bytes(-len(plain) % fill)
    nonce = os.urandom(_NONCE)
    return nonce + _cipher(key).encrypt(nonce, plain, subject)


def opened(key: bytes, subject: bytes, sealed: bytes, most: int = MOST_BYTES) -> bytes:
    """Return the text of a sealed message; raises NotSealedError.

    One whose text would have more than `most` bytes is not looked at.
    """
    if not sealed_size(0, 1) <= len(sealed) <= sealed_size(most):
        raise NotSealedError
    try:
        plain = _cipher(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], subject)
    except InvalidTag as error:
        raise NotSealedError from error
    end = _LENGTH + int.from_bytes(plain[:_LENGTH], "big")
    if end > len(plain) or plain[end:].strip(b"\0"):
        raise NotSealedError
    return plain[_LENGTH:end]


def sealed_size(size: int, fill: int = FILL) -> int:
    """Return how many bytes a text of so many bytes has when it is sealed."""
    return _NONCE + -(-(_LENGTH + size) // fill) * fill + _TAG


@lru_cache(maxsize=64)
def _cipher(key: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(key)
