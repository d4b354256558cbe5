"""Two pages far apart: what they show of each other, and what can be asked for on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chronotable_far.entries import JOINER
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import format_modules, format_turn
from tests import lanes
from tests.far.pages import Pages, pages
from tests.page.looker import NEW
from ttykm import objects

FIRST, SECOND, THIRD = "1 E F >future", "16 N N >present", "3 E E >past"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "home"))


@pytest.fixture
def at(tmp_path: Path, _home: None) -> Iterator[Pages]:
    with pages(tmp_path) as made:
        yield made


@lanes.gate
def test_turns_are_chosen_here_and_carried_out_there(at: Pages) -> None:
    ada, bo = at.ends.values()
    at.play(ada, FIRST)
    at.play(bo, SECOND)
    for end in (ada, bo):
        view = end.look()
        assert (view["game"]["white"], view["game"]["black"]) == ("Ada", "Bo")
        assert [turn["turn"] for turn in view["game"]["turns"]] == [FIRST, SECOND]
    assert ada.look()["far"]["there"]
    assert ada.look()["far"]["presence"] == "Bo is there."
    assert bo.look()["players"] == {"white": "far", "black": "page"}


def test_an_invitation_is_shown_until_somebody_has_come(tmp_path: Path) -> None:
    with pages(tmp_path, both=False) as at:
        (ada,) = at.ends.values()
        at.wait(4000)
        view = ada.look()
        assert view["says"] == "Waiting for the other player"
        assert view["note"] == "Nobody has come by the invitation yet."
        assert view["far"]["invites"]
        (given,) = ada.at.page.guests.invitations().values()
        assert given.link.startswith("chronotable://memory/mqtt#")
        at.open(JOINER)
        at.wait_until(lambda: ada.look()["far"]["joined"])
        assert not ada.look()["far"]["invites"]
        assert ada.at.page.guests.invitations() == {}
        at.wait_until(lambda: ada.look()["builder"])


@lanes.gate
@pytest.mark.parametrize("is_granted", lanes.first([True, False]))
def test_a_take_back_is_asked_and_answered(is_granted: bool, at: Pages) -> None:
    ada, bo = at.ends.values()
    at.play(ada, FIRST)
    assert ada.ask("undo") == ""
    at.wait_until(lambda: bo.look()["asks"])
    asks = bo.look()["asks"]
    assert asks["says"] == "Ada would like to take 1 turn back."
    assert ada.look()["note"] == "You have asked Bo whether you may take turns back."
    assert bo.ask("agree" if is_granted else "decline") == ""
    at.wait_until(lambda: not ada.look()["asked"])
    left = [] if is_granted else [FIRST]
    for end in (ada, bo):
        at.wait_until(
            lambda end=end: [turn["turn"] for turn in end.look()["game"]["turns"]] == left  # type: ignore[misc]
        )
    if is_granted:
        at.play(ada, "1 E E >present")
    else:
        at.play(bo, SECOND)


@lanes.gate
def test_a_draw_and_another_game(at: Pages) -> None:
    ada, bo = at.ends.values()
    at.play(ada, FIRST)
    assert ada.ask("draw", side="black") == "that is for the other end to say"
    assert ada.ask("draw", side="white") == ""
    at.wait_until(lambda: bo.look()["asks"])
    assert bo.ask("agree") == ""
    at.wait_until(lambda: all(end.look()["game"]["over"] for end in (ada, bo)))
    assert ada.look()["says"] == "The game is drawn by agreement."
    assert bo.ask("again") == ""
    at.wait_until(lambda: ada.look()["asks"])
    assert ada.ask("again") == ""
    at.wait_until(lambda: bo.look()["far"]["side"] == "white")
    at.wait_until(lambda: not ada.look()["game"]["turns"])
    at.play(bo, FIRST)
    at.play(ada, SECOND)


def test_who_has_met_nobody_yet_can_offer_nothing(tmp_path: Path) -> None:
    at = Pages(tmp_path)
    bo = at.open(JOINER)
    try:
        with pytest.raises(UserError, match="nobody has joined yet"):
            bo.at.far.bridge.offer_draw()
    finally:
        bo.close()


@lanes.gate
def test_an_answer_is_to_the_question_that_was_shown(at: Pages) -> None:
    ada, bo = at.ends.values()
    at.play(ada, FIRST)
    assert ada.ask("draw", side="white") == ""
    at.wait_until(lambda: bo.look()["asks"])
    drawn = bo.look()["asks"]["no"]
    own = ada.look()["asked"]["no"]
    assert ada.ask("withdraw") == ""
    at.wait_until(lambda: not bo.look()["asks"])
    assert "Bo says no." not in [each["text"] for each in ada.look()["log"]]
    told = [each["text"] for each in bo.look()["log"]]
    assert "Ada withdraws the question." in told
    assert "You have said no to Ada." not in told
    assert ada.ask("undo") == ""
    at.wait_until(lambda: bo.look()["asks"])
    nothing = "there is nothing to answer any more"
    assert bo.ask("agree", question=drawn) == nothing
    assert bo.ask("decline", question=drawn) == nothing
    assert bo.ask("withdraw", question=drawn) == nothing
    assert ada.ask("withdraw", question=own) == nothing
    at.wait(500)
    assert bo.look()["asks"], "it still waits for an answer"
    assert not bo.look()["game"]["over"]
    assert bo.ask("decline") == ""
    at.wait_until(lambda: not ada.look()["asked"])
    assert "Bo says no." in [each["text"] for each in ada.look()["log"]]


def test_a_line_of_chat(at: Pages) -> None:
    ada, bo = at.ends.values()
    at.wait_until(lambda: ada.look()["far"]["chats"])
    assert ada.ask("say", text="Hello, Bo") == ""
    at.wait_until(lambda: bo.look()["far"]["chat"])
    (line,) = bo.look()["far"]["chat"]
    assert (line["own"], line["text"]) == (False, "Hello, Bo")
    assert "Ada: Hello, Bo" in [each["text"] for each in bo.look()["log"]]


def test_what_belongs_to_other_games_is_refused(at: Pages) -> None:
    ada, _ = at.ends.values()
    at.wait_until(lambda: ada.look()["builder"])
    assert "plays a game far apart" in ada.ask("new", **NEW)
    assert ada.ask("sit", side="black", who="level:3") == "that is for the other end to say"
    assert ada.ask("sit", side="white", who="level:3") == "in a game far apart you play yourself"
    assert "plays a game far apart" in ada.ask("clock", times="5+3")
    assert ada.ask("hint") == "there are no hints at this table"
    assert ada.ask("sit", side="white", who="hands") == ""
    at.wait(500)
    assert ada.look()["players"]["white"] == "hands"


@lanes.gate
@pytest.mark.parametrize(("another", "seed"), [("", 0), ("Bob", 0), ("Bob", 1)])
def test_who_comes_back_finds_the_whole_game(at: Pages, another: str, seed: int) -> None:
    """At another computer, too, in whatever order it is told what there was: it joins only once."""
    ada, bo = at.ends.values()
    at.rng.seed(seed)
    at.play(ada, FIRST)
    at.play(bo, SECOND)
    at.play(ada, "1 E E >present")
    bo.close()
    bo.client.close()
    bo = at.open(JOINER, another)
    at.wait_until(lambda: bo.look()["builder"])
    turns = [turn["turn"] for turn in bo.look()["game"]["turns"]]
    assert turns == [FIRST, SECOND, "1 E E >present"]
    assert sum("/joiner/1/" in topic for topic in at.broker.retained) == 1
    assert bo.look()["game"]["id"] is not None


@lanes.gate
def test_a_broker_that_is_away_is_said_and_the_own_turn_is_kept(at: Pages) -> None:
    ada, bo = at.ends.values()
    at.wait_until(lambda: ada.look()["builder"])
    ada.client.cut()
    for text in FIRST.split():
        assert ada.ask("choose", text=text) == ""
    at.wait_until(lambda: ada.room.course.line)
    assert "no broker answers" in ada.look()["note"]
    ada.client.mend()
    at.wait_until(lambda: bo.game.turns)


@lanes.gate
def test_clocks_run_at_both_pages_once_both_have_played(tmp_path: Path) -> None:
    """Nobody loses time before having come, seen the position and played in it."""
    with pages(tmp_path, both=False, clock="300+3") as at:
        (ada,) = at.ends.values()
        at.wait(30_000)
        bo = at.open(JOINER)
        at.wait_until(lambda: ada.look()["builder"])
        at.wait(5000)
        whole = {"white": 300, "black": 300}
        assert ada.look()["clocks"] == bo.look()["clocks"]
        shown = {"times": "5+3", "left": whole, "running": "", "paused": False}
        assert ada.look()["clocks"] == shown
        at.play(ada, FIRST)
        at.wait(5000)
        assert bo.look()["clocks"]["left"] == {"white": 303, "black": 300}
        assert bo.look()["clocks"]["running"] == ""
        at.play(bo, SECOND)
        at.wait(5000)
        clocks = ada.look()["clocks"]
        assert clocks["running"] == "white"
        assert 290 <= clocks["left"]["white"] <= 300
        at.play(ada, "1 E E >present")
        at.wait(200)
        left = ada.look()["clocks"]["left"]["white"]
        assert left == bo.look()["clocks"]["left"]["white"]
        assert ada.room.course.line[2].left_s == left
        assert bo.look()["clocks"]["running"] == "black"


@pytest.mark.parametrize("modules", lanes.once(range(1, objects.ALL_MODULES + 1), 6))
def test_every_set_of_modules(modules: int, tmp_path: Path) -> None:
    """Who joins has another game on the table until it is known what is played."""
    chapters.unlock_to(chapters.COUNT)
    rng = Random(modules)
    with pages(tmp_path, start=objects.new_state(modules)) as at:
        for count in range(4):
            at.wait_until(lambda: any(end.look()["builder"] for end in at.ends.values()))
            mover = next(end for end in at.ends.values() if end.look()["builder"])
            at.play(mover, format_turn(rng.choice([*mover.game.legal_turns()])))
            assert [len(end.room.course.line) for end in at.ends.values()] == [count + 1] * 2
        one, two = (end.look()["game"] for end in at.ends.values())
        assert one["position"] == two["position"]
        assert one["modules"] == format_modules(modules)
