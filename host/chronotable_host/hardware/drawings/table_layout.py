"""Where on the table everything is: spaces, reeds, LEDs, buttons and the holes for them.

All places are in mm from the table's north-west corner, east and south, seen from above.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import (
    BUTTON,
    BUTTONS,
    ERAS,
    FOCUS,
    INPUTS,
    PLAYERS,
    SENSORS,
    SHARED,
)
from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.paper import Box, Point
from chronotable_host.language import names, tr

GLASS_MM = (14, 2)
"""Length and thickness of a reed's glass."""
REED_MM = 10
"""Distance of a reed's middle from the middle of its space, along the reed."""
STRAY_MM = 7
"""How far from the middle of its space a piece may stand and still be felt there alone."""
MAGNET_MM = (10, 2)
"""Diameter and thickness of the magnet under a piece."""
PLATE_MM = 3
"""Thickness of the plate between a magnet and its reed."""

REACH_MM = 6
"""How far a magnet's lower face may be from the glass of its reed."""

LATH_MM = (10, 40)
"""Thickness and least height of the frame that the plate lies on."""
PICO_BOARD_MM = (80, 60)
"""The perfboard with the Pico, east by south."""

LED_HOLE_MM = 5
SCREW_MM = 3.2
"""Diameter for a screw M3 that holds a circuit board."""
PILOT_MM = 1
"""Diameter of the holes at both ends of a reed, that mark its place from below."""
BUTTON_HOLES_MM = {"own": 12, "shared": 16}
STRIP_MM = (124, 50)
"""Of the circuit board with the plugs of focus spots and buttons."""
SPOT_MM = (24.5, 9, 5, 9)
"""How far the circuit board under a focus spot goes west, north, east and south: of its middle, but
east of its light."""
_PILOT_FROM_MIDDLE_MM = 9
_LEAST_PITCH_MM = 32
_BRIDGE_MM = 1  # of plate left between two holes, and between a hole and the edge
_LED_ROOM_MM = 6  # of a light's own small board, from its middle
_NUT_MM = 4  # of a button's nut, around its hole
_PICO_MM = 21  # how wide a Pico is
_STEP_MM = 5  # in which a place for the Pico's board is looked for


@dataclass(frozen=True)
class PlacedReed:
    """A reed's middle, and the unit vector along it that points to the magnet's middle."""

    middle: Point
    towards: Point

    def along(self, distance: float) -> Point:
        """Return the place so many mm from the reed's middle, along the reed."""
        (x, y), (dx, dy) = self.middle, self.towards
        return x + dx * distance, y + dy * distance


@dataclass(frozen=True)
class Hole:
    """A hole to drill, for a `kind` (led, pilot, screw, button) of a sensor.

    A screw's is the first space of the circuit board that it holds.
    """

    kind: str
    sensor: int
    at: Point
    diameter: float


def tile_screws(pitch: float) -> list[Point]:
    """Return where the screws of an era's circuit board are, from its middle."""
    return [(x, 1.5 * y * pitch + 6) for x in (-pitch, pitch) for y in (-1, 1)]


