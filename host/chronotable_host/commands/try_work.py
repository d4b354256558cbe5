"""What `try` does: a game on a virtual table, in the terminal or on the page."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from chronotable_host import boards, chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.seats import ME
from chronotable_host.commands.shared import option_bits
from chronotable_host.commands.try_terminal import (
    play_in_terminal,
    report,
    say_where,
)
from chronotable_host.game_choice import choose_game
from chronotable_host.live.audience import Audience
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.settings import parse_settings, spelled
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.virtual import chance
from chronotable_host.virtual.table import (
    VirtualTable,
    open_runtime,
    settings_for,
)
from ttykm.game import Game


def play_on(
    headless: bool,
    names: tuple[str, str],
    seed: int | None,
    turns: int,
    quiet: bool,
    modules: str | None,
    option: list[str] | None,
    runtime: str,
    image: Path | None,
    board: str,
    settings: list[str] | None,
    events: bool,
    listen: str | None,
    no_browser: bool,
    archive: Path | None,
) -> int:
    """Play as the options of `try` say, and return the exit status; `names` are the players'."""
    # only games that nobody plays in real time come out the same from one seed
    is_repeated = seed is not None and headless and ME not in names
    if seed is None:
        seed = Random().randrange(1 << 32)
    plan = boards.read(board)
    options = option_bits(option)
    chosen = choose_game(modules, seed)
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
        mirror = Mirror(audience.tell, games, {**headers, **chosen.headers}, records_events=events)
        session = Session(mirror, lock=None if headless else chapters)
        plan_json = boards.find(board).read_bytes()
        machine = open_runtime(runtime, plan, plan_json, own, image, chance=who)
        virtual = VirtualTable(machine, plan, session, Random(seed))
        game: Game | None = None
        try:
            if headless:
                start = (state, options)
                game = play_in_terminal(virtual, mirror, audience, start, names, seed, turns, quiet)
            else:
                from chronotable_host.commands.try_page import play_on_page  # noqa: PLC0415

                where = (spelled(wanted), archive, listen, no_browser)
                play_on_page(virtual, session, audience, board, state, names, seed, *where)
        finally:
            virtual.close()
            mirror.close()
        if game is not None:
            report(mirror, game, seed, virtual.now_ms)
        else:
            say_where(mirror)
    return 0
