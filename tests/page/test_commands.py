"""`try` and `play` with their page, as programs run them: real servers, real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from chronotable_host.cli import run
from chronotable_host.virtual.serve import SocketLine
from tests import lanes
from tests.host.served_table import ServedTable
from tests.page.evening import EAST_AND_FORWARD
from tests.page.served import WAIT_S, Visitor
from tests.programs import Program

Output = pytest.CaptureFixture[str]


@contextmanager
def visitor(url: str) -> Iterator[Visitor]:
    where = url.replace("http", "ws", 1).rstrip("/") + "/ws"
    with connect(where, compression=None, proxy=None, open_timeout=WAIT_S) as socket:
        yield Visitor(socket)


TURN: list[tuple[str, dict[str, object]]] = [
    (name, {"at": at, **({"piece": piece[0]} if piece else {})})
    for name, at, *piece in EAST_AND_FORWARD
]


def sees_change(page: Visitor, leds: list[int]) -> list[int]:
    """Wait until the lights change, as people do before they go on."""
    while (shown := page.hears("view")["leds"]) == leds:
        pass
    return list(shown)


@lanes.gate
def test_try_serves_a_table_to_play_at(tmp_path: Path) -> None:
    with Program(tmp_path, "try", "--white", "hands", "--no-browser") as program:
        with visitor(program.url) as page:
            hello = page.hears("hello")
            assert hello["mode"] == "try"
            assert hello["games"] == ["standard"]
            leds = page.hears("view", phase="turn")["leds"]
            assert page.is_told(page.ask(TURN[0][0], **TURN[0][1])) == ""
            leds = sees_change(page, leds)
            assert "is taken" in page.is_told(page.ask("place", at=15, piece="white"))
            for do, fields in TURN[1:]:
                assert page.is_told(page.ask(do, **fields)) == ""
                leds = sees_change(page, leds)
            while len(page.hears("view")["game"]["turns"]) < 2:  # the built-in player answers
                pass
        assert program.interrupt() == 0, program.said
        record = Path(program.says(r"record: (.*)"))
    text = record.read_text()
    assert '[White "you"]' in text
    assert "1. 1 E F >future" in text


@lanes.gate
def test_play_serves_who_looks_on(tmp_path: Path) -> None:
    served = ServedTable(SocketLine(), speed=1.0)
    name = served.line.name
    words = ("play", "--page", "--port", name, "--no-browser")
    with served, Program(tmp_path, *words) as program:
        with visitor(program.url) as page:
            assert page.hears("hello")["hand"] is False
            view = page.hears("view", phase="turn")
            assert view["connection"]["state"] == "online"
            assert name in view["connection"]["text"]
            assert "the pieces lie on the table" in page.is_told(page.ask("lift", at=0))
            served.table.lift(0)
            while any(piece["at"] == 0 for piece in page.hears("view")["pieces"]):
                pass
            assert page.is_told(page.ask("resign", side="white")) == ""
            while page.hears("view")["game"]["over"] is None:
                pass
        assert program.interrupt() == 0, program.said


@lanes.full
def test_play_invites_a_guest(tmp_path: Path) -> None:
    served = ServedTable(SocketLine(), speed=1.0)
    words = ("play", "--black", "guest", "--port", served.line.name, "--no-browser")
    with served, Program(tmp_path, *words) as program:
        link = program.says(r"Black is played by.* (http\S+)\n.*from this PC only")
        with visitor(link) as guest, visitor(program.url) as page:
            assert guest.hears("hello")["side"] == "black"
            assert guest.hears("view", phase="turn")["builder"] is None
            assert "not your turn" in guest.is_told(guest.ask("choose", text="16", after=""))
            page.hears("view", players={"white": "hands", "black": "guest"})
            assert page.is_told(page.ask("sit", side="black", who="hands")) == ""
            assert guest.closed_with() == (1001, "the invitation has ended")
        assert program.interrupt() == 0, program.said


def test_a_page_that_cannot_be_served_is_one_sentence(tmp_path: Path, capsys: Output) -> None:
    words = ["try", "--listen", "nobody here", "--archive", str(tmp_path)]
    assert run(words) == 2
    said = capsys.readouterr().err
    assert "is nothing to listen at" in said
    assert "Traceback" not in said
