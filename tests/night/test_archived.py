"""Games of a night in the archive: one list with those of the table, found, exported, replayed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host.archive.nights import GameRecord, format_record
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record as format_table
from chronotable_host.web.study.games import Games, NoSuchGame
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.games.record import course
from chronotable_night.games.shelf import kinds
from tests.games.courses import recorded
from tests.host.archives import Output, random_record, told

FIRST, *OTHERS = kinds().values()  # any games of the shelf will do
OLD, TABLE, NEW = "00000001", "00000002", "00000003"
"""Ids, the oldest first."""


def file_of(day: int, id: str, suffix: str) -> str:  # noqa: A002
    return f"2026-11-{day}T2000Z-{id}{suffix}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a game of a night, then one of the table, then another night's."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("CHRONOTABLE_HOME", str(folder))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)
    kept(folder, 20, OLD, recorded(FIRST))
    kept(folder, 22, NEW, recorded(OTHERS[0], names=("Ada", "Zoe", "Yva"), bot=2))
    table = random_record(3)
    table.headers.update({"White": "Ada", "Black": "Zoe", "Date": "2026-11-21"})
    (folder / file_of(21, TABLE, ".ttykm")).write_text(format_table(table), "utf-8")
    return folder


def kept(folder: Path, day: int, id: str, record: GameRecord) -> Path:  # noqa: A002
    path = folder / file_of(day, id, ".night")
    path.write_text(format_record(record), "utf-8")
    return path


def listed(capsys: Output, *words: str) -> list[str]:
    status, out, _ = told(capsys, "games", "--json", *words)
    assert status == 0
    return [each["id"] for each in json.loads(out)]


# ---- found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), [NEW, TABLE, OLD]),
        (("--limit", "2"), [NEW, TABLE]),
        (("--player", "zoe"), [NEW, TABLE]),
        (("--player", "ada"), [NEW, TABLE, OLD]),
        (("--player", "BE"), [OLD]),
        (("--player", "yv"), [NEW]),
        (("--player", "nobody"), []),
        (("--result", "*"), []),
        (("--mistakes",), []),
    ],
)
def test_one_list_has_all_games_the_newest_first(
    home: Path, capsys: Output, words: tuple[str, ...], found: list[str]
) -> None:
    assert listed(capsys, *words) == found


def test_a_result_of_the_table_is_none_of_a_night(home: Path, capsys: Output) -> None:
    assert listed(capsys, "--result", "1-0") + listed(capsys, "--result", "0-1") == [TABLE]


def test_the_list_says_which_game_it_was_and_who_has_won(home: Path, capsys: Output) -> None:
    entry = Archive(home).get(OLD, with_nights=True)
    out = told(capsys, "games")[1]
    head, newest, table, oldest = out.splitlines()
    assert head.split() == ["id", "date", "game", "players", "result", "turns", "end"]
    assert OTHERS[0].name in newest
    assert "Ada, Zoe" in table
    assert FIRST.name in oldest
    assert ", ".join(entry.players) in oldest
    assert f"won by {', '.join(entry.winners)}" in oldest


def test_an_index_that_is_old_or_made_anew_has_them(home: Path, capsys: Output) -> None:
    assert len(listed(capsys)) == 3
    with closing(sqlite3.connect(home / "index.sqlite")) as index:
        index.execute("alter table chronotable_games drop column seats")
        index.execute("update chronotable set schema = 5")
        index.commit()
    assert listed(capsys) == [NEW, TABLE, OLD]
    status, out, err = told(capsys, "games", "--rebuild")
    assert status == 0
    assert "3 games" in err
    assert len(out.splitlines()) == 4


def test_what_cannot_be_read_is_said_and_the_others_are_listed(home: Path, capsys: Output) -> None:
    kept(home, 23, "00000004", recorded(FIRST)).write_bytes(b"\xff\xfe")
    kept(home, 24, "00000005", recorded(FIRST)).write_text("[Seed 5]\n", "utf-8")
    status, out, err = told(capsys, "games")
    assert status == 0
    assert len(out.splitlines()) == 4
    assert "00000004.night: cannot be read: byte 1 is not UTF-8 text" in err
    assert "00000005.night: cannot be read: line 1: action 1 is due" in err
    status, _, err = told(capsys, "show", "00000005")
    assert status == 2
    assert "line 1: action 1 is due" in err


def test_what_is_only_for_the_table_s_game_takes_its_last_one_and_refuses_others(
    home: Path, capsys: Output
) -> None:
    with Archive(home) as archive:
        assert archive.get("last").id == TABLE
        assert archive.get("last", with_nights=True).id == NEW
        assert [each.id for each in archive.games()] == [TABLE]
        assert len(archive.facts()) == 1
        with pytest.raises(UserError, match=f"is a game of a night, {FIRST.name}; this is only"):
            archive.get(OLD)
    status, _, err = told(capsys, "analyse", OLD, "--level", "4")
    assert (status, err.count("\n")) == (2, 1)
    assert "is a game of a night" in err


def test_statistics_count_them_by_game(home: Path, games: Games, capsys: Output) -> None:
    with Archive(home) as archive:
        winners = archive.get(OLD, with_nights=True).winners
    found = json.loads(told(capsys, "statistics", "--json")[1])
    assert found["total"]["games"] == 1
    rows = [{"name": kind.name, "games": 1, "won": None} for kind in (OTHERS[0], FIRST)]
    assert found["nights"] == rows
    won = {"name": FIRST.name, "games": 1, "won": 1}
    assert (
        won in json.loads(told(capsys, "statistics", "--player", winners[0], "--json")[1])["nights"]
    )
    table = told(capsys, "statistics", "--player", winners[0])[1].split("\n\n")
    assert [f"{FIRST.name} 1 1"] == [
        " ".join(line.split()) for part in table for line in part.splitlines() if FIRST.name in line
    ]
    assert [each["called"] for each in games.statistics("", "standard", "")["nights"]] == [
        OTHERS[0].title,
        FIRST.title,
    ]


# ---- taken along


def test_exported_and_imported_they_are_the_same_byte_for_byte(
    home: Path, tmp_path: Path, capsys: Output
) -> None:
    before = {path.read_bytes() for path in home.iterdir() if path.suffix in (".night", ".ttykm")}
    file = tmp_path / "all.games"
    assert told(capsys, "export", "--all", "--to", str(file))[0] == 0
    status, out, _ = told(capsys, "verify", str(file))
    assert (status, out.splitlines()[-1]) == (0, "passed 3, failed 0, not covered 0")
    again = tmp_path / "again"
    assert told(capsys, "import", str(file), "--archive", str(again))[0] == 0
    there = list((again / "imported").iterdir())
    assert {path.read_bytes() for path in there} == before
    assert sorted(path.suffix for path in there) == [".night", ".night", ".ttykm"]
    status, out, _ = told(capsys, "import", str(file))
    assert status == 0
    assert "skipped 3" in out
    assert len(listed(capsys)) == 3


def test_one_is_exported_as_its_file_and_not_as_a_picture(
    home: Path, tmp_path: Path, capsys: Output
) -> None:
    status, out, _ = told(capsys, "export", OLD)
    assert (status, out) == (0, (home / file_of(20, OLD, ".night")).read_text("utf-8"))
    for ending in ("html", "svg", "txt"):
        file = tmp_path / f"game.{ending}"
        status, _, err = told(capsys, "export", OLD, "--to", str(file))
        assert status == 2
        assert "a game of a night is written as a record" in err
        assert not file.exists()


def test_a_text_that_is_not_in_order_is_not_imported_at_all(
    home: Path, tmp_path: Path, capsys: Output
) -> None:
    good = format_record(recorded(OTHERS[1]))
    file = tmp_path / "two.night"
    file.write_text(good + "\n" + good.replace("\n2. ", "\n7. "), "utf-8")
    status, _, err = told(capsys, "import", str(file))
    line = (
        len(good.splitlines())
        + 1
        + next(number for number, text in enumerate(good.splitlines(), 1) if text.startswith("2. "))
    )
    assert status == 2
    assert f"{file}, game 2: line {line}: action 2 is due" in err
    assert len(listed(capsys)) == 3


# ---- on the page


@pytest.fixture
def games(home: Path) -> Iterator[Games]:
    with closing(Games(home)) as games:
        yield games


def test_the_page_has_the_same_list(games: Games) -> None:
    found = games.list("", "", 2, 0)
    assert ([each["id"] for each in found["games"]], found["total"]) == ([NEW, TABLE], 3)
    (last,) = games.list("", "", 2, 2)["games"]
    assert (last["id"], last["game"], last["title"]) == (OLD, FIRST.name, FIRST.title)
    assert set(last["winners"]) <= set(last["players"])
    assert games.list("zoe", "", 10, 0)["total"] == 2
    assert games.list("", "", 10, 0, "mistakes")["total"] == 0


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_a_replay_tells_each_seat_what_it_saw(kind, tmp_path: Path) -> None:
    record = recorded(kind, bot=1)
    kept(tmp_path, 20, OLD, record)
    game, states = course(record)
    with closing(Games(tmp_path)) as games:
        for seat in range(SPECTATOR, len(record.players)):
            told = json.loads(json.dumps(games.night(OLD, seat)))
            assert [each["name"] for each in told["seated"]] == record.players
            assert [each["bot"] for each in told["seated"]][:2] == ["random", ""]
            views = [game.view(each.state, seat) for each in states]
            assert [each["view"] for each in told["moments"]] == json.loads(json.dumps(views))
            numbers = [each["n"] for it in told["moments"] for each in it["happened"]]
            assert numbers == list(range(1, len(numbers) + 1))
            whose = [each["by"] for each in told["moments"]]
            assert whose == [None, *(each for each, _ in record.actions)]
            assert told["moments"][-1]["outcome"]["says"]
            assert told["moments"][-1]["deciding"] == []
        with pytest.raises(UserError, match="no seat"):
            games.night(OLD, len(record.players))
        name, text = games.record(OLD)
        assert (name, text) == (file_of(20, OLD, ".night"), format_record(record))


def test_what_cannot_be_replayed_is_said(home: Path, games: Games) -> None:
    path = kept(home, 25, "00000006", recorded(FIRST))
    text = path.read_text("utf-8")
    second = next(line for line in text.splitlines() if line.startswith("2. "))
    path.write_text(text.replace(second, "2. 1: nothing of the kind"), "utf-8")
    with pytest.raises(UserError, match="action 2: expected nothing of the kind to be legal"):
        games.night("00000006", SPECTATOR)
    with pytest.raises(NoSuchGame, match="no game of that id"):
        games.night(TABLE, SPECTATOR)
    with pytest.raises(NoSuchGame, match="is a game of a night"):
        games.game(OLD)
    path.unlink()
    with pytest.raises(NoSuchGame):
        games.night("00000006", SPECTATOR)


def test_a_game_that_is_too_long_for_the_page_is_not_replayed(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronotable_night.archived.MOST_ACTIONS", 3)
    with pytest.raises(UserError, match="more than 3 actions"):
        games.night(OLD, SPECTATOR)
