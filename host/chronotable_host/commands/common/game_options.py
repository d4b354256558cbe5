"""The options that choose a game, and help that is silent about locked chapters."""

from __future__ import annotations

import copy
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from chronotable_host import chapters
from chronotable_host.game_choice import STANDARD
from chronotable_host.language import tr

ModulesName = Annotated[
    str | None,
    typer.Option("--modules", metavar="NAME", hidden=True, help="What is played."),
]
LessonNumber = Annotated[
    int | None,
    typer.Option("--lesson", metavar="1..5", help="Learn the game: begin with this lesson."),
]
PuzzleName = Annotated[
    str | None,
    typer.Option(
        "--puzzle",
        metavar="N|today|next",
        help="Solve puzzles, beginning with this one; see `chronotable puzzles`.",
    ),
]
HintSides = Annotated[
    str | None,
    typer.Option(
        "--hints",
        metavar="white|black|both|none",
        help="Who may ask for hints; by itself who plays against a program.",
    ),
]
AnalysedGame = Annotated[
    str | None,
    typer.Option(
        "--analyse",
        metavar="GAME",
        help="Look at a game of the archive again, on the table: any position of it, turns tried"
        " there, and the best ones.",
    ),
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
            "modules": tr("What is played: {listed}.", listed=", ".join(_playable(shown))),
            "draw": tr("Have {name} draw what it drew with this seed.", name=chapters.NAMES[-1]),
            "option": tr(
                "An option of the rules: {listed}; may be repeated.",
                listed=", ".join(_options(shown)),
            ),
        }
        due = {"modules": 1, "draw": chapters.COUNT, "option": 1}
        params = self.params
        self.params = [copy.copy(param) for param in params]
        for param in self.params:
            if param.name in texts and shown >= due[param.name]:
                option: Any = param
                option.hidden, option.help = False, texts[param.name]
        try:
            super().format_help(ctx, formatter)
        finally:  # the same command may be asked again where less is unlocked
            self.params = params


def _playable(shown: int) -> list[str]:
    """Return what `--modules` takes with so many chapters unlocked."""
    names = [STANDARD, *chapters.NAMES[:shown]]
    return [*names, tr("any of the three joined by +")] if shown == chapters.COUNT else names


def _options(shown: int) -> list[str]:
    """Return what `--option` takes with so many chapters unlocked."""
    known = [option for chapter in range(shown + 1) for option in chapters.options_of(chapter)]
    return [f"{name}={'|'.join(values)}" for name, values in known]
