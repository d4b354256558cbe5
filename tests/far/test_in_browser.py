"""The client of a browser, whose line is told of: it has no thread, and tells why there is none."""

from __future__ import annotations

import socket

import pytest

from chronotable_far.broker.client import BrokerConnected, BrokerLost, Message
from chronotable_far.broker.packets import ACCEPTED, published
from chronotable_far.in_browser import WebClient, Wire
from chronotable_far.invitation import new_invitation
from tests.waiting import until


def test_a_line_that_is_refused_comes_and_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", socket.create_connection)  # it is replaced
    told: list[tuple[int, str | bytes | None]] = []
    wire = Wire(lambda *said: told.append(said))
    client = WebClient(new_invitation("ws://ada:secret@h/mqtt"), wire, Message("gone", b"", True))

    def comes(kind: type) -> list[object]:
        return until(lambda: [each for each in client.take() if isinstance(each, kind)])

    number, url = told.pop()
    assert url == "ws://h/mqtt"
    wire.hear(number, None)
    assert comes(BrokerLost) == [BrokerLost("no broker answers at h:80")]
    number, _ = until(lambda: client.take() or [it for it in told if it[1] == url])[0]
    wire.hear(number - 1, None)  # what is said of the line before means nothing
    wire.hear(number, True)
    client.take()
    assert b"secret" in told[-1][1], "the broker is told, once the line is there"
    wire.hear(number, ACCEPTED)
    assert comes(BrokerConnected)
    wire.hear(number, published("a", b"1", False)[:3])
    wire.hear(number, published("a", b"1", False)[3:])
    assert comes(Message) == [Message("a", b"1")]
    client.publish("b", b"last words")
    client.close()
    assert [b"last words" in it for _, it in told[-3:] if it] == [True, False]
    assert told[-1] == (number, None)
    assert client.take() == []
