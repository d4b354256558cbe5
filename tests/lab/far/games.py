"""Whole games far apart by hands on both sides, with whatever can go wrong on the way.

Every fault comes of one seeded source: lines to the broker are cut, messages lost and doubled, the
broker restarts and forgets, programs are killed and started again, tables lose their power, players
take turns back and are answered. What has to come out of it is one game, the same at both ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record
from tests.lab.far.end import End, Stuck
from ttykm.game import Game
from ttykm.layout import NOBODY

MOST_TURNS = 60
"""After so many turns a game by chance is given up by who is due."""

_MOST_LOOKS = 4000
_PATIENCE = 25  # looks at a table that does not get on, until somebody puts it right
_LOOK_MS = 100


class Whims(NamedTuple):
    """How often players do what they need not, of one chance at each look or turn."""

    takes_back: float = 0.0
    asks_back: float = 0.0
    grants: float = 0.5
    offers: float = 0.0
    agrees: float = 0.0
    dawdles: float = 0.0  # touches something that nobody asked for


class Match:
    """A game of two ends, played to its end; `wait` has time pass at both.

    `choose` returns the turns that are played, by itself any. `counts` says how often which whim
    came.
    """

    def __init__(
        self,
        ends: Sequence[End],
        wait: Callable[[int], None],
        rng: Random,
        whims: Whims = Whims(),  # noqa: B008 - it is immutable
        most_turns: int = MOST_TURNS,
        choose: Callable[[Game], int | None] | None = None,
    ) -> None:
        self.ends = ends
        self.counts: Counter[str] = Counter()
        self._wait = wait
        self._rng = rng
        self._whims = whims
        self._most_turns = most_turns
        self._choose = choose or by_chance(rng)
        self._idle = {end.invitation.end: 0 for end in ends}

    def play(self) -> None:
        """Play until both logs have the end, and both tables show it; raises Stuck."""
        for _ in range(_MOST_LOOKS):
            if all(end.is_running and end.room.course.result for end in self.ends):
                return
            self.look()
        raise Stuck(" | ".join(map(state_of, self.ends)))

    def look(self) -> None:
        """Have the hands at all tables do what is due there; raises Stuck."""
        self._wait(_LOOK_MS)
        for end in self.ends:
            if end.is_running:
                self._look(end)

    def _look(self, end: End) -> None:
        """Have the hands of one end do what is due there."""
        try:
            self._answer(end)
            if end.is_mine:
                self._idle[end.invitation.end] = 0
                self._take_turn(end)
            elif end.room.course.result is None:
                self._help(end)
        except (Stuck, UserError):  # somebody disturbed the hands; the lights say what is wrong
            self.counts["disturbed"] += 1

    def _help(self, end: End) -> None:
        done = end.helper.done
        end.help()
        name = end.invitation.end
        is_still = end.helper.done == done and not (end.lies_right and end.mirror.is_in_step)
        self._idle[name] = self._idle[name] + 1 if is_still else 0
        if self._idle[name] >= _PATIENCE:
            self._idle[name] = 0
            self.counts["put right"] += 1
            end.untangle()

    def _take_turn(self, end: End) -> None:
        rng, whims = self._rng, self._whims
        game = end.game
        if len(game.turns) >= self._most_turns:
            end.far.bridge.write("resign")
            return
        if rng.random() < whims.offers:
            self.counts["draw"] += 1
            end.far.bridge.offer_draw()
        turn = self._choose(game)
        assert turn is not None
        end.play(turn)
        if not end.is_running or game.winner() != NOBODY:
            return
        if rng.random() < whims.takes_back and end.mirror.is_in_step and end.game.turns:
            self.counts["taken back"] += 1
            end.lift_marker()
        elif rng.random() < whims.asks_back:
            self.counts["asked back"] += 1
            end.far.bridge.ask_back()

    def _answer(self, end: End) -> None:
        question = end.room.course.question
        if question is None or question.by == end.invitation.end:
            return
        chance = self._whims.agrees if question.kind == "draw" else self._whims.grants
        end.far.bridge.write("yes" if self._rng.random() < chance else "no")


def state_of(end: End) -> str:
    """Return where an end is, for who reads a failure."""
    if not end.is_running:
        return f"{end.invitation.end}: not running"
    course = end.room.course
    return (
        f"{end.invitation.end}: {len(course.line)} turns, {len(end.game.turns)} at the table, "
        f"{end.place.phase}, {end.far.bridge.due_now}, {course.question}, {course.result}"
    )


def records_of(end: End) -> list[str]:
    """Return the records of an end's archive without their places, which are each end's own."""
    return plain_records(end.folder)


def plain_records(folder: Path) -> list[str]:
    """Return the records of an archive without their places."""
    with Archive(folder) as archive:
        found = [format_record(archive.read(entry).record) for entry in archive.games()]
    return ["\n".join(line for line in each.splitlines() if "[Board" not in line) for each in found]


def differences(ends: Sequence[End]) -> list[str]:
    """Return what is not the same at both ends after a game, or not once; [] where all is well."""
    one, two = ends
    wrong = []
    if one.room.course.line != two.room.course.line:
        wrong.append("the logs have other turns")
    if one.room.course.result != two.room.course.result:
        wrong.append("the logs have other ends")
    if one.room.course.void != two.room.course.void:
        wrong.append("other entries are void")
    if records_of(one) != records_of(two):
        wrong.append("the records differ")
    if len(records_of(one)) != 1:
        wrong.append(f"{len(records_of(one))} records")
    for end in ends:
        wrong += [f"{end.invitation.end}: {each}" for each in end.heard("mismatch")]
    return wrong
