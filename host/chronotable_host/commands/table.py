"""`table`: the firmware against a script of physical events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from chronotable_host import boards
from chronotable_host.commands.shared import GameOptions, option_bits, read_text
from ttykm import layout
from ttykm.notation import parse_position

app = typer.Typer()

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


@app.command()
def table(
    script: Annotated[
        str, typer.Option("--script", metavar="FILE", help="Events as JSON lines; - for stdin.")
    ],
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="POSITION", help="What lies there; else the start."),
    ] = None,
    option: GameOptions = None,
    runtime: RuntimeName = "cpython",
    image: Image = None,
    board: BoardName = "reference",
    trace: Annotated[
        bool, typer.Option("--trace", help="Show reeds and the lines of the link too.")
    ] = False,
) -> None:
    """Run the firmware against a script of physical events; print what happened as JSON lines."""
    from chronotable_host.live.mirror import Mirror  # noqa: PLC0415 - half of the commands
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.virtual import script as scripts  # noqa: PLC0415
    from chronotable_host.virtual.table import (  # noqa: PLC0415
        VirtualTable,
        open_runtime,
        settings_for,
    )

    plan = boards.read(board)
    state = layout.new_state() if start is None else parse_position(start)
    cells = (len(plan.row_pins), len(plan.col_pins))
    events = scripts.parse_script(read_text(script), script, cells)
    settings = settings_for(state, option_bits(option))
    mirror = Mirror(_print, trace=trace)
    session = Session(mirror, _print if trace else None)
    machine = open_runtime(runtime, plan, boards.find(board).read_bytes(), settings, image)
    virtual = VirtualTable(machine, plan, session)
    try:
        virtual.put_up(state)
        scripts.run_script(virtual, events, script)
    finally:
        virtual.close()
    _print({"t_ms": int(virtual.now_ms), "counters": {**mirror.understood, **mirror.counters}})


def _print(happening: dict[str, Any]) -> None:
    print(json.dumps(happening), flush=True)
