"""The cards (H1), as texts such as "flux 8"; `NO_CARD` where none lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

SUITS = ("dark", "flux", "neutrino", "paradox", "tachyon")
HIGHEST = 13
LOWEST: Mapping[int, int] = {3: 7, 4: 5, 5: 3, 6: 1}
"""The lowest value in play, by the number of players."""

NO_CARD = ""

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
