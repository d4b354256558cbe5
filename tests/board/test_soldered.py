"""A table of circuit boards at the doctor: wired as its Gerbers say, and with ten bad joints."""

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, FOCUS, INPUTS, SENSORS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import pico
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.actual_table import ActualTable
from chronotable_host.virtual.faulty.faults import PlantedFault
from tests import lanes
from tests.lab.doctor import outcome_text
from tests.lab.faulty.examined import Examination

from .guides import FOLDER
from .netlist import PIN
from .test_circuits import NAMES, assembled, reading

BOARD = boards.read("tiles")
SPOTS = sorted(range(FOCUS, SENSORS), key=lambda sensor: BOARD.led_of[sensor])
PASSED = {"R1": (1, 2), "R2": (1, 2), "R3": (1, 2), "U2": (2, 4)}
"""Parts of the Pico's board that a signal goes through: from which pin to which."""


def switch_of(sensor):
    """Where the reed or the button of a sensor is soldered: its board and part."""
    if sensor < FOCUS:
        return f"tile {sensor // 16}", f"S{sensor % 16 + 1}"
    if sensor < BUTTON:
        return f"spot {sensor}", "S1"
    return "strip", f"J{sensor - BUTTON + len(SPOTS) + 2}"


def light_of(sensor):
    place, _ = switch_of(sensor)
    return (place, f"D{sensor % 16 + 1}") if sensor < FOCUS else (place, "D1")


class Soldered:
    """What a net list comes to: which cell each switch closes, which light comes when."""

    def __init__(self, nets):
        self.nets = [set(net) for net in nets]

    def net(self, place, part, pin):
        return next(net for net in self.nets if (place, part, str(pin)) in net)

    def pico_net(self, gpio):
        pin = pico.pin_of(gpio)
        net = self.net("pico", "J2" if pin <= 20 else "J3", (pin - 1) % 20 + 1)
        passed = True
        while passed:
            passed = [part for part, (a, _) in PASSED.items() if ("pico", part, str(a)) in net]
            if passed:
                net = self.net("pico", passed[0], PASSED[passed[0]][1])
        return net

    def pins(self, net, pin):
        """The chips of which this pin is on a net."""
        return [
            (place, part)
            for place, part, n in net
            if n == str(pin) and part in ("U1", "U2") and place != "pico"
        ]

    def chips(self):
        """The chips in the order of the chain, from the Pico on, as far as data come through."""
        load, clock, data = (self.pico_net(gpio) for gpio in BOARD.register_pins)
        found, net = [], data
        while chips := self.pins(net, PIN["Q7"]):
            [chip] = chips
            assert chip in self.pins(load, PIN["SH/LD"]) and chip in self.pins(clock, PIN["CP"])
            found.append(chip)
            net = self.net(*chip, PIN["DS"])
        return found

    def cells(self):
        """By sensor: the cell that its switch closes, -1 where it closes none; and those that are
        closed for ever."""
        ground = self.net("pico", "J2", 3)
        cells, closed = [-1] * INPUTS, set()
        for at, chip in enumerate(self.chips()):
            supplied = self.net(*chip, PIN["VCC"]) is self.net("pico", "J3", 16)
            for bit in range(8):
                net = self.net(*chip, PIN[f"D{bit}"])
                for sensor in range(INPUTS):
                    one, other = ((*switch_of(sensor), str(pin)) for pin in (1, 2))
                    if supplied and one in net and (other in ground or net is ground):
                        cells[sensor] = at * 8 + bit
                        if net is ground and sensor == BOARD.sensor_of[at * 8 + bit]:
                            closed.add(sensor)
        return cells, closed

    def lights(self):
        """By sensor: which light of the chain is there, -1 where no data come."""
        places = {light_of(sensor): sensor for sensor in range(SENSORS)}
        lights = [-1] * SENSORS
        net = self.pico_net(BOARD.led_pin)
        for at in range(SENSORS):
            following = [places[pin[:2]] for pin in net if pin[2] == "4" and pin[:2] in places]
            if len(following) != 1:
                break
            lights[following[0]] = at
            net = self.net(*light_of(following[0]), 2)
        return lights

    def lift(self, place, part, pin):
        """A joint that does not hold: the pin is on a net of its own."""
        name = (place, part, str(pin))
        self.net(*name).discard(name)
        self.nets.append({name})

    def bridge(self, one, other):
        """Solder between two pins."""
        into, of = self.net(*one), self.net(*other)
        self.nets = [net for net in self.nets if net is not of]
        into |= of

    def exchange(self, one, other):
        """Two plugs in each other's place, by their pins."""
        a, b = self.net(*one), self.net(*other)
        for net, gone, come in ((a, one, other), (b, other, one)):
            net.discard((*gone[:2], str(gone[2])))
            net.add((*come[:2], str(come[2])))


