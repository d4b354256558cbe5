"""The archive: nothing that was told is lost, and the index says what the files say."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from chronotable_host.archive import files, store
from chronotable_host.archive.files import GameFile, parse, parse_records, read, split_records
from chronotable_host.archive.store import Archive, default_folder
from chronotable_host.cli import run
from chronotable_host.errors import UserError
from ttykm.game import Game
from ttykm.layout import new_state
from ttykm.notation import format_position, format_turn, parse_turn
from ttykm.record import RESULTS, Record, RecordError, format_record

Output = pytest.CaptureFixture[str]

TURNS = ["1 E F >present", "16 N N >past", "1 S E >future", "16 W W >present"]
WINNER = {0: "1-0", 1: "0-1"}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "archive"))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)


@pytest.fixture
def archive() -> Iterator[Archive]:
    with Archive() as opened:
        yield opened


def played(white: str = "Ada", black: str = "Bob", turns: list[str] | None = None) -> Record:
    """Return a record of a game in progress."""
    record = Record()
    record.headers.update({"White": white, "Black": black, "Date": "2026-11-20"})
    for text in TURNS if turns is None else turns:
        record.add(parse_turn(text))
    return record


def random_record(seed: int) -> Record:
    """Return a finished game of random turns."""
    rng = random.Random(seed)
    record, game = Record(), Game()
    while turns := list(game.legal_turns()):
        turn = rng.choice(turns)
        game.apply(turn)
        record.add(turn, rng.choice(["", "0.7 s", "asked {a or b}"]))
    record.finish(WINNER[game.winner()], "normal")
    return record


def turn_texts(record: Record) -> list[str]:
    return [format_turn(turn) for turn in record.turns]


# ---------------------------------------------------------------- a game's file


def test_file_of_a_new_game(tmp_path: Path) -> None:
    now = datetime(2026, 11, 20, 21, 53, 7, 250_000)
    game = GameFile.create(tmp_path / "new" / "folder", played(turns=[]), now)
    assert game.path.name.startswith(f"2026-11-20T2153-{7_250_000:07x}")
    assert game.path.name.endswith(f"-{game.id}.ttykm")
    assert len(game.id) == 8
    assert game.path.read_text("utf-8") == format_record(played(turns=[]))
    assert [path.name for path in game.path.parent.iterdir()] == [game.path.name]


def test_names_sort_by_time(tmp_path: Path) -> None:
    moments = [datetime(2026, 11, 20, 21, 53, s, us) for s in (0, 9, 59) for us in (0, 1, 999999)]
    names = [files.new_path(tmp_path, moment).name for moment in moments]
    assert names == sorted(names)


def test_turns_are_appended_as_canonical_lines(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=[])) as game:
        for number, text in enumerate(TURNS, 1):
            game.append(parse_turn(text), f"turn {{{number}}}")
            assert game.path.read_text("utf-8") == format_record(game.record)
        assert turn_texts(read(game.path).record) == TURNS
        assert game.record.comments[0] == "turn (1)"


def test_a_turn_is_on_the_disk_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []

    def sync(fd: int) -> None:
        synced.append(os.fstat(fd).st_size)

    monkeypatch.setattr(files, "_sync", sync)
    with GameFile.create(tmp_path, played(turns=[])) as game:
        for text in TURNS:
            before = len(synced)
            game.append(parse_turn(text))
            assert synced[before:] == [game.path.stat().st_size]


@pytest.mark.parametrize("fails", ["sync", "write"])
def test_a_turn_that_cannot_be_written_is_in_neither_file_nor_record(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with GameFile.create(tmp_path, played()) as game:
        text = game.path.read_text("utf-8")
        with monkeypatch.context() as patch:
            if fails == "sync":
                patch.setattr(files, "_sync", fail)
            else:
                patch.setattr(game, "_append_line", fail)
            with pytest.raises(OSError, match="No space left"):
                game.append(parse_turn("1 S S >past"))
            if fails == "sync":
                with pytest.raises(OSError, match="No space left"):
                    game.take_back()
                with pytest.raises(OSError, match="No space left"):
                    game.finish("1-0", "resigned")
        assert game.path.read_text("utf-8") == text == format_record(game.record)
        assert [path.name for path in tmp_path.iterdir()] == [game.path.name]
        game.append(parse_turn("1 S S >past"))
        assert turn_texts(read(game.path).record) == [*TURNS, "1 S S >past"]


def test_take_back_leaves_a_note(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=TURNS[:2])) as game:
        assert format_turn(game.take_back()) == TURNS[1]
        assert read(game.path).record.comments == [f"took back {TURNS[1]}"]
        assert format_turn(game.take_back()) == TURNS[0]
        game.append(parse_turn("1 S S >future"), "certain")
        record = read(game.path).record
        assert turn_texts(record) == ["1 S S >future"]
        assert record.comments == [f"took back {TURNS[0]}; certain"]
        game.take_back()
        with pytest.raises(IndexError):
            game.take_back()


def test_finish_and_going_on(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played()) as game:
        with pytest.raises(RecordError, match="does not go with"):
            game.finish("1-0", "agreed")
        game.finish("1/2-1/2", "agreed")
        assert read(game.path).record.headers["Result"] == "1/2-1/2"
        with pytest.raises(ValueError, match="finished"):
            game.append(parse_turn("1 S S >past"))
        game.take_back()  # the players think again
        assert read(game.path).record.headers["Result"] == "*"
        game.append(parse_turn(TURNS[3]))
        assert turn_texts(read(game.path).record) == TURNS


def test_resume(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=[])) as game:
        game.append(parse_turn(TURNS[0]))
    with GameFile.resume(game.path) as again:
        again.append(parse_turn(TURNS[1]))
        assert turn_texts(read(game.path).record) == TURNS[:2]


def test_resume_mends_a_torn_line(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played()) as game:
        pass
    game.path.write_bytes(game.path.read_bytes() + b"5. 1 S S >pas{")
    with GameFile.resume(game.path) as again:
        again.append(parse_turn("1 S S >past"))
        assert again.path.read_text("utf-8") == format_record(again.record)
        assert turn_texts(again.record) == [*TURNS, "1 S S >past"]


# ---------------------------------------------------------------- torn files


def test_a_last_line_cut_anywhere_costs_that_turn_at_most() -> None:
    record = played(white="Zoë")
    record.comments[-1] = "gefühlt: sicher"
    data = format_record(record).encode("utf-8")
    last_line = data.rindex(b"\n", 0, -1) + 1
    for cut in range(last_line, len(data) + 1):
        for tail in (b"", b"\0", b"\0" * 100):
            reading = parse(data[:cut] + tail)
            assert turn_texts(reading.record) in (TURNS[:3], TURNS)
            if turn_texts(reading.record) == TURNS[:3]:
                assert reading.note == "" if cut == last_line else "3 turns" in reading.note
    assert parse(data).note == ""


def test_nothing_but_a_torn_last_line_is_forgiven() -> None:
    text = format_record(played())
    for damaged in (
        text.replace("2. 16", "2. 99"),  # in the middle
        text.replace("2. 16", "2. 99") + "5. 1 S",  # and a torn line besides
        text + "5. 1 S\n",  # not torn: somebody ended that line
        text.replace('"*"', '"1-0"').replace('"abandoned"', '"resigned"') + "5. 1 S",  # finished
        "",
        "\0\0",
        "5. 1 S",
        '[White "',
    ):
        with pytest.raises(RecordError):
            parse(damaged.encode("utf-8"))
    with pytest.raises(RecordError, match="byte 1 is not UTF-8"):
        parse(b"\xff" + text.encode("utf-8"))


def test_a_game_that_was_won_before_its_headers_said_so() -> None:
    finished = random_record(3)
    record = Record()
    for turn in finished.turns:
        record.add(turn)
    reading = parse(format_record(record).encode("utf-8"))
    assert reading.record.headers["Result"] == finished.headers["Result"]
    assert reading.record.headers["Termination"] == "normal"
    assert "won" in reading.note
    claimed = format_record(record).replace('"*"', '"1/2-1/2"').replace("abandoned", "agreed")
    with pytest.raises(RecordError):
        parse(claimed.encode("utf-8"))


KILLED = """
import random, sys
from pathlib import Path
from chronotable_host.archive.files import GameFile
from ttykm.game import Game
from ttykm.notation import format_turn
from ttykm.record import RESULTS, Record

