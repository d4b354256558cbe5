"""Whose copy lies where, felt: for a table of Hall switches, which may tell poles apart.

A pole is believed as a reed is, and no more: not where the reed is not trusted, nor of a magnet
that is the wrong way round. An object of a chapter may have either pole up, as whoever put it there
did not care: while one may be in a hand a pole says only whose copy it is not. A seed with a magnet
may lie under a copy, and with such ones poles say nothing in games with modules. Loaded on a board
with Hall switches only.

Hall switches may look 20 times a second only, each at its own moments: what goes from one space to
another may be felt there before it is missed, and so it is not certain then what either hand has.
"""

from array import array

from chronotable.core.health import POLES_LIE
from chronotable.core.match import POPULATION
from chronotable.core.ownership import FROM_BOX, OBJECT, STRANGE, UNKNOWN, Ownership
from chronotable.hardware.sensors import SPACES
from ttykm.mp import const, micropython, ptr8, ptr16

if False:
    from chronotable.core.health import ReedHealth
    from chronotable.core.progress import TurnProgress
    from chronotable.hardware.wiring import Board
    from ttykm.game import Game

_WORDS = const(6)
_LOOK_MS = const(55)  # from look to look, and a scan


class PoleOwnership(Ownership):
    """Whose copy lies where: as the poles say, else as lifts and places tell.

    Six masks each: `felt` has the poles, white's in three eras, then black's; `seen` those that are
    believed. The magnets of what lies on the `turned` spaces are the wrong way round; the `mute`
    ones have no poles to tell, or tell them wrongly. `has_loose` tells that an object may be in a
    hand, or where a copy belongs.
    """

    seeds_are_felt = False

    def __init__(
        self, health: "ReedHealth", game: "Game", turn: "TurnProgress", sensor_of: bytearray
    ) -> None:
        super().__init__()
        self.felt = array("H", bytes(2 * _WORDS))
        self.seen = array("H", self.felt)
        self.turned = array("H", (0, 0, 0))
        self.mute = array("H", self.turned)
        self._came = array("H", self.turned)  # the spaces that closed just now
        self.has_loose = self._had_loose = False
        self._turned_held = 0  # of the copies in the hand
        self._saved_turned = array("H", self.turned)
        self._health = health
        self._game = game
        self._turn = turn
        self._sensor_of = sensor_of  # by cell

    def feel(self, cell: int, player: int, felt: bool) -> None:
        """Take a debounced change of a player's pole; look again if a copy there is another's."""
        sensor = self._sensor_of[cell]
        if sensor < SPACES:
            word, bit = 3 * player + (sensor >> 4), 1 << (sensor & 15)
            before = self.felt[word]
            self.felt[word] = before | bit if felt else before & ~bit
            if self.see():
                # it was this one that was put down, at a slant
                if felt and self.held[player] and not self.has_loose:
                    self.held[player] -= 1
                self._turn.reset()

    def denies(self, words: "array[int]", base: int, observed: "array[int] | None" = None) -> bool:
        """Tell whether copies are felt as the other player's than the six masks from `base` on.

        With an observation only those count that were touched.
        """
        only = words if observed is None else observed
        return _denies(words, base, self.seen, only, observed is not None) != 0

    def others(self, words: "array[int]", base: int, era: int) -> int:
        """Return the mask of an era's copies that `denies` is about."""
        return words[base + era] & self.seen[3 + era] | words[base + 3 + era] & self.seen[era]

    def is_other(self, era: int, bit: int, colour: int) -> bool:
        """Tell whether the copy on a space is felt as another player's than this colour."""
        return self.seen[3 * (1 - colour) + era] & bit != 0

    def weigh(self, records: "array[int]", begin: int, end: int, costs: bytearray) -> None:
        """Add to the `costs` of `match.compare`: a copy felt as the other player's differs, too."""
        _weigh(records, begin, end, self.seen, POPULATION, costs)

    def see(self) -> bool:
        """Let the poles say whose the copies are; tell whether one is another player's now."""
        modules = self._game.turn_tree.has_modules
        distrusted = self._health.distrusted
        flags = (self.seeds_are_felt and modules > 0) | self.has_loose << 1
        return (
            _see(self.felt, self.seen, self.maybe, self.turned, self.mute, distrusted, flags) != 0
        )

    def know(self, words: "array[int]", base: int) -> None:
        """Take the six masks from `base` on for certain where no pole denies it."""
        super().know(words, base)
        self._turned_held = 0
        self.has_loose = False
        self.see()

    def doubt(self, era: int, bits: int) -> None:
        """Doubt whose is what lies on these spaces of an era, where no pole tells."""
        super().doubt(era, bits)
        self.has_loose = self._game.turn_tree.has_modules > 0
        self.see()

    def fill_hands(self) -> None:
        """Hold the hands for full of anything."""
        super().fill_hands()
        self.has_loose = self._game.turn_tree.has_modules > 0

    def set(self, era: int, bit: int, colour: int) -> None:
        """Take it for certain what lies on a space: a magnet that denies it is turned."""
        if colour >= 0:
            self.turned[era] |= self.seen[3 * (1 - colour) + era] & bit
        super().set(era, bit, colour)
        if colour >= 0:
            self.see()

    def save(self) -> None:
        """Remember all this for `restore`."""
        super().save()
        self._had_loose = self.has_loose
        for era in range(3):
            self._saved_turned[era] = self.turned[era]

    def restore(self) -> None:
        """Go back to what `save` remembered."""
        super().restore()
        self.has_loose = self._had_loose
        for era in range(3):
            self.turned[era] = self._saved_turned[era]
        self.see()

    def touch(
        self, era: int, bit: int, closed: bool, wanted: int = -1, is_confirmed: bool = False
    ) -> None:
        """Take one lift or place: the pole of what is placed says whose it is.

        Where hands have a magnet that is the wrong way round, or an object, lifts and places tell.
        """
        for came in range(3):
            bits = 0 if self.passed_ms > _LOOK_MS else self._came[came]
            if bits and not closed:  # this may be what came there
                self.maybe[STRANGE + era] |= bit
                self.maybe[STRANGE + came] |= bits
                self.doubt(came, bits)
            self._came[came] = bits | bit if closed and came == era else bits
        turned = self._turned_held
        pole = 0 if self.seen[era] & bit else 1 if self.seen[3 + era] & bit else UNKNOWN
        if self._game.turn_tree.has_modules and not self.has_loose:
            if closed:
                is_copy = self.is_holding()
            else:
                is_copy = self.may_be_copy(era, bit) and not self.maybe[STRANGE + era] & bit
            self.has_loose = not is_copy
        if closed and pole != UNKNOWN and wanted != OBJECT and not (turned or self.has_loose):
            wanted, is_confirmed = pole, True
        elif not closed and self.turned[era] & bit:
            self.turned[era] &= ~bit
            self._turned_held += 1
        # with super() a method of so many arguments allocates
        Ownership.touch(self, era, bit, closed, wanted, is_confirmed)
        if wanted == FROM_BOX:  # an object, then, and no magnet the wrong way round
            self.turned[era] &= ~bit
        if closed and turned:
            if self.colour(era, bit) != pole != UNKNOWN:
                self.turned[era] |= bit
                turned -= 1
            self._turned_held = turned if self.is_holding() else 0
        self.see()


