"""Which game is played: what people type for it, refused or hidden while its chapter is locked."""

from __future__ import annotations

from array import array
from random import Random
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand

from chronotable_host import chapters
from chronotable_host.commands.shared import say
from chronotable_host.errors import UserError
from chronotable_host.positions import boxed
from ttykm import objects
from ttykm.notation import UnknownModuleError, format_modules, parse_modules, parse_position
from ttykm.record import DRAW

_SEEDS = 1 << 32
STANDARD = "standard"

ModulesName = Annotated[
    str | None,
    typer.Option("--modules", metavar="NAME", hidden=True, help="What is played."),
]
DrawNumber = Annotated[
    int | None, typer.Option("--seed", metavar="N", hidden=True, help="Repeat what is drawn.")
]


class WithChapters(TyperCommand):
    """A command whose help tells of the chapters that are unlocked, and of no other.

    Without any, the help is what the options say of themselves.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        shown = chapters.shown()
        texts = {
            "modules": f"What is played: {', '.join(_playable(shown))}.",
            "draw": f"Have {chapters.NAMES[-1]} draw what it drew with this seed.",
            "option": f"An option of the rules: {', '.join(_options(shown))}; may be repeated.",
        }
        due = {"modules": 1, "draw": chapters.COUNT, "option": 1}
        for param in self.params:
            if param.name in texts and shown >= due[param.name]:
                option: Any = param
                option.hidden, option.help = False, texts[param.name]
        super().format_help(ctx, formatter)


class Chosen(NamedTuple):
    """The modules to play, and what drew them, "" where they were named."""

    modules: int
    draw: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What a record of the game says besides."""
        return {DRAW: self.draw} if self.draw else {}

    def start(self) -> array[int]:
        """Return the state to set up on a table; raises UserError where it cannot play it."""
        return on_table(objects.new_state(self.modules))


def choose(name: str | None, seed: int | None = None) -> Chosen:
    """Return what `--modules` names; what is drawn is said, with the seed that draws it again.

    Raises LockedError, and UserError for a name of nothing and a seed that no record takes.
    """
    word = (name or STANDARD).lower()
    if word == chapters.NAMES[-1]:
        chapters.require(objects.ALL_MODULES)
        number = Random().randrange(_SEEDS) if seed is None else seed
        if not 0 <= number < _SEEDS:
            raise UserError(f"--seed {seed}: a draw takes a number from 0 to {_SEEDS - 1}")
        drawn = Chosen(objects.convergence(number), f"{word} {number}")
        say(f"{word}, seed {number}: {format_modules(drawn.modules)}")
        return drawn
    chapters.require(chapters.modules_in(word))
    try:
        return Chosen(parse_modules(word))
    except UnknownModuleError as error:
        hint = "'chronotable unlock --status' names what is unlocked"
        raise UserError(f"--modules {name}: there is no such game; {hint}") from error


def choose_drawn(name: str | None, draw: int | None) -> Chosen:
    """Return what `choose` does; raises UserError for a seed where nothing is drawn, too."""
    chosen = choose(name, draw)
    if draw is not None and not chosen.draw:
        raise UserError(f"--seed {draw}: nothing is drawn for this game")
    return chosen


def read_position(text: str) -> array[int]:
    """Return the state of a position that was typed.

    Raises NotationError, LockedError, and UserError for one that no box has the pieces for: what
    the rules are asked about can be set up on a table, too.
    """
    chapters.require(chapters.modules_in(text))
    return boxed(parse_position(text))


def on_table(state: array[int], options: int = 0) -> array[int]:
    """Return a state that a table may play on from; raises LockedError."""
    chapters.require(objects.modules_of(state), options)
    return state


def _playable(shown: int) -> list[str]:
    """Return what `--modules` takes with so many chapters unlocked."""
    names = [STANDARD, *chapters.NAMES[:shown]]
    return [*names, "any of the three joined by +"] if shown == chapters.COUNT else names


def _options(shown: int) -> list[str]:
    """Return what `--option` takes with so many chapters unlocked."""
    known = [option for chapter in range(shown + 1) for option in chapters.options_of(chapter)]
    return [f"{name}={'|'.join(values)}" for name, values in known]
