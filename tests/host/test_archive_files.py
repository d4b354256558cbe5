"""A game's file: nothing that was told is lost, whatever happens while it is written."""

from __future__ import annotations

import errno
import functools
import os
import random
import re
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive import disk, files
from chronotable_host.archive.files import GameFile, OutOfStepError
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import each_record, parse, read, split_records
from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.rules.record import RESULTS, Record, RecordError, format_record
from tests import lanes
from tests.host.archives import TURNS, append, ask, played, random_record, turn_texts
from tests.host.power_cut import CHANGES, Calls, Disk
from ttykm.game import Game, digest


def test_file_of_a_new_game(tmp_path: Path) -> None:
    now = datetime(2026, 11, 20, 21, 53, 7, 250_000, timezone.utc)
    game = GameFile.create(tmp_path / "new" / "folder", played(turns=[]), now)
    assert game.path.name.startswith(f"2026-11-20T2153Z-{7_250_000:07x}")
    assert game.path.name.endswith(f"-{game.id}.ttykm")
    assert len(game.id) == 8
    assert game.path.read_text("utf-8") == format_record(played(turns=[]))
    assert [path.name for path in game.path.parent.iterdir()] == [game.path.name]


def test_names_sort_by_time(tmp_path: Path) -> None:
    moments = [datetime(2026, 11, 20, 21, 53, s, us) for s in (0, 9, 59) for us in (0, 1, 999999)]
    names = [files.new_path(tmp_path, moment).name for moment in moments]
    assert names == sorted(names)


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("only POSIX changes its zone")
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_names_sort_by_time_where_summer_ends(in_berlin: None, tmp_path: Path) -> None:
    """On 25 October 2026 at three it was two again."""
    moments = [datetime(2026, 10, 25, 2, 50, fold=0), datetime(2026, 10, 25, 2, 10, fold=1)]
    games = [GameFile.create(tmp_path, played(), moment) for moment in moments]
    assert [game.path.name[:16] for game in games] == ["2026-10-25T0050Z", "2026-10-25T0110Z"]
    zone = timezone(timedelta(hours=-7))
    games.append(GameFile.create(tmp_path, played(), datetime(2026, 10, 24, 18, 11, tzinfo=zone)))
    names = [game.path.name for game in games]
    assert names == sorted(names)


def test_names_in_local_time_have_their_place(in_berlin: None, home: Path) -> None:
    """As an archive has them that was begun before names were in UTC."""
    home.mkdir()
    names = ["2026-07-01T1230-06ea0500", "2026-07-01T1040Z-06ea0500", "2026-07-01T1250-06ea0500"]
    for number, name in enumerate(names):
        record = played(str(number))
        record.headers["Source"] = "a table"
        (home / f"{name}.ttykm").write_text(format_record(record), "utf-8")
    for name in (
        "2026-13-01T1230-06ea0500",
        "0001-01-01T0000-06ea0500",
        "9999-12-31T2359-06ea0500",
    ):
        (home / f"{name}.ttykm").write_text(format_record(played("?")), "utf-8")
    with Archive() as archive:
        found = [entry.white for entry in archive.games()]
        assert [white for white in found if white != "?"] == ["2", "1", "0"]
        assert [path.stem for path in archive.having("Source", "a table")] == names[::-1]
        assert archive.get("2026-07-01T1230").white == "0"
    file = home / "index.sqlite"
    ask(  # as an earlier version had it
        file,
        "update chronotable set schema = 2",
        "update chronotable_games set stored = substr(file_name, 1, length(file_name) - 6)",
    )
    with Archive() as archive:
        assert [entry.white for entry in archive.games()] == found


