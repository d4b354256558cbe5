"""The doctor's mode of the firmware: reeds, buttons, LEDs and link for its wizard, and no game.

What it finds goes to the PC, into `reeds.json`, which says which reeds the game is not to trust,
and, where things are connected otherwise than the board file says, into the board file.
"""

import os
from array import array
from time import sleep_ms, ticks_diff, ticks_ms

from machine import reset
from micropython import const

import about
import watchdog
from chip import report
from chronotable.core.health import DOES_NOT_CLOSE, DOES_NOT_OPEN, FLICKERS, POLES_LIE
from chronotable.doctor import kinds, lamps, rewiring
from chronotable.doctor.examination import CLEAR, CURRENT, DONE
from chronotable.doctor.wizard import Wizard
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, SENSORS, SHARED
from chronotable.link.happenings import Message
from leds import Leds
from scan import Scanner
from slots import BOARD_FILE

_ROUND_MS = const(10)
_FRAME_MS = const(50)
_HELD_MS = const(15000)
_REEDS_FILE = const("reeds.json")
_SUPPLY = const("supply")
_A = BUTTON + BUTTONS.index(("a", SHARED))
_REED_FAULTS = {
    kinds.STUCK_CLOSED: DOES_NOT_OPEN,
    kinds.OUTPUT_STUCK: DOES_NOT_OPEN,
    kinds.WEAK: FLICKERS,
    kinds.FLICKERS: FLICKERS,
}


