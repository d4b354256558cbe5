"""No game is lost: every turn that was ever told is in one record, and that can be read.

Two tables, several programs with one archive, and whatever may happen between them: a program
hears the end of a game only, or half of what a table says, two of them have the same table one
after the other and both go on, others are tried out and imported meanwhile, and a table loses the
last that it kept. The tables may even have the same numbers, as virtual ones once had.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from chronotable.journal.journal import Journal
from chronotable.journal.units import UNIT, count_begin
from chronotable.link.happenings import Connected
from chronotable.link.identity import Identity
from chronotable_host.archive import disk
from chronotable_host.archive.files import GameFile, begins_with
from chronotable_host.archive.index import IMPORTED
from chronotable_host.archive.parsing import each_record, read
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live import filing
from chronotable_host.live.filing import Filing
from chronotable_host.live.happenings import Fetched, GameOver, Happening, Joined, Turn
from chronotable_host.live.journal_game import JournalGame, RecordFit, compare_record, parse_units
from chronotable_host.live.mirror import Mirror
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import RESULTS, Record, format_record
from tests import lanes, sweep
from tests.host.archives import TURNS, played, random_record
from tests.host.spoken_table import NAME, SpokenTable
from tests.lab import kills
from tests.lab.kills import Told
from tests.lab.side_by_side import do_all
from ttykm.game import Game
from ttykm.layout import NOBODY

State = tuple[tuple[int, ...], str]
"""A game as far as it went: turns and result."""

NOTHING: State = (), RESULTS[3]
"""No turn, or none that was not taken back."""

STEPS = 60
TELLING = (43, 0, 29, 3, 35)
"""Evenings that went wrong with what `BROKEN` has."""
SEEDS = sorted({*TELLING, *range(sweep.size(4, 40, 150))})
TABLES = {
    "tables with ids of their own": (False, True, False),
    "one id, games that begin alike, nothing taken back": (True, False, False),
    "one id, games that begin otherwise": (True, True, True),
}
"""Whether the tables have the same numbers, take turns back, begin with turns of their own."""


class Table(SpokenTable):
    """A table with a power switch; `states` has where its games are, `lost` what it forgot."""

    def __init__(self, which: int, seed: int, same_numbers: bool, begins_apart: bool) -> None:
        super().__init__(begins=False, boot=1 + 1000 * which)
        self.which = which
        self.rng = Random(f"{seed} {which}")
        self.same_numbers = same_numbers
        self.begins_apart = begins_apart
        self.game_id = 0
        self.journal.game_id = 0
        self.identity = self._identity(self.identity.boot)
        self.states: dict[str, State] = {}
        self.lost: list[tuple[str, State]] = []
        self.new_game()

    def _identity(self, boot: int) -> Identity:
        return Identity(NAME, unique_id="e6" if self.same_numbers else f"{self.which}", boot=boot)

    @property
    def source(self) -> str:
        """How a record calls the game."""
        return f"{self.identity.unique_id}-{self.game_id:08x}"

    def new_game(self) -> None:
        self.game_id += 1
        self.begin()
        self._note_state()

    def play(self) -> None:
        """Take a legal turn, one of few, so that games are often alike; or begin another game."""
        turns = sorted(self.game.legal_turns()) if self.game.winner() == NOBODY else []
        if self.is_over or not turns:
            self.new_game()
            return
        if self.begins_apart and not self.game.turns:
            turns = turns[self.which :: 2]
        self.turn(format_turn(self.rng.choice(turns[:3])))
        winner = self.game.winner()
        if winner != NOBODY:
            self.is_over = True
            self.journal.over("wb"[winner], "n", 100 * self.number)
            self.note("over", winner="wb"[winner], by="n")
        self._note_state()

    def think_again(self) -> None:
        """Take a turn back, also of a game that is over."""
        if self.game.turns:
            self.take_back()
            self._note_state()

    def give_up(self) -> None:
        if not self.is_over and self.game.winner() == NOBODY:
            self.resigned()
            self._note_state()

    def cut_power(self, told: set[tuple[str, State]]) -> None:
        """Switch off and on; the flash may have lost the last that it was given."""
        journal, store = self.journal, self.journal.store
        source, before = self.source, self.states[self.source]
        name = journal._name(journal._number)
        data = store.read(name)
        units = len(data) // UNIT - count_begin(data)
        if self.rng.random() < 0.4 and units and name in self._waiting():
            store.replace(name, data[: -UNIT * self.rng.randint(1, min(2, units))])
        left = journal.read(journal._number)
        kept = parse_units(left, journal._number)
        boot = self.identity.boot + 1
        self.identity = self._identity(boot)
        self.journal = Journal(store, boot)
        self.game = Game()
        self.events, self.number = [], 0
        if self.journal.open(self.game):
            assert self.source.endswith(f"{self.journal.game_id:08x}")
            self.is_over = False
            self._note_state()
        else:
            if not kept.is_over:  # nothing was played, as far as it knows
                self.states[source] = NOTHING
            self.new_game()
        shortest = min(len(before[0]), len(self.states[source][0]))
        for known in range(len(before[0]), shortest - 1, -1):
            for result in dict.fromkeys((before[1], RESULTS[3])):
                state = before[0][:known], result
                # who takes back a turn, plays it again and forgets that has taken it back
                was_there = any((tuple(turns), by) == state for turns, by in kept.stages)
                if not was_there and (source, state) in told:
                    self.lost.append((source, state))
                    return

    def _waiting(self) -> list[str]:
        """Return the files of games that the PC has not let go; those that it has are at rest."""
        journal = self.journal
        numbers = [number for number in journal._files if number == journal.current]
        number = journal.first()
        while number:
            numbers.append(number)
            number = journal.first(number)
        return [journal._name(number) for number in numbers]

    def _note_state(self) -> None:
        won = self.game.winner()
        result = RESULTS[won] if won != NOBODY else RESULTS[0] if self.is_over else RESULTS[3]
        self.states[self.source] = tuple(self.game.turns), result


class Program:
    """`play` or `try`: it is at one table, or at none, and may come back to the one it was at."""

    def __init__(self, folder: Path, told: set[tuple[str, State]], resumes: bool = True) -> None:
        self.archive = Archive(folder)
        self.mirror = Mirror(self._hear, self.archive, {"White": "Ada"}, resumes=resumes)
        self.at: Table | None = None
        self._told = told
        self._last: tuple[Table, int, int] | None = None  # table, boot, events heard

    def sit_down(self, table: Table, lost: int, listens: float) -> None:
        """Come to a table, hear what it has to say, but for what is lost, or a part of that."""
        boot = table.identity.boot
        knows = self._last is not None and self._last[:2] == (table, boot)
        heard = self._last[2] if knows and self._last is not None else 0
        self.at = table
        self.mirror.hear(Connected(table.identity, not knows), 0)
        first = min(len(table.events), max(heard, lost))
        if first > heard:
            self.mirror.hear(LostEvents(heard + 1, first), 0)
        self._listen(first, first + round(listens * (len(table.events) - first)))
        if listens == 1:
            self.sync()

    def follow(self) -> None:
        assert self.at is not None
        assert self._last is not None
        self._listen(self._last[2], len(self.at.events))
        if self.mirror.needs_resync:
            self.sync()

    def sync(self) -> None:
        assert self.at is not None
        self.at.answer(self.mirror)

    def leave(self) -> None:
        self.at = None

    def end(self) -> None:
        self.mirror.close()
        self.archive.close()

    def _listen(self, first: int, behind: int) -> None:
        assert self.at is not None
        for event in self.at.events[first:behind]:
            self.mirror.hear(event, 0)
        self._last = self.at, self.at.identity.boot, behind

    def _hear(self, happening: Happening) -> None:
        """Whatever is told has happened at a table, and is noted as told."""
        if isinstance(happening, Fetched):
            self._told |= set(kept_in(self.archive.folder))
        if self.mirror.file is None or not isinstance(happening, (Turn, Joined, GameOver)):
            return
        record = self.mirror.record
        assert record is not None
        turns = tuple(self.mirror.game.turns)
        is_over = isinstance(happening, GameOver)
        ends = (RESULTS[3], record.headers["Result"]) if is_over else RESULTS[3:]
        self._told |= {(record.headers["Source"], (turns, end)) for end in ends}


def kept_in(folder: Path) -> list[tuple[str, State]]:
    """Return what the records of an archive say, every one of which can be read."""
    found = []
    for path in sorted(folder.glob("*.ttykm")):
        reading = read(path)
        assert reading.note == "", path
        record = reading.record
        found.append((record.headers["Source"], (tuple(record.turns), record.headers["Result"])))
    return found


class Evening:
    """Tables and programs, and what happens between them."""

    def __init__(self, folder: Path, seed: int, tables: tuple[bool, bool, bool]) -> None:
        same_numbers, self.takes_back, apart = tables
        self.rng = Random(seed)
        self.folder = folder
        self.told: set[tuple[str, State]] = set()
        self.tables = [Table(which, seed, same_numbers, apart) for which in range(2)]
        self.programs = [Program(folder, self.told) for _ in range(3)]
        self.imported: set[str] = set()

    def step(self) -> None:
        rng = self.rng
        table = rng.choice(self.tables)
        program = next((each for each in self.programs if each.at is table), None)
        does = rng.random()
        if does < 0.45:
            table.play()
        elif does < 0.5 and self.takes_back:
            table.think_again()
        elif does < 0.53:
            table.give_up()
        elif does < 0.57:
            if program is not None:
                program.leave()
            table.cut_power(self.told)
            return
        elif does < 0.59:
            record = random_record(rng.randrange(5), 6)
            program = rng.choice(self.programs)
            program.archive.store(each_record(format_record(record), "x"))
            self.imported.add(format_record(record))
            return
        elif does < 0.64:
            number = rng.randrange(len(self.programs))
            self.programs[number].end()
            self.programs[number] = Program(self.folder, self.told)
            return
        elif does < 0.85:
            if program is not None:
                program.leave()
            free = [each for each in self.programs if each.at is None]
            lost = rng.choice([0, 0, rng.randint(0, len(table.events))])
            rng.choice(free).sit_down(table, lost, rng.choice([1, 1, 1, rng.random()]))
            return
        if program is not None and rng.random() < 0.8:
            program.follow()

    def end(self) -> None:
        """Everybody comes to an end: each table's journal is heard once more."""
        for program in self.programs:
            program.leave()
        for table in self.tables:
            program = self.rng.choice(self.programs)
            program.sit_down(table, 0, 1)
            program.follow()
            program.leave()
        for program in self.programs:
            program.end()

    def states(self) -> Counter[tuple[str, State]]:
        """Return what the games came to, those included that a table has forgotten."""
        return Counter(
            state
            for table in self.tables
            for state in [*table.states.items(), *dict.fromkeys(table.lost)]
            if state[1] != NOTHING
        )

    def expected(self) -> Counter[tuple[str, State]]:
        """Return which records there have to be."""
        found = set(self.states())
        return Counter(one for one in found if not any(_is_within(one, other) for other in found))


