"""What the action button offers: the actions that reeds cannot see, or not see all of.

Moves, travels and pulls are just made, as reeds see them. Everything else is chosen: press the
action button, tap the copy that acts if several could, press on until the lights show the wanted
kind, and tap a lit space (lift what lies there and put it back, or touch it with a magnet, as a
statue does that is put there). Another press takes the choice back.
"""

from chronotable.core import match
from chronotable.core.match import MAGNETS
from chronotable.core.matcher import MISSED
from chronotable.lights import meanings
from ttykm import layout
from ttykm.mp import const
from ttykm.objects import PLANES, SEED

if False:
    from chronotable.core.matcher import Matcher

_CLOSED = const(0)
_COPY = const(1)  # which copy acts is to be tapped
_TARGET = const(2)
_NOTHING = const(-1)
_AGAIN_MS = const(500)  # until the lights have answered, and people have seen it
_BRUSH_MS = const(61)  # a reed that changes back sooner was brushed; the lights wait for so long

# of each kind that is offered: its first action, and its light; the last one ends the table
KINDS = (
    (layout.PLANT, meanings.PLANT),
    (layout.DIG, meanings.DIG),
    (layout.BUILD, meanings.BUILD),
    (layout.TRAIN, meanings.TRAIN),
    (layout.COMMAND, meanings.COMMAND),
    (layout.LAST_ACTION + 1, meanings.OFF),
)


