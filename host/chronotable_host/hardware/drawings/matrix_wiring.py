"""How a matrix is soldered, grid by grid: every sensor with its diode from column to row.

The grids are seen from below, as one solders. Rows are full lines, columns dashed, so that the
picture needs no colour.
"""

import xml.etree.ElementTree as ET
from collections.abc import Callable

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS, INPUTS
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.hardware.drawings import paper, pico
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.language import names, tr, tr_c

_CELL = 40
_BLOCK = (212, 204)  # a grid with the names of its lines
_LABELS = (52, 40)  # of that, to the left and above
_DASH = "5 2.5"
_SMALL = 6
_TOPS = (40, 40 + _BLOCK[1] + 12)
_PICO_HIGH = 240

ABOUT = tr(
    "The switch matrix of each board with a diode per cell, the pins of the Pico, and the "
    "chain of LEDs; grids and chain are seen from below."
)
"""What the picture shows, for those who cannot see it."""

_LINES = {"row": tr_c("matrix", "row"), "col": tr_c("matrix", "column")}
_SHORT_LINES = {"row": tr_c("matrix", "row"), "col": tr_c("matrix", "col")}

_Spots = dict[tuple[int, int], int]
"""The sensors of a grid as drawn: (column, row) of the drawing to sensor."""


def size(board: Board) -> tuple[float, float]:
    """Return how wide this part of the picture is, and where it ends."""
    deepest = max(row for _, row in _others(board))
    deep = max(_LABELS[1] + _CELL * (1 + deepest) + 10, _PICO_HIGH)
    return 3 * _BLOCK[0], _TOPS[1] + deep + 16


