"""What the box and the rules allow of objects: whether a state with modules can lie on a table.

Loaded only where somebody hands a state in: what the engine makes of a good one is good.
"""

from ttykm import objects
from ttykm.layout import META
from ttykm.mp import const
from ttykm.objects import ELEPHANT, FALLEN, SEED, SEEDS, STATUE, TREE

if False:
    from array import array

_STATUES = const(3)
_ELEPHANTS = const(2)
_BEHIND = (0xF000, 0x1111, 0x000F, 0x8888)  # no roots are there, of a tree that fell N E S W


def is_sound(state: "array[int]") -> bool:
    """Tell whether the objects of a state with modules are what they can be.

    They are of its modules, with nothing else on their spaces but a copy on a seed (G1, G2), an
    era has one of each statue and elephant at most, and none of who still holds the own ones (I7),
    a fallen tree has its roots beside it (G13), and elephants that are there wear at most one hat
    of each player (M4).
    """
    modules = objects.modules_of(state)
    foreign = 0 if modules & objects.GROWTH else 7 << objects.SEEDS_SHIFT
    foreign |= 0 if modules & objects.INFLUENCE else 3 << objects.HELD_SHIFT
    if not 0 < modules <= objects.ALL_MODULES or state[META] & foreign:
        return False
    seen = 0  # a bit per era and kind of statue or elephant
    for era, space, kind in objects.objects_of(state):
        if kind < STATUE:
            module = objects.GROWTH
            if kind >= FALLEN and _BEHIND[kind - FALLEN] >> space & 1:
                return False
        else:
            module = objects.INFLUENCE if kind < ELEPHANT else objects.MEMORY
            bit = 1 << (8 * era + kind - STATUE)
            if seen & bit or kind == STATUE + _STATUES or kind >= ELEPHANT + _ELEPHANTS:
                return False
            if STATUE < kind < ELEPHANT and objects.holds_statue(state, kind - STATUE - 1):
                return False
            seen |= bit
        if not modules & module:
            return False
        if kind > SEED and (state[era] | state[3 + era]) >> space & 1:
            return False
    for era in range(3):
        worn = 0
        for which in range(_ELEPHANTS):
            player = objects.hat(state, era, which)
            if player >= 0:
                there = seen >> (8 * era + ELEPHANT - STATUE + which) & 1
                if player > 1 or not there or worn >> player & 1:
                    return False
                worn |= 1 << player
    return True


def is_conserved(state: "array[int]") -> bool:
    """Tell whether the box has the objects of a sound state with modules.

    There are 5 seeds, 5 shrubs and 5 trees, fallen ones included (the set-up of chapter 1).
    """
    count = [objects.seeds(state), 0, 0]
    for _, _, kind in objects.objects_of(state):
        if kind < STATUE:
            count[min(kind, TREE) - SEED] += 1
    return max(count) <= SEEDS
