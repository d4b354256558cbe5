"""The table as one machine: reeds in, pictures and messages out, the game in between.

No pins, no clock, no serial port: the app feeds it cells, bytes and the time and takes frames and
lines from it, the same on the chip and in a test.
"""

from array import array

from chronotable import buttons
from chronotable.chapters import COUNT, Chapters, chapter_of
from chronotable.happenings import Connected, Message
from chronotable.health import FLICKERS, ReedHealth
from chronotable.hints import HINT_LEVELS, HINTS_CONSEQUENCES, Hints
from chronotable.light import IDLE_MS, NIGHT, PALETTES
from chronotable.match import magnets_of
from chronotable.meanings import OFF, WIN
from chronotable.messages import pack_leds
from chronotable.outbox import Outbox
from chronotable.packed import (
    DRAWN,
    OPTIONS,
    pack_objects,
    pack_position,
    pack_sensors,
)
from chronotable.progress import OVER, PROVISIONAL, RESTORE
from chronotable.sensors import BUTTON, BUTTONS, SENSORS, SHARED, SPACES
from chronotable.tracker import Tracker
from ttykm.game import Game, digest, is_conserved
from ttykm.layout import STATE_WORDS
from ttykm.mp import const
from ttykm.turns import RECORDS_IN_GAMES

if False:
    from collections.abc import Callable
    from typing import Any

    from chronotable.journal import Journal
    from chronotable.light import Light
    from chronotable.link import Link
    from chronotable.seats import Seats
    from chronotable.surface import Surface
    from chronotable.wiring import Board

# settings that the PC and the settings file can change, by number and name
SETTINGS = (
    "hints_white",
    "hints_black",
    "brightness",
    "palette",
    "rest_ms",
    "settle_ms",
    "chapters",  # so many are unlocked, or more
    "white",  # who plays a side (seats.py)
    "black",
)

BRIGHTNESS = (256, 96, NIGHT)
"""Full, half and night: what button b goes through."""

REFUSED_ANSWER = const(64)
REFUSED_UNDO = const(65)
REFUSED_END = const(66)
REFUSED_POSITION = const(67)
REFUSED_SETTING = const(68)
REFUSED_FORGET = const(69)
REFUSED_WANTED = const(70)

