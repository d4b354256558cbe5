"""A turn that the lights show to hands which may make another one: a hint, or the best turn.

One rule: it forces nobody. The lights lead through it as they do through the turn of a player
without hands; as soon as something else is touched than they ask for they stop, and what lies there
counts as the hands' own turn.
"""

from __future__ import annotations

from contextlib import suppress

from chronotable import meanings
from chronotable.frames import LocalLinkError
from chronotable.sensors import SENSORS
from chronotable_host.live.session import Session

_ASKING = frozenset(
    (
        *(meanings.TODO_TAKE, meanings.TODO_PUT, meanings.PUT_WHITE, meanings.PUT_BLACK),
        *(meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK, meanings.PLANT, meanings.DIG),
        *(meanings.BUILD, meanings.TRAIN, meanings.COMMAND),
    )
)


class ShownTurn:
    """Shows one turn at a session's table, as long as its position lasts."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: tuple[int, int, bytes] | None = None  # with the position that it is for
        self._told_at = -1  # the snapshot after which it was told
        self._asked: frozenset[int] = frozenset()  # the sensors that it lights
        session.mirror.table.listeners.append(self._touch)

    @property
    def turn(self) -> int | None:
        """The turn that is shown, packed."""
        return None if self._shown is None else self._shown[0]

    def show(self, turn: int) -> None:
        """Show a turn of the position that the game is in."""
        game = self._session.mirror.game
        self._shown = turn, len(game.turns), game.state.tobytes()
        self._told_at = -1
        self._session.mirror.table.is_hinted = True

    def clear(self) -> None:
        """Show none any more."""
        was_shown, self._shown = self._shown is not None, None
        table = self._session.mirror.table
        table.is_hinted = False
        if was_shown and table.is_turn_wanted:
            with suppress(LocalLinkError):
                self._session.want(None)

    def step(self) -> None:
        """Have the table know what it is to show, also after it forgot it."""
        if self._shown is None:
            return
        mirror = self._session.mirror
        table, game = mirror.table, mirror.game
        turn, *position = self._shown
        if position != [len(game.turns), game.state.tobytes()]:
            self._shown = None  # it was made, or the table has let go of it with the position
            table.is_hinted = False
            return
        self._asked = frozenset(at for at, says in enumerate(table.leds) if says in _ASKING)
        is_due = self._session.link.connected and table.phase == "turn" and mirror.is_in_step
        if is_due and not table.is_turn_wanted and self._told_at != table.snapshots:
            with suppress(LocalLinkError):  # too much waits for the table: a moment later
                self._session.want(turn)
                self._told_at = table.snapshots

    def _touch(self, sensor: int, _closed: bool, _at_ms: int) -> None:
        is_lit = self._shown is not None and self._session.mirror.table.is_turn_wanted
        if is_lit and sensor < SENSORS and sensor not in self._asked:
            self.clear()
