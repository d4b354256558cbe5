"""The cards by their names in the texts of the game."""

from __future__ import annotations

from functools import lru_cache

STOP_TIME = "stop_time"
JUMP = "jump:"
MOVE = "move:"
DIRECTIONS = ("LR", "UD", "LRUD")
"""What a Move may allow: left and right, up and down, all four."""

ACTIONS = (
    *("return_to_hq", "join_me", "quantum_leap", "tag_along", "desperate_grab", "double_time"),
    *("near_yet_far", "back_it_up"),
)
BREAKERS = ("crash_a_gate", "on_the_move", "shut_and_run")
NAMED = (*ACTIONS, *BREAKERS, STOP_TIME)
"""All cards that are no Move and no Jump."""


@lru_cache
def jump_of(card: str) -> str:
    """Return the tile that a Jump shows, "" for any other card."""
    return card[len(JUMP) :] if card.startswith(JUMP) else ""


@lru_cache
def directions_of(card: str) -> str:
    """Return the directions of a Move, such as "LR", "" for any other card."""
    return card[len(MOVE) :] if card.startswith(MOVE) else ""
