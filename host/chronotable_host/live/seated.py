"""Players without hands at a table: their turns are told to it, and hands carry them out.

One rule: which turn is wanted is a state, not an event. It is told whenever the table waits for a
turn of such a player and does not show one; told twice it changes nothing, and the table refuses
what is out of date. Hands that take back such a player's turn are at their own decision before it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random

from chronotable.frames import LocalLinkError
from chronotable.hints import HINTS_OFF
from chronotable_host.engine.seats import HANDS, spoken_name
from chronotable_host.engine.thinkers import Seats, Thinker
from chronotable_host.live.happenings import Happening, Joined, Notice, Started, TakenBack
from chronotable_host.live.session import Session
from chronotable_host.live.settings import number_of
from chronotable_host.rules.notation import PLAYERS
from ttykm.game import digest
from ttykm.layout import NOBODY

_MINOR = 4  # of the protocol, from which on tables show turns that are wanted

_Position = tuple[int, bytes]
"""How many turns were played, and the state then."""


class Seated(Seats):
    """Has sides of a session's table played.

    `tell` hears what is wrong with who plays one.
    """

    def __init__(self, session: Session, tell: Callable[[Happening], None]) -> None:
        super().__init__(Random(), session.mirror.name_player)
        self._session = session
        self._tell = tell
        self._found: tuple[_Position, int] | None = None  # the turn of a position
        self._told_at = -1  # the snapshot after which it was told
        self._hints: dict[int, int] = {}  # levels that sides had before nobody needed hints there
        self._hints_at = -1  # the snapshot after which levels were set
        self._is_taken_back = False  # a turn was, and nobody has looked at whose since
        self._sent_away: set[int] = set()  # sides that the table was told not to play itself

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, TakenBack):
            self._is_taken_back = True
        if isinstance(happening, (TakenBack, Started, Joined)):
            self._found = None  # a guest may think of another turn
            self.forget()

    def seat_thinker(self, side: int, thinker: Thinker | None) -> None:
        """Have a side played by this one, or by hands; the table is told what is not wanted now."""
        self._hints_at = -1
        if side == self._session.mirror.game.mover:
            self._found = None
            if side in self.thinkers and self._session.mirror.table.is_turn_wanted:
                self._want(None)
        super().seat_thinker(side, thinker)

    def close(self) -> None:
        """Have nobody think any more; the table shows hints again as it did before."""
        super().close()
        self._set_hints()

    def step(self, now_ms: int) -> None:
        """Think, and tell the table what is wanted, where that is due."""
        mirror = self._session.mirror
        game, table = mirror.game, mirror.table
        if self.thinkers and table.peer is not None and table.peer.minor < _MINOR:
            for side in list(self.thinkers):
                self.seat(side, HANDS)
            older = "the table's firmware cannot light the turns of others yet"
            self._tell(Notice(now_ms, f"{older}: `chronotable flash` brings one that can"))
        if self._session.link.connected:
            self._send_away(now_ms)
        is_told_anew = self._session.link.connected and table.snapshots != self._hints_at
        if is_told_anew and self._set_hints():
            self._hints_at = table.snapshots
        if self._is_taken_back and mirror.is_in_step:
            self._is_taken_back = False
            if game.mover in self.programs and 1 - game.mover not in self.programs and game.turns:
                self._command("undo")  # its own turn before that, too: a person's decision
                return
        is_due = (
            self._session.link.connected
            and table.phase == "turn"
            and mirror.is_in_step
            and game.mover in self.thinkers
            and game.winner() == NOBODY
        )
        if not is_due:
            self.stop()
            return
        position = len(game.turns), game.state.tobytes()
        if self._found is None or self._found[0] != position:
            before = self.problem
            turn = self.turn(game)
            if self.problem != before:
                self._tell(Notice(now_ms, self.problem))
            if turn is None:
                return
            self._found = position, turn
            self._told_at = -1
        is_to_be_told = not table.is_turn_wanted and self._told_at != table.snapshots
        if is_to_be_told and self._want(self._found[1]):
            self._told_at = table.snapshots

    def _command(self, name: str, **values: object) -> bool:
        """Tell the table something; return False where too much waits for it already."""
        try:
            self._session.command(name, **values)
        except LocalLinkError:
            return False
        return True

    def _send_away(self, now_ms: int) -> None:
        """Have the table itself play no side that somebody plays here."""
        for side, level in enumerate(self._session.mirror.table.own_levels):
            if side not in self.thinkers or not level:
                self._sent_away.discard(side)
            elif side not in self._sent_away:
                name = PLAYERS[side]
                if not self._command("set", setting=number_of(name), value=0):
                    continue
                self._sent_away.add(side)
                who = spoken_name(self.thinkers[side].name)
                self._tell(Notice(now_ms, f"{who} plays {name} now, no more the table itself"))

    def _set_hints(self) -> bool:
        """Have no hints for sides that nobody's hands decide for, for others what they had before.

        What they had is sent without a look at what they have: "off" may still be on its way.
        Returns whether the table was told.
        """
        is_told = True
        for side, level in enumerate(self._session.mirror.table.hints):
            if side in self.thinkers and level != HINTS_OFF:
                self._hints[side] = level
                is_told &= self._command("set", setting=side, value=HINTS_OFF)
            elif side not in self.thinkers and side in self._hints:
                if self._command("set", setting=side, value=self._hints[side]):
                    del self._hints[side]
                else:
                    is_told = False
        return is_told

    def _want(self, turn: int | None) -> bool:
        mirror = self._session.mirror
        game = mirror.game
        after = array("H", game.state)
        if turn is not None:
            game.after(turn, after)
        return self._command(
            "want", turn_no=mirror.turns_of_table + 1, turn=turn, digest=digest(after)
        )
