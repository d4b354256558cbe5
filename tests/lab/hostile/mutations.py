"""What a cable, an editor or an enemy makes of valid texts and bytes.

Two rules: everything comes from a seeded Random, so that a finding can be made again; and no input
is longer than LONGEST.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

LONGEST = 1 << 16
"""Characters, or bytes, of the longest input."""

_RARELY = 0.004  # of all inputs are blown up to about that length
_AS_IT_IS = 0.05
_WHOLLY_RANDOM = 0.05
_AS_TEXT = 0.25  # of what is JSON
_MOST_CHANGES = 4
_PIECE = 40  # characters that a change moves at once
_DEEP = 40_000  # brackets in brackets: more than any reader follows

# ---- texts and bytes

_NUMBERS = (
    *("0", "-1", "-0", "1", "7", "8", "16", "17", "255", "256", "65535", "65536", "2147483648"),
    *("9223372036854775808", "1e999", "1.5", "0x10", "1_0", "+3", "007", "9" * 5000),
)
_ODD_TEXT = (
    *("\0", "\x03", "\x1b[2J", "\r", "\n", "\r\n", "\t", "\x0b", "\x1c", "\x85", "\xa0", "\u2028"),
    *("\ufeff", "\u202e", "\u200b", "e\u0301", "\u0130", "\xdf", "\ufb01", "\ufffd", "\ud800"),
    *("\udfff", "\uff11", "\u0663", "\xb2", "\u2167", "\xbd", "\U0001d7d7", "\U0001f600"),
    *("\U0010ffff", "\uff25", "\u0415", "\u201c", "\u2013", "\u2212"),
    *("{", "}", "[", "]", '"', "\\", "'", "/", ">", "=", ".", ",", ":", "*", "$", "%s", "{0}"),
    *(" ", "  ", "null", "true", "NaN", "Infinity", "w", "b", "#", "-", "+", "_"),
)
"""Steering and foreign characters, digits and letters that look like others, our own signs."""
_ODD_BYTES = (
    *(text.encode("utf-8", "surrogatepass").decode("latin-1") for text in _ODD_TEXT),
    *("\x80", "\xff\xfe", "\xc0\x80", "\xf8\x88\x80\x80\x80", "\xed\xa0\x80", "\0\0\0\0"),
)
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"(\s+)")


class _Changes:
    """The changes that one text can undergo; each takes and returns a text."""

    def __init__(self, rng: Random, corpus: Sequence[str], odd: Sequence[str], top: int) -> None:
        self.rng = rng
        self.corpus = corpus
        self.odd = odd
        self.top = top

    def flip(self, text: str) -> str:
        at = self.rng.randrange(len(text) + 1)
        if at == len(text):
            return text
        bits = self.rng.choice((7, 7, 7, self.top.bit_length()))
        code = ord(text[at]) ^ 1 << self.rng.randrange(bits)
        return text[:at] + chr(min(code, self.top)) + text[at + 1 :]

    def insert(self, text: str) -> str:
        at, _ = self._span(text)
        return text[:at] + self.rng.choice(self.odd) + text[at:]

    def replace(self, text: str) -> str:
        at, end = self._span(text)
        return text[:at] + self.rng.choice(self.odd) + text[end:]

    def delete(self, text: str) -> str:
        at, end = self._span(text)
        return text[:at] + text[end:]

    def double(self, text: str) -> str:
        """Say a piece again, once or a few times."""
        at, end = self._span(text)
        return text[:end] + text[at:end] * self.rng.choice((1, 1, 2, 20)) + text[end:]

    def cut(self, text: str) -> str:
        return text[: self.rng.randrange(len(text) + 1)]

    def splice(self, text: str) -> str:
        """Go on as another valid text does."""
        other = self.rng.choice(self.corpus)
        at, at_other = (self.rng.randrange(len(each) + 1) for each in (text, other))
        return text[:at] + other[at_other:]

    def swap(self, text: str) -> str:
        words = _WORDS.split(text)
        one, two = (self.rng.randrange(0, len(words), 2) for _ in range(2))
        words[one], words[two] = words[two], words[one]
        return "".join(words)

    def number(self, text: str) -> str:
        """Put an edge value in the place of a number."""
        found = list(_DIGITS.finditer(text))
        if not found:
            return self.insert(text)
        at, end = self.rng.choice(found).span()
        return text[:at] + self.rng.choice(_NUMBERS) + text[end:]

    def lines(self, text: str) -> str:
        """Repeat, move or drop a line."""
        lines = text.splitlines(keepends=True) or [""]
        line = self.rng.choice(lines)
        if self.rng.random() < 0.5:
            lines.remove(line)
        for _ in range(self.rng.choice((0, 1, 1, 30))):
            lines.insert(self.rng.randrange(len(lines) + 1), line)
        return "".join(lines)

    def case(self, text: str) -> str:
        """Change upper and lower case, also where that changes the length."""
        return self.rng.choice((str.upper, str.lower, str.swapcase))(text)

    def _span(self, text: str) -> tuple[int, int]:
        at = self.rng.randrange(len(text) + 1)
        return at, min(len(text), at + self.rng.choice((1, 1, 2, self.rng.randint(1, _PIECE))))


_Change = Callable[[_Changes, str], str]
_BYTEWISE: tuple[_Change, ...] = (
    *(_Changes.flip, _Changes.insert, _Changes.replace, _Changes.delete, _Changes.double),
    *(_Changes.cut, _Changes.splice),
)
_LINEWISE = (*_BYTEWISE, _Changes.swap, _Changes.number, _Changes.lines)
_TEXTWISE = (*_LINEWISE, _Changes.case)


def mutated(rng: Random, corpus: Sequence[str]) -> str:
    """Return one of the texts as it may come, with any character that a text can have."""
    return _changed(_Changes(rng, corpus, _ODD_TEXT, 0x10FFFF), _TEXTWISE)


def mutated_bytes(rng: Random, corpus: tuple[bytes, ...]) -> bytes:
    """Return one of these as it may come, with any bytes."""
    ways = rng.choice((_BYTEWISE, _LINEWISE))
    return _changed(_Changes(rng, _as_texts(corpus), _ODD_BYTES, 0xFF), ways).encode("latin-1")


@cache
def _as_texts(corpus: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(data.decode("latin-1") for data in corpus)


def _changed(changes: _Changes, ways: Sequence[_Change]) -> str:
    rng = changes.rng
    kind = rng.random()
    if kind < _WHOLLY_RANDOM:
        size = rng.choice((0, 1, 3, 30, 300))
        return "".join(
            rng.choice(changes.odd) if rng.random() < 0.3 else chr(rng.randrange(256))
            for _ in range(size)
        )
    text = rng.choice(changes.corpus)
    if kind < _WHOLLY_RANDOM + _AS_IT_IS:
        return text[:LONGEST]
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        text = rng.choice(ways)(changes, text)[:LONGEST]
    if rng.random() < _RARELY:
        text = _blown_up(rng, text)
    return text[:LONGEST]


def _blown_up(rng: Random, text: str) -> str:
    """Repeat a piece until it is as long as an input may be."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.choice((1, 3, 60, LONGEST)))
    piece = text[at:end] or " "
    return text[:end] + piece * ((LONGEST - len(text)) // len(piece)) + text[end:]


# ---- JSON

_ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7, 16, 63, 64, 255, 2**16, 2**31, 2**63, 10**40),
    *(0.5, -0.0, 1e308, float("inf"), float("-inf"), float("nan")),
    *("", " ", "past", "x" * 3000, "\0", "\u202e", "\ud800", "1", "null"),
    *([], {}, [[]], [None], [0] * 3000, {"": None}, {"name": {"name": {}}}),
)
_DEEP_MARK = "@deep@"


