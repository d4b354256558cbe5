"""The emulated table itself: a small program of its own sees the reeds, lights LEDs and talks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_host.errors import RuntimeUnavailable
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.image import CompileError, compile_modules
from chronotable_host.virtual.chance import REPEATED, Chance, real
from chronotable_host.virtual.runtimes import rp2040
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.runtimes.runtime import UNREAD_LIMIT, Runtime
from tests import lanes

pytestmark = pytest.mark.emulator

BOARD, LEDS = boards.read("reference"), 54  # the program below knows its pins

# Scans from a hard timer interrupt, sends LED words by DMA and answers lines; it uses what the
# firmware uses, but nothing of its code.
DEVICE = rb"""
import array, machine, micropython, os, rp2, select, sys, time
from machine import Pin

@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT,
             autopull=True, pull_thresh=24, fifo_join=rp2.PIO.JOIN_TX)
def ws2812():
    wrap_target()
    label("bit")
    out(x, 1)          .side(0) [2]
    jmp(not_x, "zero") .side(1) [1]
    jmp("bit")         .side(1) [4]
    label("zero")
    nop()              .side(0) [4]
    wrap()

machine_0 = rp2.StateMachine(0, ws2812, freq=8_000_000, sideset_base=Pin(22))
machine_0.active(1)
words = array.array("I", bytes(4 * 54))
dma = rp2.DMA()
dma.config(read=words, write=machine_0, count=54,
           ctrl=dma.pack_ctrl(size=2, inc_write=False, treq_sel=0))

for number in range(2, 18):
    Pin(number, Pin.IN, Pin.PULL_UP)
rows = bytearray(8)
scans = array.array("I", [0])

@micropython.viper
def scan(timer):
    sio = ptr32(0xD0000000)
    seen = ptr8(rows)
    for row in range(8):
        bit = 4 << row
        sio[6] = bit   # GPIO_OUT_CLR
        sio[9] = bit   # GPIO_OE_SET
        for _ in range(130):  # 30 us: a column has to rise
            pass
        seen[row] = ((sio[1] >> 10) & 0xFF) ^ 0xFF
        sio[10] = bit  # GPIO_OE_CLR
    count = ptr32(scans)
    count[0] += 1

@micropython.viper
def scan_driven(timer):
    sio = ptr32(0xD0000000)
    seen = ptr8(rows)
    sio[9] = 0x3FC     # all rows are outputs, high but for one
    for row in range(8):
        sio[5] = 0x3FC # GPIO_OUT_SET
        sio[6] = 4 << row
        for _ in range(130):  # 30 us: a column has to rise
            pass
        seen[row] = ((sio[1] >> 10) & 0xFF) ^ 0xFF
    count = ptr32(scans)
    count[0] += 1

@micropython.viper
def fetched() -> int:
    # Bit 10 (AVAILABLE) of the control word of USB endpoint 2 IN: set while a packet waits for
    # the host.
    return ((ptr32(0x50100090)[0] >> 10) & 1) ^ 1

poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
ready, read, write = poll.ipoll, sys.stdin.buffer.readinto, sys.stdout.buffer.write
byte, line = bytearray(1), bytearray()

def say(text):
    write(text.encode() + b"\n")

def flood():
    slowest = sent = 0
    for _ in range(500):
        if fetched():
            start = time.ticks_us()
            write(b"%05d %s\n" % (sent, b"." * 53))
            slowest = max(slowest, time.ticks_diff(time.ticks_us(), start))
            sent += 1
        time.sleep_ms(5)
    return slowest, sent

