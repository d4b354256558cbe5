"""`table`: the firmware against a script of physical events, or a table for other programs."""

import json
import sys
from array import array
from collections.abc import Callable, Iterator
from random import Random
from typing import Annotated, Any, NamedTuple

import typer

from chronotable.hardware.wiring import Board
from chronotable.lights.sounds import TUNES
from chronotable_host import chapters
from chronotable_host.commands.common.options import (
    BoardName,
    DrawNumber,
    GameOptions,
    Image,
    ModulesName,
    RuntimeName,
    WithChapters,
    takes,
)
from chronotable_host.commands.common.terminal import option_bits, read_text
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_drawn_game, read_position, unlocked_state
from chronotable_host.hardware import boards
from chronotable_host.language import tr
from chronotable_host.virtual import chance
from chronotable_host.virtual import script as scripts
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.runtimes.runtime import Runtime, Tone
from chronotable_host.virtual.serve import ServedRuntime, open_line
from chronotable_host.virtual.table import VirtualTable, open_runtime, settings_for

_MOST_BYTES = 1 << 16  # of a line that is typed

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
  "pole": "white" or "black", with "place", or with "stuck" for one output of a sensor of polarity
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
    if arguments.script is None and arguments.serve is None:
        raise UserError(tr("a table needs something to do: --script FILE, or --serve"))
    if arguments.start is not None and arguments.modules is not None:
        raise UserError(tr("--start says what is played; leave --modules out"))
    start, modules, board = arguments.start, arguments.modules, arguments.board
    plan = boards.read(board)
    chosen = choose_drawn_game(modules, arguments.draw)
    state = chosen.start() if start is None else read_position(start)
    options = option_bits(arguments.option)
    name = arguments.script or ""
    has_matrix = not plan.register_pins
    # a served table goes on by the clock, and cannot wait for whoever types
    streams = name == "-" and arguments.serve is None
    if streams:
        name = "stdin"
        parsed = scripts.read_script(_typed(), name, has_matrix)
    else:
        text = read_text(name) if name else ""
        chapters.require(chapters.modules_in(text))
        parsed = scripts.parse_script(text, name, has_matrix)
    if parsed.start is not None:
        if start is not None or arguments.option:
            raise UserError(
                tr("the script says how the table starts; leave --start and --option out")
            )
        if modules is not None:
            raise UserError(tr("the script says how the table starts; leave --modules out"))
        state, options = parsed.start
    state = unlocked_state(state, options)
    if arguments.serve is not None:
        settings, image = settings_for(state, options), arguments.image
        # whoever plays there keeps its games, which are to be told from all others
        who = chance.real()
        machine = open_runtime(arguments.runtime, board, settings, image, chance=who)
        _serve(
            machine,
            arguments.serve,
            plan,
            state,
            hands=lambda virtual: scripts.run_script(virtual, parsed, name),
        )
        return
    desk = VirtualDesk(start=state, options=options, trace=arguments.trace)
    desk.listeners.append(lambda happening: _print(happening.line()))
    with desk:
        table = desk.switch_on(board, Random(0), None, arguments.runtime, image=arguments.image)
        tones = table.runtime.tones

        def done(event: scripts.Event) -> None:
            table.runtime.frames.clear()  # nobody looks at them
            _tell_sounds(tones)
            if streams:
                _print({"t_ms": event.t_ms, "done": True})

        desk.callback(_tell_sounds, tones)
        table.put_up(state)
        scripts.run_script(table, parsed, name, done)
    desk.check_answered()
    counters = {**desk.mirror.understood, **desk.mirror.table.counters}
    _print({"t_ms": desk.now_ms, "counters": counters})


def _serve(
    machine: Runtime,
    where: str,
    plan: Board,
    state: "array[int]",
    hands: Callable[[VirtualTable], None],
) -> None:
    """Let hands play on a table that another program has on its line; go on until Ctrl-C."""
    try:
        line = open_line(where)
    except UserError:
        machine.close()
        raise
    served = ServedRuntime(machine, line)
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


def _typed() -> Iterator[str]:
    """Yield the lines of stdin, each when it has come."""
    while data := sys.stdin.buffer.readline(_MOST_BYTES):
        line = data.decode("utf-8-sig", "replace")
        chapters.require(chapters.modules_in(line))
        yield line


def _tell_sounds(tones: list[Tone]) -> None:
    """Print and forget which sounds began, by their first notes."""
    for tone in tones:
        for name, (hz, *_) in TUNES.items():
            if abs(tone.hz - hz) < hz // 50:
                _print({"t_ms": int(tone.t_ms), "sound": name})
    tones.clear()


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)
