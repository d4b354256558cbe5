"""Nothing that a locked installation prints names what is in a chapter.

Commands are run as people run them, right and wrong, and what they print is searched for the words
of the chapters. Allowed is what was typed: the words of the command line, of stdin and of a file
that was named; not what the archive holds, nobody typed that. The same search over an installation
in which all is unlocked has to find something: that is the proof that it can.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LOCKED
from chronotable_host.cli import COMMANDS as NAMES
from chronotable_host.cli import load_command, run
from chronotable_host.rules.notation import OPTIONS, format_position
from chronotable_host.rules.record import Record, format_record
from chronotable_host.web import looks
from tests import lanes, sweep
from tests.host.archives import Output, played, told
from tests.host.leaks import leaks
from ttykm import objects
from ttykm.game import Game
from ttykm.objects import ALL_MODULES, GROWTH, INFLUENCE, MEMORY

ROOT = Path(__file__).resolve().parent.parent.parent
START = "w..............b/w..............b/w..............b 0 2 4 4 w"

COMMANDS = [
    [], ["rules"], ["legal"], ["perft"], ["games"], ["show"], ["replay"], ["export"], ["import"],
    ["verify"], ["table"], ["boards"], ["boards", "check"], ["boards", "draw"], ["play"], ["try"],
    ["lights"], ["unlock"], ["help"], ["flash"], ["engine"], ["match"], ["statistics"],
    ["puzzles"], ["puzzles", "play"], ["puzzles", "make"], ["endgames"], ["endgames", "make"],
    ["night"], ["invite"], ["join"],
    ["club"], ["club", "new"], ["club", "serve"],
    ["club", "table"], ["club", "table", "add"], ["club", "table", "revoke"],
    ["club", "table", "list"],
    ["club", "tournament"],
]  # fmt: skip


def position(modules: int) -> str:
    return format_position(objects.new_state(modules))


def first_turns(modules: int, count: int = 2) -> Record:
    record, game = Record(objects.new_state(modules)), Game()
    game.start(record.start)
    for _ in range(count):
        turn = list(game.legal_turns())[-1]
        game.apply(turn)
        record.add(turn)
    return record


def falsely_drawn() -> str:
    """Return a game whose header says that modules were drawn, which an error then names."""
    record = played()
    record.headers["Draw"] = "convergence 4"
    return format_record(record)


class Case(NamedTuple):
    """A command, what is typed at stdin, and a file that it reads as `FILE`."""

    words: list[str]
    typed: str = ""
    file: str = ""


def script(start: str, options: str = "") -> str:
    return json.dumps({"t_ms": 0, "start": start, "options": options}) + "\n"


def vectors(**game: Any) -> str:
    return json.dumps({"id": "x", "start": START, "turns": [], **game}) + "\n"


TWO_LIFTS = '{"t_ms":1500,"lift":"past 1"}\n{"t_ms":2500,"place":"past 2"}\n'
SPELLED = ("grwoth", "growht+memorey", "influense", "convergense", "all", "chapter1")
OBJECTS = [
    f"{START} {modules} {field} {rest}".strip()
    for modules in ("growth", "GROWTH+Memory", "influence", "memory", "growth+influence+memory")
    for field, rest in [
        ("", ""),
        ("-/-/-", ""),
        ("-/-/-", "seeds=9"),
        ("*1/sh1/T1", "seeds=5"),
        ("F2<9/-/-", "seeds=5"),
        ("eD4w,eL13w/-/-", ""),
        ("nN7,nN8/-/-", "statues=x"),
        ("q3/-/-", "x"),
    ]
]

CASES = [
    *[Case([*command, "--help"]) for command in COMMANDS],
    Case([]),
    Case(["--version"]),
    # positions and modules
    *[Case(["legal", text]) for text in OBJECTS],
    *[Case(["legal", f"{START} {name} -/-/-"]) for name in SPELLED],
    *[Case(["legal", f"{START} standard -/-/-"]), Case(["legal", f"{START} -/-/- seeds=5"])],
    *[Case(["perft", position(bits), "--depth", "1"]) for bits in (GROWTH, INFLUENCE | MEMORY)],
    Case(["legal", START]),
    Case(["legal", START[:-1]]),
    Case(["perft", START, "--depth", "2"]),
    # the rules as people read them
    *[Case(words) for words in (["rules"], ["rules", "--json"], ["rules", "T12"])],
    *[
        Case(["rules", number, *more])
        for number in ("G4", "I9", "M5-M7", "(C1)", "G15-G100", "X1", "growth")
        for more in ([], ["--json"])
    ],
    # options
    *[
        Case([*command, "--option", f"{name}={value}"])
        for name in [name for name, _ in OPTIONS] + ["build_bloked", "voluntary", "handicap"]
        for value in ("true", "x", "")
        for command in (["legal", START], ["verify", os.devnull], ["table", "--script", os.devnull])
    ],
    Case(["legal", START, "--option", "build_blocked"]),
    Case(["legal", START, "--optoin", "x"]),
    # what is played
    *[
        Case([*command, "--modules", name])
        for name in (*SPELLED, *chapters.NAMES, "growth+memory", "growth+growth", "standard+x")
        for command in (
            ["try", "--headless", "--turns", "2"],
            ["play"],
            ["table", "--script", os.devnull],
        )
    ],
    *[
        Case([command, "--modules", "convergence", "--seed", "x"])
        for command in ("try", "play", "table")
    ],
    Case(["play", "--seed", "7"]),
    Case(["play", "--moduls", "x"]),
    Case(["table", "--sed", "7"]),
    Case(["table", "--script", os.devnull, "--start", position(ALL_MODULES)]),
    Case(["table", "--script", os.devnull, "--start", f"{START} growth"]),
    Case(["table", "--script", os.devnull, "--start", START, "--modules", "growth"]),
    *[
        Case([*command, "--set", word])
        for command in (["try", "--headless"], ["play"])
        for word in ("x=1", "palette=x", "chapters=x", "chapters=9")
    ],
    # scripts
    *[
        Case(["table", "--script", "FILE"], file=script(start, options))
        for start, options in [
            (position(GROWTH), ""),
            (f"{START} memory", ""),
            (f"{START} -/-/- seeds=5", ""),
            (START, "build_blocked=x"),
            (START, "build_blocked=stop_2023"),
            (START, "voluntary_suicide_elephant=2"),
        ]
    ],
    Case(["table", "--script", "FILE", "--trace"], file=TWO_LIFTS),
    # a game of ours
    Case(
        ["try", "--headless", "--white", "me", "--seed", "1"],
        typed="1 pE E >future\n1 tN >past\n1 cD:N E >future\n1 sE E >future\n1 dW >past\n"
        "1 E* E >past\n1 plant >past\n1 E E >present\n\n",
    ),
    Case(["try", "--headless", "--quiet", "--seed", "1", "--turns", "1"]),
    # engines and matches
    *[
        Case(["engine"], typed=f"ttykm\n{line}\ngo depth 1\nquit\n")
        for line in [
            *[f"position {text}" for text in (*OBJECTS, START)],
            *[f"position {position(bits)} turns 1 E E >present" for bits in (GROWTH, MEMORY)],
            *[f"position {START} turns 1 {do} >present" for do in ("pE E", "E* E", "cD:N E")],
            *[f"setoption name Options value {name}=x" for name, _ in OPTIONS],
            *["setoption name Modules value growht", "grwoth", "go seeds 5"],
        ]
    ],
    *[
        Case(["match", "random", "random", "--games", "1", *words])
        for words in [
            *[["--modules", name] for name in (*SPELLED, *chapters.NAMES)],
            *[["--option", f"{name}=x"] for name, _ in OPTIONS],
        ]
    ],
    *[
        Case(["match", "random", "random", "--openings", "FILE"], file=f"{text}\n")
        for text in OBJECTS[::7]
    ],
    Case(["match", "level:9", "seeds:1"]),
    # the archive: what is in it comes with the fixture
    *[Case(words) for words in (["games"], ["games", "--json"], ["games", "--rebuild"])],
    *[Case([command, name]) for command in ("show", "replay", "export") for name in "01234567"],
    *[Case([command, "last", "--json"]) for command in ("show", "replay")],
    Case(["show", "no such game"]),
    Case(["games", "--player", "growht"]),
    Case(["export", "--all"]),
    # files of somebody else
    *[
        Case([command, "FILE"], file=text)
        for command in ("import", "verify")
        for text in [
            format_record(first_turns(GROWTH)),
            format_record(first_turns(INFLUENCE | MEMORY)),
            format_record(first_turns(MEMORY)).replace("eD4", "eD44"),
            format_record(first_turns(GROWTH)).replace("seeds=5", ""),
            format_record(first_turns(INFLUENCE)).replace("statues=wb", ""),
            format_record(played()).replace('[Options ""]', '[Options "build_blocked=x"]'),
            format_record(played()).replace("1 E F", "1 pE F"),
            format_record(played()).replace("1 E F", "1 tN F"),
            format_record(played()).replace('"standard"', '"convergence"'),
            format_record(played()).replace('"standard"', '"grwoth"'),
            format_record(played()) + "the end\n",
            falsely_drawn(),
        ]
    ],
    *[
        Case(["verify", "FILE"], file=text)
        for text in [
            vectors(modules="growth", start=position(GROWTH), turns=["1 dN >past"]),
            vectors(start=position(GROWTH), turns=["1 pE pE >future"]),
            vectors(start=position(INFLUENCE), turns=["1 E* E >future"]),
            vectors(start=position(MEMORY), turns=["1 cD:N E >future"]),
            vectors(start=position(MEMORY), turns=["1 tN E >future"]),
            vectors(start=position(INFLUENCE), turns=["1 sN E >future"], final=START),
            vectors(start=f"{START} growth", turns=[]),
            vectors(options={"build_blocked": "x"}, turns=["1 E F >present"]),
            vectors(turns=["1 pE E >future"]),
            vectors(turns=["1 xx >future"]),
        ]
    ],
    # unlocking
    *[Case(["unlock", *words]) for words in ([], ["--status"], ["--status", "--json"], ["--no"])],
]  # fmt: skip


@pytest.fixture(scope="module")
def old_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of games that were played when more was unlocked: whole, and broken."""
    home = tmp_path_factory.mktemp("old") / "archive"
    home.mkdir()
    texts = [
        format_record(played()),
        format_record(first_turns(GROWTH)),
        format_record(first_turns(INFLUENCE | MEMORY)),
        format_record(first_turns(GROWTH)).replace("seeds=5", ""),
        format_record(played()).replace("1 E F", "1 pE F"),
        format_record(played()).replace('[Options ""]', '[Options "build_blocked=stop_2023"]'),
        format_record(played()).replace('"standard"', '"memory+convergence"'),
        falsely_drawn(),
    ]
    for number, text in enumerate(texts):
        (home / f"{number}.ttykm").write_text(text, "utf-8")
    with Archive(home) as archive:
        assert len(archive.games()) + len(archive.problems()) == len(texts)
    return home


