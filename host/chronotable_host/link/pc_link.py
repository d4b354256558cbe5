"""The PC's end of the link, where it differs from the table's (chronotable.link.link).

It starts sessions by HELLO; it delivers events in order, or reports them lost; and it knows what
became of each command, whatever the line does.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from chronotable.link.frames import LineReader, LocalLinkError, RemoteLinkError
from chronotable.link.happenings import Message
from chronotable.link.identity import HOST, Identity
from chronotable.link.link import ASKED, CLOSED, OPEN, SPARE, WAITING, Link
from chronotable.link.messages import (
    COMMAND,
    EVENT,
    TO_HOST,
    TO_TABLE,
    decode_fields,
    encode_fields,
    row_for,
    row_of,
)
from chronotable_host.language import tr
from ttykm.game import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from chronotable.link.messages import Row, Value, Values
    from chronotable.link.window import Sent

COMMANDS_MAX = 8
_UNSUPPORTED_MAX = 4


class LostEvents:
    """The events `first` to `last` are gone for good: the ring overflowed."""

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last


class CommandLost:
    """A command was not confirmed and is not repeated: nobody knows whether it was executed."""

    def __init__(self, name: str, values: Values) -> None:
        self.name = name
        self.values = values


class LogLine:
    """A line that is no frame: the device's log, or garbage."""

    def __init__(self, text: str) -> None:
        self.text = text


class LogReader(LineReader):
    """A reader that also keeps what is no frame."""

    def log(self) -> str:
        """Return the log text of the line that was just finished, at most 96 characters."""
        text = ""
        for byte in self._view[: self._log_size]:
            text += chr(byte) if 0x20 <= byte <= 0x7E else "?"
        return text


class SendQueue:
    """What waits to be sent: first letters of unknown message types that came, then commands."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.unsupported: list[str] = []

    def send(self, name: str, fields: dict[str, Value]) -> None:
        """Keep a command; raises LocalLinkError as `Link.send`."""
        row = row_of(name, COMMAND)
        if len(self.commands) >= COMMANDS_MAX:
            raise LocalLinkError(
                tr("{name}: {count} commands wait already", name=name, count=COMMANDS_MAX)
            )
        self.commands.append(row[0] + encode_fields(row, fields))

    def post_event(self, name: str, _time_ms: int, _fields: dict[str, Value]) -> int:
        """Refuse: only a table has events; raises LocalLinkError."""
        raise LocalLinkError(tr("{name}: the PC does not say that", name=name))

    def serve(self, _next_line: Callable[[], str]) -> None:
        """Refuse; raises LocalLinkError."""
        raise LocalLinkError(tr("the PC serves nothing"))

    def add_unsupported(self, letter: str) -> None:
        """Note the letter of an unknown message type; of too many some are dropped."""
        if len(self.unsupported) < _UNSUPPORTED_MAX:
            self.unsupported.append(letter)

    def restart(self, _last: int | None) -> None:
        """Begin a session: drop answers that belong to the one before."""
        self.unsupported = []

    def take(self) -> str:
        """Return the most urgent line, which counts as sent from now on; "" if there is none."""
        if self.unsupported:
            return "?" + self.unsupported.pop(0)
        return self.commands.pop(0) if self.commands else ""


class PcLink(Link):
    """The PC's end; of `hello` it keeps `boot` and `last` true, for the PC to store."""

    role = HOST
    _hears = TO_HOST
    _greeting = "r"

    def __init__(self, hello: Identity, max_events: int = 32) -> None:
        super().__init__(HOST, hello, max_events)
        self._reader: LogReader = LogReader()

    def _new_backlog(self) -> SendQueue:
        return SendQueue()

    @property
    def is_settled(self) -> bool:
        """Whether the peer has all commands that were sent."""
        return not (self._backlog.commands or self._window.lines)

    # ---- time

    def open(self, now_ms: int) -> None:
        """The port is open: greet. Ends a session that there was."""
        super().open(now_ms)
        self._greet()

    def tick(self, now_ms: int) -> None:
        """Do what time has made due: resend, acknowledge, greet, give the peer up."""
        super().tick(now_ms)
        if self._state not in (OPEN, CLOSED) and not self._is_hello_held:
            self._greet()

    def _greet(self) -> None:
        """Ask for a new session, with a number of its own.

        With a number used twice the first HELLO could reach the table before it restarts and the
        second one after that: two boots of the table would share one session.
        """
        self._session = self.hello.session = (self.hello.session + 1) & 0xFFFF
        self._hold_hello("q")

    # ---- receiving

    def _hear_log(self) -> None:
        if self._has_room(SPARE):
            self._events.append(LogLine(self._reader.log()))

    def _frame(self, seq: int, ack: int, letter: str, payload: str) -> None:
        # any other line is stale, or from a table that has restarted
        if letter == "H" or self._state == OPEN:
            super()._frame(seq, ack, letter, payload)

    def _take(self, row: Row, fields: Values) -> None:
        if row[3] != EVENT and row[0] != "X":
            super()._take(row, fields)
            return
        hello = self.hello
        due = (hello.last + 1) & 0xFFFF
        if row[0] == "X":
            if fields["first"] != due:
                raise RemoteLinkError(f"gap: {fields['first']} is not due")
            self._report_gap(due, int(fields["last"] or 0))
            return
        number = int(fields["number"] or 0)
        if number != due:
            if (number - due) & 0xFFFF >= 0x8000:
                self.counters["duplicates"] += 1
                return
            self._report_gap(due, (number - 1) & 0xFFFF)
        hello.last = number
        self._events.append(Message(row[1], fields))

    def _report_gap(self, first: int, last: int) -> None:
        self.counters["gaps"] += 1
        self.hello.last = last
        self._events.append(LostEvents(first, last))

    # ---- the session

    def _meet(self, kind: str, info: Identity) -> None:
        if kind == "a" and self._state != WAITING:
            self._go(ASKED)
            self._greet()
        elif kind == "r" and info.session == self._session and self._state != OPEN:
            if info.boot == 0:
                raise RemoteLinkError("hello: a table's boot cannot be 0")
            self._restart(info)

    def _restart(self, info: Identity) -> None:
        known, flying = self.peer, self._window.lines
        super()._restart(info)
        self._ask_again()  # an answer at once, so that the table knows that its HELLO was read
        self._settle_commands(known, info, flying)
        if info.boot != self.hello.boot:
            self.hello.boot = info.boot
            self.hello.last = 0

    def _settle_commands(self, known: Identity | None, info: Identity, flying: list[Sent]) -> None:
        """Find out from the table's count which commands it has, and what becomes of the others."""
        executed = (info.last - self._confirmed) & 0xFFFF
        self._confirmed = info.last
        if known is None:
            return
        waiting = self._backlog.commands
        rest = [
            sent.text
            for sent in flying[executed if executed <= len(flying) else 0 :]
            if sent.text[0] != "?"
        ]
        if info.boot == known.boot and executed <= len(flying):
            self._backlog.commands = rest + waiting
            return
        if info.boot != known.boot:
            # commands from before the restart may be about a game that the table has lost
            rest += waiting
            self._backlog.commands = []
        for text in rest:
            row = row_for(text[0], TO_TABLE)
            if row is not None:
                self._events.append(CommandLost(row[1], decode_fields(row, text[1:])))


def own_identity() -> Identity:
    """Return what this program says of itself at the start of a session, by a number of its own."""
    return Identity(
        "pc", rules=RULES_VERSION, unique_id=secrets.token_hex(6), session=secrets.randbits(16)
    )
