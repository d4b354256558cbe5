"""Eras, players and directions as sentences name them; as notation they stay English."""

from __future__ import annotations

from chronotable_host.language import tr_c

ERAS = (tr_c("era", "past"), tr_c("era", "present"), tr_c("era", "future"))
"""By number, without an article."""

PLAYERS = (tr_c("player", "White"), tr_c("player", "Black"))
"""By number, as at the beginning of a sentence."""

PLAYERS_WITHIN = (tr_c("player", "white"), tr_c("player", "black"))
"""By number, as within a sentence that does not begin with them."""

DIRECTIONS = (
    tr_c("direction", "north"),
    tr_c("direction", "east"),
    tr_c("direction", "south"),
    tr_c("direction", "west"),
)
"""In the order of the actions: N, E, S, W."""
