"""What lies on the table against what the rules allow: the comparing loops.

Everything here reads the flat records of a turn tree (ttykm.layout) and an *observation*, an
`array('H')` of the words below, and allocates nothing: it runs between a lift and its light.

A record is compared by three counts: spaces whose presence differs; spaces that must have been
touched on the way (their copy is gone, new or another colour) and were not; spaces that were
touched without need. Presence alone cannot tell colours, so touches are evidence. Spaces whose
reed is not trusted differ from nothing and count as touched.

In a game with modules (`has_modules` 1) `objects` are those of the turn tree, and `note_magnets`
has noted in them which spaces have an object with a magnet. Else `objects` is not looked at.
"""

from array import array

from ttykm.layout import ACTIVE, BARRED, EFFECTS, PARENT, PLANT, SEQUENCE, STATUS, TARGET
from ttykm.layout import TOUCHED as _TOUCHED
from ttykm.mp import const, micropython, ptr8, ptr16
from ttykm.objects import PLANES

if False:
    from ttykm.turns import TurnTree

OCCUPIED = const(0)  # three masks: what lies there now
TOUCHED = const(3)  # every space that opened or closed, and those whose reed cannot tell
COUNTED = const(6)  # the touches that speak against whoever did not need them
TRUSTED = const(9)  # the spaces whose reed can be trusted
OBSERVATION_WORDS = const(12)

_SHIFT = const(4)

MAGNETS = const(13)  # of a record's objects: three masks, what reeds feel of them (`note_magnets`)

# which objects have magnets: bits for seed, shrub, tree (standing and fallen), statue, elephant
SEED_MAGNETS = const(1)
OBJECT_MAGNETS = const(30)  # all but seeds


def magnets_of(kinds: "tuple[str, ...]") -> int:
    """Return which objects reeds feel on a board with these magnets (hardware/board.py)."""
    return (OBJECT_MAGNETS if "object" in kinds else 0) | (SEED_MAGNETS if "seed" in kinds else 0)


POPULATION = bytearray([bin(byte).count("1") for byte in range(256)])  # how many bits a byte has


def observation() -> "array[int]":
    """Return an observation of nothing by reeds that are all trusted."""
    observed = array("H", bytes(2 * OBSERVATION_WORDS))
    for era in range(3):
        observed[TRUSTED + era] = 0xFFFF
    return observed


@micropython.viper
def note_magnets(objects: ptr16, begin: int, end: int, magnets: int) -> int:
    """Note in the objects of records `begin`..`end`-1 what reeds feel of them (MAGNETS)."""
    for index in range(begin, end):
        base = index << _SHIFT
        for era in range(3):
            plane = base + 4 * era
            a = objects[plane]
            b = objects[plane + 1]
            c = objects[plane + 2]
            d = objects[plane + 3]
            mask = 0
            if magnets & 1:
                mask |= a & (0xFFFF ^ (b | c | d))
            if magnets & 2:
                mask |= b & (0xFFFF ^ (a | c | d))
            if magnets & 4:
                mask |= (a & b | c) & (0xFFFF ^ d)
            if magnets & 8:
                mask |= d & (0xFFFF ^ c)
            if magnets & 16:
                mask |= d & c
            objects[base + MAGNETS + era] = mask
    return end


def lying(turn_tree: "TurnTree", index: int, era: int) -> int:
    """Return the mask of an era's spaces that a record has something with a magnet on."""
    return _lying(turn_tree.records, turn_tree.objects, turn_tree.has_modules, index, era)


@micropython.viper
def _lying(records: ptr16, objects: ptr16, has_modules: int, index: int, era: int) -> int:
    base = index << _SHIFT
    mask = records[base + era] | records[base + era + 3]
    return mask | objects[base + MAGNETS + era] if has_modules else mask


def to_exchange(objects: "array[int]", record: int, era: int, observed: "array[int]") -> int:
    """Return the mask of an era's untouched spaces where a record has another object, felt too."""
    base = record << _SHIFT
    changed = 0
    for plane in range(PLANES * era, PLANES * era + PLANES):
        changed |= objects[plane] ^ objects[base + plane]
    changed &= objects[MAGNETS + era] & objects[base + MAGNETS + era]
    return changed & ~observed[TOUCHED + era]


