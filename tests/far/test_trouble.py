"""Whole games far apart with everything that can go wrong, at once: it stays one game.

A seed says it all: which turns, which faults, and when. Lines to the broker are cut, messages lost
and doubled, the broker restarts and forgets, programs are killed and started again, tables lose
their power, players take turns back and are answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

import pytest

from chronotable_host.engine.thinkers import by_chance
from chronotable_host.errors import UserError
from tests import lanes, sweep
from tests.far.end import ROUND_MS, End, Stuck, records_of
from tests.far.world import World, world
from tests.lab.troubles import Trouble, Troubles
from ttykm import objects
from ttykm.layout import NOBODY

pytestmark = pytest.mark.usefixtures("everything_unlocked")

# how often players do what they need not, of one chance at each turn or question
_TAKES_BACK, _ASKS_BACK, _GRANTS, _OFFERS, _AGREES = 0.15, 0.1, 0.5, 0.05, 0.1
_TURNS = 14  # after which who is due gives up
_MOST_LOOKS = 4000
_PATIENCE = 25  # looks at a table that does not get on, until somebody puts it right
_LOOK_MS = 100
_PER_MINUTE = 1.8
_AWAY_S = (0.02, 20.0)


def troubles_of(at: World, rng: Random) -> Troubles:
    """Return what befalls lines, programs and tables of both ends, and the broker."""

    def at_end(end: End) -> list[Trouble]:
        def cut() -> None:
            end.client.cut()

        def mend() -> None:
            end.client.mend()

        def power() -> None:
            end.table.power(False)
            end.table.power(True)

        def cable() -> None:
            end.table.plug(False)
            end.table.plug(True)

        found = [
            Trouble("cut", cut, mend, _AWAY_S),
            Trouble("kill", end.kill, end.start, _AWAY_S),
            Trouble("power", power),
            Trouble("cable", cable),
        ]
        return [each._replace(can=lambda: end.is_running) for each in found]

    kinds = [each for end in at.ends.values() for each in at_end(end)]
    return Troubles(rng, _PER_MINUTE, [*kinds, Trouble("broker", at.broker.restart, share=2)])


class Match:
    """A game of two ends by chance, played to its end; `counts` says how often which whim came."""

    def __init__(self, at: World, rng: Random) -> None:
        self.ends = [*at.ends.values()]
        self.counts: Counter[str] = Counter()
        self._wait = at.wait
        self._rng = rng
        self._choose = by_chance(rng)
        self._idle = {end.invitation.end: 0 for end in self.ends}

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
        rng = self._rng
        game = end.game
        if len(game.turns) >= _TURNS:
            end.far.bridge.write("resign")
            return
        if rng.random() < _OFFERS:
            self.counts["draw"] += 1
            end.far.bridge.offer_draw()
        turn = self._choose(game)
        assert turn is not None
        end.play(turn)
        if not end.is_running or game.winner() != NOBODY:
            return
        if rng.random() < _TAKES_BACK and end.mirror.is_in_step and end.game.turns:
            self.counts["taken back"] += 1
            end.lift_marker()
        elif rng.random() < _ASKS_BACK:
            self.counts["asked back"] += 1
            end.far.bridge.ask_back()

    def _answer(self, end: End) -> None:
        question = end.room.course.question
        if question is None or question.by == end.invitation.end:
            return
        chance = _AGREES if question.kind == "draw" else _GRANTS
        end.far.bridge.write("yes" if self._rng.random() < chance else "no")


def state_of(end: End) -> str:
    """Return where an end is, for who reads a failure."""
    if not end.is_running:
        return f"{end.invitation.end}: not running"
    course = end.room.course
    return (
        f"{end.invitation.end}: {len(course.line)} turns, {len(end.game.turns)} at the table, "
        f"{end.place.phase}, {end.far.bridge._due()}, {course.question}, {course.result}"
    )


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
    records = [records_of(end.folder) for end in ends]
    if records[0] != records[1]:
        wrong.append("the records differ")
    if len(records[0]) != 1:
        wrong.append(f"{len(records[0])} records")
    for end in ends:
        wrong += [f"{end.invitation.end}: {each}" for each in end.heard("mismatch")]
    return wrong


@lanes.long
@pytest.mark.parametrize("seed", lanes.once(range(sweep.size(small=1, full=18, figures=200))))
def test_one_game_comes_out_of_it(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    modules = rng.choice([0, 0, *range(1, objects.ALL_MODULES + 1)])
    print(f"seed {seed}, set {modules}")
    start = objects.new_state(modules)
    with world(tmp_path, seed=seed, loss=0.05, start=start) as at:
        at.wait(3000)
        troubles, moments = troubles_of(at, rng), count()
        at.trouble = lambda: troubles.step(next(moments) * ROUND_MS / 1000)
        match = Match(at, rng)
        match.play()
        troubles.end()
        at.trouble = None
        at.loss = 0.0
        at.wait(30_000)
        print(troubles.counts, match.counts)
        assert differences(match.ends) == []
