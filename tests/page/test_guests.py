"""Guests: one side of the table, played by whoever has the link, and nothing besides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from chronotable.lights import meanings
from chronotable.link.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.live.players.hinter import Hinter
from chronotable_host.live.players.person import Guest
from chronotable_host.rulebook import book
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.web import building, service
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.http.viewers import Viewer
from chronotable_host.web.page import ConnectionState
from tests.host.leaks import leaks
from tests.page.evening import EAST_AND_FORWARD, EAST_EAST, Evening
from tests.page.looker import NEW, Looker, asked, chosen
from tests.page.served import served
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

TURN = ("16", "N", "N", ">present")
"""A turn of black's at the start, choice by choice."""


class Visit:
    """Somebody who has opened a guest's link."""

    def __init__(self, looker: Looker, hub: Hub, device: str = "laptop") -> None:
        self._looker = looker
        self._hub = hub
        self.viewer: Viewer = hub.join("elsewhere", lambda: None, device)
        self.control: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.greeting: dict[str, Any] = {}
        self._number = 0
        self.look()

    def look(self) -> dict[str, Any]:
        """Return what is shown a moment later."""
        self._looker.evening.wait(60)
        self._take()
        return self.view

    def ask(self, do: str, **values: Any) -> str:
        """Ask for something; return why it is refused, "" where it is done."""
        self._number += 1
        request = {"id": self._number, **asked(do, self.view, values)}
        self._hub.receive(self.viewer, json.dumps(request))
        self._looker.evening.wait(60)
        (reply,) = (told for told in self._take() if told["type"] == "reply")
        assert reply["id"] == self._number
        return str(reply.get("why", ""))

    def plays(self, *choices: str) -> None:
        """Put a turn together, and play it."""
        for text in choices:
            assert self.ask("choose", text=text) == ""

    def leaves(self) -> None:
        """Close the page."""
        self._hub.leave(self.viewer)

    def _take(self) -> list[dict[str, Any]]:
        told = [json.loads(text) for text in self._hub.outgoing(self.viewer)]
        for message in told:
            if message["type"] == "view":
                self.view = message
            elif message["type"] == "hello":
                self.greeting = message
            elif message["type"] == "control":
                self.control = message
        return told


class Table:
    """A virtual table whose black is played by a guest."""

    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self.evening = looker.evening
        self.seats = looker.seats
        self.links: list[tuple[int, str]] = []
        looker.page.guests.open_at("http://here/guest/", lambda *told: self.links.append(told))
        assert looker.ask("sit", side="black", who="guest") == ""

    @property
    def guest(self) -> Guest:
        guest = self.seats.thinkers[BLACK]
        assert isinstance(guest, Guest)
        return guest

    def opens(self, device: str = "laptop") -> Visit:
        hub = self.looker.page.guests.hub_of(self.guest.token)
        assert hub is not None
        return Visit(self.looker, hub, device)

    def turns(self) -> list[str]:
        return [format_turn(turn) for turn in self.evening.mirror.game.turns]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    with closing(Evening(folder=tmp_path)) as evening:
        yield Table(Looker(evening, tmp_path))


def test_a_guest_is_not_asked_what_the_page_is_asked(table: Table) -> None:
    assert table.looker.ask("sit", side="white", who="page") == ""
    table.evening.wait_until(lambda: table.looker.look()["builder"])
    assert table.looker.view["says"] == "Choose a copy"
    assert table.opens().view["says"] == "White to move"


def test_a_guest_plays_a_turn_that_is_carried_out_at_the_table(table: Table) -> None:
    guest = table.opens()
    assert guest.greeting["side"] == "black"
    assert guest.view["builder"] is None
    assert guest.view["says"] == "White to move"
    assert guest.ask("choose", text="16") == "it is not your turn"
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    assert guest.view["builder"] == {
        "due": "copy",
        "side": BLACK,
        "text": "",
        "active": None,
        "left": 0,
        "supply": [4, 4],
        "refusals": building.refusals(table.guest.builder, ""),
        "tips": [list(each) for each in building.tips_for(table.guest.builder, BLACK)],
        "choices": [{"at": 47, "text": "16", "meaning": meanings.COPY}],
    }
    assert guest.view["leds"][47] == meanings.COPY
    guest.plays(*TURN)
    assert guest.view["note"] != "Hands carry it out there.", "there are none at a virtual table"
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)
    assert table.turns()[1] == "16 N N >present"


