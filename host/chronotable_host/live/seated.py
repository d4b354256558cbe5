"""Players without hands at a table: their turns are told to it, and hands carry them out.

One rule: which turn is wanted is a state, not an event. It is told whenever the table waits for a
turn of such a player and does not show one; told twice it changes nothing, and the table refuses
what is out of date. Hands that take back such a player's turn are at their own decision before it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random

from chronotable.hints import HINTS_OFF
from chronotable_host.engine.client import EngineError
from chronotable_host.engine.seats import HANDS, player_name
from chronotable_host.engine.thinkers import Thinker, Thinking, thinker_of
from chronotable_host.live.happenings import Happening, Notice, TakenBack
from chronotable_host.live.session import Session
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS
from ttykm.game import digest
from ttykm.layout import NOBODY

_SEEDS = 1 << 30
_MINOR = 4  # of the protocol, from which on tables show turns that are wanted

_Position = tuple[int, bytes]
"""How many turns were played, and the state then."""


class Seated:
    """Has sides of a session's table played; `thinkers` choose the turns, by side.

    `tell` hears what is wrong with one of them.
    """

    def __init__(self, session: Session, tell: Callable[[Happening], None]) -> None:
        self.thinkers: dict[int, Thinker] = {}
        self._session = session
        self._tell = tell
        self._thinking = Thinking()
        self._found: tuple[_Position, int] | None = None  # the turn of a position
        self._told_at = -1  # the snapshot after which it was told
        self._hints: dict[int, int] = {}  # levels that sides had before nobody needed hints there
        self._hints_at = -1  # the snapshot after which levels were set
        self._is_taken_back = False  # a turn was, and nobody has looked at whose since

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, TakenBack):
            self._is_taken_back = True

    def seat(self, side: int, who: str) -> None:
        """Have a side played by `HANDS`, or by a player as `engine.seats` names them.

        The games that begin from now on have the name of that player. Raises UserError.
        """
        thinker = None if who == HANDS else thinker_of(who, Random().randrange(_SEEDS))
        self.seat_thinker(side, thinker)
        self._session.mirror.name_player(side, player_name(who))

    @property
    def thinking(self) -> str:
        """Who thinks about a turn, as people are told it; "" where nobody does."""
        return self._thinking.name

    def players(self) -> dict[str, str]:
        """Return who plays each side."""
        return {
            player: self.thinkers[side].name if side in self.thinkers else HANDS
            for side, player in enumerate(PLAYERS)
        }

    def seat_thinker(self, side: int, thinker: Thinker | None) -> None:
        """Have a side played by this one, or by hands."""
        self._thinking.stop()
        self._found = None
        self._hints_at = -1
        former = self.thinkers.pop(side, None)
        if former is not None:
            former.close()
            if self._session.mirror.table.is_turn_wanted:
                self._want(None)
        if thinker is not None:
            self.thinkers[side] = thinker

    def close(self) -> None:
        """Have nobody think any more; the table shows hints again as it did before."""
        for side in list(self.thinkers):
            self.seat_thinker(side, None)
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
        if self._session.link.connected and table.snapshots != self._hints_at:
            self._hints_at = table.snapshots
            self._set_hints()
        if self._is_taken_back and mirror.is_in_step:
            self._is_taken_back = False
            if game.mover in self.thinkers and 1 - game.mover not in self.thinkers and game.turns:
                self._session.command("undo")  # its own turn before that, too: the hands' decision
                return
        is_due = (
            self._session.link.connected
            and table.phase == "turn"
            and mirror.is_in_step
            and game.mover in self.thinkers
            and game.winner() == NOBODY
        )
        if not is_due:
            self._thinking.stop()
            return
        position = len(game.turns), game.state.tobytes()
        if self._found is None or self._found[0] != position:
            turn = self._thought(now_ms)
            if turn is None:
                return
            self._found = position, turn
            self._told_at = -1
        if not table.is_turn_wanted and self._told_at != table.snapshots:
            self._told_at = table.snapshots
            self._want(self._found[1])

    def _set_hints(self) -> None:
        """Have no hints for sides that nobody's hands decide for, for others what they had before.

        What they had is sent without a look at what they have: "off" may still be on its way.
        """
        for side, level in enumerate(self._session.mirror.table.hints):
            if side in self.thinkers and level != HINTS_OFF:
                self._hints[side] = level
                self._session.command("set", setting=side, value=HINTS_OFF)
            elif side not in self.thinkers and side in self._hints:
                self._session.command("set", setting=side, value=self._hints.pop(side))

    def _want(self, turn: int | None) -> None:
        mirror = self._session.mirror
        game = mirror.game
        after = array("H", game.state)
        if turn is not None:
            game.after(turn, after)
        self._session.command(
            "want", turn_no=mirror.turns_of_table + 1, turn=turn, digest=digest(after)
        )

    def _thought(self, now_ms: int) -> int | None:
        """Return the turn that was thought of, None while it is thought about."""
        game = self._session.mirror.game
        try:
            return self._thinking.turn(self.thinkers[game.mover], game)
        except EngineError as error:
            side = PLAYER_NAMES[game.mover]
            self.seat(game.mover, HANDS)
            self._tell(Notice(now_ms, f"{error}; hands play {side.lower()} now"))
            return None
