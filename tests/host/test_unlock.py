"""Chapters are unlocked one by one and in their order; what belongs to a locked one is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable_host import chapters, game_choice
from chronotable_host.archive import disk
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LOCKED, LockedError
from chronotable_host.cli import run
from chronotable_host.commands.play_work import PlayControl
from chronotable_host.errors import UserError
from chronotable_host.game_choice import GameChoice, choose_game, unlocked_state
from chronotable_host.live.desk import Desk
from chronotable_host.rulebook.book import SIGNS
from chronotable_host.rules.notation import OPTIONS, format_position, parse_options
from chronotable_host.rules.record import Record, format_record
from tests import lanes
from tests.host.archives import Output, played, told
from tests.host.power_cut import Calls
from tests.lab.positions import random_game
from ttykm import objects
from ttykm.layout import new_state
from ttykm.objects import ALL_MODULES, GROWTH, INFLUENCE, MEMORY

pytestmark = pytest.mark.usefixtures("home")

REFUSED = (2, "", f"chronotable: {LOCKED}\n")


def position(modules: int) -> str:
    return format_position(objects.new_state(modules))


def record_of(modules: int, turns: int = 4) -> Record:
    """Return a game with modules, of random turns."""
    record = Record(objects.new_state(modules))
    for turn in random_game(modules, turns, record.start).turns:
        record.add(turn)
    return record


# ---- the file


def test_the_number_is_kept_with_the_games(home: Path) -> None:
    assert chapters.unlocked() == 0
    assert chapters.path() == home / "chapters.json"
    for number in range(1, chapters.COUNT + 1):
        chapters.unlock_to(number)
        assert chapters.unlocked() == number
        chapters.unlock_to(number - 1)
        assert chapters.unlocked() == number, "nothing is ever locked again"
    assert [path.name for path in home.iterdir()] == ["chapters.json"]
    with Archive() as archive:
        assert archive.games() == archive.problems() == []


DAMAGED = ["", "x", "[]", "null", "3", "{}", '{"unlocked": 5}', '{"unlocked": -1}',
           '{"unlocked": true}', '{"unlocked": "2"}', "[" * 100_000, "\xff"]  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=[text[:16] or "empty" for text in DAMAGED])
def test_a_damaged_file_is_named(text: str, home: Path, capsys: Output) -> None:
    home.mkdir()
    (home / "chapters.json").write_bytes(text.encode("latin-1"))
    said = f"chronotable: {home / 'chapters.json'}: does not say how many chapters are unlocked; "
    for words in (["unlock", "--status"], ["unlock", "--yes"], ["legal", position(GROWTH)]):
        status, out, err = told(capsys, *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(said)
    with pytest.raises(chapters.ChaptersError):
        chapters.unlocked()
    assert told(capsys, "legal", position(0))[0] == 0, "the standard game asks for no chapter"
    assert told(capsys, "try", "--help")[0] == 0
    assert told(capsys, "games") == (0, "", f"no games in {home} yet\n")


def test_a_file_that_cannot_be_written(
    home: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:

    def hook(name: str, _args: tuple[Any, ...]) -> None:
        if name == "replace":
            raise OSError(28, os.strerror(28))

    chapters.unlock_to(1)
    monkeypatch.setattr(disk, "os", Calls(hook))
    status, out, err = told(capsys, "unlock", "--yes")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == f"chronotable: {chapters.path()}: {os.strerror(28)}"
    assert chapters.unlocked() == 1


# ---- what needs which chapter


@pytest.mark.parametrize(
    ("modules", "chapter"),
    [
        (0, 0),
        (GROWTH, 1),
        (INFLUENCE, 2),
        (MEMORY, 3),
        (GROWTH | INFLUENCE, 4),
        (GROWTH | MEMORY, 4),
        (INFLUENCE | MEMORY, 4),
        (ALL_MODULES, 4),
    ],
)
def test_modules_need_their_chapter(modules: int, chapter: int) -> None:
    assert chapters.needed(modules) == chapter
    for number in range(chapters.COUNT + 1):
        chapters.unlock_to(number)
        assert chapters.is_open(modules) == (number >= chapter)
        if number < chapter:
            with pytest.raises(LockedError):
                chapters.require(modules)
        else:
            chapters.require(modules)


def test_every_option_has_a_chapter() -> None:
    found = {name: of for of in range(chapters.COUNT + 1) for name, _ in chapters.options_of(of)}
    assert sorted(found) == sorted(name for name, _ in OPTIONS)
    for name, values in OPTIONS:
        bits = parse_options(f"{name}={values[1]}")
        assert chapters.needed(0, bits) == found[name]
        assert chapters.options_in(f"x=1 {name.upper()}=nonsense") == bits
    assert [found[name] for name in ("strict_two_actions", "shrub_removal_ungrows")] == [0, 4]


def test_modules_in_a_text() -> None:
    assert chapters.modules_in("w/b/. 0 2 4 4 w Growth+MEMORY nonsense") == GROWTH | MEMORY
    assert chapters.modules_in(position(INFLUENCE)) == INFLUENCE
    assert chapters.modules_in("standard") == chapters.modules_in("") == 0


@pytest.mark.parametrize("number", range(chapters.COUNT + 1))
def test_discretion(number: int) -> None:
    chapters.unlock_to(number)
    texts = [
        (1, "position: seeds= is missing"),
        (2, "option build_blocked: 'x' is neither stop_2023 nor rebound_2021"),
        (3, "The other ELEPHANT of the era wears that hat"),
        (4, "shrub_removal_ungrows is no option"),
        (1, "Wurzeln gehören zu einem umgestürzten Baum, wie in F11<10"),
        (2, "Die eigene Statue ist schon gebaut, zwei Statuen gibt es nicht"),
        (3, "Diesen Hut trägt der andere Elefant"),
    ]
    for chapter, text in texts:
        assert chapters.gives_away(text) == (chapter > number), text
        assert not chapters.gives_away(text, text), "what was typed may be repeated"
        assert chapters.discreet(text) == (LOCKED if chapter > number else text)
    assert chapters.gives_away("There is none beside the copy (M3)") == (number < 3)
    assert chapters.gives_away("turn: 'statue' is none") == (number < 2)
    assert not chapters.gives_away("turn: 'statue' is none", may_quote=True)


@pytest.mark.parametrize(
    "text",
    [
        "repeat with --seed 5 to see it again",
        "stopped (4 turns, seed 3812)",
        "the index in memory: gone",
        "free memory 90 KB",
        "No such command 'growth'; see 'chronotable --help'",
        "/home/elephant/growth tree/x.ttykm: no such file".replace(" tree", "-tree"),
        "that digit chatters in the street",
    ],
)
def test_ordinary_words_are_said(text: str) -> None:
    assert chapters.discreet(text, may_quote=True) == text


# ---- unlock


def test_chapters_are_unlocked_in_their_order(capsys: Output) -> None:
    assert told(capsys, "unlock", "--status") == (0, "0 of 4 chapters unlocked\n", "")
    for number, name in enumerate(chapters.NAMES, 1):
        status, out, err = told(capsys, "unlock", "--yes")
        assert status == 0
        assert f"chapter {number} of 4" in err and name not in err
        assert f"Chapter {number} is open: {name}. " in out
        assert f"--modules {name} " in out
        for option, values in chapters.options_of(number):
            assert f"--option {option}={'|'.join(values)}: " in out
        names = ", ".join(chapters.NAMES[:number])
        status, out, err = told(capsys, "unlock", "--status")
        signs = "".join(f"{sign}\n" for sign in SIGNS[:number] if sign)
        assert (status, out, err) == (0, f"{number} of 4 chapters unlocked: {names}\n{signs}", "")
    status, out, err = told(capsys, "unlock", "--yes")
    assert (status, out, err) == (1, "", "All 4 chapters are unlocked already.\n")


def test_unlock_as_json(capsys: Output) -> None:
    assert json.loads(told(capsys, "unlock", "--status", "--json")[1]) == {
        "unlocked": 0, "chapters": [], "of": 4,
    }  # fmt: skip
    assert json.loads(told(capsys, "unlock", "--yes", "--json")[1]) == {
        "unlocked": 1, "chapter": "growth", "options": {"voluntary_suicide": ["false", "true"]},
    }  # fmt: skip
    assert json.loads(told(capsys, "unlock", "--status", "--json")[1])["chapters"] == ["growth"]


def test_without_a_terminal_it_needs_yes(capsys: Output) -> None:
    status, out, err = told(capsys, "unlock")
    assert (status, out) == (2, "")
    assert err.startswith("chronotable: nobody can be asked") and err.count("\n") == 1
    assert chapters.unlocked() == 0


@lanes.gate
@pytest.mark.parametrize(("typed", "count"), [(b"yes\n", 1), (b"Y\n", 1), (b"no\n", 0), (b"\n", 0)])
def test_it_asks_in_a_terminal(typed: bytes, count: int) -> None:
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    ours, theirs = pty.openpty()
    os.write(ours, typed)
    done = subprocess.run(
        [sys.executable, "-m", "chronotable_host", "unlock"],
        stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 4096)
    os.close(ours)
    assert b"chapter 1 of 4" in said and b"Unlock it now?" in said
    assert done.returncode == 1 - count
    assert (b"Chapter 1 is open" in done.stdout) == bool(count)
    assert chapters.unlocked() == count


# ---- commands


GATED = [
    ["legal", position(GROWTH)],
    ["legal", f"{position(0)} memory nonsense"],
    ["perft", position(MEMORY), "--depth", "1"],
    ["legal", position(0), "--option", "build_blocked=nonsense"],
    ["perft", position(0), "--depth", "1", "--option", "voluntary_suicide=true"],
    ["table", "--script", os.devnull, "--start", position(INFLUENCE)],
    ["table", "--script", os.devnull, "--modules", "growth+influence"],
    ["table", "--script", os.devnull, "--modules", "convergence", "--seed", "3"],
    ["try", "--headless", "--turns", "1", "--modules", "convergence"],
    ["try", "--headless", "--turns", "1", "--modules", "growth"],
    ["try", "--headless", "--turns", "1", "--option", "voluntary_suicide_elephant=true"],
    ["play", "--modules", "Memory"],
    ["play", "--modules", "growth+nonsense"],
    ["play", "--modules", "convergence", "--seed", "7"],
]


@pytest.mark.parametrize("words", GATED, ids=" ".join)
def test_a_locked_chapter_is_refused(words: list[str], capsys: Output) -> None:
    assert told(capsys, *words) == REFUSED
    chapters.unlock_to(chapters.COUNT)
    status, _, err = told(capsys, *words)
    assert LOCKED not in err
    works = "nonsense" not in " ".join(words) and words[0] != "play"  # no table is plugged in
    assert status == (0 if works else 2), err


def test_a_script_that_starts_with_a_chapter(tmp_path: Path, capsys: Output) -> None:
    script = tmp_path / "script.jsonl"
    for start in (position(GROWTH), f"{position(0)} growth nonsense"):
        script.write_text(json.dumps({"t_ms": 0, "start": start}))
        assert told(capsys, "table", "--script", str(script)) == REFUSED
    script.write_text(
        json.dumps({"t_ms": 0, "start": position(0), "options": "voluntary_suicide=true"})
    )
    assert told(capsys, "table", "--script", str(script)) == REFUSED
    status, _, err = told(capsys, "table", "--script", str(script), "--modules", "standard")
    assert (status, err) == (
        2,
        "chronotable: the script says how the table starts; leave --modules out\n",
    )


def test_a_start_says_what_is_played(capsys: Output) -> None:
    words = ["table", "--script", os.devnull, "--start", position(0), "--modules", "standard"]
    assert told(capsys, *words)[::2] == (
        2, "chronotable: --start says what is played; leave --modules out\n"
    )  # fmt: skip


def test_the_standard_game_can_be_named(capsys: Output, home: Path) -> None:
    words = ["try", "--headless", "--quiet", "--seed", "1", "--turns", "1"]
    status, named, _ = told(capsys, *words, "--modules", "standard")
    assert status == 0
    status, unnamed, _ = told(capsys, *words)
    assert status == 0
    assert named.splitlines()[:3] == unnamed.splitlines()[:3]
    assert not any("Draw" in path.read_text() for path in home.glob("*.ttykm"))


def test_convergence_draws(capsys: Output) -> None:
    chapters.unlock_to(chapters.COUNT)
    for seed in range(6):
        modules = objects.convergence(seed)
        drawn = choose_game("Convergence", seed)
        assert drawn == GameChoice(modules, f"convergence {seed}")
        assert drawn.headers == {"Draw": f"convergence {seed}"}
        assert f"convergence, seed {seed}: " in capsys.readouterr().err
    found = {choose_game("convergence").modules for _ in range(100)}
    assert found == {GROWTH | INFLUENCE, GROWTH | MEMORY, INFLUENCE | MEMORY}
    assert choose_game("growth + memory", 5) == GameChoice(GROWTH | MEMORY)
    assert choose_game(None, 5) == choose_game("standard") == GameChoice(0)
    assert GameChoice(0).headers == {} and GameChoice(0).start() == new_state()
    with pytest.raises(UserError, match=r"--modules x: there is no such game"):
        choose_game("x")
    with pytest.raises(UserError, match=r"--seed 5: nothing is drawn"):
        game_choice.choose_drawn_game("growth", 5)
    for seed in (-1, 1 << 32):
        with pytest.raises(UserError, match="a draw takes a number from 0 to 4294967295"):
            choose_game("convergence", seed)


def test_a_table_plays_what_is_unlocked() -> None:
    state = new_state()
    assert unlocked_state(state) is state
    with pytest.raises(chapters.LockedError):
        GameChoice(GROWTH).start()
    chapters.unlock_to(chapters.COUNT)
    for modules in (GROWTH, ALL_MODULES):
        assert GameChoice(modules).start() == objects.new_state(modules)


def test_a_new_game_at_the_desk_begins_as_chosen() -> None:
    begun: list[object] = []
    mirror = SimpleNamespace(
        table=SimpleNamespace(peer=None, counters={}), ended=0, game=SimpleNamespace(options=1)
    )
    session = SimpleNamespace(
        mirror=mirror,
        link=SimpleNamespace(counters={}),
        set_up=lambda state, options: begun.append((state, options)),
    )
    for start in (None, objects.new_state(GROWTH)):
        desk = Desk(start=start)
        desk.session = session  # type: ignore[assignment]
        desk.set_up = session.set_up
        lines = ["new"]
        typed = SimpleNamespace(take=lambda lines=lines: lines.pop() if lines else None)
        show = SimpleNamespace(refresh=lambda: None)
        PlayControl(desk, show, typed, False).is_done()  # type: ignore[arg-type]
    assert begun == [(new_state(), 1), (objects.new_state(GROWTH), 1)]


# ---- help


HELPED = ("legal", "perft", "verify", "table", "try", "play")


@pytest.mark.parametrize("number", range(chapters.COUNT + 1))
def test_help_grows_with_the_chapters(number: int, capsys: Output) -> None:
    chapters.unlock_to(number)
    for command in HELPED:
        said = " ".join(told(capsys, command, "--help")[1].split())
        assert ("--modules NAME" in said) == (number > 0 and command in ("table", "try", "play"))
        for index, name in enumerate(chapters.NAMES, 1):
            assert (name in said.lower()) == (index <= number and "--modules" in said)
        if command in ("table", "play"):
            assert ("--seed N" in said) == (number == chapters.COUNT)
        if command != "play":
            for of in range(chapters.COUNT + 1):
                for option, _ in chapters.options_of(of):
                    assert (f"{option}=" in said) == (of <= number), (command, option)


def test_help_that_is_asked_again_shows_what_is_unlocked_then(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process makes its commands once; what they showed somewhere else they show no more."""
    locked = [told(capsys, command, "--help")[1] for command in HELPED]
    chapters.unlock_to(chapters.COUNT)
    assert [told(capsys, command, "--help")[1] for command in HELPED] != locked
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "elsewhere"))
    assert [told(capsys, command, "--help")[1] for command in HELPED] == locked


