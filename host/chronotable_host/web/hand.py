"""The hand at a virtual table of the viewer who is in control of the page.

One rule: where nobody at the page moves pieces, because all sides are played by choosing turns,
what lies there is this hand's own business, and it sees to it that it is what the game has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from typing import Any

from chronotable import meanings
from chronotable_host.engine.thinkers import Seats, Thinker
from chronotable_host.errors import UserError
from chronotable_host.glyphs import BELOW, HAT, KINDS
from chronotable_host.live.happenings import NEW_POSITION, Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.virtual.opponent import Opponent
from chronotable_host.virtual.table import VirtualTable
from chronotable_host.virtual.tabletop import Tabletop, wanted
from ttykm.objects import FALLEN, STATUE, TREE

_MOST_HELD = 7
_RESTED = ("set-up", "turn")
_LAID_MS = 1500.0  # until the table has felt what was laid, and taken a new game
_LOOK_MS = 300.0
_DOUBTED = (meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK)
_FALLEN = {KINDS[kind] for kind in range(FALLEN, STATUE) if kind in KINDS}


class PageHand:
    """Lifts and places pieces on a virtual table; `held` is what it holds, the last taken last.

    `seats` say who else plays here, which `opponent` does.
    `asked` is the position of the game that is to begin, None once one has.
    """

    def __init__(
        self,
        table: VirtualTable,
        mirror: Mirror,
        rng: Random,
        thinker: Callable[[str, int], Thinker] | None = None,
    ) -> None:
        self.top = Tabletop(table, rng)
        self.seats = Seats(Random(rng.randrange(1 << 30)), mirror.name_player, thinker)
        self.opponent = Opponent(self.top, mirror, rng, self.lay, self.seats)
        self.held: list[str] = []
        self.asked: array[int] | None = None
        self._mirror = mirror
        self._due_ms = 0.0

    @property
    def moves_alone(self) -> bool:
        """Whether nobody lifts and places pieces here but this hand."""
        return len(self.seats.thinkers) == len(PLAYERS)

    def step(self) -> None:
        """Do what is due: the next gesture of a turn, or put right what lies amiss."""
        now_ms = self.top.table.now_ms
        if self.moves_alone and not self.opponent.is_busy and now_ms >= self._due_ms:
            self._due_ms = now_ms + _LOOK_MS
            if self._is_in_disorder():
                self.tidy()
        self.opponent.step()

    def _is_in_disorder(self) -> bool:
        mirror = self._mirror
        table = mirror.table
        if table.phase not in _RESTED or not mirror.is_in_step:
            return False
        is_other = self.asked is None and self.top.there != wanted(mirror.game.state)
        return is_other or any(led in _DOUBTED for led in table.leds)

    def hear(self, happening: Happening) -> None:
        """Take note that a game has begun, or goes on: what lies there is to be its position."""
        if isinstance(happening, NEW_POSITION):
            self.asked = None

    def begin(self, state: array[int]) -> None:
        """Lay the position of a game that is to begin."""
        self.lay(state)
        self.asked = array("H", state)

    def lay(self, state: array[int]) -> None:
        """Put a position on the table, with empty hands."""
        self.held.clear()
        self.opponent.forget()
        self.top.lay(state)
        self._due_ms = self.top.table.now_ms + _LAID_MS

    def tidy(self) -> None:
        """Do what the table asks for: lay the game's position, or the one that begins.

        Where it lies there, lift and put back what the table wants to be sure of.
        """
        state = self._mirror.game.state if self.asked is None else self.asked
        doubted = [at for at, says in enumerate(self._mirror.table.leds) if says in _DOUBTED]
        if doubted and self.top.there == wanted(state) and not self.held:
            for sensor in doubted:
                self.top.tap(sensor)
        else:
            self.lay(state)

    def lift(self, sensor: int) -> None:
        """Take what lies on a sensor; raises UserError."""
        if len(self.held) == _MOST_HELD:
            raise UserError("the hand is full; put something down first")
        self.held.append(self.top.lift(sensor))

    def place(self, sensor: int, piece: str) -> None:
        """Put a piece out of the hand, or else out of the box; raises UserError."""
        is_held = piece in self.held
        if not is_held and not self._box().get(piece):
            raise UserError("there is no such piece in the hand or in the box")
        self.top.place(sensor, piece)
        if is_held:
            self.held.remove(piece)

    def put_away(self, piece: str) -> None:
        """Put a piece out of the hand into the box; raises UserError."""
        if piece not in self.held:
            raise UserError("there is no such piece in the hand")
        self.held.remove(piece)

    def _box(self) -> dict[str, int]:
        """Return how many of each piece are in the box: neither on the table nor in a hand."""
        return dict(self.top.box(*self.held, *self.opponent.held))

    def drawn(self, by_game: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return what lies on the table; `by_game` has the looks that the game gives it.

        A piece where the game has one of its kind looks as there, with hat and direction; what
        has no magnet lies where the game has it.
        """
        there = self.top.there
        shown = [
            each
            for each in by_game
            if each["look"] == BELOW or _is_kind(there.get(each["at"], ""), each["look"])
        ]
        known = {each["at"] for each in shown if each["look"] != BELOW}
        return shown + [{"at": at, "look": piece} for at, piece in there.items() if at not in known]

    def view(self) -> dict[str, Any]:
        """Return the part of the page's view that is the hand."""
        box = self._box().items()
        return {
            "box": [{"piece": piece, "count": count} for piece, count in box],
            "held": list(self.held),
            "clumsy": round(100 * self.top.clumsy),
            "broken": {str(sensor): how for sensor, how in self.top.broken.items()},
        }


def _is_kind(piece: str, look: str) -> bool:
    """Tell whether a piece of the table top can look like this in a game."""
    return piece == look.partition(HAT)[0] or (piece == KINDS[TREE] and look in _FALLEN)
