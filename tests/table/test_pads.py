"""Power comes on while something lies on the table: the game starts, unless a button is held.

The chip's pads pull down until the firmware sets them up, and a reed that a piece has closed leads
a column to such a row: see `chronotable_host.virtual.matrix`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host import boards
from chronotable_host.firmware.files import app_sources, installed
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.cpython import CpythonRuntime
from tests.table.boots import DARK_PICTURE, set_sensor, switched_on, with_lights
from ttykm import layout

GAME, SAFE, DOCTOR = 0, 1, 2
MODES = {"button action white": SAFE, "button action black": SAFE, "button a": DOCTOR}
ASKING = {parse_sensor(name): mode for name, mode in MODES.items()}
ALL = set(range(64))
START = set(pieces_of(layout.new_state()))

# a firmware that decides what it does, says so, and does nothing
DECIDES = {"start.py": "\ndef run(mode):\n    print('mode', mode)\n"}

of_every_board = pytest.mark.parametrize("name", ["reference", "tiles"])


class Switch:
    """A table whose power is switched on, again and again, with these sensors closed."""

    def __init__(self, name: str) -> None:
        self.board = boards.read(name)
        app = app_sources()
        for file, text in DECIDES.items():
            app[file] += text
        flash = installed(boards.find(name).read_bytes())
        self.runtime = CpythonRuntime(app, flash, self.board)

    def on(self, closed: Iterable[int]) -> int:
        """Return the mode in which the firmware would run."""
        runtime = self.runtime
        runtime.power(False)
        for sensor in ALL:
            set_sensor(runtime, sensor, sensor in closed, self.board)
        runtime.power(True)
        runtime.run_until(runtime.now_ms + 20)
        word, mode = runtime.port.read(100).split()[:2]  # the prompt follows
        assert word == b"mode"
        return int(mode)


@pytest.fixture
def switch(name: str) -> Iterator[Switch]:
    made = Switch(name)
    yield made
    made.runtime.close()


@of_every_board
def test_no_sensor_but_a_button_that_asks_asks(switch: Switch) -> None:
    led_to = {sensor: switch.on({sensor}) for sensor in ALL}
    assert led_to == {sensor: ASKING.get(sensor, GAME) for sensor in ALL}


@of_every_board
def test_a_full_line_does_not_ask(switch: Switch) -> None:
    """A line is a column or a row; with shift registers, the inputs of a number or a chip."""
    cell_of = switch.board.cell_of
    for line in range(COLUMNS):
        for place in (0, 1):
            full = {sensor for sensor in ALL if divmod(cell_of[sensor], COLUMNS)[place] == line}
            assert switch.on(full - ASKING.keys()) == GAME, (place, line)
            for button in full & ASKING.keys():
                alone = full - (ASKING.keys() - {button})
                assert switch.on(alone) == ASKING[button], sensor_name(button)


@of_every_board
def test_what_lies_on_the_table_neither_asks_nor_keeps_a_button_from_it(switch: Switch) -> None:
    others = ALL - ASKING.keys()
    for closed in (START, set(range(SENSORS)), others):
        assert switch.on(closed) == GAME
        for button, mode in ASKING.items():
            assert switch.on({*closed, button}) == mode, sensor_name(button)


@of_every_board
@pytest.mark.parametrize("button", ["", *MODES])
@pytest.mark.parametrize("closed", [START, ALL - ASKING.keys()], ids=["start position", "all"])
def test_the_whole_firmware_starts_so(name: str, closed: set[int], button: str) -> None:
    held = {*closed, parse_sensor(button)} if button else closed
    with switched_on(held=held, board=name) as pc:
        pc.run(700)
        assert pc.starts == []
        lit = with_lights(DARK_PICTURE, [one for one in held if one < SENSORS], boards.read(name))
        assert (pc.picture() == lit) == (MODES.get(button) == SAFE)
        assert (pc.last("step") is not None) == (MODES.get(button) == DOCTOR)
        assert pc.last("about") is not None
