"""What is said of an examination: what to do, what was found, how it ended, what was learned."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.hardware.doctor import learned_board
from chronotable_host.hardware.doctor.examination import Examination
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.doctor.step_texts import FELT, KEYS, STEPS
from chronotable_host.hardware.power import PICO_MA, verdict
from chronotable_host.language import tr, tr_c
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.texts.place_names import place_names

INDENT = "  "
_CLEAR = 0  # the number of the step in which the table is cleared,
_CURRENT = 6  # and of that in which all that was found has been told

StyledLine = tuple[str, str]
"""A line, indented as it is to be shown, and its style."""


class DoctorLines:
    """Says what happens in sentences, none twice; before the first step, which `keys` there are."""

    def __init__(self, keys: Sequence[str] = KEYS) -> None:
        self._keys = keys
        self._step: dict[str, Any] = {}  # the last one
        self._last = ""
        self._is_told = False  # the keys have been named once

    def of(self, happening: Happening) -> list[StyledLine]:
        """Return what is said of one happening."""
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
                return [(f"{INDENT}{text}", "")]
        return []

    def _step_lines(self, step: dict[str, Any]) -> list[StyledLine]:
        lines: list[StyledLine] = []
        before, self._step = self._step, step
        if step["step"] != before.get("step"):
            self._last = ""
            if not self._is_told:
                self._is_told = True
                lines += [(line, "") for line in self._keys]
            at = step["step"]
            number = tr("Step {number} of {count}.", number=at + 1, count=STEPS)
            lines.append((f"{number} {step['head']}" if at < STEPS else step["head"], "bold"))
        elif step["of"] < before["of"]:
            lines.append((INDENT + tr("Once more, what did not answer:"), ""))
        if step["text"] and (text := _step_text(step)) != self._last:
            self._last = text
            lines.append((text, ""))
        if step["left_s"] and not (before.get("left_s") and before["about"] == step["about"]):
            lines.append((f"{INDENT}{step['waiting']}", ""))
        return lines

    def _help_lines(self, keys: list[str], unknown: str) -> list[StyledLine]:
        lines: list[StyledLine] = (
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
    return f"{INDENT}{text}"


def summary_lines(summary: dict[str, Any]) -> list[str]:
    """Return for people how it ended."""
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


def conclude(
    listener: DoctorListener,
    examination: Examination,
    hear: Callable[[Happening], None],
    is_kept: bool = True,
) -> dict[str, Any]:
    """Write what was learned, and sum up."""
    path = None
    if listener.result is not None and listener.has_learned and is_kept:
        path = _write_learned(listener, hear)
    step = listener.step or {}
    felt = place_names(step["put"]) if step.get("asks") in FELT else ""
    return {
        "findings": len(listener.findings),
        "step": step.get("step"),
        "felt": felt,
        "unseen": list(listener.unseen),
        "stopped": listener.result is None,
        "current_ma": listener.current_ma or None,
        "learned": None if path is None else str(path),
        "back": examination.is_back,
        **(listener.result or {}),
    }


def _write_learned(listener: DoctorListener, hear: Callable[[Happening], None]) -> Path | None:
    """Write the table's own board file here; return where, None where that cannot be."""
    peer = listener.examined_peer
    if peer is None or listener.result is None or not listener.result["stored"]:
        return None
    data = learned_board.own_board(peer)
    if data is None:
        sentence = tr(
            "the board file that the table had before is not known here, so its new one is on the "
            "table only"
        )
        hear(Notice(None, sentence))
        return None
    try:
        new = learned_board.rewired(data, listener.learned, listener.colour_order)
        return learned_board.save(new, peer.unique_id)
    except (UserError, OSError) as error:
        sentence = tr("the table's new board file could not be written here: {error}", error=error)
        hear(Notice(None, sentence))
        return None
