"""Boxes of owners: entered card by card, kept half done and with mistakes, played with, checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_night.boxes import Boxes
from chronotable_night.games.interface import Kind
from chronotable_night.games.shelf import kinds
from chronotable_night.room import NightRoom
from tests import lanes
from tests.night.drawn import BIG, Look, look_at, opened
from tests.night.rooms import play_on, room_of
from tests.night.test_served import Night, served
from tests.page.browsing import Browser, Page, waits_until

WITH_DATA = [kind for kind in kinds().values() if kind.default_data is not None]
TIMEMIT, BREAKER = kinds()["timemit"], kinds()["timebreaker"]
CARD, TILE = "cards.18.combat", "gates.0.red"


def full(*_args: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.fixture
def boxes(tmp_path: Path) -> Boxes:
    return Boxes(tmp_path)


def values(boxes: Boxes, kind: Kind) -> dict[str, Any]:
    """Return what the page has in each field, by its place."""
    items = boxes.page(kind)["items"]
    return {field["place"]: field["value"] for item in items for field in item["fields"]}


def room_with(boxes: Boxes, kind: Kind) -> NightRoom:
    room: NightRoom = room_of("Ann", "Ben", kind=kind, boxes=boxes, begun=False)
    return room


@pytest.mark.parametrize("kind", WITH_DATA, ids=[kind.name for kind in WITH_DATA])
def test_each_place_of_a_form_is_in_the_data_and_can_be_entered(kind: Kind, boxes: Boxes) -> None:
    before = values(boxes, kind)
    assert not boxes.path(kind).exists()
    page = boxes.page(kind)
    assert (page["entered"], page["mistakes"]) == ([], [])
    for item in page["items"][::5]:
        assert item["title"]
        for field in item["fields"]:
            known = [value for value, _ in page["choices"].get(field["choices"], ())]
            if field["kind"] in ("choice", "phrase"):
                assert field["value"] in known, field
            boxes.enter(kind, field["place"], field["value"])
    assert values(Boxes(boxes.path(kind).parents[1]), kind) == before
    assert boxes.page(kind)["mistakes"] == []


def test_what_is_entered_is_there_again_and_drawn(boxes: Boxes, tmp_path: Path) -> None:
    boxes.enter(TIMEMIT, CARD, "F7")
    boxes.enter(BREAKER, TILE, None)
    again = Boxes(tmp_path)
    assert values(again, TIMEMIT)[CARD] == "F7"
    assert again.page(TIMEMIT)["printed"]["cards"]["19"]["combat"] == "7 forward."
    assert again.page(BREAKER)["printed"]["red"]["G01"] == ""


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [
        (TIMEMIT, CARD, "f7 & hop"),
        (TIMEMIT, "cards.18.symbols_house.R", "many"),
        (TIMEMIT, "kronos", [0]),
        (TIMEMIT, "track.spaces_each_side", None),
        (BREAKER, TILE, "G01"),
        (BREAKER, "gates.0.green", ["G02", "G02"]),
        (BREAKER, "gates.0.green", []),
        (BREAKER, "deck.4.total", 2),
        (BREAKER, "deck.4.total", -1),
    ],
)
def test_a_mistake_is_kept_and_told_as_the_check_tells_it(
    kind: Kind, place: str, value: object, boxes: Boxes, capsys: pytest.CaptureFixture[str]
) -> None:
    boxes.enter(kind, place, value)
    assert values(boxes, kind)[place] == value
    (told,) = boxes.page(kind)["mistakes"]
    assert run(["games-data", "check", str(boxes.path(kind)), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["mistakes"] == [{"place": told[0], "why": told[1]}]
    data, note = boxes.opened(kind)
    assert data is None
    assert "has a mistake" in note
    if told[0] != "deck":  # which is nobody's mistake alone
        with pytest.raises(UserError, match=re.escape(told[1])):
            boxes.mark(kind, place.rpartition(".")[0].partition(".symbols")[0] or "track", on=True)


def test_a_game_is_played_with_what_was_entered_last(boxes: Boxes) -> None:
    room = room_with(boxes, BREAKER)
    own = room.game.data_hash
    boxes.enter(BREAKER, TILE, None)
    boxes.mark(BREAKER, "gates.0", on=True)
    room.open_box()
    assert room.note == "Of your own box 1 of 41 are entered; the rest is made up."
    assert room.game.data_hash != own
    boxes.enter(BREAKER, "gates.1.red", None)
    room.start()
    assert room.data is not None
    assert [room.data["gates"][n]["red"] for n in (0, 1)] == [None, None]
    played = room.game
    boxes.enter(BREAKER, "gates.2.red", None)
    room.open_box()
    assert room.game is played
    play_on(room, Random(1))
    assert room.phase == "over"


def test_a_game_goes_on_with_its_data_and_the_next_has_the_box_as_it_is(boxes: Boxes) -> None:
    people = room_with(boxes, BREAKER).people.as_kept()
    boxes.enter(BREAKER, TILE, None)
    room: NightRoom = room_of(kind=BREAKER, boxes=boxes, begun=False)
    room.resume(None, people, 2, 7, [], {})
    assert room.data is None
    assert "nobody has entered" in room.note
    play_on(room, Random(1))
    room.again()
    room.start()
    assert room.data is not None
    assert room.data["gates"][0]["red"] is None


@pytest.mark.parametrize("kind", WITH_DATA, ids=[kind.name for kind in WITH_DATA])
def test_with_all_entered_nothing_is_made_up(kind: Kind, boxes: Boxes) -> None:
    keys = [item["key"] for item in boxes.page(kind)["items"]]
    boxes.path(kind).parent.mkdir()
    boxes.path(kind).write_text(json.dumps({**(kind.default_data or {}), "entered": keys[1:]}))
    boxes.mark(kind, keys[0], on=True)
    assert boxes.page(kind)["entered"] == keys
    assert room_with(boxes, kind).note == ""
    boxes.mark(kind, keys[0], on=False)
    assert boxes.page(kind)["entered"] == keys[1:]
    assert room_with(boxes, kind).note


@pytest.mark.parametrize("text", ["{", "[]", '{"gates": [7]}', "", "\xff"])
def test_a_file_that_is_no_box_is_said_and_left_alone(text: str, boxes: Boxes) -> None:
    path = boxes.path(BREAKER)
    path.parent.mkdir()
    path.write_text(text, "latin-1")
    with pytest.raises(UserError, match=r"timebreaker\.json"):
        boxes.page(BREAKER)
    with pytest.raises(UserError, match=r"timebreaker\.json"):
        boxes.enter(BREAKER, TILE, None)
    assert path.read_text("latin-1") == text
    assert room_with(boxes, BREAKER).note.startswith("Your own box is not played with")


def test_a_box_that_was_written_by_hand_is_gone_on_with(boxes: Boxes) -> None:
    data = json.loads(json.dumps(TIMEMIT.default_data))
    del data["cards"][0]["symbols_house"]
    data["cards"][1]["symbols_house"] = 7
    data |= {"verified": True, "entered": 3}
    boxes.path(TIMEMIT).parent.mkdir()
    boxes.path(TIMEMIT).write_text(json.dumps(data))
    assert len(boxes.page(TIMEMIT)["entered"]) == len(boxes.page(TIMEMIT)["items"])
    for card in (0, 1):
        boxes.enter(TIMEMIT, f"cards.{card}.symbols_house.B", 2)
    assert boxes.page(TIMEMIT)["mistakes"] == []
    boxes.mark(TIMEMIT, "cards.0", on=False)
    assert "64 of 65" in boxes.opened(TIMEMIT).note


# ---- by sockets


@pytest.fixture
def night(boxes: Boxes) -> Iterator[Night]:
    room = room_of("Ann", kind=BREAKER, others=[TIMEMIT], boxes=boxes, begun=False)
    with served(room) as night:
        yield night


def test_a_screen_enters_and_all_are_told(night: Night) -> None:
    with night.page() as screen:
        told = screen.ask("enter", game="timebreaker", place=TILE, value=None)
        assert told["error"] is None
        assert told["box"]["items"][0]["fields"][2]["value"] is None
        screen.hear(lambda state: state["note"].startswith("Of your own box"))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"do": "box", "game": "chess"}, "there is no such game"),
        ({"do": "enter", "game": "timemit", "place": "cards.0.id", "value": 7}, "is nothing that"),
        ({"do": "enter", "game": "timemit", "place": CARD, "value": ["F7"]}, "no single value"),
        ({"do": "enter", "game": "timemit", "place": "kronos", "value": 7}, "no single value"),
        ({"do": "enter", "game": "timemit", "place": CARD, "value": {}}, "'value' of 'enter' is"),
        ({"do": "enter", "game": "timemit", "place": CARD, "value": "x" * 101}, "'value' of"),
        ({"do": "mark", "game": "timemit", "item": "cards.99", "on": True}, "is nothing that"),
    ],
)
def test_what_cannot_be_entered_is_a_sentence(
    asked: dict[str, Any], why: str, night: Night, boxes: Boxes
) -> None:
    with night.page() as screen:
        do = asked.pop("do")
        assert why in screen.ask(do, **asked)["error"]
        assert not boxes.path(TIMEMIT).exists()


def test_who_has_a_seat_enters_and_who_only_looks_on_from_elsewhere_does_not(
    night: Night, boxes: Boxes
) -> None:
    with night.page("t1", source="127.0.0.2") as phone, night.page(source="127.0.0.2") as elsewhere:
        for asked in ({"do": "box"}, {"do": "enter", "place": TILE, "value": None}):
            refusal = elsewhere.ask(game="timebreaker", **asked)["error"]
            assert refusal.startswith("only who has a seat, or is at this night's PC")
            assert not boxes.path(BREAKER).exists()
            assert phone.ask(game="timebreaker", **asked)["error"] is None
        assert boxes.path(BREAKER).exists()


def test_a_disk_that_is_full_is_told(
    night: Night, boxes: Boxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronotable_night.boxes.write_whole", full)
    with night.page() as screen:
        told = screen.ask("enter", game="timebreaker", place=TILE, value=None)
        assert "No space left" in told["error"]


# ---- in browsers

LOOKS = [((390, 664), "light"), ((1366, 640), "dark"), ((390, 664), "dark"), ((1366, 640), "light")]


def box_page(night: Night, kind: Kind, browser: Browser, look: Look = LOOKS[0]) -> Any:
    return opened(browser, f"http://{night.own}/box?game={kind.name}", *look)


def picks(page: Page, title: str) -> None:
    page.get_by_label("Card or tile").select_option(label=title)


@lanes.gate
@pytest.mark.browser
def test_a_card_is_entered_and_there_after_a_reload(night: Night, browser: Browser) -> None:
    with box_page(night, TIMEMIT, browser) as page:
        picks(page, "21 Beer")
        page.get_by_role("combobox", name="In combat").select_option(label="5 forward.")
        page.get_by_role("textbox", name="Symbols: yellow").fill("2")
        page.get_by_role("button", name="So it is in our box").click()
        page.get_by_role("status").get_by_text("1 of 65 entered").wait_for()
        assert page.get_by_label("Card or tile").input_value() == "cards.21"
        page.reload()
        page.get_by_role("status").get_by_text("1 of 65 entered").wait_for()
        picks(page, "✓ 21 Beer")
        page.get_by_text("In combat: 5 forward.").wait_for()
        page.get_by_role("img", name="1 red, 2 yellow").wait_for()
        page.get_by_role("button", name="Not sure").click()
        page.get_by_role("status").get_by_text("0 of 65 entered").wait_for()


@pytest.mark.browser
def test_arrows_are_entered_by_keys_alone(night: Night, browser: Browser, boxes: Boxes) -> None:
    with box_page(night, BREAKER, browser) as page:
        page.get_by_label("Green arrows lead to, 2").focus()
        page.keyboard.type("G05")
        page.get_by_label("Green arrows lead to, 3").wait_for()
        page.get_by_role("img", name="green arrow to 08, 05").wait_for()
        page.get_by_label("Green arrows lead to, 1").focus()
        page.keyboard.type("none")
        page.get_by_role("img", name="green arrow to 05;").wait_for()
        page.get_by_label("What is written on it, 8 letters at most").focus()
        page.keyboard.press("Enter")
        page.get_by_role("status").get_by_text("1 of 41 entered").wait_for()
    assert values(boxes, BREAKER)["gates.0.green"] == ["G05"]


@lanes.gate
@pytest.mark.browser
def test_a_wrong_value_is_told_at_its_field_and_not_lost(
    night: Night, browser: Browser, boxes: Boxes
) -> None:
    with box_page(night, TIMEMIT, browser) as page:
        picks(page, "21 Beer")
        page.get_by_role("combobox", name="In combat").select_option("something else, typed")
        page.get_by_label("In combat, typed").fill("F4&p-")
        page.get_by_label("In combat, typed").press("Enter")
        wrong = page.get_by_role("group", name="In combat")
        wrong.get_by_text("right would be “F4 & P-”").wait_for()
        page.get_by_role("status").get_by_text("is not understood here").first.wait_for()
        page.reload()
        page.get_by_role("button", name="21 Beer: ").click()
        assert page.get_by_label("In combat, typed").input_value() == "F4&p-"
        page.get_by_label("In combat, typed").fill("F4 & P-")
        page.get_by_label("In combat, typed").press("Enter")
        page.get_by_role("status").get_by_text("1 of 65 entered").wait_for()
    assert boxes.page(TIMEMIT)["mistakes"] == []


@pytest.mark.browser
def test_what_cannot_be_kept_stays_and_is_kept_later(
    night: Night, browser: Browser, boxes: Boxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with box_page(night, BREAKER, browser) as page:
        with monkeypatch.context() as broken:
            broken.setattr("chronotable_night.boxes.write_whole", full)
            page.get_by_label("What is written on it, 8 letters at most").fill("Rome")
            page.get_by_label("What is written on it, 8 letters at most").press("Tab")
            page.locator(".entry").get_by_text("No space left").wait_for()
            page.get_by_role("button", name="The one after").click()
            page.get_by_role("button", name="The one before").click()
            assert (
                page.get_by_label("What is written on it, 8 letters at most").input_value()
                == "Rome"
            )
        page.evaluate("dispatchEvent(new Event('offline'))")  # and back
        waits_until(page, lambda: values(boxes, BREAKER)["gates.0.label"] == "Rome")


@pytest.mark.browser
@pytest.mark.parametrize("kind", lanes.once(WITH_DATA))
def test_each_kind_of_item_fits(
    kind: Kind, night: Night, browser: Browser, boxes: Boxes, pictures: Path
) -> None:
    boxes.enter(TIMEMIT, CARD, "F4&p-")
    boxes.enter(BREAKER, TILE, "G01")
    boxes.enter(BREAKER, "deck.4.total", 0)
    wrong = {TIMEMIT: "cards.18", BREAKER: "gates.0"}[kind]
    for (width, height), theme in LOOKS:
        with box_page(night, kind, browser, ((width, height), theme)) as page:
            page.locator(".steps .main").wait_for()
            firsts = page.locator("optgroup > :first-child").all()
            keys = [str(each.get_attribute("value")) for each in firsts]
            for key in [*keys, wrong]:
                page.get_by_label("Card or tile").select_option(key)
                look_at(page, f"box {key} {width} {theme}", pictures)


@pytest.mark.browser
def test_the_big_screen_and_phones_lead_to_the_box_of_their_game(
    night: Night, browser: Browser
) -> None:
    with opened(browser, f"http://{night.own}/", BIG) as page:
        page.get_by_role("link", name="Our box").click()
        page.get_by_role("heading", name="Our box: Time Breaker").wait_for()
        page.get_by_role("link", name="Back").click()
        page.get_by_role("heading", name="Time Breaker", exact=True).wait_for()
    with opened(browser, f"http://{night.own}/seat/t1/") as phone:
        phone.locator("#more").tap()
        phone.get_by_role("button", name="The table", exact=True).tap()
        phone.get_by_role("link", name="Our box").tap()
        phone.get_by_role("heading", name="Our box: Time Breaker").wait_for()
        phone.get_by_role("link", name="Back").tap()
        phone.locator("body[data-mode=lobby]").wait_for()
