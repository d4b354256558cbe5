"""How table, line and port are: one dict for programs, one block of lines for people.

The table reports on its health when a turn has ended, so its figures are as old as that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chronotable.naming import sensor_name
from chronotable_host.errors import printable
from chronotable_host.live.table_texts import RESETS

if TYPE_CHECKING:
    from chronotable_host.live.connection import TableConnection

Status = dict[str, Any]

COUNTS = {
    "crc_errors": "broken lines",
    "overlong": "lines that were too long",
    "resends": "lines sent again",
    "duplicates": "lines heard twice",
    "out_of_order": "lines out of order",
    "gaps": "gaps in the events",
    "rx_overflow": "lines without room",
    "tx_dropped": "events lost before they were sent",
    "unsupported": "unknown messages",
    "violations": "impossible messages",
    "log_lines": "lines that were no frames",
}
"""What the counters of both ends count."""

BAD_CABLE = 20
"""So many lines sent again, or broken, are no accident."""

LEAST_HEAP = 60 * 1024
"""Bytes. A doctor or a game with less free memory than that may not go on for long."""

SLOW_SCAN_US = 1000
SLOW_ROUND_MS = 500

WELL = "the table is quick enough and has enough free memory"
"""What is said where `health_troubles` has nothing to say."""

_CABLE = "many lines were broken or sent again; if that goes on, try another USB cable, and no hub"


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
        return ["no table has answered yet"]
    line = status["line"]
    where = f"on {status['port']}" if status["connected"] else f"away, last on {status['port']}"
    lines = [
        f"table {status['table']}, board {status['board']}, {where}",
        f"  firmware {status['firmware'] or '?'}{_build_text(status['installed'])}, "
        f"MicroPython {status['micropython'] or '?'}",
    ]
    if status["heap_free"] is None:
        lines.append("  health: not reported yet")
    else:
        lines.append(
            f"  last start: {status['reset']}; free memory {status['heap_free'] // 1024} KB; "
            f"slowest scan {status['scan_max_us'] / 1000:.2f} ms, slowest round "
            f"{status['loop_max_ms']} ms"
        )
        lines += [f"  {text}" for text in health_troubles(status) or [WELL]]
    lines += [
        f"  line, as the table counts: {_counts_text(line['table'])}",
        f"  line, as the PC counts: {_counts_text(line['pc'])}",
        f"  port: lost {_times(status['losses'])}, {status['unsent']} bytes not taken in time",
    ]
    if is_bad(line["table"]) or is_bad(line["pc"]):
        lines.append(f"  {_CABLE}")
    reeds = [f"{space} ({kind})" for space, kind in status["reeds"].items()]
    lines.append(f"  reeds in doubt: {', '.join(reeds) or 'none'}")
    return [printable(text) for text in lines]


def health_troubles(status: Status) -> list[str]:
    """Return what is wrong with the table's speed and memory, in sentences; [] where all is well.

    So it is, too, where the table has not reported on them. A virtual table's memory is not
    counted: it reports 0.
    """
    texts = []
    heap = status["heap_free"]
    if heap and heap < LEAST_HEAP:
        texts.append(f"The table has only {heap // 1024} KB of free memory.")
    if (status["scan_max_us"] or 0) > SLOW_SCAN_US:
        texts.append(f"A scan of the reeds took {status['scan_max_us'] / 1000:.1f} ms.")
    if (status["loop_max_ms"] or 0) > SLOW_ROUND_MS:
        texts.append(f"A round of the table's loop took {status['loop_max_ms']} ms.")
    return texts


def is_bad(counts: Mapping[str, int]) -> bool:
    """Tell whether an end of the line counts what a bad cable does."""
    return sum(counts.get(name, 0) for name in ("crc_errors", "overlong", "resends")) >= BAD_CABLE


def _build_text(installed: Mapping[str, Any] | None) -> str:
    """Return which firmware it is, where the table tells that."""
    if installed is None:
        return ""
    trial = ", on trial: the next start is that of the one before" if installed["trial"] else ""
    return f" (build {installed['build']} in folder {installed['slot']}{trial})"


def _counts_text(counts: Mapping[str, int]) -> str:
    there = [f"{COUNTS[name]} {count}" for name, count in counts.items() if count]
    return ", ".join(there) or "nothing amiss"


def _reset_text(cause: int | None) -> str | None:
    if cause is None:
        return None
    return RESETS.get(cause, f"cause {cause}")


def _times(count: int) -> str:
    return "once" if count == 1 else "never" if count == 0 else f"{count} times"