@pytest.fixture
def kept(home: Path, old_home: Path) -> Path:
    """Return a home of its own with those games."""
    shutil.copytree(old_home, home)
    return home


def everything_said(
    case: Case, capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """Run a command; return what it printed, and all that was typed for it."""
    file = tmp_path / "file"
    file.write_text(case.file, "utf-8")
    words = [str(file) if word == "FILE" else word for word in case.words]
    monkeypatch.setattr("sys.stdin", io.StringIO(case.typed))
    _, out, err = told(capsys, *words)
    return out + err, " ".join(words) + case.typed + case.file


def _name(case: Case) -> str:
    return " ".join(case.words)[-50:] or "nothing"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("case", CASES, ids=_name)
def test_nothing_is_given_away(
    case: Case, capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, typed = everything_said(case, capsys, tmp_path, monkeypatch)
    assert leaks(said, typed) == [], said


@lanes.gate
@pytest.mark.parametrize("number", [1, 2, 3])
def test_later_chapters_stay_secret(
    number: int, kept: Path, capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With some chapters unlocked their words are free, and those of the others are not.

    Each command is run with one, two or three of them.
    """
    chapters.unlock_to(number)
    own = {
        1: "growth seed seeds shrubs tree trees plant planted plants planting dig digging fallen "
        "topple topples toppled voluntary_suicide",
        2: "influence statue statues build_blocked rebound_2021 stop_2023 rebound",
        3: "memory elephant elephants hat hats train trains trained training trample "
        "voluntary_suicide_elephant",
    }
    free = " ".join(own[chapter] for chapter in range(1, number + 1))
    secret = set(chapters.NAMES[number:])
    for case in sweep.some(CASES[number - 1 :: 3], 30):
        said, typed = everything_said(case, capsys, tmp_path, monkeypatch)
        assert leaks(said, typed + free) == [], (case, said)
    status = told(capsys, "unlock", "--status")[1]
    assert not secret & set(re.findall(r"\w+", status))


TELLING = [
    ["rules"],
    ["rules", "M3", "--json"],
    ["legal", position(GROWTH)],
    ["legal", f"{START} influence -/-/-"],
    ["legal", START, "--option", "build_blocked=x"],
    ["legal", "--help"],
    ["try", "--help"],
    ["play", "--help"],
    ["table", "--help"],
    ["games"],
    ["games", "--json"],
    ["show", "1"],
    ["export", "2"],
    ["unlock", "--status"],
]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("words", TELLING, ids=" ".join)
def test_the_search_finds_what_is_told(
    words: list[str], capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is unlocked is named, by the same commands: a leak would be found."""
    chapters.unlock_to(chapters.COUNT)
    said, typed = everything_said(Case(words), capsys, tmp_path, monkeypatch)
    assert leaks(said, typed.replace("growth", ""))


def test_the_search_finds_every_chapter(home: Path, capsys: Output) -> None:
    for number in range(1, chapters.COUNT + 1):
        _, out, _ = told(capsys, "unlock", "--yes")
        assert chapters.NAMES[number - 1] in leaks(out)
        assert len(leaks(out)) > 2, out


@pytest.mark.usefixtures("kept")
def test_a_gate_that_is_left_open_is_noticed(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each guard is taken away in turn, and then the search finds what it guards."""

    def found() -> set[str]:
        words: set[str] = set()
        for telling in TELLING:
            said, typed = everything_said(Case(telling), capsys, tmp_path, monkeypatch)
            words.update(leaks(said, typed))
        return words

    assert not found()
    with monkeypatch.context() as patch:
        patch.setattr(chapters, "shown", lambda: chapters.COUNT)  # help and errors
        assert {"growth", "seeds", "build_blocked"} <= found()
    with monkeypatch.context() as patch:
        patch.setattr(chapters, "is_open", lambda *_: True)  # what is played and shown
        assert {"growth", "influence", "memory"} <= found()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("There is no Seed to dig up.", ["dig", "seed"]),
        ("repeat with --seed 5; stopped (seed 17); free memory 9 KB", []),
        ("how much free\nmemory it has", []),
        ("that chat, a street, digits, the command line and No such command 'x'", []),
        ("No such command 'x'; you command the dark one", ["command the dark"]),
        ("--option build_blocked=x", ["build_blocked"]),
        ("HATS on ELEPHANTS", ["elephants", "hats"]),
    ],
)  # fmt: skip
def test_the_search(said: str, found: list[str]) -> None:
    assert leaks(said) == found
    assert leaks(said, said) == []


@pytest.mark.parametrize(
    "page", ["README.md", "firmware/README.md", "boards/README.md", "host/docs"]
)
def test_the_book_gives_nothing_away(page: str) -> None:
    for path in [ROOT / page, *(ROOT / page).glob("*.md")]:
        assert not path.is_file() or leaks(path.read_text("utf-8")) == [], path


def test_what_is_said_of_a_locked_chapter() -> None:
    assert leaks(LOCKED) == []


def test_no_file_of_the_page_names_what_is_in_a_chapter() -> None:
    """The page's files are served as they are, also while chapters are locked."""
    static = ROOT / "host" / "chronotable_host" / "web" / "static"
    files = sorted(path for path in static.rglob("*") if path.suffix in (".js", ".css", ".html"))
    assert files
    assert {file.name: found for file in files if (found := leaks(file.read_text()))} == {}


def test_a_viewer_is_told_of_a_chapter_when_it_is_unlocked(home: Path) -> None:
    told = [json.dumps([looks.games(count), looks.pieces(count), looks.meanings("standard", count)])
            for count in range(chapters.COUNT + 1)]  # fmt: skip
    assert leaks(told[0]) == []
    found = [set(leaks(text)) for text in told]
    assert all(before < after for before, after in itertools.pairwise(found))


# ---- words

CREDENTIAL = re.compile(r"mqtts?://|TOKEN|LINK|URL")
"""What the help calls a value that may hold a password, an invitation or a token."""


def parameters(command: Any, words: str = "chronotable") -> Iterator[tuple[str, Any]]:
    """Yield the parameters of all commands, each with its command's words."""
    for each in command.params:
        yield words, each
    for name, below in getattr(command, "commands", {}).items():
        yield from parameters(below, f"{words} {name}")


def test_each_secret_can_be_asked_for_and_stand_in_the_environment() -> None:
    found = [
        (f"{words} {each.opts[0]}", each)
        for name in NAMES
        for words, each in parameters(load_command(name), f"chronotable {name}")
        if CREDENTIAL.search(f"{each.metavar}")
    ]
    for name, each in found:
        assert each.callback is not None, name
        assert each.envvar or each.opts[0] == "--url", name  # which CHRONOTABLE_DB stands for
    assert len(found) > 12


@pytest.mark.parametrize(
    ("words", "is_in_environment"),
    [
        (["join", "-"], False),
        (["join"], False),
        (["join", "--name", "Bo"], False),
        (["join"], True),
    ],
)
def test_a_link_is_read_from_where_nobody_sees_it(
    words: list[str],
    is_in_environment: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    link = "chronotable://host/mqtt#these-are-not-nine"
    monkeypatch.setattr(sys, "stdin", io.StringIO("" if is_in_environment else f"{link}\n"))
    if is_in_environment:
        monkeypatch.setenv("CHRONOTABLE_LINK", link)
    assert run(words) == 2
    assert "an invitation has nine words; there are 4" in capsys.readouterr().err


def test_who_answers_nothing_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert run(["join", "-"]) == 2
    assert "LINK is needed, and was not typed; type it, or pipe it in" in capsys.readouterr().err


def test_a_terminal_does_not_show_what_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("seen"))
    asked: list[str] = []
    monkeypatch.setattr(
        "chronotable_host.commands.common.options.getpass", lambda said: asked.append(said) or " "
    )
    for words in (["join"], ["join", "--broker", "-"], ["invite", "--broker", "-"]):
        assert run(words) == 2
    assert asked == [f"{what} (it is not shown): " for what in ("LINK", "URL", "URL")]
