"""Who has which side at a table whose other side is played far away, by a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from chronotable_host.live.players.seats import FAR, HANDS

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.players.seats import Seats
    from ttykm.game import Game


Line = Callable[[], Sequence[int]]
"""Returns the turns that the log has now, packed."""


class LogPlayer:
    """Plays the next turn of a log as soon as that has it; `name` is the seat's.

    It is somebody elsewhere, or this side itself at another time or table.
    """

    is_person = True
    thought = ""

    def __init__(self, name: str, line: Line) -> None:
        self.name = name
        self._line = line
        self._turns: Sequence[int] | None = None

    def begin(self, game: Game) -> None:
        """Have a turn of this game in mind."""
        self._turns = [*game.turns]

    def poll(self) -> int | None:
        """Return the turn that follows, where the log has one behind just these."""
        turns, line = self._turns, self._line()
        if turns is None or len(line) <= len(turns) or [*line[: len(turns)]] != turns:
            return None
        return line[len(turns)]

    def cancel(self) -> None:
        """Have no turn in mind."""
        self._turns = None

    def close(self) -> None:
        """Give the seat up."""
        self._turns = None


class Sitting:
    """The seats of a table: the far side's has the log, the own one whom `own_player` returns.

    While hands are led through turns of their own side, as after a take-back that was declined,
    the log has that seat, too.
    """

    def __init__(self, seats: Seats, own_player: Callable[[], Thinker | None]) -> None:
        self._seats = seats
        self._own_player = own_player
        self._own = -1
        self._sat: Thinker | None = None  # who has the own seat while it is the log's

    def sit(self, own: int, is_led: bool, line: Line) -> None:
        """Have everybody at their places; `own` is this end's side."""
        seats = self._seats
        thinkers = seats.thinkers
        if own != self._own:
            self._own = own
            for side in (own, 1 - own):
                if isinstance(thinkers.get(side), LogPlayer):
                    seats.seat_thinker(side, None)
            if thinkers.get(own) is None:
                seats.seat_thinker(own, self._own_player())
        if not isinstance(thinkers.get(1 - own), LogPlayer):
            seats.seat_thinker(1 - own, LogPlayer(FAR, line))
        if is_led == isinstance(thinkers.get(own), LogPlayer):
            return
        if is_led:
            self._sat = thinkers.get(own)
            name = HANDS if self._sat is None else self._sat.name  # it is the same person
            seats.seat_thinker(own, LogPlayer(name, line))
        else:
            seats.seat_thinker(own, self._sat)
            self._sat = None

    def rethink(self, side: int, line: Line) -> None:
        """Have a side of the log think anew: another turn is due than it may have told."""
        player = self._seats.thinkers.get(side)
        if isinstance(player, LogPlayer):
            self._seats.seat_thinker(side, LogPlayer(player.name, line))
