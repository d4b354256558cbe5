"""A broker of this machine, for the network that it is in, where nobody runs another.

It keeps messages in memory alone: whoever published them puts back what a restart forgot. What goes
through it is sealed (sealing.py).

One rule: whoever is in the network may connect, and nobody can shut it. Its rooms are the folders
of topics that programs of this machine subscribe to; whoever comes from elsewhere has to name one
of them, which takes the invitation or a table's token, and within ten seconds. Until then it is a
stranger, whose slot others may take (limits.py). What comes too fast is not read until it is due,
and what is no packet, or of no room, ends the connection that it came by, as does too much that is
not read there. Of a room so much is retained, and no more: what is beyond that is passed on.
"""

import asyncio
import contextlib
import errno
import logging
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator

from chronotable_far.broker import packets
from chronotable_far.broker.address import PORT, BrokerAddress
from chronotable_far.broker.client import BrokerClient, BrokerLost, Message
from chronotable_far.broker.packets import BadPacketError, Packet
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.limits import Quotas, Slot, Slots

EVERYWHERE = "0.0.0.0"
KIND_TOPIC, KIND = "$SYS/broker/version", b"chronotable"
"""Where brokers say what they are, and what this one says there to programs of this machine."""

_TRIED = 16  # ports from the usual one on
_MOST_BYTES, _MOST_OF_STRANGER = 1 << 21, 1 << 14  # of a packet
_MOST_PACKETS, _WITHIN_S = 1000, 10.0  # of one network: what is sent at once after a restart
_UNIT, _UNIT_RETAINED = 1 << 14, 100  # bytes, and messages looked through, that count as a packet
_MOST_RETAINED, _MOST_RETAINED_BYTES = 10_000, 1 << 23
"""Of a room: more than all entries of a game far apart, or what a table shows and keeps."""
_MOST_UNREAD = 1 << 25
"""Of a connection, in bytes: more than all that is retained of a room. All have the same copy."""
_MOST_FILTERS = 16  # of a connection, which needs two
_GRACE = 1.5  # of the time after which a client has to be heard of
_PACE_S, _SWEEP_S = 0.05, 0.5
_CLOSE_S, _REST_S = 5.0, 0.01
_ERRORS = {
    errno.EADDRINUSE: tr("port {port} of {host} is in use; name another one, or end what uses it"),
    errno.EADDRNOTAVAIL: tr("{host} is no address of this machine"),
    errno.EACCES: tr("port {port} of {host} is not open to you; name one above 1023"),
}

# what strangers send is no matter of the terminal that somebody plays in
LOG = logging.getLogger("chronotable.broker")
LOG.addHandler(logging.NullHandler())
LOG.propagate = False


