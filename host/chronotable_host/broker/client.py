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
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from chronotable_host.broker.sealing import MOST_BYTES, sealed_size
from chronotable_host.errors import UserError, why_failed
from chronotable_host.language import tr

if TYPE_CHECKING:
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

    from chronotable_host.broker.address import BrokerAddress

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


class Connected(NamedTuple):
    """The broker is there, and everything is subscribed to anew."""


class Lost(NamedTuple):
    """The broker is not there; `why` is a sentence."""

    why: str


class Refused(NamedTuple):
    """The broker does not let us read this topic."""

    topic: str


Event = Message | Connected | Lost | Refused


def pauses(random: Random) -> Iterator[float]:
    """Yield how long to wait before the next try, in seconds, for ever: longer and longer.

    By chance a little, so that many who lost the same broker do not come back together.
    """
    pause = _FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


class BrokerClient:
    """Stays connected to a broker until it is closed.

    `will` is what the broker publishes when this connection breaks off. `wake` is called in the
    client's thread whenever there is something to take: it must not wait, either. `dropped` counts
    what was published and could not be kept. Raises UserError where the authority that the address
    names cannot be read.
    """

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
        self._tls = _context(broker) if broker.has_tls else None
        self._will = will
        self._wake = wake
        self._lock = threading.Lock()
        self._has_events = threading.Condition(self._lock)
        self._events: deque[Event] = deque()
        self._waiting: OrderedDict[object, Message] = OrderedDict()
        self._topics: list[str] = []
        self._new_topics: list[str] = []
        self._count = 0
        self._size = 0  # of the events
        self._is_full = False
        self._closes_at: float | None = None
        self._bell, self._ear = socket.socketpair()
        for end in (self._bell, self._ear):
            end.setblocking(False)
        self._has_rung = False
        self._said = ""
        self._link: _Connection | None = None
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._thread.start()

    # ---- for the caller: nothing here waits but `wait` and `close`

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come, now and after each connection; `+` and `#` as in MQTT."""
        with self._lock:
            if topic in self._topics:
                return
            self._topics.append(topic)
            self._new_topics.append(topic)
        self._ring()

    def ask_again(self, topic: str) -> None:
        """Have what is retained for a topic come once more.

        Brokers drop what is too much for one client at once: Mosquitto, if it is not told
        otherwise, all but the first 1,020 messages of those that one subscription brings.
        """
        with self._lock:
            if topic not in self._topics:
                self._topics.append(topic)
            self._new_topics.append(topic)
        self._ring()

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message, as soon as that can be done."""
        if not topic or set(topic) & _WILD or len(topic.encode()) > _MOST_TOPIC_BYTES:
            raise ValueError(f"{topic!r} is no topic to publish under")
        with self._lock:
            self._count += 1
            self._keep(topic if retain else self._count, Message(topic, payload, retain))
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
        """How many messages the broker has not acknowledged yet; those under way are left out."""
        with self._lock:
            return len(self._waiting)

    def close(self, timeout_s: float = CLOSING_S) -> None:
        """Send what waits, for so long at most, and leave."""
        with self._lock:
            self._closes_at = min(self._closes_at or 1e18, time.monotonic() + timeout_s)
        self._ring()
        # its last moments may be spent in a system's call that cannot be ended; it is a daemon
        self._thread.join(timeout_s + 0.5)

    # ---- the client's thread

    def _run(self) -> None:
        random = Random()
        tries = pauses(random)
        try:
            while not self._is_over():
                link = self._link = _Connection(self)
                link.run()
                if link.was_connected:
                    tries = pauses(random)
                self._put_back(link)
                self._rest(next(tries))
        finally:
            for end in (self._bell, self._ear):
                end.close()

    def _is_over(self) -> bool:
        """Tell whether to leave: it is closed, and nothing waits or the time is over."""
        with self._lock:
            at = self._closes_at
            return at is not None and (not self._waiting or time.monotonic() >= at)

    def _rest(self, pause_s: float) -> None:
        until = time.monotonic() + pause_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._ear, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0 and not self._is_over():
                selector.select(min(left, self._left_s()))
                self._listen()

    def _left_s(self) -> float:
        """Return how long the thread may wait for something."""
        with self._lock:
            if self._closes_at is None:
                return _ROUND_S
            return min(_ROUND_S, max(0.0, self._closes_at - time.monotonic()) + 0.001)

    def _ring(self) -> None:
        """Have the thread look at what there is to do."""
        with self._lock:
            if self._has_rung:
                return
            self._has_rung = True
            with contextlib.suppress(OSError):  # the thread has ended
                self._bell.send(b"!")

    def _listen(self) -> None:
        with self._lock:
            self._has_rung = False
            with contextlib.suppress(OSError):
                self._ear.recv(64)

    def _keep(self, key: object, message: Message) -> None:
        """Have a message wait; of a retained topic the latest alone does."""
        self._waiting[key] = message
        if len(self._waiting) > MOST_WAITING:
            kept = (key for key, each in self._waiting.items() if not each.is_retained)
            self._waiting.pop(next(kept, next(iter(self._waiting))))
            self.dropped += 1

    def _put_back(self, link: _Connection) -> None:
        """Have what was not acknowledged wait again, before all else."""
        with self._lock:
            if not link.under_way:
                return
            later = self._waiting
            self._waiting = OrderedDict()
            for key, message in (*link.under_way.values(), *later.items()):
                self._keep(key, message)

    def _next(self) -> tuple[object, Message] | None:
        with self._lock:
            return self._waiting.popitem(last=False) if self._waiting else None

    def _topics_to_ask(self, all_of_them: bool) -> list[str]:
        with self._lock:
            asked = list(self._topics if all_of_them else self._new_topics)
            self._new_topics.clear()
            return asked

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

    def _tell_connected(self) -> None:
        self._said = ""
        self.is_connected = True
        self._tell(Connected())

    def _tell_lost(self, why: str) -> None:
        self.is_connected = False
        if why != self._said:
            self._said = why
            self._tell(Lost(why))


