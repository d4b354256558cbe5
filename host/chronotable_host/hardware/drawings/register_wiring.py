"""How a chain of shift registers is soldered: eight 74HC165 with what each of their inputs feels.

The chips stand in pairs, one pair to a tile, with the past on the right as one sees it from below:
what they read travels from left to right, to the Pico.
"""

import xml.etree.ElementTree as ET
from math import cos, radians, sin

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.hardware.drawings import paper, pico, symbols
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.language import names, tr, tr_c

LOAD, CLOCK, INVERTED, GROUND, DATA_OUT, DATA_IN, ENABLE, SUPPLY = 1, 2, 7, 8, 9, 10, 15, 16
INPUTS = (11, 12, 13, 14, 3, 4, 5, 6)
"""Pins of the inputs D0 to D7 of a 74HC165."""
PINS = {
    LOAD: "SH/LD",
    CLOCK: "CP",
    **{pin: f"D{place}" for place, pin in enumerate(INPUTS)},
    INVERTED: tr("not Q7"),
    GROUND: "GND",
    DATA_OUT: "Q7",
    DATA_IN: "DS",
    ENABLE: "CE",
    SUPPLY: "VCC",
}
"""Name of each pin of a 74HC165 by its number, 1 to 16."""
COMMON = 1
"""The pin of a resistor network that all its resistors share."""
V33, GROUNDED = "3.3 V", "ground"
"""The nets that supply a chip."""
NETS = {
    V33: tr("3.3 V"),
    GROUNDED: tr_c("net", "ground"),
    "load": tr_c("net", "load"),
    "clock": tr_c("net", "clock"),
    "data": tr_c("net", "data"),
}
"""What is written at each net."""
PULL_UP, DECOUPLED = "10 k\N{GREEK CAPITAL LETTER OMEGA}", "100 nF"
"""The network's resistors, and the capacitor between supply and ground of each chip."""


_LEGS = 9  # of a network

CHIPS = 8
PICO_3V3 = 36
CABLE = (V33, "load", GROUNDED, "clock", GROUNDED, "data")
"""The wires of the cable from Pico to tile and from tile to tile, side by side in this order."""

ABOUT = tr(
    "The chain of eight shift registers with the reed or button at each input, the cable between "
    "them, the pins of the Pico, and the chain of LEDs, that is seen from below."
)
"""What the picture shows, for those who cannot see it."""

_COLUMN = 182  # width of a pair of chips with its switches
_PITCH = 13  # of a chip's pins as drawn
_BODY = (92, 54)  # of a chip: its left edge in the column, and its width
_HIGH = 7 * _PITCH + 32  # of a chip
_BUSES = (46, 58, 70)  # load, clock, data: below each other
_TOPS = (92, 92 + _HIGH + 30)  # of the upper and the lower chip of a pair
_LOW = _TOPS[1] + _HIGH + 12  # where data comes to a lower chip
_RAIL, _SWITCH, _NETWORK = 48, 63, 81  # left of a chip: ground, switches, pull-ups
_OUT = _BODY[0] + _BODY[1] / 2  # data leaves a chip above and comes in below
_TAPS = (170, 176)  # right of a chip: load, clock
_DECOUPLING = 155
_FEED = 62  # right of the chips, where the Pico's wires come from
_PICO_TOP = _LOW + 22
_PICO_HIGH = 240
_RIGHT = {  # pins, and at which of eight places they are drawn
    LOAD: 0,
    CLOCK: 1,
    INVERTED: 2,
    SUPPLY: 3,
    ENABLE: 6,
    GROUND: 7,
}
_SMALL = 6
_LONG = 16  # letters of a focus spot, beside its switch
_TO = (
    tr("pin {pin} of all chips", pin=LOAD),
    tr("pin {pin} of all chips", pin=CLOCK),
    tr("pin {pin} of chip 0", pin=DATA_OUT),
)
_SERIES = "100 \N{GREEK CAPITAL LETTER OMEGA}"


