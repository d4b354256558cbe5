"""The circuit boards of a table: which parts each has, where they are, and what is joined.

Wires are in the order of boards/TILES.md, in one ribbon of ten: each board has the same plug.
"""

from collections.abc import Callable, Mapping
from math import floor
from typing import Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS, INPUTS, SENSORS
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.hardware import boards
from chronotable_host.hardware.circuit import footprints
from chronotable_host.hardware.circuit.copper import (
    BOTTOM,
    GROUND,
    LEAST_STEP,
    TOP,
    Circuit,
    Component,
    UnroutableError,
    route,
    track,
    via,
)
from chronotable_host.hardware.drawings import pico
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.hardware.drawings.table_layout import (
    PICO_BOARD_MM,
    SPOT_MM,
    STRIP_MM,
    TableLayout,
    layout_of,
    tile_screws,
)
from chronotable_host.language import tr

V5, V33, LOAD, CLOCK = "+5V", "+3V3", "LOAD", "CLOCK"
LIGHT_IN, LIGHT_OUT, DATA_OUT, DATA_IN = "LIGHT_IN", "LIGHT_OUT", "DATA_OUT", "DATA_IN"
RIBBON_MA = 2000
"""What the two wires of 5 V in a ribbon carry."""
_OUTPUTS = ("", "B")
"""Behind the name of an input's net: its sensor's first output, and the one for black's copies."""
_BUS_MM, _FEED_MM, _LANE_MM, _STUB_MM = 2.5, 1.6, 0.5, 0.6
"""Widths: of 5 V along a row, from a plug, of 3.3 V along a row, and to a chip."""


def circuits(board_data: Mapping[str, Any]) -> dict[str, tuple[Circuit, int]]:
    """Return all boards of a table, routed, and how many of each it takes.

    Raises BoardFileError as `unrouted` does, and where the spaces are too narrow or too wide.
    """
    try:
        return {name: (route(made), count) for name, (made, count) in unrouted(board_data).items()}
    except UnroutableError as error:
        said = tr("no way was found for a track of {net}", net=error.args[0])
        raise boards.BoardFileError("geometry_mm.pitch", said) from error


def unrouted(board_data: Mapping[str, Any]) -> dict[str, tuple[Circuit, int]]:
    """Return all boards of a table with their parts, and how many of each it takes.

    Raises BoardFileError where the file is wrong, or asks for what these boards cannot do.
    """
    layout = layout_of(board_data)
    board = layout.board
    if not board.register_pins:
        said = tr("circuit boards are for tables whose reeds are read by shift registers")
        raise boards.BoardFileError("matrix", said)
    alike = [*board.cell_of[:16], *board.led_of[:16]]
    for era in range(len(ERAS)):
        there = slice(16 * era, 16 * era + 16)
        found = [*board.cell_of[there], *board.led_of[there]]
        if max(alike) > 15 or found != [16 * era + each for each in alike]:
            said = tr("circuit boards need eras that are wired alike, one after the other")
            raise boards.BoardFileError(f"eras[{era}]", said)
    if board.presence_only:
        said = tr("circuit boards have one kind of sensor at all spaces")
        raise boards.BoardFileError("presence_only", said)
    if board.max_ma > RIBBON_MA:
        said = tr("the ribbon between circuit boards carries {most} mA", most=RIBBON_MA)
        raise boards.BoardFileError("leds.max_ma", said)
    made: dict[str, tuple[Callable[[TableLayout], Circuit], int]] = {
        "tile": (_tile, 3),
        "strip": (_strip, 1),
        "spot": (_spot, SENSORS - FOCUS),
        "pico": (_pico, 1),
    }
    return {name: (make(layout), count) for name, (make, count) in made.items()}


def _ribbon(light: str, data: str) -> dict[int, str]:
    """Return the nets of a ribbon's wires: ground is on both sides of the clock."""
    return {
        1: V5,
        2: V5,
        3: GROUND,
        4: light,
        5: GROUND,
        6: CLOCK,
        7: GROUND,
        8: LOAD,
        9: V33,
        10: data,
    }


