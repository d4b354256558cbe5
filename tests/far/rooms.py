"""A world for rooms: programs of both ends, their disks, a broker, and all that can go wrong.

Nothing runs by itself: a seeded scheduler decides what happens next. Messages are lost, doubled,
delayed, and overtake each other; connections break; programs crash, also in the middle of writing
to their disk; the broker forgets what it kept; an end is played from a second computer, or from a
new one with nothing but the invitation. `settle` lets messages flow, and `check` says what is not
as it has to be then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from chronotable_far import course as courses
from chronotable_far import store as stores
from chronotable_far.course import Course, PlayedTurn, RoomGame
from chronotable_far.entries import ENDS, INVITER, JOINER, LogEntry, Ref
from chronotable_far.invitation import Invitation
from chronotable_far.room import FarRoom
from chronotable_far.room_records import record_of
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record, parse_record
from ttykm import objects
from ttykm.game import Game

INVITATION = Invitation(
    "mqtt://broker", "acorn-actor-album-alarm-amber-angel-ankle-apple-apron", INVITER
)
MODULE_SETS = tuple(range(8))

_STEPS_BEFORE_END = 6
_FLOWS_MS = 30_000
_STEP_MS = 2_500


class CrashError(Exception):
    """The program is gone, in the middle of writing."""


class Disk:
    """The file of a room in memory, in the very form of the real one; a store at the same time.

    `whole` are the entries that are on it. With `crashes` it asks before and after each line
    whether the program is to crash there.
    """

    def __init__(self, invitation: Invitation, crashes: Callable[[], bool] = lambda: False) -> None:
        self.invitation = invitation
        self.path = Path("room.far")
        self.data = stores.head_of(invitation)
        self.whole: set[tuple[str, Ref]] = set()
        self.crashes = crashes

    @property
    def entries(self) -> list[LogEntry]:
        self.data = stores.whole_lines(self.data)
        return stores.parsed(self.path, self.data)[1]

    def append(self, entry: LogEntry) -> None:
        line = stores.line_of(entry)
        if self.crashes():
            self.data += line[: hash(entry.hash) % len(line)]
            raise CrashError
        self.data += line
        self.whole.add((entry.end, entry.ref))
        if self.crashes():
            raise CrashError


class Program:
    """One program; `room` is None while it does not run."""

    def __init__(self, name: str, disk: Disk) -> None:
        self.name = name
        self.disk = disk
        self.end = disk.invitation.end
        self.room: FarRoom | None = None
        self.inbox: list[tuple[str, bytes]] = []
        self.outbox: list[tuple[str, bytes, bool]] = []
        self.said: list[Ref] = []  # what it was told to have said
        self.shown: set[tuple[str, Ref]] = set()  # what its person has seen

    @property
    def is_connected(self) -> bool:
        return self.room is not None and self.room.is_connected


class World:
    """Programs around a broker; everything that happens is up to `random`."""

    def __init__(self, seed: int | Random, seconds: tuple[str, ...] = ()) -> None:
        self.random = seed if isinstance(seed, Random) else Random(seed)
        self.now_ms = 0
        self.retained: dict[str, bytes] = {}
        self.programs: list[Program] = []
        self.log: list[str] = []
        self.crash_rate = 0.0
        self.lost_disks: set[str] = set()  # ends of which one was lost
        for end in (*ENDS, *seconds):
            self._add(end)
        modules = self.random.choice(MODULE_SETS) if self.random.random() < 0.3 else 0
        self.start = self.random.choice(starts(modules))
        faults = self.random.choice((0.0, 0.3, 1.0, 1.0, 3.0))
        self.weights = {**WEIGHTS, **{kind: faults * rate for kind, rate in FAULTS.items()}}

    def _add(self, end: str) -> None:
        name = f"{end}-{len(self.programs)}"
        disk = Disk(INVITATION.of(end), lambda: self.random.random() < self.crash_rate)
        self.programs.append(Program(name, disk))
        self.begin(self.programs[-1])

    def of(self, end: str) -> list[Program]:
        return [each for each in self.programs if each.end == end]

    # ---- what can happen

    def begin(self, program: Program) -> None:
        """Have a program run, with what is on its disk."""
        program.room = FarRoom(program.disk.invitation, program.disk, lambda: "2026-01-02")  # type: ignore[arg-type]
        program.room.tick(self.now_ms)
        taken_up = program.room._logs._nodes
        lost = [ref for ref in program.said if (program.end, ref) not in taken_up]
        assert not lost, f"{program.name} was told that it had said {lost}"
        hidden = [each for each in program.shown if each not in taken_up]
        assert not hidden, f"{program.name} has shown {hidden}"

    def crash(self, program: Program) -> None:
        self.collect(program)  # what was to be published may be out already
        while program.outbox and self.random.random() < 0.5:
            self.send(program)
        program.room = None
        program.inbox.clear()
        program.outbox.clear()

    def connect(self, program: Program) -> None:
        assert program.room is not None
        program.room.connected()
        kept = list(self.retained.items())
        self.random.shuffle(kept)
        program.inbox = kept

    def disconnect(self, program: Program) -> None:
        assert program.room is not None
        program.room.lost()
        program.inbox.clear()

    def restart_broker(self, forgets: bool) -> None:
        for program in self.programs:
            if program.is_connected:
                self.disconnect(program)
        if forgets:
            self.retained.clear()

    def collect(self, program: Program) -> None:
        if program.room is not None:
            program.outbox += program.room.outgoing()

    def send(self, program: Program, at: int = 0, is_lost: bool = False) -> None:
        """Have the broker get a message of a program, and pass it on."""
        topic, payload, retain = program.outbox.pop(at)
        if is_lost:
            return
        if retain:
            self.retained[topic] = payload
        for each in self.programs:
            if each.is_connected:
                each.inbox.append((topic, payload))

    def deliver(
        self, program: Program, at: int = 0, keeps: bool = False, is_lost: bool = False
    ) -> None:
        topic, payload = program.inbox[at]
        if not keeps:
            del program.inbox[at]
        if is_lost:
            return
        self._at(program, lambda room: room.receive(topic, payload))

    def tick(self, program: Program) -> None:
        self._at(program, lambda room: room.tick(self.now_ms))

    def say(self, program: Program, kind: str, **fields: Any) -> bool:
        """Have somebody at a program say something; tell whether it was taken."""
        room = program.room
        assert room is not None
        before = room._logs.last(program.end)
        try:
            self._at(program, lambda room: room.append(kind, **fields))
        except UserError:
            return False
        if program.room is not None:
            # more may have waited for just this, if an end says again what a lost disk had
            ref = room._logs.chains[program.end][before.number].ref
            assert (program.end, ref) in program.disk.whole, "said, and not on the disk"
            program.said.append(ref)
        return True

    def lose_disk(self, program: Program) -> None:
        """Have a new computer in the place of one, with nothing but the invitation."""
        program.room = None
        program.inbox.clear()
        program.outbox.clear()
        program.said.clear()
        program.shown.clear()
        program.disk = Disk(program.disk.invitation, program.disk.crashes)
        self.lost_disks.add(program.end)
        self.begin(program)

    def _at(self, program: Program, does: Callable[[FarRoom], None]) -> None:
        room = program.room
        assert room is not None
        try:
            does(room)
        except CrashError:
            self.crash(program)
            return
        finally:
            self.collect(program)
        self.look(program)

    def look(self, program: Program) -> None:
        """Somebody sees what a program shows; it has to be on the disk."""
        room = program.room
        assert room is not None
        for end in ENDS:
            for entry in reversed(room._logs.chains[end]):
                place = (end, entry.ref)
                if place in program.shown:
                    break
                assert place in program.disk.whole, f"shown, and not on the disk: {entry}"
                program.shown.add(place)

    # ---- the scheduler

    def play(self, steps: int) -> None:
        """Have so many things happen, of all kinds."""
        kinds, weights = zip(*self.weights.items(), strict=True)
        for kind in self.random.choices(kinds, weights, k=steps):
            self.happen(kind, self.random.choice(self.programs))

    def happen(self, kind: str, program: Program) -> None:
        """Have one thing happen to a program, where it can."""
        chance = self.random.random
        if kind == "forget":
            self.restart_broker(forgets=chance() < 0.7)
        elif kind == "time":
            self.now_ms += self.random.choice((100, 1000, 4000, 20_000))
        elif program.room is None:
            if kind in ("flow", "deliver", "say"):
                self.begin(program)
        elif kind == "say":
            self.crash_rate = 0.02
            self.say_something(program)
            self.crash_rate = 0.0
        elif kind == "send" and program.outbox:
            at = self._somewhere(program.outbox)
            self.send(program, at, is_lost=chance() < 0.05)
        elif kind == "deliver" and program.inbox:
            at = self._somewhere(program.inbox)
            self.crash_rate = 0.01
            self.deliver(program, at, keeps=chance() < 0.1, is_lost=chance() < 0.05)
            self.crash_rate = 0.0
        elif kind == "flow":
            while program.outbox:
                self.send(program)
            while program.inbox and program.room is not None:
                self.deliver(program)
        elif kind == "tick":
            self.tick(program)
        elif kind == "connect" and not program.is_connected:
            self.connect(program)
        elif kind == "disconnect" and program.is_connected:
            self.disconnect(program)
        elif kind == "crash":
            self.crash(program)

    def _somewhere(self, messages: list[Any]) -> int:
        return 0 if self.random.random() < 0.6 else self.random.randrange(len(messages))

    def say_something(self, program: Program) -> None:
        """Have a person do what somebody in front of this course may do."""
        room, random = program.room, self.random
        assert room is not None
        course = room.course
        if course.begin is None:
            if program.end == INVITER:
                self.say(program, "begin", start=self.start[0], name="Ann", chat=True, clock="60+5")
            return
        if course.join is None:
            self.say(program, "join", name="Bob", chat=True)
            return
        question = course.question
        if question is not None and question.by != program.end and random.random() < 0.5:
            self.say(program, random.choice(("yes", "yes", "no", question.kind)), to=question.to)
        elif course.mover == program.end and random.random() < 0.75:
            turn = random.choice(turns_of(course.state.tobytes(), course.options))
            self.say(program, "turn", turn=turn, at_ms=self.now_ms, left_s=random.randrange(9000))
        else:
            kind = random.choices(*zip(*_SAYS, strict=True))[0]
            fields = {"take_back": {"to": max(0, len(course.line) - random.randrange(1, 4))}}
            fields["say"] = {"text": f"line {random.randrange(1000)}"}
            self.say(program, kind, **fields.get(kind, {}))

    # ---- the end

    def meet(self) -> None:
        """Have both ends begin, with nothing that goes wrong."""
        for end in ENDS:
            self.settle()
            self.say_something(self.of(end)[0])
        self.settle()

    def settle(self) -> None:
        """Have everything run and connected, and messages flow for half a minute of quiet."""
        for program in self.programs:
            if program.room is None:
                self.begin(program)
            if program.is_connected:
                self.disconnect(program)
        for program in self.programs:
            self.connect(program)
        quiet_ms, rounds = 0, 0
        while quiet_ms < _FLOWS_MS:
            rounds += 1
            assert rounds < 200, "the ends put back what each other puts back, for ever"
            self.now_ms += _STEP_MS
            quiet_ms += _STEP_MS
            for program in self.programs:
                self.tick(program)
            while any(program.outbox or program.inbox for program in self.programs):
                for program in self.programs:
                    while program.outbox:
                        quiet_ms = 0 if program.outbox[0][2] else quiet_ms
                        self.send(program)
                    while program.inbox:
                        self.deliver(program)

    def check(self) -> str:
        """Check what has to hold when messages have flown; return why rooms have stopped, or ""."""
        rooms = [program.room for program in self.programs if program.room is not None]
        assert len(rooms) == len(self.programs)
        for room in rooms:
            assert room.course == courses.fold(room._logs.chains), "step by step, or all at once"
            _check_course(room.course)
        stopped = [room.stopped for room in rooms if room.stopped]
        if stopped:
            return stopped[0]
        first = rooms[0]
        for room in rooms[1:]:
            for end in ENDS:
                assert room._logs.chains[end] == first._logs.chains[end], f"logs of the {end}"
            assert room.course == first.course
        for program in self.programs:
            room = program.room
            assert room is not None
            assert room.there, f"{program.name} sees nobody"
            assert (room.another(program.end) is not None) == (len(self.of(program.end)) > 1)
            if len(self.of(program.end)) == 1 and program.end not in self.lost_disks:
                hashes = [entry.ref for entry in room._logs.chains[program.end]]
                assert hashes == sorted({*hashes, *program.said}), (
                    f"{program.name} lost what it said"
                )
        if first.course.begin is not None:
            texts = {format_record(record_of(room.course)) for room in rooms}
            assert len(texts) == 1
            assert format_record(parse_record(*texts)) == texts.pop()
        return ""


def _check_course(course: Course) -> None:
    """Check that every game of a course is one: each turn once, legal, and by who is due."""
    for part in (*course.earlier, course.part):
        line: list[PlayedTurn] = []
        for played in part.history:
            if played is None:
                line.pop()
            else:
                line.append(played)
        assert tuple(line) == part.line
        _check_part(course, part)


def _check_part(course: Course, part: RoomGame) -> None:
    game = _GAME
    game.start(course.start, course.options)
    for played in part.line:
        assert part.sides[played.end] == game.mover, "the wrong end took a turn"
        game.apply(played.turn)
        assert played.state == game.state


WEIGHTS = {"say": 24, "send": 8, "deliver": 12, "flow": 20, "tick": 6, "time": 3, "connect": 8}
FAULTS = {"disconnect": 3, "crash": 2, "forget": 1}
_SAYS = (
    ("take_back", 8),
    ("draw", 4),
    ("no", 2),
    ("yes", 2),
    ("resign", 0.5),
    ("say", 3),
    ("again", 5),
    ("turn", 0),
)


_GAME = Game()


@lru_cache(maxsize=100_000)
def turns_of(state: bytes, options: int) -> tuple[int, ...]:
    """Return some of the legal turns of a position."""
    game = _GAME
    game.start(type(game.state)("H", state), options)
    turns = list(game.legal_turns())
    return tuple(Random(len(turns)).sample(turns, min(4, len(turns))))


@lru_cache
def starts(modules: int) -> tuple[tuple[Any, int], ...]:
    """Return a few positions from which random games end soon; each with the side to move."""
    found = []
    for seed in range(2):
        random, game = Random(f"{modules} {seed}"), Game()
        game.start(objects.new_state(modules))
        states = [game.state]
        while turns := list(game.legal_turns()):
            game.apply(random.choice(turns))
            states.append(game.state)
        state = states[max(0, len(states) - _STEPS_BEFORE_END)]
        found.append((state, 0))
    return tuple(found)


def seconds(random: Random) -> tuple[str, ...]:
    """Return which ends a world has a second program of: mostly none, or one."""
    return random.choices([(), (INVITER,), (JOINER,), (INVITER, JOINER)], weights=[10, 4, 4, 1])[0]


def run(seed: int) -> str:
    """Play one schedule, let messages flow, and check; raises AssertionError with what is wrong.

    Returns why rooms have stopped, "" where none has.
    """
    random = Random(seed)
    world = World(random, seconds(random))
    if random.random() < 0.9:
        world.meet()
    for _ in range(random.randrange(1, 4)):
        world.play(random.randrange(20, 80))
        if random.random() < 0.1:
            world.lose_disk(random.choice(world.programs))
        if random.random() < 0.3:
            world.settle()
            world.check()
    world.settle()
    return world.check()
