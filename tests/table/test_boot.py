"""Starting, failing, starting again: watchdog, fault picture, safe mode, and the words for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources, files_for_board
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.texts.table_texts import RESETS
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from tests import lanes
from tests.table.boots import (
    ASKED,
    AT_ONCE,
    BOARD_JSON,
    DARK_PICTURE,
    EXAMINED,
    FAULT,
    FAULT_PICTURE,
    FIRST_LIGHT,
    HEALTHY_MS,
    HUNG,
    NO_FRAME,
    NO_SCAN,
    POWER_ON,
    Pc,
    broken,
    flash_of,
    later,
    set_sensor,
    switch_off_and_on,
    switched_on,
    with_lights,
)
from ttykm import layout

ACTION = {"white": BUTTON + 1, "black": BUTTON + 4}
HANG = "while True: __import__('time').sleep_ms(1)"
BITE_MS = 4_000
SHOWN_MS = 5_000


def is_safe(pc: Pc) -> bool:
    """Tell whether the lights of the last seconds are those of safe mode, with nothing placed."""
    pc.runtime.frames.clear()
    pc.run(4200)
    shown = {frame.rgb for frame in pc.runtime.frames}
    return shown == {FAULT_PICTURE, DARK_PICTURE}


def test_a_sound_table_has_nothing_to_tell() -> None:
    with switched_on() as pc:
        pc.run(3 * HEALTHY_MS)
        assert pc.cause() == POWER_ON
        assert pc.failure() is None
        assert pc.logs == []
        assert pc.starts == []


@pytest.mark.parametrize("held", [(), [ACTION["white"]], [parse_sensor("button a")]])
@pytest.mark.parametrize("kept", [{}, {"a/board.json": b"{"}, {"a/board.json": b"[]"}])
def test_every_start_begins_with_a_light(held: list[int], kept: dict[str, bytes]) -> None:
    with switched_on(kept=kept, held=held) as pc:
        pc.run(2000)
        assert pc.runtime.frames[0].rgb == FIRST_LIGHT
        assert pc.runtime.frames[-1].rgb != FIRST_LIGHT


def test_a_start_after_a_fault_begins_with_a_light_too() -> None:
    with switched_on(broken(AT_ONCE)) as pc:
        pc.run(2.5 * SHOWN_MS)
        pictures = [frame.rgb for frame in pc.runtime.frames]
        assert pictures == 3 * [FIRST_LIGHT, FAULT_PICTURE]


def test_a_fault_is_shown_told_and_tried_again_three_times() -> None:
    with switched_on(broken(AT_ONCE)) as pc:
        pc.run(1000)
        assert pc.picture() == FAULT_PICTURE
        assert pc.logs[0] == "Traceback (most recent call last):"
        assert pc.logs[-1] == "ValueError: at once"
        pc.run(3 * SHOWN_MS)
        assert len(pc.starts) == 3
        gaps = [later - before for before, later in zip(pc.starts, pc.starts[1:], strict=False)]
        assert all(SHOWN_MS <= gap <= SHOWN_MS + 100 for gap in gaps), gaps
        # the file usb.py is needed by safe mode as well
        pc.forget()
        pc.run(10 * SHOWN_MS)
        assert pc.starts == [], "where safe mode fails too, nothing is tried any more"


def test_the_third_failed_start_leads_to_safe_mode_which_says_why() -> None:
    with switched_on(broken({"leds.py": "\nLeds.show = None\n"})) as pc:
        pc.run(4 * SHOWN_MS)
        assert len(pc.starts) == 3
        assert is_safe(pc)
        boots, reason = pc.failure() or (0, "")
        assert boots == 3
        assert re.fullmatch(r"loop\.py round TypeError: .*", reason), reason
        assert pc.cause() == FAULT
        assert pc.values("about")["micropython"] == "1.26.0"
        pc.forget()
        pc.run(60_000)
        assert pc.starts == [], "safe mode stays"


def test_a_fault_after_a_while_costs_a_restart_and_is_told_once() -> None:
    defect = "if 'boom' in __import__('os').listdir(): raise MemoryError('of $ all, *')"
    with switched_on(broken(later(0, defect))) as pc:
        pc.run(HEALTHY_MS + 5000)
        flash_of(pc)["boom"] = b""
        pc.forget()
        pc.run(1000)
        assert pc.picture() == FAULT_PICTURE
        del flash_of(pc)["boom"]
        pc.run(SHOWN_MS + 500)
        boots, reason = pc.failure() or (9, "")
        assert boots == 0, "the start before was a good one"
        assert re.fullmatch(r"leds\.py show MemoryError: of  all ", reason), reason
        assert pc.cause() == FAULT
        assert "fault.txt" in flash_of(pc)
        pc.run(HEALTHY_MS + 2000)
        assert "fault.txt" not in flash_of(pc), "a PC has heard it from a table that works"
        switch_off_and_on(pc)
        pc.run(HEALTHY_MS)
        assert pc.failure() is None


def test_a_fault_without_a_pc_is_told_when_one_comes() -> None:
    defect = "if 'boom' in __import__('os').listdir(): raise ValueError(7)"
    with switched_on(broken(later(0, defect))) as pc:
        pc.runtime.plug(False)
        flash_of(pc)["boom"] = b""
        pc.run(1000)
        del flash_of(pc)["boom"]
        pc.run(3 * HEALTHY_MS)
        pc.runtime.plug(True)
        switch_off_and_on(pc)
        pc.run(1000)
        assert pc.failure() is not None


@lanes.gate
def test_a_healthy_start_clears_the_count() -> None:
    defect = "if 'boom' in __import__('os').listdir(): raise ValueError(7)"
    with switched_on(broken(later(0, defect))) as pc:
        for _ in range(3):
            flash_of(pc)["boom"] = b""
            pc.run(1000)
            pc.run(SHOWN_MS)  # two starts fail
            del flash_of(pc)["boom"]
            pc.run(SHOWN_MS + HEALTHY_MS + 1000)
        pc.forget()
        assert not is_safe(pc)
        assert pc.starts == []


def test_a_power_cut_clears_the_count() -> None:
    with switched_on(broken({"leds.py": "\nLeds.show = None\n"})) as pc:
        pc.run(2 * SHOWN_MS + 1000)
        assert len(pc.starts) == 2
        switch_off_and_on(pc)
        pc.run(SHOWN_MS)
        pc.run(SHOWN_MS)
        assert not is_safe(pc)
        pc.run(2 * SHOWN_MS)
        assert is_safe(pc)


@pytest.mark.parametrize(
    ("defect", "reset_ms", "cause", "reason"),
    [
        (later(3000, HANG), 3000 + BITE_MS, HUNG, "hung"),
        (NO_SCAN, 3000 + 3000 + SHOWN_MS, FAULT, "no scan"),
        (NO_FRAME, 3000 + SHOWN_MS, FAULT, "no frame"),
    ],
    ids=["endless loop", "scan timer", "LEDs"],
)
def test_what_stands_still_is_started_again(
    defect: dict[str, str], reset_ms: int, cause: int, reason: str
) -> None:
    with switched_on(broken(defect)) as pc:
        pc.run(reset_ms + 1500)
        assert len(pc.starts) == 1
        assert reset_ms - 1000 <= pc.starts[0] <= reset_ms + 1000
        assert pc.cause() == cause
        assert reason in (pc.failure() or (0, ""))[1]
        pc.run(2 * reset_ms + 2000)
        assert is_safe(pc)
        assert (pc.failure() or (0, ""))[0] == 3


@pytest.mark.parametrize("side", ACTION)
def test_a_button_held_at_power_on_asks_for_safe_mode(side: str) -> None:
    with switched_on(held=[ACTION[side]]) as pc:
        pc.run(10_000)
        assert is_safe(pc), "holding on changes nothing"
        assert pc.failure() is None
        set_sensor(pc.runtime, ACTION[side], False)
        assert is_safe(pc)

        reeds = [parse_sensor(name) for name in ("past 1", "future 16", "focus black past")]
        for sensor in reeds:
            set_sensor(pc.runtime, sensor, True)
        pc.run(300)
        pc.runtime.frames.clear()
        pc.run(5000)
        shown = {frame.rgb for frame in pc.runtime.frames}
        assert shown == {with_lights(base, reeds) for base in (FAULT_PICTURE, DARK_PICTURE)}

        for sensor in reeds:
            set_sensor(pc.runtime, sensor, False)
        pc.forget()
        set_sensor(pc.runtime, ACTION[side], True)
        pc.run(2900)
        assert pc.starts == []
        pc.run(600)
        assert len(pc.starts) == 1
        pc.run(2000)
        assert pc.cause() == ASKED
        assert not is_safe(pc), "still held, but the power did not come on"


def test_a_button_held_when_the_table_fails_does_not_ask() -> None:
    with switched_on(broken(later(500, "raise ValueError(1)"))) as pc:
        pc.run(100)
        set_sensor(pc.runtime, ACTION["white"], True)
        pc.run(SHOWN_MS + 1000)
        assert len(pc.starts) == 1
        assert not is_safe(pc)


def test_other_buttons_do_not_ask() -> None:
    others = set(range(64)) - set(ACTION.values())
    with switched_on(held=others) as pc:
        pc.run(100)
        assert not is_safe(pc)


def test_ctrl_c_stops_the_watchdog_too() -> None:
    with switched_on(broken(later(2000, "raise ValueError(1)"))) as pc:
        pc.run(SHOWN_MS + 3000)
        assert len(pc.starts) == 1
        pc.forget()
        pc.type("\r\x03")
        pc.run(60_000)
        assert pc.starts == []
        assert pc.logs[0] == "Stopped, and the watchdog with it. Ctrl-D starts the table again."
        assert [line[:11] for line in pc.logs[1:]] == ["MicroPython", 'Type "help(']


@pytest.mark.parametrize("at_ms", [1000, 3 * SHOWN_MS + 2000], ids=["fault", "safe mode"])
def test_ctrl_c_works_where_the_table_is_in_trouble(at_ms: int) -> None:
    with switched_on(broken({"leds.py": "\nLeds.show = None\n"})) as pc:
        pc.run(at_ms)
        pc.forget()
        pc.type("\r\x03")
        pc.run(60_000)
        assert pc.starts == []
        assert any(line.startswith("Stopped") for line in pc.logs)


def test_a_board_file_that_is_none_ends_in_the_picture_of_the_reference_board() -> None:
    with switched_on() as pc:
        flash_of(pc)["a/board.json"] = b'{"name": 1'
        switch_off_and_on(pc)
        pc.run(4 * SHOWN_MS)
        assert len(pc.starts) == 1 + 3, "the power cut is one"
        pc.forget()
        pc.run(60_000)
        assert pc.starts == [], "the prompt stays, for mpremote"
        assert pc.runtime.frames == []
        switch_off_and_on(pc)
        pc.run(4 * SHOWN_MS)
        assert pc.picture() == FAULT_PICTURE
        assert pc.logs.count("Traceback (most recent call last):") == 4
        assert any("JSON" in line or "Error" in line for line in pc.logs)


def test_a_board_file_with_a_mistake_is_named() -> None:
    with switched_on() as pc:
        flash_of(pc)["a/board.json"] = BOARD_JSON.replace(b'"pin": 22', b'"pin": 2')
        switch_off_and_on(pc)
        pc.run(1000)
        assert pc.picture() == FAULT_PICTURE
        assert pc.logs[-1] == "BoardError: leds.pin: pin 2 is already used by matrix.row_pins[0]"
        assert flash_of(pc)["fault.txt"].startswith(b"board.py ")


@lanes.gate
def test_the_flash_is_not_worn_by_a_table_that_goes_on_failing() -> None:
    writes = """
