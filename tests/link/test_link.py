"""The link over a bad cable, and its session through every state and happening.

Every random test takes its seed as a parameter, so that a failure prints it.
"""

import random
from typing import Any

import pytest

from chronotable import link as machine
from chronotable.frames import LocalLinkError, decode, encode
from chronotable.link import (
    CLOSED,
    HOST,
    LOST,
    OPEN,
    TABLE,
    TRANSITIONS,
    WAITING,
    WINDOW,
    Identity,
    Link,
    since,
)
from chronotable.messages import (
    COMMAND,
    EVENT,
    MESSAGES,
    PROTOCOL_MAJOR,
    STATE,
    TO_HOST,
    TO_TABLE,
)
from tests.link.channel import LinkPair
from tests.link.test_messages import values_of

SEEDS = range(6)


def events_of(link: Link) -> "list[Any]":
    events = []
    while (event := link.next_event()) is not None:
        events.append(event)
    return events


def kinds_of(link: Link) -> "list[str]":
    return [event.kind for event in events_of(link)]


def lines_of(link: Link) -> "list[tuple[int, int, str, str]]":
    return [decode(line) for line in link.data_to_send().splitlines(keepends=True)]


def new_table(boot: int = 7) -> Link:
    table = Link(TABLE, Identity("table", 0x12345678, "e66038b71353", boot=boot))
    table.open(0)
    return table


def new_host(session: int = 40) -> Link:
    host = Link(HOST, Identity("pc", 0, "c0ffee", session=session))
    host.open(0)
    return host


def exchange(one: Link, other: Link, now_ms: int = 0) -> None:
    """Carry lines both ways until nothing more is said at this time."""
    for _ in range(100):
        for link in (one, other):
            link.tick(now_ms)
        there, back = one.data_to_send(), other.data_to_send()
        if not there and not back:
            return
        other.receive(there, now_ms)
        one.receive(back, now_ms)
    raise AssertionError("they never fall silent")


def connected_pair() -> "tuple[Link, Link]":
    host, table = new_host(), new_table()
    exchange(host, table)
    assert kinds_of(host) == kinds_of(table) == ["connected"]
    table.receive(encode(0, 0, "K", ""), 60)  # vouches for the table's HELLO
    return host, table


# -- the API


def test_an_event_travels() -> None:
    host, table = connected_pair()
    assert table.post_event("turn", 1234, turn_no=1, turn=0x12345, digest=9, understood="c") == 1
    exchange(host, table, 5)
    (message,) = events_of(host)
    assert (message.kind, message.name) == ("message", "turn")
    assert message.values == {
        "number": 1,
        "time_ms": 1234,
        "turn_no": 1,
        "turn": 0x12345,
        "digest": 9,
        "understood": "c",
    }
    assert host.hello.last == 1


def test_who_is_there() -> None:
    host, table = new_host(), new_table()
    exchange(host, table)
    (connected,) = events_of(host)
    info = connected.info
    assert connected.fresh
    assert (info.board_name, info.board_hash, info.unique_id) == (
        "table",
        0x12345678,
        "e66038b71353",
    )
    assert (info.boot, info.rules, info.major) == (7, 1, PROTOCOL_MAJOR)
    assert host.hello.boot == 7
    (connected,) = events_of(table)
    assert (connected.info.board_name, connected.info.unique_id) == ("pc", "000000c0ffee")


def say(link: Link, is_event: bool, name: str, values: "dict[str, Any]") -> None:
    if is_event:
        link.post_event(name, 5, **values)
    else:
        link.send(name, **values)


@pytest.mark.parametrize("row", MESSAGES, ids=lambda row: row[1])
def test_every_message_travels_its_way_and_no_other(row: "tuple[str, ...]") -> None:
    host, table = connected_pair()
    name, direction, kind = row[1:4]
    values: dict[str, Any] = dict(values_of(name, random.Random(3)))
    for assigned in ("number", "time_ms") if kind == EVENT else ():
        del values[assigned]
    for sender, receiver, way in ((table, host, TO_HOST), (host, table, TO_TABLE)):
        with pytest.raises(LocalLinkError):
            say(sender, kind != EVENT, name, values)
        if kind not in (EVENT, STATE, COMMAND) or direction != way:
            with pytest.raises(LocalLinkError):
                say(sender, kind == EVENT, name, values)
            continue
        say(sender, kind == EVENT, name, values)
        exchange(host, table)
        (message,) = events_of(receiver)
        assert message.name == name
        assert {**message.values, **values} == message.values


