"""URLs of brokers: read, written, and printed without their passwords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_host.errors import UserError
from tests import lanes


@pytest.mark.parametrize(
    ("text", "broker"),
    [
        ("mqtt://host", BrokerAddress("host", 1883)),
        ("mqtts://host", BrokerAddress("host", 8883, True)),
        ("MQTT://host:99/", BrokerAddress("host", 99)),
        ("mqtt://[fd00::7]:1884", BrokerAddress("fd00::7", 1884)),
        ("mqtts://ada:p%40ss%3A@h:1", BrokerAddress("h", 1, True, "ada", "p@ss:")),
        ("mqtt://ada@h", BrokerAddress("h", 1883, False, "ada")),
        ("wss://h", BrokerAddress("h", 443, True, path="/")),
        ("ws://ada@h:9001/mqtt/", BrokerAddress("h", 9001, False, "ada", path="/mqtt")),
        ("mqtts://h?ca=/a/b%20c.pem", BrokerAddress("h", 8883, True, ca="/a/b c.pem")),
    ],
)
def test_a_url(text: str, broker: BrokerAddress) -> None:
    assert parse_broker(text) == broker
    assert parse_broker(broker.url) == broker


@lanes.gate
@given(
    st.builds(
        BrokerAddress,
        st.from_regex(r"[a-z]([a-z0-9.-]{0,20}[a-z0-9])?", fullmatch=True),
        st.integers(1, 65535),
        st.just(True),
        st.text(min_size=1, max_size=10).filter(str.isprintable),
        st.text(max_size=10).filter(str.isprintable),
        st.sampled_from(["", "/etc/ca.pem", "/a b?c&d.pem"]),
        st.sampled_from(["", "/", "/mqtt", "/a/b"]),
    )
)
def test_what_is_written_is_read(broker: BrokerAddress) -> None:
    assert parse_broker(broker.url) == broker


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("host:1883", "is no broker"),
        ("https://host", "is no broker"),
        ("mqtt://", "is no broker"),
        ("mqtt://a b", "is no broker"),
        ("mqtt://h/topic", "is no broker"),
        ("ws://h/a b", "is no broker"),
        ("mqtt://h:0", "a port is a number from 1 to 65535"),
        ("mqtt://h:70000", "a port is a number from 1 to 65535"),
        ("mqtt://:secret@h", "has a password but no user"),
        ("mqtts://u:secret@h?cert=x", "nothing else there"),
        ("mqtt://u:secret@h?ca=x", "only mqtts"),
    ],
)
def test_what_is_no_url_is_refused_without_its_password(text: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as raised:
        parse_broker(text)
    assert "secret" not in str(raised.value)


def test_no_password_is_printed() -> None:
    broker = parse_broker("mqtts://ada:secret@host")
    assert str(broker) == repr(broker) == f"{broker}" == "mqtts://ada:***@host"
    assert "secret" not in f"{[broker]}"
    assert broker.place == "host:8883"
