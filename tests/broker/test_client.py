"""The client at the embedded broker, and at Mosquitto: nothing waits, nothing is lost."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, islice, repeat
from pathlib import Path
from random import Random

import paho.mqtt.client as mqtt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from paho.mqtt.enums import CallbackAPIVersion

from chronotable_far.broker import client as client_module
from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_far.broker.client import BrokerClient, BrokerConnected, BrokerLost, Message, pauses
from chronotable_far.broker.embedded import EmbeddedBroker
from chronotable_host.errors import UserError
from tests import lanes
from tests.broker.conftest import LOCAL, RunningBroker, heard, messages, need_mosquitto, until
from tests.lab.mosquitto import Mosquitto, upgraded
from tests.lab.ports import free_port
from tests.waiting import PATIENCE_S
from tests.waiting import until as wait_until

pytestmark = lanes.tool

Connect = Callable[..., BrokerClient]


def is_told(here: BrokerClient, there: BrokerClient, topic: str) -> None:
    """Wait until a broker passes on to one what another publishes: it has no other sign of that."""
    heard_of: list[Message] = []
    for number in count():
        here.publish(topic, b"%d" % number)
        heard_of += messages(there.wait(0.1))
        if heard_of:
            break
    last = b"%d" % number
    until(there, lambda events: last in {each.payload for each in [*heard_of, *messages(events)]})


@lanes.gate
def test_messages_come_in_order(broker: RunningBroker, connect: Connect) -> None:
    here, there = connect(broker.port), connect(broker.port)
    there.subscribe("a/+/c")
    is_told(here, there, "a/ready/c")
    for number in range(500):
        here.publish(f"a/{number}/c", b"%d" % number)
        here.publish("a/other", b"")
    assert heard(there, 500) == [Message(f"a/{n}/c", b"%d" % n) for n in range(500)]


@lanes.gate
def test_a_broker_is_reached_by_websockets_and_come_back_to(
    tmp_path: Path, connect: Connect
) -> None:
    need_mosquitto()
    with upgraded(tmp_path / "mosquitto") as (plain, port, lines):
        here = connect(plain)
        there = BrokerClient(parse_broker(f"ws://{LOCAL}:{port}/mqtt"))
        there.subscribe("a/b")
        for _ in range(2):
            is_told(here, there, "a/b")
            for number in range(300):  # several come as one
                here.publish("a/b", b"many %d" % number)
            until(there, lambda events: b"many 299" in {it.payload for it in messages(events)})
            lines[-1].close()
            until(there, lambda events: any(isinstance(it, BrokerConnected) for it in events))
        there.close()


def test_a_program_that_is_not_ours_is_served_at_the_embedded_broker(connect: Connect) -> None:
    """It asks for more than there is, and gets what there is: each message at most once."""
    with contextlib.closing(EmbeddedBroker("127.0.0.1")) as broker:
        ours = connect(broker.port)
        ours.subscribe("a/#")
        ours.publish("a/kept", b"kept", retain=True)
        heard(ours, 1)
        other = mqtt.Client(CallbackAPIVersion.VERSION2)
        told: queue.Queue[object] = queue.Queue()
        other.on_subscribe = lambda *told_of: told.put([code.value for code in told_of[3]])
        other.on_message = lambda *told_of: told.put((told_of[2].topic, told_of[2].retain))
        other.connect("127.0.0.1", broker.port)
        other.loop_start()
        for topics in ([("a/+", 2), ("b", 1)], [("a/#", 0)]):
            other.subscribe(topics)
            assert told.get(timeout=PATIENCE_S) == [0] * len(topics)
            assert told.get(timeout=PATIENCE_S) == ("a/kept", True)
        other.unsubscribe("a/+")
        for topic in ("c", "a", "b"):
            other.publish(topic, topic, qos=1).wait_for_publish(PATIENCE_S)
        assert [told.get(timeout=PATIENCE_S) for _ in range(2)] == [("a", False), ("b", False)]
        assert heard(ours, 1) == [Message("a", b"a")]
        other.disconnect()
        other.loop_stop()


def test_what_is_retained_comes_once_whenever_one_connects(
    broker: RunningBroker, connect: Connect
) -> None:
    here = connect(broker.port)
    for number in range(20):
        here.publish(f"log/{number}", b"%d" % number, retain=True)
    here.publish("other", b"no business of theirs", retain=True)
    here.close()
    here.close()
    for _ in range(2):
        there = connect(broker.port)
        there.subscribe("log/#")
        there.publish("log/end", b"")  # behind whatever else may come
        *found, _ = heard(there, 21)
        assert not messages(there.take())
        assert sorted(found) == sorted(Message(f"log/{n}", b"%d" % n, True) for n in range(20))


def test_an_empty_message_ends_what_is_retained(broker: RunningBroker, connect: Connect) -> None:
    here = connect(broker.port)
    here.publish("a", b"x", retain=True)
    here.publish("b", b"y", retain=True)
    here.close()
    here = connect(broker.port)
    here.publish("a", b"", retain=True)
    here.close()
    there = connect(broker.port)
    there.subscribe("+")
    assert heard(there, 1) == [Message("b", b"y", True)]


def test_what_is_published_while_the_broker_is_away_arrives_when_it_is_back(
    broker: RunningBroker, connect: Connect
) -> None:
    here, there = connect(broker.port), connect(broker.port)
    there.subscribe("#")
    for each in (here, there):
        until(each, lambda events: BrokerConnected() in events)
    broker.stop()
    for each in (here, there):
        until(each, lambda events: any(isinstance(event, BrokerLost) for event in events))
    for number in range(50):
        here.publish("state", b"%d" % number, retain=True)
        here.publish("turn", b"%d" % number)
    assert here.waiting == 51  # of what is retained the latest alone
    broker.start()
    events = until(there, lambda events: len(messages(events)) >= 1)
    assert events[0] == BrokerConnected()
    found = messages(events)
    while (
        Message("state", b"49", False) not in found and Message("state", b"49", True) not in found
    ):
        found += heard(there, 1)
    assert {message.payload for message in found if message.topic == "state"} == {b"49"}
    turns = [int(message.payload) for message in found if message.topic == "turn"]
    assert turns == sorted(set(turns))  # those before the other was back, too, are gone
    until(here, lambda _: not here.waiting)


@lanes.gate
def test_what_is_under_way_when_the_broker_dies_is_sent_again(
    broker: RunningBroker, connect: Connect
) -> None:
    here = connect(broker.port)
    until(here, lambda events: BrokerConnected() in events)
    for number in range(900):
        here.publish(f"log/{number}", b"x" * 100, retain=True)
        if number == 450:
            broker.stop()
    broker.start()
    until(here, lambda _: not here.waiting)
    for number in range(900):  # the broker forgot what it had: the sender knows, and puts it back
        here.publish(f"log/{number}", b"x" * 100, retain=True)
    here.close(10)
    there = connect(broker.port)
    there.subscribe("#")
    assert {message.topic for message in heard(there, 900)} == {f"log/{n}" for n in range(900)}


def test_the_last_will_is_said_when_a_connection_breaks_off_and_only_then(
    broker: RunningBroker, connect: Connect
) -> None:
    there = connect(broker.port)
    there.subscribe("#")
    there.publish("ready", b"")
    heard(there, 1)  # from now on it hears what others publish
    here = connect(broker.port, will=Message("now", b"away", True))
    until(here, lambda events: BrokerConnected() in events)
    here.close()
    again = connect(broker.port, will=Message("now", b"broken", True))
    until(again, lambda events: BrokerConnected() in events)
    again.publish("now", b"there", True)
    assert heard(there, 1) == [Message("now", b"there")]
    line = again._paho.socket()
    assert line
    line.shutdown(socket.SHUT_RDWR)  # without a word
    assert Message("now", b"broken") in heard(there, 1)


def test_closing_delivers_what_waits(broker: RunningBroker, connect: Connect) -> None:
    there = connect(broker.port)
    there.subscribe("#")
    there.publish("ready", b"")
    heard(there, 1)  # from now on it hears what others publish
    for number in range(20):
        here = connect(broker.port)  # not connected yet when it is closed
        here.publish("bye", b"%d" % number)
        here.close(60)
    assert [message.payload for message in heard(there, 20)] == [b"%d" % n for n in range(20)]


def test_closing_takes_a_second_at_most_where_nobody_answers(connect: Connect) -> None:
    here = connect(free_port())
    here.publish("a", b"")
    started = time.monotonic()
    here.close()
    assert time.monotonic() - started < 10


@pytest.fixture
def third_try(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Is set once a client that tries again at once has failed to connect three times."""
    failed = threading.Event()

    def pauses(_random: Random) -> Iterator[float]:
        yield from (0.01, 0.01)
        failed.set()
        yield from repeat(1.0)

    monkeypatch.setattr(client_module, "pauses", pauses)
    return failed


