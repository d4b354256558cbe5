"""What `try` does: a game on a virtual table, on the page or in the terminal."""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from chronotable_host import chapters
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.commands.common.options import ClubArguments
from chronotable_host.commands.common.terminal import console, option_bits
from chronotable_host.commands.common.typed_lines import ask_turn, print_boards
from chronotable_host.engine.levels import DEFAULT, LevelPlayer
from chronotable_host.engine.thinkers import HINT_LEVEL, KNOWN, LEVEL, AtOnce, chooser_of
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.language.names import PLAYERS_WITHIN, UNDERSTOOD, WINS
from chronotable_host.learning.course import TRY
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.live.happenings import Happening, Notice, Turn
from chronotable_host.live.players.hinter import Hinter, parse_hints
from chronotable_host.live.players.matching import matched, results_of
from chronotable_host.live.players.person import Person
from chronotable_host.live.players.seats import (
    AS_YOU,
    GUEST,
    HANDS,
    ME,
    PAGE,
    YOU,
    parse_seat,
    player_name,
)
from chronotable_host.live.players.tutor import Tutor, course_of, record_named
from chronotable_host.live.settings import parse_settings
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.record import RESULTS
from chronotable_host.virtual import chance
from chronotable_host.virtual.desk import Pace
from chronotable_host.virtual.play import Hands, Misread, play
from chronotable_host.virtual.table import settings_for
from chronotable_host.web.hand import HandDesk
from ttykm.game import Game
from ttykm.layout import NOBODY, new_state

if TYPE_CHECKING:
    from chronotable_host.commands.try_command import TryArguments
    from chronotable_host.learning.course import TableCourse
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.rules.record import Record
    from chronotable_host.virtual.desk import VirtualDesk

BUILT_IN = f"level:{DEFAULT}"
EASIEST = "level:1"
PEOPLE = (ME, HANDS)
"""Who plays here: on the page by choosing turns, or with the pieces in the hand."""

_READY_MS = 1000  # the chip loads its programs
_STEP_MS = 50


def seat(name: str | None, default: str) -> str:
    """Return who plays a side; raises UserError where nobody is called so."""
    if name is None or name == ME:
        return name or default
    try:
        return name if name in (GUEST, HANDS) else parse_seat(name).name
    except UserError as error:
        if name.partition(":")[0] in ("level", "engine"):
            raise
        raise UserError(
            tr(
                "'{name}' plays no side; there are {me}, {hands}, {known}",
                name=name,
                me=ME,
                hands=HANDS,
                known=KNOWN,
            )
        ) from error


def play_in_terminal(
    desk: VirtualDesk, arguments: TryArguments, names: tuple[str, str], seed: int
) -> Game:
    """Play from the desk's start and return the game; `names` are those of its players.

    Raises UserError where the table understands another turn than was made.
    """
    rng = Random(seed)
    mirror = desk.mirror
    screen = _GamePrinter(mirror, arguments.quiet)
    desk.listeners.append(screen.hear)
    desk.table.bounce_ms = 4.0
    hands = Hands(desk.table, mirror, rng)
    game = Game()
    game.start(desk.start, desk.options)
    hinter = desk.hinter = _hinter(desk, names, arguments.hints)

    def hint() -> None:
        hands.wait(_READY_MS)  # the turn before is final then
        hinter.ask()
        hinter.step()

    try:
        with ExitStack() as seated:
            white, black = (
                partial(ask_turn, hint=hint)
                if name in PEOPLE
                else seated.enter_context(chooser_of(parse_seat(name), seed))
                for name in names
            )
            hands.set_up(desk.start)
            hands.wait(_READY_MS)
            desk.check_answered()
            screen.position()
            play(hands, game, (white, black), most_turns=arguments.turns)
    except Misread as error:
        raise UserError(
            tr("{error}; repeat with --seed {seed} to see it again", error=error, seed=seed)
        ) from error
    return game


