"""Games of a night on disk: sealed while they go on, then records; a killed one goes on."""

import json
import os
import stat
from random import Random

import pytest

from chronotable_host.archive.nights import format_record, parse_record
from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_night.games.portable import digest
from chronotable_night.games.shelf import kinds
from chronotable_night.journal import Records, SealedFile, interrupted, waiting
from chronotable_night.room import NightRoom
from tests.night.rooms import NO_BOXES, play_on, plays
from tests.night.small_game import KIND as SMALL_GAME

KIND = next(iter(kinds().values()))  # any game of the shelf will do


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def room_in(folder, seed=5, records=None, kind=KIND, people=2):
    """Return a room whose people are ready to begin."""
    records = records or Records(folder, {"code": "a-b-c"})
    room = NightRoom(
        {kind.name: kind}, NO_BOXES, records, lambda: "token-of-somebody", lambda: seed
    )
    room.choose(kind.name)
    for name in ("Ann", "Ben", "Cleo")[: max(people, kind.players[0])]:
        room.join(name)
    return room


@pytest.fixture
def room(home):
    """A room whose game has begun."""
    room = room_in(home)
    room.start()
    return room


def told(capsys, *words):
    status = run(words)
    out, err = capsys.readouterr()
    return status, out, err


# ---- while it goes on


def test_nothing_of_a_game_that_goes_on_can_be_read(home):
    room = room_in(home, seed=1234567890123)
    room.start()
    actions = play_on(room, Random(0), 12)
    (path,) = home.glob("*.sealed")
    data = path.read_bytes()
    # shorter ones may stand in any sealed text by chance
    secrets = [each for each in actions if len(each) > 5]
    secrets += ["1234567890123", "token-of-somebody", KIND.name]
    assert len(secrets) > 3
    assert [each for each in secrets if each.encode() in data] == []
    assert list(home.glob("*.night")) == []


def test_the_length_of_a_line_tells_nothing_of_an_action(home):
    home.mkdir()
    file = SealedFile.create(home / "x.sealed", {"a": "b"})
    file.append({"seat": 0, "action": "pass"})
    file.append({"seat": 11, "action": "play " + "x" * 150})
    _, short, long = (home / "x.sealed").read_bytes().splitlines()
    assert len(short) == len(long)
    file.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_the_key_is_the_users_alone(home):
    room_in(home).start()
    (key,) = (home / "night-keys").iterdir()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_game_that_was_killed_goes_on(room, home):
    play_on(room, Random(0), 9)
    room.ask_back(room.play.steps[-1].seat) if room.may_take_back(room.play.steps[-1].seat) else 0
    people = room.people.as_kept()
    left = interrupted(home)
    assert (left.game, left.names) == (KIND.name, room.people.names())
    records = Records(home, {})
    again = resumed(home, records)
    assert again.play.state == room.play.state
    assert again.people.as_kept() == people
    assert records.house == {"code": "a-b-c"}
    play_on(again, Random(0))
    assert again.phase == "over"
    assert interrupted(home) is None
    assert len(list(home.glob("*.night"))) == 1
    assert list((home / "night-keys").iterdir()) == []


def test_answers_that_waited_wait_again(home):
    """What was played, taken back or changed meanwhile does not."""
    room = room_in(home, kind=SMALL_GAME, people=3)
    room.start()
    plays(room, 1)
    plays(room, 2)
    room.unseal(2)
    waited = dict(room.play.sealed)
    assert list(waited) == [1]
    room = resumed(home, kind=SMALL_GAME, people=3)
    assert room.play.sealed == waited
    plays(room, 2)
    plays(room, 0)  # and so the others, whose answers waited
    assert len(room.play.steps) == 3
    again = resumed(home, kind=SMALL_GAME, people=3)
    assert again.play.sealed == {}
    assert again.play.state == room.play.state
    plays(again, again.play.state["greets"])
    plays(again, 2)
    assert list(resumed(home, kind=SMALL_GAME, people=3).play.sealed) == [2]


def resumed(home, records=None, kind=KIND, people=2):
    """Return a room that goes on with the last game."""
    records = records or Records(home, {})
    kept = records.resume(waiting(home)[-1])
    room = room_in(home, records=records, kind=kind, people=people)
    room.options = dict(kept.first["options"])
    room.resume(None, kept.people, kept.players, int(kept.first["seed"]), kept.actions, kept.sealed)
    return room


