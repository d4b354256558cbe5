"""Who is at a program of the room just now: messages of the moment, which nobody keeps.

A program says which one it is, counts its messages, and names the programs that it has heard, each
with the last number. It counts as there for whoever is named with a number of the last minute: so
neither a clock is needed, nor can an old message be sent again to make somebody appear.
"""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Any, NamedTuple

EVERY_MS = 20_000
"""Between two messages of a program."""
LASTS_MS = 50_000
"""For how long who was heard is there."""
MOST_BYTES = 1000

_ANSWERS_MS = 2_000
_MOST_PROGRAMS = 8
_MOST_COUNT = 1 << 40
_ID = re.compile(r"[0-9a-f]{16}")


class PresenceError(ValueError):
    """A text is no message of this kind."""


class _Program(NamedTuple):
    """A program that was heard: its end, its last number, when it was there last."""

    end: str
    last: int
    heard_ms: int
    there_ms: int | None


class Presence:
    """What is known of the programs of a room, as one of them, `id`, knows it."""

    def __init__(self, own_id: str) -> None:
        self.id = own_id
        self._count = 0
        self._sent: deque[tuple[int, int]] = deque()  # number and time, of the last minute
        self._due_ms: int | None = None
        self._programs: dict[str, _Program] = {}

    def begin(self, now_ms: int) -> None:
        """The broker is there: say so soon."""
        self._due_ms = now_ms

    def end(self) -> None:
        """The broker is gone, and so is everybody."""
        self._due_ms = None
        self._programs = {
            name: each._replace(there_ms=None) for name, each in self._programs.items()
        }

    def due(self, now_ms: int) -> bytes | None:
        """Return the message that is due, None where none is."""
        if self._due_ms is None or now_ms < self._due_ms:
            return None
        self._due_ms = now_ms + EVERY_MS
        self._count += 1
        self._sent.append((self._count, now_ms))
        while self._sent[0][1] < now_ms - LASTS_MS:
            self._sent.popleft()
        heard = {name: each.last for name, each in self._programs.items()}
        return _text(self.id, self._count, heard, True)

    def away(self) -> bytes:
        """Return what the broker is to say when this program is gone."""
        return _text(self.id, 0, {}, False)

    def hear(self, end: str, text: bytes, now_ms: int) -> bool:
        """Take a message of an end; False where it is an old one, or our own.

        Raises PresenceError.
        """
        name, count, heard, is_here = _read(text)
        known = self._programs.pop(name, None)
        if name == self.id or (known is not None and known.end != end):
            if known is not None:
                self._programs[name] = known
            return False
        if not is_here:
            if known is not None:
                self._programs[name] = known._replace(there_ms=None)
            return True
        is_old = known is not None and count <= known.last
        there_ms = known.there_ms if known is not None else None
        if not is_old:
            was_there = there_ms is not None
            hears_us = heard.get(self.id, 0)
            if self._sent and hears_us >= self._sent[0][0]:
                there_ms = now_ms
            if self._due_ms is not None and not (was_there and there_ms == now_ms):
                # it hears soon that we hear it: then both are there
                last_ms = self._sent[-1][1] if self._sent else now_ms - _ANSWERS_MS
                self._due_ms = min(self._due_ms, max(now_ms, last_ms + _ANSWERS_MS))
            known = _Program(end, count, now_ms, there_ms)
        assert known is not None
        self._programs[name] = known
        if len(self._programs) > _MOST_PROGRAMS:  # the first one was heard longest ago
            del self._programs[next(iter(self._programs))]
        return not is_old

    def seen_ms(self, end: str) -> int | None:
        """Return when somebody of an end was there last, None for never."""
        found = [
            each.there_ms
            for each in self._programs.values()
            if each.end == end and each.there_ms is not None
        ]
        return max(found, default=None)


def _text(name: str, count: int, heard: dict[str, int], is_here: bool) -> bytes:
    return json.dumps([name, count, heard, is_here], separators=(",", ":")).encode()


def _read(text: bytes) -> tuple[str, int, dict[str, int], bool]:
    try:
        name, count, heard, is_here = json.loads(text)
        is_well = (
            _is_id(name)
            and _is_count(count)
            and type(is_here) is bool
            and type(heard) is dict
            and len(heard) <= _MOST_PROGRAMS
            and all(_is_id(each) and _is_count(its) for each, its in heard.items())
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise PresenceError from error
    if not is_well:
        raise PresenceError
    return name, count, heard, is_here


def _is_id(value: Any) -> bool:
    return type(value) is str and _ID.fullmatch(value) is not None


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST_COUNT
