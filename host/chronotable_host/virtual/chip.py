"""A Pico at the level of its pins, for the firmware's app files on CPython.

`Chip` holds what the modules of the port (`machine`, `rp2`, `select`, `sys`, `time`, ...) share:
the clock in table time, the pins with the table's switches at them, the serial line, the LED
chain and the files in flash. The modules themselves are thin and made by `modules()`; only what
the firmware uses is there, and what is missing fails loudly.

Computing takes no table time here; the emulated RP2040 is the runtime that knows what it costs.
"""

from __future__ import annotations

import heapq
import itertools
import sys
import traceback
from array import array
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from chronotable import debounce, outbox
from chronotable.rp2040 import (
    GPIO_IN,
    GPIO_OE_CLR,
    GPIO_OE_SET,
    GPIO_OUT_CLR,
    GPIO_OUT_SET,
    SIO,
    USB_AVAILABLE,
    USB_IN_2,
)
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.flash import Flash
from chronotable_host.virtual.prompt import CTRL_C, Prompt
from chronotable_host.virtual.runtime import Frame, Tone, VirtualPort
from chronotable_host.virtual.watchdog import LONGEST_MS, Watchdog
from chronotable_host.virtual.wiring import Wiring

_EP2_IN_DESCRIPTOR = b"\x07\x05\x82\x02\x40\x00\x00"
_PINS = (1 << 30) - 1
_TX_FIFO = 256  # bytes that wait in the USB stack for a host that does not read
_RX_RING = 512  # bytes that wait for the firmware
_US = 1000
_PROMPT_US = 10_000  # from one look of the prompt at what was typed to the next


class Array(array):  # type: ignore[type-arg]  # of numbers of any kind
    """array.array of whole numbers without a sign, which MicroPython does not refuse."""

    def __setitem__(self, at: Any, value: Any) -> None:
        """Keep a number's lowest bits, as many as there is room for."""
        try:
            super().__setitem__(at, value)
        except OverflowError:
            super().__setitem__(at, value & (1 << 8 * self.itemsize) - 1)


for _keeper in (debounce, outbox):  # what is kept there are times; elsewhere it would cost too much
    vars(_keeper)["array"] = Array


class ChipReset(BaseException):
    """Unwinds the firmware; a BaseException, so that no handler there eats it."""


class Interrupted(BaseException):
    """What the firmware knows as KeyboardInterrupt; that of this program is not meant for it."""


