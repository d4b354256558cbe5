"""Positions and turns of a game as texts, and what the rules make of them.

The rules themselves are those of `ttykm`, as everywhere; here they are asked about one position.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from chronotable_host.rules.notation import format_position, format_turn, parse_position
from chronotable_host.turn_story import story_of
from ttykm import layout
from ttykm.game import Game, winner

_KNOWN = 8192
"""Positions of which things are kept: a bot asks for the same ones again and again."""

_GAME = Game()


class Turns(NamedTuple):
    """The legal turns of a position, packed, by their texts, and the position itself."""

    state: array[int]
    turns: Mapping[str, int]


@lru_cache(_KNOWN)
def turns_of(position: str, options: int) -> Turns:
    """Return the legal turns of a position that is not decided."""
    state = parse_position(position)
    _GAME.start(state, options)
    return Turns(state, {format_turn(turn): turn for turn in _GAME.legal_turns()})


def after(position: str, options: int, text: str) -> str:
    """Return the position after a legal turn."""
    return format_position(state_after(position, options, text))


def state_after(position: str, options: int, text: str) -> array[int]:
    """Return the state after a legal turn."""
    known = turns_of(position, options)
    _GAME.start(known.state, options)
    _GAME.apply(known.turns[text])
    return _GAME.state


def said(position: str, options: int, text: str) -> tuple[str, int]:
    """Return what a legal turn does, without a full stop, and the era that the focus goes to."""
    known = turns_of(position, options)
    story = story_of(known.state, known.turns[text], options)
    return story.says, story.focus


@lru_cache(_KNOWN)
def mover_of(position: str) -> int:
    """Return who is to move: 0 White, 1 Black."""
    return layout.mover(parse_position(position))


@lru_cache(_KNOWN)
def winner_of(position: str) -> int:
    """Return who has won with the turn that led here, layout.NOBODY if nobody has."""
    return winner(parse_position(position))


def standing(state: array[int], player: int) -> float:
    """Return how well a player stands, 0 to 1: copies, those in supply, and eras held."""
    if winner(state) != layout.NOBODY:
        return float(winner(state) == player)
    own, other = (_weight(state, each) for each in (player, 1 - player))
    return min(0.99, max(0.01, 0.5 + (own - other) / 40))


def _weight(state: array[int], player: int) -> float:
    copies = sum(bin(state[3 * player + era]).count("1") for era in range(3))
    return 2 * copies + layout.supply(state, player) + 3 * layout.eras_held(state, player)