def middle_of(geometry: Mapping[str, Any], sensor: int) -> Point:
    """Return where the middle of a piece, or of a button, is by a board file's geometry."""
    if sensor >= BUTTON:
        name, side = BUTTONS[sensor - BUTTON]
        x, y = geometry["buttons"]["shared" if side == SHARED else PLAYERS[side]][name]
        return x, y
    if sensor >= FOCUS:
        player, era = divmod(sensor - FOCUS, len(ERAS))
        x, y = geometry["focus"][PLAYERS[player]][era]
        return x, y
    x, y = geometry["space_1"][sensor // 16]
    return x + sensor % 4 * geometry["pitch"], y + sensor % 16 // 4 * geometry["pitch"]


@dataclass(frozen=True)
class TableLayout:
    """A checked board with the geometry of its file."""

    board: Board
    geometry: Mapping[str, Any]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the table."""
        width, height = self.geometry["table"]
        return width, height

    def middle(self, sensor: int) -> Point:
        """Return where the middle of a piece, or of a button, is."""
        return middle_of(self.geometry, sensor)

    def led(self, sensor: int) -> Point:
        """Return where the light of a space or focus spot is: beside the piece, not under it."""
        x, y = self.middle(sensor)
        if sensor >= FOCUS:
            return x + 18.5, y
        corner = self.geometry["pitch"] * 0.33
        return x + corner, y - corner

    def reed(self, sensor: int) -> PlacedReed:
        """Return how the reed of a space or focus spot lies: beside the middle, pointing at it."""
        x, y = self.middle(sensor)
        if sensor >= FOCUS:
            return PlacedReed((x - REED_MM, y), (1, 0))
        return PlacedReed((x, y + REED_MM), (0, -1))

    @property
    def is_of_circuit_boards(self) -> bool:
        """Tell whether reeds and lights are on circuit boards: where shift registers read them."""
        return bool(self.board.register_pins)

    def pico_board(self) -> Point | None:
        """Return the north-west corner of the Pico's board, None where there is no room for it.

        It lies flat under the plate beside all boards, reeds, lights and buttons, as near to the
        first LED as can be.
        """
        return self._free(PICO_BOARD_MM, self.led(self.board.led_of.index(0)), self._taken())

    def strip(self) -> Point | None:
        """Return the north-west corner of the strip, None where there is none, or no room for it.

        It lies as the Pico's board does, as near as can be to the end of the future's last row but
        two, where the ribbon to it begins.
        """
        pico = self.pico_board()
        if not self.is_of_circuit_boards or pico is None:
            return None
        east, south = (at + size for at, size in zip(pico, PICO_BOARD_MM, strict=True))
        return self._free(STRIP_MM, self.middle(2 * 16 + 7), [*self._taken(), (*pico, east, south)])

    def _free(
        self, size: tuple[float, float], near: Point, taken: Sequence[Box]
    ) -> tuple[int, int] | None:
        """Return where a board of that size lies next to a place, by its north-west corner."""
        (width, height), (wide, high), lath = self.size, size, LATH_MM[0]
        x, y = near
        corners = [
            (left, top)
            for top in range(lath, int(height - lath - high) + 1, _STEP_MM)
            for left in range(lath, int(width - lath - wide) + 1, _STEP_MM)
        ]
        corners.sort(key=lambda at: hypot(at[0] + wide / 2 - x, at[1] + high / 2 - y))
        for left, top in corners:
            if not any(
                left < east and left + wide > west and top < south and top + high > north
                for west, north, east, south in taken
            ):
                return left, top
        return None

    def pico_usb(self, board: Point) -> tuple[Point, Point]:
        """Return where the Pico's USB socket is on its board, and the unit vector it points along.

        It points away from the edge, and into a gap between two boards where there is one.
        """
        wide, high = PICO_BOARD_MM
        pitch = self.geometry["pitch"]
        edges = sorted(x - pitch / 2 for x, _ in self.geometry["space_1"])
        gaps = [(west + 4 * pitch + east) / 2 for west, east in pairwise(edges)]
        room = (board[0] + _PICO_MM / 2, board[0] + wide - _PICO_MM / 2)
        fitting = [gap for gap in gaps if room[0] <= gap <= room[1]]
        x = fitting[0] if fitting else board[0] + wide / 2
        is_north = board[1] + high / 2 < self.size[1] / 2
        return ((x, board[1] + high), (0, 1)) if is_north else ((x, board[1]), (0, -1))

    def _taken(self) -> list[Box]:
        """Return what is taken under the plate."""
        pitch = self.geometry["pitch"]
        boxes: list[Box] = []
        for x, y in self.geometry["space_1"]:
            north_west = (x - pitch / 2, y - pitch / 2)
            boxes.append((*north_west, north_west[0] + 4 * pitch, north_west[1] + 4 * pitch))
        for hole in self.holes():
            room = {"led": _LED_ROOM_MM, "pilot": GLASS_MM[1]}.get(
                hole.kind, hole.diameter / 2 + _NUT_MM
            )
            (x, y) = hole.at
            boxes.append((x - room, y - room, x + room, y + room))
        if self.is_of_circuit_boards:
            west, north, east, south = SPOT_MM
            for sensor in range(FOCUS, SENSORS):
                (x, y), (lamp, _) = self.middle(sensor), self.led(sensor)
                boxes.append((x - west, y - north, lamp + east, y + south))
        return boxes

    def holes(self) -> list[Hole]:
        """Return all holes, by sensor."""
        found = []
        for sensor in range(SENSORS):
            found.append(Hole("led", sensor, self.led(sensor), LED_HOLE_MM))
            if not self.is_of_circuit_boards:
                reed = self.reed(sensor)
                found += [
                    Hole("pilot", sensor, reed.along(side * _PILOT_FROM_MIDDLE_MM), PILOT_MM)
                    for side in (-1, 1)
                ]
        for first in range(0, FOCUS, 16) if self.is_of_circuit_boards else ():
            (west, north), (east, south) = self.middle(first), self.middle(first + 15)
            found += [
                Hole("screw", first, ((west + east) / 2 + x, (north + south) / 2 + y), SCREW_MM)
                for x, y in tile_screws(self.geometry["pitch"])
            ]
        for sensor in range(BUTTON, INPUTS):
            kind = "shared" if BUTTONS[sensor - BUTTON][1] == SHARED else "own"
            found.append(Hole("button", sensor, self.middle(sensor), BUTTON_HOLES_MM[kind]))
        return found


def layout_of(board_data: Mapping[str, Any]) -> TableLayout:
    """Return where everything is on the table of a parsed board file.

    Raises BoardFileError where the file is wrong, where a reed does not fit under a space, and
    where two holes run into each other or over the edge.
    """
    data = dict(board_data)
    layout = TableLayout(boards.load(data), data["geometry_mm"])
    pitch = layout.geometry["pitch"]
    if pitch < _LEAST_PITCH_MM:
        raise boards.BoardFileError(
            "geometry_mm.pitch",
            tr(
                "a reed and an LED need spaces of {least} mm, not {pitch}",
                least=_LEAST_PITCH_MM,
                pitch=pitch,
            ),
        )
    _check_holes(layout)
    return layout


def _check_holes(layout: TableLayout) -> None:
    width, height = layout.size
    holes = layout.holes()
    for index, hole in enumerate(holes):
        x, y = hole.at
        least = hole.diameter / 2 + _BRIDGE_MM
        if not (least <= x <= width - least and least <= y <= height - least):
            raise boards.BoardFileError(
                "geometry_mm.table", tr("{hole} is too near to the edge", hole=_name_of(hole))
            )
        for other in holes[:index]:
            far = hypot(x - other.at[0], y - other.at[1])
            if far < (hole.diameter + other.diameter) / 2 + _BRIDGE_MM:
                raise boards.BoardFileError(
                    "geometry_mm",
                    tr("{hole} runs into {other}", hole=_name_of(hole), other=_name_of(other)),
                )


def _name_of(hole: Hole) -> str:
    place = names.place(sensor_name(hole.sensor))
    if hole.kind == "led":
        return tr("the LED of {place}", place=place)
    if hole.kind == "screw":
        return tr("a screw beside {place}", place=place)
    if hole.kind == "pilot":
        return tr("the reed of {place}", place=place)
    return tr("the {button}", button=place)
