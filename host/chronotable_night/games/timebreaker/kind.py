"""Time Breaker, as it comes from its box."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import (
    Decision,
    Foresight,
    GameHappening,
    IllegalActionError,
    Option,
    Outcome,
    State,
)
from chronotable_night.games.timebreaker import (
    decisions,
    endings,
    happenings,
    headlines,
    names,
    rules,
    thumb,
    views,
)
from chronotable_night.games.timebreaker.course import CardCourse, first_state
from chronotable_night.games.timebreaker.data import Data, read_data
from chronotable_night.games.timebreaker.legal import is_legal, legal_actions
from chronotable_night.games.timebreaker.refusals import refusal

_FOLDER = Path(__file__).parent
_MOST_PLAYERS = 5


class TimeBreaker:
    """The game with its data (`interface.Game`)."""

    foresight = Foresight(actions=7000)

    def __init__(self, data: Data) -> None:
        self._data = data

    @property
    def data_hash(self) -> str:
        """Return what tells this data from other."""
        return self._data.hash

    @property
    def data_note(self) -> str:
        """Return what a player should know of data that nobody compared with a printed game."""
        return "" if self._data.is_verified else endings.data_note()

    @property
    def printed(self) -> Mapping[str, Any]:
        """Return what the page draws of the data and no view has: tiles, arrows, names of cards."""
        data = self._data
        return {
            "tra": data.tra,
            "labels": data.labels,
            "green": data.green,
            "red": data.red,
            "order": list(data.tiles),
            "cards": {card: names.printed_on(data, card) for card in data.cards},
        }

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state; raises ValueError for options that there are not."""
        first = options.get("first", -1)
        if players not in KIND.players or first not in range(-1, players):
            raise ValueError("players or first")
        if options.get("arrest", "automatic") not in ("automatic", "declared"):
            raise ValueError("arrest")
        return first_state(self._data, seed, players, options)

    def to_decide(self, state: State) -> int:
        """Return the seat that decides, NOBODY when the game is over."""
        seat: int = state["to_act"]
        return seat

    def deciding(self, state: State) -> Sequence[int]:
        """Return the seat that decides: each answer is open, and the next one may depend on it."""
        return [] if state["phase"] == "over" else [state["to_act"]]

    def legal(self, state: State) -> list[str] | None:
        """Return the legal actions of a state or of the view of who decides."""
        return legal_actions(self._data, state)

    def apply(
        self, state: State, seat: int, action: str, happenings: list[GameHappening] | None = None
    ) -> State:
        """Return the state after an action; raises IllegalActionError."""
        if seat != state["to_act"] or not is_legal(self._data, state, action):
            raise self.refusal(state, seat, action)
        course = CardCourse(self._data, state, happenings)
        course.act(action)
        return course.state

    def refusal(self, state: State, seat: int, action: str) -> IllegalActionError:
        """Return why a seat may not do what is not legal."""
        return refusal(self._data, state, seat, action)

    def view(self, state: State, seat: int) -> State:
        """Return what a seat may know, or the SPECTATOR."""
        return views.view_of(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, None while it goes on."""
        return Outcome(state["winners"], state["why"]) if state["phase"] == "over" else None

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return the next step for all to read, and a line that adds to it."""
        return headlines.headline(self._data, view, names)

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        """Return what a seat is to decide, from its view; None if nothing."""
        return decisions.decision(self._data, view, seat, names)

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:
        """Return a happening in a sentence to a seat or the SPECTATOR."""
        return happenings.says(self._data, happening, names, seat)

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:
        """Return how the game ended, and why."""
        return endings.why(outcome, view, names)

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state, drawn by chance, that gives the seat exactly this view."""
        return views.possible_state(self._data, view, seat, chance)

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return a good action by rules of thumb."""
        return thumb.sensible(self._data, view, seat, chance)

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        """Return the actions that a bot should compare: those that the rules of thumb like most."""
        return thumb.candidates(self._data, view, seat, chance)

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands, 0 lost to 1 won."""
        return thumb.worth(self._data, state, seat)


class TimeBreakerKind:
    """The game before data is chosen (`interface.Kind`)."""

    name = "timebreaker"
    players = range(2, _MOST_PLAYERS + 1)
    page = _FOLDER / "page"

    @property
    def title(self) -> str:
        """Return its name for people."""
        return tr("Time Breaker")

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "Jump from gate to gate, catch the Time Breaker before the others do, and bring them "
            "to the tile in the middle."
        )

    @property
    def options(self) -> Sequence[Option]:
        """Return what is chosen before the game begins."""
        return [
            Option(
                "arrest",
                tr("How a player arrests the Time Breaker"),
                {
                    "automatic": tr("At once: who is on its tile has arrested it."),
                    "declared": tr("By saying so: on its tile, before moving on."),
                },
            ),
            Option(
                "first",
                tr("Who begins"),
                {-1: tr("Drawn by lot"), 0: tr("The first seat")},
            ),
        ]

    @property
    def rules(self) -> Mapping[str, str]:
        """Return the rules by number, in our own words."""
        return rules.rules()

    @cached_property
    def default_data(self) -> Mapping[str, Any]:
        """Return the data it is played with unless the owner has better."""
        data: dict[str, Any] = json.loads((_FOLDER / "default.json").read_text("utf-8"))
        return data

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return state.get("game") == self.name

    def game(self, data: Mapping[str, Any] | None = None) -> TimeBreaker:
        """Return the game with its own data or another's; raises DataError."""
        if data is None:
            return self._own
        return TimeBreaker(read_data(data))

    @cached_property
    def _own(self) -> TimeBreaker:
        return TimeBreaker(read_data(self.default_data))


KIND = TimeBreakerKind()
