"""The wiring picture of shift registers: its circuit, read back, is that of the board file."""

import random
import xml.etree.ElementTree as ET
from copy import deepcopy
from functools import cache

import pytest

from chronotable.hardware.board import load
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, INPUTS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import pico
from chronotable_host.hardware.drawings.wiring import wiring_svg
from tests import lanes, sweep
from tests.board import pictures

from .drawn import assert_lights_and_pins, shuffled_cells
from .netlist import SVG, nets, of_class, points

BOARDS = [name for name in pictures.BOARDS if boards.read(name).register_pins]
# of the data sheet
NAMES = "SH/LD CP D4 D5 D6 D7 not-Q7 GND Q7 DS D0 D1 D2 D3 CE VCC"
DATASHEET = {at: name.replace("-", " ") for at, name in enumerate(NAMES.split(), 1)}
PIN = {name: number for number, name in DATASHEET.items()}


def circuit(board):
    """The nets that a board's chips have to have."""
    load_pin, clock, data = board.register_pins
    chips = range(8)

    def all_pins(name):
        return {f"chip {chip} pin {PIN[name]}" for chip in chips}

    ground = {"ground", *all_pins("GND"), *all_pins("CE"), f"chip 7 pin {PIN['DS']}"}
    ground |= {f"capacitor {chip} second" for chip in chips}
    ground |= {f"{sensor_name(sensor)} first" for sensor in range(INPUTS)}
    supply = {"3.3 V", *all_pins("VCC"), *(f"network {chip} pin 1" for chip in chips)}
    supply |= {f"capacitor {chip} first" for chip in chips}
    found = [ground, supply]
    found += [{f"GP{load_pin}", "resistor 0 second"}, {"resistor 0 first", *all_pins("SH/LD")}]
    found += [{f"GP{clock}", "resistor 1 second"}, {"resistor 1 first", *all_pins("CP")}]
    found += [{f"GP{data}", f"chip 0 pin {PIN['Q7']}"}]
    found += [{f"chip {at} pin {PIN['Q7']}", f"chip {at - 1} pin {PIN['DS']}"} for at in chips[1:]]
    found += [{pin} for pin in all_pins("not Q7")]
    for sensor in range(INPUTS):
        chip, place = divmod(board.cell_of[sensor], 8)
        pulled = f"network {chip} pin {place + 2}"
        ends = {f"chip {chip} pin {PIN[f'D{place}']}", pulled, f"{sensor_name(sensor)} second"}
        found.append(ends)
    return {frozenset(net) for net in found}


@lanes.gate
@pytest.mark.parametrize("name", BOARDS)
def test_the_circuit_is_that_of_the_board(name):
    data = boards.read_data(name)
    svg = ET.fromstring(wiring_svg(data))
    assert nets(svg) == circuit(load(data))
    assert_lights_and_pins(svg, load(data))


@lanes.gate
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(sweep.size(1, 6)))
def test_any_circuit_is_drawn(name, seed):
    chance = random.Random(seed)
    data = boards.read_data(name)
    shuffled_cells(data, chance)
    pins = [gpio for gpio in range(29) if gpio not in (23, 24, 25)]
    load_pin, clock, serial, data["leds"]["pin"] = chance.sample(pins, 4)
    data["registers"] |= {"load_pin": load_pin, "clock_pin": clock, "data_pin": serial}
    svg = ET.fromstring(wiring_svg(data))
    assert nets(svg) == circuit(load(data)), f"seed {seed}"
    assert_lights_and_pins(svg, load(data))


def swap_pin(root):
    of_class(root, "chip-pin")[0].set("data-pin", "1")


def swap_sensor(root):
    of_class(root, "switch")[5].set("data-sensor", "60")


def swap_rail(root):
    rail = of_class(root, "rail")[0]
    rail.set("data-net", {"ground": "3.3 V", "3.3 V": "ground"}[rail.get("data-net")])


def lose_wire(root):
    of_class(root, "wire")[40].set("class", "")


def cut_short(root):
    wire = next(wire for wire in of_class(root, "wire") if len(points(wire)) > 3)
    wire.set("points", wire.get("points").rsplit(" ", 1)[0])


def lose_dot(root):
    dot = of_class(root, "dot")[7]
    dot.remove(dot[0])
    dot.set("class", "")


