"""Which LED says what: the picture of a moment, as one meaning per sensor.

The picture is painted anew from what the tracker knows; nothing is remembered between pictures.
"""

from chronotable.core import match, progress
from chronotable.core.match import COUNTED, OCCUPIED, TRUSTED
from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights import meanings
from ttykm import layout
from ttykm.layout import ACTIVE, EFFECTS, GONE, PARENT, RECORD_WORDS, SEQUENCE, TARGET
from ttykm.mp import const

if False:
    from array import array

    from chronotable.core.tracker import Tracker

# hint levels of a player
HINTS_OFF = const(0)
HINTS_LEGAL = const(1)
HINTS_CONSEQUENCES = const(2)
HINT_LEVELS = const(3)  # behind them, of the 48 spaces: a hint, which of the copies to choose

_PLACES = const(64)
ALL_EFFECTS = const(127)

MEANINGS = bytearray([meanings.MOVE] * (ALL_EFFECTS + 1))
"""What an action means, by its effects; behind them, of the travels forward and back."""
for wanted, meaning in (  # of several, the last one says it
    (layout.PUSH, meanings.PUSH),
    (layout.SQUISH | layout.CRUSH | layout.TRAMPLE, meanings.SQUISH),
    (layout.PARADOX, meanings.PARADOX),
    (layout.OWN_DEATH, meanings.OWN_DEATH),
):
    for at in range(ALL_EFFECTS + 1):
        if at & wanted:
            MEANINGS[at] = meaning
MEANINGS.extend(bytes((meanings.FORWARD, meanings.BACK)))


def meaning_of(records: "array[int]", base: int) -> int:
    """Return what the last action of the record at word `base` means, consequences included."""
    sequence = records[base + SEQUENCE]
    action = sequence & 63 or sequence >> 6 & 63
    if layout.FORWARD <= action <= layout.BACK:
        return MEANINGS[ALL_EFFECTS + 1 + action - layout.FORWARD]
    return MEANINGS[records[base + EFFECTS]]


