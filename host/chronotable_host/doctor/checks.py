"""What is unusual about a table before anybody touches it: versions, counters, the last start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import chronotable_host
from chronotable_host.language import tr
from chronotable_host.live.status import BAD_CABLE, WELL, health_troubles, is_bad, status_of

if TYPE_CHECKING:
    from chronotable_host.live.connection import TableConnection
    from chronotable_host.live.status import Status

_OWN_STARTS = (1, 4, 6)  # of RESETS: the power came on, or a person wanted a start


def unusual(connection: TableConnection, reset_cause: int | None) -> list[str]:
    """Return what is unusual, in sentences; none where all is well."""
    status = status_of(connection)
    return [sentence for look in _LOOKS for sentence in look(status, reset_cause)]


def well(connection: TableConnection) -> str | None:
    """Return a sentence with the figures where speed and memory are well, None else.

    None also where the table has not reported on them.
    """
    status = status_of(connection)
    if status["heap_free"] is None or health_troubles(status):
        return None
    figures = [
        tr("slowest scan of the reeds {slowest_ms:.2f} ms", slowest_ms=status["scan_max_us"] / 1000)
    ]
    if status["heap_free"]:  # a virtual table has 0
        figures.append(tr("{heap} KB free", heap=status["heap_free"] // 1024))
    return f"{WELL[0].upper()}{WELL[1:]}: {', '.join(figures)}."


def _firmware(status: Status, _cause: int | None) -> Iterator[str]:
    firmware = status["firmware"]
    ours = chronotable_host.__version__
    if firmware and firmware not in ("?", ours):
        yield (
            tr(
                "The table has firmware {firmware}, this program is {ours}: `chronotable flash` "
                "makes them equal.",
                firmware=firmware,
                ours=ours,
            )
        )


def _start(status: Status, cause: int | None) -> Iterator[str]:
    if cause is not None and cause not in _OWN_STARTS:
        yield tr("The table's last start was no ordinary one: {cause}.", cause=status["reset"])


def _line(status: Status, _cause: int | None) -> Iterator[str]:
    line = status["line"]
    if is_bad(line["table"]) or is_bad(line["pc"]):
        yield (
            tr(
                "More than {most} lines were broken or sent again: try another USB cable, "
                "and no hub.",
                most=BAD_CABLE,
            )
        )


def _health(status: Status, _cause: int | None) -> Iterator[str]:
    yield from health_troubles(status)


_LOOKS: tuple[Callable[[dict[str, Any], int | None], Iterator[str]], ...] = (
    _firmware,
    _start,
    _line,
    _health,
)
