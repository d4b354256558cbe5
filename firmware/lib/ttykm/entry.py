"""What may come to stand where, and what it does there (T16-T22, G10-G14, I2, I3, M7, C3-C12).

`may_enter` tells what may, `Boards.enter` moves a line of things by it, `Boards.echo` repeats the
moves of statues in later eras (I5, I6). Who may act is acts.py's, for whatever modules are in play.

A *thing* in motion is 0 for a copy or a kind of object (objects.py): a tree in motion is the kind
that it has once it lies.
"""

from array import array

from ttykm import layout
from ttykm.layout import ACTIVE, META, MOVER_SHIFT, PUSH, SHRUB_REMOVAL_UNGROWS, SQUISH, TOUCHED
from ttykm.mp import const, micropython, ptr16
from ttykm.objects import ELEPHANT, FALLEN, MOST_SEEDS, SEED, SEEDS_SHIFT, SHRUB, STATUE, TREE

MOVED_SHIFT = const(8)

_KIND = const(12)  # the bits that tell statues and elephants from the rest
_MOST_DEATHS = const(15)
_EFFECTS = const(0xFF)


@micropython.viper
def beyond(space: int, direction: int) -> int:
    """Return the next space in a direction (N E S W from 1), or -1 at the wall."""
    if direction == 1:
        return space - 4 if space > 3 else -1
    if direction == 2:
        return space + 1 if space & 3 != 3 else -1
    if direction == 3:
        return space + 4 if space < 12 else -1
    return space - 1 if space & 3 else -1


@micropython.viper
def kind_on(objects: ptr16, plane: int, space: int) -> int:
    """Return the kind of object on a space of the era whose first plane is word `plane`."""
    kind = (objects[plane] >> space) & 1
    kind |= ((objects[plane + 1] >> space) & 1) << 1
    kind |= ((objects[plane + 2] >> space) & 1) << 2
    return kind | ((objects[plane + 3] >> space) & 1) << 3


@micropython.viper
def _lay(objects: ptr16, plane: int, space: int, kind: int) -> int:
    """Lay a kind of object, 0 for none, on a space; return the kind."""
    rest = 0xFFFF ^ (1 << space)
    for bit in range(4):
        word = objects[plane + bit] & rest
        objects[plane + bit] = word | (((kind >> bit) & 1) << space)
    return kind


@micropython.viper
def may_enter(
    objects: ptr16, plane: int, space: int, direction: int, thing: int, fixed: int
) -> int:
    """Tell with 1 whether a thing may come onto a space, moving in a direction.

    `space` -1 is the wall. A whole line is looked at before anything changes (G14): what stands
    here and can be moved asks for the next space, and copies never make a line fail. `fixed` has a
    bit for each statue that has moved in this era already (I6).
    """
    while space >= 0:
        kind = (objects[plane] >> space) & 1
        kind |= ((objects[plane + 1] >> space) & 1) << 1
        kind |= ((objects[plane + 2] >> space) & 1) << 2
        kind |= ((objects[plane + 3] >> space) & 1) << 3
        if kind >= 12:  # elephant
            return 0
        if kind < 2:  # nothing, or a seed
            return 1
        if kind >= 8:  # statue
            if (fixed >> (kind & 3)) & 1:
                return 0
            thing = kind
        elif kind == 3:  # tree
            thing = 4
        else:  # shrub, fallen tree
            return 1 if thing >= 12 else 0
        space = int(beyond(space, direction))
    return 0


@micropython.viper
def _foremost(objects: ptr16, plane: int, statues: int, direction: int) -> int:
    """Return the space of that of the `statues` (bits) farthest in a direction, or -1 (I6)."""
    standing = objects[plane + 3] & (0xFFFF ^ objects[plane + 2])
    found = -1
    best = 0
    for space in range(16):
        if not (standing >> space) & 1:
            continue
        which = ((objects[plane] >> space) & 1) | (((objects[plane + 1] >> space) & 1) << 1)
        if not (statues >> which) & 1:
            continue
        rank = 4 - (space >> 2)
        if direction == 2:
            rank = (space & 3) + 1
        elif direction == 3:
            rank = (space >> 2) + 1
        elif direction == 4:
            rank = 4 - (space & 3)
        if rank > best:
            best = rank
            found = space
    return found


