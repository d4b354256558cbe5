"""The mirror's files: whatever a table tells, and tells again, the archive has each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from chronotable.hardware.sensors import SHARED
from chronotable.link.happenings import Connected, Message
from chronotable.link.packed import pack_position
from chronotable_host.archive.facts import think_times
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.link.pc_link import CommandLost, LostEvents
from chronotable_host.live.filing import SOURCE
from chronotable_host.live.happenings import Happening, JsonLine, Refused
from chronotable_host.live.mirror import Mirror
from chronotable_host.rules.notation import (
    format_modules,
    format_position,
    format_turn,
    parse_position,
)
from chronotable_host.rules.record import DRAW, Record, parse_record
from tests import lanes, sweep
from tests.host.archives import records
from tests.host.driven_table import DrivenTable, starts, texts
from tests.host.spoken_table import SpokenTable
from tests.lab.store import MemoryStore
from tests.lines import into
from ttykm import objects
from ttykm.layout import BLACK, NOBODY, WHITE


def the_record(archive: Archive) -> Record:
    """Return what the archive has, which is one record."""
    (path,) = records(archive.folder)
    return read(path).record


STARTS = starts()
TURNS = ("1 E F >future", "16 W B >present", "1 S B >past")


def test_a_game_that_was_given_up_before_its_first_turn_counted(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(TURNS[0])
    table.take_back()
    table.resigned()
    for _ in range(3):
        table.tell(archive).close()
        (text,) = texts(archive.folder)
        assert '[Termination "resigned"]' in text


def test_hearing_it_all_again_changes_nothing(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(*TURNS)
    table.take_back()
    table.turn("1 S S >past")
    table.tell(archive).close()
    (before,) = texts(archive.folder)
    assert before.count("took back") == 1
    table.tell(archive).close()
    assert texts(archive.folder) == [before]
    table.take_back()
    table.turn(TURNS[2])
    table.tell(archive).close()
    table.resigned()
    table.tell(archive).close()
    (after,) = texts(archive.folder)
    assert after.count("took back") == 2
    assert '[Result "1-0"]' in after
    table.tell(archive).close()
    assert texts(archive.folder) == [after]


def test_think_times_go_on_where_told_times_begin_at_0_again(archive: Archive) -> None:
    table = SpokenTable(begun_ms=(1 << 32) - 250, begins=False)
    mirror = Mirror(lambda _happening: None, archive)
    mirror.hear(Connected(table.identity, True), 0)
    mirror.hear(table.snapshot(), 0)
    table.begin()
    table.turn(*TURNS)
    table.hear(mirror, 0)
    mirror.close()
    assert mirror.record is not None
    assert [*think_times(mirror.record)] == [(1, 100), (2, 100)]


def test_another_game_of_the_same_number_does_not_overwrite(archive: Archive) -> None:
    first, second = SpokenTable(), SpokenTable()
    first.turn(*TURNS)
    second.turn("1 S E >present")
    first.tell(archive).close()
    before = texts(archive.folder)
    mirror = second.tell(archive)
    second.turn("16 N N >past")
    mirror.hear(second.events[-1], 0)
    mirror.close()
    assert len(texts(archive.folder)) == 2
    assert texts(archive.folder)[0] == before[0]
    assert read(records(archive.folder)[1]).record.turns == list(second.game.turns)


def test_games_that_nobody_followed(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(*TURNS)
    table.take_back()
    table.resigned()
    table.new_game()
    table.turn(TURNS[0])
    table.new_game()
    table.tell(archive, lost=len(table.events)).close()
    found = [read(path).record for path in records(archive.folder)]
    first, second = sorted(found, key=lambda record: record.headers[SOURCE])
    assert first.comments[1] == "0.20 s, certain; took back 1 S B >past"
    assert (first.headers["Result"], first.headers["Termination"]) == ("1-0", "resigned")
    assert (second.headers["Result"], second.headers["Termination"]) == ("*", "in progress")
    assert [len(record.turns) for record in (first, second)] == [2, 1]  # the third has none yet
    assert first.headers["Date"] == datetime.now().strftime("%Y-%m-%d")
    assert table.journal.kept == 1  # the one that goes on


def test_a_game_of_an_earlier_power_on_has_no_date(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(TURNS[0])
    table.resigned()
    table.identity.boot += 1
    mirror = Mirror(lambda _happening: None, archive, resumes=True)
    mirror.hear(Connected(table.identity, True), 0)
    table.answer(mirror)
    assert the_record(archive).headers["Date"] == "????-??-??"


def test_what_the_archive_knows_better_stays(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(*TURNS)
    table.resigned()
    table.tell(archive).close()
    (before,) = texts(archive.folder)
    failed = SpokenTable()  # the same game, but its flash failed after two turns
    failed.turn(*TURNS[:2])
    failed.journal.begin(pack_position(failed.game.state), 0, 9, 0)
    failed.is_over = True
    failed.tell(archive, lost=len(failed.events)).close()
    assert texts(archive.folder) == [before]


def test_a_game_has_a_file_from_its_first_turn_on(archive: Archive) -> None:
    table = SpokenTable()
    mirror = table.tell(archive)
    assert mirror.file is None
    assert mirror.record is not None
    assert mirror.record.headers[SOURCE] == "0000000000e6-00000001"
    table.new_game()
    table.hear(mirror, 1)
    mirror.close()
    assert not archive.folder.exists()
    mirror = table.tell(archive)  # the program was started anew
    table.turn(TURNS[0])
    mirror.hear(table.events[-1], 0)
    (path,) = records(archive.folder)
    assert mirror.file is not None
    assert mirror.file.path == path
    table.take_back()
    mirror.hear(table.events[-1], 0)
    table.turn(TURNS[0])
    mirror.hear(table.events[-1], 0)
    mirror.close()
    assert records(archive.folder) == [path]
    assert read(path).record.comments == [f"took back {TURNS[0]}; 0.50 s, certain"]


def test_an_empty_file_of_an_earlier_version_is_gone_on_with(archive: Archive) -> None:
    table = SpokenTable()
    record = Record()
    record.headers[SOURCE] = "0000000000e6-00000001"
    old = archive.new_game(record)
    table.turn(TURNS[0])
    table.tell(archive).close()
    assert records(archive.folder) == [old.path]
    assert read(old.path).record.turns == list(table.game.turns)


def test_a_game_that_the_table_went_on_with_differently_has_a_file_of_its_own(
    archive: Archive,
) -> None:
    """The flash lost the last turn, or the end, with the power: what was told stays."""
    for number, end in enumerate((False, True), 1):
        table = SpokenTable(game_id=number)
        table.turn(*TURNS)
        if end:
            table.resigned()
        table.tell(archive).close()
        before = texts(archive.folder)
        again = SpokenTable(game_id=number, boot=4)
        again.turn(*(TURNS if end else TURNS[:2]))
        mirror = again.tell(archive, lost=len(again.events))
        assert texts(archive.folder) == before, "nothing else happened yet"
        again.turn("1 S S >past" if not end else "15 W W >past")
        again.hear(mirror, len(again.events) - 1)
        assert mirror.needs_resync
        again.answer(mirror)
        mirror.close()
        assert set(before) < set(texts(archive.folder))
        assert mirror.file is not None
        assert read(mirror.file.path).record.turns == list(again.game.turns)
        assert len(texts(archive.folder)) == 2 * number


def test_the_same_turn_again_is_in_the_file_already(archive: Archive) -> None:
    table = SpokenTable()
    table.turn(*TURNS)
    table.tell(archive).close()
    again = SpokenTable(boot=4)
    again.turn(*TURNS[:2])
    mirror = again.tell(archive, lost=len(again.events))
    for text in (TURNS[2], "15 W W >past"):
        again.turn(text)
        mirror.hear(again.events[-1], 0)
    mirror.close()
    assert the_record(archive).turns == list(again.game.turns)


def test_what_was_told_survives_somebody_who_writes_over_its_file(archive: Archive) -> None:
    """The table keeps no games here, so only this PC has the turns."""
    table = SpokenTable(room=0)
    table.turn(TURNS[0])
    mirror = Mirror(lambda _happening: None, archive, resumes=True)
    mirror.hear(Connected(table.identity, True), 0)
    mirror.hear(Message("snapshot", {**table.snapshot().values, "game_id": 0}), 0)
    table.hear(mirror, 0)
    assert mirror.file is not None
    mirror.file.path.write_text("my notes", "utf-8")
    notes = mirror.file.path
    table.turn(TURNS[1])
    mirror.hear(table.events[-1], 0)
    table.answer(mirror)
    mirror.close()
    assert notes.read_text("utf-8") == "my notes"
    (kept,) = [read(path).record for path in records(archive.folder) if path != notes]
    assert [format_turn(turn) for turn in kept.turns] == [TURNS[0]]


@pytest.mark.parametrize("seed", range(sweep.size(5, 45)))
def test_whatever_is_lost_taken_back_and_told_again_the_file_has_the_game(
    archive: Archive, seed: int
) -> None:
    rng = Random(seed)
    table = SpokenTable(start=list(STARTS.values())[seed % len(STARTS)])
    mirror = table.tell(archive)
    told = len(table.events)
    for _ in range(40):
        legal = list(table.game.legal_turns())
        if legal and rng.random() < 0.6:
            table.turn(format_turn(rng.choice(legal[:3])))
        elif table.game.turns and rng.random() < 0.7:
            table.take_back()
        elif rng.random() < 0.3:
            if table.game.winner() == NOBODY:
                table.resigned()
            table.new_game()
        if rng.random() < 0.2:
            mirror.close()
            mirror = table.tell(archive, lost=rng.choice([0, rng.randint(0, told)]))
        elif rng.random() < 0.1 and told < len(table.events):
            mirror.hear(LostEvents(told + 1, told + 1), 0)
            told += 1
            table.hear(mirror, told)
        elif rng.random() < 0.7:
            table.hear(mirror, told)
        else:
            continue
        told = len(table.events)
        table.answer(mirror)
        assert list(mirror.game.turns) == list(table.game.turns), seed
        if table.game.turns:
            assert mirror.file is not None
            assert mirror.file.record.turns == list(mirror.game.turns), seed
    table.hear(mirror, told)
    table.answer(mirror)
    mirror.close()
    kept = [read(path).record for path in records(archive.folder)]
    found = {int(record.headers[SOURCE][-8:], 16): record.turns for record in kept if record.turns}
    assert len(found) == sum(bool(record.turns) for record in kept), seed
    assert found == {game: turns for game, turns in table.played.items() if turns}, seed


def test_what_the_table_reports_of_itself_is_told() -> None:
    told: list[JsonLine] = []
    mirror = Mirror(into(told))
    mirror.hear(Connected(SpokenTable().identity, True), 0)
    fields: dict[str, int | str | None] = {"boots": 2, "reason": "OSError 5 loop.py:80"}
    mirror.hear(Message("failure", fields), 0)
    mirror.hear(Message("journal", {"first": 0, "current": 0, "kept": 9, "full": 1}), 0)
    mirror.hear(Message("unsupported", {"letter": "f"}), 0)
    failed, full, unknown = [what["notice"] for what in told if "notice" in what]
    assert failed.endswith("failed before: OSError 5 loop.py:80 (starts that failed in a row: 2)")
    assert "no room" in full
    assert "update the firmware" in unknown


@pytest.mark.parametrize("modules", range(8))
def test_what_drew_modules_is_said_of_a_game_with_these_only(
    archive: Archive, modules: int
) -> None:
    """Whoever plays has drawn, and the table may be in another game."""
    table = SpokenTable(start=objects.new_state(modules))
    mirror = Mirror(lambda _happening: None, archive, {"Draw": "convergence 5", "White": "A"})
    mirror.hear(Connected(table.identity, True), 0)
    table.hear(mirror, 0)
    table.answer(mirror)
    assert mirror.record is not None
    headers = mirror.record.headers
    assert headers["White"] == "A"
    assert headers.get("Draw") == ("convergence 5" if modules == objects.convergence(5) else None)


def test_a_program_with_no_past_knows_the_games_that_it_has_begun(archive: Archive) -> None:
    """A virtual table numbers its games alike each time: those of the archive are others."""
    for games in (2, 4):
        table = SpokenTable()
        mirror = Mirror(lambda _happening: None, archive)
        mirror.hear(Connected(table.identity, True), 0)
        table.game_id, table.journal.game_id = 0, 0
        mirror.hear(table.snapshot(), 0)
        table.game_id = table.journal.game_id = 1
        table.turn(TURNS[0])
        table.resigned()
        table.new_game()
        table.turn(TURNS[0])
        table.hear(mirror, 0)
        table.answer(mirror)
        mirror.close()
        assert len(records(archive.folder)) == games


@pytest.mark.parametrize(("command", "is_said"), [("undo", True), ("want", False)])
def test_only_what_nobody_tells_again_is_said_to_be_lost(command: str, is_said: bool) -> None:
    """Whoever wants a turn tells the table until it shows it, and so after it was switched off."""
    said: list[Happening] = []
    Mirror(said.append).hear(CommandLost(command, {}), 0)
    lost = Refused(0, f"the table restarted before it took '{command}'")
    assert said == ([lost] if is_said else [])


# ---- modules


@pytest.fixture
def archives(tmp_path: Path) -> Iterator[tuple[Archive, Archive]]:
    with Archive(tmp_path / "live") as live, Archive(tmp_path / "kept") as kept:
        yield live, kept


def played_for(archives: tuple[Archive, Archive], seed: int, play: Play) -> DrivenTable:
    """Have a game followed live into one archive, and fetched from the journal into the other."""
    for archive in archives:
        table = DrivenTable(seed)
        if archive is archives[0]:
            table.attach(archive)
        else:
            table.run(1000)
        play(table)
        table.run(1000)
        if archive is archives[1]:
            table.attach(archive)
            table.run(2000)
        table.detach()
    assert texts(archives[0].folder) == texts(archives[1].folder)
    return table


Play = Callable[[DrivenTable], None]


@pytest.mark.parametrize("name", lanes.first(STARTS, 5))
def test_the_record_is_the_same_live_and_out_of_the_journal(
    archives: tuple[Archive, Archive], name: str
) -> None:
    start = STARTS[name]

    def play(table: DrivenTable) -> None:
        table.begin(start, 1)
        table.run(1000)
        table.play(9)
        table.resign(WHITE)

    table = played_for(archives, 7, play)
    assert not table.heard("mismatch")
    assert not table.heard("log") + table.heard("notice")
    assert not table.table.journal.first(), "it was delivered"
    (told,) = texts(archives[0].folder)
    record = parse_record(told)
    assert record.start == start
    assert record.turns == list(table.table.game.turns)
    assert record.headers["Modules"] == format_modules(objects.modules_of(start))
    assert record.headers["Result"] == "0-1"


@pytest.mark.parametrize("name", STARTS)
def test_a_pc_that_comes_late_has_the_whole_game(
    archives: tuple[Archive, Archive], name: str
) -> None:
    table = DrivenTable(3)
    table.begin(STARTS[name])
    table.play(4)
    mirror = table.attach(archives[0])
    assert mirror.game.state == table.table.game.state
    table.play(3)
    assert list(mirror.game.turns) == list(table.table.game.turns)
    table.detach()
    (text,) = texts(archives[0].folder)
    assert parse_record(text).start == STARTS[name]


@pytest.mark.parametrize("name", STARTS)
def test_a_table_that_keeps_no_games_is_joined_where_it_is(
    archives: tuple[Archive, Archive], name: str
) -> None:
    table = DrivenTable(4, store=MemoryStore(room=100))
    table.begin(STARTS[name])
    table.play(4)
    mirror = table.attach(archives[0])
    here = format_position(table.table.game.state)
    assert table.heard("joined") == [here]
    assert mirror.game.state == parse_position(here)
    table.play(3)
    assert mirror.game.state == table.table.game.state
    table.detach()
    assert mirror.record is not None
    assert format_position(mirror.record.start) == here
    starts = [format_position(parse_record(text).start) for text in texts(archives[0].folder)]
    assert starts == [here] * bool(mirror.game.turns)  # some positions have only turns that win


def test_the_objects_of_one_turn_are_never_joined_with_the_snapshot_of_another() -> None:
    table = DrivenTable(5, store=MemoryStore(room=100))
    table.begin(objects.new_state(objects.ALL_MODULES))
    table.play(4)
    mirror = table.attach(None)
    mirror._on_objects(0, "f" * 51)
    joined = len(table.heard("joined"))
    mirror.adopt(None, 0)
    things = "".join(f"{word:04x}" for word in objects.new_state(7)[7:19]) + "000"
    mirror._on_objects(0, things)
    mirror.adopt(None, 0)
    assert len(table.heard("joined")) == joined


@pytest.mark.parametrize("name", STARTS)
def test_a_pc_has_any_position_set_up(name: str) -> None:
    table = DrivenTable(6)
    table.attach(None)
    assert table.session is not None
    table.session.set_up(STARTS[name], 2)
    table.run()
    assert table.table.game.state == STARTS[name]
    assert table.table.game.options == 2
    assert not table.heard("refused")


def test_what_was_laid_for_one_game_is_not_there_in_another() -> None:
    table = DrivenTable(6)
    table.attach(None)
    session = table.session
    assert session is not None
    session.set_up(STARTS["a position of 7"], 0)
    session.set_up(objects.new_state(7), 0)
    table.run()
    assert table.table.game.state == objects.new_state(7)
    apart = STARTS["a position of 2"]
    session.command("new_game", position=pack_position(apart), options=0)
    table.run()
    assert len(table.heard("refused")) == 1
    assert table.table.game.state == objects.new_state(7)


def test_a_table_that_draws_tells_the_seed(archives: tuple[Archive, Archive]) -> None:
    def play(table: DrivenTable) -> None:
        table.begin(objects.new_state(objects.MEMORY))
        table.play(2)
        table.resign(BLACK)
        table.press(("draw", SHARED))
        table.go()
        table.play(4)
        table.resign(BLACK)

    table = played_for(archives, 8, play)
    first, second = map(parse_record, texts(archives[0].folder))
    assert DRAW not in first.headers
    word, seed = second.headers[DRAW].split()
    assert word == "convergence"
    assert objects.new_state(objects.convergence(int(seed))) == second.start
    assert int(seed) == table.table.game_id
