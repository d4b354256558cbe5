"""What the firmware imports on CPython in the place of MicroPython's own modules, for one chip.

They are thin: `machine`, `rp2`, `select`, `sys`, `time` and the others do with a `Chip` what the
firmware uses them for, and what is missing fails loudly.
"""

import traceback
from array import array
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from chronotable.hardware import debounce
from chronotable.hardware.rp2040 import GPIO_IN, SIO, USB_AVAILABLE, USB_IN_2
from chronotable.link import outbox
from chronotable_host.virtual.runtimes.chip import Chip, ChipInterrupt, ChipReset, Timer
from chronotable_host.virtual.runtimes.runtime import Tone

_EP2_IN_DESCRIPTOR = b"\x07\x05\x82\x02\x40\x00\x00"
_US = 1000


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
        elif {"chronotable", "ttykm"} & {*path.parts}:
            name = path.as_posix()[path.as_posix().rindex("/lib/") + 1 :]
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
            Timer=type("Timer", (Timer,), {"_chip": chip}),
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
            sleep_us=chip.sleep,
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
        "KeyboardInterrupt": ChipInterrupt,
    }
