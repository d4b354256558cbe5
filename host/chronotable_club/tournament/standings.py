"""Standings: who is where, by points and then by tie-breaks in the order that was announced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from chronotable_club.tournament.cards import Cards, score
from chronotable_club.tournament.tie_breaks import TieBreaks

BUCHHOLZ_CUT_1 = "BH-C1"
BUCHHOLZ = "BH"
SONNEBORN_BERGER = "SB"
DIRECT_ENCOUNTER = "DE"
WINS = "WIN"
WINS_PLAYED = "WON"
GAMES_WITH_BLACK = "BPG"

SWISS_ORDER = (BUCHHOLZ_CUT_1, BUCHHOLZ, SONNEBORN_BERGER, DIRECT_ENCOUNTER, WINS)
ROUND_ROBIN_ORDER = (DIRECT_ENCOUNTER, WINS, SONNEBORN_BERGER)
"""Tie-breaks where nothing else was announced; Buchholz is none for a round robin (C.07 8)."""

_VALUES: Mapping[str, Callable[[TieBreaks, int], Fraction]] = {
    BUCHHOLZ_CUT_1: TieBreaks.buchholz_cut_1,
    BUCHHOLZ: TieBreaks.buchholz,
    SONNEBORN_BERGER: TieBreaks.sonneborn_berger,
    WINS: TieBreaks.wins,
    WINS_PLAYED: TieBreaks.wins_played,
    GAMES_WITH_BLACK: TieBreaks.games_with_black,
}

KNOWN = (*_VALUES, DIRECT_ENCOUNTER)
"""All tie-breaks, by their names in C.07 5."""


class Row(NamedTuple):
    """A player's place; who is level by everything shares it."""

    place: int
    number: int
    points: Fraction
    values: Mapping[str, Fraction]
    """By tie-break. That of the direct encounter is the place among those who were level so far."""


def standings(cards: Cards, order: Sequence[str], is_swiss: bool) -> list[Row]:
    """Return all players, the first one first; level ones stand by pairing number."""
    breaks = TieBreaks(cards, is_swiss)
    values: dict[int, dict[str, Fraction]] = {number: {} for number in cards}
    groups = _split(sorted(cards), lambda number: score(cards[number]))
    for name in order:
        parts: list[list[int]] = []
        for group in groups:
            if name == DIRECT_ENCOUNTER:
                found = breaks.direct_encounter(group)
                places = {number: at for at, part in enumerate(found, 1) for number in part}
                worth = {number: Fraction(place) for number, place in places.items()}
            else:
                worth = {number: _VALUES[name](breaks, number) for number in group}
                found = _split(group, worth.__getitem__)
            for number in group:
                values[number][name] = worth[number]
            parts += found
        groups = parts
    rows: list[Row] = []
    for group in groups:
        place = len(rows) + 1
        rows += [
            Row(place, number, Fraction(score(cards[number]), 2), values[number])
            for number in sorted(group)
        ]
    return rows


def _split(numbers: Sequence[int], value: Callable[[int], Fraction | int]) -> list[list[int]]:
    """Return the players in groups of one value, the highest first."""
    found: dict[Fraction | int, list[int]] = {}
    for number in numbers:
        found.setdefault(value(number), []).append(number)
    return [found[each] for each in sorted(found, reverse=True)]


def points_text(points: Fraction) -> str:
    """Return points as people write them: 3½, 37¼; exact to quarters."""
    whole, quarters = divmod(int(points * 4), 4)
    part = ("", "¼", "½", "¾")[quarters]
    return part if part and not whole else f"{whole}{part}"
