"""All legal turns of a position, with every partial turn on the way (T7-T28).

Two rules this file lives by: nothing is allocated while turns are generated (the device scans
reeds from an interrupt and answers a lift within milliseconds), and nothing else in the project
but moves.py and acts.py knows how a copy moves.

A `TurnTree` holds flat records (layout.py), appended breadth-first:

    record 0          the position itself
    choices           one per copy in the focus era: it is lifted, nothing has happened yet
    first actions     the children of a choice stand together
    second actions    the children of a first action stand together

so the children of neighbours are neighbours, and every record is a turn, partial or whole. Hints,
guidance and legal turns are all read from these same records.
"""

from array import array

from ttykm import layout
from ttykm.layout import ACTIVE, COMPLETE, META, PARENT, PLANT, SEQUENCE, STATE_WORDS, STATUS
from ttykm.mp import const, micropython, ptr16

if False:  # types for the reader and mypy; MicroPython has no typing
    from collections.abc import Callable, Iterator

    from ttykm.acts import Acts


_SHIFT = const(4)  # a record index to the index of its first word

_GOES_ON = const(4)  # a first action that has second ones
_HAS_PLAIN = const(8)  # and some of them, or all, are in the tree
_HAS_ALL = const(16)
_LAST_PLAIN = const(PLANT - 1)  # what a copy does with itself
_EVERY_SPACE = const(0xFFFF)

# seven copies in the focus era: 7 choices, 42 first and 252 second actions, and the position
RECORDS_IN_GAMES = const(302)
# any position without two copies on one space: 16 choices, 96 first and 576 second actions
RECORDS_EVER = const(690)
# the same with all modules, where a copy has up to 29 actions; and what is enough on a table, where
# few first actions are expanded
RECORDS_EVER_WITH_MODULES = const(14000)
RECORDS_IN_GAMES_WITH_MODULES = const(224)


@micropython.viper
def choose(records: ptr16, only: int) -> int:
    """Append, behind the position in record 0, one record per copy that may be chosen (T7).

    `only` limits them to the spaces of that mask. Returns the index after the last.
    """
    meta = records[META]
    side = (meta >> 10) & 1
    era = (meta >> (6 + 2 * side)) & 3
    own = records[3 * side + era] & only
    at = 1
    for space in range(16):
        if (own >> space) & 1:
            child = at << _SHIFT
            for word in range(7):
                records[child + word] = records[word]
            records[child + 7] = space << 12
            records[child + 8] = (era << 4) | space
            records[child + 9] = 0
            records[child + 10] = (era << 4) | space
            records[child + 11] = 0
            records[child + 12] = 0
            records[child + 13] = 0
            records[child + 11 + era] = 1 << space
            records[child + 14] = 0
            records[child + 15] = 0
            at += 1
    return at


@micropython.viper
def _spread(objects: ptr16, end: int) -> int:
    """Give the records 1..`end`-1 the objects of record 0."""
    for word in range(16, end << 4):
        objects[word] = objects[word & 15]
    return end


@micropython.viper
def mark(records: ptr16, begin: int, end: int, last: int, strict: int) -> int:
    """Mark whole turns (T11, T14) and, if `strict`, barred ones; return how many are whole."""
    whole = last - end
    for index in range(end, last):
        records[(index << _SHIFT) + 15] = 1
        parent = (records[(index << _SHIFT) + 14] << _SHIFT) + 15
        records[parent] = records[parent] | 4
    for index in range(begin, end):
        status = (index << _SHIFT) + 15
        if records[status] & 4:
            records[status] = records[status] & 24
        elif strict:
            records[status] = 2
        else:
            records[status] = 1
            whole += 1
    return whole


