"""What `play` does between two exchanges with the table: typed commands, settings, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chronotable.link.frames import LocalLinkError
from chronotable_host.commands.trials import asked_course, record_named
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

if TYPE_CHECKING:
    from chronotable_host.live.connection import TableConnection
    from chronotable_host.live.desk import Desk
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
    Guests play on the page, if it `has_page`. With a lesson, `once` means that.
    """

    commands = COMMANDS
    """What may be typed."""

    def __init__(
        self,
        desk: Desk,
        screen: Screen,
        typed: LineSource,
        once: bool,
        settings: dict[str, int] | None = None,
        has_page: bool = True,
    ) -> None:
        self._desk = desk
        self._session = desk.session
        self._screen = screen
        self._typed = typed
        self._once = once
        self._settings = self._session.settings = settings or {}
        self._has_page = has_page
        self._watch = LineWatch()
        self.reach: Reach | None = None
        """Where guests' links lead, once the page is served."""

    def is_done(self) -> bool:
        """Do what is due and tell whether to end."""
        self._screen.refresh()
        self._look_at_the_line()
        while (line := self._typed.take()) is not None:
            if line.strip().lower() in ("quit", "q", "exit"):
                return True
            try:
                self._obey(line.split())
            except (LocalLinkError, NotationError, UserError) as error:
                say(str(error))
        return self._once and self._is_over()

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

    def _seat(self, side: int, who: str) -> None:
        self._desk.check_seats()
        if who == GUEST and not self._has_page:
            raise UserError(tr("a guest plays on the page; start `play` with --page"))
        level, name = own_level(who), PLAYERS[side]
        self._desk.seats.seat(side, HANDS if level else who)
        self._settings.pop(name, None)
        if level:
            self._settings[name] = LEVELS.index(level)
        if level or (who == HANDS and self._session.mirror.table.own_levels[side]):
            self._session.set({name: self._settings.get(name, 0)})

    def _obey(self, typed: list[str]) -> None:
        desk, session = self._desk, self._session
        tutor, hinter, analysis, games = desk.tutor, desk.hinter, desk.analysis, desk.archive
        words = [word.lower() for word in typed]
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
                desk.drop()
                session.set_up(desk.start, session.mirror.game.options)
            case ["lesson", number] if tutor is not None and number.isdecimal():
                desk.drop()
                tutor.begin(int(number[:3]))
            case ["puzzle", which] if tutor is not None:
                course = asked_course(None, which, None if games is None else games.folder)
                assert course is not None
                desk.drop()
                tutor.teach(course)
            case ["hint"] if hinter is not None:
                hinter.ask()
            case ["hints", sides] if hinter is not None:
                hinter.choose(sides)
            case ["analyse", name] if analysis is not None and games is not None:
                analysis.begin(record_named(games, name))
            case ["turn", number] if analysis is not None and number.isdecimal():
                analysis.go(int(number[:6]))
            case ["back"] if analysis is not None:
                analysis.back()
            case ["forth"] if analysis is not None:
                analysis.forth()
            case ["set", *settings] if settings:
                wanted = parse_settings(settings)
                self._settings.update(wanted)
                self._session.set(wanted)
            case ["seat", side, who, *_]:
                is_engine = who.startswith("engine:")  # a path keeps its case
                player = " ".join(typed[2:] if is_engine else words[2:])
                self._seat(parse_player(side), player)
            case ["invite", side]:
                self._seat(parse_player(side), GUEST)
            case ["address"] if self.reach is not None:
                self.reach.switch()
            case ["clock", times] if desk.clocks is not None:
                desk.clocks.set(parse_controls(times))
            case ["status"] if desk.connection is not None:
                self._screen.show_status(desk.connection)
            case ["help" | "?"]:
                say(tr("commands: {commands}", commands=self.commands) + f"; {_RULES}")
            case _:
                self._refuse(typed)

    def _refuse(self, typed: list[str]) -> None:
        """Say that a line is no command."""
        text = printable(" ".join(typed))
        say(
            tr(
                "'{typed}' is no command; there are {commands}",
                typed=text,
                commands=self.commands,
            )
        )