def _hinter(desk: Desk, names: tuple[str, str], hints: str | None) -> Hinter:
    """Return who gives hints to those at the terminal; nobody else does anything meanwhile."""
    for side, name in enumerate(names):
        who = Person(PAGE) if name in PEOPLE else AtOnce(name, lambda _: None)
        desk.seats.seat_thinker(side, who)
    choose = LevelPlayer(HINT_LEVEL).choose
    hinter = Hinter(desk, lambda: AtOnce("", choose), _print_notice)
    if hints is not None:
        hinter.choose(hints)
    return hinter


def learn_in_terminal(desk: VirtualDesk, number: int, seed: int) -> None:
    """Lead through a lesson, until it is done or the input ends: hands carry out what is typed.

    Raises UserError where there is no such lesson.
    """
    lesson = LessonCourse(number)
    mirror = desk.mirror
    screen = _GamePrinter(mirror, quiet=False)
    hands = Hands(desk.table, mirror, Random(seed))

    def set_up(state: array[int], options: int) -> None:
        hands.lay(state)  # what is felt before it is asked for needs no second look
        desk.session.set_up(state, options)

    def undo() -> None:
        if tutor.course is not None:
            set_up(tutor.course.start, 0)

    desk.set_up, desk.undo = set_up, undo
    tutor = desk.tutor = Tutor(desk, 0, _print_notice)

    def wait_until(condition: Callable[[], object]) -> None:
        while not condition():
            hands.wait(_STEP_MS)
            tutor.step(desk.now_ms)

    def is_due() -> bool:
        """Tell whether a turn is, or the lesson is done."""
        course = tutor.course
        is_tried = course is not None and course.state == TRY and not mirror.game.turns
        return not tutor.is_on or (is_tried and mirror.table.phase == "turn")

    def hint() -> None:
        tutor.hint()
        print(tr("For example: {turn}", turn=lesson.exercise.turn))

    hands.set_up(new_state())
    hands.wait(_READY_MS)
    desk.check_answered()
    tutor.teach(lesson)
    wait_until(is_due)
    while tutor.is_on:
        screen.position()
        turn = ask_turn(mirror.game, hint)
        if turn is None:
            return
        game = Game()
        game.start(mirror.game.state)
        hands.act(game, turn)
        wait_until(lambda: mirror.game.turns)
        wait_until(is_due)


def _print_notice(happening: Happening) -> None:
    if isinstance(happening, Notice):
        print(f"\n{happening.notice}")


class _GamePrinter:
    """Prints the game as the table tells it: a turn is on disk before it is shown."""

    def __init__(self, mirror: Mirror, quiet: bool) -> None:
        self._mirror = mirror
        self._quiet = quiet
        self._console = console()

    def hear(self, happening: Happening) -> None:
        """Show a turn that is final, and the position after it."""
        if not isinstance(happening, Turn) or self._quiet:
            return
        game = self._mirror.game
        player = PLAYERS_WITHIN[1 - game.mover]
        self._console.print(f"\n{len(game.turns)}. {player}: {happening.turn}", style="bold")
        self.position()

    def position(self) -> None:
        """Show the position with what the LEDs say."""
        if not self._quiet:
            print_boards(self._console, self._mirror)


def report(mirror: Mirror, game: Game, seed: int, table_ms: float) -> None:
    """Say how a game ended and where it is kept."""
    won = game.winner()
    how = WINS[won] if won != NOBODY else tr_c("of a game", "stopped")
    counts = ", ".join(f"{count} {UNDERSTOOD[name]}" for name, count in mirror.understood.items())
    length = tr_n(
        "{n} turns, {table_s:.0f} s of table time",
        "{n} turns, {table_s:.0f} s of table time",
        len(game.turns),
        table_s=table_ms / 1000,
    )
    print(tr("\n{how} ({length}, seed {seed})", how=how, length=length, seed=seed))
    print(tr("understood: {counts}", counts=counts))
    say_where(mirror)


def say_where(mirror: Mirror) -> None:
    """Say where the game is kept."""
    if mirror.file is not None:
        print(tr("record: {path}", path=mirror.file.path))
    if mirror.recorder.events_path is not None:
        print(tr("events: {path}", path=mirror.recorder.events_path))


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
