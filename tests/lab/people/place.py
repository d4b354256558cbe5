"""Where a person sits and plays: a table with reeds, lights and buttons, in table time.

One rule: a person gets nothing from a place but what a person would see, so a place tells no more
than lights, the open question and the game so far. The whole firmware on a virtual table is one
such place; the tracker alone (tracker_place.py) is another, and twenty times as fast.
"""

from __future__ import annotations

from array import array
from collections import Counter
from random import Random
from typing import Protocol

from chronotable.hardware.sensors import BUTTONS, FOCUS, SENSORS, SHARED
from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import KINDS
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.happenings import Fault, Happening, Reed, Turn
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.table_state import PHASES
from chronotable_host.pieces import Pieces
from chronotable_host.virtual.hand import due_pieces
from chronotable_host.virtual.table import VirtualTable, settings_for
from chronotable_host.virtual.tabletop import look_of
from ttykm.game import Game
from ttykm.layout import STATE_WORDS, WHITE

_SET_UP_MS = 1000
_FELT_MS = 60
_PRESS_MS = 100

_OBJECTS = {name: piece for piece, name in KINDS.items()}

SET_UP, TURN, PROVISIONAL, QUESTION, OVER = PHASES.values()


class Place(Protocol):
    """A table to play at. Sensors are numbered as in chronotable.hardware.sensors."""

    piece: int = WHITE
    """What hands put down next (pieces.py), which reeds do not tell."""

    @property
    def now_ms(self) -> float:
        """Table time."""

    @property
    def game(self) -> Game:
        """The game as the table has it: turns that are final."""

    @property
    def provisional(self) -> int | None:
        """The turn that stands but is not final, packed."""

    @property
    def choices(self) -> list[int]:
        """The turns that the table asks about."""

    @property
    def phase(self) -> str:
        """One of set-up, turn, provisional, question, over."""

    def picture(self) -> bytes:
        """Return the 54 meanings that the LEDs show."""

    def start(self, state: array[int], options: int) -> None:
        """Begin a game, with its position on the table."""

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""

    def lift(self, sensor: int) -> None:
        """Take away what lies on a sensor."""

    def place(self, sensor: int) -> None:
        """Put the `piece` or a marker on a sensor."""

    def press(self, name: str, side: int) -> None:
        """Press a button."""

    def break_reed(self, sensor: int, how: bool | str) -> None:
        """Break a reed: stuck closed (True), stuck open (False), or "flicker"."""

    def told(self) -> Told:
        """Return what the table told so far."""


class Told:
    """What a table told: `counts` by kind, `faults` as sensor and kind, `edges` as felt.

    Edges are those of the sensors but the buttons; a mirror tells them only when it traces.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[tuple[int, str]] = []
        self.edges: list[tuple[int, bool]] = []

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Turn):
            self.counts[happening.understood] += 1
        elif isinstance(happening, Fault):
            self.faults.append((parse_sensor(happening.space), happening.fault))
        elif isinstance(happening, Reed):
            sensor = parse_sensor(happening.reed)
            if sensor < SENSORS:
                self.edges.append((sensor, happening.closed))
        elif happening.kind in _COUNTED:
            self.counts[happening.kind] += 1


def button(name: str, side: int) -> int:
    """Return the number of a button, which may be that of both sides."""
    return BUTTONS.index((name, side) if (name, side) in BUTTONS else (name, SHARED))


def is_asking(picture: bytes) -> bool:
    """Tell whether a picture shows that the table asks something."""
    return not _ASKING.isdisjoint(picture)


_ASKING = {meanings.QUESTION, meanings.QUESTION_B, meanings.QUESTION_C}
_WRONG = {"mismatch", "gap", "log", "notice"}
_COUNTED = {"started", "ask", "guide", "reopened", "taken_back"} | _WRONG


BOARD = "reference"


class TablePlace(Place):
    """A virtual table, and the mirror that tells what its link says; `told` hears it, too."""

    def __init__(self, table: VirtualTable, mirror: Mirror, told: Told) -> None:
        self.table = table
        self.mirror = mirror
        self._told = told

    @property
    def now_ms(self) -> float:
        return self.table.now_ms

    @property
    def game(self) -> Game:
        return self.mirror.game

    @property
    def wanted(self) -> int | None:
        """The turn that hands are to carry out, where the program knows one."""
        return None

    @property
    def provisional(self) -> int | None:
        return self.mirror.provisional

    @property
    def choices(self) -> list[int]:
        return list(self.mirror.choices) if is_asking(self.mirror.table.leds) else []

    @property
    def phase(self) -> str:
        """What the table waits for, as far as LEDs and link tell at once."""
        phase = self.mirror.table.phase
        if self.choices:
            return QUESTION
        if self.provisional is not None:
            return PROVISIONAL
        is_turn = {*meanings.WHOSE_TURN} & {*self.picture()}
        return TURN if phase in (SET_UP, QUESTION) and is_turn else phase

    def told(self) -> Told:
        return self._told

    def picture(self) -> bytes:
        return self.mirror.table.leds

    def words(self, board: Pieces) -> Pieces:
        """Return which object belongs where, as the page of a virtual table calls it.

        Pictures that go over the link name none; `board` is what lies on the table.
        """
        leds = self.mirror.table.leds
        places = {at for at in range(FOCUS) if leds[at] == meanings.TODO_PUT}
        if not places or len(self.game.state) == STATE_WORDS:
            return {}
        stays = {at for at in board if at < FOCUS and leds[at] != meanings.TODO_TAKE} - places
        due = due_pieces(
            self.game, {at: look_of(board[at], at) for at in stays}, places, self.wanted
        )
        return {at: _OBJECTS[name] for at, name in due.items() if name in _OBJECTS}

    def start(self, state: array[int], options: int) -> None:
        """Put a position up on the table; one that plays gets it as a command."""
        for sensor in range(SENSORS):
            if self.table.has_magnet(sensor):
                self.table.lift(sensor)
        self.table.put_up(state)
        session = self.table.session
        if self.mirror.table.phase not in ("", SET_UP) and session is not None:
            self.wait(_FELT_MS)  # what lies there before it is asked for needs no confirming lift
            session.set_up(state, options)
        self.wait(_SET_UP_MS)

    def wait(self, duration_ms: int) -> None:
        self.table.run_until(self.table.now_ms + duration_ms)

    def lift(self, sensor: int) -> None:
        self.table.lift(sensor)

    def place(self, sensor: int) -> None:
        self.table.place(sensor, self.piece)

    def press(self, name: str, side: int) -> None:
        self.table.press(name, side)
        self.wait(_PRESS_MS)

    def break_reed(self, sensor: int, how: bool | str) -> None:
        self.table.set_stuck(sensor, how)

    def close(self) -> None:
        self.table.close()


def open_table_place(seed: int, start: array[int] | None = None) -> TablePlace:
    """Switch a reference table on, with the firmware on this computer and an empty board.

    It waits for a position to be set up: `start`, or that of a standard game.
    """
    settings = None if start is None else settings_for(start, 0)
    told = Told()
    mirror = Mirror(told.hear, trace=True)
    table = VirtualTable.of(BOARD, Random(seed), settings=settings)
    table.attach(Session(mirror))
    table.bounce_ms = 4.0
    return TablePlace(table, mirror, told)
