"""The contract of every command, and the two that ask the rules directly."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import chronotable_host
from chronotable_host import chapters, cli
from chronotable_host.cli import run
from chronotable_host.commands.common import terminal
from chronotable_host.errors import UserError, one_line
from chronotable_host.link.pc_link import LogLine
from chronotable_host.rules.notation import NotationError
from chronotable_host.virtual.desk import VirtualDesk
from tests import lanes
from tests.host.archives import Output

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
START = "w..............b/w..............b/w..............b 0 2 4 4 w"
GROWTH = f"{START} growth -/-/- seeds=5"

# ---- every command


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help(command: str, capsys: Output) -> None:
    assert run([command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: chronotable {command}")
    assert err == ""


def test_help_of_all(capsys: Output) -> None:
    assert run(["--help"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    for command, (_module, summary) in cli.COMMANDS.items():
        assert listed[command].startswith("  ")
        assert listed[command].endswith(".")
        is_cut = command in ("boards", "site")  # no other description is
        assert listed[command].endswith("...") == is_cut, command
        # the command says the same of itself
        assert cli.load_command(command).help.startswith(summary.rstrip(".")), command


def test_no_command_is_wrong_use_and_shows_help(capsys: Output) -> None:
    assert run([]) == 2
    assert "Commands:" in capsys.readouterr().out


@pytest.mark.parametrize(("known", "told"), [("", ""), ("5edc2baf", " (5edc2baf)")])
def test_version(known: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(cli, "commit", lambda: known)
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"chronotable {chronotable_host.__version__}{told}\n"


WRONG = [
    (["nothing"], "No such command 'nothing'"),
    (["legal"], "Missing argument 'POSITION'"),
    (["legal", START, "--jsn"], "No such option: --jsn"),
    (["legal", START, "again"], "again"),
    (["legal", ""], "position: 0 of 6 fields found; the eras is missing"),
    (["legal", START[:-1] + "x"], "position, mover: 'x' is neither w nor b"),
    (["legal", GROWTH], "'chronotable unlock' unlocks the next one"),
    (["legal", f"{START} nothing"], "position: "),
    (["legal", START, "--option", "handicap=2"], "option 'handicap=2': known is"),
    (["legal", START, "--option", "strict_two_actions=2"], "'2' is neither true nor false"),
    (["legal", START, "--option", "build_blocked=x"], "'chronotable unlock' unlocks the next one"),
    *(
        ([*command, START.replace("4 4", supplies)], "more than seven pieces of one player")
        for command in (["legal"], ["perft", "--depth", "1"], ["table", "--serve", "0", "--start"])
        for supplies in ("5 4", "4 5")
    ),
    (["rules", "T100"], "there is no rule T100 among those that are unlocked here"),
    (["rules", "first"], "'first' is no number of a rule; type T12"),
    (["perft", START], "Missing option '--depth'"),
    (["perft", START, "--depth", "0"], "'--depth'"),
    (["perft", START, "--depth", "two"], "'--depth'"),
    (["games", "--result", "won"], "a result is one of 1-0 0-1 1/2-1/2 *"),
    (["games", "--limit", "0"], "'--limit'"),
    (["verify", "no-such-file"], "no-such-file: cannot be read"),
    (["verify"], "Missing argument"),
    (["import", "no-such-file"], "no-such-file: cannot be read"),
    (["try", "--headless", "--modules", "nothing"], "--modules nothing: there is no such game"),
    (["play", "--seed", "1"], "--seed 1: nothing is drawn for this game"),
    (["unlock"], "--yes unlocks without asking"),
]


@pytest.mark.parametrize(("words", "part"), WRONG, ids=[" ".join(words)[:40] for words, _ in WRONG])
def test_wrong_input_is_one_line_and_status_2(
    words: list[str], part: str, capsys: Output, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("chronotable: ")
    assert err.count("\n") == 1
    assert part in err


def test_what_becomes_of_errors() -> None:
    assert one_line(UserError("a\nb\x1b[2J")) == "a b?[2J"
    assert one_line(NotationError("position: x")) == "position: x"
    assert one_line(FileNotFoundError(2, "No such file", "x.ttykm")) == "x.ttykm: No such file"
    assert one_line(OSError("odd")) == "odd"
    assert one_line(ValueError("a fault of ours")) is None


@lanes.gate
def test_module_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chronotable_host", "legal", "x"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"chronotable: position: ")
    assert done.stderr.count(b"\n") == 1


PROGRAM = [sys.executable, "-m", "chronotable_host"]
STOPPED_AT = """
import runpy, sys


class Stop:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt


