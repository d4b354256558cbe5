"""What `try` does: a game on a virtual table, in the terminal or on the page."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.analysis_on_table import record_named
from chronotable_host.commands.club_at_table import ClubArguments
from chronotable_host.commands.seats import BUILT_IN, ME, PEOPLE, seat
from chronotable_host.commands.shared import option_bits
from chronotable_host.commands.taught import asked_course
from chronotable_host.commands.try_terminal import (
    learn_in_terminal,
    play_in_terminal,
    report,
    say_where,
)
from chronotable_host.engine.seats import player_name
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game
from chronotable_host.language import tr
from chronotable_host.live.hinter import parse_hints
from chronotable_host.live.settings import parse_settings, spelled
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.virtual import chance
from chronotable_host.virtual.table import settings_for
from chronotable_host.web.hand import HandDesk
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.commands.try_command import TryArguments


def play_on(arguments: TryArguments) -> int:
    """Play as the arguments of `try` say, and return the exit status."""
    headless, seed, board = arguments.headless, arguments.seed, arguments.board
    # one that is not there is refused before a table is opened
    course = asked_course(arguments.lesson, arguments.puzzle, arguments.archive)
    if headless and arguments.puzzle is not None:
        raise UserError(tr("in the terminal `chronotable puzzles play` has the puzzles"))
    if headless and arguments.analyse is not None:
        raise UserError(tr("an analysis is on the page: leave --headless out"))
    if arguments.hints is not None:
        parse_hints(arguments.hints)
    names = (seat(arguments.white, BUILT_IN if headless else ME), seat(arguments.black, BUILT_IN))
    club = ClubArguments(arguments.club, arguments.token, arguments.club_name)
    club.check()
    # only games that nobody plays in real time come out the same from one seed
    is_repeated = seed is not None and headless and not set(PEOPLE) & set(names)
    if seed is None:
        seed = Random().randrange(1 << 32)
    options = option_bits(arguments.option)
    chosen = choose_game(arguments.modules, seed)
    state = chosen.start()
    wanted = parse_settings(arguments.settings or ())
    own = {**settings_for(state, options), **wanted}
    # all that the game depends on: the same table plays the same game, and no other one
    depends_on = [seed, names, arguments.turns, own, chosen.headers, arguments.runtime, board]
    who = chance.seeded(json.dumps(depends_on)) if is_repeated else chance.real()
    headers = {
        player: "you" if name in PEOPLE else player_name(name)
        for player, name in zip(PLAYER_NAMES, names, strict=True)
        if headless or not set(names) <= set(PEOPLE)  # two people have names of their own
    }
    with (
        Archive(arguments.archive) as games,
        HandDesk(
            *(games, {**headers, **chosen.headers}, state, options),
            records_events=arguments.events,
            lock=None if headless else chapters,
        ) as desk,
    ):
        analysed = None if arguments.analyse is None else record_named(games, arguments.analyse)
        desk.switch_on(board, Random(seed), wanted, arguments.runtime, arguments.image, who)
        club.join(desk, plays_alone=headless)
        game: Game | None = None
        if headless and arguments.lesson is not None:
            learn_in_terminal(desk, arguments.lesson, seed)
        elif headless:
            game = play_in_terminal(desk, arguments, names, seed)
        else:
            from chronotable_host.commands.try_page import play_on_page  # noqa: PLC0415

            play_on_page(desk, arguments, names, seed, spelled(wanted), course, analysed)
    if game is not None:
        report(desk.mirror, game, seed, desk.table.now_ms)
    else:
        say_where(desk.mirror)
    return 0
