"""Both ends of the link without a cable, and what they say and hear."""

from typing import Any

from chronotable.link.frames import encode
from chronotable.link.happenings import Connected, Message, PeerLost, Refused, Violation
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import PROTOCOL_MAJOR
from chronotable_host.link.pc_link import CommandLost, LogLine, LostEvents, PcLink
from chronotable_host.link.unpacking import decode

_KINDS = {
    CommandLost: "command_lost",
    Connected: "connected",
    LostEvents: "gap",
    LogLine: "log",
    Message: "message",
    PeerLost: "lost",
    Refused: "refused",
    Violation: "violation",
}


def kind_of(event: object) -> str:
    """Return the short name of what an application hears."""
    return _KINDS[type(event)]


def events_of(link: Link) -> "list[Any]":
    events = []
    while (event := link.next_event()) is not None:
        events.append(event)
    return events


def kinds_of(link: Link) -> "list[str]":
    return [kind_of(event) for event in events_of(link)]


def lines_of(link: Link) -> "list[tuple[int, int, str, str]]":
    return [decode(line) for line in link.data_to_send().splitlines(keepends=True)]


def new_table(boot: int = 7) -> Link:
    table = Link(TABLE, Identity("table", 0x12345678, "e66038b71353", boot=boot))
    table.open(0)
    return table


def new_host(session: int = 40) -> PcLink:
    host = PcLink(Identity("pc", 0, "c0ffee", session=session))
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


def connected_pair() -> "tuple[PcLink, Link]":
    host, table = new_host(), new_table()
    exchange(host, table)
    assert kinds_of(host) == kinds_of(table) == ["connected"]
    table.receive(encode(0, 0, "K", ""), 60)  # vouches for the table's HELLO
    return host, table


def hello(role: str, kind: str, session: int, major: int = PROTOCOL_MAJOR, boot: int = 7) -> bytes:
    peer = Identity("peer", 1, "c0ffee" if role == TABLE else "e66038b71353", boot=boot)
    peer.session = session
    peer.major = major
    return encode(0, 0, "H", peer.payload(kind))
