"""What the book says of the program is what the program says: tables, commands, options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from chronotable.hardware.sensors import ERAS, SPACES
from chronotable_host import cli
from chronotable_host.engine import analysis
from chronotable_host.hardware import boards
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.live.players import seats
from tests import book, lanes

FOR_PEOPLE = [
    *(book.ROOT / "README.md", *(book.ROOT / "firmware").glob("*.md")),
    *(book.ROOT / "boards").glob("*.md"),
    *(book.ROOT / "host" / "docs").rglob("*.md"),
]
OLD = """# Players

<!-- [[[cog cog.out(book.levels("player", "is")) ]]] -->
of last year
<!-- [[[end]]] -->
"""


@lanes.gate
@pytest.mark.parametrize("language", book.LANGUAGES)
def test_what_pages_have_from_the_program_is_up_to_date(language: str) -> None:
    paths = [*book.pages(language)]
    assert paths or language != "en"
    if paths:
        done = book.cog(language, paths, "--check", "--diff")
        assert done.returncode == 0, f"`python -m tests.book` writes it:\n{done.stdout}"


@pytest.mark.parametrize("language", book.LANGUAGES)
def test_pictures_are_as_they_are_drawn(language: str, tmp_path: Path) -> None:
    done = book.python(language, "tests.book", str(tmp_path))
    assert done.returncode == 0, done.stderr
    drawn = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(drawn) == len(book.PICTURES)
    for path in drawn:
        kept = book.ROOT / path.relative_to(tmp_path)
        assert kept.read_bytes() == path.read_bytes(), f"`python -m tests.book` draws {kept}"


PICTURE = re.compile(r"\]\(([^)]*\.(?:svg|png))\)")
TAKEN = ("tests/page/pictures/play.png", "tests/night/pictures/night.png")
"""Of pages in a browser: tests/page/test_pictures.py, tests/night/test_timechase_pages.py."""


@pytest.mark.parametrize("page", FOR_PEOPLE, ids=lambda page: str(page.relative_to(book.ROOT)))
def test_a_page_has_a_picture_that_a_command_makes(page: Path) -> None:
    text = page.read_text("utf-8")
    shown = [(page.parent / name).resolve() for name in PICTURE.findall(text)]
    assert shown or "[[[cog" in text or page.stem == "changes"
    drawn = {Path(name).name for name in book.PICTURES}
    for at in shown:
        name = at.relative_to(book.ROOT).as_posix()
        assert at.name in drawn or name in TAKEN or at.parent.name == "boards", name


def test_pages_are_those_of_the_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "de"
    monkeypatch.setattr(book, "ROOT", root)
    for name in ("README.md", "host/docs/far.md", "host/docs/de/far.md", ".venv/lib/other.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(OLD, "utf-8")
    (root / "host" / "docs" / "plain.md").write_text("# Plain\n", "utf-8")
    assert [*book.pages("en")] == [root / "README.md", root / "host" / "docs" / "far.md"]
    assert [*book.pages("de")] == [root / "host" / "docs" / "de" / "far.md"]


def test_what_is_out_of_date_is_found_and_written(tmp_path: Path) -> None:
    page = tmp_path / "players.md"
    page.write_text(OLD, "utf-8")
    done = book.cog("de", [page], "--check", "--diff")
    assert done.returncode and "-of last year" in done.stdout and "+| `level:8` |" in done.stdout
    assert book.cog("de", [page], "-r").returncode == 0
    assert "gnadenlos: stärker ist niemand" in page.read_text("utf-8")
    assert book.cog("de", [page], "--check").returncode == 0


TABLE = boards.read("reference")
LEVELS = [each.name for each in seats.CANDIDATES if each.seat in seats.LEVEL_NAMES]


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("host/docs/lessons.md", f"{len(built_in())} come with Chronotable"),
        ("host/docs/lessons.md", f"{('', '', '', '', '', 'Five')[len(LESSONS)]} lessons teach it"),
        ("host/docs/analysis.md", f"({analysis._MOST_NODES:,} at most)"),
        ("host/docs/analysis.md", f"as far as level {len(LEVELS)} does"),
        ("host/docs/first-game.md", f"levels 1 ({LEVELS[0]}) to {len(LEVELS)} ({LEVELS[-1]})"),
        ("host/docs/first-game.md", f"numbered 1 to {SPACES // len(ERAS)} in reading order"),
        ("boards/README.md", f"({TABLE.max_ma} mA, so that"),
        (
            "boards/README.md",
            f"{TABLE.led_count} WS2812 LEDs hang in one chain on GP{TABLE.led_pin}",
        ),
        ("boards/README.md", f"rows are on GP{TABLE.row_pins[0]} to GP{TABLE.row_pins[-1]}"),
        ("boards/README.md", f"columns on GP{TABLE.col_pins[0]} to GP{TABLE.col_pins[-1]}"),
    ],
)
def test_limits_within_sentences_are_those_of_the_program(page: str, says: str) -> None:
    assert says in " ".join((book.ROOT / page).read_text("utf-8").split())


EVERYWHERE = {"--help", "--version", "--install-completion"}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)


@cache
def options() -> dict[str, set[str]]:
    """Return all commands as they are typed, those below others, too, with their options."""

    def below(words: str, command: Any) -> Iterator[tuple[str, set[str]]]:
        yield words, {name for part in command.params for name in part.opts + part.secondary_opts}
        for name, each in getattr(command, "commands", {}).items():
            yield from below(f"{words} {name}", each)

    return {
        words: opts for name in cli.COMMANDS for words, opts in below(name, cli.load_command(name))
    }


def not_there(text: str) -> list[str]:
    """Return what a page has as a command or an option of ours, and is none."""
    wrong = []
    anywhere = EVERYWHERE.union(*options().values())
    for found in CODE.findall(re.sub(r" #.*|\\\n", "", text)):
        code = found if found.startswith("```") else found.replace("\n", " ")
        if code.startswith("`--"):
            wrong += [name for name in OPTION.findall(code) if name not in anywhere]
        for line in re.findall(r"\bchronotable ((?:[a-z\"-].*)?)", code.strip("`")):
            words = line.split()
            count = next((n for n in (3, 2, 1) if " ".join(words[:n]) in options()), 0)
            known = options().get(" ".join(words[:count]), set()) | EVERYWHERE
            if words and not count and not words[0].startswith("-"):
                wrong.append(words[0])
            wrong += [f"{words[0]} {name}" for name in OPTION.findall(line) if name not in known]
    return wrong


@pytest.mark.parametrize("page", FOR_PEOPLE, ids=lambda page: str(page.relative_to(book.ROOT)))
def test_commands_and_options_of_a_page_are_there(page: Path) -> None:
    assert not_there(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`chronotable play --port`, `--headless`", []),
        ("`--prot`", ["--prot"]),
        ("`chronotable plya`", ["plya"]),
        ("```sh\nchronotable club table add X --folder \\\n  --prot 3 # --else\n```",
         ["club --prot"]),
        ("`chronotable play --headless`", ["play --headless"]),
    ],
)  # fmt: skip
def test_what_is_not_there_is_found(text: str, wrong: list[str]) -> None:
    assert not_there(text) == wrong
