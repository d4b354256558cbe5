"""`lights`: the sheet of all lights and buttons, to be printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chronotable_host import chapters
from chronotable_host.commands.common.terminal import write_to
from chronotable_host.errors import UserError
from chronotable_host.hardware.drawings import paper, pdf
from chronotable_host.hardware.drawings.light_sheet import sheet_svg
from chronotable_host.language import tr

app = typer.Typer()


@app.command()
def lights(
    to: Annotated[
        str,
        typer.Option("--to", metavar="FILE", help="A file .svg or .pdf; - for SVG on stdout."),
    ] = "-",
) -> None:
    """Draw all lights and buttons on one page, to be printed.

    It has what the chapters that are unlocked here bring.
    """
    ending = Path(to).suffix.lower()
    if to != "-" and ending not in (".svg", ".pdf"):
        raise UserError(tr("{to}: the page is drawn as .svg or .pdf", to=to))
    sheet = sheet_svg(chapters.shown())
    write_to(to, [pdf.pdf_of(sheet) if ending == ".pdf" else paper.svg_text(sheet)])