def test_wrong_use_is_told_and_changes_nothing() -> None:
    host, table = connected_pair()
    wrong = (
        lambda: host.send("nonsense"),
        lambda: host.send("set", setting=256, value=1),
        lambda: host.send("set", setting=1),
        lambda: host.send("undo", surplus=1),
        lambda: host.send("leds", leds="0" * 45),
        lambda: table.send("about", firmware="é", micropython="1"),
        lambda: table.post_event("edge", 0, sensor=1, closed=2),
        lambda: table.post_event("edge", -1, sensor=1, closed=1),
        lambda: table.post_event("reopened", 2**32),
    )
    for use in wrong:
        with pytest.raises(LocalLinkError):
            use()
    assert lines_of(host) == lines_of(table) == []
    assert table.post_event("reopened", 0) == 1


def test_identities_are_checked() -> None:
    for role, identity in (
        ("chair", Identity()),
        (TABLE, Identity(boot=0)),
        (HOST, Identity(boot=65536)),
        (HOST, Identity(board_name="thirteen char")),
        (HOST, Identity(unique_id="0123456789abc")),
        (HOST, Identity(unique_id="xyz")),
    ):
        with pytest.raises(LocalLinkError):
            Link(role, identity)
    with pytest.raises(LocalLinkError):
        Link(HOST, Identity(), max_events=5)


def test_the_ninth_waiting_command_is_refused() -> None:
    host = new_host()
    for _ in range(8):
        host.send("undo")
    with pytest.raises(LocalLinkError, match="wait"):
        host.send("undo")


# -- states, acks, windows


def test_a_state_is_sent_when_it_changed_and_the_latest_only() -> None:
    _, table = connected_pair()
    for value in ("1", "2", "3"):
        table.send("about", firmware=value, micropython="m")
    assert [line[2:] for line in lines_of(table)] == [("A", "3,m")]
    table.send("about", firmware="3", micropython="m")
    assert lines_of(table) == []
    table.send("about", firmware="4", micropython="m")
    table.send("about", firmware="3", micropython="m")
    assert lines_of(table) == []


def test_resync_shows_every_state_again() -> None:
    host, table = connected_pair()
    table.send("about", firmware="1", micropython="m")
    exchange(host, table)
    events_of(host)
    host.send("resync")
    exchange(host, table)
    assert [event.name for event in events_of(table)] == ["resync"]
    assert [event.name for event in events_of(host)] == ["about"]


def test_events_go_before_states() -> None:
    _, table = connected_pair()
    table.send("about", firmware="1", micropython="m")
    table.post_event("reopened", 0)
    assert [line[2] for line in lines_of(table)] == ["O", "A"]


def test_four_lines_and_no_more_to_a_pc_that_does_not_read() -> None:
    _, table = connected_pair()
    for _ in range(20):
        table.post_event("reopened", 0)
    lines = 0
    for now_ms in range(60, 60000, 10):
        table.tick(now_ms)
        lines += len(lines_of(table))
    assert lines == WINDOW
    assert kinds_of(table) == ["lost"]


def test_a_lost_line_comes_again_after_the_round_trip() -> None:
    _, table = connected_pair()
    table.post_event("reopened", 0)
    assert len(lines_of(table)) == 1
    times = []
    for now_ms in range(60, 1000):
        table.tick(now_ms)
        times += [now_ms] * len(lines_of(table))
    assert times == [160, 360, 760]
    assert table.counters["resends"] == 3


def test_acks_ride_on_lines_or_go_alone_after_a_tick() -> None:
    host, table = connected_pair()
    table.post_event("reopened", 0)
    host.receive(table.data_to_send(), 1)
    assert lines_of(host) == []
    host.send("undo")
    assert lines_of(host) == [(0, 1, "u", "")]
    host.tick(2)
    assert lines_of(host) == []
    table.post_event("reopened", 0)
    host.receive(table.data_to_send(), 3)
    host.tick(4)
    assert lines_of(host) == [(1, 2, "K", "")]


