"""A game far apart in a browser alone, whose line to the broker is a WebSocket of its own.

It is asked for on the page (`chronotable_host.site.program`), and goes on when that is opened anew.
"""

import contextlib
import hashlib
import hmac
import json
import selectors
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import count

from chronotable_far.broker.client import BrokerClient, Course, Event
from chronotable_far.broker.client import Message as BrokerMessage
from chronotable_far.entries import INVITER
from chronotable_far.invitation import Invitation, new_invitation, typed_invitation
from chronotable_far.page import FarPage, Meeting
from chronotable_far.room import FarRoom
from chronotable_far.room_records import TableGames
from chronotable_far.store import Store
from chronotable_far.table import Here
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.virtual.desk import Pace
from ttykm.layout import WHITE

Send = Callable[[int, str | bytes | None], None]
"""Has the browser open a line of a number to a URL, send bytes there, or close it."""


_numbers = count(1)  # of all lines: one that is left may still tell of its end


class Wire:
    """The line, as the library wants a socket."""

    def __init__(self, send: Send) -> None:
        self.is_open = self.is_over = False
        self._send = send
        self._number = 0
        self._came = bytearray()

    def open(self, url: str) -> "Wire":
        """Open it anew, which takes a while."""
        self._number = next(_numbers)
        self.is_open = self.is_over = False
        self._came.clear()
        self._send(self._number, url)
        return self

    def hear(self, number: int, said: bytes | bool | None) -> None:
        """Take what has come: bytes; True once it is open; None when it is gone."""
        if number != self._number:
            return
        if isinstance(said, bool):
            self.is_open = said
        elif said is None:
            self.is_over = True
        else:
            self._came += said

    @property
    def ready(self) -> int:
        """What can be done there without waiting, as `selectors` says it."""
        can_read = bool(self._came) or self.is_over
        return can_read * selectors.EVENT_READ | self.is_open * selectors.EVENT_WRITE

    def recv(self, most: int) -> bytes:
        """Return what has come, b"" where no more will."""
        if not self._came and not self.is_over:
            raise BlockingIOError
        found = bytes(self._came[:most])
        del self._came[:most]
        return found

    def send(self, data: bytes) -> int:
        """Send bytes, once it is open."""
        if not self.is_open:
            raise BlockingIOError
        if not self.is_over:
            self._send(self._number, bytes(data))
        return len(data)

    def setblocking(self, _is: bool) -> None:
        """Do nothing: it never waits."""

    def close(self) -> None:
        """Close it."""
        self._send(self._number, None)
        self.is_over = True


class WebClient(BrokerClient):
    """A client that has no thread: it does what is due whenever its events are taken."""

    _is_in_browser = True

    def __init__(self, invitation: Invitation, wire: Wire, will: BrokerMessage) -> None:
        self._wire = wire
        address = invitation.address
        url = address._replace(user="", password="").url
        socket.create_connection = lambda *_where, **_how: wire.open(url)  # type: ignore[assignment]
        super().__init__(address, will=will)

    def _begin(self) -> None:
        self._going: Course = self._course()
        self._wanted = next(self._going)[2]

    def _ring(self) -> None:
        pass

    def take(self) -> list[Event]:
        """Do what is due, and return what has happened."""
        with contextlib.suppress(StopIteration, ConnectionRefusedError):  # it is closed
            if self._wire.is_over and not self._wire.is_open and self._wanted:
                going = self._going.throw(ConnectionRefusedError())
            else:
                going = self._going.send(self._wire.ready & self._wanted)
            self._wanted = going[2]
        return super().take()

    def close(self, _timeout_s: float = 0.0) -> None:
        """Hand over what waits, and leave."""
        self.take()
        self._closes_at = time.monotonic()
        self.take()


class FarTab:
    """A game far apart at a virtual table; `wired` is told what comes from the broker.

    It is `asked` for by a `link`, or with the `broker` of a new room; `name` is who plays here.
    Raises UserError, OSError.
    """

    def __init__(self, games: Archive, board: str, asked: Mapping[str, str], send: Send) -> None:
        hashlib.scrypt = _scrypt  # type: ignore[assignment] # for which browsers lack OpenSSL
        broker, link, name = (asked.get(each, "") for each in ("broker", "link", "name"))
        invitation = typed_invitation(link, broker) if link else new_invitation(broker)
        if not invitation.address.path:
            raise UserError(
                tr(
                    "a browser reaches a broker by WebSockets alone, at an address such as "
                    "wss://HOST/PATH"
                )
            )
        with ExitStack() as closing:
            store = Store.open(games.folder, invitation)
            closing.callback(store.close)
            room, here = FarRoom(invitation, store), Here(name, chats=True)
            if not link:
                room.append("begin", name=name, chat=True, colour=WHITE)
            wire, will = Wire(send), room.will
            client = WebClient(invitation, wire, BrokerMessage(*will))
            closing.callback(client.close)
            closing.callback(client.publish, *will)
            laid = TableGames(store.path.with_suffix(".laid"))
            shown = invitation.link if invitation.end == INVITER else ""
            self.desk = FarPage(Meeting(room, client, games, laid, here, shown), board, {})
            closing.push(self.desk)
            self.close = closing.pop_all().close
        self.wired = wire.hear
        self.again = json.dumps({"link": invitation.own_link, "name": name})
        """What it is asked for by when the page is opened again."""
        self._pace = Pace(self.desk.table.now_ms)

    def step(self) -> None:
        """Have time pass; raises UserError where what is played is not for this end, OSError."""
        self.desk.run_until(self._pace.due_ms(self.desk.table.now_ms))


def _scrypt(
    password: bytes, *, salt: bytes, n: int, r: int, p: int, dklen: int, **_how: int
) -> bytes:
    """Return what `hashlib.scrypt` does (RFC 7914); `p` is 1."""
    from js import mixBlocks  # type: ignore[import-not-found] # noqa: PLC0415

    assert p == 1
    blocks = bytearray(_pbkdf2(password, salt, 128 * r))
    return _pbkdf2(password, mixBlocks(blocks, n).to_bytes(), dklen)


def _pbkdf2(password: bytes, salt: bytes, size: int) -> bytes:
    parts = (
        hmac.digest(password, salt + number.to_bytes(4, "big"), "sha256")
        for number in range(1, size // 32 + 1)
    )
    return b"".join(parts)
