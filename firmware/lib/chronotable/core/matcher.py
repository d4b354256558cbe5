"""Which legal turn, or beginning of one, lies on the table.

The engine's records (ttykm/turns.py) are compared with what the reeds have observed; the comparing
loops themselves are match.py's.
"""

from array import array

from chronotable.core import match
from chronotable.core.match import MAGNETS, OBJECT_MAGNETS, OCCUPIED, TOUCHED, TRUSTED
from chronotable.core.ownership import STRANGE
from chronotable.hardware.sensors import FOCUS
from ttykm import layout
from ttykm.layout import PARENT, RECORD_WORDS, SEQUENCE
from ttykm.mp import const

if False:
    from chronotable.core.evidence import TurnEvidence
    from ttykm.game import Game

# evidence against a record (`match.compare`) from this on: a space had to be touched and was not
MISSED = const(16)


class Matcher:
    """Which records of the game's turn tree lie there.

    `costs` has the two bytes of `match.compare` for each record, `prefix` is the record that lay
    there last, `whole` the whole turn that lies there, its focus aside, or -1. The `declared`
    records are of actions that the players have chosen; others are barred then. `magnets` says
    which objects reeds feel.
    """

    def __init__(
        self, game: "Game", evidence: "TurnEvidence", magnets: int = OBJECT_MAGNETS
    ) -> None:
        self.game = game
        self.evidence = evidence
        self.costs = bytearray(2 * game.turn_tree.capacity)
        self.prefix = 0
        self.whole = -1
        self.declared: list[int] = []
        self.magnets = magnets
        self._noted = 0  # the first so many records have their magnets noted
        game.is_lazy = True

    def begin(self) -> None:
        """Begin a turn: build the tree of the game's position; what was declared is forgotten."""
        tree = self.game.legal(len(self.declared) > 0)
        self.declared = []
        self.prefix = 0
        self.whole = -1
        self._noted = 0
        self.note_magnets()
        if len(self.costs) < 2 * tree.capacity:
            self.costs = bytearray(2 * tree.capacity)

    def make_room(self) -> None:
        """Build a full tree anew, without the second actions of what hands have only tried out.

        The `prefix` stays, and what can follow it. While an action is declared nothing is done: the
        new tree would not have the bars that follow from it.
        """
        tree = self.game.turn_tree
        if not tree.is_full or self.declared:
            return
        sequence = tree.records[self.prefix * RECORD_WORDS + SEQUENCE]
        self.game.legal(True)
        if self.prefix >= tree.seconds:
            self.prefix = tree.find(sequence)
        elif self.prefix >= tree.firsts:
            tree.expand_first(self.prefix)
        self._noted = 0
        self.note_magnets()

    def declare(self, chosen: "list[int]") -> None:
        """Note that players chose, with the action button, the action of one of these records.

        `chosen` are indices in one run. All records are barred but those and what follows them.
        """
        tree = self.game.turn_tree
        match.bar_others(tree.records, tree.seconds, tree.end, chosen[0], chosen[-1])
        self.declared.extend(chosen)

    def note_magnets(self) -> None:
        """Note which objects of new records have magnets, so that reeds feel them."""
        tree = self.game.turn_tree
        if tree.has_modules:
            self._noted = match.note_magnets(tree.objects, self._noted, tree.end, self.magnets)

    def _compare(self, begin: int) -> None:
        tree = self.game.turn_tree
        match.compare(
            tree.records,
            tree.objects,
            tree.has_modules,
            begin,
            tree.end,
            self.evidence.observed,
            match.POPULATION,
            self.costs,
        )
        if self.evidence.poles is not None:
            self.evidence.poles.weigh(tree.records, begin, tree.end, self.costs)

    def _expand_firsts(self) -> None:
        """Have the second actions in the tree that may have been meant; only with modules.

        Those are all that can follow a first action that lies there, and the moves, travels and
        pulls of a copy that was touched. Hands do everything else one action at a time: its first
        action lies there, or is declared, before the second one.
        """
        tree, costs = self.game.turn_tree, self.costs
        records = tree.records
        here = layout.focus(self.game.state, self.game.mover)
        touched = self.evidence.observed[TOUCHED + here]
        is_laid = len(self.declared) > 0 or not self.evidence.lies_there(tree, 0)
        end = tree.end
        for first in range(tree.firsts, tree.seconds):
            if is_laid and not costs[2 * first] and costs[2 * first + 1] < MISSED:
                tree.expand_first(first)
            elif touched:
                sequence = records[first * RECORD_WORDS + SEQUENCE]
                if touched >> (sequence >> 12) & 1 and sequence >> 6 & 63 < layout.PLANT:
                    tree.expand_first(first, True)
        if tree.end > end:
            self.note_magnets()
            self._compare(end)

    def look(self) -> bool:
        """Compare all records with what lies there; return whether one does: the new `prefix`.

        A partial turn counts only when every space was touched that it changes: presence alone
        cannot tell one colour from the other.
        """
        evidence, tree, costs = self.evidence, self.game.turn_tree, self.costs
        self._compare(0)
        if tree.has_modules:
            self._expand_firsts()
        if self.declared or not evidence.lies_there(tree, 0):
            exact = self._best(0)
            at = 2 * self.prefix
            if exact > 0 and costs[at] == 0 and costs[at + 1] == costs[2 * exact + 1]:
                exact = self.prefix  # nothing says that it is another one
            if tree.has_modules and exact > 0:
                exact = self._without_guesses(exact)
        else:  # as before the turn, or after a travel back whose copy was lifted again
            exact = -1 if self._holds_traveller() else 0
        found = exact == 0 or (exact > 0 and (exact == self.prefix or self.is_evident(exact)))
        if found:
            is_new = exact != self.prefix
            if is_new:
                ownership = evidence.ownership
                if ownership.is_mixed and not costs[2 * exact + 1]:
                    # hands that hold both for an action mix nothing up
                    ownership.is_mixed = tree.has_modules > 0 and self._strays(exact)
                self.prefix = exact
                evidence.assume(tree, exact)
            # where the owners are not certain, copies may have changed places: keep the touches
            evidence.refresh(is_new or evidence.is_laid(tree, exact))
        self.whole = -1 if tree.is_full else self._best(1)
        return found

    def _best(self, whole: int) -> int:
        tree = self.game.turn_tree
        return match.best_exact(tree.records, 0, tree.end, whole, self.costs, self.evidence.first)

    def settle_on(self, record: int) -> None:
        """Take a record for the whole turn that lies there, because the players have said so."""
        self.whole = record

    def rest_on(self, index: int) -> None:
        """Take it for certain that a record lies there, and nothing else was touched."""
        evidence, tree = self.evidence, self.game.turn_tree
        self.prefix = index
        evidence.rest_on(tree, index)
        self._compare(0)
        self.whole = self._best(1)

    def _strays(self, index: int) -> bool:
        """Tell whether, since the prefix lay there, a piece was touched that stays in a record."""
        tree = self.game.turn_tree
        records, base, before = tree.records, index * RECORD_WORDS, self.prefix * RECORD_WORDS
        for era in range(3):
            stays = match.lying(tree, self.prefix, era) & match.lying(tree, index, era)
            stays &= ~records[base + layout.TOUCHED + era] | records[before + layout.TOUCHED + era]
            for word in range(era, 6, 3):
                stays &= ~(records[base + word] ^ records[before + word])
            if stays & self.evidence.fresh[match.COUNTED + era]:
                return True
        return False

    def _holds_traveller(self) -> bool:
        """Tell whether the active copy that travelled back is in the hand for its second action."""
        if not self.prefix or self.prefix >= self.game.turn_tree.seconds:
            return False
        base = self.prefix * RECORD_WORDS
        place = self.game.turn_tree.records[base + layout.ACTIVE]
        if (
            self.game.turn_tree.records[base + SEQUENCE] >> 6 & 63 != layout.BACK
            or not self.evidence.ownership.is_holding()
        ):
            return False
        observed = self.evidence.observed
        era, bit = place >> 4, 1 << (place & 15)
        return not observed[OCCUPIED + era] & bit and observed[TRUSTED + era] & bit != 0

    # ---- the turn

    def is_evident(self, index: int) -> bool:
        """Tell whether every space was touched that a record changes, and its copy was lifted.

        Where no own copy was lifted, only one that stays where it was can have acted.
        """
        if self.costs[2 * index + 1] >= MISSED or self._takes_swept(index):
            return False
        tree, evidence = self.game.turn_tree, self.evidence
        if tree.has_modules:
            for era in range(3):
                if match.to_exchange(tree.objects, index, era, evidence.observed):
                    return False
            if self.takes_from_box(index):
                return False
        records = tree.records
        base = index * RECORD_WORDS
        if self.prefix and records[base + PARENT] == self.prefix:
            # the first action lay there: what the second one changes has to be touched since then
            before = self.prefix * RECORD_WORDS
            for word in range(6):
                changed = records[base + word] ^ records[before + word]
                if changed & ~evidence.fresh[TOUCHED + word % 3]:
                    return False
        if evidence.lifted_own or index < tree.firsts:
            return True
        return self._may_stay(index)

    def takes_from_box(self, index: int) -> bool:
        """Tell whether a copy comes, in a record, to where empty hands had put something before.

        No copy is there before it is lifted elsewhere, but one of the supply.
        """
        records, maybe = self.game.turn_tree.records, self.evidence.ownership.maybe
        base = index * RECORD_WORDS
        if (records[base + layout.META] ^ records[layout.META]) & 63:
            return False
        for era in range(3):
            new = records[base + era] | records[base + 3 + era]
            if new & ~(records[era] | records[3 + era]) & maybe[STRANGE + era]:
                return True
        return False

    def _takes_swept(self, index: int) -> bool:
        """Tell whether in a record copies are dead of which one went at once with another."""
        tree, swept, population = self.game.turn_tree, self.evidence.swept, match.POPULATION
        dead = is_swept = 0
        for era in range(3):
            before, after = match.lying(tree, 0, era), match.lying(tree, index, era)
            is_swept |= swept[era] & before & ~after
            dead += population[before & 0xFF] + population[before >> 8]
            dead -= population[after & 0xFF] + population[after >> 8]
        return dead > 0 and is_swept != 0

    def _may_stay(self, index: int) -> bool:
        """Tell whether the copy that acts in a record may still lie where it was."""
        game = self.game
        records = game.turn_tree.records
        base = index * RECORD_WORDS
        space = records[base + SEQUENCE] >> 12
        if index >= game.turn_tree.seconds:
            base = records[base + PARENT] * RECORD_WORDS
        here = layout.focus(game.state, game.mover)
        there = records[base + 3 * game.mover + here] | self.evidence.health.distrusted[here]
        return there >> space & 1 != 0

    def is_guessed(self, index: int) -> bool:
        """Tell whether a record has an action that no reed shows and nobody declared.

        The players may as well have forgotten that action (T11), so it is no certain turn.
        """
        tree = self.game.turn_tree
        while tree.has_modules and index >= tree.firsts:
            if not self._leaves_trace(index):
                return True
            index = tree.records[index * RECORD_WORDS + PARENT]
        return False

    def _leaves_trace(self, index: int) -> bool:
        """Tell whether reeds show the last action of a record, or it was declared."""
        tree = self.game.turn_tree
        records = tree.records
        sequence = records[index * RECORD_WORDS + SEQUENCE]
        if (sequence & 63 or sequence >> 6 & 63) < layout.PLANT or index in self.declared:
            return True
        parent = records[index * RECORD_WORDS + PARENT]
        for era in range(3):
            if match.lying(tree, index, era) != match.lying(tree, parent, era):
                return True
        return False

    def _without_guesses(self, index: int) -> int:
        """Go back from a record over last actions that leave no trace; return where that ends."""
        tree = self.game.turn_tree
        while index >= tree.firsts and not self._leaves_trace(index):
            index = tree.records[index * RECORD_WORDS + PARENT]
        return index if index >= tree.firsts else 0

    def may_end(self) -> bool:
        """Tell whether the marker may end the turn with what lies there."""
        if self.whole < 0 or self.is_guessed(self.whole):
            return False
        if (
            self.evidence.lies_there(self.game.turn_tree, 0)
            and self.evidence.ownership.is_holding()
        ):
            return False  # all lies as before the turn, but a copy is in a hand
        return self.is_evident(self.whole)

    def is_certain(self) -> bool:
        """Tell whether all that lies there and every touch says that it was the `whole` turn.

        Nothing speaks against it, it has no action that nobody saw, and no other turn fits as well.
        """
        tree, whole, costs = self.game.turn_tree, self.whole, self.costs
        if costs[2 * whole + 1] or not self.is_evident(whole) or self.is_guessed(whole):
            return False
        known = array("H", (whole,))
        other = match.rival(tree.records, tree.objects, tree.has_modules, tree.end, known, 1, costs)
        return other < 0 or costs[2 * other + 1] >= MISSED

    def turn_to(self, focus: int) -> int:
        """Return the whole turn that lies there, packed, with its focus."""
        return focus << 16 | self.game.turn_tree.records[self.whole * RECORD_WORDS + SEQUENCE]

    def is_own(self, sensor: int) -> bool:
        """Tell whether a copy that may act lay on a space before the turn."""
        game, era = self.game, sensor >> 4
        own = game.state[3 * game.mover + era] >> (sensor & 15) & 1
        return own != 0 and era == layout.focus(game.state, game.mover)

    def is_object(self, sensor: int, closed: bool, is_target: bool) -> bool:
        """Tell whether an edge on a space is that of an object, and not of a copy.

        An opening is where no copy can have lain; a closing where a statue is offered to be built
        or asked for (`is_target`), or where a declared action brings an object.
        """
        era, bit = sensor >> 4, 1 << (sensor & 15)
        if not closed:
            return not self.evidence.ownership.may_be_copy(era, bit)
        if is_target:
            return True
        tree, ownership = self.game.turn_tree, self.evidence.ownership
        objects = tree.objects
        for index in self.declared:
            base = index * RECORD_WORDS
            if objects[base + MAGNETS + era] & ~objects[MAGNETS + era] & bit:
                action = tree.records[base + SEQUENCE]
                is_brought = (action & 63 or action >> 6 & 63) < layout.COMMAND
                is_other = is_brought and ownership.objects > 0 and self._is_elsewhere(era, bit)
                ownership.is_mixed = ownership.is_mixed or is_other
                return not is_other  # it should come from the box
        return False

    def _is_elsewhere(self, where: int, bit: int) -> bool:
        """Tell whether something is gone from another space where it lay when the prefix did."""
        tree, observed = self.game.turn_tree, self.evidence.observed
        for era in range(3):
            gone = match.lying(tree, self.prefix, era) & ~observed[OCCUPIED + era]
            if gone & ~(bit if era == where else 0):
                return True
        return False

    def is_untouched(self) -> bool:
        """Tell whether the position before the turn lies there, and nothing else is declared."""
        return (
            self.prefix == 0
            and not self.declared
            and self.evidence.lies_there(self.game.turn_tree, 0)
        )

    def is_due(self) -> bool:
        """Tell whether an action was declared and does not lie there yet."""
        parent = self.game.turn_tree.records[self.prefix * RECORD_WORDS + PARENT]
        known = self.declared
        return len(known) > 0 and self.prefix not in known and parent not in known

    def lies_there(self) -> bool:
        """Tell whether the prefix, the record that lay there last, still does, with nothing due."""
        return not self.is_due() and self.evidence.lies_there(self.game.turn_tree, self.prefix)

    def way_back(self) -> int:
        """Return the record that the lights lead back to from an arrangement that fits no turn.

        That is the prefix, which lay there last, if a piece lies in it where none lay before the
        turn. Else it is record 0, the position before the turn: a prefix that only took pieces
        off, a copy's death (T21) for example, may be nothing but pieces in a hand.
        """
        if self.costs[2 * self.prefix] > self.costs[0]:
            return 0
        tree = self.game.turn_tree
        for era in range(3):
            if match.lying(tree, self.prefix, era) & ~match.lying(tree, 0, era):
                return self.prefix
        return 0

    def is_early(self, sensor: int) -> bool:
        """Tell whether the opponent, by lifting a copy, begins before the mover's turn has ended.

        Then the mover's marker is in a hand, or it stands and which turn it was is not certain yet.
        """
        game, evidence = self.game, self.evidence
        if evidence.spots(game.mover) and evidence.marker_era(game.state, game.mover) < 0:
            return False
        return self.may_end() and self.is_theirs(sensor)

    def is_turn_after(self, sensor: int, closed: bool) -> bool:
        """Tell whether the opponent's marker is placed before the mover's turn was understood.

        The mover's marker stands, the table did not understand the turn and said so, and the
        players, who did not see that, have played the next turn already.
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
        theirs = game.turn_tree.records[base + 3 * (1 - game.mover) + (sensor >> 4)]
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
        start = layout.new_state()
        if self.game.turn_tree.has_modules:
            from ttykm import objects

            start = objects.new_state(objects.modules_of(self.game.state))
        return self.shows(start, 0o41) or self.shows(start, 0o14)

    def is_bare(self) -> bool:
        """Tell whether nothing lies on the table, no marker either."""
        evidence = self.evidence
        return not evidence.markers and not any(evidence.observed[OCCUPIED : OCCUPIED + 3])

    def shows(self, state: "array[int]", markers: int) -> bool:
        """Tell whether what lies in a state lies there, with markers on these spots."""
        evidence = self.evidence
        if (evidence.markers ^ markers) & ~evidence.health.markers:
            return False
        magnets = array("H", bytes(2 * RECORD_WORDS))
        if self.game.turn_tree.has_modules:
            magnets[: len(state) - layout.STATE_WORDS] = state[layout.STATE_WORDS :]
            match.note_magnets(magnets, 0, 1, self.magnets)
        for era in range(3):
            lying = state[era] | state[3 + era] | magnets[MAGNETS + era]
            if (evidence.observed[OCCUPIED + era] ^ lying) & evidence.observed[TRUSTED + era]:
                return False
        return True