class Chip:
    """The state that the stand-in modules share. Times inside are table time in µs.

    `wiring` is what lies between the pins that are driven and those that are read.
    """

    def __init__(self, files: dict[str, bytes], wiring: Wiring, chance: Chance) -> None:
        self.files = files
        self.flash = Flash(files)
        self.unique_id = chance.unique_id
        self._chance = chance
        self.now_us = 0
        self.boot_us = 0
        self.frames: list[Frame] = []
        self.tones: list[Tone] = []
        self.port = VirtualPort(connected=False)
        self.unread = bytearray()  # what the USB stack holds back from a host that is not there
        self.received = bytearray()  # what the firmware has not read
        self.interrupt_char = CTRL_C  # the byte that interrupts the firmware, -1 for none
        self.failure = ""  # the traceback that the firmware printed last
        self.wait: Callable[[int], None] = self._advance
        self._timers: list[tuple[int, int, _Timer]] = []
        self._order = itertools.count()
        self._drawn = 0
        self.wiring = wiring
        self.changes = 0  # how often pins and switches have changed
        self._outputs = sum(1 << pin for pin in wiring.outputs)
        self._fed = sum(1 << pin for pin in wiring.inputs) if wiring.drives_high else 0
        self._reset_pins()
        self.watchdog = Watchdog(lambda: self.now_us)

    def start(self, is_power_on: bool) -> None:
        """Begin a life of the firmware; but for a power-on the watchdog's registers stay.

        A reset by the watchdog, as `machine.reset()` is one, resets pins and pads like any other:
        the SDK has it select all but the oscillators (RP2040 data sheet, PSM: WDSEL).
        """
        self.boot_us = self.now_us
        self.unread.clear()
        self.received.clear()
        self.interrupt_char = CTRL_C
        self._timers.clear()
        self._reset_pins()
        if is_power_on:
            self.watchdog = Watchdog(lambda: self.now_us)

    def random_bytes(self, size: int) -> bytes:
        """Return bytes that differ from call to call, as `Chance` says."""
        self._drawn += 1
        return self._chance.data(size, f"{self.boot_us} {self._drawn}")

    # ---- pins

    def _reset_pins(self) -> None:
        self._high = 0  # output latches
        self._driven = 0  # output enables
        self._up = 0  # pads that pull up
        self._down = _PINS  # pads that pull down (RP2040 data sheet, PADS_BANK0: 0x56)
        self._drive()

    def _drive(self) -> None:
        """Tell the wiring which of its pins are low; what a pad pulls down is."""
        pulled = self._down & self._outputs & ~self._driven
        self.wiring.drive(self._driven & ~self._high | pulled)

    def read_word(self, index: int) -> int:
        """Read a word of SIO."""
        if index != GPIO_IN:
            raise NotImplementedError(f"SIO word {index} cannot be read on the virtual table")
        high = self._up & ~self._driven | self._high & self._driven | self._fed
        return high & ~self.wiring.low_inputs()

    def write_word(self, index: int, value: int) -> None:
        """Write a word of SIO."""
        self.changes += 1
        if index == GPIO_OUT_SET:
            self._high |= value
        elif index == GPIO_OUT_CLR:
            self._high &= ~value
        elif index == GPIO_OE_SET:
            self._driven |= value
        elif index == GPIO_OE_CLR:
            self._driven &= ~value
        else:
            raise NotImplementedError(f"SIO word {index} cannot be written on the virtual table")
        self._drive()

    def set_pin(self, pin: int, level: int | None, is_output: bool | None) -> None:
        """Set a pin's latch and direction, None for as it is; pins that lead nowhere stay."""
        if pin in self.wiring.outputs:
            if level is not None:
                self.write_word(GPIO_OUT_SET if level else GPIO_OUT_CLR, 1 << pin)
            if is_output is not None:
                self.write_word(GPIO_OE_SET if is_output else GPIO_OE_CLR, 1 << pin)

    def set_pulls(self, pin: int, up: bool, down: bool) -> None:
        """Set which way a pin's pad pulls."""
        self.changes += 1
        bit = 1 << pin
        self._up = self._up | bit if up else self._up & ~bit
        self._down = self._down | bit if down else self._down & ~bit
        self._drive()

    # ---- time

    def _advance(self, until_us: int) -> None:
        self.now_us = max(self.now_us, until_us)

    def timer_us(self) -> int:
        """Return what the timer reads."""
        return self.now_us - self.boot_us + self._chance.timer_ms * _US

    def next_timer_us(self) -> int | None:
        """Return when the next timer is due, or None."""
        while self._timers and self._timers[0][2].due_us != self._timers[0][0]:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def schedule(self, timer: _Timer) -> None:
        """Queue a timer for its `due_us`."""
        heapq.heappush(self._timers, (timer.due_us, next(self._order), timer))

    def run_timers(self) -> None:
        """Call what is due now."""
        while True:
            due = self.next_timer_us()
            if due is None or due > self.now_us:
                return
            _, _, timer = heapq.heappop(self._timers)
            timer.fire()

    def sleep(self, duration_us: int) -> None:
        """Let table time pass, timers included.

        Raises ChipReset when the watchdog bites, Interrupted when a Ctrl-C comes.
        """
        end = self.now_us + duration_us
        while self.now_us < end:
            self._wait(end)

    def idle(self) -> None:
        """Sleep until the next interrupt; without a timer, for a millisecond."""
        due = self.next_timer_us()
        self._wait(self.now_us + 1000 if due is None else due)

    def _wait(self, until_us: int) -> None:
        """Let time pass until something is due, at most until then, and do that."""
        due, bite = self.next_timer_us(), self.watchdog.bite_us
        if due is not None and due < until_us:
            until_us = due
        if bite is not None and bite < until_us:
            until_us = bite
        self.wait(until_us)
        if bite is not None and self.now_us >= bite:
            self.watchdog.start(LONGEST_MS)
            raise ChipReset
        if due is not None and due <= self.now_us:
            self.run_timers()
        if self.port.outgoing:
            self.fetch()

    # ---- serial

    def write_serial(self, data: bytes) -> int:
        """Send as the USB stack does: without a listener the newest 256 bytes wait, unsent."""
        if self.port.is_open:
            if self.unread:
                data = bytes(self.unread) + data
                self.unread.clear()
            self.port.feed(data)
        else:
            self.unread = (self.unread + data)[-_TX_FIFO:]
        return len(data)

    def fetch(self) -> None:
        """Take what the host sent, as the USB stack does (`tud_cdc_rx_cb`).

        The interrupt character clears what came before it and raises Interrupted; without one,
        `kbd_intr(-1)`, every byte is data.
        """
        if self.port.is_open and self.port.outgoing:
            new = self.port.take(_RX_RING - len(self.received))
            at = new.rfind(self.interrupt_char) if self.interrupt_char >= 0 else -1
            if at >= 0:
                self.received[:] = new[at + 1 :]
                raise Interrupted
            self.received += new

    def stay_at_prompt(self) -> None:
        """Be at MicroPython's prompt until somebody types Ctrl-D; then the heap is a new one.

        Timers go on until then, and the watchdog goes on beyond.
        """
        self.interrupt_char = -1
        prompt = Prompt(self.write_serial)
        while True:
            self.sleep(_PROMPT_US)
            self.fetch()
            while self.received:
                if prompt.take(self.received.pop(0)):
                    self._timers.clear()
                    self.interrupt_char = CTRL_C
                    return

    # ---- LEDs

    def show(self, words: Any) -> None:
        """Put one frame on the LED chain: 24 bits in the upper part of each word, GRB."""
        data = array("I", words)
        if sys.byteorder == "little":
            data.byteswap()
        grb = bytearray(data.tobytes())
        del grb[3::4]
        self.show_bytes(grb)

    def show_bytes(self, grb: bytes | bytearray) -> None:
        """Put one frame on the LED chain, three bytes per LED."""
        rgb = bytearray(grb)
        rgb[0::3], rgb[1::3] = grb[1::3], grb[0::3]
        self.frames.append(Frame(self.now_us / _US, bytes(rgb)))