def test_pieces_are_shown_where_the_turn_would_put_them(table: Table) -> None:
    guest = table.opens()
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    assert guest.ask("choose", text="16") == ""
    assert guest.ask("choose", text="N") == ""
    shown = {each["at"]: each["look"] for each in guest.view["pieces"]}
    assert shown[43] == "black"
    assert 47 not in shown
    assert guest.ask("back") == ""
    assert {each["at"]: each["look"] for each in guest.view["pieces"]}[47] == "black"
    assert guest.ask("choose", text="S") == "this cannot be chosen now"


def test_a_press_on_boards_that_are_behind_is_not_the_next_choice(table: Table) -> None:
    guest = table.opens()
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    assert guest.ask("choose", text="16", after="") == ""
    for _ in range(2):  # a double click: the copy is north once
        assert guest.ask("choose", text="N", after="16") == ""
        assert chosen(guest.view) == "16 N"
    changed = "the turn has changed meanwhile; choose again"
    assert guest.ask("choose", text="W", after="16") == changed
    assert guest.ask("choose", text="16", after="") == changed
    assert chosen(guest.view) == "16 N"
    guest.plays(*TURN[2:])
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)


def test_a_guest_comes_back_to_the_turn_in_the_making(table: Table) -> None:
    guest = table.opens()
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    assert guest.ask("choose", text="16") == ""
    again = table.opens()  # another page of the same browser
    assert again.view["builder"]["text"] == "16"
    assert again.ask("choose", text="W") == ""
    assert guest.ask("back") == ""
    again.look()
    again.plays(*TURN[1:])
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)


def both_have_played(table: Table) -> Visit:
    """Have hands and a guest play a turn each, which count."""
    guest = table.opens()
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    guest.plays(*TURN)
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)
    table.evening.wait(1500)
    return guest


@pytest.mark.parametrize("button", ["undo", "press"])
def test_nobody_takes_a_guest_s_turn_back_unasked(table: Table, button: str) -> None:
    guest = both_have_played(table)
    looker = table.looker
    values = {"button": "undo", "side": "white"} if button == "press" else {}
    assert looker.ask(button, **values) == ""
    table.evening.wait(500)
    assert len(table.turns()) == 2
    says = "White would like to take 2 turns back."
    assert guest.look()["asks"]["says"] == says
    assert looker.look()["asked"]["says"] == "You have asked Black whether you may take turns back."
    assert looker.ask("undo") == "there is a question already that waits for its answer"
    assert guest.ask("decline") == ""
    assert guest.look()["note"] == looker.look()["note"] == "Black says no."
    assert looker.view["asked"] is guest.view["asks"] is None
    assert looker.ask("undo") == ""
    assert looker.ask("withdraw") == ""
    assert guest.look()["note"] == looker.look()["note"] == "White withdraws the question."
    assert looker.ask("undo") == ""
    guest.look()
    assert guest.ask("agree") == ""
    table.evening.wait_until(lambda: not table.turns(), 30_000)


@pytest.mark.parametrize("answer", ["agree", "decline"])
def test_a_guest_s_turn_that_hands_took_back_at_the_table_is_played_again_or_not(
    table: Table, answer: str
) -> None:
    guest = both_have_played(table)
    table.evening.table.press("undo", WHITE)
    table.evening.wait_until(lambda: len(table.turns()) == 1)
    says = "White would like to take 1 turn back."
    assert guest.look()["asks"]["says"] == says
    assert guest.ask(answer) == ""
    table.evening.wait(500)
    table.evening.hand.lay(table.evening.mirror.game.state)
    if answer == "agree":
        table.evening.wait_until(lambda: guest.look()["builder"], 30_000)
        table.evening.wait(5000)
        assert table.turns() == ["1 E F >future"]
    else:
        table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)
        assert table.turns()[1] == " ".join(TURN)


