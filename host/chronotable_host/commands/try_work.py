"""What `try` does: a game on a virtual table, in the terminal or on the page."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from chronotable_host import chapters
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.commands.common.options import ClubArguments
from chronotable_host.commands.common.terminal import option_bits
from chronotable_host.commands.try_terminal import (
    BUILT_IN,
    EASIEST,
    PEOPLE,
    learn_in_terminal,
    play_in_terminal,
    report,
    say_where,
    seat,
)
from chronotable_host.engine.thinkers import LEVEL
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game
from chronotable_host.language import tr
from chronotable_host.live.players.hinter import parse_hints
from chronotable_host.live.players.matching import matched, results_of
from chronotable_host.live.players.seats import AS_YOU, ME, YOU, player_name
from chronotable_host.live.players.tutor import course_of, record_named
from chronotable_host.live.settings import parse_settings
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.record import RESULTS
from chronotable_host.virtual import chance
from chronotable_host.virtual.pace import Pace
from chronotable_host.virtual.table import settings_for
from chronotable_host.web.hand import HandDesk
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.commands.try_command import TryArguments
    from chronotable_host.learning.course import TableCourse
    from chronotable_host.rules.record import Record

_PAUSE_S = 0.004


def opponent_for(archive: Path | None) -> str:
    """Return who plays against somebody who named nobody: the easiest until a game was finished."""
    with Archive(archive) as games:
        is_known = any(
            games.games(GameFilter(result=result), 1) for result in RESULTS if result != "*"
        )
    return AS_YOU if is_known else EASIEST


def _matched(name: str, archive: Path | None) -> str:
    """Return who plays for all of a game in the terminal, where AS_YOU is a level."""
    if name != AS_YOU:
        return name
    with Archive(archive) as games:
        level, says = matched(results_of(games, YOU))
    say(says)
    return f"{LEVEL}{level:g}"


def play_on(arguments: TryArguments) -> int:
    """Play as the arguments of `try` say, and return the exit status."""
    headless, seed, board = arguments.headless, arguments.seed, arguments.board
    # one that is not there is refused before a table is opened
    course = course_of(arguments.lesson, arguments.puzzle, arguments.archive)
    if headless and arguments.puzzle is not None:
        raise UserError(tr("in the terminal `chronotable puzzles play` has the puzzles"))
    if headless and arguments.analyse is not None:
        raise UserError(tr("an analysis is on the page: leave --headless out"))
    if arguments.hints is not None:
        parse_hints(arguments.hints)
    built_in = BUILT_IN if headless else opponent_for(arguments.archive)
    names = (seat(arguments.white, built_in if headless else ME), seat(arguments.black, built_in))
    if headless:
        names = _matched(names[0], arguments.archive), _matched(names[1], arguments.archive)
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
        player: YOU if name in PEOPLE else player_name(name)
        for player, name in zip(PLAYER_NAMES, names, strict=True)
        if headless or not set(names) <= set(PEOPLE)  # two people have names of their own
    }
    with (
        Archive(arguments.archive) as games,
        HandDesk(
            games,
            {**headers, **chosen.headers},
            state,
            options,
            records_events=arguments.events,
            lock=None if headless else chapters,
        ) as desk,
    ):
        analysed = None if arguments.analyse is None else record_named(games, arguments.analyse)
        kind, image = arguments.runtime, arguments.image
        desk.switch_on(board, Random(seed), wanted, kind, image=image, chance=who)
        club.join(desk, plays_alone=headless)
        game: Game | None = None
        if headless and arguments.lesson is not None:
            learn_in_terminal(desk, arguments.lesson, seed)
        elif headless:
            game = play_in_terminal(desk, arguments, names, seed)
        else:
            desk.session.settings = wanted
            _play_on_page(desk, arguments, names, seed, course, analysed)
    if game is not None:
        report(desk.mirror, game, seed, desk.table.now_ms)
    else:
        say_where(desk.mirror)
    return 0


def _play_on_page(
    desk: HandDesk,
    arguments: TryArguments,
    names: tuple[str, str],
    seed: int,
    course: TableCourse | None,
    analysed: Record | None,
) -> None:
    """Serve the page until Ctrl-C; `names` are those of the players.

    `course` begins at once, and so does the analysis of `analysed`. Raises UserError where it
    cannot be served.
    """
    from chronotable_host.commands.common.page_server import serve  # noqa: PLC0415
    from chronotable_host.web.page import open_page  # noqa: PLC0415

    page = open_page(desk, arguments.board, arguments.archive, names, seed, arguments.hints)
    tutor, analysis = desk.tutor, desk.analysis
    assert tutor is not None
    assert analysis is not None
    if course is not None:
        tutor.teach(course)
    if analysed is not None:
        analysis.begin(analysed)
    serve(page, arguments.archive, arguments.listen, arguments.no_browser)
    pace = Pace(desk.table.now_ms)
    with suppress(KeyboardInterrupt):
        while True:
            desk.run_until(pace.due_ms(desk.table.now_ms))
            time.sleep(_PAUSE_S)
