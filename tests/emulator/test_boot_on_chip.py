"""Starting, failing and starting again on the emulated chip: its watchdog, its prompt, its heap.

The emulator has the watchdog with its scratch registers and its cause of a reset; a power-on is a
new chip. What it has not: brown-outs.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware.firmware.bundling import BUNDLES
from chronotable_host.hardware.firmware.chips import RP2040
from chronotable_host.hardware.firmware.files import FOLDER, app_folder
from chronotable_host.hardware.firmware.image import (
    chip_text,
    compile_modules,
    device_files,
    module_sources,
)
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.virtual.runtimes.rp2040 import Decode, Rp2040Runtime
from tests import lanes
from tests.lab.rig import MISS_MS
from tests.table.boots import (
    ASKED,
    BOARD,
    BOARD_JSON,
    DARK_PICTURE,
    FAULT,
    FAULT_PICTURE,
    FIRST_LIGHT,
    HUNG,
    NO_SCAN,
    POWER_ON,
    Pc,
    broken,
    later,
    with_lights,
)

pytestmark = pytest.mark.emulator

START_MS = 2300
SHOWN_MS = 5000
BITE_MS = 4000
ACTION = parse_sensor("button action black")


@functools.cache
def sound_files() -> dict[str, bytes]:
    return device_files(BOARD_JSON)


@contextmanager
def table(
    image: Path,
    defect: dict[str, str] | None = None,
    *,
    decode: Decode = "fifo",
    button: int | None = None,
) -> Iterator[Pc]:
    """Switch a chip on, with something appended to some of its files, and a PC attached."""
    files = dict(sound_files())
    sources = module_sources()
    for name in defect or {}:
        sources[name] = broken(defect or {})[name]
    compiled = compile_modules(sources, level=0, only=defect or {}, bundles=BUNDLES)
    for path, data in compiled.items():
        files[f"{FOLDER}/{path}"] = data
    runtime = Rp2040Runtime(image, files, BOARD, decode=decode)
    if button is not None:
        set_sensor(runtime, button, True)
    try:
        yield Pc(runtime)
    finally:
        runtime.close()


def set_sensor(runtime: Rp2040Runtime, sensor: int, closed: bool) -> None:
    runtime.set_cell(*divmod(BOARD.cell_of[sensor], COLUMNS), closed)


def shown(pc: Pc, ms: float) -> set[bytes]:
    """Let time pass and return the pictures that the LEDs showed."""
    pc.runtime.frames.clear()
    pc.run(ms)
    return {frame.rgb for frame in pc.runtime.frames}


def say(pc: Pc, text: str, ms: float = 300) -> str:
    """Type something and return what comes back; the link hears nothing of it."""
    pc.port.write(text.encode())
    said = b""
    end = pc.runtime.now_ms + ms
    while pc.runtime.now_ms < end:
        pc.runtime.run_until(pc.runtime.now_ms + 50)
        said += pc.port.read(4096)
    return said.decode()


def test_a_healthy_table_feeds_its_watchdog(image: Path) -> None:
    with table(image) as pc:
        pc.run(START_MS + 10_500)
        assert pc.starts == []
        assert pc.cause() == POWER_ON
        assert pc.failure() is None
        assert pc.logs == []


@lanes.gate
@pytest.mark.parametrize("board", [BOARD_JSON, b"{"])
def test_a_light_is_on_within_a_fifth_of_a_second(image: Path, board: bytes) -> None:
    files = {**sound_files(), f"{FOLDER}/board.json": board}
    with closing(Rp2040Runtime(image, files, BOARD, decode="edges")) as runtime:
        while not runtime.frames:
            assert runtime.now_ms + MISS_MS * runtime.xip_misses < 200
            runtime.run_until(runtime.now_ms + 10)
        assert runtime.frames[0].rgb == FIRST_LIGHT


def test_a_fault_is_shown_told_and_tried_until_safe_mode(image: Path) -> None:
    with table(image, later(0, "raise ValueError('on, purpose')"), decode="edges") as pc:
        pc.run(START_MS)
        assert pc.picture() == FAULT_PICTURE
        assert pc.logs[0] == "Traceback (most recent call last):"
        assert pc.logs[-1] == "ValueError: on, purpose"
        pc.run(3 * (START_MS + SHOWN_MS))
        assert len(pc.starts) == 3
        boots, reason = pc.failure() or (0, "")
        assert boots == 3
        assert reason.startswith("leds.py ")
        assert reason.endswith(" ValueError: on purpose")
        assert pc.cause() == FAULT
        assert shown(pc, 4500) == {FAULT_PICTURE, DARK_PICTURE}

        reeds = [parse_sensor(name) for name in ("past 1", "present 7", "focus white future")]
        for sensor in reeds:
            set_sensor(pc.runtime, sensor, True)  # type: ignore[arg-type]
        pc.run(300)
        assert shown(pc, 4500) == {
            with_lights(base, reeds) for base in (FAULT_PICTURE, DARK_PICTURE)
        }


def test_an_endless_loop_is_ended_by_the_watchdog(image: Path) -> None:
    with table(image, later(2000, "while True: pass")) as pc:
        pc.run(2000 + BITE_MS + 600)
        assert len(pc.starts) == 1
        assert 2000 + BITE_MS - 600 <= pc.starts[0] <= 2000 + BITE_MS + 200
        pc.run(START_MS)
        assert pc.cause() == HUNG
        assert pc.failure() == (1, "hung")


def test_a_scan_that_stops_is_a_fault(image: Path) -> None:
    with table(image, NO_SCAN) as pc:
        pc.run(START_MS + 3000 + 3000 + SHOWN_MS + 1000)
        assert len(pc.starts) == 1
        assert any("no scan" in line for line in pc.logs)


def test_a_full_heap_does_not_keep_a_fault_from_being_told(image: Path) -> None:
    # late enough for what starts again to tell the PC first
    defect = later(START_MS + 500, "while True: HOG[0] = (HOG[0], 7)")
    defect["leds.py"] += "\nHOG = [None]\n"
    with table(image, defect) as pc:
        pc.run(START_MS + 500 + 1500)
        assert pc.picture() == FAULT_PICTURE
        pc.run(SHOWN_MS + START_MS)
        assert "MemoryError" in (pc.failure() or (0, ""))[1]


@lanes.gate
def test_the_button_at_power_on_and_three_seconds_of_it(image: Path) -> None:
    with table(image, button=ACTION) as pc:
        assert isinstance(pc.runtime, Rp2040Runtime)
        pc.run(START_MS)
        assert shown(pc, 4500) == {FAULT_PICTURE, DARK_PICTURE}
        about = pc.last("about")
        assert about is not None
        assert about["micropython"].startswith("1.")
        set_sensor(pc.runtime, ACTION, False)
        pc.run(300)
        set_sensor(pc.runtime, ACTION, True)
        pc.run(5000)
        assert len(pc.starts) == 1
        pc.run(START_MS)
        assert pc.cause() == ASKED
        assert FAULT_PICTURE not in shown(pc, 2000)


def test_the_prompt_lives_longer_than_the_watchdog(image: Path) -> None:
    """What `flash` does: Ctrl-C, the raw prompt, a soft reset there, and as long as it takes."""
    with table(image) as pc:
        pc.run(START_MS)
        said = say(pc, "\r\x03")
        assert "Stopped, and the watchdog with it." in said
        assert said.endswith(">>> ")
        assert "42" in say(pc, "6 * 7\r", 2 * BITE_MS + 1000)
        assert "49" in say(pc, "7 * 7\r")

        assert "raw REPL" in say(pc, "\r\x01")
        # a watchdog that somebody leaves running is stopped by boot.py
        assert "OK" in say(pc, "import machine; machine.WDT(timeout=2000)\x04")
        assert "soft reboot" in say(pc, "\x04")
        assert "OK56" in say(pc, "import time; time.sleep(9); print(7 * 8)\x04", 9500)
        assert pc.starts == []

        say(pc, "\x02")
        pc.port.write(b"\x04")
        pc.run(START_MS + 500)
        assert pc.cause() == ASKED
        assert pc.starts == []
        assert FAULT_PICTURE not in shown(pc, 2500)


FEEDING = """
import array, micropython, watchdog
class Link:
    connected = False
ring = array.array("I", [0, 0, 0])
dog = watchdog.Watchdog(ring, Link(), 0)
def feed():
    for now in range(0, 20000, 10):
        ring[2] += 1
        dog.shown = now % 500 == 0
        dog.feed(now)
micropython.heap_lock()
feed()
micropython.heap_unlock()
print("FED")
"""


def test_feeding_allocates_nothing(image: Path) -> None:
    source = (app_folder() / "watchdog.py").read_text("utf-8")
    program = {"watchdog.py": source, "lib/chronotable/hardware/rp2040.py": chip_text(RP2040)}
    files = {"main.py": FEEDING.encode(), **compile_modules(program)}
    runtime = Rp2040Runtime(image, files, BOARD)
    runtime.run_until(1000)
    said = runtime.port.read(4096)
    runtime.close()
    assert said.startswith(b"FED"), said
