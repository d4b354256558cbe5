"""What the steps of an examination share: what is asked of the hands, what came of it, findings.

Four rules. It goes by cells and places in the LED chain until it knows which sensor's they are.
What a hand can do by mistake is asked twice. Silence is no fault: a reed or button is called silent
only where a person says so (Enter, a button) or answers elsewhere; what nobody answered to was not
examined. And the examination waits for a person who has gone away: after two questions in a row
without an answer it stops until something is touched.
"""

from chronotable.doctor import kinds
from chronotable.doctor.cell_states import CellStates, Press
from chronotable.doctor.lamps import OFF
from chronotable.doctor.wiring_map import WiringMap
from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS, SPACES
from chronotable.link.packed import pack_sensors
from ttykm.mp import const

if False:
    from collections.abc import Iterator, Sequence

    from chronotable.hardware.wiring import Board

CLEAR = const(0)
REEDS = const(1)
LIGHTS = const(2)
COLOURS = const(3)
GHOSTS = const(4)
BUTTONS = const(5)
CURRENT = const(6)
DONE = const(7)
POLES = const(8)  # with a copy of black's; with one of white's it is the next number

UNTOLD = const(2)
"""In the place of a player whose pole is felt: no output is closed, or both are."""

_TIMEOUT_MS = const(20000)
_TIMEOUTS = const(2)  # in a row; then somebody has to give a sign of life
_LAST_MS = const(5000)  # of a time-out: they are counted for those who watch
_ALONE_MS = const(300)
_APART_MS = const(250)
_LINE = const(3)  # so many cells make a line
_SILENT = const(2)
_UNSEEN = kinds.REEDS_UNSEEN - REEDS
_OF_SENSORS = (
    kinds.EXCHANGED,
    kinds.DIODE_MISSING,
    kinds.LED_EXCHANGED,
    kinds.MOVED,
    kinds.LED_MOVED,
    kinds.POLES_WRONG,
)


