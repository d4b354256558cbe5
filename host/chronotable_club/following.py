"""A table's game, followed on the rules from the texts of its record, which come whole each time.

What is new in a text is played on; what is not is not read again: a turn costs what one turn costs.
Whatever is not as the program writes it is read as any record is.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from typing import NamedTuple

from chronotable_host.archive.parsing import parse
from chronotable_host.errors import UserError
from chronotable_host.rules.line import clean
from chronotable_host.rules.notation import NotationError, parse_turn
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record
from ttykm.game import Game, IllegalTurnError, winner
from ttykm.layout import NOBODY

_LINE = re.compile(r"([0-9]{1,5})\. ([^{}()]*>[a-z]+)(?: \{([^{}]*)\})?")
_GOES_ON = f'[Termination "{IN_PROGRESS}"]\n[Result "{RESULTS[3]}"]'

_referee = Game()


class IllegalRecordError(Exception):
    """A record breaks the rules, or is none; the message is a sentence."""


class Followed(NamedTuple):
    """A game as far as it was followed: its record, and all of its states, the start first."""

    record: Record
    states: list[array[int]]


class Follower:
    """Follows the games of one table, one at a time.

    `read` reads a record whole, as `read_whole` does.
    """

    def __init__(self, read: Callable[[str], Followed]) -> None:
        self._read = read
        self._head = ""
        self._lines: list[str] = []
        self._known: Followed | None = None

    def follow(self, text: str) -> Followed:
        """Return the game that a record's text tells; raises IllegalRecordError.

        What was returned before is changed by it.
        """
        head, _, body = text.partition("\n\n")
        lines = body.split("\n")
        known = self._known
        if (
            known is None
            or head != self._head
            or not self._goes_on(lines)
            or not self._play_on(known, lines)
        ):
            known = self._read(text)
        self._head, self._lines, self._known = head, lines, known
        return known

    def _goes_on(self, lines: list[str]) -> bool:
        return self._head.endswith(_GOES_ON) and lines[-1:] == [""] and self._lines[-1:] == [""]

    def _play_on(self, known: Followed, lines: list[str]) -> bool:
        """Play what is new; False where the text is not as simple as that."""
        same = 0
        for one, other in zip(self._lines[:-1], lines[:-1], strict=False):
            if one != other:
                break
            same += 1
        found = [_LINE.fullmatch(line) for line in lines[same:-1]]
        record, states = known
        if not all(found) or record.variations or len(record.turns) != len(self._lines) - 1:
            return False
        record, states = _shortened(known, same)
        for match in found:
            assert match is not None
            try:
                turn = parse_turn(match[2])
            except NotationError:
                return False
            is_over = bool(record.turns) and winner(states[-1]) != NOBODY
            if int(match[1]) != len(record.turns) + 1 or is_over:
                return False
            _referee.start(states[-1], record.options)
            try:
                _referee.apply(turn)
            except IllegalTurnError:
                return False
            record.add(turn, clean(match[3] or ""))
            states.append(_referee.state)
        if record.turns and winner(states[-1]) != NOBODY:
            return False  # its end is to be said: the other reading mends that
        known.record.turns, known.record.comments = record.turns, record.comments
        known.states[:] = states
        return True


def _shortened(known: Followed, turns: int) -> Followed:
    """Return the game as it was after so many turns."""
    record = Record(known.record.start, known.record.options)
    record.starting_comment = known.record.starting_comment
    record.turns = known.record.turns[:turns]
    record.comments = known.record.comments[:turns]
    return Followed(record, known.states[: turns + 1])


def read_whole(text: str) -> Followed:
    """Return the game that a record's text tells; raises IllegalRecordError."""
    try:
        reading = parse(text.encode())
    except (UserError, UnicodeEncodeError) as error:
        raise IllegalRecordError(str(error)) from error
    return Followed(reading.record, list(reading.states))