class Hints:
    """Paints `leds`, 54 meanings by sensor, from a tracker."""

    def __init__(self, tracker: "Tracker") -> None:
        self.tracker = tracker
        self._matcher = tracker.matcher
        self.leds = bytearray(_PLACES)  # 54 LEDs; behind them room for the place GONE, 63
        self.levels = bytearray((HINTS_CONSEQUENCES, HINTS_CONSEQUENCES))  # of hints, by player
        self.is_full = False  # the flash has no room for another game

    def paint(self) -> None:
        """Paint the picture of this moment."""
        leds = self.leds
        match.clear(leds, _PLACES)
        phase = self.tracker.phase
        if self.tracker.turn.wish != progress.NO_WISH:
            for sensor in self.tracker.evidence.closed():  # the question that *a* says yes to
                leds[sensor] = meanings.QUESTION
        elif phase == progress.RESTORE:
            self._paint_restore()
        elif phase == progress.TURN:
            self._paint_turn()
        elif phase == progress.PROVISIONAL:
            self._paint_marker(meanings.MOVER)
            self._paint_preview(self._matcher.whole)
        elif phase == progress.QUESTION:
            if self.tracker.open_question.is_astray:
                self.tracker.open_question.paint(leds, True)
                self._name_objects(self.tracker.open_question.record)
            else:
                self._paint_question()
        else:
            self._paint_over()
        if self.is_full and (phase == progress.OVER or not self.tracker.game.turns):
            self._light_free_spots(meanings.FULL)
        if self.tracker.health.needs_doctor:
            self._light_free_spots(meanings.DOCTOR)

    def told(self) -> bytearray:
        """Return the picture as a PC is told it, which knows itself what belongs where."""
        leds = self.leds[:SENSORS]
        if self.tracker.game.turn_tree.has_modules:
            for sensor in range(FOCUS):
                if leds[sensor] > meanings.PUT_OBJECT:
                    leds[sensor] = meanings.TODO_PUT
        return leds

    def _light_free_spots(self, meaning: int) -> None:
        """Light the dark focus spots, for what is no part of the game."""
        for sensor in range(FOCUS, SENSORS):
            if self.leds[sensor] == meanings.OFF:
                self.leds[sensor] = meaning

    def _paint_restore(self) -> None:
        track = self.tracker
        if not track.turn.is_scanned:
            for sensor in range(SENSORS):
                self.leds[sensor] = meanings.LAMP
            return
        recovery = track.recovery  # it has compared already, to see whether all lies there
        recovery.guidance.paint(self.leds, recovery.confirms())
        self._name_objects(0)

    def _paint_marker(self, meaning: int) -> None:
        """Light the spots where the mover's marker stands."""
        track = self.tracker
        mover = track.game.mover
        for era in range(3):
            if track.evidence.markers >> (3 * mover + era) & 1:
                self.leds[FOCUS + 3 * mover + era] = meaning

    def _paint_turn(self) -> None:
        track, matcher = self.tracker, self._matcher
        leds = self.leds
        mover = track.game.mover
        tree = track.game.turn_tree
        records = tree.records
        level = self.levels[mover]
        if matcher.is_bare():
            return  # the table is cleared
        self._paint_marker(meanings.MOVER)
        recovery = track.recovery
        if recovery.leads_back:  # whose piece is missing where
            recovery.compare(recovery.back_to)
            recovery.guidance.paint(leds, recovery.confirms())
            self._name_objects(recovery.back_to)
            if track.wanted is not None:
                track.wanted.paint(leds)
            return
        if track.chooser is not None and track.chooser.is_open():
            track.chooser.paint(leds)
            return
        if level == HINTS_OFF:
            if not matcher.lies_there():
                if match.nearest(records, 0, tree.end, 0, matcher.costs) < 0:
                    self._paint_difference(matcher.way_back())
            return
        if matcher.is_untouched():
            for choice in range(1, tree.firsts):  # copies that may be chosen (T12)
                leds[records[choice * RECORD_WORDS + ACTIVE]] = meanings.COPY
            hinted = level - HINT_LEVELS
            if hinted >= 0 and leds[hinted] == meanings.COPY:  # that one of them
                match.clear(leds, FOCUS)
                leds[hinted] = meanings.COPY
        elif matcher.lies_there():
            self._paint_preview(matcher.prefix)
            place = records[matcher.prefix * RECORD_WORDS + ACTIVE]
            if place != GONE and matcher.prefix < tree.seconds:
                leds[place] = meanings.COPY
        else:
            self._paint_on_the_way(level)
        state = track.game.state
        here = layout.focus(state, mover)
        home = FOCUS + 3 * mover + here
        if matcher.may_end():
            for era in range(3):
                if era != here and leds[home - here + era] == meanings.OFF:
                    leds[home - here + era] = meanings.FOCUS
        elif not track.evidence.is_marker_home(state, mover) and (
            track.evidence.marker_era(state, mover) < 0 or matcher.lies_there()
        ):
            # it is in a hand, or was moved although actions are due; while pieces of a turn are
            # still to be moved it may stand
            self._paint_misplaced_marker(mover)
        if not track.evidence.is_marker_home(state, 1 - mover):
            self._paint_misplaced_marker(1 - mover)

    def _paint_preview(self, index: int) -> None:
        """Light what the table believes was done: the target of each action, and what was pushed.

        Where the copy came from is lit too, if it is free now.
        """
        tree = self.tracker.game.turn_tree
        records, leds = tree.records, self.leds
        at = index
        while at >= tree.firsts:
            base = at * RECORD_WORDS
            leds[records[base + TARGET]] = meaning_of(records, base)
            at = records[base + PARENT]
        if at <= 0:
            return
        base = index * RECORD_WORDS
        for era in range(3):
            new = match.lying(tree, index, era) & ~match.lying(tree, 0, era)
            place = era << 4
            while new:
                if new & 1 and leds[place] == meanings.OFF:
                    leds[place] = meanings.PUSH
                new >>= 1
                place += 1
        start = records[at * RECORD_WORDS + ACTIVE]
        era = start >> 4
        there = records[base + era] | records[base + 3 + era]
        if leds[start] == meanings.OFF and not there >> (start & 15) & 1:
            leds[start] = meanings.LIFTED

    def _paint_misplaced_marker(self, player: int) -> None:
        """Light where a player's marker should be and is not, and where it should not be."""
        era = layout.focus(self.tracker.game.state, player)
        first = FOCUS + 3 * player
        mine = self.tracker.evidence.spots(player)
        for spot in range(3):
            if mine >> spot & 1 and spot != era:
                self.leds[first + spot] = meanings.TODO_TAKE
        if not mine >> era & 1:
            self.leds[first + era] = meanings.TODO_PUT

    def _paint_on_the_way(self, level: int) -> None:
        """Light what fits what the hands did since the last record lay there."""
        matcher = self._matcher
        tree = matcher.game.turn_tree
        records = tree.records
        leds = self.leds
        effects_shown = ALL_EFFECTS if level >= HINTS_CONSEQUENCES else 0
        prefix = matcher.prefix
        begin, end = tree.firsts, tree.seconds
        if prefix:
            begin, end = end, tree.end
        found = match.paint_actions(
            records,
            tree.objects,
            tree.has_modules,
            begin,
            end,
            prefix or self._lifted_choice(),
            matcher.evidence.fresh,
            leds,
            MEANINGS,
            effects_shown,
        )
        if found == 0 or (tree.has_modules and self._is_something_placed()):
            nearest = match.nearest(records, 1, tree.end, 0, matcher.costs)
            self._paint_difference(nearest if nearest >= 0 else matcher.way_back())
        else:
            if found >> 10 == 1:
                self._paint_difference(found & 1023)
            self._paint_difference(prefix, 1)

    def _paint_difference(self, index: int, lifted: int = 0) -> None:
        """Light what is missing or too much for a record to lie there."""
        tree, observed = self._matcher.game.turn_tree, self._matcher.evidence.observed
        match.paint_difference(
            tree.records, tree.objects, tree.has_modules, index, observed, self.leds, lifted
        )
        self._name_objects(index)

    def _name_objects(self, index: int) -> None:
        """Say of each object that is to be put down for a record which kind it is."""
        chooser = self.tracker.chooser
        if chooser is not None and self._matcher.game.turn_tree.has_modules:
            chooser.name_objects(index, self.leds)

    def _is_something_placed(self) -> bool:
        """Tell whether something lies where nothing lay in the record that lay there last."""
        tree, observed = self._matcher.game.turn_tree, self._matcher.evidence.observed
        prefix = self._matcher.prefix
        for era in range(3):
            before = match.lying(tree, prefix, era)
            if observed[OCCUPIED + era] & ~before & observed[TRUSTED + era]:
                return True
        return False

    def _lifted_choice(self) -> int:
        """Return the choice of the one copy that is in the hand and may act, or -1."""
        game, evidence = self.tracker.game, self.tracker.evidence
        tree = game.turn_tree
        here = layout.focus(game.state, game.mover)
        touched = evidence.fresh[COUNTED + here]
        for era in range(3):
            if era != here and evidence.fresh[COUNTED + era]:
                return -1
        for choice in range(1, tree.firsts):
            if 1 << (tree.records[choice * RECORD_WORDS + ACTIVE] & 15) == touched:
                return -1 if evidence.observed[OCCUPIED + here] & touched else choice
        return -1

    def _paint_question(self) -> None:
        """Light, choice by choice, where copies and the marker tell the choices apart.

        That is where the mover has a copy in this choice and not in all of them, else where the
        opponent has, and the focus spot that the choice ends on.
        """
        track = self.tracker
        game = track.game
        records = game.turn_tree.records
        choices = track.open_question.choices
        bases = [game.turn_tree.find(turn & 0xFFFF) * RECORD_WORDS for turn in choices]
        first = FOCUS + 3 * game.mover
        for number in range(len(bases) - 1, -1, -1):
            meaning = meanings.QUESTION + number
            self.leds[first + layout.turn_focus(choices[number])] = meaning
            if not self._paint_choice(records, bases, number, 3 * game.mover, meaning):
                self._paint_choice(records, bases, number, 3 - 3 * game.mover, meaning)

    def _paint_choice(
        self, records: "array[int]", bases: "list[int]", number: int, word: int, meaning: int
    ) -> bool:
        """Light where one player has copies in one choice only; return whether there are any."""
        found = False
        for era in range(3):
            common = 0xFFFF
            for base in bases:
                common &= records[base + word + era]
            own = records[bases[number] + word + era] & ~common
            for space in range(16):
                if own >> space & 1:
                    self.leds[era << 4 | space] = meaning
                    found = True
        return found

    def _paint_over(self) -> None:
        """Light the winner's copies, or both players' after a draw."""
        state, winner = self.tracker.game.state, self.tracker.winner
        for sensor in range(FOCUS):
            for player in range(2):
                there = state[3 * player + (sensor >> 4)] >> (sensor & 15) & 1
                if there and winner != 1 - player:
                    self.leds[sensor] = meanings.WIN
