"""What a club serves: who gets in where, the wall's socket, the feed, results, replays."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection
from threading import Barrier, BrokenBarrierError, Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from chronotable_club import collecting
from chronotable_club.collecting import Collector
from chronotable_club.director import Director
from chronotable_club.messages import ClockTimes, Live
from chronotable_club.register import Register
from chronotable_host.archive.database import UnusableError
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.club.shown import beginning, channel_of, recorded, said, served
from tests.page.served import Served, Visitor
from tests.page.test_crowd import has_more_addresses
from tests.waiting import PATIENCE_S, until

GAME = "2026-05-01T1200Z-0abcdef1"
Club = tuple[Served, Collector]


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setattr(collecting, "_GOING_ON_S", 0.0)
    one, two = recorded("Ada", "=cmd()")[3], recorded("<b>Eve</b>", "Dan")[4]
    lives = [
        Live(GAME, format_record(beginning(one, 7)), "turn", ClockTimes((70, 80), 1)),
        Live("2026-05-01T1230Z-0abcdef2", format_record(two), "over"),
        Live("", "", "free"),
    ]
    with served(tmp_path / "club", lives) as (server, collector):
        yield Served(server), collector


def results(server: Served) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get("/api/results").told["results"]
    return found


def cookie_of(server: Served) -> str:
    link = urlsplit(server.server.director_link)
    return str(server.get(f"{link.path}?{link.query}").headers["set-cookie"]).partition(";")[0]


def test_spectators_see_everything_but_what_is_the_director_s(club: Club) -> None:
    server, _ = club
    for path in ("/", "/results", "/feed.json", "/api/results", "/results.csv", "/catalogue.js"):
        assert server.get(path).status == 200, path
    assert server.get("/club/static/wall.js").status == 200
    for path in ("/director", "/director/", "/director/ws", "/director?token=x"):
        assert server.get(path).status == 403, path
    with pytest.raises(Exception, match="403"), server.visit(path="/director/ws"):
        pass
    assert server.get("/director", Cookie=cookie_of(server)).status == 200
    for path in ("/club.json", "/../club.json", "/club/static/..%2fapp.py", "/feed/../club.json"):
        assert server.get(path).status in (403, 404), path


def test_the_wall_is_told_all_tables_then_what_changes(club: Club) -> None:
    server, collector = club
    with server.visit() as line:
        hello = line.hears("hello")
        assert hello["club"] == "Café Zeitsprung"
        tables: dict[str, Any] = {}
        states: list[str] = []
        while states != ["playing", "over", "free"]:  # until what they said has been read
            tables |= {each["name"]: each for each in line.hears("tables")["tables"]}
            states = [tables[name]["state"] for name in sorted(tables)]
        first, _, third = (tables[name] for name in sorted(tables))
        assert first["game"]["turns"] == 7
        assert first["clocks"] == {"left": [70, 80], "running": 1}
        assert first["game"]["position"]["mover"] == "black"
        assert third["game"] is None
        channel = collector.hub.tables[first["id"]].channel
        text = format_record(beginning(recorded("Ada", "=cmd()")[3], 8))
        collector.step(said(channel, 50, Live(GAME, text, "turn")))
        (changed,) = line.hears("tables")["tables"]
        assert changed["id"] == first["id"]
        assert changed["game"]["turns"] == 8
        line.say("nonsense")  # a spectator has nothing to say
        assert line.hears("reply")["ok"] is False


def test_tables_of_a_new_club_are_on_the_wall_before_they_say_anything(tmp_path: Path) -> None:
    with served(tmp_path / "club", [], silent=2) as (server, _), Served(server).visit() as line:
        tables: dict[str, Any] = {}
        while len(tables) < 2:
            tables |= {each["name"]: each["state"] for each in line.hears("tables")["tables"]}
        assert tables == {"Table 1": "away", "Table 2": "away"}


def test_the_turns_of_a_table(club: Club) -> None:
    server, collector = club
    table = next(iter(collector.hub.tables))
    told = server.get(f"/api/tables/{table}").told
    assert [turn["no"] for turn in told["turns"]] == [1, 2, 3, 4, 5, 6, 7]
    assert all(turn["says"] for turn in told["turns"])
    assert server.get("/api/tables/nobody").status == 404


@lanes.gate
def test_the_feed(club: Club) -> None:
    server, collector = club
    feed = server.get("/feed.json").told
    one, two, three = feed["tables"]
    assert one["white"] == "Ada"
    assert one["turns"] == 7
    assert two["result"] in ("1-0", "0-1")
    assert three["game"] is None
    record = server.get(one["record"]).text
    assert record.count("\n7. ") == 1
    until(lambda: not collector.behind)
    assert server.get(two["record"]).text.startswith("[Modules")
    for path in ("/feed/none.ttykm", "/feed/..%2fx.ttykm", "/feed/x.txt"):
        assert server.get(path).status in (403, 404), path
    stream_of = f"http://{server.own}/feed/stream"
    with urllib.request.urlopen(stream_of, timeout=PATIENCE_S) as stream:
        lines = [json.loads(stream.readline()) for _ in range(3)]
        assert {line["table"] for line in lines} == {"Table 1", "Table 2", "Table 3"}
        channel = collector.hub.tables[one["id"]].channel
        text = format_record(beginning(recorded("Ada", "=cmd()")[3], 8))
        collector.step(said(channel, 60, Live(GAME, text, "turn")))
        assert json.loads(stream.readline())["turns"] == 8


@pytest.mark.skipif(not has_more_addresses(), reason="this system has one address")
def test_one_visitor_does_not_have_all_of_the_feed(club: Club) -> None:
    server, _ = club
    asked = f"GET /feed/stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

    def answer(address: str) -> bytes:
        line = closing.enter_context(
            create_connection(("127.0.0.1", server.port), PATIENCE_S, (address, 0))
        )
        line.sendall(asked)
        return closing.enter_context(line.makefile("rb")).readline().split()[1]

    with contextlib.ExitStack() as closing:
        assert [answer("127.0.0.2") for _ in range(10)] == [b"200"] * 8 + [b"503"] * 2
        assert answer("127.0.0.3") == b"200"
    with contextlib.ExitStack() as closing:
        until(lambda: answer("127.0.0.2") == b"200")  # who has left is not counted


@lanes.gate
def test_results_and_replays(club: Club) -> None:
    server, _ = club
    until(lambda: len(results(server)) == 2)
    found = results(server)
    assert {each["table"] for each in found} == {"Table 1", "Table 2"}
    rows = list(csv.DictReader(io.StringIO(server.get("/results.csv").text)))
    assert {row["black"] for row in rows} == {"'=cmd()", "Dan"}  # no formula for a spreadsheet
    over = next(each for each in found if each["result"] != "*")
    replay = server.get(f"/replay/{over['id']}")
    assert replay.status == 200
    assert "<b>Eve</b>" not in replay.text
    policy = replay.headers["content-security-policy"]
    assert "script-src" not in policy  # the page says that itself
    assert "script-src" in replay.text
    assert server.get("/replay/none").status == 404


def test_the_director_adds_and_takes_back(club: Club) -> None:
    server, collector = club
    with server.visit(path="/director/ws", Cookie=cookie_of(server)) as line:
        line.hears("parts")
        line.ask("add_table", name="Table 9")
        answer = line.hears("answer")
        assert answer["token"].startswith("table-")
        until(lambda: any(it.name == "Table 9" for it in collector.hub.tables.values()))
        line.ask("add_table", name="table 9")
        assert "already" in line.hears("answer")["error"]
        table = next(it.id for it in collector.hub.tables.values() if it.name == "Table 9")
        line.ask("token", table=table)
        assert line.hears("answer")["token"] == answer["token"]
        line.ask("revoke_table", table=table)
        assert "error" not in line.hears("answer")
        until(lambda: collector.hub.tables[table].is_revoked)
        line.ask("token", table=table)
        assert "error" in line.hears("answer")
        line.ask("fly")
        assert "error" in line.hears("answer")


def test_what_was_refused_is_shown(club: Club) -> None:
    server, collector = club
    hub_table = next(iter(collector.hub.tables.values()))
    bad = format_record(beginning(recorded()[3], 4)) + "5. 1 N N >past\n"
    collector.step(said(hub_table.channel, 70, Live(GAME, bad, "turn")))
    with server.visit(path="/director/ws", Cookie=cookie_of(server)) as line:
        until(lambda: _counts(line).get("illegal") == 1)
    with server.visit() as line:
        tables = line.hears("tables")["tables"]
        told = next(each for each in tables if each["id"] == hub_table.id)
        assert told["state"] == "refused"
        assert "turn 5" in told["refusal"]
    assert hub_table.channel == channel_of(collector.folder, collector.folder.tables()[0])


def _counts(line: Visitor) -> dict[str, int]:
    tables = line.hears("parts")["parts"].get("tables", [{"counts": {}}])
    counts: dict[str, int] = tables[0]["counts"]
    return counts


@lanes.gate
def test_a_dead_database_stops_neither_the_wall_nor_the_files(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, collector = club
    until(lambda: len(results(server)) == 2)
    until(lambda: not collector.behind)

    def dead(*_: Any) -> None:
        raise UnusableError("the database is away")

    monkeypatch.setattr(Register, "run", dead)
    hub_table = next(iter(collector.hub.tables.values()))
    with server.visit() as line:
        line.hears("tables")
        text = format_record(beginning(recorded("Ada", "=cmd()")[3], 9))
        collector.step(said(hub_table.channel, 80, Live(GAME, text, "turn")))
        assert line.hears("tables")["tables"][0]["game"]["turns"] == 9
    until(lambda: collector.database_problem)
    file = collector.folder.games / f"{GAME}.ttykm"
    until(lambda: "\n9. " in file.read_text("utf-8"))
    until(lambda: collector.behind == 1)
    assert server.get("/api/results").status == 503
    monkeypatch.undo()
    monkeypatch.setattr(collecting, "_GOING_ON_S", 0.0)
    until(lambda: not collector.behind)
    until(lambda: not collector.database_problem)
    found = results(server)
    assert max(each["turns"] for each in found if each["white"] == "Ada") == 9


# ---- the director's page, without a network


TOGETHER_S, LONG_S = 0.2, 10.0


def test_one_command_is_done_after_the_other() -> None:
    """Who pairs a round and starts it in one breath starts the one that was paired."""
    director = Director("Café Zeitsprung")
    both = Barrier(2)
    met = []

    def meets(_values: object) -> None:
        try:
            both.wait(TOGETHER_S)  # for another command that is under way
            met.append(True)
        except BrokenBarrierError:
            met.append(False)

    director.add_command("meet", {}, meets)
    woken = Event()
    viewer = director.join("here", woken.set)
    for number in (1, 2):
        director.receive(viewer, json.dumps({"id": number, "do": "meet"}))
    answers = 0
    while answers < 2:
        assert woken.wait(LONG_S)
        woken.clear()
        answers += sum('"answer"' in text for text in director.outgoing(viewer))
    assert met == [False, False]
