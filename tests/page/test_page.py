"""The page as the game's thread sees it: views of a table, and requests obeyed."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host import chapters
from chronotable_host.chapters import LOCKED
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.language import speaking
from chronotable_host.live.settings import parse_settings
from chronotable_host.rules.notation import PLAYERS, format_position, parse_position, parse_turn
from chronotable_host.web import looks
from chronotable_host.web.page import Page
from chronotable_host.web.view import told_thought
from tests.host.test_negotiation import NEITHER
from tests.page.evening import BOARD, EAST_AND_FORWARD, Evening
from tests.page.looker import NEW, ONLINE, Looker, told
from tests.page.test_opponent import Slow
from ttykm import layout
from ttykm.layout import BLACK, WHITE


@pytest.fixture
def looker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Looker]:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    with closing(Evening(folder=tmp_path, lock=chapters)) as evening:
        yield Looker(evening, tmp_path)


@pytest.mark.parametrize(
    ("info", "told"),
    [
        (
            "depth 5 nodes 12345 time 210 score 31 pv 6 E F >future; 16 W B >past",
            "depth 5, 12,345 positions: 6 E F >future; 16 W B >past",
        ),
        ("depth 1 score win 1 pv >past", "depth 1: >past"),
        ("nodes many", ""),
        ("", ""),
    ],
)
def test_what_an_engine_thinks_is_told_in_words(info: str, told: str) -> None:
    assert told_thought(info) == told


def test_the_start_of_a_game(looker: Looker) -> None:
    view = looker.look()
    assert view["phase"] == "turn"
    assert view["says"] == "White to move"
    assert view["game"]["supply"] == [4, 4]
    assert view["game"]["captured"] == [0, 0]
    assert view["game"]["focus"] == ["past", "future"]
    assert {piece["at"]: piece["look"] for piece in view["pieces"]} == {
        0: "white", 16: "white", 32: "white", 15: "black", 31: "black", 47: "black",
        48: "white-focus", 53: "black-focus",
    }  # fmt: skip
    assert view["leds"][48] == meanings.MOVER
    assert view["question"] is None
    assert view["guide"] is None


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_who_plays_a_side_is_no_piece_to_look_at(looker: Looker, side: int) -> None:
    """Shown at focus spots by lights that ask, on spaces, whose piece lies there."""
    looker.evening.table.press("undo", side)
    looker.evening.wait(300)
    view = looker.look()
    shown = looks.meanings("standard", 0)[view["leds"][FOCUS + 3 * side]]
    asking = looks.meanings("standard", 0)[meanings.CONFIRM_WHITE + side]
    assert shown["says"] == "the table plays this side: one spot easy, two medium, three strong"
    assert (shown["colour"], shown["rhythm"]) == (asking["colour"], asking["rhythm"])
    assert (view["says"], view["todo"]) == ("White to move", [])


def test_a_turn_as_it_is_made(looker: Looker) -> None:
    assert looker.ask("lift", at=0) == ""
    looker.evening.wait(200)
    view = looker.look()
    assert view["hand"]["held"] == ["white"]
    assert view["leds"][0] == meanings.LIFTED
    assert view["leds"][1] == meanings.MOVE
    looker.evening.do(*EAST_AND_FORWARD[1:3])
    assert looker.look()["note"] == "So far: stepped in the past."
    looker.evening.do(*EAST_AND_FORWARD[3:])
    view = looker.look()
    assert view["provisional"] == "1 E F >future"
    assert view["says"] == "White has moved"
    assert view["note"] == (
        "Stepped, then went forward to the present, then the focus went to the future."
        " It counts when Black lifts something, or after a second."
    )
    looker.evening.wait(1200)
    view = looker.look()
    assert view["provisional"] is None
    assert view["game"]["turns"] == [
        {
            "no": 1, "player": "white", "turn": "1 E F >future", "understood": "certain",
            "says": "Stepped, then went forward to the present", "focus": "future",
        }
    ]  # fmt: skip
    marks = {"player": "white", "path": [0, 1, 17], "died": []}
    assert view["game"]["last"].items() >= marks.items()
    assert view["says"] == "Black to move"
    assert view["log"][-1]["text"] == "1. white: 1 E F >future"
    assert view["game"]["id"]


def test_what_is_wrong_is_to_be_put_right_for_a_reason(looker: Looker) -> None:
    looker.evening.do(("lift", 15), ("place", 12, "black"))
    looker.evening.wait(1000)
    view = looker.look()
    assert told(view) == ["Take away what lies on past 13.", "Put a black piece on past 16."]
    assert set(view["guide"]["take"]) == {"past 13"}
    assert view["guide"]["why"] == view["note"]
    assert view["sounded"] == [1, "wrong"]
    looker.evening.do(("lift", 12), ("place", 15, "black"))
    looker.evening.wait(500)
    assert looker.look()["guide"] is None


def test_a_question_waits_behind_what_was_touched(looker: Looker) -> None:
    looker.evening.do(("lift", 48), ("place", 49, "white-focus"))
    looker.evening.wait(500)
    says = "Stepped twice in the past"
    question = [{"letter": "a", "turn": "1 E W >present", "says": says}]
    assert looker.look()["question"] == question
    assert looker.view["sounded"] == [1, "question"]
    looker.evening.do(("lift", 47), ("place", 46, "black"))
    looker.evening.wait(500)
    view = looker.look()
    assert view["question"] is None
    assert {at for at in (46, 47) if view["leds"][at] != meanings.OFF} == {46, 47}
    assert len(view["todo"]) == 2
    assert view["guide"]["why"].startswith("A question is open:")
    assert view["guide"]["why"] == view["note"]
    assert "there is no open question" in looker.ask("answer", choice="a")
    looker.evening.do(("lift", 46), ("place", 47, "black"))
    looker.evening.wait(500)
    view = looker.look()
    assert view["question"] == question
    assert view["guide"] is None
    assert view["sounded"] == [3, "question"]  # what lay there meanwhile was wrong


def test_what_was_touched_behind_a_question_is_put_right_at_once(looker: Looker) -> None:
    looker.evening.do(("lift", 48), ("place", 49, "white-focus"))
    looker.evening.wait(500)
    looker.evening.do(("lift", 47), ("place", 46, "black"))
    looker.evening.wait(500)
    assert looker.ask("tidy") == ""
    looker.evening.wait(1000)
    view = looker.look()
    assert [choice["turn"] for choice in view["question"]] == ["1 E W >present"]
    assert view["guide"] is None


def test_a_new_game_with_names_a_handicap_and_who_begins(looker: Looker) -> None:
    assert looker.ask("new", **NEW) == ""
    looker.evening.wait_until(lambda: looker.look()["game"]["mover"] == "black")
    view = looker.look()
    assert view["game"]["supply"] == [4, 2]
    assert view["game"]["captured"] == [0, 0]
    assert (view["game"]["white"], view["game"]["black"]) == ("Ann", "Bo")
    assert not view["game"]["goes_on"]
    assert view["phase"] == "turn"
    assert view["start"] == {"white": "Ann", "black": "Bo", "handicap": [0, 2]}
    start = format_position(layout.new_state(BLACK, 0, 2))
    assert view["game"]["position"] == start


def test_a_game_branches_from_one_in_the_archive(looker: Looker) -> None:
    looker.evening.do(*EAST_AND_FORWARD)
    looker.evening.wait(1500)
    game = looker.look()["game"]
    assert looker.ask("resign", side="black") == ""
    looker.evening.wait(500)
    assert looker.look()["game"]["over"]["says"] == "White wins by resignation."
    assert "none with number 2" in looker.ask("branch", game=game["id"], turn=2)
    assert looker.ask("branch", game=game["id"], turn=1) == ""
    looker.evening.wait_until(lambda: looker.look()["game"]["id"] != game["id"])
    view = looker.look()
    assert view["game"]["position"] == game["position"]
    assert view["game"]["turns"] == []
    assert view["game"]["goes_on"], "it does not begin here"
    assert view["game"]["over"] is None
    assert view["phase"] == "turn"
    assert "no game 'nothing'" in looker.ask("branch", game="nothing", turn=0)


def test_a_game_that_was_broken_off_goes_on_with_its_players_and_clocks(looker: Looker) -> None:
    looker.evening.keep_time()
    hands = {"seats": ["hands", "level:2"], "first": "white", "handicap": [0, 0], "black": ""}
    assert looker.ask("new", **NEW | hands | {"times": "10+5"}) == ""
    looker.evening.wait(1500)
    assert looker.ask("watch", boards=1) == ""
    looker.evening.wait(20_000)
    looker.evening.do(*EAST_AND_FORWARD)
    looker.evening.wait(1500)
    game = looker.look()["game"]
    left = looker.view["clocks"]["left"]["white"]
    assert left < 590
    assert looker.ask("new", **NEW | {"seats": ["level:1", "hands"], "times": "off"}) == ""
    assert looker.ask("branch", game=game["id"], turn=1) == ""
    assert looker.look()["players"] == {"white": "hands", "black": "level:2"}
    looker.evening.wait(400)
    clocks = looker.look()["clocks"]
    assert clocks["times"] == "10+5"
    assert left - 1 <= clocks["left"]["white"] <= left
    looker.evening.wait_until(lambda: looker.look()["game"]["turns"])
    assert looker.ask("resign", side="white") == ""
    looker.evening.wait(500)
    (kept,) = looker.evening.archive.folder.glob(f"*{looker.look()['game']['id']}.ttykm")
    assert "[%clk 0:10:" in kept.read_text("utf-8")  # the table's flash does not know of it
    assert looker.ask("rematch") == ""
    looker.evening.wait(500)
    clocks = looker.look()["clocks"]
    assert clocks["times"] == "10+5"
    assert min(clocks["left"].values()) >= 598
    for side in PLAYERS:  # nobody here plays then, which tells nothing of hands
        assert looker.ask("sit", side=side, who="level:1") == ""
    assert looker.ask("branch", game=game["id"], turn=0) == ""
    assert looker.look()["players"] == {"white": "page", "black": "level:2"}


@pytest.mark.parametrize(
    ("do", "values", "sentence"),
    [
        ("lift", {"at": 5}, "nothing lies on past 6"),
        ("place", {"at": 5, "piece": "gold"}, "no such piece"),
        ("answer", {"choice": "a"}, "there is no open question"),
        ("new", NEW | {"modules": "growth"}, LOCKED),
        ("new", NEW | {"modules": "nothing"}, "there is no such game"),
    ],
)
def test_what_cannot_be_is_refused_and_the_game_goes_on(
    looker: Looker, do: str, values: dict[str, Any], sentence: str
) -> None:
    before = looker.look()
    assert sentence in looker.ask(do, **values)
    after = looker.look()
    assert after["pieces"] == before["pieces"]
    assert after["game"] == before["game"]


def test_take_back_and_draw_by_agreement(looker: Looker) -> None:
    looker.evening.do(*EAST_AND_FORWARD)
    looker.evening.wait(1500)
    assert looker.ask("undo") == ""
    looker.evening.wait(500)
    view = looker.look()
    assert view["game"]["turns"] == []
    assert view["game"]["last"] is None
    assert looker.ask("tidy") == ""
    looker.evening.wait(1000)
    assert looker.ask("draw", side="white") == ""
    assert looker.look()["log"][-1]["text"] == "White offers a draw. Yes or no?"
    assert looker.ask("draw", side="black") == ""
    looker.evening.wait(500)
    assert looker.look()["game"]["over"]["says"] == "The game is drawn by agreement."


def test_colours_change_with_the_palette(looker: Looker) -> None:
    (hello,) = (told for told in looker.hear() if told["type"] == "hello")
    assert looker.ask("set", settings="palette=colour-blind") == ""
    again = looker.page.hello()
    assert again["looks"]["meanings"] != hello["looks"]["meanings"]
    assert again["looks"]["pieces"] == hello["looks"]["pieces"]
    assert looker.look()["settings"]["palette"] == "colour-blind"


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("palette=gaudy", "palette is standard or colour-blind"),
        ("brightness=257", "brightness is full, half, night or 0 to 256"),
        ("chapters=4", "no setting"),
        ("volume=1", "no setting"),
        ("palette", "no setting"),
    ],
)
def test_a_setting_is_one_of_the_table_s(looker: Looker, setting: str, says: str) -> None:
    assert says in looker.ask("set", settings=setting)
    assert looker.look()["settings"] == {}


def test_who_is_told_of_a_chapter_sees_and_plays_it(looker: Looker) -> None:
    assert looker.page.hello()["games"] == ["standard"]
    chapters.unlock_to(1)
    looker.evening.wait(1500)
    assert "growth" in looker.page.hello()["games"]
    assert any(told["type"] == "hello" for told in looker.hear())
    assert looker.ask("new", **NEW | {"modules": "growth"}) == ""
    looker.evening.wait(1500)
    assert looker.look()["game"]["modules"] == "growth"


def test_a_real_table_cannot_be_moved_from_here(looker: Looker) -> None:
    page = Looker(looker.evening, real=True)
    assert page.page.hello()["hand"] is False
    assert "the pieces lie on the table" in page.ask("lift", at=0)
    looker.evening.do(("lift", 0))
    page.evening.wait(200)
    shown = {piece["at"] for piece in page.look()["pieces"]}
    assert 0 not in shown
    assert page.look()["hand"] is None


def test_hands_at_a_real_table_are_told_a_players_turn_step_by_step(looker: Looker) -> None:
    page = Looker(looker.evening, real=True)
    page.seats.seat_thinker(layout.WHITE, AtOnce("level:1", lambda _: parse_turn("1 E F >future")))
    looker.evening.wait(500)
    view = page.look()
    assert (view["says"], view["guide"]) == ("Lend White your hands", None)
    assert told(view) == [
        "Move the white copy from past 1 to past 2.",
        "Move the white copy from past 2 to present 2.",
        "Move White's focus marker from the past to the future.",
    ]
    looker.evening.do(("lift", 0), ("place", 1, "white"))
    looker.evening.wait(300)
    assert [step["is_done"] for step in page.look()["todo"]] == [True, False, False]


def test_clocks_are_set_at_a_real_table(looker: Looker) -> None:
    page = Looker(looker.evening, real=True)
    assert page.ask("clock", times="5+3") == ""
    clocks = page.look()["clocks"]
    left = {"white": 300, "black": 300}
    assert clocks == {"times": "5+3", "left": left, "running": "white", "paused": False}
    assert "is no time for a game" in page.ask("clock", times="soon")
    assert page.ask("clock", times="off") == ""
    assert page.look()["clocks"] is None


def test_there_are_no_clocks_where_nobody_keeps_time(looker: Looker) -> None:
    assert "no clocks" in looker.ask("clock", times="5+3")
    assert "no clocks" in looker.ask("new", **NEW | {"times": "5+3"})
    assert "no time for a game" in looker.ask("new", **NEW | {"times": "soon"})
    assert looker.ask("new", **NEW | {"times": "off"}) == ""


def test_one_form_says_who_plays_and_on_which_clock(looker: Looker) -> None:
    looker.evening.keep_time()
    wanted = {"seats": ["level:2", "page"], "times": "10+5", "first": "white"}
    assert looker.ask("new", **NEW | wanted) == ""
    view = looker.look()
    assert view["players"] == {"white": "level:2", "black": "page"}
    assert view["clocks"]["times"] == "10+5"
    assert looker.ask("new", **NEW) == ""  # both stay as they are
    assert looker.look()["players"] == {"white": "level:2", "black": "page"}
    assert looker.look()["clocks"]["times"] == "10+5"


def test_a_clock_waits_for_who_plays_on_the_page(looker: Looker) -> None:
    """It runs as long as boards are seen: not before, nor while another page covers them."""
    looker.evening.keep_time()
    assert (
        looker.ask("new", **NEW | {"seats": ["page", "level:1"], "times": "10", "first": "white"})
        == ""
    )
    looker.evening.wait(1500)
    for boards in (0, 1, 0, 1):
        assert looker.ask("watch", boards=boards) == ""
        before = looker.look()["clocks"]["left"]
        looker.evening.wait(5000)
        clocks = looker.look()["clocks"]
        assert clocks["paused"] == (not boards)
        assert clocks["running"] == ("white" if boards else "")
        assert (clocks["left"] == before) == (not boards)
    looker.page.hub.leave(looker.viewer)  # the browser's window is shut
    looker.evening.wait(500)
    assert looker.page.view()["clocks"]["running"] == ""


def test_seats_are_taken_at_a_real_table(looker: Looker) -> None:
    page = Looker(looker.evening, real=True)
    assert page.look()["players"] == {"white": "hands", "black": "hands"}
    assert page.ask("sit", side="black", who="level:1") == ""
    assert page.look()["players"] == {"white": "hands", "black": "level:1"}
    start = {"white": "Ada", "black": "", "first": "white", "handicap": [0, 0]}
    assert page.ask("new", **NEW | start) == ""
    page.evening.wait(1500)
    headers = page.evening.session.mirror.recorder.filing.record.headers
    assert (headers["White"], headers["Black"]) == ("Ada", "Chronotable, level 1")
    assert page.ask("sit", side="black", who="hands") == ""
    assert page.look()["players"] == {"white": "hands", "black": "hands"}


def test_who_thinks_is_told(looker: Looker) -> None:
    looker.evening.hand.seats.seat_thinker(layout.WHITE, Slow())
    looker.evening.wait(2000)
    assert (looker.look()["says"], looker.view["note"]) == ("White is thinking", "broken")


@pytest.mark.parametrize(
    ("start", "answer", "winner"),
    [
        (layout.new_state(), "Black plays on.", None),
        (parse_position(NEITHER), "Black accepts the draw.", "draw"),
    ],
)
def test_a_draw_is_answered_by_who_sits_there(
    looker: Looker, start: array[int], answer: str, winner: str | None
) -> None:
    looker.evening.session.set_up(start, 0)
    looker.evening.hand.lay(start)
    looker.evening.wait(1500)
    looker.ask("sit", side="black", who="level:1")
    assert looker.ask("draw", side="white") == ""
    looker.evening.wait(500)
    view = looker.look()
    assert answer in json.dumps(view["log"])
    over = view["game"]["over"]
    assert (over and over["winner"]) == winner
    assert over or view["note"] == answer


def test_what_the_table_wants_to_be_sure_of_is_lifted_for_the_viewer(looker: Looker) -> None:
    looker.evening.do(*EAST_AND_FORWARD)
    looker.evening.wait(1500)
    looker.evening.session.set_up(layout.new_state(), 0)  # asked for before it lies there
    looker.evening.wait(500)
    looker.evening.hand.begin(layout.new_state())
    looker.evening.wait(1000)
    for _ in range(3):
        if looker.look()["phase"] == "set-up":
            assert looker.ask("tidy") == ""
            looker.evening.wait(3000)
    assert looker.look()["phase"] == "turn"
    assert looker.view["game"]["turns"] == []


@pytest.mark.parametrize("word", ["palette=colour-blind", " Palette = Colour-Blind"])
def test_a_palette_is_known_however_it_was_written(looker: Looker, word: str) -> None:
    """`--set` takes it with capitals and spaces."""
    evening = looker.evening
    evening.session.settings = parse_settings([word])
    page = Page(evening, None, evening.hand, lambda: BOARD, lambda: ONLINE, tuple)
    blind, usual = page.hello()["looks"]["meanings"], looks.meanings("standard", 0)
    assert page.view()["settings"] == {"palette": "colour-blind"}
    assert blind != usual


def test_reeds_in_doubt_are_trusted_again_when_the_table_is_switched_on(looker: Looker) -> None:
    evening = looker.evening
    evening.top.break_reed(5, "flicker")
    evening.wait_until(lambda: looker.look()["health"]["reeds"], 20_000)
    assert looker.view["health"]["reeds"] == [{"at": 5, "kind": "flickers"}]
    assert not looker.view["health"]["good"]
    evening.top.break_reed(5, "good")
    evening.table.power(False)
    evening.wait(500)
    evening.table.power(True)
    evening.wait_until(lambda: not looker.look()["health"]["reeds"], 5_000)
    assert looker.view["health"]["good"]


def test_each_viewer_is_told_in_an_own_language(looker: Looker) -> None:
    """Also what was said before somebody came who speaks it; a refusal, too."""
    with speaking("de"):
        german = looker.page.hub.join("there", lambda: None)
    assert looker.look()["says"] == "White to move"
    hub = looker.page.hub
    told = {each["type"]: each for each in map(json.loads, hub.outgoing(german))}
    assert told["view"]["says"] == "Weiß ist am Zug"
    assert told["hello"]["candidates"][0]["words"] == "wählt hier auf der Seite"
    hub.receive(german, json.dumps({"id": 1, "do": "hint"}))
    looker.evening.wait(60)
    (reply,) = (each for each in map(json.loads, hub.outgoing(german)) if each["type"] == "reply")
    assert reply["why"] == "an diesem Tisch gibt es keine Hinweise"
