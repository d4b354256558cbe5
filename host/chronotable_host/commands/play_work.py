"""What `play` does: it follows a real table, shows and logs its game, does what is typed."""

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from chronotable.link.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.options import ClubArguments
from chronotable_host.commands.common.terminal import STATUS_NO, console, is_terminal
from chronotable_host.commands.common.typed_lines import TypedLines, ask_which, print_boards
from chronotable_host.errors import UserError, printable
from chronotable_host.game_choice import choose_drawn_game
from chronotable_host.hardware import boards
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import (
    NEW_POSITION,
    Connected,
    Guide,
    Happening,
    Leds,
    Notice,
    Refused,
    Status,
)
from chronotable_host.live.line.connection import LineSource, TableConnection
from chronotable_host.live.line.port import is_in_use
from chronotable_host.live.line.port_search import Ask, PortSearch
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.clocks import OFF, parse_controls
from chronotable_host.live.players.hinter import parse_hints
from chronotable_host.live.players.seats import GUEST, is_seat, player_name
from chronotable_host.live.players.tutor import READ_MS, course_of, record_named
from chronotable_host.live.settings import LEVELS, own_level, parse_settings
from chronotable_host.live.status import LineWatch, status_lines, status_of
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.live.wishes import typed_help, typed_wish
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS

if TYPE_CHECKING:
    from chronotable_host.commands.play import PlayArguments

_ONCE_PATIENCE_S = 30.0
_PICTURE_S = 0.25  # after a turn the LEDs change within this time
QUIT = ("quit", "q", "exit")
_RULES = tr("a number such as (T12) in a message is a rule's: `chronotable rules T12` prints it")


def follow(arguments: "PlayArguments") -> int:
    """Follow a table as the arguments of `play` say, and return the exit status."""
    chosen = choose_drawn_game(arguments.modules, arguments.draw)
    start = chosen.start()
    wanted = parse_settings(arguments.settings or ())
    controls = parse_controls(arguments.clock or OFF)
    given = [arguments.white, arguments.black]
    for side, name in enumerate(given):
        if name and (level := own_level(name)):
            wanted[PLAYERS[side]] = LEVELS.index(level)
            given[side] = None  # the table tells who it is
    seats = {side: name for side, name in enumerate(given) if name and is_seat(name)}
    for name in seats.values():
        player_name(name)  # who plays no side is refused before a table is looked for
    named = {side: name for side, name in zip(PLAYER_NAMES, given, strict=True) if name}
    headers = {**named, **chosen.headers}
    course = course_of(arguments.lesson, arguments.puzzle, arguments.archive)
    if course is not None and arguments.clock:
        raise UserError(tr("a lesson has no clocks: leave --clock out"))
    if arguments.hints is not None:
        parse_hints(arguments.hints)
    typed = TypedLines(sys.stdin)
    search = PortSearch(arguments.port, arguments.table, asking(typed) if is_terminal() else None)
    patience = arguments.patience
    if patience is None:
        patience = _ONCE_PATIENCE_S if arguments.once else math.inf
    page = arguments.page
    if page is None:
        page = is_terminal() or arguments.listen is not None or GUEST in seats.values()
    if GUEST in seats.values() and not page:
        raise UserError(tr("a guest plays on the page, which --no-page leaves out"))
    club = ClubArguments(arguments.club, arguments.token, arguments.club_name)
    club.check()
    with (
        Archive(arguments.archive) as games,
        Desk(games, headers, start, 0, True, arguments.events, lock=chapters) as desk,
    ):
        connection = desk.connect(search, patience)
        screen = GameScreen(desk, arguments.as_json)
        seated = desk.seat()
        for side, seat in seats.items():
            seated.seat(side, seat)
        desk.keep_time().set(controls)
        tutor, hinter, analysis = desk.assist(pause_ms=READ_MS)
        if course is not None:
            tutor.teach_when_possible(course)
        if arguments.hints is not None:
            hinter.choose(arguments.hints)
        if arguments.analyse is not None:
            analysis.begin_when_possible(record_named(games, arguments.analyse))
        desk.session.settings = wanted
        own: dict[str, Callable[[], None]] = {}
        if page:
            from chronotable_host.commands.common.page_server import serve  # noqa: PLC0415
            from chronotable_host.web.page import MirroredPage  # noqa: PLC0415

            mirrored = MirroredPage(desk, arguments.archive)
            where = arguments.listen, arguments.no_browser
            own["address"] = serve(mirrored, arguments.archive, *where).switch
        club.join(desk)
        desk.run(PlayControl(desk, screen, typed, arguments.once, own).is_done)
    _say_where(desk.mirror, connection)
    return STATUS_NO if arguments.once and not (desk.mirror.ended or tutor.done) else 0


def asking(typed: TypedLines) -> Ask:
    """Return who asks a person at the terminal which table it is."""
    return lambda candidates: ask_which(candidates, typed, is_in_use)


def _say_where(mirror: Mirror, connection: TableConnection) -> None:
    """Say where the game is, and whether it can be gone on with."""
    if mirror.file is None:
        return
    result = mirror.file.record.headers["Result"]
    told = [tr("record: {path}", path=mirror.file.path)]
    if result == "*":
        told.append(tr("`chronotable play` goes on with it"))
    if connection.losses:
        told.append(tr("interruptions of the line: {count}", count=connection.losses))
    say("; ".join(told))
    if mirror.recorder.events_path is not None:
        say(tr("events: {path}", path=mirror.recorder.events_path))


