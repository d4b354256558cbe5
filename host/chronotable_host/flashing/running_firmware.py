"""Asks a table over the link which firmware runs on it; nothing is stopped for that.

One rule: no command is sent and no game is fetched, so that the next `play` finds all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from chronotable.link.happenings import Connected, Message, Refused
from chronotable_host.flashing.whereabouts import Whereabouts
from chronotable_host.link.pc_link import PcLink, own_identity
from chronotable_host.live.connection import PAUSE_S, OpenPort
from chronotable_host.live.port import PortError, open_port

_RETRY_S = 0.3

Clock = Callable[[], float]


class RunningFirmware(NamedTuple):
    """The firmware that runs on a table."""

    table_id: str
    board_hash: int
    version: str
    build: str
    """8 hex digits."""
    folder: str
    is_on_trial: bool
    failure: str
    """Why a firmware failed before, "" where none did."""


class FirmwareQuery:
    """The PC's end of the link at an open port, until the table has said what runs there."""

    def __init__(self, port: OpenPort, clock: Clock) -> None:
        self._port = port
        self._clock = clock
        self._link = PcLink(own_identity())
        self._link.open(self._now_ms)
        self._values: dict[str, dict[str, object]] = {}
        self.is_refused = False
        """Whether a table answers that speaks another version of the link."""

    @property
    def _now_ms(self) -> int:
        return int(self._clock() * 1000)

    def step(self) -> RunningFirmware | None:
        """Exchange what there is; return what runs there, once that is known.

        Raises PortError when the port is gone.
        """
        link, now_ms = self._link, self._now_ms
        link.receive(self._port.read(), now_ms)
        while (event := link.next_event()) is not None:
            if isinstance(event, Message):
                self._values[event.name] = dict(event.values)
            elif isinstance(event, Connected) and event.fresh:
                self._values.clear()
            elif isinstance(event, Refused):
                self.is_refused = True
        link.tick(now_ms)
        out = link.data_to_send()
        if out:
            self._port.write(out)
        return self._running()

    def close(self) -> None:
        """Hang up."""
        self._link.close()
        self._port.close()

    def _running(self) -> RunningFirmware | None:
        peer, about, installed = (
            self._link.peer,
            self._values.get("about"),
            self._values.get("installed"),
        )
        # the states come in the order in which the table set them; the counters are last
        if peer is None or about is None or installed is None or "counters" not in self._values:
            return None
        failure = self._values.get("failure", {})
        return RunningFirmware(
            peer.unique_id,
            peer.board_hash,
            str(about["firmware"]),
            f"{installed['build']:08x}",
            str(installed["slot"]),
            bool(installed["trial"]),
            str(failure.get("reason", "")),
        )


def ask(
    name: str,
    patience_s: float,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> RunningFirmware | None:
    """Return what runs on the table at a port, None where no firmware says so in time.

    Raises PortError where the port cannot be opened.
    """
    query = FirmwareQuery(opens(name), clock)
    end_s = clock() + patience_s
    try:
        while clock() < end_s and not query.is_refused:
            running = query.step()
            if running is not None:
                return running
            sleep(PAUSE_S)
    except PortError:
        pass  # it restarts, and says nothing meanwhile
    finally:
        query.close()
    return None


def wait_for(
    where: Whereabouts,
    is_it: Callable[[RunningFirmware], bool],
    patience_s: float,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> RunningFirmware | None:
    """Wait until a table that restarts reports what `is_it` accepts; return its last report.

    That is None where it never reported. Its port may vanish and come back under another name,
    which `where` knows.
    """
    end_s = clock() + patience_s
    last: RunningFirmware | None = None
    query: FirmwareQuery | None = None
    while clock() < end_s:
        try:
            if query is None:
                query = FirmwareQuery(opens(where.next()), clock)
            running = query.step()
            if running is not None:
                last = running
                if is_it(running):
                    break
            sleep(PAUSE_S)
        except PortError:
            if query is not None:
                query.close()
            query = None
            sleep(_RETRY_S)
    if query is not None:
        query.close()
    return last
