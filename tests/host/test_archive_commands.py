"""`games`, `show`, `replay`, `export` and `import`, as a user meets them."""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive import database, disk
from chronotable_host.archive.files import GameFile
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common import terminal
from chronotable_host.rules.annotations import Annotation, annotated, without_annotations
from chronotable_host.rules.line import keep
from chronotable_host.rules.notation import format_position
from chronotable_host.rules.record import Record, format_record
from tests import lanes
from tests.host.archives import TURNS, Output, append, played, random_record, told
from tests.host.power_cut import Calls
from ttykm.game import Game
from ttykm.layout import new_state

pytestmark = pytest.mark.usefixtures("home")


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
            "termination": "in progress",
            "turns": 4,
            "modules": "standard",
            "options": "",
            "start": format_position(new_state()),
            "board": "?",
            "imported": False,
            "analysed": 0,
            "white_errors": 0,
            "black_errors": 0,
            "note": "",
        }
    ]
    status, out, err = told(capsys, "games", "--player", "Zoe")
    assert (status, out) == (0, "")
    assert err.splitlines()[-1] == f"no such games in {archive.folder}"


def test_show(archive: Archive, capsys: Output) -> None:
    record = played()
    record.comments[1] = "asked"
    record.starting_comment = "A game to remember."
    game = archive.new_game(record)
    status, out, err = told(capsys, "show", "last", "--turn", "2")
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    lines = out.splitlines()
    assert "White        Ada" in lines
    assert " after turn 2: 16 N N >past" in lines
    assert "{A game to remember.}" in lines
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


@pytest.mark.parametrize("written", ["in progress", "abandoned"])
def test_a_game_in_progress_is_called_so_everywhere(
    written: str, archive: Archive, capsys: Output
) -> None:
    """Records of earlier versions call it otherwise."""
    game = archive.new_game(played())
    text = game.path.read_text("utf-8").replace("in progress", written)
    game.path.write_text(text, "utf-8")
    assert told(capsys, "games")[1].splitlines()[1].endswith("*       4      in progress")
    assert json.loads(told(capsys, "games", "--json")[1])[0]["termination"] == "in progress"
    assert "Termination  in progress\n" in told(capsys, "show", "last")[1]
    shown = json.loads(told(capsys, "show", "last", "--json")[1])
    assert shown["headers"]["Termination"] == "in progress"
    assert '[Termination "in progress"]\n' in told(capsys, "export", "last")[1]
    with GameFile.resume(game.path) as again:
        append(again, "1 S S >past")
    assert '[Termination "in progress"]\n' in game.path.read_text("utf-8")


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


@lanes.gate
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


# ---- the whole archive


