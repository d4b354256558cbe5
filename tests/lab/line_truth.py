"""What is true of a table's games, and the error that something is not as it should be."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from chronotable.link.happenings import Connected, Message
from chronotable_host.archive.comments import how_understood
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live.journal_game import TERMINATIONS
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record
from ttykm.layout import NOBODY


class UnequalError(AssertionError):
    """Host and table do not agree, or something happened that must not."""


def expect(condition: bool, what: str) -> None:
    if not condition:
        raise UnequalError(what)


def described(error: Exception) -> str:
    """Return what an error says, with its kind where it is none of ours."""
    if isinstance(error, UnequalError):
        return str(error)
    return f"{type(error).__name__}: {error}"


class InOrder:
    """Sees to it that every event of a boot comes once and in order, or is told as lost."""

    def __init__(self) -> None:
        self.boot = 0
        self.due = 0  # number of the next event
        self.gaps = 0

    def hear(self, event: object) -> None:
        """Take what the PC hears; raises UnequalError."""
        if isinstance(event, Connected) and event.info.boot != self.boot:
            self.boot, self.due = event.info.boot, 1
        elif isinstance(event, LostEvents):
            expect(event.first == self.due, f"events {self.due} to {event.first - 1} are missing")
            self.due = event.last + 1
            self.gaps += 1
        elif isinstance(event, Message) and "number" in event.values:
            number = event.values["number"]
            expect(number == self.due, f"event {self.due} was due, {number} came")
            self.due += 1


class Outcome(NamedTuple):
    """What came of a pair: figures by name, and what was wrong, "" for nothing."""

    name: str
    counts: Counter[str]
    problem: str = ""


@dataclass
class Played:
    """A game as the table's tracker understood it; `end` is winner and reason, () while it goes."""

    start: array[int]
    options: int
    turns: list[int] = field(default_factory=list)
    how: list[str] = field(default_factory=list)
    end: tuple[int, str] | tuple[()] = ()

    def headers(self) -> tuple[str, str]:
        """Return result and termination as a record has them."""
        if not self.end:
            return RESULTS[3], IN_PROGRESS
        winner, by = self.end
        return RESULTS[2 if winner == NOBODY else winner], TERMINATIONS[by]


def what_is_wrong(record: Record, played: Played) -> str:
    """Return how a record differs from what was played, "" where it does not."""
    if record.start != played.start or record.options != played.options:
        return "it begins otherwise"
    if list(record.turns) != played.turns:
        filed, true = len(record.turns), len(played.turns)
        return "other turns are filed" if filed == true else f"{filed} of {true} turns are filed"
    end = record.headers["Result"], record.headers["Termination"]
    if end != played.headers():
        return f"it ended {' '.join(played.headers())}, filed is {' '.join(end)}"
    how = [how_understood(comment) for comment in record.comments]
    for number, (told, was) in enumerate(zip(how, played.how, strict=True), 1):
        if told != was:
            return f"turn {number} was {was}, filed is {told}"
    return ""
