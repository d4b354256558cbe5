"""What is soldered to what: the matrix grid by grid, the Pico's pins, the chain of LEDs.

The grids and the chain are seen from below, as one solders; the Pico is seen from above, as its
pins are counted. Rows are full lines, columns dashed, so that the picture needs no colour.
"""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from typing import Any

from chronotable.naming import sensor_name
from chronotable.sensors import BUTTON, ERAS, FOCUS, INPUTS, PLAYERS, SENSORS
from chronotable.wiring import UNUSED, Board
from chronotable_host.drawings import paper, pico
from chronotable_host.drawings.places import Place, Plan, plan_of

_CELL = 40
_BLOCK = (212, 204)  # a grid with the names of its lines
_LABELS = (52, 40)  # of that, to the left and above
_MARGIN = 12
_LEAST_WIDTH = 3 * _BLOCK[0] + 2 * _MARGIN
_DASH = "5 2.5"
_SMALL = 6

_Spots = dict[tuple[int, int], int]
"""The sensors of a grid as drawn: (column, row) of the drawing to sensor."""


def wiring_svg(board_data: Mapping[str, Any]) -> str:
    """Draw the wiring of a parsed board file.

    Each sensor has one group of the class `cell` with `data-sensor`, in it a `diode` with
    `data-from` and `data-to`; each piece of wire is a line `row` or `col` with `data-line`, each
    pin of the file a group `pin` with `data-gpio`, each LED a group `led` with `data-led` and
    `data-sensor`, each data wire between two of them a group `hop`.
    Raises BoardError as `plan_of` does, and for a pin that a Pico has not.
    """
    plan = plan_of(board_data)
    board = plan.board
    pico.check(board)
    width = max(plan.size[0] + 2 * _MARGIN, _LEAST_WIDTH)
    others = _others(board)
    deep = max(_LABELS[1] + _CELL * (1 + max(row for _, row in others)) + 10, 240)
    tops = [40.0, 40.0 + _BLOCK[1] + 12]
    tops.append(tops[1] + deep + 16)
    tops.append(tops[2] + plan.size[1] + 36)
    svg = paper.sheet(
        (width, tops[3] + 126),
        f"Wiring of the table '{board.name}'",
        "The switch matrix of each board with a diode per cell, the pins of the Pico, and the "
        "chain of LEDs; grids and chain are seen from below.",
        printed=False,
    )
    _heading(svg, board)
    for place, era in enumerate(reversed(range(len(ERAS)))):
        spots = {(3 - space % 4, space // 4): era * 16 + space for space in range(16)}
        at = (_MARGIN + place * _BLOCK[0], tops[0])
        _Grid(svg, board, spots, ERAS[era].upper()).draw(at)
    _Grid(svg, board, others, "FOCUS SPOTS AND BUTTONS, row by row").draw((_MARGIN, tops[1]))
    _pico(svg, board, (_MARGIN + _BLOCK[0] + 24, tops[1]))
    _chain(svg, plan, (_MARGIN, tops[2]))
    _feed(svg, board, (_MARGIN, tops[3]))
    return paper.written(svg)


def _heading(svg: ET.Element, board: Board) -> None:
    title = f"Wiring of the table '{board.name}'"
    paper.words(svg, (_MARGIN, 11), title, 10, bold=True)
    paper.words(svg, (_MARGIN, 25), "Grids seen from BELOW, as you solder.", 7, bold=True)
    x, y = 190.0, 25.0
    paper.line(svg, (x, y), (x + 22, y), 1.4)
    paper.words(svg, (x + 26, y), "row", 7)
    paper.line(svg, (x + 52, y), (x + 74, y), 1.4, stroke_dasharray=_DASH)
    paper.words(svg, (x + 78, y), "column", 7)
    paper.circle(svg, (x + 118, y), 1.8, fill=paper.INK)
    paper.words(svg, (x + 123, y), "soldered (crossings without it are not)", 7)
    _diode_sign(svg, (x + 270, y), 1)
    paper.words(svg, (x + 280, y), "diode: its ring is the bar, towards the row", 7)


def _others(board: Board) -> _Spots:
    """Return focus spots and buttons as they stand in the matrix, or else in their order."""
    cols = len(board.col_pins)
    cells = {sensor: divmod(board.cell_of[sensor], cols) for sensor in range(FOCUS, INPUTS)}
    rows = sorted({row for row, _ in cells.values()})
    columns = sorted({column for _, column in cells.values()})
    if len(columns) <= 4 and len(rows) <= 4:
        return {(columns.index(c), rows.index(r)): sensor for sensor, (r, c) in cells.items()}
    return {((sensor - FOCUS) % 4, (sensor - FOCUS) // 4): sensor for sensor in cells}


class _Grid:
    """Draws up to four cells side by side with their wires.

    Lines of the matrix that several neighbours share are drawn through; a line that begins within
    the grid is named there, so that any file can be drawn.
    """

    def __init__(self, svg: ET.Element, board: Board, spots: _Spots, name: str) -> None:
        self.svg = svg
        self.board = board
        self.spots = spots
        self.name = name
        # whichever gives fewer pieces of wire: rows from left to right, or columns
        upright = len(self._runs(self._row, 1)) + len(self._runs(self._column, 0))
        turned = len(self._runs(self._row, 0)) + len(self._runs(self._column, 1))
        self.rows_across = upright <= turned

    def draw(self, at: Place) -> None:
        """Draw the grid with its upper left corner, labels included, `at`."""
        origin = (at[0] + _LABELS[0], at[1] + _LABELS[1])
        paper.words(self.svg, (at[0], at[1] + 3), self.name, 8, bold=True)
        wide = 1 + max(column for column, _ in self.spots)
        high = 1 + max(row for _, row in self.spots)
        paper.rect(self.svg, origin, (wide * _CELL, high * _CELL), 0.3, stroke=paper.GREY)
        for step in range(1, wide):
            x = origin[0] + step * _CELL
            paper.line(self.svg, (x, origin[1]), (x, origin[1] + high * _CELL), 0.2, stroke="#999")
        for step in range(1, high):
            y = origin[1] + step * _CELL
            paper.line(self.svg, (origin[0], y), (origin[0] + wide * _CELL, y), 0.2, stroke="#999")
        across = (self._row, "row") if self.rows_across else (self._column, "col")
        down = (self._column, "col") if self.rows_across else (self._row, "row")
        for run in self._runs(across[0], 1):
            self._across(origin, run, across[1], across[0](self.spots[run[0]]))
        for run in self._runs(down[0], 0):
            self._down(origin, run, down[1], down[0](self.spots[run[0]]))
        for (column, row), sensor in sorted(self.spots.items()):
            self._cell((origin[0] + column * _CELL, origin[1] + row * _CELL), sensor)

    def _row(self, sensor: int) -> int:
        return self.board.cell_of[sensor] // len(self.board.col_pins)

    def _column(self, sensor: int) -> int:
        return self.board.cell_of[sensor] % len(self.board.col_pins)

    def _runs(self, line_of: Callable[[int], int], fixed: int) -> list[list[tuple[int, int]]]:
        """Return the neighbours on one line: side by side (`fixed` 1), or below each other (0)."""
        runs: list[list[tuple[int, int]]] = []
        for spot in sorted(self.spots, key=lambda spot: (spot[fixed], spot[1 - fixed])):
            last = runs[-1][-1] if runs else None
            if (
                last is not None
                and last[fixed] == spot[fixed]
                and last[1 - fixed] == spot[1 - fixed] - 1
                and line_of(self.spots[last]) == line_of(self.spots[spot])
            ):
                runs[-1].append(spot)
            else:
                runs.append([spot])
        return runs

    def _across(self, origin: Place, run: list[tuple[int, int]], kind: str, line: int) -> None:
        y = origin[1] + run[0][1] * _CELL + 36
        start = origin[0] + run[0][0] * _CELL + (2 if run[0][0] else -6)
        end = origin[0] + run[-1][0] * _CELL + 38
        paper.line(self.svg, (start, y), (end, y), 1.4, **_look(kind, line))
        if run[0][0]:
            paper.words(self.svg, (start + 4, y - 3.5), f"{kind} {line}", 5)
            return
        name, pin, colour = self._names(kind, line)
        for shift, text in zip((-8, -1, 6), (name, pin, colour), strict=True):
            paper.words(self.svg, (start - 2, y + shift), text, _SMALL, "end", bold=text == name)

    def _down(self, origin: Place, run: list[tuple[int, int]], kind: str, line: int) -> None:
        x = origin[0] + run[0][0] * _CELL + 5
        start = origin[1] + run[0][1] * _CELL + (2 if run[0][1] else -4)
        end = origin[1] + run[-1][1] * _CELL + 38
        paper.line(self.svg, (x, start), (x, end), 3, stroke="#ffffff")
        paper.line(self.svg, (x, start), (x, end), 1.4, **_look(kind, line))
        if run[0][1]:
            paper.words(self.svg, (x + 2.5, start + 2.5), f"{kind} {line}", 5)
            return
        name, pin, colour = self._names(kind, line)
        for shift, text in zip((-18, -11, -4), (name, pin, colour), strict=True):
            paper.words(self.svg, (x - 4, start + shift), text, _SMALL, bold=text == name)

    def _names(self, kind: str, line: int) -> tuple[str, str, str]:
        """Return a line's name, its pin and its colour."""
        gpio = (self.board.row_pins if kind == "row" else self.board.col_pins)[line]
        pin = f"GP{gpio}, pin {pico.pin_of(gpio)}"
        return f"{kind} {line}", pin, pico.wire_colour(line)

    def _cell(self, at: Place, sensor: int) -> None:
        """Draw a cell: from its upright wire through diode and switch to the wire below."""
        row, column = self._row(sensor), self._column(sensor)
        title = f"{sensor_name(sensor)}: cell [{row},{column}]"
        made = paper.group(self.svg, "cell", title, data_sensor=sensor)
        x, y = at
        high = y + 10
        paper.circle(made, (x + 5, high), 1.8, fill=paper.INK)
        paper.path(made, [(x + 5, high), (x + 36, high), (x + 36, y + 36)], 0.7)
        paper.circle(made, (x + 36, y + 36), 1.8, fill=paper.INK)
        ends = {"data_from": f"col {column}", "data_to": f"row {row}"}
        diode = paper.group(made, "diode", **ends)
        _diode_sign(diode, (x + 12, high), 1 if self.rows_across else -1)
        if sensor < BUTTON:
            paper.rect(made, (x + 18, high - 2.2), (14, 4.4), 0.5, rx=2.2, fill="#ffffff")
            paper.line(made, (x + 18, high - 0.6), (x + 26, high - 0.6), 0.5)
            paper.line(made, (x + 24, high + 0.6), (x + 32, high + 0.6), 0.5)
        else:
            paper.line(made, (x + 20, high), (x + 30, high), 2.4, stroke="#ffffff")
            paper.line(made, (x + 19, high - 4), (x + 31, high - 4), 0.8)
            paper.line(made, (x + 25, high - 4), (x + 25, high - 7), 0.8)
            for end in (20, 30):
                paper.circle(made, (x + end, high), 1.1, fill="#ffffff")
        if sensor < FOCUS:
            paper.words(made, (x + 20.5, y + 22), str(sensor % 16 + 1), 11, "middle", bold=True)
        else:
            names = sensor_name(sensor).removeprefix("button ").split()
            for index, text in enumerate(names):
                paper.words(made, (x + 20.5, y + 15.5 + 5.2 * index), text, 5.4, "middle", True)
        paper.words(made, (x + 20.5, y + 32.3), f"[{row},{column}]", 5, "middle", colour=paper.GREY)


def _look(kind: str, line: int) -> dict[str, object]:
    """Return how a line of the matrix is drawn, and which one it is."""
    dashes = {} if kind == "row" else {"stroke_dasharray": _DASH}
    return {"class_": kind, "data_line": line, **dashes}


def _diode_sign(parent: ET.Element, at: Place, way: int) -> None:
    """Draw a diode that lets current to the right (`way` 1) or to the left (-1)."""
    x, y = at
    tip = x + 3 * way
    points = " ".join(
        f"{paper.number(px)},{paper.number(py)}"
        for px, py in ((tip, y), (x - 3 * way, y - 3), (x - 3 * way, y + 3))
    )
    paper.add(parent, "polygon", points=points, fill=paper.INK)
    paper.line(parent, (tip, y - 3.4), (tip, y + 3.4), 1.2)


def _pico(svg: ET.Element, board: Board, at: Place) -> None:
    """Draw the Pico from above with what each pin of the file is for."""
    x, y = at
    paper.words(svg, (x, y + 3), "PICO, seen from above", 8, bold=True)
    pitch, wide = 10.5, 74
    left, top = x + 152, y + 14
    paper.rect(svg, (left, top), (wide, 20 * pitch + 4), 0.8, rx=4)
    paper.rect(svg, (left + wide / 2 - 11, top - 9), (22, 11), 0.6, fill="#ffffff")
    paper.words(svg, (left + wide / 2, top - 3.5), "USB", 6, "middle")
    uses = _uses(board)
    for number, name in pico.PINS.items():
        on_left = number <= 20
        row = number - 1 if on_left else 40 - number
        middle = (left if on_left else left + wide, top + (row + 0.5) * pitch + 2)
        way = 1 if on_left else -1
        gpio, use = uses.get(number, (None, ""))
        data = {"data_gpio": gpio} if gpio is not None else {}
        parent = paper.group(svg, "pin", use, **data) if data else svg
        paper.circle(parent, middle, 3, 0.5, fill=paper.INK if use else "#ffffff")
        anchor = "start" if on_left else "end"
        label = f"{number}  {name}" if on_left else f"{name}  {number}"
        paper.words(parent, (middle[0] + 6 * way, middle[1]), label, _SMALL, anchor, bool(use))
        if use:
            paper.line(parent, middle, (middle[0] - 8 * way, middle[1]), 0.7)
            out = (middle[0] - 10 * way, middle[1])
            paper.words(parent, out, use, _SMALL, "end" if on_left else "start")


def _uses(board: Board) -> dict[int, tuple[int | None, str]]:
    """Return GPIO and use of each pin on the edge that is soldered to."""
    cols = len(board.col_pins)
    uses: dict[int, tuple[int | None, str]] = {
        pico.VBUS: (None, "5 V from USB: level shifter, LEDs"),
        pico.GROUND: (None, "ground: level shifter, LEDs"),
    }
    for line, gpio in enumerate(board.row_pins):
        cells = board.sensor_of[line * cols : (line + 1) * cols]
        uses[pico.pin_of(gpio)] = (gpio, _use("row", line, cells))
    for line, gpio in enumerate(board.col_pins):
        uses[pico.pin_of(gpio)] = (gpio, _use("column", line, board.sensor_of[line::cols]))
    uses[pico.pin_of(board.led_pin)] = (board.led_pin, "LED data, to the level shifter (white)")
    return uses


def _use(kind: str, line: int, sensors: bytearray) -> str:
    """Say which line this is, in which colour, and where it leads."""
    wired = [sensor for sensor in sensors if sensor != UNUSED]
    parts = [name for era, name in enumerate(ERAS) if any(s // 16 == era for s in wired)]
    if any(FOCUS <= sensor < SENSORS for sensor in wired):
        parts.append("focus")
    if any(sensor >= BUTTON for sensor in wired):
        parts.append("buttons")
    return f"{kind} {line}, {pico.wire_colour(line)}: {', '.join(parts) or 'nothing'}"


def _chain(svg: ET.Element, plan: Plan, at: Place) -> None:
    """Draw the LEDs where they are, and the way of the data from each to the next."""
    board, (width, _) = plan.board, plan.size
    x, y = at
    said = "CHAIN OF LEDS, seen from below: follow the arrows from 0; 5 V and ground run along"
    paper.words(svg, (x, y), said, 8, bold=True)
    table = paper.group(
        svg, "chain", transform=f"translate({paper.number(x)} {paper.number(y + 12)})"
    )
    paper.rect(table, (0, 0), plan.size, 0.6)
    pitch = plan.geometry["pitch"]
    for era, name in enumerate(ERAS):
        left, top = plan.middle(era * 16)
        corner = (width - left - 3.5 * pitch, top - pitch / 2)
        paper.rect(table, corner, (4 * pitch, 4 * pitch), 0.4, stroke="#999999")
        middle = (corner[0] + 2 * pitch, corner[1] + 1.67 * pitch)  # between two rows of LEDs
        paper.words(table, middle, name.upper(), 16, "middle", colour="#bbbbbb")
    places = {}
    for sensor in range(SENSORS):
        east, south = plan.led(sensor)
        places[board.led_of[sensor]] = (width - east, south)
    for led in range(board.led_count - 1):
        hop = paper.group(table, "hop", data_from=led, data_to=led + 1)
        _hop(hop, places[led], places[led + 1])
    for sensor in range(SENSORS):
        led = board.led_of[sensor]
        data = {"data_led": led, "data_sensor": sensor}
        made = paper.group(table, "led", f"LED {led}: {sensor_name(sensor)}", **data)
        east, south = places[led]
        paper.rect(made, (east - 5.5, south - 5.5), (11, 11), 0.8, rx=1.5, fill="#ffffff")
        paper.words(made, (east, south), str(led), 7, "middle", bold=True)
        if sensor >= FOCUS:
            player, era = divmod(sensor - FOCUS, len(ERAS))
            shift = -11 if south < plan.size[1] / 2 else 11
            name = f"{PLAYERS[player]} {ERAS[era]}"
            paper.words(made, (east, south + shift), name, _SMALL, "middle", colour=paper.GREY)
    east, south = places[0]
    paper.line(table, (east - 30, south), (east - 6, south), 0.8)
    paper.arrow_head(table, (east - 6, south), (1, 0), 6)
    paper.words(table, (east - 33, south), "data in", 7, "end", bold=True)


def _hop(parent: ET.Element, start: Place, end: Place) -> None:
    """Draw the data wire between two LEDs, with its way in the middle."""
    far = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    towards = ((end[0] - start[0]) / far, (end[1] - start[1]) / far)
    paper.line(parent, start, end, 0.8)
    middle = ((start[0] + end[0]) / 2 + towards[0] * 3, (start[1] + end[1]) / 2 + towards[1] * 3)
    paper.arrow_head(parent, middle, towards, 6)


def _feed(svg: ET.Element, board: Board, at: Place) -> None:
    """Draw how 5 V, ground and data come to the first LED, and a supply of its own."""
    x, y = at
    paper.words(svg, (x, y), "FEEDING THE LEDS", 8, bold=True)
    rail, ground, data = y + 20, y + 100, y + 60
    start, end = x + 62, x + 400
    paper.line(svg, (start, rail), (end, rail), 1.4)
    paper.line(svg, (start, ground), (end, ground), 1.4)
    paper.words(svg, (start - 3, rail), "VBUS, pin 40: 5 V", 7, "end")
    paper.words(svg, (start - 3, ground), f"GND, pin {pico.GROUND}", 7, "end")
    pin = pico.pin_of(board.led_pin)
    paper.words(svg, (start - 3, data), f"GP{board.led_pin}, pin {pin}", 7, "end")
    chip = (start + 40, y + 36)
    paper.rect(svg, chip, (96, 48), 0.8, fill="#ffffff")
    paper.words(svg, (chip[0] + 48, chip[1] + 17), "74AHCT125", 8, "middle", bold=True)
    paper.line(svg, (start, data), (chip[0], data), 0.8)
    paper.words(svg, (chip[0] + 3, data), "2 1A", 6)
    paper.words(svg, (chip[0] + 93, data), "1Y 3", 6, "end")
    for shift, text, to in ((20, "14 VCC", rail), (20, "7 GND", ground), (74, "1 1OE", ground)):
        edge = chip[1] if to == rail else chip[1] + 48
        inside = edge + 6 if to == rail else edge - 6
        paper.line(svg, (chip[0] + shift, edge), (chip[0] + shift, to), 0.8)
        paper.circle(svg, (chip[0] + shift, to), 1.8, fill=paper.INK)
        paper.words(svg, (chip[0] + shift, inside), text, 6, "middle")
    resistor = chip[0] + 116
    paper.line(svg, (chip[0] + 96, data), (end, data), 0.8)
    paper.rect(svg, (resistor, data - 4), (26, 8), 0.8, fill="#ffffff")
    paper.words(svg, (resistor + 13, data - 9), "330 \N{GREEK CAPITAL LETTER OMEGA}", 7, "middle")
    _capacitor(svg, start + 206, (rail, ground), data, "1000 \N{MICRO SIGN}F", "near LED 0; + up")
    paper.rect(svg, (end, y + 10), (70, 100), 0.8)
    for level, text in ((rail, "5 V"), (data, "DIN"), (ground, "GND")):
        paper.words(svg, (end + 4, level), text, 7)
    paper.words(svg, (end + 46, data), "LED 0", 8, "middle", bold=True)
    paper.lines_of_words(
        svg,
        (end + 84, y + 14),
        (
            "A supply of its own",
            "5 V to the rail, not to VBUS;",
            "to VSYS (39) through a Schottky",
            "diode, ring towards VSYS;",
            "all grounds together.",
            "100 nF at pins 14 and 7.",
            "Pins 4, 5, 9, 10, 12, 13: ground.",
        ),
        6.5,
        bold_first=True,
    )


def _capacitor(
    svg: ET.Element, x: float, rails: tuple[float, float], crossing: float, *texts: str
) -> None:
    """Draw a capacitor between two rails, beside the wire that it crosses."""
    top, bottom = rails
    middle = (crossing + bottom) / 2
    paper.line(svg, (x, top), (x, crossing - 2), 0.8)
    paper.line(svg, (x, crossing + 2), (x, middle - 2), 0.8)
    paper.line(svg, (x, middle + 2), (x, bottom), 0.8)
    for y in (middle - 2, middle + 2):
        paper.line(svg, (x - 8, y), (x + 8, y), 1.2)
    for y in (top, bottom):
        paper.circle(svg, (x, y), 1.8, fill=paper.INK)
    for index, text in enumerate(texts):
        paper.words(svg, (x + 12, middle - 4 + 9 * index), text, 6.5)