sys.meta_path.insert(0, Stop())
del sys.argv[2:]
runpy.run_module("chronotable_host", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module", ["chronotable_host.cli", "typer", "chronotable_host.rules.notation"]
)
def test_ctrl_c_is_quiet_while_modules_are_loaded(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_AT, module], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@lanes.gate
@pytest.mark.skipif(os.name != "posix", reason="a shell closes it")
@pytest.mark.parametrize(
    ("words", "status"), [("rules T12 >&-", 0), ("nonsense >&- 2>&-", 2), ("verify - <&-", 2)]
)
def test_what_a_shell_has_closed_is_borne(words: str, status: int) -> None:
    line = f'exec "$0" -m chronotable_host {words}'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (status, b"")
    assert b"Traceback" not in done.stderr


@lanes.gate
@pytest.mark.skipif(os.name != "posix", reason="a pty needs POSIX")
def test_sigterm_leaves_no_folder_behind() -> None:
    with subprocess.Popen(
        [*PROGRAM, "table", "--serve", "pty"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as table:
        assert table.stdout is not None and table.stderr is not None
        port = Path(json.loads(table.stdout.readline())["serving"])
        assert port.is_symlink()
        table.terminate()
        assert table.wait(timeout=60) == 0
        assert not port.parent.exists()
        assert table.stderr.read() == b""


@lanes.gate
def test_a_reader_may_stop_reading() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "chronotable_host", "legal", START],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@lanes.gate
def test_rules_load_neither_database_nor_pictures() -> None:
    code = (
        "import sys; from chronotable_host.cli import run; run(['legal', sys.argv[1]]);"
        "print([name for name in sys.modules if name in ('sqlalchemy', 'rich', 'platformdirs')])"
    )
    done = subprocess.run([sys.executable, "-c", code, START], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("patience_s", [0.0, 1000.0])
def test_a_progress_bar_is_for_long_work(
    patience_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    stderr = Terminal()
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(terminal, "PATIENCE_S", patience_s)
    with terminal.Busy("counting", 3) as busy:
        if not patience_s:
            busy._timer.join()
        busy.report(2)
    assert ("counting" in stderr.getvalue()) == (not patience_s)
    assert ("2/3" in stderr.getvalue()) == (not patience_s)


# ---- legal


def test_legal_as_json(capsys: Output) -> None:
    assert run(["legal", START, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == 16
    assert found[0] == {
        "turn": "1 E E >present",
        "position": "..w............b/w..............b/w..............b 1 2 4 4 b",
    }


def test_legal_as_lines(capsys: Output) -> None:
    assert run(["legal", f"  {START.upper()} "]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 16
    assert lines[7] == (
        "1 E F >future   ...............b/ww.............b/w..............b 2 2 4 4 b"
    )


def test_legal_with_an_option(capsys: Output) -> None:
    position = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
    assert run(["legal", position]) == 0
    assert "7 S >past" in capsys.readouterr().out
    assert run(["legal", position, "--option", "strict_two_actions=true"]) == 0
    assert "7 S >past" not in capsys.readouterr().out


def test_legal_with_a_chapter(capsys: Output, home: Path) -> None:
    chapters.unlock_to(1)
    assert run(["legal", GROWTH, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == 62, "G15"
    assert all(" growth " in entry["position"] for entry in found)
    assert "1 pE pS >present" in [entry["turn"] for entry in found]
    assert run(["perft", GROWTH, "--depth", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["sequences"] for row in rows] == [62, 3844], "G15"


# ---- perft


@pytest.mark.parametrize("mode", ["strict", "lenient"])
def test_perft_as_json(mode: str, capsys: Output) -> None:
    entry = json.loads((VECTORS / "perft.json").read_text("utf-8"))["perft"][3]
    option = f"strict_two_actions={str(mode == 'strict').lower()}"
    assert run(["perft", entry["pn"], "--depth", "2", "--option", option, "--json"]) == 0
    expected = [{"depth": depth, **row} for depth, row in enumerate(entry["counts"][mode][:2], 1)]
    assert json.loads(capsys.readouterr().out) == expected


def test_perft_as_a_table(capsys: Output) -> None:
    assert run(["perft", START, "--depth", "3"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        ["depth", "sequences", "positions", "wins"],
        ["1", "16", "12", "0"],
        ["2", "256", "144", "0"],
        ["3", "5888", "2472", "0"],
    ]


def test_a_firmware_that_does_not_run_is_named():
    desk = VirtualDesk()
    desk.check_answered()
    desk.mirror.hear(LogLine("Chronotable needs MicroPython 1.26 or newer; this is 1.25."), 0)
    desk.mirror.hear(LogLine('Type "help()" for more information.'), 0)
    with pytest.raises(UserError, match=r"does not run there.*needs MicroPython 1\.26"):
        desk.check_answered()
