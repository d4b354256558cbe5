"""What fits a line of the link: positions and sensors in hex digits, on both interpreters."""

from chronotable.naming import parse_sensor, sensor_name
from chronotable.packed import pack_position, pack_sensors, unpack_position, unpack_sensors
from chronotable.sensors import SENSORS
from tests.table.tools import Dice, random_state, sample
from ttykm import layout


def test_positions_come_back():
    for seed in range(sample(200, 20)):
        state = random_state(Dice(seed), 20)
        text = pack_position(state)
        assert len(text) == 29, seed
        assert list(unpack_position(text)) == list(state), seed


def test_wrong_positions_are_refused():
    good = pack_position(layout.new_state())
    for text in (
        good[:-1],
        good + "0",
        "x" + good[1:],
        good[:24] + "00800",  # a bit beyond the mover
        good[:24] + "000c0",  # white's focus in era 3
        "0001" * 6 + good[24:],  # two copies on one space
    ):
        try:
            unpack_position(text)
        except ValueError:
            continue
        raise AssertionError(text)


def test_sensors_come_back():
    for seed in range(sample(100, 10)):
        dice = Dice(seed)
        flags = bytearray([dice.roll(2) for _ in range(SENSORS)])
        text = pack_sensors(flags)
        assert len(text) == 14, seed
        assert unpack_sensors(text) == [s for s in range(SENSORS) if flags[s]], seed


def test_sensor_names_come_back():
    for sensor in range(64):
        assert parse_sensor(sensor_name(sensor)) == sensor
