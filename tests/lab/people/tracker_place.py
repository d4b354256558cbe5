"""The tracker alone as a place to play at: without matrix, link and firmware, and so much faster.

One rule: the tracker is fed as the debouncer would feed it, in table time that passes at once.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable
from functools import cache
from math import ceil
from random import Random

from chronotable.core import buttons, progress
from chronotable.core.health import ReedHealth
from chronotable.core.poles import PoleOwnership
from chronotable.core.tracker import Tracker
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights.hints import Hints
from chronotable_host.archive.comments import UNDERSTOOD
from chronotable_host.hardware import boards
from chronotable_host.live.texts.table_texts import FAULTS
from chronotable_host.pieces import Pieces, is_object, pieces_of
from chronotable_host.virtual.table import SAMPLE_MS, until_sample
from tests.lab.people.place import (
    BOARD,
    OVER,
    PROVISIONAL,
    QUESTION,
    SET_UP,
    TURN,
    Place,
    Told,
    button,
    is_asking,
)
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE
from ttykm.turns import RECORDS_IN_GAMES

_DEBOUNCE_MS = 25
_ROUND_MS = 20
_FLICKER_MS = (20, 60)
_SET_UP_MS = 1000


@cache
def _cells() -> bytearray:
    """Return the cell of each sensor, as the firmware has it."""
    return boards.read(BOARD).cell_of


class _Sink(Told):
    """Hears the tracker, and tells it as the mirror would."""

    def __init__(self) -> None:
        super().__init__()
        self.turn: int | None = None

    def _now(self, kind: str, turn: int | None = None) -> None:
        self.turn = turn
        self.counts[kind] += 1

    def started(self) -> None:
        self._now("started")

    def provisional(self, turn: int) -> None:
        self._now("provisional", turn)

    def reopened(self) -> None:
        self._now("reopened")

    def final(self, _turn: int, understood: int) -> None:
        self._now(UNDERSTOOD[understood])

    def taken_back(self, _turn: int) -> None:
        self._now("taken_back")

    def over(self, _winner: int, _by: int) -> None:
        self._now("over")

    def ask(self, _choices: list[int]) -> None:
        self.counts["ask"] += 1

    def guide(self, _take: bytearray, _put: bytearray, _why: int) -> None:
        self.counts["guide"] += 1

    def fault(self, sensor: int, kind: str) -> None:
        self.faults.append((sensor, FAULTS[kind]))


class TrackedPlace(Place):
    """What a place tells whose tracker is at hand."""

    def _track(self) -> Tracker:
        raise NotImplementedError

    @property
    def game(self) -> Game:
        return self._track().game

    @property
    def choices(self) -> list[int]:
        track = self._track()
        is_open = track.phase == progress.QUESTION and is_asking(self.picture())
        return list(track.open_question.choices) if is_open else []

    @property
    def phase(self) -> str:
        return (SET_UP, TURN, PROVISIONAL, QUESTION, OVER)[self._track().phase]


class TrackerPlace(TrackedPlace):
    """The tracker and its lights, fed as the debouncer would feed them.

    A contact counts once it has held for 25 ms, so that shorter ones are not felt at all.
    """

    tracker_type: Callable[..., Tracker] = Tracker
    sample_ms = 0.0  # how often the sensors of spaces look; reeds always do

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._now_ms = 0
        self._stuck: dict[int, bool | str] = {}
        self._is_on = True
        self._begin()

    def _begin(self) -> None:
        self._sink = _Sink()
        self.tracker = self._new_tracker(Game(RECORDS_IN_GAMES))
        self._hints = Hints(self.tracker)
        self._magnets: Pieces = {}
        self._closed: set[int] = set()  # as debounced
        self._due: dict[int, int] = {}  # when a contact that changed will count
        self._flips: list[tuple[int, int, bool]] = []  # of flickering reeds

    def _track(self) -> Tracker:
        return self.tracker

    def _new_tracker(self, game: Game) -> Tracker:
        return self.tracker_type(game, self._sink, health=ReedHealth(_cells()))

    @property
    def now_ms(self) -> float:
        return self._now_ms

    @property
    def provisional(self) -> int | None:
        return self._sink.turn

    def told(self) -> Told:
        return self._sink

    def picture(self) -> bytes:
        self._hints.paint()
        return bytes(self._hints.leds[:SENSORS])

    def start(self, state: array[int], options: int) -> None:
        """Begin with a new tracker; what was told, and broken reeds, stay."""
        counts, faults = self._sink.counts, self._sink.faults
        self._begin()
        self._sink.counts, self._sink.faults = counts, faults
        self.tracker.set_up(state, options)
        for sensor, piece in pieces_of(state).items():
            self.piece = piece
            self.place(sensor)
        self.wait(_SET_UP_MS)

    def wait(self, duration_ms: int) -> None:
        """Let time pass: the tracker is updated as the loop would, if less often."""
        end = self._now_ms + duration_ms
        if not self._is_on:
            self._now_ms = end
        while self._now_ms < end:
            now = min([end, self._now_ms + _ROUND_MS, *self._due.values()])
            if self._flips:
                now = min(now, self._flips[0][0])
            self._now_ms = now
            while self._flips and self._flips[0][0] <= now:
                self._flip(*heapq.heappop(self._flips))
            for sensor in [sensor for sensor, due in self._due.items() if due <= now]:
                del self._due[sensor]
                self._closed ^= {sensor}
                self._sink.edges.append((sensor, sensor in self._closed))
                self._edge(sensor, sensor in self._closed)
                if self.sample_ms:  # what came before it looks again
                    self._feel(sensor)
            self.tracker.update(now)

    def lift(self, sensor: int) -> None:
        del self._magnets[sensor]
        self._feel(sensor)

    def place(self, sensor: int) -> None:
        assert sensor not in self._magnets, sensor_name(sensor)
        self._magnets[sensor] = self.piece
        self._feel(sensor)

    def press(self, name: str, side: int) -> None:
        self.wait(_DEBOUNCE_MS)
        buttons.press(self.tracker, button(name, side), self._now_ms)
        self.tracker.update(self._now_ms)

    def power(self, is_on: bool) -> None:
        """Cut the power, or let it come: a table that starts has the turns that were final.

        It has the one whose marker stood, too, as the journal would, where another turn is before.
        What hands do in between no reed tells.
        """
        if is_on == self._is_on:
            return
        self._is_on = is_on
        self._due.clear()
        if is_on:
            if self.tracker.phase == progress.PROVISIONAL and self.game.turns:
                self.game.apply(self.tracker.turn.packed)
            self._sink.turn = None
            self.tracker = self._new_tracker(self.game)
            self._hints = Hints(self.tracker)
            self._closed.clear()
            self.tracker.resume()
            self.tracker.begin_at(self._now_ms)
            for sensor in self._magnets:
                self._feel(sensor)

    def _edge(self, sensor: int, closed: bool) -> None:
        self.tracker.edge(sensor, closed, self._now_ms)

    def break_reed(self, sensor: int, how: bool | str) -> None:
        self._stuck[sensor] = how
        if how == "flicker":
            heapq.heappush(self._flips, (self._now_ms, sensor, True))
        self._feel(sensor)

    def _feel(self, sensor: int, flipped: bool = False) -> None:
        if not self._is_on:
            return
        stuck = self._stuck.get(sensor)
        contact = sensor in self._magnets if stuck is None else stuck
        if contact == "flicker":
            contact = flipped
        seen_ms = self._now_ms
        if self.sample_ms and sensor < FOCUS:
            seen_ms += ceil(until_sample(sensor, seen_ms, self.sample_ms))
        if contact != (sensor in self._closed):
            self._due.setdefault(sensor, seen_ms + _DEBOUNCE_MS)
        elif self._due.get(sensor, seen_ms) >= seen_ms:  # it looks again before that counts
            self._due.pop(sensor, None)

    def _flip(self, _at_ms: int, sensor: int, closed: bool) -> None:
        self._feel(sensor, closed)
        later = self._now_ms + self._rng.randint(*_FLICKER_MS)
        heapq.heappush(self._flips, (later, sensor, not closed))


class HallPlace(TrackerPlace):
    """The same with sensors that look now and then."""

    sample_ms = SAMPLE_MS

    def _new_tracker(self, game: Game) -> Tracker:
        tracker = super()._new_tracker(game)
        cells = bytearray(range(FOCUS))
        tracker.evidence.ownership = PoleOwnership(tracker.health, game, tracker.turn, cells)
        return tracker


class PolePlace(HallPlace):
    """The same with sensors that tell the poles of magnets apart, too."""

    def _new_tracker(self, game: Game) -> Tracker:
        self._felt: Pieces = {}  # by sensor: the pole that is up
        self._lays = Random(len(game.turns))  # which way up an object comes to lie
        tracker = super()._new_tracker(game)
        ownership = tracker.evidence.ownership
        assert isinstance(ownership, PoleOwnership)
        tracker.evidence.poles = ownership
        return tracker

    def _edge(self, sensor: int, closed: bool) -> None:
        """Feed the tracker with an edge, the pole first."""
        if closed and sensor in self._magnets:
            self._felt[sensor] = self._pole(sensor)
        poles = self.tracker.evidence.poles
        if sensor < FOCUS and poles is not None:
            poles.feel(sensor, self._felt.get(sensor, WHITE), closed)
        super()._edge(sensor, closed)

    def _pole(self, sensor: int) -> int:
        """Return whose pole is felt of what lies on a sensor; an object may lie either way up."""
        piece = self._magnets[sensor]
        return self._lays.choice((WHITE, BLACK)) if is_object(piece) else int(piece == BLACK)
