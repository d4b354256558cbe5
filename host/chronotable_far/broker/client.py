"""The connection to a broker: a thread of its own that stays connected, and queues beside it.

Whoever publishes or takes never waits, and never sees the library. Three rules. What is published
while the broker is away is kept, of each retained topic the latest alone, and sent when it is back;
what was sent and not acknowledged is sent again. What the broker sends is kept until it is taken,
and where too much waits no more is read: then the broker keeps it. And why there is no connection
is told once, in a sentence, however often it is tried.
"""

from __future__ import annotations

import contextlib
import secrets
import selectors
import socket
import ssl
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from chronotable_far.broker.sealing import MOST_BYTES, sealed_size
from chronotable_host.errors import UserError, why_failed
from chronotable_host.language import tr

if TYPE_CHECKING:
    from paho.mqtt.reasoncodes import ReasonCode

    from chronotable_far.broker.address import BrokerAddress

MOST_WAITING = 10_000
"""Messages that wait to be sent; beyond that the oldest is dropped."""
MOST_EVENTS, MOST_EVENT_BYTES = 20_000, 1 << 26
"""Events that wait to be taken, and their size; beyond that nothing is read."""
CLOSING_S = 1.0

_QOS = 1
_KEEPALIVE_S = 30
_CONNECT_S = 10.0  # for the network, then for the broker's answer
_ROUND_S = 2.0  # how often a quiet connection is looked after
_MOST_IN_FLIGHT = 50  # more than that waits with us, where the latest wins
_MOST_TOPICS, _TOPICS_S = 100, 0.025  # so many are asked for at a time, and so often
_MOST_READ = 200  # messages in a row, before sending has its turn
_MOST_PAYLOAD = sealed_size(MOST_BYTES)
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 30.0

_WILD = frozenset("+#\0")
_MOST_TOPIC_BYTES = 65535

_WRONG_PASSWORD = (134, 135)
_UNAVAILABLE = 136


class Message(NamedTuple):
    """What is published; `is_retained` marks one that the broker keeps, or has kept, for others."""

    topic: str
    payload: bytes
    is_retained: bool = False


class BrokerConnected(NamedTuple):
    """The broker is there, and everything is subscribed to anew."""


class BrokerLost(NamedTuple):
    """The broker is not there; `why` is a sentence."""

    why: str


class TopicRefused(NamedTuple):
    """The broker does not let us read this topic."""

    topic: str


Event = Message | BrokerConnected | BrokerLost | TopicRefused

Course = Generator[tuple[float, Any, int], int | None, None]
"""Waits for seconds at most, or for a line to be readable or writable, and is sent what came."""


def pauses(random: Random) -> Iterator[float]:
    """Yield how long to wait before the next try, in seconds, for ever: longer and longer.

    By chance a little, so that many who lost the same broker do not come back together.
    """
    pause = _FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


class Client(Protocol):
    """What is needed of a connection to a broker; `BrokerClient` is one."""

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come."""

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message."""

    def take(self) -> list[Event]:
        """Return what has happened since."""

    def close(self) -> None:
        """Send what waits, and leave."""


