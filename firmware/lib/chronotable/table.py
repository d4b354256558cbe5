"""The table as one machine: reeds in, pictures and messages out, the game in between.

No pins, no clock, no serial port: the app feeds it cells, bytes and the time and takes frames and
lines from it, the same on the chip and in a test.
"""

from array import array

from chronotable.health import FLICKERS, Health
from chronotable.hints import HINT_LEVELS, Hints
from chronotable.journal import Pages
from chronotable.light import IDLE_MS, NIGHT, PALETTES
from chronotable.link import Message
from chronotable.messages import pack_leds
from chronotable.outbox import Outbox
from chronotable.packed import pack_position, pack_sensors, unpack_position
from chronotable.sensors import BUTTON, BUTTONS, SENSORS, SHARED
from chronotable.tracker import OVER, PROVISIONAL, RESTORE, Tracker
from ttykm.game import Game, digest
from ttykm.layout import is_conserved
from ttykm.mp import const
from ttykm.turns import RECORDS_IN_GAMES

if False:
    from collections.abc import Callable
    from typing import Any

    from chronotable.journal import Journal
    from chronotable.light import Light
    from chronotable.link import Link
    from chronotable.wiring import Board

# settings that the PC and the settings file can change, by number and name
SETTINGS = ("hints_white", "hints_black", "brightness", "palette", "rest_ms", "settle_ms")

BRIGHTNESS = (256, 96, NIGHT)
"""Full, half and night: what button b goes through."""

REFUSED_ANSWER = const(64)
REFUSED_UNDO = const(65)
REFUSED_END = const(66)
REFUSED_POSITION = const(67)
REFUSED_SETTING = const(68)
REFUSED_FORGET = const(69)

_UNDERSTOOD = "cax"
_BY = "nra"  # normal, resigned, agreed
_WINNERS = "wb-"
_PHASES = "stpqo"  # set-up, turn, provisional, question, over