def planted(soldered):
    """What the doctor is to find of it, each with the board and part where it is."""
    found = {}
    cells, closed = soldered.cells()
    for sensor, cell in enumerate(cells):
        is_button, at = sensor >= BUTTON, switch_of(sensor)
        if cell < 0 and chip_of(BOARD.cell_of[sensor]) in dead(cells):
            continue
        if cell < 0:
            kind = kinds.BUTTON_DEAD if is_button else kinds.STUCK_OPEN
            found[PlantedFault(kind, sensor)] = at
        elif sensor in closed:
            kind = kinds.BUTTON_STUCK if is_button else kinds.STUCK_CLOSED
            found[PlantedFault(kind, sensor)] = at
        elif cell != BOARD.cell_of[sensor] and (other := BOARD.sensor_of[cell]) > sensor:
            assert cells[other] == BOARD.cell_of[sensor]
            kind = kinds.BUTTON_EXCHANGED if is_button else kinds.EXCHANGED
            found[PlantedFault(kind, sensor, other)] = at
    chips = soldered.chips()
    for chip in dead(cells):
        found[PlantedFault(kinds.CHIP_DEAD, chip, 1)] = chips[chip]
    for sensor, light in enumerate(soldered.lights()):
        if light < 0:
            found[PlantedFault(kinds.LED_DARK, BOARD.led_of[sensor])] = light_of(sensor)
    return found


def chip_of(cell):
    return cell // 8


def dead(cells):
    """Chips of which nothing is felt."""
    return {
        chip for chip in range(8) if not any(chip_of(cell) == chip for cell in cells if cell >= 0)
    }


def soldered():
    return Soldered(assembled(BOARD, {name: reading(name) for name in NAMES}))


@lanes.gate
def test_the_virtual_table_is_wired_as_the_circuit_boards_are():
    table = soldered()
    cells, closed = table.cells()
    assert (cells, closed) == ([*ActualTable(BOARD, ()).cell_of], set())
    assert table.lights() == [*ActualTable(BOARD, ()).led_of]
    assert planted(table) == {}


JOINTS = {
    "reed, one end": (Soldered.lift, ("tile 0", "S7", 1), "S7"),
    "reed, ground": (Soldered.lift, ("tile 1", "S12", 2), "S12"),
    "chip's input": (Soldered.lift, ("tile 2", "U1", PIN["D3"]), "S4"),
    "reed, bridge to ground": (Soldered.bridge, ("tile 2", "S16", 1), "S16", ("tile 2", "S16", 2)),
    "spot's reed": (Soldered.lift, ("spot 48", "S1", 1), "S1"),
    "button's plug": (Soldered.lift, ("strip", "J9", 2), "J9"),
    "button's bridge": (Soldered.bridge, ("strip", "J13", 1), "J13", ("strip", "J13", 2)),
    "chip's supply": (Soldered.lift, ("tile 1", "U2", PIN["VCC"]), "U2"),
    "last light's data": (Soldered.lift, (*light_of(SPOTS[-1]), 4), "D1"),
    "two plugs of buttons": (Soldered.exchange, ("strip", "J8", 1), "J8", ("strip", "J10", 1)),
}
"""What is wrong with ten joints: of which pin, and the part that is to be named on its board."""


@pytest.mark.parametrize("joint", lanes.once(JOINTS))
def test_each_of_ten_bad_joints_is_found_and_named(joint):
    spoil, pin, part, *other = JOINTS[joint]
    table = soldered()
    spoil(table, *([pin, *other] if other else pin))
    due = planted(table)
    assert [*due.values()] == [(pin[0], part)]
    actual = ActualTable(BOARD, due)
    cells, _ = table.cells()
    for sensor, cell in enumerate(cells):  # the virtual table is wired so, too
        assert cell == (actual.cell_of[sensor] if cell >= 0 else -1), sensor_name(sensor)
    outcome = Examination("tiles", [*due], 1).examine()
    assert outcome.told == set(due), outcome_text(outcome)
    assert outcome.is_good, outcome_text(outcome)


@lanes.full
def test_a_table_as_the_circuit_boards_are_is_all_well():
    outcome = Examination("tiles", [*planted(soldered())], 1).examine()
    assert outcome.is_good and outcome.told == set(), outcome_text(outcome)


@lanes.gate
def test_the_guide_says_which_part_a_place_of_the_doctor_is():
    text = (FOLDER / "TILES.md").read_text("utf-8")
    assert switch_of(6) == ("tile 0", "S7") and light_of(6) == ("tile 0", "D7")
    assert "| space 7 of an era, and so each | that era's `tile` | S7 | D7 | R7 |" in text
    assert switch_of(FOCUS)[1] == "S1" and light_of(FOCUS)[1] == "D1"
    assert "| a focus spot | its `spot` | S1 | D1 | on the strip |" in text
    plugs = [switch_of(button)[1] for button in (BUTTON, INPUTS - 1)]
    assert f"| a button | `strip` | {plugs[0]} to {plugs[1]}, named beside |" in text
    chips = soldered().chips()
    assert [chip for _, chip in chips] == ["U1", "U2"] * 4
