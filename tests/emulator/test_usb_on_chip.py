"""Lines to a host that reads and to one that does not, on the emulated chip: nothing waits.

`usb.py` knows the endpoint of MicroPython's serial line; an image that has it elsewhere is made of
the real one, by its USB descriptor.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host import boards
from chronotable_host.firmware.files import app_folder, library_folders
from chronotable_host.firmware.image import device_modules
from chronotable_host.virtual.rp2040 import Rp2040Runtime
from tests import lanes

pytestmark = pytest.mark.emulator

SERIAL = b"\x07\x05\x02\x02\x40\x00\x00\x07\x05\x82\x02"  # endpoints 2 OUT and IN, bulk
ELSEWHERE = SERIAL[:-2] + b"\x83\x02"

FLOOD = b"""
from time import sleep_ms, ticks_diff, ticks_ms, ticks_us
from usb import Usb

sleep_ms(300)  # until the host has opened the port
usb = Usb()
sent = slowest = 0
begun_ms = ticks_ms()
while ticks_diff(ticks_ms(), begun_ms) < 1500:
    begun = ticks_us()
    if usb.has_room():
        usb.write(b"%05d %s\\n" % (sent, b"." * 57))
        sent += 1
    slowest = max(slowest, ticks_diff(ticks_us(), begun))
    sleep_ms(1)
while not usb.has_room():
    sleep_ms(1)
usb.write(b"DONE %d %d\\n" % (sent, slowest))
while not usb.has_room():
    sleep_ms(1)
sleep_ms(1000)
"""


def flooded(image: Path, deaf_ms: float) -> tuple[list[str], int, int]:
    """Have a chip send all that it can, at first to a host that does not read.

    Return the lines that came, how many were sent, and the longest that one of them took, in us.
    """
    modules = device_modules(app_folder(), library_folders())
    files = {name: modules[name] for name in modules if "/" not in name}
    chip = Rp2040Runtime(image, {**files, "main.py": FLOOD}, boards.read("reference"))
    text = ""
    try:
        chip.run_until(310)
        chip.port.feed(b"\n" * chip.port.room)
        chip.run_until(310 + deaf_ms)
        while not ("DONE" in text and text.endswith("\n")) and chip.now_ms < 4000:
            chip.run_until(chip.now_ms + 1)
            text += chip.port.read(4096).decode()
    finally:
        chip.close()
    *lines, last = (line for line in text.splitlines() if line)
    _, sent, slowest = last.split()
    return lines, int(sent), int(slowest)


@lanes.gate
@pytest.mark.parametrize("where", ["endpoint 2", "another endpoint"])
def test_lines_arrive_whole_and_nothing_waits_wherever_the_serial_line_is(
    image: Path, tmp_path: Path, where: str
) -> None:
    content = image.read_bytes()
    assert content.count(SERIAL) == 1
    if where != "endpoint 2":
        content = content.replace(SERIAL, ELSEWHERE)
    moved = tmp_path / "image.uf2"
    moved.write_bytes(content)
    for deaf_ms in (0, 1000):
        lines, sent, slowest_us = flooded(moved, deaf_ms)
        print(where, deaf_ms, sent, slowest_us)
        assert lines == [f"{number:05d} {'.' * 57}" for number in range(sent)]
        assert sent > 50
        assert slowest_us < 12_000
