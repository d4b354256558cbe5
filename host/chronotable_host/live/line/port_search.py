"""Finds the table's port: by what USB says, by the name that the user gave, or by asking the user.

Two rules. Once a game is under way its table is looked for by USB serial number, under whatever
name it comes back, and no other board is opened in its place. And nothing is written to a board to
find out what it is as long as another one could be meant: there are devices to which a line is a
command (a Grbl controller on a Pico takes lines that begin with `$`, as ours do, and moves). Only
the one candidate, or the one that a person chose, gets HELLO, and nothing else until it answers as
a table, or is MicroPython's prompt (connection.py).
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.line.port import PortError, plain_name

AUTO = "auto"

ID_DIGITS = 12
"""How many hex digits of its chip's unique id a table tells: the last ones."""

_RASPBERRY_PI = 0x2E8A
_PROBES = (0x0004, 0x000C)  # its debug probes are serial ports too, and no table
_BY_ID = Path("/dev/serial/by-id")
_HEX = re.compile(r"[0-9a-f]+")


def system_ports() -> list[Any]:
    """Return all serial ports that the system tells of."""
    from serial.tools import list_ports  # type: ignore[import-untyped] # noqa: PLC0415

    return list(list_ports.comports())


class PortCandidate(NamedTuple):
    """A serial port that may be a table's."""

    name: str
    """What to open; one that stays the same over replugging, where the system has such names."""
    description: str
    device: str
    """What people know it by, as /dev/ttyACM0 or COM3."""
    serial: str = ""
    """The USB serial number, "" where the system does not tell it."""

    @property
    def table_id(self) -> str:
        """The id that a table at this port tells, "" where it cannot be known.

        On an RP2040 MicroPython's USB serial number is `machine.unique_id()` in hex.
        """
        digits = self.serial.lower()
        return digits[-ID_DIGITS:] if _HEX.fullmatch(digits) and len(digits) >= ID_DIGITS else ""

    def is_at(self, name: str) -> bool:
        """Tell whether a name means this port."""
        real = os.path.realpath(self.device)
        return name in (self.name, self.device) or os.path.realpath(name) == real

    def __str__(self) -> str:
        """Return device and id."""
        known = self.table_id or self.serial or tr("id unknown")
        return f"{self.device} ({known})"


Ask = Callable[[Sequence[PortCandidate]], PortCandidate]
"""Asks a person which one it is."""


def find_ports() -> list[PortCandidate]:
    """Return the serial ports that look like a Raspberry Pi Pico or like MicroPython."""
    names = _stable_names()
    found = []
    for info in sorted(system_ports()):
        words = f"{info.manufacturer} {info.product} {info.description}"
        is_pico = info.vid == _RASPBERRY_PI and info.pid not in _PROBES
        if is_pico or "micropython" in words.lower():
            name = names.get(os.path.realpath(info.device), info.device)
            serial = str(info.serial_number or "")
            found.append(PortCandidate(name, info.description or "", info.device, serial))
    return found


def _stable_names() -> dict[str, str]:
    """Return the names by id of the ports, by device."""
    try:
        return {os.path.realpath(link): str(link) for link in sorted(_BY_ID.iterdir())}
    except OSError:
        return {}


def parse_table_id(text: str) -> str:
    """Return how the id of a table begins or ends, from what the user wrote; "" for any table.

    A whole USB serial number will do. Raises UserError.
    """
    digits = text.strip().lower()
    if digits and not _HEX.fullmatch(digits):
        raise UserError(
            tr(
                "'{text}' is no id of a table, nor its beginning or end: it has {count} hex "
                "digits, `status` and a record's header Source show it",
                text=text,
                count=ID_DIGITS,
            )
        )
    return digits[-ID_DIGITS:]


