"""What `play` does between two exchanges with the table: typed commands, settings, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chronotable.frames import LocalLinkError
from chronotable_host.commands.taught import asked_course
from chronotable_host.engine.seats import GUEST, HANDS
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.live.clocks import parse_controls
from chronotable_host.live.draw_offers import offer_draw
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.line_source import LineSource
from chronotable_host.live.line_watch import LineWatch
from chronotable_host.live.settings import LEVELS, own_level, parse_settings
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYERS, NotationError, parse_player
from ttykm import layout

if TYPE_CHECKING:
    from array import array
    from pathlib import Path

    from chronotable_host.commands.analysis_on_table import TypedAnalysis
    from chronotable_host.live.clocks import Clocks
    from chronotable_host.live.connection import TableConnection
    from chronotable_host.live.hinter import Hinter
    from chronotable_host.live.seated import Seated
    from chronotable_host.live.tutor import Tutor
    from chronotable_host.web.reach import Reach

COMMANDS = tr(
    "a, b, c, none (answers), undo, resign white, draw white, new, seat black level:3 (or hands), "
    "invite black, address (another one in its link), lesson 1, puzzle 1, hint, "
    "hints both (or none, white, black), analyse last, turn 12, back, forth, "
    "clock 5+3 (or off), set brightness=night, status, quit"
)
_RULES = tr("a number such as (T12) in a message is a rule's: `chronotable rules T12` prints it")


class Screen(Protocol):
    """What shows the game; `play_work.GameScreen` is one."""

    def hear(self, happening: Happening) -> None:
        """Show a happening."""
        ...

    def refresh(self) -> None:
        """Draw the table again if that is due."""
        ...

    def show_status(self, connection: TableConnection) -> None:
        """Show the status of table and line."""
        ...


class PlayControl:
    """Does what the user of `play` types, and tells whether to end, whenever `is_done` is called.

    A table that was switched on again has forgotten its settings, so they are sent once more.
    `start` is the position in which a new game begins; `seated` has the players without hands,
    `clocks` the time that players have left; guests play on the page, if it `has_page`; `tutor`
    leads through lessons, and with one `once` means the lesson; puzzles are also made of the games
    of the folder `archive`; `hinter` gives hints, and `analysis` looks at games again. `reach` says
    where guests' links lead, once the page is served.
    """

    def __init__(
        self,
        screen: Screen,
        connection: TableConnection,
        typed: LineSource,
        once: bool,
        settings: dict[str, int] | None = None,
        start: array[int] | None = None,
        seated: Seated | None = None,
        clocks: Clocks | None = None,
        has_page: bool = True,
        tutor: Tutor | None = None,
        archive: Path | None = None,
        hinter: Hinter | None = None,
        analysis: TypedAnalysis | None = None,
    ) -> None:
        self._screen = screen
        self._has_page = has_page
        self._connection = connection
        self._session = connection.session
        self._typed = typed
        self._once = once
        self._settings = self._session.settings = settings or {}
        self._start = layout.new_state() if start is None else start
        self._seated = seated
        self._clocks = clocks
        self._tutor = tutor
        self._archive = archive
        self._hinter = hinter
        self._analysis = analysis
        self._watch = LineWatch()
        self.reach: Reach | None = None

    def is_done(self) -> bool:
        """Do what is due and tell whether to end."""
        self._screen.refresh()
        if self._seated is not None:
            self._seated.step(self._connection.now_ms)
        if self._clocks is not None:
            self._clocks.step(self._connection.now_ms)
        if self._tutor is not None:
            self._tutor.step(self._connection.now_ms)
        if self._hinter is not None:
            self._hinter.step()
        if self._analysis is not None:
            self._analysis.analysis.step(self._connection.now_ms)
        self._look_at_the_line()
        while (line := self._typed.take()) is not None:
            if line.strip().lower() in ("quit", "q", "exit"):
                return True
            self._obey(line.split())
        return self._once and self._is_over()

    def _is_over(self) -> bool:
        """Tell whether a game is over, or the lesson, if one was begun."""
        tutor = self._tutor
        if tutor is not None and (tutor.is_due or tutor.done):
            return tutor.done > 0
        return self._session.mirror.ended > 0

    def _look_at_the_line(self) -> None:
        connection, session = self._connection, self._session
        now_ms = connection.now_ms
        counters = session.mirror.table.counters
        warning = self._watch.look(now_ms, counters, session.link.counters, connection.losses)
        if warning:
            self._screen.hear(Notice(now_ms, warning))

    def _seat(self, seated: Seated, side: int, who: str) -> None:
        if self._tutor is not None:
            self._tutor.check_seats()
        if self._analysis is not None:
            self._analysis.analysis.check_seats()
        if who == GUEST and not self._has_page:
            raise UserError(tr("a guest plays on the page; start `play` with --page"))
        level, name = own_level(who), PLAYERS[side]
        seated.seat(side, HANDS if level else who)
        self._settings.pop(name, None)
        if level:
            self._settings[name] = LEVELS.index(level)
        if level or (who == HANDS and self._session.mirror.table.own_levels[side]):
            self._session.set({name: self._settings.get(name, 0)})

    def _drop(self) -> None:
        """End what a new game, or a lesson, takes the place of."""
        if self._tutor is not None and self._tutor.is_on:
            self._tutor.drop()
        if self._analysis is not None:
            self._analysis.analysis.drop()

    def _obey(self, typed: list[str]) -> None:
        session = self._session
        words = [word.lower() for word in typed]
        try:
            match words:
                case []:
                    pass
                case ["a" | "b" | "c" as choice]:
                    session.command("answer", choice=choice)
                case ["none"]:
                    session.command("answer", choice="n")
                case ["undo"]:
                    session.command("undo")
                case ["resign", side]:
                    session.command("resign", side="wb"[parse_player(side)])
                case ["draw", side]:
                    offer_draw(session, parse_player(side), (), say)
                case ["new"]:
                    self._drop()
                    session.set_up(self._start, session.mirror.game.options)
                case ["lesson", number] if self._tutor is not None and number.isdecimal():
                    self._drop()
                    self._tutor.begin(int(number[:3]))
                case ["puzzle", which] if self._tutor is not None:
                    course = asked_course(None, which, self._archive)
                    assert course is not None
                    self._drop()
                    self._tutor.teach(course)
                case ["hint"] if self._hinter is not None:
                    self._hinter.ask()
                case ["hints", sides] if self._hinter is not None:
                    self._hinter.choose(sides)
                case ["set", *settings] if settings:
                    wanted = parse_settings(settings)
                    self._settings.update(wanted)
                    self._session.set(wanted)
                case ["seat", side, who, *_] if self._seated is not None:
                    is_engine = who.startswith("engine:")  # a path keeps its case
                    player = " ".join(typed[2:] if is_engine else words[2:])
                    self._seat(self._seated, parse_player(side), player)
                case ["invite", side] if self._seated is not None:
                    self._seat(self._seated, parse_player(side), GUEST)
                case ["address"] if self.reach is not None:
                    self.reach.switch()
                case ["clock", times] if self._clocks is not None:
                    self._clocks.set(parse_controls(times))
                case ["status"]:
                    self._screen.show_status(self._connection)
                case ["help" | "?"]:
                    say(tr("commands: {commands}", commands=COMMANDS) + f"; {_RULES}")
                case _ if self._analysis is not None and self._analysis.obey(words):
                    pass
                case _:
                    say(
                        tr(
                            "'{typed}' is no command; there are {commands}",
                            typed=printable(" ".join(typed)),
                            commands=COMMANDS,
                        )
                    )
        except (LocalLinkError, NotationError, UserError) as error:
            say(str(error))
