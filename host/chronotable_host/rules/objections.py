"""Why an action is not possible, with objects or without; refusals.py asks that here.

reasons.py has the codes of the standard game, this file those of the chapters.
"""

from typing import TYPE_CHECKING

from ttykm import layout
from ttykm.entry import Boards, beyond
from ttykm.layout import (
    BACK,
    BUILD,
    COMMAND,
    DIG,
    FORWARD,
    FUTURE,
    LAST_ACTION,
    META,
    PLANT,
    PULL,
    RECORD_WORDS,
    TRAIN,
)
from ttykm.objects import (
    ELEPHANT,
    GROWTH,
    HATS,
    HELD_SHIFT,
    INFLUENCE,
    MEMORY,
    SEED,
    SEEDS_SHIFT,
    STATUE,
    TREE,
    modules_of,
)
from ttykm.reasons import (
    LEGAL,
    NO_ERA_THERE,
    SPACE_TAKEN_BACK,
    SPACE_TAKEN_FORWARD,
    SUPPLY_EMPTY,
    UNKNOWN_ACTION,
    WALL,
)

if TYPE_CHECKING:
    from ttykm.turns import TurnTree
if TYPE_CHECKING:
    from ttykm.game import Game


def why_no_travel(tree: "TurnTree", base: int, place: int, action: int) -> int:
    """Return why the copy on a place cannot travel, or LEGAL, as far as no object is in the way.

    `base` is where the record of the position begins.
    """
    records = tree.records
    era, space = place >> 4, place & 15
    target = era + (1 if action == FORWARD else -1)
    if not 0 <= target <= layout.FUTURE:
        return NO_ERA_THERE
    if (records[base + target] | records[base + 3 + target]) >> space & 1:
        return SPACE_TAKEN_FORWARD if action == FORWARD else SPACE_TAKEN_BACK
    meta = records[base + layout.META]
    mover = meta >> layout.MOVER_SHIFT & 1
    if action == BACK and not meta >> layout.SUPPLY_BITS * mover & 7:
        return SUPPLY_EMPTY
    return LEGAL


# codes go on behind those of reasons.py and of chronotable.core.why, with which they share the link
FIRST = 38
GROWTH_THERE = 38
TREE_STUCK = 39
STATUE_STUCK = 40
ELEPHANT_THERE = 41
OBJECT_THERE = 42
NO_STATUE_BEHIND = 43
MOVER_DIES = 44
NO_SEED_LEFT = 45
PLANT_OUTSIDE = 46
PLANT_TAKEN = 47
PLANT_ON_STATUE = 48
PLANT_ON_ELEPHANT = 49
NO_SEED_THERE = 50
STATUE_BUILT = 51
BUILD_OUTSIDE = 52
BUILD_TAKEN = 53
BUILD_ON_SEED = 54
NO_ELEPHANT_THERE = 55
TRAINED_ALREADY = 56
NOT_YOUR_ELEPHANT = 57
ELEPHANT_AT_WALL = 58
ELEPHANT_MEETS_ELEPHANT = 59
ELEPHANT_MEETS_TREE = 60
ELEPHANT_MEETS_STATUE = 61
NO_STATUE_BEHIND_ELEPHANT = 62

# the rule behind each of these codes, in its order
RULES_OF_MODULES: tuple[str, ...] = ("G4", "G12", "I2", "M2", "T33", "I4", "I4")
RULES_OF_MODULES += ("G5", "G5", "G5", "C8", "C10", "G8")
RULES_OF_MODULES += ("I7", "I7", "I7", "C4")
RULES_OF_MODULES += ("M3", "M3", "M6", "M7", "M7", "C10", "C11", "C11")

_HERE = 5  # the direction of the own space
_PULLS = 4  # in the code of a command