@pytest.mark.parametrize("what", ["lesson", "puzzle"])
@pytest.mark.parametrize("answer", ["agree", "decline"])
def test_a_guest_is_asked_whether_the_game_gives_way_to_a_lesson_and_plays_on_behind_it(
    table: Table, what: str, answer: str
) -> None:
    guest, looker, token = both_have_played(table), table.looker, table.guest.token
    table.evening.assist()
    assert looker.ask(what, number=1, **({"player": ""} if what == "puzzle" else {})) == ""
    asked = f"White would like to end this game for a {what}."
    assert guest.look()["asks"]["says"] == asked
    assert looker.look()["asked"]["says"] == f"You have asked Black to end this game for a {what}."
    assert looker.view["lesson"] is None
    assert guest.ask(answer) == ""
    table.evening.wait()
    if answer == "decline":
        assert looker.look()["lesson"] is None
        assert len(table.turns()) == 2
        return
    assert looker.look()["lesson"] is not None
    assert guest.ask("resign") == "that is for who plays black to say"
    assert looker.ask("leave") == ""
    looker.look()
    assert table.guest.token == token
    assert guest.viewer.closing is None


def test_a_guest_asks_for_its_own_turn_back_and_for_that_of_others(table: Table) -> None:
    guest = both_have_played(table)
    assert guest.ask("undo") == ""
    table.evening.wait(500)
    assert len(table.turns()) == 2
    asks = "Black would like to take 1 turn back."
    assert table.looker.look()["asks"]["says"] == asks
    assert guest.look()["asked"]["says"] == "You have asked White whether you may take turns back."
    assert table.looker.ask("agree") == ""
    table.evening.wait(500)
    assert guest.look()["says"] == "The pieces are being put in place"
    assert guest.view["said"] == "White says yes."
    table.evening.hand.lay(table.evening.mirror.game.state)
    table.evening.wait_until(lambda: guest.look()["builder"], 30_000)
    assert table.turns() == ["1 E F >future"]
    assert guest.ask("undo") == "there is no turn of yours that could be taken back"
    guest.plays(*TURN)
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)
    looker = table.looker
    assert looker.ask("sit", side="white", who="page") == ""
    table.evening.wait_until(lambda: looker.look()["builder"], 30_000)
    for text in ("1", "E", "E", ">present"):
        assert looker.ask("choose", text=text) == ""
    table.evening.wait_until(lambda: len(table.turns()) == 3, 30_000)
    guest.look()
    assert guest.ask("undo") == ""
    says = "Black would like to take 2 turns back."
    assert looker.look()["asks"]["says"] == says
    assert looker.ask("agree") == ""
    table.evening.wait_until(lambda: table.turns() == ["1 E F >future"], 30_000)


def test_a_new_game_in_the_middle_of_one_with_a_guest_is_asked_for(table: Table) -> None:
    guest = both_have_played(table)
    assert table.looker.ask("new", **NEW) == ""
    says = "White would like to begin another game."
    assert guest.look()["asks"]["says"] == says
    assert len(table.turns()) == 2
    assert guest.ask("agree") == ""
    table.evening.wait_until(lambda: not table.turns(), 30_000)
    assert table.looker.look()["game"]["white"] == "Ann"


def test_a_guest_who_is_not_there_is_not_asked_for_another_game(table: Table) -> None:
    guest, looker = both_have_played(table), table.looker
    looker.page.guests.hub_of(table.guest.token).leave(guest.viewer)
    table.evening.assist()
    looker.look()
    assert looker.ask("lesson", number=1) != "", "it puts no game aside unasked"
    assert looker.ask("new", **NEW | {"seats": ["hands", "level:1"]}) == ""
    assert looker.view["asked"] is None
    table.evening.wait_until(lambda: not table.turns(), 30_000)
    assert looker.look()["players"]["black"] == "level:1"


TAKEN = "this place is taken; you look on"


def test_who_tells_no_device_shares_the_place_with_nobody(table: Table) -> None:
    guest, second = table.opens(""), table.opens("")
    assert (guest.control["yours"], second.control["yours"]) == (True, False)


def test_who_comes_by_the_link_of_somebody_else_looks_on(table: Table) -> None:
    guest, second = table.opens("laptop"), table.opens("phone")
    assert (guest.control["yours"], second.control["yours"]) == (True, False)
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    for do, values in (("choose", {"text": "16"}), ("resign", {}), ("take_control", {})):
        assert second.ask(do, **values) == TAKEN
    assert guest.ask("choose", text="16") == ""
    assert chosen(second.look()) == "16", "who looks on sees the turn in the making"
    guest.leaves()
    guest = table.opens("laptop")
    assert guest.control["yours"], "a page that is loaded anew has its place"
    guest.plays(*TURN[1:])
    table.evening.wait_until(lambda: len(table.turns()) == 2, 30_000)


