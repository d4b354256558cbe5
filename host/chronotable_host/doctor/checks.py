"""What is unusual about a table before anybody touches it: versions, counters, the last start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import chronotable_host
from chronotable_host.live.status import BAD_CABLE, is_bad, status_of

if TYPE_CHECKING:
    from chronotable_host.live.player import Player
    from chronotable_host.live.status import Status

LEAST_HEAP = 60 * 1024
"""A doctor or a game with less free memory than that may not go on for long."""

SLOW_SCAN_US = 1000
SLOW_ROUND_MS = 500

_OWN_STARTS = (1, 4, 6)  # the power came on, somebody asked


def unusual(player: Player, reset_cause: int | None) -> list[str]:
    """Return what is unusual, in sentences; none where all is well."""
    status = status_of(player)
    return [sentence for look in _LOOKS for sentence in look(status, reset_cause)]


def _firmware(status: Status, _cause: int | None) -> Iterator[str]:
    firmware = status["firmware"]
    ours = chronotable_host.__version__
    if firmware and firmware not in ("?", ours):
        yield (
            f"The table has firmware {firmware}, this program is {ours}: `chronotable flash` makes "
            "them equal."
        )


def _start(status: Status, cause: int | None) -> Iterator[str]:
    if cause is not None and cause not in _OWN_STARTS:
        yield f"The table's last start was no ordinary one: {status['reset']}."


def _line(status: Status, _cause: int | None) -> Iterator[str]:
    line = status["line"]
    if is_bad(line["table"]) or is_bad(line["pc"]):
        yield (
            f"More than {BAD_CABLE} lines were broken or sent again: try another USB cable, and no "
            "hub."
        )


def _health(status: Status, _cause: int | None) -> Iterator[str]:
    heap = status["heap_free"]
    if heap and heap < LEAST_HEAP:  # a virtual table has 0
        yield f"Only {heap // 1024} KB of the table's memory are free."
    if (status["scan_max_us"] or 0) > SLOW_SCAN_US:
        yield f"A scan of the reeds took {status['scan_max_us'] / 1000:.1f} ms."
    if (status["loop_max_ms"] or 0) > SLOW_ROUND_MS:
        yield f"A round of the table's loop took {status['loop_max_ms']} ms."


_LOOKS: tuple[Callable[[dict[str, Any], int | None], Iterator[str]], ...] = (
    _firmware,
    _start,
    _line,
    _health,
)
