"""The wrong port: as another system names it, gone, another's, or one of several."""

from __future__ import annotations

import re
from typing import NamedTuple

from chronotable_host.language import tr, tr_c
from chronotable_host.ports import linux, processes
from chronotable_host.ports.advice import PLUG_TABLE, Advice, choices, names
from chronotable_host.ports.facts import PortFacts
from chronotable_host.ports.system import LINUX, MAC, WINDOWS

_NO_PORT = tr("Leave --port out, and the table is looked for.")


class _Names(NamedTuple):
    """How a system names its ports."""

    pattern: re.Pattern[str]
    title: str
    example: str


_NAMES = {
    WINDOWS: _Names(re.compile(r"COM[0-9]+"), "Windows", "COM3"),
    MAC: _Names(
        re.compile(r"/dev/(cu|tty)\..+"), tr_c("on {system}", "the Mac"), "/dev/cu.usbmodem1101"
    ),
    LINUX: _Names(re.compile(r"/dev/(tty(ACM|USB|S)[0-9]+|serial/.+)"), "Linux", "/dev/ttyACM0"),
}


def foreign_name(facts: PortFacts) -> Advice | None:
    """A port is named as another system names its ports."""
    home = _NAMES.get(facts.system.platform)
    if home is None or facts.is_there or home.pattern.fullmatch(facts.named):
        return None
    if linux.wsl(facts.system) and not facts.found:
        return None  # `absence.absent` says why there is no port
    for other in _NAMES.values():
        if other.pattern.fullmatch(facts.named):
            return Advice(
                tr(
                    "{named} is a name of {other}; here, on {system}, a table's port is called "
                    "{example} or the like.",
                    named=facts.named,
                    other=other.title,
                    system=home.title,
                    example=home.example,
                ),
                choices(facts) or [_NO_PORT],
            )
    return None


def moved(facts: PortFacts) -> Advice | None:
    """The named port is not there, and a board is under another name."""
    if not facts.named or facts.is_there or not facts.wanted or foreign_name(facts):
        return None
    places = ", ".join(map(str, facts.wanted))
    remedies = choices(facts)
    for holder in processes.holders_of_gone(facts.system, facts.named):
        remedies.append(
            tr(
                "Quit {holder}, which holds the old {named} since the unplugging.",
                holder=holder,
                named=facts.named,
            )
        )
    return Advice(
        tr(
            "There is no {named}, but {places}: a board may get another name whenever it is "
            "plugged in or restarts.",
            named=facts.named,
            places=places,
        ),
        remedies,
    )


def other_table(facts: PortFacts) -> Advice | None:
    """There are boards, but not the one that is asked for."""
    port = facts.target
    if port is not None and port.table_id and not facts.search.accepts(port.table_id):
        return Advice(
            tr(
                "At {device} is the table {table_id}, not {wanted}.",
                device=port.device,
                table_id=port.table_id,
                wanted=facts.search.wanted,
            ),
            choices(facts) or [_NO_PORT],
        )
    if not facts.is_missing or facts.wanted or not facts.found:
        return None
    there = ", ".join(map(str, facts.found))
    what = facts.named or facts.search.wanted
    return Advice(
        tr("Of the boards here none is {what}; there is {there}.", what=what, there=there),
        [tr("Plug in the one that you mean, or name one of these:"), *names(facts, facts.found)],
    )


def several(facts: PortFacts) -> Advice | None:
    """More than one board may be the table, and none is named."""
    if facts.named or len(facts.wanted) < 2:
        return None
    there = ", ".join(map(str, facts.wanted))
    return Advice(
        tr(
            "{count} boards may be the table, and nothing is sent to any of them as long as "
            "that is open: {there}.",
            count=len(facts.wanted),
            there=there,
        ),
        [tr("Say which it is, or unplug the others:"), *names(facts, facts.wanted)],
    )


def probe(facts: PortFacts) -> Advice | None:
    """The named port is a debug probe."""
    port = facts.target
    if port is None or port.looks_like != "probe":
        return None
    return Advice(
        tr("{device} is a Raspberry Pi debug probe, not the table.", device=port.device),
        choices(facts) or [PLUG_TABLE],
    )


def other_device(facts: PortFacts) -> Advice | None:
    """The named port is on something that does not look like a table."""
    port = facts.target
    if port is None or port.looks_like != "other":
        return None
    return Advice(
        tr("{port} does not look like a Pico.", port=port),
        choices(facts) or [_NO_PORT],
    )