def obey(words_of_line):
    verb, rest = words_of_line[0], words_of_line[1:]
    if verb == "echo":
        say(" ".join(rest))
    elif verb == "rows":
        say(" ".join("%02x" % row for row in rows))
    elif verb == "scans":
        say(str(scans[0]))
    elif verb == "led":
        red, green, blue = (int(value) for value in rest[1:])
        words[int(rest[0])] = green << 24 | red << 16 | blue << 8
    elif verb == "show":
        dma.read = words
        dma.count = 54
        dma.active(1)
    elif verb == "write":
        with open("kept", "w") as file:
            file.write(rest[0])
        say("written")
    elif verb == "read":
        with open("kept") as file:
            say(file.read())
    elif verb == "noise":
        say(os.urandom(8).hex())
    elif verb == "driven":
        timer.init(mode=machine.Timer.PERIODIC, period=5, hard=True, callback=scan_driven)
    elif verb == "flood":
        slowest, sent = flood()
        time.sleep_ms(500)
        say("%d us, %d lines" % (slowest, sent))
    elif verb == "reset":
        machine.reset()

timer = machine.Timer()
timer.init(mode=machine.Timer.PERIODIC, period=5, hard=True, callback=scan)
while True:
    time.sleep_ms(2)
    for _ in ready(0):
        read(byte)
        while byte[0] != 10:
            line.append(byte[0])
            byte[0] = 10
            for _ in ready(1000):
                read(byte)
        obey(line.decode().split())
        line[:] = b""