def test_that_nobody_answers_is_told_once(connect: Connect, third_try: threading.Event) -> None:
    port = free_port()
    here = connect(port)
    events = until(here, bool)
    assert third_try.wait(60)
    assert events + here.take() == [BrokerLost(f"no broker answers at 127.0.0.1:{port}")]


def test_a_name_that_is_none_is_told() -> None:
    here = BrokerClient(BrokerAddress("no-such-host.invalid", 1883))
    assert until(here, bool) == [BrokerLost("there is no no-such-host.invalid in this network")]
    here.close()


def test_where_too_much_waits_the_oldest_is_dropped_and_what_is_retained_last(
    monkeypatch: pytest.MonkeyPatch, connect: Connect
) -> None:
    monkeypatch.setattr(client_module, "MOST_WAITING", 10)
    here = connect(free_port())
    for number in range(5):
        here.publish(f"kept/{number}", b"", retain=True)
    for number in range(20):
        here.publish("passing", b"%d" % number)
    assert here.waiting == 10
    assert here.dropped == 15
    kept = [message.topic for message in here._waiting.values()]
    assert kept == [f"kept/{n}" for n in range(5)] + ["passing"] * 5


@lanes.gate
def test_what_nobody_takes_stays_with_the_broker(
    monkeypatch: pytest.MonkeyPatch, broker: RunningBroker, connect: Connect
) -> None:
    monkeypatch.setattr(client_module, "MOST_EVENTS", 100)
    here, there = connect(broker.port), connect(broker.port)
    there.subscribe("#")
    is_told(here, there, "ready")
    for number in range(1000):
        here.publish("a", b"%d" % number)
    until(here, lambda _: not here.waiting)
    wait_until(lambda: len(there._events) >= 100)
    assert len(there._events) <= 100 + 1
    assert [message.payload for message in heard(there, 1000)] == [b"%d" % n for n in range(1000)]


