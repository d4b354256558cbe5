"""What the build guides say of parts, of what sits where, and of power is so by files and code."""

import re

import pytest

from chronotable.hardware.board import load
from chronotable.hardware.sensors import SENSORS
from chronotable_host.hardware import boards, power
from chronotable_host.hardware.circuit import footprints
from chronotable_host.hardware.circuit.layouts import unrouted
from chronotable_host.hardware.drawings.reeds import reeds_svg
from chronotable_host.hardware.drawings.table_layout import (
    LATH_MM,
    MAGNET_MM,
    PICO_BOARD_MM,
    PLATE_MM,
    REACH_MM,
    layout_of,
)
from chronotable_host.hardware.drawings.wiring import FUSE_A, PTC_A, wiring_svg

from .guides import guides

GUIDES = dict(guides())
REFERENCE, TILES = GUIDES["reference"], GUIDES["tiles"]
of_every_board = pytest.mark.parametrize("board", GUIDES)


# ---- parts


def joints(data):
    """Solder joints: the ends of reeds, buttons and diodes, six at an LED; or what boards leave."""
    if "registers" in data:
        return sum(
            count * len(part.pins)
            for circuit, count in unrouted(data).values()
            for part in circuit.parts
            if footprints.KINDS[part.kind].by_hand
        )
    return 4 * (SENSORS + len(data["buttons"])) + 6 * data["leds"]["count"]


@pytest.mark.parametrize(("board", "column"), [*zip(boards.names(), (2, 3, 4), strict=True)])
def test_the_number_of_joints_is_reckoned_from_the_parts(board, column):
    [row] = re.findall(r"^\| solder joints \|.*$", REFERENCE.text, re.MULTILINE)
    told = int(re.search(r"\d+", row.split("|")[column])[0])
    assert joints(boards.read_data(board)) == pytest.approx(told, abs=25)


def test_costs_and_times_are_called_estimates_and_no_table_built():
    assert "Costs and times are estimates" in REFERENCE.flat
    for guide in GUIDES.values():
        first = guide.text.split("\n\n")[1]
        assert first.startswith("**Nobody has ") and "(TILES.md#ten-questions)" in first


def test_every_example_is_of_a_part_that_is_bought():
    guide = REFERENCE
    for name, example, counts in guide.examples:
        assert any(name in part for part in guide.parts), name
        assert example and counts
    named = " ".join(name for name, *_ in guide.examples)
    for part in ("reed", "LED", "12 mm", "16 mm", "magnet", "74AHCT125", "PTC", "diode"):
        assert part in named


@of_every_board
def test_the_magnets_are_what_the_figures_are_for(board):
    [name] = [name for name in GUIDES[board].parts if "magnet" in name]
    size = " x ".join(map(str, MAGNET_MM))
    assert name == f"neodymium disc magnet {size} mm, N35 to N42, magnetised through the thickness"


def test_a_magnet_in_a_foot_is_near_enough_to_its_reed():
    text = REFERENCE.flat
    floor = re.search(r"at most ([\d.]+) mm thick", text)[1]
    felt = re.search(r"felt of (\d) mm at most", text)[1]
    total = PLATE_MM + float(floor) + float(felt)
    assert total <= REACH_MM
    said = f"{REACH_MM} mm at most: plate {PLATE_MM}, floor {floor}, felt {felt} make {total:g}"
    assert f"From magnet to glass {said}" in text
    assert f"From magnet to glass at most {REACH_MM} mm" in text
    assert f"{MAGNET_MM[0]} mm Forstner bit, {MAGNET_MM[1]} mm deep" in text
    disc = re.search(r"a disc of (\d+ x \d+ mm)", text)[1]
    drawn = reeds_svg(boards.read_data("reference"))
    assert f"{floor} mm thick at most" in drawn and f"{disc}, bored" in drawn


def test_a_pico_w_serves_as_a_plain_pico():
    assert "put the MicroPython for RPI_PICO on it, not the one for RPI_PICO_W" in REFERENCE.flat
    assert "(BUILD.md#which-pico)" in TILES.text
    for board in GUIDES:  # the radio's pins
        taken = boards.read(board)
        used = {*taken.row_pins, *taken.col_pins, *taken.register_pins, taken.led_pin}
        assert not used & {23, 24, 25, 29}


# ---- what sits where


@of_every_board
def test_the_frame_goes_all_round_and_is_high_enough(board):
    width, height = boards.read_data(board)["geometry_mm"]["table"]
    thick, high = LATH_MM
    lath = rf"lath of wood, {thick} mm thick, at least {high} mm high, ([\d.]+) m \|"
    length = float(re.search(lath, GUIDES[board].text)[1])
    around = (2 * width + 2 * (height - 2 * thick)) / 1000
    assert around <= length < around + 0.5
    below = re.search(
        r"\*\*(\d+) mm\*\* high or more: the Pico on its board comes to (\d+) mm below the plate, "
        r"a button with its wires to (\d+)\.",
        REFERENCE.flat,
    )
    assert int(below[1]) == high > max(int(below[2]), int(below[3]))