def test_a_line_that_was_cut_short_does_not_count(room, home):
    play_on(room, Random(0), 4)
    (path,) = waiting(home)
    path.write_bytes(path.read_bytes()[:-30])
    records = Records(home, {})
    assert len(records.resume(path).actions) == 3
    records.action(0, "something")
    records.close()
    assert Records(home, {}).resume(path).actions[3:] == [(0, "something")]


@pytest.mark.parametrize("harm", ["swap", "drop", "change", "foreign"])
def test_a_file_that_somebody_changed_is_not_gone_on_with(room, home, harm):
    play_on(room, Random(0), 4)
    (path,) = waiting(home)
    first, second, third, *rest = path.read_bytes().splitlines(keepends=True)
    lines = {
        "swap": [first, third, second, *rest],
        "drop": [first, third, *rest],
        "change": [first, second[:40] + b"A" + second[41:], third, *rest],
        "foreign": [first, b"hello\n", third, *rest],
    }[harm]
    if harm == "change" and second[40:41] == b"A":
        lines[1] = second[:40] + b"B" + second[41:]
    path.write_bytes(b"".join(lines))
    with pytest.raises(UserError, match="was changed by somebody"):
        Records(home, {}).resume(path)


# ---- once it is over


@pytest.fixture
def record(home):
    room = room_in(home)
    room.start()
    play_on(room, Random(0))
    (path,) = home.glob("*.night")
    return path, room


def test_a_record_is_the_whole_game(record):
    path, room = record
    text = path.read_text("utf-8")
    read = parse_record(text)
    assert format_record(read) == text
    assert next(iter(read.headers)) == "Game"
    assert read.headers["Digest"] == digest(room.play.state)
    assert read.players == list(room.people.names())
    assert read.actions == [(step.seat, step.action) for step in room.play.steps]


def test_records_are_verified(record, capsys):
    path, _ = record
    status, out, _ = told(capsys, "verify", str(path))
    assert (status, out.splitlines()[-1]) == (0, "passed 1, failed 0, not covered 0")
    text = path.read_text("utf-8")
    wrong = text.replace('[Digest "', '[Digest "0')
    path.write_text(wrong, "utf-8")
    assert told(capsys, "verify", str(path))[0] == 1
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines) if line.startswith("2. "))
    lines[number] = "2. 1: nothing of the kind"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    status, out, _ = told(capsys, "verify", str(path))
    assert status == 1
    assert "turn 2: expected nothing of the kind to be legal" in out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1. ", "7. "),
        ('[Seed "', '[Seed "x'),
        ('[Data "', '[Data "x'),
        (f'[Game "{KIND.name}"]', '[Game "chess"]'),
        ('[Seat1 "', '[Place1 "'),
        ('[Options "', '[Options "x=1 '),
        ('[Seed "5"]', "[Seed 5]"),
    ],
)
def test_what_is_no_record_is_said_in_a_sentence(record, capsys, old, new):
    path, _ = record
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    status, _, err = told(capsys, "verify", str(path))
    assert status == 2
    assert err.startswith(f"chronotable: {path}")


def test_games_are_listed_shown_and_replayed(record, home, capsys):
    path, room = record
    status, out, _ = told(capsys, "games")
    assert status == 0
    assert path.stem[-8:] in out
    assert "Ann, Ben" in out
    listed = json.loads(told(capsys, "games", "--json")[1])
    (entry,) = listed
    assert (entry["game"], entry["players"]) == (KIND.name, list(room.people.names()))
    assert json.loads(told(capsys, "games", "--json", "--player", "nobody")[1]) == []
    for name in ("last", entry["id"], entry["file"], entry["id"][:7]):
        status, out, _ = told(capsys, "show", name)
        assert status == 0
        assert f"{len(room.play.steps)}. " in out
    shown = json.loads(told(capsys, "show", "last", "--turn", "0", "--json")[1])
    assert shown["state"] == json.loads(json.dumps(room.play.steps[0].before))
    status, out, _ = told(capsys, "replay", entry["id"], "--turn", "3")
    assert (status, out.split(".")[0].strip()) == (0, "3")
    assert told(capsys, "replay", "last", "--turn", "99999")[0] == 2


def test_an_end_that_cannot_be_kept_is_kept_when_the_night_goes_on(room, home, monkeypatch):
    from chronotable_night import journal  # noqa: PLC0415

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.disk, "write_whole", full)
    play_on(room, Random(0))
    assert room.phase == "over"
    assert "No space left" in room.notices[-1][1]
    monkeypatch.undo()
    monkeypatch.setenv("CHRONOTABLE_HOME", str(home))
    resumed(home)
    assert len(list(home.glob("*.night"))) == 1
