"""A night that is served: links, codes, sockets, bots, and who sends what they should not."""

import json
import re
from concurrent.futures import Future
from contextlib import contextmanager
from ipaddress import ip_address
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chronotable_host.language.names import CODE_WORDS
from chronotable_host.web.http import serving
from chronotable_host.web.http.addresses import EVERYWHERE
from chronotable_host.web.http.viewers import MOST_VIEWERS, POLICY
from chronotable_night.evening import Evening
from chronotable_night.games.bots import BOTS
from chronotable_night.people import CodeCheck, new_code
from chronotable_night.server import NightServer
from tests import lanes
from tests.night.drawn import BIG, opened
from tests.night.rooms import choices, room_of
from tests.page.served import Served, Visitor

WAIT_S = 60
CODE = "river-lamp-otter"


class AtOnce:
    """Bots that think here; `asked` counts what they were asked."""

    def __init__(self, room):
        self.room = room
        self.asked = []
        self.breaks = 0

    def choose(self, due):
        self.asked.append(due)
        answer = Future()
        if self.breaks:
            self.breaks -= 1
            answer.set_exception(ValueError("a bot that has no answer"))
        else:
            answer.set_result(BOTS[due.bot](self.room.game, due.view, due.seat, Random(0)))
        return answer

    def close(self):
        pass


class Page(Visitor):
    """A page of somebody: what it was told last, and what it asks for."""

    state = None

    def hear(self, is_it=lambda state: True):
        """Wait for a state; return it."""
        while self.state is None or not is_it(self.state):
            self._take()
        return self.state

    def ask(self, do, **values):
        """Ask for something; return the answer."""
        return self.send({"id": next(self._ids), "do": do, **values})

    def send(self, message):
        self.say(message)
        while (told := self._take())["type"] != "answer":
            pass
        return told

    def _take(self):
        told = json.loads(self.socket.recv(WAIT_S))
        if told["type"] == "state":
            self.state = told
        return told


class Night(Served):
    def __init__(self, evening, server):
        super().__init__(server)
        self.evening = evening
        self.room = evening.room

    def page(self, token="", **headers):
        path = f"/night/socket/{token}" if token else "/night/socket"
        return self.visit(path=path, kind=Page, **headers)


@contextmanager
def served(room, **where):
    evening = Evening(room, CodeCheck(CODE), AtOnce(room), pace_s=0)
    server = NightServer(evening, **where)
    server.start()
    try:
        yield Night(evening, server)
    finally:
        server.close()


@pytest.fixture
def night():
    with served(room_of(begun=False)) as night:
        yield night


# ---- coming in


def test_each_page_is_told_in_its_own_language():
    room = room_of("Ann", "Ben", "Cleo")
    room.note_here(2, False)
    with served(room) as night, night.page() as screen:
        assert '<html lang="de"' in night.get("/seat/t1/", accept_language="de").text
        with night.page("t1", accept_language="de") as ann, night.page("t2") as ben:
            assert ann.ask("start")["error"] == "das Spiel hat schon begonnen"
            assert ben.ask("start")["error"] == "the game has begun already"
            for asker, bot in ((ann, "sensible"), (ben, None)):  # whoever asks, all can read it
                assert asker.ask("bot", seat=2, bot=bot)["error"] is None
            told = {
                page: page.hear(lambda state: len(state["notices"]) == 2) for page in (ann, ben)
            }
            assert told[ann]["notices"][0][1] == "Ein Bot spielt für Cleo."
            assert (
                told[ben]["notices"] == screen.hear(lambda it: len(it["notices"]) == 2)["notices"]
            )
            assert told[ben]["notices"][0][1] == "A bot plays for Cleo."
            assert ben.ask("hand_over", seat=0)["error"] == "Ann sits there"
            assert screen.ask("hand_over", seat=2)["error"] is None
            ann.say({"id": 99, "do": "hand_over", "seat": 0})
            with pytest.raises(ConnectionClosed) as closed:
                ann.hear(lambda _state: False)
        assert (
            closed.value.rcvd.reason
            == "dieser Platz hat einen neuen Link; der alte gilt nicht mehr"
        )


@pytest.fixture
def two_networks(monkeypatch):
    """Have this computer found at two other addresses of its own."""
    found = [ip_address(each) for each in ("127.0.0.2", "127.0.0.3")]
    monkeypatch.setattr(serving, "lan_addresses", lambda ipv6: found)
    with served(room_of(begun=False), host=EVERYWHERE) as night:
        yield night


def test_phones_are_led_by_another_address_when_anybody_asks(two_networks):
    night = two_networks
    with night.page() as stranger:
        link = stranger.ask("join", code=CODE, name="Ann")["link"]
    with night.page(link.split("/")[2]) as ann:
        first = ann.hear()
        assert (first["ways"], "//127.0.0.2:" in first["link"]) == (2, True)
        assert ann.ask("address")["error"] is None
        second = ann.hear(lambda state: "//127.0.0.3:" in state["link"])
        assert second["qr"] != first["qr"]
        night.server.switch()  # as Enter does in the terminal
        assert ann.hear(lambda state: state["link"] == first["link"])["qr"] == first["qr"]


