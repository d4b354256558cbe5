"""A game looked at again on the real pieces: any of its positions by light, and turns tried there.

Two rules: it begins where no game is in progress, and nothing of it is kept (`Recorder.pause`).
Whose turn it is takes a turn back with *undo*, the other player's *undo* goes on through the game;
a turn of the game is lit as a hint is, so that hands may make another one. What leads nowhere else
is set up, as a new game is. *action* shows the best turn. Behind it whoever played before has the
seats again, and a new game is set up.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable.link.frames import LocalLinkError
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr, tr_n
from chronotable_host.live.happenings import Happening, Joined, Notice, Started, TakenBack, Turn
from chronotable_host.live.players.seats import Vacancy
from chronotable_host.live.session import Press, Presses
from chronotable_host.rules.annotations import ERRORS, INACCURACY, read_annotations
from chronotable_host.rules.notation import PLAYERS, format_position, format_turn
from chronotable_host.rules.turn_story import story_of
from ttykm import layout

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.players.hinter import Hinter
    from chronotable_host.rules.record import Record

_ANSWER_MS = 250.0  # in which the table has taken a turn back by itself, if it does
_HANDS = 0  # the level of a side that the table does not play itself


class _Line(NamedTuple):
    """The game that is looked at: its record, and the states before and after each turn."""

    record: Record
    states: list[array[int]]


class TableAnalysis:
    """Leads through a game at a desk's table, and lets hands try turns; `hinter` shows turns."""

    no_seats = tr("in an analysis nobody else plays; end it first")

    def __init__(self, desk: Desk, hinter: Hinter) -> None:
        self._desk = desk
        self._session = desk.session
        self._hinter = hinter
        self._vacancy = Vacancy(desk, desk.in_analysis)
        self._line: _Line | None = None
        self._at = 0  # the position of the game where it stands, or where turns were tried from
        self._tried = 0  # turns of the hands' own since
        self._is_due = False  # the position is asked for, and does not lie there yet
        self._boot: tuple[str, int] = "", 0  # of the table that was asked for it
        self._is_to_lay = False
        self._awaited: tuple[Record, int | None] | None = None  # it begins as soon as it can
        self._is_cleared = False  # what an earlier program left gives way to a game already
        self._is_put_off = False  # and it was said that it cannot yet
        self._pressed: Press | None = None  # the last press of an *undo*
        self._pressed_ms: float | None = None
        self._presses = Presses(desk.session, self._press)

    @property
    def is_on(self) -> bool:
        """Whether what lies on the table is an analysis."""
        return self._line is not None

    # ---- what people ask for

    def begin(self, record: Record, at: int | None = None) -> None:
        """Begin at a position of a game, by itself its last; raises UserError."""
        mirror = self._session.mirror
        if mirror.is_in_game and mirror.is_played:
            raise UserError(
                tr("a game is in progress: end it, or begin a new one, and then the analysis")
            )
        tutor = self._desk.tutor
        if tutor is not None and tutor.is_due:
            tutor.drop()
        states = [array("H", game.state) for game in record.replay()]
        at = len(states) - 1 if at is None else at
        check_turn(at, states)
        self._awaited = None
        self._is_cleared = True
        self._line = _Line(record, states)
        self._hinter.is_free = True
        mirror.recorder.filing.is_paused = True
        self._vacancy.take()
        self._lay(at)

    def begin_when_possible(self, record: Record, at: int | None = None) -> None:
        """Begin once a table is there and no game is in progress."""
        self._awaited = record, at

    def go(self, at: int) -> None:
        """Go to a position of the game, the start being 0; raises UserError."""
        line = self._asked_for
        check_turn(at, line.states)
        game = self._session.mirror.game
        is_hands = game.mover not in self._desk.seats.thinkers
        if at == self._at and self._stands and not self._tried:
            return
        if is_hands and self._stands and not self._tried and at == self._at + 1:
            self._hinter.lead(line.record.turns[self._at])
        elif is_hands and self._stands and not self._tried and at == self._at - 1 and game.turns:
            self._desk.undo()
        else:
            self._lay(at)

    def back(self) -> None:
        """Go one turn back, be it one of the game or one that was tried; raises UserError."""
        self._asked_for  # noqa: B018 - raises
        if not self._tried:
            self.go(max(0, self._at - 1))
        elif self._stands:
            self._desk.undo()
        else:
            self._lay(self._at)  # somebody has won there, and no table takes that back

    def forth(self) -> None:
        """Go one turn on in the game; back to the game where one was tried. Raises UserError."""
        line = self._asked_for
        if self._tried:
            self.back()
        else:
            self.go(min(self._at + 1, len(line.states) - 1))

    def drop(self) -> None:
        """End the analysis, if one is on: something else is set up."""
        self._awaited = None
        if self._line is None:
            return
        self._line = None
        self._hinter.is_free = False
        self._session.mirror.recorder.filing.is_paused = False
        self._vacancy.give_back()

    @property
    def _asked_for(self) -> _Line:
        if self._line is None:
            raise UserError(tr("no analysis is on"))
        return self._line

    @property
    def _stands(self) -> bool:
        """Whether the table has a position of the analysis, and waits for a turn there."""
        return not self._is_due and self._session.mirror.table.phase in ("turn", "provisional")

    # ---- what happens at the table

    def _press(self, press: Press) -> None:
        if self.is_on and press.name == "undo":
            self._pressed, self._pressed_ms = press, None

    def hear(self, happening: Happening) -> None:
        """Take what a mirror tells."""
        line = self._line
        if line is None:
            return
        if isinstance(happening, Started):
            self._hear_start(line, happening.started)
        elif isinstance(happening, Joined):
            self._is_to_lay = True
        elif self._is_due:
            return  # what is laid for a position looks like turns before the table hears of it
        elif isinstance(happening, Turn):
            after = self._session.mirror.game.state
            is_next = self._at + 1 < len(line.states) and line.states[self._at + 1] == after
            if is_next and not self._tried:
                self._at += 1
            else:
                self._tried += 1
            self._say()
        elif isinstance(happening, TakenBack):
            if self._tried:
                self._tried -= 1
            else:
                self._at = max(0, self._at - 1)
            self._say()

    def _hear_start(self, line: _Line, position: str) -> None:
        positions = [*map(format_position, line.states)]
        if position == positions[self._at]:
            self._is_due = False
        elif self._is_due:
            return  # it began before the table heard of this
        elif position in positions:
            self._at = positions.index(position)
        else:
            self.drop()
            return
        self._tried = 0
        self._say()

    def step(self, now_ms: float) -> None:
        """Do what is due; `now_ms` is any clock's."""
        try:
            self._step(now_ms)
        except LocalLinkError:  # too much waits for the table already: a moment later
            self._is_to_lay = self.is_on

    def _step(self, now_ms: float) -> None:
        session = self._session
        table = session.mirror.table
        if not session.is_ready:
            return
        if self._awaited is not None:
            self._begin_awaited(*self._awaited)
        if not self.is_on:
            self._clear()
            return
        for side in range(len(PLAYERS)):
            if table.own_levels[side] != _HANDS and side not in self._desk.seats.thinkers:
                session.set_own_level(side, _HANDS)
                table.own_levels = _HANDS, _HANDS  # *undo* went through who plays
        if self._is_to_lay or self._boot != (table.id, table.boot):
            self._lay(self._at)
        press = self._pressed
        if press is None:
            return
        if self._pressed_ms is None:
            self._pressed_ms = now_ms
        elif now_ms - self._pressed_ms >= _ANSWER_MS:
            self._pressed = None
            if press.turns == len(session.mirror.game.turns):  # else the table has taken it back
                (self.back if press.side == press.mover else self.forth)()

    def _clear(self) -> None:
        """Put an analysis away that an earlier program left on the table."""
        mirror = self._session.mirror
        if not self._is_cleared and mirror.is_in_step:
            self._is_cleared = True
            if not mirror.recorder.filing.is_game:
                self._desk.set_up(self._desk.start, 0)

    def _begin_awaited(self, record: Record, at: int | None) -> None:
        mirror = self._session.mirror
        if not (mirror.is_in_game and mirror.is_played):
            self.begin(record, at)
        elif not self._is_put_off:
            self._is_put_off = True
            says = tr("A game is in progress. The analysis begins when it is over, or type: new")
            self._desk.tell(Notice(None, says))

    def _lay(self, at: int) -> None:
        """Have a position of the game set up."""
        assert self._line is not None
        table = self._session.mirror.table
        self._boot = table.id, table.boot
        self._is_to_lay, self._is_due = False, True
        self._at, self._tried = at, 0
        self._desk.set_up(self._line.states[at], self._line.record.options)

    # ---- what is told

    def _say(self) -> None:
        self._desk.tell(Notice(None, tr("Analysis: {says}", says=self.says)))

    @property
    def says(self) -> str:
        """Where the analysis is, what was played there, and what was better."""
        line = self._asked_for
        record, count = line.record, len(line.states) - 1
        if self._tried:
            return tr_n(
                "{n} turn tried behind turn {at}; undo takes it back.",
                "{n} turns tried behind turn {at}; undo takes them back.",
                self._tried,
                at=self._at,
            )
        if self._is_due:
            return tr("Turn {at} of {count} is being set up.", at=self._at, count=count)
        if not self._at:
            return tr_n("The start of {n} turn.", "The start of {n} turns.", count)
        before, turn = line.states[self._at - 1], record.turns[self._at - 1]
        told = tr(
            "Turn {at} of {count}: {player} {did}.",
            at=self._at,
            count=count,
            player=names.PLAYERS[layout.mover(before)],
            did=names.within(story_of(before, turn, record.options).says),
        )
        said = read_annotations(record.comments)[self._at - 1 : self._at]
        if said and said[0].best and said[0].mark in (INACCURACY, *ERRORS):
            told += " " + tr("Better was {turn}.", turn=format_turn(said[0].best[0]))
        return told

    def view(self) -> dict[str, Any] | None:
        """Return the sheet of the page, as lessons have one; None where no analysis is on."""
        if self._line is None:
            return None
        acts: tuple[tuple[str, str, dict[str, str]], ...] = (
            ("leave", tr("End analysis"), {}),
            ("hint", tr("Best turn"), {}),
            ("walk", tr("Back"), {"way": "back"}),
            ("walk", tr("Forth"), {"way": "forth"}),
        )
        return {
            "title": tr("Analysis"),
            "step": self._at,
            "steps": 0,
            "says": self.says,
            "acts": [
                {"do": do, "text": text, "values": values, "main": values == {"way": "forth"}}
                for do, text, values in acts
            ],
        }


def check_turn(at: int, states: list[array[int]]) -> None:
    """Raise UserError for a position that the game does not have."""
    if not 0 <= at < len(states):
        raise UserError(
            tr_n(
                "the game has {n} turns, so none with number {turn}",
                "the game has {n} turns, so none with number {turn}",
                len(states) - 1,
                turn=at,
            )
        )