def _registers(inputs: list[list[str]], places: list[Point], last: str) -> list[Component]:
    """Return chips of the chain and their capacitors; `inputs` has the nets of each one's eight."""
    parts = []
    chain = [DATA_OUT, *(f"CHAIN{at}" for at in range(1, len(places))), last]
    for chip, (x, y) in enumerate(places):
        wires = dict(zip(footprints.INPUTS, inputs[chip], strict=True))
        wires |= {1: LOAD, 2: CLOCK, 8: GROUND, 15: GROUND, 16: V33}
        wires |= {9: chain[chip], 10: chain[chip + 1]}
        parts += [
            Component(f"U{chip + 1}", "register", (x, y), 90, wires),
            Component(f"C{21 + chip}", "C100n", (x - 7.6, y - 2.475), 0, {1: GROUND, 2: V33}),
        ]
    return parts


def _inputs(first: int) -> list[str]:
    """Return the nets of a chip whose first input is a cell's."""
    return [f"IN{first + input_}" for input_ in range(COLUMNS)]


def _lights(board: Board, sensors: range) -> dict[int, tuple[str, str]]:
    """Return the nets that come into and leave the light of each sensor; they are one chain."""
    chain = sorted(sensors, key=lambda sensor: board.led_of[sensor])
    nets = [LIGHT_IN, *(f"LIGHT{at}" for at in range(1, len(chain))), LIGHT_OUT]
    return {sensor: (nets[at], nets[at + 1]) for at, sensor in enumerate(chain)}


def _halls(n: int, at: Point, signal: str, has_poles: bool) -> list[Component]:
    """Return the Hall switch in the middle of a space, or one on each side of the board.

    Those two are alike and feel a south pole before their faces: the upper one that of white's
    magnet above it, whose north pole is up; the lower one looks the other way, and feels black's.
    """
    kind = "pole" if has_poles else "hall"
    x, y = at
    found = [
        Component(f"S{n}", kind, at, 0, {1: V33, 2: signal, 3: GROUND}),
        Component(f"C{30 + n}", "C100n", (x - 3.5, y), 90, {1: GROUND, 2: V33}),
    ]
    if has_poles:
        other = signal + _OUTPUTS[1]
        found += [
            Component(f"S{16 + n}", kind, at, 0, {1: V33, 2: other, 3: GROUND}, below=True),
            Component(f"R{16 + n}", "R10k", (x - 3.5, y - 4.9), 90, {1: other, 2: V33}),
        ]
    return found


