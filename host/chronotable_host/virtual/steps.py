"""What hands have to lift and place for a turn, from the engine's own records.

No rule of the game is written here. A step is a sensor, whether it closes, and whose piece it is;
when it is done is for the hand to say.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from chronotable.sensors import FOCUS
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import BACK, EFFECTS, RECORD_WORDS

_PLAIN_MOVES_AT_ONCE = 0.4  # two plain moves as one lift and one place
_BACK_IN_THREE = 0.5  # a backward travel as lift, place, place
_MOVER_FIRST = 0.5  # of a mover and what stands in its way

Lying = dict[int, int]
"""Whose piece or marker lies where, by sensor."""


Step = tuple[int, bool, int]
"""Sensor, closed, whose piece."""


def lying(state: array[int]) -> Lying:
    """Return what lies there in a position."""
    board = {
        16 * era + space: player
        for player in range(2)
        for era in range(3)
        for space in range(16)
        if state[3 * player + era] >> space & 1
    }
    for player in range(2):
        board[FOCUS + 3 * player + layout.focus(state, player)] = player
    return board


class Action(NamedTuple):
    """What one action changes: the pieces to lift and to place, by sensor, and the mover's."""

    lifts: Lying
    places: Lying
    start: int
    code: int
    effects: int


def turn_steps(game: Game, turn: int, rng: Random) -> list[Step]:
    """Return the steps of a legal turn in the game's position, marker included."""
    mover = game.mover
    steps: list[Step] = []
    actions = list(actions_of(game, turn & 0xFFFF))
    if len(actions) == 2 and _are_plain(actions) and rng.random() < _PLAIN_MOVES_AT_ONCE:
        end = next(iter(actions[1].places))
        steps += [(actions[0].start, False, mover), (end, True, mover)]
    else:
        for action in actions:
            steps += action_steps(action, rng)
    spots = FOCUS + 3 * mover
    steps.append((spots + layout.focus(game.state, mover), False, mover))
    steps.append((spots + layout.turn_focus(turn), True, mover))
    return steps


def _are_plain(actions: list[Action]) -> bool:
    return all(action.code < layout.FORWARD and not action.effects for action in actions)


def actions_of(game: Game, sequence: int) -> Iterator[Action]:
    """Yield what each action of a turn changes, from the engine's own records."""
    if not sequence:
        return
    records = game.scratch.records
    last = game.scratch.follow(game.state, sequence, game.options)
    assert last >= 0, "the hand acts legal turns only"
    for index in range(2, last + 1):
        before, after = (index - 1) * RECORD_WORDS, index * RECORD_WORDS
        lifts: Lying = {}
        places: Lying = {}
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
        yield Action(lifts, places, start, code, records[after + EFFECTS])


def action_steps(action: Action, rng: Random) -> list[Step]:
    """Return the lifts and places of one action in one of the orders that hands can do."""
    lifts, places = dict(action.lifts), dict(action.places)
    start = action.start
    if action.code == BACK:
        ((target, own),) = places.items()
        if rng.random() >= _BACK_IN_THREE:
            return [(target, True, own)]  # the new copy, from the supply
        placing = [(target, True, own), (start, True, own)]
        rng.shuffle(placing)
        return [(start, False, own), *placing]
    if len(lifts) == 1:
        return in_any_order(lifts, places, Counter(), rng)
    first = start
    if rng.random() >= _MOVER_FIRST:
        first = rng.choice([sensor for sensor in lifts if sensor != start])
    piece = lifts.pop(first)
    return [(first, False, piece), *in_any_order(lifts, places, Counter((piece,)), rng)]


def in_any_order(
    lifts: Mapping[int, int], places: Mapping[int, int], held: Counter[int], rng: Random
) -> list[Step]:
    """Return lifts and places in one of the orders that hands can do; `held` is by colour."""
    lifts, places, held = dict(lifts), dict(places), Counter(held)
    steps: list[Step] = []
    while lifts or places:
        free = [at for at, piece in places.items() if at not in lifts and held[piece] > 0]
        sensor, closed = rng.choice([(at, True) for at in free] + [(at, False) for at in lifts])
        piece = places.pop(sensor) if closed else lifts.pop(sensor)
        held[piece] += -1 if closed else 1
        steps.append((sensor, closed, piece))
    return steps