class EmbeddedBroker:
    """A broker that runs until it is closed, in a thread of its own.

    With port 0 it takes the usual one, or another where that is taken. It may have so many `times`
    the usual number of connections. Raises UserError where it cannot listen.
    """

    def __init__(self, host: str = EVERYWHERE, port: int = 0, times: int = 1) -> None:
        self.slots = Slots(times=times, log=LOG)
        self.quotas = Quotas(_MOST_PACKETS, _WITHIN_S)
        self.lines: set[_Line] = set()
        self._rooms: set[str] = set()
        self.retained: dict[str, tuple[str, int, bytes]] = {}  # room, size and packet, by topic
        self._kept: dict[str, tuple[int, int]] = {}  # by room, how many topics and bytes
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(
            lambda _, told: LOG.error("%s", told["message"], exc_info=told.get("exception"))
        )
        ports = [port] if port else [*range(PORT, PORT + _TRIED), 0]
        try:
            self._server = self.loop.run_until_complete(self._listen(host.strip("[]"), *ports))
        except OSError as error:
            self.loop.close()
            said = _ERRORS.get(
                error.errno or 0, tr("no broker can be started at {host}, port {port}")
            )
            raise UserError(said.format(host=host, port=port)) from error
        self.port: int = self._server.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._thread.start()

    def address(self, host: str) -> BrokerAddress:
        """Return how this broker is found at one of this machine's addresses."""
        return BrokerAddress(host=host, port=self.port)

    def close(self) -> None:
        """End the broker; whoever is connected is disconnected."""
        with contextlib.suppress(RuntimeError):  # it has ended
            self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_CLOSE_S)

    async def _listen(self, host: str, port: int, *others: int) -> asyncio.Server:
        """Listen at the first port that can be had; raises OSError."""
        try:
            return await self.loop.create_server(lambda: _Line(self), host, port)
        except OSError:
            if not others:
                raise
            return await self._listen(host, *others)

    def _run(self) -> None:
        self._sweep()
        self.loop.run_forever()
        self._server.close()
        self.loop.run_until_complete(asyncio.sleep(_REST_S))  # in which those come that knocked
        self.slots.end_all()
        self.loop.run_until_complete(asyncio.sleep(0))  # in which the system closes them
        self.loop.close()

    def _sweep(self) -> None:
        self.loop.call_later(_SWEEP_S, self._sweep)
        self.slots.sweep()

    def may_send(self, slot: Slot, packet: Packet) -> bool:
        """Tell whether a client may send this, and note what is known of both by that."""
        if packet.kind == packets.SUBSCRIBE and slot.is_own:
            rooms = (each.rpartition("/")[0] for each in packet.topics if each != KIND_TOPIC)
            self._rooms.update(rooms)
        slot.is_known = slot.is_known or slot.is_own or bool(packet.topics)
        return slot.is_own or all(self._room_of(topic) for topic in packet.topics)

    def publish(self, packet: Packet) -> None:
        """Pass on a message, or a last will, and retain it if it is to be and its room has room."""
        (topic,), payload = packet.topics, packet.payload
        message = packets.published(topic, payload, False)
        for line in self.lines:
            if _is_one_of(line.wanted, topic):
                line.send(message)
        if not packet.is_retained:
            return
        room, size, _ = self.retained.get(topic) or (self._room_of(topic), 0, b"")
        count, total = self._kept.get(room, (0, 0))
        count += bool(payload) - (topic in self.retained)
        total += len(payload) - size
        if payload and room and (count > _MOST_RETAINED or total > _MOST_RETAINED_BYTES):
            return
        self._kept[room] = count, total
        if payload:
            message = packets.published(topic, payload, True)
            self.retained[topic] = room, len(payload), message
        else:
            self.retained.pop(topic, None)

    def _room_of(self, topic: str) -> str:
        """Return the room that a topic, or all that a filter stands for, is of; "" for none."""
        while topic:
            topic = topic.rpartition("/")[0]
            if topic in self._rooms:
                return "" if {"+", "#"} & set(topic.split("/")) else topic
        return ""


class _Line(asyncio.Protocol):
    """A connection: what comes, at its pace, and what it has not read yet."""

    transport: asyncio.Transport
    slot: Slot

    def __init__(self, broker: EmbeddedBroker) -> None:
        self.wanted: set[str] = set()
        self._broker = broker
        self._received = bytearray()
        self._course = self._serve()
        self._will: Packet | None = None
        self._unread: deque[bytes] = deque()
        self._unread_size = 0
        self._may_write = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        slots = self._broker.slots
        address = (transport.get_extra_info("peername") or ("",))[0]
        self.slot = Slot(transport, address, lambda: False, slots.clock())
        self._broker.lines.add(self)
        slots.admit(self.slot)

    def connection_lost(self, _why: Exception | None) -> None:
        self._broker.slots.leave(self.slot)
        self._broker.lines.remove(self)
        if self._will is not None:
            self._broker.publish(self._will)

    def data_received(self, data: bytes) -> None:
        self._received += data
        self._go_on()

    def pause_writing(self) -> None:
        self._may_write = False  # the rest waits here, where all lines share it

    def resume_writing(self) -> None:
        self._may_write = True
        self._write()

    def send(self, message: bytes) -> None:
        """Send something; where too much is not read, the connection ends."""
        self._unread.append(message)
        self._unread_size += len(message)
        self._write()
        if self._unread_size > _MOST_UNREAD:
            self.transport.abort()

    def _write(self) -> None:
        while self._unread and self._may_write and not self.transport.is_closing():
            message = self._unread.popleft()
            self._unread_size -= len(message)
            self.transport.write(message)

    def _go_on(self) -> None:
        """Do what has come, as far as it is due."""
        if self.transport.is_closing():
            return
        is_early = None
        try:
            is_early = next(self._course, None)
        except BadPacketError as error:
            self.transport.write(b"".join(error.args))
        if is_early is None:
            self.transport.close()
        elif is_early:
            self.transport.pause_reading()
            self._broker.loop.call_later(_PACE_S, self._go_on)
        else:
            self.transport.resume_reading()

    def _serve(self) -> Iterator[bool]:
        """Do what comes until the farewell; yields whether that is early, or else all done.

        Raises BadPacketError.
        """
        broker, slot, received = self._broker, self.slot, self._received
        alive_s: float | None = None  # None until it has connected, 0 for no bound
        filters = 0
        while True:
            most = _MOST_BYTES if slot.is_known else _MOST_OF_STRANGER
            while not 0 < (size := packets.size_of(received, most)) <= len(received):
                yield False
            packet = packets.read_packet(bytes(received[:size]))
            del received[:size]
            kind = packet.kind
            asked = len(packet.topics) if kind == packets.SUBSCRIBE else 0
            filters += 0 if slot.is_own else asked
            is_due = (kind == packets.CONNECT) == (alive_s is None) and filters <= _MOST_FILTERS
            if not is_due or not broker.may_send(slot, packet):
                raise BadPacketError
            units = 1 + size // _UNIT + asked * len(broker.retained) // _UNIT_RETAINED
            for _ in range(0 if slot.is_own else units):
                while not broker.quotas.allows(slot.address):
                    yield True
            if packet.number:
                self.send(packets.acknowledged(packet))
            if kind == packets.CONNECT:
                alive_s = _GRACE * packet.alive_s
                self._will = packet if packet.topics else None
                self.send(packets.ACCEPTED)
            elif kind == packets.PUBLISH:
                broker.publish(packet)
            elif kind == packets.SUBSCRIBE:
                self.wanted.update(packet.topics)
                if KIND_TOPIC in packet.topics:
                    self.send(packets.published(KIND_TOPIC, KIND, True))
                for topic, (_, _, message) in broker.retained.items():
                    if _is_one_of(packet.topics, topic):
                        self.send(message)
            elif kind == packets.UNSUBSCRIBE:
                self.wanted.difference_update(packet.topics)
            elif kind == packets.PING:
                self.send(packets.PONG)
            else:
                self._will = None
                return
            if slot.is_known:
                slot.due_s = time.monotonic() + alive_s if alive_s else None


