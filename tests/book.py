"""The book: `python -m tests.book` writes anew what its pages have from the program.

A page says where that comes, between two comments that cog reads:

    <!-- [[[cog cog.out(book.levels("player", "is")) ]]] -->
    <!-- [[[end]]] -->

Pictures that are drawn of the program lie beside the pages that show them (PICTURES).

A page gives a table's heads itself. One in another language calls the same functions, which say it
in the language that is spoken: English, but for pages in a folder such as `host/docs/de`, where
their pictures lie, too.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from chronotable_host import cli
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import light_sheet as drawn_sheet
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.hardware.drawings.paper import svg_text
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.language import LANGUAGE, tr
from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.live import settings, wishes
from chronotable_host.live.happenings import Clock
from chronotable_host.live.players import seats
from chronotable_host.live.texts import light_sheet
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.rules.record import parse_states
from chronotable_host.web import sharing

ROOT = Path(__file__).parent.parent
FOLDERS = ("boards", "firmware", "host", "tests")
LANGUAGES = ("en", "de")


def pages(language: str) -> Iterator[Path]:
    """Yield the pages in a language that have something from the program."""
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.md"))]
    for path in [ROOT / "README.md", *found]:
        parts = path.relative_to(ROOT).parts
        of = next((each for each in LANGUAGES[1:] if each in parts), LANGUAGES[0])
        if of == language and "[[[cog" in path.read_text("utf-8"):
            yield path


def cog(language: str, paths: Iterable[Path], *options: str) -> subprocess.CompletedProcess[str]:
    """Run cog over pages in a language: with `-r` it writes them, with `--check` it compares."""
    options = ("-n", "utf-8", "-U", "--verbosity=1", "-p", "from tests import book", *options)
    return python(language, "cogapp", *options, *map(str, paths))


def python(language: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python that speaks a language."""
    of_here = {"LANGUAGE": language, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, **of_here},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


# ---- what pages say


def table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def lights(colour_blind: str, says: str) -> str:
    """Return all lights: their looks in both palettes, and what they say, by subject."""
    return "\n".join(
        table(
            (title, colour_blind, says),
            (
                (
                    row.look,
                    ", ".join(dict.fromkeys(lamp.colour for lamp in row.lamps(1))),
                    row.says,
                )
                for row in rows
            ),
        )
        for title, rows in light_sheet.lights()
    )


def buttons(*heads: str) -> str:
    """Return the buttons and what they do."""
    return table(heads, light_sheet.BUTTONS)


def commands(*heads: str) -> str:
    """Return all commands, as `chronotable --help` lists them."""
    rows = ((f"`{name}`", tr(listed.summary)) for name, listed in cli.COMMANDS.items())
    return table(heads, rows)


def typed() -> str:
    """Return what can be typed while a table is played on, an example of each."""
    lines = []
    for do, wish in wishes.WISHES.items():
        for each in wish.typed:
            words = each.words or (do,)
            examples = words if each.is_value else [f"{words[0]} {each.example}".strip()]
            lines.append(f"- {_code(examples)} {each.remark}".rstrip() + "\n")
    return "".join(lines)


def levels(*heads: str) -> str:
    """Return the built-in players that a PC has."""
    rows = (
        (f"`{each.seat}`", f"{each.name}: {each.words}")
        for each in seats.CANDIDATES
        if each.seat in (*seats.LEVEL_NAMES, seats.AS_YOU, seats.RANDOM)
    )
    return table(heads, rows)


def table_settings(*heads: str) -> str:
    """Return what can be set of a table; settings that are alike in one row."""
    rows: dict[str, list[str]] = {}
    for name, kind in settings.KINDS.items():
        if name in settings.OFFERED:
            rows.setdefault(f"{kind}: {kind.says}", []).append(name)
    told = ((_code(several), says) for says, several in rows.items())
    return table(heads, told)


def printed(*commands: str, lines: slice = slice(None)) -> str:
    """Return what the last of some commands prints, typed one after the other at a new PC."""
    with TemporaryDirectory() as home:
        os.environ["CHRONOTABLE_HOME"] = home
        for command in commands:
            with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as remarks:
                if cli.run(shlex.split(command)):
                    raise ValueError(f"this went wrong: {command}\n{remarks.getvalue()}")
    return _block(out.getvalue().splitlines()[lines])


def rule_in(language: str, number: str) -> str:
    """Return a rule in a language."""
    return _block(python(language, "chronotable_host", "rules", number).stdout.splitlines())


def pairings() -> str:
    """Return how a tournament of four begins."""
    new = "club tournament new Cup --system round-robin"
    players = "club tournament add Ada Ben Cleo Dan"
    return printed("club new Club", new, players, "club tournament pair --start")


def clocks() -> str:
    """Return what the terminal says after a turn where there are clocks."""
    left = Clock(0, {"white": 295, "black": 300})
    return _block(line for _, line in sentences(left, None))


def game_text() -> str:
    """Return the game of the pictures as a text to be shared."""
    return _block(_shared(sharing.TEXT, 1).splitlines())


def _block(lines: Iterable[str]) -> str:
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```\n"])


# ---- pictures


def _shared(kind: str, turn: int) -> str:
    """Return the game of the pictures as `chronotable export` shares it."""
    return sharing.text_of(ParsedRecord(*parse_states("1. 1 E F >future *")), kind, turn)


def _puzzle() -> str:
    """Return the easiest puzzle as a picture."""
    puzzle = built_in()[0]
    return board_svg(boards.read_data("reference"), looks_of(puzzle.state), puzzle.says)


PICTURES: Mapping[str, Callable[[], str]] = {
    "firmware/lights.svg": lambda: svg_text(drawn_sheet.sheet_svg()),
    "host/docs/hands.svg": lambda: svg_text(drawn_sheet.subject_svg(1)),
    "host/docs/puzzle.svg": _puzzle,
    "host/docs/spots.svg": lambda: svg_text(drawn_sheet.subject_svg(3)),
    "host/docs/start.svg": lambda: _shared(sharing.PICTURE, 0),
    "host/docs/turn.svg": lambda: _shared(sharing.TURN, 1),
}
"""Where English pictures lie from the root on, and what draws them."""


def draw(root: Path) -> None:
    """Draw all pictures in the language that is spoken."""
    for name, drawn in PICTURES.items():
        path = root / name
        if LANGUAGE in LANGUAGES[1:]:
            path = root / "host" / "docs" / LANGUAGE / path.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(drawn(), "utf-8", newline="\n")


# ---- writing all of it


def main() -> int:
    """Write pages and pictures of all languages anew; return what a program returns."""
    status = 0
    for language in LANGUAGES:
        done = [python(language, "tests.book", str(ROOT))]
        if paths := [*pages(language)]:
            done.append(cog(language, paths, "-r"))
        for each in done:
            print(each.stdout + each.stderr, end="")
            status = status or each.returncode
    return status


if __name__ == "__main__":
    if sys.argv[1:]:  # the root, by `main`, for each language
        draw(Path(sys.argv[1]))
    else:
        sys.exit(main())
