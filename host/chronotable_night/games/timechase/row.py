"""What is read off the row of events, in a state or a view."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_night.games.interface import NOBODY, Outcome, State
from chronotable_night.games.timechase.cards import SUIT
from chronotable_night.games.timechase.setting_up import EVENT, EVENTS, INVARIANT, OVER

ENOUGH = 3
"""How many events win (H17)."""


def place(state: State, event: int) -> int:
    """Return where in the row an event lies."""
    found: int = state["timeline"].index(event)
    return found


def steps_back(state: State) -> int:
    """Return how many steps the invariant is before the present."""
    return place(state, state["present"]) + 1


def steps_forward(state: State) -> int:
    """Return how many events lie after the present."""
    return len(state["timeline"]) - steps_back(state)


def reached(state: State, steps: int) -> int:
    """Return the location that many steps after the present, before it if below 0 (H13, H20)."""
    at = place(state, state["present"]) + steps
    event: int = state["timeline"][at] if at >= 0 else INVARIANT
    return event


def there(state: State, location: int) -> list[int]:
    """Return the seats whose travelers are at a location."""
    return [seat for seat, at in enumerate(state["travelers"]) if at == location]


def still_to_play(state: State) -> list[int]:
    """Return who is at the event that is resolved and has not played there, in turn."""
    if state["phase"] != EVENT:
        return []
    players = state["players"]
    done = {seat for seat, _ in state["played"]}
    here = (seat % players for seat in range(state["turn"], state["turn"] + players))
    return [s for s in here if state["travelers"][s] == state["at"] and s not in done]


def suit_to_follow(state: State) -> str:
    """Return the suit to follow where cards are played, "" if any card leads (H5)."""
    if state["at"] != state["present"]:
        return SUIT[state["led"][place(state, state["at"])]]
    played = state["played"]
    return SUIT[played[0][1]] if played else ""


def events_of(state: State, seat: int) -> list[int]:
    """Return the events that a seat controls, the nearest to the invariant first."""
    owned = zip(state["timeline"], state["control"], strict=True)
    return [event for event, owner in owned if owner == seat]


def leader(state: State, event: int, participants: Sequence[int]) -> int:
    """Return who leads at an event (H4, H21)."""
    before = state["control"][: place(state, event)]
    seat = next((owner for owner in reversed(before) if owner != NOBODY), state["marker"])
    while seat not in participants:
        seat = (seat + 1) % state["players"]
    return int(seat)


def outcome(state: State) -> Outcome | None:
    """Return who has won, None while the game goes on (H17, H18)."""
    if state["phase"] != OVER:
        return None
    control = state["control"]
    most = max(control.count(seat) for seat in range(state["players"]))
    winner = next(seat for seat in control if seat != NOBODY and control.count(seat) == most)
    return Outcome([winner], "three" if most >= ENOUGH else "ten")


def is_last_round(state: State) -> bool:
    """Tell whether no round follows (H14)."""
    return int(state["round"]) == EVENTS
