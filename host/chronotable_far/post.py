"""Carries a room's messages to the broker and back, a little at a time.

One rule: who plays never waits for it. How far away the broker is, the room says; here it is only
told once when it goes and when it is back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from chronotable_far.broker.client import BrokerConnected, BrokerLost, Message, TopicRefused
from chronotable_host.language import tr
from chronotable_host.live.happenings import Happening, Notice

if TYPE_CHECKING:
    from chronotable_far.broker.client import Event
    from chronotable_far.room import FarRoom


class Client(Protocol):
    """What is needed of a broker's client."""

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come."""
        ...

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message."""
        ...

    def take(self) -> list[Event]:
        """Return what has happened since."""
        ...

    def close(self) -> None:
        """Leave the broker."""
        ...


_BUDGET_S = 0.004
"""How long one step may take up messages: lights and link wait meanwhile."""


class Post:
    """Joins a room to a broker's client; `problem` says why the broker is away, "" where not."""

    def __init__(
        self,
        room: FarRoom,
        client: Client,
        tell: Callable[[Happening], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.problem = ""
        self.was_connected = False
        self._room = room
        self._client = client
        self._tell = tell
        self._clock = clock
        self._events: deque[Event] = deque()
        self._subscribed: set[str] = set()

    def step(self, now_ms: float) -> None:
        """Take up what has come, and send what is to be sent; `now_ms` is the room's clock.

        Raises OSError where an entry cannot be written.
        """
        if not self._events:  # else more could wait here than with the client
            self._events.extend(self._client.take())
        late_s = self._clock() + _BUDGET_S
        while self._events:
            self._take(self._events.popleft())
            if self._clock() >= late_s:
                break
        self._room.tick(int(now_ms))
        for topic in self._room.wants:
            if topic not in self._subscribed:
                self._subscribed.add(topic)
                self._client.subscribe(topic)
        for message in self._room.outgoing():
            self._client.publish(message.topic, message.payload, message.retain)

    def _take(self, event: Event) -> None:
        match event:
            case Message(topic, payload):
                self._room.receive(topic, payload)
            case BrokerConnected():
                if self.problem:
                    self._tell(Notice(None, tr("the broker is there again")))
                self.problem, self.was_connected = "", True
                self._room.connected()
            case BrokerLost(why):
                self._lose(why)
            case TopicRefused():
                self._lose(tr("the broker does not let this user read here"))

    def _lose(self, why: str) -> None:
        if why != self.problem:
            self.problem = why
            says = tr("{why}; what you do here is kept, and told when the broker is back", why=why)
            self._tell(Notice(None, says))
        self._room.lost(why)
