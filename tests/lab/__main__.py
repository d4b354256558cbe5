"""`python -m tests.lab`, in a clone: the budgets of the table, measured here.

It reports and judges nothing: the exit status says nothing about the budgets.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from chronotable_host import chapters
from chronotable_host.cli import run_app
from chronotable_host.commands.common.options import Image, Json
from chronotable_host.commands.common.terminal import Busy, print_json
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game
from chronotable_host.hardware.firmware.uf2 import micropython
from tests.lab import figures, report
from tests.lab import run as measuring
from tests.lab.people.place import BOARD
from ttykm.objects import ALL_MODULES

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_EVERY_SET = "all"
_IMAGE_VARIABLE = "CHRONOTABLE_UF2"


def run(words: Sequence[str]) -> int:
    """Measure what `words` say and return the exit status; usage errors end as in `chronotable`."""
    return run_app(app, "python -m tests.lab", words)


@app.command()
def lab(
    image: Image = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="Only these: rules, size, scan, latency, heap, thinking, link, sensing, fuzz,"
            " kills, faults, helping, accidents, doctor, page, readers, analysis, flash; may"
            " be repeated.",
        ),
    ] = None,
    sensing: Annotated[
        bool,
        typer.Option(
            "--sensing", help="Also play games by people: clean, rough, heedless, broken reeds."
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Games: 100 for sensing and kills, 200 for faults, 3 on the emulated table;"
            " inputs: 20000 for fuzz; lifts: 50 for page; points: 100 for flash.",
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=2, metavar="N", help="Positions in which reed to light is measured.")
    ] = 40,
    modules: Annotated[
        str | None,
        typer.Option("--modules", metavar="NAME|all", hidden=True, help="Also play these games."),
    ] = None,
    tables: Annotated[
        int, typer.Option(min=1, metavar="N", help="Faulty tables that the doctor examines.")
    ] = 100,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Of the first of these; the others count on from it.")
    ] = 0,
    board: Annotated[
        str, typer.Option("--board", metavar="NAME", help="Of the emulated table.")
    ] = BOARD,
    as_json: Json = False,
) -> None:
    """Measure every budget of the table, on this computer and on an emulated RP2040.

    What needs a MicroPython image (--image, or CHRONOTABLE_UF2) is left out without one. The exit
    status says nothing about the budgets.
    """
    if image is None and os.environ.get(_IMAGE_VARIABLE):
        image = Path(os.environ[_IMAGE_VARIABLE])
    if image is not None:
        micropython(image)  # told now, and not after half an hour
    try:
        keys = figures.wanted(only or [], sensing)
    except ValueError as error:
        raise UserError(str(error)) from error
    sets = _sets(modules)
    with Busy("measuring") as busy:
        found = measuring.measure(
            keys,
            image,
            games,
            positions,
            lambda what, done, total: busy.report(done, total, what),
            sets,
            tables,
            seed,
            board,
        )
    if as_json:
        print_json(
            {
                "image": None if image is None else str(image),
                "figures": [figure.as_json() for figure in found],
                "notes": list(report.NOTES),
            }
        )
        return
    for line in report.lines(found):
        print(line)


def _sets(name: str | None) -> list[int]:
    """Return the sets of modules that `--modules` names; raises LockedError and UserError."""
    if name == _EVERY_SET:
        chapters.require(ALL_MODULES)
        return list(range(1, ALL_MODULES + 1))
    modules = choose_game(name).modules
    return [modules] if modules else []


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
