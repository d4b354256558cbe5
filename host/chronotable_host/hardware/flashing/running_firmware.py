"""Asks a table over the link which firmware runs on it, wherever it is from restart to restart.

Three rules. Nothing is stopped, no command is sent and no game is fetched, so that the next `play`
finds all of them. Once a Pico was looked at, it is known by its id, the end of its USB serial
number, and followed to whatever port the system gives it. Where the system tells of no port with
that number, as for a virtual table or a Pico in BOOTSEL mode, the name stays as the user gave it,
unless another board has it.
"""

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from chronotable.link.happenings import Connected, Message, Refused
from chronotable_host.language import tr
from chronotable_host.link.pc_link import PcLink, own_identity
from chronotable_host.live.line.connection import PAUSE_S, OpenPort
from chronotable_host.live.line.port import PortError, open_port
from chronotable_host.live.line.port_search import PortSearch


class Whereabouts:
    """The port of the Pico that `search` finds, from restart to restart."""

    def __init__(self, search: PortSearch) -> None:
        self._search = search
        self._table_id = ""
        self.port = ""
        """Where it was looked for last."""

    def next(self) -> str:
        """Return the name of the port to try now; raises PortError where there is none."""
        self.port = self._followed_from(self._search.next())
        return self.port

    def settle(self, table_id: str, port: str) -> None:
        """The Pico with this id is at this port."""
        self._search.settle(table_id, port)
        self._table_id = table_id
        self.port = port

    def is_at(self, port: str) -> bool:
        """Tell whether a name means the port where it was looked for last."""
        return os.path.realpath(port) == os.path.realpath(self.port)

    def _followed_from(self, name: str) -> str:
        """Return where the Pico is that is looked for under a name.

        Raises PortError where another board has that name, and the Pico is nowhere.
        """
        if not self._table_id:
            return name
        known = [each for each in self._search.found() if each.table_id]
        mine = [each for each in known if each.table_id == self._table_id]
        if mine:
            return name if any(each.is_at(name) for each in mine) else mine[0].device
        for each in known:
            if each.is_at(name):
                raise PortError(
                    tr(
                        "{wanted} is not plugged in, at {name} is {other}",
                        wanted=self._search.wanted,
                        name=name,
                        other=each,
                    )
                )
        return name


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