class PortSearch:
    """Looks for a table: at the port `port`, or with auto wherever there is one.

    `table` is how its id begins or ends, "" for any; `ask` asks a person who of several it is, and
    is None where nobody is there to be asked; `ports` tells where a table may be.
    """

    def __init__(
        self,
        port: str,
        table: str = "",
        ask: Ask | None = None,
        ports: Callable[[], list[PortCandidate]] | None = None,
    ) -> None:
        self._port = port if port == AUTO else plain_name(port)
        self._part = parse_table_id(table)
        self._ask = ask
        self._ports = ports
        self._no_tables: set[str] = set()  # names of candidates that turned out to be none
        self._table = ""  # id of the table that was found: from then on no other one is accepted
        self._serial = ""
        self._name = ""  # the name of the port where it was last
        self._tries: Counter[str] = Counter()  # how often each name was tried since then

    @property
    def wanted(self) -> str:
        """What is looked for, for a sentence."""
        return tr("the table {id}", id=self._table or self._part).rstrip()

    def accepts(self, table_id: str) -> bool:
        """Tell whether a table with this id is the one."""
        if self._table:
            return table_id == self._table
        return table_id.startswith(self._part) or table_id.endswith(self._part)

    def next(self) -> str:
        """Return the name of the port to try now; raises PortError where there is none."""
        if self._port != AUTO:
            return self._port
        found = self.found()
        if not self._table:
            return self._choose(found)
        likely = [each for each in found if each.serial == self._serial]
        if not likely:
            raise PortError(tr("{table} is not plugged in", table=self.wanted))
        best = min(likely, key=lambda each: (self._tries[each.name], each.name != self._name))
        self._tries[best.name] += 1
        return best.name

    def settle(self, table_id: str, name: str) -> None:
        """The table that was looked for, or came back, is at this port."""
        self._table = table_id
        self._name = name
        self._tries.clear()
        for candidate in self.found():
            if candidate.is_at(name):
                self._serial = candidate.serial

    def rule_out(self, name: str) -> bool:
        """No table that is wanted is there; tell whether others can be tried."""
        self._no_tables.add(name)
        return self._port == AUTO and bool(self._possible(self.found()))

    def elsewhere(self) -> str:
        """Return a sentence where the table came back under another name than the user's."""
        if self._port == AUTO or not self._serial:
            return ""
        for candidate in self.found():
            if candidate.serial == self._serial and not candidate.is_at(self._port):
                return tr(
                    "{table} is at {device} now, not at {port} as --port says; to go on there, "
                    "quit and start `{command}`",
                    table=self.wanted,
                    device=candidate.device,
                    port=self._port,
                    command=f"chronotable play --table {self._table}",
                )
        return ""

    def found(self) -> list[PortCandidate]:
        """Return all ports that may be a table's."""
        return (self._ports or find_ports)()

    def _possible(self, found: Sequence[PortCandidate]) -> list[PortCandidate]:
        """Return the candidates that can be the table; a known id is better than an unknown one."""
        left = [each for each in found if each.name not in self._no_tables]
        if not self._part:
            return left
        named = [each for each in left if each.table_id and self.accepts(each.table_id)]
        return named or [each for each in left if not each.table_id]

    def _choose(self, found: Sequence[PortCandidate]) -> str:
        possible = self._possible(found)
        if len(possible) == 1:
            return possible[0].name
        if possible and self._ask is not None:
            return self._ask(possible).name
        if possible:
            listed = ", ".join(map(str, possible))
            raise PortError(
                tr(
                    "there are {count} boards that may be the table, name one with --port DEVICE "
                    "or --table ID: {boards}",
                    count=len(possible),
                    boards=listed,
                )
            )
        if found:
            listed = ", ".join(map(str, found))
            raise PortError(
                tr("{table} was not found, there are {boards}", table=self.wanted, boards=listed)
            )
        others = ", ".join(info.device for info in sorted(system_ports()))
        there = " " + tr("(there are other ports: {ports})", ports=others) if others else ""
        none = tr(
            "no table was found: plug it in, with a USB cable that has data lines and not only "
            "power, or name its port with --port"
        )
        raise PortError(none + there)
