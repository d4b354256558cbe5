"""`bench`: the budgets of the table, measured here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.commands.shared import Busy, Json, print_json
from chronotable_host.commands.table import Image
from chronotable_host.errors import UserError

app = typer.Typer()

_IMAGE_VARIABLE = "CHRONOTABLE_UF2"


@app.command()
def bench(
    image: Image = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="Only these: rules, size, scan, latency, heap, link, sensing, fuzz, kills,"
            " faults, soak; may be repeated.",
        ),
    ] = None,
    sensing: Annotated[
        bool,
        typer.Option(
            "--sensing", help="Also play games by people: clean, rough, with broken reeds."
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Games: 100 for sensing and kills, 200 for faults, 400 for soak (100 hours), 3 on"
            " the emulated table; inputs: 20000 for fuzz.",
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=2, metavar="N", help="Positions in which reed to light is measured.")
    ] = 40,
    as_json: Json = False,
) -> None:
    """Measure every budget of the table, on this computer and on an emulated RP2040.

    What needs a MicroPython image (--image, or CHRONOTABLE_UF2) is left out without one. The exit
    status says nothing about the budgets.
    """
    from chronotable_host.bench import figures, report, run  # noqa: PLC0415 - half of the package

    if image is None and os.environ.get(_IMAGE_VARIABLE):
        image = Path(os.environ[_IMAGE_VARIABLE])
    try:
        keys = figures.wanted(only or [], sensing)
    except ValueError as error:
        raise UserError(str(error)) from error
    with Busy("measuring") as busy:
        found = run.measure(
            keys,
            image,
            games,
            positions,
            lambda what, done, total: busy.report(done, total, what),
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