def test_the_place_of_a_guest_who_has_gone_is_anybody_s_with_the_link(table: Table) -> None:
    guests, now = table.looker.page.guests, [0.0]
    guests._clock = lambda: now[0]
    guest, second = table.opens("laptop"), table.opens("phone")
    guest.leaves()
    second.look()
    for passed, holder in ((7.0, guest.viewer.name), (9.0, None)):
        now[0] = passed
        second.look()
        assert second.control["holder"] == holder
    assert not table.guest.is_there
    assert second.ask("take_control") == ""
    assert second.control["yours"]
    former = table.opens("laptop")
    assert not former.control["yours"]
    assert table.guest.is_there
    second.leaves()
    assert former.look()["guests"] == {"black": "here"}
    now[0] = 20.0
    assert former.look()["guests"] == {"black": "gone"}
    assert table.opens("tablet").control["yours"], "who comes then plays"


def test_a_guest_has_a_name_in_the_game_that_goes_on_and_in_its_record(table: Table) -> None:
    guest = both_have_played(table)
    record = table.evening.mirror.record
    assert record is not None
    for name, called in (("Ann", "Ann"), (" Anna ", "Anna"), ("", "A guest")):
        assert guest.ask("name", name=name) == ""
        assert guest.look()["game"]["black"] == table.looker.look()["game"]["black"] == called
        assert record.headers["Black"] == called
    assert guest.ask("name", name="Ann") == ""
    table.evening.do(*EAST_EAST)
    table.evening.wait_until(lambda: len(table.turns()) == 3, 30_000)
    assert "Ann" not in "".join(record.comments), "it is nobody else who plays from there on"


@pytest.mark.parametrize("by", ["guest", "host"])
def test_two_people_end_a_game_without_a_result(table: Table, by: str) -> None:
    guest, looker = both_have_played(table), table.looker
    asks, asked = (guest, looker) if by == "guest" else (looker, guest)
    own, other = ("Black", "White") if by == "guest" else ("White", "Black")
    assert asks.ask("aside") == ""
    says = f"{own} would like to end this game without a result; it is kept."
    assert asked.look()["asks"]["says"] == says
    waits = f"You have asked {other} to end this game without a result."
    assert asks.look()["asked"]["says"] == waits
    assert asked.ask("decline") == ""
    assert asks.look()["note"] == f"{other} says no."
    assert len(table.turns()) == 2
    assert asks.ask("aside") == ""
    asked.look()
    assert asked.ask("agree") == ""
    table.evening.wait_until(lambda: not table.turns(), 30_000)
    for each in (asks, asked):
        assert each.look()["said"] == "The game has ended without a result, and is kept."
    archive = table.evening.archive
    assert archive is not None
    (entry,) = archive.games()
    assert entry.result == "*"
    assert not table.evening.heard("game_over")


def test_a_guest_has_a_name_from_the_next_game_on_whose_first_turn_is_not_written(
    table: Table,
) -> None:
    guest = table.opens()
    assert table.looker.look()["game"]["black"] == "A guest"
    assert guest.ask("name", name=" Ann ") == ""
    assert table.looker.look()["game"]["black"] == "Ann"
    assert guest.ask("name", name="") == ""
    assert table.looker.look()["game"]["black"] == "A guest"


def test_resigning_and_draws_are_the_guest_s_own(table: Table) -> None:
    guest = table.opens()
    assert guest.ask("draw") == ""
    assert not table.evening.heard("game_over")
    assert guest.ask("resign") == ""
    table.evening.wait(500)
    assert table.evening.heard("game_over") == ["white"]
    over = guest.look()["game"]["over"]
    assert over == table.looker.look()["game"]["over"]
    assert over["says"] == "White wins by resignation."


