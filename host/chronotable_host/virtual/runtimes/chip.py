"""A Pico at the level of its pins, for the firmware's app files on CPython.

`Chip` holds what the modules of MicroPython share (`micropython_modules.py`): the clock in table
time, the pins with the table's switches at them, the serial line, the LED chain, the watchdog and
the files in flash. Only what the firmware uses is there, and what is missing fails loudly.

Computing takes no table time here; the emulated RP2040 is the runtime that knows what it costs.
"""

import heapq
import itertools
import sys
from array import array
from collections.abc import Callable, Generator
from typing import Any

from chronotable.hardware.rp2040 import (
    GPIO_IN,
    GPIO_OE_CLR,
    GPIO_OE_SET,
    GPIO_OUT_CLR,
    GPIO_OUT_SET,
    WATCHDOG_CTRL_CLEAR,
    WATCHDOG_ENABLE,
    WATCHDOG_SCRATCH_0,
)
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.runtimes.flash import Flash
from chronotable_host.virtual.runtimes.runtime import LedFrame, Tone, VirtualPort
from chronotable_host.virtual.runtimes.wiring import Wiring

_PINS = (1 << 30) - 1
_TX_FIFO = 256  # bytes that wait in the USB stack for a host that does not read
_RX_RING = 512  # bytes that wait for the firmware
_US = 1000
_PROMPT_US = 10_000  # from one look of the prompt at what was typed to the next
_LONGEST_MS = 8388  # of the watchdog
_SCRATCH = range(WATCHDOG_SCRATCH_0, WATCHDOG_SCRATCH_0 + 16, 4)  # 0 to 3; the SDK has the others

_CTRL_C = 3
_CTRL_D = 4
_RETURN = 13
_BANNER = (
    "MicroPython v1.26.0 on 2025-08-09; Raspberry Pi Pico with RP2040\r\n"
    'Type "help()" for more information.\r\n>>> '
)
_ANSWER = (
    "Traceback (most recent call last):\r\n"
    '  File "<stdin>", line 1\r\nSyntaxError: invalid syntax\r\n'
)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))


class ChipReset(BaseException):
    """Unwinds the firmware; a BaseException, so that no handler there eats it."""


class ChipInterrupt(BaseException):
    """What the firmware knows as KeyboardInterrupt; that of this program is not meant for it."""


class _Limit:
    """What the firmware awaits where its time is up: whoever runs it goes on."""

    def __await__(self) -> Generator[None, None, None]:
        yield