def _tile(layout: TableLayout) -> Circuit:
    """Return the board under the sixteen spaces of an era; its plugs hang below.

    All eras have the same one: what is numbered by the chain begins anew on each.
    """
    board, pitch = layout.board, layout.geometry["pitch"]
    edge = 2 * pitch
    trunk, plug = edge - 2, edge - 8
    rows = [(row - 1.5) * pitch for row in range(4)]
    x1, y1 = layout.middle(0)
    lights = _lights(board, range(16))
    outputs = board.outputs

    def on_tile(at: Point) -> Point:
        return at[0] - x1 - 1.5 * pitch, at[1] - y1 - 1.5 * pitch

    circuit = Circuit(
        "tile",
        (-edge, -edge, edge, max(edge, rows[3] + 23)),
        pitch / (2 * floor(pitch / 2 / LEAST_STEP)),  # so that middles of spaces are on lines
        powered=(GROUND, V5, V33),
    )
    for sensor in range(16):
        n, row = sensor + 1, sensor // 4 * 4
        (x, y), lamp = on_tile(layout.middle(sensor)), on_tile(layout.led(sensor))
        signal = f"IN{board.cell_of[sensor]}"
        comes, leaves = lights[sensor]
        is_eastwards = board.led_of[row] < board.led_of[row + 1]
        light = {1: V5, 2: leaves, 3: GROUND, 4: comes}
        circuit.parts += [
            Component(f"D{n}", "led", lamp, 180 if is_eastwards else 0, light),
            Component(f"C{n}", "C100n", (lamp[0] - 5.4, lamp[1]), 90, {1: V5, 2: GROUND}),
            Component(f"R{n}", "R10k", (x + 3.5, y - 4.9), 90, {1: signal, 2: V33}),
        ]
        if board.sensor == "reed":
            reed = on_tile(layout.reed(sensor).middle)
            circuit.parts.append(Component(f"S{n}", "reed", reed, 0, {1: signal, 2: GROUND}))
        else:
            circuit.parts += _halls(n, (x, y), signal, outputs > 1)
        circuit.texts.append((f"{n}", (x - 6, y + 6), 3))
    buses = [row - 0.33 * pitch + 5 for row in rows]
    for row, bus in zip(rows, buses, strict=True):
        lane = row - 4.9 - 0.825  # along the pads of the resistors
        west = 3.5 if outputs == 1 else -3.5
        circuit.laid += [
            track(V5, TOP, _BUS_MM, (-trunk, bus), (trunk, bus)),
            track(V33, TOP, _LANE_MM, (west - 1.5 * pitch, lane), (3.5 + 1.5 * pitch, lane)),
            *(
                via(V5, (x + dx, bus + dy), 0.9, 0.5)
                for x in (-trunk, trunk)
                for dx in (-0.7, 0.7)
                for dy in (-0.7, 0.7)
            ),
        ]
    top = -0.33 * pitch - 5.08  # between the lights of two rows
    for side, ref, wires in (
        (-1, "J1", _ribbon(LIGHT_IN, DATA_OUT)),
        (1, "J2", _ribbon(LIGHT_OUT, DATA_IN)),
    ):
        circuit.parts.append(
            Component(ref, "ribbon", (side * plug + 1.27, top), 0, wires, below=True)
        )
        circuit.laid += [
            track(V5, BOTTOM, _BUS_MM, (side * trunk, buses[0]), (side * trunk, buses[3])),
            track(V5, BOTTOM, _FEED_MM, (side * plug - side * 1.27, top), (side * trunk, top)),
        ]
    between = rows[0] + pitch / 2, rows[2] + pitch / 2
    aside = (0.0,) if outputs == 1 else (-pitch / 2, pitch / 2)
    chips = [
        [f"{net}{output}" for net in _inputs(first)]
        for first in (0, COLUMNS)
        for output in _OUTPUTS[:outputs]
    ]
    circuit.parts += _registers(chips, [(x, y) for y in between for x in aside], DATA_IN)
    circuit.holes += tile_screws(pitch)
    circuit.texts += [
        ("CHRONOTABLE TILE", (0, rows[1] + 2), 2),
        ("THIS SIDE TO THE PLATE", (0, rows[3] + 6), 1.5),
    ]
    return circuit


_SPOT = (V5, LIGHT_IN, GROUND, LIGHT_OUT, "IN")
"""The wires of the cable to a focus spot."""


