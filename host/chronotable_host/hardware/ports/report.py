"""Advice where a table's port cannot be found or opened: what the computer shows, and what to do.

Nothing is written to any device, and none is opened: there are boards to which a byte is a command.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from chronotable_host.hardware.ports import causes
from chronotable_host.hardware.ports.causes import Advice
from chronotable_host.hardware.ports.facts import PortFacts, SerialPort, gather
from chronotable_host.hardware.ports.system import System
from chronotable_host.language import tr
from chronotable_host.live.line.port import PortError

__all__ = ["Advice", "Report", "SerialPort", "as_json", "examine", "lines"]

Cause = Callable[[PortFacts], Advice | None]

CAUSES: Mapping[str, Cause] = {
    "foreign name": causes.foreign_name,
    "moved": causes.moved,
    "other table": causes.other_table,
    "several": causes.several,
    "absent": causes.absent,
    "probe": causes.probe,
    "other device": causes.other_device,
    "permission": causes.permission,
    "held": causes.held,
    "other program": causes.other_program,
    "ModemManager": causes.modem_manager,
}
"""The causes by their words, in the order in which advice is given."""


class Report(NamedTuple):
    """What a look at the computer's ports has shown."""

    port: str
    """What was asked for: a port, or auto."""
    table: str
    """How its id begins or ends, "" for any table."""
    platform: str
    ports: list[SerialPort]
    bootsel: list[str]
    """Where Picos in BOOTSEL mode are: drives, or places on the USB."""
    advice: list[Advice]
    """Most likely cause first; none where nothing wrong can be seen."""


def examine(
    port: str, table: str = "", failure: PortError | None = None, system: System | None = None
) -> Report:
    """Look for what keeps a table's port, or with auto any table's, from being found or opened.

    `failure` is what opening it said, where it was tried. The advice stands without it: only where
    there is none is the failure all that is known. Raises UserError where `table` can be no id.
    """
    facts = gather(port, table, failure, system)
    advice = []
    for word, cause in CAUSES.items() if facts.is_local else ():
        found = cause(facts)
        if found is not None:
            advice.append(found._replace(cause=found.cause or word))
    return Report(port, table, facts.system.platform, facts.ports, facts.bootsel, advice)


def lines(report: Report) -> list[str]:
    """Return what a person reads: the likeliest cause first, commands to copy indented further."""
    text = []
    for number, advice in enumerate(report.advice):
        text += [tr("Also:")] if number == 1 else []
        text.append(advice.problem)
        text += [
            f"  {remedy}" if remedy[0].isupper() else f"      {remedy}"
            for remedy in advice.remedies
        ]
    if not report.advice:
        text.append(tr("As far as can be seen without opening it, nothing is wrong with the port."))
    if report.ports:
        text += [
            tr("Serial ports of this computer:"),
            *(f"  {_row(port)}" for port in report.ports),
        ]
    return text


def _row(port: SerialPort) -> str:
    """Return a port and what is known of it in one line."""
    remarks = [
        str(port),
        tr("id {table_id}", table_id=port.table_id) if port.table_id else "",
        tr("a debug probe") if port.looks_like == "probe" else "",
        port.stable,
        "" if port.may_open else tr("not for you"),
        tr("open in {listed}", listed=", ".join(port.holders)) if port.holders else "",
    ]
    return ", ".join(filter(None, remarks))


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON can hold it; the names are those of Report, Advice, SerialPort."""
    return {
        **report._asdict(),
        "ports": [port._asdict() for port in report.ports],
        "advice": [{**each._asdict(), "files": dict(each.files)} for each in report.advice],
    }
