"""A new game (H1, H2, H19)."""

from __future__ import annotations

from typing import Any

from chronotable_night.games.interface import NOBODY
from chronotable_night.games.shuffling import next_number, shuffled
from chronotable_night.games.timechase.cards import NO_CARD, cards_in_play, sorted_hand

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