"""


@pytest.fixture
def table(image: Path) -> Iterator[Rp2040Runtime]:
    runtime = Rp2040Runtime(image, {"main.py": DEVICE}, BOARD)
    run(runtime, 400)
    yield runtime
    runtime.close()


def run(runtime: Runtime, ms: float) -> None:
    runtime.run_until(runtime.now_ms + ms)


def ask(runtime: Runtime, line: str, ms: float = 60) -> str:
    runtime.port.write(line.encode() + b"\n")
    run(runtime, ms)
    return runtime.port.read(UNREAD_LIMIT).decode().strip()


def rows(runtime: Runtime) -> list[int]:
    return [int(row, 16) for row in ask(runtime, "rows").split()]


def test_whoever_runs_until_a_time_has_that_time_however_it_is_rounded(
    table: Rp2040Runtime,
) -> None:
    for ten_thousandths_of_a_ns in range(1, 300):  # the chip's clock counts sixteenths
        wanted = table.now_ms + 0.02 + ten_thousandths_of_a_ns * 1e-10
        table.run_until(wanted)
        assert wanted <= table.now_ms < wanted + 0.001


@pytest.mark.parametrize("verb", lanes.once(["scan", "driven"], 1))
def test_every_cell_is_seen_where_it_is(table: Rp2040Runtime, verb: str) -> None:
    ask(table, verb)
    for row in range(8):
        for col in (0, row, 7):
            table.set_cell(row, col, True)
            run(table, 6)
            assert rows(table) == [1 << col if other == row else 0 for other in range(8)]
            table.set_cell(row, col, False)


def test_without_a_diode_the_corner_across_is_a_ghost(table: Rp2040Runtime) -> None:
    for row, col in ((1, 2), (1, 5), (6, 2)):
        table.set_cell(row, col, True)
    table.set_diode(6, 2, False)
    table.set_diode(1, 5, False)
    run(table, 6)
    assert rows(table) == [0, 0b100100, 0, 0, 0, 0, 0b100, 0]
    table.set_diode(1, 2, False)
    run(table, 6)
    assert rows(table) == [0, 0b100100, 0, 0, 0, 0, 0b100100, 0]
    table.set_diode(1, 2, True)
    run(table, 6)
    assert rows(table) == [0, 0b100100, 0, 0, 0, 0, 0b100, 0]


def test_cut_wires_read_as_open_until_they_are_mended(table: Rp2040Runtime) -> None:
    for row, col in ((1, 2), (1, 5), (6, 2)):
        table.set_cell(row, col, True)
    table.cut_row(1, True)
    run(table, 6)
    assert rows(table) == [0, 0, 0, 0, 0, 0, 0b100, 0]
    table.cut_col(2, True)
    table.cut_row(1, False)
    run(table, 6)
    assert rows(table) == [0, 0b100000, 0, 0, 0, 0, 0, 0]
    table.power(False)
    table.power(True)
    run(table, 400)
    assert rows(table) == [0, 0b100000, 0, 0, 0, 0, 0, 0], "the power mends nothing"
    table.cut_col(2, False)
    run(table, 6)
    assert rows(table) == [0, 0b100100, 0, 0, 0, 0, 0b100, 0]


@lanes.gate
def test_the_scan_keeps_its_pace(table: Rp2040Runtime) -> None:
    before = int(ask(table, "scans"))
    run(table, 940)
    assert 199 <= int(ask(table, "scans")) - before <= 201


@pytest.mark.parametrize("decode", lanes.once(["fifo", "edges"], 1))
def test_a_picture_is_decoded_exactly(image: Path, decode: rp2040.Decode) -> None:
    table = Rp2040Runtime(image, {"main.py": DEVICE}, BOARD, decode=decode)
    run(table, 400)
    for led, colour in ((0, "255 0 1"), (1, "2 128 85"), (53, "170 127 254")):
        ask(table, f"led {led} {colour}")
    assert table.frames == []
    asked = table.now_ms
    ask(table, "show")
    ask(table, "show")
    blank = bytes(3 * (LEDS - 3))
    picture = bytes([255, 0, 1, 2, 128, 85]) + blank + bytes([170, 127, 254])
    assert [frame.rgb for frame in table.frames] == [picture, picture]
    # 54 LEDs of 24 bits of 1.25 us, and what the line took to come
    assert 1.62 < table.frames[0].t_ms - asked < 10
    table.close()


@lanes.gate
def test_lines_go_both_ways(table: Rp2040Runtime) -> None:
    assert ask(table, "echo here and back") == "here and back"
    long = " ".join(f"{number:05}" for number in range(600))
    table.port.write(f"echo {long}\n".encode())
    got = b""
    for _ in range(40):
        run(table, 50)
        got += table.port.read(7)  # in small bites
        got += table.port.read(table.port.in_waiting)
    assert got.decode().split() == long.split()


def test_a_host_that_does_not_read_loses_nothing_and_stops_nobody(table: Rp2040Runtime) -> None:
    scans = int(ask(table, "scans"))
    table.port.write(b"flood\n")
    run(table, 2000)
    waiting = table.port.in_waiting
    assert UNREAD_LIMIT <= waiting < UNREAD_LIMIT + 64
    got = table.port.read(waiting)
    for _ in range(60):
        run(table, 50)
        got += table.port.read(UNREAD_LIMIT)
    *lines, report = got.decode().splitlines()
    assert [line.split()[0] for line in lines] == [f"{no:05}" for no in range(len(lines))]
    slowest_us, sent = (int(part.split()[0]) for part in report.split(","))
    assert sent == len(lines) > 100
    assert slowest_us < 1000, "a write has waited for the host"
    assert int(ask(table, "scans")) - scans > 990


@lanes.gate
def test_power_off_keeps_the_flash_and_nothing_else(table: Rp2040Runtime) -> None:
    assert ask(table, "write kept-text", 400) == "written"
    noise = ask(table, "noise")
    table.set_cell(3, 4, True)
    port, off = table.port, table.now_ms
    table.power(False)
    with pytest.raises(OSError, match="the table is gone"):
        port.read(1)
    table.run_until(off + 1000)
    table.power(True)
    run(table, 400)
    assert table.now_ms == pytest.approx(off + 1400)
    assert ask(table, "read") == "kept-text"
    assert ask(table, "noise") != noise
    assert rows(table) == [0, 0, 0, 0b10000, 0, 0, 0, 0], "a magnet stays where it is"
    assert table.flash_files() == {"main.py": DEVICE, "kept": b"kept-text"}


@lanes.gate
def test_the_cable_can_be_pulled_and_plugged(table: Rp2040Runtime) -> None:
    port = table.port
    table.plug(False)
    run(table, 500)
    with pytest.raises(OSError, match="the table is gone"):
        port.write(b"echo lost\n")
    assert not table.port.is_open
    table.plug(True)
    run(table, 50)
    assert ask(table, "echo found") == "found"


def test_a_table_without_a_cable_boots_and_is_found_later(image: Path) -> None:
    table = Rp2040Runtime(image, {"main.py": DEVICE}, BOARD)
    table.plug(False)
    run(table, 800)
    table.plug(True)
    run(table, 100)
    assert int(ask(table, "scans")) > 100


def test_a_closed_port_hangs_up_and_the_next_one_is_open(table: Rp2040Runtime) -> None:
    table.port.close()
    run(table, 50)
    assert ask(table, "echo again") == "again"


def test_a_chip_reset_ends_the_connection(table: Rp2040Runtime) -> None:
    port = table.port
    port.write(b"reset\n")
    run(table, 600)
    assert not port.is_open
    assert ask(table, "echo back") == "back"
    assert int(ask(table, "scans")) < 130


def test_an_idle_table_sleeps(table: Rp2040Runtime) -> None:
    busy = table.busy_ms
    run(table, 1000)
    assert 1 < table.busy_ms - busy < 200


def test_a_missing_image_says_where_to_get_one(image: Path, tmp_path: Path) -> None:
    with pytest.raises(RuntimeUnavailable, match=r"no MicroPython image .*micropython\.org"):
        Rp2040Runtime(tmp_path / "none.uf2", {}, BOARD)


@pytest.mark.parametrize(
    ("offset", "wrong", "says"),
    [
        (0, b"PK", "is not a UF2 file"),
        (12, b"\x00\x00\x20\x10", "is not MicroPython for a Pico"),
        (28, b"\x57\x9b\xe4\x8b", "another chip than the RP2040"),
    ],
)
def test_a_wrong_image_says_so(
    image: Path, tmp_path: Path, offset: int, wrong: bytes, says: str
) -> None:
    content = bytearray(image.read_bytes())
    content[offset : offset + len(wrong)] = wrong
    spoilt = tmp_path / "spoilt.uf2"
    spoilt.write_bytes(content)
    with pytest.raises(RuntimeUnavailable, match=says):
        Rp2040Runtime(spoilt, {}, BOARD)
    spoilt.write_bytes(content[:-1])
    with pytest.raises(RuntimeUnavailable, match="not a whole UF2"):
        Rp2040Runtime(spoilt, {}, BOARD)


def test_without_the_emulator_its_extra_is_named(
    image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rp2040, "_MISSING", ImportError("no", name="rp2040py"))
    with pytest.raises(RuntimeUnavailable, match=r'rp2040py.*"chronotable\[emulator\]"'):
        Rp2040Runtime(image, {}, BOARD)


def test_what_is_said_before_the_host_listens_arrives(image: Path) -> None:
    table = Rp2040Runtime(image, {"main.py": b"1 / 0"}, BOARD)
    run(table, 500)
    assert b"ZeroDivisionError" in table.port.read(1000)


def test_a_chip_has_its_id_and_its_noise_also_after_a_reset(image: Path) -> None:
    program = (
        b"import machine, os\nprint(machine.unique_id().hex(), os.urandom(4).hex(),"
        b" machine.reset_cause() == machine.WDT_RESET)\n"
        b"if machine.reset_cause() != machine.WDT_RESET:\n    machine.reset()\n"
    )

    def said(chance: Chance) -> list[str]:
        table = Rp2040Runtime(image, {"main.py": program}, BOARD, chance=chance)
        words = b""
        for _ in range(20):
            run(table, 50)
            words += table.port.read(1000)
        table.close()
        return words.decode().partition("True")[0].split()

    fixed, one, two = said(REPEATED), said(real()), said(real())
    assert fixed == said(REPEATED)
    assert fixed[0] == REPEATED.unique_id.hex()
    assert len({fixed[0], one[0], two[0]}) == 3
    assert len({fixed[1], one[1], two[1]}) == 3
    for words in (fixed, one, two):
        assert words[0] == words[-2], "the reset chip is the same one"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def double(:\n", "SyntaxError: "),
        ("@micropython.viper\ndef double(number: 7):\n    return number\n", "(.|\n)*Error: "),
    ],
    ids=["for Python", "for MicroPython"],
)
def test_a_file_that_does_not_compile_is_named(text: str, why: str) -> None:
    with pytest.raises(CompileError, match=rf"game/rules\.py: {why}"):
        compile_modules({"game/rules.py": text})
