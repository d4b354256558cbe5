"""What `try` does: a game on a virtual table, in the terminal or on the page."""

from __future__ import annotations

import json
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING

from chronotable_host import boards, chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.analysis_on_table import record_named
from chronotable_host.commands.club_at_table import ClubArguments, printed, told
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
from chronotable_host.live.audience import Audience
from chronotable_host.live.hinter import parse_hints
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.settings import parse_settings, spelled
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.virtual import chance
from chronotable_host.virtual.table import (
    VirtualTable,
    open_runtime,
    settings_for,
)
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.commands.try_command import TryArguments
    from chronotable_host.engine.thinkers import Seats


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
    plan = boards.read(board)
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
    with ExitStack() as closing, Archive(arguments.archive) as games:
        name = arguments.analyse
        analysed = None if name is None else record_named(games, name)
        audience = Audience()
        mirror = Mirror(
            audience.tell, games, {**headers, **chosen.headers}, records_events=arguments.events
        )
        session = Session(mirror, lock=None if headless else chapters)
        plan_json = boards.find(board).read_bytes()
        machine = open_runtime(arguments.runtime, plan, plan_json, own, arguments.image, chance=who)
        virtual = VirtualTable(machine, plan, session, Random(seed))
        game: Game | None = None
        try:
            at_page: list[Seats] = []  # who plays there, once the page is served
            tell_club = closing.enter_context(
                told(
                    *(club, arguments.archive, audience, session),
                    tell=printed if headless else None,
                    start=None if headless else (state, options),  # the program plays its own game
                    seats=lambda: at_page[0] if at_page else None,
                )
            )
            if headless:
                # nothing comes by between two turns
                audience.add(lambda _happening: tell_club())
            if headless and arguments.lesson is not None:
                learn_in_terminal(virtual, session, audience, arguments.lesson, seed)
            elif headless:
                game = play_in_terminal(
                    virtual,
                    session,
                    audience,
                    (state, options),
                    names,
                    seed,
                    arguments.turns,
                    arguments.quiet,
                    arguments.hints,
                )
            else:
                from chronotable_host.commands.try_page import play_on_page  # noqa: PLC0415

                play_on_page(
                    virtual,
                    session,
                    audience,
                    board,
                    state,
                    names,
                    seed,
                    spelled(wanted),
                    arguments.archive,
                    arguments.listen,
                    arguments.no_browser,
                    course,
                    arguments.hints,
                    analysed,
                    beside=tell_club,
                    sat=at_page.append,
                )
        finally:
            closing.close()
            virtual.close()
            mirror.close()
        if game is not None:
            report(mirror, game, seed, virtual.now_ms)
        else:
            say_where(mirror)
    return 0
