"""Hands with manners: clean as the one of a virtual table, rough, or heedless.

The figures below are fixed, so that the results of sensing tests can be compared. A rough hand also
slides over neighbours, changes its mind, drops pieces, adjusts bystanders, tries markers out and
bumps into the table. A heedless one is rough and overlooks half of what the table asks
(people/heedless.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable.lights import meanings
from chronotable_host.pieces import Pieces, pieces_of
from chronotable_host.virtual.hand import CLEAN_MS, Gesture
from chronotable_host.virtual.steps import (
    LiftOrPlace,
    action_steps,
    actions_of,
    in_any_order,
    is_plain,
    turn_steps,
)
from ttykm.game import Game
from ttykm.layout import BARRED, RECORD_WORDS, SEQUENCE, STATUS

# a rough hand
_ROUGH_MS = (60, 900)
BUMPS = 0.20  # the share of games in which it bumps into the table
_LIES_MS = (60, 400)  # how long a dropped piece lies until it is lifted again
_SLIDE_MS = (20, 60)  # how long a reed is closed that a piece is slid over
_MIDDLE_MS = (20, 150)  # the same of the middle era's spot that a marker is slid over
_BUMPED = (1, 6)  # how many pieces a bump moves
_BUMP_MS = 500
_PASSING_MS = 5  # at least, from such a reed's opening to the next gesture

# a heedless hand
OVERLOOKS = 0.5  # the share of questions and guides that it overlooks
OVERLOOKED_FOR = (1, 20)  # for how many gestures

_CARRYING = (meanings.BUILD, meanings.COMMAND)  # what is chosen by putting a piece where it goes


class Hand:
    """A hand with its habits; `habits` counts how often each happened, `last` those of this turn.

    A `heedless` hand is rough as well.
    """

    def __init__(self, rng: Random, rough: bool = False, heedless: bool = False) -> None:
        self.rng = rng
        self.rough = rough or heedless
        self.heedless = heedless
        self.habits: Counter[str] = Counter()
        self.last: list[str] = []

    def pause_ms(self) -> int:
        return self.rng.randint(*(_ROUGH_MS if self.rough else CLEAN_MS))

    def overlooks_for(self) -> int:
        """Return for how many gestures a question or guide is overlooked that has just opened."""
        if not self.heedless or self.rng.random() >= OVERLOOKS:
            return 0
        return self.rng.randint(*OVERLOOKED_FOR)

    def act_out(self, game: Game, turn: int) -> list[Gesture]:
        """Return the gestures of a legal turn in the game's position, marker included.

        The first gesture's `after_ms` counts from whatever came before.
        """
        steps = turn_steps(game, turn, self.rng)
        gestures = [Gesture(self.pause_ms(), *step) for step in steps]
        self.last = []
        if self.rough:
            for name, habit in HABITS.items():
                is_due = self.rng.random() < habit.share / habit.possible
                if is_due and habit.add(_Scene(self, game, gestures)):
                    self.last.append(name)
                    self.habits[name] += 1
        return gestures

    def arrange(self, board: Pieces, wanted: Pieces) -> list[Gesture]:
        """Return gestures that turn what lies there into what is wanted; markers go first."""
        gestures: list[Gesture] = []
        for first, end in ((FOCUS, SPACES + 6), (0, SPACES)):
            span = range(first, end)
            lifts = {at: board[at] for at in span if at in board and board[at] != wanted.get(at)}
            places = {at: wanted[at] for at in span if at in wanted and board.get(at) != wanted[at]}
            held = Counter(places.values()) - Counter(lifts.values())
            steps = in_any_order(lifts, places, held, self.rng)
            gestures += [Gesture(self.pause_ms(), *step) for step in steps]
        return gestures

    def bump(self, board: Pieces) -> list[Gesture]:
        """Return how a sleeve moves some pieces to other free spaces, in half a second."""
        rng = self.rng
        pieces = [sensor for sensor in board if sensor < SPACES]
        lifts = rng.sample(pieces, min(len(pieces), rng.randint(*_BUMPED)))
        most_ms = _BUMP_MS // (2 * len(lifts)) if lifts else 0
        taken = {sensor for sensor in board if sensor < SPACES}
        held: list[int] = []  # where the pieces in the sleeve came from
        gestures: list[Gesture] = []
        while lifts or held:
            if lifts and (not held or rng.random() < 0.5):
                sensor = origin = lifts.pop()
                held.append(sensor)
                taken.discard(sensor)
            else:
                origin = held.pop(rng.randrange(len(held)))
                free = [at for at in range(SPACES) if at not in taken and at != origin]
                near = [at for at in free if at >> 4 == origin >> 4]
                sensor = rng.choice(near or free)
                taken.add(sensor)
            after_ms = rng.randint(_PASSING_MS, most_ms) if gestures else self.pause_ms()
            gestures.append(Gesture(after_ms, sensor, sensor in taken, board[origin]))
        return gestures


# ---- habits


class _Scene(NamedTuple):
    """A turn that a habit may add gestures to."""

    hand: Hand
    game: Game
    gestures: list[Gesture]

    @property
    def rng(self) -> Random:
        return self.hand.rng

    def board(self, end: int) -> Pieces:
        board = pieces_of(self.game.state)
        for gesture in self.gestures[:end]:
            if gesture.flicker_ms or gesture.choice:
                continue
            if gesture.closed:
                board[gesture.sensor] = gesture.piece
            else:
                del board[gesture.sensor]
        return board

    def taps(self, also_carrying: bool) -> set[int]:
        """Return the gestures that tap what is offered, between which nobody does anything else.

        With `also_carrying` those that carry a piece there belong to them.
        """
        found: set[int] = set()
        for at, gesture in enumerate(self.gestures):
            choice = gesture.choice
            if choice and (also_carrying or choice.meaning not in _CARRYING):
                found.update(range(at + 1, at + 1 + choice.taps))
        return found

    def insert(self, at: int, *steps: LiftOrPlace) -> None:
        """Add lifts and places, each in its own time."""
        self.gestures[at:at] = [Gesture(self.hand.pause_ms(), *step) for step in steps]

    def pass_by(self, at: int, sensor: int, flicker_ms: int) -> None:
        following = self.gestures[at]
        before_ms = self.rng.randint(_PASSING_MS, max(_PASSING_MS, following.after_ms))
        after_ms = max(_PASSING_MS, following.after_ms - before_ms - flicker_ms)
        closes = sensor not in self.board(at)
        self.gestures[at : at + 1] = [
            Gesture(before_ms, sensor, closes, following.piece, flicker_ms=flicker_ms),
            following._replace(after_ms=after_ms),
        ]


def _change_mind(scene: _Scene) -> bool:
    """Do a legal first action, and undo it; with modules it is a plain move."""
    game, rng = scene.game, scene.rng
    tree = game.legal()
    firsts = [
        tree.records[base + SEQUENCE]
        for base in range(tree.firsts * RECORD_WORDS, tree.seconds * RECORD_WORDS, RECORD_WORDS)
        if not tree.records[base + STATUS] & BARRED
    ]
    if tree.has_modules:
        firsts = [first for first in firsts if all(map(is_plain, actions_of(game, first)))]
    if not firsts:
        return False
    (action,) = actions_of(game, rng.choice(firsts))
    held = Counter(action.lifts.values()) - Counter(action.places.values())
    undo = in_any_order(action.places, action.lifts, held, rng)
    scene.insert(0, *action_steps(action, pieces_of(game.state), rng), *undo)
    return True


def _drop_and_lift(scene: _Scene) -> bool:
    """Let a piece lie for a moment on its way, or where it goes."""
    rng, gestures = scene.rng, scene.gestures
    taps = scene.taps(False)
    places = [at for at, each in enumerate(gestures) if _is_placed(each) and at not in taps]
    if not places:
        return False
    at = rng.choice(places)
    target = gestures[at]
    board = scene.board(at)
    free = [sensor for sensor in _around(target.sensor) if sensor not in board]
    spot = target.sensor if not free or rng.random() < 0.5 else rng.choice(free)
    dropped = target._replace(sensor=spot)
    lifted = Gesture(rng.randint(*_LIES_MS), spot, False, target.piece)
    placed = target._replace(after_ms=scene.hand.pause_ms())
    gestures[at : at + 1] = [dropped, lifted, placed]
    return True


def _adjust_bystander(scene: _Scene) -> bool:
    """Lift a piece that the turn does not touch, and put it back."""
    rng = scene.rng
    touched = {gesture.sensor for gesture in scene.gestures}
    pieces = pieces_of(scene.game.state)
    bystanders = [sensor for sensor in pieces if sensor < SPACES and sensor not in touched]
    if not bystanders:
        return False
    sensor = rng.choice(bystanders)
    steps = [LiftOrPlace(sensor, closed, pieces[sensor]) for closed in (False, True)]
    taps = scene.taps(True)
    scene.insert(rng.choice([at for at in range(len(scene.gestures)) if at not in taps]), *steps)
    return True


def _try_marker(scene: _Scene) -> bool:
    """Move the marker to its era, and home or to the other era, before it goes there."""
    rng = scene.rng
    placed = scene.gestures[-1]
    spots = FOCUS + 3 * scene.game.mover
    other = rng.choice([at for at in range(spots, spots + 3) if at != placed.sensor])
    owner = scene.game.mover
    steps = [(placed.sensor, True), (placed.sensor, False), (other, True), (other, False)]
    scene.insert(len(scene.gestures) - 1, *[LiftOrPlace(at, closed, owner) for at, closed in steps])
    return True


def _pass_middle(scene: _Scene) -> bool:
    """Slide the marker over the spot between past and future."""
    lifted, placed = scene.gestures[-2:]
    if abs(placed.sensor - lifted.sensor) != 2:
        return False
    middle = (placed.sensor + lifted.sensor) // 2
    scene.pass_by(len(scene.gestures) - 1, middle, scene.rng.randint(*_MIDDLE_MS))
    return True


def _slide_over_neighbour(scene: _Scene) -> bool:
    """Pass a reed beside the way of a piece that is carried."""
    rng, gestures = scene.rng, scene.gestures
    taps = scene.taps(False)
    carried = [
        at
        for at in range(1, len(gestures))
        if _is_lifted(gestures[at - 1])
        and not gestures[at].flicker_ms
        and not gestures[at].choice
        and at not in taps
    ]
    if not carried:
        return False
    at = rng.choice(carried)
    source = gestures[at - 1].sensor
    target = next((each.sensor for each in gestures[at:] if _is_placed(each)), source)
    near = {sensor for spot in _way(source, target) for sensor in _around(spot)}
    sensor = rng.choice(sorted(near - {source, target}))
    scene.pass_by(at, sensor, rng.randint(*_SLIDE_MS))
    return True


class Habit(NamedTuple):
    """Something that a rough hand does now and then beside the turn.

    `share` is how often it happens, of all turns; `possible` the share of turns of random games
    that have room for it (not every turn lifts a piece, or takes the marker past the middle).
    """

    share: float
    possible: float
    add: Callable[[_Scene], bool]


HABITS: Mapping[str, Habit] = {
    "changes its mind": Habit(0.05, 0.88, _change_mind),
    "drops a piece": Habit(0.03, 0.86, _drop_and_lift),
    "adjusts a bystander": Habit(0.05, 1.0, _adjust_bystander),
    "tries the marker": Habit(0.02, 1.0, _try_marker),
    "passes the middle": Habit(0.03, 0.34, _pass_middle),
    "slides over a neighbour": Habit(0.10, 0.88, _slide_over_neighbour),
}
"""In the order in which they are added: what only passes by comes last."""


def _is_lifted(gesture: Gesture) -> bool:
    return not gesture.closed and gesture.sensor < SPACES and not gesture.flicker_ms


def _is_placed(gesture: Gesture) -> bool:
    return (
        gesture.closed and gesture.sensor < SPACES and not gesture.flicker_ms and not gesture.choice
    )


def _around(sensor: int) -> list[int]:
    """Return the spaces of the same era that touch a space, corners included."""
    era, row, column = sensor >> 4, sensor >> 2 & 3, sensor & 3
    return [
        era << 4 | other_row << 2 | other_column
        for other_row in range(max(0, row - 1), min(3, row + 1) + 1)
        for other_column in range(max(0, column - 1), min(3, column + 1) + 1)
        if (other_row, other_column) != (row, column)
    ]


def _way(source: int, target: int) -> list[int]:
    """Return the spaces that a piece passes: straight ahead, and from board to board none."""
    if source >> 4 != target >> 4:
        return [source, target]
    steps = max(abs((source >> 2 & 3) - (target >> 2 & 3)), abs((source & 3) - (target & 3)))
    way = [source]
    for step in range(1, steps + 1):
        row = round((source >> 2 & 3) + ((target >> 2 & 3) - (source >> 2 & 3)) * step / steps)
        column = round((source & 3) + ((target & 3) - (source & 3)) * step / steps)
        way.append(source & 48 | row << 2 | column)
    return way