class _Connection:
    """One connection, from the try to its end; everything in the client's thread.

    `under_way` is what was sent and not acknowledged, by the library's number.
    """

    def __init__(self, owner: BrokerClient) -> None:
        self.under_way: dict[int, tuple[object, Message]] = {}
        self.was_connected = False
        self._owner = owner
        self._broker = owner.broker
        self._why = ""
        self._asked: dict[int, list[str]] = {}
        self._topics: list[str] = []  # that are to be asked for
        self._asks_at = 0.0
        self._read = 0
        paho = self._paho = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"chronotable-{secrets.token_hex(6)}"
        )
        paho.connect_timeout = _CONNECT_S
        paho.max_inflight_messages_set(0)  # the number of them is our business
        if self._broker.user:
            paho.username_pw_set(self._broker.user, self._broker.password or None)
        if owner._tls is not None:
            paho.tls_set_context(owner._tls)
        if (will := owner._will) is not None:
            paho.will_set(will.topic, will.payload, _QOS, will.is_retained)
        paho.on_connect = self._on_connect
        paho.on_message = self._on_message
        paho.on_publish = self._on_publish
        paho.on_subscribe = self._on_subscribe

    def run(self) -> None:
        """Connect, and stay so until it breaks off or the client is closed."""
        try:
            self._paho.connect(self._broker.host, self._broker.port, _KEEPALIVE_S)
            self._serve()
        except (OSError, ValueError) as error:  # a name that cannot be one is a ValueError
            self._why = self._why or self._reason(error)
        finally:
            with contextlib.suppress(OSError, ValueError):
                self._paho.disconnect()
            if (line := self._paho.socket()) is not None:  # where that could not be said
                line.close()
            self._owner.is_connected = False
        if self._why:
            self._owner._tell_lost(self._why)

    def _serve(self) -> None:
        owner, paho = self._owner, self._paho
        started = time.monotonic()
        with selectors.DefaultSelector() as selector:
            line = paho.socket()
            assert line is not None
            assert isinstance(line, socket.socket)
            if line.getsockname() == line.getpeername():
                # where a port of our own is tried that nobody listens at, the system may join both
                raise ConnectionRefusedError
            selector.register(owner._ear, selectors.EVENT_READ)
            registered = 0
            while True:
                self._hand_over()
                if self._is_done():
                    return
                wanted = self._wanted()
                if wanted != registered:
                    if registered:
                        selector.unregister(line)
                    if wanted:
                        selector.register(line, wanted)
                    registered = wanted
                ready = 0
                for key, mask in selector.select(self._wait_s()):
                    if key.fileobj is owner._ear:
                        owner._listen()
                    else:
                        ready = mask
                if (ready & selectors.EVENT_READ or self._is_pending()) and not self._take_in():
                    return
                if ready & selectors.EVENT_WRITE and not self._is_well(paho.loop_write()):
                    return
                if not self._is_well(paho.loop_misc()):
                    return
                if not self.was_connected and time.monotonic() > started + _CONNECT_S:
                    self._why = tr("{broker} does not answer", broker=self._broker.place)
                    return

    def _wait_s(self) -> float:
        if self._is_pending():
            return 0.0
        return min(self._owner._left_s(), _TOPICS_S if self._topics else _ROUND_S)

    def _wanted(self) -> int:
        """Return what the connection waits for: to be read from, where there is room, to write."""
        wanted = selectors.EVENT_READ if self._owner._has_room() else 0
        return wanted | (selectors.EVENT_WRITE if self._paho.want_write() else 0)

    def _is_pending(self) -> bool:
        """Tell whether the library of TLS has something that the system no longer tells of."""
        line = self._paho.socket()
        return isinstance(line, ssl.SSLSocket) and line.pending() > 0 and self._owner._has_room()

    def _take_in(self) -> bool:
        """Read what has come; False where the connection is over."""
        for _ in range(_MOST_READ):
            before = self._read
            if not self._is_well(self._paho.loop_read()):
                return False
            if self._read == before or not self._owner._has_room():
                break
        return True

    def _is_well(self, code: MQTTErrorCode) -> bool:
        if code == MQTTErrorCode.MQTT_ERR_SUCCESS and self._paho.socket() is not None:
            return True
        self._why = self._why or tr(
            "the connection to {broker} broke off", broker=self._broker.place
        )
        return False

    def _hand_over(self) -> None:
        """Give the library what waits to be sent, and what to subscribe to."""
        if not self.was_connected:
            return
        self._topics += self._owner._topics_to_ask(all_of_them=False)
        now = time.monotonic()
        if self._topics and now >= self._asks_at:
            # with each a message may come at once, and a broker keeps so many for us and no more
            self._asks_at = now + _TOPICS_S
            asked, self._topics = self._topics[:_MOST_TOPICS], self._topics[_MOST_TOPICS:]
            self._ask(asked)
        while len(self.under_way) < _MOST_IN_FLIGHT and (found := self._owner._next()):
            message = found[1]
            # noted before it is sent: what fails in between is sent again
            number = -1
            self.under_way[number] = found
            info = self._paho.publish(message.topic, message.payload, _QOS, message.is_retained)
            self.under_way[info.mid] = self.under_way.pop(number)

    def _is_done(self) -> bool:
        return (not self.under_way and self._owner._is_over()) or self._is_late()

    def _is_late(self) -> bool:
        at = self._owner._closes_at
        return at is not None and time.monotonic() >= at

    def _ask(self, topics: list[str]) -> None:
        _, number = self._paho.subscribe([(topic, _QOS) for topic in topics])
        if number is not None:
            self._asked[number] = topics

    # ---- what the library tells

    def _on_connect(
        self,
        _paho: mqtt.Client,
        _data: object,
        _flags: mqtt.ConnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if code.value == 0:
            self.was_connected = True
            self._topics = self._owner._topics_to_ask(all_of_them=True)
            self._owner._tell_connected()
        elif code.value in _WRONG_PASSWORD:
            self._why = tr(
                "{broker} does not let us in: user or password is wrong", broker=self._broker.place
            )
        elif code.value == _UNAVAILABLE:
            self._why = tr("{broker} cannot serve us now", broker=self._broker.place)
        else:
            self._why = tr(
                "{broker} refuses us: {why}", broker=self._broker.place, why=code.getName()
            )

    def _on_message(self, _paho: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self._read += 1
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        if len(message.payload) > _MOST_PAYLOAD:
            return  # nothing of ours is as large
        self._owner._tell(Message(topic, bytes(message.payload), message.retain))

    def _on_publish(
        self,
        _paho: mqtt.Client,
        _data: object,
        number: int,
        _code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        self._read += 1
        self.under_way.pop(number, None)

    def _on_subscribe(
        self,
        _paho: mqtt.Client,
        _data: object,
        number: int,
        codes: list[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        for topic, code in zip(self._asked.pop(number, []), codes, strict=False):
            if code.is_failure:
                self._owner._tell(Refused(topic))

    # ---- why it failed

    def _reason(self, error: Exception) -> str:
        place = self._broker.place
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
            return tr("there is no {host} in this network", host=self._broker.host)
        if isinstance(error, TimeoutError):
            return tr("{broker} does not answer", broker=place)
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