@lanes.gate
@pytest.mark.parametrize(
    "spoil", [swap_pin, swap_sensor, swap_rail, lose_wire, cut_short, lose_dot]
)
def test_a_drawing_that_is_wrong_is_read_as_such(spoil):
    data = boards.read_data(BOARDS[0])
    root = deepcopy(drawn(BOARDS[0]))
    spoil(root)
    try:
        read = nets(root)
    except AssertionError:
        return
    assert read != circuit(load(data))


@cache
def drawn(name):
    return ET.fromstring(wiring_svg(boards.read_data(name)))


def words_of(group):
    return [text.text for text in group.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", BOARDS)
def test_every_pin_of_a_chip_is_named_as_in_the_data_sheet(name):
    pins = of_class(drawn(name), "chip-pin")
    assert len(pins) == 8 * 16
    for pin in pins:
        number = int(pin.get("data-pin"))
        [label] = words_of(pin)
        assert sorted(label.split()) == sorted([str(number), *DATASHEET[number].split()])
    package = of_class(drawn(name), "package-pin")
    assert sorted(int(pin.get("data-pin")) for pin in package) == list(range(1, 17))
    for pin in package:
        number = int(pin.get("data-pin"))
        label, _use = words_of(pin)
        assert sorted(label.split()) == sorted([str(number), *DATASHEET[number].split()])


@pytest.mark.parametrize("name", BOARDS)
def test_the_package_has_its_pins_where_they_are_from_above(name):
    def corner(pin):
        foot = pin.find(f"{SVG}rect")
        return float(foot.get("x")), float(foot.get("y"))

    feet = of_class(drawn(name), "package-pin")
    at = {int(pin.get("data-pin")): corner(pin) for pin in feet}
    assert (
        len({at[pin][0] for pin in range(1, 9)}) == len({at[pin][0] for pin in range(9, 17)}) == 1
    )
    assert at[1][0] < at[16][0]
    for pin in range(1, 8):
        assert at[pin][1] < at[pin + 1][1] and at[17 - pin][1] < at[16 - pin][1]
    assert all(at[pin][1] == at[17 - pin][1] for pin in range(1, 9))


@pytest.mark.parametrize("name", BOARDS)
def test_the_network_says_which_input_each_of_its_pins_pulls_up(name):
    legs = of_class(drawn(name), "network-leg")
    told = {int(leg.get("data-pin")): words_of(leg)[1:] for leg in legs}
    inputs = {place + 2: [f"D{place}", str(PIN[f"D{place}"])] for place in range(8)}
    assert told == {1: ["3.3 V"], **inputs}


@pytest.mark.parametrize("name", BOARDS)
def test_switches_are_named_and_drawn_as_what_they_are(name):
    for switch in of_class(drawn(name), "switch"):
        sensor = int(switch.get("data-sensor"))
        told = " ".join(words_of(switch))
        assert told == sensor_name(sensor).removeprefix("button ")
        assert (switch.find(f"{SVG}rect") is not None) == (sensor < BUTTON)


@pytest.mark.parametrize("name", BOARDS)
def test_the_cable_has_ground_beside_the_clock_and_ends_at_the_picos_pins(name):
    data = boards.read_data(name)
    wires = of_class(drawn(name), "cable")
    assert [int(wire.get("data-wire")) for wire in wires] == list(range(6))
    numbers = [int(wire.get("data-pin")) for wire in wires]
    names = [words_of(wire)[0] for wire in wires]
    assert names == ["3.3 V", "load", "ground", "clock", "ground", "data"]
    load_pin, clock, serial = (pico.pin_of(gpio) for gpio in load(data).register_pins)
    assert (numbers[1], numbers[3], numbers[5]) == (load_pin, clock, serial)
    assert [pico.PINS[numbers[at]] for at in (0, 2, 4)] == ["3V3", "GND", "GND"]
    assert len(set(numbers)) == 6


@pytest.mark.parametrize("gpio", [gpio for gpio in range(29) if gpio not in (23, 24, 25)])
def test_two_grounds_are_near_every_pin(gpio):
    pin = pico.pin_of(gpio)
    near = pico.grounds_near(pin)
    assert len(set(near)) == 2 and pico.GROUND not in near
    assert {pico.PINS[number] for number in near} == {"GND"}
    others = [at for at, name in pico.PINS.items() if name == "GND" and at != pico.GROUND]
    assert max(abs(at - pin) for at in near) <= min(
        abs(at - pin) for at in others if at not in near
    )