@micropython.viper
def compare(
    records: ptr16,
    objects: ptr16,
    has_modules: int,
    begin: int,
    end: int,
    observed: ptr16,
    population: ptr8,
    out: ptr8,
) -> int:
    """Write two bytes per record to `out`: differing spaces, and the evidence against it.

    Evidence is 16 * (spaces that had to be touched and were not) + spaces touched without need,
    each at most 15. Barred records get 255 twice. Returns `end`.
    """
    for index in range(begin, end):
        base = index << _SHIFT
        if records[base + STATUS] & BARRED:
            out[2 * index] = 255
            out[2 * index + 1] = 255
            continue
        differing = 0
        missed = 0
        needless = 0
        for era in range(3):
            white = records[base + era]
            black = records[base + era + 3]
            there = white | black
            changed = (white ^ records[era]) | (black ^ records[era + 3])
            if has_modules:
                felt = objects[base + era + MAGNETS]
                there |= felt
                changed |= felt ^ objects[era + MAGNETS]
            mask = (there ^ observed[era]) & observed[era + TRUSTED]
            if mask:
                differing += population[mask & 255] + population[mask >> 8]
            mask = changed & (0xFFFF ^ observed[era + TOUCHED])
            if mask:
                missed += population[mask & 255] + population[mask >> 8]
            mask = observed[era + COUNTED] & (0xFFFF ^ (changed | records[base + _TOUCHED + era]))
            if mask:
                needless += population[mask & 255] + population[mask >> 8]
        if missed > 15:
            missed = 15
        if needless > 15:
            needless = 15
        out[2 * index] = differing
        out[2 * index + 1] = (missed << 4) | needless
    return end


@micropython.viper
def lies_there(
    records: ptr16, objects: ptr16, has_modules: int, index: int, observed: ptr16
) -> int:
    """Tell with 1 whether a record's presence is what the trusted reeds feel."""
    base = index << _SHIFT
    for era in range(3):
        there = records[base + era] | records[base + era + 3]
        if has_modules:
            there |= objects[base + era + MAGNETS]
        if (there ^ observed[era]) & observed[era + TRUSTED]:
            return 0
    return 1


@micropython.viper
def needed(records: ptr16, objects: ptr16, has_modules: int, index: int, era: int) -> int:
    """Return the mask of an era's spaces that may, or must, be touched for a record."""
    base = index << _SHIFT
    changed = (records[base + era] ^ records[era]) | (records[base + era + 3] ^ records[era + 3])
    if has_modules:
        changed |= objects[base + era + MAGNETS] ^ objects[era + MAGNETS]
    return records[base + _TOUCHED + era] | changed


@micropython.viper
def bar_others(records: ptr16, seconds: int, end: int, first: int, last: int) -> int:
    """Bar all records but `first`..`last` and the second actions that follow them."""
    for index in range(end):
        base = index << _SHIFT
        kept = index
        if index >= seconds and (index < first or index > last):
            kept = records[base + PARENT]
        if kept < first or kept > last:
            records[base + STATUS] = records[base + STATUS] | BARRED
    return end


@micropython.viper
def clear(numbers: ptr8, count: int) -> int:
    """Set the first so many bytes to 0."""
    for at in range(count):
        numbers[at] = 0
    return count


@micropython.viper
def best_exact(records: ptr16, begin: int, end: int, whole: int, costs: ptr8, first: int) -> int:
    """Return the exact record (`whole` 1: whole turn) with the least evidence against it, or -1.

    Of equal ones the copy on the space `first` acts, which was lifted before any other one.
    """
    found = -1
    least = 2 * 255
    for index in range(begin, end):
        if costs[2 * index] == 0:
            base = index << _SHIFT
            if whole == 0 or records[base + STATUS] & 1:
                against = 2 * costs[2 * index + 1]
                if records[base + SEQUENCE] >> 12 != first:
                    against += 1
                if against < least:
                    found = index
                    least = against
    return found


@micropython.viper
def rival(
    records: ptr16,
    objects: ptr16,
    has_modules: int,
    end: int,
    known: ptr16,
    count: int,
    costs: ptr8,
) -> int:
    """Return the next best exact whole turn to another position than the `count` known, or -1."""
    found = -1
    least = 255
    for index in range(end):
        if costs[2 * index] == 0 and costs[2 * index + 1] < least:
            if records[(index << _SHIFT) + STATUS] & 1:
                new = 1
                for which in range(count):
                    a = known[which] << _SHIFT
                    b = index << _SHIFT
                    same = 1
                    for word in range(7):
                        if records[a + word] != records[b + word]:
                            same = 0
                    if has_modules:
                        for word in range(13):
                            if objects[a + word] != objects[b + word]:
                                same = 0
                    if same:
                        new = 0
                if new:
                    found = index
                    least = costs[2 * index + 1]
    return found


