"""Persons at a seat who touch no piece: here on a page, elsewhere by a link, or never moving."""

import secrets

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.turn_builder import TurnBuilder
from ttykm.game import Game

Position = tuple[int, bytes]
"""Where a game is: how many turns were played, and the state then."""


def position_of(game: Game) -> Position:
    """Return where a game is."""
    return len(game.turns), game.state.tobytes()


class Idler:
    """Who is at a seat and never moves."""

    is_person = True
    thought = ""

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, game: Game) -> None:
        """Do nothing."""

    def poll(self) -> int | None:
        """Return no turn."""
        return None

    def cancel(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Person:
    """A seat that is played from a browser, of this table's page or elsewhere.

    `builder` has the turn in the making, None while it is not this person's turn; `has_played`
    tells that a turn is carried out. What was chosen so far stays while the table is led back to
    the position.
    """

    is_person = True
    thought = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.builder: TurnBuilder | None = None
        self.has_played = False
        self._begun: tuple[tuple[Position, int], TurnBuilder] | None = None

    def begin(self, game: Game) -> None:
        """Have a turn put together in a game's position."""
        position = position_of(game), game.options
        if self._begun is None or self._begun[0] != position:
            self._begun = position, TurnBuilder(game)
        self.builder = self._begun[1]
        self.has_played = False

    def poll(self) -> int | None:
        """Return the turn that was put together, packed, once it is whole."""
        turn = None if self.builder is None else self.builder.turn
        if turn is not None:
            self.forget()
            self.has_played = True
        return turn

    def choose(self, text: str, after: str) -> None:
        """Choose what has this text; the focus ends the turn. Raises UserError.

        `after` is the text of what was chosen before, as who chooses sees it: a press that was
        made twice, or on boards that show less than there is, does not become the next choice.
        """
        builder = self._due()
        if builder.text == after:
            builder.choose(text)
        elif builder.text != f"{after} {text}".lstrip():  # else it is chosen already
            raise UserError(tr("the turn has changed meanwhile; choose again"))

    def back(self) -> None:
        """Take the last choice back; raises UserError where there is none."""
        self._due().back()

    def _due(self) -> TurnBuilder:
        if self.builder is None or self.builder.turn is not None:
            raise UserError(tr("it is not your turn"))
        return self.builder

    def cancel(self) -> None:
        """Wait: the position may change. What was chosen for it is kept."""
        self.builder = None

    def forget(self) -> None:
        """Choose anew: what was chosen so far belongs to another game, or was played."""
        self.cancel()
        self._begun = None
        self.has_played = False

    def close(self) -> None:
        """Give the seat up."""
        self.forget()


class Guest(Person):
    """A seat that a browser elsewhere plays.

    `token` is what its link lets in with, as long as it has the seat. Whoever shows the link notes
    that it `is_announced`, whether somebody who opened it `is_there` now, and when that was so
    last, in seconds (`seen_s`, None before anybody came). `called` is the name that the guest gave,
    "" for none, which goes along from game to game.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.token = secrets.token_urlsafe(16)
        self.is_announced = False
        self.is_there = False
        self.seen_s: float | None = None
        self.called = ""
