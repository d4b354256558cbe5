"""The hand: how a person carries out a turn on the table, gesture by gesture.

It lifts and places pieces, in any order that an action allows; which turn that is the table has to
find out. The action button is pressed until the lights offer what is wanted; where they ask which
copy acts, that one is lifted and put back. A question is answered by the letter of the turn that
was meant.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.steps import ButtonChoice, actions_of, turn_steps
from chronotable_host.virtual.tabletop import look_of
from ttykm import layout
from ttykm.game import Game

LETTERS = "abc"
"""Of the choices of a question."""

_MOST_PRESSES = 16  # or taps: more than two rounds through all kinds of actions


def choose(
    target: int,
    choice: ButtonChoice,
    look: Callable[[], bytes],
    press: Callable[[], None],
    tap: Callable[[int], None],
) -> bool:
    """Press until the target is lit for the choice; False where that does not come.

    `look` returns the picture of a moment later, `press` presses the mover's action button, `tap`
    lifts the copy on a sensor and puts it back. The turn before may still be provisional.
    """
    for _ in range(_MOST_PRESSES):
        picture = look()
        if picture[target] == choice.meaning:
            return True
        if picture[choice.copy] == meanings.QUESTION:
            tap(choice.copy)
        else:
            press()
    return False


def letter_meant(game: Game, choices: Sequence[int], aim: "array[int]") -> str | None:
    """Return the letter of the choice that leads to a position, None where none does."""
    after = array("H", aim)
    for letter, choice in zip(LETTERS, choices, strict=False):
        if game.after(choice, after) and after == aim:
            return letter
    return None


CLEAN_MS = (120, 700)
"""Between gestures."""


class Gesture(NamedTuple):
    """One lift (`closed` False) or place of a magnet, `after_ms` after the gesture before it.

    `piece` is which one it is (steps.py). With `flicker_ms` nothing is lifted or placed: a magnet
    that is carried past closes a reed for so long, or, where a piece lies, opens it. Nor is it with
    a `choice`: the action button is pressed until the sensor is lit for it.
    """

    after_ms: int
    sensor: int
    closed: bool
    piece: int = layout.WHITE
    choice: ButtonChoice | None = None
    flicker_ms: int = 0


def act_out(game: Game, turn: int, rng: Random, is_orderly: bool = False) -> list[Gesture]:
    """Return the gestures of a legal turn in the game's position, marker included.

    The first gesture's `after_ms` counts from whatever came before; `is_orderly` as in steps.py.
    """
    steps = turn_steps(game, turn, rng, is_orderly)
    return [Gesture(rng.randint(*CLEAN_MS), *step) for step in steps]


# ---- which piece belongs where the lights of a virtual table only ask for one

_ACTIONS = 0xFFFF


def due_pieces(
    game: Game, there: dict[int, str], places: set[int], wanted: int | None = None
) -> dict[int, str]:
    """Return what is due on spaces, by sensor; `there` is what lies now and need not go away.

    It is that of the position, or of the action of a legal turn, that misses the fewest pieces, of
    the turn alone that is `wanted`; empty where nothing leads on from there.
    """
    best = min(_fitting(game, there, places, wanted), key=len, default={})
    return {at: best[at] for at in places if at in best}


def sure_pieces(game: Game, there: dict[int, str], places: set[int]) -> dict[int, str]:
    """Return of `due_pieces` what is the same in all that misses as few pieces.

    In `there` a piece that nobody knows is "".
    """
    fitting = list(_fitting(game, there, places))
    fewest = min(map(len, fitting), default=0)
    best = [lying for lying in fitting if len(lying) == fewest]
    found = {at: {lying[at] for lying in best} for at in places if best}
    return {at: looks.pop() for at, looks in found.items() if len(looks) == 1}


def _fitting(
    game: Game, there: dict[int, str], places: set[int], wanted: int | None = None
) -> Iterator[dict[int, str]]:
    spaces = {at: piece for at, piece in there.items() if at < FOCUS}
    for lying in _on_the_way(game, wanted):
        if places | spaces.keys() <= lying.keys() and all(
            piece in ("", lying[at]) for at, piece in spaces.items()
        ):
            yield lying


def _on_the_way(game: Game, wanted: int | None) -> Iterator[dict[int, str]]:
    """Yield what lies on the spaces in a position and after each action that may be made there."""
    start = pieces_of(game.state)
    yield _looks_in(start)
    turns = game.legal_turns() if wanted is None else [wanted]
    for sequence in {turn & _ACTIONS for turn in turns}:
        lying = dict(start)
        for action in actions_of(game, sequence):
            for at in action.lifts:
                del lying[at]
            lying.update(action.places)
            yield _looks_in(lying)


def _looks_in(lying: dict[int, int]) -> dict[int, str]:
    return {at: look_of(piece, at) for at, piece in lying.items() if at < FOCUS}