# ---- the archive


@lanes.gate
def test_games_of_a_locked_chapter_are_listed_and_no_more(
    archive: Archive, capsys: Output, tmp_path: Path
) -> None:
    standard = archive.new_game(played())
    before = told(capsys, "games")
    game = archive.new_game(record_of(GROWTH))
    mixed = archive.new_game(record_of(INFLUENCE | MEMORY))
    status, out, err = told(capsys, "games")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].split() == before[1].splitlines()[0].split()
    assert [line.split()[0] for line in out.splitlines()[1:]] == [mixed.id, game.id, standard.id]
    listed = json.loads(told(capsys, "games", "--json")[1])
    assert [(one["modules"], one["options"], one["start"]) for one in listed] == [
        (None, None, None),
        (None, None, None),
        ("standard", "", position(0)),
    ]
    for command in ("show", "replay", "export"):
        assert told(capsys, command, game.id) == REFUSED
        assert told(capsys, command, standard.id)[0] == 0
    status, out, err = told(capsys, "export", "--all")
    assert (status, out) == (1, format_record(played()))
    assert err.splitlines() == [f"{one.path}: {LOCKED}" for one in (game, mixed)]

    chapters.unlock_to(1)
    rows = [line.split() for line in told(capsys, "games")[1].splitlines()]
    assert [row[-1] for row in rows] == ["game", "?", "growth", "standard"]
    assert told(capsys, "show", game.id)[0] == 0
    assert told(capsys, "replay", game.id)[0] == 0
    assert told(capsys, "show", mixed.id) == REFUSED
    assert told(capsys, "export", game.id)[1].startswith("[Modules ")

    chapters.unlock_to(4)
    rows = [line.split() for line in told(capsys, "games")[1].splitlines()]
    assert [row[-1] for row in rows] == ["game", "influence+memory", "growth", "standard"]
    assert told(capsys, "export", "--all")[0] == 0