class Examination:
    """Takes edges of cells and the time; gives `messages` (message names and fields) and the lamps.

    Findings are a kind (kinds.py), a sensor or another number, and a second one.
    """

    def __init__(self, board: "Board") -> None:
        self.board = board
        self.has_matrix = not board.register_pins
        self.has_poles = board.outputs > 1
        self.max_sum = board.max_ma * 255 // board.channel_ma  # of the bytes of a frame
        self.states = CellStates()
        self.cells = WiringMap(board.cell_of, 8, 1 + self.has_matrix)
        self.leds = WiringMap(board.led_of, 24, 0)
        self.order = board.colour_order  # by the wire
        self.lamps = bytearray(SENSORS)  # what each LED of the chain says (lamps.py)
        self.faults: dict[int, int] = {}  # by sensor: the kind of what is wrong with a reed
        self.nosy: dict[int, int] = {}  # by sensor: another one, to whose magnet it answers, too
        self.unseen = bytearray(SENSORS)  # 1: the step was ended, 2: nobody answered there
        self.poles = bytearray([UNTOLD] * SPACES)  # whose pole the magnet of `reeds` had up there
        self.wrong_poles: list[int] = []  # sensors whose poles are not to be believed
        self.reported = bytearray(INPUTS)  # 1: somebody said that it does not answer
        self.cut: list[tuple[int, int]] = []  # dead lines: 3 for a row or chip, 0 for a column; no.
        self.findings: list[tuple[int, int, int]] = []
        self.left_out: list[tuple[int, int, int]] = []  # not examined, from number to number
        self.messages: list[tuple[str, dict[str, int | str | None]]] = []
        self.step = CLEAR
        self.done = self.of = self.ma = 0
        self.is_over = False
        self.is_ended = False  # the rest of this step is left out
        self.is_whole = True  # nothing ever was
        self.is_silent = False  # the last question went by without an answer
        self.answer = -1  # to `wait_placed`
        self.now = 0
        self.asks = "d"
        self.about = kinds.NOTHING
        self._wanted: Sequence[int] = ()
        self._put = pack_sensors(bytearray(SENSORS))
        self._skips = False
        self._press = Press()
        self._felt = bytearray(len(self.states.closed))  # by cell: a bit for each player's pole
        self._asked_ms = self._touched_ms = 0
        self._timeouts = 0

    def edge(self, cell: int, closed: bool, at_ms: int) -> None:
        """Take a debounced edge of a cell."""
        if not self.states.edge(cell, closed, at_ms):
            return
        self._touched_ms = at_ms
        self._timeouts = 0
        if self.step not in (BUTTONS, CURRENT, DONE) and self.cells.predicted(cell) >= BUTTON:
            self._press.edge(cell, closed, at_ms)

    def feel(self, cell: int, player: int, felt: bool) -> None:
        """Take a debounced change of a pole that is felt, before the edge that it goes with."""
        bits = self._felt[cell]
        self._felt[cell] = bits | 1 << player if felt else bits & ~(1 << player)

    def pole(self, cell: int) -> int:
        """Return the player whose pole is felt there, or UNTOLD."""
        bits = self._felt[cell]
        return bits - 1 if bits in (1, 2) else UNTOLD

    def skip(self) -> None:
        """Go on: what is asked for does not answer."""
        self._skips = True

    def end_step(self) -> None:
        """Go on to the next step, or what is asked once more; the rest is as the file says."""
        self.is_ended = True
        self.is_whole = False

    def state(self) -> "dict[str, int | str | None]":
        """Return the fields of the message `step`."""
        return {
            "step": self.step,
            "asks": self.asks,
            "about": self.about,
            "done": self.done,
            "of": self.of,
            "put": self._put,
            "ma": self.ma,
            "left_s": self._left_s(),
        }

    def begin(self, step: int, of: int) -> None:
        """Begin a step of so many parts."""
        self.step, self.done, self.of = step, 0, of
        self.is_ended = False

    def once_more(self, of: int) -> None:
        """Begin to ask once more about what did not answer.

        Ending the step before left out only what had not been asked yet, so it goes on here.
        """
        self.of = of
        self.is_ended = False

    def ask(self, asks: str, about: int = kinds.NOTHING, put: "Sequence[int]" = ()) -> None:
        """Ask something of the hands, with all lights out but those that are lit from now on.

        `asks` is a letter of the message `step`; chronotable_host.link.doctor_names explains each.
        """
        self.asks, self.about = asks, about
        self.want(put)
        self._asked_ms = self.now
        self._skips = self.is_silent = False
        self._press = Press()
        for led in range(SENSORS):
            self.lamps[led] = OFF

    def want(self, put: "Sequence[int]") -> None:
        """Note of which sensors the question is."""
        if put != self._wanted:
            self._wanted = put
            flags = bytearray(SENSORS)
            for sensor in put:
                flags[sensor] = 1
            self._put = pack_sensors(flags)

    def show(self, sensor: int, lamp: int) -> None:
        """Light the LED of a sensor, as far as it is known where that is."""
        led = self.leds.known[sensor]
        self.lamps[led if led >= 0 else self.leds.predict(sensor)] = lamp

    def waited(self) -> int:
        """Return for how long nothing happened since something was asked, in ms."""
        return self.now - max(self._asked_ms, self._touched_ms)

    def gave_up(self) -> bool:
        """Tell whether to stop waiting: the person said so, or nothing happened for 20 s.

        After two silences in a row only the person can say so.
        """
        if self._skips or self.is_ended or self._press.is_over(self.now):
            self._skips = False
            self._press = Press()
            self._timeouts = 0
            return True
        if self.waited() >= _TIMEOUT_MS and self._timeouts < _TIMEOUTS:
            self._timeouts += 1
            self.is_silent = True
            return True
        return False

    def report(self, sensor: int) -> None:
        """Note that a reed or button was given up, unless by silence or a step's end."""
        if not self.is_silent and not self.is_ended:
            self.reported[sensor] = 1

    def leave_out(self, number: int) -> None:
        """Note that something of this step was not examined; in the order of their numbers."""
        self.is_whole = False
        kind = kinds.POLES_UNSEEN if self.step >= POLES else _UNSEEN + self.step
        first = number
        if self.left_out and self.left_out[-1] == (kind, self.left_out[-1][1], number - 1):
            first = self.left_out.pop()[1]
        self.left_out.append((kind, first, number))

    def _left_s(self) -> int:
        """Return in how many seconds it goes on by itself, 0 where that is not soon."""
        left_ms = _TIMEOUT_MS - self.waited()
        if self.asks in "lw" or self._timeouts >= _TIMEOUTS or not 0 < left_ms <= _LAST_MS:
            return 0
        return (left_ms + 999) // 1000

    def think(self, wiring: WiringMap) -> "Iterator[None]":
        """Find the exchanges that explain a map; all lights are out, for up to 6 s on a chip."""
        self.ask("w")
        yield from wiring.explain()

    def find(self, kind: int, sensor: int = kinds.NOTHING, other: int = kinds.NOTHING) -> None:
        """Tell a finding, once."""
        finding = kind, sensor, other
        if finding not in self.findings:
            self.findings.append(finding)
            self.messages.append(("finding", {"kind": kind, "sensor": sensor, "other": other}))

    def tell_exchanges(self, wiring: WiringMap, by_number: "Sequence[int]") -> None:
        """Tell the exchanges of a map; `by_number` has a kind for each number of `exchanges`."""
        for number, one, other in wiring.exchanges():
            kind = by_number[number]
            if kind == kinds.EXCHANGED and one >= BUTTON:
                kind = kinds.BUTTON_EXCHANGED
            self.find(kind, one, other)

    def find_lines(self, count: int) -> None:
        """Note the lines of cells in which none of the first `count` sensors answers.

        Only where a person has said of three of them that they do not answer.
        """
        cells = self.cells
        for shift in (3, 0)[: 1 + self.has_matrix]:
            for line in range(8):
                there = [s for s in range(count) if cells.predict(s) >> shift & 7 == line]
                new = [s for s in there if not self.is_cut(cells.predict(s))]
                if len([s for s in there if self.reported[s]]) >= _LINE and len(new) > 1:
                    if not [s for s in there if cells.owner(cells.predict(s)) >= 0]:
                        self.cut.append((shift, line))

    def is_cut(self, cell: int) -> bool:
        """Tell whether a cell is in one of these lines."""
        return (3, cell >> 3) in self.cut or (0, cell & 7) in self.cut

    def tell_lines(self) -> None:
        """Tell the rows and columns, or the chips, of which nothing answers."""
        if self.has_matrix:
            for shift, line in self.cut:
                self.find(kinds.ROW_CUT if shift else kinds.COLUMN_CUT, line)
            return
        chips = [line for _, line in self.cut]
        outputs = self.board.outputs
        for chip in chips:
            if chip - 1 not in chips:
                count = 1
                while chip + count in chips:
                    count += 1
                self.find(kinds.CHIP_DEAD, outputs * chip, outputs * count)

    def is_sound(self, sensor: int) -> bool:
        """Tell whether a reed works and its cell is known; also a reed of a step that was ended."""
        if self.cells.known[sensor] < 0 or self.unseen[sensor] == _SILENT:
            return False
        return self.faults.get(sensor, kinds.WEAK) == kinds.WEAK

    def concerns(self, sensor: int) -> bool:
        """Tell whether something was found at a sensor or its LED."""
        era = sensor >> 4
        for kind, one, other in self.findings:
            if kind in (kinds.TURNED, kinds.LED_ORDER) and era == one:
                return True
            if kind in (kinds.GRIDS, kinds.LED_GRIDS) and era in (one, other):
                return True
            if kind in _OF_SENSORS and sensor in (one, other):
                return True
            if kind == kinds.LED_DARK and sensor == other:
                return True
        return sensor in self.faults

    def lying(self) -> "list[int]":
        """Return the sensors on which magnets lie, as far as their reeds are sound."""
        closed = self.states.closed
        known = self.cells.known
        there = [s for s in range(SENSORS) if closed[known[s]] and self.is_sound(s)]
        return [s for s in there if self.nosy.get(s, -1) not in there]

    def wait_cleared(self) -> "Iterator[None]":
        """Wait until no magnet lies there, with all lights out."""
        self.ask("z", kinds.NOTHING, self.lying())
        while self._wanted and not self.gave_up():
            yield
            self.want(self.lying())
        while self.waited() < _APART_MS:
            yield

    def wait_placed(self) -> "Iterator[None]":
        """Wait until one magnet lies somewhere alone; `answer` is where, -1 if none comes."""
        before = self.lying()
        self.answer = -1
        self.states.take()
        while not self.gave_up():
            yield
            there = self.lying()
            before = [s for s in before if s in there]
            if len(there) == 1 and there[0] not in before:
                if self.now - self.states.since[self.cells.known[there[0]]] >= _ALONE_MS:
                    self.answer = there[0]
                    return