class _Timer:
    """machine.Timer."""

    PERIODIC = 1
    ONE_SHOT = 0

    _chip: Chip  # a chip's own class has it

    def __init__(self, _number: int) -> None:
        self.due_us = -1

    def init(
        self, *, mode: int, period: int, callback: Callable[[Any], object], **_hard: bool
    ) -> None:
        self._period_us = period * _US if mode == self.PERIODIC else 0
        self._callback = callback
        self.due_us = self._chip.now_us + period * _US
        self._chip.schedule(self)

    def deinit(self) -> None:
        self.due_us = -1

    def fire(self) -> None:
        if self._period_us:
            self.due_us += self._period_us
            self._chip.schedule(self)
        self._callback(self)


class _Sio:
    """What `ptr32(SIO)` is on CPython."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def __getitem__(self, index: int) -> int:
        return self._chip.read_word(index)

    def __setitem__(self, index: int, value: int) -> None:
        self._chip.write_word(index, value)


class _UsbControl:
    """What `ptr32(USB_IN_2)` is: says whether the host has fetched the last packet."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def __getitem__(self, index: int) -> int:
        port = self._chip.port
        return 1 << USB_AVAILABLE if port.is_open and port.room < 64 else 0


class _Pin:
    """machine.Pin; as on the chip, whatever is set without a `pull` pulls no way from then on."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    _chip: Chip  # a chip's own class has it

    def __init__(
        self,
        number: int,
        mode: int | None = None,
        pull: int | None = None,
        *,
        value: int | None = None,
    ) -> None:
        self.number = number
        if (mode, pull, value) != (None, None, None):
            self._chip.set_pin(number, value, None if mode is None else mode == self.OUT)
            pull = pull or 0
            self._chip.set_pulls(number, bool(pull & self.PULL_UP), bool(pull & self.PULL_DOWN))

    def value(self, level: int | None = None) -> int:
        self._chip.set_pin(self.number, level, None)
        return self._chip.read_word(GPIO_IN) >> self.number & 1


class _Pwm:
    """machine.PWM, whose pin leads to the piezo."""

    _chip: Chip  # a chip's own class has it

    def __init__(self, _pin: _Pin) -> None:
        self._hz = 0

    def freq(self, hz: int) -> None:
        self._hz = hz

    def duty_u16(self, duty: int) -> None:
        self._chip.tones.append(Tone(self._chip.now_us / _US, self._hz if duty else 0))


class _Wdt:
    """machine.WDT."""

    _chip: Chip  # a chip's own class has it

    def __init__(self, *, timeout: int) -> None:
        self._chip.watchdog.start(timeout)

    def feed(self) -> None:
        self._chip.watchdog.feed()


class _Dma:
    """rp2.DMA: a transfer to the LED state machine takes no time."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def pack_ctrl(self, **_fields: object) -> int:
        return 0

    def config(self, *, read: Any, count: int, **_settings: object) -> None:
        self.read = read
        self.count = count

    def active(self, value: int = 0) -> bool:
        if value:
            self._chip.show(self.read[: self.count])
        return False


class _Sectors:
    """The sectors under the files, none of which is found."""

    def ioctl(self, _what: int, _value: int) -> int:
        return 0


class _StateMachine:
    """rp2.StateMachine: the LED program needs no running."""

    def __init__(self, number: int, _program: object, **_settings: object) -> None:
        self.number = number

    def active(self, _value: int) -> None:
        return None


class _Poll:
    """select.poll over the serial line."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._flags = 0

    def register(self, _stream: object, flags: int) -> None:
        self._flags = flags

    def ipoll(self, _timeout_ms: int) -> tuple[tuple[object, int], ...]:
        self._chip.fetch()
        return ((None, 1),) if self._flags & 1 and self._chip.received else ()


def _traceback_text(error: BaseException) -> str:
    """Return what MicroPython prints of an exception: the firmware's own frames, no sources."""
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.parent.name == "app":
            lines.append(f'  File "{path.name}", line {frame.lineno}, in {frame.name}')
        elif path.parent.name in ("chronotable", "ttykm"):
            name = f"lib/{path.parent.name}/{path.name}"
            lines.append(f'  File "{name}", line {frame.lineno}, in {frame.name}')
    if lines:
        lines.insert(0, "Traceback (most recent call last):")
    return "\n".join([*lines, f"{type(error).__name__}: {error}", ""])


