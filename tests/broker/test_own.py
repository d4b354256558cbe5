"""The broker that this machine runs for a room: found again, never mistaken, opened anew."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from chronotable_far.broker.client import BrokerClient, BrokerConnected
from chronotable_far.broker.embedded import EmbeddedBroker, OwnBroker
from tests import lanes
from tests.broker.conftest import LOCAL, heard, need_mosquitto, until
from tests.lab.mosquitto import Mosquitto

Connect = Callable[..., BrokerClient]


@contextmanager
def in_use(how: str, folder: Path) -> Iterator[int]:
    """Have a port at which something answers that is no broker of ours, or does not answer."""
    if how == "mosquitto":
        need_mosquitto()
        other = Mosquitto(folder)
        try:
            yield other.port
        finally:
            other.stop()
    else:
        with socket.create_server((LOCAL, 0)) as listening:
            yield listening.getsockname()[1]


def is_carried(one: BrokerClient, two: BrokerClient) -> bool:
    """Tell whether what one client says comes to the other one."""
    two.subscribe("a/b")
    one.publish("a/b", b"hello", retain=True)
    return heard(two, 1)[0].payload == b"hello"


@pytest.mark.parametrize("how", ["silent", pytest.param("mosquitto", marks=lanes.tool)])
def test_what_is_none_of_ours_is_left_alone(how: str, tmp_path: Path, connect: Connect) -> None:
    with in_use(how, tmp_path / "m") as port, closing(OwnBroker(port)) as own:
        assert own.port != port
        assert is_carried(connect(own.port), connect(own.port))


def test_one_of_ours_is_used_and_opened_anew_when_it_ends(connect: Connect) -> None:
    with closing(EmbeddedBroker()) as first, closing(OwnBroker(first.port)) as own:
        assert own.port == first.port
        client = connect(own.port)
        assert is_carried(connect(first.port), client)
        first.close()
        until(client, lambda events: BrokerConnected() in events)
        assert is_carried(connect(own.port), client)


def test_it_is_at_its_port_again(connect: Connect) -> None:
    with closing(OwnBroker()) as first:
        port = first.port
    with closing(OwnBroker(port)) as again:
        assert again.port == port
        assert is_carried(connect(port), connect(port))
