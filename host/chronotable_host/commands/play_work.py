"""What `play` does: it follows the real table, shows and logs its game."""

from __future__ import annotations

import json
import math
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chronotable.frames import LocalLinkError
from chronotable_host import boards, chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.analysis_on_table import TypedAnalysis, record_named
from chronotable_host.commands.board_printing import print_boards
from chronotable_host.commands.club_at_table import ClubArguments, beside, told
from chronotable_host.commands.play_control import PlayControl
from chronotable_host.commands.shared import console, is_terminal
from chronotable_host.commands.taught import asked_course
from chronotable_host.commands.typed_lines import TypedLines, ask_which
from chronotable_host.engine.seats import GUEST, is_seat, player_name
from chronotable_host.errors import UserError, printable
from chronotable_host.game_choice import choose_drawn_game
from chronotable_host.language import tr
from chronotable_host.live.audience import Audience
from chronotable_host.live.clocks import OFF, Clocks, parse_controls
from chronotable_host.live.connection import TableConnection, TableError
from chronotable_host.live.happening_texts import sentences
from chronotable_host.live.happenings import (
    NEW_POSITION,
    Connected,
    Guide,
    Happening,
    Leds,
    Refused,
    Status,
)
from chronotable_host.live.hinter import Hinter, parse_hints
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.port import PortError, is_in_use
from chronotable_host.live.port_search import Ask, PortSearch
from chronotable_host.live.seated import Seated
from chronotable_host.live.session import Session
from chronotable_host.live.settings import LEVELS, own_level, parse_settings, spelled
from chronotable_host.live.status import status_lines, status_of
from chronotable_host.live.table_analysis import TableAnalysis
from chronotable_host.live.tutor import READ_MS, Tutor
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS

if TYPE_CHECKING:
    from chronotable_host.commands.play import PlayArguments

_ONCE_PATIENCE_S = 30.0
_PICTURE_S = 0.25  # after a turn the LEDs change within this time
_NO = 1


def follow(arguments: PlayArguments) -> int:
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
    course = asked_course(arguments.lesson, arguments.puzzle, arguments.archive)
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
    with Archive(arguments.archive) as games, ExitStack() as closing:
        screen = GameScreen(arguments.as_json)
        audience = Audience()
        audience.add(screen.hear)
        mirror = Mirror(
            audience.tell, games, headers, resumes=True, records_events=arguments.events
        )
        closing.callback(mirror.close)
        session = Session(mirror, lock=chapters)
        connection = TableConnection(session, search, audience.tell, patience)
        screen.connection = connection
        closing.callback(connection.close)
        seated = Seated(session, audience.tell)
        audience.add(seated.hear)
        closing.callback(seated.close)
        for side, seat in seats.items():
            seated.seat(side, seat)
        clocks = Clocks(session, audience.tell)
        audience.add(clocks.hear)
        clocks.set(controls)
        tutor = Tutor(session, audience.tell, start, seated, pause_ms=READ_MS)
        audience.add(tutor.hear)
        if course is not None:
            tutor.teach_when_possible(course)
        hinter = Hinter(session, seated, audience.tell, tutor)
        audience.add(hinter.hear)
        closing.callback(hinter.close)
        if arguments.hints is not None:
            hinter.choose(arguments.hints)
        analysis = TableAnalysis(session, audience.tell, hinter, seated, start)
        audience.add(analysis.hear)
        if arguments.analyse is not None:
            analysis.begin_when_possible(record_named(games, arguments.analyse))
        control = PlayControl(
            *(screen, connection, typed, arguments.once, wanted, start, seated, clocks, page),
            tutor,
            arguments.archive,
            hinter,
            TypedAnalysis(analysis, partial(record_named, games)),
        )
        is_done = control.is_done
        if page:
            from chronotable_host.commands.play_page import MirroredPage  # noqa: PLC0415

            mirrored = MirroredPage(
                connection,
                audience,
                seated,
                clocks,
                spelled(wanted),
                arguments.archive,
                hinter,
                analysis,
            )
            closing.enter_context(mirrored.served(arguments.listen, arguments.no_browser))
            control.reach = mirrored.page.service.reach
            is_done = mirrored.beside(is_done)
        tell_club = closing.enter_context(
            told(
                club,
                arguments.archive,
                audience,
                session,
                clocks,
                lambda: connection.is_there,
                start=(start, 0),
                seats=lambda: seated,
            )
        )
        is_done = beside(tell_club, is_done)
        with suppress(KeyboardInterrupt):
            connection.run(is_done)
        with suppress(LocalLinkError):
            tutor.leave()
            analysis.leave()
        seated.close()
        with suppress(KeyboardInterrupt, TableError, PortError):
            connection.settle()
        closing.close()
        _say_where(mirror, connection)
    return _NO if arguments.once and not (mirror.ended or tutor.done) else 0


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
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self.connection: TableConnection | None = None
        self._as_json = as_json
        self._console = console()
        self._picture_due_s = math.inf
        self._boards: set[str] = set()

    @property
    def mirror(self) -> Mirror | None:
        """What is known of the table's game."""
        return None if self.connection is None else self.connection.session.mirror

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if isinstance(happening, Connected):
            happening = self._meet(happening)
        if self._as_json:
            print(json.dumps(happening.line()), flush=True)
            return
        if isinstance(happening, Leds) and self._picture_due_s != math.inf:
            self._picture_due_s = 0
        if isinstance(happening, NEW_POSITION):
            self._picture_due_s = time.monotonic() + _PICTURE_S
        refusal = None if self.mirror is None else self.mirror.table.refusal
        if isinstance(happening, Refused) and happening.refused == refusal:
            return  # it is said at the end
        for kind, line in sentences(happening, None if self.mirror is None else self.mirror.game):
            style = "bold" if kind in ("turn", "game_over") else ""
            self._console.print(printable(line), style=style)
        if isinstance(happening, Guide) and self.mirror is not None:
            # seldom needed, and slow to load
            from chronotable_host.web.hands_todo import objects_due  # noqa: PLC0415

            for line in objects_due(self.mirror, happening):
                self._console.print(f"  {line}")

    def refresh(self) -> None:
        """Draw the table, once the LEDs show the new turn."""
        if self.mirror is None or time.monotonic() < self._picture_due_s:
            return
        self._picture_due_s = math.inf
        print_boards(self._console, self.mirror)

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
        peer = None if self.mirror is None else self.mirror.table.peer
        if self.connection is None or peer is None:
            return happening
        if peer.board_name not in self._boards:
            self._boards.add(peer.board_name)
            if peer.board_name not in [name[:12] for name in boards.names()]:
                board = printable(peer.board_name)
                say(tr("the board '{board}' is not known here; that does no harm", board=board))
        return replace(happening, table=peer.unique_id, port=self.connection.name)
