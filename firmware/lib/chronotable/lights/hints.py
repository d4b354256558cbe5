"""Which LED says what: the picture of a moment, as one meaning per sensor.

The picture is painted anew from what the tracker knows; nothing is remembered between pictures.
"""

from chronotable.core import match, progress
from chronotable.core.match import COUNTED, OCCUPIED, TRUSTED
from chronotable.hardware.sensors import FOCUS as FIRST_FOCUS
from chronotable.hardware.sensors import SENSORS
from chronotable.lights.meanings import (
    BACK,
    COPY,
    DOCTOR,
    FOCUS,
    FORWARD,
    FULL,
    LAMP,
    LIFTED,
    MOVE,
    MOVER,
    OFF,
    OWN_DEATH,
    PARADOX,
    PUSH,
    PUT_OBJECT,
    PUT_WHITE,
    QUESTION,
    SQUISH,
    TODO_PUT,
    TODO_TAKE,
    WIN,
)
from ttykm import layout
from ttykm.layout import ACTIVE, EFFECTS, GONE, NOBODY, PARENT, RECORD_WORDS, SEQUENCE, TARGET
from ttykm.mp import const, micropython, ptr8, ptr16

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

MEANINGS = bytearray([MOVE] * (ALL_EFFECTS + 1))
"""What an action means, by its effects; behind them, of the travels forward and back."""
for wanted, meaning in (  # of several, the last one says it
    (layout.PUSH, PUSH),
    (layout.SQUISH | layout.CRUSH | layout.TRAMPLE, SQUISH),
    (layout.PARADOX, PARADOX),
    (layout.OWN_DEATH, OWN_DEATH),
):
    for at in range(ALL_EFFECTS + 1):
        if at & wanted:
            MEANINGS[at] = meaning
MEANINGS.extend(bytes((FORWARD, BACK)))


@micropython.viper
def _paint_choices(records: ptr16, firsts: int, leds: ptr8) -> int:
    """Light every copy that may be chosen (T12)."""
    for index in range(1, firsts):
        leds[records[(index << 4) + 8]] = 2
    return firsts


@micropython.viper
def _choice_of(records: ptr16, firsts: int, place: int) -> int:
    """Return the record of the choice at a place, or -1."""
    for index in range(1, firsts):
        if records[(index << 4) + 8] == place:
            return index
    return -1


def meaning_of(records: "array[int]", base: int) -> int:
    """Return what the last action of the record at word `base` means, consequences included."""
    sequence = records[base + SEQUENCE]
    action = sequence & 63 or sequence >> 6 & 63
    if layout.FORWARD <= action <= layout.BACK:
        return MEANINGS[ALL_EFFECTS + 1 + action - layout.FORWARD]
    return MEANINGS[records[base + EFFECTS]]


