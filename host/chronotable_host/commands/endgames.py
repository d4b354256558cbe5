"""`endgames`: makes what is known of positions with few pieces."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.engine.endgames import Material, file_name, folders, tablebase
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.output import say

_EVERY_S = 30

app = typer.Typer()
_family = typer.Typer(help="Work out how positions with few pieces end.", no_args_is_help=True)
app.add_typer(_family, name="endgames")


class PiecesName(str, Enum):
    """How many pieces both players have, on the boards and in supply."""

    TWO_TWO = "2v2"
    THREE_TWO = "3v2"
    THREE_THREE = "3v3"


@_family.command()
def make(
    which: Annotated[
        PiecesName, typer.Argument(metavar="PIECES", help="Of both players: 2v2, 3v2 or 3v3.")
    ] = PiecesName.THREE_THREE,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where the file goes; else beside the games."),
    ] = None,
) -> int:
    """Work out who wins with so many pieces, and in how many turns; begun work is gone on with."""
    try:
        from chronotable_host.engine.endgames_making import Maker  # noqa: PLC0415 - needs an extra
    except ImportError as error:
        raise UserError(
            tr("endgames are worked out with numpy; in the clone: `pip install -q '.[endgames]'`")
        ) from error
    material = Material(*map(int, which.value.split("v")))
    for each in material.closed()[:-1]:
        if tablebase(each) is None:
            name = f"{each.own}v{each.other}"
            raise UserError(tr("first comes `chronotable endgames make {pieces}`", pieces=name))
    folder = out or folders()[-1]
    path = folder / file_name(material)
    maker = Maker(material, path.with_suffix(".work"))
    begun = told = time.monotonic()

    def tell(line: str) -> None:
        nonlocal told
        told = time.monotonic()
        say(tr("{min} min: {what}", min=round((told - begun) / 60), what=line))

    for done, count in maker.prepare():
        if time.monotonic() - told > _EVERY_S or done == count:
            tell(tr("{done} of {count} parts are prepared", done=done, count=count))
    for turns, count in maker.solve():
        tell(tr("{count} positions end in {turns} turns of both", count=count, turns=turns))
    maker.finish(path)
    print(path)
    return 0
