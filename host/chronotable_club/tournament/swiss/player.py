"""A player as pairing sees one: what the rounds so far, by their cards, left behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chronotable_club.tournament.cards import (
    DRAW,
    LOSS,
    PAIRING_BYE,
    REQUESTED_BYE,
    WIN,
    CardRound,
    Cards,
    score,
)

WHITE = "W"
BLACK = "B"

DOWN = "down"
UP = "up"
LEVEL = ""
"""Floats of a round (1.4): who met somebody of another score, or scored without playing."""

NO_PREFERENCE = 0
MILD = 1
STRONG = 2
ABSOLUTE = 3


class Player(NamedTuple):
    """A player before a round. Scores are counted in half points."""

    number: int
    """The pairing number: who is ranked higher among equal scores has the lower one (1.2)."""
    score: int = 0
    colours: str = ""
    """Of the games that were played, in order; rounds without a game leave nothing (C.04.2 3.4)."""
    opponents: frozenset[int] = frozenset()
    """Whom a game was played against; a forfeit is no game."""
    may_have_bye: bool = True
    """Not after a bye, or a round that gave a win's points without a game (C.04.1 4)."""
    unplayed: int = 0
    """Rounds without a game."""
    floats: tuple[str, str] = (LEVEL, LEVEL)
    """Of the last round and of the one before."""
    place: int = 0
    """The pairing number among those who have come so far: it decides the first colour (5.2.5)."""
    is_topscorer: bool = False
    """Over half of all points, and it is the last round that is paired (1.8)."""

    @property
    def rank(self) -> tuple[int, int]:
        """What players are sorted by, the highest first (1.2)."""
        return (-self.score, self.number)

    @property
    def colour_difference(self) -> int:
        """Games with white minus games with black (1.6)."""
        return self.colours.count(WHITE) - self.colours.count(BLACK)

    @property
    def preference(self) -> tuple[str, int]:
        """The colour that is due, "" for none, and how strongly (1.7)."""
        difference, last = self.colour_difference, self.colours[-2:]
        if difference > 1 or last == WHITE + WHITE:
            return BLACK, ABSOLUTE
        if difference < -1 or last == BLACK + BLACK:
            return WHITE, ABSOLUTE
        if difference:
            return (BLACK if difference > 0 else WHITE), STRONG
        if not last:
            return "", NO_PREFERENCE
        return other(last[-1]), MILD


def other(colour: str) -> str:
    """Return the colour that is not this one."""
    return BLACK if colour == WHITE else WHITE


def may_meet(a: Player, b: Player) -> bool:
    """Tell whether two may be paired: C.1 and C.3."""
    if b.number in a.opponents:
        return False
    if a.is_topscorer or b.is_topscorer:
        return True
    due, strength = a.preference
    return strength < ABSOLUTE or b.preference != (due, strength)


def seated(a: Player, b: Player, initial: str) -> tuple[Player, Player]:
    """Return who has white and who black (5.2); `initial` is the colour that was drawn (5.1)."""
    high, low = (a, b) if a.rank < b.rank else (b, a)
    colour = _colour_of_higher(high, low, initial)
    return (high, low) if colour == WHITE else (low, high)


def _colour_of_higher(high: Player, low: Player, initial: str) -> str:
    (due, strength), (low_due, low_strength) = high.preference, low.preference
    if due and low_due and due != low_due:  # 5.2.1
        return due
    if strength != low_strength:  # 5.2.2
        return due if strength > low_strength else other(low_due)
    if strength == ABSOLUTE:
        wide, low_wide = abs(high.colour_difference), abs(low.colour_difference)
        if wide != low_wide:
            return due if wide > low_wide else other(low_due)
    for mine, theirs in zip(reversed(high.colours), reversed(low.colours), strict=False):  # 5.2.3
        if mine != theirs:
            return theirs
    if due:  # 5.2.4
        return due
    return initial if (high.place or high.number) % 2 else other(initial)  # 5.2.5


def players_of(cards: Cards, present: Iterable[int], rounds: int) -> list[Player]:
    """Return the players who are there for the next round of so many in all."""
    here = set(present)
    come = sorted(here | {number for number, card in cards.items() if _has_come(card)})
    places = {number: place for place, number in enumerate(come, 1)}
    return [_player(number, cards, places[number], rounds) for number in sorted(here)]


def _has_come(card: Sequence[CardRound]) -> bool:
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


def _rules_out_bye(entry: CardRound) -> bool:
    """Tell whether who had this gets no bye any more (C.04.1 4)."""
    return entry.kind == PAIRING_BYE or (not entry.is_played and entry.points >= WIN)


def _float(card: Sequence[CardRound], at: int, cards: Cards) -> str:
    """Return the float of a round counted from the end (1.4)."""
    if len(card) < -at:
        return LEVEL
    entry = card[at]
    if not entry.is_played:
        return DOWN if entry.points > LOSS else LEVEL
    mine, theirs = score(card[:at]), score(cards[entry.opponent][:at])
    return DOWN if mine > theirs else UP if mine < theirs else LEVEL