class Table:
    """One table with its game; also the sink of its tracker.

    `light.frame` is the picture to show after `render`; `link` has the lines to send; `entropy`
    returns 32 random bits. The game that the `journal` was in when the power went goes on.
    """

    def __init__(
        self,
        board: "Board",
        light: "Light",
        link: "Link",
        entropy: "Callable[[], int]",
        journal: "Journal",
    ) -> None:
        self.board = board
        self.light = light
        self.link = link
        self.journal = journal
        self._entropy = entropy
        self.game = Game(RECORDS_IN_GAMES)
        self.game_id = 0  # random, tells this game from all others; 0 before the first
        self.tracker = Tracker(self.game, self, health=Health(board.cell_of))
        self.hints = Hints(self.tracker)
        self.now_ms = 0
        self._outbox = Outbox(link)
        self.turn_ended = False  # set when a turn became final: the time to tidy up
        self._brightness = 0
        self._palette = 0
        self._touched_ms = 0  # when hands, or the PC, did something last
        self._is_painted = False  # anew, and not shown
        self._picture_due = True
        self._snapshot_due = True
        self._restores = True  # a position was to be set up when we last looked
        self._unwritten: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        if journal.open(self.game):
            self.game_id = journal.game_id
            self.tracker.resume()
        else:
            self.tracker.set_up()
        self.hints.is_full = journal.is_full
        self.hints.paint()

    # ---- in

    def edge(self, cell: int, closed: bool, at_ms: int) -> None:
        """Take a debounced change of a cell of the matrix, `at_ms` table time."""
        sensor = self.board.sensor_of[cell]
        if sensor == 255:
            return
        self.now_ms = self._touched_ms = at_ms
        track = self.tracker
        if sensor >= SENSORS or not self._is_noise(sensor):
            self._outbox.edge(sensor, closed, at_ms)
        if sensor < SENSORS:
            track.edge(sensor, closed, at_ms)
        elif closed:
            self._press(sensor - BUTTON)

    def _is_noise(self, sensor: int) -> bool:
        """Tell whether a broken reed changes too often for its edges to be told."""
        health = self.tracker.health
        kind = health.kinds[sensor]
        return kind == FLICKERS or (kind != "" and health.is_restless(sensor, self.now_ms))

    def _press(self, button: int) -> None:
        """Take a button: what the game has no use for sets the lights."""
        if not self.tracker.button(button, self.now_ms):
            name, side = BUTTONS[button]
            if name == "action":
                self.hints.levels[side] = (self.hints.levels[side] + 1) % HINT_LEVELS
            elif name == "b":
                self._brightness = (self._brightness + 1) % len(BRIGHTNESS)
                self.light.brightness = BRIGHTNESS[self._brightness]
            elif name == "c":
                self._palette = (self._palette + 1) % len(PALETTES)
                self.light.use_palette(self._palette)
        self._paint()

    def step(self, now_ms: int) -> bool:
        """Think; return True when the picture was painted anew."""
        self.now_ms = now_ms
        if self.tracker.update(now_ms):
            restores = self.tracker.phase == RESTORE
            if self._restores and not restores:
                self._snapshot_due = True
            self._restores = restores
            self._paint()
        is_painted = self._is_painted
        self._is_painted = False
        return is_painted

    def _paint(self) -> None:
        self.hints.paint()
        self._picture_due = self._is_painted = True

    def receive(self, data: "bytes | memoryview", now_ms: int) -> None:
        """Take bytes from the serial line."""
        self.now_ms = now_ms
        link = self.link
        link.receive(data, now_ms)
        event = link.next_event()
        while event is not None:
            if isinstance(event, Message):
                self._touched_ms = now_ms
                self._obey(event.name, event.values)
                self._paint()
            event = link.next_event()

    def tell(self) -> None:
        """Hand the link what is new, once the lights have answered: events, picture, snapshot.

        What is told was written before.
        """
        self._write()
        self._outbox.flush()
        journal = self.journal
        if journal.changed:
            journal.changed = False
            self.link.send(
                "journal",
                first=journal.first(),
                current=journal.current,
                kept=journal.kept,
                full=int(journal.is_full),
            )
            if journal.is_full != self.hints.is_full:
                self.hints.is_full = journal.is_full
                self._paint()
        if self._picture_due:
            self._picture_due = False
            self.link.send("leds", leds=pack_leds(self.hints.leds[:SENSORS]))
        if self._snapshot_due:
            self._snapshot_due = False
            self._send_snapshot()

    def _write(self) -> None:
        """Have in the flash what has happened; that takes milliseconds, and light comes first."""
        if self._unwritten:
            unwritten, self._unwritten = self._unwritten, []
            for write, values in unwritten:
                write(*values)

    def _keep(self, write: "Callable[..., None]", *values: object) -> None:
        """Have the journal write something before the PC is told of it."""
        self._unwritten.append((write, values))

    def render(self, now_ms: int) -> None:
        """Fill the light's frame for a time."""
        self.light.is_idle = now_ms - self._touched_ms >= IDLE_MS
        self.light.render(self.hints.leds, now_ms)

    # ---- commands of the PC

    def _obey(self, name: str, values: "dict[str, int | str | None]") -> None:
        track = self.tracker
        mover = track.game.mover
        if name == "answer":
            choice = str(values["choice"])
            done = track.answer("abcn".find(choice), self.now_ms)
            if done and choice == "n":
                self._tell_press("action", mover)
            elif done:
                self._tell_press(choice)
            self._refuse_unless(done, REFUSED_ANSWER)
        elif name == "undo":
            side = 1 - mover if track.phase == PROVISIONAL else mover
            done = track.undo(SHARED)
            if done:
                self._tell_press("undo", side)
            self._refuse_unless(done, REFUSED_UNDO)
        elif name == "resign":
            side = "wb".find(str(values["side"]))
            done = track.resign(side)
            if done:
                self._tell_press("resign", side)
            self._refuse_unless(done, REFUSED_END)
        elif name == "draw":
            done = track.offer_draw("wb".find(str(values["side"])))
            if done and track.phase == OVER:
                self._tell_press("draw")  # the button knows no sides: twice is an agreement
                self._tell_press("draw")
            self._refuse_unless(done, REFUSED_END)
        elif name == "button":
            button = int(str(values["button"]))
            if button < len(BUTTONS):
                self._tell_press(*BUTTONS[button])
                self._press(button)
        elif name == "set":
            done = self.set(int(str(values["setting"])), int(str(values["value"])))
            self._refuse_unless(done, REFUSED_SETTING)
        elif name == "new_game":
            try:
                state = unpack_position(str(values["position"]))
            except ValueError:
                self._refuse_unless(False, REFUSED_POSITION)
            else:
                done = self.start(state, int(str(values["options"])))
                self._refuse_unless(done, REFUSED_POSITION)
        elif name == "fetch":
            self._write()
            self.link.serve(Pages(self.journal, int(str(values["game"]))).next_line)
        elif name == "forget":
            game, units, crc = [int(str(values[field])) for field in ("game", "units", "crc")]
            self._refuse_unless(self.journal.forget(game, units, crc), REFUSED_FORGET)
        elif name == "resync":
            self._send_snapshot()

    def _tell_press(self, name: str, side: int = SHARED) -> None:
        """Tell what the PC did as a button would have, so that the raw events are whole."""
        self._outbox.edge(BUTTON + BUTTONS.index((name, side)), True, self.now_ms)

    def start(self, state: "array[int] | None" = None, options: int = 0) -> bool:
        """Ask for a position to be set up; without one, for the start of a standard game.

        Returns False for a position with more pieces than the box has: no table can show it, and
        its turns have no room here.
        """
        if state is not None and not is_conserved(state):
            return False
        self.tracker.set_up(state, options)
        self._snapshot_due = True
        return True

    def set(self, setting: int, value: int) -> bool:
        """Change a setting, numbered as in SETTINGS; return False when it cannot be that."""
        if setting < 2 and value <= 2:
            self.hints.levels[setting] = value
        elif setting == 2 and value <= 256:
            self.light.brightness = value
        elif setting == 3 and value <= 1:
            self.light.use_palette(value)
        elif setting == 4 and 200 <= value <= 10000:
            self.tracker.rest_ms = value
        elif setting == 5 and 100 <= value <= 2000:
            self.tracker.settle_ms = value
        else:
            return False
        return True

    def _refuse_unless(self, done: bool, why: int) -> None:
        if not done:
            self._outbox.post("refused", self.now_ms, why=why)
        self._snapshot_due = True

    def _send_snapshot(self) -> None:
        game = self.game
        self.link.send(
            "snapshot",
            position=pack_position(game.state),
            turn_no=len(game.turns),
            digest=digest(game.state),
            phase=_PHASES[self.tracker.phase],
            settings=self.hints.levels[0] | self.hints.levels[1] << 4,
            game_id=0 if self.tracker.recovery.is_new_game else self.game_id,
        )

    # ---- the tracker's sink

    def started(self) -> None:
        """A game begins with what lies there."""
        game = self.game
        self.game_id = self._entropy()
        position = pack_position(game.state)
        self._keep(self.journal.begin, position, game.options, self.game_id, self.now_ms)
        self._outbox.post(
            "game", self.now_ms, position=position, options=game.options, game_id=self.game_id
        )
        self._snapshot_due = True

    def provisional(self, turn: int) -> None:
        """The marker ended a turn, for now."""
        self._outbox.post("provisional", self.now_ms, turn=turn)

    def reopened(self) -> None:
        """The provisional turn goes on."""
        self._outbox.post("reopened", self.now_ms)

    def final(self, turn: int, understood: int) -> None:
        """A turn counts; the game has it already."""
        game = self.game
        self._keep(self.journal.turn, turn, understood, self.now_ms)
        self._outbox.post(
            "turn",
            self.now_ms,
            turn_no=len(game.turns),
            turn=turn,
            digest=digest(game.state),
            understood=_UNDERSTOOD[understood],
        )
        self.turn_ended = True
        self._snapshot_due = True

    def taken_back(self, turn: int) -> None:
        """The last turn does not count any more; the game is without it already."""
        self._keep(self.journal.taken_back, turn, self.now_ms)
        self._outbox.post("taken_back", self.now_ms, turn_no=len(self.game.turns) + 1)
        self._snapshot_due = True

    def ask(self, choices: "list[int]") -> None:
        """Which of these turns was it?"""
        three: list[int | None] = [None, None, None]
        for index in range(len(choices)):
            three[index] = choices[index]
        self._outbox.post("question", self.now_ms, a=three[0], b=three[1], c=three[2])

    def guide(self, take: bytearray, put: bytearray, why: int) -> None:
        """Ask for pieces to be taken off and put on."""
        self._outbox.post(
            "guide", self.now_ms, take=pack_sensors(take), put=pack_sensors(put), why=why
        )

    def fault(self, sensor: int, kind: str) -> None:
        """A reed is not trusted any more, or trusted again."""
        self._outbox.post("fault", self.now_ms, sensor=sensor, kind=kind)

    def over(self, winner: int, by: int) -> None:
        """The game is over."""
        self._keep(self.journal.over, _WINNERS[winner], _BY[by], self.now_ms)
        self._outbox.post("over", self.now_ms, winner=_WINNERS[winner], by=_BY[by])
        self._snapshot_due = True