class Doctor:
    """The wizard with the chip's parts around it."""

    def __init__(self) -> None:
        self.board, board_hash = about.read_board()
        self.link = about.make_link(self.board, board_hash)
        self.usb = about.make_usb()
        self.wizard = Wizard(self.board)
        self.scanner = Scanner(self.board, self.wizard.feel)
        self.earlier_faults = about.read_json(_REEDS_FILE)  # of the last examination
        self.frame = array("I", bytes(4 * SENSORS))
        self.bytes = bytearray(3 * SENSORS)
        self.leds = Leds(self.board.led_pin, self.frame)
        self.is_stored = False
        self.is_asked = False  # by a PC
        self.state: dict[str, int | str | None] = {}
        self.step = 0

    def run(self) -> None:
        """Run until everything is examined, then start the game.

        That starts at once where the supply gave way in an examination and the game, which tells of
        it, has not run since: button *a* is stuck, and has started this one.
        """
        if self.earlier_faults.get(_SUPPLY) == about.UNTOLD and watchdog.was_power_on():
            restart()
        wizard, link = self.wizard, self.link
        debouncer = self.scanner.debouncer
        report(link, self.scanner, 0)
        before = ticks_ms()
        now = frame_ms = 0
        link.open(now)
        self.scanner.start()
        guard = watchdog.Watchdog(debouncer.ring, link, now)
        while not wizard.is_over:
            sleep_ms(_ROUND_MS)
            ticks = ticks_ms()
            now += ticks_diff(ticks, before)
            before = ticks
            self.take_edges(now)
            wizard.update(now)
            if wizard.step != self.step:
                self.enter(wizard.step)
            if now - frame_ms >= _FRAME_MS:
                frame_ms = now
                guard.shown = self.show(now) or guard.shown
            self.talk(now)
            guard.feed(now)
            if now > _HELD_MS and wizard.step == CLEAR and self.is_stuck():
                restart()
        restart()

    def is_stuck(self) -> bool:
        """Tell whether button *a*, held at power-on, never opened: then it is stuck, no request."""
        if self.is_asked or not watchdog.was_power_on():
            return False
        return self.scanner.debouncer.is_closed(self.board.cell_of[_A])

    def take_edges(self, now: int) -> None:
        """Hand the wizard what has changed."""
        wizard, debouncer = self.wizard, self.scanner.debouncer
        edge = debouncer.next_edge()
        while edge >= 0:
            wizard.edge(edge & 63, bool(edge & 64), now - (edge >> 7) * self.board.scan_ms)
            edge = debouncer.next_edge()

    def show(self, now: int) -> bool:
        """Send a frame."""
        data = self.bytes
        lamps.fill(self.wizard.lamps, self.wizard.order, now, self.wizard.max_sum, data)
        for led in range(SENSORS):
            at = 3 * led
            self.frame[led] = data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8
        return self.leds.show()

    def talk(self, now: int) -> None:
        """Tell the PC one thing, and hear what it says."""
        link, wizard = self.link, self.wizard
        state = wizard.state()
        if state != self.state:
            self.state = state
            link.send("step", **state)
        if wizard.messages:
            name, fields = wizard.messages.pop(0)
            link.post_event(name, now & 0xFFFFFFFF, **fields)
        data = self.usb.read(link.connected)
        if data is not None:
            link.receive(data, now)
        event = link.next_event()
        while event is not None:
            if isinstance(event, Message) and event.name == "doctor":
                self.is_asked = True
                say = event.values["say"]
                if say == "n":
                    wizard.skip()
                elif say == "e":
                    wizard.end_step()
                elif say == "x":
                    if wizard.step == CURRENT:  # nothing has failed
                        store_reeds(self.reed_faults(), False)
                    restart()
            event = link.next_event()
        link.tick(now)
        if self.usb.has_room():
            line = link.data_to_send(1)
            if line:
                self.usb.write(line)

    def enter(self, step: int) -> None:
        """Keep the result before the supply is put to the test, and tell it after that."""
        self.step = step
        wizard = self.wizard
        if step == CURRENT:
            self.store_board()
            store_reeds(self.reed_faults(), True)
        elif step == DONE:
            store_reeds(self.reed_faults(), False)
            for sensor, cell, led in rewiring.learned(wizard):
                wizard.messages.append(("learned", {"sensor": sensor, "cell": cell, "led": led}))
            maps = wizard.cells, wizard.leds
            is_whole = wizard.is_whole and all(rewiring.is_whole(wiring) for wiring in maps)
            examined: dict[str, int | str | None] = {
                "findings": len(wizard.findings),
                "stored": int(self.is_stored),
                "complete": int(is_whole),
            }
            wizard.messages.append(("examined", examined))

    def store_board(self) -> None:
        """Write the board file anew, if what was learned is another one that is sound."""
        from chronotable.hardware import board as reader

        data = about.read_json(BOARD_FILE)
        if rewiring.rewrite(data, self.wizard):
            reader.load(data)
            about.write_json(BOARD_FILE, data)
            self.is_stored = True

    def reed_faults(self) -> "dict[str, str]":
        """Return what is wrong with each reed that is not to be trusted, by its name."""
        wizard = self.wizard
        reed_faults = {}
        for sensor in range(SENSORS):
            name = sensor_name(sensor)
            if sensor in wizard.faults:
                reed_faults[name] = _REED_FAULTS.get(wizard.faults[sensor], DOES_NOT_CLOSE)
            elif sensor in wizard.nosy:
                reed_faults[name] = FLICKERS
            elif sensor in wizard.wrong_poles:
                reed_faults[name] = POLES_LIE
            elif wizard.unseen[sensor] and name in self.earlier_faults:
                reed_faults[name] = str(self.earlier_faults[name])
        return reed_faults


def store_reeds(reed_faults: "dict[str, str]", is_tested: bool) -> None:
    """Write what is wrong with the reeds, and whether the supply is put to the test just now."""
    if is_tested:
        reed_faults[_SUPPLY] = about.UNTOLD
    if reed_faults:
        about.write_json(_REEDS_FILE, reed_faults)
    elif _REEDS_FILE in os.listdir():
        os.remove(_REEDS_FILE)


def restart() -> None:
    """Start the game."""
    watchdog.rest()
    reset()


def run() -> None:
    """Build the examination and run it."""
    Doctor().run()