def test_standard_games_are_listed_as_ever(archive: Archive, capsys: Output) -> None:
    archive.new_game(played())
    locked = [told(capsys, "games"), told(capsys, "games", "--json"), told(capsys, "show", "last")]
    chapters.unlock_to(4)
    assert locked == [
        told(capsys, "games"), told(capsys, "games", "--json"), told(capsys, "show", "last")
    ]  # fmt: skip


def test_importing_a_locked_chapter(archive: Archive, capsys: Output, tmp_path: Path) -> None:
    file = tmp_path / "evening.ttykm"
    file.write_text(format_record(played()) + "\n" + format_record(record_of(GROWTH)), "utf-8")
    assert told(capsys, "import", str(file)) == REFUSED
    assert not list(archive.folder.rglob("*.ttykm")), "all of them, or none"
    chapters.unlock_to(1)
    assert told(capsys, "import", str(file))[0] == 0
    assert len(archive.games()) == 2


def test_a_locked_game_that_is_broken_gives_nothing_away(archive: Archive, capsys: Output) -> None:
    game = archive.new_game(record_of(GROWTH))
    game.path.write_text(game.path.read_text("utf-8").replace("seeds=5", ""), "utf-8")
    status, out, err = told(capsys, "games")
    assert (status, out) == (0, "")
    assert err.splitlines()[0] == f"{game.path}: cannot be read: {LOCKED}"
    assert told(capsys, "show", game.id) == REFUSED
    status, _, err = told(capsys, "show", "growth")
    assert status == 2 and "no game 'growth'" in err, "what was typed may be repeated"
    chapters.unlock_to(1)
    assert "seeds" in told(capsys, "games")[2]


def test_run_is_the_same_without_the_words(capsys: Output) -> None:
    assert run(["growth"]) == 2
    assert "No such command 'growth'" in capsys.readouterr().err
