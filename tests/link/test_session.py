"""The session through every state and happening, and who is refused."""

import pytest

from chronotable.link import link as machine
from chronotable.link.frames import encode
from chronotable.link.identity import HOST, TABLE
from chronotable.link.link import CLOSED, LOST, OPEN, TRANSITIONS, WAITING, Link
from chronotable.link.messages import PROTOCOL_MAJOR
from chronotable_host.live.texts.table_texts import link_problem
from tests.link.ends import (
    connected_pair,
    events_of,
    hello,
    kind_of,
    kinds_of,
    lines_of,
    new_host,
    new_table,
)

HAPPENINGS = {
    "opened": machine._OPENED,
    "closed": machine._CLOSED,
    "greeted": machine._GREETED,
    "asked": machine.ASKED,
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
    assert kind_of(refused) == "refused"
    sentence = link_problem(refused.major)
    assert ("chronotable flash" in sentence) == (major < PROTOCOL_MAJOR)
    assert ("chronotable on the PC" in sentence) == (major > PROTOCOL_MAJOR)
    assert not link.connected
    if role == TABLE:
        assert [line[2] for line in lines_of(link)] == ["H"]
