"""The game as all others see it (`games.interface.Game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from chronotable_host.games.interface import Decision, Foresight, Happening, Outcome, State
from chronotable_host.games.timechase import (
    acting,
    bots,
    choices,
    endings,
    headlines,
    row,
    setting_up,
    telling,
    views,
)


class TimeChase:
    """The rules need no data, so there is one such game."""

    data_hash = ""
    data_note = ""
    printed: Mapping[str, Any] = {}
    foresight = Foresight(actions=12_000)

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state."""
        return setting_up.new(seed, players, jumble=bool(options.get("jumble")))

    def to_decide(self, state: State) -> int:
        """Return the seat that decides."""
        seat: int = state["turn"]
        return seat

    def deciding(self, state: State) -> Sequence[int]:
        """Return the seats that may decide at once."""
        return acting.deciding(state)

    def legal(self, state: State) -> list[str]:
        """Return the legal actions."""
        return [] if state["phase"] == setting_up.OVER else acting.legal(state, state["turn"])

    def apply(
        self, state: State, seat: int, action: str, happenings: list[Happening] | None = None
    ) -> State:
        """Return the state after an action; raises IllegalActionError."""
        return acting.apply(state, seat, action, happenings)

    def view(self, state: State, seat: int) -> State:
        """Return what a seat may know."""
        return views.view(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended."""
        return row.outcome(state)

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return the next step, and a line that adds to it."""
        return headlines.headline(view, names)

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        """Return what a seat is to decide."""
        return choices.decision(view, seat, names)

    def says(self, happening: Happening, names: Sequence[str], seat: int) -> str:  # noqa: ARG002
        """Return what has happened; everybody reads the same."""
        return telling.says(happening, names)

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:
        """Return how the game ended, and why."""
        return endings.why(outcome, view, names)

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state that looks like the view to the seat that it is of."""
        return views.possible(view, seat, chance)

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return a good action by rules of thumb."""
        return bots.sensible(view, seat, chance)

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:  # noqa: ARG002
        """Return what a bot should compare: everything that is legal."""
        return acting.legal(view, seat)

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands, 0 to 1."""
        return bots.worth(state, seat)
