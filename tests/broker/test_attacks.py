"""Whoever is in the network and was not invited: the broker serves the friend meanwhile.

The strangers' addresses are 127.0.0.2 and the like, which the broker takes for any others; rooms
are what this machine's own address subscribes to.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import time
from collections.abc import Iterator
from random import Random

import pytest

from chronotable_far.broker import embedded
from chronotable_far.broker.client import BrokerClient
from chronotable_far.broker.embedded import EmbeddedBroker
from chronotable_host import limits
from tests import sweep
from tests.broker.conftest import LOCAL, heard
from tests.page.test_crowd import has_more_addresses
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.skipif(not has_more_addresses(), reason="this system has one address")

ROOM = "chronotable/1/f00d"
STRANGER, FRIEND = "127.0.0.2", "127.0.0.3"
ACCEPTED = b"\x20\x02\x00\x00"
NUMBERS = itertools.count()


def packet(head: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while True:
        length.append(size & 0x7F | (0x80 if size > 0x7F else 0))
        size >>= 7
        if not size:
            return bytes([head]) + length + body


def text(words: str) -> bytes:
    return len(words.encode()).to_bytes(2, "big") + words.encode()


def connect(will: str = "", alive_s: int = 0, version: int = 4) -> bytes:
    flags, more = (6, text(will) + text("gone")) if will else (2, b"")
    body = bytes([version, flags]) + alive_s.to_bytes(2, "big") + text(f"c{next(NUMBERS)}") + more
    return packet(0x10, text("MQTT") + body)


def subscribe(topic: str) -> bytes:
    return packet(0x82, b"\0\1" + text(topic) + b"\1")


def publish(topic: str, payload: bytes = b"x", retain: bool = False) -> bytes:
    return packet(0x30 | retain, text(topic) + payload)


class House:
    """A broker, its room, and lines from other addresses."""

    def __init__(self, closing: contextlib.ExitStack) -> None:
        self.broker = EmbeddedBroker(LOCAL, 0)
        self._closing = closing
        closing.callback(self.broker.close)
        self.host = BrokerClient(self.broker.address(LOCAL))
        closing.callback(self.host.close, 0.1)
        self.host.subscribe(f"{ROOM}/#")
        self.host.subscribe(embedded.KIND_TOPIC)
        self.host.publish(f"{ROOM}/open", b"")
        heard(self.host, 2)

    def come(self, sent: bytes = b"", address: str = STRANGER) -> socket.socket:
        """Connect from an address and send something."""
        line = socket.create_connection((LOCAL, self.broker.port), PATIENCE_S, (address, 0))
        self._closing.callback(line.close)
        with contextlib.suppress(OSError):
            line.sendall(sent)
        return line

    def befriend(self) -> socket.socket:
        """Come as a friend, and be heard in the room."""
        friend = self.come(connect(f"{ROOM}/friend"), FRIEND)
        assert read(friend, 4) == ACCEPTED
        friend.sendall(publish(f"{ROOM}/friend", b"here"))
        while b"here" not in {each.payload for each in heard(self.host, 1)}:
            pass
        return friend


@pytest.fixture
def house() -> Iterator[House]:
    with contextlib.ExitStack() as closing:
        yield House(closing)


def read(line: socket.socket, count: int) -> bytes:
    """Return so many bytes that come on a line."""
    with line.makefile("rb") as file:
        return file.read(count)


def is_ended(line: socket.socket) -> bool:
    """Wait until the other end has closed a line."""
    with contextlib.suppress(ConnectionError):
        while line.recv(4096):
            pass
    return True


def test_idle_connections_however_many_keep_no_friend_out(house: House) -> None:
    count = sweep.size(3 * limits.MOST_OF_ADDRESS, 400)
    idle = [house.come() for _ in range(count)]
    idle += [house.come(connect()) for _ in range(count)]
    house.befriend()
    assert all(map(is_ended, idle[: -limits.MOST_OF_ADDRESS]))


def test_who_names_no_room_in_time_has_to_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    friend = house.befriend()
    silent, connected, busy = house.come(), house.come(connect()), house.come(connect())
    busy.sendall(packet(0xC0, b""))
    assert read(busy, 6) == ACCEPTED + b"\xd0\0"
    now = time.monotonic() + limits.REQUEST_S
    monkeypatch.setattr(house.broker.slots, "clock", lambda: now)
    assert all(map(is_ended, (silent, connected, busy)))
    friend.sendall(publish(f"{ROOM}/friend", b"still here"))
    assert heard(house.host, 1)[0].payload == b"still here"


def test_a_client_that_is_not_heard_of_is_taken_for_gone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep = house.come(connect(f"{ROOM}/friend", alive_s=2), FRIEND)
    assert read(asleep, 4) == ACCEPTED
    now = time.monotonic() + 4
    monkeypatch.setattr(house.broker.slots, "clock", lambda: now)
    assert heard(house.host, 1)[0].payload == b"gone"
    assert is_ended(asleep)


@pytest.mark.parametrize(
    "sent",
    [
        connect() + subscribe("#"),
        connect() + subscribe("chronotable/1/+/#"),
        connect() + subscribe(embedded.KIND_TOPIC),
        connect() + subscribe(f"{ROOM}ling/#"),
        connect() + subscribe(ROOM),
        connect() + publish("chronotable/1/other/now"),
        connect() + publish(ROOM),
        connect("chronotable/1/other/now"),
        connect(f"{ROOM}/{'x' * 300}"),
        connect() + subscribe(f"{ROOM}/x") * 101,
    ],
)
def test_a_topic_that_is_of_no_room_ends_the_connection(sent: bytes, house: House) -> None:
    assert is_ended(house.come(sent))
    house.befriend()


@pytest.mark.parametrize("sent", [b"\x10", connect() + publish(f"{ROOM}/x") + b"\x30"])
def test_a_packet_that_is_to_be_giant_ends_the_connection_at_its_head(
    sent: bytes, house: House
) -> None:
    assert is_ended(house.come(sent + b"\xff\xff\xff\x7f"))
    house.befriend()


def test_one_client_that_floods_the_room_makes_nobody_else_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beyond its quota is not read: the sender's own line fills, and no one else's."""
    monkeypatch.setattr(house.broker, "quotas", limits.Quotas(20, 1.0, lambda: 0.0))
    flood = house.come(connect(f"{ROOM}/flood"))
    assert read(flood, 4) == ACCEPTED
    again = house.come(connect(f"{ROOM}/flood"))
    assert read(again, 4) == ACCEPTED
    many = publish(f"{ROOM}/flood") * 10_000
    for line in (flood, again):
        line.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            line.sendall(many)
    came = heard(house.host, 18)  # both are one network, and have connected
    friend = house.befriend()
    friend.sendall(publish(f"{ROOM}/friend", b"heard"))
    came += heard(house.host, 1)
    assert [each.payload for each in came] == [b"x"] * 18 + [b"heard"]


