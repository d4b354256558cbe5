"""What hands have to lift and place for a turn, from the engine's own records.

No rule of the game is written here. A step is a sensor, whether it closes, and which piece it is;
when it is done is for the hand to say. In a game with modules some actions have to be chosen with
the action button first (chronotable.core.chooser); that is a step as well.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.pieces import Pieces, piece_of_kind, pieces_of
from chronotable_host.rules.turn_builder import kind_of
from ttykm import layout
from ttykm.entry import kind_on
from ttykm.game import Game
from ttykm.layout import BACK, EFFECTS, RECORD_WORDS, TARGET
from ttykm.objects import OBJECT_WORDS, PLANES, SEED
from ttykm.turns import TurnTree

# how often hands do it so
_PLAIN_MOVES_AT_ONCE = 0.4  # two plain moves as one lift and one place
_BACK_IN_THREE = 0.5  # a backward travel as lift, place, place
_MOVER_FIRST = 0.5  # they lift the mover before what stands in its way

SPARE = 16
"""A magnet that is no piece: it touches a space that is empty, and is lifted again."""


class ButtonChoice(NamedTuple):
    """What is chosen with the action button: what a copy does, by the light that offers it.

    The next `taps` steps tap what is lit.
    """

    meaning: int
    copy: int
    taps: int


class LiftOrPlace(NamedTuple):
    """A piece is lifted from a sensor or, `closed`, placed on it.

    With a `choice` nothing is lifted or placed: it is offered until the sensor is lit for it.
    """

    sensor: int
    closed: bool
    piece: int
    choice: ButtonChoice | None = None


class Action(NamedTuple):
    """What one action changes: the pieces to lift and to place, by sensor.

    `start` is where the active copy stands before it, `target` the place that it aims at.
    """

    lifts: Pieces
    places: Pieces
    start: int
    target: int
    code: int
    effects: int


def turn_steps(game: Game, turn: int, rng: Random, is_orderly: bool = False) -> list[LiftOrPlace]:
    """Return the steps of a legal turn in the game's position, marker included.

    Orderly hands do each action by itself and lift first what acts: where several turns lead to the
    same position, the reeds tell then which one it was.
    """
    mover = game.mover
    steps: list[LiftOrPlace] = []
    actions = list(actions_of(game, turn & 0xFFFF))
    is_at_once = len(actions) == 2 and all(map(is_plain, actions)) and not is_orderly
    if is_at_once and rng.random() < _PLAIN_MOVES_AT_ONCE:
        end = next(iter(actions[1].places))
        steps += [LiftOrPlace(actions[0].start, False, mover), LiftOrPlace(end, True, mover)]
    else:
        board = pieces_of(game.state)
        for action in actions:
            steps += action_steps(action, board, rng, is_orderly)
            _change(board, action)
    spots = FOCUS + 3 * mover
    steps.append(LiftOrPlace(spots + layout.focus(game.state, mover), False, mover))
    steps.append(LiftOrPlace(spots + layout.turn_focus(turn), True, mover))
    return steps


def is_plain(action: Action) -> bool:
    """Tell whether an action moves one copy one space, and nothing else."""
    return action.code < layout.FORWARD and not action.effects


def _change(board: Pieces, action: Action) -> None:
    for sensor in action.lifts:
        del board[sensor]
    board.update(action.places)


def actions_of(game: Game, sequence: int) -> Iterator[Action]:
    """Yield what each action of a turn changes, from the engine's own records."""
    if not sequence:
        return
    tree = game.scratch
    last = tree.follow(game.state, sequence, game.options)
    assert last >= 0, "the hand acts legal turns only"
    records = tree.records  # a tree makes room when it first meets modules
    for index in range(2, last + 1):
        lifts: Pieces = {}
        places: Pieces = {}
        for era in range(3):
            changed = _changed(tree, index, era)
            for space in range(16):
                if changed >> space & 1:
                    before = _piece_on(tree, index - 1, era, space)
                    after = _piece_on(tree, index, era, space)
                    if before != after:
                        if before is not None:
                            lifts[era << 4 | space] = piece_of_kind(before)
                        if after is not None:
                            places[era << 4 | space] = piece_of_kind(after)
        code = sequence >> 6 & 63 if index == 2 else sequence & 63
        start = records[(index - 1) * RECORD_WORDS + layout.ACTIVE]
        base = index * RECORD_WORDS
        yield Action(lifts, places, start, records[base + TARGET], code, records[base + EFFECTS])