def test_two_processes_that_choose_one_name_get_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is quicker by what lies between a look and a write."""
    now = datetime(2026, 11, 20, 21, 53)
    first = GameFile.create(tmp_path, played("first"), now)
    paths = iter([first.path, tmp_path / "second.ttykm"])
    monkeypatch.setattr(files, "new_path", lambda *_: next(paths))
    second = GameFile.create(tmp_path, played("second"), now)
    assert read(first.path).record.headers["White"] == "first"
    assert read(second.path).record.headers["White"] == "second"
    assert len(os.listdir(tmp_path)) == 2


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hook(name: str, _args: tuple[Any, ...]) -> None:
        if name == "link":
            raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(disk, "os", Calls(hook))
    game = GameFile.create(tmp_path, played())
    assert turn_texts(read(game.path).record) == TURNS
    with pytest.raises(FileExistsError):
        disk.write_whole(game.path, "other", is_new=True)
    assert os.listdir(tmp_path) == [game.path.name]


def test_turns_are_appended_as_canonical_lines(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=[])) as game:
        for number, text in enumerate(TURNS, 1):
            append(game, text, f"turn {{{number}}}")
            assert game.path.read_text("utf-8") == format_record(game.record)
        assert turn_texts(read(game.path).record) == TURNS
        assert game.record.comments[0] == "turn (1)"


def test_take_back_leaves_a_note(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=TURNS[:2])) as game:
        assert format_turn(game.take_back()) == TURNS[1]
        assert read(game.path).record.comments == [f"took back {TURNS[1]}"]
        assert format_turn(game.take_back()) == TURNS[0]
        append(game, "1 S S >future", "certain")
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
        with pytest.raises(OutOfStepError, match="is over"):
            append(game, "1 S S >past")
        game.take_back()  # the players think again
        assert read(game.path).record.headers["Result"] == "*"
        append(game, TURNS[3])
        assert turn_texts(read(game.path).record) == TURNS


def test_resume_mends_a_torn_line(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played()) as game:
        pass
    game.path.write_bytes(game.path.read_bytes() + b"5. 1 S S >pas{")
    with GameFile.resume(game.path) as again:
        append(again, "1 S S >past")
        assert again.path.read_text("utf-8") == format_record(again.record)
        assert turn_texts(again.record) == [*TURNS, "1 S S >past"]


# ---- while a game is written


@functools.cache
def some_turns(seed: int, most: int) -> list[int]:
    return random_record(seed, most).turns


class Sitting:
    """A random game with its file: turns, take-backs, the end, going on with it.

    `told` is what whoever looked on has been shown: turns and result.
    """

    def __init__(self, folder: Path, seed: int, turns: int) -> None:
        rng = random.Random(seed)
        self.told: tuple[list[str], str] | None = None
        self.next: tuple[list[str], str] | None = None
        self.folder = folder
        self.file: GameFile | None = None
        self.steps: list[Callable[[], None]] = [self._create]
        for turn in some_turns(seed, turns):
            self.steps.append(lambda turn=turn: self._append(turn))  # type: ignore[misc]
            if rng.random() < 0.3:
                self.steps += [self._take_back, lambda turn=turn: self._append(turn)]  # type: ignore[misc]
            if rng.random() < 0.1:
                self.steps.append(self._resume)
        self.steps += [self._finish, *[self._take_back, self._finish] * 2, self._resume]

    def play(self) -> None:
        """Do what is left to do."""
        while self.steps:
            self.steps[0]()
            self.told = self.known()
            self.next = None
            del self.steps[0]

    def known(self) -> tuple[list[str], str]:
        assert self.file is not None
        return turn_texts(self.file.record), self.file.record.headers["Result"]

    def expects(self, turns: list[str], result: str) -> None:
        self.next = turns, result

    def _create(self) -> None:
        self.expects([], "*")
        self.file = GameFile.create(self.folder, Record(), datetime(2026, 11, 20, 21, 53))

    def _append(self, turn: int) -> None:
        assert self.file is not None
        self.expects([*self.known()[0], format_turn(turn)], "*")
        append(self.file, format_turn(turn), "certain")

    def _take_back(self) -> None:
        assert self.file is not None
        self.expects(self.known()[0][:-1], "*")
        self.file.take_back()

    def _finish(self) -> None:
        assert self.file is not None
        game = Game()
        for turn in self.file.record.turns:
            game.apply(turn)
        won = game.winner()
        result, by = (RESULTS[won], "normal") if won in (0, 1) else ("1/2-1/2", "agreed")
        self.expects(self.known()[0], result)
        self.file.finish(result, by)

    def _resume(self) -> None:
        assert self.file is not None
        self.file.close()
        self.file = GameFile.resume(self.file.path)


@pytest.mark.parametrize("seed", range(4))
def test_a_power_cut_at_any_call_costs_nothing_that_was_told(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, seed, turns=14)
    model = Disk()
    cuts = 0

    def check(when: str) -> None:
        nonlocal cuts
        told, coming = sitting.told, sitting.next
        for left in model.after_a_cut(SUFFIX):
            cuts += 1
            where = f"seed {seed}, cut {cuts}, {when}, told {told}: {left}"
            if told is None and not left:
                continue
            assert len(left) == 1, where
            record = parse(left[0]).record
            found = turn_texts(record), record.headers["Result"]
            # a turn that wins says so itself, before the headers do
            wanted = [each[0] for each in (told, coming) if each is not None]
            assert found[0] in wanted, where
            if coming is None and told is not None and told[1] != "*":
                assert found == told, where

    def hook(name: str, args: tuple[Any, ...]) -> Any:
        check(f"before {name}")
        result = None if name == "fsync" else getattr(os, name)(*args)  # the model is quicker
        model.do(name, args, result)
        check(f"after {name}")
        return 0 if result is None else result

    monkeypatch.setattr(disk, "os", Calls(hook))
    sitting.play()
    check("at the end")
    assert cuts > 200


def torn(name: str, args: tuple[Any, ...]) -> None:
    """Do half of a write."""
    if name == "write":
        os.write(args[0], bytes(args[1])[: len(args[1]) // 2])


@lanes.gate
@pytest.mark.parametrize("seed, lasts", [(0, False), (1, True)], ids=["once", "for good"])
def test_a_call_that_fails_costs_nothing_and_can_be_done_again(
    seed: int, lasts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call of a game fails in turn, a write half way: on its own, or with all that follow."""
    at = 0
    while True:
        folder = tmp_path / str(at)
        folder.mkdir()
        sitting = Sitting(folder, seed, turns=4)
        calls = 0
        where = f"seed {seed}, call {at}"

        def hook(name: str, args: tuple[Any, ...], at: int = at) -> Any:
            nonlocal calls
            calls += 1
            if calls == at + 1 or (lasts and calls > at + 1):
                torn(name, args)
                raise OSError(errno.ENOSPC, "No space left on device")
            return 0 if name == "fsync" else None  # no power is cut here, so that is quicker

        with monkeypatch.context() as patch:
            patch.setattr(disk, "os", Calls(hook))
            try:
                sitting.play()
            except OSError as error:
                assert error.filename.startswith(str(folder)), where
                assert "make room there" in str(error), where
        if calls <= at:
            break  # it was played to its end: there is no such call any more
        if sitting.told is not None:
            assert sitting.file is not None
            assert sitting.known() == sitting.told, where
            left = read(sitting.file.path)
            assert "cut short" not in left.note or lasts, where
            on_disk = turn_texts(left.record)
            # where not even cleaning up works, a whole line may be left that nobody was told of
            assert on_disk == sitting.told[0] or (sitting.next and on_disk == sitting.next[0]), (
                where
            )
        sitting.play()
        assert sitting.file is not None
        left = read(sitting.file.path)
        assert (turn_texts(left.record), left.record.headers["Result"]) == sitting.told, where
        assert left.note == "", where
        assert list(folder.glob(f"*{SUFFIX}")) == [sitting.file.path] or lasts, where
        shutil.rmtree(folder)
        at += 1
    assert at > 25