def mutated_json(rng: Random, corpus: Sequence[str]) -> str:
    """Return one of these texts with other values in its JSON, sometimes as any text may come.

    Of several lines one is changed. Keys may be missing, unknown or written twice, and brackets
    nested without end.
    """
    if rng.random() < _AS_TEXT:
        return mutated(rng, corpus)
    text = rng.choice(corpus)
    lines = [text] if _is_json(text) else text.splitlines()
    at = rng.randrange(len(lines))
    if not _is_json(lines[at]):
        return mutated(rng, corpus)
    value = json.loads(lines[at])
    for _ in range(rng.randint(1, 3)):
        value = _changed_value(rng, value)
    lines[at] = _as_json(rng, value)
    return "\n".join(lines)[:LONGEST]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _as_json(rng: Random, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if _DEEP_MARK in text:
        brackets = rng.choice(("[]", ("{" + '"a":', "}")))
        text = text.replace(f'"{_DEEP_MARK}"', brackets[0] * _DEEP + brackets[1] * _DEEP, 1)
    if rng.random() < 0.1:
        text = _written_twice(rng, text)
    return text


def _changed_value(rng: Random, value: Any) -> Any:
    """Return a value with one place of it changed; what it is made of may be changed as well."""
    spots = list(_spots(value))
    if not spots or rng.random() < 0.02:
        return deepcopy(rng.choice(_ODD_VALUES))
    holder, key = rng.choice(spots)
    kind = rng.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1:
        other, other_key = rng.choice(spots)
        holder[key] = deepcopy(other[other_key])
    elif kind == 2 and isinstance(holder, list):
        holder.insert(key, deepcopy(holder[key]))
    elif kind == 2:
        holder[rng.choice(("", "x", str(key).upper(), f"{key} "))] = holder.pop(key)
    elif kind == 3 and isinstance(holder[key], (int, float)):
        holder[key] += rng.choice((-1, 1, 0.5, 10**6))
    elif kind == 4 and rng.random() < 0.05:
        holder[key] = _DEEP_MARK
    else:
        holder[key] = deepcopy(rng.choice(_ODD_VALUES))
    return value


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in lists and objects: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        holder = todo.pop()
        if isinstance(holder, (dict, list)):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            found += [(holder, key) for key in keys]
            todo += [holder[key] for key in keys]
    return found


def _written_twice(rng: Random, text: str) -> str:
    """Write a key and its value again, where both are short and plain."""
    found = list(re.finditer(r'"\w+": (?:-?\d+|"[^"]*"|true|false|null)', text))
    if not found:
        return text
    match = rng.choice(found)
    return f"{text[: match.end()]}, {match[0]}{text[match.end() :]}"
