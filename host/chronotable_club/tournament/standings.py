"""Standings: who is where, by points and then by tie-breaks in the order that was announced.

Tie-breaks are those of FIDE's Play-Off and Tie-Break Regulations, C.07 as in force from 1 March
2026. Points come in halves as cards have them, sums go out as fractions of points, exact.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from chronotable_club.tournament.cards import (
    DRAW,
    LOST_BY_FORFEIT,
    REQUESTED_BYE,
    REST,
    WIN,
    WON_BY_FORFEIT,
    CardRound,
    Cards,
    score,
)

_FORFEITS = (WON_BY_FORFEIT, LOST_BY_FORFEIT)
_VOLUNTARY = (REQUESTED_BYE, LOST_BY_FORFEIT)
"""Voluntary unplayed rounds (16.1.2)."""


class Contribution(NamedTuple):
    """What a round adds: the opponent's points in halves, those scored, and how it came."""

    opponent: int
    scored: int
    is_voluntary: bool


class TieBreaks:
    """The tie-breaks of players whose cards these are.

    Where all pairings were settled beforehand, as in a round robin, forfeits are games (15.2).
    """

    def __init__(self, cards: Cards, is_swiss: bool) -> None:
        self._cards = {
            number: [entry for entry in card if entry.kind != REST]
            for number, card in cards.items()
        }
        self._is_swiss = is_swiss
        self._adjusted = {number: self._adjusted_score(number) for number in cards}

    def _adjusted_score(self, number: int) -> int:
        """Return a score as it counts for opponents (16.3).

        A bye that was asked for, with nothing but voluntary unplayed rounds behind it, counts as a
        draw (16.2.5, 16.3.2).
        """
        card, total, is_late = self._cards[number], 0, self._is_swiss
        for entry in reversed(card):
            is_late = is_late and entry.kind in _VOLUNTARY
            total += DRAW if is_late and entry.kind == REQUESTED_BYE else entry.points
        return total

    def contributions(self, number: int) -> list[Contribution]:
        """Return what each round contributes.

        An unplayed one is a game against a dummy, which has the player's own score, but not more
        than the opponent who was to be met after a forfeit (16.4.1), and else than draws in all
        rounds (16.4.2).
        """
        card = self._cards[number]
        own, most = score(card), DRAW * len(card)
        found = []
        for entry in card:
            counts = self._counts(entry)
            if counts:
                theirs = self._adjusted[entry.opponent]
            elif entry.kind in _FORFEITS:
                theirs = min(own, self._adjusted[entry.opponent])
            else:
                theirs = min(own, most)
            is_voluntary = not counts and entry.kind in _VOLUNTARY
            found.append(Contribution(theirs, entry.points, is_voluntary))
        return found

    def buchholz(self, number: int) -> Fraction:
        """Return the sum of the opponents' scores (8.1)."""
        return Fraction(sum(it.opponent for it in self.contributions(number)), 2)

    def buchholz_cut_1(self, number: int) -> Fraction:
        """Return the Buchholz without the least contribution (14.1.1).

        One of a voluntary unplayed round is cut first (16.5.1).
        """
        found = self.contributions(number)
        cut = [it for it in found if it.is_voluntary] or found
        least = min((it.opponent for it in cut), default=0)
        return Fraction(sum(it.opponent for it in found) - least, 2)

    def sonneborn_berger(self, number: int) -> Fraction:
        """Return the opponents' scores, each times the points that were scored there (9.1)."""
        return Fraction(sum(it.opponent * it.scored for it in self.contributions(number)), 4)

    def wins(self, number: int) -> Fraction:
        """Return the rounds with a win's points, played or not (7.1)."""
        return Fraction(sum(entry.points >= WIN for entry in self._cards[number]))

    def wins_played(self, number: int) -> Fraction:
        """Return the games that were won at the board (7.2)."""
        card = self._cards[number]
        return Fraction(sum(entry.is_played and entry.points >= WIN for entry in card))

    def games_with_black(self, number: int) -> Fraction:
        """Return the games that were played with black (7.3)."""
        card = self._cards[number]
        return Fraction(sum(entry.is_played and entry.colour == "B" for entry in card))

    def direct_encounter(self, tied: Iterable[int]) -> list[list[int]]:
        """Return tied players in groups, the best first, by the games among them (6).

        If all of them have met, their scores decide, and again among those who are still tied
        (6.2). Otherwise somebody is first who would be whatever the missing games brought, and so
        on (6.3).
        """
        group = list(tied)
        if len(group) < 2:
            return [group] if group else []
        among = set(group)
        made = {number: self._among(number, among) for number in group}
        missing = {number: len(among) - 1 - made[number][1] for number in group}
        points = {number: made[number][0] for number in group}
        if not any(missing.values()):
            places = sorted(set(points.values()), reverse=True)
            if len(places) == 1:
                return [group]
            return [
                part
                for place in places
                for part in self.direct_encounter([it for it in group if points[it] == place])
            ]
        for number in group:
            others = [points[it] + WIN * missing[it] for it in group if it != number]
            if points[number] > max(others):
                rest = [it for it in group if it != number]
                return [[number], *self.direct_encounter(rest)]
        return [group]

    def _among(self, number: int, others: set[int]) -> tuple[Fraction, int]:
        """Return the points scored against others, and how many of them were met.

        Who was met more than once counts with the average (6.1.2); forfeits are no games in a Swiss
        (6.1.1).
        """
        against: dict[int, list[int]] = {}
        for entry in self._cards[number]:
            if entry.opponent in others and self._counts(entry):
                against.setdefault(entry.opponent, []).append(entry.points)
        averages = (Fraction(sum(points), len(points)) for points in against.values())
        return sum(averages, Fraction()), len(against)

    def _counts(self, entry: CardRound) -> bool:
        return entry.is_played or (entry.kind in _FORFEITS and not self._is_swiss)


# ---- standings


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
