"""What the table sends on demand: behind everything else, in order, and never kept by the link."""

from random import Random
from typing import Any

import pytest

from chronotable.link.frames import LocalLinkError, encode
from chronotable.link.identity import TABLE
from chronotable.link.messages import encode as encode_message
from chronotable.link.window import WINDOW
from tests.lab.line_link import PAGES, LinkPair
from tests.link.ends import connected_pair, events_of, exchange, hello, lines_of


class Pages:
    """Gives pages up to an end, and counts how often it is asked."""

    def __init__(self, count: int = PAGES) -> None:
        self.count = count
        self.given = 0
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.given == self.count:
            return ""
        self.given += 1
        return encode_message("page", index=self.given - 1, units=f"{self.given - 1:048x}")


def indices(events: "list[Any]") -> "list[int]":
    return [event.values["index"] for event in events if event.name == "page"]


def test_everything_else_goes_first() -> None:
    _, table = connected_pair()
    table.serve(Pages())
    table.send("about", firmware="1", micropython="m")
    table.post_event("reopened", 0)
    table.receive(encode(0, 0, "Z", ""), 1)
    assert [line[2] for line in lines_of(table)] == ["?", "O", "A", "p"]


def test_it_is_asked_only_when_the_window_has_room() -> None:
    _, table = connected_pair()
    pages = Pages()
    table.serve(pages)
    for now_ms in range(60, 2000, 10):
        table.tick(now_ms)
        table.data_to_send()
    assert pages.asked == WINDOW
    table.receive(encode(0, WINDOW, "K", ""), 2000)
    table.data_to_send()
    assert pages.asked == 2 * WINDOW


def test_an_event_waits_for_no_more_than_the_window() -> None:
    host, table = connected_pair()
    table.serve(Pages())
    table.data_to_send()
    table.post_event("reopened", 0)
    table.receive(encode(0, WINDOW, "K", ""), 10)
    assert [line[2] for line in lines_of(table)] == ["O", "p", "p", "p"]
    assert events_of(host) == []


def test_it_is_not_asked_again_after_the_end() -> None:
    host, table = connected_pair()
    pages = Pages(2)
    table.serve(pages)
    exchange(host, table, 5)
    assert pages.asked == 3
    for now_ms in range(10, 2000, 10):
        exchange(host, table, now_ms)
    assert pages.asked == 3
    assert indices(events_of(host)) == [0, 1]


def test_a_new_one_takes_the_place_of_the_old_one() -> None:
    host, table = connected_pair()
    table.serve(Pages())
    host.receive(table.data_to_send(), 5)
    table.serve(Pages(2))
    exchange(host, table, 6)
    assert indices(events_of(host)) == [0, 1, 2, 3, 0, 1]


def test_it_is_forgotten_when_a_session_begins() -> None:
    _, table = connected_pair()
    pages = Pages()
    table.serve(pages)
    table.data_to_send()
    table.receive(hello(TABLE, "q", 999), 100)
    assert [line[2] for line in lines_of(table)] == ["H"]
    assert pages.asked == WINDOW


def test_it_goes_on_when_only_the_table_heard_nothing() -> None:
    host, table = connected_pair()
    pages = Pages()
    table.serve(pages)
    table.data_to_send()  # nobody reads that
    table.tick(5000)
    assert not table.connected
    host.receive(encode(0, 0, "K", ""), 4900)
    events = []
    for now_ms in range(5001, 7000, 50):
        exchange(host, table, now_ms)
        events += events_of(host)
    assert [event.values["index"] for event in events] == list(range(PAGES))


def test_the_pc_serves_nothing() -> None:
    host, table = connected_pair()
    with pytest.raises(LocalLinkError, match="PC"):
        host.serve(Pages())
    for name in ("page", "page_end"):
        with pytest.raises(LocalLinkError, match=name):
            table.send(name)
        with pytest.raises(LocalLinkError, match=name):
            table.post_event(name, 0)


def test_a_game_of_sixty_turns_is_fetched_in_two_seconds() -> None:
    """Over a bad cable it comes whole, too (test_cable.py)."""
    pair = LinkPair(Random(1))
    pair.table.period_ms, pair.table.pages, pair.pc.fetches = 25, 35, False
    pair.run(200)
    begun_ms = pair.now_ms
    pair.pc.fetches = True
    while pair.problem():
        pair.step()
    assert pair.now_ms - begun_ms <= 2000
