"""The link's two ends: what travels, in which order, when again, and what outlives a session."""

import random
from itertools import pairwise
from typing import Any

import pytest

from chronotable.link.frames import LocalLinkError, encode
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import COMMAND, EVENT, PROTOCOL_MAJOR, STATE, TO_HOST, TO_TABLE
from chronotable.link.window import TRANSIT_MS, WINDOW
from chronotable_host.link.pc_link import PcLink
from chronotable_host.live.texts.message_texts import ROWS
from tests.lab.line_link import LinkPair
from tests.link.ends import (
    connected_pair,
    events_of,
    exchange,
    kind_of,
    kinds_of,
    lines_of,
    new_host,
    new_table,
)
from tests.link.test_messages import values_of

# ---- the API


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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
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
    for role, boot in (("chair", 7), (TABLE, 0)):
        with pytest.raises(LocalLinkError):
            Link(role, Identity(boot=boot))
    for identity in (
        Identity(boot=65536),
        Identity(board_name="thirteen char"),
        Identity(unique_id="0123456789abc"),
        Identity(unique_id="xyz"),
    ):
        with pytest.raises(LocalLinkError):
            PcLink(identity)
    with pytest.raises(LocalLinkError):
        PcLink(Identity(), max_events=5)


def test_the_ninth_waiting_command_is_refused() -> None:
    host = new_host()
    for _ in range(8):
        host.send("undo")
    with pytest.raises(LocalLinkError, match="wait"):
        host.send("undo")


# ---- states, acks, windows


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


def test_the_counters_of_the_link_are_filled_in() -> None:
    host, table = connected_pair()
    given = {"scan_max_us": 1, "loop_max_ms": 2, "heap_free": 3, "reset_cause": 4}
    table.counters["violations"] = 70000
    for _ in range(3):
        table.receive(encode(0, 0, "u", ""), 1)
    table.send("counters", **given, gaps=5)
    exchange(host, table, 2)
    (message,) = [event for event in events_of(host) if event.name == "counters"]
    own = {**dict.fromkeys(("crc_errors", "overlong", "resends", "rx_overflow", "tx_dropped"), 0)}
    own.update(gaps=5, duplicates=2, violations=65535)
    assert message.values == {**given, **own}


def test_resync_shows_every_state_again() -> None:
    host, table = connected_pair()
    table.send("about", firmware="1", micropython="m")
    exchange(host, table)
    events_of(host)
    host.send("resync")
    exchange(host, table)
    assert [event.name for event in events_of(table)] == ["resync"]
    assert [event.name for event in events_of(host)] == ["about"]


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


def test_the_timeout_doubles_up_to_two_seconds() -> None:
    _, table = connected_pair()
    table.post_event("reopened", 0)
    times = []
    for now_ms in range(60, 13000):
        if now_ms % 900 == 0:
            table.receive(encode(0, 0, "K", ""), now_ms)  # the PC is there, the line never is
        table.tick(now_ms)
        times += [now_ms for line in lines_of(table) if line[2] == "O"]
    waits = [then - before for before, then in pairwise(times)]
    assert waits == [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]


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


def test_a_bad_line_is_answered_at_once_and_when_the_peer_knows_that_it_was_read() -> None:
    """Both count whole ms: only after more than TRANSIT_MS here as many are over there."""
    _, table = connected_pair()
    table.receive(b"$0000u*0000\n", 100)
    times = []
    for now_ms in range(100, 500):
        table.tick(now_ms)
        times += [now_ms] * len(lines_of(table))
    assert times == [100, 100 + TRANSIT_MS + 1]


@pytest.mark.parametrize(
    ("first_ms", "round_trip_ms"), [(1, 1), (30, 30), (400, 400), (200, 400), (400, 100)]
)
def test_the_timeout_follows_the_round_trip(first_ms: int, round_trip_ms: int) -> None:
    host, table = connected_pair()
    now_ms = 0
    for passing_ms in [first_ms] * 10 + [round_trip_ms] * 30:
        now_ms += 100
        table.tick(now_ms)
        table.post_event("reopened", 0)
        host.receive(table.data_to_send(), now_ms)
        assert host.next_event() is not None
        now_ms += passing_ms
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
    pair = LinkPair(random.Random(1))
    pair.pc.fetches = False
    pair.run(20000)
    assert pair.problem() == ""
    for end in (pair.pc, pair.table):
        assert [kind_of(event) for event in end.heard] == ["connected"]


