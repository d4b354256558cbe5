"""What is printed on cards and track, for pages to draw."""

from __future__ import annotations

from typing import Any

from chronotable_host.games.timemit.box import Box, Card
from chronotable_host.games.timemit.effect_texts import (
    card_parts,
    effect_text,
    number_text,
    sentence,
    year,
)


def printed(box: Box) -> dict[str, Any]:
    """Return the track, and cards and events by their numbers, with their effects in words.

    A power card has "won", "combat", "bid" and "end", an event "won": each a sentence or "".
    `about` says all of it; `symbols` counts by colour letter.
    """
    return {
        "length": box.length,
        "years": [year(box, ship) for ship in range(-box.length, box.length + 1)],
        "cards": {str(card.id): _card(box, card) for card in box.cards.values()},
        "events": {
            str(event.id): {
                "name": event.name,
                "won": sentence(effect_text(event.effect)),
                "about": number_text(box, event.id),
            }
            for event in box.events.values()
        },
    }


def _card(box: Box, card: Card) -> dict[str, Any]:
    won, combat, bid, end = map(sentence, card_parts(card))
    face = {"name": card.name, "symbols": card.symbols, "about": number_text(box, card.id)}
    adds = card.bid.adds if card.bid else 0
    return {**face, "won": won, "combat": combat, "bid": bid, "adds": adds, "end": end}