@pytest.mark.parametrize("round_trip_ms", [1, 30, 400])
def test_the_timeout_follows_the_round_trip(round_trip_ms: int) -> None:
    host, table = connected_pair()
    now_ms = 0
    for _ in range(30):
        now_ms += 100
        table.tick(now_ms)
        table.post_event("reopened", 0)
        host.receive(table.data_to_send(), now_ms)
        assert host.next_event() is not None
        now_ms += round_trip_ms
        host.tick(now_ms)
        table.receive(host.data_to_send(), now_ms)
    before = table.counters["resends"]
    table.tick(now_ms)
    table.data_to_send()
    table.post_event("reopened", 0)
    assert len(lines_of(table)) == 1
    waited = 0
    while table.counters["resends"] == before:
        waited += 1
        table.tick(now_ms + waited)
        table.data_to_send()
    assert max(50, round_trip_ms) <= waited <= max(50, 2 * round_trip_ms)


def test_a_line_sent_twice_tells_nothing_about_the_round_trip() -> None:
    _, table = connected_pair()
    table.post_event("reopened", 0)
    assert len(lines_of(table)) == 1
    table.tick(160)
    assert len(lines_of(table)) == 1
    table.receive(encode(0, 1, "K", ""), 165)
    table.post_event("reopened", 0)
    times = []
    for now_ms in range(165, 440):
        table.tick(now_ms)
        times += [now_ms] * len(lines_of(table))
    assert times == [165, 365]


def test_heartbeats_keep_an_idle_session() -> None:
    pair = LinkPair(1)
    pair.run(20000)
    assert pair.host.connected
    assert pair.table.connected
    assert [event.kind for event in pair.host_events] == ["connected"]
    assert [event.kind for event in pair.table_events] == ["connected"]


def test_a_full_game_is_synced_in_two_seconds() -> None:
    pair = LinkPair(1)
    pair.unplug()
    pair.run(100)
    for turn_no in range(60):
        for _ in range(2):
            pair.post("edge", sensor=3, closed=1)
        pair.post("provisional", turn=turn_no)
        pair.post("turn", turn_no=turn_no, turn=1, digest=2, understood="c")
    pair.plug()
    begun = pair.now_ms
    while len(pair.received.get(pair.boots[0], [])) < 240:
        pair.step()
    assert pair.now_ms - begun <= 2000
    pair.check()


# -- gaps, restarts


def test_an_overflow_is_told_first() -> None:
    host, table = connected_pair()
    host.close()
    for _ in range(300):
        table.post_event("edge", 0, sensor=1, closed=1)
    assert table.counters["tx_dropped"] == 300 - 256
    host.open(100)
    for now_ms in (100, 165):  # at once, and when the PC has vouched for what it found
        exchange(host, table, now_ms)
    first, gap, *rest = events_of(host)
    assert first.kind == "connected"
    assert (gap.kind, gap.first, gap.last) == ("gap", 1, 44)
    assert [event.values["number"] for event in rest][:3] == [45, 46, 47]


def test_large_events_are_bounded_by_their_bytes() -> None:
    _, table = connected_pair()
    for _ in range(400):
        table.post_event("game", 0, position="f" * 29, options=0, game_id=0)
    assert table.counters["tx_dropped"] == 400 - 6144 // 53


def test_a_pc_that_forgot_gets_what_the_ring_still_has() -> None:
    host, table = connected_pair()
    for _ in range(5):
        table.post_event("reopened", 0)
    exchange(host, table)
    assert len(events_of(host)) == 5
    again = Link(HOST, Identity(boot=7, last=3, unique_id="2"))
    again.open(0)
    exchange(again, table)
    assert [e.values["number"] for e in events_of(again) if e.kind == "message"] == [4, 5]
    other = Link(HOST, Identity(boot=8, last=3, unique_id="3"))
    other.open(0)
    exchange(other, table)
    assert [e.values["number"] for e in events_of(other) if e.kind == "message"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [40000, 65536, 65636, 70000])
