"""Puzzles at a whole table: set up, answered and taken back by hands that see the lights alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.learning.course import DONE, SOLVED, TRY
from chronotable_host.learning.puzzles.course import PuzzleCourse
from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.learning.puzzles.standing import Tries
from chronotable_host.learning.puzzles.trial import WRONG, Trial
from chronotable_host.live.players.tutor import READ_MS
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position
from tests import lanes, sweep
from tests.host.test_tutor import Class, school
from tests.lab.people.place import TURN
from tests.table.rig import Rig
from ttykm.layout import new_state

COUNT = 20
"""Puzzles of each length and colour, easy and hard ones, that are played through."""


def chosen(count: int) -> list[int]:
    """Return the numbers of so many puzzles: every so many of them, easy and hard ones."""
    return list(range(1, len(built_in()) + 1, len(built_in()) // count))[:count]


def wrong_turn(trial: Trial) -> int:
    """Return a turn that does not win in time, of the position that is due."""
    turns = list(trial.game.turns)
    for turn in [*trial.game.legal_turns()]:
        if trial.play(turn).verdict == WRONG:
            return turn
        trial.restart()
        for own in turns[::2]:
            trial.play(own)
    raise AssertionError("every turn wins")


class Solving:
    """A class in which puzzles are solved."""

    def __init__(self, room: Class, archive: Path, number: int) -> None:
        self.room = room
        self.course = PuzzleCourse(archive, number, "Ann")
        room.tutor.teach(self.course)

    def plays(self, turn: int) -> None:
        """Make a turn, and the one that it is answered with, by the lights."""
        room, mirror = self.room, self.room.at.mirror
        before = len(mirror.game.turns)
        room.plays(turn)
        if self.course.state == SOLVED or len(mirror.game.turns) == before:
            return
        room.follows(lambda: len(mirror.game.turns) == before + 2 and room.place.phase == TURN)
        assert room.helper.board == pieces_of(mirror.game.state)

    def solves(self) -> None:
        trial = Trial(self.course.puzzle)
        self.room.follows_the_lights()
        assert self.course.state == TRY
        while not trial.is_solved:
            turn = trial.solution()
            trial.play(turn)
            self.plays(turn)
            assert list(self.room.at.mirror.game.turns) == list(trial.game.turns)
        assert self.course.state == SOLVED
        assert self.course.says.startswith("Solved: ")


@contextmanager
def solving(folder: Path, number: int, boot_ms: int = 0, **table: Any) -> Iterator[Solving]:
    """Begin with a puzzle; `table` is what its rig takes, and `boot_ms` how long it starts."""
    with (
        Archive(folder) as archive,
        Rig(new_state(), archive=archive, **table) as at,
        school(at) as room,
    ):
        at.hands.wait(boot_ms)
        yield Solving(room, folder, number)
        assert not at.heard("mismatch", "refused")
        assert [*archive.games()] == []


@lanes.gate
@pytest.mark.parametrize("number", chosen(sweep.size(3, 60, 300)))
def test_a_puzzle_is_solved_by_the_lights(number: int, tmp_path: Path) -> None:
    with solving(tmp_path, number) as it:
        it.solves()
        assert Tries(tmp_path).standing("ann").streak == 1
        if number % 4 == 0:
            it.room.waits(int(READ_MS) + 1000)
            assert it.course.number != number
            it.room.follows_the_lights()
            assert it.room.helper.board == pieces_of(it.course.start)


@lanes.gate
@pytest.mark.parametrize("win", [1, 2, 3])
def test_a_wrong_turn_is_taken_back(win: int, tmp_path: Path) -> None:
    number = next(at for at, puzzle in enumerate(built_in(), 1) if puzzle.win == win)
    with solving(tmp_path, number) as it:
        it.room.follows_the_lights()
        it.plays(wrong_turn(Trial(it.course.puzzle)))
        assert "Try again." in it.course.says
        it.room.follows_the_lights()
        assert it.room.helper.board == pieces_of(it.course.start)
        it.solves()
        standing = Tries(tmp_path).standing("Ann")
        assert (len(standing.solved), len(standing.missed)) == (0, 1)


@lanes.gate
def test_an_own_turn_and_its_answer_can_be_taken_back(tmp_path: Path) -> None:
    """As where a program plays the other side: back to the learner's own decision."""
    number = next(at for at, puzzle in enumerate(built_in(), 1) if puzzle.win == 2)
    with solving(tmp_path, number) as it:
        it.room.follows_the_lights()
        it.plays(Trial(it.course.puzzle).solution())
        assert it.course.step == 1
        it.room.at.session.command("undo")
        it.room.waits(2000)
        it.room.follows_the_lights()
        assert it.course.step == 0
        assert format_position(it.room.at.mirror.game.state) == it.course.puzzle.position
        it.solves()
        assert len(Tries(tmp_path).standing("Ann").solved) == 1


def test_a_hint_names_the_copy_and_costs_the_rating(tmp_path: Path) -> None:
    with solving(tmp_path, 1) as it:
        it.room.follows_the_lights()
        it.room.tutor.hint()
        assert it.course.says.startswith("It begins with the copy on space ")
        it.solves()
        assert len(Tries(tmp_path).standing("Ann").missed) == 1


@lanes.gate
def test_behind_the_last_puzzle_there_is_none(tmp_path: Path) -> None:
    tries = Tries(tmp_path)
    course = PuzzleCourse(tmp_path, 1)
    course._tries = tries
    for puzzle in built_in():
        tries.note("", puzzle, solved=True)
    course.go_on()
    assert course.state == DONE
    assert course.says.startswith("You have tried all puzzles. 300 solved, 0 missed, 300 in a row")
