"""A broker of this machine, for the network that it is in, where nobody runs another.

It keeps messages in memory alone: whoever published them puts back what a restart forgot. What goes
through it is sealed (sealing.py).

One rule: whoever is in the network may connect, and nobody can shut it. Its rooms are the folders
of topics that programs of this machine subscribe to; whoever comes from elsewhere has to name one
of them, which takes the invitation or a table's token, and within ten seconds. Until then it is a
stranger, whose slot others may take (limits.py). What comes too fast is not read until it is due,
and what is no packet, or of no room, ends the connection that it came by. Of a room so much is
retained, and no more: what is beyond that is passed on.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from amqtt.adapters import ReaderAdapter, StreamWriterAdapter  # type: ignore[import-untyped]
from amqtt.broker import Broker  # type: ignore[import-untyped]

from chronotable_host.broker.address import PORT, BrokerAddress
from chronotable_host.broker.packets import (
    CONNECT,
    SUBSCRIBE,
    BadPacketError,
    Packet,
    read_packet,
    size_of,
)
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.limits import Quotas, Slot, Slots

EVERYWHERE = "0.0.0.0"

_TRIED = 16  # ports from the usual one on
_LISTENER = "default"
_MOST_BYTES, _MOST_OF_STRANGER = 1 << 21, 1 << 14  # of a packet
_MOST_PACKETS, _WITHIN_S = 1000, 10.0  # of one network: what is sent at once after a restart
_UNIT = 1 << 14  # bytes that count as a packet
_MOST_RETAINED, _MOST_RETAINED_BYTES = 10_000, 1 << 23
"""Of a room: more than all entries of a game far apart, or what a table shows and keeps."""
_MOST_FILTERS = 100  # of a connection, which needs two
_GRACE = 1.5  # of the time after which a client has to be heard of
_PACE_S, _SWEEP_S = 0.05, 0.5
_CHUNK = 1 << 16
_START_S, _CLOSE_S, _REST_S = 10.0, 5.0, 0.5
_MOST_PASSES = 10
_PLUGINS = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
_ERRORS = {
    errno.EADDRINUSE: tr("port {port} of {host} is in use; name another one, or end what uses it"),
    errno.EADDRNOTAVAIL: tr("{host} is no address of this machine"),
    errno.EACCES: tr("port {port} of {host} is not open to you; name one above 1023"),
}

# what strangers send is no matter of the terminal that somebody plays in
LOG = logging.getLogger("chronotable.broker")
for _log in (LOG, logging.getLogger("amqtt")):
    _log.addHandler(logging.NullHandler())
    _log.propagate = False


class EmbeddedBroker:
    """A broker that runs until it is closed, in a thread of its own.

    With port 0 it takes the usual one, or another where that is taken. It may have so many `times`
    the usual number of connections. Raises UserError where it cannot listen.
    """

    def __init__(self, host: str = EVERYWHERE, port: int = 0, times: int = 1) -> None:
        self.host = host
        self.port = port or _free_port(host)
        self._slots = Slots(times=times, log=LOG)
        self._quotas = Quotas(_MOST_PACKETS, _WITHIN_S)
        self._rooms: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_note)
        self._ready = threading.Event()
        self._ends: asyncio.Event | None = None
        self._problem: OSError | None = None
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
        except OSError as error:
            self._problem = error
        finally:
            self._loop.run_until_complete(_cancel_rest())
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        self._ends = asyncio.Event()
        broker = _Broker(self._room_of)
        await broker.start()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            slot = Slot(writer.transport, writer.get_extra_info("peername")[0], _never, now())
            self._slots.admit(slot)
            try:
                packets = _Packets(reader, slot, self._quotas, self._may_send)
                await broker.external_connected(packets, StreamWriterAdapter(writer), _LISTENER)
            finally:
                self._slots.leave(slot)
                writer.transport.abort()

        now = self._slots.clock
        server = await asyncio.start_server(serve, self.host.strip("[]"), self.port)
        self._ready.set()
        while not self._ends.is_set():
            self._slots.sweep()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._ends.wait(), _SWEEP_S)
        server.close()
        self._slots.end_all()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(broker.shutdown(), _REST_S)

    def _may_send(self, slot: Slot, packet: Packet) -> bool:
        """Tell whether a client may send this, and note what is known of both by that."""
        if packet.kind == SUBSCRIBE and slot.is_own:
            self._rooms.update(topic.rpartition("/")[0] for topic in packet.topics)
        slot.is_known = slot.is_known or slot.is_own or bool(packet.topics)
        return slot.is_own or all(self._room_of(topic) for topic in packet.topics)

    def _room_of(self, topic: str) -> str:
        """Return the room that a topic, or all that a filter stands for, is of; "" for none."""
        while topic:
            topic = topic.rpartition("/")[0]
            if topic in self._rooms:
                return "" if {"+", "#"} & set(topic.split("/")) else topic
        return ""


class _Packets(ReaderAdapter):  # type: ignore[misc]
    """What the library reads of a connection: whole packets that may come, at their pace."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        slot: Slot,
        quotas: Quotas,
        may_send: Callable[[Slot, Packet], bool],
    ) -> None:
        self._reader = reader
        self._slot = slot
        self._quotas = quotas
        self._may_send = may_send
        self._received = bytearray()
        self._packet = io.BytesIO()
        self._filters = 0
        self._alive_s: float | None = None  # None until it has connected, 0 for no bound

    async def read(self, n: int = -1) -> bytes:
        """Return so many bytes, fewer at the end of a packet, none at that of the connection."""
        data = self._packet.read(n)
        if not data and n:
            try:
                self._packet = io.BytesIO(await self._next())
            except (BadPacketError, OSError):
                self._slot.transport.abort()
            data = self._packet.read(n)
        return data

    def feed_eof(self) -> None:
        """Do nothing: the end comes from the connection."""

    async def _next(self) -> bytes:
        """Return the next packet, b"" at the end; raises BadPacketError, OSError."""
        slot, received = self._slot, self._received
        most = _MOST_BYTES if slot.is_known else _MOST_OF_STRANGER
        while not 0 < (size := size_of(received, most)) <= len(received):
            data = await self._reader.read(_CHUNK)
            if not data:
                return b""
            received += data
        packet = read_packet(bytes(received[:size]))
        if (packet.kind == CONNECT) != (self._alive_s is None) or not self._may_send(slot, packet):
            raise BadPacketError
        self._filters += len(packet.topics) if packet.kind == SUBSCRIBE else 0
        if self._filters > _MOST_FILTERS and not slot.is_own:
            raise BadPacketError
        for _ in range(0 if slot.is_own else 1 + size // _UNIT):
            while not self._quotas.allows(slot.address):
                await asyncio.sleep(_PACE_S)
        if packet.kind == CONNECT:
            self._alive_s = _GRACE * packet.alive_s
        if slot.is_known:
            slot.due_s = time.monotonic() + self._alive_s if self._alive_s else None
        whole = bytes(received[:size])
        del received[:size]
        return whole


class _Broker(Broker):  # type: ignore[misc]
    """The library's, but for three things.

    What a client published before it left is delivered: it has been acknowledged by then, so nobody
    would send it again. A client that connects is not sent what is retained for others. And of a
    room no more is retained than it may have.
    """

    def __init__(self, room_of: Callable[[str], str]) -> None:
        super().__init__({"listeners": {_LISTENER: {"type": "external"}}, "plugins": _PLUGINS})
        self._room_of = room_of
        self._kept: dict[str, tuple[int, int]] = {}  # by room, how many topics and bytes
        self._sizes: dict[str, int] = {}  # of what is retained, by topic

    async def retain_message(
        self, source_session: Any, topic_name: str, data: bytes | None, qos: int | None = None
    ) -> None:
        room = self._room_of(topic_name)
        count, size = self._kept.get(room, (0, 0))
        count += bool(data) - (topic_name in self._sizes)
        size += len(data or b"") - self._sizes.get(topic_name, 0)
        if not data or not room or (count <= _MOST_RETAINED and size <= _MOST_RETAINED_BYTES):
            self._kept[room] = count, size
            if data:
                self._sizes[topic_name] = len(data)
            else:
                self._sizes.pop(topic_name, None)
            await super().retain_message(source_session, topic_name, data, qos)

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
    if rest := _rest():
        await asyncio.wait(rest, timeout=_REST_S)
    for _ in range(_MOST_PASSES):  # some begin others when they are ended
        rest = _rest()
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        await asyncio.sleep(0)


def _rest() -> set[asyncio.Task[Any]]:
    return asyncio.all_tasks() - {asyncio.current_task()}


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


def _why(error: OSError | None, host: str, port: int) -> str:
    number = error.errno if error is not None else None
    said = _ERRORS.get(number or 0, tr("no broker can be started at {host}, port {port}"))
    return said.format(host=host, port=port)


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    LOG.error("%s", context["message"], exc_info=context.get("exception"))


def _never() -> bool:
    return False
