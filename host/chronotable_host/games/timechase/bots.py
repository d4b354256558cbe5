"""Playing by rules of thumb, from what a seat may know.

Everything is weighed in one unit: an event is worth 1. The weights were tried out in whole games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from typing import NamedTuple

from chronotable_host.games.interface import NOBODY, State
from chronotable_host.games.timechase.acting import allowed, best, higher_led_card, legal, moved
from chronotable_host.games.timechase.cards import HIGHEST, NO_CARD, SUIT, SUITS, VALUE, rank
from chronotable_host.games.timechase.row import (
    ENOUGH,
    events_of,
    is_last_round,
    outcome,
    place,
    reached,
    still_to_play,
    suit_to_follow,
    there,
)
from chronotable_host.games.timechase.setting_up import AT_INVARIANT, EVENT, EVENTS, INVARIANT
from chronotable_host.games.timechase.views import unseen, view
from chronotable_host.games.timechase.words import CHOOSE, PLAY

THIRD = 4.0
"""A third event, which ends the game."""
STOPPING = 1.5
"""Keeping a third event from another."""
GUARDING = 0.3
"""An own event that is won once more."""
FUEL = 0.1
"""A piece of fuel, as long as there is a round to spend it in."""
UNDOING = 0.3
"""A foreign event that becomes easy to take."""
MUCH = 4
"""Fuel to which more adds half as much."""

_FOLLOWS = 0.85
"""How likely a player who could beat a card does so."""
_STAYS = 0.8
"""How likely another player stays in the present."""
_VISITS = 0.15
"""How likely another player comes to the same past event."""


def sensible(state: State, seat: int, chance: Random) -> str:
    """Return a good action, from the view of the seat alone."""
    seen = state if isinstance(state["deck"], int) else view(state, seat)
    weights = _WEIGH.get(seen["phase"], _weigh_moves)(seen, seat)
    return max(weights, key=lambda action: weights[action] + chance.random() / 1000)


# ------------------------------------------------------------ cards


def _weigh_plays(seen: State, seat: int) -> Mapping[str, float]:
    hidden, event = _hidden(seen), seen["at"]
    owner, winning = best(seen)
    trump = SUIT[seen["invariant"]]
    left = still_to_play(seen)[1:]
    is_mine = seen["control"][place(seen, event)] == seat
    prize = GUARDING if is_mine else _prize(seen, seat)
    if owner not in (seat, NOBODY) and len(events_of(seen, owner)) == ENOUGH - 1:
        is_new = seen["control"][place(seen, event)] != owner
        prize += STOPPING if is_new else STOPPING / 3
    weights = {}
    for card in allowed(seen, seat):
        led_suit = suit_to_follow(seen) or SUIT[card]
        strength = rank(card, led_suit, trump)
        beats = winning == NO_CARD or strength > rank(winning, led_suit, trump)
        wins = _survives(seen, hidden, card, led_suit) ** len(left) if beats else 0.0
        fuel = _fuel(seen, seat) if higher_led_card(seen, card) else 0.0
        weights[f"{PLAY} {card}"] = wins * prize + fuel - _price(seen, card)
    return weights


def _prize(seen: State, seat: int) -> float:
    """Return what an event more is worth to a seat."""
    return THIRD if len(events_of(seen, seat)) == ENOUGH - 1 else 1.0


def _fuel(seen: State, seat: int) -> float:
    """Return what a piece of fuel is worth: the less, the more there is."""
    return 0.0 if is_last_round(seen) else FUEL / (1 + seen["fuel"][seat] / MUCH)


def _price(seen: State, card: str) -> float:
    """Return what a card would be worth later."""
    if is_last_round(seen):
        return 0.0
    high = VALUE[card] / HIGHEST
    return 0.25 + 0.3 * high if SUIT[card] == SUIT[seen["invariant"]] else 0.3 * high * high


class _Hidden(NamedTuple):
    """The cards that a seat does not see: how many, and their values by suit."""

    total: int
    values: Mapping[str, Sequence[int]]


def _hidden(seen: State) -> _Hidden:
    values: dict[str, list[int]] = {suit: [] for suit in SUITS}
    cards = unseen(seen)
    for card in cards:
        values[SUIT[card]].append(VALUE[card])
    return _Hidden(len(cards), values)


def _survives(seen: State, hidden: _Hidden, card: str, led_suit: str) -> float:
    """Return how likely one other player, who plays later, does not beat a card."""
    trump, suit, value = SUIT[seen["invariant"]], SUIT[card], VALUE[card]
    if suit not in (trump, led_suit):
        return 0.0
    if not hidden.total:
        return 1.0
    size: int = max(1, EVENTS + 1 - seen["round"])

    def lacks(count: int) -> float:
        return max(0.0, 1 - count / hidden.total) ** size

    higher = sum(other > value for other in hidden.values[suit])
    if suit == led_suit:
        beaten = 1 - lacks(higher)
        higher = len(hidden.values[trump]) if trump and trump != led_suit else 0
    else:
        beaten = 0.0
    if higher and trump != led_suit:
        beaten += lacks(len(hidden.values[led_suit])) * (1 - lacks(higher))
    return 1 - min(1.0, beaten) * _FOLLOWS


def _weigh_invariants(seen: State, seat: int) -> Mapping[str, float]:
    hand = seen["hands"][seat]
    others = len(there(seen, INVARIANT)) - 1
    hidden = unseen(seen)
    size: int = max(1, EVENTS + 1 - seen["round"])
    weights = {}
    for card in hand:
        ours = sum(VALUE[each] / HIGHEST for each in hand if SUIT[each] == SUIT[card])
        equal = sum(VALUE[each] >= VALUE[card] for each in hidden)
        highest = (1 - equal / max(1, len(hidden))) ** min(size, 3) if others else 1.0
        gain = 0.35 * (ours - VALUE[card] / HIGHEST) * highest**others
        weights[f"{CHOOSE} {card}"] = gain - 0.3 * (VALUE[card] / HIGHEST) ** 2
    return weights


# ------------------------------------------------------------ moves


def _weigh_moves(seen: State, seat: int) -> Mapping[str, float]:
    hidden = _hidden(seen)
    weights = {}
    for action in legal(seen, seat):
        steps = moved(action)
        location = reached(seen, steps)
        if location == seen["present"]:
            weight = _weigh_present(seen, seat, hidden)
        elif location == INVARIANT:
            weight = _weigh_visit(seen, seat)
        else:
            weight = _weigh_past(seen, seat, location, hidden)
        weights[action] = weight - abs(steps) * _fuel(seen, seat)
    return weights


def _weigh_present(seen: State, seat: int, hidden: _Hidden) -> float:
    rivals: float = (seen["players"] - 1) * _STAYS
    hand = seen["hands"][seat]
    hopes: list[float] = [pow(_survives(seen, hidden, card, SUIT[card]), rivals) for card in hand]
    strongest, typical = max(hopes), sum(hopes) / len(hopes)
    others = (other for other in range(seen["players"]) if other != seat)
    is_urgent = any(len(events_of(seen, other)) == ENOUGH - 1 for other in others)
    prize = _prize(seen, seat) + (STOPPING / 2 if is_urgent else 0)
    return (0.6 * strongest + 0.4 * typical) * prize + _fuel(seen, seat) / 2 - 0.15


def _weigh_past(seen: State, seat: int, event: int, hidden: _Hidden) -> float:
    index = place(seen, event)
    led_suit, trump = SUIT[seen["led"][index]], SUIT[seen["invariant"]]
    owner, winning = seen["control"][index], seen["winning"][index]
    hand = seen["hands"][seat]
    following = [card for card in hand if SUIT[card] == led_suit] or hand
    mark = rank(winning, led_suit, trump)
    prize = GUARDING if owner == seat else _prize(seen, seat)
    if owner != seat and len(events_of(seen, owner)) == ENOUGH - 1:
        prize += STOPPING
    rivals: float = (seen["players"] - 1) * _VISITS
    hopes = [
        prize * _survives(seen, hidden, card, led_suit) ** rivals - _price(seen, card)
        for card in following
        if rank(card, led_suit, trump) > mark
    ]
    return max(hopes, default=-0.1)


def _weigh_visit(seen: State, seat: int) -> float:
    """Return what another invariant is worth: a suit of which the hand has much, old ones undone.

    A card that won by the suit of the invariant is weak once that is another (H10).
    """
    if EVENTS - seen["round"] < 2:
        return 0.0
    hand, trump = seen["hands"][seat], SUIT[seen["invariant"]]
    held = {suit: sum(VALUE[c] / HIGHEST for c in hand if SUIT[c] == suit) for suit in SUITS}
    rows = zip(seen["control"], seen["led"], seen["winning"], strict=True)
    undone = sum(
        -1 if owner == seat else 1
        for owner, led, winning in rows
        if trump and SUIT[winning] == trump != SUIT[led]
    )
    return 0.25 * (max(held.values()) - 1 - held.get(trump, 0.0)) + UNDOING * undone


_WEIGH = {EVENT: _weigh_plays, AT_INVARIANT: _weigh_invariants}


# ------------------------------------------------------------ how well somebody stands


def worth(state: State, seat: int) -> float:
    """Return how well a seat stands, 0 to 1; the seats of a whole state share 1."""
    ended = outcome(state)
    if ended is not None:
        return float(seat in ended.winners)
    stands = [exp(_standing(state, each)) for each in range(state["players"])]
    return stands[seat] / sum(stands)


def _standing(state: State, seat: int) -> float:
    events = events_of(state, seat)
    trump = SUIT[state["invariant"]]
    hand = state["hands"][seat]
    cards = 0.0
    if not isinstance(hand, int):
        cards = sum(0.12 if SUIT[c] == trump else 0.12 * (VALUE[c] / HIGHEST) ** 3 for c in hand)
    fuel: int = state["fuel"][seat]
    first = 0.2 / (1 + place(state, events[0])) if events else 0.0
    return 1.1 * len(events) + first + 0.12 * min(fuel, 6) + cards
