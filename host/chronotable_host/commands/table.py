"""`table`: the firmware against a script of physical events."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chronotable_host import boards, chapters
from chronotable_host.chosen import choose_drawn, on_table, read_position
from chronotable_host.commands.chosen import DrawNumber, ModulesName, WithChapters
from chronotable_host.commands.shared import GameOptions, option_bits, read_text
from chronotable_host.errors import UserError

if TYPE_CHECKING:
    from chronotable.wiring import Board
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.virtual.runtime import Runtime
    from chronotable_host.virtual.table import VirtualTable

app = typer.Typer()

# \b keeps the lines as they are
_EVENTS = """An event of a script is a line such as {"t_ms":1200,"lift":"past 1"}: a time since
power-on, never before that of the line above, and exactly one of

\b
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
"""

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


@app.command(epilog=_EVENTS, cls=WithChapters)
def table(
    script: Annotated[
        str | None,
        typer.Option("--script", metavar="FILE", help="Events as JSON lines; - for stdin."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="POSITION", help="What lies there; else the start."),
    ] = None,
    modules: ModulesName = None,
    draw: DrawNumber = None,
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
    from chronotable_host.virtual import chance  # noqa: PLC0415
    from chronotable_host.virtual import script as scripts  # noqa: PLC0415
    from chronotable_host.virtual.table import (  # noqa: PLC0415
        VirtualTable,
        open_runtime,
        settings_for,
    )

    if script is None and serve is None:
        raise UserError("a table needs something to do: --script FILE, or --serve")
    if start is not None and modules is not None:
        raise UserError("--start says what is played; leave --modules out")
    plan = boards.read(board)
    chosen = choose_drawn(modules, draw)
    state = chosen.start() if start is None else read_position(start)
    options = option_bits(option)
    name = script or ""
    text = read_text(name) if script else ""
    chapters.require(chapters.modules_in(text))
    parsed = scripts.parse_script(text, name, has_matrix=not plan.register_pins)
    if parsed.start is not None:
        if start is not None or option:
            raise UserError("the script says how the table starts; leave --start and --option out")
        if modules is not None:
            raise UserError("the script says how the table starts; leave --modules out")
        state, options = parsed.start
    state = on_table(state, options)
    settings = settings_for(state, options)
    mirror = Mirror(_print, trace=trace)
    session = Session(mirror, _print if trace else None)
    plan_json = boards.find(board).read_bytes()
    # whoever plays on a served table keeps its games, which are to be told from all others
    who = chance.REPEATED if serve is None else chance.real()
    machine = open_runtime(runtime, plan, plan_json, settings, image, chance=who)
    if serve is not None:
        _serve(
            machine, serve, plan, state, lambda virtual: scripts.run_script(virtual, parsed, name)
        )
        return
    virtual = VirtualTable(machine, plan, session)
    try:
        virtual.put_up(state)
        scripts.run_script(virtual, parsed, name)
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
    virtual = VirtualTable(served, plan, None)
    try:
        _print({"t_ms": int(served.now_ms), "serving": line.name})
        virtual.put_up(state)
        hands(virtual)
        served.run(lambda: False)
    except KeyboardInterrupt:
        pass
    finally:
        virtual.close()


def _print(happening: dict[str, Any]) -> None:
    print(json.dumps(happening), flush=True)
