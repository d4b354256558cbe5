"""`try`: a whole game on the virtual table, no hardware needed."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host.commands.chosen import ModulesName, WithChapters, choose
from chronotable_host.commands.play import KeepEvents, Settings
from chronotable_host.commands.shared import (
    ArchiveFolder,
    GameOptions,
    console,
    option_bits,
    say,
)
from chronotable_host.commands.table import BoardName, Image, RuntimeName, check_answered
from chronotable_host.errors import UserError
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.notation import PLAYERS, NotationError, parse_turn

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Happening, Mirror
    from chronotable_host.virtual.play import Player

app = typer.Typer()

_ME = "me"
_RANDOM = "random"

PlayerName = Annotated[
    str, typer.Option(metavar="random|me", help="Who plays this side: the built-in one or you.")
]


@app.command(name="try", cls=WithChapters)
def try_(
    headless: Annotated[
        bool, typer.Option("--headless", help="In this terminal (there is no page yet).")
    ] = False,
    white: PlayerName = _RANDOM,
    black: PlayerName = _RANDOM,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Repeat the built-in players' choices.")
    ] = None,
    turns: Annotated[
        int, typer.Option(min=1, metavar="N", help="Stop after this many turns.")
    ] = 1000,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only say how the game ended.")] = False,
    modules: ModulesName = None,
    option: GameOptions = None,
    runtime: RuntimeName = "cpython",
    image: Image = None,
    board: BoardName = "reference",
    settings: Settings = None,
    events: KeepEvents = False,
    archive: ArchiveFolder = None,
) -> int:
    """Play a game on a virtual table: hands lift and place, the firmware understands."""
    from chronotable_host import boards  # noqa: PLC0415
    from chronotable_host.archive.store import Archive  # noqa: PLC0415
    from chronotable_host.live.mirror import Mirror  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.live.settings import parse_settings  # noqa: PLC0415
    from chronotable_host.virtual.play import Hands, Misread, play  # noqa: PLC0415
    from chronotable_host.virtual.table import (  # noqa: PLC0415
        VirtualTable,
        open_runtime,
        settings_for,
    )

    if not headless:
        say("There is no page yet, so the game is shown here.")
    if seed is None:
        seed = Random().randrange(1 << 32)
    rng = Random(seed)
    players = (_player(white, rng), _player(black, rng))
    plan = boards.read(board)
    options = option_bits(option)
    chosen = choose(modules, seed)
    state = chosen.start()
    own = {**settings_for(state, options), **parse_settings(settings or ())}
    names = {
        "White": "you" if white == _ME else _RANDOM,
        "Black": "you" if black == _ME else _RANDOM,
        **chosen.headers,
    }
    with Archive(archive) as games:
        show = _Show(quiet)
        mirror = Mirror(show.hear, games, names, keeps_events=events)
        show.mirror = mirror
        machine = open_runtime(runtime, plan, boards.find(board).read_bytes(), own, image)
        virtual = VirtualTable(machine, plan, Session(mirror), Random(seed))
        virtual.bounce_ms = 4.0
        hands = Hands(virtual, mirror, rng)
        game = Game()
        game.start(state, options)
        try:
            hands.set_up(state)
            hands.wait(1000)  # the chip loads its programs
            check_answered(mirror)
            show.position()
            play(hands, game, players, most_turns=turns)
        except Misread as error:
            raise UserError(f"{error}; repeat with --seed {seed} to see it again") from error
        finally:
            virtual.close()
            mirror.close()
        _report(mirror, game, seed, virtual.now_ms)
    return 0


def _player(name: str, rng: Random) -> Player:
    from chronotable_host.virtual.play import random_player  # noqa: PLC0415

    if name == _RANDOM:
        return random_player(rng)
    if name == _ME:
        return _ask_turn
    raise UserError(f"'{name}' plays no side here; a side is played by {_RANDOM} or {_ME}")


def _ask_turn(game: Game) -> int | None:
    """Read a turn from the terminal until it is a legal one; the end of the input stops."""
    from chronotable_host.text import why_text  # noqa: PLC0415

    while True:
        print(
            f"{PLAYERS[game.mover].capitalize()}'s turn, as '1 E F >future'; empty to stop: ",
            end="",
            flush=True,
        )
        line = sys.stdin.readline()
        if not line.strip():
            return None
        try:
            turn = parse_turn(line)
        except NotationError as error:
            print(error)
            continue
        problem = why_text(game, turn)
        if not problem:
            return turn
        print(problem)


class _Show:
    """Prints the game as the table tells it: a turn is on disk before it is shown."""

    mirror: Mirror

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._console = console()

    def hear(self, happening: Happening) -> None:
        """Show a turn that is final, and the position after it."""
        if "turn" not in happening or self._quiet:
            return
        game = self.mirror.game
        player = PLAYERS[1 - game.mover]
        self._console.print(f"\n{len(game.turns)}. {player}: {happening['turn']}", style="bold")
        self.position()

    def position(self) -> None:
        """Show the position with what the LEDs say."""
        from chronotable_host.live.picture import highlights, legend  # noqa: PLC0415
        from chronotable_host.text import can_draw_lines, draw  # noqa: PLC0415

        if self._quiet:
            return
        leds = self.mirror.leds
        lines = can_draw_lines(sys.stdout.encoding)
        self._console.print(draw(self.mirror.game.state, highlights(leds), lines))
        if any(leds):
            self._console.print(" LEDs: " + legend(leds), style="dim")


def _report(mirror: Mirror, game: Game, seed: int, table_ms: float) -> None:
    won = game.winner()
    how = f"{PLAYERS[won]} wins" if won != NOBODY else "stopped"
    counts = ", ".join(f"{count} {name}" for name, count in mirror.understood.items())
    length = f"{len(game.turns)} turns, {table_ms / 1000:.0f} s of table time"
    print(f"\n{how} ({length}, seed {seed})")
    print(f"understood: {counts}")
    if mirror.file is not None:
        print(f"record: {mirror.file.path}")
    if mirror.events.path is not None:
        print(f"events: {mirror.events.path}")
