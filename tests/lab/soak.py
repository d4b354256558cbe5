"""A table that is on for days: games with and without a PC, cables and mains pulled, long pauses.

One table and one archive all along; the PC's program is another one after each time that it was
away. What was played is compared with what the archive has at the end.
"""

from __future__ import annotations

import gc
import sys
from itertools import takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from chronotable.hardware.sensors import SENSORS
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.live.happenings import Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position
from chronotable_host.virtual.hand import act_out
from chronotable_host.virtual.table import VirtualTable
from tests.lab.figures import Figure, slope
from tests.lab.positions import random_game
from tests.lab.side_by_side import Progress
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY, WHITE

_BOARD = "reference"
_BOOT_MS = 1000
_FINAL_MS = 1300
_GESTURE_MS = 150
_CABLE_MS = 3000
_BLINK_MS = 1100  # a rhythm takes a second
_PAUSE_MS = (60_000, 1_400_000)
_IDLE_SLICE_MS = 500
_MOST_TURNS = 60
_AWAY, _CUT, _OFFLINE = 0.03, 0.01, 0.4  # per turn, per turn, per game
_LETTERS = "abc"
_TREND_GAMES = 20

Course = tuple[str, ...]
"""The positions of a game: many turns lead to the same one."""


class Soak:
    """The table, its people and their PC; `courses` are the games that were played."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.courses: list[Course] = []
        self.cables = self.cuts = self.asked = self.looked = 0
        self._archive = Archive(folder)
        self.table = VirtualTable.of(_BOARD, Random(seed))
        self._mirror: Mirror | None = None
        self._game = Game()
        self._course: list[str] = []

    @property
    def hours(self) -> float:
        """Table time."""
        return self.table.now_ms / 3_600_000

    def play_game(self, seed: int) -> None:
        """Set up and play one game, with what happens on such an evening."""
        self._set_up()
        self._plug(self.rng.random() >= _OFFLINE)
        for turn in random_game(seed, _MOST_TURNS).turns:
            self._take(turn)
            if self.rng.random() < _AWAY:
                self._plug(self._mirror is None)
            if self.rng.random() < _CUT:
                self._cut_mains()
        if self._game.winner() == NOBODY:
            self.table.press("resign", WHITE)
            self._wait(_FINAL_MS)
        self.courses.append(tuple(self._course))

    def pause(self) -> None:
        """Leave the table alone for a while."""
        end = self.table.now_ms + self.rng.randint(*_PAUSE_MS)
        while self.table.now_ms < end:
            self.table.runtime.run_until(self.table.now_ms + _IDLE_SLICE_MS)
            self.table.talk()
        self.table.runtime.frames.clear()  # nobody looks at them

    def finish(self) -> list[Course]:
        """Let the PC fetch what it has not; return the games that the archive has."""
        self._plug(True)
        self._wait(10 * _CABLE_MS)
        self._plug(False)
        self.table.close()
        found = []
        for path in sorted(self._archive.folder.glob(f"*{SUFFIX}")):
            record = read(path).record
            found.append(tuple(format_position(game.state) for game in record.replay())[1:])
        return found

    def _take(self, turn: int) -> None:
        for gesture in act_out(self._game, turn, self.rng):
            self._wait(gesture.after_ms)
            (self.table.place if gesture.closed else self.table.lift)(gesture.sensor)
        self._game.apply(turn)
        self._wait(_FINAL_MS)
        position = format_position(self._game.state)
        if self._mirror is None and self._game.winner() == NOBODY and self._blinks():
            self.looked += 1
            self._plug(True)  # what blinks asks for something: the PC says what
        if self._mirror is not None and self._mirror.choices:
            self._answer(position)
        self._course.append(position)

    def _blinks(self) -> bool:
        """Tell whether the lights ask for a hand: who is to move is shown by steady ones."""
        frames = self.table.runtime.frames
        end = self.table.now_ms
        self._wait(_BLINK_MS)
        return len({frame.rgb for frame in frames if frame.t_ms > end}) > 1

    def _answer(self, position: str) -> None:
        """Say what was meant."""
        self.asked += 1
        assert self._mirror is not None
        for letter, choice in zip(_LETTERS, self._mirror.choices, strict=False):
            after = Game()
            after.start(self._mirror.game.state)
            after.apply(choice)
            if format_position(after.state) == position:
                self.table.press(letter, WHITE)
                self._wait(_FINAL_MS)
                return

    def _set_up(self) -> None:
        self._game = Game()
        self._course = []
        wanted = set(pieces_of(layout.new_state()))
        for closed in (False, True):
            for sensor in range(SENSORS):
                if (sensor in wanted) == closed != self.table.has_magnet(sensor):
                    (self.table.place if closed else self.table.lift)(sensor)
                    self._wait(_GESTURE_MS)
        self._wait(_BOOT_MS)

    def _plug(self, wanted: bool) -> None:
        """Plug the cable in, with a program that is just started, or pull it."""
        if wanted == (self._mirror is not None):
            return
        self.cables += 1
        if wanted:
            self._mirror = Mirror(_ignore, self._archive, resumes=True)
            self.table.attach(Session(self._mirror))
        else:
            self.table.plug(False)
            self.table.session = None
            assert self._mirror is not None
            self._mirror.close()
            self._mirror = None
        self._wait(_CABLE_MS)

    def _cut_mains(self) -> None:
        self.cuts += 1
        self.table.power(False)
        self._wait(_BOOT_MS)
        self.table.power(True)
        if self._mirror is None:
            self.table.runtime.plug(False)
        self._wait(_CABLE_MS)

    def _wait(self, duration_ms: float) -> None:
        self.table.run_until(self.table.now_ms + duration_ms)


def _nearest(number: int, course: Course, found: list[Course]) -> str:
    """Tell where a game that is missing parts from the archive's game that is most like it."""
    alike = max(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(course, other, strict=False)))
        for other in found
    )
    return f"game {number} is missing after turn {alike} of {len(course)}"


def _ignore(_happening: Happening) -> None:
    return None


def measure(games: int, report: Progress, seed: int = 0) -> list[Figure]:
    """Play so many games with pauses between them, a quarter of an hour each on average."""
    blocks: list[float] = []
    with TemporaryDirectory(prefix="chronotable-soak-") as folder:
        soak = Soak(Path(folder), seed)
        for number in range(games):
            report(number, games)
            soak.play_game(seed + number)
            soak.pause()
            gc.collect()
            blocks.append(sys.getallocatedblocks())
        hours = soak.hours
        found = soak.finish()
    missing = [number for number, course in enumerate(soak.courses) if course not in found]
    extra = len([course for course in found if course]) - len(soak.courses)
    counts = {
        "games": games,
        "hours": round(hours, 1),
        "turns": sum(map(len, soak.courses)),
        "cables": soak.cables,
        "cuts": soak.cuts,
        "asked": soak.asked,
        "looked": soak.looked,  # at lights that blinked while no PC was there
        "missing": len(missing),
        "doubled": max(0, extra),
        "blocks_a_game": round(slope(blocks[games // 5 :]), 1) if games >= _TREND_GAMES else 0,
    }
    remark = ", ".join(_nearest(number, soak.courses[number], found) for number in missing[:5])
    return [Figure("soak", counts, remark=remark)]