def _strip(layout: TableLayout) -> Circuit:
    """Return the board with plugs for the focus spots (north) and the buttons (south)."""
    board = layout.board
    lights = _lights(board, range(FOCUS, SENSORS))
    wide, high = (side / 2 for side in STRIP_MM)
    circuit = Circuit("strip", (-wide, -high, wide, high), LEAST_STEP, powered=(GROUND, V5, V33))
    circuit.parts.append(Component("J1", "ribbon", (-56, -5), 0, _ribbon(LIGHT_IN, DATA_OUT)))
    first, second = (_inputs(INPUTS - COLUMNS * n) for n in (2, 1))
    unused = [V33] * COLUMNS  # of spots and buttons there is nothing more to tell
    if board.outputs > 1:
        chips = [first, unused, second, unused]
        places = [(x, 0.0) for x in (-30.0, -8.0, 14.0, 36.0)]
    else:
        chips, places = [first, second], [(-16.0, 0.0), (22.0, 0.0)]
    circuit.parts += _registers(chips, places, GROUND)
    spots = sorted(range(FOCUS, SENSORS), key=lambda sensor: board.led_of[sensor])
    for at, sensor in enumerate([*spots, *range(BUTTON, INPUTS)]):
        is_spot = sensor < BUTTON
        signal = f"IN{board.cell_of[sensor]}"
        if is_spot:
            x, y, kind, turn, pulled = -41 + 16.5 * at, -19.0, "plug5", 270, -13.0
            comes, leaves = lights[sensor]
            wires = {1: V5, 2: comes, 3: GROUND, 4: leaves, 5: signal}
            if leaves == LIGHT_OUT:
                del wires[4]
            end = x + 10
            circuit.laid.append(track(V5, TOP, 1, (x, y), (x, -22.6)))
        else:
            x, y, kind, turn, pulled = -41 + 9.9 * (at - len(spots)), 19.0, "plug2", 90, 13.0
            wires = {1: signal, 2: GROUND}
            end = x
        circuit.parts += [
            Component(f"J{at + 2}", kind, (x, y), 0, wires),
            Component(f"R{at + 1}", "R10k", (end, pulled), turn, {1: signal, 2: V33}),
        ]
        name = sensor_name(sensor).removeprefix("focus ").removeprefix("button ")
        circuit.texts.append((name, (x + 3, y + 5) if is_spot else (x + 1.25, y + 4.6), 0.9))
    for y, start, end in ((-13 + 0.825, -31.0, 51.5), (13 - 0.825, -41.0, 48.1)):
        circuit.laid.append(track(V33, TOP, _LANE_MM, (start, y), (end, y)))
    circuit.laid += [
        track(V5, TOP, _FEED_MM, (-58, -22.6), (41.5, -22.6)),
        track(V5, TOP, _FEED_MM, (-58, -22.6), (-58, -5)),
        track(V5, TOP, _FEED_MM, (-58, -5), (-53.46, -5)),
    ]
    circuit.holes += [(x, y) for x in (-57, 57) for y in (-17 if x > 0 else 21, 21)][1:]
    circuit.texts.append(("CHRONOTABLE STRIP", (3, 6), 1.5))
    return circuit


def _spot(layout: TableLayout) -> Circuit:
    """Return the board under a focus spot, whose middle is 0, 0; its plug hangs below."""
    x, y = layout.middle(FOCUS)
    lamp = layout.led(FOCUS)[0] - x
    west, north, east, south = SPOT_MM
    reed = layout.reed(FOCUS).middle
    wires = dict(enumerate(_SPOT, 1))
    return Circuit(
        "spot",
        (-west, -north, lamp + east, south),
        LEAST_STEP,
        [
            Component("J1", "plug5", (9, -5), 90, wires, below=True),
            Component("S1", "reed", (reed[0] - x, reed[1] - y), 270, {1: "IN", 2: GROUND}),
            Component("D1", "led", (lamp, 0), 0, {1: V5, 2: LIGHT_OUT, 3: GROUND, 4: LIGHT_IN}),
            Component("C1", "C100n", (lamp - 5.4, 0), 90, {1: V5, 2: GROUND}),
        ],
        powered=(GROUND, V5),
        texts=[("CHRONOTABLE SPOT", (-9, 5), 1.2), ("THIS SIDE TO THE PLATE", (-9, -5), 1)],
    )