import os
_remove = os.remove
def _counted(name):
    open("count", "a").write("x")
    _remove(name)
os.remove = _counted
"""
    defect = later(11_000, "raise ValueError(__import__('os').urandom(2))")
    with switched_on(broken(defect, {"about.py": writes})) as pc:
        pc.run(20 * (11_000 + SHOWN_MS))
        assert 15 <= len(pc.starts) <= 21
        assert len(flash_of(pc)["count"]) <= 4


def test_a_fault_file_of_nonsense_is_passed_over_and_goes() -> None:
    with switched_on() as pc:
        flash_of(pc)["fault.txt"] = b"\xff\x00$$$"
        switch_off_and_on(pc)
        pc.run(2000)
        assert pc.last("about") is not None
        assert pc.failure() is None
        pc.run(HEALTHY_MS + SHOWN_MS)
        assert len(pc.starts) == 1, "but for the power"
        assert "fault.txt" not in flash_of(pc)


def test_every_cause_has_words() -> None:
    causes = re.findall(r"^_(\w+) = const\((\d+)\)  # ", app_sources()["watchdog.py"], re.M)
    names = ("POWER_ON", "HUNG", "ASKED", "FAULT", "EXAMINED")
    known = {int(value) for name, value in causes if name in names}
    assert known == set(RESETS) == {POWER_ON, HUNG, ASKED, FAULT, EXAMINED}
    assert all(RESETS.values())


# ---- pads

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
        flash = files_for_board(boards.find(name).read_bytes())
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
