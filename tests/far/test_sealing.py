"""Sealed messages: what is not just as it was sealed does not open."""

import itertools
from random import Random

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from chronotable_far.broker import cipher
from chronotable_far.broker.sealing import (
    FILL,
    MOST_BYTES,
    NotSealedError,
    about,
    derived,
    opened,
    seal,
    sealed_size,
)
from tests import sweep

KEY = derived(b"a secret of a test", "test")
SUBJECT = about("room", "inviter", 7)


@pytest.mark.parametrize("size", [0, 1, FILL - 5, FILL - 4, FILL - 3, FILL, 5000])
def test_a_sealed_text_opens(size: int) -> None:
    text = bytes(range(256)) * 20
    sealed = seal(KEY, SUBJECT, text[:size])
    assert len(sealed) == sealed_size(size)
    assert opened(KEY, SUBJECT, sealed) == text[:size]
    assert seal(KEY, SUBJECT, text[:size]) != sealed, "no two messages are alike"


def test_the_length_tells_little() -> None:
    assert {len(seal(KEY, SUBJECT, bytes(size))) for size in range(FILL - 4)} == {sealed_size(0)}
    assert len(seal(KEY, SUBJECT, bytes(9), fill=1)) == sealed_size(9, 1)
    assert opened(KEY, SUBJECT, seal(KEY, SUBJECT, b"exact", fill=1)) == b"exact"


def test_what_is_not_as_it_was_sealed_does_not_open() -> None:
    sealed = seal(KEY, SUBJECT, b"1 E E >past")
    random = Random(1)
    for other in [
        b"",
        bytes(len(sealed)),
        *(sealed[:size] for size in range(len(sealed))),
        sealed + b"\0",
        sealed[1:],
        random.randbytes(len(sealed)),
        *(_flipped(sealed, bit) for bit in sweep.some(range(8 * len(sealed)), 100)),
    ]:
        with pytest.raises(NotSealedError):
            opened(KEY, SUBJECT, other)


def _flipped(sealed: bytes, bit: int) -> bytes:
    changed = bytearray(sealed)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_a_message_opens_in_its_place_and_with_its_key_alone() -> None:
    sealed = seal(KEY, SUBJECT, b"x")
    for subject in [
        about("room", "inviter", 8),
        about("room", "joiner", 7),
        about("moor", "inviter", 7),
        about("roominviter", 7),
        about("room", "inviter", "7", ""),
        b"",
    ]:
        with pytest.raises(NotSealedError):
            opened(KEY, subject, sealed)
    with pytest.raises(NotSealedError):
        opened(derived(b"a secret of a test", "tests"), SUBJECT, sealed)


def test_who_lacks_the_package_seals_as_it_does() -> None:
    random = Random(2)
    for size in (0, 1, 15, 16, 63, 64, 65, 300):
        key, nonce, text, subject = map(random.randbytes, (32, 12, size, size // 3))
        sealed = ChaCha20Poly1305(key).encrypt(nonce, text, subject)
        own = cipher.ChaCha20Poly1305(key)
        assert own.encrypt(nonce, text, subject) == sealed
        assert own.decrypt(nonce, sealed, subject) == text
        with pytest.raises(cipher.InvalidTag):
            own.decrypt(nonce, _flipped(sealed, random.randrange(8 * len(sealed))), subject)


def test_subjects_differ_where_their_parts_do() -> None:
    words = ["", "1", "1:", "a", "1:a", ":", "11"]
    subjects = [about(*parts) for n in range(4) for parts in itertools.product(words, repeat=n)]
    assert len(set(subjects)) == len(subjects)
    assert about(1) == about("1")


def test_too_much_is_neither_sealed_nor_opened() -> None:
    with pytest.raises(ValueError, match="too many"):
        seal(KEY, SUBJECT, bytes(MOST_BYTES + 1))
    with pytest.raises(NotSealedError):
        opened(KEY, SUBJECT, seal(KEY, SUBJECT, bytes(2000)), most=1000)
    with pytest.raises(NotSealedError):
        opened(KEY, SUBJECT, bytes(sealed_size(MOST_BYTES) + 1))