@pytest.mark.browser
def test_a_button_beside_the_code_leads_phones_by_another_address(browser, two_networks):
    with opened(browser, two_networks.server.screens[0], BIG) as screen:
        screen.locator(".join a", has_text="127.0.0.2").wait_for()
        screen.get_by_role("button", name="Another address").click()
        screen.locator(".join a", has_text="127.0.0.3").wait_for()


def test_the_links_carry_the_code_and_a_picture(night):
    with night.page() as screen:
        state = screen.hear()
    assert state["code"] == CODE
    assert state["link"] == f"http://{night.own}/join?code={CODE}"
    assert state["qr"].startswith("data:image/svg+xml")


def test_the_words_of_codes_differ():
    assert len(CODE_WORDS) == len(set(CODE_WORDS)) > 200
    assert all(re.fullmatch(r"[^\W\d_]{2,9}", word) for word in CODE_WORDS)
    assert re.fullmatch(r"(\w+)-(\w+)-(\w+)", new_code())


def test_files_are_served_and_nothing_else(night):
    status, headers, _ = night.get("/static/tokens.css")
    assert (status, headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "script-src 'self'" in headers["content-security-policy"]
    for path in ("/night/static/nothing.js", "/games/highest/..%2fhighest.py", "/games/x/y.js"):
        assert night.get(path).status == 404


def test_beyond_this_pc_a_code_is_needed_and_tries_are_few():
    with served(room_of(begun=False), host="0.0.0.0") as night:
        assert night.server.token
        assert night.get("/").status == 403
        with night.page() as stranger:
            refusal = stranger.send({"id": 1, "do": "start"})
            assert refusal["error"] == "'start' is nothing that can be asked for"
            assert stranger.ask("join", code="acorn-acorn-acorn", name="Eve")["error"].startswith(
                "this is not the code"
            )
            assert stranger.ask("join", code="River lamp OTTER", name="Ann")["link"]
            link = stranger.ask("watch", code=CODE)["link"]
            for _ in range(16):
                stranger.ask("watch", code="x")
            assert stranger.ask("watch", code="x")["error"].startswith("this is not the code")
            assert stranger.ask("watch", code=CODE)["error"] == "too many tries; wait a minute"
            assert stranger.state is None  # strangers are told nothing
        assert [each.name for each in night.room.people] == ["Ann", "", "", ""]
        assert link == f"/?token={night.server.token}"
        token = night.room.people[0].token
        with night.page(token) as ann:  # the link of a seat is enough
            assert ann.hear()["seat"] == 0


def test_strangers_however_many_keep_nobody_out():
    room = room_of("Ann", begun=False)
    strangers = Evening(room, CodeCheck(CODE), AtOnce(room)).screens(is_known=False)
    come = [strangers.join(f"10.0.0.{n} port 1", lambda: None) for n in range(MOST_VIEWERS + 5)]
    assert [each.closing is not None for each in come] == [True] * 5 + [False] * MOST_VIEWERS
    strangers.receive(come[-1], json.dumps({"id": 1, "do": "join", "code": CODE, "name": "Ben"}))
    (answer,) = strangers.outgoing(come[-1])
    assert json.loads(answer)["link"] == "/seat/t2/"


def test_tries_are_counted_for_each_network():
    now = [0.0]
    check = CodeCheck(CODE, lambda: now[0])
    assert [check.allows_a_try("10.0.0.1") for _ in range(21)] == [True] * 20 + [False]
    assert check.allows_a_try("10.0.0.2")
    phones = [f"2001:db8::{n:x}" for n in range(21)]  # one chooses among them as one likes
    assert [check.allows_a_try(phone) for phone in phones] == [True] * 20 + [False]
    now[0] = 61.0
    assert check.allows_a_try("10.0.0.1")


# ---- phones that go to sleep


def test_a_phone_that_slept_comes_back_to_its_seat():
    with served(room_of("Ann", "Ben", begun=False)) as night, night.page() as screen:
        night.room.here.clear()
        with night.page("t1") as ann, night.page("t2") as ben:
            assert ann.hear()["seat"] == 0
            assert ben.hear(lambda state: state["players"][1]["here"])
            assert ben.ask("start")["error"] is None
            assert screen.hear(lambda state: state["phase"] == "play")
        state = screen.hear(lambda state: not any(it["here"] for it in state["players"]))
        assert state["notice"] == "The table waits for Ann's phone."
        with night.page("t1") as ann:
            hand = ann.hear()["view"]["hands"][0]
            assert ann.state["decision"]["kind"] == "card"
            assert ann.ask("act", action=f"play {hand[0]}", steps=0)["error"] is None


def test_the_old_link_of_a_seat_is_dead():
    with served(room_of("Ann", "Ben")) as night, night.page("t1") as ann:
        ann.hear()
        link = ann.ask("hand_over", seat=0)["link"]
        with pytest.raises(ConnectionClosed):
            while True:
                ann.hear(lambda _state: False)
        with pytest.raises(InvalidStatus), night.page("t1"):
            pass
        with night.page(link.split("/")[2]) as other:
            assert other.hear()["seat"] == 0


# ---- bots


def test_bots_play_a_whole_game_among_themselves():
    room = room_of(begun=False)
    with served(room) as night, night.page() as screen:
        for seat, bot in enumerate(["random", "sensible", "random"]):
            assert screen.ask("bot", seat=seat, bot=bot)["error"] is None
        assert screen.ask("start")["error"] is None
        assert screen.hear(lambda state: state["phase"] == "over")["outcome"]


def test_where_a_bot_has_no_answer_the_weakest_plays():
    room = room_of("Ann", begun=False)
    room.give_to_bot(0, 1, "sensible")
    with served(room) as night, night.page("t1") as ann:
        night.evening._thinker.breaks = 1
        assert ann.ask("start")["error"] is None
        hand = ann.hear(lambda state: state["view"])["view"]["hands"][0]
        assert ann.ask("act", action=f"play {hand[0]}", steps=0)["error"] is None
        assert ann.state["steps"], "what an answer led to is told before it"
        ann.hear(lambda state: state["steps"] == 2)
        assert [each.bot for each in night.evening._thinker.asked][:2] == ["sensible", "random"]


# ---- rude pages


def test_a_token_plays_for_its_own_seat_alone():
    with served(room_of("Ann", "Ben")) as night, night.page("t2") as ben:
        state = ben.hear()
        assert [type(each) for each in state["view"]["hands"]] == [int, list]
        ann = choices(night.room, 0)[0]
        refusal = ben.ask("act", action=ann, steps=0)["error"]
        assert refusal == "this cannot be chosen now"
        more = ben.send({"id": 9, "do": "act", "action": ann, "steps": 0, "seat": 0})
        assert more["error"] == "'act' has no field 'seat'"
        assert night.room.play.steps == []


@pytest.mark.parametrize("token", ["", "t", "t1t", "t3", "%74%31x", "..", "x" * 3000])
def test_a_token_that_is_none_leads_nowhere(token):
    with served(room_of("Ann", "Ben")) as night:
        with pytest.raises(InvalidStatus), night.page(token or "%20"):
            pass
        assert night.get(f"/seat/{token or '%20'}/").status == 403


NONSENSE = [
    "{",
    "[]",
    '"act"',
    "null",
    b"\x00\x01",
    '{"id":1}',
    '{"id":1,"do":"act"}',
    '{"id":1,"do":"act","action":7,"steps":0}',
    '{"id":1,"do":"act","action":"play 1","steps":-1}',
    '{"id":1,"do":"act","action":"play 1","steps":true}',
    '{"id":1,"do":"act","action":"' + "x" * 1001 + '","steps":0}',
    '{"id":1,"do":"bot","seat":0,"bot":[]}',
    '{"id":1,"do":"option","name":"lowest","value":{}}',
    '{"id":1,"do":"option","name":"lowest","value":NaN}',
    "[" * 2000,
]


@pytest.mark.parametrize("message", NONSENSE, ids=[str(each)[:40] for each in NONSENSE])
def test_nonsense_is_refused_with_a_sentence(message):
    with served(room_of("Ann", "Ben")) as night, night.page("t1") as ann:
        before = night.room.play.state
        assert ann.send(message)["error"]
        assert night.room.play.state is before
        assert ann.ask("explained", kind="card")["error"] is None


def test_a_huge_message_ends_the_page_and_the_game_goes_on():
    with served(room_of("Ann", "Ben")) as night:
        with pytest.raises(ConnectionClosed), night.page("t1") as ann:
            ann.send("x" * 5000)
        with night.page("t1") as ann:
            assert ann.ask("explained", kind="card")["error"] is None


@lanes.gate
def test_ten_thousand_joins_cost_a_page_its_socket_and_nobody_else_anything(night):
    with night.page() as polite, night.page() as rude:
        messages = (
            {"id": number, "do": "join", "code": "", "name": f"Somebody {number}"}
            for number in range(1, 10_001)
        )
        with pytest.raises(ConnectionClosed) as closed:
            for message in messages:
                rude.send(message)
        assert closed.value.rcvd.code == POLICY
        assert polite.hear(lambda state: state["players"][3]["name"])["phase"] == "lobby"
        assert polite.ask("start")["error"] is None
    # four can play, and two look on: a seventh would have no figure
    assert [each.name for each in night.room.people] == [f"Somebody {n}" for n in range(1, 7)]


def test_another_origin_is_refused(night):
    with pytest.raises(InvalidStatus), night.page(Origin="http://elsewhere.example"):
        pass
