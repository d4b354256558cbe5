"""Why a turn is not legal: a code, and the rule that it stands for.

Codes travel over the link and fit the device; the sentences are the PC's (chronotable_host.text).
"""

from ttykm import layout
from ttykm.layout import BACK, EAST, FORWARD, GONE, NOBODY, NORTH, SOUTH, WEST
from ttykm.mp import const

if False:
    from ttykm.game import Game

LEGAL = const(0)
GAME_OVER = const(1)
SAME_FOCUS = const(2)
NO_COPY_THERE = const(3)
ACTIONS_DUE = const(4)
SECOND_ACTION_DUE = const(5)
CHOOSE_ABLER_COPY = const(6)
ACTIVE_COPY_DEAD = const(7)
TWO_ACTIONS_REQUIRED = const(8)
WALL = const(9)
NO_ERA_THERE = const(10)
SPACE_TAKEN_FORWARD = const(11)
SPACE_TAKEN_BACK = const(12)
SUPPLY_EMPTY = const(13)
UNKNOWN_ACTION = const(14)

# the rule behind each code, in its order
RULES = (
    "",
    "T29",
    "T15",
    "T7",
    "T11",
    "T11",
    "T12",
    "T14",
    "T14",
    "T16",
    "T26",
    "T24",
    "T25",
    "T27",
    "T7",
)

_EDGES = {NORTH: 0x000F, EAST: 0x8888, SOUTH: 0xF000, WEST: 0x1111}


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
    if _takes_two(game, sequence >> 12):
        # the first action is possible and the second missing: due, or lost by a strict reading
        dead = _active_after(game, sequence) == GONE
        return TWO_ACTIONS_REQUIRED if dead else SECOND_ACTION_DUE
    return CHOOSE_ABLER_COPY


def _active_after(game: "Game", sequence: int) -> int:
    """Return the place of the active copy after a sequence that is possible, or GONE."""
    index = game.scratch.follow(game.state, sequence, game.options)
    return game.scratch.records[index * layout.RECORD_WORDS + layout.ACTIVE]


def _why_no_action(game: "Game", before: int, here: int, action: int) -> int:
    """Return why `action` is not possible after the sequence `before`, or LEGAL.

    `before` has no action for the first action of a turn; the copy on its space is in era `here`.
    """
    table = game.scratch
    records = table.records
    if before & 0xFC0:
        base = table.follow(game.state, before, game.options) * layout.RECORD_WORDS
        place = records[base + layout.ACTIVE]
        if place == GONE:
            return ACTIVE_COPY_DEAD
    else:
        table.follow(game.state, 0)
        base = 0
        place = here << 4 | before >> 12
    era, space = place >> 4, place & 15
    if action in _EDGES:
        return WALL if _EDGES[action] >> space & 1 else LEGAL
    if action not in (FORWARD, BACK):
        return UNKNOWN_ACTION
    target = era + (1 if action == FORWARD else -1)
    if not 0 <= target <= layout.FUTURE:
        return NO_ERA_THERE
    if (records[base + target] | records[base + 3 + target]) >> space & 1:
        return SPACE_TAKEN_FORWARD if action == FORWARD else SPACE_TAKEN_BACK
    if action == BACK and not records[base + layout.META] >> 3 * game.mover & 7:
        return SUPPLY_EMPTY
    return LEGAL


def _takes_two(game: "Game", space: int) -> bool:
    """Tell whether the copy on `space` is one of those that may be chosen now (T12)."""
    table = game.legal()
    records = table.records
    for choice in range(1, table.firsts):
        if records[choice * layout.RECORD_WORDS + layout.ACTIVE] & 15 == space:
            return True
    return False
