"""Entries of the logs: what one end of a game far apart says, as text, and read with mistrust.

An entry is a line of canonical JSON: its kind, the fields of that, the hash of the entry before it
in its own log (`prev`), and number and hash of the last entry of the other end that its writer knew
(`seen`). Its place (room, end, number) is in its hash and not in its text.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from chronotable_far.broker.sealing import about
from chronotable_host.archive.comments import UNDERSTOOD
from chronotable_host.errors import printable
from chronotable_host.rules.notation import (
    PLAYERS,
    NotationError,
    format_options,
    format_position,
    parse_options,
    parse_position,
)
from ttykm.game import is_conserved

PROTOCOL = 1
INVITER, JOINER = ENDS = ("inviter", "joiner")
"""The two ends of a room: who made the invitation, and who was invited."""

MOST_ENTRIES = 4096
"""Of one end: a log that is longer is not gone on with."""
MOST_BYTES = 1200
"""Of an entry's text."""
MOST_NAME, MOST_LINE = 40, 200
"""Characters of a name, and of a line of chat."""

BEGIN, JOIN, TURN, TAKE_BACK, DRAW, YES, NO, RESIGN, SAY, AGAIN = KINDS = (
    *("begin", "join", "turn", "take_back", "draw", "yes", "no", "resign", "say", "again"),
)  # fmt: skip

_HASH_DIGITS = 32
_CLOCK = re.compile(r"(\d{1,5}\+\d{1,5}(,\d{1,5}\+\d{1,5})?)?", re.ASCII)
_MOST_NUMBER = 1 << 53
_NOBODY_NAMED = "?"
_UNDATED = "????-??-??"


class EntryError(ValueError):
    """A text is no entry: it breaks the rules of this file."""


class Ref(NamedTuple):
    """An entry of a known end: its number, and its hash, "" for the time before the first."""

    number: int
    hash: str


FIRST = Ref(0, "")
"""What comes before the first entry."""


class LogEntry(NamedTuple):
    """One entry; `fields` are those of its kind, cleaned. `text` is what was written."""

    end: str
    number: int
    hash: str
    kind: str
    fields: Mapping[str, Any]
    prev: str
    seen: Ref
    text: bytes

    @property
    def ref(self) -> Ref:
        """What others refer to it by."""
        return Ref(self.number, self.hash)


def other(end: str) -> str:
    """Return the other end."""
    return JOINER if end == INVITER else INVITER


def subject(room: str, end: str, number: int | str) -> bytes:
    """Return what an entry, or another message of an end, is about."""
    return about("chronotable", PROTOCOL, room, end, number)


def format_entry(kind: str, fields: Mapping[str, Any], prev: str, seen: Ref) -> bytes:
    """Return the text of an entry."""
    return _canonical({"kind": kind, **fields, "prev": prev, "seen": [*seen]})


def read(room: str, end: str, number: int, text: bytes) -> LogEntry:
    """Return the entry of a text; raises EntryError.

    Its fields are of the right types and sizes; whether it fits the game is another question.
    """
    if not 1 <= number <= MOST_ENTRIES:
        raise EntryError("number")
    if len(text) > MOST_BYTES:
        raise EntryError("size")
    try:
        whole = json.loads(text)
        if type(whole) is not dict or _canonical(whole) != text:
            raise EntryError("form")
        kind, prev, seen = whole.pop("kind"), _hash(whole.pop("prev")), _ref(whole.pop("seen"))
        checks = _FIELDS[kind]
        if whole.keys() != checks.keys() or (number == 1) != (prev == ""):
            raise EntryError("fields")
        fields = {name: check(whole[name]) for name, check in checks.items()}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise EntryError(str(error)) from error
    return LogEntry(end, number, hash_of(room, end, number, text), kind, fields, prev, seen, text)


def hash_of(room: str, end: str, number: int, text: bytes) -> str:
    """Return the hash of an entry."""
    return sha256(subject(room, end, number) + text).hexdigest()[:_HASH_DIGITS]


def cleaned_line(text: str, most: int) -> str:
    """Return a stranger's text as one line of printable characters, and not longer."""
    return " ".join(printable(text).split())[:most].strip()


def _canonical(whole: Mapping[str, Any]) -> bytes:
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "strict")


# ---- fields: each check returns the value, cleaned, and raises ValueError or TypeError


def _whole(value: Any, most: int = _MOST_NUMBER) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise EntryError("number")
    return value


def _maybe_whole(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise EntryError("flag")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise EntryError("text")
    return value


def _one_of(words: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if _text(value) not in words:
            raise EntryError("word")
        return str(value)

    return check


def _hash(value: Any) -> str:
    text = _text(value)
    if text and (len(text) != _HASH_DIGITS or not set(text) <= set("0123456789abcdef")):
        raise EntryError("hash")
    return text


def _ref(value: Any) -> Ref:
    if type(value) is not list or len(value) != 2:
        raise EntryError("reference")
    ref = Ref(_whole(value[0], MOST_ENTRIES), _hash(value[1]))
    if (ref.number == 0) != (ref.hash == ""):
        raise EntryError("reference")
    return ref


def _name(value: Any) -> str:
    return cleaned_line(_text(value), MOST_NAME) or _NOBODY_NAMED


def _line(value: Any) -> str:
    line = cleaned_line(_text(value), MOST_LINE)
    if not line:
        raise EntryError("empty")
    return line


def _date(value: Any) -> str:
    digits = _text(value).split("-")
    if [len(each) for each in digits] != [4, 2, 2] or not "".join(digits).isascii():
        raise EntryError("date")
    if not "".join(digits).isdecimal() and value != _UNDATED:
        raise EntryError("date")
    return str(value)


def _short(value: Any) -> str:
    return cleaned_line(_text(value), MOST_NAME)


def _clock(value: Any) -> str:
    if not _CLOCK.fullmatch(_text(value)):
        raise EntryError("clock")
    return str(value)


def _start(value: Any) -> str:
    try:
        state = parse_position(_text(value))
    except NotationError as error:
        raise EntryError("position") from error
    if format_position(state) != value or not is_conserved(state):
        raise EntryError("position")
    return str(value)


def _options(value: Any) -> str:
    try:
        bits = parse_options(_text(value))
    except NotationError as error:
        raise EntryError("options") from error
    if format_options(bits) != value:
        raise EntryError("options")
    return str(value)


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    BEGIN: {
        "start": _start,
        "options": _options,
        "colour": _one_of(PLAYERS),  # the inviter's, in the first game
        "clock": _clock,  # as the header TimeControl, "" for none
        "draw": _short,  # as the header Draw, "" where nothing drew the modules
        "name": _name,
        "date": _date,
        "rules": _whole,
        "chat": _flag,
    },
    JOIN: {"name": _name, "rules": _whole, "chat": _flag},
    TURN: {
        "turn": _whole,  # its number
        "at": _whole,  # the digest of the position before it
        "text": _short,
        "digest": _whole,  # of the position after it
        "at_ms": _whole,
        "how": _one_of(UNDERSTOOD),
        "left_s": _maybe_whole,
    },
    # how many there are, the digest of the position, how many shall stay
    TAKE_BACK: {"turns": _whole, "at": _whole, "to": _whole},
    DRAW: {},
    YES: {"of": _whole, "date": _date},  # the number of the question, in its end's log
    NO: {"by": _one_of(ENDS), "of": _whole},  # who asked; an own question is withdrawn
    RESIGN: {},
    SAY: {"text": _line},
    AGAIN: {"date": _date},
}
"""The fields of each kind, and what they are checked by."""
