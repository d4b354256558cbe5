"""What lies on the table, read against the legal turns of the engine."""

from array import array

from chronotable import match
from chronotable.match import FELT, OBJECTS_FELT, OCCUPIED, TOUCHED, TRUSTED
from chronotable.sensors import FOCUS
from ttykm import layout
from ttykm.layout import PARENT, RECORD_WORDS, SEQUENCE
from ttykm.mp import const

if False:
    from chronotable.evidence import TurnEvidence
    from ttykm.game import Game

MISSED = const(16)  # from here on the evidence against a record says: not touched and had to be


class Matcher:
    """Which records of the game's turn table lie there.

    `costs` has the two bytes of `match.compare` for each record, `prefix` is the record that lay
    there last, `whole` the whole turn that lies there, its focus aside, or -1. The `declared`
    records are of actions that the players have chosen; others are barred then. `magnets` says
    which objects reeds feel.
    """

    def __init__(self, game: "Game", evidence: "TurnEvidence", magnets: int = OBJECTS_FELT) -> None:
        self.game = game
        self.evidence = evidence
        self.costs = bytearray(2 * game.table.capacity)
        self.prefix = 0
        self.whole = -1
        self.declared: list[int] = []
        self.magnets = magnets
        self._felt = 0  # records whose objects are felt
        game.is_lazy = True

    def begin(self) -> None:
        """Have the turn table of the game's position, whatever was declared before."""
        table = self.game.legal(len(self.declared) > 0)
        self.declared = []
        self.prefix = 0
        self.whole = -1
        self._felt = 0
        self.feel()
        if len(self.costs) < 2 * table.capacity:
            self.costs = bytearray(2 * table.capacity)

    def declare(self, chosen: "list[int]") -> None:
        """Take it for certain that the action of one of these records was meant, or will be done.

        They stand together. All records are barred but those and what follows them.
        """
        table = self.game.table
        match.bar_others(table.records, table.seconds, table.end, chosen[0], chosen[-1])
        self.declared.extend(chosen)

    def feel(self) -> None:
        """Note what reeds feel of the objects of new records."""
        table = self.game.table
        if table.has:
            self._felt = match.feel(table.objects, self._felt, table.end, self.magnets)

    def _compare(self, begin: int) -> None:
        table = self.game.table
        match.compare(
            table.records,
            table.objects,
            table.has,
            begin,
            table.end,
            self.evidence.seen,
            match.POPULATION,
            self.costs,
        )

    def _attend(self) -> None:
        """Have the second actions in the table that may have been meant.

        Those are all that can follow a first action that lies there, and what a copy that was
        touched can do by itself: everything else is laid, or declared, one action at a time.
        """
        table, costs = self.game.table, self.costs
        records = table.records
        here = layout.focus(self.game.state, self.game.mover)
        touched = self.evidence.seen[TOUCHED + here]
        is_laid = len(self.declared) > 0 or not self.evidence.lies_there(table, 0)
        end = table.end
        for first in range(table.firsts, table.seconds):
            if is_laid and not costs[2 * first] and costs[2 * first + 1] < MISSED:
                table.attend(first)
            elif touched:
                sequence = records[first * RECORD_WORDS + SEQUENCE]
                if touched >> (sequence >> 12) & 1 and sequence >> 6 & 63 < layout.PLANT:
                    table.attend(first, True)
        if table.end > end:
            self.feel()
            self._compare(end)

    def look(self) -> bool:
        """See what lies there; return whether it is a record, which is the prefix then.

        What had to be touched for a partial turn was, or it is none.
        """
        evidence, table, costs = self.evidence, self.game.table, self.costs
        self._compare(0)
        if table.has:
            self._attend()
        records, end = table.records, table.end
        if self.declared or not evidence.lies_there(table, 0):
            exact = match.best_exact(records, 0, end, 0, costs)
            if table.has and exact > 0:
                exact = self._without_guesses(exact)
        else:  # after a travel back and a lift the same spaces are taken as before the turn
            exact = -1 if self._holds_traveller() else 0
        found = exact == 0 or (exact > 0 and (exact == self.prefix or self.is_evident(exact)))
        if found:
            is_new = exact != self.prefix
            if is_new:
                self.prefix = exact
                evidence.assume(table, exact)
            # where copies may have changed places meanwhile, the touches stay evidence
            evidence.refresh(is_new or evidence.is_laid(table, exact))
        self.whole = -1 if table.is_full else match.best_exact(records, 0, end, 1, costs)
        return found

    def settle_on(self, record: int) -> None:
        """Take a whole turn for the one that lies there: people have said so."""
        self.whole = record

    def rest_on(self, index: int) -> None:
        """Take it for certain that a record lies there, and nothing else was touched."""
        evidence, table = self.evidence, self.game.table
        self.prefix = index
        evidence.rest_on(table, index)
        self._compare(0)
        self.whole = match.best_exact(table.records, 0, table.end, 1, self.costs)

    def _holds_traveller(self) -> bool:
        """Tell whether the active copy that travelled back is in the hand for its second action."""
        if not self.prefix or self.prefix >= self.game.table.seconds:
            return False
        base = self.prefix * RECORD_WORDS
        place = self.game.table.records[base + layout.ACTIVE]
        if (
            self.game.table.records[base + SEQUENCE] >> 6 & 63 != layout.BACK
            or not self.evidence.ownership.is_holding()
        ):
            return False
        seen = self.evidence.seen
        era, bit = place >> 4, 1 << (place & 15)
        return not seen[OCCUPIED + era] & bit and seen[TRUSTED + era] & bit != 0

    # ---- the turn

    def is_evident(self, index: int) -> bool:
        """Tell whether all was touched that had to be for a record, its copy's lift included."""
        if self.costs[2 * index + 1] >= MISSED:
            return False
        table, evidence = self.game.table, self.evidence
        records = table.records
        base = index * RECORD_WORDS
        if self.prefix and records[base + PARENT] == self.prefix:
            # the first action lay there: what the second one changes was touched since then
            before = self.prefix * RECORD_WORDS
            for word in range(6):
                changed = records[base + word] ^ records[before + word]
                if changed & ~evidence.fresh[TOUCHED + word % 3]:
                    return False
        if evidence.lifted_own or index < table.firsts:
            return True
        # nothing of the own was lifted: only a copy that stays where it was can have acted
        return self._may_stay(index)

    def _may_stay(self, index: int) -> bool:
        """Tell whether the copy that acts in a record may still lie where it was."""
        game = self.game
        records = game.table.records
        base = index * RECORD_WORDS
        space = records[base + SEQUENCE] >> 12
        if index >= game.table.seconds:
            base = records[base + PARENT] * RECORD_WORDS
        here = layout.focus(game.state, game.mover)
        there = records[base + 3 * game.mover + here] | self.evidence.health.distrusted[here]
        return there >> space & 1 != 0

    def is_guessed(self, index: int) -> bool:
        """Tell whether an action of a record left no trace that reeds feel, and was not declared.

        It may as well have been forgotten (T11).
        """
        table = self.game.table
        while table.has and index >= table.firsts:
            if not self._leaves_trace(index):
                return True
            index = table.records[index * RECORD_WORDS + PARENT]
        return False

    def _leaves_trace(self, index: int) -> bool:
        """Tell whether reeds feel the last action of a record, or it was declared."""
        table = self.game.table
        records = table.records
        sequence = records[index * RECORD_WORDS + SEQUENCE]
        if (sequence & 63 or sequence >> 6 & 63) < layout.PLANT or index in self.declared:
            return True
        parent = records[index * RECORD_WORDS + PARENT]
        for era in range(3):
            if match.lying(table, index, era) != match.lying(table, parent, era):
                return True
        return False

    def _without_guesses(self, index: int) -> int:
        """Return the record without last actions that nobody can have seen."""
        table = self.game.table
        while index >= table.firsts and not self._leaves_trace(index):
            index = table.records[index * RECORD_WORDS + PARENT]
        return index if index >= table.firsts else 0

    def may_end(self) -> bool:
        """Tell whether the marker may end the turn with what lies there."""
        if self.whole < 0 or self.is_guessed(self.whole):
            return False
        if self.evidence.lies_there(self.game.table, 0) and self.evidence.ownership.is_holding():
            return False  # it looks like out and back, but a copy is on its way
        return self.is_evident(self.whole)

    def turn_to(self, focus: int) -> int:
        """Return the whole turn that lies there, packed, with its focus."""
        return focus << 16 | self.game.table.records[self.whole * RECORD_WORDS + SEQUENCE]

    def is_own(self, sensor: int) -> bool:
        """Tell whether a copy that may act lay on a space before the turn."""
        game, era = self.game, sensor >> 4
        own = game.state[3 * game.mover + era] >> (sensor & 15) & 1
        return own != 0 and era == layout.focus(game.state, game.mover)

    def is_thing(self, sensor: int, closed: bool, is_aim: bool) -> bool:
        """Tell whether what changes on a space is no copy: none lay there, or none belongs there.

        `is_aim` tells that something is to be built there.
        """
        era, bit = sensor >> 4, 1 << (sensor & 15)
        if not closed:
            return not self.evidence.ownership.may_be_copy(era, bit)
        if is_aim:
            return True
        objects = self.game.table.objects
        for index in self.declared:
            if objects[index * RECORD_WORDS + FELT + era] & ~objects[FELT + era] & bit:
                return True
        return False

    def is_untouched(self) -> bool:
        """Tell whether the position before the turn lies there, and nothing else is declared."""
        return (
            self.prefix == 0 and not self.declared and self.evidence.lies_there(self.game.table, 0)
        )

    def is_due(self) -> bool:
        """Tell whether what was declared is still to be done."""
        parent = self.game.table.records[self.prefix * RECORD_WORDS + PARENT]
        known = self.declared
        return len(known) > 0 and self.prefix not in known and parent not in known

    def lies_there(self) -> bool:
        """Tell whether the record that lay there last still does, and nothing else is due."""
        return not self.is_due() and self.evidence.lies_there(self.game.table, self.prefix)

    def way_back(self) -> int:
        """Return the record to go back to from an arrangement that fits no turn.

        That is what lay there last, if anything was placed for it: pieces that were only lifted
        may be in a hand, and their deaths (T21) are nothing to go back to.
        """
        if self.costs[2 * self.prefix] > self.costs[0]:
            return 0
        table = self.game.table
        for era in range(3):
            if match.lying(table, self.prefix, era) & ~match.lying(table, 0, era):
                return self.prefix
        return 0

    def is_early(self, sensor: int) -> bool:
        """Tell whether the opponent lifts a copy before it is known that the turn has ended.

        The mover's marker is in the air, or stands while it is not certain yet which turn it was.
        """
        game, evidence = self.game, self.evidence
        if evidence.spots(game.mover) and evidence.marker_era(game.state, game.mover) < 0:
            return False
        return self.may_end() and self.is_theirs(sensor)

    def is_turn_after(self, sensor: int, closed: bool) -> bool:
        """Tell whether the edge of a focus spot ends a turn of the opponent's already.

        Then nobody has heeded that the mover's, whose marker stands, was not understood.
        """
        if not closed:
            return False
        game = self.game
        other = 1 - game.mover
        home = FOCUS + 3 * other + layout.focus(game.state, other)
        is_theirs = (sensor - FOCUS) // 3 == other
        return (
            is_theirs and sensor != home and self.evidence.marker_era(game.state, game.mover) >= 0
        )

    def is_theirs(self, sensor: int) -> bool:
        """Tell whether the whole turn that lies there has a copy of the opponent's on a space."""
        game = self.game
        base = self.whole * RECORD_WORDS
        theirs = game.table.records[base + 3 * (1 - game.mover) + (sensor >> 4)]
        return theirs >> (sensor & 15) & 1 != 0

    # ---- before the first and after the last turn

    def is_take_back(self, sensor: int) -> bool:
        """Tell whether the last player lifts the marker again before the opponent lifted."""
        game = self.game
        if not game.turns:
            return False
        last = 1 - game.mover
        if sensor != FOCUS + 3 * last + layout.focus(game.state, last):
            return False
        return (
            not self.evidence.is_touched() and self.evidence.marker_era(game.state, game.mover) < 0
        )

    def is_start(self) -> bool:
        """Tell whether the start position lies there, with markers for one of the two players."""
        evidence = self.evidence
        start = self._start()
        for era in range(3):
            if (evidence.seen[OCCUPIED + era] ^ start[era]) & evidence.seen[TRUSTED + era]:
                return False
        felt = ~evidence.health.markers
        return not (evidence.markers ^ 0o41) & felt or not (evidence.markers ^ 0o14) & felt

    def _start(self) -> "list[int]":
        """Return what lies in the three eras at the start of a game with these modules."""
        state = self.game.state
        masks = [0x8001, 0x8001, 0x8001]
        if self.game.table.has:
            from ttykm import objects

            start = objects.new_state(objects.modules_of(state))[layout.STATE_WORDS :]
            start.extend(array("H", bytes(2 * (objects.OBJECT_WORDS - len(start)))))
            match.feel(start, 0, 1, self.magnets)
            for era in range(3):
                masks[era] |= start[FELT + era]
        return masks