class GameScreen:
    """Prints what happens at a desk, as JSON lines or for people."""

    def __init__(self, desk: Desk, as_json: bool) -> None:
        self._desk = desk
        self._as_json = as_json
        self._console = console()
        self._picture_due_s = math.inf
        self._boards: set[str] = set()
        desk.listeners.append(self.hear)

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        mirror = self._desk.mirror
        if isinstance(happening, Connected):
            happening = self._meet(happening)
        if self._as_json:
            print(json.dumps(happening.line()), flush=True)
            return
        if isinstance(happening, Leds) and self._picture_due_s != math.inf:
            self._picture_due_s = 0
        if isinstance(happening, NEW_POSITION):
            self._picture_due_s = time.monotonic() + _PICTURE_S
        if isinstance(happening, Refused) and happening.refused == mirror.table.refusal:
            return  # it is said at the end
        for kind, line in sentences(happening, mirror.game):
            style = "bold" if kind in ("turn", "game_over") else ""
            self._console.print(printable(line), style=style)
        if isinstance(happening, Guide):
            # seldom needed, and slow to load
            from chronotable_host.web.todo import objects_due  # noqa: PLC0415

            for line in objects_due(mirror, happening):
                self._console.print(f"  {line}")

    def refresh(self) -> None:
        """Draw the table, once the LEDs show the new turn."""
        if time.monotonic() < self._picture_due_s:
            return
        self._picture_due_s = math.inf
        print_boards(self._console, self._desk.mirror)

    def show_status(self, connection: TableConnection) -> None:
        """Print how table and line are."""
        status = status_of(connection)
        if self._as_json:
            self.hear(Status(connection.now_ms, status))
            return
        for line in status_lines(status):
            self._console.print(line)

    def _meet(self, happening: Connected) -> Connected:
        """Return the happening with who is there; remark on a board that is not known here."""
        peer, connection = self._desk.mirror.table.peer, self._desk.connection
        if connection is None or peer is None:
            return happening
        if peer.board_name not in self._boards:
            self._boards.add(peer.board_name)
            if peer.board_name not in [name[:12] for name in boards.names()]:
                board = printable(peer.board_name)
                say(tr("the board '{board}' is not known here; that does no harm", board=board))
        return replace(happening, table=peer.unique_id, port=connection.name)


class TypedWishes:
    """Does what is typed at a desk; `own` are words of this program alone, and what they do.

    Who types in a terminal may slip, and is asked what a wish asks first; a program is not.
    """

    def __init__(
        self, desk: Desk, typed: LineSource, own: Mapping[str, Callable[[], None]]
    ) -> None:
        self._desk = desk
        self._typed = typed
        self._own = own
        self._before: list[str] = []  # what was typed last and is not done yet

    def obey(self) -> bool:
        """Do what was typed since; return whether to end."""
        while (line := self._typed.take()) is not None:
            if line.strip().lower() in QUIT:
                return True
            try:
                self._obey(line.split())
            except (LocalLinkError, UserError) as error:
                say(str(error))
        return False

    def _obey(self, typed: list[str]) -> None:
        word = " ".join(typed).lower()
        before, self._before = self._before, typed
        if word in ("help", "?"):
            say(tr("commands: {commands}", commands=self.commands) + f"; {_RULES}")
        elif word in self._own:
            self._own[word]()
        elif typed:
            wanted = typed_wish(self._desk, typed)
            if wanted is None:
                self._refuse(typed)
                return
            wish, values = wanted
            if wish.asks and before != typed and is_terminal():
                say(wish.asks)
                return
            self._before = []
            wish.grant(self._desk, None, values)

    def _refuse(self, typed: list[str]) -> None:
        """Say that a line is no command."""
        text = printable(" ".join(typed))
        there_are = self.commands
        say(tr("'{typed}' is no command; there are {commands}", typed=text, commands=there_are))

    @property
    def commands(self) -> str:
        """What may be typed."""
        return ", ".join((typed_help(self._desk), *self._own, QUIT[0]))


class PlayControl(TypedWishes):
    """Does what the user of `play` types, and tells whether to end, whenever `is_done` is called.

    With a lesson, `once` means that.
    """

    def __init__(
        self,
        desk: Desk,
        screen: GameScreen,
        typed: LineSource,
        once: bool,
        own: Mapping[str, Callable[[], None]] | None = None,
    ) -> None:
        super().__init__(desk, typed, {"status": self._show_status, **(own or {})})
        self._session = desk.session
        self._screen = screen
        self._once = once
        self._watch = LineWatch()

    def is_done(self) -> bool:
        """Do what is due and tell whether to end."""
        self._screen.refresh()
        self._look_at_the_line()
        return self.obey() or (self._once and self._is_over())

    def _show_status(self) -> None:
        if self._desk.connection is not None:
            self._screen.show_status(self._desk.connection)

    def _is_over(self) -> bool:
        """Tell whether a game is over, or the lesson, if one was begun."""
        tutor = self._desk.tutor
        if tutor is not None and (tutor.is_due or tutor.done):
            return tutor.done > 0
        return self._session.mirror.ended > 0

    def _look_at_the_line(self) -> None:
        now_ms, session, connection = self._desk.now_ms, self._session, self._desk.connection
        counters = session.mirror.table.counters
        losses = 0 if connection is None else connection.losses
        warning = self._watch.look(now_ms, counters, session.link.counters, losses)
        if warning:
            self._screen.hear(Notice(now_ms, warning))
