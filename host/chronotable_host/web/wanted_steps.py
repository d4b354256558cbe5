"""The steps of a turn that hands carry out for a player without hands, from its start.

The table lights one action after the other; how far the hands are is read off these lights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import name_of
from chronotable_host.language import names, tr
from chronotable_host.rules.notation import ERAS
from chronotable_host.virtual.steps import Action, actions_of
from chronotable_host.virtual.tabletop import look_of
from chronotable_host.web.todo import Todo, asked_by, steps
from ttykm import layout
from ttykm.game import Game

_ACTIONS = 0xFFFF
_TAKE = (meanings.TODO_TAKE, meanings.DIG)
_PUT = (meanings.TODO_PUT, meanings.PUT_WHITE, meanings.PUT_BLACK, meanings.PLANT, meanings.BUILD)


class _Move(NamedTuple):
    """A piece that goes from a sensor to another one; None is the box."""

    start: int | None
    end: int | None
    look: str


class WantedSteps:
    """The steps of the turn that is wanted now."""

    def __init__(self) -> None:
        self._of: tuple[int, bytes] = 0, b""
        self._steps: list[tuple[_Move, Todo]] = []
        self._places: set[int] = set()
        self._now = 0  # the step that was due last

    def look(self, game: Game, turn: int, leds: Sequence[int]) -> list[Todo]:
        """Return the steps of a legal turn, those that are done marked.

        Empty where the lights ask for something that is no part of it.
        """
        wanted = turn, game.state.tobytes()
        if wanted != self._of:
            self._of, self._now = wanted, 0
            self._steps = [(move, _step_of(move)) for move in _moves(game, turn)]
            self._places = {at for _, step in self._steps for at in step.at}
            # hands may take the copy that goes back with them, and leave the new one where it was
            self._places.update(action.start for action in actions_of(game, turn & _ACTIONS))
        if not self._places >= asked_by(leds).keys():
            return []
        lit = [at for at, (move, _) in enumerate(self._steps) if _is_lit(move, leds)]
        # a space may be left in one action and entered in another one, so hands do not go back
        # unless there is no other way to read the lights
        if not lit:
            return []
        self._now = next((at for at in lit if at >= self._now), lit[0])
        return [step._replace(is_done=at < self._now) for at, (_, step) in enumerate(self._steps)]


def _is_lit(move: _Move, leds: Sequence[int]) -> bool:
    is_taken = move.start is not None and leds[move.start] in _TAKE
    return is_taken or (move.end is not None and leds[move.end] in _PUT)


def _moves(game: Game, turn: int) -> Iterator[_Move]:
    for action in actions_of(game, turn & _ACTIONS):
        yield from _in_order(_moves_of(action))
    first, side = FOCUS + len(ERAS) * game.mover, game.mover
    start, end = first + layout.focus(game.state, side), first + layout.turn_focus(turn)
    yield _Move(start, end, look_of(side, start))


def _moves_of(action: Action) -> Iterator[_Move]:
    """Yield what one action moves; a piece that comes is one of its kind that goes, if one does."""
    going = {at: look_of(piece, at) for at, piece in action.lifts.items()}
    for end, piece in action.places.items():
        look = look_of(piece, end)
        start = next((at for at, other in going.items() if other == look), None)
        if start is not None:
            del going[start]
        yield _Move(start, end, look)
    for start, look in going.items():
        yield _Move(start, None, look)


def _in_order(moves: Iterable[_Move]) -> Iterator[_Move]:
    """Yield first what makes room for others."""
    left = list(moves)
    while left:
        taken = {move.start for move in left}
        free = (move for move in left if move.end not in taken - {move.start})
        due = next(free, left[0])
        left.remove(due)
        yield due


def _step_of(move: _Move) -> Todo:
    start, end, look = move
    if start is not None and start >= FOCUS and end is not None:
        (step,) = steps({start: meanings.TODO_TAKE, end: meanings.TODO_PUT})
        return step
    piece = name_of(look)
    if end is None:
        assert start is not None
        place = names.place(sensor_name(start))
        says = tr("Take the {piece} away from {place}.", piece=piece, place=place)
        return Todo(says, (start,))
    if start is None:
        place = names.place(sensor_name(end))
        says = tr("Put a {piece} from the box on {place}.", piece=piece, place=place)
        return Todo(says, (end,), (end,), look)
    says = tr(
        "Move the {piece} from {start} to {end}.",
        piece=piece,
        start=names.place(sensor_name(start)),
        end=names.place(sensor_name(end)),
    )
    return Todo(says, (start, end), (end,), look)
