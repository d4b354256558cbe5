"""The table as one machine: reeds in, pictures and messages out, the game in between.

No pins, no clock, no serial port: the app feeds it cells, bytes and the time and takes frames and
lines from it, the same on the chip and in a test.
"""

from chronotable.core import buttons
from chronotable.core.chapters import Chapters
from chronotable.core.health import FLICKERS, ReedHealth
from chronotable.core.match import magnets_of
from chronotable.core.progress import OVER, RESTORE
from chronotable.core.tracker import Tracker
from chronotable.hardware.sensors import BUTTON, BUTTONS, SENSORS
from chronotable.journal.units import ENDED, GOES_ON, HOW
from chronotable.lights.hints import HINT_LEVELS, HINTS_CONSEQUENCES, Hints
from chronotable.lights.light import IDLE_MS, NIGHT, PALETTES
from chronotable.lights.meanings import OFF, WIN
from chronotable.link.happenings import Connected, Message
from chronotable.link.messages import pack_leds
from chronotable.link.outbox import Outbox
from chronotable.link.packed import DRAWN, pack_objects, pack_position, pack_sensors
from ttykm.game import Game, digest
from ttykm.mp import const
from ttykm.turns import RECORDS_IN_GAMES

if False:
    from collections.abc import Callable
    from typing import Any

    from chronotable.core.surface import Surface
    from chronotable.hardware.wiring import Board
    from chronotable.journal.journal import Journal
    from chronotable.lights.light import Light
    from chronotable.link.link import Link
    from chronotable.player.seats import Seats

BRIGHTNESS = (256, 96, NIGHT)  # full, half and night: what button b goes through

_NOTICE_MS = const(2000)
_NOTICE_LEDS = const(8)  # the first two rows of the past
_NO_NOTICE = const(-1)
_MOST_FELT = const(16)  # edges that are looked at together: hands make one or two in a round
_LONGEST_PRESS_MS = const(5000)  # a button down for longer is stuck, and hides no reed
_LET_GO_MS = const(30)  # until all that a button closed has opened with it

_UNDERSTOOD = const("cax")
_BY = const("nra")  # normal, resigned, agreed
_WINNERS = const("wb-")
WANTED = const(128)  # in the settings of a snapshot: a turn is wanted
_PHASES = const("stpqo")  # set-up, turn, provisional, question, over