def _changed(tree: TurnTree, index: int, era: int) -> int:
    """Return the mask of an era's spaces where a record is not what the one before it is."""
    words, before, after = tree.records, (index - 1) * RECORD_WORDS, index * RECORD_WORDS
    changed = words[before + era] ^ words[after + era]
    changed |= words[before + 3 + era] ^ words[after + 3 + era]
    if tree.has_modules:
        words, before, after = tree.objects, (index - 1) * OBJECT_WORDS, index * OBJECT_WORDS
        for plane in range(PLANES * era, PLANES * era + PLANES):
            changed |= words[before + plane] ^ words[after + plane]
    return changed


def _piece_on(tree: TurnTree, index: int, era: int, space: int) -> int | None:
    """Return the player whose copy a record has on a space, or the kind of what has a magnet."""
    for player in range(2):
        if tree.records[index * RECORD_WORDS + 3 * player + era] >> space & 1:
            return player
    if tree.has_modules:
        kind = kind_on(tree.objects, index * OBJECT_WORDS + PLANES * era, space)
        return kind if kind > SEED else None
    return None


def action_steps(
    action: Action, board: Pieces, rng: Random, is_orderly: bool = False
) -> list[LiftOrPlace]:
    """Return the lifts and places of one action in one of the orders that hands can do.

    What is not just made is chosen first; `board` is what lies there before. Earlier eras come
    first, as the lights ask.
    """
    lifts, places = dict(action.lifts), dict(action.places)
    start = action.start
    if action.code == BACK:
        ((target, own),) = places.items()
        if rng.random() >= _BACK_IN_THREE:
            return [LiftOrPlace(target, True, own)]  # the new copy, from the supply
        placing = [LiftOrPlace(target, True, own), LiftOrPlace(start, True, own)]
        rng.shuffle(placing)
        return [LiftOrPlace(start, False, own), *placing]
    steps: list[LiftOrPlace] = []
    meaning = kind_of(action.code)
    if meaning:
        taps = _tap(action, meaning, board, rng)
        steps = [
            LiftOrPlace(action.target, True, SPARE, ButtonChoice(meaning, start, len(taps))),
            *taps,
        ]
        for step in taps:
            due = places if step.closed else lifts
            if due.get(step.sensor) == step.piece:
                del due[step.sensor]
    for era in range(3):
        here = range(16 * era, 16 * era + 16)
        taken = {at: piece for at, piece in lifts.items() if at in here}
        put = {at: piece for at, piece in places.items() if at in here}
        steps += _era_steps(taken, put, start, rng, is_orderly)
    return steps


def _era_steps(
    lifts: Pieces, places: Pieces, start: int, rng: Random, is_orderly: bool
) -> list[LiftOrPlace]:
    """Return what is to be done in an era: the active copy first, or what stands in its way."""
    held = Counter(places.values()) - Counter(lifts.values())
    if start not in lifts or len(lifts) == 1:
        return in_any_order(lifts, places, held, rng)
    first = start
    if not is_orderly and rng.random() >= _MOVER_FIRST:
        first = rng.choice([sensor for sensor in lifts if sensor != start])
    piece = lifts.pop(first)
    return [
        LiftOrPlace(first, False, piece),
        *in_any_order(lifts, places, held + Counter((piece,)), rng),
    ]


def in_any_order(
    lifts: Mapping[int, int], places: Mapping[int, int], held: Counter[int], rng: Random
) -> list[LiftOrPlace]:
    """Return lifts and places in one of the orders that hands can do; `held` is by piece."""
    lifts, places, held = dict(lifts), dict(places), Counter(held)
    steps: list[LiftOrPlace] = []
    while lifts or places:
        free = [at for at, piece in places.items() if at not in lifts and held[piece] > 0]
        sensor, closed = rng.choice([(at, True) for at in free] + [(at, False) for at in lifts])
        piece = places.pop(sensor) if closed else lifts.pop(sensor)
        held[piece] += -1 if closed else 1
        steps.append(LiftOrPlace(sensor, closed, piece))
    return steps


# ---- what is chosen


def _tap(action: Action, meaning: int, board: Pieces, rng: Random) -> list[LiftOrPlace]:
    """Return what hands do on the space that is lit: a tap, or the action's own piece put there."""
    target = action.target
    if meaning == meanings.BUILD:
        return [LiftOrPlace(target, True, action.places[target])]
    if meaning == meanings.COMMAND:
        piece = action.places[target]
        start = next(at for at, each in action.lifts.items() if each == piece)
        lifts = {at: action.lifts[at] for at in (start, target) if at in action.lifts}
        return in_any_order(lifts, {target: piece}, Counter(), rng)
    if target in board:
        piece = board[target]
        return [LiftOrPlace(target, False, piece), LiftOrPlace(target, True, piece)]
    return [LiftOrPlace(target, True, SPARE), LiftOrPlace(target, False, SPARE)]