def test_event_numbers_wrap_for_a_pc_that_comes_late(count: int) -> None:
    table = new_table()
    for _ in range(count):
        table.post_event("reopened", 0)
    host = new_host()
    exchange(host, table)
    for now_ms in range(0, 3000, 25):
        exchange(host, table, now_ms)
        events = events_of(host)
        for event in events:
            assert event.kind in ("connected", "gap", "message")
    assert host.hello.last == count & 0xFFFF


def test_commands_that_the_table_has_are_not_repeated() -> None:
    host, table = connected_pair()
    host.send("set", setting=1, value=1)
    host.send("set", setting=1, value=2)
    both = host.data_to_send().splitlines(keepends=True)
    table.receive(both[0], 1)  # the acknowledgement never arrives, nor does the second line
    host.close()
    host.open(5)
    exchange(host, table, 5)
    assert [e.values["value"] for e in events_of(table) if e.kind == "message"] == [1, 2]
    assert kinds_of(host) == ["connected"]


def test_commands_to_a_table_that_restarted_are_given_back() -> None:
    host, _ = connected_pair()
    host.send("set", setting=1, value=1)
    host.data_to_send()
    host.send("undo")
    table = new_table(boot=9)
    host.open(5)
    exchange(host, table, 5)
    given = [(e.kind, e.name) for e in events_of(host) if e.kind != "connected"]
    assert given == [("command_lost", "set"), ("command_lost", "undo")]
    assert kinds_of(table) == ["connected"]


def test_commands_are_not_mistaken_for_those_of_another_pc() -> None:
    host, table = connected_pair()
    host.send("set", setting=1, value=1)
    exchange(host, table, 20)
    host.send("set", setting=1, value=2)
    host.data_to_send()  # lost
    other = Link(HOST, Identity(unique_id="2"))
    other.open(30)
    other.send("undo")
    exchange(other, table, 30)
    host.open(60)
    exchange(host, table, 60)
    assert [e.name for e in events_of(table) if e.kind == "message"] == ["set", "undo"]
    assert [(e.kind, e.values) for e in events_of(host) if e.kind != "connected"] == [
        ("command_lost", {"setting": 1, "value": 2})
    ]


def test_a_table_that_restarted_asks_for_a_hello() -> None:
    pair = LinkPair(3)
    pair.run(500)
    pair.reboot()
    pair.run(1200)
    assert pair.host.connected
    assert pair.host.hello.boot == pair.boots[-1]
    assert [event.kind for event in pair.host_events] == ["connected", "connected"]


def test_stale_bytes_of_an_older_session_mean_nothing() -> None:
    host, table = connected_pair()
    old = new_host(session=90)
    stale = new_table()
    old.open(0)
    stale.receive(old.data_to_send(), 0)
    stale.post_event("reopened", 0)
    bytes_of_before = stale.data_to_send()
    assert len(bytes_of_before.splitlines()) == 2
    host.open(3)
    host.receive(bytes_of_before, 3)
    assert not host.connected
    exchange(host, table, 3)
    assert kinds_of(host) == ["connected"]


# -- what the peer may do wrong


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
    assert violation.kind == "violation"
    assert "setting" in violation.reason
    table.tick(2)
    assert [line[1:3] for line in lines_of(table)] == [(1, "K")]


@pytest.mark.parametrize("role", [HOST, TABLE])
@pytest.mark.parametrize("major", [0, 2, 0xAB])
def test_another_protocol_is_refused_with_the_remedy(role: str, major: int) -> None:
    link = new_host() if role == HOST else new_table()
    session = lines_of(link)[0][3][7:11] if role == HOST else "0001"
    kind = "r" if role == HOST else "q"
    for now_ms in range(0, 5000, 1000):
        link.receive(encode(0, 0, "H", f"{kind}{major:02x}who knows{session}"), now_ms)
        link.tick(now_ms)
    (refused,) = events_of(link)
    assert refused.kind == "refused"
    table_is_older = (major < PROTOCOL_MAJOR) == (role == HOST)
    assert ("chronotable flash" in refused.sentence) == table_is_older
    assert ("chronotable on the PC" in refused.sentence) != table_is_older
    assert not link.connected
    if role == TABLE:
        assert [line[2] for line in lines_of(link)] == ["H"]