def owners_felt(
    health: "ReedHealth", game: "Game", turn: "TurnProgress", board: "Board"
) -> PoleOwnership:
    """Return whose copy lies where on a board of Hall switches; poles as the doctor found them."""
    poles = PoleOwnership(health, game, turn, board.sensor_of)
    poles.seeds_are_felt = "seed" in board.magnets
    for sensor in range(SPACES):
        lies = health.kinds[sensor] == POLES_LIE
        if lies:
            health.heal(sensor)
        if lies or sensor in board.presence_only:
            poles.mute[sensor >> 4] |= 1 << (sensor & 15)
    return poles


@micropython.viper
def _see(
    felt: ptr16,
    seen: ptr16,
    maybe: ptr16,
    turned: ptr16,
    mute: ptr16,
    distrusted: ptr16,
    flags: int,
) -> int:
    """Do what `see` does; the flags: 1 where poles say nothing, 2 for a loose object."""
    changed = 0
    for word in range(6):
        era = word if word < 3 else word - 3
        other = word + 3 if word < 3 else word - 3
        unsaid = felt[other] | turned[era] | mute[era] | distrusted[era]
        mask = 0 if flags & 1 else felt[word] & (0xFFFF ^ unsaid)
        seen[word] = mask
        mask &= maybe[other]
        if flags & 2:  # perhaps an object: it is not known what lies there
            mask &= 0xFFFF ^ maybe[word]
        if mask:
            maybe[word] = maybe[word] | mask
            if flags & 2 == 0:
                maybe[other] = maybe[other] & (0xFFFF ^ mask)
            changed = 1
    return changed


@micropython.viper
def _denies(words: ptr16, base: int, seen: ptr16, observed: ptr16, is_touched: int) -> int:
    """Return the spaces of the first era that `denies` is about, 0 for none."""
    for era in range(3):
        others = words[base + era] & seen[era + 3] | words[base + era + 3] & seen[era]
        if is_touched:
            others &= observed[3 + era]  # TOUCHED
        if others:
            return others
    return 0


@micropython.viper
def _weigh(records: ptr16, begin: int, end: int, seen: ptr16, population: ptr8, costs: ptr8) -> int:
    """Add to the differing spaces of records those whose copy is felt as the other player's."""
    white_0 = seen[0]
    white_1 = seen[1]
    white_2 = seen[2]
    black_0 = seen[3]
    black_1 = seen[4]
    black_2 = seen[5]
    for index in range(begin, end):
        base = index << 4
        past = records[base] & black_0 | records[base + 3] & white_0
        present = records[base + 1] & black_1 | records[base + 4] & white_1
        future = records[base + 2] & black_2 | records[base + 5] & white_2
        if (past | present | future) and costs[2 * index] != 255:
            more = population[past & 255] + population[past >> 8]
            more += population[present & 255] + population[present >> 8]
            more += population[future & 255] + population[future >> 8]
            costs[2 * index] = costs[2 * index] + more
    return end
