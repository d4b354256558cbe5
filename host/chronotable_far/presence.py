"""Who is at a program of the room just now: messages of the moment, which nobody keeps.

A program says which one it is, counts its messages, and names the programs that it has heard, each
with the last number. It counts as there for whoever is named with a number of the last minute: so
neither a clock is needed, nor can an old message be sent again to make somebody appear. Another
message says what whoever is there is called.
"""

import json
import re
from collections import deque
from typing import Any, NamedTuple

from chronotable_far.entries import MOST_NAME, cleaned_line

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
    """A program that was heard: its end, its last number, when it was there first and last."""

    end: str
    last: int
    heard_ms: int
    there_ms: int | None
    since_ms: int
    name: str = ""


class Presence:
    """What is known of the programs of a room, as one of them, `id`, knows it.

    `name` is what people call who is at this one, "" where they have not said it.
    """

    def __init__(self, own_id: str) -> None:
        self.id = own_id
        self.name = ""
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

    def introduction(self) -> bytes:
        """Return what says who is here; programs that do not know this message leave it out."""
        return json.dumps([self.id, self.name], separators=(",", ":")).encode()

    def away(self) -> bytes:
        """Return what the broker is to say when this program is gone."""
        return _text(self.id, 0, {}, False)

    def hear(self, end: str, text: bytes, now_ms: int) -> bool:
        """Take a message of an end; False where it is an old one, or our own.

        Raises PresenceError.
        """
        said = _read(text)
        if len(said) == 2:
            name, called = said
            met = self._programs.get(name)
            if met is None or met.end != end or met.name == called:
                return False
            self._programs[name] = met._replace(name=called)
            return True
        name, count, heard, is_here = said
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
        was_there = there_ms is not None
        if not is_old:
            hears_us = heard.get(self.id, 0)
            if self._sent and hears_us >= self._sent[0][0]:
                there_ms = now_ms
            if self._due_ms is not None and not (was_there and there_ms == now_ms):
                # it hears soon that we hear it: then both are there
                last_ms = self._sent[-1][1] if self._sent else now_ms - _ANSWERS_MS
                self._due_ms = min(self._due_ms, max(now_ms, last_ms + _ANSWERS_MS))
            since_ms = known.since_ms if known is not None and was_there else now_ms
            called = "" if known is None else known.name
            known = _Program(end, count, now_ms, there_ms, since_ms, called)
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

    def others(self, end: str, now_ms: int) -> list[str]:
        """Return who is at programs of an end, by name, who came first first.

        Who was not heard again since the next one came may have become that one, and is left out.
        """
        there = sorted(
            (
                each
                for each in self._programs.values()
                if each.end == end
                and each.there_ms is not None
                and now_ms - each.there_ms < LASTS_MS
            ),
            key=lambda each: each.since_ms,
        )
        last_ms = there[-1].since_ms if there else 0
        return [each.name for each in there if each.heard_ms >= last_ms]


def _text(name: str, count: int, heard: dict[str, int], is_here: bool) -> bytes:
    return json.dumps([name, count, heard, is_here], separators=(",", ":")).encode()


def _read(text: bytes) -> tuple[str, str] | tuple[str, int, dict[str, int], bool]:
    """Return what a message says: which program is called what, or counts, hears and is here."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PresenceError from error
    match whole:
        case [name, str(called)] if _is_id(name):
            return name, cleaned_line(called, MOST_NAME)
        case [name, count, dict(heard), bool(is_here)] if (
            _is_id(name)
            and _is_count(count)
            and len(heard) <= _MOST_PROGRAMS
            and all(_is_id(each) and _is_count(its) for each, its in heard.items())
        ):
            return name, count, heard, is_here
    raise PresenceError


def _is_id(value: Any) -> bool:
    return type(value) is str and _ID.fullmatch(value) is not None


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST_COUNT
