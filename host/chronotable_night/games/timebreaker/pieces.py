"""Tiles, pawns and the Time Breaker, and what a card or an arrow does to them.

It knows nothing of hands and turns: the course of the game, the words about what a choice leads to
and the bots all ask here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.cards import jump_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.grid import GAP

FOLLOW = "follow"
"""The word before the target where an arrow is followed without a card."""

ESCORTED = "escorted"
SURRENDERED = "surrendered"


class Pieces(NamedTuple):
    """Where everything is; `why` is how that has ended the game, "" if it goes on."""

    grid: Sequence[str]
    closed: Sequence[str]
    breaker: str
    pawns: Sequence[str]
    why: str = ""


def pieces_of(state: State) -> Pieces:
    """Return the pieces of a state or a view."""
    return Pieces(state["grid"], state["closed"], state["breaker"], state["pawns"])


def in_custody(state: State, seat: int) -> bool:
    """Tell whether the Time Breaker goes along when a seat moves its pawn (B16, B17)."""
    if state["pawns"][seat] != state["breaker"]:
        return False
    return state["arrest"] == "automatic" or seat in state["declared"]


def landing(data: Data, pieces: Pieces, target: str) -> str:
    """Return where a piece gets to that goes to a tile: a closed gate leads to the TRA."""
    return data.tra if target in pieces.closed else target


def own_target(data: Data, pieces: Pieces, seat: int, words: Sequence[str]) -> str:
    """Return the tile that the seat's own pawn goes to by these words, "" if it does not move."""
    card, *arguments = words
    if jump_of(card):
        return arguments[0] if arguments else jump_of(card)
    if card.startswith("move:") or card in (FOLLOW, "near_yet_far", "double_time"):
        return arguments[0]
    if card == "back_it_up":
        return data.red[pieces.pawns[seat]]
    if card == "tag_along":
        return pieces.pawns[int(arguments[0])]
    if card == "desperate_grab":
        return pieces.breaker
    if card == "return_to_hq" and int(arguments[0]) == seat:
        return data.tra
    return ""


def breaker_target(words: Sequence[str]) -> str:
    """Return the tile that the Time Breaker goes to alone by these words, "" if it does not."""
    if words[0] in ("on_the_move", "shut_and_run"):
        return jump_of(words[-1]) or words[-1]
    return ""


def crashed_gate(pieces: Pieces, words: Sequence[str]) -> str:
    """Return the gate that these words crash, "" for none."""
    if words[0] == "crash_a_gate":
        return words[1]
    return pieces.breaker if words[0] == "shut_and_run" else ""


def fetched(data: Data, pieces: Pieces, seat: int, words: Sequence[str]) -> dict[int, str]:
    """Return where the pawns of others go by these words, by seat."""
    if words[0] == "return_to_hq" and int(words[1]) != seat:
        return {int(words[1]): data.tra}
    if words[0] == "join_me":
        here = pieces.pawns[seat]
        return {other: here for other, tile in enumerate(pieces.pawns) if tile != here}
    return {}


def carried_out(
    data: Data, pieces: Pieces, seat: int, words: Sequence[str], custody: bool
) -> Pieces:
    """Return the pieces after a card or an arrow took effect; `custody` is the seat's before it."""
    target = own_target(data, pieces, seat, words)
    if target:
        to = landing(data, pieces, target)
        pawns = [*pieces.pawns]
        pawns[seat] = to
        if not custody:
            return pieces._replace(pawns=pawns)
        why = ESCORTED if to == data.tra else ""
        return pieces._replace(pawns=pawns, breaker=to, why=why)
    others = fetched(data, pieces, seat, words)
    if others:
        return pieces._replace(pawns=[others.get(*each) for each in enumerate(pieces.pawns)])
    crashed = crashed_gate(pieces, words)
    target = breaker_target(words)
    if target:
        to = landing(data, pieces, target)
        pieces = pieces._replace(breaker=to, why=SURRENDERED if to == data.tra else "")
    if crashed:
        pieces = pieces._replace(
            grid=[GAP if tile == crashed else tile for tile in pieces.grid],
            closed=sorted([*pieces.closed, crashed]),
            pawns=[data.tra if tile == crashed else tile for tile in pieces.pawns],
        )
    return pieces
