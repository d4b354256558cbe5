"""What `doctor` prints: what to do, what was found, how it ended; as JSON or for people."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from rich.control import Control
from rich.segment import ControlType

from chronotable_host.commands.common.terminal import console
from chronotable_host.errors import printable
from chronotable_host.hardware.doctor.telling import INDENT, DoctorLines, summary_lines
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening


class DoctorScreen:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = console()
        self._lines = DoctorLines()
        self._is_counting = False  # the last line is a countdown

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if self._as_json:
            if not isinstance(happening, (happenings.Leds, happenings.Guide)):
                print(json.dumps(happening.line()), flush=True)
            return
        for line, style in self._lines.of(happening):
            self._print(line, style)
        left_s = happening.step.get("left_s", 0) if isinstance(happening, happenings.Step) else 0
        if left_s and self._console.is_terminal:
            self._wipe()
            self._console.print(f"{INDENT}{left_s} s ", end="\r")
            self._is_counting = True

    def sum_up(self, summary: dict[str, Any]) -> None:
        """Print how it ended."""
        if self._as_json:
            print(json.dumps({"summary": summary}), flush=True)
            return
        for line in summary_lines(summary):
            self._print(line)

    def _print(self, text: str, style: str = "") -> None:
        """Print a line, on a terminal in as many as it takes: no word is broken."""
        self._wipe()
        lines = [printable(text)]
        if self._console.is_terminal:
            indent = text[: len(text) - len(text.lstrip())] + INDENT
            lines = textwrap.wrap(
                printable(text),
                self._console.width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        for line in lines:
            self._console.print(line, style=style)

    def _wipe(self) -> None:
        """Take a countdown away."""
        if self._is_counting:
            self._is_counting = False
            self._console.control(Control((ControlType.ERASE_IN_LINE, 2)))
