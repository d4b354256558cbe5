"""What the reeds have shown of a turn so far: what lies there, and what was touched.

Which turn that makes is matcher.py's; here is only what hands and reeds are like. A reed that
changes and changes back within 70 ms was brushed by something carried past: that counts as a touch
for a turn that needs one, and not against a turn that needs none. A space whose reed is not trusted
counts as touched, and what lies there is taken from the game.
"""

from array import array

from chronotable.core import match
from chronotable.core.match import COUNTED, MAGNETS, OCCUPIED, TOUCHED, TRUSTED
from chronotable.core.ownership import Ownership
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from ttykm import layout
from ttykm.layout import RECORD_WORDS
from ttykm.mp import const

if False:
    from chronotable.core.health import ReedHealth
    from chronotable.core.poles import PoleOwnership
    from ttykm.turns import TurnTree

_BRUSH_MS = const(70)  # quicker than a hand lifts and places
_TWO_HANDS_MS = const(60)  # but perhaps not than one lifts and another one places
_AT_ONCE_MS = const(60)  # pieces that go quicker than hands lift one after the other
_PROVEN = const(2)  # edges that show that a reed both opens and closes
_MANY = const(255)
_NOTHING = const(-1)
_SPOTS_OF = (7, 56)  # bits of each player's focus reeds


