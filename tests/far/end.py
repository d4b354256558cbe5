"""One end of a game far apart: a virtual table, the program at it, and hands that see its lights.

The hands play turns of their own side as people do, by lifting and placing; those of the other side
they carry out by the lights, without knowing them. The program may be killed and started again, and
so may the table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from chronotable_far.broker.client import Client
from chronotable_far.invitation import Invitation
from chronotable_far.room import FarRoom
from chronotable_far.room_records import TableGames
from chronotable_far.store import Store
from chronotable_far.table import FarTable, Here
from chronotable_host.archive.store import Archive
from chronotable_host.live.happenings import Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.record import format_record
from chronotable_host.virtual import chance
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.hand import Gesture, act_out
from chronotable_host.virtual.play import Hands
from chronotable_host.virtual.steps import SPARE
from chronotable_host.virtual.table import VirtualTable, settings_for
from tests.lab.hand import Hand
from tests.lab.helping import CLEAN, Helper
from tests.lab.people.place import QUESTION, TURN, TablePlace, Told
from ttykm.game import Game
from ttykm.layout import NOBODY, new_state

BOARD = "reference"
ROUND_MS = 20
_REST_MS = 1200
_MOST_ROUNDS = 600


class Stuck(Exception):  # noqa: N818 - what hands came to, not what went wrong
    """The hands do not get on; the message says where."""


class End:
    """A table and its program; `wait` lets so many ms pass, here and wherever else time is told.

    `begin` is what an inviter begins the room with; `start` lies on the table. `line` opens the
    line to the broker.
    """

    def __init__(
        self,
        invitation: Invitation,
        folder: Path,
        line: Callable[[FarRoom], Client],
        seed: int = 0,
        here: Here | None = None,
        begin: dict[str, Any] | None = None,
        manner: str = CLEAN,
        start: array[int] | None = None,
    ) -> None:
        self.invitation = invitation
        self.folder = folder
        self.told: list[dict[str, Any]] = []
        self.pass_time: Callable[[float], None] = self.run
        self.wall_s = 1_700_000_000.0
        self._line = line
        self._here = here or Here(f"name of {invitation.end}")
        self._begin = begin
        self._rng = Random(seed)
        self._manner = manner
        start = new_state() if start is None else start
        who = chance.seeded(f"{invitation.end} {seed}")
        self.table = VirtualTable.of(
            BOARD, Random(seed), settings=settings_for(start, 0), chance=who
        )
        self.table.bounce_ms = 4.0
        self.table.put_up(start)
        self._board = pieces_of(start)
        self.start()

    # ---- the program

    def start(self) -> None:
        """Start the program at the table."""
        self.archive = Archive(self.folder)
        self.desk = desk = VirtualDesk(self.archive, resumes=True)
        self.mirror, self.session = desk.mirror, desk.session
        self.store = Store.open(self.folder, self.invitation)
        self.room = FarRoom(self.invitation, self.store, today=lambda: "2024-05-01")
        if self._begin is not None and self.room.course.begin is None:
            self.room.append("begin", name=self._here.name, chat=self._here.chats, **self._begin)
        self.client = self._line(self.room)
        self.seats = desk.seat()
        self.far = FarTable(
            desk,
            self.room,
            self.client,
            board=lambda: f"{BOARD} of {self.invitation.end}",
            here=self._here,
            table_games=TableGames(self.store.path.with_suffix(".laid")),
            clock=lambda: self.wall_s,
        )
        desk.listeners.append(self._note)
        self.place = EndPlace(self.table, self.mirror, Told(), self)
        self.helper = Helper(self.place, self._rng, self._manner, lambda: None, self.place.words)
        self.helper.board = self._board
        self.hands = Hands(self.table, self.mirror, self._rng, self._note_gesture, self.place.wait)
        desk.attach(self.table)

    def kill(self) -> None:
        """Kill the program, at whatever it is doing; the table goes on alone."""
        self.table.plug(False)
        self.table.session = None
        self.store.close()
        self.client.close()
        self.archive.close()

    def close(self) -> None:
        """End the program, and switch the table off."""
        if self.table.session is not None:
            self.kill()
        self.table.close()

    def run(self, duration_ms: float) -> None:
        """Let table time pass."""
        end_ms = self.table.now_ms + duration_ms
        while self.table.now_ms < end_ms:
            self.table.run_until(min(end_ms, self.table.now_ms + ROUND_MS))
            self.wall_s += ROUND_MS / 1000
            if self.table.session is not None:
                self.desk.step()

    def _note(self, happening: Happening) -> None:
        self.told.append(happening.line())

    def heard(self, kind: str) -> list[Any]:
        """Return what was told of a kind since the last time."""
        found = [each[kind] for each in self.told if kind in each]
        self.told.clear()
        return found

    # ---- the hands

    @property
    def is_running(self) -> bool:
        """Whether the program is at the table."""
        return self.table.session is not None

    @property
    def game(self) -> Game:
        """The table's game."""
        return self.mirror.game

    @property
    def lies_right(self) -> bool:
        """Whether the hands have put everything where the game has it."""
        return self.helper.board == pieces_of(self.game.state)

    @property
    def is_mine(self) -> bool:
        """Whether the table waits for a turn of this end's side, and for nothing else."""
        bridge = self.far.bridge
        return (
            bridge.own is not None
            and self.game.mover == bridge.own
            and self.place.phase == TURN
            and self.mirror.is_in_step
            and not self.mirror.table.is_turn_wanted
            and bridge.own not in self.seats.thinkers
            and self.game.winner() == NOBODY
            and self.lies_right
        )

    def help(self) -> None:
        """Do one thing that the lights ask for, if any."""
        self.helper.wait()
        self.helper.act()

    def settle(self, until: Callable[[], bool], rounds: int = _MOST_ROUNDS) -> None:
        """Do what the lights ask for until something is so; raises Stuck."""
        for _ in range(rounds):
            if until():
                return
            self.help()
        raise Stuck(f"{self.invitation.end}: {self.place.phase}, {len(self.game.turns)} turns")

    def play(self, turn: int) -> None:
        """Carry out a turn of this end's own; it counts once the marker has rested."""
        game = self.game
        count = len(game.turns)
        aim = array("H", game.state)
        assert game.after(turn, aim)
        copy = Game()
        copy.start(game.state, game.options)
        for gesture in act_out(copy, turn, self._rng):
            self.pass_time(gesture.after_ms)
            self._do(copy, gesture)
        for _ in range(10):
            self.pass_time(_REST_MS)
            if self.place.choices or self.place.phase == QUESTION:
                self.hands.answer(self.game, aim)
            if len(self.game.turns) > count and self.mirror.provisional is None:
                return

    def _do(self, game: Game, gesture: Gesture) -> None:
        if not self.hands.do(gesture, game.mover):
            raise Stuck("an action is not offered")

    def _note_gesture(self, gesture: Gesture) -> None:
        board = self.helper.board
        if gesture.choice is None and gesture.piece != SPARE:
            if gesture.closed:
                board[gesture.sensor] = gesture.piece
            else:
                board.pop(gesture.sensor)

    def untangle(self) -> None:
        """Put everything right, and tell a table that asks that nothing was meant."""
        self.put_back()
        if self.place.choices:
            self.table.press("action", self.game.mover)
            self.pass_time(_REST_MS)

    def put_back(self) -> None:
        """Put everything where the game has it, or the position that the screen asks for."""
        asked = self.far.bridge.being_set_up
        board = self.helper.board
        wanted = pieces_of(self.game.state if asked is None else asked)
        for gesture in Hand(self._rng).arrange(board, wanted):
            self.pass_time(gesture.after_ms)
            self._do(self.game, gesture)
        self.pass_time(_REST_MS)

    def lift_marker(self) -> int:
        """Lift the marker of who moved last, which takes that turn back; return where it stood."""
        side = 1 - self.game.mover
        (spot,) = [at for at in self.helper.board if at >= 48 + 3 * side and at < 51 + 3 * side]
        self.place.lift(spot)
        self.helper.board.pop(spot)
        return spot


class EndPlace(TablePlace):
    """A place whose time passes at the other end, too."""

    def __init__(self, table: VirtualTable, mirror: Mirror, told: Told, end: End) -> None:
        super().__init__(table, mirror, told)
        self._end = end

    @property
    def wanted(self) -> int | None:
        """The turn of the other end."""
        return self._end.seats.wanted

    def wait(self, duration_ms: float) -> None:
        """Let time pass."""
        self._end.pass_time(duration_ms)


def records_of(folder: Path) -> list[str]:
    """Return the records of an end's archive without their places, which are each end's own."""
    with Archive(folder) as archive:
        found = [format_record(archive.read(entry).record) for entry in archive.games()]
    return ["\n".join(line for line in each.splitlines() if "[Board" not in line) for each in found]
