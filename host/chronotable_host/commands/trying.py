"""`try`: a virtual table, no hardware needed."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host import chapters
from chronotable_host.chosen import choose
from chronotable_host.commands.chosen import ModulesName, WithChapters
from chronotable_host.commands.paging import Listen, NoBrowser
from chronotable_host.commands.play import KeepEvents, Settings
from chronotable_host.commands.seats import ME, NAMES, THINKING, seat
from chronotable_host.commands.shared import ArchiveFolder, GameOptions, option_bits
from chronotable_host.commands.table import BoardName, Image, RuntimeName
from ttykm.notation import PLAYERS

if TYPE_CHECKING:
    from ttykm.game import Game

app = typer.Typer()

PlayerName = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(NAMES),
        help="Who plays this side: one of the built-in players, or you; else thinking, and on the"
        " page you have white.",
    ),
]


@app.command(name="try", cls=WithChapters)
def try_(
    headless: Annotated[
        bool, typer.Option("--headless", help="In this terminal, without the page.")
    ] = False,
    white: PlayerName = None,
    black: PlayerName = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Repeat the built-in players' choices.")
    ] = None,
    turns: Annotated[
        int, typer.Option(min=1, metavar="N", help="With --headless: stop after so many turns.")
    ] = 1000,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="With --headless: only say how the game ended.")
    ] = False,
    modules: ModulesName = None,
    option: GameOptions = None,
    runtime: RuntimeName = "cpython",
    image: Image = None,
    board: BoardName = "reference",
    settings: Settings = None,
    events: KeepEvents = False,
    listen: Listen = None,
    no_browser: NoBrowser = False,
    archive: ArchiveFolder = None,
) -> int:
    """Play on a virtual table: hands lift and place, the firmware understands, the page shows."""
    from chronotable_host import boards  # noqa: PLC0415
    from chronotable_host.archive.store import Archive  # noqa: PLC0415
    from chronotable_host.commands.at_terminal import (  # noqa: PLC0415
        play_here,
        report,
        say_where,
    )
    from chronotable_host.live.audience import Audience  # noqa: PLC0415
    from chronotable_host.live.mirror import Mirror  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.live.settings import parse_settings, spelled  # noqa: PLC0415
    from chronotable_host.virtual import chance  # noqa: PLC0415
    from chronotable_host.virtual.table import (  # noqa: PLC0415
        VirtualTable,
        open_runtime,
        settings_for,
    )

    names = (seat(white, THINKING if headless else ME), seat(black, THINKING))
    # with people, or in real time, the same seed makes another game
    is_repeated = seed is not None and headless and ME not in names
    if seed is None:
        seed = Random().randrange(1 << 32)
    plan = boards.read(board)
    options = option_bits(option)
    chosen = choose(modules, seed)
    state = chosen.start()
    wanted = parse_settings(settings or ())
    own = {**settings_for(state, options), **wanted}
    # all that the game depends on: the same table plays the same game, and no other one
    run = json.dumps([seed, names, turns, own, chosen.headers, runtime, board])
    who = chance.seeded(run) if is_repeated else chance.real()
    headers = {
        player.capitalize(): "you" if name == ME else name
        for player, name in zip(PLAYERS, names, strict=True)
        if headless or names != (ME, ME)  # two people have names of their own
    }
    with Archive(archive) as games:
        audience = Audience()
        mirror = Mirror(audience.tell, games, {**headers, **chosen.headers}, keeps_events=events)
        session = Session(mirror, lock=None if headless else chapters)
        plan_json = boards.find(board).read_bytes()
        machine = open_runtime(runtime, plan, plan_json, own, image, chance=who)
        virtual = VirtualTable(machine, plan, session, Random(seed))
        game: Game | None = None
        try:
            if headless:
                start = (state, options)
                game = play_here(virtual, mirror, audience, start, names, seed, turns, quiet)
            else:
                from chronotable_host.commands.on_page import play_there  # noqa: PLC0415

                where = (spelled(wanted), archive, listen, no_browser)
                play_there(virtual, session, audience, board, state, names, seed, *where)
        finally:
            virtual.close()
            mirror.close()
        if game is not None:
            report(mirror, game, seed, virtual.now_ms)
        else:
            say_where(mirror)
    return 0
