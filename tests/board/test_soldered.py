"""Tables of circuit boards at the doctor: wired as their Gerbers say, and with bad joints."""

import json

import pytest

from chronotable.hardware.board import load
from chronotable.hardware.sensors import BUTTON, FOCUS, INPUTS, SENSORS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import pico
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault
from tests import lanes
from tests.lab.doctor import outcome_text
from tests.lab.faulty.examined import Examination

from .guides import FOLDER
from .test_circuits import NAMES, PIN, SENSORS_OF, assembled, of_pitch, reading

BOARD = boards.read("tiles")  # as those of other sensors, but for these
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

    def __init__(self, kind="reed"):
        self.kind = kind
        self.outputs = 1 + (kind == "polarity")
        board = load(of_pitch(50, kind))
        self.nets = [
            set(net)
            for net in assembled(board, {name: reading(name, sensor=kind) for name in NAMES})
        ]

    def switches_of(self, sensor):
        """The parts of a sensor, by player: the pins of signal and ground, and of a supply."""
        place, part = switch_of(sensor)
        if sensor >= FOCUS or self.kind == "reed":
            return [((place, part, "1"), (place, part, "2"), None)]
        parts = [f"S{sensor % 16 + 1 + 16 * output}" for output in range(self.outputs)]
        return [tuple((place, part, pin) for pin in "231") for part in parts]

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
            if n == str(pin) and part[0] == "U" and place != "pico"
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
        """By sensor: the cell that each of its switches closes and the output of the cell that it
        is on, None where it closes none; and the outputs that are closed for ever."""
        ground, supply = self.net("pico", "J2", 3), self.net("pico", "J3", 16)
        cells, closed = [[None] * len(self.switches_of(at)) for at in range(INPUTS)], set()
        for at, chip in enumerate(self.chips()):
            if self.net(*chip, PIN["VCC"]) is not supply:
                continue
            for bit in range(8):
                net, cell = self.net(*chip, PIN[f"D{bit}"]), at // self.outputs * 8 + bit
                for sensor in range(INPUTS):
                    for player, (one, other, fed) in enumerate(self.switches_of(sensor)):
                        is_whole = other in ground and (fed is None or fed in supply)
                        if one in net and (is_whole or net is ground):
                            cells[sensor][player] = (cell, at % self.outputs)
                if net is ground:
                    closed.add((BOARD.sensor_of[cell], at % self.outputs))
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
    chips, outputs = soldered.chips(), soldered.outputs
    heard = {cell // 8 for each in cells for cell, _ in filter(None, each)}
    for chip in range(8):
        if chip not in heard and chip - 1 in {-1, *heard}:
            count = 8 - chip if len(chips) < 8 * outputs else 1
            name = chips[outputs * chip] if outputs * chip < len(chips) else ("strip", "U1")
            found[PlantedFault(kinds.CHIP_DEAD, outputs * chip, outputs * count)] = name
    for sensor, each in enumerate(cells):
        is_button, due = sensor >= BUTTON, BOARD.cell_of[sensor]
        parts = [switch[0][:2] for switch in soldered.switches_of(sensor)]
        lost = [player for player, cell in enumerate(each) if cell is None]
        stuck = [player for player in range(len(each)) if (sensor, player) in closed]
        if due // 8 not in heard:
            continue
        if len(each) > 1 and (lost or stuck):
            for kind, players in ((kinds.OUTPUT_DEAD, lost), (kinds.OUTPUT_STUCK, stuck)):
                for player in players:
                    found[PlantedFault(kind, sensor, player)] = parts[player]
        elif lost or stuck:
            kind = (
                (kinds.BUTTON_STUCK if stuck else kinds.BUTTON_DEAD)
                if is_button
                else (kinds.STUCK_CLOSED if stuck else kinds.STUCK_OPEN)
            )
            found[PlantedFault(kind, sensor)] = parts[0]
        elif each == [(due, 1), (due, 0)]:
            found[PlantedFault(kinds.POLES_WRONG, sensor)] = parts[0]
        elif each[0][0] != due and (other := BOARD.sensor_of[each[0][0]]) > sensor:
            assert cells[other][0][0] == due
            kind = kinds.BUTTON_EXCHANGED if is_button else kinds.EXCHANGED
            found[PlantedFault(kind, sensor, other)] = parts[0]
    for sensor, light in enumerate(soldered.lights()):
        if light < 0:
            found[PlantedFault(kinds.LED_DARK, BOARD.led_of[sensor])] = light_of(sensor)
    return found


@pytest.fixture
def name_of(tmp_path):
    """Names a board file of a sensor."""

    def named(kind):
        file = tmp_path / f"tiles-{kind}.json"
        file.write_text(json.dumps(of_pitch(50, kind)))
        return str(file)

    return named


@pytest.mark.parametrize("kind", lanes.once(SENSORS_OF))
def test_the_virtual_table_is_wired_as_the_circuit_boards_are(kind):
    table = Soldered(kind)
    cells, closed = table.cells()
    actual = ActualTable(BOARD, ())
    assert closed == set()
    for sensor, each in enumerate(cells):
        assert each == [(actual.cell_of[sensor], output) for output in range(len(each))]
    assert table.lights() == [*actual.led_of]
    assert planted(table) == {}


JOINTS = {
    "reed": {
        "reed, one end": (Soldered.lift, ("tile 0", "S7", 1), "S7"),
        "reed, ground": (Soldered.lift, ("tile 1", "S12", 2), "S12"),
        "chip's input": (Soldered.lift, ("tile 2", "U1", PIN["D3"]), "S4"),
        "reed, bridge": (Soldered.bridge, ("tile 2", "S16", 1), "S16", ("tile 2", "S16", 2)),
        "spot's reed": (Soldered.lift, ("spot 48", "S1", 1), "S1"),
        "button's plug": (Soldered.lift, ("strip", "J9", 2), "J9"),
        "button's bridge": (Soldered.bridge, ("strip", "J13", 1), "J13", ("strip", "J13", 2)),
        "chip's supply": (Soldered.lift, ("tile 1", "U2", PIN["VCC"]), "U2"),
        "last light's data": (Soldered.lift, (*light_of(SPOTS[-1]), 4), "D1"),
        "two plugs of buttons": (Soldered.exchange, ("strip", "J8", 1), "J8", ("strip", "J10", 1)),
    },
    "hall": {
        "supply": (Soldered.lift, ("tile 0", "S7", 1), "S7"),
        "output": (Soldered.lift, ("tile 1", "S12", 2), "S12"),
        "ground": (Soldered.lift, ("tile 2", "S1", 3), "S1"),
        "bridge": (Soldered.bridge, ("tile 2", "S16", 2), "S16", ("tile 2", "S16", 3)),
        "chip's input": (Soldered.lift, ("tile 0", "U2", PIN["D0"]), "S9"),
        "chip's supply": (Soldered.lift, ("tile 1", "U2", PIN["VCC"]), "U2"),
    },
    "polarity": {
        "supply above": (Soldered.lift, ("tile 0", "S7", 1), "S7"),
        "output below": (Soldered.lift, ("tile 1", "S28", 2), "S28"),
        "ground below": (Soldered.lift, ("tile 2", "S17", 3), "S17"),
        "bridge below": (Soldered.bridge, ("tile 2", "S32", 2), "S32", ("tile 2", "S32", 3)),
        "bridge above": (Soldered.bridge, ("tile 0", "S3", 2), "S3", ("tile 0", "S3", 3)),
        "one chip's input": (Soldered.lift, ("tile 0", "U2", PIN["D4"]), "S21"),
        "two outputs": (Soldered.exchange, ("tile 1", "S5", 2), "S5", ("tile 1", "S21", 2)),
        "spot's reed": (Soldered.lift, ("spot 50", "S1", 2), "S1"),
        "button's plug": (Soldered.lift, ("strip", "J17", 1), "J17"),
        "chain's end": (Soldered.lift, ("strip", "U1", PIN["Q7"]), "U1"),
    },
}
"""By sensor, what is wrong with joints: of which pin, and the part that is to be named there."""


@pytest.mark.parametrize(
    ("kind", "joint"), lanes.once([(kind, joint) for kind in JOINTS for joint in JOINTS[kind]], -3)
)
def test_each_bad_joint_is_found_and_named(kind, joint, name_of):
    spoil, pin, part, *other = JOINTS[kind][joint]
    table = Soldered(kind)
    spoil(table, *([pin, *other] if other else pin))
    due = planted(table)
    assert [*due.values()] == [(pin[0], part)]
    actual = ActualTable(BOARD, due)  # the virtual table is wired so, too
    for sensor, each in enumerate(table.cells()[0]):
        assert {cell for cell, _ in filter(None, each)} <= {actual.cell_of[sensor]}
    outcome = Examination(name_of(kind), [*due], 1).examine()
    assert outcome.told == set(due), outcome_text(outcome)
    assert outcome.is_good, outcome_text(outcome)


@pytest.mark.parametrize("kind", SENSORS_OF)
@lanes.full
def test_a_table_as_the_circuit_boards_are_is_all_well(kind, name_of):
    outcome = Examination(name_of(kind), [*planted(Soldered(kind))], 1).examine()
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
    chips = Soldered().chips()
    assert [chip for _, chip in chips] == ["U1", "U2"] * 4
