"""Lines to a host that reads and to one that does not, on the emulated chip: nothing waits.

`usb.py` reckons with endpoint 2, where MicroPython has its serial line; an image that has it
elsewhere is made of the real one, by its USB descriptor.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.image import device_modules
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from tests import lanes

pytestmark = pytest.mark.emulator

SERIAL = b"\x07\x05\x02\x02\x40\x00\x00\x07\x05\x82\x02"  # endpoints 2 OUT and IN, bulk
ELSEWHERE = SERIAL[:-2] + b"\x83\x02"
DEAF_MS = 1200

FLOOD = b"""
import gc
from time import sleep_ms, ticks_diff, ticks_ms, ticks_us
from about import make_usb

sleep_ms(300)  # until the host has opened the port
usb = make_usb()
sent = slowest = 0
begun_ms = ticks_ms()
while ticks_diff(ticks_ms(), begun_ms) < 1000:
    gc.collect()
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
"""

BESIDE_AN_EDGE = b"""
from time import sleep_ms
from about import make_usb

usb = make_usb()
sleep_ms(600)  # the host has sent
found = []
for ring in 2 * ((0, 1), (1, 1)):
    data = usb.read(False, ring)
    found.append(data and len(data))
print(found)
"""


@lanes.gate
@pytest.mark.parametrize("serial", [SERIAL, ELSEWHERE], ids=["endpoint 2", "another endpoint"])
def test_lines_arrive_whole_and_nothing_waits_wherever_the_serial_line_is(
    image: Path, tmp_path: Path, serial: bytes
) -> None:
    content = image.read_bytes()
    assert content.count(SERIAL) == 1
    made = tmp_path / "image.uf2"
    made.write_bytes(content.replace(SERIAL, serial))
    modules = device_modules()
    chip = Rp2040Runtime(made, {**modules, "main.py": FLOOD}, boards.read("reference"))
    text = ""
    try:
        chip.run_until(310)
        chip.port.feed(b"\n" * chip.port.room)  # from here on the host reads nothing
        chip.run_until(DEAF_MS)
        while ">>>" not in text and chip.now_ms < 4000:
            chip.run_until(chip.now_ms + 1)
            text += chip.port.read(4096).decode()
    finally:
        chip.close()
    lines, _, figures = text.strip("\n").partition("\nDONE")
    sent, slowest_us = (int(word) for word in figures.split()[:2])
    assert lines.split("\n") == [f"{number:05d} {'.' * 57}" for number in range(sent)]
    assert sent > 20
    assert slowest_us < 12_000


@lanes.gate
def test_bytes_wait_while_an_edge_does(image: Path) -> None:
    modules = device_modules()
    chip = Rp2040Runtime(image, {**modules, "main.py": BESIDE_AN_EDGE}, boards.read("reference"))
    text = ""
    try:
        chip.run_until(310)
        chip.port.write(b"." * 200)
        while ">>>" not in text and chip.now_ms < 4000:
            chip.run_until(chip.now_ms + 10)
            text += chip.port.read(4096).decode()
    finally:
        chip.close()
    assert text.splitlines()[0] == "[None, 96, None, 96]"
