"""The build guides in `boards/`: their words, parts and commands, and running these."""

import contextlib
import io
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from chronotable_host import cli

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "boards"


class Guide:
    """One guide: its `text`, `commands`, `parts` with their quantities, and `examples` of parts."""

    def __init__(self, file):
        self.file = file
        self.text = file.read_text("utf-8")
        self.flat = " ".join(self.text.split())
        self.commands = re.findall(r"^\$ (.*)$", self.text, re.MULTILINE)
        rows = re.findall(r"^\| ([^|]+) \| (\d+) \| ([^|]+) \|$", self.text, re.MULTILINE)
        self.parts = {name: int(quantity) for name, quantity, _ in rows}
        _, _, told = self.text.partition("| part | for example | what counts |\n|---|---|---|\n")
        lines = told.partition("\n\n")[0].splitlines()
        self.examples = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    def quantity(self, word):
        """The number of a part, found by a word in its name."""
        found = [count for name, count in self.parts.items() if word in name]
        assert len(found) == 1, word
        return found[0]

    def anchors(self):
        """What a link may name after `#`: each heading as GitHub makes it."""
        headings = re.findall(r"^#+ (.*)$", self.text, re.MULTILINE)
        return {re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in headings}


def guides():
    """(board, guide to building it) of all guides; a guide is to the board that it checks."""
    found = []
    for file in sorted(FOLDER.glob("*.md")):
        guide = Guide(file)
        checked = re.findall(r"^\$ chronotable boards check (\S+)$", guide.text, re.MULTILINE)
        found += [(board, guide) for board in checked]
    return found


class Done(NamedTuple):
    """What came of a command."""

    status: int
    stdout: str
    stderr: str


def run(args, folder):
    """Run a command in a folder, with its archive there, too."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.chdir(folder)
        patch.setenv("CHRONOTABLE_HOME", str(folder / "games"))
        status = cli.run(args)
    return Done(status, out.getvalue(), err.getvalue())


START = ("past 1", "past 16", "present 1", "present 16", "future 1", "future 16")
ASKED = (*START, "focus white past", "focus black future")


def bare_table(folder, board, *events):
    """What a table says that is switched on with nothing on it, and then feels `events`."""
    lines = [{"t_ms": 100, "power": "off"}]
    lines += [{"t_ms": 200, "lift": name} for name in ASKED]
    lines += [{"t_ms": 1000, "power": "on"}]
    lines += [{"t_ms": 5000 + 2000 * at} | event for at, event in enumerate(events)]
    script = folder / "script.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in lines))
    done = run(["table", "--board", board, "--script", str(script)], folder)
    assert done.status == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    return [happening for happening in said if happening["t_ms"] >= 1000]


def lights_of(said):
    """The pictures that the lights show one after the other."""
    return [happening["leds"] for happening in said if "leds" in happening]


def guides_of(said):
    """What the table asks for, one after the other."""
    return [happening["guide"] for happening in said if "guide" in happening]