def draw(svg: ET.Element, board: Board, left: float) -> None:
    """Draw the grids of a matrix board and its Pico.

    Each sensor has one group of the class `cell` with `data-sensor`, in it a `diode` with
    `data-from` and `data-to`; each piece of wire is a line `row` or `col` with `data-line`.
    """
    _heading(svg, left)
    for place, era in enumerate(reversed(range(len(ERAS)))):
        spots = {(3 - space % 4, space // 4): era * 16 + space for space in range(16)}
        _Grid(svg, board, spots, names.ERAS[era].upper()).draw((left + place * _BLOCK[0], _TOPS[0]))
    others = _Grid(svg, board, _others(board), tr("FOCUS SPOTS AND BUTTONS, row by row"))
    others.draw((left, _TOPS[1]))
    pico.draw(svg, (left + _BLOCK[0] + 24, _TOPS[1]), _uses(board))


def _heading(svg: ET.Element, left: float) -> None:
    y = 25.0
    paper.words(svg, (left, y), tr("Grids seen from BELOW, as you solder."), 7, bold=True)
    x = left + 178
    paper.line(svg, (x, y), (x + 22, y), 1.4)
    paper.words(svg, (x + 26, y), _LINES["row"], 7)
    paper.line(svg, (x + 52, y), (x + 74, y), 1.4, stroke_dasharray=_DASH)
    paper.words(svg, (x + 78, y), _LINES["col"], 7)
    paper.dot(svg, (x + 118, y))
    paper.words(svg, (x + 123, y), tr("soldered (crossings without it are not)"), 7)
    paper.diode(svg, (x + 270, y), 1)
    paper.words(svg, (x + 280, y), tr("diode: its ring is the bar, towards the row"), 7)


def _others(board: Board) -> _Spots:
    """Return focus spots and buttons as they stand in the matrix, or else in their order."""
    cells = {sensor: divmod(board.cell_of[sensor], COLUMNS) for sensor in range(FOCUS, INPUTS)}
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

    def draw(self, at: Point) -> None:
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
        return self.board.cell_of[sensor] // COLUMNS

    def _column(self, sensor: int) -> int:
        return self.board.cell_of[sensor] % COLUMNS

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

    def _across(self, origin: Point, run: list[tuple[int, int]], kind: str, line: int) -> None:
        y = origin[1] + run[0][1] * _CELL + 36
        start = origin[0] + run[0][0] * _CELL + (2 if run[0][0] else -6)
        end = origin[0] + run[-1][0] * _CELL + 38
        paper.line(self.svg, (start, y), (end, y), 1.4, **_look(kind, line))
        if run[0][0]:
            paper.words(self.svg, (start + 4, y - 3.5), f"{_SHORT_LINES[kind]} {line}", 5)
            return
        name, pin, colour = self._names(kind, line)
        for shift, text in zip((-8, -1, 6), (name, pin, colour), strict=True):
            paper.words(self.svg, (start - 2, y + shift), text, _SMALL, "end", bold=text == name)

    def _down(self, origin: Point, run: list[tuple[int, int]], kind: str, line: int) -> None:
        x = origin[0] + run[0][0] * _CELL + 5
        start = origin[1] + run[0][1] * _CELL + (2 if run[0][1] else -4)
        end = origin[1] + run[-1][1] * _CELL + 38
        paper.line(self.svg, (x, start), (x, end), 3, stroke="#ffffff")
        paper.line(self.svg, (x, start), (x, end), 1.4, **_look(kind, line))
        if run[0][1]:
            paper.words(self.svg, (x + 2.5, start + 2.5), f"{_SHORT_LINES[kind]} {line}", 5)
            return
        name, pin, colour = self._names(kind, line)
        for shift, text in zip((-18, -11, -4), (name, pin, colour), strict=True):
            paper.words(self.svg, (x - 4, start + shift), text, _SMALL, bold=text == name)

    def _names(self, kind: str, line: int) -> tuple[str, str, str]:
        gpio = (self.board.row_pins if kind == "row" else self.board.col_pins)[line]
        return f"{_SHORT_LINES[kind]} {line}", pico.gpio_named(gpio), pico.wire_colour(line)

    def _cell(self, at: Point, sensor: int) -> None:
        """Draw a cell: from its upright wire through diode and switch to the wire below."""
        row, column = self._row(sensor), self._column(sensor)
        title = paper.cell_named(sensor, row, column)
        made = paper.group(self.svg, "cell", title, data_sensor=sensor)
        x, y = at
        high = y + 10
        paper.dot(made, (x + 5, high))
        paper.path(made, [(x + 5, high), (x + 36, high), (x + 36, y + 36)], 0.7)
        paper.dot(made, (x + 36, y + 36))
        ends = {"data_from": f"col {column}", "data_to": f"row {row}"}
        diode = paper.group(made, "diode", **ends)
        paper.diode(diode, (x + 12, high), 1 if self.rows_across else -1)
        if sensor < BUTTON:
            paper.reed(made, (x + 25, high))
        else:
            paper.button(made, (x + 25, high))
        if sensor < FOCUS:
            paper.words(made, (x + 20.5, y + 22), str(sensor % 16 + 1), 11, "middle", bold=True)
        else:
            called = names.place(sensor_name(sensor).removeprefix("button ")).split()
            for index, text in enumerate(called):
                paper.words(made, (x + 20.5, y + 15.5 + 5.2 * index), text, 5.4, "middle", True)
        paper.words(made, (x + 20.5, y + 32.3), f"[{row},{column}]", 5, "middle", colour=paper.GREY)


def _look(kind: str, line: int) -> dict[str, object]:
    """Return how a line of the matrix is drawn, and which one it is."""
    dashes = {} if kind == "row" else {"stroke_dasharray": _DASH}
    return {"class_": kind, "data_line": line, **dashes}


def _uses(board: Board) -> dict[int, pico.Use]:
    """Return what each pin on the edge of the Pico is for."""
    uses = pico.output_uses(board)
    for kind, pins in (("row", board.row_pins), ("col", board.col_pins)):
        for line, gpio in enumerate(pins):
            row = slice(line * COLUMNS, (line + 1) * COLUMNS)
            sensors = board.sensor_of[row if kind == "row" else slice(line, None, COLUMNS)]
            where = paper.parts_of(sensors)
            text = f"{_LINES[kind]} {line}, {pico.wire_colour(line)}: {where}"
            uses[pico.pin_of(gpio)] = pico.Use(text, gpio)
    return uses
