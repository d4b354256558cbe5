"""A table of wires, reeds and LEDs for the doctor, and a person who does what the lights ask.

No firmware and no PC: edges go straight into the wizard, and the person sees its lamps where the
LEDs really are. Times are the table's; nothing waits.
"""

import random

from chronotable.doctor import kinds, lamps
from chronotable.doctor.examination import POLES, REEDS
from chronotable.doctor.wizard import Wizard
from chronotable.hardware.sensors import SENSORS
from chronotable_host.hardware import boards

TICK_MS = 20


class Wires:
    """What is soldered: where each sensor and LED really is, and what is broken."""

    def __init__(self, board_name="reference"):
        self.board = boards.read(board_name)
        self.has_matrix = not self.board.register_pins
        self.cell_of = list(self.board.cell_of)
        self.led_of = list(self.board.led_of)
        self.order = self.board.colour_order
        self.stuck = {}  # by sensor, buttons too: closed or open
        self.flickers = set()
        self.weak = set()
        self.nosy = {}  # by sensor whose magnet closes it, too
        self.cut_rows = set()
        self.cut_columns = set()
        self.stuck_outputs = {}  # by space and player: closed or open
        self.wrong_poles = set()
        self.joined = set()  # spaces whose outputs are
        self.turned_of = set()  # players whose copies are examined with one that is turned
        self.bare = set()
        self.dark = set()

    def exchange(self, one, other):
        cells = self.cell_of
        cells[one], cells[other] = cells[other], cells[one]

    def exchange_leds(self, one, other):
        leds = self.led_of
        leds[one], leds[other] = leds[other], leds[one]

    def exchange_lines(self, shift, one, other):
        swap = {one: other, other: one}
        for sensor, cell in enumerate(self.cell_of):
            line = cell >> shift & 7
            self.cell_of[sensor] = cell & ~(7 << shift) | swap.get(line, line) << shift

    def cells(self, closed):
        """The cells that read closed when these sensors are."""
        raw = {self.cell_of[sensor] for sensor in closed}
        bare = {self.cell_of[sensor] for sensor in self.bare}
        read = set(raw)
        if bare & raw:
            for start in range(8):
                rows, columns = {start}, set()
                while True:
                    more = {cell & 7 for cell in raw if cell >> 3 in rows}
                    back = {cell >> 3 for cell in raw & bare if cell & 7 in more}
                    if more <= columns and back <= rows:
                        break
                    columns |= more
                    rows |= back
                read |= {start << 3 | column for column in columns}
        return {
            cell
            for cell in read
            if cell >> 3 not in self.cut_rows and cell & 7 not in self.cut_columns
        }

    def outputs(self, closed, whose):
        """The outputs that are closed when these sensors are, each with a player."""
        both = {at for at, how in self.stuck.items() if how} | (self.joined & set(closed))
        two = {(at, player) for at in both for player in (0, 1)}
        found = {(at, whose.get(at, 0) ^ (at in self.wrong_poles)) for at in closed} | two
        for output, how in self.stuck_outputs.items():
            (found.add if how else found.discard)(output)
        return found


