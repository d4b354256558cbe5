"""`play`: the real table, mirrored, shown and logged."""

from __future__ import annotations

import json
import math
import os
import queue
import stat
import sys
import threading
import time
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from chronotable_host.commands.shared import ArchiveFolder, Json, console, say
from chronotable_host.errors import UserError, printable
from ttykm.notation import PLAYERS, NotationError, parse_player

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Happening, Mirror
    from chronotable_host.live.player import Player
    from chronotable_host.live.session import Session

app = typer.Typer()

_ONCE_PATIENCE_S = 30.0
_PICTURE_S = 0.25  # after a turn the LEDs change within this time
_TYPED_BYTES = 4096
_NO = 1

Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the table, as brightness=night or hints_black=off; may be repeated.",
    ),
]
KeepEvents = Annotated[
    bool,
    typer.Option(
        "--events", help="Keep what the reeds felt, too, as a script for `chronotable table`."
    ),
]

_ENDS = {"normal": "by the rules", "resigned": "by resignation", "agreed": "by agreement"}
_FAULTS = {
    "ghost": "closes with three others, so a diode may be missing; it is played around",
    "healed": "works again",
    **{
        kind: f"{kind}; it is played around"
        for kind in ("does not open", "does not close", "flickers")
    },
}
_COMMANDS = (
    "a, b, c, none (answers), undo, resign white, draw white, new, set brightness=night, quit"
)


@app.command()
def play(
    port: Annotated[
        str,
        typer.Option(metavar="PORT", help="A device, COM3, socket://host:port, or auto."),
    ] = "auto",
    white: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays white.")] = None,
    black: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays black.")] = None,
    archive: ArchiveFolder = None,
    settings: Settings = None,
    events: KeepEvents = False,
    as_json: Json = False,
    once: Annotated[bool, typer.Option("--once", help="End when a game is over.")] = False,
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Give up on a table that is away for so long; else never, with --once after 30.",
        ),
    ] = None,
) -> int:
    """Mirror, show and log the game on a real table; while it runs, type `help` for commands."""
    from chronotable_host.archive.store import Archive  # noqa: PLC0415 - half of the commands
    from chronotable_host.live.mirror import Mirror  # noqa: PLC0415
    from chronotable_host.live.player import Player  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.live.settings import parse_settings  # noqa: PLC0415

    wanted = parse_settings(settings or ())
    if patience is None:
        patience = _ONCE_PATIENCE_S if once else math.inf
    names = {"White": white, "Black": black}
    headers = {name: value for name, value in names.items() if value}
    with Archive(archive) as games:
        show = _Show(as_json)
        mirror = show.mirror = Mirror(show.hear, games, headers, resumes=True, keeps_events=events)
        session = Session(mirror)
        player = Player(session, port, show.hear, patience)
        desk = _Desk(show, session, _Typed(sys.stdin), once, wanted)
        try:
            player.run(desk.is_done)
        except KeyboardInterrupt:
            pass
        finally:
            player.close()
            mirror.close()
        _say_where(mirror, player)
    return _NO if once and not mirror.ended else 0


def _say_where(mirror: Mirror, player: Player) -> None:
    """Say where the game is, and whether it can be gone on with."""
    if mirror.file is None:
        return
    result = mirror.file.record.headers["Result"]
    again = "; `chronotable play` goes on with it" if result == "*" else ""
    times = f"; interruptions of the line: {player.losses}" if player.losses else ""
    say(f"record: {mirror.file.path}{again}{times}")
    if mirror.events.path is not None:
        say(f"events: {mirror.events.path}")


class _Typed:
    """The lines that a person or another program types, without waiting for them.

    The thread reads from the descriptor: one that sits in `sys.stdin.readline` holds a lock that
    the interpreter wants when it ends.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        number = _descriptor(stream)
        if number is not None:
            threading.Thread(target=self._read, args=(number,), name="typed", daemon=True).start()

    def take(self) -> str | None:
        """Return the next line, None where there is none."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def _read(self, number: int) -> None:
        rest = b""
        while True:
            try:
                data = os.read(number, _TYPED_BYTES)
            except OSError:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace"))
            if not data:
                if rest:
                    self._lines.put(rest.decode("utf-8", "replace"))
                return


def _descriptor(stream: TextIO | None) -> int | None:
    """Return the descriptor of a terminal or a pipe; None for anything else."""
    try:
        number = -1 if stream is None else stream.fileno()
        if os.isatty(number) or stat.S_ISFIFO(os.fstat(number).st_mode):
            return number
    except (OSError, ValueError):
        pass
    return None