def test_what_was_missed_is_synced_in_two_seconds() -> None:
    """As much as the ring holds; a game that is longer comes from the journal."""
    turns = 50
    pair = LinkPair(random.Random(1))
    pair.pc.fetches = False
    pair.line.unplug()
    for turn_no in range(turns):
        for _ in range(2):
            pair.table.post("edge", sensor=3, closed=1)
        pair.table.post("provisional", turn=turn_no)
        pair.table.post("turn", turn_no=turn_no, turn=1, digest=2, understood="c")
    pair.line.plug()
    pair.run(2000)
    assert pair.problem() == ""
    assert (pair.pc.order.due, pair.pc.order.gaps) == (4 * turns + 1, 0)


# ---- gaps, restarts


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
    assert kind_of(first) == "connected"
    assert (kind_of(gap), gap.first, gap.last) == ("gap", 1, 44)
    assert [event.values["number"] for event in rest][:3] == [45, 46, 47]


def test_large_events_are_bounded_by_their_bytes() -> None:
    _, table = connected_pair()
    for _ in range(400):
        table.post_event("game", 0, position="f" * 29, options=0, game_id=0)
    assert table.counters["tx_dropped"] == 400 - 4608 // 53


@pytest.mark.parametrize(
    ("boot", "last", "missing"), [(7, 3, [4, 5]), (7, 5, []), (8, 3, [1, 2, 3, 4, 5])]
)
def test_a_pc_gets_what_it_is_missing_as_far_as_the_ring_has_it_and_nothing_twice(
    boot: int, last: int, missing: "list[int]"
) -> None:
    host, table = connected_pair()
    for _ in range(5):
        table.post_event("reopened", 0)
    exchange(host, table)
    again = PcLink(Identity(boot=boot, last=last, unique_id="2"))
    again.open(0)
    exchange(again, table)
    assert [e.values["number"] for e in events_of(again) if kind_of(e) == "message"] == missing
    assert again.counters["duplicates"] == 0


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
            assert kind_of(event) in ("connected", "gap", "message")
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
    assert [e.values["value"] for e in events_of(table) if kind_of(e) == "message"] == [1, 2]
    assert kinds_of(host) == ["connected"]


def test_commands_to_a_table_that_restarted_are_given_back() -> None:
    host, _ = connected_pair()
    host.send("set", setting=1, value=1)
    host.data_to_send()
    host.send("undo")
    table = new_table(boot=9)
    host.open(5)
    exchange(host, table, 5)
    given = [(kind_of(e), e.name) for e in events_of(host) if kind_of(e) != "connected"]
    assert given == [("command_lost", "set"), ("command_lost", "undo")]
    assert kinds_of(table) == ["connected"]


def test_commands_are_not_mistaken_for_those_of_another_pc() -> None:
    host, table = connected_pair()
    host.send("set", setting=1, value=1)
    exchange(host, table, 20)
    host.send("set", setting=1, value=2)
    host.data_to_send()  # lost
    other = PcLink(Identity(unique_id="2"))
    other.open(30)
    other.send("undo")
    exchange(other, table, 30)
    host.open(60)
    exchange(host, table, 60)
    assert [e.name for e in events_of(table) if kind_of(e) == "message"] == ["set", "undo"]
    assert [(kind_of(e), e.values) for e in events_of(host) if kind_of(e) != "connected"] == [
        ("command_lost", {"setting": 1, "value": 2})
    ]


def test_a_table_that_restarted_asks_for_a_hello() -> None:
    pair = LinkPair(random.Random(3))
    pair.pc.fetches = False
    pair.run(500)
    pair.table.power_on()
    pair.run(1200)
    assert pair.problem() == ""
    assert [kind_of(event) for event in pair.pc.heard] == ["connected", "connected"]


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
