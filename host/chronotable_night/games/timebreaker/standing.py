"""How well a seat stands: a chance to win, estimated from what its view has.

The figures are guesses, sorted by what they are worth beside each other; what counts is who has the
Time Breaker, who can go home from there, and who decides before whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.cards import directions_of, jump_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.grid import step_targets
from chronotable_night.games.timebreaker.pieces import ESCORTED, Pieces

HOME_BY_ARROW = 0.85
HOME_BY_CARD = 0.6
CAPTOR = 0.3
"""Has the Time Breaker, but no way home yet."""
REACHES_BY_ARROW = 0.2
REACHES_BY_CARD = 0.16
REACHES_IN_TWO = 0.12
FAR = 0.08
THREAT_OF_A_CARD = 0.06
MOST_THREAT = 0.45
NEIGHBOUR_OF_HOME = 0.1


def standing(data: Data, state: State, pieces: Pieces, seat: int, hand: Sequence[str]) -> float:
    """Return a seat's chance to win with these pieces and cards, 0 to 1; the game goes on."""
    breaker, here = pieces.breaker, pieces.pawns[seat]
    chance, leads_home = 1.0, False
    if breaker in pieces.pawns:
        leads_home = any(tile == data.tra or tile in pieces.closed for tile in data.green[breaker])
        chance = _let_through(data, state, pieces, seat, leads_home)
    if here == breaker:
        if leads_home:
            return chance * HOME_BY_ARROW
        if any(_goes_home(data, pieces, card) for card in hand):
            return chance * HOME_BY_CARD
        return chance * CAPTOR
    if breaker in data.green[here]:
        return chance * REACHES_BY_ARROW
    if any(_reaches(data, pieces, here, card) for card in hand):
        return chance * REACHES_BY_CARD
    if any(breaker in data.green[tile] for tile in data.green[here]):
        return chance * REACHES_IN_TWO
    return chance * FAR


def _let_through(data: Data, state: State, pieces: Pieces, seat: int, leads_home: bool) -> float:
    """Return the chance that nobody else who has the Time Breaker goes home with it."""
    captors = [
        other for other, tile in enumerate(pieces.pawns) if other != seat and tile == pieces.breaker
    ]
    if leads_home or not captors:
        return (1 - HOME_BY_ARROW) ** len(captors)
    is_next_to_home = data.tra in step_targets(pieces.grid, pieces.breaker)
    chance = 1.0
    for other in captors:
        threat = THREAT_OF_A_CARD * _count(state["hands"][other])
        chance *= 1 - min(MOST_THREAT, threat + NEIGHBOUR_OF_HOME * is_next_to_home)
    return chance


def standing_after(
    data: Data, state: State, pieces: Pieces, seat: int, hand: Sequence[str]
) -> float:
    """Return the same where the game may be over by the active player's doing."""
    if pieces.why:
        return float(pieces.why == ESCORTED and seat == state["active"])
    return standing(data, state, pieces, seat, hand)


def _count(cards: Any) -> int:
    return cards if isinstance(cards, int) else len(cards)


def _goes_home(data: Data, pieces: Pieces, card: str) -> bool:
    """Tell whether a card takes its player from the Time Breaker's tile to the TRA."""
    breaker, tra = pieces.breaker, data.tra
    tile = jump_of(card)
    if tile:
        return tile in (tra, breaker) or tile in pieces.closed
    if card == "return_to_hq":
        return True
    directions = directions_of(card) or ("LRUD" if card == "near_yet_far" else "")
    if directions:
        return tra in step_targets(pieces.grid, breaker, directions)
    if card == "back_it_up":
        return data.red[breaker] == tra or data.red[breaker] in pieces.closed
    if card == "tag_along":
        return tra in pieces.pawns
    if card == "double_time":
        return any(
            second == tra or second in pieces.closed
            for first in data.green[breaker]
            for second in data.green[first]
        )
    return False


def _reaches(data: Data, pieces: Pieces, here: str, card: str) -> bool:
    """Tell whether a card takes its player from here to the Time Breaker."""
    breaker = pieces.breaker
    tile = jump_of(card)
    if tile:
        return tile in (breaker, here)
    if card == "desperate_grab":
        return True
    directions = directions_of(card)
    if directions:
        return breaker in step_targets(pieces.grid, here, directions)
    if card == "tag_along":
        return breaker in pieces.pawns
    if card == "back_it_up":
        return data.red[here] == breaker
    if card == "double_time":
        return any(breaker in data.green[tile] for tile in data.green[here])
    return card == "on_the_move" and here in data.green[breaker]