def test_an_archive_moves_in_one_file(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    """Out, into another archive, out again: the same bytes, in the order in which it happened."""
    archive.store(random_record(seed) for seed in range(5))
    archive.new_game(played("Ada")).close()
    (archive.folder / "empty.ttykm").write_text("")
    archive.close()
    file, again = tmp_path / "all.ttykm", tmp_path / "again.ttykm"
    status, out, err = told(capsys, "export", "--all", "--to", str(file))
    assert (status, out) == (1, "")  # a backup that is not whole says so
    assert err.splitlines() == [
        f"{archive.folder / 'empty.ttykm'}: cannot be read: the file is empty",
        f"wrote 6 games to {file}",
    ]
    other = ("--archive", str(tmp_path / "other"))
    assert told(capsys, "import", str(file), *other)[1].startswith("imported 6 into ")
    status, out, err = told(capsys, "export", "--all", "--to", str(again), *other)
    assert (status, out, err) == (0, "", f"wrote 6 games to {again}\n")
    assert again.read_bytes() == file.read_bytes()
    assert told(capsys, "export", "--all", *other) == (0, file.read_text("utf-8"), "")


def test_export_of_some(archive: Archive, capsys: Output) -> None:
    archive.store([played("Ada"), played("Bea"), played("Cy", "Ada")])
    archive.close()
    of_ada = format_record(played("Ada")) + "\n" + format_record(played("Cy", "Ada"))
    assert told(capsys, "export", "--all", "--player", "ada")[1] == of_ada
    newest = told(capsys, "export", "--all", "--player", "ada", "--limit", "1", "--result", "*")
    assert newest[1] == format_record(played("Cy", "Ada"))
    assert told(capsys, "export", "--all", "--player", "nobody") == (0, "", "")
    for words in ((), ("last", "--all"), ("last", "--limit", "1"), ("--limit", "1")):
        status, out, err = told(capsys, "export", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "--all" in err


def test_export_to_what_is_no_file_leaves_it_there(archive: Archive, capsys: Output) -> None:
    """Root could put a file in the place of /dev/null."""
    archive.store([played()])
    archive.close()
    assert told(capsys, "export", "last", "--to", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a right to make links")
def test_export_through_a_link(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    archive.store([played()])
    archive.close()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for _ in range(2):
        assert told(capsys, "export", "last", "--to", str(tmp_path / "link"))[0] == 0
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "target").read_text("utf-8") == format_record(played())


@pytest.mark.parametrize(
    "command",
    [["games"], ["show", "last"], ["replay", "last"], ["export", "last"], ["import", "{file}"]],
    ids=lambda words: words[0],
)
def test_every_command_takes_a_database(
    command: list[str], archive: Archive, capsys: Output, tmp_path: Path
) -> None:
    archive.store([played()])
    archive.close()
    (archive.folder / "index.sqlite").unlink()
    file = tmp_path / "game.ttykm"
    file.write_text(format_record(played()), "utf-8")
    words = [word.format(file=file) for word in command]
    assert told(capsys, *words, "--url", f"sqlite:///{tmp_path / 'elsewhere'}")[0] == 0
    assert (tmp_path / "elsewhere").exists()
    assert not (archive.folder / "index.sqlite").exists()
    status, out, err = told(capsys, *words, "--url", "postgres://ada:secret@host/x")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("chronotable: the database postgres://ada:***@host/x cannot be used: ")


def remarked() -> Record:
    """Return a finished game with an analysis, a variation, and two comments of people."""
    record = random_record(11)
    legal = Game()
    legal.start(record.start, record.options)
    other = next(turn for turn in legal.legal_turns() if turn & 0xFFFF != record.turns[0] & 0xFFFF)
    keep(record, 1, [other])
    record.starting_comment = "A game to remember."
    record.comments = ["" for _ in record.turns]
    record.comments[0] = "1.20 s, certain; took back 1 E F >future; well played"
    record.comments[1] = "2.40 s, asked; [%clk 0:05:00]"
    record.headers["Annotator"] = "level 6"
    record.comments = [annotated(each, Annotation("+0.10", "good")) for each in record.comments]
    return record


@pytest.mark.parametrize(
    ("ending", "what"),
    [
        ("ttykm", ""),
        ("html", "1 variation, 1 comment"),
        ("txt", "the analysis of 1 game, 1 variation, 2 comments"),
        ("svg", "the analysis of 1 game, 1 variation, 2 comments"),
    ],
)
def test_export_says_what_it_leaves_out(
    ending: str, what: str, archive: Archive, capsys: Output, tmp_path: Path
) -> None:
    archive.store([remarked()])
    status, _, err = told(capsys, "export", "last", "--to", str(tmp_path / f"game.{ending}"))
    assert (status, err.splitlines()[1:]) == (
        0,
        [f"left out, as only a record has them: {what}"] if what else [],
    )


def test_import_says_what_it_leaves_out(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    rich, plain = tmp_path / "rich.ttykm", tmp_path / "plain.ttykm"
    rich.write_text(format_record(remarked()), "utf-8")
    plain.write_text(format_record(without_annotations(remarked())), "utf-8")
    assert told(capsys, "import", str(plain))[2] == ""
    status, out, err = told(capsys, "import", str(rich))
    assert (status, out.count("skipped 1")) == (0, 1)
    assert err == (
        "left out with skipped games: the analysis of 1 game, 1 variation; a game that is there "
        "already stays as it is\n"
    )
    archive.path(archive.get("last")).write_text(format_record(remarked()), "utf-8")
    for file in (rich, plain):
        assert told(capsys, "import", str(file))[2] == ""


@pytest.mark.parametrize("words", [["games"], ["games", "--rebuild"], ["show", "last"]], ids=str)
def test_an_index_that_another_program_holds_is_one_line(
    words: list[str], archive: Archive, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.store([played()])
    archive.close()
    monkeypatch.setattr(database, "_PATIENCE_S", 0.1)
    file = archive.folder / "index.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("begin exclusive")
        assert told(capsys, *words) == (
            2,
            "",
            f"chronotable: the index {file} cannot be used: another program holds it; try again "
            "when that has let go of it\n",
        )
    other.close()
    assert told(capsys, *words)[0] == 0


@pytest.mark.parametrize(
    ("problem", "advice"),
    [
        (errno.EROFS, "--archive or CHRONOTABLE_HOME"),
        (errno.EACCES, "--archive or CHRONOTABLE_HOME"),
        (errno.ENOSPC, "make room there"),
    ],
)
def test_an_archive_that_cannot_be_written_to_is_one_line(
    problem: int,
    advice: str,
    home: Path,
    capsys: Output,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hook(name: str, _args: tuple[Any, ...]) -> None:
        if name == "open":
            raise OSError(problem, os.strerror(problem))

    file = tmp_path / "game.ttykm"
    file.write_text(format_record(played()), "utf-8")
    monkeypatch.setattr(disk, "os", Calls(hook))
    for words in (["import", str(file)], ["try", "--headless", "--quiet", "--turns", "1"]):
        status, out, err = told(capsys, *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"chronotable: {home}")
        assert f"cannot be written ({os.strerror(problem)}); " in err
        assert advice in err
    assert not list(home.rglob("*.ttykm"))


def test_an_archive_that_is_a_file(home: Path, capsys: Output) -> None:
    home.write_text("")
    status, out, err = told(capsys, "games")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"chronotable: {home}: ")


@pytest.mark.parametrize("command", ["games", "import -", "play", "try --headless"])
def test_an_archive_that_can_be_none_is_told_with_what_to_do(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    file, closed = tmp_path / "file", tmp_path / "closed"
    file.touch()
    closed.mkdir()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != closed and may(path, mode))
    for name, says in (
        ("", "'': the name of the folder is empty; name one, or leave --archive out"),
        (str(file), f"{file}: is a file; name the folder of the games, or a new one"),
        (str(closed), "or name another one"),
    ):
        status, out, err = told(capsys, *command.split(), "--archive", name)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("chronotable: --archive ")
        assert err.endswith(f"{says}\n")
    assert sorted(tmp_path.iterdir()) == [closed, file]


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such a device")
@pytest.mark.parametrize("command", ["import", "verify"])
def test_a_file_without_an_end(
    home: Path, command: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_MOST_BYTES", 3 << 20)  # 256 MB take a second
    status, out, err = told(capsys, command, "/dev/zero")
    assert (status, out) == (2, "")
    assert err == "chronotable: /dev/zero: has more than 3 MB; give it in parts\n"
