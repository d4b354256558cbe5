"""The actions of a game with modules, and every legal one of a record's active copy.

turns.py knows the standard game and is the fast way; this file takes its place where a state has
modules. It knows who may act on what; what that does to the boards is entry.py's.
"""

from ttykm.entry import MOVED_SHIFT, Boards, beyond, may_enter
from ttykm.layout import (
    ACTIVE,
    ACTIVE_DIES,
    BARRED,
    BUILD,
    COMMAND,
    DIG,
    EFFECTS,
    FORWARD,
    GONE,
    LAST_ACTION,
    META,
    PLANT,
    PULL,
    STATUS,
    STOP_2023,
    SUPPLY_BITS,
    TARGET,
    TOUCHED,
    TRAIN,
    VOLUNTARY_SUICIDE,
    VOLUNTARY_SUICIDE_ELEPHANT,
)
from ttykm.mp import const, micropython, ptr16
from ttykm.objects import (
    ELEPHANT,
    GROWTH,
    HATS,
    HELD_SHIFT,
    MEMORY,
    MODULES_SHIFT,
    SEED,
    SEEDS_SHIFT,
    SHRUB,
    STATUE,
    TREE,
)

_ILLEGAL = const(-1)
_HERE = const(5)  # the direction of the own space, for planting and digging


@micropython.viper
def _copy(records: ptr16, objects: ptr16, parent: int, at: int, action: int) -> int:
    """Begin the child `at` of a record by copying it; return the place of the active copy."""
    source = parent << 4
    child = at << 4
    for word in range(16):
        records[child + word] = records[source + word]
        objects[child + word] = objects[source + word]
    sequence = records[source + 7]
    records[child + 7] = sequence | (action << (0 if sequence & 0xFC0 else 6))
    records[child + 14] = parent
    records[child + 15] = 0
    return records[source + 8]


def _opposite(direction: int) -> int:
    return (direction + 1 & 3) + 1


