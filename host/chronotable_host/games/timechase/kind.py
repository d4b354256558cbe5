"""Time Chase as it comes from its box (`games.interface.Kind`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chronotable_host.games.interface import DataError, Game, Kind, Option, State
from chronotable_host.games.timechase.game import TimeChase
from chronotable_host.games.timechase.rulebook import rules
from chronotable_host.language import tr


class TimeChaseKind:
    """What is chosen before a game begins."""

    name = "timechase"
    players = range(3, 7)
    page = Path(__file__).parent / "page"
    default_data: Mapping[str, Any] | None = None

    @property
    def title(self) -> str:
        """Its name for people."""
        return tr("Time Chase")

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A chase through history: win tricks, travel back to win them anew, and be the first "
            "to control three events."
        )

    @property
    def options(self) -> Sequence[Option]:
        """The two modes."""
        meanings = {
            False: tr("In order: they come as they are numbered, fuel takes you back."),
            True: tr("Time jumble: they come at random, fuel takes you both ways."),
        }
        return [Option("jumble", tr("How the events come"), meanings)]

    @property
    def rules(self) -> Mapping[str, str]:
        """The rules by number."""
        return rules()

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"timeline", "travelers", "invariant"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> Game:
        """Return the game; it takes no data."""
        if data is not None:
            raise DataError("", tr("This game needs no data."))
        return TimeChase()


KIND: Kind = TimeChaseKind()
