"""ChaCha20-Poly1305 (RFC 8439) where `cryptography` is not: in a browser, whose own has none.

The names are that package's. It takes no care to take equal time for all keys.
"""

import hmac
import struct

_CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
_QUARTERS = (
    *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
    *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
)
_WORD = 0xFFFFFFFF
_BLOCK, _TAG = 64, 16
_CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
_PRIME = (1 << 130) - 5


class InvalidTag(Exception):  # noqa: N818 - as the package calls it
    """What was sealed does not open."""


class ChaCha20Poly1305:
    """Seals with one key, of 32 bytes; nonces have 12."""

    def __init__(self, key: bytes) -> None:
        self._key = struct.unpack("<8I", key)

    def encrypt(self, nonce: bytes, data: bytes, subject: bytes) -> bytes:
        """Return data as they are sealed, with their tag, which is about the subject, too."""
        sealed = self._mixed(nonce, data)
        return sealed + self._tag(nonce, sealed, subject)

    def decrypt(self, nonce: bytes, sealed: bytes, subject: bytes) -> bytes:
        """Return what was sealed; raises InvalidTag."""
        sealed, tag = sealed[:-_TAG], sealed[-_TAG:]
        if not hmac.compare_digest(tag, self._tag(nonce, sealed, subject)):
            raise InvalidTag
        return self._mixed(nonce, sealed)

    def _mixed(self, nonce: bytes, data: bytes) -> bytes:
        blocks = range(1, 1 - -len(data) // _BLOCK + 1)
        stream = b"".join(self._block(nonce, number) for number in blocks)[: len(data)]
        mixed = int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")
        return mixed.to_bytes(len(data), "big")

    def _block(self, nonce: bytes, number: int) -> bytes:
        begin = (*_CONSTANTS, *self._key, number, *struct.unpack("<3I", nonce))
        words = list(begin)
        for _ in range(10):
            for at_a, at_b, at_c, at_d in _QUARTERS:
                a, b, c, d = words[at_a], words[at_b], words[at_c], words[at_d]
                for left_1, left_2 in ((16, 12), (8, 7)):
                    a = (a + b) & _WORD
                    d ^= a
                    d = (d << left_1 | d >> (32 - left_1)) & _WORD
                    c = (c + d) & _WORD
                    b ^= c
                    b = (b << left_2 | b >> (32 - left_2)) & _WORD
                words[at_a], words[at_b], words[at_c], words[at_d] = a, b, c, d
        return struct.pack("<16I", *((x + y) & _WORD for x, y in zip(words, begin, strict=True)))

    def _tag(self, nonce: bytes, sealed: bytes, subject: bytes) -> bytes:
        once = self._block(nonce, 0)
        factor = int.from_bytes(once[:16], "little") & _CLAMP
        padded = b"".join(each + bytes(-len(each) % 16) for each in (subject, sealed))
        padded += struct.pack("<2Q", len(subject), len(sealed))
        total = 0
        for at in range(0, len(padded), 16):
            total += int.from_bytes(padded[at : at + 16] + b"\1", "little")
            total = total * factor % _PRIME
        total += int.from_bytes(once[16:32], "little")
        return (total & ((1 << 128) - 1)).to_bytes(16, "little")
