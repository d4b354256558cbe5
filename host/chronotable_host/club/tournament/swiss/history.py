"""Players before a round, as their cards of the rounds so far say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chronotable_host.club.tournament.cards import (
    DRAW,
    LOSS,
    PAIRING_BYE,
    REQUESTED_BYE,
    WIN,
    Cards,
    Entry,
    score,
)
from chronotable_host.club.tournament.swiss.player import DOWN, LEVEL, UP, Player


def players_of(cards: Cards, present: Iterable[int], rounds: int) -> list[Player]:
    """Return the players who are there for the next round of so many in all."""
    here = set(present)
    come = sorted(here | {number for number, card in cards.items() if _has_come(card)})
    places = {number: place for place, number in enumerate(come, 1)}
    return [_player(number, cards, places[number], rounds) for number in sorted(here)]


def _has_come(card: Sequence[Entry]) -> bool:
    return any(entry.kind != REQUESTED_BYE for entry in card)


def _player(number: int, cards: Cards, place: int, rounds: int) -> Player:
    card = cards[number]
    points = score(card)
    games = [entry for entry in card if entry.is_played]
    last = _float(card, -1, cards), _float(card, -2, cards)
    return Player(
        number,
        points,
        "".join(entry.colour for entry in games),
        frozenset(entry.opponent for entry in games),
        not any(_rules_out_bye(entry) for entry in card),
        len(card) - len(games),
        last,
        place,
        len(card) == rounds - 1 and points > DRAW * len(card),
    )


def _rules_out_bye(entry: Entry) -> bool:
    """Tell whether who had this gets no bye any more (C.04.1 4)."""
    return entry.kind == PAIRING_BYE or (not entry.is_played and entry.points >= WIN)


def _float(card: Sequence[Entry], at: int, cards: Cards) -> str:
    """Return the float of a round counted from the end (1.4)."""
    if len(card) < -at:
        return LEVEL
    entry = card[at]
    if not entry.is_played:
        return DOWN if entry.points > LOSS else LEVEL
    mine, theirs = score(card[:at]), score(cards[entry.opponent][:at])
    return DOWN if mine > theirs else UP if mine < theirs else LEVEL
