"""Watches the line to the table: warns when so many lines break that the cable must be bad.

One rule: lines that are sent again because the PC paused (a laptop that slept, a full disk) do not
count. The table counts them all the same, so its first report after a pause is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from chronotable_host.language import tr

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
    """Compares the counters with those at the beginning of the last minute."""

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
