"""Both ends over a line that fails: afterwards the archive has the games that the table has.

`python -m tests.lab --only faults --games 200` does all of what is sampled here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chronotable.core.table import Table
from chronotable.link.happenings import Connected, Message
from chronotable.link.identity import TABLE
from chronotable.link.link import Link
from chronotable.link.ring import EventRing
from chronotable.link.window import Window
from chronotable_host.archive.files import GameFile
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import JournalCollector
from tests import lanes, sweep
from tests.host.spoken_table import SpokenTable
from tests.lab.line_faults import Job, games_of, jobs, named, run
from tests.lab.line_troubles import FLIPS, LONG_STALLS, NONE, REBOOTS, UNPLUGS
from tests.lines import into

TURNS = ["1 E F >present", "16 N N >past", "1 S B >past"]

GAMES = games_of(sweep.size(10, 60))
"""Every other one with all faults at once, the others with one kind of fault each."""
BYTES = [job for job in jobs(10) if job.share]
"""Every tenth byte of a session."""


# ---- the samples


@lanes.gate
@pytest.mark.parametrize("job", GAMES, ids=lambda job: f"{job.kind} {job.seed}")
def test_host_and_table_have_equal_games(job: Job) -> None:
    (outcome,) = run(job)
    assert not outcome.problem, outcome.name


def test_a_good_line_repeats_nothing() -> None:
    (outcome,) = run(Job(NONE, 1))
    assert not outcome.problem
    assert outcome.counts["turns"]


@lanes.gate
@pytest.mark.parametrize("job", sweep.some(BYTES, 2), ids=lambda job: f"{job.seed}")
def test_the_cable_pulled_out_at_bytes_of_a_session(job: Job) -> None:
    outcomes = run(job)
    assert [f"{each.name}: {each.problem}" for each in outcomes if each.problem] == []
    assert len(outcomes) > 20


# ---- it would be noticed


def _appends_nothing(
    self: GameFile, number: int, before: int, turn: int, comment: str = ""
) -> None:
    self.record.add(turn, comment)


def _keeps_nothing(self: Table) -> None:
    self._unwritten = []


def _rewinds_too_far(self: EventRing, last: int | None) -> None:
    _rewind(self, None if last is None else min(last + 1, self.next_number - 1))


_rewind = EventRing.rewind
_frame = Link._frame


def _obeys_twice(self: Link, seq: int, ack: int, letter: str, payload: str) -> None:
    is_old = 0 < (self._expected - seq) & 0xFF <= 4
    if self.role == TABLE and self.connected and letter not in "HK?" and is_old:
        self._deliver(letter, payload)
    _frame(self, seq, ack, letter, payload)


def _is_never_full(_self: Window) -> bool:
    return False


BROKEN: dict[str, tuple[type, str, Callable[..., object], str]] = {
    "told before it is on the disk": (GameFile, "append", _appends_nothing, NONE),
    "told before it is in the flash": (Table, "write_journal", _keeps_nothing, REBOOTS),
    "events left out": (EventRing, "rewind", _rewinds_too_far, f"link: {UNPLUGS}"),
    "commands obeyed twice": (Link, "_frame", _obeys_twice, f"link: {FLIPS}"),
    "a window without an end": (Window, "is_wire_full", _is_never_full, f"link: {LONG_STALLS}"),
}
"""What is broken, instead by what, and the kind of fault that shows it."""


@lanes.gate
@pytest.mark.parametrize("broken", BROKEN)
def test_it_would_be_noticed(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, instead, kind = BROKEN[broken]
    monkeypatch.setattr(where, name, instead)
    assert any(named(f"{kind} {seed}").problem for seed in range(20))


# ---- what it found


@pytest.mark.parametrize("is_new", [False, True], ids=["while nobody heard", "before it began"])
def test_a_game_that_ended_is_followed_to_its_end(archive: Archive, is_new: bool) -> None:
    """By a program that heard of its first turn, and by one that knows its record alone."""
    told: list[dict[str, Any]] = []
    table = SpokenTable()
    table.turn(TURNS[0])
    mirror = Mirror(into(told), archive, resumes=True)
    if is_new:
        table.tell(archive).close()
    else:
        mirror.hear(Connected(table.identity, True), 0)
        table.hear(mirror, 0)
        table.answer(mirror)
    heard = len(table.events)
    table.turn(TURNS[1])
    table.resigned()
    if is_new:
        mirror.hear(Connected(table.identity, True), 0)
    else:
        mirror.hear(LostEvents(heard + 1, len(table.events)), 0)
    table.answer(mirror)
    mirror.close()
    assert list(mirror.game.turns) == list(table.game.turns)
    (over,) = [happening for happening in told if "game_over" in happening]
    assert over["understood"] == {"certain": 2, "asked": 0, "corrected": 0}


def test_a_game_that_was_over_for_a_moment_is_no_game_of_its_own(archive: Archive) -> None:
    """The table is asked for the game that goes on, just while its last turn has ended it."""
    table = SpokenTable()
    table.turn(TURNS[0])
    table.turn(TURNS[1])
    mirror = Mirror(lambda _happening: None, archive, resumes=True)
    asked: list[int] = []
    collector = JournalCollector(mirror, lambda _name, **fields: asked.append(fields["game"]))
    mirror.hear(Connected(table.identity, True), 0)
    mirror.hear(table.snapshot(), 0)
    collector.ask()
    table.resigned()
    lines = table.pages(asked.pop())
    table.take_back()
    mirror.hear(table.snapshot(), 0)  # the one before was never sent: the latest wins
    for line in lines:
        collector.hear(line, 0)
    collector.ask()
    for line in table.pages(asked.pop()):
        collector.hear(line, 0)
    mirror.close()
    (path,) = archive.folder.glob("*.ttykm")
    assert read(path).record.turns == list(table.game.turns)


def test_the_game_that_goes_on_is_fetched_before_an_old_one(archive: Archive) -> None:
    """Else the old one would be followed: its file is still open."""
    table = SpokenTable()
    table.turn(TURNS[0])
    mirror = table.tell(archive)
    asked: list[int] = []
    collector = JournalCollector(mirror, lambda _name, **fields: asked.append(fields["game"]))
    table.turn(TURNS[1])
    table.resigned()
    table.new_game()
    table.turn(TURNS[0])
    table.identity.boot += 1  # nothing of that was heard
    mirror.hear(Connected(table.identity, True), 0)
    collector.hear(Message("journal", {"first": table.journal.first()}), 0)
    collector.ask()
    assert not asked  # whether a game goes on is not known yet
    mirror.hear(table.snapshot(), 0)
    for number in (0, 1):
        collector.ask()
        assert asked.pop(0) == number
        for line in table.pages(number):
            collector.hear(line, 0)
    mirror.close()
    assert list(mirror.game.turns) == list(table.game.turns)
    assert not mirror.wants_game


def test_a_turn_that_was_taken_back_and_played_again_unheard_says_so(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(*TURNS[:2])
    table.tell(archive).close()
    table.take_back()
    table.turn(TURNS[1])
    table.tell(archive, lost=len(table.events)).close()
    (path,) = archive.folder.glob("*.ttykm")
    first, second = read(path).record.comments
    assert first.endswith(f"certain; took back {TURNS[1]}")
    assert second.endswith("certain")