class Person:
    """Does what the wizard asks for, as far as it is to be seen or heard, until it is over."""

    def __init__(
        self, wires, seed=0, *, errs=0.0, pace=1.0, hands=1, wide=False, strays=(), first=0
    ):
        self.wires = wires
        self.wizard = Wizard(wires.board)
        self.rng = random.Random(seed)
        self.errs = errs
        self.pace = pace
        self.hands = hands  # with two, the next magnet lies before the last one is lifted
        self.wide = wide  # slides as far as over a neighbour
        self.now = 0
        self.magnets = set()
        self.strays = set(strays)  # lie about until their space is needed
        self.pressed = set()
        self.sliding = None
        self.begun = 0
        self.cells = set()
        self.turns_all = False  # every copy that is asked for is turned
        self.first = first  # whose copy is the magnet, until a certain one is asked for
        self.whose = {}  # by sensor: whose pole is up of what lies there, or lay
        self.felt = set()  # cells and players whose pole is
        self.flips = dict.fromkeys(sorted(wires.flickers), (0, False))
        self.events = []
        self.gestures = 0

    # ---- time

    def closed(self):
        wires = self.wires
        there = self.magnets | self.strays | self.pressed
        felt = set()
        for sensor in there:
            slides = sensor in wires.weak and sensor == self.sliding
            if not slides or (self.now - self.begun) % 400 <= 340:
                felt.add(sensor)
        felt |= {n for n, other in wires.nosy.items() if other in self.magnets}
        for sensor, (until, level) in self.flips.items():
            if self.now >= until:
                self.flips[sensor] = (self.now + self.rng.choice((20, 40, 60)), not level)
            felt.discard(sensor)
            if level:
                felt.add(sensor)
        for sensor, level in wires.stuck.items():
            felt.discard(sensor)
            if level:
                felt.add(sensor)
        return felt

    def wait(self, ms):
        end = self.now + ms
        while self.now < end and not self.wizard.is_over:
            self.now += TICK_MS
            closed = self.closed()
            if self.wizard.has_poles:
                outputs = self.wires.outputs(closed, self.whose)
                closed = {at for at, _ in outputs}
                felt = {
                    (self.wires.cell_of[at], player)
                    for at, player in outputs
                    if (at, 1 - player) not in outputs
                }
                for cell, player in felt ^ self.felt:
                    self.wizard.feel(cell, player, (cell, player) in felt)
                self.felt = felt
            cells = self.wires.cells(closed)
            for cell in sorted(cells ^ self.cells):
                self.wizard.edge(cell, cell in cells, self.now)
            self.cells = cells
            self.wizard.update(self.now)

    def until(self, ask, ms):
        """Wait until something else is asked, at most so long."""
        end = self.now + ms
        while self.now < end and self.asked() == ask and not self.wizard.is_over:
            self.wait(TICK_MS)
        return self.asked() != ask

    def asked(self):
        state = self.wizard.state()
        return (state["step"], state["asks"], state["about"], state["put"])

    # ---- hands

    def pause(self):
        self.wait(self.rng.randint(120, 400) * self.pace)

    def put(self, sensor):
        self.gestures += 1
        self.strays.discard(sensor)
        self.magnets.add(sensor)
        step = self.wizard.step
        whose = POLES + 1 - step if step >= POLES else self.first
        is_told = any(kind == kinds.MAGNET_TURNED for kind, *_ in self.wizard.findings)
        is_turned = whose in self.wires.turned_of and not is_told
        self.whose[sensor] = whose ^ (step >= POLES and (is_turned or self.turns_all))

    def clear(self, keep=()):
        for sensor in sorted(self.magnets - set(keep)):
            self.magnets.discard(sensor)
            self.gestures += 1
            self.pause()

    def errs_now(self):
        return self.rng.random() < self.errs

    def seen(self, *codes):
        """The sensors whose LEDs show one of these lamps."""
        leds = self.wires.led_of
        shown = self.wizard.lamps
        return [
            s for s in range(SENSORS) if shown[leds[s]] in codes and leds[s] not in self.wires.dark
        ]

    def examine(self, most_ms=3_600_000):
        """Go through it all; return what was found."""
        while not self.wizard.is_over:
            assert self.now < most_ms, self.wizard.state()
            self.act()
        return self.wizard.findings

    def act(self):
        step, asks, about, put = ask = self.asked()
        if asks in "dz":
            self.clear()
            if asks == "z" and step == REEDS:
                self.strays.discard(about)
            if not self.until(ask, 4000):
                self.wizard.skip()
                self.wait(TICK_MS)
        elif asks == "l":
            self.pause()
            if self.hands > 1 and about + 1 < SENSORS:
                self.magnets.add(about + 1)
                self.whose[about + 1] = self.whose[about]
                self.wait(200)
                self.magnets.discard(about)
                self.until(ask, 1000)
                return
            self.clear()
            self.until(ask, 1000)
        elif asks in "pa" and (step == REEDS or step >= POLES):
            self.slide(ask, about)
        elif asks == "p":
            wanted = {s for s in range(SENSORS) if int(put, 16) >> s & 1}
            self.clear(wanted)
            for sensor in sorted(wanted - self.magnets):
                self.put(sensor)
                self.pause()
            if not self.until(ask, 7000):
                self.wizard.skip()
                self.wait(TICK_MS)
        elif asks == "b":
            self.press(ask, about)
        elif asks in "mcrg":
            self.answer(ask)
        else:
            self.wait(100)

    def slide(self, ask, sensor):
        self.clear([sensor])
        if self.errs_now():  # the wrong space
            wrong = self.rng.randrange(SENSORS)
            self.put(wrong)
            self.wait(self.rng.choice((200, 500, 2000)))
            self.clear()
            if self.asked() != ask:
                return
        self.put(sensor)
        if self.errs_now():  # not so
            self.wait(self.rng.randint(100, 800))
            self.clear()
            self.wait(self.rng.randint(120, 2500))
            self.put(sensor)
        if self.wide:
            self.wait(300)
            self.magnets.discard(sensor)
            self.wait(self.rng.choice((20, 60)))
            self.magnets.add(sensor ^ 1)
            self.whose[sensor ^ 1] = self.whose[sensor]
            self.wait(self.rng.choice((60, 200)))
            self.magnets.discard(sensor ^ 1)
            self.wait(self.rng.choice((20, 60)))
            self.magnets.add(sensor)
        self.sliding, self.begun = sensor, self.now
        done = self.until(ask, 2500 * self.pace)
        self.sliding = None
        if not done:
            self.clear()
            self.wizard.skip()
            self.wait(TICK_MS)

    def press(self, ask, sensor):
        self.clear()
        for _ in range(3):  # it may be asked for twice
            self.gestures += 1
            self.pressed.add(sensor)
            self.wait(self.rng.randint(60, 400))
            self.pressed.discard(sensor)
            if self.until(ask, 400):
                return
        self.wizard.skip()
        self.wait(TICK_MS)

    def answer(self, ask):
        asks = ask[1]
        if asks == "m":
            seen = self.seen(lamps.WHITE)
        elif asks == "c":
            seen = self.seen(lamps.WHITE) or self.seen(lamps.BLINK)
        else:
            code = lamps.FIRST + self.wires.order.index(asks.upper())
            seen = self.seen(code)
        self.pause()
        self.clear(seen)
        if self.errs_now():
            self.put(self.rng.randrange(SENSORS))
            self.wait(self.rng.choice((200, 1000)))
            self.clear(seen)
            if self.asked() != ask:
                return
        for sensor in seen:
            if sensor not in self.magnets:
                self.put(sensor)
        if not self.until(ask, 1500):
            self.clear()
            self.wizard.skip()
            self.wait(TICK_MS)
