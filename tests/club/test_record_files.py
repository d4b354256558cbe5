"""The club's records on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronotable_club.folder import CHANGED_S, ChangedError, RecordFiles
from chronotable_club.hub import FiledRecord
from chronotable_host.archive.parsing import read
from chronotable_host.rules.record import Record, format_record
from tests.club.shown import beginning, recorded

GAME = "2026-05-01T1200Z-0abcdef1"
RECORD = recorded("Ada", "Bob")[3]


def filing(record: Record, table: str = "tableaaa", game: str = GAME) -> FiledRecord:
    copy = beginning(record, 999)
    fresh = Record(copy.start, copy.options)
    fresh.headers, fresh.turns, fresh.comments = dict(copy.headers), copy.turns, copy.comments
    return FiledRecord(table, game, format_record(record), fresh)


def test_a_game_grows_in_its_file(tmp_path: Path) -> None:
    files = RecordFiles(tmp_path / "games")
    for turns in range(1, len(RECORD.turns) + 1):
        if turns == 9:
            files = RecordFiles(tmp_path / "games")  # another start
        path = files.store(filing(beginning(RECORD, turns)), "Table 4")
        assert path.name == f"{GAME}.ttykm"
        record = read(path).record
        assert record.turns == RECORD.turns[:turns]
        assert record.headers["Table"] == "Table 4"
    assert [each.name for each in (tmp_path / "games").iterdir()] == [f"{GAME}.ttykm"]
    before = path.stat().st_mtime_ns
    files.store(filing(RECORD), "Table 4")
    assert path.stat().st_mtime_ns == before
    back = files.store(filing(beginning(RECORD, 5)), "Table 4")  # taken back, soon after the end
    assert read(back).record.turns == RECORD.turns[:5]


def test_what_a_crash_cut_short_is_mended(tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    path = files.store(filing(beginning(RECORD, 6)), "Table 4")
    data = path.read_bytes()
    for cut in range(1, 60, 7):
        path.write_bytes(data[:-cut])
        files = RecordFiles(tmp_path)
        files.store(filing(beginning(RECORD, 7)), "Table 4")
        assert read(path).record.turns == RECORD.turns[:7]
        path.write_bytes(data)


def test_what_another_program_wrote_is_not_written_behind(tmp_path: Path) -> None:
    ours, others = RecordFiles(tmp_path / "games"), RecordFiles(tmp_path / "games")
    for turns, files in ((3, ours), (4, others), (5, ours), (9, others)):
        path = files.store(filing(beginning(RECORD, turns)), "Table 4")
        assert read(path).record.turns == RECORD.turns[:turns]
    path.unlink()
    assert read(ours.store(filing(RECORD), "Table 4")).record.turns == RECORD.turns


def test_no_table_writes_into_another_s_file(tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    first = files.store(filing(beginning(RECORD, 4)), "Table 1")
    for again in (files, RecordFiles(tmp_path)):
        other = again.store(filing(beginning(RECORD, 3), "tablebbb"), "Table 2")
        assert other.name == f"{GAME}-tablebbb.ttykm"
    assert len(read(first).record.turns) == 4
    odd = files.store(filing(beginning(RECORD, 3), "tablebbb", "x"), "Table 2")
    assert odd.name == "x-tablebbb.ttykm"


def test_a_game_that_is_over_long_since_stays_as_it_is(tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    path = files.store(filing(RECORD), "Table 1")
    old = path.stat().st_mtime - CHANGED_S - 5
    os.utime(path, (old, old))
    for again in (files, RecordFiles(tmp_path)):
        with pytest.raises(ChangedError, match="over long since"):
            again.store(filing(beginning(RECORD, 5)), "Table 1")
    assert read(path).record.turns == RECORD.turns
    commented = beginning(RECORD, 999)
    commented.comments = [*commented.comments[:-1], "a fine turn"]
    files.store(filing(commented), "Table 1")
    assert read(path).record.comments[-1] == "a fine turn"