def _pico(layout: TableLayout) -> Circuit:
    """Return the board of the Pico, whose USB socket is north.

    5 V go through the fuse and a switch that opens slowly, so that the large capacitor behind it is
    no short for the port (boards/BUILD.md, Power).
    """
    board = layout.board
    wide, high = PICO_BOARD_MM
    wires = {n: GROUND for n, name in pico.PINS.items() if name.endswith("GND")}
    wires |= {pico.VBUS: "VBUS", pico.VSYS: "VSYS", 36: V33}
    load, clock, data = board.register_pins
    sound = board.sound_pin if board.sound_pin >= 0 else 26
    wires |= {
        pico.pin_of(gpio): net
        for gpio, net in (
            *((load, "GP_LOAD"), (clock, "GP_CLOCK"), (data, DATA_OUT)),
            *((board.led_pin, "GP_LIGHT"), (sound, "GP_SOUND")),
        )
    }
    left = {pin: net for pin, net in wires.items() if pin <= 20}
    right = {pin - 20: net for pin, net in wires.items() if pin > 20}
    row = -24.13  # of the Pico's first pins
    fused = "FUSED"
    shifted = {1: GROUND, 2: "GP_LIGHT", 3: GROUND, 4: "SHIFTED", 5: V5}
    return Circuit(
        "pico",
        (-wide / 2, -high / 2, wide / 2, high / 2),
        LEAST_STEP,
        [
            Component("J2", "socket", (-33.02, row), 0, left),
            Component("J3", "socket", (-15.24, -row), 180, right),
            Component("F1", "fuse", (-7, row), 0, {1: "VBUS", 2: fused}),
            Component(
                "U1",
                "switch",
                (1.27, row + 0.95),
                0,
                {1: fused, 2: GROUND, 3: fused, 4: "CT", 6: V5},
            ),
            Component("C1", "C1u", (-2.5, row + 3.8), 0, {1: GROUND, 2: fused}),
            Component("C2", "C10n", (4, row + 4.5), 270, {1: "CT", 2: GROUND}),
            Component("C3", "C1000u", (10.16, -14), 0, {1: V5, 2: GROUND}),
            Component("D1", "diode", (-7, -17), 0, {1: "VSYS", 2: V5}),
            Component("J4", "terminal", (24, row), 0, {1: V5, 2: GROUND}),
            Component("U2", "shifter", (2, -2), 0, shifted),
            Component("C4", "C100n", (6, -2), 90, {1: GROUND, 2: V5}),
            Component("R1", "R330", (14, 1), 0, {1: "SHIFTED", 2: LIGHT_IN}),
            Component("R2", "R100", (14, 4), 0, {1: "GP_LOAD", 2: LOAD}),
            Component("R3", "R100", (14, 7), 0, {1: "GP_CLOCK", 2: CLOCK}),
            Component("R4", "R330", (-4, 20), 0, {1: "GP_SOUND", 2: "SOUND"}),
            Component("B1", "piezo", (6, 20), 0, {1: "SOUND", 2: GROUND}),
            Component("J1", "ribbon", (30, -2), 0, _ribbon(LIGHT_IN, DATA_OUT)),
        ],
        [(x, y) for x in (-37, 37) for y in (-27, 27)],
        [
            track("VBUS", TOP, _FEED_MM, (-15.24, row), (-9.1, row)),
            track(fused, TOP, _STUB_MM, (-4.9, row), (0.13, row)),
            track(V5, TOP, _STUB_MM, (2.41, row), (6, row)),
            track(V5, TOP, _BUS_MM, (7, row), (24, row)),
            track(V5, TOP, _FEED_MM, (10.16, row), (10.16, -14)),
            track(V5, TOP, _BUS_MM, (20, row), (20, -2)),
            track(V5, TOP, _FEED_MM, (20, -2), (32.54, -2)),
        ],
        powered=(GROUND, V33, fused),
        texts=[
            ("CHRONOTABLE PICO", (-24.13, 10), 1.1),
            ("USB", (-24.13, -26), 2),
            ("5V IN: TAKE F1 OUT", (26, -16), 1),
            *(("+", at, 1.4) for at in ((6.8, -14), (24, -18))),
            ("-", (29, -18), 1.4),
        ],
    )