class Hints:
    """Paints `leds`, 54 meanings by sensor, from a tracker; `levels` holds both hint levels.

    `is_full` tells that the flash has no room for another game.
    """

    def __init__(self, tracker: "Tracker") -> None:
        self.tracker = tracker
        self._matcher = tracker.matcher
        self.leds = bytearray(_PLACES)  # 54 LEDs; behind them room for the place GONE, 63
        self.levels = bytearray((HINTS_CONSEQUENCES, HINTS_CONSEQUENCES))
        self.is_full = False

    def paint(self) -> None:
        """Paint the picture of this moment."""
        leds = self.leds
        match.darken(leds, _PLACES)
        phase = self.tracker.phase
        if self.tracker.turn.wish != progress.NO_WISH:
            self._paint_wish()
        elif phase == progress.RESTORE:
            self._paint_restore()
        elif phase == progress.TURN:
            self._paint_turn()
        elif phase == progress.PROVISIONAL:
            self._paint_marker(MOVER)
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
            self._light_free_spots(FULL)
        if self.tracker.health.needs_doctor:
            self._light_free_spots(DOCTOR)

    def told(self) -> bytearray:
        """Return the picture as a PC is told it, which knows itself what belongs where."""
        leds = self.leds[:SENSORS]
        if self.tracker.game.turn_tree.has_modules:
            for sensor in range(FIRST_FOCUS):
                if leds[sensor] > PUT_OBJECT:
                    leds[sensor] = TODO_PUT
        return leds

    def _light_free_spots(self, meaning: int) -> None:
        """Light the dark focus spots, for what is no part of the game."""
        for sensor in range(FIRST_FOCUS, SENSORS):
            if self.leds[sensor] == OFF:
                self.leds[sensor] = meaning

    def _paint_wish(self) -> None:
        """Light all that lies there, as a question that *a* says yes to."""
        for sensor in self.tracker.evidence.closed():
            self.leds[sensor] = QUESTION

    def _paint_restore(self) -> None:
        track = self.tracker
        if not track.turn.is_scanned:
            for sensor in range(SENSORS):
                self.leds[sensor] = LAMP
            return
        recovery = track.recovery  # it has compared already, to see whether all lies there
        recovery.guidance.paint(self.leds, recovery.confirms())
        self._name_objects(0)

    def _paint_way_back(self) -> None:
        """Light the way to what lay there before, and whose piece is missing where."""
        recovery = self.tracker.recovery
        recovery.compare(recovery.back_to)
        recovery.guidance.paint(self.leds, recovery.confirms())
        self._name_objects(recovery.back_to)

    def _paint_marker(self, meaning: int) -> None:
        """Light the spots where the mover's marker stands."""
        track = self.tracker
        mover = track.game.mover
        for era in range(3):
            if track.evidence.markers >> (3 * mover + era) & 1:
                self.leds[FIRST_FOCUS + 3 * mover + era] = meaning

    def _paint_turn(self) -> None:
        track, matcher = self.tracker, self._matcher
        leds = self.leds
        mover = track.game.mover
        tree = track.game.turn_tree
        records = tree.records
        level = self.levels[mover]
        if matcher.is_bare():
            return  # the table is cleared
        self._paint_marker(MOVER)
        if track.recovery.leads_back:
            self._paint_way_back()
            if track.wanted is not None:
                track.wanted.paint(leds)
            return
        if track.chooser is not None and track.chooser.is_open():
            track.chooser.paint(leds)
            return
        if level == HINTS_OFF:
            if not matcher.lies_there() and not self._fits_anything():
                self._paint_back()
            return
        if matcher.is_untouched():
            if level < HINT_LEVELS or _choice_of(records, tree.firsts, level - HINT_LEVELS) < 0:
                _paint_choices(records, tree.firsts, leds)
            else:
                leds[level - HINT_LEVELS] = COPY
        elif matcher.lies_there():
            self._paint_preview(matcher.prefix)
            place = records[matcher.prefix * RECORD_WORDS + ACTIVE]
            if place != GONE and matcher.prefix < tree.seconds:
                leds[place] = COPY
        else:
            self._paint_on_the_way(level)
        state = track.game.state
        here = layout.focus(state, mover)
        home = FIRST_FOCUS + 3 * mover + here
        if matcher.may_end():
            for era in range(3):
                if era != here and leds[home - here + era] == OFF:
                    leds[home - here + era] = FOCUS
        elif not track.evidence.is_marker_home(state, mover) and (
            track.evidence.marker_era(state, mover) < 0 or matcher.lies_there()
        ):
            # it is in a hand, or was moved although actions are due; while pieces of a turn are
            # still to be moved it may stand
            self._paint_misplaced_marker(here, mover)
        if not track.evidence.is_marker_home(state, 1 - mover):
            other = 1 - mover
            self._paint_misplaced_marker(layout.focus(state, other), other)

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
            there = match.lying(tree, index, era)
            new = there & ~match.lying(tree, 0, era)
            place = era << 4
            while new:
                if new & 1 and leds[place] == OFF:
                    leds[place] = PUSH
                new >>= 1
                place += 1
        start = records[at * RECORD_WORDS + ACTIVE]
        era = start >> 4
        there = records[base + era] | records[base + 3 + era]
        if leds[start] == OFF and not there >> (start & 15) & 1:
            leds[start] = LIFTED

    def _paint_misplaced_marker(self, era: int, player: int) -> None:
        """Light where a player's marker should be and is not, and where it should not be."""
        first = FIRST_FOCUS + 3 * player
        mine = self.tracker.evidence.spots(player)
        for spot in range(3):
            if mine >> spot & 1 and spot != era:
                self.leds[first + spot] = TODO_TAKE
        if not mine >> era & 1:
            self.leds[first + era] = TODO_PUT

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
            if nearest < 0:
                self._paint_back()
            else:
                self._paint_difference(nearest)
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
        self._paint_owners(index)
        self._name_objects(index)

    def _name_objects(self, index: int) -> None:
        """Say of each object that is to be put down for a record which kind it is."""
        chooser = self.tracker.chooser
        if chooser is not None and self._matcher.game.turn_tree.has_modules:
            chooser.name_objects(index, self.leds)

    def _paint_owners(self, index: int) -> None:
        """Say of each copy that is to be put down for a record whose it is."""
        records = self._matcher.game.turn_tree.records
        for sensor in range(FIRST_FOCUS):
            if self.leds[sensor] == TODO_PUT:
                for player in range(2):
                    word = records[index * RECORD_WORDS + 3 * player + (sensor >> 4)]
                    if word >> (sensor & 15) & 1:
                        self.leds[sensor] = PUT_WHITE + player

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
        track = self.tracker
        place = -1
        state = track.game.state
        for era in range(3):
            touched = track.evidence.fresh[COUNTED + era]
            if touched:
                if place >= 0 or touched & (touched - 1):
                    return -1
                space = 0
                while not touched >> space & 1:
                    space += 1
                place = era << 4 | space
        mover = track.game.mover
        if place < 0 or not state[3 * mover + (place >> 4)] >> (place & 15) & 1:
            return -1
        if track.evidence.observed[OCCUPIED + (place >> 4)] >> (place & 15) & 1:
            return -1
        tree = track.game.turn_tree
        return _choice_of(tree.records, tree.firsts, place)

    def _fits_anything(self) -> bool:
        tree = self._matcher.game.turn_tree
        return match.nearest(tree.records, 0, tree.end, 0, self._matcher.costs) >= 0

    def _paint_back(self) -> None:
        """Light the way back to the last arrangement that was legal."""
        self._paint_difference(self._matcher.way_back())

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
        first = FIRST_FOCUS + 3 * game.mover
        for number in range(len(bases) - 1, -1, -1):
            meaning = QUESTION + number
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
        track = self.tracker
        state = track.game.state
        for player in range(2):
            if track.winner in (player, NOBODY):
                for era in range(3):
                    for space in range(16):
                        if state[3 * player + era] >> space & 1:
                            self.leds[era << 4 | space] = WIN
