"""`table`: the firmware against a script of physical events."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.arguments import takes
from chronotable_host.commands.game_options import DrawNumber, ModulesName, WithChapters
from chronotable_host.commands.shared import GameOptions
from chronotable_host.errors import UserError
from chronotable_host.language import tr

app = typer.Typer()

# \b keeps the lines as they are
_EVENTS = "{}\n\n\b\n{}\n\n{}".format(
    tr(
        "An event of a script is a line such as {example}: a time since power-on, never before "
        "that of the line above, and exactly one of",
        example='{"t_ms":1200,"lift":"past 1"}',
    ),
    tr(
        """\
  "lift", "place": a space ("past 3") or a focus spot ("focus white past")
  "press": undo, action, resign, each with "side"; a, b, c, draw
  "plug": true; "unplug": true; "power": "on" or "off"
  "bounce_ms": 0 to 50, how long contacts bounce from here on
  "stuck": a reed, with "closed": true, false or "flicker"; null cures it
  "slow": a reed, with "ms": 0 to 1000, how much later it follows; 0 cures it
  "diode": a reed or button, with "present": false, or true again
  "row", "column": a wire of the matrix, from 0, with "cut": true, or false again
  "cell": [row, column], or [chip, input] where shift registers read the reeds, with
      "closed": true or false
  "start": a position, in the first line only, with "options" of the rules
  nothing more: time passes until then"""
    ),
    tr(
        "A line from stdin is done when it comes: what happened until its time is printed, then "
        "{done}, before the next one is read. What hands do shows in the lights, {leds}, some 50 "
        "ms later: let time pass to see it. A board with a piezo tells its sounds, too: "
        "turn, question or wrong.",
        done='{"t_ms":1200,"done":true}',
        leds='{"t_ms":1225,"leds":{"past 1":"lifted"}}',
    ),
)

BoardName = Annotated[
    str, typer.Option("--board", metavar="NAME", help="A board's name, or a board file.")
]
RuntimeName = Annotated[
    str, typer.Option("--runtime", metavar="cpython|rp2040", help="Where the firmware runs.")
]
Image = Annotated[
    Path | None,
    typer.Option("--image", metavar="UF2", help="A MicroPython image, for the emulated RP2040."),
]


class TableArguments(NamedTuple):
    """What `table` takes."""

    script: Annotated[
        str | None,
        typer.Option("--script", metavar="FILE", help="Events as JSON lines; - for stdin."),
    ] = None
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="POSITION", help="What lies there; else the start."),
    ] = None
    modules: ModulesName = None
    draw: DrawNumber = None
    option: GameOptions = None
    runtime: RuntimeName = "cpython"
    image: Image = None
    board: BoardName = "reference"
    trace: Annotated[
        bool, typer.Option("--trace", help="Show reeds and the lines of the link too.")
    ] = False
    serve: Annotated[
        str | None,
        typer.Option(
            "--serve",
            metavar="pty|PORT",
            help="Be a table for `play` in real time, on a pty or a TCP port, until Ctrl-C.",
        ),
    ] = None


@app.command(epilog=_EVENTS, cls=WithChapters)
@takes(TableArguments)
def table(arguments: TableArguments) -> None:
    """Run the firmware against a script of physical events; print what happened as JSON lines."""
    from chronotable_host.commands.table_work import run  # noqa: PLC0415

    if arguments.script is None and arguments.serve is None:
        raise UserError(tr("a table needs something to do: --script FILE, or --serve"))
    if arguments.start is not None and arguments.modules is not None:
        raise UserError(tr("--start says what is played; leave --modules out"))
    run(arguments)