rng = random.Random(int(sys.argv[2]))
while True:
    game = Game()
    with GameFile.create(Path(sys.argv[1]), Record()) as file:
        print(file.path, flush=True)
        while turns := list(game.legal_turns()):
            turn = rng.choice(turns)
            game.apply(turn)
            file.append(turn, "x" * rng.randrange(200))
            print(format_turn(turn), flush=True)
        file.finish(RESULTS[game.winner()], "normal")
"""


@pytest.mark.parametrize("seed", range(5))
def test_kill(seed: int, tmp_path: Path) -> None:
    """A process is killed at any moment: every turn that it told of is in the file."""
    print("seed", seed)
    told: dict[Path, list[str]] = {}
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path), str(seed)], stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(random.Random(seed).randrange(1, 90))]
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        lines += process.stdout.read().splitlines(keepends=True)
    for line in lines:
        text = line.decode("utf-8")
        if not text.endswith("\n"):
            break
        if text.startswith(str(tmp_path)):
            path = Path(text.strip())
            told[path] = []
        else:
            told[path].append(text.strip())
    assert told
    for path, turns in told.items():
        found = turn_texts(read(path).record)
        assert found[: len(turns)] == turns
        assert len(found) <= len(turns) + 1
    with Archive(tmp_path) as archive:
        assert len(archive.games()) >= len(told)
        assert archive.problems() == []


# ---------------------------------------------------------------- several records in a text


def test_records_of_one_text() -> None:
    records = [played("A", "B"), played(turns=[]), played("C", "D"), played("C", "D", [])]
    text = "\n".join(format_record(record) for record in records)
    assert [format_record(r) for r in parse_records(text, "x")] == [
        format_record(r) for r in records
    ]
    assert len(parse_records(text + "\n \n", "x")) == 4
    windows = text.replace("\n", "\r\n")
    assert [format_record(r) for r in parse_records(windows, "x")] == [
        format_record(r) for r in records
    ]


def test_records_are_split_outside_comments_only() -> None:
    text = '1. 1 E F >present {[White "no"]\n[Black "no"]\n} 2. 16 N N >past\n[White "yes"]\n1. '
    parts = split_records(text)
    assert [line for line, _ in parts] == [0, 3]
    assert parts[1][1] == '[White "yes"]\n1. '


def test_a_bad_record_is_named_with_its_line() -> None:
    text = format_record(played()) + "\n" + format_record(played()).replace("2. 16", "2. 99")
    with pytest.raises(RecordError) as caught:
        parse_records(text, "evening.txt")
    assert str(caught.value) == (
        "evening.txt, game 2: line 29, turn 2: turn: '99' is not a space from 1 to 16"
    )
    with pytest.raises(RecordError, match=r"^x: no game is in it$"):
        parse_records(" \n", "x")
    with pytest.raises(
        RecordError, match=r"^x: turn 1: .* so you cannot travel forward \(T24\)\.$"
    ):
        parse_records("1. 1 F E >future", "x")


# ---------------------------------------------------------------- the archive


def test_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert default_folder() == tmp_path / "archive"
    monkeypatch.delenv("CHRONOTABLE_HOME")
    assert default_folder().name == "chronotable"


def test_an_archive_that_is_not_there_is_empty(archive: Archive) -> None:
    assert archive.games() == []
    with pytest.raises(UserError, match="it has none yet"):
        archive.get("last")
    assert not archive.folder.exists()


def test_a_live_game_is_found(archive: Archive) -> None:
    record = Record()
    now = datetime(2026, 11, 20, 21, 53)
    with archive.new_game(record, now) as game:
        assert record.headers["Date"] == "2026-11-20"
        for count, text in enumerate(TURNS, 1):
            game.append(parse_turn(text))
            archive.refresh()
            entry = archive.get("last")
            assert (entry.id, entry.turns, entry.result, entry.imported) == (
                game.id, count, "*", False,
            )  # fmt: skip
        assert entry.start == format_position(new_state())
        assert archive.export(entry) == format_record(record)


def test_filters(archive: Archive) -> None:
    for seed, (white, black) in enumerate([("Ada", "Bob"), ("Émile", "ADA K."), ("Cy", "Bo_b")]):
        record = random_record(seed)
        record.headers.update({"White": white, "Black": black})
        archive.new_game(record).close()
    names = [game.white for game in archive.games()]
    assert names == ["Cy", "Émile", "Ada"]  # the newest first
    assert [game.white for game in archive.games(player="ada")] == ["Émile", "Ada"]
    assert [game.white for game in archive.games(player="éMILE")] == ["Émile"]
    assert [game.white for game in archive.games(player="o_b")] == ["Cy"]
    assert [game.white for game in archive.games(player="%")] == []
    assert [game.white for game in archive.games(limit=1)] == ["Cy"]
    for result in RESULTS:
        assert all(game.result == result for game in archive.games(result=result))
    assert sum(len(archive.games(result=result)) for result in RESULTS) == 3


def test_get(archive: Archive) -> None:
    first, second = archive.new_game(played()), archive.new_game(played())
    for name in (first.id, first.id.upper(), first.path.name, first.path.stem):
        assert archive.get(name).id == first.id
    assert archive.get("LAST").id == second.id
    with pytest.raises(UserError, match="fits 2 games"):
        archive.get("2")
    with pytest.raises(UserError, match=r"no game 'zz' .*; `chronotable games` lists them"):
        archive.get("zz")
    with pytest.raises(UserError, match="no game ''"):
        archive.get("")
    (archive.folder / "By hand.ttykm").write_text(format_record(played("Eve")), "utf-8")
    archive.refresh()
    assert archive.get("by h").white == "Eve"


def test_index_follows_the_folder(archive: Archive) -> None:
    games = [archive.new_game(played(str(number))) for number in range(3)]
    assert [game.white for game in archive.games()] == ["2", "1", "0"]
    games[0].path.unlink()
    games[1].path.write_text(format_record(played("new name")), "utf-8")
    archive.close()
    assert [game.white for game in archive.games()] == ["2", "new name"]
    archive.rebuild()
    assert [game.white for game in archive.games()] == ["2", "new name"]


def test_a_file_that_cannot_be_read_is_told_and_harms_nobody(archive: Archive) -> None:
    game = archive.new_game(played())
    (archive.folder / "bad.ttykm").write_text(format_record(played()).replace("2. 16", "2. 99"))
    (archive.folder / "empty.ttykm").write_text("")
    (archive.folder / "later.ttykm").write_text('[Modules "growth"]\n')
    (archive.folder / "folder.ttykm").mkdir()
    assert [entry.id for entry in archive.games()] == [game.id]
    assert {entry.file: entry.problem for entry in archive.problems()} == {
        "bad.ttykm": "line 13, turn 2: turn: '99' is not a space from 1 to 16",
        "empty.ttykm": "the file is empty",
        "later.ttykm": "header Modules: only the standard game is known here, not 'growth'",
    }
    with pytest.raises(UserError, match=r"empty\.ttykm: the file is empty"):
        archive.get("empty")


@pytest.mark.parametrize("damage", ["not a database", "old schema", "locked away"])
def test_a_database_that_is_no_good_is_made_anew(archive: Archive, damage: str) -> None:
    archive.new_game(played())
    assert len(archive.games()) == 1
    archive.close()
    file = archive.folder / "index.sqlite"
    if damage == "not a database":
        file.write_bytes(b"no database" * 1000)
    elif damage == "locked away":
        file.unlink()
        file.mkdir()
    else:
        engine = sql.create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            connection.execute(sql.text("update chronotable set schema = 0"))
            connection.execute(sql.text("update games set white = 'old'"))
        engine.dispose()
    assert [game.white for game in archive.games()] == ["Ada"]


def test_a_database_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    with Archive(url=url) as archive:
        archive.new_game(played())
        assert len(archive.games()) == 1
        assert not (archive.folder / "index.sqlite").exists()
    assert (tmp_path / "elsewhere.sqlite").exists()
    monkeypatch.setenv("CHRONOTABLE_DB", "nosuch://host/base")
    with Archive() as archive, pytest.raises(UserError, match="CHRONOTABLE_DB takes a URL"):
        archive.games()


# ---------------------------------------------------------------- import and export


def test_import_and_export(archive: Archive) -> None:
    records = [random_record(seed) for seed in range(4)]
    text = "\n".join(format_record(record) for record in records)
    stored = archive.import_text(text)
    assert [game.is_duplicate for game in stored] == [False] * 4
    assert len({game.id for game in stored}) == 4
    assert all(game.imported for game in archive.games())
    assert "\n".join(archive.export(archive.get(game.id)) for game in stored) == text
    again = archive.import_text(text.replace("\n", "\n  ") + "\n" + format_record(played()))
    assert [game.is_duplicate for game in again] == [True] * 4 + [False]
    assert [game.id for game in again[:4]] == [game.id for game in stored]
    twice = archive.import_text((format_record(played("X")) + "\n") * 2)
    assert [game.is_duplicate for game in twice] == [False, True]
    assert twice[0].id == twice[1].id


def test_a_game_played_here_is_a_duplicate_too(archive: Archive) -> None:
    with archive.new_game(played()) as game:
        pass
    assert archive.import_text(format_record(played())) == [store.Stored(game.id, True)]


def test_nothing_of_a_bad_text_is_stored(archive: Archive) -> None:
    text = format_record(played()) + "\n" + format_record(played()).replace("2. 16", "2. 99")
    with pytest.raises(RecordError, match=r"^evening, game 2: line 29"):
        archive.import_text(text, "evening")
    assert archive.games() == []


# ---------------------------------------------------------------- the commands


def told(capsys: Output, *words: str) -> tuple[int, str, str]:
    status = run(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_games(archive: Archive, capsys: Output) -> None:
    assert told(capsys, "games", "--json") == (0, "[]\n", "")
    assert told(capsys, "games") == (0, "", f"no games in {archive.folder} yet\n")
    game = archive.new_game(played("Ada\x1b[2J", "Bob"))
    (archive.folder / "bad.ttykm").write_text("")
    status, out, err = told(capsys, "games")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["id", "date", "white", "black", "result", "turns", "end"],
        [game.id, "2026-11-20", "Ada?[2J", "Bob", "*", "4", "in", "progress"],
    ]
    assert err == f"{archive.folder / 'bad.ttykm'}: cannot be read: the file is empty\n"
    status, out, _ = told(capsys, "games", "--json", "--player", "bob", "--limit", "5")
    assert json.loads(out) == [
        {
            "id": game.id,
            "file": game.path.name,
            "white": "Ada?[2J",
            "black": "Bob",
            "date": "2026-11-20",
            "result": "*",
            "termination": "abandoned",
            "turns": 4,
            "modules": "standard",
            "options": "",
            "start": format_position(new_state()),
            "board": "?",
            "imported": False,
            "note": "",
        }
    ]
    status, out, err = told(capsys, "games", "--player", "Zoe")
    assert (status, out) == (0, "")
    assert err.splitlines()[-1] == f"no such games in {archive.folder}"


def test_show(archive: Archive, capsys: Output) -> None:
    record = played()
    record.comments[1] = "asked"
    game = archive.new_game(record)
    status, out, err = told(capsys, "show", "last", "--turn", "2")
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    lines = out.splitlines()
    assert "White        Ada" in lines
    assert " after turn 2: 16 N N >past" in lines
    assert ">  2. 16 N N >past  {asked}" in lines
    assert "   4. 16 W W >present" in lines
    assert " White to move   supply: White 4, Black 4" in lines
    status, out, _ = told(capsys, "show", game.id, "--json")
    shown = json.loads(out)
    assert shown["turn"] == 4
    assert shown["headers"]["Black"] == "Bob"
    assert [turn["turn"] for turn in shown["turns"]] == TURNS
    assert shown["turns"][3]["position"] == shown["position"]
    assert shown["turns"][1]["comment"] == "asked"
    status, out, err = told(capsys, "show", "last", "--turn", "5")
    assert (status, out) == (2, "")
    assert err == "chronotable: --turn 5: the game has 4 turns\n"


def test_show_says_what_was_mended(archive: Archive, capsys: Output) -> None:
    game = archive.new_game(played())
    game.path.write_text(game.path.read_text("utf-8")[:-12], "utf-8")
    status, _, err = told(capsys, "show", "last")
    assert status == 0
    assert "its last line was cut short, so 3 turns of it are known" in err


def test_show_of_a_won_game(archive: Archive, capsys: Output) -> None:
    record = random_record(1)
    archive.new_game(record)
    assert ", which wins for " in told(capsys, "show", "last")[1]
    assert " at the start" in told(capsys, "show", "last", "--turn", "0")[1]
    archive.new_game(Record())
    assert "no turn was taken yet" in told(capsys, "show", "last")[1]


def test_replay(archive: Archive, capsys: Output) -> None:
    archive.new_game(played())
    status, out, err = told(capsys, "replay", "last")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 5
    assert lines[0] == f"0. start  {format_position(new_state())}"
    assert lines[1] == (
        "1. 1 E F >present  ...............b/ww.............b/w..............b 1 2 4 4 b"
    )
    assert told(capsys, "replay", "last", "--turn", "3")[1].splitlines() == lines[3:]
    replayed = json.loads(told(capsys, "replay", "last", "--json")[1])
    assert [entry["number"] for entry in replayed] == [0, 1, 2, 3, 4]
    assert [entry["turn"] for entry in replayed] == [None, *TURNS]
    assert f"4. {TURNS[3]}  {replayed[4]['position']}" == lines[4]


def test_replay_on_a_terminal(archive: Archive) -> None:
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    archive.new_game(played())
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "chronotable_host", "replay", "last", "--archive", archive.folder],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, b"\nb\n3\n\n99\n\n")
    shown = b""
    with process:
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:  # Linux: the other end is closed
                break
            if not data:
                break
            shown += data
    os.close(ours)
    assert process.returncode == 0
    prompts = re.findall(rb" turn (\d) of 4 - ", shown)
    assert prompts == [b"0", b"1", b"0", b"3", b"4", b"4"]
    assert b"\x1b[" in shown


def test_export_command(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    first, second = archive.new_game(played("A")), archive.new_game(played("B"))
    both = format_record(played("A")) + "\n" + format_record(played("B"))
    assert told(capsys, "export", first.id, second.id) == (0, both, "")
    file = tmp_path / "out.ttykm"
    assert told(capsys, "export", "last", "--to", str(file)) == (0, "", f"wrote 1 game to {file}\n")
    assert file.read_text("utf-8") == format_record(played("B"))
    status, _, err = told(capsys, "export", "last", "--to", str(tmp_path / "no" / "x"))
    assert (status, err.count("\n")) == (2, 1)
    assert "cannot be written (No such file or directory)" in err
    assert told(capsys, "export", "zz")[0] == 2


def test_import_command(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    file, bad = tmp_path / "evening.txt", tmp_path / "bad.txt"
    file.write_text(format_record(played("A")) + "\n" + format_record(played("B")), "utf-8")
    bad.write_text("1. 1 N E >past", "utf-8")
    status, out, err = told(capsys, "import", str(file), str(bad))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"chronotable: {bad}: turn 1: ")
    assert archive.games() == []
    archive.close()
    assert told(capsys, "import", str(file)) == (
        0, f"imported 2 into {archive.folder}, skipped 0\n", "",
    )  # fmt: skip
    archive.close()
    game = archive.get("last")
    assert told(capsys, "import", str(file))[1] == (
        f"{file}, game 1: is there already as {archive.games()[1].id}; skipped\n"
        f"{file}, game 2: is there already as {game.id}; skipped\n"
        f"imported 0 into {archive.folder}, skipped 2\n"
    )
    report = json.loads(told(capsys, "import", str(file), "--json")[1])
    assert report[1] == {"file": str(file), "game": 2, "id": game.id, "duplicate": True}
