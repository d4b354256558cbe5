"""What the guide to the table of tiles says of its chips and cables is so.

What a fault looks like is read from a model of the chain, that is a chip's data sheet in a few
lines: load low takes the inputs, each clock moves everything on by one, Q7 shows D7 first.
"""

import re
from math import hypot, pi

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.circuit import footprints
from chronotable_host.hardware.circuit.layouts import unrouted
from chronotable_host.hardware.drawings.table_layout import (
    GLASS_MM,
    PLATE_MM,
    REACH_MM,
    layout_of,
)

from .guides import bare_table, guides, guides_of, lights_of

GUIDE = dict(guides())["tiles"]
BOARD = boards.read("tiles")
KINDS = ("hall", "polarity")
CHIPS = 8
NOTHING = frozenset()


def read(closed=NOTHING, chips=CHIPS, last=0, no_clock=(), no_load=(), cut=(None, 0)):
    """The cells that read as closed, from a chain of `chips` with `last` at the DS of the last.

    `no_clock` and `no_load` are chips whose pin is not joined; `cut` is a chip whose Q7 no longer
    reaches the one before, and the level that this one gets instead.
    """
    held = [[0] * COLUMNS for _ in range(chips)]
    for _scan in range(2):  # the first one finds the chips as the power left them
        for chip in range(chips):
            if chip not in no_load:
                held[chip] = [int((chip, place) not in closed) for place in range(COLUMNS)]
        bits = []
        for _clock in range(CHIPS * COLUMNS):
            leaving = [chip[-1] for chip in held] + [last]
            if cut[0] is not None:
                leaving[cut[0]] = cut[1]
            bits.append(leaving[0])
            for chip in range(chips):
                if chip not in no_clock:
                    held[chip] = [leaving[chip + 1], *held[chip][:-1]]
    return {(n // COLUMNS, COLUMNS - 1 - n % COLUMNS) for n, bit in enumerate(bits) if not bit}


def all_of(chips):
    return {(chip, place) for chip in chips for place in range(COLUMNS)}


def symptom(words):
    """Assert that the table of faults has a line that begins so; return where it says to look."""
    [line] = [line for line in GUIDE.text.splitlines() if line.startswith(f"| {words}")]
    return line.split("|")[2]


# ---- parts


def test_the_quantities_are_those_of_the_boards():
    made = unrouted(boards.read_data("tiles"))
    for board, (_, count) in made.items():
        assert GUIDE.quantity(f"circuit board {board}") == count
        assert f"| `{board}` |" in GUIDE.text
    screws = len(made["tile"][0].holes) * len(ERAS)
    assert GUIDE.quantity("nylon screw") == screws
    assert GUIDE.quantity("nylon spacer") == sum(len(made[b][0].holes) for b in ("strip", "pico"))
    washers, gap = GUIDE.quantity("nylon washer"), 2.5
    assert "five washers on each" in GUIDE.flat and washers * 0.5 == screws * gap
    told = re.search(r"plate (\S+), gap (\S+), floor (\S+), felt (\d)\.", GUIDE.flat).groups()
    plate, rest, floor, felt = map(float, told)
    assert (plate, rest) == (PLATE_MM, gap - GLASS_MM[1])
    assert plate + rest + floor + felt <= REACH_MM


def test_what_the_guide_says_of_hall_switches_is_so():
    section = GUIDE.text.split("### Hall switches")[1].split("\n## ")[0]
    made = {kind: unrouted({**boards.read_data("tiles"), "sensor": kind}) for kind in KINDS}
    tile = {part.ref: part for part in made["polarity"]["tile"][0].parts}
    below = [ref for ref in tile if tile[ref].below and ref[0] == "S"]
    assert sorted(below) == sorted(f"S{n}" for n in range(17, 33)) and "S17 to S32" in section
    assert not [p for p in made["hall"]["tile"][0].parts if p.below and p.ref[0] != "J"]
    assert len([ref for ref in tile if ref[0] == "S"]) * len(ERAS) == 96 and "(96;" in section
    chips = [
        [p.ref for p in circuit.parts if p.kind == "register"]
        for circuit, _ in made["polarity"].values()
    ]
    assert chips[:2] == [["U1", "U2", "U3", "U4"]] * 2 and "16 chips of 74HC165" in section
    assert "S7 and R7 for a white copy, S23 and R23 for a black one" in section
    white, black = (tile[ref].pins[2] for ref in ("S7", "S23"))
    assert (tile["R7"].pins[1], tile["R23"].pins[1]) == (white, black)
    assert white in tile["U1"].pins.values() and black in tile["U2"].pins.values()
    strip = {part.ref: part for part in made["polarity"]["strip"][0].parts}
    for chip in ("U2", "U4"):
        assert {strip[chip].pins[pin] for pin in footprints.INPUTS} == {"+3V3"}


def field_mt(aside, below, remanence=1.17, radius=5, thick=2, parts=60):
    """The upright field of a disc magnet, so far off its axis and below its lower face.

    It is that of two charged discs (of J. D. Jackson's Classical Electrodynamics, 5.9); N35 has
    1.17 T at least. Lengths are in mm.
    """
    step = 2 * radius / parts
    along = [(at + 0.5) * step - radius for at in range(parts)]
    disc = [(x, y) for x in along for y in along if hypot(x, y) <= radius]
    return sum(
        sign * z * step**2 * remanence * 1000 / (4 * pi * hypot(aside - x, y, z) ** 3)
        for sign, z in ((1, below), (-1, below + thick))
        for x, y in disc
    )


def test_hall_switches_feel_the_magnet_of_their_space_alone():
    """The chip of a SOT-23 is taken to be 0.6 mm off the board, which is 1.6 mm thick."""
    plate, floor, felt, gap = PLATE_MM, 1.5, 1, 2.5
    upper, lower = (plate + floor + felt + gap + more for more in (-0.6, 1.6 + 0.6))
    told = re.search(
        r"(\d+) mT in the middle of a space at the upper switch, (\d+) at the lower one; 5 mm off "
        r"the middle (\d+) and (\d+), 7 mm off (\d+) and (\d+); of the neighbour ([\d.]+)\.",
        GUIDE.text,
    ).groups()
    felt_mt = [field_mt(aside, below) for aside in (0, 5, 7) for below in (upper, lower)]
    assert [round(field) for field in felt_mt] == [int(number) for number in told[:-1]]
    pitch = boards.read_data("tiles")["geometry_mm"]["pitch"]
    nearest = field_mt(pitch - 7, upper, 1.32)  # of N42, on the next space
    assert -float(told[-1]) - 0.05 < nearest <= 0
    assert min(felt_mt) > 1.5 * 3.9 and "want 3.9 (`hall` 4.8) at most" in GUIDE.text
    assert min(felt_mt[::2]) > 2 * 4.8  # the upper ones


def test_what_stands_on_a_tile_is_no_higher_than_a_reed():
    """Heights of WS2812B, SOIC-16 and 0603 parts by their data sheets."""
    high = {"led": 1.6, "register": 1.75, "C100n": 0.9, "R10k": 0.6, "reed": GLASS_MM[1]}
    above = {
        part.kind for part in unrouted(boards.read_data("tiles"))["tile"][0].parts if not part.below
    }
    assert above == set(high) and max(high[kind] for kind in above) == high["reed"]


def test_a_tile_is_screwed_where_the_template_has_its_holes():
    data = boards.read_data("tiles")
    layout, tile = layout_of(data), unrouted(data)["tile"][0]
    for first in range(0, FOCUS, 16):
        (west, north), (east, south) = layout.middle(first), layout.middle(first + 15)
        drilled = [
            hole.at for hole in layout.holes() if (hole.kind, hole.sensor) == ("screw", first)
        ]
        x, y = (west + east) / 2, (north + south) / 2
        assert drilled == [pytest.approx((x + dx, y + dy)) for dx, dy in tile.holes]


def test_the_current_of_the_chips_is_that_of_their_pull_ups():
    one = 3.3 / 10  # volts over kilohms
    assert f"draws {one:.2f} mA through its 10 kilohm" in GUIDE.flat
    assert f"all 64 together {one * 64:.0f} mA of the 300" in GUIDE.flat


# ---- wiring


def test_the_pins_are_those_of_the_board_file_and_of_the_ribbon():
    load, clock, data = BOARD.register_pins
    assert f"Load (GP{load}), clock (GP{clock}) and data (GP{data})" in GUIDE.flat
    assert f"send 5 V into the Pico's GP{data}" in GUIDE.flat
    made = unrouted(boards.read_data("tiles"))
    [plug] = [part for part in made["pico"][0].parts if part.kind == "ribbon"]
    said = "Pin 1 is 5 V, as is 2; 3, 5, 7 ground, 4 light, 6 clock, 8 load, 9 3.3 V, 10 data."
    names = {"+5V": "5 V", "GND": "ground", "LIGHT_IN": "light", "CLOCK": "clock", "LOAD": "load"}
    names |= {"+3V3": "3.3 V", "DATA_OUT": "data"}
    told = dict.fromkeys((3, 5, 7), "ground") | {1: "5 V", 2: "5 V", 4: "light", 6: "clock"}
    told |= {8: "load", 9: "3.3 V", 10: "data"}
    assert said in GUIDE.flat and {pin: names[net] for pin, net in plug.pins.items()} == told


def test_all_tiles_are_wired_alike_from_space_1_to_space_16():
    for era in range(len(ERAS)):
        spaces = range(era * 16, era * 16 + 16)
        assert [BOARD.cell_of[space] for space in spaces] == list(spaces)
        assert [BOARD.led_of[s] - era * 16 for s in spaces] == list(BOARD.led_of[:16])
    assert BOARD.led_of.index(0) + 1 == 1 and BOARD.led_of.index(15) + 1 == 13


def test_settling_is_told_as_the_file_has_it():
    assert boards.read_data("tiles")["registers"]["settle_us"] == BOARD.settle_us == 1
    assert "1 is ten times what the chips need" in GUIDE.flat
    assert (BOARD.scan_ms, BOARD.debounce_ms) == (5, 20)
    assert "is read every 5 ms, and counts after 20" in GUIDE.flat


# ---- trying a tile alone


def test_a_tile_alone_is_the_past_and_the_trial_plug_leaves_the_rest_open():
    felt = {(0, 6), (1, 7)}
    assert read(felt, chips=2, last=1) == felt
    assert {sensor_name(BOARD.sensor_of[c * COLUMNS + p]) for c, p in felt} == {"past 7", "past 16"}
    assert read(chips=6, last=1) == NOTHING  # three tiles, the plug in the last
    closed = read(chips=2, last=0)
    assert closed == all_of(range(2, CHIPS))
    pressed = {BOARD.sensor_of[c * COLUMNS + p] for c, p in closed}
    assert set(range(BUTTON, BUTTON + 10)) <= pressed


def test_four_magnets_close_four_spaces(tmp_path):
    corners = ("past 5", "past 6", "past 9", "past 10")
    said = bare_table(tmp_path, "tiles", *({"place": name} for name in corners))
    assert guides_of(said)[-1]["take"] == list(corners)
    taken = {name for name, light in lights_of(said)[-1].items() if light == "todo_take"}
    assert taken == set(corners)


# ---- faults


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("chip", range(1, CHIPS))
def test_behind_a_broken_wire_all_is_alike_and_before_it_all_is_right(chip, level):
    felt = {(0, 3), (chip - 1, 5), (chip, 2)}
    behind = all_of(range(chip, CHIPS))
    expected = {cell for cell in felt if cell[0] < chip} | (NOTHING if level else behind)
    assert read(felt, cut=(chip, level)) == expected
    where = symptom("everything from one chip on is closed, or open, or flickers")
    assert "pin 9, and pin 10 of the one before" in where


def test_without_data_at_the_pico_nothing_is_felt():
    assert read(all_of(range(CHIPS)), cut=(0, 1)) == NOTHING
    assert "data between the Pico and chip 0" in symptom("nothing at all is felt")


@pytest.mark.parametrize("chip", range(CHIPS))
def test_behind_a_chip_without_clock_all_follow_its_d7(chip):
    others = {(chip, place) for place in range(COLUMNS - 1)}
    assert read(others, no_clock={chip}) == NOTHING
    assert read({(chip, COLUMNS - 1)}, no_clock={chip}) == all_of(range(chip, CHIPS))
    assert "its clock, pin 2" in symptom("everything from one chip on follows a single space")


@pytest.mark.parametrize("chip", range(CHIPS))
def test_a_chip_without_load_reads_as_closed_and_lets_the_others_through(chip):
    felt = {(place, place) for place in range(CHIPS) if place != chip}
    assert read(felt, no_load={chip}) == felt | all_of({chip})
    assert "load, pin 1" in symptom("the eight of one chip are always closed")


def test_without_load_at_the_pico_everything_is_closed():
    assert read(no_load=set(range(CHIPS))) == all_of(range(CHIPS))
    assert "load at the Pico" in symptom("everything is closed, the buttons too")


def test_a_whole_chip_that_is_closed_asks_for_its_pieces_to_be_taken_away(tmp_path):
    closed = [{"cell": [2, place], "closed": True} for place in range(COLUMNS)]
    said = bare_table(tmp_path, "tiles", *closed)
    named = [f"present {space}" for space in range(2, 9)]
    assert guides_of(said)[-1]["take"] == named
    assert {lights_of(said)[-1][name] for name in named} == {"todo_take"}
    assert f"every space from `{named[0]}` to `{named[-1]}` blinks red" in GUIDE.flat
