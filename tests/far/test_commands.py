"""`invite` and `join` as people meet them: processes, a broker between them, pages and tables."""

from __future__ import annotations

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable.lights.light import NIGHT
from chronotable_far.invitation import parse_invitation
from chronotable_far.negotiation import RoomNegotiation
from chronotable_host.cli import run
from chronotable_host.commands.play_work import GameScreen, PlayControl
from chronotable_host.live.desk import Desk
from tests import lanes
from tests.far.end import records_of
from tests.far.programs import TableAtLine, Viewer
from tests.programs import Program
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("usual_broker_port")

FIRST, SECOND, THIRD = "1 E F >future", "16 N N >present", "1 E E >past"
FIRST_ACTS = ((False, 0), (True, 1), (False, 1), (True, 17), (False, 48), (True, 50))


def log_of(home: Path) -> str:
    """Return what the file of a room holds."""
    return "".join(path.read_text("utf-8") for path in (home / "far").glob("*.far"))


Output = pytest.CaptureFixture[str]


@lanes.full
def test_two_pages_and_the_broker_of_this_computer(tmp_path: Path) -> None:
    """With a program that is killed and goes on with --resume, and another computer."""
    here, there, laptop = (tmp_path / name for name in ("here", "there", "laptop"))
    with (
        Program(here, "invite", "--no-browser", "--name", "Ada", "--clock", "5+3") as invite,
        Program(there, "join", invite.link, "--no-browser", "--name", "Bo") as join,
        Viewer(join.page) as bo,
    ):
        join.says("You play black against Ada")
        with Viewer(invite.page) as ada:
            ada.plays(FIRST)
            bo.waits_for(lambda _: bo.turns == [FIRST])
            bo.plays(SECOND)
            ada.waits_for(lambda _: ada.turns == [FIRST, SECOND])
        join.types("say hello there")
        invite.says("Bo: hello there")
        own = invite.own_link
        invite.kill()
        with (
            Program(here, "invite", "--resume", "--no-browser", "--name", "Ada") as again,
            Viewer(again.page) as ada,
        ):
            ada.plays(THIRD)
            bo.waits_for(lambda _: bo.turns == [FIRST, SECOND, THIRD])
            with Program(laptop, "join", own, "--no-browser") as second:
                second.says("you play white|You play white")
                until(lambda: THIRD in log_of(laptop))
                join.types("resign")
                second.says("Bo resigns")
                again.says("Bo resigns")
                second.quit()
            again.quit()
        join.quit()
    one, two, three = map(records_of, (here, there, laptop))
    assert one == two == three
    assert len(one) == 1
    assert '[Result "1-0"]' in one[0]
    assert '[TimeControl "300+3"]' in one[0]
    assert "%clk" in one[0]


