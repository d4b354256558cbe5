"""The wires between the table's switches and an emulated RP2040, which its pads pull up or down.

A pad comes out of every reset with its pull-down on (RP2040 data sheet, PADS_BANK0: 0x56), and
what a row's pad pulls down is taken for low: see `Matrix`.

A column wire rises only as fast as its pad's pull-up charges it, over the ribbon from the Pico.
Where nothing pulls the row up that has just been let go of, the same pull-up charges that row's
wire too, through a closed cell's diode. Reading sooner finds the cells of the last row closed in
the next one as well. What pulls a wire down is stronger, and counts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import log
from typing import TYPE_CHECKING

from chronotable_host.virtual.runtimes.wiring import Wiring

if TYPE_CHECKING:
    from rp2040py.clock.clock import IClock
    from rp2040py.gpio_pin import GPIOPin, GPIOPinState

RIBBON_PF = 330.0
"""The capacitance of one wire of the guide's ribbon: 3 m with 110 pF each."""

# RP2040 data sheet, pin electricals: the weakest pull-up, and what reads as high for certain
_PULL_UP_OHM = 80e3
_SUPPLY_V, _HIGH_V = 3.3, 2.0


def rise_us(wire_pf: float) -> float:
    """Return how long a pad's weakest pull-up needs to bring a wire from 0 V to a high level."""
    return _PULL_UP_OHM * wire_pf * 1e-6 * log(_SUPPLY_V / (_SUPPLY_V - _HIGH_V))


class Wires:
    """Ties a `Wiring` to the pins of one chip after another; each wire has `wire_pf`."""

    def __init__(self, wiring: Wiring, wire_pf: float) -> None:
        from rp2040py.gpio_pin import GPIOPinState  # noqa: PLC0415 - of the extra `emulator`

        self._lows = (GPIOPinState.LOW, GPIOPinState.INPUT_PULL_DOWN)
        self._floats = GPIOPinState.INPUT
        self._wiring = wiring
        self._rise_ns = 1e3 * rise_us(wire_pf)
        self._low_outputs = 0  # pins that the chip drives low, or whose pads pull them down
        self._low_inputs = 0  # inputs that the wiring holds low because of that
        self._inputs: list[tuple[int, Callable[[], None], Callable[[], None]]] = []
        # per pin that rises: when it will be high, and what is called then
        self._rising: dict[int, tuple[float, Callable[[], None]]] = {}
        self._detach: list[Callable[[], object]] = []

    def attach(self, gpio: Sequence[GPIOPin], clock: IClock) -> None:
        """Wire the table to a chip that has just been powered on."""
        self._gpio = gpio
        self._clock = clock
        self._alarm = clock.create_alarm(self._risen)
        for pin in self._wiring.inputs:
            low = partial(gpio[pin].set_input_value, False)
            # else the pad's own pull-up decides, so the firmware has to enable it
            high = gpio[pin].release_input
            if self._wiring.drives_high:
                high = partial(gpio[pin].set_input_value, True)
            high()
            self._inputs.append((1 << pin, low, high))
        for pin in self._wiring.outputs:
            self._detach.append(gpio[pin].add_listener(self._listener(1 << pin)))
        self._low_inputs = 0
        self.look()

    def detach(self) -> None:
        """The chip has no power."""
        self._inputs.clear()
        self._rising.clear()
        while self._detach:
            self._detach.pop()()

    def look(self) -> None:
        """See what a chip does that has been reset: its pins tell of no change then."""
        self._low_outputs = 0
        for pin in self._wiring.outputs:
            if self._gpio[pin].value in self._lows:
                self._low_outputs |= 1 << pin
        self._wiring.drive(self._low_outputs)
        self.settle()

    def settle(self, wires: int = 1) -> None:
        """Bring the inputs to the level that the chip's outputs and the switches make.

        `wires` is how many of them a pull-up has to charge together.
        """
        pulled = self._wiring.low_inputs()
        changed = pulled ^ self._low_inputs
        if not changed:
            return
        self._low_inputs = pulled
        for bit, low, high in self._inputs:
            if not changed & bit:
                continue
            if pulled & bit:
                self._rising.pop(bit, None)
                low()
            elif self._wiring.drives_high:
                high()
            else:
                self._rising[bit] = self._clock.nanos + wires * self._rise_ns, high
        self._wait()

    def _listener(self, bit: int) -> Callable[[GPIOPinState, GPIOPinState], None]:
        driven, pulled = self._lows
        floats = self._floats

        def changed(new: GPIOPinState, _old: GPIOPinState) -> None:
            if new is driven or new is pulled:
                low = self._low_outputs | bit
            else:  # high and high-Z are alike
                low = self._low_outputs & ~bit
            if low != self._low_outputs:
                self._low_outputs = low
                self._wiring.drive(low)
                self.settle(2 if new is floats else 1)

        return changed

    def _wait(self) -> None:
        """Have the clock say when the next column has risen."""
        if self._rising:
            due = min([due for due, _ in self._rising.values()])
            self._alarm.schedule(max(0.0, due - self._clock.nanos))

    def _risen(self) -> None:
        now = self._clock.nanos
        for bit, (due, high) in list(self._rising.items()):
            if due <= now + 1:
                del self._rising[bit]
                high()
        self._wait()