class _Desk:
    """What is done between two exchanges: settings, typed commands, the picture, the end.

    A table that was switched on anew has forgotten its settings and is told them again.
    """

    def __init__(
        self,
        show: _Show,
        session: Session,
        typed: _Typed,
        once: bool,
        settings: dict[str, int] | None = None,
    ) -> None:
        self._show = show
        self._session = session
        self._typed = typed
        self._once = once
        self._settings = settings or {}
        self._set_up: tuple[str, int] | None = None  # the table that has the settings

    def is_done(self) -> bool:
        """Do what is due and tell whether to end."""
        self._show.refresh()
        peer = self._session.mirror.peer
        if peer is not None and (peer.unique_id, peer.boot) != self._set_up:
            self._set_up = peer.unique_id, peer.boot
            self._set(self._settings)
        while (line := self._typed.take()) is not None:
            if line.strip().lower() in ("quit", "q", "exit"):
                return True
            self._obey(line.lower().split())
        return self._once and self._session.mirror.ended > 0

    def _set(self, settings: dict[str, int]) -> None:
        """Send settings to the table."""
        from chronotable_host.live.settings import number_of  # noqa: PLC0415

        for name, value in settings.items():
            self._session.command("set", setting=number_of(name), value=value)

    def _obey(self, words: list[str]) -> None:
        from chronotable.frames import LocalLinkError  # noqa: PLC0415
        from chronotable_host.live.settings import parse_settings  # noqa: PLC0415
        from ttykm import layout  # noqa: PLC0415

        session = self._session
        try:
            match words:
                case []:
                    pass
                case ["a" | "b" | "c" as choice]:
                    session.command("answer", choice=choice)
                case ["none"]:
                    session.command("answer", choice="n")
                case ["undo"]:
                    session.command("undo")
                case ["resign" | "draw" as name, side]:
                    session.command(name, side="wb"[parse_player(side)])
                case ["new"]:
                    session.set_up(layout.new_state(), session.mirror.game.options)
                case ["set", *settings] if settings:
                    wanted = parse_settings(settings)
                    self._settings.update(wanted)
                    self._set(wanted)
                case ["help" | "?"]:
                    say(f"commands: {_COMMANDS}")
                case _:
                    say(f"'{printable(' '.join(words))}' is no command; there are {_COMMANDS}")
        except (LocalLinkError, NotationError, UserError) as error:
            say(str(error))


class _Show:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self.mirror: Mirror | None = None
        self._as_json = as_json
        self._console = console()
        self._picture_due_s = math.inf
        self._boards: set[str] = set()

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if "connected" in happening:
            self._check_board()
        if self._as_json:
            print(json.dumps(happening), flush=True)
            return
        if "leds" in happening and self._picture_due_s != math.inf:
            self._picture_due_s = 0
        if {"turn", "started", "joined", "taken_back"} & happening.keys():
            self._picture_due_s = time.monotonic() + _PICTURE_S
        for name, value in happening.items():
            line = self._line(name, value, happening)
            if line:
                style = "bold" if name in ("turn", "game_over") else ""
                self._console.print(printable(line), style=style)

    def refresh(self) -> None:
        """Draw the table, once the LEDs show the new turn."""
        from chronotable_host.live.picture import highlights, legend  # noqa: PLC0415
        from chronotable_host.text import can_draw_lines, draw  # noqa: PLC0415

        if self.mirror is None or time.monotonic() < self._picture_due_s:
            return
        self._picture_due_s = math.inf
        leds = self.mirror.leds
        lines = can_draw_lines(sys.stdout.encoding)
        self._console.print(draw(self.mirror.game.state, highlights(leds), lines))
        if any(leds):
            self._console.print(" LEDs: " + legend(leds), style="dim")

    def _line(self, name: str, value: Any, happening: Happening) -> str:
        """Return a happening for people, "" for what the picture shows."""
        if name in ("started", "joined"):
            player = PLAYERS["wb".find(value[-1])]
            begins = "A game begins" if name == "started" else "Here is a game in progress"
            return f"{begins}; {player} is to move."
        if name == "turn":
            number, player = self._last_turn()
            how = happening["understood"]
            return f"{number}. {player}: {value}" + ("" if how == "certain" else f"  ({how})")
        if name == "ask":
            choices = "   ".join(f"{letter}: {turn}" for letter, turn in value.items())
            return f"  which turn was it?   {choices}"
        if name == "guide":
            parts = [f"{verb} {', '.join(value[verb])}" for verb in ("take", "put") if value[verb]]
            return f"  {'; '.join(parts)}: {value['why']}"
        if name == "fault":
            return f"  {value['space']} {_FAULTS.get(value['kind'], value['kind'])}"
        if name == "game_over":
            who = "The game is drawn" if value == "draw" else f"{value.capitalize()} wins"
            counts = ", ".join(f"{count} {how}" for how, count in happening["understood"].items())
            return f"{who} {_ENDS[happening['by']]}. Turns understood: {counts}."
        if name == "gap":
            return f"  the table had no room for its events {value[0]} to {value[1]}"
        if name == "mismatch":
            return f"  turn {value['turn_no']}, {value['turn']}, does not fit what is known here"
        told = {
            "connected": "Connected: the board is {}.",
            "lost": "Lost: {}.",
            "provisional": "  understood as {}",
            "reopened": "  the turn goes on",
            "taken_back": "  taken back: {}",
            "refused": "  {}",
            "log": "  the table says: {}",
        }
        return told[name].format(value) if name in told else ""

    def _last_turn(self) -> tuple[int, str]:
        """Return number and player of the last turn."""
        game = None if self.mirror is None else self.mirror.game
        return (0, "?") if game is None else (len(game.turns), PLAYERS[1 - game.mover])

    def _check_board(self) -> None:
        """Remark on a board that is not known here."""
        from chronotable_host import boards  # noqa: PLC0415

        peer = None if self.mirror is None else self.mirror.peer
        if peer is None or peer.board_name in self._boards:
            return
        self._boards.add(peer.board_name)
        if peer.board_name not in [name[:12] for name in boards.names()]:
            say(f"the board '{printable(peer.board_name)}' is not known here; that does no harm")