@lanes.gate
def test_where_something_else_has_the_broker_s_port_the_link_is_told_anew(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    ada, bo = (("--no-browser", "--name", name) for name in ("Ada", "Bo"))
    with Program(here, "invite", *ada) as invite, Program(there, "join", invite.link, *bo) as join:
        invite.says("You play white against Bo")
        port = parse_invitation(invite.link).address.port
        join.kill()
        invite.kill()
    with (
        socket.create_server(("127.0.0.1", port)),
        Program(here, "invite", "--resume", *ada) as again,
        Program(there, "join", again.link, *bo) as join,
    ):
        again.says(f"Something else is at port {port}")
        join.types("say hello there")
        again.says("Bo: hello there")


@lanes.gate
def test_two_tables_and_a_program_that_is_killed(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with TableAtLine("one") as one, TableAtLine("two") as two:
        table = ("--table", "--port", one.line.name)
        with Program(here, "invite", *table, "--name", "Ada") as invite:
            other = ("--table", "--port", two.line.name)
            with Program(there, "join", invite.link, *other, "--name", "Bo") as join:
                for program in (invite, join):
                    program.says("A game begins")
                invite.says("You play white against Bo")
                one.do(*FIRST_ACTS)
                invite.says(r"1\. white: 1 E F >future")
                invite.kill()
                with Program(here, "invite", "--resume", *table) as again:
                    again.says("goes on behind 1 turn; you play white")
                    until(lambda: FIRST in log_of(there))
                    join.says("the broker is there again")
                    two.do(*FIRST_ACTS)  # as the lights ask for
                    join.says(r"1\. white: 1 E F >future")
                    join.types("undo")
                    join.says("no turn of yours")
                    join.types("resign")
                    again.says("White wins by resignation")
                    again.quit()
                join.quit()
    assert records_of(here) == records_of(there)
    assert len(records_of(here)) == 1


@lanes.gate
def test_a_game_of_a_locked_chapter_is_refused_without_naming_it(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for _ in range(1):
        with Program(here, "unlock", "--yes") as unlock:
            unlock.ends()
    words = ("--no-browser", "--modules", "growth")
    with Program(here, "invite", *words) as invite:
        with Program(there, "join", invite.link, "--no-browser") as join:
            assert join.ends() == 2
            assert "needs a chapter that is not unlocked here" in join.said
            assert "growth" not in join.said
        invite.quit()
    assert "against" not in invite.said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["join", "chronotable://host/mqtt"], "this link has no words"),
        (["join", "http://host#a"], "is no invitation"),
        (["join", "one two three"], "nine words do not say where the broker is"),
        (["join", "one two three", "--broker", "mqtt://host"], "an invitation has nine words"),
        (["invite", "--broker", "ftp://host"], "'ftp://host' is no broker"),
        (["invite", "--resume"], "no game far apart was begun here"),
        (["invite", "--clock", "soon"], "'soon' is no time for a game"),
    ],
)
def test_wrong_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: Output
) -> None:
    assert run([*words, "--archive", str(tmp_path), "--no-browser"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line


@lanes.full
def test_a_room_that_nobody_began_is_said_and_waited_for(tmp_path: Path) -> None:
    from chronotable_far.broker.embedded import EmbeddedBroker  # noqa: PLC0415
    from chronotable_far.invitation import new_invitation  # noqa: PLC0415

    broker = EmbeddedBroker("127.0.0.1")
    link = new_invitation(f"mqtt://127.0.0.1:{broker.port}").link
    with Program(tmp_path, "join", link, "--no-browser") as join:
        join.says("nobody has begun a game with this invitation")
        join.quit()
    broker.close()


@lanes.full
def test_a_broker_that_is_away_is_said_once(tmp_path: Path) -> None:
    with Program(tmp_path, "invite", "--no-browser", "--broker", "mqtt://127.0.0.1:9") as invite:
        invite.says("no broker answers at 127.0.0.1:9; what you do here is kept")
        invite.quit()
    assert invite.said.count("no broker answers") == 1


def test_what_is_typed_at_a_table_is_for_the_other_end_or_the_table(capsys: Output) -> None:
    """What is neither, as a lesson, is none of a game far apart."""
    typed = ["say Hello you", "there", "undo", "SET brightness=night", "new", "lesson 1", "help"]
    typed += ["quit", "never read"]
    desk, said = Desk(), []
    bridge: Any = SimpleNamespace(
        write=lambda kind, text: said.append((kind, text)),
        ask_back=lambda: said.append("undo"),
        room=None,
        is_put_off=False,
    )
    desk.negotiation = desk.far_talk = RoomNegotiation(desk, bridge)
    source: Any = SimpleNamespace(take=lambda: typed.pop(0))
    own = {"there": lambda: said.append("there?")}
    assert PlayControl(desk, GameScreen(desk, as_json=False), source, False, own).is_done()
    assert said == [("say", "Hello you"), "there?", "undo"]
    assert desk.session.settings == {"brightness": NIGHT}
    error = capsys.readouterr().err
    assert "`again` wants another one, `resign` gives this one up" in error
    assert "this table plays a game far apart; end this program for anything else" in error
    assert "commands: a, b, c, none (answers), undo, draw white, resign white, yes, no" in error
    assert "again, status, there, quit" in error
    assert typed == ["never read"]
