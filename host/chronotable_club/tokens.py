"""What a table of a club has to show: one word with its place in the club, and its secret.

The club makes the secrets of its tables from one of its own, so that it need not keep them.
"""

import base64
import binascii
import hashlib
import re
import secrets
from typing import NamedTuple

from chronotable_far.broker.sealing import derived
from chronotable_host.errors import UserError
from chronotable_host.language import tr

CLUB_CHARS, TABLE_CHARS = 12, 8
"""Of the ids of a club and of a table, which begin the topics of their messages."""

_SECRET_BYTES = 20
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_TOKEN = re.compile(rf"table-([a-z2-7]{{{CLUB_CHARS}}})-([a-z2-7]{{{TABLE_CHARS}}})-([a-z2-7]+)")
_CHECK_BYTES = 2


class Token(NamedTuple):
    """A table's right to speak in a club: the ids of both, and the secret between them.

    As text it is without the secret.
    """

    club: str
    table: str
    secret: bytes

    @property
    def word(self) -> str:
        """The whole token as one word: who has it speaks for the table."""
        checked = self.secret + _check(self.club, self.table, self.secret)
        return f"table-{self.club}-{self.table}-{_text(checked)}"

    @property
    def key(self) -> bytes:
        """What messages between the table and the hub are sealed with."""
        return derived(self.secret, "chronotable club, messages of a table")

    def __str__(self) -> str:  # noqa: D105 - as the class says
        return f"table-{self.club}-{self.table}-***"

    def __repr__(self) -> str:  # noqa: D105
        return str(self)


def new_id(chars: int) -> str:
    """Return a new id."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(chars))


def token_of(club: str, secret: bytes, table: str) -> Token:
    """Return a table's token in the club that has this secret."""
    return Token(club, table, derived(secret, f"chronotable club, table {table}", _SECRET_BYTES))


def parse_token(text: str) -> Token:
    """Return the token that a word is; raises UserError."""
    match = _TOKEN.fullmatch(text.strip().lower())
    data = b"" if match is None else _bytes(match[3])
    secret, check = data[:_SECRET_BYTES], data[_SECRET_BYTES:]
    is_whole = match is not None and _text(data) == match[3]
    if match is None or not is_whole or check != _check(match[1], match[2], secret):
        raise UserError(
            tr(
                "this is no token of a table, or not all of it; `chronotable club table add` "
                "prints one"
            )
        )
    return Token(match[1], match[2], secret)


def _check(club: str, table: str, secret: bytes) -> bytes:
    """Return bytes that tell a slip of the pen."""
    return hashlib.sha256(f"{club}-{table}-".encode() + secret).digest()[:_CHECK_BYTES]


def _text(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()


def _bytes(text: str) -> bytes:
    try:
        return base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except binascii.Error:
        return b""
