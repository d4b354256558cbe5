"""What the guide to the table of tiles says of its chips and cables is so.

What a fault looks like is read from a model of the chain, that is a chip's data sheet in a few
lines: load low takes the inputs, each clock moves everything on by one, Q7 shows D7 first.
"""

import re
import xml.etree.ElementTree as ET

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS, SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.wiring import wiring_svg

from .guides import bare_table, guides, guides_of, lights_of
from .netlist import of_class

GUIDE = dict(guides())["tiles"]
BOARD = boards.read("tiles")
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


def test_the_quantities_are_those_of_eight_chips():
    for part in ("74HC165", "socket, 16 pins", "resistor network"):
        assert GUIDE.quantity(part) == CHIPS
    svg = ET.fromstring(wiring_svg(boards.read_data("tiles")))
    assert GUIDE.quantity("100 nF") == len(of_class(svg, "capacitor")) + 1  # the 74AHCT125's
    assert GUIDE.quantity("resistor 100 ohm") == len(of_class(svg, "resistor"))
    assert GUIDE.quantity("perfboard") == CHIPS // 2
    wires = len(of_class(svg, "cable"))
    assert GUIDE.quantity(f"ribbon, {wires} wires") == 1
    cables = CHIPS // 2  # from the Pico to the first board, and from each board to the next
    assert GUIDE.quantity(f"{wires} contacts") == GUIDE.quantity("3 contacts") == 2 * cables
    length = re.search(r"ribbon, 6 wires, ([\d.]+) m", GUIDE.text).group(1)
    assert (
        float(length) == pytest.approx(cables * 0.3) and "four reed cables of 30 cm" in GUIDE.text
    )
    assert not [part for part in GUIDE.parts if "diode" in part]


def test_the_current_of_the_chips_is_that_of_their_pull_ups():
    one = 3.3 / 10  # volts over kilohms
    assert f"draws {one:.2f} mA through its 10 kilohm" in GUIDE.flat
    assert f"all 64 together {one * 64:.0f} mA of the 300" in GUIDE.flat


# ---- wiring


def test_the_pins_are_those_of_the_board_file_and_the_picture():
    load, clock, data = BOARD.register_pins
    assert f"Load (GP{load}), clock (GP{clock}) and data (GP{data})" in GUIDE.flat
    assert f"send 5 V into the Pico's GP{data}" in GUIDE.flat
    svg = ET.fromstring(wiring_svg(boards.read_data("tiles")))
    wires = of_class(svg, "cable")
    pins = [wire.get("data-pin") for wire in wires]
    through = [f"{pin} (through 100 ohm)" if at in (1, 3) else pin for at, pin in enumerate(pins)]
    assert f"pins {', '.join(through)}." in GUIDE.flat
    names = [next(text.text for text in wire if text.tag.endswith("text")) for wire in wires]
    assert f"the ribbon's order is {', '.join(names)}," in GUIDE.flat
    legs = of_class(svg, "network-leg")
    inputs = [[text.text for text in leg if text.tag.endswith("text")][-1] for leg in legs[1:]]
    assert f"to D0 to D7, that is pins {', '.join(inputs)};" in GUIDE.flat


def test_all_tiles_are_wired_alike_from_space_1_to_space_16():
    for era in range(len(ERAS)):
        spaces = range(era * 16, era * 16 + 16)
        assert [BOARD.cell_of[space] for space in spaces] == list(spaces)
        assert [BOARD.led_of[s] - era * 16 for s in spaces] == list(BOARD.led_of[:16])
    assert BOARD.led_of.index(0) + 1 == 1 and BOARD.led_of.index(15) + 1 == 13
    assert "they come from space 1 and leave from space 13" in GUIDE.flat


def test_the_edge_strip_has_what_the_guide_says_where_it_says_so():
    def told(chip, places):
        cells = (chip * COLUMNS + place for place in places)
        return [sensor_name(BOARD.sensor_of[cell]) for cell in cells]

    for places, player in ((range(3), "white"), (range(3, 6), "black")):
        assert told(6, places) == [f"focus {player} {era}" for era in ERAS]
        names = ("undo", "action", "resign")
        assert told(7, places) == [f"button {name} {player}" for name in names]
    assert told(6, (6, 7)) == ["button a", "button b"]
    assert told(7, (6, 7)) == ["button c", "button draw"]
    chain = sorted(range(FOCUS, SENSORS), key=lambda sensor: BOARD.led_of[sensor])
    spots = [sensor_name(sensor).removeprefix("focus ") for sensor in chain]
    short = [name if at in (0, 3) else name.split()[1] for at, name in enumerate(spots)]
    assert f"last one: {', '.join(short)}." in GUIDE.flat
    assert all(BOARD.led_of[sensor] < 48 for sensor in range(FOCUS))


def test_the_boards_are_as_far_apart_as_the_check_says():
    geometry = boards.read_data("tiles")["geometry_mm"]
    steps = {
        b[0] - a[0] for a, b in zip(geometry["space_1"], geometry["space_1"][1:], strict=False)
    }
    assert steps == {4 * geometry["pitch"] + 30}
    assert "30 mm between the boards' outlines" in GUIDE.flat


def test_settling_is_told_as_the_file_has_it():
    assert boards.read_data("tiles")["registers"]["settle_us"] == BOARD.settle_us == 1
    assert "1 is ten times what the chips need" in GUIDE.flat
    assert (BOARD.scan_ms, BOARD.debounce_ms) == (5, 20)
    assert "is read every 5 ms, and counts after 20" in GUIDE.flat


def ohms(turned, one, other):
    """Kilohms between two places of a network: 0 is the supply's, 1 to 8 those of D0 to D7."""
    legs = [9 - place if turned else place + 1 for place in (one, other)]
    return sum(10 for leg in legs if leg != 1)


def test_the_ohms_of_step_4_are_those_of_the_network():
    assert {ohms(False, 0, place) for place in range(1, 9)} == {10}
    assert {ohms(False, place, place + 1) for place in range(1, 8)} == {20}
    assert [ohms(True, 0, place) for place in range(1, 9)] == [20] * 7 + [10]
    assert "20 for all but D7, the network is the wrong way round" in GUIDE.flat


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
    assert "pin 9 to pin 10 of the one before" in where


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
