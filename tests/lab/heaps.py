"""Set-up figures: from random heaps of pieces to random positions, by the lights alone.

The hands know nothing but what the lights say, and look at a piece only when they lift it. What
they need is compared with the least that presence and confirming lifts allow: one lift for each
piece that lies where none is wanted, one place for each that is missing, and a lift and a place
for each that lies where one is wanted, as the reeds cannot tell whose it is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from chronotable.core.progress import RESTORE
from chronotable.core.tracker import Tracker
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from chronotable.lights.hints import Hints
from chronotable.lights.meanings import TODO_TAKE
from chronotable_host.pieces import Pieces, pieces_of
from tests.lab.figures import Figure, shown
from tests.lab.people.todo import owner_of, todo_of
from tests.lab.positions import random_game
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm.game import Game
from ttykm.turns import RECORDS_IN_GAMES

_PIECES = 7
_GAMES = 10_000
_PAUSE_MS = 300


class Outcome(NamedTuple):
    """What came of a heap: gestures done and needed, pieces sent away needlessly, and the end."""

    done: int
    needed: int
    needless: int
    right: bool


class _Deaf:
    """A listener of the tracker that does nothing: these figures are read off the lights."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_: None


def position(rng: Random) -> array[int]:
    game = random_game(rng.randrange(_GAMES))
    for _ in range(rng.randint(1, len(game.turns))):
        game.undo()
    return array("H", game.state)


def heap(rng: Random) -> Pieces:
    """Return pieces and markers anywhere, as many as the box has or fewer."""
    spaces = rng.sample(range(SPACES), 2 * _PIECES)
    found: Pieces = {}
    for player in range(2):
        for _ in range(rng.randint(0, _PIECES)):
            found[spaces.pop()] = player
        if rng.random() < 0.8:  # or it lies beside the board
            found[FOCUS + 3 * player + rng.randrange(3)] = player
    return found


def needed(heaped: Pieces, wanted: Pieces) -> int:
    """Return the fewest lifts and places after which the arrangement is sure to be right."""
    count = 0
    for sensor in range(SENSORS):
        if sensor in heaped and sensor in wanted:
            count += 2 if sensor < SPACES else 0
        elif sensor in heaped or sensor in wanted:
            count += 1
    return count


def set_up(seed: int) -> Outcome:
    """Let hands put a random position up from a random heap, the table switched on over it."""
    rng = Random(seed)
    state, there = position(rng), heap(rng)
    wanted = pieces_of(state)
    least = needed(there, wanted)
    tracker = Tracker(Game(RECORDS_IN_GAMES), _Deaf())
    hints = Hints(tracker)
    tracker.set_up(state)
    now_ms = done = needless = 0
    for sensor in there:
        tracker.edge(sensor, True, now_ms)
    while True:
        tracker.update(now_ms)
        now_ms += _PAUSE_MS
        tracker.update(now_ms)
        if tracker.phase != RESTORE or done > 4 * least:
            return Outcome(done, least, needless, there == wanted)
        hints.paint()
        todo = todo_of(bytes(hints.leds[:SENSORS]))
        sensor = rng.choice(list(todo))
        if sensor in there:
            if todo[sensor] == TODO_TAKE and wanted.get(sensor) == there[sensor]:
                needless += 1
            del there[sensor]
        else:
            owner = owner_of(sensor, todo[sensor], {})  # the lights say it: nothing is remembered
            assert owner is not None, f"seed {seed}: the lights do not say whose"
            there[sensor] = owner
        tracker.edge(sensor, sensor in there, now_ms)
        done += 1


def measure(number: int, report: Progress = unheard) -> list[Figure]:
    outcomes = do_all(set_up, range(number), report)
    wrong = [seed for seed, outcome in enumerate(outcomes) if not outcome.right]
    ratios = [outcome.done / outcome.needed for outcome in outcomes if outcome.needed]
    measured = {
        "heaps": number,
        "gestures": sum(outcome.done for outcome in outcomes),
        "mean": round(sum(ratios) / len(ratios), 2),
        "most": round(max(ratios), 2),
        "wrong": len(wrong),
        "needless": sum(outcome.needless for outcome in outcomes),
    }
    return [Figure("heaps", measured, remark=shown([f"wrong: seed {seed}" for seed in wrong]))]