def _module(name: str, **names: object) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names)
    return module


def modules(chip: Chip) -> dict[str, ModuleType]:
    """Return the port's modules for one chip, by name."""

    def read_into(buffer: bytearray) -> int:
        data = chip.received[: len(buffer)]
        del chip.received[: len(data)]
        buffer[: len(data)] = data
        return len(data)

    stdin = SimpleNamespace(buffer=SimpleNamespace(readinto=read_into))
    stdout = SimpleNamespace(buffer=SimpleNamespace(write=chip.write_serial))

    def ticks_ms() -> int:
        return chip.timer_us() // _US & 0x3FFFFFFF

    def ticks_us() -> int:
        return chip.timer_us() & 0x3FFFFFFF

    def ticks_diff(later: int, earlier: int) -> int:
        return (later - earlier + 0x20000000 & 0x3FFFFFFF) - 0x20000000

    def reset() -> None:
        raise ChipReset

    def kbd_intr(char: int) -> None:
        chip.interrupt_char = char

    def print_exception(error: BaseException, file: Any = None) -> None:
        text = _traceback_text(error)
        if file is None:
            chip.failure = "".join(traceback.format_exception(error))
            chip.write_serial(text.replace("\n", "\r\n").encode())
        else:
            file.write(text)

    return {
        "machine": _module(
            "machine",
            Pin=type("Pin", (_Pin,), {"_chip": chip}),
            PWM=type("PWM", (_Pwm,), {"_chip": chip}),
            Timer=type("Timer", (_Timer,), {"_chip": chip}),
            USBDevice=SimpleNamespace(BUILTIN_DEFAULT=SimpleNamespace(desc_cfg=_EP2_IN_DESCRIPTOR)),
            WDT=type("WDT", (_Wdt,), {"_chip": chip}),
            bitstream=lambda _pin, _encoding, _timing, data: chip.show_bytes(data),
            mem32=chip.watchdog,
            freq=lambda: 1_000_000,
            idle=chip.idle,
            reset=reset,
            unique_id=lambda: chip.unique_id,
        ),
        "rp2": _module(
            "rp2",
            PIO=SimpleNamespace(OUT_LOW=0, SHIFT_LEFT=0, JOIN_TX=1),
            StateMachine=_StateMachine,
            DMA=lambda: _Dma(chip),
            asm_pio=lambda **_settings: lambda program: program,
        ),
        "_rp2": _module("_rp2", Flash=_Sectors),
        "time": _module(
            "time",
            ticks_ms=ticks_ms,
            ticks_us=ticks_us,
            ticks_diff=ticks_diff,
            sleep_ms=lambda ms: chip.sleep(ms * _US),
        ),
        "array": _module("array", array=Array),
        "select": _module("select", POLLIN=1, POLLOUT=4, poll=lambda: _Poll(chip)),
        "sys": _module(
            "sys",
            stdin=stdin,
            stdout=stdout,
            implementation=SimpleNamespace(name="micropython", version=(1, 26, 0, "")),
            print_exception=print_exception,
            modules={},  # the firmware gives back what is the host's here
            path=[""],
        ),
        "gc": _module("gc", collect=lambda: None, mem_free=lambda: 0, threshold=lambda _n: None),
        "micropython": _module(
            "micropython",
            viper=lambda function: function,
            const=lambda value: value,
            alloc_emergency_exception_buf=lambda _size: None,
            kbd_intr=kbd_intr,
        ),
        "os": _module(
            "os",
            urandom=chip.random_bytes,
            listdir=chip.flash.listdir,
            mkdir=chip.flash.mkdir,
            rename=chip.flash.rename,
            remove=chip.flash.remove,
            statvfs=chip.flash.statvfs,
        ),
    }


def builtin_names(chip: Chip) -> dict[str, object]:
    """Return the builtins which the app files see beside or instead of CPython's own."""
    windows = {SIO: _Sio(chip), USB_IN_2: _UsbControl(chip)}

    def pointer(target: Any) -> Any:
        return windows[target] if isinstance(target, int) else target

    def printed(*values: object) -> None:
        chip.write_serial((" ".join(map(str, values)) + "\r\n").encode())

    return {
        "ptr8": pointer,
        "ptr16": pointer,
        "ptr32": pointer,
        "print": printed,
        "open": chip.flash.open,
        "KeyboardInterrupt": Interrupted,
    }
