"""How table, line and port are: a dict for programs, lines and warnings for people.

The table reports on its health when a turn has ended, so its figures are as old as that.
"""

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


def status_of(connection: "TableConnection") -> Status:
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


WINDOW_MS = 60_000
"""Growth counts within this time, and after a warning there is none for as long."""

_PAUSE_MS = 1000  # a PC that has not looked for longer has left lines unanswered

_SIGNS = (
    # what a warning names, how many are too many, which counters of the table, and of the PC
    (tr("{count} broken lines"), 5, ("crc_errors", "overlong"), ("crc_errors", "overlong")),
    (tr("{count} lines sent again"), 40, ("resends",), ("resends",)),
    (tr("{count} lines without room"), 5, ("rx_overflow",), ("rx_overflow",)),
    (tr("{count} gaps in the events"), 3, (), ("gaps",)),
    (tr("{count} losses of the port"), 3, (), ("losses",)),
)

_Counts = Mapping[str, int]


class LineWatch:
    """Warns when so many lines break within a minute that the cable must be bad.

    One rule: lines that are sent again because the PC paused (a laptop that slept, a full disk) do
    not count. The table counts them all the same, so its first report after a pause is left out.
    """

    def __init__(self) -> None:
        self._since_ms = 0
        self._looked_ms: int | None = None
        self._table: dict[str, int] | None = None  # where the table's growth is counted from
        self._unsure: dict[str, int] = {}  # the report after this one is the first that counts
        self._pc: dict[str, int] = {}
        self._quiet_until_ms = 0

    def look(self, now_ms: int, table: _Counts, pc: _Counts, losses: int) -> str:
        """Return a warning, "" where there is none.

        `table` is the last report of the table, empty before the first; `losses` counts those of
        the port.
        """
        here = {**pc, "losses": losses}
        before_ms, self._looked_ms = self._looked_ms, now_ms
        if before_ms is None or now_ms - before_ms > _PAUSE_MS:
            self._begin(now_ms, None, here)
            self._unsure = dict(table)
        elif now_ms - self._since_ms >= WINDOW_MS:
            self._begin(now_ms, None if self._table is None else dict(table), here)
        if self._table is None and table and table != self._unsure:
            self._table = dict(table)
        found = self._signs(table, here) if now_ms >= self._quiet_until_ms else []
        if not found:
            return ""
        self._quiet_until_ms = now_ms + WINDOW_MS
        return tr(
            "The line is bad: {counts} within a minute. Try another USB cable, and plug it in "
            "without a hub.",
            counts=", ".join(found),
        )

    def _begin(self, now_ms: int, table: dict[str, int] | None, pc: dict[str, int]) -> None:
        self._since_ms = now_ms
        self._table, self._pc = table, pc

    def _signs(self, table: _Counts, pc: _Counts) -> list[str]:
        """Return what there is too much of."""
        found = []
        for words, limit, theirs, ours in _SIGNS:
            count = _growth(ours, self._pc, pc)
            if self._table is not None:
                count += _growth(theirs, self._table, table)
            if count >= limit:
                found.append(words.format(count=count))
        return found


def _growth(names: tuple[str, ...], before: _Counts, now: _Counts) -> int:
    """Return by how much counters have grown; a table that restarted counts from 0 again."""
    return sum(max(0, now.get(name, 0) - before.get(name, 0)) for name in names)