def test_who_never_reads_has_to_go_and_others_hear_all_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_MOST_UNREAD", 3_000_000)
    deaf = house.come(connect() + subscribe(f"{ROOM}/#"), FRIEND)
    accepted = ACCEPTED + packet(0x90, b"\0\1\0")
    assert read(deaf, len(accepted)) == accepted
    for _ in range(16):  # of which the system keeps some for it
        house.host.publish(f"{ROOM}/large", bytes(1_000_000))
        assert heard(house.host, 1)[0].payload == bytes(1_000_000)
    assert is_ended(deaf)
    house.befriend()


def test_who_has_all_that_is_retained_looked_through_again_and_again_waits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_UNIT_RETAINED", 1)
    monkeypatch.setattr(house.broker, "quotas", limits.Quotas(60, 1.0, lambda: 0.0))
    for number in range(10):
        house.host.publish(f"{ROOM}/{number}", b"x", retain=True)
    heard(house.host, 10)
    greedy = house.come(connect() + subscribe(f"{ROOM}/nothing") * 10)
    answers = ACCEPTED + 5 * packet(0x90, b"\0\1\0")
    assert read(greedy, len(answers)) == answers
    house.befriend()
    greedy.setblocking(False)
    with pytest.raises(BlockingIOError):
        greedy.recv(1)


def test_so_much_is_retained_of_a_room_and_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it is passed on; what is taken away makes room for other things."""
    monkeypatch.setattr(embedded, "_MOST_RETAINED", 5)
    monkeypatch.setattr(embedded, "_MOST_RETAINED_BYTES", 100)
    house.host.subscribe(f"{ROOM}2/#")
    friend = house.befriend()

    def kept(room: str = ROOM) -> list[bytes]:
        with contextlib.closing(BrokerClient(house.broker.address(LOCAL))) as late:
            late.subscribe(f"{room}/#")
            late.publish(f"{room}/end", b"end")  # behind what is retained
            heard(house.host, 1)
            return [each.payload for each in heard(late, 1 + len(sent[room]))][:-1]

    def say(topic: str, *payloads: bytes, room: str = ROOM) -> None:
        for number, payload in enumerate(payloads):
            friend.sendall(publish(f"{room}/{topic}{number}", payload, retain=True))
        assert [each.payload for each in heard(house.host, len(payloads))] == [*payloads]

    sent = {ROOM: [b"0", b"1", b"2", b"3", b"4"], f"{ROOM}2": [b"of another room"]}
    say("a", *(b"%d" % number for number in range(20)))
    say("a", b"of another room", room=f"{ROOM}2")
    assert [kept(room) for room in sent] == [*sent.values()]
    say("a", b"", b"", b"two", b"x" * 100)
    sent[ROOM] = [b"two", b"3", b"4", b"y" * 90]
    say("b", b"y" * 90, b"too much")
    assert kept() == sent[ROOM]


def test_a_client_of_another_version_is_told_that(house: House) -> None:
    for version in (3, 5):
        assert read(house.come(connect(version=version)), 8) == b"\x20\x02\x00\x01"


def test_what_is_no_packet_ends_the_connection_and_prints_nothing(
    house: House, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    seed = 39
    random = Random(seed)
    good = [connect(), subscribe(f"{ROOM}/#"), publish(f"{ROOM}/x"), packet(0x40, b"\0\1")]
    for number in range(sweep.size(100, 300, 3000)):
        bad = bytearray(b"".join([connect(), *random.choices(good, k=3)]))
        for _ in range(random.randrange(1, 4)):
            bad[random.randrange(len(bad))] = random.randrange(256)
        house.come(random.choice([bytes(bad), random.randbytes(40)])).close()
        if number % 10 == 0:
            house.befriend().close()
    house.befriend()
    house.broker.close()
    told = capfd.readouterr()
    assert (told.out, told.err) == ("", ""), f"seed {seed}"
    assert [each for each in caplog.records if each.name != "chronotable.broker"] == [], seed
