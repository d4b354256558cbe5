"""What a state holds: the cards (H1), a new game (H2, H19), and what is read off the row.

Cards are texts such as "flux 8".
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from chronotable_night.games.interface import NOBODY, Outcome, State
from chronotable_night.games.portable import next_number, shuffled

SUITS = ("dark", "flux", "neutrino", "paradox", "tachyon")
HIGHEST = 13
LOWEST: Mapping[int, int] = {3: 7, 4: 5, 5: 3, 6: 1}
"""The lowest value in play, by the number of players."""

NO_CARD = ""
"""Where none lies."""

SUIT: Mapping[str, str] = {f"{s} {v}": s for s in SUITS for v in range(1, HIGHEST + 1)} | {
    NO_CARD: ""
}
"""The suit of a card, "" of none."""

VALUE: Mapping[str, int] = {card: int(card.partition(" ")[2] or 0) for card in SUIT}
ORDER: Mapping[str, int] = {card: number for number, card in enumerate(SUIT)}
"""The place of a card in a sorted hand: by suit, then by value."""

_INVARIANT_SUIT = 200
_LED_SUIT = 100


@cache
def cards_in_play(players: int) -> Sequence[str]:
    """Return all cards of a game, suit by suit, the values ascending."""
    return tuple(f"{s} {value}" for s in SUITS for value in range(LOWEST[players], HIGHEST + 1))


def sorted_hand(cards: Iterable[str]) -> list[str]:
    """Return cards by suit, then by value."""
    return sorted(cards, key=ORDER.__getitem__)


def rank(card: str, led_suit: str, invariant_suit: str) -> int:
    """Return what a card beats others by; 0 of those that beat nothing (H7)."""
    suit = SUIT[card]
    if suit == invariant_suit:
        return _INVARIANT_SUIT + VALUE[card]
    return _LED_SUIT + VALUE[card] if suit == led_suit else 0


# ---- a new game


EVENTS = 10
HAND = 10
INVARIANT = 0
"""The location at the very beginning of the timeline; events are those from 1."""

NOWHERE = -1
"""What `at` is while no location is resolved."""

EVENT, AT_INVARIANT, MOVE, OVER = "event", "invariant", "move", "over"
"""The phases."""


def new(seed: int, players: int, *, jumble: bool) -> dict[str, Any]:
    """Return the state in which the marker's holder leads the first event."""
    deck, rng = shuffled(cards_in_play(players), seed)
    tokens = list(range(1, EVENTS + 1))
    if jumble:
        tokens, rng = shuffled(tokens, rng)
    number, rng = next_number(rng)
    marker = (number % players + 1) % players
    first, *tokens = tokens
    dealt = players * HAND
    return {
        "players": players,
        "jumble": int(jumble),
        "marker": marker,
        "rng": rng,
        "round": 1,
        "timeline": [first],
        "control": [NOBODY],
        "led": [NO_CARD],
        "winning": [NO_CARD],
        "present": first,
        "tokens": tokens,
        "invariant": deck[dealt],
        "deck": deck[dealt + 1 :],
        "discard": [],
        "hands": [sorted_hand(deck[at : at + HAND]) for at in range(0, dealt, HAND)],
        "fuel": [0] * players,
        "travelers": [first] * players,
        "phase": EVENT,
        "at": first,
        "turn": marker,
        "played": [],
        "secret": [],
    }


# ---- the row of events


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