class Table:
    """One table with its game; also the listener of its tracker.

    `light.frame` is the picture to show after `render`; `link` has the lines to send; `entropy`
    returns 32 random bits. The game that the `journal` was in when the power went goes on.
    `reed_faults` tells of sensors what is wrong with their reeds (chronotable.core.health).
    """

    def __init__(
        self,
        board: "Board",
        light: "Light",
        link: "Link",
        entropy: "Callable[[], int]",
        journal: "Journal",
        reed_faults: "dict[int, str] | None" = None,
    ) -> None:
        self.board = board
        self.light = light
        self.link = link
        self.journal = journal
        self.entropy = entropy
        self.game = Game(RECORDS_IN_GAMES)
        self.game_id = 0  # random, tells this game from all others; 0 before the first
        self.chapters = Chapters(journal.store)
        self.lacks_room = False  # for games with modules, which are unlocked
        self.make_room()
        self._restarts_help = not self.lacks_room
        health = ReedHealth(board.cell_of, has_matrix=not board.register_pins)
        for sensor, kind in (reed_faults or {}).items():
            health.distrust(sensor, kind)
        self.tracker = Tracker(self.game, self, health=health, magnets=magnets_of(board.magnets))
        if board.sensor != "reed":
            from chronotable.core.poles import owners_felt

            evidence = self.tracker.evidence
            evidence.ownership = owners_felt(health, self.game, self.tracker.turn, board)
            evidence.poles = evidence.ownership if board.outputs > 1 else None
        self.hints = Hints(self.tracker)
        self.now_ms = 0
        self.outbox = Outbox(link)
        self.wants_doctor = False  # the PC asks for an examination
        self.turn_ended = False  # set when a turn became final: the time to tidy up, before others
        self._brightness = 0
        self._palette = 0
        self._touched_ms = 0  # when hands, or the PC, did something last
        self._is_painted = False  # anew, and not shown
        self._picture_due = True
        self.snapshot_due = True
        self._was_restoring = True  # a position was to be set up when we last looked
        self._held = 0  # a bit per button
        self._felt = bytearray(_MOST_FELT)  # twice a sensor of this round, and one if it closed
        self._felt_ms = [0] * _MOST_FELT  # when
        self._felt_count = 0
        self._kept: list[int] = []  # as `_felt`: reeds that changed beside a button
        self._keep_until_ms = 0
        self._notice = _NO_NOTICE  # the LEDs, a bit each, that say which chapter was chosen
        self._notice_ms = 0  # when
        self.seed = 0  # that drew the modules of the game that is set up; 0 where none did
        self.laid_objects = ""  # the objects that the PC has laid for a new game
        self.seats: Seats | None = None  # who plays, where that is not hands alone
        self.surface: Surface | None = None  # the PC's picture, while it shows another game
        self.unused = ""  # modules that nobody needs any more
        self._unwritten: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        if journal.open(self.game):
            self.game_id = journal.game_id
            self.tracker.resume()
            if journal.seats:
                self.load_seats().resume(journal.seats)
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
        health = self.tracker.health
        kind = health.kinds[sensor] if sensor < SENSORS else ""
        # a broken reed may change too often for its edges to be told
        if not kind or (kind != FLICKERS and not health.is_restless(sensor, at_ms)):
            self.outbox.edge(sensor, closed, at_ms)
        if self._felt_count == _MOST_FELT:
            self._take_felt()
        self._felt[self._felt_count] = sensor << 1 | closed
        self._felt_ms[self._felt_count] = at_ms
        self._felt_count += 1

    def _take_felt(self) -> None:
        """Hand what was felt to the game, the buttons first.

        Where a diode is missing a button closes reeds with it, in the same scan. So a reed that
        changes beside a button is kept until the button is let go, and forgotten if it has changed
        back by then.
        """
        count = self._felt_count
        self._felt_count = 0
        track = self.tracker
        former = former_ms = -1  # what closed last, and when
        for index in range(count):
            sensor, at_ms = self._felt[index] >> 1, self._felt_ms[index]
            if self._felt[index] & 1:
                is_new = track.phase != RESTORE and not track.health.needs_doctor
                if at_ms == former_ms and is_new:
                    from chronotable.core import faults

                    faults.doubt_diodes(track.evidence, former, sensor, self._held)
                former, former_ms = sensor, at_ms
            if sensor >= SENSORS:
                bit = 1 << (sensor - BUTTON)
                is_down = self._felt[index] & 1
                self._held = self._held | bit if is_down else self._held & ~bit
                self._keep_until_ms = at_ms + (_LONGEST_PRESS_MS if self._held else _LET_GO_MS)
                if is_down:
                    self.press(sensor - BUTTON)
        for index in range(count):
            edge, at_ms = self._felt[index], self._felt_ms[index]
            if edge >> 1 >= SENSORS:
                continue
            if self.board.register_pins or at_ms >= self._keep_until_ms:
                self._feel(edge >> 1, edge & 1 == 1, at_ms)
            elif edge ^ 1 in self._kept:
                self._kept.remove(edge ^ 1)
            else:
                self._kept.append(edge)

    def _feel(self, sensor: int, closed: bool, at_ms: int) -> None:
        if self.surface is None:
            self.tracker.edge(sensor, closed, at_ms)
        else:
            self.surface.edge(sensor, closed)

    def press(self, button: int) -> None:
        """Take a button, numbered as in BUTTONS: what the game has no use for sets the lights."""
        name, side = BUTTONS[button]
        is_other = self.surface is not None  # another game's: here it can set the lights alone
        if is_other or not buttons.press(self.tracker, button, self.now_ms):
            if name == "b":
                self._brightness = (self._brightness + 1) % len(BRIGHTNESS)
                self.light.brightness = BRIGHTNESS[self._brightness]
            elif name == "c":
                self._palette = (self._palette + 1) % PALETTES
                self.light.use_palette(self._palette)
            elif is_other:
                return
            elif name == "action":
                self.hints.levels[side] = (self.hints.levels[side] + 1) % HINT_LEVELS
            elif name == "draw":
                from chronotable.core import commands

                commands.choose(self, self._held)
            elif self.seats is not None or self.tracker.phase == OVER or not self.tracker.has_begun:
                self.load_seats().press(name, side, self.now_ms)
                self.snapshot_due = True
        self._paint()

    def load_seats(self) -> "Seats":
        """Return who plays; the code of that is loaded where hands alone played until now."""
        if self.seats is None:
            from chronotable.player.seats import Seats

            self.seats = Seats(self.hints, self.journal, self.link)
            self.turn_ended = True
        return self.seats

    def is_resting(self) -> bool:
        """Tell whether nobody plays: a game is over, or a new one is not set up yet."""
        track = self.tracker
        return track.phase == OVER or (track.phase == RESTORE and track.recovery.is_new_game)

    def show_notice(self, leds: int) -> None:
        """Show for a while which chapter was chosen: a bit for each LED of the first two rows."""
        self._notice = leds
        self._notice_ms = self.now_ms

    def make_room(self) -> None:
        """Take the memory of games with modules once they are unlocked.

        At power-on it is there in one piece; later it may not be, and a restart helps.
        """
        tree = self.game.turn_tree
        if self.chapters.unlocked and not tree.objects:
            self.lacks_room = True
            try:
                tree.reserve()
                self.lacks_room = False
            except MemoryError:
                return

    def wants_restart(self) -> bool:
        """Tell whether a restart would make room for games with modules, and nobody plays."""
        is_due = self.lacks_room and self._restarts_help and self.surface is None
        return is_due and self._notice < 0 and self.is_resting()

    def step(self, now_ms: int) -> bool:
        """Let time pass for the game; return True when the picture was painted anew."""
        self.now_ms = now_ms
        if self._felt_count:
            self._take_felt()
        if self._kept and now_ms >= self._keep_until_ms:
            kept, self._kept = self._kept, []
            for edge in kept:
                self._feel(edge >> 1, edge & 1 == 1, now_ms)
        if self.surface is not None:
            if self.surface.step(now_ms):
                if self.surface.is_over:
                    self.end_surface()
                self._paint()
        elif self.tracker.update(now_ms):
            restores = self.tracker.phase == RESTORE
            if self._was_restoring and not restores:
                self.snapshot_due = True
            self._was_restoring = restores
            self._paint()
        if self._notice >= 0 and now_ms - self._notice_ms >= _NOTICE_MS:
            self._notice = _NO_NOTICE
            self._paint()
        seats = self.seats if self.surface is None else None
        if seats is not None and not (self._is_painted or self.turn_ended):
            if seats.step(now_ms, self.game_id):
                self.snapshot_due = True
                self._paint()
            elif seats.is_idle:
                self.seats = None
                self.unused += " " + seats.modules
                self.turn_ended = True  # its memory is to be collected
        is_painted = self._is_painted
        self._is_painted = False
        return is_painted

    def end_surface(self) -> None:
        """Go back to the own game, from the PC's picture if there is one."""
        surface, self.surface = self.surface, None
        if surface is None:
            return
        surface.end(self.now_ms)
        self.unused += " " + surface.modules
        self.turn_ended = True  # its memory is to be collected
        self._was_restoring = True
        self.snapshot_due = True

    def _paint(self) -> None:
        if self.surface is not None:
            self.surface.paint(self.hints.leds)
            self._picture_due = self._is_painted = True
            return
        self.hints.paint()
        if self._notice >= 0:
            for led in range(_NOTICE_LEDS):
                self.hints.leds[led] = WIN if self._notice >> led & 1 else OFF
        if self.seats is not None:
            self.seats.paint(self.hints.leds)
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
                self._execute(event.name, event.values)
                self._paint()
            elif isinstance(event, Connected) and event.info.boot != link.hello.boot:
                kinds = self.tracker.health.kinds  # this PC has not heard which reeds are broken
                for sensor in range(SENSORS):
                    if kinds[sensor]:
                        self.fault(sensor, kinds[sensor])
            event = link.next_event()

    def _execute(self, name: str, values: "dict[str, int | str | None]") -> None:
        """Do what a command asks for."""
        from chronotable.core import commands

        commands.execute(self, name, values)

    def tell(self) -> None:
        """Hand the link what is new, once the lights have answered: events, picture, snapshot.

        Games are written to the flash before, so that the PC never knows more than the table.
        """
        self.write_journal()
        self.outbox.flush()
        journal = self.journal
        if journal.changed:
            journal.changed = False
            first, current, full = journal.first(), journal.current, int(journal.is_full)
            self.link.send("journal", first=first, current=current, kept=journal.kept, full=full)
            if journal.is_full != self.hints.is_full:
                self.hints.is_full = journal.is_full
                self._paint()
        if self.surface is not None:
            self.surface.tell()
        if self._picture_due:
            self._picture_due = False
            self.link.send("leds", leds=pack_leds(self.hints.told()))
        if self.snapshot_due:
            self.snapshot_due = False
            self._send_snapshot()

    def write_journal(self) -> None:
        """Write to the flash what has happened; not at once, as it would delay the lights."""
        if self._unwritten:
            unwritten, self._unwritten = self._unwritten, []
            for write, values in unwritten:
                write(*values)

    def _write_later(self, write: "Callable[..., None]", *values: object) -> None:
        """Have the journal write something before the PC is told of it."""
        self._unwritten.append((write, values))

    def render(self, now_ms: int) -> None:
        """Fill the light's frame for a time."""
        self.light.is_idle = now_ms - self._touched_ms >= IDLE_MS
        self.light.render(self.hints.leds, now_ms)

    def _send_snapshot(self) -> None:
        game = self.game
        position = pack_position(game.state)
        objects = pack_objects(game.state, position)
        if objects:
            self.link.send("objects", objects=objects)
        levels = self.hints.levels
        white, black = min(levels[0], HINTS_CONSEQUENCES), min(levels[1], HINTS_CONSEQUENCES)
        settings = white + 3 * self.chapters.unlocked + (black << 4)
        self.link.send(
            "snapshot",
            position=position,
            turn_no=len(game.turns),
            digest=digest(game.state),
            phase=_PHASES[self.tracker.phase],
            settings=settings + (WANTED if self.tracker.wanted is not None else 0),
            game_id=0 if self.tracker.recovery.is_new_game else self.game_id,
        )

    # ---- what the tracker tells

    def started(self) -> None:
        """A game begins with what lies there."""
        game = self.game
        seed, self.seed = self.seed, 0
        self.game_id = game_id = seed or self.entropy()
        options = game.options | DRAWN if seed else game.options
        position = pack_position(game.state)
        objects = pack_objects(game.state, position)
        self._write_later(self.journal.begin, position, options, game_id, self.now_ms, objects)
        self.outbox.post("game", self.now_ms, position=position, options=options, game_id=game_id)
        self.snapshot_due = True

    def provisional(self, turn: int) -> None:
        """The marker ended a turn, for now: should the power go, it counts."""
        self._note_end(ENDED, self.tracker.turn.understood << HOW | turn)
        self.outbox.post("provisional", self.now_ms, turn=turn)

    def _note_end(self, kind: bytes, turn: int) -> None:
        """Note whether a turn has ended, but no game's first: one without a turn is not kept."""
        if self.game.turns:
            self._write_later(self.journal.add, kind, turn.to_bytes(3, "little"), self.now_ms)

    def reopened(self) -> None:
        """The provisional turn goes on."""
        self._note_end(GOES_ON, 0)
        self.outbox.post("reopened", self.now_ms)

    def final(self, turn: int, understood: int) -> None:
        """A turn counts; the game has it already."""
        game = self.game
        self._write_later(self.journal.turn, turn, understood, self.now_ms)
        self.outbox.post(
            "turn",
            self.now_ms,
            turn_no=len(game.turns),
            turn=turn,
            digest=digest(game.state),
            understood=_UNDERSTOOD[understood],
        )
        self.turn_ended = True
        self.snapshot_due = True

    def taken_back(self, turn: int) -> None:
        """The last turn does not count any more; the game is without it already."""
        self._write_later(self.journal.taken_back, turn, self.now_ms)
        self.outbox.post("taken_back", self.now_ms, turn_no=len(self.game.turns) + 1)
        self.snapshot_due = True

    def ask(self, choices: "list[int]") -> None:
        """Which of these turns was it?"""
        three: list[int | None] = [None, None, None]
        three[: len(choices)] = choices
        self.outbox.post("question", self.now_ms, a=three[0], b=three[1], c=three[2])

    def guide(self, take: bytearray, put: bytearray, why: int) -> None:
        """Ask for pieces to be taken off and put on."""
        self.outbox.post(
            "guide", self.now_ms, take=pack_sensors(take), put=pack_sensors(put), why=why
        )

    def fault(self, sensor: int, kind: str) -> None:
        """A reed is not trusted any more, or trusted again."""
        self.outbox.post("fault", self.now_ms, sensor=sensor, kind=kind)

    def over(self, winner: int, by: int) -> None:
        """The game is over."""
        self._write_later(self.journal.over, _WINNERS[winner], _BY[by], self.now_ms)
        self.outbox.post("over", self.now_ms, winner=_WINNERS[winner], by=_BY[by])
        self.snapshot_due = True
