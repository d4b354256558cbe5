"""The parts of our circuit boards: what is ordered, and what each needs of a board.

Pads and courtyards are those of KiCad's library, under its names; the reed's are our own. All in
mm, east and south of a footprint's origin, seen from the side that the part is on.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chronotable_host.hardware.drawings.paper import Box


class Pad(NamedTuple):
    """A pad of copper, by the number of its pin; one with a drill goes through the board."""

    number: int
    x: float
    y: float
    width: float
    height: float
    drill: float = 0


class Footprint(NamedTuple):
    """What a part needs of a board."""

    pads: tuple[Pad, ...]
    courtyard: Box
    """What no other part may reach into."""
    body: Box
    """What is drawn of it."""


class PartKind(NamedTuple):
    """A part as it is ordered."""

    value: str
    footprint: str
    example: str
    """A maker's number of one that fits."""
    pins: Mapping[int, tuple[str, str]] = {}
    """Name and type of a pin, as KiCad calls types; a pin that is not here is passive."""
    by_hand: bool = False
    """Whether the builder solders it, and no assembler."""


def _pair(
    distance: float, width: float, height: float, courtyard: tuple[float, float]
) -> Footprint:
    """Return two pads in a row, for a part that lies on them."""
    x, y = courtyard
    pads = tuple(Pad(n, side * distance, 0, width, height) for n, side in ((1, -1), (2, 1)))
    return Footprint(pads, (-x, -y, x, y), (-distance, 0.25 - y, distance, y - 0.25))


def _dual(places: Iterator[tuple[int, float]], x: float, width: float, courtyard: Box) -> Footprint:
    """Return pads 0.6 mm high in two columns, counted against the clock: down and up again."""
    pads = tuple(Pad(number, side * x, y, width, 0.6) for number, (side, y) in enumerate(places, 1))
    inner = x - width / 2
    return Footprint(pads, courtyard, (-inner, courtyard[1] + 0.4, inner, courtyard[3] - 0.3))


def _row(pins: int, pitch: float, pad: tuple[float, float, float], courtyard: Box) -> Footprint:
    """Return pins that go through, eastwards from the origin."""
    west, north, east, south = courtyard
    pads = tuple(Pad(number + 1, pitch * number, 0, *pad) for number in range(pins))
    return Footprint(pads, courtyard, (west + 0.5, north + 0.5, east - 0.5, south - 0.5))


def _sides(count: int, pitch: float, missing: int = 0) -> Iterator[tuple[int, float]]:
    down = [(-1, pitch * (row - (count - 1) / 2)) for row in range(count)]
    both = [*down, *((1, y) for _, y in reversed(down))]
    return (place for at, place in enumerate(both, 1) if at != missing)


