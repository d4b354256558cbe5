"""Whatever the peer sends: nothing raises, nothing grows, everything is counted.

Every random test takes its seed as a parameter, so that a failure prints it.
"""

import random
import sys
from collections.abc import Callable
from types import FunctionType, MethodType, ModuleType

import pytest

from chronotable.backlog import Backlog
from chronotable.frames import encode
from chronotable.identity import HOST, TABLE
from chronotable.link import Link
from chronotable.messages import (
    BOTH,
    EVENT,
    STATE,
    TO_HOST,
    TO_TABLE,
    encode_fields,
)
from chronotable.window import WINDOW
from chronotable_host.link.fields import ROWS
from tests import lanes
from tests.link.ends import (
    connected_pair,
    events_of,
    exchange,
    hello,
    kind_of,
    kinds_of,
    lines_of,
    new_host,
    new_table,
)
from tests.link.test_messages import values_of


def test_an_unknown_type_is_answered_and_counted() -> None:
    host, table = connected_pair()
    table.receive(encode(0, 0, "Z", "whatever"), 1)
    assert table.counters["unsupported"] == 1
    assert [line[2:] for line in lines_of(table)] == [("?", "Z")]
    assert events_of(table) == []
    table.receive(encode(1, 1, "T", "a table does not hear turns"), 1)
    assert table.counters["unsupported"] == 2
    exchange(host, table)


def test_a_wrong_payload_is_a_violation_and_acknowledged() -> None:
    _, table = connected_pair()
    table.receive(encode(0, 0, "s", "zz0000"), 1)
    (violation,) = events_of(table)
    assert kind_of(violation) == "violation"
    assert "setting" in violation.reason
    table.tick(2)
    assert [line[1:3] for line in lines_of(table)] == [(1, "K")]


@pytest.mark.parametrize("first", [0, 2, 0x8001, 0xFFFF])
def test_a_gap_begins_where_the_pc_is(first: int) -> None:
    host, _ = connected_pair()
    host.receive(encode(0, 0, "X", f"{first:04x}9999"), 1)
    assert kinds_of(host) == ["violation"]
    assert (host.hello.last, host.counters["gaps"]) == (0, 0)
    host.receive(encode(1, 0, "X", "00010003"), 2)
    assert kinds_of(host) == ["gap"]
    assert host.hello.last == 3


def test_a_full_queue_drops_lines_and_they_come_again() -> None:
    host, table = connected_pair()
    for _ in range(60):
        table.post_event("reopened", 0)
    for now_ms in range(60, 2000, 10):  # the PC's loop runs, but nobody takes events
        exchange(host, table, now_ms)
    assert host.counters["rx_overflow"] > 0
    heard = []
    for now_ms in range(2000, 4500, 10):
        heard += events_of(host)
        exchange(host, table, now_ms)
    assert [event.values["number"] for event in heard] == list(range(1, 61))


def test_log_lines_are_kept_by_the_pc_and_counted_by_the_table() -> None:
    host, table = connected_pair()
    for link in (host, table):
        link.receive(b"Traceback (most recent call last):\r\n  boom\n\n", 1)
        assert link.counters["log_lines"] == 2
    assert [event.text for event in events_of(host)] == [
        "Traceback (most recent call last):",
        "  boom",
    ]
    assert events_of(table) == []


@pytest.mark.parametrize(
    ("garbage", "counter"),
    [
        (b"hello?\n" * 9, "log_lines"),
        (b"\xff\x00\x03" * 50 + b"\n", "log_lines"),
        (b"$0000u*0000\n" * 5, "crc_errors"),
        (b"$" + b"0" * 99 + b"\n", "overlong"),
    ],
)
def test_garbage_costs_the_table_a_counter_and_no_more_lines_than_the_wire_has_places(
    garbage: bytes, counter: str
) -> None:
    _, table = connected_pair()
    table.post_event("reopened", 0)
    assert len(lines_of(table)) == 1
    said = []
    for now_ms in range(70, 2900, 10):
        table.receive(garbage, now_ms)
        table.tick(now_ms)
        said += lines_of(table)
    assert len(said) == WINDOW - 1
    assert table.counters[counter] >= 283
    assert events_of(table) == []