@of_every_board
def test_the_picos_board_is_where_the_picture_has_it(board):
    data = boards.read_data(board)
    layout = layout_of(data)
    x, y = layout.pico_board()
    pitch = data["geometry_mm"]["pitch"]
    past, present, _ = (corner[0] - pitch / 2 for corner in data["geometry_mm"]["space_1"])
    assert past < x and x + PICO_BOARD_MM[0] < present + 4 * pitch
    assert y + PICO_BOARD_MM[1] < layout.size[1] / 2 and data["seats"]["white"] == "north"
    assert "white's side, between the past and the present" in REFERENCE.flat
    assert "towards the gap between" in GUIDES[board].flat


# ---- power


@of_every_board
def test_currents_are_those_of_the_board_file(board):
    leds, draw = boards.read_data(board)["leds"], power.power_draw(boards.read(board))
    assert f"`max_ma`: {leds['max_ma']} mA" in GUIDES[board].text
    assert f"{draw.total} mA" in GUIDES[board].flat
    assert f"{leds['count']} x 60 mA = {leds['count'] * 60} mA" in REFERENCE.text


def test_the_sums_of_the_power_section_are_those_of_the_commands():
    text, data = REFERENCE.flat, boards.read_data("reference")
    draw = power.power_draw(load(data))
    said = (
        f"take {draw.led_chips} mA on top, lit or dark, and the Pico {draw.pico} mA: {draw.total}"
    )
    assert f"{said} mA at most" in text and f"a plain USB port ({power.USB_MA} mA)" in text
    assert f"little more than the {draw.led_chips + draw.pico} mA of chips and Pico" in text
    tiles = power.power_draw(boards.read("tiles"))
    assert f"table takes {tiles.total} mA." in TILES.flat
    said = f"closed reeds take {tiles.reeds}, and so the lights {draw.light - tiles.light} less"
    assert said in TILES.flat
    data["leds"]["max_ma"] = 3240
    bright = power.power_draw(load(data)).total
    assert f"to 3240 at most, which makes {bright} mA in all" in text
    assert bright < 0.9 * FUSE_A * 1000, "what a fuse carries for ever"
    data["leds"]["max_ma"] = 4000
    assert power.power_draw(load(data)).total == bright


def test_the_ptc_carries_the_leds_and_costs_little():
    text, draw = REFERENCE.flat, power.power_draw(boards.read("reference"))
    passes = draw.light + draw.led_chips
    assert passes < 500, "the smallest that is told to do"
    assert f"{passes} mA pass it at most" in text
    least, most = (ohm * passes / 1000 for ohm in (0.18, 0.6))
    assert "some 0.18 to 0.6 ohm" in text and f"which costs {least:.2f} to {most:.2f} V" in text
    for guide in GUIDES.values():
        assert guide.quantity(f"PTC resettable fuse, {PTC_A} A hold") == 1
    svg = wiring_svg(boards.read_data("reference"))
    assert f"PTC {PTC_A} A" in svg and f"fuse (T {FUSE_A} A)" in svg
    assert f"a slow fuse of {FUSE_A} A (T {FUSE_A} A," in text


def test_what_keeps_a_power_bank_awake():
    text, draw = REFERENCE.flat, power.power_draw(boards.read("reference"))
    more = round(5 / 47 * 1000)
    assert f"47 ohm, 2 W, from the rail to ground: {more} mA more" in text
    assert 5 * 5 / 47 < 2 / 2, "a resistor lives long at half of what it may"
    assert f"would have to give {draw.total + more} mA" in text
    assert draw.light + draw.led_chips + more < PTC_A * 1000


def test_no_contact_has_5_volts_before_the_pico_goes_in():
    board = boards.read("reference")
    pins = sorted([*board.row_pins, *board.col_pins])
    assert pins == list(range(pins[0], pins[-1] + 1))
    contacts = f"each of the {len(pins)} contacts of the rows and columns**"
    said = f"{contacts} (GP{pins[0]} to GP{pins[-1]}): open"
    assert said in REFERENCE.flat
    steps = REFERENCE.flat.split("### ")
    [power_only] = [step for step in steps if step.startswith("3. Power only")]
    assert power_only.index(said) < power_only.index("with USB")
    [reeds] = [step for step in steps if step.startswith("6. Reeds and diodes")]
    assert f"5 V rail to each of the {len(pins)} contacts, open as in step 3" in reeds
    assert "**From pin 1 of J1 to each of its pins 4, 6, 8, 9 and 10: open**" in TILES.flat
