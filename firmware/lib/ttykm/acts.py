"""The actions of a game with modules, and every legal one of a record's active copy.

moves.py knows the standard game and is the fast way; this file takes its place where a state has
modules. Here is who may act on what; what happens on the spaces that are entered is entry.py's.
"""

from ttykm import layout
from ttykm.entry import MOVED_SHIFT, Boards, beyond
from ttykm.layout import ACTIVE, BUILD, COMMAND, DIG, META, PLANT, PULL, TARGET, TOUCHED, TRAIN
from ttykm.mp import const, micropython, ptr16
from ttykm.objects import (
    ELEPHANT,
    HATS,
    HELD_SHIFT,
    MEMORY,
    MODULES_SHIFT,
    SEED,
    SEEDS_SHIFT,
    STATUE,
)

_ILLEGAL = const(-1)
_MANY = const(64)  # more than there are actions


@micropython.viper
def _copy(records: ptr16, objects: ptr16, parent: int, at: int, action: int) -> int:
    """Begin the child `at` of a record by copying it; return the place of the active copy."""
    source = parent << 4
    child = at << 4
    for word in range(16):
        records[child + word] = records[source + word]
        objects[child + word] = objects[source + word]
    sequence = records[source + layout.SEQUENCE]
    records[child + layout.SEQUENCE] = sequence | (action << (0 if sequence & 0xFC0 else 6))
    records[child + layout.PARENT] = parent
    records[child + layout.STATUS] = 0
    return records[source + ACTIVE]


@micropython.viper
def _plain(records: ptr16, objects: ptr16, parent: int, at: int, action: int) -> int:
    """Write to record `at` what a plain action makes of record `parent`.

    Plain is an action that moves nothing but the copy: a move to a free space, a travel, planting a
    seed. Returns 1; 0 for an action that is illegal, as is seen here already; or 2 for one that
    `Acts` has to look at.
    """
    source = parent << 4
    place = records[source + ACTIVE]
    era = place >> 4
    space = place & 15
    plane = source + (era << 2)
    meta = records[source + META]
    side = (meta >> 10) & 1
    target = space
    target_era = era
    if action >= layout.FORWARD and action < PULL:
        target_era = era + 1 if action == layout.FORWARD else era - 1
        if target_era < 0 or target_era > 2:
            return 0
        if action == layout.BACK:
            if (meta >> (3 * side)) & 7 == 0:
                return 0
            meta -= 1 << (3 * side)
    else:
        direction = action
        if action >= COMMAND:
            return 2
        if action >= TRAIN:
            direction = action - TRAIN + 1
        elif action >= BUILD:
            direction = action - BUILD + 1
        elif action >= DIG:
            direction = action - DIG + 1
        elif action >= PLANT:
            direction = action - PLANT + 1
        elif action >= PULL:
            direction = action - PULL + 1
        if direction == 1:
            target = space - 4
        elif direction == 2:
            target = space + 1 if space & 3 != 3 else -1
        elif direction == 3:
            target = space + 4 if space < 12 else -1
        elif direction == 4:
            target = space - 1 if space & 3 else -1
        if target < 0:
            return 0
    bit = 1 << target
    plane = source + (target_era << 2)
    seeds = objects[plane]
    solid = objects[plane + 1] | objects[plane + 2] | objects[plane + 3]
    taken = (records[source + target_era] | records[source + 3 + target_era]) & bit
    if action < layout.FORWARD:
        if taken or solid & bit:
            return 2
    elif action < PULL:
        if taken or solid & bit:
            return 0
    elif action < PLANT:
        return 2
    elif action < DIG:
        if (seeds | solid) & bit:
            return 0
    elif action < BUILD:
        return 2 if seeds & bit and solid & bit == 0 else 0
    elif action < TRAIN:
        return 0 if taken or (seeds | solid) & bit else 2
    else:
        return 2 if solid & bit and objects[plane + 2] & objects[plane + 3] & bit else 0
    _copy(records, objects, parent, at, action)
    child = at << 4
    records[child + layout.EFFECTS] = 0
    records[child + TARGET] = (target_era << 4) | target
    if action < PULL:
        records[child + META] = meta
        records[child + ACTIVE] = (target_era << 4) | target
        own = child + 3 * side
        if action != layout.BACK:
            records[own + era] = records[own + era] & (0xFFFF ^ (1 << space))
        records[own + target_era] = records[own + target_era] | bit
        touched = child + TOUCHED + target_era
        records[touched] = records[touched] | bit
        return 1
    records[child + META] = meta - (1 << SEEDS_SHIFT)
    _plant(records, objects, child, target_era, bit)
    return 1