def test_what_nobody_takes_is_bounded_by_its_size_too_and_what_is_none_of_ours_is_dropped(
    monkeypatch: pytest.MonkeyPatch, broker: RunningBroker, connect: Connect
) -> None:
    monkeypatch.setattr(client_module, "MOST_EVENT_BYTES", 100_000)
    here, there = connect(broker.port), connect(broker.port)
    there.subscribe("#")
    is_told(here, there, "ready")
    here.publish("huge", bytes(1_100_000))
    for number in range(100):
        here.publish(f"{number}", bytes(10_000))
    until(here, lambda _: not here.waiting)
    wait_until(lambda: len(there._events) >= 10)
    assert len(there._events) == 10
    assert [message.topic for message in heard(there, 100)] == [f"{n}" for n in range(100)]


@pytest.mark.parametrize("topic", ["", "a/#", "+/b", "a\0", "x" * 70_000])
def test_a_topic_that_is_none_is_refused_at_once(topic: str, connect: Connect) -> None:
    with pytest.raises(ValueError, match="no topic"):
        connect(free_port()).publish(topic, b"")


def test_pauses_grow_to_half_a_minute_and_differ() -> None:
    some = list(islice(pauses(Random(1)), 20))
    others = list(islice(pauses(Random(2)), 20))
    assert some != others
    assert 0.25 <= some[0] <= 0.5
    assert all(15 <= pause <= 30 for pause in some[8:])