def test_a_guest_may_ask_for_hints_where_they_are_allowed(table: Table) -> None:
    """It sees those of the own turns, and not those that somebody at the table asks for."""
    guest = table.opens()
    assert guest.ask("hint") == "there are no hints at this table"
    hints = parse_turn("1 E F >future"), parse_turn(" ".join(TURN))

    def adviser() -> AtOnce:
        return AtOnce("level:8", lambda game: hints[game.mover])

    evening = table.evening
    evening.hinter = Hinter(evening, adviser)
    evening.hinter.choose("both")
    assert table.looker.ask("hint") == ""
    evening.wait()
    assert guest.look()["hint"] is None
    assert guest.ask("hint") == "there is no turn to be made here just now"
    evening.do(*EAST_AND_FORWARD)
    evening.wait(2000)
    assert guest.look()["hints"] == {"white": True, "black": True}
    assert guest.ask("hint") == ""
    evening.wait()
    assert guest.look()["hint"]["says"] == "Hint: the copy on future 16 is the one to choose."
    lit = [at for at, says in enumerate(guest.view["leds"]) if says == meanings.COPY]
    assert lit == [47]
    assert table.looker.ask("hint") == "there is no turn to be made here just now"


@pytest.mark.parametrize("do", sorted({*service.COMMANDS} - {*service.GUEST_COMMANDS}))
def test_nothing_else_can_be_asked_for(table: Table, do: str) -> None:
    guest = table.opens()
    assert guest.ask(do) == f"'{do}' is nothing that can be asked for"


def test_a_guest_is_shown_the_game_and_no_more(table: Table) -> None:
    guest = table.opens()
    assert {*guest.view} == {
        *("type", "version", "phase", "says", "note", "leds", "todo", "game", "clocks"),
        *("asks", "asked", "said", "pieces", "players", "builder", "hint", "hints", "scores"),
        "guests",
    }
    assert "id" not in guest.view["game"]
    assert {*guest.greeting} == {
        *("type", "server", "you", "board", "looks", "mode", "side"),
        *("candidates", "chapters", "places", "here"),
    }


def test_the_seat_of_somebody_else_ends_the_invitation(table: Table) -> None:
    guest = table.opens()
    token = table.guest.token
    ((side, link),) = table.links
    assert (side, link) == (BLACK, f"http://here/guest/{token}/")
    assert [*table.looker.page.guests.invitations()] == ["black"]
    assert table.looker.ask("sit", side="black", who="hands") == ""
    table.looker.look()
    assert guest.viewer.closing == (1001, "the invitation has ended")
    assert table.looker.page.guests.hub_of(token) is None
    assert table.looker.page.guests.invitations() == {}
    assert table.looker.ask("sit", side="black", who="guest") == ""
    table.looker.look()
    assert table.guest.token != token
    assert table.looker.page.guests.hub_of("") is None


def test_a_guest_comes_along_to_the_other_side(table: Table) -> None:
    guest, looker, token = table.opens(), table.looker, table.guest.token
    assert looker.ask("sit", side="white", who="page") == ""
    assert guest.ask("name", name="Ben") == ""
    looker.look()
    for side, seats in (("white", ["guest", "page"]), ("black", ["page", "guest"])):
        assert looker.ask("new", **NEW | {"seats": seats}) == ""
        table.evening.wait()
        guest.look()
        assert guest.viewer.closing is None
        assert guest.greeting["side"] == side
        assert looker.look()["game"][side] == "Ben"
        assert [*looker.page.guests.invitations()] == [side]
        assert looker.page.guests.hub_of(token) is not None
    assert looker.look()["players"] == {"white": "page", "black": "guest"}
    table.evening.wait_until(lambda: guest.look()["builder"], 30_000)


def test_a_guest_asks_for_a_rematch_and_who_lost_begins(table: Table) -> None:
    guest, looker = both_have_played(table), table.looker
    assert guest.ask("rematch") == "the game is not over yet"
    assert guest.ask("resign") == ""
    table.evening.wait(500)
    assert guest.ask("rematch") == ""
    assert looker.look()["asks"]["says"] == "Black would like a rematch."
    assert looker.ask("decline") == ""
    assert guest.look()["note"] == "White says no."
    assert guest.ask("rematch") == ""
    looker.look()
    assert looker.ask("agree") == ""
    table.evening.wait_until(lambda: not table.turns(), 30_000)
    table.evening.hand.lay(table.evening.mirror.game.state)
    table.evening.wait_until(lambda: guest.look()["builder"], 30_000)
    assert looker.look()["game"]["mover"] == "black"