def _is_one_of(filters: Collection[str], topic: str) -> bool:
    """Tell whether one of these filters stands for a topic."""
    wild = (each for each in filters if each.endswith("#") or "+" in each)
    return topic in filters or any(_stands_for(each.split("/"), topic.split("/")) for each in wild)


def _stands_for(wanted: list[str], words: list[str]) -> bool:
    if wanted[-1] == "#":
        wanted, words = wanted[:-1], words[: len(wanted) - 1]
    return len(wanted) == len(words) and all(
        each in ("+", word) for each, word in zip(wanted, words, strict=True)
    )


LOOPBACK = "127.0.0.1"
_ANSWERS_S = 2.0  # in which a broker of this machine has said what it is
_LOOKS_S = 0.5


class OwnBroker:
    """A broker of this machine until it is closed, at `port`; with 0, or what is taken, at another.

    One rule: whichever program of ours runs it, there is one. Another program's is used as long as
    that runs, and then opened here; what is none of ours keeps its port, and has no part in this.

    Raises UserError where none can be opened.
    """

    def __init__(self, port: int = 0) -> None:
        self._closing = threading.Event()
        self._broker: EmbeddedBroker | None = None
        self._thread: threading.Thread | None = None
        self.port = port
        try:
            self._open()
        except UserError:
            if not port:
                raise
            if _is_ours(port):
                self._thread = threading.Thread(target=self._stand_by, name="own", daemon=True)
                self._thread.start()
            else:
                self.port = 0
                self._open()

    def close(self) -> None:
        """End the broker, unless it is another program's."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        if self._broker is not None:
            self._broker.close()

    def _open(self) -> None:
        self._broker = EmbeddedBroker(port=self.port)
        self.port = self._broker.port

    def _stand_by(self) -> None:
        """Open one as soon as the other program's port can be had: it has ended."""
        while self._broker is None and not self._closing.wait(_LOOKS_S):
            with contextlib.suppress(UserError):
                self._open()


def _is_ours(port: int) -> bool:
    """Tell whether what answers at a port of this machine is a broker of ours, as it says."""
    until = time.monotonic() + _ANSWERS_S
    with contextlib.closing(BrokerClient(BrokerAddress(LOOPBACK, port))) as client:
        client.subscribe(KIND_TOPIC)
        while (left_s := until - time.monotonic()) > 0:
            for event in client.wait(left_s):
                if isinstance(event, Message | BrokerLost):
                    return isinstance(event, Message) and event.payload == KIND
    return False
