"""Whole tournaments that other programs paired, as cards.

A file has a line for each player, by pairing number, and on it a word for each round: the
opponent's number, the colour, and the result as the FIDE's report files have it (`1 = 0` of games,
`+ -` by forfeit), or `0U` for the bye, `0H` and `0Z` for byes that were asked for.
"""

from __future__ import annotations

import re
from pathlib import Path

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
from chronotable_club.tournament.swiss import PairedRound

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