def test_a_full_queue_drops_lines_and_they_come_again() -> None:
    pair = LinkPair(5)
    pair.run(200)
    host = pair.host
    for _ in range(200):
        pair.post("reopened")
    for _ in range(400):  # the PC's loop runs, but nobody takes events
        pair.now_ms += 5
        for piece in pair.to_host.read(pair.now_ms):
            host.receive(piece, pair.now_ms)
        host.tick(pair.now_ms)
        pair.to_table.write(host.data_to_send(), pair.now_ms)
        pair._run_table()
    assert host.counters["rx_overflow"] > 0
    pair.run(5000)
    pair.check()


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


def assert_bounded(link: Link) -> None:
    assert len(link._events) <= link._max_events
    assert len(link._window) <= WINDOW
    assert len(link._wire) <= WINDOW
    assert len(link._unsupported) <= WINDOW
    assert len(link._commands) <= 12
    assert len(link._reader._line) == 160


def mutated(rng: random.Random, lines: "list[bytes]", due: int) -> bytes:
    """Return lines with a few bytes changed, frames of nonsense, often `due`, or any bytes."""
    if rng.random() < 0.3:
        return rng.randbytes(rng.randrange(100))
    if rng.random() < 0.5:
        row = rng.choice(MESSAGES)
        payload = "".join(rng.choices("0123456789abcdef-,qra", k=rng.randrange(52)))
        letter = rng.choice((row[0], "H", "K", "Z"))
        return encode(
            rng.choice((due, due, rng.randrange(256))), rng.randrange(256), letter, payload
        )
    data = bytearray(rng.choice(lines))
    for _ in range(rng.choice((0, 0, 1, 3))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data) * rng.choice((1, 1, 2))


@pytest.mark.parametrize("role", [HOST, TABLE])
@pytest.mark.parametrize("is_drained", [True, False])
def test_twenty_thousand_random_and_mutated_strings(role: str, is_drained: bool) -> None:
    rng = random.Random(f"{role} {is_drained}")
    host, table = new_host(), new_table()
    link = host if role == HOST else table
    lines: list[bytes] = [b"\n"]
    now_ms = 0
    peer = table if link is host else host
    for _ in range(20000):
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
        assert counters[name] > 50, counters
    assert (counters["rx_overflow"] == 0) == is_drained


# -- the session: every state and happening


HAPPENINGS = {
    "opened": machine._OPENED,
    "closed": machine._CLOSED,
    "greeted": machine._GREETED,
    "asked": machine._ASKED,
    "refused": machine._REFUSED,
    "heard": machine._HEARD,
    "silent": machine._SILENT,
}


def link_in(role: str, state: int) -> Link:
    """Return a link of this role in this state at 5000 ms."""
    host, table = connected_pair()
    link = host if role == HOST else table
    now_ms = 5000
    if state == CLOSED:
        link.close()
    elif state == WAITING:
        link.open(now_ms)
    elif state == LOST:
        link.tick(now_ms)
    else:
        link.tick(1000)
        link.receive(encode(0, 0, "K", ""), now_ms)
    events_of(link)
    link.data_to_send()
    assert link.state == state
    return link


def hello(role: str, kind: str, session: int, major: int = PROTOCOL_MAJOR, boot: int = 7) -> bytes:
    peer = Identity("peer", 1, "c0ffee" if role == TABLE else "e66038b71353", boot=boot)
    peer.session = session
    peer.major = major
    return encode(0, 0, "H", peer.payload(kind))


def let(link: Link, happening: str) -> None:
    """Make this happen to the link, from outside."""
    now_ms = 5001
    kind = "r" if link.role == HOST else "q"
    if happening == "opened":
        link.open(now_ms)
    elif happening == "closed":
        link.close()
    elif happening == "greeted":
        link.receive(hello(link.role, kind, link.hello.session), now_ms)
    elif happening == "asked":
        link.receive(hello(link.role, "a", 0), now_ms)
    elif happening == "refused":
        link.receive(hello(link.role, kind, link.hello.session, major=9), now_ms)
    elif happening == "heard":
        link.receive(encode(0, 0, "K", ""), now_ms)
    else:
        link.tick(now_ms + 3000)