class TurnEvidence:
    """`observed` is the observation of the turn so far, `fresh` the same with the touches since the
    last record that lay there; `markers` has bit player * 3 + era for each closed focus reed.
    """

    poles: "PoleOwnership | None" = None  # the `ownership`, where owners are felt

    def __init__(self, health: "ReedHealth") -> None:
        self.health = health
        self.observed = match.observation()
        self.fresh = match.observation()
        self.ownership = Ownership()
        self.markers = 0
        self.lifted_own = 0  # own copies of the focus era that were in a hand this turn
        self.first = 0  # the space of the first of them
        self.went_out = False  # some were, and all lay as before the turn again
        self.is_frozen = False  # touches change what lies there, and are no evidence
        self._edges = bytearray(SPACES)  # of each space in this turn
        self._closed = array("H", (0, 0, 0))  # what every reed says, trusted or not
        self._closed_markers = 0
        self._homes = 0  # the two spots where the markers stand in the position
        self._doubtful = 0  # spots that closed while another one of their player was closed
        self._brush = _NOTHING  # the space that changed last, which may be brushed
        self._brush_ms = 0
        self._was_counted = 0
        self._had_lifted = 0
        self.swept = array("H", (0, 0, 0))  # spaces from which pieces went at once
        self.lost = array("H", (0, 0, 0))  # spaces that opened with their line, which failed
        self._lifted = _NOTHING  # the space of the last lift in this turn
        self._lifted_ms = 0
        self.is_saved = False  # `_saved` has the observation of the turn before
        self._saved = match.observation()
        self._saved_lifted = 0

    # ---- what comes in

    def touch(
        self,
        sensor: int,
        closed: bool,
        now_ms: int,
        is_own: bool,
        wanted: int,
        is_confirmed: bool = False,
    ) -> None:
        """Take an edge of a trusted space.

        `is_own` tells that a copy which may act lay there, `wanted` is the colour that the lights
        ask for there, or -1; `is_confirmed` that hands minded them (ownership.py).
        """
        era, bit = sensor >> 4, 1 << (sensor & 15)
        observed, fresh = self.observed, self.fresh
        passed_ms = now_ms - self._brush_ms
        is_brush = sensor == self._brush and passed_ms <= _BRUSH_MS
        self._brush = _NOTHING if is_brush else sensor
        self._brush_ms = now_ms
        if is_brush:
            self.ownership.restore()
            # Hall switches look too seldom to tell
            if closed and (passed_ms >= _TWO_HANDS_MS or self.poles is not None):
                self.ownership.doubt(era, bit)
        else:
            self.ownership.save()
            if not closed:
                self._note_lift(sensor, now_ms)
            self.ownership.passed_ms = passed_ms
            self.ownership.touch(era, bit, closed, wanted, is_confirmed)
        self.occupy(era, bit, closed)
        if self.is_frozen:
            return
        if self._edges[sensor] < _MANY:
            self._edges[sensor] += 1
        observed[TOUCHED + era] |= bit
        fresh[TOUCHED + era] |= bit
        if is_brush:
            self.lifted_own = self._had_lifted
            if not self._was_counted & 1:
                observed[COUNTED + era] &= ~bit & 0xFFFF
            if not self._was_counted & 2:
                fresh[COUNTED + era] &= ~bit & 0xFFFF
            return
        self._was_counted = (
            bool(observed[COUNTED + era] & bit) | bool(fresh[COUNTED + era] & bit) << 1
        )
        self._had_lifted = self.lifted_own
        if is_own and not closed:
            if not self.lifted_own:
                self.first = sensor & 15
            self.lifted_own |= bit
        observed[COUNTED + era] |= bit
        fresh[COUNTED + era] |= bit

    def _note_lift(self, sensor: int, now_ms: int) -> None:
        """Note whether a piece goes as soon after another one as only an accident takes them."""
        before, self._lifted = self._lifted, sensor
        is_at_once = before != _NOTHING and now_ms - self._lifted_ms < _AT_ONCE_MS
        self._lifted_ms = now_ms
        if is_at_once:
            gone = self.lost if self.health.lost_line else self.swept
            gone[before >> 4] |= 1 << (before & 15)
            gone[sensor >> 4] |= 1 << (sensor & 15)

    def has_swept(self) -> bool:
        """Tell whether several pieces that went at once are still missing."""
        missing = 0
        for era in range(3):
            rest = self.swept[era] & ~self.observed[OCCUPIED + era]
            while rest:
                rest &= rest - 1
                missing += 1
        return missing > 1

    def freeze(self, is_frozen: bool) -> None:
        """Have touches change what lies there only, and speak neither for nor against a turn."""
        self.is_frozen = is_frozen
        self._brush = _NOTHING

    def set_reed(self, sensor: int, closed: bool) -> None:
        """Note the state of a reed, trusted or not."""
        if sensor < FOCUS:
            era, bit = sensor >> 4, 1 << (sensor & 15)
            self._closed[era] = self._closed[era] | bit if closed else self._closed[era] & ~bit
        else:
            bit = 1 << (sensor - FOCUS)
            self._doubtful &= ~bit
            if closed:
                others = self.markers & _SPOTS_OF[(sensor - FOCUS) // 3] & ~bit
                if others:
                    self._doubtful |= bit
                if not bit & self._homes:
                    self._doubtful |= others & ~self._homes  # a marker is on one of them only
                self._closed_markers |= bit
            else:
                self._closed_markers &= ~bit
            self.markers = self._closed_markers & ~self.health.markers

    def is_closed(self, sensor: int) -> bool:
        """Tell whether a reed is closed, trusted or not."""
        if sensor < FOCUS:
            return self._closed[sensor >> 4] >> (sensor & 15) & 1 != 0
        return self._closed_markers >> (sensor - FOCUS) & 1 != 0

    def closed(self) -> "list[int]":
        """Return the sensors that are closed, trusted or not."""
        return [sensor for sensor in range(SENSORS) if self.is_closed(sensor)]

    # ---- which reeds count

    def distrust(self, sensor: int, turn_tree: "TurnTree", index: int) -> None:
        """Leave a reed out from now on; what lies there is taken from a record."""
        if sensor >= FOCUS:
            self.markers = self._closed_markers & ~self.health.markers
            return
        era, bit = sensor >> 4, 1 << (sensor & 15)
        for observation in (self.observed, self.fresh):
            observation[TRUSTED + era] &= ~bit & 0xFFFF
            observation[TOUCHED + era] |= bit
            observation[COUNTED + era] &= ~bit & 0xFFFF
        self.lifted_own &= ~bit
        self._brush = _NOTHING
        self.assume(turn_tree, index)

    def assume(self, turn_tree: "TurnTree", index: int) -> None:
        """Take from a record what lies on the spaces whose reeds are not trusted."""
        for era in range(3):
            unfelt = self.health.distrusted[era]
            if unfelt:
                there = match.lying(turn_tree, index, era)
                occupied = self.observed[OCCUPIED + era] & ~unfelt | there & unfelt
                self.observed[OCCUPIED + era] = self.fresh[OCCUPIED + era] = occupied

    def trust(self, sensor: int) -> None:
        """Let a reed count again; its space counts as touched, as nobody looked at it meanwhile."""
        if sensor >= FOCUS:
            self.markers = self._closed_markers & ~self.health.markers
            return
        era, bit = sensor >> 4, 1 << (sensor & 15)
        for observation in (self.observed, self.fresh):
            observation[TRUSTED + era] |= bit
            observation[TOUCHED + era] |= bit
        self.occupy(era, bit, self._closed[era] & bit != 0)

    def is_unproven(self, sensor: int, now_ms: int) -> bool:
        """Tell whether a space's reed has not shown in this turn that it works.

        It has when it opened and closed, and not as often as only a broken one does.
        """
        return self._edges[sensor] < _PROVEN or self.health.is_restless(sensor, now_ms)

    def is_restless(self, now_ms: int) -> bool:
        """Tell whether some space changed too often lately to be believed."""
        for sensor in range(SPACES):
            if self._edges[sensor] >= _PROVEN and self.health.is_restless(sensor, now_ms):
                return True
        return False

    # ---- the course of a turn

    def start(self, state: "array[int]") -> None:
        """Begin a turn: the position lies there, and nothing has been touched."""
        self.ownership.start(state)
        self._homes = 1 << layout.focus(state, 0) | 8 << layout.focus(state, 1)
        self._doubtful &= ~self._homes
        self.lifted_own = 0
        self.went_out = False
        match.clear(self._edges, SPACES)
        self._brush = _NOTHING
        self.clear()

    def clear(self) -> None:
        """Forget what was touched."""
        for era in range(3):
            unfelt = self.health.distrusted[era]
            self.observed[TOUCHED + era] = self.fresh[TOUCHED + era] = unfelt
            self.observed[COUNTED + era] = self.fresh[COUNTED + era] = 0
            self.observed[TRUSTED + era] = self.fresh[TRUSTED + era] = ~unfelt & 0xFFFF
            self.swept[era] = self.lost[era] = 0
        self._lifted = _NOTHING

    def end_excursion(self, turn_tree: "TurnTree") -> None:
        """Forget the touches, if a turn was begun and all of it is put back.

        All lies as before the turn, owners included, and no hand holds anything.
        """
        if self.is_touched() and self.is_certain_of(turn_tree, 0):
            self.rest_on(turn_tree, 0, False)
            self.went_out = self.lifted_own != 0

    def rest_on(self, turn_tree: "TurnTree", index: int, anew: bool = True) -> None:
        """Take it for certain that a record lies there, and nothing else was touched.

        With record 0, the position before it, the turn begins anew; not `anew`, after an
        excursion, it goes on and keeps in mind which own copies were lifted.
        """
        if anew and not index:
            self.lifted_own = 0
        self.clear()
        self.ownership.know(turn_tree.records, index * RECORD_WORDS)
        self._brush = _NOTHING
        for era in range(3):
            self.observed[TOUCHED + era] |= match.needed(
                turn_tree.records, turn_tree.objects, turn_tree.has_modules, index, era
            )

    def refresh(self, is_certain: bool) -> None:
        """Count the `fresh` touches from here on: the reeds show that a record lies there.

        Presence does not tell colours. So unless it `is_certain` whose copy lies where, the spaces
        that were touched before stay touched; they speak against no turn any more.
        """
        for era in range(3):
            if is_certain:
                self.fresh[TOUCHED + era] = self.health.distrusted[era]
            self.fresh[COUNTED + era] = 0

    def doubt_touched(self) -> None:
        """Doubt whose is what was touched: it was no part of a turn that counts."""
        for era in range(3):
            touched = self.observed[TOUCHED + era] & self.observed[OCCUPIED + era]
            self.ownership.doubt(era, touched)

    def save(self) -> None:
        """Remember the observation of a turn that ends, for `go_back`."""
        for word in range(match.OBSERVATION_WORDS):
            self._saved[word] = self.observed[word]
        self._saved_lifted = self.lifted_own
        self.is_saved = True

    def forget(self) -> None:
        """Drop the observation of the last turn: another position is set up now."""
        self.is_saved = False

    def go_back(self) -> None:
        """Go on with the turn that ended last, with the touches that were saved at its end.

        Where none were, any space may have been touched.
        """
        for era in range(3):
            for observation in (self.observed, self.fresh):
                observation[TOUCHED + era] = self._saved[TOUCHED + era] if self.is_saved else 0xFFFF
                observation[COUNTED + era] = self._saved[COUNTED + era] if self.is_saved else 0
        if self.is_saved:
            self.lifted_own = self._saved_lifted
        self.is_saved = False
        self.ownership.forget()

    def is_touched(self) -> bool:
        """Tell whether a space was touched since the turn began."""
        observed = self.observed
        for era in range(3):
            if observed[TOUCHED + era] & observed[TRUSTED + era]:
                return True
        return False

    def lies_there(self, turn_tree: "TurnTree", index: int) -> bool:
        """Tell whether a record is what lies there, as far as reeds, and poles, tell."""
        if self.poles is not None and self.poles.denies(turn_tree.records, index * RECORD_WORDS):
            return False
        return (
            match.lies_there(
                turn_tree.records, turn_tree.objects, turn_tree.has_modules, index, self.observed
            )
            != 0
        )

    def is_certain_of(self, turn_tree: "TurnTree", index: int) -> bool:
        """Tell whether a record is known to lie there, owners included, with empty hands."""
        return not self.ownership.is_holding() and self.is_laid(turn_tree, index)

    def is_laid(self, turn_tree: "TurnTree", index: int) -> bool:
        """Tell whether a record is known to lie there, owners included; hands may hold more."""
        if not self.lies_there(turn_tree, index):
            return False
        base = index * RECORD_WORDS
        objects = turn_tree.objects if turn_tree.has_modules else None
        return self.ownership.is_laid(
            turn_tree.records, base, self.observed, objects, base + MAGNETS
        )

    # ---- markers

    def spots(self, player: int) -> int:
        """Return a bit per era for each closed and trusted focus reed of a player."""
        return self.markers >> 3 * player & 7

    def marker_era(self, state: "array[int]", player: int) -> int:
        """Return the era that a player's marker was moved to, or -1 while it has not been.

        Nobody has two markers: a spot that closed while another one was closed does not count.
        """
        spots = (self.markers & ~self._doubtful) >> 3 * player & 7
        here = layout.focus(state, player)
        for era in range(3):
            if spots == 1 << era and era != here:
                return era
        return -1

    def is_marker_home(self, state: "array[int]", player: int) -> bool:
        """Tell whether a player's marker, and no other, stands at the focus of the position."""
        home = 1 << layout.focus(state, player)
        unfelt = self.health.markers >> 3 * player & home
        return self.spots(player) == (0 if unfelt else home)

    def occupy(self, era: int, bit: int, closed: bool) -> None:
        """Note whether there is a piece on a space."""
        occupied = self.observed[OCCUPIED + era]
        occupied = occupied | bit if closed else occupied & ~bit
        self.observed[OCCUPIED + era] = self.fresh[OCCUPIED + era] = occupied
