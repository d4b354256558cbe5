"""What `doctor` prints: what to do, what was found, how it ended; as JSON or for people."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from rich.control import Control
from rich.segment import ControlType

from chronotable_host.commands.common.terminal import console
from chronotable_host.errors import printable
from chronotable_host.hardware.doctor.step_texts import KEYS, STEPS
from chronotable_host.hardware.power import PICO_MA, verdict
from chronotable_host.language import tr, tr_c
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening

_INDENT = "  "
_CLEAR = 0  # the number of the step in which the table is cleared,
_CURRENT = 6  # and of that in which all that was found has been told

_StyledLine = tuple[str, str]
"""A line, indented as it is to be shown, and its style."""


class DoctorScreen:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = console()
        self._step: dict[str, Any] = {}  # the last one
        self._last = ""
        self._is_counting = False  # the last line is a countdown
        self._is_told = False  # the keys have been named once

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if self._as_json:
            if not isinstance(happening, (happenings.Leds, happenings.Guide)):
                print(json.dumps(happening.line()), flush=True)
            return
        for line, style in self._lines(happening):
            self._print(line, style)
        left_s = happening.step.get("left_s", 0) if isinstance(happening, happenings.Step) else 0
        if left_s and self._console.is_terminal:
            self._wipe()
            self._console.print(f"{_INDENT}{left_s} s ", end="\r")
            self._is_counting = True

    def sum_up(self, summary: dict[str, Any]) -> None:
        """Print how it ended."""
        if self._as_json:
            print(json.dumps({"summary": summary}), flush=True)
            return
        for line in _summary_lines(summary):
            self._print(line)

    def _print(self, text: str, style: str = "") -> None:
        """Print a line, on a terminal in as many as it takes: no word is broken."""
        self._wipe()
        lines = [printable(text)]
        if self._console.is_terminal:
            indent = text[: len(text) - len(text.lstrip())] + _INDENT
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

    def _lines(self, happening: Happening) -> list[_StyledLine]:
        match happening:
            case happenings.Step(step=step):
                return self._step_lines(step)
            case happenings.Keys(keys=keys, unknown=unknown):
                return self._help_lines(keys, unknown)
            case happenings.Finding(finding=finding):
                return [(f"! {finding['text']}", "bold")]
            case happenings.Unusual(unusual=sentence):
                return [(f"! {sentence}", "bold")]
            case happenings.Well(well=figures):
                return [(figures, "")]
            case happenings.Connected(connected=board):
                return [(tr("Connected: board {board}.", board=board), "")]
            case (
                happenings.Notice(notice=text)
                | happenings.Lost(lost=text)
                | happenings.Refused(refused=text)
            ):
                return [(f"{_INDENT}{text}", "")]
        return []

    def _step_lines(self, step: dict[str, Any]) -> list[_StyledLine]:
        lines: list[_StyledLine] = []
        before, self._step = self._step, step
        if step["step"] != before.get("step"):
            self._last = ""
            if not self._is_told:
                self._is_told = True
                lines += [(line, "") for line in KEYS]
            at = step["step"]
            number = tr("Step {number} of {count}.", number=at + 1, count=STEPS)
            lines.append((f"{number} {step['head']}" if at < STEPS else step["head"], "bold"))
        elif step["of"] < before["of"]:
            lines.append((_INDENT + tr("Once more, what did not answer:"), ""))
        if step["text"] and (text := _step_text(step)) != self._last:
            self._last = text
            lines.append((text, ""))
        if step["left_s"] and not (before.get("left_s") and before["about"] == step["about"]):
            lines.append((f"{_INDENT}{step['waiting']}", ""))
        return lines

    def _help_lines(self, keys: list[str], unknown: str) -> list[_StyledLine]:
        lines: list[_StyledLine] = (
            [(tr("'{unknown}' is not known here.", unknown=unknown), "")] if unknown else []
        )
        lines += [(line, "") for line in keys]
        if self._step:
            lines.append((tr("Now: {head}", head=self._step["head"]), ""))
            lines.append((_step_text(self._step), ""))
        return lines


def _step_text(step: dict[str, Any]) -> str:
    text = step["text"]
    if step["ma"]:
        text = tr("At {ma} mA.", ma=step["ma"]) + f" {text}"
    if step["of"] > 1:
        number = min(step["done"] + 1, step["of"])
        text = tr("{number} of {count}: {text}", number=number, count=step["of"], text=text)
    return f"{_INDENT}{text}"


def _summary_lines(summary: dict[str, Any]) -> list[str]:
    is_whole = summary.get("complete", True) and not summary["unseen"]
    if summary["stopped"]:
        lines = _stopped_lines(summary)
    elif summary["findings"]:
        lines = [
            tr("Findings: {count}, each with what to look at above.", count=summary["findings"])
        ]
    elif is_whole:
        lines = [tr("Nothing is wrong with this table.")]
    else:
        lines = [tr("No fault was found in what was examined.")]
    if summary["current_ma"]:
        lines.append(_power_line(summary["current_ma"]))
    if summary.get("stored"):
        lines.append(tr("The table has learned its wiring and goes by it from now on."))
    if summary["learned"]:
        lines.append(
            tr(
                "Its board file: {file} (`chronotable boards` lists it, `chronotable flash` "
                "keeps what the table has).",
                file=summary["learned"],
            )
        )
    lines += [tr("Not examined: {what}.", what=what) for what in summary["unseen"]]
    if not summary["stopped"] and not is_whole:
        lines.append(
            tr(
                "Not all was examined, or answered: for the rest the board file counts. Examine "
                "the table again when that is mended, or built."
            )
        )
    return lines


def _power_line(lights_ma: int) -> str:
    """Say what the LEDs, as bright as is allowed, and the Pico take together."""
    total = lights_ma + PICO_MA
    return tr(
        "With all lights as bright as is allowed it takes about {total} mA ({lights_ma} the "
        "LEDs, {pico_ma} the Pico); {verdict}.",
        total=total,
        lights_ma=lights_ma,
        pico_ma=PICO_MA,
        verdict=verdict(total),
    )


def _stopped_lines(summary: dict[str, Any]) -> list[str]:
    lines = [
        tr(
            "Stopped before the end; found so far: {found}.",
            found=summary["findings"] or tr_c("findings", "nothing"),
        )
    ]
    if summary["step"] == _CLEAR:
        lines = [tr("Stopped before anything was examined.")]
    elif summary["step"] is not None and summary["step"] < _CURRENT:
        lines.append(
            tr(
                "What step {number} would have found is told at its end, and is not known yet.",
                number=summary["step"] + 1,
            )
        )
    if summary["felt"]:
        lines.append(
            tr(
                "The table still felt {places}: magnets that lie there, or reeds that are "
                "always closed.",
                places=summary["felt"],
            )
        )
    return lines