def test_the_page_tells_whether_the_guest_has_come_and_gone(table: Table) -> None:
    looker, guests, now = table.looker, table.looker.page.guests, [0.0]
    guests._clock = lambda: now[0]
    assert looker.look()["guests"] == {"black": "awaited"}
    guest, hub = table.opens(), guests.hub_of(table.guest.token)
    assert hub is not None
    assert looker.look()["guests"] == {"black": "here"}
    hub.leave(guest.viewer)
    for passed, presence in ((7.0, "here"), (9.0, "gone")):
        now[0] = passed
        assert looker.look()["guests"] == {"black": presence}
    table.opens()
    assert looker.look()["guests"] == {"black": "here"}


def test_two_guests_have_a_seat_each(table: Table) -> None:
    black = table.opens()
    assert table.looker.ask("sit", side="white", who="guest") == ""
    assert table.looker.look()["invitations"] == 2
    white = Visit(table.looker, table.looker.page.guests.hub_of(table.seats.thinkers[WHITE].token))
    assert white.greeting["side"] == "white"
    table.evening.wait_until(lambda: white.look()["builder"])
    assert black.look()["builder"] is None
    assert black.ask("choose", text="1") == "it is not your turn"


# ---- at a real table, by lights


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A real table, as `play` has it: the turns of guests are lit, and nobody carries them out."""
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    with closing(Evening(folder=tmp_path)) as evening:
        yield Table(Looker(evening, tmp_path, real=True))


def to_move(table: Table) -> Visit:
    """Have a guest open the link, and hands make the turn before."""
    guest = table.opens()
    table.evening.do(*EAST_AND_FORWARD)
    table.evening.wait_until(lambda: guest.look()["builder"])
    return guest


def is_wanted(table: Table) -> bool:
    return table.evening.mirror.table.is_turn_wanted


def test_however_often_a_guest_asks_the_table_is_not_flooded(real: Table) -> None:
    guest = to_move(real)
    for number in range(20):
        message = {"id": 100 + number, "do": ("draw", "resign")[number % 2 and number > 10]}
        real.looker.page.guests.hub_of(real.guest.token).receive(guest.viewer, json.dumps(message))
    real.evening.wait(200)
    guest.look()
    assert guest.ask("draw") in ("your offer stands already", "that was often; wait for a moment")


def test_a_table_that_takes_no_more_commands_ends_nothing(real: Table) -> None:
    guest = to_move(real)
    assert real.guest.builder is not None
    with pytest.raises(LocalLinkError):
        for _ in range(100):
            real.evening.session.command("answer", choice="n")
    for text in TURN:
        real.guest.choose(text, real.guest.builder.text)
    real.evening.wait(3000)
    assert is_wanted(real)
    assert guest.look()["note"] == "Hands carry it out there."


def test_a_yes_that_the_table_cannot_take_yet_can_be_said_once_more(real: Table) -> None:
    guest, negotiation = to_move(real), real.looker.page.desk.negotiation
    assert real.looker.ask("draw", side="white") == ""
    with pytest.raises(LocalLinkError):
        for _ in range(100):
            real.evening.session.set({"brightness": 1})
    with pytest.raises(LocalLinkError):
        negotiation.answer(BLACK, None, is_yes=True)
    real.evening.wait(3000)
    assert guest.look()["asks"]["says"] == "White offers a draw."
    assert guest.ask("agree") == ""
    real.evening.wait_until(lambda: real.evening.heard("game_over") == ["draw"])


def test_a_turn_is_not_played_again_in_another_game(real: Table) -> None:
    assert real.looker.ask("sit", side="white", who="guest") == ""
    real.looker.look()
    white = real.seats.thinkers[WHITE]
    assert isinstance(white, Guest)
    guest = Visit(real.looker, real.looker.page.guests.hub_of(white.token))
    real.evening.wait_until(lambda: guest.look()["builder"])
    guest.plays("1", "E", "E", ">present")
    real.evening.wait(500)
    assert is_wanted(real)
    new = NEW | {"white": "", "black": "", "handicap": [0, 0], "first": "white"}
    assert real.looker.ask("new", **new) == ""
    real.evening.wait(3000)
    assert guest.look()["builder"]["text"] == ""
    assert not is_wanted(real)


def test_who_plays_the_other_side_makes_no_difference(real: Table) -> None:
    guest = to_move(real)
    guest.plays(*TURN)
    real.evening.wait(500)
    assert is_wanted(real)
    assert real.looker.ask("sit", side="white", who="random") == ""
    real.evening.wait(500)
    assert is_wanted(real)
    assert guest.look()["builder"] is None
    assert real.looker.ask("sit", side="black", who="hands") == ""
    real.evening.wait(500)
    assert not is_wanted(real)


def test_a_table_that_is_away_is_said_to_be(real: Table) -> None:
    guest = to_move(real)
    real.looker.page._connection = lambda: ConnectionState("waiting", "no table yet")
    real.evening.connection = SimpleNamespace(is_there=False)  # type: ignore[assignment]
    assert guest.look()["builder"] is None
    assert guest.view["says"] == "The table is away"
    assert guest.ask("resign") == "there is no game that goes on just now"


def test_an_offer_of_a_draw_is_seen(real: Table) -> None:
    guest = to_move(real)
    assert guest.view["asks"] is None
    assert real.looker.ask("draw", side="white") == ""
    assert guest.look()["asks"]["says"] == "White offers a draw."
    assert real.looker.look()["asked"]["says"] == "You have offered Black a draw."
    assert real.looker.ask("draw", side="white") == "your offer stands already"
    assert guest.ask("decline") == ""
    declined = "Black plays on."
    assert guest.look()["note"] == real.looker.look()["note"] == declined
    assert [each["text"] for each in real.looker.view["log"]][-1] == declined
    real.evening.wait(500)
    assert real.looker.look()["asked"] is None
    assert real.evening.mirror.table.offers == set(), "the table has let go of it, too"


def test_an_offer_that_hands_make_at_the_table_is_seen_and_taken(real: Table) -> None:
    guest = to_move(real)
    for _ in range(2):
        real.evening.table.press("draw", 0)
        real.evening.wait(500)
        assert guest.look()["asks"]["says"] == "White offers a draw."
        assert guest.view["game"]["over"] is None
    assert guest.ask("draw") == ""
    real.evening.wait(500)
    assert guest.look()["game"]["over"] is not None
    assert guest.view["asks"] is None


def test_a_program_s_path_stays_here(real: Table) -> None:
    guest = real.opens()
    assert real.looker.ask("sit", side="white", who="random") == ""
    assert guest.look()["players"] == {"white": "random", "black": "guest"}
    view = {**real.looker.page.view(), "players": {"white": "engine:/opt/my/engine -x"}}
    real.looker.page.guests.step(view)
    assert guest.look()["players"]["white"] != "engine:/opt/my/engine -x"


def test_who_is_invited_again_keeps_the_link(table: Table) -> None:
    token = table.guest.token
    assert table.looker.ask("sit", side="black", who="guest") == ""
    assert table.guest.token == token
    assert [link for _, link in table.links] == [f"http://here/guest/{token}/"] * 2


def test_who_comes_after_the_invitation_has_ended_is_sent_away(table: Table) -> None:
    hub = table.looker.page.guests.hub_of(table.guest.token)
    assert hub is not None
    assert table.looker.ask("sit", side="black", who="hands") == ""
    assert hub.join("late", lambda: None).closing == (1001, "the invitation has ended")


def test_a_turn_that_nobody_took_is_played_once_it_is_due_again() -> None:
    guest, game = Guest("guest"), Game()
    guest.begin(game)
    for text in ("1", "E", "E", ">present"):
        assert guest.builder is not None
        guest.choose(text, guest.builder.text)
    guest.cancel()
    assert guest.poll() is None
    guest.begin(game)
    assert guest.poll() == parse_turn("1 E E >present")
    assert guest.poll() is None
    guest.begin(game)
    assert guest.builder is not None
    assert guest.builder.text == ""


def test_a_token_of_any_letters_is_none(table: Table) -> None:
    assert table.looker.page.guests.hub_of("é") is None


# ---- the link, from outside


class Door:
    """Invitations of one guest, for a server."""

    played = ""

    def __init__(self) -> None:
        self.hub = Hub(lambda: {"mode": "guest"}, commands=service.GUEST_COMMANDS)

    def hub_of(self, token: str) -> Hub | None:
        return self.hub if token == "Sesame" else None

    def invitations(self) -> dict[str, Any]:
        return {}

    def dismiss(self, code: int, why: str) -> None:
        self.hub.dismiss(code, why)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("index.html", "guest.html", "guest.js"):
        (tmp_path / name).write_text(name, "utf-8")
    return tmp_path


@pytest.mark.parametrize("token", ["", "T"])
def test_a_link_leads_to_its_seat_and_nowhere_else(folder: Path, token: str) -> None:
    with served(folder, token=token, guests=Door()) as page:
        for path, body in (
            ("/guest/Sesame/", b"guest.html"),
            ("/guest/Sesame/static/guest.js", b"guest.js"),
        ):
            answer = page.get(path)
            assert (answer.status, answer.body) == (200, body)
        for path in ("board.svg", "help/", "help/page"):
            assert page.get(f"/guest/Sesame/{path}").status == 200, path
        for path in ("api/games", "api/invitations", "picture.svg", "", "x", "static/"):
            answer = page.get(f"/guest/Sesame//{path}")
            assert answer.status == 404, path
        for path in ("api/games", "api/invitations", "api/rules/T12", "record", "../api/games"):
            assert page.get(f"/guest/Sesame/{path}").status == 404, path
        for path in (
            "/guest/",
            "/guest/sesame/",
            "/guest/T/",
            "/guest/Sesam/",
            "/guest/Sesame%00/",
        ):
            answer = page.get(path)
            assert (answer.status, answer.why) == (
                403,
                "this invitation has ended; ask for a new link",
            )
        if token:
            for path in (
                "/",
                "/api/games",
                "/api/invitations",
                "/?token=Sesame",
                "/static/guest.js",
                "/help/",
                "/api/rules",
                "/guest/sesame/api/rules",
            ):
                assert page.get(path).status == 403, path


def test_a_guest_takes_along_the_game_that_was_played(folder: Path) -> None:
    door = Door()
    with served(folder, token="T", guests=door) as page:
        assert page.get("/guest/Sesame/game").status == 404
        door.played = "one"
        answer = page.get("/guest/Sesame/game")
        assert (answer.status, answer.body) == (200, b"one page 0")
        assert answer.headers["content-security-policy"] == "frame-ancestors 'none'"
        assert page.get("/guest/Sesame/review").body == b"one served 0"
        assert page.get("/guest/sesame/game").status == 403


@pytest.mark.parametrize("token", ["", "T"])
def test_a_guest_reads_the_rules_that_are_unlocked(
    folder: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(folder))
    with served(folder, token=token, guests=Door()) as page:
        for count in range(chapters.COUNT + 1):
            chapters.unlock_to(count)
            answer = page.get("/guest/Sesame/api/rules")
            assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
            told = [part["title"] for part in json.loads(answer.body)["parts"]]
            assert told == [part.title for part in book.parts()]
            assert bool(leaks(answer.body.decode())) is (count > 0)


def test_the_socket_of_a_guest(folder: Path) -> None:
    door = Door()
    with served(folder, token="T", guests=door) as page:
        with page.visit(path="/guest/Sesame/ws") as guest:
            assert guest.hears("hello")["mode"] == "guest"
            assert "nothing that can be asked for" in guest.is_told(guest.ask("new"))
            door.hub.end(1001, "the invitation has ended")
            assert guest.closed_with() == (1001, "the invitation has ended")
        for path in ("/ws", "/guest/Sesam/ws"):
            with pytest.raises(InvalidStatus), page.visit(path=path):
                pass
        with (
            pytest.raises(InvalidStatus),
            page.visit(path="/guest/Sesame/ws", Origin="http://elsewhere"),
        ):
            pass


def test_who_opens_a_link_that_leads_nowhere_reads_a_sentence(folder: Path) -> None:
    reader = {"Accept": "text/html,*/*", "Accept-Language": "de"}
    with served(folder, token="T", guests=Door()) as page:
        for path in ("/", "/guest/sesame/"):
            answer = page.get(path, **reader)
            assert (answer.status, answer.headers["content-type"]) == (
                403,
                "text/html; charset=utf-8",
            )
        assert "<p>Diese Einladung gilt nicht mehr; bitte um einen neuen Link.</p>" in (
            answer.body.decode()
        )
        german = {"Accept-Language": "de"}
        assert page.get(path, **german).why == (
            "diese Einladung gilt nicht mehr; bitte um einen neuen Link"
        )
