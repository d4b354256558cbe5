"""Tournaments by chance: results, byes that are asked for, forfeits, people who leave and come."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chronotable_club.tournament.cards import (
    DRAW,
    LOSS,
    LOST_BY_FORFEIT,
    PAIRING_BYE,
    PLAYED,
    REQUESTED_BYE,
    WIN,
    WON_BY_FORFEIT,
    CardRound,
)
from chronotable_club.tournament.swiss import (
    PairedRound,
    Player,
    UnpairableError,
    paired,
    players_of,
)


class Paired(NamedTuple):
    """A round: the players before it, and how they were paired, None where they could not be."""

    players: list[Player]
    initial: str
    round: PairedRound | None
    cards: dict[int, list[CardRound]]
    """As they were before it."""


def rounds(
    random: Random, size: int, count: int, strays: float = 0.0, draws: float = 0.2
) -> Iterator[Paired]:
    """Yield the rounds of a tournament; `strays` is how often somebody is away or a game is not."""
    cards: dict[int, list[CardRound]] = {number: [] for number in range(1, size + 1)}
    initial = random.choice("WB")
    for _ in range(count):
        away = {number for number in cards if random.random() < strays}
        if len(cards) - len(away) < 2:
            away = set()
        players = players_of(cards, set(cards) - away, count)
        try:
            found = paired(players, initial)
        except UnpairableError:
            yield Paired(players, initial, None, cards)
            return
        yield Paired(players, initial, found, {it: list(card) for it, card in cards.items()})
        for number in away:
            cards[number].append(CardRound(REQUESTED_BYE, random.choice((DRAW, LOSS))))
        if found.bye is not None:
            cards[found.bye].append(CardRound(PAIRING_BYE, WIN))
        for white, black in found.pairs:
            if random.random() < strays / 2:
                kinds = random.choice(((WON_BY_FORFEIT, LOST_BY_FORFEIT), (LOST_BY_FORFEIT,) * 2))
                points = [WIN if kind == WON_BY_FORFEIT else LOSS for kind in kinds]
            else:
                kinds = PLAYED, PLAYED
                result = DRAW if random.random() < draws else random.choice((WIN, LOSS))
                points = [result, WIN - result]
            cards[white].append(CardRound(kinds[0], points[0], black, "W"))
            cards[black].append(CardRound(kinds[1], points[1], white, "B"))