class Acts(Boards):
    """Who may do what on the boards of one record."""

    def expand(self, begin: int, end: int, at: int, only: int, options: int) -> int:
        """Append at `at` every legal action of the active copies of records `begin`..`end`-1.

        Order within one record: by code; an action in `only` limits them to that one. Returns the
        index after the last child; when the table is full, the rest is left out.
        """
        self.options = options
        records, objects = self.records, self.objects
        limit = len(records) >> 4
        for parent in range(begin, end):
            place = records[(parent << 4) + ACTIVE]
            if place == GONE or records[(parent << 4) + STATUS] & BARRED:
                continue
            self.at = parent
            action = only if only else 1
            last = only if only else LAST_ACTION
            while action <= last:
                skipped = self._skip(place >> 4, action)
                if skipped:
                    action = skipped
                    continue
                if at == limit:
                    return at
                self.at = at
                self.deaths[0] = 0
                _copy(records, objects, parent, at, action)
                if self._act(place, action):
                    at += 1
                self.at = parent
                action += 1
        return at

    def _skip(self, era: int, action: int) -> int:
        """Return the first action after a group that is out of the question, or 0 to try."""
        meta = self.records[(self.at << 4) + META]
        hats = self.objects[(self.at << 4) + HATS]
        if action < PULL:
            return 0
        plane = self.plane(era)
        has_statues = self.objects[plane + 3] & ~self.objects[plane + 2]
        if action < PLANT:
            return 0 if has_statues else PLANT
        if action < DIG:
            return 0 if meta >> SEEDS_SHIFT & 7 else DIG
        if action < BUILD:
            return 0 if hats >> MODULES_SHIFT & GROWTH else BUILD
        if action < TRAIN:
            return 0 if meta >> (HELD_SHIFT + self.side()) & 1 else TRAIN
        if action < COMMAND:
            return 0 if hats >> MODULES_SHIFT & MEMORY else LAST_ACTION + 1
        code = action - COMMAND
        if hats >> (4 * era + 2 * (code >> 3)) & 3 != self.side() + 1:
            return COMMAND + 8 if code < 8 else LAST_ACTION + 1
        return 0 if has_statues or not code & 4 else action + 4 - (code & 3)

    def _act(self, place: int, action: int) -> bool:
        """Let the active copy act on the boards; return whether it may."""
        era = place >> 4
        space = place & 15
        target = -1
        effects = _ILLEGAL
        if action < FORWARD:
            target = beyond(space, action)
            effects = self._move(place, target, action)
        elif action < PULL:
            target = space
            era += 1 if action == FORWARD else -1
            effects = self._travel(place, era)
        elif action < PLANT:
            target = beyond(space, action - PULL + 1)
            effects = self._pull_along(place, target, action - PULL + 1)
        elif action < DIG:
            target = self._beside(space, action - PLANT + 1)
            effects = self._plant(era, target)
        elif action < BUILD:
            target = self._beside(space, action - DIG + 1)
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
        self.records[base + EFFECTS] = effects
        self.records[base + TARGET] = era << 4 | target
        self.records[base + TOUCHED + era] |= 1 << target
        return True

    @staticmethod
    def _beside(space: int, direction: int) -> int:
        """Return the space in a direction, or the space itself, or -1."""
        return space if direction == _HERE else beyond(space, direction)

    def _is_free(self, era: int, space: int, most: int) -> bool:
        """Tell whether a space holds no copy, and no object of a kind above `most`."""
        return self.copy_on(era, space) < 0 and self.kind(era, space) <= most

    def _move(self, place: int, target: int, direction: int) -> int:
        """Move the active copy (T16, G4, G10, I2)."""
        result = self._step(place, target, direction)
        return result if result < 0 else self.echo(place >> 4, result, direction)

    def _step(self, place: int, target: int, direction: int) -> int:
        era = place >> 4
        if target < 0:
            return _ILLEGAL
        if not may_enter(self.objects, self.plane(era), target, direction, 0):
            is_elephant = self.kind(era, target) >= ELEPHANT
            allowed = VOLUNTARY_SUICIDE_ELEPHANT if is_elephant else VOLUNTARY_SUICIDE
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
        if result < 0 or result & ACTIVE_DIES:
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

    def _travel(self, place: int, era: int) -> int:
        """Let the active copy travel to the next or the last era (T24, T25, T33)."""
        space = place & 15
        if not 0 <= era <= 2 or not self._is_free(era, space, SEED):
            return _ILLEGAL
        records, base = self.records, self.at << 4
        side = self.side()
        own = base + 3 * side
        if era < place >> 4:
            if not records[base + META] >> SUPPLY_BITS * side & 7:
                return _ILLEGAL
            records[base + META] -= 1 << SUPPLY_BITS * side
        else:
            records[own + era - 1] &= 0xFFFF ^ 1 << space
        records[own + era] |= 1 << space
        records[base + ACTIVE] = era << 4 | space
        return 0

    def _plant(self, era: int, space: int) -> int:
        """Plant a seed, and let grow what can (G5-G7, C8, C10)."""
        if space < 0 or self.kind(era, space):
            return _ILLEGAL
        self.records[(self.at << 4) + META] -= 1 << SEEDS_SHIFT
        kind = SEED
        self.lay(era, space, kind)
        while era < 2 and self._is_free(era + 1, space, 0):
            era += 1
            kind = SHRUB if kind == SEED else TREE
            self.lay(era, space, kind)
        return 0

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
        if space < 0 or not self._is_free(era, space, 0):
            return _ILLEGAL
        self.records[(self.at << 4) + META] ^= 1 << (HELD_SHIFT + side)
        kind = STATUE + 1 + side
        self.lay(era, space, kind)
        back = _opposite(direction)
        effects = on = returned = 0  # statues that moved in the last era, and against the direction
        builds = True
        while era < 2:
            era += 1
            plane = self.plane(era)
            pushed = rebounded = 0
            if not builds:
                pass
            elif may_enter(self.objects, plane, space, direction, kind):
                pushed = self.enter(era << 4 | place & 15, space, direction, kind, 0)
            elif not self.options & STOP_2023 and may_enter(
                self.objects, plane, place & 15, back, kind
            ):
                rebounded = self.enter(era << 4 | space, place & 15, back, kind, 0)
                rebounded |= 1 << (MOVED_SHIFT + kind - STATUE)
            else:
                builds = False
            moved = (pushed | rebounded) >> MOVED_SHIFT
            pushed |= self.shift(era, on & ~moved, direction)
            moved |= pushed >> MOVED_SHIFT
            rebounded |= self.shift(era, returned & ~moved, back)
            effects |= (pushed | rebounded) & 0xFF
            on = pushed >> MOVED_SHIFT
            returned = rebounded >> MOVED_SHIFT
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
        if not may_enter(self.objects, self.plane(era), target, direction, kind):
            return _ILLEGAL
        place = era << 4 | space
        if code & 4 and not self._has_statue_behind(place, direction):
            return _ILLEGAL
        self.lay(era, space, 0)
        result = self.enter(place, target, direction, kind, 0)
        if code & 4:
            result |= self._pull(place, direction)
        return self.echo(era, result, direction)
