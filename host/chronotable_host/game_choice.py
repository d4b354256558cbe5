"""Which game a command plays: its modules, refused while their chapter is locked, and its start."""

from __future__ import annotations

from array import array
from random import Random
from typing import NamedTuple

from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.output import say
from chronotable_host.rules.notation import (
    UnknownModuleError,
    format_modules,
    parse_modules,
    parse_position,
    with_box_pieces,
)
from chronotable_host.rules.record import DRAW
from ttykm import objects

STANDARD = "standard"

_SEEDS = 1 << 32


class GameChoice(NamedTuple):
    """The modules to play, and what drew them, "" where they were named."""

    modules: int
    draw: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a record that say how the modules were drawn."""
        return {DRAW: self.draw} if self.draw else {}

    def start(self) -> array[int]:
        """Return the state to set up on a table; raises LockedError."""
        return unlocked_state(objects.new_state(self.modules))


def choose_game(name: str | None, seed: int | None = None) -> GameChoice:
    """Return the game that `--modules` names; a drawn one is printed, with the seed to repeat it.

    Raises LockedError, and UserError for an unknown name and for a seed that no record can hold.
    """
    word = (name or STANDARD).lower()
    if word == chapters.NAMES[-1]:
        chapters.require(objects.ALL_MODULES)
        number = Random().randrange(_SEEDS) if seed is None else seed
        if not 0 <= number < _SEEDS:
            raise UserError(
                tr(
                    "--seed {seed}: a draw takes a number from 0 to {most}",
                    seed=seed,
                    most=_SEEDS - 1,
                )
            )
        drawn = GameChoice(objects.convergence(number), f"{word} {number}")
        say(
            tr(
                "{game}, seed {number}: {modules}",
                game=word,
                number=number,
                modules=format_modules(drawn.modules),
            )
        )
        return drawn
    chapters.require(chapters.modules_in(word))
    try:
        return GameChoice(parse_modules(word))
    except UnknownModuleError as error:
        hint = tr("'chronotable unlock --status' names what is unlocked")
        raise UserError(
            tr("--modules {name}: there is no such game; {hint}", name=name, hint=hint)
        ) from error


def choose_drawn_game(name: str | None, draw: int | None) -> GameChoice:
    """Return what `choose_game` does; raises UserError for a seed where nothing is drawn, too."""
    chosen = choose_game(name, draw)
    if draw is not None and not chosen.draw:
        raise UserError(tr("--seed {draw}: nothing is drawn for this game", draw=draw))
    return chosen


def read_position(text: str) -> array[int]:
    """Return the state of a position that was typed.

    Raises NotationError, LockedError, and UserError for one with more pieces than are in the box:
    every position that is asked about could be set up on a table.
    """
    chapters.require(chapters.modules_in(text))
    return with_box_pieces(parse_position(text))


def unlocked_state(state: array[int], options: int = 0) -> array[int]:
    """Return the state if its chapter is unlocked; raises LockedError."""
    chapters.require(objects.modules_of(state), options)
    return state