EVENTS = {
    (WAITING, "greeted"): ["connected"],
    (LOST, "greeted"): ["connected"],
    (LOST, "heard"): ["connected"],
    (OPEN, "silent"): ["lost"],
    (WAITING, "refused"): ["refused"],
    (OPEN, "refused"): ["refused"],
    (LOST, "refused"): ["refused"],
}


@pytest.mark.parametrize("role", [HOST, TABLE])
@pytest.mark.parametrize("state", [CLOSED, WAITING, OPEN, LOST])
@pytest.mark.parametrize("happening", HAPPENINGS)
def test_every_state_and_happening(role: str, state: int, happening: str) -> None:
    link = link_in(role, state)
    let(link, happening)
    expected = TRANSITIONS[state][HAPPENINGS[happening]]
    events = EVENTS.get((state, happening), [])
    if role == TABLE and happening == "asked":
        expected = state  # tables do not ask each other
    if role == HOST and (state, happening) == (LOST, "heard"):
        expected, events = LOST, []  # of a session that the PC gave up
    assert link.state == expected
    assert kinds_of(link) == events
    link.tick(5002 if happening != "silent" else 8002)
    letters = [line[2] for line in lines_of(link)]
    if role == TABLE and expected in (CLOSED, LOST):
        assert letters == []
    if role == TABLE and state == WAITING and happening == "heard":
        assert letters == ["H"]
    if role == HOST and happening in ("opened", "asked") and state in (OPEN, LOST):
        assert letters == ["H"]
    assert letters.count("H") <= 1


def test_a_hello_of_a_new_session_restarts_an_open_one() -> None:
    table = link_in(TABLE, OPEN)
    table.post_event("reopened", 0)
    assert [line[0] for line in lines_of(table)] == [0]
    table.receive(hello(TABLE, "q", 999), 5001)
    assert kinds_of(table) == ["connected"]
    assert [(line[0], line[2]) for line in lines_of(table)] == [(0, "H"), (0, "O")]
    table.receive(hello(TABLE, "q", 999), 5002)
    assert kinds_of(table) == []
    assert [(line[0], line[2]) for line in lines_of(table)] == [(0, "H")]


def test_the_pc_takes_no_reply_but_its_own() -> None:
    host = link_in(HOST, WAITING)
    for session in (0, host.hello.session - 1, host.hello.session + 1):
        host.receive(hello(HOST, "r", session), 5001)
        assert host.state == WAITING
    host.receive(hello(HOST, "q", host.hello.session), 5001)  # an echo of our own HELLO
    assert host.state == WAITING
    host.receive(hello(HOST, "r", host.hello.session, boot=0), 5001)
    assert host.state == WAITING
    assert kinds_of(host) == ["violation"]


def test_a_waiting_pc_greets_once_a_second_and_a_table_keeps_silent() -> None:
    host, table = new_host(), new_table()
    times = []
    for now_ms in range(0, 5001, 10):
        host.tick(now_ms)
        table.tick(now_ms)
        times += [now_ms] * len(lines_of(host))
        assert lines_of(table) == []
    assert times == [0, 1000, 2000, 3000, 4000, 5000]


# -- time


def test_time_differences_wrap() -> None:
    assert since(5, 2**30 - 5) == 10
    assert since(2**30 + 5, 5) == 0
    assert since(4, 5) == 0
    assert since(7, 7) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_session_lives_through_the_wrap_of_the_clock(seed: int) -> None:
    pair = LinkPair(seed, start_ms=2**30 - 3000)
    busy(pair, 6000)
    settle(pair)
    assert pair.now_ms > 2**30
    assert [event.kind for event in pair.host_events].count("connected") == 1


# -- the bad cable


