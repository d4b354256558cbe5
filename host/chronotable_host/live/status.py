"""How table, line and port are: one dict for programs, one block of lines for people.

The table reports on its health when a turn has ended, so its figures are as old as that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chronotable.hardware.naming import sensor_name
from chronotable_host.errors import printable
from chronotable_host.language import tr, tr_c
from chronotable_host.live.texts.place_names import place_text
from chronotable_host.live.texts.table_texts import FAULT_WORDS, RESETS

if TYPE_CHECKING:
    from chronotable_host.live.line.connection import TableConnection

Status = dict[str, Any]

COUNTS = {
    "crc_errors": tr("broken lines"),
    "overlong": tr("lines that were too long"),
    "resends": tr("lines sent again"),
    "duplicates": tr("lines heard twice"),
    "out_of_order": tr("lines out of order"),
    "gaps": tr("gaps in the events"),
    "rx_overflow": tr("lines without room"),
    "tx_dropped": tr("events lost before they were sent"),
    "unsupported": tr("unknown messages"),
    "violations": tr("impossible messages"),
    "log_lines": tr("lines that were no frames"),
}
"""What the counters of both ends count."""

BAD_CABLE = 20
"""So many lines sent again, or broken, are no accident."""

LEAST_HEAP = 60 * 1024
"""Bytes. A doctor or a game with less free memory than that may not go on for long."""

SLOW_SCAN_US = 1000
SLOW_ROUND_MS = 500

WELL = tr("the table is quick enough and has enough free memory")
"""What is said where `health_troubles` has nothing to say."""

_CABLE = tr(
    "many lines were broken or sent again; if that goes on, try another USB cable, and no hub"
)


def status_of(connection: TableConnection) -> Status:
    """Return the status of the table, of both ends of the line and of the port."""
    mirror, link = connection.session.mirror, connection.session.link
    peer = mirror.table.peer
    counters: Mapping[str, Any] = mirror.table.counters
    about: Mapping[str, Any] = mirror.table.about
    return {
        "connected": connection.is_there,
        "port": connection.name,
        "table": "" if peer is None else peer.unique_id,
        "board": "" if peer is None else peer.board_name,
        "firmware": about.get("firmware"),
        "installed": dict(mirror.table.installed) or None,
        "micropython": about.get("micropython"),
        "reset": _reset_text(counters.get("reset_cause")),
        "heap_free": counters.get("heap_free"),
        "scan_max_us": counters.get("scan_max_us"),
        "loop_max_ms": counters.get("loop_max_ms"),
        "line": {
            "table": {name: counters[name] for name in COUNTS if name in counters},
            "pc": {name: link.counters[name] for name in COUNTS if name in link.counters},
        },
        "losses": connection.losses,
        "unsent": connection.unsent,
        "reeds": {sensor_name(at): kind for at, kind in mirror.table.doubted.items()},
    }


def status_lines(status: Status) -> list[str]:
    """Return the status for people."""
    if not status["table"]:
        return [tr("no table has answered yet")]
    line = status["line"]
    which = {key: status[key] for key in ("table", "board", "port")}
    lines = [
        tr("table {table}, board {board}, on {port}", **which)
        if status["connected"]
        else tr("table {table}, board {board}, away, last on {port}", **which),
        "  "
        + tr(
            "firmware {firmware}, MicroPython {micropython}",
            firmware=(status["firmware"] or "?") + _build_text(status["installed"]),
            micropython=status["micropython"] or "?",
        ),
    ]
    if status["heap_free"] is None:
        lines.append("  " + tr("health: not reported yet"))
    else:
        lines.append(
            "  "
            + tr(
                "last start: {reset}; free memory {memory} KB; slowest scan {scan} ms, slowest "
                "round {round} ms",
                reset=status["reset"],
                memory=status["heap_free"] // 1024,
                scan=f"{status['scan_max_us'] / 1000:.2f}",
                round=status["loop_max_ms"],
            )
        )
        lines += [f"  {text}" for text in health_troubles(status) or [WELL]]
    lines += [
        "  " + tr("line, as the table counts: {counts}", counts=_counts_text(line["table"])),
        "  " + tr("line, as the PC counts: {counts}", counts=_counts_text(line["pc"])),
        "  "
        + tr(
            "port: lost {times}, {count} bytes not taken in time",
            times=_times(status["losses"]),
            count=status["unsent"],
        ),
    ]
    if is_bad(line["table"]) or is_bad(line["pc"]):
        lines.append(f"  {_CABLE}")
    reeds = ", ".join(
        f"{place_text(space)} ({FAULT_WORDS.get(kind, kind)})"
        for space, kind in status["reeds"].items()
    )
    lines.append("  " + tr("reeds in doubt: {reeds}", reeds=reeds or tr_c("reeds", "none")))
    return [printable(text) for text in lines]


def health_troubles(status: Status) -> list[str]:
    """Return what is wrong with the table's speed and memory, in sentences; [] where all is well.

    So it is, too, where the table has not reported on them. A virtual table's memory is not
    counted: it reports 0.
    """
    texts = []
    heap = status["heap_free"]
    if heap and heap < LEAST_HEAP:
        texts.append(tr("The table has only {memory} KB of free memory.", memory=heap // 1024))
    if (status["scan_max_us"] or 0) > SLOW_SCAN_US:
        texts.append(
            tr("A scan of the reeds took {time} ms.", time=f"{status['scan_max_us'] / 1000:.1f}")
        )
    if (status["loop_max_ms"] or 0) > SLOW_ROUND_MS:
        texts.append(tr("A round of the table's loop took {time} ms.", time=status["loop_max_ms"]))
    return texts


def is_bad(counts: Mapping[str, int]) -> bool:
    """Tell whether an end of the line counts what a bad cable does."""
    return sum(counts.get(name, 0) for name in ("crc_errors", "overlong", "resends")) >= BAD_CABLE


def _build_text(installed: Mapping[str, Any] | None) -> str:
    """Return which firmware it is, where the table tells that."""
    if installed is None:
        return ""
    which = {"build": installed["build"], "folder": installed["slot"]}
    if installed["trial"]:
        return " " + tr(
            "(build {build} in folder {folder}, on trial: the next start is that of the one "
            "before)",
            **which,
        )
    return " " + tr("(build {build} in folder {folder})", **which)


def _counts_text(counts: Mapping[str, int]) -> str:
    there = [f"{COUNTS[name]} {count}" for name, count in counts.items() if count]
    return ", ".join(there) or tr("nothing amiss")


def _reset_text(cause: int | None) -> str | None:
    if cause is None:
        return None
    return RESETS.get(cause) or tr("cause {code}", code=cause)


def _times(count: int) -> str:
    if count == 0:
        return tr_c("the port was lost", "never")
    if count == 1:
        return tr_c("the port was lost", "once")
    return tr_c("the port was lost", "{count} times", count=count)