def test_every_call_that_changes_the_disk_is_watched() -> None:
    """The two tests above are about all of them."""
    source = Path(disk.__file__).read_text("utf-8")
    harmless = {
        "O_BINARY",
        "O_RDWR",
        "O_WRONLY",
        "O_CREAT",
        "O_TRUNC",
        "O_RDONLY",
        "SEEK_END",
        "SEEK_SET",
    }
    harmless |= {"getpid", "lseek", "read", "close", "stat", "fstat", "path", "name"}
    used = {word.split("(")[0] for word in re.findall(r"\bos\.(\w+)", source)}
    assert used - harmless == set(CHANGES)
    assert ".open(" not in source.replace("os.open(", "")
    assert "open(" not in Path(files.__file__).read_text("utf-8").replace("open_end(", "")


@pytest.mark.parametrize("how", ["folder", "file", "written in", "headers", "torn line"])
def test_what_somebody_does_to_the_file_while_it_is_played(how: str, tmp_path: Path) -> None:
    """It was taken away, or is the same game still: that goes on in it."""
    folder = tmp_path / "games"
    with GameFile.create(folder, played(turns=TURNS[:2])) as game:
        append(game, TURNS[2])
        text = game.path.read_text("utf-8")
        if how == "folder":
            shutil.rmtree(folder)
            with pytest.raises(FileNotFoundError) as caught:
                append(game, TURNS[3])
            assert str(game.path) in str(caught.value)
            assert "cannot be written" in str(caught.value)
            assert turn_texts(game.record) == TURNS[:3]
            folder.mkdir()
        elif how == "file":
            game.path.unlink()
        elif how == "headers":
            other = tmp_path / "other"
            other.write_text(text.replace("Ada", "Zoë"), "utf-8")
            os.replace(other, game.path)
        else:
            game.path.write_text(text + ("\n\n" if how == "written in" else "4. 16 W"), "utf-8")
        append(game, TURNS[3])
        assert game.path.read_text("utf-8") == format_record(game.record)
        assert turn_texts(read(game.path).record) == TURNS
        assert game.record.headers["White"] == ("Zoë" if how == "headers" else "Ada")


