"""`table`: the firmware against a script of physical events."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chronotable_host import boards
from chronotable_host.commands.shared import GameOptions, option_bits, read_text
from chronotable_host.errors import UserError
from ttykm import layout
from ttykm.notation import parse_position

if TYPE_CHECKING:
    from chronotable.board import Board
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.virtual.runtime import Runtime
    from chronotable_host.virtual.table import VirtualTable

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
        str | None,
        typer.Option("--script", metavar="FILE", help="Events as JSON lines; - for stdin."),
    ] = None,
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
    serve: Annotated[
        str | None,
        typer.Option(
            "--serve",
            metavar="pty|PORT",
            help="Be a table for `play` in real time, on a pty or a TCP port, until Ctrl-C.",
        ),
    ] = None,
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

    if script is None and serve is None:
        raise UserError("a table needs something to do: --script FILE, or --serve")
    plan = boards.read(board)
    state = layout.new_state() if start is None else parse_position(start)
    cells = (len(plan.row_pins), len(plan.col_pins))
    name = script or ""
    events = scripts.parse_script(read_text(name), name, cells) if script else []
    settings = settings_for(state, option_bits(option))
    mirror = Mirror(_print, trace=trace)
    session = Session(mirror, _print if trace else None)
    machine = open_runtime(runtime, plan, boards.find(board).read_bytes(), settings, image)
    if serve is not None:
        _serve(
            machine, serve, plan, state, lambda virtual: scripts.run_script(virtual, events, name)
        )
        return
    virtual = VirtualTable(machine, plan, session)
    try:
        virtual.put_up(state)
        scripts.run_script(virtual, events, name)
    finally:
        virtual.close()
    check_answered(mirror)
    _print({"t_ms": int(virtual.now_ms), "counters": {**mirror.understood, **mirror.counters}})


def check_answered(mirror: Mirror) -> None:
    """Raise UserError where the firmware left words on the line and never greeted."""
    if mirror.peer is None and mirror.logs:
        said = next((line for line in mirror.logs if "needs MicroPython" in line), mirror.logs[-1])
        raise UserError(f"the firmware does not run there; it says: {said}")


def _serve(
    machine: Runtime,
    where: str,
    plan: Board,
    state: array[int],
    hands: Callable[[VirtualTable], None],
) -> None:
    """Let hands play on a table that another program has on its line; go on until Ctrl-C."""
    from chronotable_host.virtual.serve import Served, open_line  # noqa: PLC0415
    from chronotable_host.virtual.table import VirtualTable  # noqa: PLC0415

    try:
        line = open_line(where)
    except UserError:
        machine.close()
        raise
    served = Served(machine, line)
    _print({"t_ms": int(served.now_ms), "serving": line.name})
    virtual = VirtualTable(served, plan, None)
    try:
        virtual.put_up(state)
        hands(virtual)
        served.run(lambda: False)
    except KeyboardInterrupt:
        pass
    finally:
        virtual.close()


def _print(happening: dict[str, Any]) -> None:
    print(json.dumps(happening), flush=True)
