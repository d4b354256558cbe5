"""What may be done: all of it, and whether one action is among it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod

from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.cards import STOP_TIME, jump_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.pieces import FOLLOW
from chronotable_night.games.timebreaker.plays import arguments, cards_left

MOST_DUMPS = 512
"""So many ways to dump Jumps are listed; who holds more such cards has too many to list."""


def legal_actions(data: Data, state: State, with_dumps: bool = True) -> list[str] | None:
    """Return the legal actions in a state or in the view of who decides, None for too many.

    Those that dump Jumps are left out unless `with_dumps`.
    """
    phase, seat = state["phase"], state["to_act"]
    if phase == "over":
        return []
    hand = state["hands"][seat]
    if phase == "window":
        return ["pass", "stop"] if STOP_TIME in hand else ["pass"]
    if phase == "leap":
        return [f"leap {card}" for card in dict.fromkeys(hand) if card != STOP_TIME]
    if phase == "order":
        return ["order hand", "order deck"]
    found = ["arrest"] if may_arrest(state, seat) else []
    if phase == "play":
        return found + play_actions(data, state, state["queue"][0], hand)
    found += _arrows(data, state, seat)
    if phase == "second":
        return found
    if cards_left(state):
        found.append("wormhole")
    for card in dict.fromkeys(hand):
        found += play_actions(data, state, card, without(hand, card))
    if with_dumps and (dumped := dumpable(state, hand)):
        ways = dumps(dumped)
        if ways is None:
            return None
        found += ways
    return found


def _arrows(data: Data, state: State, seat: int) -> list[str]:
    return [f"{FOLLOW} {tile}" for tile in data.green[state["pawns"][seat]]]


def play_actions(data: Data, state: State, card: str, hand: Sequence[str]) -> list[str]:
    """Return how the active seat may play a card; `hand` is the rest of its hand."""
    return [f"play {card} {each}".rstrip() for each in arguments(data, state, card, hand)]


def without(cards: Sequence[str], card: str) -> list[str]:
    """Return the cards without one copy of a card, if they have any."""
    left = list(cards)
    if card in left:
        left.remove(card)
    return left


def may_arrest(state: State, seat: int) -> bool:
    """Tell whether a seat that decides may declare an arrest (B16)."""
    return (
        state["arrest"] == "declared"
        and state["phase"] in ("main", "play", "second")
        and state["pawns"][seat] == state["breaker"]
        and seat not in state["declared"]
    )


def dumpable(state: State, hand: Sequence[str]) -> Counter[str]:
    """Return the Jumps for crashed gates in a hand, if they may be dumped now (B6)."""
    if state["phase"] != "main" or state["dumped"] or not state["closed"]:
        return Counter()
    return Counter(card for card in hand if jump_of(card) in state["closed"])


def dumps(dumped: Counter[str]) -> list[str] | None:
    """Return all ways to dump some of these cards, None for too many."""
    if prod(count + 1 for count in dumped.values()) > MOST_DUMPS:
        return None
    counts = product(*(range(count + 1) for count in dumped.values()))
    cards = (Counter(dict(zip(dumped, each, strict=True))).elements() for each in counts)
    return [" ".join(["dump", *sorted(each)]) for each in cards][1:]  # the first dumps nothing


def is_legal(data: Data, state: State, action: str) -> bool:
    """Tell whether the seat that decides may do this; faster than to list all."""
    words = action.split(" ")
    verb, phase, seat = words[0], state["phase"], state["to_act"]
    if phase == "main" and verb == FOLLOW:
        return action in _arrows(data, state, seat)
    if phase != "main" or verb not in ("play", "dump") or len(words) < 2:
        return action in (legal_actions(data, state, with_dumps=False) or ())
    hand = state["hands"][seat]
    if verb == "dump":
        cards = words[1:]
        return cards == sorted(cards) and not Counter(cards) - dumpable(state, hand)
    card = words[1]
    if card not in hand:
        return False
    rest = " ".join(words[2:])
    if not rest and action.endswith(" "):
        return False
    return rest in arguments(data, state, card, without(hand, card))
