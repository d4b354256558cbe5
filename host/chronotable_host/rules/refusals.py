"""Why a turn is not legal: how a reason is found, and the rule that it stands for."""

from typing import TYPE_CHECKING

from chronotable_host.rules import objections
from chronotable_host.rules.objections import why_no_travel
from ttykm import layout
from ttykm.layout import BACK, EAST, FORWARD, GONE, NOBODY, NORTH, SOUTH, WEST
from ttykm.reasons import (
    ACTIONS_DUE,
    ACTIVE_COPY_DEAD,
    CHOOSE_ABLER_COPY,
    GAME_OVER,
    LEGAL,
    NO_COPY_THERE,
    SAME_FOCUS,
    SECOND_ACTION_DUE,
    TWO_ACTIONS_REQUIRED,
    UNKNOWN_ACTION,
    WALL,
)

if TYPE_CHECKING:
    from ttykm.game import Game

# the rule behind each code, in its order; of other codes `rule` knows
RULES: tuple[str, ...] = ("", "T29", "T15", "T7", "T11", "T11", "T12", "T14", "T14")
RULES += ("T16", "T26", "T24", "T25", "T27", "T7")

_EDGES = {NORTH: 0x000F, EAST: 0x8888, SOUTH: 0xF000, WEST: 0x1111}


def rule(code: int) -> str:
    """Return the rule that a code stands for; raises IndexError for a code that is none."""
    if code < len(RULES):
        return RULES[code]
    if code < objections.FIRST:
        raise IndexError(code)
    return objections.RULES_OF_MODULES[code - objections.FIRST]


def why_illegal(game: "Game", turn: int) -> int:
    """Return the code of the first thing that is wrong with a packed turn, or LEGAL."""
    if game.winner() != NOBODY:
        return GAME_OVER
    state = game.state
    here = layout.focus(state, game.mover)
    sequence = turn & 0xFFFF
    first, second = sequence >> 6 & 63, sequence & 63
    if first:
        own = state[3 * game.mover + here]
        if not own >> (sequence >> 12) & 1:
            return NO_COPY_THERE
        code = _why_no_action(game, sequence & 0xF000, here, first)
        if code:
            return code
        if second:
            code = _why_no_action(game, sequence & 0xFFC0, here, second)
            if code:
                return code
    if turn >> 16 == here or turn >> 16 > layout.FUTURE:
        return SAME_FOCUS
    if game.legal().find(sequence) >= 0:
        return LEGAL
    if not first:
        return ACTIONS_DUE
    tree, words = game.legal(), layout.RECORD_WORDS
    able = [tree.records[at * words + layout.ACTIVE] & 15 for at in range(1, tree.firsts)]
    if sequence >> 12 in able:  # one of the copies that may be chosen now (T12)
        # the first action is possible and the second missing: due, or lost by a strict reading
        for base in range(tree.firsts * words, tree.seconds * words, words):
            if tree.records[base + layout.SEQUENCE] == sequence:
                is_barred = tree.records[base + layout.STATUS] & layout.BARRED
                return TWO_ACTIONS_REQUIRED if is_barred else SECOND_ACTION_DUE
        return SECOND_ACTION_DUE
    return CHOOSE_ABLER_COPY


def _why_no_action(game: "Game", before: int, here: int, action: int) -> int:
    """Return why `action` is not possible after the sequence `before`, or LEGAL.

    `before` has no action for the first action of a turn; the copy on its space is in era `here`.
    """
    tree = game.scratch
    if before & 0xFC0:
        base = tree.follow(game.state, before, game.options) * layout.RECORD_WORDS
        place = tree.records[base + layout.ACTIVE]
        if place == GONE:
            return ACTIVE_COPY_DEAD
    else:
        tree.follow(game.state, 0)
        base = 0
        place = here << 4 | before >> 12
    if len(game.state) > layout.STATE_WORDS:
        return objections.why_no_action(game, before, place, action)
    if action in _EDGES:
        return WALL if _EDGES[action] >> (place & 15) & 1 else LEGAL
    if action not in (FORWARD, BACK):
        return UNKNOWN_ACTION
    return why_no_travel(tree, base, place, action)