_RESIGN_BUTTONS = const(1 << 2 | 1 << 5)  # of both players
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
    `reed_faults` tells of sensors what is wrong with their reeds (chronotable.health).
    `wants_doctor` is set when the PC asks for an examination.
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
        self._entropy = entropy
        self.game = Game(RECORDS_IN_GAMES)
        self.game_id = 0  # random, tells this game from all others; 0 before the first
        self.chapters = Chapters(journal.store)
        self._lacks_room = False  # for games with modules, which are unlocked
        self._make_room()
        self._restarts_help = not self._lacks_room
        health = ReedHealth(board.cell_of, has_matrix=not board.register_pins)
        for sensor, kind in (reed_faults or {}).items():
            health.distrust(sensor, kind)
        self.tracker = Tracker(self.game, self, health=health, magnets=magnets_of(board.magnets))
        self.hints = Hints(self.tracker)
        self.now_ms = 0
        self._outbox = Outbox(link)
        self.wants_doctor = False
        self.turn_ended = False  # set when a turn became final: the time to tidy up, before others
        self._brightness = 0
        self._palette = 0
        self._touched_ms = 0  # when hands, or the PC, did something last
        self._is_painted = False  # anew, and not shown
        self._picture_due = True
        self._snapshot_due = True
        self._was_restoring = True  # a position was to be set up when we last looked
        self._held = 0  # a bit per button
        self._felt = bytearray(_MOST_FELT)  # twice a sensor of this round, and one if it closed
        self._felt_ms = [0] * _MOST_FELT  # when
        self._felt_count = 0
        self._kept: list[int] = []  # as `_felt`: reeds that changed beside a button
        self._keep_until_ms = 0
        self._notice = _NO_NOTICE  # the LEDs, a bit each, that say which chapter was chosen
        self._notice_ms = 0  # when
        self._seed = 0  # that drew the modules of the game that is set up; 0 where none did
        self._objects = ""  # the objects that the PC has laid for a new game
        self.seats: Seats | None = None  # who plays, where that is not hands alone
        self.surface: Surface | None = None  # the PC's picture, while it shows another game
        self.unused = ""  # modules that nobody needs any more
        self._unwritten: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        if journal.open(self.game):
            self.game_id = journal.game_id
            self.tracker.resume()
            if journal.seats:
                self._load_seats().resume(journal.seats)
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
        if sensor >= SENSORS or not self._is_noise(sensor):
            self._outbox.edge(sensor, closed, at_ms)
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
                    from chronotable import faults

                    faults.doubt_diodes(track.evidence, former, sensor, self._held)
                former, former_ms = sensor, at_ms
            if sensor >= SENSORS:
                bit = 1 << (sensor - BUTTON)
                is_down = self._felt[index] & 1
                self._held = self._held | bit if is_down else self._held & ~bit
                self._keep_until_ms = at_ms + (_LONGEST_PRESS_MS if self._held else _LET_GO_MS)
                if is_down:
                    self._press(sensor - BUTTON)
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

    def _is_noise(self, sensor: int) -> bool:
        """Tell whether a broken reed changes too often for its edges to be told."""
        health = self.tracker.health
        kind = health.kinds[sensor]
        return kind == FLICKERS or (kind != "" and health.is_restless(sensor, self.now_ms))

    def _press(self, button: int) -> None:
        """Take a button: what the game has no use for sets the lights."""
        name, side = BUTTONS[button]
        is_other = self.surface is not None  # another game's: here it can set the lights alone
        if is_other or not buttons.press(self.tracker, button, self.now_ms):
            if name == "b":
                self._brightness = (self._brightness + 1) % len(BRIGHTNESS)
                self.light.brightness = BRIGHTNESS[self._brightness]
            elif name == "c":
                self._palette = (self._palette + 1) % len(PALETTES)
                self.light.use_palette(self._palette)
            elif is_other:
                return
            elif name == "action":
                self.hints.levels[side] = (self.hints.levels[side] + 1) % HINT_LEVELS
            elif name == "draw":
                self._choose()
            elif self.seats is not None or self.tracker.phase == OVER or not self.tracker.has_begun:
                self._load_seats().press(name, side, self.now_ms)
                self._snapshot_due = True
        self._paint()

    def _load_seats(self) -> "Seats":
        if self.seats is None:
            from chronotable.seats import Seats

            self.seats = Seats(self.hints, self.journal, self.link)
            self.turn_ended = True
        return self.seats

    def _choose(self) -> None:
        """Take *draw* while nobody plays: set up the next chapter's game, or unlock a chapter.

        A chapter is unlocked while both players hold *resign*.
        """
        chapters = self.chapters
        if not self._is_resting():
            return
        modules = 0
        if self._held & _RESIGN_BUTTONS == _RESIGN_BUTTONS:
            self._unlock(chapters.unlocked + 1)
            chapter = chapters.unlocked
        elif chapters.unlocked and not self._lacks_room:
            from ttykm import objects

            seed = self._entropy() or 1
            modules = chapters.after(objects.modules_of(self.game.state), seed)
            chapter = chapter_of(modules)
            if not self.start(objects.new_state(modules), self.game.options, True):
                return
            if modules == objects.convergence(seed):
                self._seed = seed
        else:
            return
        self._notice = (1 << chapter) - 1 | modules << 4
        self._notice_ms = self.now_ms
        self._snapshot_due = True

    def _is_resting(self) -> bool:
        """Tell whether nobody plays: a game is over, or a new one is not set up yet."""
        track = self.tracker
        return track.phase == OVER or (track.phase == RESTORE and track.recovery.is_new_game)

    def _unlock(self, count: int) -> None:
        self.chapters.unlock_to(count)
        self._make_room()

    def _make_room(self) -> None:
        """Take the memory of games with modules once they are unlocked.

        At power-on it is there in one piece; later it may not be, and a restart helps.
        """
        tree = self.game.turn_tree
        if self.chapters.unlocked and not tree.objects:
            self._lacks_room = True
            try:
                tree.reserve()
                self._lacks_room = False
            except MemoryError:
                return

    def _load(self) -> bool:
        """Load the code of games with modules, at the first of them; return False without room.

        As much is free after power-on, in small pieces, too; where it is not, a restart helps.
        """
        try:
            from chronotable import chooser  # noqa: F401
            from ttykm import acts, box  # noqa: F401
        except MemoryError:
            self._lacks_room = True
        return not self._lacks_room

    def wants_restart(self) -> bool:
        """Tell whether a restart would make room for games with modules, and nobody plays."""
        is_due = self._lacks_room and self._restarts_help and self.surface is None
        return is_due and self._notice < 0 and self._is_resting()

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
                    self._end_surface()
                self._paint()
        elif self.tracker.update(now_ms):
            restores = self.tracker.phase == RESTORE
            if self._was_restoring and not restores:
                self._snapshot_due = True
            self._was_restoring = restores
            self._paint()
        if self._notice >= 0 and now_ms - self._notice_ms >= _NOTICE_MS:
            self._notice = _NO_NOTICE
            self._paint()
        seats = self.seats if self.surface is None else None
        if seats is not None and not (self._is_painted or self.turn_ended):
            if seats.step(now_ms, self.game_id):
                self._snapshot_due = True
                self._paint()
            elif seats.is_idle:
                self.seats = None
                self.unused += " " + seats.modules
                self.turn_ended = True  # its memory is to be collected
        is_painted = self._is_painted
        self._is_painted = False
        return is_painted

    def _end_surface(self) -> None:
        """Go back to the own game, from the PC's picture if there is one."""
        surface, self.surface = self.surface, None
        if surface is None:
            return
        surface.end(self.now_ms)
        self.unused += " " + surface.modules
        self.turn_ended = True  # its memory is to be collected
        self._was_restoring = True
        self._snapshot_due = True

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
                self._tell_faults()
            event = link.next_event()

    def _tell_faults(self) -> None:
        """Tell a PC that was not there before which reeds are not trusted."""
        kinds = self.tracker.health.kinds
        for sensor in range(SENSORS):
            if kinds[sensor]:
                self.fault(sensor, kinds[sensor])

    def tell(self) -> None:
        """Hand the link what is new, once the lights have answered: events, picture, snapshot.

        Games are written to the flash before, so that the PC never knows more than the table.
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
        if self.surface is not None:
            self.surface.tell()
        if self._picture_due:
            self._picture_due = False
            self.link.send("leds", leds=pack_leds(self.hints.told()))
        if self._snapshot_due:
            self._snapshot_due = False
            self._send_snapshot()

    def _write(self) -> None:
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

    # ---- commands of the PC

    def _execute(self, name: str, values: "dict[str, int | str | None]") -> None:
        """Do what a command asks for; what no button can do is here, the rest in `_play`."""
        if self.surface is not None and not self.surface.outlasts(name):
            self._end_surface()
        if name == "surface" and values["on"]:
            if self.surface is None:
                from chronotable.surface import Surface

                self.surface = Surface(self.link, self.tracker)
                self.turn_ended = True  # what loading it left is to be collected
            self.surface.show(str(values["leds"]), self.now_ms)
        elif name == "surface":
            self._end_surface()
        elif name == "lay":
            self._objects = str(values["objects"])
        elif name == "new_game":
            from chronotable.unpacked import unpack_position

            objects, self._objects = self._objects, ""
            try:
                state = unpack_position(str(values["position"]), objects)
            except ValueError:
                self._refuse_unless(False, REFUSED_POSITION)
            else:
                done = self.start(state, int(str(values["options"])))
                self._refuse_unless(done, REFUSED_POSITION)
        elif name == "set":
            done = self.set(int(str(values["setting"])), int(str(values["value"])))
            self._refuse_unless(done, REFUSED_SETTING)
        elif name == "fetch":
            from chronotable.pages import Pages

            self._write()
            self.link.serve(Pages(self.journal, int(str(values["game"]))).next_line)
        elif name == "forget":
            game, units, crc = [int(str(values[field])) for field in ("game", "units", "crc")]
            self._refuse_unless(self.journal.forget(game, units, crc), REFUSED_FORGET)
        elif name == "want":
            done = self._want(int(str(values["turn_no"])), values["turn"], values["digest"])
            self._refuse_unless(done, REFUSED_WANTED)
        elif name == "doctor":
            self.wants_doctor = values["say"] == "s"
        elif name == "resync":
            self._send_snapshot()
        else:
            self._play(name, values)

    def _play(self, name: str, values: "dict[str, int | str | None]") -> None:
        """Do what players do with buttons, and tell it as the presses that it stands for."""
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
            offers = track.turn.offers
            done = track.offer_draw("wb".find(str(values["side"])))
            if track.turn.offers != offers:  # the button knows no sides: twice is an agreement
                self._tell_press("draw")
            self._refuse_unless(done, REFUSED_END)
        elif name == "button":
            button = int(str(values["button"]))
            if button < len(BUTTONS):
                self._tell_press(*BUTTONS[button])
                self._press(button)

    def _tell_press(self, name: str, side: int = SHARED) -> None:
        """Tell what the PC did as a button would have, so that the raw events are whole."""
        self._outbox.edge(BUTTON + BUTTONS.index((name, side)), True, self.now_ms)

    def start(
        self, state: "array[int] | None" = None, options: int = 0, free_start: bool = False
    ) -> bool:
        """Ask for a position to be set up; without one, for the start of a standard game.

        With a `free_start` the markers say who begins.
        Returns False for a position with more pieces than the box has: no table can show it, and
        its turns have no room here; for one of a chapter that is locked, or has no room before a
        restart; and for unknown options.
        """
        if options & ~OPTIONS or (state is not None and not self._can_show(state)):
            return False
        self._seed = 0
        self.tracker.set_up(state, options, free_start)
        self._snapshot_due = True
        return True

    def _want(self, turn_no: int, turn: "int | str | None", wanted_digest: object) -> bool:
        """Have the hands carry out the turn that is due, by its number from 1 on; None ends that.

        Returns False where another turn is due, or this one is not legal, or does not lead to the
        digest: then the PC and the table are at different positions.
        """
        game, track = self.game, self.tracker
        if turn is None:
            track.want_nothing()
            return True
        from chronotable.wanting import want

        after = array("H", game.state)
        if turn_no != len(game.turns) + 1 or not game.after(int(turn), after):
            return False
        return digest(after) == wanted_digest and want(track, int(turn))

    def _can_show(self, state: "array[int]") -> bool:
        if len(state) > STATE_WORDS:
            from ttykm.objects import modules_of

            is_locked = chapter_of(modules_of(state)) > self.chapters.unlocked
            if self._lacks_room or is_locked or not self._load():
                return False
        return is_conserved(state)

    def set(self, setting: int, value: int) -> bool:
        """Change a setting, numbered as in SETTINGS; return False when it cannot be that."""
        if value < 0:  # from the settings file: the link has none
            return False
        if setting < 2 and value < HINT_LEVELS + SPACES:
            self.hints.levels[setting] = value
        elif setting == 2 and value <= 256:
            self.light.brightness = value
        elif setting == 3 and value <= 1:
            self.light.use_palette(value)
        elif setting == 4 and 200 <= value <= 10000:
            self.tracker.rest_ms = value
        elif setting == 5 and 100 <= value <= 2000:
            self.tracker.settle_ms = value
        elif setting == 6 and value <= COUNT:
            self._unlock(value)
        elif 7 <= setting <= 8 and value <= 4:
            self._load_seats().seat(setting - 7, value)
        else:
            return False
        return True

    def _refuse_unless(self, done: bool, why: int) -> None:
        if not done:
            self._outbox.post("refused", self.now_ms, why=why)
        self._snapshot_due = True

    def _send_snapshot(self) -> None:
        game = self.game
        position = pack_position(game.state)
        objects = pack_objects(game.state, position)
        if objects:
            self.link.send("objects", objects=objects)
        self.link.send(
            "snapshot",
            position=position,
            turn_no=len(game.turns),
            digest=digest(game.state),
            phase=_PHASES[self.tracker.phase],
            settings=min(self.hints.levels[0], HINTS_CONSEQUENCES)
            + 3 * self.chapters.unlocked
            + (min(self.hints.levels[1], HINTS_CONSEQUENCES) << 4)
            + (WANTED if self.tracker.wanted is not None else 0),
            game_id=0 if self.tracker.recovery.is_new_game else self.game_id,
        )

    # ---- what the tracker tells

    def started(self) -> None:
        """A game begins with what lies there."""
        game = self.game
        seed, self._seed = self._seed, 0
        self.game_id = game_id = seed or self._entropy()
        options = game.options | DRAWN if seed else game.options
        position = pack_position(game.state)
        objects = pack_objects(game.state, position)
        self._write_later(self.journal.begin, position, options, game_id, self.now_ms, objects)
        self._outbox.post("game", self.now_ms, position=position, options=options, game_id=game_id)
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
        self._write_later(self.journal.turn, turn, understood, self.now_ms)
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
        self._write_later(self.journal.taken_back, turn, self.now_ms)
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
        self._write_later(self.journal.over, _WINNERS[winner], _BY[by], self.now_ms)
        self._outbox.post("over", self.now_ms, winner=_WINNERS[winner], by=_BY[by])
        self._snapshot_due = True