MOST_BYTES = {HOST: 26_000, TABLE: 32_000}
"""What an end may hold in all on CPython, six kilobytes of events included."""


def held_by(thing: object, seen: "set[int]") -> int:
    """Return the bytes of memory that a thing and all that it holds take."""
    if id(thing) in seen or isinstance(thing, (type, ModuleType, FunctionType, MethodType)):
        return 0
    seen.add(id(thing))
    held: list[object] = [getattr(thing, "__dict__", None)]
    if isinstance(thing, dict):
        held = [*thing, *thing.values()]
    elif isinstance(thing, (list, tuple)):
        held = list(thing)
    elif isinstance(thing, memoryview):
        held = [thing.obj]
    return sys.getsizeof(thing) + sum(held_by(inner, seen) for inner in held)


def assert_bounded(link: Link) -> None:
    """Every list of the link has a largest length: these are all that it has."""
    backlog = link._backlog
    assert len(link._events) <= link._max_events
    assert len(link._window.lines) <= WINDOW
    assert len(link._window._wire) <= WINDOW
    assert len(backlog.unsupported) <= WINDOW
    states = sum(row[3] == STATE for row in ROWS)
    if not isinstance(backlog, Backlog):
        assert len(backlog.commands) <= 8 + WINDOW
    else:
        for of_states in (backlog._states, backlog._shown, backlog._dirty):
            assert len(of_states) <= states


def mutated(rng: random.Random, lines: "list[bytes]", due: int) -> bytes:
    """Return lines with a few bytes changed, frames of nonsense, often `due`, or any bytes."""
    if rng.random() < 0.3:
        return rng.randbytes(rng.randrange(100))
    if rng.random() < 0.5:
        row = rng.choice(ROWS)
        payload = "".join(rng.choices("0123456789abcdef-,qra", k=rng.randrange(52)))
        letter = rng.choice((row[0], "H", "K", "+"))
        return encode(
            rng.choice((due, due, rng.randrange(256))), rng.randrange(256), letter, payload
        )
    data = bytearray(rng.choice(lines))
    for _ in range(rng.choice((0, 0, 1, 3))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data) * rng.choice((1, 1, 2))


@lanes.gate
@pytest.mark.parametrize("role", [HOST, TABLE])
@pytest.mark.parametrize("is_drained", [True, False])
def test_thousands_of_random_and_mutated_strings(role: str, is_drained: bool) -> None:
    rng = random.Random(f"{role} {is_drained}")
    host, table = new_host(), new_table()
    link = host if role == HOST else table
    lines: list[bytes] = [b"\n"]
    now_ms = 0
    peer = table if link is host else host
    for _ in range(8000):
        now_ms += rng.choice((0, 1, 20, 100))
        if rng.random() < 0.3:
            table.post_event("edge", now_ms % 2**30, sensor=1, closed=1)
        for sender, receiver in ((link, peer), (peer, link)):
            sender.tick(now_ms)
            data = sender.data_to_send()
            if rng.random() < 0.9:
                receiver.receive(data, now_ms)
            if sender is peer:
                lines += data.splitlines(keepends=True)
        del lines[:-20]
        link.receive(mutated(rng, lines, link._expected), now_ms)
        if is_drained or now_ms % 500 == 0:
            events_of(link)
        events_of(peer)
        assert_bounded(link)
    counters = link.counters
    for name in ("crc_errors", "unsupported", "violations", "duplicates", "log_lines"):
        assert counters[name] > 20, counters
    assert (counters["rx_overflow"] == 0) == is_drained


# -- floods: what is said is legal, or nearly, but absurd; `due` is the number that the end expects