class TurnTree:
    """Every legal partial and whole turn of one position, in a buffer that is used again.

    `records` is the buffer; `firsts`, `seconds` and `end` are record indices: choices stand in
    1..firsts-1, first actions in firsts..seconds-1, second actions in seconds..end-1.
    `objects` has the objects of each record (objects.py) from the first state with modules on,
    for which there are then `with_modules` records: as many as ever, or as on a table.

    With modules only those first actions have their second ones in the tree for which
    `expand_first` was called, in the order of the calls; `is_full` tells that there was no room for
    some.
    """

    def __init__(self, capacity: int = RECORDS_EVER, with_modules: int = 0) -> None:
        self.records = array("H", bytes(2 * layout.RECORD_WORDS * capacity))
        self.objects = array("H")
        self.capacity = capacity
        self.firsts = self.seconds = self.end = 1
        self.whole = 0
        self._with_modules = with_modules or (
            RECORDS_EVER_WITH_MODULES if capacity == RECORDS_EVER else RECORDS_IN_GAMES_WITH_MODULES
        )
        self._moves: tuple[Callable[..., int], ...] = ()  # of moves.py, for a state without modules
        self._acts: Acts | None = None  # who knows more than copies, where that is needed
        self._options = 0
        self.is_full = False
        self.has_modules = 0  # 1 where the position has modules

    def _root(self, state: "array[int]", options: int) -> None:
        """Make record 0 the position itself, in which nobody acts yet."""
        self._options = options
        self.is_full = False
        self.has_modules = 0 if len(state) == STATE_WORDS else 1
        if not self.has_modules:
            self._acts = None
            if not self._moves:
                from ttykm import moves

                self._moves = (moves.expand, moves.count_actions)
        elif self._acts is None:
            from ttykm.acts import Acts

            self._moves = ()
            self.reserve()
            self._acts = Acts(self.records, self.objects)
        records = self.records
        for word in range(STATE_WORDS):
            records[word] = state[word]
        for word in range(STATE_WORDS, layout.RECORD_WORDS):
            records[word] = 0
        records[ACTIVE] = records[layout.TARGET] = layout.GONE
        if self._acts is not None:
            for word in range(STATE_WORDS, len(state)):
                self.objects[word - STATE_WORDS] = state[word]

    def reserve(self) -> None:
        """Have the room that states with modules need."""
        if self.objects:
            return
        room, records = self._with_modules, self.records
        self.capacity = max(self.capacity, room)
        # the objects stand behind as many records, where a standard game has more of these; all at
        # once would need twice the room for a moment
        piece = array("H", bytes(2 * layout.RECORD_WORDS * max(1, room >> 7)))
        while len(records) < 2 * layout.RECORD_WORDS * room:
            records.extend(piece)
        self.objects = memoryview(records)[layout.RECORD_WORDS * room :]  # type: ignore[assignment]

    def _choose(self, spaces: int) -> int:
        """Append the choices among these spaces; return the index after the last."""
        end = choose(self.records, spaces)
        if self._acts is not None:
            _spread(self.objects, end)
        return end

    def _expand(self, begin: int, end: int, only: int = 0) -> int:
        """Append the legal actions of records `begin`..`end`-1; return the index after the last."""
        if self._acts is None:
            return self._moves[0](self.records, begin, end, end, only)
        return self._acts.expand(begin, end, end, only, self._options)

    def follow(self, state: "array[int]", sequence: int, options: int = 0) -> int:
        """Act one sequence out, in a tree of at least 4 records, without the duties of a turn.

        Returns the index of the record after its last action, or -1 where an action is not
        possible. Two actions that are possible make a whole turn whatever else there is (T11, T12);
        for fewer only `build` can tell.
        """
        self._root(state, options)
        self.firsts = self.seconds = self.end = at = 1
        if not sequence:
            return 0
        if self._choose(1 << (sequence >> 12)) != 2:
            return -1
        last = layout.BACK if self._acts is None else layout.LAST_ACTION
        for action in (sequence >> 6 & 63, sequence & 63):
            if action:
                if action > last or self._expand(at, at + 1, action) != at + 2:
                    return -1
                at += 1
        return at

    def after(self, index: int, focus: int, out: "array[int]") -> None:
        """Write the state after a whole turn to `out`, the other player to move (step 3, T15)."""
        self.copy(index, out)
        meta = out[META]
        place = 6 + 2 * (meta >> 10 & 1)
        out[META] = (meta & ~(3 << place) | focus << place) ^ 1 << 10

    def copy(self, index: int, out: "array[int]") -> None:
        """Write the position of a record, with the same mover, to a state of the same length."""
        base = index << _SHIFT
        for word in range(STATE_WORDS):
            out[word] = self.records[base + word]
        for word in range(STATE_WORDS, len(out)):
            out[word] = self.objects[base + word - STATE_WORDS]

    def build(self, state: "array[int]", options: int = 0, whole: bool = True) -> int:
        """Fill the tree for a state and return how many whole turns it has, focus choice aside.

        With no copy that can act, the position itself is the one whole turn (T10, T13). With
        modules and not `whole`, second actions are left to `expand_first`.
        """
        self._root(state, options)
        records = self.records
        self._fill(_EVERY_SPACE)
        most = self._count()
        allowed = barred = 0
        for choice in range(1, self.firsts):
            base = choice << _SHIFT
            if records[base + layout.EFFECTS] < most:
                barred = 1
            else:
                allowed |= 1 << (records[base + ACTIVE] & 15)
            records[base + layout.EFFECTS] = 0
        if barred:
            self._fill(allowed)
        if most == 0:
            records[STATUS] = COMPLETE
            self.firsts = self.seconds = self.end = 1
            self.whole = 1
            return 1
        strict = 1 if options & layout.STRICT_TWO_ACTIONS and most == 2 else 0
        self.whole = mark(records, self.firsts, self.seconds, self.end, strict)
        if whole and self._acts is not None:
            for first in range(self.firsts, self.seconds):
                self.expand_first(first)
        return self.whole

    def _fill(self, spaces: int) -> None:
        self.firsts = self._choose(spaces)
        self.seconds = self.end = self._expand(1, self.firsts)
        if self._acts is None:
            self.end = self._expand(self.firsts, self.seconds)
            return
        for first in range(self.firsts, self.seconds):
            # whether there is a second action is all that has to be known here
            if self._acts.append(first, self.end, 1, layout.LAST_ACTION, 1) > self.end:
                self.records[(first << _SHIFT) + STATUS] |= _GOES_ON

    def _count(self) -> int:
        """Note in each choice's EFFECTS how many actions it can take (T12); return the largest."""
        records = self.records
        if self._acts is None:
            return self._moves[1](records, self.firsts, self.seconds, self.end)
        most = 0
        for first in range(self.firsts, self.seconds):
            base = first << _SHIFT
            count = 2 if records[base + STATUS] & _GOES_ON else 1
            choice = (records[base + PARENT] << _SHIFT) + layout.EFFECTS
            records[choice] = max(records[choice], count)
            most = max(most, count)
        return most

    def expand_first(self, first: int, plain: bool = False) -> bool:
        """Append the second actions of a first one, where they are due; return whether they were.

        With `plain` only what the copy does with itself: moves, travels, pulls.
        """
        acts = self._acts
        if acts is None:
            return False
        records = self.records
        status = (first << _SHIFT) + STATUS
        has_plain = records[status] & _HAS_PLAIN
        if records[status] & _HAS_ALL or (plain and has_plain):
            return False
        records[status] |= _HAS_PLAIN if plain else _HAS_ALL
        begin = self.end
        action = _LAST_PLAIN + 1 if has_plain else 1
        last = _LAST_PLAIN if plain else layout.LAST_ACTION
        self.end = acts.append(first, begin, action, last)
        for index in range(begin, self.end):
            records[(index << _SHIFT) + STATUS] = COMPLETE
        self.whole += self.end - begin
        self.is_full = self.end == self._with_modules
        return self.end > begin

    def whole_turns(self) -> "Iterator[int]":
        """Yield the index of each record that is a whole turn, its focus choice still open."""
        records = self.records
        for index in range(self.end):
            if records[(index << _SHIFT) + STATUS] & COMPLETE:
                yield index

    def find(self, sequence: int) -> int:
        """Return the index of the whole turn with these 16 bits, or -1."""
        records = self.records
        if sequence & 63 and self._acts is not None:
            before = sequence & 0xFFC0
            for first in range(self.firsts, self.seconds):
                if records[(first << _SHIFT) + SEQUENCE] == before:
                    self.expand_first(first)
        for index in self.whole_turns():
            if records[(index << _SHIFT) + SEQUENCE] == sequence:
                return index
        return -1