_AT_THE_LIMIT = _Limit()


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
        self.frames: list[LedFrame] = []
        self.tones: list[Tone] = []
        self.port = VirtualPort(connected=False)
        self.unread = bytearray()  # what the USB stack holds back from a host that is not there
        self.received = bytearray()  # what the firmware has not read
        self.interrupt_char = _CTRL_C  # the byte that interrupts the firmware, -1 for none
        self.failure = ""  # the traceback that the firmware printed last
        self.limit_us = 0  # until when time may pass: whoever runs the chip says it
        self._timers: list[tuple[int, int, Timer]] = []
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
        self.interrupt_char = _CTRL_C
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

    def timer_us(self) -> int:
        """Return what the timer reads."""
        return self.now_us - self.boot_us + self._chance.timer_ms * _US

    def next_timer_us(self) -> int | None:
        """Return when the next timer is due, or None."""
        while self._timers and self._timers[0][2].due_us != self._timers[0][0]:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def schedule(self, timer: "Timer") -> None:
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

    async def sleep(self, duration_us: int) -> None:
        """Let table time pass, timers included; whoever runs the chip goes on at `limit_us`.

        Raises ChipReset when the watchdog bites, ChipInterrupt when a Ctrl-C comes.
        """
        end = self.now_us + duration_us
        while self.now_us < end:
            if not self._pass(end):
                await _AT_THE_LIMIT

    async def idle(self) -> None:
        """Sleep until the next interrupt; without a timer, for a millisecond."""
        due = self.next_timer_us()
        until_us = self.now_us + 1000 if due is None else due
        while not self._pass(until_us):
            await _AT_THE_LIMIT

    def _pass(self, until_us: int) -> bool:
        """Let time pass until something is due, at most until then, and do that.

        False where `limit_us` comes first.
        """
        due, bite = self.next_timer_us(), self.watchdog.bite_us
        if due is not None and due < until_us:
            until_us = due
        if bite is not None and bite < until_us:
            until_us = bite
        if until_us > self.limit_us:
            self.now_us = self.limit_us
            return False
        self.now_us = max(self.now_us, until_us)
        if bite is not None and self.now_us >= bite:
            self.watchdog.start(_LONGEST_MS)
            raise ChipReset
        if due is not None and due <= self.now_us:
            self.run_timers()
        if self.port.outgoing:
            self.fetch()
        return True

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

        The interrupt character clears what came before it and raises ChipInterrupt; without one,
        `kbd_intr(-1)`, every byte is data.
        """
        if self.port.is_open and self.port.outgoing:
            new = self.port.take(_RX_RING - len(self.received))
            at = new.rfind(self.interrupt_char) if self.interrupt_char >= 0 else -1
            if at >= 0:
                self.received[:] = new[at + 1 :]
                raise ChipInterrupt
            self.received += new

    async def stay_at_prompt(self) -> None:
        """Be at MicroPython's prompt until somebody types Ctrl-D; then the heap is a new one.

        Timers go on until then, and the watchdog goes on beyond.
        """
        self.interrupt_char = -1
        prompt = Prompt(self.write_serial)
        while True:
            await self.sleep(_PROMPT_US)
            self.fetch()
            while self.received:
                if prompt.take(self.received.pop(0)):
                    self._timers.clear()
                    self.interrupt_char = _CTRL_C
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
        self.frames.append(LedFrame(self.now_us / _US, bytes(rgb)))


class Timer:
    """machine.Timer."""

    PERIODIC = 1
    ONE_SHOT = 0

    _chip: Chip  # a chip's own class has it

    def __init__(self, _number: int) -> None:
        self.due_us = -1

    def init(
        self, *, mode: int, period: int, callback: Callable[[Any], object], **_hard: bool
    ) -> None:
        """Begin to count."""
        self._period_us = period * _US if mode == self.PERIODIC else 0
        self._callback = callback
        self.due_us = self._chip.now_us + period * _US
        self._chip.schedule(self)

    def deinit(self) -> None:
        """Stop."""
        self.due_us = -1

    def fire(self) -> None:
        """Call back, now that it is due."""
        if self._period_us:
            self.due_us += self._period_us
            self._chip.schedule(self)
        self._callback(self)


class Watchdog:
    """The watchdog: its countdown and its scratch registers, as machine has them.

    It counts in table time (`clock`, in µs); `bite_us` is when the chip resets, None for never.

    A new one is what a power-on leaves. As on the emulated chip it counts on after its bite.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._timeout_ms = _LONGEST_MS
        self._scratch = dict.fromkeys(_SCRATCH, 0)
        self.bite_us: int | None = None

    def start(self, timeout_ms: int) -> None:
        """Begin to count, or begin anew with another time; raises ValueError as machine does."""
        if not 1 <= timeout_ms <= _LONGEST_MS:
            raise ValueError(f"timeout exceeds {_LONGEST_MS}")
        self._timeout_ms = timeout_ms
        self.feed()

    def feed(self) -> None:
        """Count from the top again."""
        self.bite_us = self._clock() + self._timeout_ms * 1000

    def __getitem__(self, address: int) -> int:
        """Read what `machine.mem32` has there; raises NotImplementedError elsewhere."""
        if address not in self._scratch:
            raise NotImplementedError(f"register {address:#x} cannot be read on the virtual table")
        return self._scratch[address]

    def __setitem__(self, address: int, value: int) -> None:
        """Write through `machine.mem32`; raises NotImplementedError elsewhere."""
        if address in self._scratch:
            self._scratch[address] = value & 0xFFFFFFFF
        elif address == WATCHDOG_CTRL_CLEAR:
            if value & WATCHDOG_ENABLE:
                self.bite_us = None
        else:
            raise NotImplementedError(
                f"register {address:#x} cannot be written on the virtual table"
            )


class Prompt:
    """MicroPython's prompt, as whoever is on the serial line meets it; `say` sends.

    Seen on MicroPython 1.26.1 on the emulated chip: a line is echoed byte by byte and ends with a
    carriage return alone, so that lines which end with a newline pile up behind the prompt; Ctrl-C
    drops what was typed, Ctrl-D on an empty line is a soft reset. Python is not run there: no
    prompt of a virtual table knows a name, so any line that is one gets the same answer. The raw
    prompt is not there.
    """

    def __init__(self, say: Callable[[bytes], object]) -> None:
        self._say = say
        self._line = ""  # of what is being typed
        self._input = ""  # the whole, where brackets go over several lines
        say(_BANNER.encode())

    def take(self, byte: int) -> bool:
        """Take a byte that was typed; return True for a soft reset."""
        if byte == _CTRL_C:
            self._line = self._input = ""
            self._say(b"\r\n>>> ")
        elif byte == _CTRL_D and not self._line:
            self._say(b"\r\nMPY: soft reboot\r\n")
            return True
        elif byte == _RETURN:
            self._end_line()
        elif 0x20 <= byte <= 0x7E:
            self._line += chr(byte)
            self._say(bytes((byte,)))
        return False

    def _end_line(self) -> None:
        text = self._input + self._line
        self._line = self._input = ""
        if any(text.count(opens) > text.count(closes) for opens, closes in _BRACKETS):
            self._input = text
            self._say(b"\r\n... ")
        else:
            self._say(b"\r\n" + _ANSWER.encode() * bool(text.strip()) + b">>> ")