def why_no_action(game: "Game", before: int, place: int, action: int) -> int:
    """Return why an action is not possible for the active copy, which is on a place, or LEGAL.

    `before` is the sequence so far, without an action for the first action of a turn.
    """
    if not _is_known(action, modules_of(game.state)):
        return UNKNOWN_ACTION
    tree = game.scratch
    is_second = before & 0xFC0 != 0
    sequence = before | action << (0 if is_second else 6)
    if tree.follow(game.state, sequence, game.options) >= 0:
        return LEGAL
    # what failed was tried behind the record of the position, which still stands
    boards = Boards(tree.records, tree.objects)
    boards.at = 2 if is_second else 1
    era, space = place >> 4, place & 15
    if action < FORWARD:
        return _why_no_move(boards, era, beyond(space, action))
    if action < PULL:
        target = era + (1 if action == FORWARD else -1)
        if 0 <= target <= FUTURE and boards.kind(target, space) > SEED:
            return OBJECT_THERE
        return why_no_travel(tree, boards.at * RECORD_WORDS, place, action)
    if action < PLANT:
        direction = action - PULL + 1
        code = why_no_action(game, before, place, direction)
        if code:
            return code
        behind = beyond(space, (direction + 1 & 3) + 1)
        has_statue = behind >= 0 and STATUE <= boards.kind(era, behind) < ELEPHANT
        return MOVER_DIES if has_statue else NO_STATUE_BEHIND
    if action < DIG:
        direction = action - PLANT + 1
        return _why_no_plant(boards, era, space if direction == _HERE else beyond(space, direction))
    if action < BUILD:
        return NO_SEED_THERE
    if action < TRAIN:
        return _why_no_build(boards, era, beyond(space, action - BUILD + 1))
    if action < COMMAND:
        target = beyond(space, action - TRAIN + 1)
        is_there = target >= 0 and boards.kind(era, target) >= ELEPHANT
        return TRAINED_ALREADY if is_there else NO_ELEPHANT_THERE
    return _why_no_command(boards, era, action - COMMAND)


def _is_known(action: int, modules: int) -> bool:
    """Tell whether modules have an action."""
    if action < PULL:
        return True
    if PLANT <= action < BUILD:
        return modules & GROWTH != 0
    if action < TRAIN:
        return modules & INFLUENCE != 0
    if action > LAST_ACTION or not modules & MEMORY:
        return False
    return action < COMMAND or modules & INFLUENCE != 0 or not action - COMMAND & _PULLS


def _why_no_move(boards: Boards, era: int, target: int) -> int:
    if target < 0:
        return WALL
    kind = boards.kind(era, target)
    if kind >= ELEPHANT:
        return ELEPHANT_THERE
    if kind >= STATUE:
        return STATUE_STUCK
    return TREE_STUCK if kind == TREE else GROWTH_THERE


def _why_no_plant(boards: Boards, era: int, target: int) -> int:
    if not boards.records[(boards.at << 4) + META] >> SEEDS_SHIFT & 7:
        return NO_SEED_LEFT
    if target < 0:
        return PLANT_OUTSIDE
    kind = boards.kind(era, target)
    if kind >= ELEPHANT:
        return PLANT_ON_ELEPHANT
    return PLANT_ON_STATUE if kind >= STATUE else PLANT_TAKEN


def _why_no_build(boards: Boards, era: int, target: int) -> int:
    if not boards.records[(boards.at << 4) + META] >> (HELD_SHIFT + boards.side()) & 1:
        return STATUE_BUILT
    if target < 0:
        return BUILD_OUTSIDE
    is_seed = boards.copy_on(era, target) < 0 and boards.kind(era, target) == SEED
    return BUILD_ON_SEED if is_seed else BUILD_TAKEN


def _why_no_command(boards: Boards, era: int, code: int) -> int:
    """Return why no command: `code` is a direction in two bits, `_PULLS`, and which elephant."""
    which, direction = code >> 3, (code & 3) + 1
    hats = boards.objects[(boards.at << 4) + HATS] >> (4 * era + 2 * which) & 3
    space = -1
    for there in range(16):
        if boards.kind(era, there) == ELEPHANT + which:
            space = there
    if space < 0 or hats != boards.side() + 1:
        return NOT_YOUR_ELEPHANT
    target = beyond(space, direction)
    if target < 0:
        return ELEPHANT_AT_WALL
    if boards.lets(era, target, direction, ELEPHANT):
        return NO_STATUE_BEHIND_ELEPHANT
    kind = boards.kind(era, target)
    if kind >= ELEPHANT:
        return ELEPHANT_MEETS_ELEPHANT
    return ELEPHANT_MEETS_STATUE if kind >= STATUE else ELEPHANT_MEETS_TREE