def busy(pair: LinkPair, duration_ms: int) -> None:
    """Let both sides work for this time, now and then in a burst."""
    rng = pair.rng
    end = pair.now_ms + duration_ms
    while pair.now_ms < end:
        pair.step()
        dice = rng.random()
        if dice < 0.02:
            for _ in range(rng.choice((1, 1, 2, 10))):
                pair.post("edge", sensor=rng.randrange(54), closed=rng.randrange(2))
        elif dice < 0.025:
            pair.post("turn", turn_no=1, turn=rng.randrange(2**20), digest=3, understood="a")
        elif dice < 0.03:
            pair.post("guide", take="0" * 14, put="f" * 14, why=rng.randrange(256))
        elif dice < 0.04:
            pair.show("leds", leds=rng.choice("0abc-") * 45)
        elif dice < 0.045:
            pair.show("about", firmware=str(rng.random()), micropython="1")
        elif dice < 0.05 and len(pair.host._commands) < 8:
            pair.command()


def settle(pair: LinkPair) -> None:
    """Let the cable be good and everybody quiet, then look at the truth."""
    pair.set_faults(0.0)
    pair.host_stalls_until = pair.table_stalls_until = 0
    if not pair.is_plugged:
        pair.plug()
    pair.run(8000)
    pair.check()


FAULTS = {
    "none": (0.0, 0.0, 0.0),
    "flips": (0.001, 0.0, 0.0),
    "drops": (0.0, 0.1, 0.0),
    "doubles": (0.0, 0.0, 0.2),
    "awful": (0.003, 0.1, 0.1),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("faults", FAULTS)
def test_a_bad_cable(faults: str, seed: int) -> None:
    pair = LinkPair(seed)
    pair.set_faults(*FAULTS[faults])
    busy(pair, 15000)
    settle(pair)
    assert pair.sent and len(pair.boots) == 1
    if faults == "none":
        for link in (pair.host, pair.table):
            assert all(count == 0 for name, count in link.counters.items() if name != "gaps"), (
                link.counters
            )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stall_ms", [500, 30000])
@pytest.mark.parametrize("who", [HOST, TABLE])
def test_one_side_stalls(who: str, stall_ms: int, seed: int) -> None:
    pair = LinkPair(seed)
    pair.set_faults(0.001)
    for _ in range(2):
        busy(pair, 1500)
        if who == HOST:
            pair.host_stalls_until = pair.now_ms + stall_ms
        else:
            pair.table_stalls_until = pair.now_ms + stall_ms
        busy(pair, stall_ms if stall_ms < 1000 else 6000)
        pair.run(stall_ms)
    settle(pair)


@pytest.mark.parametrize("seed", SEEDS)
def test_unplugged_again_and_again(seed: int) -> None:
    pair = LinkPair(seed)
    for _ in range(12):
        pair.set_faults(0.001, 0.02, 0.02)
        busy(pair, pair.rng.randrange(2000))
        pair.unplug()
        busy(pair, pair.rng.choice((10, 500, 4000)))
        pair.plug()
    settle(pair)


@pytest.mark.parametrize("offset", range(0, 700, 9))
def test_unplugged_at_every_moment(offset: int) -> None:
    pair = LinkPair(offset)
    busy(pair, offset)
    pair.unplug()
    busy(pair, 50)
    pair.plug()
    busy(pair, 100)
    settle(pair)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_restarts(seed: int) -> None:
    pair = LinkPair(seed)
    for _ in range(8):
        pair.set_faults(0.001)
        busy(pair, pair.rng.randrange(3000))
        pair.reboot()
    busy(pair, 1000)
    settle(pair)


@pytest.mark.parametrize("seed", range(20))
def test_everything_at_once(seed: int) -> None:
    pair = LinkPair(seed, start_ms=pair_start(seed))
    rng = pair.rng
    for _ in range(15):
        pair.set_faults(rng.choice((0, 0.001, 0.01)), rng.choice((0, 0.1)), rng.choice((0, 0.1)))
        busy(pair, rng.randrange(2000))
        dice = rng.randrange(6)
        if dice == 0:
            pair.reboot()
        elif dice == 1 and pair.is_plugged:
            pair.unplug()
        elif not pair.is_plugged:
            pair.plug()
        elif dice == 2:
            pair.host_stalls_until = pair.now_ms + rng.choice((500, 4000))
        elif dice == 3:
            pair.table_stalls_until = pair.now_ms + rng.choice((100, 4000))
    settle(pair)


def pair_start(seed: int) -> int:
    """Return a start time; some lie just before the device's clock wraps."""
    return 2**30 - 5000 if seed % 3 == 0 else seed