def size(board: Board) -> tuple[float, float]:
    """Return how wide this part of the picture is, and where it ends."""
    del board  # a chain is always as long
    return CHIPS // 2 * _COLUMN + _FEED, _PICO_TOP + _PICO_HIGH + 16


def draw(svg: ET.Element, board: Board, left: float) -> None:
    """Draw the chips of a register board, their cable and the Pico.

    Each wire is a polyline of the class `wire`; wires are joined where one ends on the end of
    another, and by circles of the class `dot`. What they lead to are groups, in each of which a
    circle `end` or two mark where a wire comes: `chip-pin` (`data-chip`, `data-pin`), `network-pin`
    (the same), `switch` (`data-sensor`), `capacitor`, `resistor`, `rail` (`data-net`) and `gpio`
    (`data-gpio`).
    """
    _heading(svg, left)
    for chip in range(CHIPS):
        corner = _corner(left, chip)
        if chip % 2 == 0:
            _frame(svg, board, corner[0], chip)
        _Chip(svg, board, chip, corner).draw()
    _chain(svg, left)
    _buses(svg, board, left)
    _package(svg, (left, _PICO_TOP))
    _network(svg, (left + 218, _PICO_TOP))
    _cable(svg, board, (left, _PICO_TOP + 158))
    pico.draw(svg, (left + 392, _PICO_TOP), _uses(board))