class Boards:
    """One record, `at`, of a turn tree while an action is resolved on it.

    What `enter`, `shift` and `echo` return is effects (layout.py), with a bit from `MOVED_SHIFT` on
    for each statue that moved in the era. `deaths` begins with how many died, then the dead as
    `cause << 8 | colour << 6 | place`. Nothing is allocated.
    """

    def __init__(self, records: "array[int]", objects: "array[int]") -> None:
        self.records = records
        self.objects = objects
        self.at = 0
        self.options = 0
        self.fixed = 0  # statues that moved in the era that is resolved, and do not again (I6)
        self.deaths = array("H", bytes(2 * _MOST_DEATHS + 2))

    def side(self) -> int:
        """Return the player whose turn it is."""
        return self.records[(self.at << 4) + META] >> MOVER_SHIFT & 1

    def plane(self, era: int) -> int:
        """Return the word of the first plane of an era."""
        return (self.at << 4) + (era << 2)

    def kind(self, era: int, space: int) -> int:
        """Return the kind of object on a space."""
        return kind_on(self.objects, (self.at << 4) + (era << 2), space)

    def lay(self, era: int, space: int, kind: int) -> None:
        """Lay a kind of object, or 0 for none, on a space that hands touch for it."""
        at = self.at << 4
        _lay(self.objects, at + (era << 2), space, kind)
        self.records[at + TOUCHED + era] |= 1 << space

    def lets(self, era: int, space: int, direction: int, thing: int) -> bool:
        """Tell whether a thing may come onto a space, moving in a direction."""
        return may_enter(self.objects, self.plane(era), space, direction, thing, self.fixed) != 0

    def copy_on(self, era: int, space: int) -> int:
        """Return whose copy stands on a space, or -1."""
        at = (self.at << 4) + era
        if self.records[at] >> space & 1:
            return 0
        return 1 if self.records[at + 3] >> space & 1 else -1

    def return_seed(self, era: int, space: int) -> None:
        """Give a seed back to the supply, and remove what grew from it (G8, G9)."""
        meta = (self.at << 4) + META
        if self.records[meta] >> SEEDS_SHIFT & 7 < MOST_SEEDS:
            self.records[meta] += 1 << SEEDS_SHIFT
        if era < 2 and self.kind(era + 1, space) == SHRUB:
            self.lay(era + 1, space, 0)
        self.fell(era + 2, space)

    def fell(self, era: int, space: int) -> None:
        """Remove the tree on a space of an era, and what fell with its roots there (G9)."""
        if era > 2:
            return
        if self.kind(era, space) == TREE:
            self.lay(era, space, 0)
        for direction in range(1, 5):
            there = beyond(space, direction)
            if there >= 0 and self.kind(era, there) == FALLEN + direction - 1:
                self.lay(era, there, 0)

    def enter(self, origin: int, space: int, direction: int, thing: int, colour: int) -> int:
        """Let a thing that has left `origin`, a place, come onto `space` of the same era.

        A copy of `colour` may die there; other things only come where `may_enter` lets them. What
        stands there is in motion next (T20, G10, I3): no space of one line depends on how a later
        one is resolved.
        """
        records = self.records
        base = self.at << 4
        era = origin >> 4
        copies = base + era
        effects = 0
        while thing >= 0:
            if not thing and not self.lets(era, space, direction, 0):
                return effects | self._die(origin, colour, SQUISH)
            bit = 1 << space
            place = era << 4 | space
            records[base + TOUCHED + era] |= bit
            kind = self.kind(era, space)
            victim = self.copy_on(era, space)
            onward = -1
            if victim >= 0:
                records[copies + 3 * victim] &= 0xFFFF ^ bit
                if not thing and victim == colour:
                    effects |= self._die(place, colour, layout.PARADOX)
                    return effects | self._die(origin, colour, layout.PARADOX)
                if not thing or thing & _KIND == STATUE:
                    onward = 0
                    effects |= PUSH
                else:
                    effects |= self._die(
                        place, victim, layout.TRAMPLE if thing >= ELEPHANT else layout.CRUSH
                    )
            elif kind == TREE:
                onward = FALLEN + direction - 1
                effects |= PUSH
            elif kind & _KIND == STATUE:
                onward = kind
                effects |= PUSH | 1 << (MOVED_SHIFT + kind - STATUE)
            if thing:
                self.lay(era, space, thing)
                if kind == SEED:
                    self.return_seed(era, space)
                elif kind == SHRUB and self.options & SHRUB_REMOVAL_UNGROWS:
                    self.fell(era + 1, space)
            else:
                if onward > 0:
                    self.lay(era, space, 0)
                records[copies + 3 * colour] |= bit
                if records[base + ACTIVE] == origin and colour == self.side():
                    records[base + ACTIVE] = place
            thing = onward
            colour = victim
            origin = place
            space = beyond(space, direction)
        return effects

    def _die(self, place: int, colour: int, cause: int) -> int:
        """Note that the copy which stood on `place` dies; return the effects."""
        deaths = self.deaths
        if deaths[0] < _MOST_DEATHS:
            deaths[0] += 1
            deaths[deaths[0]] = cause << 8 | colour << 6 | place
        if colour != self.side():
            return cause
        active = (self.at << 4) + ACTIVE
        if self.records[active] != place:
            return cause | layout.OWN_DEATH
        self.records[active] = layout.GONE
        return cause | layout.OWN_DEATH | layout.ACTIVE_DIES

    def shift(self, era: int, statues: int, direction: int) -> int:
        """Move these statues of an era one space each where they can, foremost first (I3, I6).

        A statue that has moved does not move again.
        """
        result = 0
        plane = self.plane(era)
        while statues:
            space = _foremost(self.objects, plane, statues, direction)
            if space < 0:
                return result
            kind = self.kind(era, space)
            bit = 1 << (kind & 3)
            statues &= ~bit
            target = beyond(space, direction)
            if self.lets(era, target, direction, kind):
                self.lay(era, space, 0)
                moved = self.enter(era << 4 | space, target, direction, kind, 0)
                moved |= bit << MOVED_SHIFT
                result |= moved
                self.fixed |= moved >> MOVED_SHIFT
                statues &= ~self.fixed
        return result

    def echo(self, era: int, result: int, direction: int) -> int:
        """Repeat in later eras the moves of statues in `result` (I5); return the effects of all."""
        effects = result & _EFFECTS
        statues = result >> MOVED_SHIFT
        while statues and era < 2:
            era += 1
            self.fixed = 0
            result = self.shift(era, statues, direction)
            effects |= result & _EFFECTS
            statues = result >> MOVED_SHIFT
        self.fixed = 0
        return effects
