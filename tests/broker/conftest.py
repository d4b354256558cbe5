"""The brokers that the client is tried with: the embedded one, and Mosquitto where it is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from chronotable_far.broker.address import BrokerAddress
from chronotable_far.broker.client import BrokerClient, Event, Message
from chronotable_far.broker.embedded import EmbeddedBroker
from tests.lab.mosquitto import Mosquitto, program
from tests.lab.ports import free_port
from tests.waiting import PATIENCE_S

LOCAL = "127.0.0.1"


class RunningBroker(Protocol):
    """A broker that can be ended and started again at its port."""

    port: int

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Embedded:
    """The embedded broker, as Mosquitto is started and ended."""

    def __init__(self) -> None:
        self.port = 0
        self._broker: EmbeddedBroker | None = None
        self.start()

    def start(self) -> None:
        self._broker = EmbeddedBroker(LOCAL, self.port or free_port())
        self.port = self._broker.port

    def stop(self) -> None:
        if self._broker is not None:
            self._broker.close()
            self._broker = None


def need_mosquitto() -> None:
    """Skip where Mosquitto is not installed; fail where it has to be."""
    if program() is None:
        missing = "mosquitto is not installed"
        if os.environ.get("CHRONOTABLE_REQUIRE_MOSQUITTO"):
            pytest.fail(f"this layer is mandatory here, but {missing}")
        pytest.skip(missing)


@pytest.fixture(params=["embedded", "mosquitto"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunningBroker]:
    """A broker that runs."""
    running: RunningBroker
    if request.param == "mosquitto":
        need_mosquitto()
        running = Mosquitto(tmp_path / "mosquitto")
    else:
        running = Embedded()
    yield running
    running.stop()


@pytest.fixture
def connect() -> Iterator[Callable[..., BrokerClient]]:
    """Makes clients, and closes them in the end."""
    clients = []

    def make(port: int, **words: object) -> BrokerClient:
        client = BrokerClient(BrokerAddress(LOCAL, port), **words)  # type: ignore[arg-type]
        clients.append(client)
        return client

    yield make
    for client in clients:
        client.close(0.1)


def until(client: BrokerClient, is_enough: Callable[[list[Event]], bool]) -> list[Event]:
    """Return what a client hears until that is enough; a minute at most."""
    events: list[Event] = []
    end = time.monotonic() + PATIENCE_S
    while not is_enough(events):
        assert time.monotonic() < end, events
        events += client.wait(0.1)
    return events


def heard(client: BrokerClient, count: int) -> list[Message]:
    """Return the next so many messages that a client hears."""
    return messages(until(client, lambda events: len(messages(events)) >= count))


def messages(events: list[Event]) -> list[Message]:
    return [event for event in events if isinstance(event, Message)]
