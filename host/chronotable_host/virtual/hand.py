"""The hand: how a person acts a turn out on the table, gesture by gesture.

It lifts and places pieces and nothing else; what it means is for the table to find out. The
figures are those of the sensing tests, fixed so that results can be compared: 120 to 700 ms
between gestures, any order of the lifts and places that an action needs, two plain moves as one
lift and place in 40 % of the cases, a backward travel as one place or as lift, place, place.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chronotable.sensors import FOCUS
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import BACK, EFFECTS, RECORD_WORDS
from ttykm.turns import follow

_PLAIN_MOVES_AT_ONCE = 0.4
_GESTURE_MS = (120, 700)


class Gesture(NamedTuple):
    """One lift (`closed` False) or place of a magnet, `after_ms` after the gesture before it."""

    after_ms: int
    sensor: int
    closed: bool


class _Action(NamedTuple):
    """What one action changes: the pieces to lift and to place, by sensor, and the mover's."""

    lifts: dict[int, int]  # sensor: colour
    places: dict[int, int]
    start: int
    code: int
    effects: int


def act_out(game: Game, turn: int, rng: Random) -> list[Gesture]:
    """Return the gestures of a legal turn in the game's position, marker included.

    The first gesture's `after_ms` counts from whatever came before.
    """
    steps: list[tuple[int, bool]] = []
    actions = list(_actions(game, turn))
    if len(actions) == 2 and _are_plain(actions) and rng.random() < _PLAIN_MOVES_AT_ONCE:
        end = next(iter(actions[1].places))
        steps += [(actions[0].start, False), (end, True)]
    else:
        for action in actions:
            steps += _steps(action, rng)
    home = FOCUS + 3 * game.mover + layout.focus(game.state, game.mover)
    steps += [(home, False), (FOCUS + 3 * game.mover + (turn >> 16), True)]
    return [Gesture(rng.randint(*_GESTURE_MS), sensor, closed) for sensor, closed in steps]


def _are_plain(actions: list[_Action]) -> bool:
    return all(action.code < layout.FORWARD and not action.effects for action in actions)


def _actions(game: Game, turn: int) -> Iterator[_Action]:
    """Yield what each action of a turn changes, from the engine's own records."""
    sequence = turn & 0xFFFF
    if not sequence:
        return
    records = array("H", bytes(2 * 4 * RECORD_WORDS))
    last = follow(records, game.state, sequence)
    assert last >= 0, "the hand acts legal turns only"
    for index in range(2, last + 1):
        before, after = (index - 1) * RECORD_WORDS, index * RECORD_WORDS
        lifts: dict[int, int] = {}
        places: dict[int, int] = {}
        for era in range(3):
            changed = 0
            for word in (era, 3 + era):
                changed |= records[before + word] ^ records[after + word]
            for space in range(16):
                if changed >> space & 1:
                    for colour in range(2):
                        if records[before + 3 * colour + era] >> space & 1:
                            lifts[era << 4 | space] = colour
                        if records[after + 3 * colour + era] >> space & 1:
                            places[era << 4 | space] = colour
        code = sequence >> 6 & 63 if index == 2 else sequence & 63
        start = records[before + layout.ACTIVE]
        yield _Action(lifts, places, start, code, records[after + EFFECTS])


def _steps(action: _Action, rng: Random) -> list[tuple[int, bool]]:
    """Return the lifts and places of one action in one of the orders that hands can do."""
    lifts, places = dict(action.lifts), dict(action.places)
    if action.code == BACK and rng.random() < 0.5:
        (target,) = places
        return [(action.start, False), *_shuffled([(target, True), (action.start, True)], rng)]
    steps: list[tuple[int, bool]] = []
    held = {0: 0, 1: 0}
    if action.code == BACK:
        held = {0: 1, 1: 1}  # the new copy comes from the supply
    elif len(lifts) > 1 and rng.random() < 0.5:  # mover first
        held[lifts.pop(action.start)] += 1
        steps.append((action.start, False))
    while lifts or places:
        free = [sensor for sensor, colour in places.items() if sensor not in lifts and held[colour]]
        ready = [(sensor, True) for sensor in free] + [(sensor, False) for sensor in lifts]
        if action.start in lifts and len(lifts) > 1 and not steps:  # victim first
            ready = [step for step in ready if step != (action.start, False)]
        sensor, closed = rng.choice(ready)
        if closed:
            held[places.pop(sensor)] -= 1
        else:
            held[lifts.pop(sensor)] += 1
        steps.append((sensor, closed))
    return steps


def _shuffled(steps: list[tuple[int, bool]], rng: Random) -> list[tuple[int, bool]]:
    rng.shuffle(steps)
    return steps