@micropython.viper
def _plant(records: ptr16, objects: ptr16, base: int, era: int, bit: int) -> int:
    """Lay a seed, and in later eras the shrub and the tree that grow of it (G5-G7).

    What lies there in an era ends it. `base` is the record's first word, `bit` the space's in a
    mask. Returns the first era in which nothing was laid.
    """
    kind = 1
    while kind < 4 and era < 3:  # seed, shrub, tree
        plane = base + (era << 2)
        if kind > 1:
            if (records[base + era] | records[base + 3 + era]) & bit:
                break
            taken = objects[plane] | objects[plane + 1] | objects[plane + 2] | objects[plane + 3]
            if taken & bit:
                break
        if kind & 1:
            objects[plane] = objects[plane] | bit
        if kind & 2:
            objects[plane + 1] = objects[plane + 1] | bit
        touched = base + TOUCHED + era
        records[touched] = records[touched] | bit
        kind += 1
        era += 1
    return era


def _opposite(direction: int) -> int:
    return (direction + 1 & 3) + 1


class Acts(Boards):
    """Who may do what on the boards of one record."""

    def expand(self, begin: int, end: int, at: int, only: int, options: int) -> int:
        """Append at `at` every legal action of the active copies of records `begin`..`end`-1.

        Order within one record: by code; an action in `only` limits them to that one. Returns the
        index after the last child; when the tree is full, the rest is left out.
        """
        self.options = options
        for parent in range(begin, end):
            at = self.append(parent, at, only or 1, only or layout.LAST_ACTION)
        return at

    def append(self, parent: int, at: int, action: int, last: int, most: int = _MANY) -> int:
        """Append at most so many legal actions `action` to `last` of a record; return the end."""
        records, objects = self.records, self.objects
        limit = min(len(objects) >> 4, at + most)
        place = records[(parent << 4) + ACTIVE]
        if place == layout.GONE or records[(parent << 4) + layout.STATUS] & layout.BARRED:
            return at
        group = 0
        while action <= last and at < limit:
            if action > group:
                self.at = parent
                group = self._group(place >> 4, action)
                if group < 0:
                    action = 1 - group
                    continue
            self.deaths[0] = 0
            done = _plain(records, objects, parent, at, action)
            if done == 2:
                self.at = at
                _copy(records, objects, parent, at, action)
                done = self._act(place, action)
            if done:
                at += 1
            action += 1
        return at

    def _group(self, era: int, action: int) -> int:
        """Return the last action of a group, negative if the whole group is out of the question."""
        records, objects = self.records, self.objects
        meta = records[(self.at << 4) + META]
        hats = objects[(self.at << 4) + HATS]
        modules = hats >> MODULES_SHIFT
        if action < PULL:
            return PULL - 1
        plane = self.plane(era)
        has_statues = objects[plane + 3] & ~objects[plane + 2]
        if action < PLANT:
            return PLANT - 1 if has_statues else 1 - PLANT
        if action < DIG:
            return DIG - 1 if meta >> SEEDS_SHIFT & 7 else 1 - DIG
        if action < BUILD:
            seeds = objects[plane] & ~(objects[plane + 1] | objects[plane + 2] | objects[plane + 3])
            return BUILD - 1 if seeds else 1 - BUILD
        if action < TRAIN:
            return TRAIN - 1 if meta >> (HELD_SHIFT + self.side()) & 1 else 1 - TRAIN
        if action < COMMAND:
            return COMMAND - 1 if modules & MEMORY else -layout.LAST_ACTION
        code = action - COMMAND
        group = COMMAND + (code & ~3) + 3
        if hats >> (4 * era + 2 * (code >> 3)) & 3 != self.side() + 1:
            return -group
        return group if has_statues or not code & 4 else -group

    def _act(self, place: int, action: int) -> bool:
        """Let the active copy act on the boards; return whether it may."""
        era = place >> 4
        space = place & 15
        target = -1
        effects = _ILLEGAL
        if action < PULL:
            target = beyond(space, action)
            effects = self._step(place, target, action)  # T16, G4, G10, I2
            if effects >= 0:
                effects = self.echo(era, effects, action)
        elif action < PLANT:
            target = beyond(space, action - PULL + 1)
            effects = self._pull_along(place, target, action - PULL + 1)
        elif action < BUILD:
            target = space if action == BUILD - 1 else beyond(space, action - DIG + 1)
            effects = self._dig(era, target)
        elif action < TRAIN:
            target = beyond(space, action - BUILD + 1)
            effects = self._build(place, target, action - BUILD + 1)
        elif action < COMMAND:
            target = beyond(space, action - TRAIN + 1)
            effects = self._train(era, target)
        else:
            code = action - COMMAND
            start = self._find(era, ELEPHANT + (code >> 3))
            if start >= 0:
                target = beyond(start, (code & 3) + 1)
                effects = self._command(era, start, target, code)
        if effects < 0:
            return False
        base = self.at << 4
        self.records[base + layout.EFFECTS] = effects
        self.records[base + TARGET] = era << 4 | target
        self.records[base + TOUCHED + era] |= 1 << target
        return True

    def _step(self, place: int, target: int, direction: int) -> int:
        era = place >> 4
        if target < 0:
            return _ILLEGAL
        if not self.lets(era, target, direction, 0):
            is_elephant = self.kind(era, target) >= ELEPHANT
            allowed = layout.VOLUNTARY_SUICIDE_ELEPHANT if is_elephant else layout.VOLUNTARY_SUICIDE
            if not self.options & allowed:
                return _ILLEGAL
        side = self.side()
        self.records[(self.at << 4) + 3 * side + era] &= 0xFFFF ^ 1 << (place & 15)
        return self.enter(place, target, direction, 0, side)

    def _pull_along(self, place: int, target: int, direction: int) -> int:
        """Move the active copy and let the statue behind it follow (I4)."""
        if not self._has_statue_behind(place, direction):
            return _ILLEGAL
        result = self._step(place, target, direction)
        if result < 0 or result & layout.ACTIVE_DIES:
            return _ILLEGAL
        return self.echo(place >> 4, result | self._pull(place, direction), direction)

    def _has_statue_behind(self, place: int, direction: int) -> bool:
        behind = beyond(place & 15, _opposite(direction))
        return behind >= 0 and self.kind(place >> 4, behind) & 12 == STATUE

    def _pull(self, place: int, direction: int) -> int:
        """Let the statue behind a place that was just left follow (I4, C11); see `enter`."""
        era = place >> 4
        behind = beyond(place & 15, _opposite(direction))
        kind = self.kind(era, behind)
        self.lay(era, behind, 0)
        moved = self.enter(era << 4 | behind, place & 15, direction, kind, 0)
        return moved | 1 << (MOVED_SHIFT + (kind & 3))

    def _dig(self, era: int, space: int) -> int:
        """Dig a seed up (G8, G9)."""
        if space < 0 or self.kind(era, space) != SEED:
            return _ILLEGAL
        self.lay(era, space, 0)
        self.return_seed(era, space)
        return 0

    def _build(self, place: int, space: int, direction: int) -> int:
        """Build the own statue beside the active copy, and in the later eras (I7-I10, C4, C7, C12).

        Era by era: first the statue is placed, with a push or a rebound, then those that moved in
        the era before move on, the statue that rebounded included (C2).
        """
        era = place >> 4
        side = self.side()
        if space < 0 or self.copy_on(era, space) >= 0 or self.kind(era, space):
            return _ILLEGAL
        self.records[(self.at << 4) + META] ^= 1 << (HELD_SHIFT + side)
        kind = STATUE + 1 + side
        self.lay(era, space, kind)
        back = _opposite(direction)
        effects = on = returned = 0  # statues that moved in the last era, and against the direction
        builds = True
        while era < 2:
            era += 1
            self.fixed = 0
            pushed = rebounded = 0
            if not builds:
                pass
            elif self.lets(era, space, direction, kind):
                pushed = self.enter(era << 4 | place & 15, space, direction, kind, 0)
            elif not self.options & layout.STOP_2023 and self.lets(era, place & 15, back, kind):
                rebounded = self.enter(era << 4 | space, place & 15, back, kind, 0)
                rebounded |= 1 << (MOVED_SHIFT + kind - STATUE)
            else:
                builds = False
            self.fixed = (pushed | rebounded) >> MOVED_SHIFT
            pushed |= self.shift(era, on & ~self.fixed, direction)
            rebounded |= self.shift(era, returned & ~self.fixed, back)
            effects |= (pushed | rebounded) & 0xFF
            on = pushed >> MOVED_SHIFT
            returned = rebounded >> MOVED_SHIFT
        self.fixed = 0
        return effects

    def _train(self, era: int, space: int) -> int:
        """Put the own hat on an elephant, and on its kind in later eras (M3-M5)."""
        kind = 0 if space < 0 else self.kind(era, space)
        if kind < ELEPHANT:
            return _ILLEGAL
        own = self.side() + 1
        hats = self.objects[(self.at << 4) + HATS]
        shift = 4 * era + 2 * (kind - ELEPHANT)
        if hats >> shift & 3 == own:
            return _ILLEGAL
        while era < 3 and hats >> shift & 3 != own and self._find(era, kind) >= 0:
            other = shift ^ 2
            if hats >> other & 3 == own:
                hats &= ~(3 << other)
            hats = hats & ~(3 << shift) | own << shift
            shift += 4
            era += 1
        self.objects[(self.at << 4) + HATS] = hats
        return 0

    def _find(self, era: int, kind: int) -> int:
        """Return where the dark or light elephant of an era stands, or -1."""
        for space in range(16):
            if self.kind(era, space) == kind:
                return space
        return -1

    def _command(self, era: int, space: int, target: int, code: int) -> int:
        """Move an elephant that wears the own hat (M6-M9, C9-C11).

        `code` has the direction in two bits, then whether it pulls, then which elephant.
        """
        direction = (code & 3) + 1
        kind = ELEPHANT + (code >> 3)
        if not self.lets(era, target, direction, kind):
            return _ILLEGAL
        place = era << 4 | space
        if code & 4 and not self._has_statue_behind(place, direction):
            return _ILLEGAL
        self.lay(era, space, 0)
        result = self.enter(place, target, direction, kind, 0)
        if code & 4:
            result |= self._pull(place, direction)
        return self.echo(era, result, direction)
