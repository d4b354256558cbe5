"""Whatever the peer sends: nothing raises, nothing grows, everything is counted.

A finding is named by target, seed and case, as the fuzzer makes them (tests/lab/fuzz.py).
"""

import pytest

from chronotable.link.frames import encode
from chronotable.link.window import WINDOW
from tests import lanes, sweep
from tests.lab import fuzz
from tests.lab.hostile.case import NUMBER, Frame, Step, Target
from tests.lab.hostile.peer import hello_of
from tests.link.ends import connected_pair, events_of, exchange, kind_of, kinds_of, lines_of


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


# ---- the hostile peer of the fuzzer

# Nothing raises, what an end holds is bounded at any moment, and an honest peer finds everything in
# order afterwards.

LINKS = [target for target in fuzz.TARGETS if "link" in target.name]


@lanes.gate
@pytest.mark.parametrize("target", LINKS, ids=lambda target: target.name)
def test_thousands_of_random_and_mutated_strings(target: Target) -> None:
    outcome = fuzz.run_job(fuzz.Job(target.name, 2, 0, sweep.size(300, 10_000)))
    assert not outcome.findings, "\n".join(map(str, outcome.findings))


OF_FRAMES = {
    "events": Frame("O", f"{NUMBER}00000000"),
    "events far ahead": Frame("O", "7fff00000000"),
    "states": Frame("A", "1,m"),
    "commands": Frame("s", "010001"),
    "hellos": Frame("H", hello_of("q")),
    "answered hellos": Frame("H", hello_of("r")),
    "hellos that ask for one": Frame("H", hello_of("a")),
    "hellos of other protocols": Frame("H", hello_of("q", major=2)),
    "gaps": Frame("X", f"{NUMBER}ffff"),
    "unknown types": Frame("Z", "x"),
    "resyncs": Frame("q", ""),
    "acks": Frame("K", "", 0, 2),
}
FLOODS: "dict[str, Step]" = {
    **OF_FRAMES,
    **{f"deaf {name}": frame._replace(ack_shift=99) for name, frame in OF_FRAMES.items()},
    "the same line": encode(0, 0, "b", "01"),
    "log lines": b"0" * 150 + b"\n",
    "no newline": b"$0000b" * 200,
    "newlines": b"\n\r\n" * 50,
    "broken frames": encode(0, 0, "b", "01")[:-2] + b"z\n",
    "halves": encode(0, 0, "b", "01")[:7],
}


@pytest.mark.parametrize("target", LINKS, ids=lambda target: target.name)
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_bounded_and_leaves_the_end_usable(target: Target, flood: str) -> None:
    assert fuzz.problem(target, [FLOODS[flood]] * 400) is None
