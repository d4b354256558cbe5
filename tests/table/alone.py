"""Blind hands at a table without a PC, on either runtime; a PC can be attached later."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path
from random import Random

from chronotable.hardware.sensors import BUTTON, BUTTONS, SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.archive.store import Archive
from chronotable_host.hardware import boards
from chronotable_host.live.happenings import JsonLine
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position
from chronotable_host.rules.record import Record
from chronotable_host.virtual.hand import act_out
from chronotable_host.virtual.table import CPYTHON, VirtualTable
from tests.lab.positions import random_game
from tests.lines import into
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

BOARD = "reference"
_FINAL_MS = 1300.0
_SET_UP_MS = 600.0


class Alone:
    """A table whose cable is not plugged, and hands that know what they want.

    `game` is what they play, and `course` its positions: many turns lead to the same one. `told`
    is what a PC that was attached heard.
    """

    def __init__(
        self, runtime: str = CPYTHON, image: Path | None = None, seed: int = 0, boot_ms: float = 900
    ) -> None:
        self.rng = Random(seed)
        self.boot_ms = boot_ms
        self.table = VirtualTable.of(BOARD, Random(seed), runtime, image=image)
        self.machine = self.table.runtime
        self.machine.plug(False)
        self.game = Game()
        self.course: list[str] = []
        self.told: list[JsonLine] = []
        self.mirror: Mirror | None = None
        self.table.put_up(self.game.state)
        self.wait(boot_ms)

    def __enter__(self) -> Alone:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Switch everything off."""
        self.table.close()
        if self.mirror is not None:
            self.mirror.close()

    def wait(self, duration_ms: float) -> None:
        """Let table time pass."""
        self.table.run_until(self.table.now_ms + duration_ms)

    def play(self, turns: Iterable[int]) -> None:
        """Play turns, each until it is final."""
        for turn in turns:
            for gesture in act_out(self.game, turn, self.rng):
                self.wait(gesture.after_ms)
                (self.table.place if gesture.closed else self.table.lift)(gesture.sensor)
            self.wait(_FINAL_MS)
            self.game.apply(turn)
            self.course.append(format_position(self.game.state))

    def play_one(self) -> None:
        """Play any turn."""
        self.play([next(self.game.legal_turns())])

    def play_random(self, seed: int, most_turns: int) -> list[str]:
        """Play the beginning of a random game; return its course."""
        self.play(random_game(seed, most_turns).turns)
        return self.course

    def press(self, name: str, side: int = WHITE) -> None:
        """Press a button."""
        self.table.press(name, side)
        self.wait(300)

    def hold(self, name: str, closed: bool) -> None:
        """Hold both players' buttons of a name, or let go of them."""
        board = boards.read(BOARD)
        for side in (WHITE, BLACK):
            cell = board.cell_of[BUTTON + BUTTONS.index((name, side))]
            self.table.set_cell(*divmod(cell, COLUMNS), closed)
        self.wait(100)

    def put(self, wanted: Iterable[int]) -> None:
        """Have magnets on these sensors and no others."""
        there = set(wanted)
        for closed in (False, True):
            for sensor in range(SENSORS):
                if (sensor in there) == closed != self.table.has_magnet(sensor):
                    (self.table.place if closed else self.table.lift)(sensor)
                    self.wait(150)
        self.wait(_SET_UP_MS)

    def set_up(self, state: array[int] | None = None) -> None:
        """Set up the start of a new game, or what begins elsewhere."""
        self.game = Game()
        self.game.start(layout.new_state() if state is None else state)
        self.course = []
        self.put(pieces_of(self.game.state))

    def power_cut(self) -> None:
        """Switch the table off and on."""
        self.table.power(False)
        self.wait(500)
        self.table.power(True)
        if self.table.session is None:
            self.machine.plug(False)
        self.wait(self.boot_ms)

    def attach(self, archive: Archive | None) -> None:
        """Plug the cable of a PC in."""
        self.mirror = Mirror(into(self.told), archive, resumes=True)
        self.table.attach(Session(self.mirror))

    def heard(self, name: str) -> list[object]:
        """Return what a PC was told under a name."""
        return [happening[name] for happening in self.told if name in happening]


def course_of(record: Record) -> list[str]:
    """Return the positions of a record, the start left out."""
    return [format_position(game.state) for game in record.replay()][1:]