@micropython.viper
def nearest(records: ptr16, begin: int, end: int, whole: int, costs: ptr8) -> int:
    """Return the record with the fewest differing spaces among those that fit the touches, or -1.

    A record fits when nothing was touched that it does not need. `whole` as in `best_exact`.
    """
    found = -1
    least = 255
    for index in range(begin, end):
        if costs[2 * index] < least and costs[2 * index + 1] & 15 == 0:
            if whole == 0 or records[(index << _SHIFT) + STATUS] & 1:
                found = index
                least = costs[2 * index]
    return found


@micropython.viper
def paint_actions(
    records: ptr16,
    objects: ptr16,
    has_modules: int,
    begin: int,
    end: int,
    parent: int,
    observed: ptr16,
    leds: ptr8,
    meanings: ptr8,
    effects_shown: int,
) -> int:
    """Light where the actions aim that fit what was touched, and the copies that could act.

    Looks at the records `begin`..`end`-1 whose parent is `parent`, or all of them for -1.
    `observed` holds what lies there and the touches since that parent lay there; `meanings` are
    those of lights/hints.py, and of a move the effects in the mask `effects_shown` tell which.

    Returns the number of records that fit, times 1024, plus the index of the last of them.
    """
    fitting = 0
    last = 0
    for index in range(begin, end):
        base = index << _SHIFT
        from_record = records[base + PARENT]
        if parent >= 0 and from_record != parent:
            continue
        if records[base + STATUS] & BARRED:
            continue
        fits = 1
        for era in range(3):
            needed = (
                records[base + _TOUCHED + era]
                | (records[base + era] ^ records[era])
                | (records[base + era + 3] ^ records[era + 3])
            )
            if has_modules:
                needed |= objects[base + era + MAGNETS] ^ objects[era + MAGNETS]
            if observed[era + COUNTED] & (0xFFFF ^ needed):
                fits = 0
        if fits == 0:
            continue
        action = records[base + SEQUENCE]
        action = action & 63 if action & 63 else (action >> 6) & 63
        if action >= PLANT:  # what is chosen with the action button shows its aims then
            continue
        fitting += 1
        last = index
        at = 123 + action  # a travel, forward or back
        if action < 5 or action > 6:
            at = records[base + EFFECTS] & effects_shown
        meaning = meanings[at]
        place = records[base + TARGET]
        if leds[place] < meaning:
            leds[place] = meaning
        place = records[(from_record << _SHIFT) + ACTIVE]
        if leds[place] < 2 and (observed[place >> 4] >> (place & 15)) & 1:
            leds[place] = 2
    return (fitting << 10) | last


@micropython.viper
def paint_difference(
    records: ptr16,
    objects: ptr16,
    has_modules: int,
    index: int,
    observed: ptr16,
    leds: ptr8,
    lifted: int,
) -> int:
    """Light what is missing and what is too much for record `index` to lie there.

    With `lifted` only the missing pieces are lit, as lifted, where nothing is lit yet; else as
    things to do, copies with their owner, over all hints but the aims of actions. With modules a
    later era waits until the earlier ones are done (I5, G6). Returns how many spaces differ.
    """
    differing = 0
    for era in range(3):
        white = records[(index << _SHIFT) + era]
        black = records[(index << _SHIFT) + era + 3]
        wanted = white | black
        there = observed[era]
        mask = wanted ^ there
        if has_modules:
            if differing:
                break
            felt = objects[(index << _SHIFT) + era + MAGNETS]
            mask ^= felt & (0xFFFF ^ wanted)
            wanted |= felt
            if lifted == 0:  # what is another piece than before was touched, or is to be exchanged
                changed = felt ^ objects[era + MAGNETS]
                changed |= white ^ records[era] | black ^ records[era + 3]
                mask |= changed & wanted & (0xFFFF ^ observed[era + TOUCHED])
        mask &= observed[era + TRUSTED]
        if mask:
            for space in range(16):
                if (mask >> space) & 1:
                    differing += 1
                    place = (era << 4) | space
                    missing = (wanted >> space) & 1
                    if lifted:
                        if missing and leds[place] < 3:
                            leds[place] = 3
                    elif leds[place] < 5:
                        if missing == 0:
                            leds[place] = 13
                        elif (white >> space) & 1:
                            leds[place] = 19
                        else:
                            leds[place] = 20 if (black >> space) & 1 else 12
    return differing