_SOT23: Box = (-2.05, -1.7, 2.05, 1.7)
FOOTPRINTS: Mapping[str, Footprint] = {
    "Resistor_SMD:R_0603_1608Metric": _pair(0.825, 0.8, 0.95, (1.48, 0.73)),
    "Capacitor_SMD:C_0603_1608Metric": _pair(0.775, 0.9, 0.95, (1.48, 0.73)),
    "Diode_SMD:D_SOD-123": _pair(1.65, 0.9, 1.2, (2.35, 1.15)),
    "Fuse:Fuse_1812_4532Metric": _pair(2.1375, 1.125, 3.4, (2.95, 1.95)),
    "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm": Footprint(
        tuple(
            Pad(number, x, y, 1.5, 0.9)
            for number, (x, y) in enumerate(
                ((-2.45, -1.65), (-2.45, 1.65), (2.45, 1.65), (2.45, -1.65)), 1
            )
        ),
        (-3.45, -2.75, 3.45, 2.75),
        (-2.5, -2.5, 2.5, 2.5),
    ),
    "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm": _dual(
        _sides(8, 1.27), 2.475, 1.95, (-3.7, -5.34, 3.7, 5.2)
    ),
    "Package_TO_SOT_SMD:SOT-23": Footprint(
        tuple(
            Pad(number, x, y, 1.475, 0.6)
            for number, (x, y) in enumerate(((-0.9375, -0.95), (-0.9375, 0.95), (0.9375, 0)), 1)
        ),
        (-1.92, -1.7, 1.92, 1.7),
        (-0.65, -1.45, 0.65, 1.45),
    ),
    "Package_TO_SOT_SMD:SOT-23-6": _dual(_sides(3, 0.95), 1.1375, 1.325, _SOT23),
    "Package_TO_SOT_SMD:SOT-23-5": _dual(_sides(3, 0.95, missing=5), 1.1375, 1.325, _SOT23),
    "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical": Footprint(
        tuple(
            Pad(number + 1, 2.54 * (number % 2), 2.54 * (number // 2), 1.7, 1.7, 1)
            for number in range(10)
        ),
        (-3.68, -5.6, 6.22, 15.76),
        (-3.18, -5.1, 5.72, 15.26),
    ),
    "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical": Footprint(
        tuple(Pad(number + 1, 0, 2.54 * number, 1.7, 1.7, 1) for number in range(20)),
        (-1.8, -1.8, 1.75, 50),
        (-1.27, -1.27, 1.27, 49.53),
    ),
    "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical": _row(
        2, 2.5, (1.7, 2, 1), (-2.95, -2.85, 5.45, 3.9)
    ),
    "Connector_JST:JST_XH_B5B-XH-A_1x05_P2.50mm_Vertical": _row(
        5, 2.5, (1.7, 1.95, 0.95), (-2.95, -2.85, 12.95, 3.9)
    ),
    "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm": _row(2, 5, (2, 2, 1), (-2.75, -5.25, 7.75, 5.25)),
    "Buzzer_Beeper:Buzzer_12x9.5RM7.6": _row(2, 7.6, (2, 2, 1), (-2.45, -6.25, 10.05, 6.25)),
    "TerminalBlock_Phoenix:TerminalBlock_Phoenix_PT-1,5-2-5.0-H_1x02_P5.00mm_Horizontal": _row(
        2, 5, (2.6, 2.6, 1.3), (-3, -4.5, 8, 5.5)
    ),
    # Glass of 14 x 2 mm, its wires bent 4 mm from it at least. The origin is its middle; what it
    # points at is north, where its hole is further out: a Hall sensor has room there.
    "chronotable:Reed_14x2mm": Footprint(
        (Pad(1, 0, -13.4, 2, 2, 1), Pad(2, 0, 11, 2, 2, 1)),
        (-1.25, -14.65, 1.25, 12.25),
        (-1, -7, 1, 7),
    ),
}
HOLE_MM = 3.2
"""Of a screw M3; its head takes HEAD_MM."""
HEAD_MM = 6.4

_POWER, _IN, _OUT = "power_in", "input", "output"
INPUTS = (11, 12, 13, 14, 3, 4, 5, 6)
"""Pins of the inputs D0 to D7 of a 74HC165."""
_HALL_FOOTPRINT = "Package_TO_SOT_SMD:SOT-23"
_HALL = {1: ("VCC", _POWER), 2: ("OUT", _OUT), 3: ("GND", _POWER)}

KINDS: Mapping[str, PartKind] = {
    "R10k": PartKind("10k", "Resistor_SMD:R_0603_1608Metric", "RC0603FR-0710KL"),
    "R330": PartKind("330R", "Resistor_SMD:R_0603_1608Metric", "RC0603FR-07330RL"),
    "R100": PartKind("100R", "Resistor_SMD:R_0603_1608Metric", "RC0603FR-07100RL"),
    "C100n": PartKind("100n", "Capacitor_SMD:C_0603_1608Metric", "CL10B104KB8NNNC"),
    "C10n": PartKind("10n 25V", "Capacitor_SMD:C_0603_1608Metric", "CL10B103KB8NNNC"),
    "C1u": PartKind("1u 16V", "Capacitor_SMD:C_0603_1608Metric", "CL10B105KO8NNNC"),
    "C1000u": PartKind(
        "1000u 10V", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "ECA-1AM102", by_hand=True
    ),
    "led": PartKind(
        "WS2812B",
        "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
        "WS2812B-B",
        {1: ("VDD", _POWER), 2: ("DOUT", _OUT), 3: ("VSS", _POWER), 4: ("DIN", _IN)},
    ),
    "register": PartKind(
        "74HC165",
        "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm",
        "SN74HC165DR",
        {
            1: ("SH/LD", _IN),
            2: ("CP", _IN),
            7: ("nQ7", _OUT),
            8: ("GND", _POWER),
            9: ("Q7", _OUT),
            10: ("DS", _IN),
            15: ("CE", _IN),
            16: ("VCC", _POWER),
            **{pin: (f"D{place}", _IN) for place, pin in enumerate(INPUTS)},
        },
    ),
    "shifter": PartKind(
        "74AHCT1G125",
        "Package_TO_SOT_SMD:SOT-23-5",
        "SN74AHCT1G125DBVR",
        {1: ("OE", _IN), 2: ("A", _IN), 3: ("GND", _POWER), 4: ("Y", _OUT), 5: ("VCC", _POWER)},
    ),
    "switch": PartKind(
        "TPS22918",
        "Package_TO_SOT_SMD:SOT-23-6",
        "TPS22918DBVR",
        {
            1: ("VIN", _POWER),
            2: ("GND", _POWER),
            3: ("ON", _IN),
            4: ("CT", "passive"),
            5: ("QOD", "passive"),
            6: ("VOUT", "power_out"),
        },
    ),
    "fuse": PartKind("PTC 0.75A", "Fuse:Fuse_1812_4532Metric", "MF-MSMF075-2"),
    "diode": PartKind(
        "1N5819W", "Diode_SMD:D_SOD-123", "1N5819W", {1: ("K", "passive"), 2: ("A", "passive")}
    ),
    "reed": PartKind(
        "reed 14x2mm 15-20AT", "chronotable:Reed_14x2mm", "MKA-14103 15-20AT", by_hand=True
    ),
    # TI's SLVSDC7H, versions FC and DU; pins are not verified, nobody has tried them.
    "hall": PartKind("Hall switch, omnipolar", _HALL_FOOTPRINT, "DRV5032FCDBZR", _HALL),
    "pole": PartKind("Hall switch, south pole", _HALL_FOOTPRINT, "DRV5032DUDBZR", _HALL),
    "ribbon": PartKind(
        "box header 2x5",
        "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical",
        "61201021621",
        by_hand=True,
    ),
    "socket": PartKind(
        "socket 1x20",
        "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical",
        "PPTC201LFBN-RC",
        by_hand=True,
    ),
    "plug2": PartKind(
        "JST XH 2", "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical", "B2B-XH-A", by_hand=True
    ),
    "plug5": PartKind(
        "JST XH 5", "Connector_JST:JST_XH_B5B-XH-A_1x05_P2.50mm_Vertical", "B5B-XH-A", by_hand=True
    ),
    "terminal": PartKind(
        "screw terminal 2",
        "TerminalBlock_Phoenix:TerminalBlock_Phoenix_PT-1,5-2-5.0-H_1x02_P5.00mm_Horizontal",
        "1935161",
        by_hand=True,
    ),
    "piezo": PartKind(
        "piezo, passive", "Buzzer_Beeper:Buzzer_12x9.5RM7.6", "PS1240P02BT", by_hand=True
    ),
}