class BrokerClient:
    """Stays connected to a broker until it is closed.

    `will` is what the broker publishes when this connection breaks off. `wake` is called in the
    client's thread whenever there is something to take: it must not wait, either. `dropped` counts
    what was published and could not be kept. Raises UserError where the authority that the address
    names cannot be read.
    """

    _is_in_browser = False  # which has WebSockets, and TLS, itself

    def __init__(
        self,
        broker: BrokerAddress,
        *,
        will: Message | None = None,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self.broker = broker
        self.dropped = 0
        self.is_connected = False
        self._wake = wake
        self._lock = threading.Lock()
        self._has_events = threading.Condition(self._lock)
        self._events: deque[Event] = deque()
        self._size = 0  # of the events
        self._is_full = False
        self._waiting: OrderedDict[object, Message] = OrderedDict()
        self._count = 0
        self._under_way: set[int] = set()  # what was sent and not acknowledged
        self._topics: dict[str, None] = {}
        self._new_topics: list[str] = []  # that are to be asked for
        self._asked: dict[int, list[str]] = {}
        self._asks_at = 0.0
        self._closes_at = inf
        self._said = self._why = ""  # why there is no connection: as it was told, as it is
        self._read = 0
        self._paho = self._new_paho(will)
        self._begin()

    def _begin(self) -> None:
        """Begin the thread, and what wakes it."""
        self._bell, self._ear = socket.socketpair()
        for end in (self._bell, self._ear):
            end.setblocking(False)
        self._has_rung = False
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._thread.start()

    def _new_paho(self, will: Message | None) -> mqtt.Client:
        """Return the library's client, which sends again by itself what was not acknowledged."""
        name = f"chronotable-{secrets.token_hex(6)}"
        broker = self.broker
        paho = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            transport="websockets" if broker.path and not self._is_in_browser else "tcp",
        )
        paho.ws_set_options(broker.path)
        paho.connect_timeout = _CONNECT_S
        paho.max_inflight_messages_set(0)  # the number of them is our business
        if broker.user:
            paho.username_pw_set(broker.user, broker.password or None)
        if broker.has_tls and not self._is_in_browser:
            paho.tls_set_context(_context(broker))
        if will is not None:
            paho.will_set(will.topic, will.payload, _QOS, will.is_retained)
        paho.on_connect = lambda _paho, _data, _flags, code, _more: self._on_connect(code)
        paho.on_message = lambda _paho, _data, message: self._on_message(message)
        paho.on_publish = lambda _paho, _data, number, _code, _more: self._on_publish(number)
        paho.on_subscribe = lambda _paho, _data, number, codes, _more: self._on_subscribe(
            number, codes
        )
        return paho

    # ---- for the caller: nothing here waits but `wait` and `close`

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come, now and after each connection; `+` and `#` as in MQTT."""
        with self._lock:
            if topic in self._topics:
                return
            self._topics[topic] = None
            self._new_topics.append(topic)
        self._ring()

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message, as soon as that can be done; of a retained topic the latest alone."""
        if not topic or set(topic) & _WILD or len(topic.encode()) > _MOST_TOPIC_BYTES:
            raise ValueError(f"{topic!r} is no topic to publish under")
        with self._lock:
            self._count += 1
            self._waiting[topic if retain else self._count] = Message(topic, payload, retain)
            if len(self._waiting) > MOST_WAITING:
                passing = (key for key, each in self._waiting.items() if not each.is_retained)
                del self._waiting[next(passing, next(iter(self._waiting)))]
                self.dropped += 1
        self._ring()

    def take(self) -> list[Event]:
        """Return what has happened since, in order."""
        with self._lock:
            events = list(self._events)
            self._events.clear()
            self._size = 0
            was_full, self._is_full = self._is_full, False
        if was_full:
            self._ring()
        return events

    def wait(self, timeout_s: float) -> list[Event]:
        """Return what has happened since; where that is nothing, wait for something."""
        with self._has_events:
            self._has_events.wait_for(lambda: self._events, timeout_s)
        return self.take()

    @property
    def waiting(self) -> int:
        """How many messages have not been sent yet."""
        with self._lock:
            return len(self._waiting)

    def close(self, timeout_s: float = CLOSING_S) -> None:
        """Send what waits, for so long at most, and leave."""
        with self._lock:
            self._closes_at = min(self._closes_at, time.monotonic() + timeout_s)
        self._ring()
        # its last moments may be spent in a system's call that cannot be ended; it is a daemon
        self._thread.join(timeout_s + 0.5)

    # ---- the client's thread

    def _run(self) -> None:
        course = self._course()
        with self._bell, self._ear, contextlib.suppress(StopIteration):
            due = next(course)
            while True:
                try:
                    came = self._ready(*due)
                except (OSError, ValueError) as error:  # noqa: PERF203 - of a line closed meanwhile
                    due = course.throw(error)
                else:
                    due = course.send(came)

    def _course(self) -> Course:
        """Go from one connection to the next, until the client is closed."""
        random = Random()
        tries = pauses(random)
        while not self._is_over():
            yield from self._connect()
            if self.is_connected:
                self.is_connected = False
                tries = pauses(random)
            if self._why and self._why != self._said:
                self._said = self._why
                self._tell(BrokerLost(self._why))
            until = time.monotonic() + next(tries)
            while (left_s := until - time.monotonic()) > 0 and not self._is_over():
                yield left_s, None, 0

    def _is_over(self) -> bool:
        """Tell whether to leave: it is closed, and nothing waits or the time is over."""
        with self._lock:
            left = self._waiting or self._under_way
            return self._closes_at < inf and (not left or time.monotonic() >= self._closes_at)

    def _ready(self, most_s: float, line: socket.socket | None, wanted: int) -> int:
        """Wait for something to do, and return what the connection is ready for."""
        closes_s = max(0.0, self._closes_at - time.monotonic()) + 0.001
        with selectors.DefaultSelector() as selector:
            selector.register(self._ear, selectors.EVENT_READ)
            if line is not None and wanted:
                selector.register(line, wanted)
            ready = {key.fileobj: mask for key, mask in selector.select(min(most_s, closes_s))}
        if ready.pop(self._ear, 0):
            with self._lock:
                self._has_rung = False
                self._ear.recv(64)
        return sum(ready.values())

    def _ring(self) -> None:
        """Have the thread look at what there is to do."""
        with self._lock:
            if not self._has_rung:
                self._has_rung = True
                with contextlib.suppress(OSError):  # the thread has ended
                    self._bell.send(b"!")

    def _has_room(self) -> bool:
        with self._lock:
            self._is_full = len(self._events) >= MOST_EVENTS or self._size >= MOST_EVENT_BYTES
            return not self._is_full

    def _tell(self, event: Event) -> None:
        with self._has_events:
            self._events.append(event)
            if isinstance(event, Message):
                self._size += len(event.topic) + len(event.payload)
            self._has_events.notify_all()
        if self._wake is not None:
            self._wake()

    # ---- a connection, from the try to its end

    def _connect(self) -> Course:
        paho, self._why = self._paho, ""
        try:
            paho.connect(self.broker.host, self.broker.port, _KEEPALIVE_S)
            line = paho.socket()
            if isinstance(line, socket.socket) and line.getsockname() == line.getpeername():
                # where a port of our own is tried that nobody listens at, the system may join both
                raise ConnectionRefusedError
            yield from self._serve(line)
        except (OSError, ValueError) as error:  # a name that cannot be one is a ValueError
            self._why = self._why or self._reason(error)
        finally:
            with contextlib.suppress(OSError, ValueError):
                paho.disconnect()
            if (rest := paho.socket()) is not None:  # where that could not be said
                rest.close()

    def _serve(self, line: Any) -> Course:
        """Do what there is to do until the connection breaks off, or the client is closed."""
        paho = self._paho
        until = time.monotonic() + _CONNECT_S
        while not self._is_over():
            if self.is_connected:
                self._hand_over()
            elif time.monotonic() > until:
                raise TimeoutError
            has_room = self._has_room()
            wanted = selectors.EVENT_READ if has_room else 0
            wanted |= selectors.EVENT_WRITE if paho.want_write() else 0
            # what TLS has read already the system no longer tells of
            is_pending = has_room and hasattr(line, "pending") and line.pending() > 0
            most_s = _TOPICS_S if self._new_topics and self.is_connected else _ROUND_S
            ready = (yield 0.0 if is_pending else most_s, line, wanted) or 0
            if ready & selectors.EVENT_READ or is_pending:
                self._take_in()
            if ready & selectors.EVENT_WRITE:
                self._check(paho.loop_write())
            self._check(paho.loop_misc())

    def _take_in(self) -> None:
        """Read what has come, and not so much that sending has no turn."""
        for _ in range(_MOST_READ):
            before = self._read
            self._check(self._paho.loop_read())
            if self._read == before or not self._has_room():
                break

    def _check(self, code: MQTTErrorCode) -> None:
        """Raise ConnectionAbortedError where the connection is over."""
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS or self._paho.socket() is None:
            raise ConnectionAbortedError

    def _hand_over(self) -> None:
        """Give the library what waits to be sent, and what to subscribe to."""
        now = time.monotonic()
        with self._lock:
            topics: list[str] = []
            if now >= self._asks_at and self._new_topics:
                # with each a message may come at once, and a broker keeps so many for us, no more
                self._asks_at = now + _TOPICS_S
                topics = self._new_topics[:_MOST_TOPICS]
                del self._new_topics[:_MOST_TOPICS]
        if topics:
            _, number = self._paho.subscribe([(topic, _QOS) for topic in topics])
            if number is not None:
                self._asked[number] = topics
        while len(self._under_way) < _MOST_IN_FLIGHT:
            with self._lock:
                if not self._waiting:
                    return
                _, (topic, payload, retain) = self._waiting.popitem(last=False)
            self._under_way.add(self._paho.publish(topic, payload, _QOS, retain).mid)

    # ---- what the library tells

    def _on_connect(self, code: ReasonCode) -> None:
        self._read += 1
        place = self.broker.place
        if code.value == 0:
            self._said = ""
            self.is_connected = True
            with self._lock:
                self._new_topics = list(self._topics)
            self._tell(BrokerConnected())
        elif code.value in _WRONG_PASSWORD:
            self._why = tr("{broker} does not let us in: user or password is wrong", broker=place)
        elif code.value == _UNAVAILABLE:
            self._why = tr("{broker} cannot serve us now", broker=place)
        else:
            self._why = tr("{broker} refuses us: {why}", broker=place, why=code.getName())

    def _on_message(self, message: mqtt.MQTTMessage) -> None:
        self._read += 1
        with contextlib.suppress(UnicodeDecodeError):
            if len(message.payload) <= _MOST_PAYLOAD:  # nothing of ours is larger
                self._tell(Message(message.topic, bytes(message.payload), message.retain))

    def _on_publish(self, number: int) -> None:
        self._read += 1
        self._under_way.discard(number)

    def _on_subscribe(self, number: int, codes: list[ReasonCode]) -> None:
        self._read += 1
        for topic, code in zip(self._asked.pop(number, []), codes, strict=False):
            if code.is_failure:
                self._tell(TopicRefused(topic))

    # ---- why it failed

    def _reason(self, error: Exception) -> str:
        place = self.broker.place
        if isinstance(error, ssl.SSLCertVerificationError):
            return tr(
                "the certificate of {broker} cannot be trusted: {why}; '?ca=FILE' behind the "
                "address names the authority that it is of",
                broker=place,
                why=error.verify_message or error.reason,
            )
        if isinstance(error, ssl.SSLError):
            return tr("{broker} does not speak TLS as it should: {why}", broker=place, why=error)
        if isinstance(error, socket.gaierror) or not isinstance(error, OSError):
            return tr("there is no {host} in this network", host=self.broker.host)
        if isinstance(error, TimeoutError):
            return tr("{broker} does not answer", broker=place)
        if isinstance(error, ConnectionAbortedError):
            return tr("the connection to {broker} broke off", broker=place)
        if isinstance(error, ConnectionRefusedError):
            return tr("no broker answers at {broker}", broker=place)
        return tr("{broker} cannot be reached: {why}", broker=place, why=why_failed(error))


class _Line(ssl.SSLSocket):
    """A line that closes where it cannot trust its other end: paho leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _context(broker: BrokerAddress) -> ssl.SSLContext:
    """Return what checks the broker's certificate: with the system's authorities, or one's own."""
    try:
        context = ssl.create_default_context(cafile=broker.ca or None)
    except OSError as error:  # SSLError is one
        why = why_failed(error) if error.errno and not isinstance(error, ssl.SSLError) else ""
        raise UserError(
            tr(
                "{file} holds no certificate of an authority: {why}",
                file=broker.ca,
                why=why or tr("it is not in PEM format"),
            )
        ) from error
    context.sslsocket_class = _Line
    return context
