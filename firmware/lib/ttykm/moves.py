"""The actions of the standard game: moves with all that they push, and travels.

acts.py takes the place of this file where a state has modules; the table lets this one go then.
"""

from ttykm import layout
from ttykm.layout import ACTIVE, BARRED, GONE, META, PUSH, SEQUENCE, SQUISH, STATUS, TOUCHED
from ttykm.mp import const, micropython, ptr16

_SHIFT = const(4)  # a record index to the index of its first word


@micropython.viper
def _push_line(records: ptr16, at: int, space: int, direction: int) -> int:
    """Move the copy on `space` of record `at`'s active era one space, whatever stands in the way.

    The copy in motion enters the next space; who stood there is in motion next (T17, T20), dies
    at the wall (T18), or dies together with a copy of its own colour (T19). This is the entry
    table for copies: wall, empty, other colour, same colour (objects: entry.py).

    The caller has ruled out a wall before the first copy (T16). Returns the effects; the record's
    masks, its touched spaces and, for a self-paradox (T21), the active copy are updated.
    """
    base = at << _SHIFT
    era = records[base + ACTIVE] >> 4
    side = (records[base + META] >> 10) & 1
    step = -4
    edge = 0x000F
    if direction == 2:
        step = 1
        edge = 0x8888
    elif direction == 3:
        step = 4
        edge = 0xF000
    elif direction == 4:
        step = -1
        edge = 0x1111
    carried = base + 3 * side + era  # index of the mask of the colour in motion
    other = base + 3 * (1 - side) + era
    touched = records[base + TOUCHED + era]
    bit = 1 << space
    records[carried] = records[carried] & (0xFFFF ^ bit)
    effects = 0
    moving = 1
    while moving:
        if bit & edge:
            effects |= SQUISH
            moving = 0
        else:
            bit = bit << step if step > 0 else bit >> (0 - step)
            touched |= bit
            same = records[carried]
            if same & bit:
                records[carried] = same & (0xFFFF ^ bit)
                effects |= layout.PARADOX
                moving = 0
            else:
                records[carried] = same | bit
                hit = records[other]
                if hit & bit:
                    records[other] = hit & (0xFFFF ^ bit)
                    swap = carried
                    carried = other
                    other = swap
                    effects |= PUSH
                else:
                    moving = 0
    if effects & (SQUISH | layout.PARADOX) and carried == base + 3 * side + era:
        effects |= layout.OWN_DEATH
        if effects & PUSH == 0:
            effects |= layout.ACTIVE_DIES
    records[base + TOUCHED + era] = touched
    return effects


@micropython.viper
def expand(records: ptr16, begin: int, end: int, at: int, only: int) -> int:
    """Append at index `at` every legal action of the active copies of records `begin`..`end`-1.

    Order within one record: N E S W F B; an action code in `only` limits them to that one.
    Returns the index after the last child.
    """
    for parent in range(begin, end):
        source = parent << _SHIFT
        place = records[source + ACTIVE]
        if place == GONE or records[source + STATUS] & BARRED:
            continue
        era = place >> 4
        space = place & 15
        bit = 1 << space
        meta = records[source + META]
        side = (meta >> 10) & 1
        own = 3 * side + era
        sequence = records[source + SEQUENCE]
        shift = 0 if sequence & 0xFC0 else 6
        for action in range(only if only else 1, only + 1 if only else 7):
            target = space
            target_era = era
            supply = meta
            if action == 1:
                if bit & 0x000F:
                    continue
                target = space - 4
            elif action == 2:
                if bit & 0x8888:
                    continue
                target = space + 1
            elif action == 3:
                if bit & 0xF000:
                    continue
                target = space + 4
            elif action == 4:
                if bit & 0x1111:
                    continue
                target = space - 1
            elif action == 5:  # T24
                target_era = era + 1
                if target_era > 2:
                    continue
            else:  # T25, T27
                target_era = era - 1
                if target_era < 0 or (meta >> (3 * side)) & 7 == 0:
                    continue
                supply = meta - (1 << (3 * side))
            new_bit = 1 << target
            taken = (records[source + target_era] | records[source + target_era + 3]) & new_bit
            if taken and action > 4:
                continue
            child = at << _SHIFT
            records[child] = records[source]
            records[child + 1] = records[source + 1]
            records[child + 2] = records[source + 2]
            records[child + 3] = records[source + 3]
            records[child + 4] = records[source + 4]
            records[child + 5] = records[source + 5]
            records[child + 6] = supply
            records[child + 7] = sequence | (action << shift)
            records[child + 10] = (target_era << 4) | target
            records[child + 11] = records[source + 11]
            records[child + 12] = records[source + 12]
            records[child + 13] = records[source + 13]
            records[child + 14] = parent
            records[child + 15] = 0
            if taken:
                records[child + 8] = place
                effects = int(_push_line(records, at, space, action))
                records[child + 9] = effects
                if effects & 16:
                    records[child + 8] = GONE
                else:
                    records[child + 8] = (era << 4) | target
            else:
                records[child + 8] = (target_era << 4) | target
                records[child + 9] = 0
                if action != 6:
                    records[child + own] = records[child + own] & (0xFFFF ^ bit)
                new_own = child + 3 * side + target_era
                records[new_own] = records[new_own] | new_bit
                new_touched = child + 11 + target_era
                records[new_touched] = records[new_touched] | new_bit
            at += 1
    return at


@micropython.viper
def count_actions(records: ptr16, begin: int, end: int, last: int) -> int:
    """Note in each choice's EFFECTS word how many actions it can take, 0..2 (T12's d).

    `begin`..`end`-1 are the first actions, up to `last` the second ones. Returns the largest.
    """
    most = 0
    for choice in range(1, begin):
        records[(choice << _SHIFT) + 9] = 0
    for index in range(begin, last):
        parent = records[(index << _SHIFT) + 14]
        depth = 1
        if index >= end:
            parent = records[(parent << _SHIFT) + 14]
            depth = 2
        count = (parent << _SHIFT) + 9
        if records[count] < depth:
            records[count] = depth
        if most < depth:
            most = depth
    return most