def test_two_brokers_of_one_machine_have_ports_of_their_own() -> None:
    first = EmbeddedBroker("127.0.0.1")
    second = EmbeddedBroker("127.0.0.1")
    assert first.port != second.port
    with pytest.raises(UserError, match=f"port {first.port} of 127.0.0.1 is in use"):
        EmbeddedBroker("127.0.0.1", first.port)
    first.close()
    second.close()


# ---- users and TLS


def test_a_wrong_password_is_told_once_and_not_repeated(
    tmp_path: Path, third_try: threading.Event
) -> None:
    need_mosquitto()
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "ada", "secret"], check=True)
    broker = Mosquitto(tmp_path, f"allow_anonymous false\npassword_file {passwords}")
    wrong = BrokerClient(parse_broker(f"mqtt://ada:guess@127.0.0.1:{broker.port}"))
    why = f"127.0.0.1:{broker.port} does not let us in: user or password is wrong"
    events = until(wrong, bool)
    assert third_try.wait(60)
    assert events + wrong.take() == [BrokerLost(why)]
    right = BrokerClient(parse_broker(f"mqtt://ada:secret@127.0.0.1:{broker.port}"))
    assert until(right, bool) == [BrokerConnected()]
    wrong.close()
    right.close()
    broker.stop()


def test_tls_with_an_authority_of_one_s_own(tmp_path: Path) -> None:
    need_mosquitto()
    authority = make_certificates(tmp_path)
    broker = Mosquitto(
        tmp_path,
        f"allow_anonymous true\ncertfile {tmp_path / 'broker.pem'}\nkeyfile {tmp_path / 'key.pem'}",
    )
    good = BrokerClient(parse_broker(f"mqtts://127.0.0.1:{broker.port}?ca={authority}"))
    assert until(good, bool) == [BrokerConnected()]
    good.subscribe("#")
    other = BrokerClient(parse_broker(f"mqtts://127.0.0.1:{broker.port}?ca={authority}"))
    for number in range(300):
        other.publish(f"{number}", b"x" * 2000, retain=True)
    assert len({message.topic for message in heard(good, 300)}) == 300
    stranger = BrokerClient(parse_broker(f"mqtts://127.0.0.1:{broker.port}"))
    (lost,) = until(stranger, bool)
    assert isinstance(lost, BrokerLost)
    assert "cannot be trusted" in lost.why
    assert "?ca=FILE" in lost.why
    plain = BrokerClient(parse_broker(f"mqtt://127.0.0.1:{broker.port}"))
    assert any(isinstance(event, BrokerLost) for event in until(plain, bool))
    for each in (good, other, stranger, plain):
        each.close()
    broker.stop()


def test_an_authority_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nothing\.pem holds no certificate"):
        BrokerClient(parse_broker(f"mqtts://h?ca={tmp_path / 'nothing.pem'}"))
    (tmp_path / "text.pem").write_text("not a certificate", "utf-8")
    with pytest.raises(UserError, match="it is not in PEM format"):
        BrokerClient(parse_broker(f"mqtts://h?ca={tmp_path / 'text.pem'}"))


def make_certificates(folder: Path) -> Path:
    """Make an authority, and a broker's certificate and key of it; return the authority's file."""
    now = datetime.datetime.now(datetime.timezone.utc)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in ("ca", "b")]

    def certificate(of: int) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(names[of])
            .issuer_name(names[0])
            .public_key(keys[of].public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=of == 0, path_length=None), critical=True)
        )
        if of == 1:
            here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
            builder = builder.add_extension(x509.SubjectAlternativeName([here]), critical=False)
        return builder.sign(keys[0], hashes.SHA256())

    for of, name in enumerate(("ca.pem", "broker.pem")):
        data = certificate(of).public_bytes(serialization.Encoding.PEM)
        (folder / name).write_bytes(data)
    (folder / "key.pem").write_bytes(
        keys[1].private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return folder / "ca.pem"
