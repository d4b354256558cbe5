"""Players without hands at a table: their turns are told to it, and hands carry them out.

One rule: which turn is wanted, and who plays here, are states, not events. A turn is told whenever
the table waits for one of such a player and does not show it; told twice it changes nothing, and
the table refuses what is out of date. Hands that take back such a player's turn are at their own
decision before it.
"""

from collections.abc import Callable
from random import Random

from chronotable.link.frames import LocalLinkError
from chronotable.player.seats import ELSEWHERE
from chronotable.player.seats import HANDS as OWN_HANDS
from chronotable_host.engine.thinkers import Thinker
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import Happening, Joined, Notice, Started, TakenBack
from chronotable_host.live.players.person import Position, position_of
from chronotable_host.live.players.seats import HANDS, Seats, shown_name
from chronotable_host.live.session import Session
from ttykm.layout import NOBODY

_MINOR = 6  # of the protocol, from which on tables know of sides that are played elsewhere


class TableSeats(Seats):
    """Has sides of a session's table played.

    `tell` hears what is wrong with who plays one.
    """

    def __init__(self, session: Session, tell: Callable[[Happening], None]) -> None:
        super().__init__(Random(), session.mirror.name_player)
        self._session = session
        self._tell = tell
        self._found: tuple[Position, int] | None = None  # the turn of a position
        self._told_at = -1  # the snapshot after which it was told
        self._levels_at: tuple[int, tuple[int, int]] | None = None  # what was known when told

    @property
    def wanted(self) -> int | None:
        """The turn of a player without hands that the table shows."""
        mirror = self._session.mirror
        position = position_of(mirror.game)
        if self._found is None or self._found[0] != position or not mirror.table.is_turn_wanted:
            return None
        return self._found[1]

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, (TakenBack, Started, Joined)):
            self._found = None  # a guest may think of another turn
            self.forget()

    def seat_thinker(self, side: int, thinker: Thinker | None) -> None:
        """Have a side played by this one, or by hands; the table is told what is not wanted now."""
        if thinker is not None:
            self._levels_at = None
        elif side in self.thinkers:
            self._set_level(side, OWN_HANDS)
        if side == self._session.mirror.game.mover:
            self._found = None
            if side in self.thinkers and self._session.mirror.table.is_turn_wanted:
                self._want(None)
        super().seat_thinker(side, thinker)

    def step(self, now_ms: int) -> None:
        """Think, and tell the table what is wanted, where that is due."""
        mirror = self._session.mirror
        game, table = mirror.game, mirror.table
        if self.thinkers and table.peer is not None and table.peer.minor < _MINOR:
            for side in list(self.thinkers):
                self.seat(side, HANDS)
            older = tr(
                "the table's firmware cannot light the turns of others yet: `chronotable flash` "
                "brings one that can"
            )
            self._tell(Notice(now_ms, older))
        if self._session.link.connected:
            self._tell_levels(now_ms)
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
        position = position_of(game)
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

    def _set_level(self, side: int, level: int) -> bool:
        """Tell the table who plays; return False where too much waits for it already."""
        try:
            self._session.set_own_level(side, level)
        except LocalLinkError:
            return False
        return True

    def _tell_levels(self, now_ms: int) -> None:
        """Have the table know which sides are played here: it plays them no more, and waits."""
        table = self._session.mirror.table
        known = table.snapshots, table.own_levels
        if known == self._levels_at:
            return
        for side, thinker in self.thinkers.items():
            level = table.own_levels[side]
            if level == ELSEWHERE:
                continue
            if not self._set_level(side, ELSEWHERE):
                return
            if level:
                sentence = tr(
                    "{name} plays {player} now, no more the table itself",
                    name=shown_name(thinker.name),
                    player=names.PLAYERS_WITHIN[side],
                )
                self._tell(Notice(now_ms, sentence))
        self._levels_at = known

    def _want(self, turn: int | None) -> bool:
        try:
            self._session.want(turn)
        except LocalLinkError:
            return False
        return True
