"""An analysis on the table as a user meets it: `play --analyse` at a table on a pty."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronotable_host.cli import run
from chronotable_host.rules.record import format_record
from chronotable_host.virtual.serve import PtyLine
from tests.host.test_play_command import Keyboard, Output, ServedTable
from tests.host.test_table_analysis import game_of

IS_POSIX = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")


@IS_POSIX
def test_what_is_typed_in_an_analysis(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.ttykm").write_text(format_record(game_of(1)), "utf-8")
    line = PtyLine()
    served = ServedTable(line)
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [
            (2000, lambda: keyboard.type("turn 0\nturn 99\nseat black level:1\nhelp\n")),
            (4000, lambda: keyboard.type("back\nnew\nback\n")),
            (6000, lambda: keyboard.type("analyse none-such\nanalyse game\nquit\n")),
        ]
        args = ["play", "--port", line.name, "--archive", str(tmp_path), "--analyse", "game"]
        assert run(args) == 0
    shown = capsys.readouterr()
    assert "Analysis: The start of 8 turns." in shown.out
    assert "the game has 8 turns, so none with number 99" in shown.err
    assert "in an analysis nobody else plays; end it first" in shown.err
    assert "analyse last, turn 12, back, forth" in shown.err
    assert "no analysis is on" in shown.err
    assert "none-such" in shown.err
    assert [path.name for path in tmp_path.glob("*.ttykm")] == ["game.ttykm"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["play", "--analyse", "none-such"], "none-such"),
        (["try", "--analyse", "none-such"], "none-such"),
        (["try", "--headless", "--analyse", "last"], "an analysis is on the page"),
        (["play", "--hints", "red"], "'red': hints are for white, black, both, none"),
        (["try", "--hints", "red"], "'red': hints are for white, black, both, none"),
    ],
)
def test_what_is_refused(tmp_path: Path, capsys: Output, args: list[str], says: str) -> None:
    assert run([*args, "--archive", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert len(shown.err.splitlines()) == 1
