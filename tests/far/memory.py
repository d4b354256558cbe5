"""A broker in memory, and lines to it that lose messages and are cut: for games in table time."""

from __future__ import annotations

from random import Random

from chronotable_far.broker.client import BrokerConnected, BrokerLost, Event, Message

CUT = "no broker answers at memory:1883"


class MemoryBroker:
    """Keeps the latest message of each retained topic, and passes on what is published."""

    def __init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self.lines: list[MemoryLine] = []

    def publish(self, message: Message) -> None:
        """Take a message of a line."""
        if message.is_retained:
            self.retained[message.topic] = message.payload
        for line in self.lines:
            line.deliver(message)

    def restart(self) -> None:
        """Forget everything, as one without a disk does; all lines are cut for a moment."""
        self.retained.clear()
        for line in self.lines:
            line.cut()
        for line in self.lines:
            line.mend()


class MemoryLine:
    """One program's line to the broker, as `broker.client.BrokerClient` is one.

    Each message that goes out or comes in is lost with the probability `loss`, and doubled with the
    same.
    """

    def __init__(self, broker: MemoryBroker, rng: Random, loss: float = 0.0) -> None:
        self.loss = loss
        self._broker = broker
        self._rng = rng
        self._topics: list[str] = []
        self._events: list[Event] = []
        self._waiting: list[Message] = []
        self._is_there = False
        broker.lines.append(self)
        self.mend()

    def subscribe(self, topic: str) -> None:
        """Have messages of a topic come; it ends with levels that may be any."""
        self._topics.append(topic)
        if self._is_there:
            self._send_retained(topic)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send a message, now or once the line is there again."""
        message = Message(topic, payload, retain)
        if not self._is_there:
            self._waiting.append(message)
            return
        for _ in range(self._times()):
            self._broker.publish(message)

    def take(self) -> list[Event]:
        """Return the next thing that has happened since: a slow computer takes up one at a time."""
        return [self._events.pop(0)] if self._events else []

    def deliver(self, message: Message) -> None:
        """Take what the broker passes on."""
        if self._is_there and any(_fits(message.topic, each) for each in self._topics):
            self._events += [message] * self._times()

    def cut(self) -> None:
        """Lose the broker."""
        if self._is_there:
            self._is_there = False
            self._events.append(BrokerLost(CUT))

    def mend(self) -> None:
        """Find the broker again."""
        if self._is_there:
            return
        self._is_there = True
        self._events.append(BrokerConnected())
        for topic in self._topics:
            self._send_retained(topic)
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self._broker.publish(message)

    def close(self) -> None:
        """Leave the broker."""
        self._broker.lines.remove(self)

    def _send_retained(self, topic: str) -> None:
        kept = [each for each in self._broker.retained.items() if _fits(each[0], topic)]
        self._rng.shuffle(kept)
        for known, payload in kept:
            self._events += [Message(known, payload, True)] * self._times()

    def _times(self) -> int:
        """Return how often a message arrives."""
        if self._rng.random() < self.loss:
            return 0
        return 2 if self._rng.random() < self.loss else 1


def _fits(topic: str, wanted: str) -> bool:
    """Tell whether a topic is one of those that are wanted, which may end with any."""
    if wanted.endswith("#"):
        return topic.startswith(wanted[:-1])
    return topic == wanted
