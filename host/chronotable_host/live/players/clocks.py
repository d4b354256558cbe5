"""Clocks: how much time each player has left; the focus marker presses them.

One rule: which clock runs is read off the table whenever it is looked at. It is that of the player
to move, or that of the other one while a marker has ended a turn which may still be reopened. None
runs while the table asks, leads hands back or has them carry out a turn of a player without hands,
nor while it is away, or who plays on a page has left it, nor in a lesson or an analysis. Time that
is up ends no game: the rules know no clock, and the players decide.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from chronotable.lights import meanings
from chronotable_host.archive.comments import clock_left, seconds_of
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import (
    Clock,
    Happening,
    Joined,
    Notice,
    Started,
    TakenBack,
    Turn,
)
from chronotable_host.live.session import Session
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.record import Record
from ttykm import layout
from ttykm.layout import NOBODY

TIME_CONTROL = "TimeControl"
"""Header of a record: seconds and increment, as `300+3`; of both sides where they differ."""
OFF = "off"

_CONTROL = re.compile(r"(\d{1,5})(?:\+(\d{1,5}))?", re.ASCII)
_LEFT = re.compile(r"\[%clk (\d{1,3}):(\d\d):(\d\d)\]", re.ASCII)
_LEADING = {
    meanings.TODO_PUT,
    meanings.TODO_TAKE,
    meanings.PUT_WHITE,
    meanings.PUT_BLACK,
    meanings.CONFIRM_WHITE,
    meanings.CONFIRM_BLACK,
}
_BREAK_S = 600.0
"""A program that comes back to a game after longer than that comes back from a break."""


class TimeControl(NamedTuple):
    """What a player has for a game, and gets for each turn, in seconds."""

    base_s: int
    increment_s: int


Controls = tuple[TimeControl, TimeControl] | None
"""Those of white and black; None where nobody has a clock."""


def parse_controls(text: str, unit_s: int = 60) -> Controls:
    """Read `5+3`, of both sides, `5+3,10+5`, of white and black, or `off`.

    The first number of each is in units of so many seconds, minutes for people; the second is the
    increment in seconds. Raises UserError.
    """
    if text.strip().lower() == OFF:
        return None
    found = [_CONTROL.fullmatch(each.strip()) for each in text.split(",")]
    if not 1 <= len(found) <= len(PLAYERS) or not all(each and int(each[1]) for each in found):
        raise UserError(
            tr(
                "'{text}' is no time for a game; 5+3 is 5 minutes and 3 seconds for each turn, "
                "5+3,10 is that for white and 10 minutes for black, {off} is no clock",
                text=text,
                off=OFF,
            )
        )
    controls = [TimeControl(int(each[1]) * unit_s, int(each[2] or 0)) for each in found if each]
    return controls[0], controls[-1]


def format_controls(controls: Controls, unit_s: int = 60) -> str:
    """Return what `parse_controls` reads as these."""
    if controls is None:
        return OFF
    return ",".join(dict.fromkeys(f"{base_s / unit_s:g}+{plus_s}" for base_s, plus_s in controls))


class Clocks:
    """The clocks of a session's table; `tell` hears what they show, and when time is up.

    Of a game in progress the times in its record count. `now_ms` is the PC's.
    """

    def __init__(self, session: Session, tell: Callable[[Happening], None]) -> None:
        self.controls: Controls = None
        self.is_left = False
        """Whether those who play have left the boards, which a page tells."""
        self._session = session
        self._tell = tell
        self._left_ms = [0.0, 0.0]
        self._kept_ms: list[float] | None = None  # for the game that begins next
        self._looked_ms: int | None = None
        self._game = ""  # the file of the game whose clocks these are
        session.mirror.recorder.remarks.append(self._remark)

    def set(self, controls: Controls) -> None:
        """Give both players the whole of their time, or none a clock; records say so."""
        self.controls = controls
        self._session.mirror.recorder.set_header(
            TIME_CONTROL, "" if controls is None else format_controls(controls, 1)
        )
        self._begin()

    def go_on(self, record: Record, turns: int) -> None:
        """Have the game that begins next go on with the times that a record says after `turns`."""
        with suppress(UserError):  # what others write there is none of ours
            self.set(parse_controls(record.headers.get(TIME_CONTROL, OFF), 1))
        self._kept_ms = _left_ms(record, self._left_ms, turns)

    def view(self) -> dict[str, Any] | None:
        """Return times, the seconds left to each player, whose clock runs; None without clocks."""
        if self.controls is None or not self._is_timed:
            return None
        running = "" if self.running == NOBODY else PLAYERS[self.running]
        return {
            "times": format_controls(self.controls),
            "left": self._left_s(),
            "running": running,
            "paused": self.is_left,
        }

    def _left_s(self) -> dict[str, int]:
        """Return how many seconds each player has left, begun ones included."""
        return {
            player: max(0, -int(-self._left_ms[side] // 1000))
            for side, player in enumerate(PLAYERS)
        }

    @property
    def running(self) -> int:
        """The side whose clock runs, or NOBODY."""
        mirror = self._session.mirror
        table = mirror.table
        is_led = table.is_turn_wanted or not _LEADING.isdisjoint(table.leds)
        is_led = is_led and not table.is_hinted  # who takes a hint thinks
        if self.controls is None or not self._is_timed or mirror.choices or is_led:
            return NOBODY
        if self.is_left or not self._session.link.connected:
            return NOBODY
        if mirror.provisional is not None:
            return 1 - mirror.game.mover
        return mirror.game.mover if table.phase == "turn" and mirror.is_in_step else NOBODY

    @property
    def _is_timed(self) -> bool:
        """Whether what lies on the table is a game that has clocks."""
        return self._session.mirror.is_played

    def step(self, now_ms: int) -> None:
        """Let time pass on the clock that runs."""
        passed_ms = 0 if self._looked_ms is None else now_ms - self._looked_ms
        self._looked_ms = now_ms
        side = self.running
        if side == NOBODY or passed_ms <= 0:
            return
        left_ms = self._left_ms[side]
        self._left_ms[side] = left_ms - passed_ms
        if left_ms > 0 >= self._left_ms[side]:
            up = tr("{player}'s time is up; the players decide", player=names.PLAYERS[side])
            self._tell(Notice(now_ms, up))

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, (Started, Joined)):
            self._take_up(happening.t_ms)
        elif self.view() is not None and isinstance(happening, (Turn, TakenBack)):
            mover = self._session.mirror.game.mover
            if isinstance(happening, TakenBack):
                self._left_ms[mover] -= self._increment_ms(mover)
                return
            self._game = self._file_id()
            self._left_ms[1 - mover] += self._increment_ms(1 - mover)
            self._tell(Clock(happening.t_ms, self._left_s()))

    def _begin(self) -> None:
        if self.controls is not None:
            self._left_ms = self._kept_ms or [1000.0 * each.base_s for each in self.controls]
        self._kept_ms = None

    def _take_up(self, t_ms: int | None) -> None:
        """Begin with the game that begins, or go on with one in progress as its record says."""
        mirror = self._session.mirror
        game = self._file_id()
        if game and game == self._game:
            return  # the line was cut, and the clocks went on
        self._game = game
        record = mirror.record
        if record is None or not record.turns:
            self._begin()
            return
        with suppress(UserError):  # what others write there is none of ours
            self.controls = parse_controls(record.headers.get(TIME_CONTROL, ""), 1)
        self._begin()
        if self.controls is not None:
            self._left_ms = _left_ms(record, self._left_ms)
            away_s = (t_ms or 0) / 1000 - (seconds_of(record.comments[-1]) or float("inf"))
            if 0 < away_s < _BREAK_S:
                self._left_ms[mirror.game.mover] -= 1000 * away_s

    def _file_id(self) -> str:
        """Return the id of the game's file, "" while it has none."""
        file = self._session.mirror.file
        return "" if file is None else file.id

    def _increment_ms(self, side: int) -> int:
        return 0 if self.controls is None else 1000 * self.controls[side].increment_s

    def _remark(self) -> str:
        """Return what the record says of the turn that is written: the time that its player has."""
        if self.controls is None:
            return ""
        side = 1 - self._session.mirror.game.mover
        left_s = max(0, int(self._left_ms[side] + self._increment_ms(side)) // 1000)
        return clock_left(left_s)


def _left_ms(record: Record, at_first: list[float], turns: int | None = None) -> list[float]:
    """Return what a record says that both have left after so many turns, else what is given."""
    left = [*at_first]
    first = layout.mover(record.start)
    for number, comment in enumerate(record.comments[:turns]):
        for hours, minutes, seconds in _LEFT.findall(comment):
            left[(first + number) % 2] = 1000.0 * (
                3600 * int(hours) + 60 * int(minutes) + int(seconds)
            )
    return left
