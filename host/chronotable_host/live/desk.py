"""The desk: what the PC has at one table, opened, told, stepped and closed in one order.

A part that is None is not there: who needs it plugs it in. Who comes first is one rule, for what is
told and for what is due (`Desk._parts`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from chronotable.link.frames import LocalLinkError
from chronotable_host.engine.thinkers import adviser
from chronotable_host.errors import UserError
from chronotable_host.live.line.connection import OpenPort, TableConnection, TableError
from chronotable_host.live.line.port import PortError, open_port
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.clocks import Clocks
from chronotable_host.live.players.hinter import Hinter
from chronotable_host.live.players.matching import Matching
from chronotable_host.live.players.negotiation import FarNegotiation, Negotiation
from chronotable_host.live.players.seats import Seat, Seats, to_hands
from chronotable_host.live.players.table_analysis import TableAnalysis
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.live.players.tutor import Tutor
from chronotable_host.live.session import Lock, Session
from ttykm import layout

if TYPE_CHECKING:
    from array import array

    from chronotable_host.archive.store import Archive
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.happenings import Happening
    from chronotable_host.live.line.port_search import PortSearch


class DeskPart(Protocol):
    """What is plugged in at a desk."""

    def hear(self, happening: Happening) -> None:
        """Take what happens at the table."""

    def step(self, now_ms: int) -> None:
        """Do what is due, at the desk's time."""


