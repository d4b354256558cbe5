"""Twins: what a hidden fault makes of a turn is, touch by touch, another legal turn."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from chronotable.hardware.sensors import SPACES
from chronotable_host.pieces import pieces_of
from ttykm.game import Game
from ttykm.layout import RECORD_WORDS, TOUCHED


def explains(game: Game, turn: int, edges: Iterable[tuple[int, bool]]) -> bool:
    """Tell whether a legal turn explains all that was felt since the game's position lay there.

    What was felt to lie there must be its result, all that it changes must have been touched, and
    nothing else but what hands may touch for it.
    """
    state = array("H", game.state)
    if not game.after(turn, state):
        return False
    tree = game.scratch
    records = tree.records
    base = tree.follow(game.state, turn & 0xFFFF, game.options) * RECORD_WORDS
    before, after = pieces_of(game.state), pieces_of(state)
    there = set(before)
    touched = set()
    for sensor, closed in edges:
        there = there | {sensor} if closed else there - {sensor}
        if sensor < SPACES:
            touched.add(sensor)
    changed = {at for at in range(SPACES) if before.get(at) != after.get(at)}
    may = {at for at in range(SPACES) if records[base + TOUCHED + (at >> 4)] >> (at & 15) & 1}
    return there == set(after) and changed <= touched <= changed | may
