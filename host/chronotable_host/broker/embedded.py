"""A broker of this machine, for the network that it is in, where nobody runs another.

It keeps messages in memory alone: whoever published them puts back what a restart forgot. Whoever
is in the network may connect; what goes through it is sealed (sealing.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import threading
from typing import Any

from amqtt.broker import Broker  # type: ignore[import-untyped]
from amqtt.errors import BrokerError  # type: ignore[import-untyped]

from chronotable_host.broker.address import PORT, BrokerAddress
from chronotable_host.errors import UserError
from chronotable_host.language import tr

EVERYWHERE = "0.0.0.0"

_TRIED = 16  # ports from the usual one on
_MOST_CONNECTIONS = 1000
_START_S, _CLOSE_S, _REST_S = 10.0, 5.0, 0.5
_PLUGINS = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
_ERRORS = {
    errno.EADDRINUSE: tr("port {port} of {host} is in use; name another one, or end what uses it"),
    errno.EADDRNOTAVAIL: tr("{host} is no address of this machine"),
    errno.EACCES: tr("port {port} of {host} is not open to you; name one above 1023"),
}

# it logs each connection that ends, and would print it where nobody listens
logging.getLogger("amqtt").addHandler(logging.NullHandler())
logging.getLogger("amqtt").propagate = False


class EmbeddedBroker:
    """A broker that runs until it is closed, in a thread of its own.

    With port 0 it takes the usual one, or another where that is taken. Raises UserError where it
    cannot listen.
    """

    def __init__(self, host: str = EVERYWHERE, port: int = 0) -> None:
        self.host = host
        self.port = port or _free_port(host)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._ends: asyncio.Event | None = None
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._thread.start()
        if not self._ready.wait(_START_S) or self._problem is not None:
            raise UserError(_why(self._problem, host, self.port)) from self._problem

    def address(self, host: str) -> BrokerAddress:
        """Return how this broker is found at one of this machine's addresses."""
        return BrokerAddress(host=host, port=self.port)

    def close(self) -> None:
        """End it; whoever is connected is disconnected."""
        with contextlib.suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(_CLOSE_S)

    def _end(self) -> None:
        if self._ends is not None:
            self._ends.set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
            self._loop.run_until_complete(_cancel_rest())
        except (BrokerError, OSError) as error:
            self._problem = error
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        self._ends = asyncio.Event()
        broker = _Broker(
            {
                "listeners": {
                    "default": {
                        "type": "tcp",
                        "bind": f"{self.host}:{self.port}",
                        "max_connections": _MOST_CONNECTIONS,
                    }
                },
                "plugins": _PLUGINS,
            }
        )
        await broker.start()
        self._ready.set()
        await self._ends.wait()
        broker.hang_up()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(broker.shutdown(), _REST_S)


class _Broker(Broker):  # type: ignore[misc]
    """The library's, but for three things.

    What a client published before it left is delivered: it has been acknowledged by then, so nobody
    would send it again. A client that connects is not sent what is retained for others. And it can
    hang up: its own end waits for readers that may miss that they are cancelled.
    """

    def hang_up(self) -> None:
        """Close the ports, and all lines."""
        for server in self._servers.values():
            server.instance.close()
        for _, handler in self.sessions.values():
            if handler.writer is not None:
                handler.writer._writer.transport.abort()

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Any
    ) -> None:
        if any(each is session for each, _ in self.subscriptions.get(subscription[0], ())):
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _handle_disconnect(self, client_session: Any, handler: Any, waiter: Any) -> None:
        queue = client_session.delivered_message_queue
        while not queue.empty():
            message: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            message.set_result(queue.get_nowait())
            if not await self._handle_message_delivery(client_session, handler, message):
                break
        await super()._handle_disconnect(client_session, handler, waiter)


async def _cancel_rest() -> None:
    """End the tasks that the library leaves behind, and have the system close their lines."""
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    if rest:
        await asyncio.wait(rest, timeout=_REST_S)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    for _ in range(3):
        await asyncio.sleep(0)


def _free_port(host: str) -> int:
    """Return the usual port, one beside it, or any where they cannot be had. Raises UserError."""
    for port in (*range(PORT, PORT + _TRIED), 0):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((host.strip("[]"), port))
                return int(tried.getsockname()[1])
            except OSError as error:
                if port == 0:
                    raise UserError(_why(error, host, port)) from error
    raise AssertionError


def _why(error: BaseException | None, host: str, port: int) -> str:
    cause = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__
    number = cause.errno if cause is not None else None
    said = _ERRORS.get(number or 0, tr("no broker can be started at {host}, port {port}"))
    return said.format(host=host, port=port)
