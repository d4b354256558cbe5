"""What the index keeps of a game for statistics, so that no file is read for them."""

from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chronotable_host.archive.comments import UNDERSTOOD, how_understood, seconds_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record
from ttykm import layout

OPENING = 6
"""How many turns of a game are kept as its opening."""
BETWEEN = " / "
"""What stands between the turns of an opening."""

COUNTS = (
    *("certain", "asked", "corrected"),
    *("white_timed", "white_ms", "white_longest_ms"),
    *("black_timed", "black_ms", "black_longest_ms"),
)
"""Columns of numbers: how turns were understood, and for each player how many turns have a time,
what these took together, and the longest, in ms."""


class GameFacts(NamedTuple):
    """A game as statistics know it; texts as in the headers of its record."""

    white: str
    black: str
    date: str
    result: str
    modules: str
    options: str
    start: str
    board: str
    opening: str
    """Its first turns, BETWEEN them."""
    certain: int
    asked: int
    corrected: int
    white_timed: int
    white_ms: int
    white_longest_ms: int
    black_timed: int
    black_ms: int
    black_longest_ms: int


def copies_text(state: "array[int]") -> str:
    """Return where the copies of a position stand: six masks of spaces, White's eras first."""
    return "".join(f"{mask:04x}" for mask in state[:6])


def facts_of(record: Record) -> Mapping[str, int | str]:
    """Return the columns of a record that are kept for statistics alone."""
    how = [how_understood(comment) for comment in record.comments]
    found: dict[str, int | str] = dict.fromkeys(COUNTS, 0)
    found |= {each: how.count(each) for each in UNDERSTOOD}
    first = layout.mover(record.start)
    for player, name in enumerate(("white", "black")):
        own = [ms for at, ms in think_times(record) if (first + at) % 2 == player]
        found |= {
            f"{name}_timed": len(own),
            f"{name}_ms": sum(own),
            f"{name}_longest_ms": max(own, default=0),
        }
    return {**found, "opening": BETWEEN.join(map(format_turn, record.turns[:OPENING]))}


def think_times(record: Record) -> Iterator[tuple[int, int]]:
    """Yield the number of a turn, from 0, and the ms since the turn before, where both have a time.

    Times may begin at 0 again where a table started anew: then nobody knows how long it took.
    """
    before: float | None = None
    for at, comment in enumerate(record.comments):
        now = seconds_of(comment)
        if before is not None and now is not None and now >= before:
            yield at, round(1000 * (now - before))
        before = now