def _corner(left: float, chip: int) -> Point:
    """Return the upper left corner of a chip's column and of its body: the past is on the right."""
    return left + (CHIPS // 2 - 1 - chip // 2) * _COLUMN, _TOPS[chip % 2]


def _heading(svg: ET.Element, left: float) -> None:
    y = 25.0
    said = tr("Eight 74HC165 in one chain; the past on the RIGHT, as from below.")
    paper.words(svg, (left, y), said, 7, bold=True)
    x = left + 262
    symbols.dot(svg, (x, y))
    paper.words(svg, (x + 5, y), tr("soldered (crossings without it are not)"), 7)
    symbols.ground(svg, (x + 160, y - 4))
    paper.words(svg, (x + 168, y), NETS[GROUNDED], 7)
    symbols.supply(svg, (x + 208, y + 4))
    paper.words(svg, (x + 216, y), tr("3.3 V of the Pico"), 7)
    paper.rect(svg, (x + 290, y - 5), (10, 10), 0.5, fill=paper.LIGHT)
    said = tr("network of eight {resistors}, its pins numbered", resistors=PULL_UP)
    paper.words(svg, (x + 305, y), said, 7)


def _frame(svg: ET.Element, board: Board, x: float, chip: int) -> None:
    """Draw what one board of the tiles carries, and its name."""
    cells = board.sensor_of[chip * COLUMNS : (chip + 2) * COLUMNS]
    look = {"stroke": paper.GREY, "stroke_dasharray": "2 2"}
    paper.rect(svg, (x + 1, _BUSES[2] + 7), (_COLUMN - 3, _LOW - _BUSES[2] + 1), 0.4, rx=4, **look)
    parts = symbols.parts_of(cells).upper()
    name = tr("{parts}: chips {first} and {second}", parts=parts, first=chip, second=chip + 1)
    paper.words(svg, (x, 38), name, 7, bold=True)


def _level(top: float, place: int) -> float:
    """Return the height of what is drawn at `place`, 0 to 7 from above, of a chip."""
    return top + 16 + place * _PITCH


def _dot(svg: ET.Element, at: Point) -> None:
    symbols.dot(paper.group(svg, "dot"), at)


def _wire(svg: ET.Element, *places: Point) -> None:
    paper.path(svg, places, 0.8, class_="wire")


def _end(parent: ET.Element, at: Point, fill: str = "#ffffff") -> None:
    paper.circle(parent, at, 0.4 if fill == paper.INK else 1.1, 0.5, fill=fill, class_="end")


def _rail(svg: ET.Element, at: Point, net: str) -> None:
    """Draw the sign of ground, or of 3.3 V, at the end of a wire."""
    made = paper.group(svg, "rail", NETS[net], data_net=net)
    (symbols.supply if net == V33 else symbols.ground)(made, at)
    _end(made, at, paper.INK)


class _Chip:
    """Draws one chip with everything that is soldered to it alone."""

    def __init__(self, svg: ET.Element, board: Board, chip: int, corner: Point) -> None:
        self.svg = svg
        self.chip = chip
        self.x, self.top = corner
        self.sensors = board.sensor_of[chip * COLUMNS : (chip + 1) * COLUMNS]

    def draw(self) -> None:
        """Draw the body with its inputs on the left and everything else on the right."""
        left, wide = self.x + _BODY[0], _BODY[1]
        paper.rect(self.svg, (left, self.top), (wide, _HIGH), 0.9, fill="#ffffff")
        middle = left + wide / 2
        paper.words(self.svg, (middle, _level(self.top, 4)), tr("chip"), 6.5, "middle")
        paper.words(
            self.svg, (middle, _level(self.top, 5)), str(self.chip), 16, "middle", bold=True
        )
        self._pull_ups()
        for place in range(COLUMNS):
            self._input(place)
        x, low = self.x + _RAIL, _level(self.top, COLUMNS - 1)
        _wire(self.svg, (x, _level(self.top, 0)), (x, low + 7))
        _dot(self.svg, (x, low))
        _rail(self.svg, (x, low + 7), GROUNDED)
        self._right()
        self._pin(DATA_OUT, (self.x + _OUT, self.top), (0, 7))
        self._pin(DATA_IN, (self.x + _OUT, self.top + _HIGH), (0, -7))

    def _pin(self, number: int, at: Point, inwards: Point) -> None:
        x, y = at[0] + inwards[0], at[1] + inwards[1]
        name = PINS[number]
        title = tr("chip {chip}, pin {pin}: {name}", chip=self.chip, pin=number, name=name)
        made = paper.group(self.svg, "chip-pin", title, data_chip=self.chip, data_pin=number)
        anchor = {0: "middle", 1: "start", -1: "end"}[(inwards[0] > 0) - (inwards[0] < 0)]
        text = f"{name} {number}" if anchor == "end" else f"{number} {name}"
        paper.words(made, (x, y), text, _SMALL, anchor)
        _end(made, at)

    def _pull_ups(self) -> None:
        """Draw the network across the inputs, and the 3.3 V at its common pin."""
        x, first, last = self.x + _NETWORK, _level(self.top, 0), _level(self.top, COLUMNS - 1)
        paper.rect(
            self.svg, (x - 5, first - 9), (10, last - first + 14), 0.5, rx=1, fill=paper.LIGHT
        )
        _wire(self.svg, (x, first - 9), (x, first - 16))
        self._network_pin(COMMON, (x, first - 9))
        _rail(self.svg, (x, first - 16), V33)

    def _network_pin(self, number: int, at: Point) -> None:
        title = tr("network of chip {chip}, pin {pin}", chip=self.chip, pin=number)
        made = paper.group(self.svg, "network-pin", title, data_chip=self.chip, data_pin=number)
        if number != COMMON:
            symbols.dot(made, at)
            paper.words(made, (at[0] + 1.5, at[1] - 4.8), str(number), 5)
        _end(made, at)

    def _input(self, place: int) -> None:
        """Draw what comes to D`place`: from ground through the switch, past its pull-up."""
        y, sensor = _level(self.top, place), self.sensors[place]
        half = 7 if sensor < BUTTON else 5
        left, right = (self.x + _SWITCH + side for side in (-half, half))
        name = sensor_name(sensor)
        _wire(self.svg, (self.x + _RAIL, y), (left, y))
        _wire(self.svg, (right, y), (self.x + _BODY[0], y))
        if place < COLUMNS - 1:
            _dot(self.svg, (self.x + _RAIL, y))
        title = symbols.cell_named(sensor, self.chip, place)
        made = paper.group(self.svg, "switch", title, data_sensor=sensor)
        (symbols.reed if sensor < BUTTON else symbols.button)(made, (self.x + _SWITCH, y))
        for x in (left, right):
            _end(made, (x, y))
        self._name(made, name, y)
        self._network_pin(_pulled_by(place), (self.x + _NETWORK, y))
        self._pin(INPUTS[place], (self.x + _BODY[0], y), (4, 0))

    def _name(self, made: ET.Element, name: str, y: float) -> None:
        kind, _, rest = name.partition(" ")
        x = self.x + _RAIL - 5
        if kind == "focus":
            words = names.place(name).split()
            at = 1 if len(names.place(rest)) < _LONG else -1  # where the second line begins
            for shift, line in ((-2.6, words[:at]), (2.8, words[at:])):
                paper.words(made, (x, y + shift), " ".join(line), 5.4, "end", bold=True)
        else:
            text = names.place(rest if kind == "button" else name)
            paper.words(made, (x, y), text, 6.5, "end", bold=True)

    def _right(self) -> None:
        """Draw supply and capacitor, and the pins that load and clock come to."""
        edge = self.x + _BODY[0] + _BODY[1]
        for number, place in _RIGHT.items():
            self._pin(number, (edge, _level(self.top, place)), (-4, 0))
        supply, enable, ground = (_level(self.top, _RIGHT[pin]) for pin in (SUPPLY, ENABLE, GROUND))
        x, low = self.x + _DECOUPLING, ground + 7
        _wire(self.svg, (edge, supply), (x, supply), (x, supply - 7))
        _rail(self.svg, (x, supply - 7), V33)
        _dot(self.svg, (x, supply))
        middle = (supply + enable) / 2
        _wire(self.svg, (x, supply), (x, middle - 2))
        made = paper.group(self.svg, "capacitor", DECOUPLED)
        for y in (middle - 2, middle + 2):
            paper.line(made, (x - 5, y), (x + 5, y), 1.2)
            _end(made, (x, y), paper.INK)
        beside = (x + 9, middle)
        turned = f"rotate(-90 {paper.number(beside[0])} {paper.number(middle)})"
        paper.words(paper.add(made, "g", transform=turned), beside, DECOUPLED, 5.4, "middle")
        _wire(self.svg, (x, middle + 2), (x, low))
        _wire(self.svg, (edge, enable), (x, enable))
        _wire(self.svg, (edge, ground), (x, ground))
        _dot(self.svg, (x, enable))
        _dot(self.svg, (x, ground))
        _rail(self.svg, (x, low), GROUNDED)


def _chain(svg: ET.Element, left: float) -> None:
    """Draw the way of the data from each chip to the one before it, and to the Pico."""
    for chip in range(1, CHIPS):
        (x, top), (to, to_top) = _corner(left, chip), _corner(left, chip - 1)
        start, end = (x + _OUT, top), (to + _OUT, to_top + _HIGH)
        if chip % 2:
            _wire(svg, start, end)
            continue
        between, low = to - 1, end[1] + 8
        over, under = (start[0], _BUSES[2]), (end[0], low)
        _wire(svg, start, over, (between, over[1]), (between, low), under, end)
    x, top = _corner(left, CHIPS - 1)
    last = (x + _OUT, top + _HIGH)
    _wire(svg, last, (last[0], last[1] + 4))
    _rail(svg, (last[0], last[1] + 4), GROUNDED)


def _buses(svg: ET.Element, board: Board, left: float) -> None:
    """Draw load and clock with their taps at each chip, and all three wires to the Pico."""
    right = left + CHIPS // 2 * _COLUMN
    load, clock, data = board.register_pins
    for gpio, name, number, tap, y in (
        (load, "load", LOAD, _TAPS[0], _BUSES[0]),
        (clock, "clock", CLOCK, _TAPS[1], _BUSES[1]),
    ):
        _wire(svg, (_corner(left, CHIPS - 1)[0] + tap, y), (right + 6, y))
        made = paper.group(svg, "resistor", _SERIES)
        paper.rect(made, (right + 6, y - 3), (20, 6), 0.8, fill="#ffffff")
        paper.words(made, (right + 16, y), _SERIES, 5, "middle")
        for x in (right + 6, right + 26):
            _end(made, (x, y))
        _wire(svg, (right + 26, y), (right + 31, y))
        _gpio(svg, (right + 31, y), gpio, name)
        for chip in range(CHIPS):
            _tap(svg, _corner(left, chip), chip, tap, (number, y))
    x, top = _corner(left, 0)
    _wire(svg, (x + _OUT, top), (x + _OUT, _BUSES[2]), (right + 31, _BUSES[2]))
    _gpio(svg, (right + 31, _BUSES[2]), data, "data")


def _tap(svg: ET.Element, corner: Point, chip: int, tap: float, pin: tuple[int, float]) -> None:
    """Draw the wire from a bus at height `pin[1]` down to the pin `pin[0]` of a chip."""
    number, bus = pin
    (left, top), (body, wide) = corner, _BODY
    x, y = left + tap, _level(top, _RIGHT[number])
    end = (left + body + wide, y)
    if chip % 2:  # passes the upper chip of its pair, which taps it
        _dot(svg, (x, bus))
        _wire(svg, (x, bus), (x, y), end)
    else:
        _dot(svg, (x, y))
        _wire(svg, (x, y), end)


def _gpio(svg: ET.Element, at: Point, gpio: int, name: str) -> None:
    """Mark where a wire goes to the Pico, and to which pin."""
    made = paper.group(svg, "gpio", NETS[name], data_gpio=gpio)
    _end(made, at)
    paper.words(made, (at[0] + 4, at[1] - 2.4), NETS[name], 5.4, bold=True)
    paper.words(made, (at[0] + 4, at[1] + 3), pico.gpio_named(gpio), 5.4)


def _cable(svg: ET.Element, board: Board, at: Point) -> None:
    """Draw the wires of the cable side by side, and where both their ends go."""
    x, y = at
    said = tr(
        "CABLE, from the Pico to the first tile and on from tile to tile: six wires side by side"
    )
    paper.words(svg, (x, y + 3), said, 8, bold=True)
    pins = _cable_pins(board)
    ends = {
        V33: tr(
            "pin {pin} of the chips, pin {common} of the networks",
            pin=SUPPLY,
            common=COMMON,
        ),
        **{
            name: tr(
                "{resistor} at the Pico, then pin {pin} of the chips", resistor=_SERIES, pin=pin
            )
            for name, pin in (("load", LOAD), ("clock", CLOCK))
        },
        GROUNDED: tr(
            "pins {ground} and {enable} of the chips, reeds, buttons",
            ground=GROUND,
            enable=ENABLE,
        ),
        "data": tr(
            "pin {out} of the tile's first chip, pin {before} before it",
            out=DATA_OUT,
            before=DATA_IN,
        ),
    }
    for line, (name, number) in enumerate(zip(CABLE, pins, strict=True)):
        level = y + 16 + line * 10.5
        made = paper.group(svg, "cable", NETS[name], data_wire=line, data_pin=number)
        paper.words(made, (x, level), NETS[name], _SMALL, bold=True)
        paper.words(made, (x + 32, level), pico.wire_colour(line), _SMALL)
        paper.line(made, (x + 62, level), (x + 86, level), 1.4)
        at_pico = tr("Pico pin {number}, {name}", number=number, name=pico.PINS[number])
        paper.words(made, (x + 92, level), at_pico, _SMALL)
        paper.words(made, (x + 164, level), ends[name], _SMALL)


def _cable_pins(board: Board) -> tuple[int, ...]:
    """Return the pins on the edge of the Pico for the wires of its cable, in their order."""
    load, clock, data = (pico.pin_of(gpio) for gpio in board.register_pins)
    before, after = sorted(pico.grounds_near(clock))
    return PICO_3V3, load, before, clock, after, data


def _uses(board: Board) -> dict[int, pico.Use]:
    """Return what each pin on the edge of the Pico is for."""
    uses = pico.output_uses(board)
    for line, (name, number) in enumerate(zip(CABLE, _cable_pins(board), strict=True)):
        uses[number] = pico.Use(f"{NETS[name]}, {pico.wire_colour(line)}")
    for gpio, name, to in zip(board.register_pins, ("load", "clock", "data"), _TO, strict=True):
        text = f"{NETS[name]}, {pico.wire_colour(CABLE.index(name))}: {to}"
        uses[pico.pin_of(gpio)] = pico.Use(text, gpio)
    return uses


def _pulled_by(place: int) -> int:
    """Return the pin of a network of eight resistors that input D`place` is pulled up by."""
    return 2 + place


def _package(svg: ET.Element, at: Point) -> None:
    """Draw a 74HC165 as it looks from above, with what each of its pins is for."""
    x, y = at
    paper.words(svg, (x, y + 3), tr("74HC165, seen from above (eight alike)"), 8, bold=True)
    left, top, wide, pitch = x + 76, y + 16, 62, 15
    paper.rect(svg, (left, top), (wide, 8 * pitch), 0.9, rx=2)
    paper.path(svg, _notch((left + wide / 2, top)), 0.9)
    uses = {
        LOAD: NETS["load"],
        CLOCK: NETS["clock"],
        INVERTED: tr("leave open"),
        GROUND: NETS[GROUNDED],
        DATA_OUT: tr("data, towards the Pico"),
        DATA_IN: tr("Q7 of the next chip"),
        ENABLE: NETS[GROUNDED],
        SUPPLY: tr("{supply}; {capacitor} to ground", supply=NETS[V33], capacitor=DECOUPLED),
    } | dict.fromkeys(INPUTS, tr("reed or button"))
    for number, name in PINS.items():
        on_left = number <= 8
        place = number - 1 if on_left else 16 - number
        way, anchor = (1, "start") if on_left else (-1, "end")
        edge, level = (left if on_left else left + wide), top + (place + 0.5) * pitch
        made = paper.group(svg, "package-pin", data_pin=number)
        paper.rect(made, (edge - (6 if on_left else 0), level - 2), (6, 4), 0.5)
        label = f"{number}  {name}" if on_left else f"{name}  {number}"
        paper.words(made, (edge + 3 * way, level), label, _SMALL, anchor, bold=True)
        out = (edge - 9 * way, level)
        paper.words(made, out, uses[number], _SMALL, "end" if on_left else "start")


def _notch(middle: Point) -> list[Point]:
    """Return the half circle below `middle` that marks the end of a chip with pin 1."""
    x, y = middle
    return [(x + 5 * cos(radians(step)), y + 5 * sin(radians(step))) for step in range(0, 181, 15)]


def _network(svg: ET.Element, at: Point) -> None:
    """Draw a resistor network from its printed side: what is in it, and where it is soldered."""
    x, y = at
    paper.words(svg, (x, y + 3), tr("Network, one at each chip"), 8, bold=True)
    pitch, top = 16, y + 16
    paper.rect(svg, (x, top), (_LEGS * pitch, 44), 0.8, fill=paper.LIGHT)
    paper.circle(svg, (x + 4, top + 40), 1.4, fill=paper.INK)
    common = top + 7
    ends = [x + (place + 0.5) * pitch for place in range(_LEGS)]
    paper.line(svg, (ends[0], common), (ends[-1], common), 0.8)
    for number, end in enumerate(ends, 1):
        made = paper.group(svg, "network-leg", data_pin=number)
        paper.line(made, (end, common), (end, top + 52), 0.8)
        if number > COMMON:
            paper.rect(made, (end - 2.5, common + 6), (5, 16), 0.7, fill="#ffffff")
        paper.words(made, (end + 3, top + 38), str(number), _SMALL, bold=True)
        use = NETS[V33] if number == COMMON else f"D{number - _pulled_by(0)}"
        paper.words(made, (end, top + 58), use, _SMALL, "middle")
        if number > COMMON:
            paper.words(made, (end, top + 66), str(INPUTS[number - _pulled_by(0)]), 5, "middle")
    said = (
        tr("A dot marks pin 1. All {resistors}.", resistors=PULL_UP),
        tr("Below: the input, and its pin at the chip."),
    )
    for line, text in enumerate(said):
        paper.words(svg, (x, top + 77 + 9 * line), text, _SMALL)