def _is_within(one: tuple[str, State], other: tuple[str, State]) -> bool:
    """Tell whether the record of another game has all of a game that was left in progress."""
    (source, (turns, result)), (in_source, (longer, _)) = one, other
    is_begin = longer[: len(turns)] == turns
    return one != other and source == in_source and is_begin and result == RESULTS[3]


def spend(seed: int, tables: str, folder: Path) -> None:
    """Let an evening pass and look at what is left of it."""
    evening = Evening(folder, seed, TABLES[tables])
    for _ in range(STEPS):
        evening.step()
    evening.end()
    kept = Counter(state for state in kept_in(folder) if state[1] != NOTHING)
    expected = evening.expected()
    if TABLES[tables][0]:  # what begins alike may be in one file, or in two
        expected += (kept - expected) & evening.states()
    assert kept == expected, seed
    imported = {path.read_text("utf-8") for path in (folder / IMPORTED).glob("*.ttykm")}
    assert imported == evening.imported, seed


@pytest.fixture(autouse=True)
def _no_power_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_sync", lambda _fd: None)


@pytest.mark.parametrize("tables", TABLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_turn_that_was_told_is_in_one_record(seed: int, tables: str, tmp_path: Path) -> None:
    spend(seed, tables, tmp_path)


# ---- it would be noticed


def _believes_what_it_knew(self: GameFile, there: bytes) -> None:
    self._known = there


def _reopens(known: Record, kept: JournalGame) -> RecordFit:
    if any(known.turns == turns for turns, _ in kept.stages):
        return RecordFit.EARLIER
    return compare_record(known, kept)


def _keeps_to_what_knows_more(known: Record, kept: JournalGame) -> RecordFit:
    return RecordFit.EARLIER if begins_with(known, kept.record) else compare_record(known, kept)


def _knows_no_other(known: Record, kept: JournalGame) -> RecordFit:
    fit = compare_record(known, kept)
    return RecordFit.EARLIER if fit is RecordFit.OTHER else fit


def _does_not_look(_self: Filing) -> None:
    pass


OWN, ALIKE, _ = TABLES

BROKEN: dict[str, tuple[object, str, object, str]] = {
    "writes over what another program wrote": (GameFile, "_agree", _believes_what_it_knew, OWN),
    "reopens a finished game for another one": (filing, "compare_record", _reopens, ALIKE),
    "takes back what the table forgot": (filing, "compare_record", _keeps_to_what_knows_more, OWN),
    "has every game in the file of its number": (filing, "compare_record", _knows_no_other, OWN),
    "begins a file that another program has begun": (Filing, "look_again", _does_not_look, OWN),
}


@lanes.gate
@pytest.mark.parametrize("broken", BROKEN)
def test_it_would_be_noticed(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, instead, tables = BROKEN[broken]
    monkeypatch.setattr(where, name, instead)
    noticed = (AssertionError, UserError, ValueError, IndexError)
    with pytest.raises(noticed):
        for seed in (*TELLING, *range(100)):
            spend(seed, tables, tmp_path / str(seed))


# ---- a host that is killed at any moment


@lanes.gate
def test_a_killed_host_has_lost_nothing() -> None:
    """Whole tables with mirror and archive, killed from outside and in the middle of a write."""
    outcomes = do_all(kills.play, range(sweep.size(2, 5)))
    for outcome in outcomes:
        assert not outcome.lost, f"seed {outcome.seed}: {outcome.lost}"
    assert sum(outcome.turns for outcome in outcomes) > 10


@pytest.mark.parametrize(
    ("lines", "is_last", "fits"),
    [
        ([{"turn": text} for text in TURNS], False, True),
        ([{"turn": text} for text in TURNS[:3]], True, True),  # one step ahead
        ([{"turn": text} for text in TURNS[:3]], False, False),  # though the next game has begun
        ([{"turn": text} for text in TURNS[:2]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]] + [{"lifts": True}], True, True),
        ([{"turn": text} for text in TURNS] + [{"taken_back": TURNS[3]}], False, False),
        ([{"turn": text} for text in TURNS] + [{"game_over": "draw", "by": "agreed"}], True, False),
        (
            [{"turn": text} for text in [*TURNS, "1 S S >past"]]
            + [{"game_over": "black", "by": "normal"}, {"lifts": True}],
            True,
            True,
        ),
    ],
)
def test_what_counts_as_lost(lines: list[dict[str, object]], is_last: bool, fits: bool) -> None:
    told = Told()
    for line in lines:
        told.hear(line)
    assert (told.problem(played(), is_last) == "") is fits