class Chooser:
    """The choice that is being made: for which record, of which kind."""

    def __init__(self, matcher: "Matcher") -> None:
        self.matcher = matcher
        self._state = _CLOSED
        self._base = 0  # the record whose next action is chosen
        self._kind = _NOTHING
        self._lifted: list[int] = []  # sensors of what is to be put back, or on a target
        self._last = _NOTHING  # the edge that may still be a brush
        self._last_ms = 0
        self._is_closed = False
        self._tapped = _NOTHING  # the copy that was chosen last
        self._tapped_ms = 0

    def close(self) -> None:
        """Offer nothing."""
        self._state = _CLOSED

    def name_objects(self, record: int, leds: bytearray) -> None:
        """Say of each object that is to be put down for a record which kind it is.

        Also where another one lies, in the first era where anything is to be done (I5, G6).
        """
        objects = self.matcher.game.turn_tree.objects
        observed = self.matcher.evidence.observed
        is_due = self.matcher.evidence.is_frozen  # what was touched is asked back, and no more
        for era in range(3):
            mask = 0 if is_due else match.to_exchange(objects, record, era, observed)
            for sensor in range(16 * era, 16 * era + 16):
                if mask >> (sensor & 15) & 1 and leds[sensor] < meanings.BACK:
                    leds[sensor] = meanings.TODO_PUT
                is_due = is_due or leds[sensor] >= meanings.TODO_PUT
                if leds[sensor] == meanings.TODO_PUT:
                    kind = 0
                    for plane in range(PLANES):
                        word = objects[(record << 4) + PLANES * era + plane]
                        kind |= (word >> (sensor & 15) & 1) << plane
                    if kind > SEED:
                        leds[sensor] = meanings.PUT_OBJECT + kind

    def is_open(self) -> bool:
        """Tell whether something is offered."""
        return self._state != _CLOSED

    def press(self) -> bool:
        """Offer the next kind of action, or take a choice back; False where there is nothing."""
        matcher = self.matcher
        tree = matcher.game.turn_tree
        if not tree.has_modules:
            return False
        if self._state == _TARGET:
            self._next() or self._take_back()
            return True
        if self._state == _COPY:
            self.close()
            return True
        if matcher.is_untouched():
            if tree.firsts == 2:
                return self._open(1)
            self._state = _COPY
            self._forget()
            return True
        if matcher.lies_there() and tree.firsts <= matcher.prefix < tree.seconds:
            return self._open(matcher.prefix) or self._take_back()
        return self._take_back()

    def _take_back(self) -> bool:
        """Let the choice that was made not count; return whether one was."""
        matcher = self.matcher
        if matcher.declared:
            matcher.begin()
            return True
        return False

    def _open(self, base: int) -> bool:
        """Offer the first kind of action of a record's active copy; False where it has none."""
        tree = self.matcher.game.turn_tree
        if tree.records[base * layout.RECORD_WORDS + layout.ACTIVE] == layout.GONE:
            return False
        if base >= tree.firsts:
            tree.expand_first(base)
            self.matcher.note_magnets()
        self._base = base
        self._kind = _NOTHING
        return self._next()

    def _forget(self) -> None:
        """Begin an offer: nothing was lifted for it yet."""
        self._last = _NOTHING
        self._lifted = []

    def _next(self) -> bool:
        """Offer the next kind; behind the last, nothing."""
        self._forget()
        while self._kind + 1 < len(KINDS) - 1:
            self._kind += 1
            if self._first_offer(_NOTHING) >= 0:
                self._state = _TARGET
                return True
        self.close()
        return False

    def _first_offer(self, place: int, after: int = 0) -> int:
        """Return the first record behind `after` that is offered, for a place or any, or -1."""
        tree = self.matcher.game.turn_tree
        records = tree.records
        is_first = self._base < tree.firsts
        end = tree.seconds if is_first else tree.end
        first, last = KINDS[self._kind][0], KINDS[self._kind + 1][0]
        for index in range(max(after + 1, tree.firsts if is_first else tree.seconds), end):
            base = index * layout.RECORD_WORDS
            if records[base + layout.PARENT] == self._base:
                sequence = records[base + layout.SEQUENCE]
                if first <= (sequence & 63 or sequence >> 6 & 63) < last:
                    if place < 0 or records[base + layout.TARGET] == place:
                        return index
        return _NOTHING

    def touch(self, sensor: int, closed: bool, now_ms: int) -> bool:
        """Take an edge of a space: a tap on what is lit chooses, most else closes the offer.

        What changes back at once was brushed by something carried past. Returns whether the edge
        before this one has chosen something.
        """
        if self._state == _CLOSED:
            return False
        if sensor == self._tapped and now_ms - self._tapped_ms < _AGAIN_MS:
            self._tapped_ms = now_ms  # tapped again, as the lights have not answered yet
            return False
        is_brush = sensor == self._last and now_ms - self._last_ms < _BRUSH_MS
        if self._last != _NOTHING:
            if is_brush:
                self._last = _NOTHING
                return False
            known = len(self.matcher.declared)
            if not self._settle():
                return len(self.matcher.declared) > known
        self._last = sensor
        self._last_ms = now_ms
        self._is_closed = closed
        return False

    def update(self, now_ms: int) -> bool:
        """Let time pass; return whether something was chosen or closed."""
        if self._state == _CLOSED or self._last == _NOTHING or now_ms - self._last_ms < _BRUSH_MS:
            return False
        return not self._settle()

    def _settle(self) -> bool:
        """Let the last edge count; return whether the offer is still there."""
        sensor, self._last = self._last, _NOTHING
        if not self._is_closed:
            if self._is_lit(sensor) or self._is_moved(sensor):
                self._lifted.append(sensor)
            else:
                self.close()
        elif self._state == _COPY:
            choice = self._choice_at(sensor) if self._lifted == [sensor] else _NOTHING
            self._tapped = sensor
            self._tapped_ms = self._last_ms
            if choice < 0 or not self._open(choice):
                self.close()
        elif self._is_lit(sensor) and self._fits_target(sensor):
            self._declare(sensor)
        elif sensor in self._lifted:
            self._lifted.remove(sensor)  # put back
        elif not self._moves():
            self.close()
        return self.is_open()

    def _fits_target(self, sensor: int) -> bool:
        """Tell whether what was lifted, if anything, fits the choice of this target."""
        if self._moves():
            return any(self._is_moved(other) for other in self._lifted)
        return not self._lifted or self._lifted == [sensor]

    def _moves(self) -> bool:
        """Tell whether the offered actions move something else than the copy: an elephant."""
        return self._state == _TARGET and KINDS[self._kind][0] == layout.COMMAND

    def builds_on(self, sensor: int, closed: bool) -> bool:
        """Tell whether a statue is offered to be built on a space, and may have come from the box.

        Where a hand holds an object from the table that may be what is put there.
        """
        if (
            self._state != _TARGET
            or KINDS[self._kind][0] != layout.BUILD
            or not self._is_lit(sensor)
        ):
            return False
        ownership = self.matcher.evidence.ownership
        is_mixed = closed and ownership.objects > 0
        ownership.is_mixed = ownership.is_mixed or is_mixed
        return not is_mixed

    def is_tapped(self, place: int) -> bool:
        """Tell whether what is put on a space may choose it, and be taken away again."""
        return self.is_open() and self._is_lit(place)

    def _is_lit(self, place: int) -> bool:
        if self._state == _COPY:
            return self._choice_at(place) >= 0
        return self._first_offer(place) >= 0

    def _is_moved(self, place: int) -> bool:
        """Tell whether an offered action moves what lies on a place."""
        if not self._moves():
            return False
        objects = self.matcher.game.turn_tree.objects
        plane = (self._base << 4) + (place >> 4 << 2)
        return (objects[plane + 2] & objects[plane + 3]) >> (place & 15) & 1 != 0

    def _choice_at(self, place: int) -> int:
        tree = self.matcher.game.turn_tree
        for choice in range(1, tree.firsts):
            if tree.records[choice * layout.RECORD_WORDS + layout.ACTIVE] == place:
                return choice
        return _NOTHING

    def _declare(self, place: int) -> None:
        """Declare the offered actions with this target; where reeds tell the target, with any."""
        chosen = []
        if KINDS[self._kind][0] in (layout.BUILD, layout.COMMAND):
            place = _NOTHING
        index = self._first_offer(place)
        while index >= 0:
            chosen.append(index)
            index = self._first_offer(place, index)
        self.close()
        self.matcher.declare(chosen)

    def paint(self, leds: bytearray) -> None:
        """Light what may be tapped, and the copy that acts."""
        tree = self.matcher.game.turn_tree
        records = tree.records
        if self._state == _COPY:
            for choice in range(1, tree.firsts):
                leds[records[choice * layout.RECORD_WORDS + layout.ACTIVE]] = meanings.QUESTION
            return
        leds[records[self._base * layout.RECORD_WORDS + layout.ACTIVE]] = meanings.COPY
        meaning = KINDS[self._kind][1]
        index = self._first_offer(_NOTHING)
        while index >= 0:
            leds[records[index * layout.RECORD_WORDS + layout.TARGET]] = meaning
            index = self._first_offer(_NOTHING, index)


def takes_copy_for_object(matcher: "Matcher", record: int) -> bool:
    """Tell whether in a record an object lies where hands that held copies only put something.

    Nobody touched what it takes the place of, or what takes its place.
    """
    tree, ownership = matcher.game.turn_tree, matcher.evidence.ownership
    if matcher.costs[2 * record + 1] < MISSED:
        return False
    for era in range(3):
        felt = tree.objects[record * layout.RECORD_WORDS + MAGNETS + era]
        known = ownership.maybe[era] ^ ownership.maybe[3 + era]
        if felt & known & ~match.lying(tree, 0, era):
            return True
    return False