def any_message(rng: random.Random, link: Link, due: int) -> bytes:
    """Return a frame as it should be, of any message that this end may hear, with any values."""
    way = TO_HOST if link.role == HOST else TO_TABLE
    row = rng.choice([row for row in ROWS if row[2] in (way, BOTH) and row[0] not in "H?"])
    return encode(due, rng.randrange(256), row[0], encode_fields(row, values_of(row[1], rng)))


def next_event(rng: random.Random, link: Link, due: int) -> bytes:
    """Return the event that is due, or one of another number."""
    number = (link.hello.last + rng.choice((1, 1, 1, 2, 0, 0x7FFF, 0x8000))) & 0xFFFF
    row = rng.choice([row for row in ROWS if row[3] == EVENT])
    values = {**values_of(row[1], rng), "number": number}
    return encode(due, 0, row[0], encode_fields(row, values))


def any_hello(rng: random.Random, link: Link, _due: int) -> bytes:
    """Return somebody else's HELLO, or the right one once more."""
    session = rng.choice((link.hello.session, rng.randrange(65536)))
    return hello(link.role, rng.choice("qra"), session, boot=rng.choice((7, 0, 65535)))


FLOODS: "dict[str, Callable[[random.Random, Link, int], bytes]]" = {
    "messages": any_message,
    "events": next_event,
    "hellos": any_hello,
    "hellos of other protocols": lambda rng, link, _due: hello(
        link.role, rng.choice("qra"), link.hello.session, major=rng.choice((0, 2, 255))
    ),
    "gaps": lambda rng, _link, due: encode(due, 0, "X", f"{rng.randrange(2**32):08x}"),
    "unknown types": lambda rng, _link, due: encode(due, 0, rng.choice("yZ~"), "x"),
    "resyncs": lambda _rng, _link, due: encode(due, 0, "q", ""),
    "acks": lambda rng, _link, _due: encode(rng.randrange(256), rng.randrange(256), "K", ""),
    "the same line": lambda _rng, _link, _due: encode(0, 0, "b", "01"),
    "log lines": lambda rng, _link, _due: b"%0*d\n" % (rng.randrange(1, 200), 7),
    "no newline": lambda rng, _link, _due: rng.choice((b"x", b"$", b"$0000b")) * 200,
    "newlines": lambda _rng, _link, _due: b"\n\r\n" * 50,
    "broken frames": lambda rng, _link, due: (
        encode(due, 0, "b", "01")[:-2] + b"%c\n" % rng.choice(b"gz")
    ),
    "halves": lambda rng, link, due: any_message(rng, link, due)[: rng.randrange(60)],
}


@pytest.mark.parametrize("role", [HOST, TABLE])
@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("is_drained", [True, False])
def test_a_flood_is_bounded_and_leaves_the_end_usable(
    role: str, flood: str, is_drained: bool
) -> None:
    rng = random.Random(f"{role} {flood}")
    host, table = connected_pair()
    link, peer = (host, table) if role == HOST else (table, host)
    table.send("about", firmware="1", micropython="m")
    now_ms, most = 100, 0
    for count in range(400):
        now_ms += rng.choice((0, 1, 20))
        link.receive(FLOODS[flood](rng, link, link._expected), now_ms)
        link.tick(now_ms)
        link.data_to_send(max_lines=rng.choice((1, None)))
        if is_drained:
            events_of(link)
        assert_bounded(link)
        if count % 100 == 0:
            most = max(most, held_by(link, set()))
    assert most <= MOST_BYTES[role]
    events_of(link)
    link.receive(b"\n", now_ms)
    number = table.post_event("reopened", 0)
    heard = []
    peer.open(now_ms)
    for _ in range(250):  # five seconds
        now_ms += 20
        exchange(host, table, now_ms)
        heard += events_of(host)
    assert host.connected and table.connected
    told = [e for e in heard if kind_of(e) == "message" and e.name == "reopened"]
    assert [event.values["number"] for event in told] == [number]
