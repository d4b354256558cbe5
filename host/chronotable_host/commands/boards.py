"""`boards`: the hardware descriptions, listed, checked and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.commands.shared import Json, print_json

app = typer.Typer()
_family = typer.Typer(help="List the boards, check a board file, draw one.")
app.add_typer(_family, name="boards")


@_family.callback(invoke_without_command=True)
def boards(context: typer.Context, as_json: Json = False) -> None:
    """List the boards that come with Chronotable, check a board file, draw one."""
    from chronotable_host import boards as files  # noqa: PLC0415

    if context.invoked_subcommand is not None:
        return
    rows = []
    for name in files.names():
        board = files.read(name)
        rows.append(
            {
                "name": name,
                "file": str(files.find(name)),
                "leds": board.led_count,
                "led_pin": board.led_pin,
                "row_pins": list(board.row_pins),
                "col_pins": list(board.col_pins),
            }
        )
    if as_json:
        print_json(rows)
        return
    for row in rows:
        print(f"{row['name']}  {row['leds']} LEDs on GP{row['led_pin']}  {row['file']}")


@_family.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A board file, or a board's name.")],
) -> None:
    """Check a board file; what is wrong is named with its place in the file."""
    from chronotable.board import board_hash  # noqa: PLC0415
    from chronotable_host import boards as files  # noqa: PLC0415

    board = files.read(file)
    print(f"{board.name}: good, hash {board_hash(board):08x}")


@_family.command()
def draw(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A board's name, or a board file.")],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write there, not to stdout.")
    ] = None,
) -> None:
    """Draw the table of a board as an SVG picture."""
    from chronotable_host import drawing  # noqa: PLC0415

    picture = drawing.draw(name)
    if to is None:
        print(picture, end="")
    else:
        to.write_text(picture, encoding="utf-8")
