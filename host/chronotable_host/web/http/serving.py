"""Serving a page: uvicorn in a thread of its own, and the addresses at which it is found.

One rule: whatever comes in, or cannot go out, the game goes on. So the number of connections and
the time of each request are limited, and closing waits for nobody.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING

import h11
import uvicorn
from anyio import to_thread
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.limits import Clock, Quota, Slot, Slots
from chronotable_host.web.http import sockets
from chronotable_host.web.http.addresses import LOOPBACK, Address, bind, in_url, lan_addresses
from chronotable_host.web.http.guard import SLOT, Access
from chronotable_host.web.http.requests import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

GOING_AWAY = 1001
"""The code with which sockets are closed when the server ends."""

_BACKLOG = 64  # how many connections are taken at once, before any of them has to make room
_MOST_THREADS = 4  # for what is neither in memory nor in the archive, such as pictures
_START_S = 10.0
_SWITCH_S = 0.001  # the page and the table wait for no longer while the archive is read
_OWN = {4: LOOPBACK, 6: "::1"}
_FAREWELL_S = 0.4
_GRACE_S = 1
_CLOSE_S = 2.0
_ERRORS_A_MINUTE = 20
_REFUSED_ANYWAY = "Invalid UTF-8"


class Server:
    """Serves an app from `start` to `close`; which one it is, say the classes that derive from it.

    With port 0 it is 8484, or any that is free; `port` has it then. Beyond this PC there is always
    a token, made here if none is given. `bases` are its addresses without a path, the one for this
    PC first, then those for others in the same network, the likeliest first; there are others where
    it `is_beyond` this PC. It may have so many `times` the usual number of connections.
    """

    def __init__(
        self, host: str, port: int, token: str, clock: Clock = time.monotonic, times: int = 1
    ) -> None:
        self.port = port
        self.token = token
        self.bases: list[str] = []
        self.is_beyond = False
        self._host = host
        self._slots = Slots(clock, times)
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    # ---- what others decide

    def _app(self, door: Access) -> ASGIApp:
        """Return what is served."""
        raise NotImplementedError

    def _dismiss(self, code: int, why: str) -> None:
        """Have all sockets closed."""
        raise NotImplementedError

    def _named(self) -> None:
        """Note the addresses, which are known now."""

    def _ended(self) -> None:
        """Let go of what was used for serving."""

    # ---- from start to close

    def start(self) -> None:
        """Begin to serve, and return when it does; raises UserError where that cannot be."""
        listening = bind(self._host, self.port)
        address, self.port = listening.getsockname()[:2]
        bound = ipaddress.ip_address(address)
        if not bound.is_loopback and not self.token:
            self.token = secrets.token_urlsafe(16)
        self._name_bases(bound)
        self._named()
        self._server = self._make_server(bound)
        sys.setswitchinterval(_SWITCH_S)
        # A daemon, as are the threads it begins: a program that forgets to close it ends.
        self._thread = threading.Thread(
            target=self._serve, args=(self._server, listening), name="page", daemon=True
        )
        self._thread.start()
        if not self._server.has_started.wait(_START_S) or not self._server.started:
            self.close()
            raise UserError(tr("the page's server did not start; what is above says why"))

    def close(self) -> None:
        """End the server, within two seconds; sockets are closed with 1001."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join(_CLOSE_S)
        self._server = self._thread = None
        self._ended()

    def _serve(self, server: _Server, listening: socket.socket) -> None:
        try:
            asyncio.run(server.serve([listening]))
        finally:
            listening.close()
            server.has_started.set()

    def _name_bases(self, bound: Address) -> None:
        is_everywhere = bound.is_unspecified
        own = ipaddress.ip_address(_OWN[bound.version]) if is_everywhere else bound
        others = [] if bound.is_loopback else [bound]
        if is_everywhere:
            others = lan_addresses(ipv6=bound.version == 6)
        self.is_beyond = bool(others)
        self.bases = [f"http://{in_url(each)}:{self.port}" for each in (own, *others)]

    def _make_server(self, bound: Address) -> _Server:
        beyond = not bound.is_loopback
        machine = socket.gethostname().lower()
        names = [machine, f"{machine}.local"] if beyond else [in_url(bound)]
        app = self._app(Access(self.port, names, beyond, self.token))
        config = _Config(
            app,
            http=_Connection,
            ws=_Socket,
            backlog=_BACKLOG,
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws_max_size=MOST_BYTES,
            ws_ping_interval=sockets.BEAT_S,
            ws_ping_timeout=2 * sockets.BEAT_S,
            ws_per_message_deflate=False,  # the network is near, and the game's thread needs the PC
            timeout_graceful_shutdown=_GRACE_S,
        )
        logging.getLogger("uvicorn.error").addFilter(_SELDOM)
        config.slots = self._slots
        return _Server(config, self._dismiss)

    def abort(self, client: tuple[str, int]) -> None:
        """End a connection without a farewell; called in the server's thread."""
        if self._server is not None:
            for connection in list(self._server.server_state.connections):
                if getattr(connection, "client", None) == client:
                    connection.transport.abort()


class _Config(uvicorn.Config):
    """What connections are to know."""

    slots: Slots


class _Server(uvicorn.Server):
    """Says when it serves, ends who is too slow, and says goodbye to viewers when it ends."""

    def __init__(self, config: _Config, dismiss: Callable[[int, str], None]) -> None:
        super().__init__(config)
        self.has_started = threading.Event()
        self._slots = config.slots
        self._dismiss = dismiss

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        to_thread.current_default_thread_limiter().total_tokens = _MOST_THREADS
        await super().startup(sockets)
        self.has_started.set()

    async def on_tick(self, counter: int) -> bool:
        self._slots.sweep()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._dismiss(GOING_AWAY, tr("the table's PC has ended the page"))
        tasks = set(self.server_state.tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=_FAREWELL_S)
        for connection in list(self.server_state.connections):
            if connection.transport.get_write_buffer_size():  # nobody reads it
                connection.transport.abort()
        await super().shutdown(sockets)


class _Connection(H11Protocol):
    """A connection that has a slot, and so many seconds for each of its requests."""

    config: _Config

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        slots = self.config.slots
        address = self.client[0] if self.client else "nowhere"
        self._slot = Slot(transport, address, self._is_idle, slots.clock())
        self.app_state = {SLOT: self._slot}  # which the guard finds in each request, and _Socket
        slots.admit(self._slot)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._slot.is_socket:
            self._slot.expect(self._is_incomplete(), self.config.slots.clock())

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.slots.leave(self._slot)
        super().connection_lost(exc)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _is_incomplete(self) -> bool:
        """Tell whether a request has begun and is not wholly there; one may be answered before."""
        state = self.conn.their_state
        return state is h11.SEND_BODY or (state is h11.IDLE and bool(self.conn.trailing_data[0]))


class _Socket(WebSocketsSansIOProtocol):
    """What a connection becomes that is a viewer's; it keeps its slot."""

    config: _Config

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        slot: Slot = self.app_state[SLOT]
        slot.is_socket = True
        slot.is_idle = lambda: False
        slot.due_s = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.slots.leave(self.app_state[SLOT])
        super().connection_lost(exc)


class _Seldom(logging.Filter):
    """Lets through so many lines a minute: what a stranger sends may make uvicorn complain.

    What it complains about and the app logs as a refusal is left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._quota = Quota(_ERRORS_A_MINUTE, 60)

    def filter(self, record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith(_REFUSED_ANYWAY) and self._quota.allows()


_SELDOM = _Seldom()