class Desk(ExitStack):
    """A table's game on the PC: `archive` keeps it, `headers` are those of its record.

    A game begins at `start`, with `options`. The rest is what `Mirror` and `Session` take. What is
    opened here, or entered by who opens more, is closed at the end, the last first.
    """

    def __init__(
        self,
        archive: Archive | None = None,
        headers: dict[str, str] | None = None,
        start: array[int] | None = None,
        options: int = 0,
        resumes: bool = False,
        records_events: bool = False,
        trace: bool = False,
        lock: Lock | None = None,
    ) -> None:
        super().__init__()
        self.archive = archive
        self.start = layout.new_state() if start is None else start
        self.options = options
        self.mirror = Mirror(self.tell, archive, headers, trace, resumes, records_events)
        self.session = Session(self.mirror, self.tell if trace else None, lock)
        self.connection: TableConnection | None = None
        """The line to a real table."""
        self.listeners: list[Callable[[Happening], None]] = []
        """Who shows or notes what happens."""
        self.far_log: DeskPart | None = None
        """The game that a table shares with another one, far away."""
        self.negotiation = Negotiation(self)
        """What its players have to agree on."""
        self.far_talk: FarNegotiation | None = None
        """What else there is to say to somebody far away."""
        self.begun: Mapping[str, Any] = {"white": "", "black": "", "handicap": [0, 0]}
        """What a new game began with, as it was asked for."""
        self.seats = Seats(Random(), self.mirror.name_player)
        """Who plays besides the hands at the table."""
        self.matching = Matching(self)
        """What sees to it that somebody plays as strong as you."""
        self.players: DeskPart | None = None
        """What has their turns made: by light at a real table, by a hand at a virtual one."""
        self.clocks: Clocks | None = None
        """What time players have left."""
        self.tutor: Tutor | None = None
        """Who leads through lessons and puzzles."""
        self.hinter: Hinter | None = None
        """Who gives hints."""
        self.analysis: TableAnalysis | None = None
        """A game that is looked at again on the table."""
        self.page: DeskPart | None = None
        """The table in the browser."""
        self.club: DeskPart | None = None
        """What a club is told of the table."""
        self.set_up: Callable[[array[int], int], None] = self.session.set_up
        """How a game is begun in a position, with options; raises LocalLinkError."""
        self.undo: Callable[[], None] = partial(self.session.command, "undo")
        """How the last turn is taken back; raises LocalLinkError."""
        self.check_answer: Callable[[str], None] = lambda _choice: None
        """Whether a question can be answered so; raises UserError."""
        self.in_lesson: Seat = to_hands
        self.in_analysis: Seat = to_hands
        """Who plays a side meanwhile, instead of who has it."""
        self.callback(self.mirror.close)

    @property
    def _parts(self) -> list[DeskPart]:
        """Return who is there, in the order of its turns.

        The log has a turn before anybody acts on it, as it may come to another one, and what is
        agreed on is so before that of which it may take something back. How strong a level plays is
        settled before a turn is asked for. Players come before those who watch a game or lead
        through one, and give way to them; what all of these have come to is shown by the page, and
        told to the club.
        """
        order = (
            self.far_log,
            self.negotiation,
            self.matching,
            self.players,
            self.clocks,
            self.tutor,
            self.hinter,
            self.analysis,
            self.page,
            self.club,
        )
        return [part for part in order if part is not None]

    @property
    def _trials(self) -> list[Tutor | TableAnalysis]:
        """Return what may be on instead of a game, of which nothing is kept."""
        return [trial for trial in (self.tutor, self.analysis) if trial is not None]

    def tell(self, happening: Happening) -> None:
        """Tell all who are there what happens.

        Listeners come behind the log and before all others, whose answers are to be read below
        what they answer.
        """
        parts = self._parts
        if self.far_log is not None:
            parts.pop(0).hear(happening)
        for listener in self.listeners:
            listener(happening)
        for part in parts:
            part.hear(happening)

    @property
    def now_ms(self) -> int:
        """The time of all that is here."""
        return 0 if self.connection is None else self.connection.now_ms

    @property
    def is_there(self) -> bool:
        """Whether the table is at the line; one without a line of ours is."""
        return self.connection is None or self.connection.is_there

    # ---- parts

    def connect(
        self,
        search: PortSearch,
        patience_s: float = math.inf,
        opens: Callable[[str], OpenPort] = open_port,
    ) -> TableConnection:
        """Have a real table at the port that is found, once it is opened."""
        line = TableConnection(self.session, search, self.tell, patience_s, opens=opens)
        self.connection = line
        self.callback(self.connection.close)
        return self.connection

    def seat(self) -> TableSeats:
        """Have sides of a real table played by others than hands."""
        self.seats = self.players = seated = TableSeats(self.session, self.tell)
        self.callback(seated.close)
        return seated

    def keep_time(self) -> Clocks:
        """Have clocks, set to nothing yet."""
        self.clocks = Clocks(self.session, self.tell)
        return self.clocks

    def assist(
        self, think: Callable[[], Thinker] = adviser, pause_ms: float | None = None
    ) -> tuple[Tutor, Hinter, TableAnalysis]:
        """Have lessons, hints and analyses, as `Hinter` and `Tutor` say; it comes after seats."""
        self.tutor = Tutor(self, pause_ms)
        self.hinter = Hinter(self, think)
        self.callback(self.hinter.close)
        self.analysis = TableAnalysis(self, self.hinter)
        return self.tutor, self.hinter, self.analysis

    def check_seats(self) -> None:
        """Raise UserError where nobody may take a seat: in a lesson, or an analysis."""
        for trial in self._trials:
            if trial.is_on:
                raise UserError(trial.no_seats)

    def leave(self) -> None:
        """End a lesson or an analysis, if one is on, and have a new game set up."""
        was_on = any(trial.is_on for trial in self._trials)
        for trial in self._trials:
            trial.drop()
        if was_on:
            self.set_up(self.start, 0)

    def drop(self) -> None:
        """End what a new game takes the place of; a lesson that waits for one goes on waiting."""
        if self.tutor is not None and (self.tutor.is_on or not self.tutor.is_due):
            self.tutor.drop()
        if self.analysis is not None:
            self.analysis.drop()

    # ---- time

    def step(self) -> None:
        """Do what is due."""
        now_ms = self.now_ms
        for part in self._parts:
            part.step(now_ms)

    def run(self, is_done: Callable[[], bool]) -> None:
        """Serve a real table until `is_done`, or Ctrl-C, and leave it to hands alone.

        Raises what `TableConnection.run` does.
        """
        assert self.connection is not None

        def step() -> bool:
            self.step()
            return is_done()

        with suppress(KeyboardInterrupt):
            self.connection.run(step)
        with suppress(LocalLinkError):
            self.leave()
        self.seats.close()
        with suppress(KeyboardInterrupt, TableError, PortError):
            self.connection.settle()