CHANGES_OF_OTHERS: dict[str, Callable[[GameFile], None]] = {
    "more turns": lambda other: append(other, TURNS[2]),
    "another turn": lambda other: (other.take_back(), append(other, "16 W B >present"))[1],
    "a turn less": lambda other: other.take_back() and None,
    "an end": lambda other: other.finish("1/2-1/2", "agreed"),
    "another game": lambda other: (
        other.path.write_text(format_record(played(turns=[])), "utf-8") and None
    ),
    "no game": lambda other: other.path.write_text("my notes", "utf-8") and None,
    "nothing": lambda other: other.path.write_text("", "utf-8") and None,
}


@pytest.mark.parametrize("change", CHANGES_OF_OTHERS)
@pytest.mark.parametrize("act", ["append", "take_back", "finish", "become"])
def test_a_file_that_another_program_went_on_with_is_left_alone(
    change: str, act: str, tmp_path: Path
) -> None:
    with GameFile.create(tmp_path, played(turns=TURNS[:1])) as game:
        append(game, TURNS[1])
        acts: dict[str, Callable[[], object]] = {
            "append": lambda: append(game, TURNS[2], "certain"),
            "take_back": game.take_back,
            "finish": lambda: game.finish("1-0", "resigned"),
            "become": lambda: game.become(played(turns=TURNS)),
        }
        with GameFile.resume(game.path) as other:
            CHANGES_OF_OTHERS[change](other)
        left = game.path.read_bytes()
        before = format_record(game.record)
        for _ in range(2):
            with pytest.raises(OutOfStepError, match=re.escape(str(game.path))):
                acts[act]()
            assert game.path.read_bytes() == left
            assert format_record(game.record) == before


def test_only_who_knows_the_last_turn_appends(tmp_path: Path) -> None:
    with GameFile.create(tmp_path, played(turns=TURNS[:2])) as game:
        left = game.path.read_bytes()
        positions = [digest(position.state) for position in played().replay()]
        turn = parse_turn(TURNS[2])
        for number, before, packed in [
            (2, positions[1], turn),  # whoever knows less
            (4, positions[3], turn),  # or more
            (3, positions[1], turn),  # or another game
            (3, positions[2], parse_turn(TURNS[0])),  # or does not know the rules
        ]:
            with pytest.raises(OutOfStepError):
                game.append(number, before, packed)
            assert (game.path.read_bytes(), turn_texts(game.record)) == (left, TURNS[:2])
        game.append(3, positions[2], turn)
        assert turn_texts(read(game.path).record) == TURNS[:3]


def test_a_folder_that_cannot_be_written_to_is_named_with_what_to_do(tmp_path: Path) -> None:
    """A file in its place: the tests may run as root, whom permissions do not stop."""
    (tmp_path / "games").write_text("")
    for folder in (tmp_path / "games", tmp_path / "games" / "below"):
        with pytest.raises(OSError, match="--archive or CHRONOTABLE_HOME") as caught:
            GameFile.create(folder, played())
        assert caught.value.filename == str(folder)


# ---- torn files


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
        text.replace('"*"', '"1-0"').replace('"in progress"', '"resigned"') + "5. 1 S",  # finished
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
    claimed = format_record(record).replace('"*"', '"1/2-1/2"').replace("in progress", "agreed")
    with pytest.raises(RecordError):
        parse(claimed.encode("utf-8"))


# ---- several records in a text


def test_records_of_one_text() -> None:
    records = [played("A", "B"), played(turns=[]), played("C", "D"), played("C", "D", [])]
    text = "\n".join(format_record(record) for record in records)
    assert [format_record(r) for r in each_record(text, "x")] == [format_record(r) for r in records]
    assert len([*each_record(text + "\n \n", "x")]) == 4
    windows = text.replace("\n", "\r\n")
    assert [format_record(r) for r in each_record(windows, "x")] == [
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
        [*each_record(text, "evening.txt")]
    assert str(caught.value) == (
        "evening.txt, game 2: line 29, turn 2: turn: '99' is not a space from 1 to 16"
    )
    with pytest.raises(RecordError, match=r"^x: that is a page, to be looked at"):
        [*each_record("<!DOCTYPE html>\n<html>", "x")]
    with pytest.raises(RecordError, match=r"^x: no game is in it$"):
        [*each_record(" \n", "x")]
    with pytest.raises(
        RecordError, match=r"^x: turn 1: .* so the copy cannot travel forward \(T24\)\.$"
    ):
        [*each_record("1. 1 F E >future", "x")]
