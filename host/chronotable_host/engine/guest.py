"""A person elsewhere who plays a side: the turn is put together there, by whoever has the link."""

from __future__ import annotations

import secrets

from chronotable_host.errors import UserError
from chronotable_host.rules.turn_builder import TurnBuilder
from ttykm.game import Game


class Guest:
    """A seat that a browser plays; `token` is what its link lets in with, as long as it is open.

    `builder` has the turn in the making, None while it is not the guest's turn; `has_played` tells
    that a turn is carried out. What was chosen so far stays while the table is led back to the
    position. Whoever shows the link notes that it `is_announced`.
    """

    is_person = True
    thought = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.token = secrets.token_urlsafe(16)
        self.builder: TurnBuilder | None = None
        self.has_played = False
        self.is_announced = False
        self._begun: tuple[tuple[int, bytes, int], TurnBuilder] | None = None
        self._turn: int | None = None

    def begin(self, game: Game) -> None:
        """Have a turn put together in a game's position."""
        position = len(game.turns), game.state.tobytes(), game.options
        if self._begun is None or self._begun[0] != position:
            self._begun = position, TurnBuilder(game)
        self.builder = self._begun[1]
        self.has_played = False

    def poll(self) -> int | None:
        """Return the turn that was played, packed, once; None while there is none."""
        turn, self._turn = self._turn, None
        if turn is not None:
            self.forget()
            self.has_played = True
        return turn

    def play(self) -> None:
        """Play the turn that was put together; raises UserError where it is not whole."""
        turn = None if self.builder is None else self.builder.turn
        if turn is None:
            raise UserError("the turn is not whole yet")
        self._turn = turn
        self.builder = None

    def cancel(self) -> None:
        """Wait: the position may change. A turn that nobody took is there to be played again."""
        self.builder = self._turn = None

    def forget(self) -> None:
        """Choose anew: what was chosen so far belongs to another game, or was played."""
        self.cancel()
        self._begun = None
        self.has_played = False

    def close(self) -> None:
        """End the invitation: nobody comes in by its link any more."""
        self.token = ""
        self.forget()
