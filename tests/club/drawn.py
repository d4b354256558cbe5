"""Whole tournaments as cards: those that other programs paired, and some by chance.

A file has a line for each player, by pairing number, and on it a word for each round: the
opponent's number, the colour, and the result as the FIDE's report files have it (`1 = 0` of games,
`+ -` by forfeit), or `0U` for the bye, `0H` and `0Z` for byes that were asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
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

DATA = Path(__file__).parent / "data"
_KINDS = {
    "1": (PLAYED, WIN),
    "=": (PLAYED, DRAW),
    "0": (PLAYED, LOSS),
    "+": (WON_BY_FORFEIT, WIN),
    "-": (LOST_BY_FORFEIT, LOSS),
    "U": (PAIRING_BYE, WIN),
    "H": (REQUESTED_BYE, DRAW),
    "Z": (REQUESTED_BYE, LOSS),
}
_WORD = re.compile(r"(\d+?)([wb]?)([10=+\-UHZ])")

Drawn = dict[int, list[CardRound]]


def entry(word: str) -> CardRound:
    """Return a round as it stands on a card."""
    found = _WORD.fullmatch(word)
    assert found, word
    kind, points = _KINDS[found[3]]
    return CardRound(kind, points, int(found[1]), found[2].upper())


def read(text: str) -> Drawn:
    """Return the cards in a text."""
    lines = text.strip().splitlines()
    return {number: [entry(word) for word in line.split()] for number, line in enumerate(lines, 1)}


def tournaments() -> dict[str, Drawn]:
    """Return all tournaments that are kept."""
    return {path.stem: read(path.read_text()) for path in sorted(DATA.glob("drawn-*.txt"))}


def before(cards: Drawn, rounds: int) -> Drawn:
    """Return the cards as they were after so many rounds."""
    return {number: card[:rounds] for number, card in cards.items()}


def present(cards: Drawn, at: int) -> list[int]:
    """Return who was there for a round, counted from 0."""
    return [number for number, card in cards.items() if card[at].kind != REQUESTED_BYE]


def pairing(cards: Drawn, at: int) -> PairedRound:
    """Return how a round was paired, the boards in no order."""
    pairs = {
        (number, card[at].opponent) for number, card in cards.items() if card[at].colour == "W"
    }
    byes = [number for number, card in cards.items() if card[at].kind == PAIRING_BYE]
    return PairedRound(tuple(sorted(pairs)), byes[0] if byes else None)


class Paired(NamedTuple):
    """A round: the players before it, and how they were paired, None where they could not be."""

    players: list[Player]
    initial: str
    round: PairedRound | None
    cards: dict[int, list[CardRound]]
    """As they were before it."""


def played_by_chance(
    random: Random, size: int, count: int, strays: float = 0.0, draws: float = 0.2
) -> Iterator[Paired]:
    """Yield the rounds of a tournament: results, byes, forfeits, people who leave and come.

    `strays` is how often somebody is away, or a game is not played.
    """
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
