"""One reveal at one time: no phone is told what the big screens have not shown yet."""

import asyncio
import json
from itertools import count
from random import Random

import pytest

from chronotable_night.evening import Evening
from chronotable_night.games.bots import by_rules_of_thumb
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.games.shelf import kinds
from chronotable_night.people import CodeCheck
from tests.night.rooms import choices, plays, room_of
from tests.night.small_game import KIND
from tests.night.test_served import AtOnce
from tests.sweep import size

ACTIONS = size(40, 400)
GAME_OF_TWO = kinds()["timemit"]


class Looker:
    """A page in a room: what it was told last, and what it says it has shown."""

    def __init__(self, pages):
        self._pages, self._ids = pages, count(1)
        self.viewer = pages.join("127.0.0.1 port 1", lambda: None)
        self.state = None
        self.sees()

    def sees(self):
        """Return the newest state that this page was told of."""
        for text in self._pages.outgoing(self.viewer):
            told = json.loads(text)
            self.state = told if told["type"] == "state" else self.state
        return self.state

    def asks(self, do, **values):
        self._pages.receive(self.viewer, json.dumps({"id": next(self._ids), "do": do, **values}))

    def shows(self):
        """Say that all is shown by now."""
        self.asks("shown", steps=self.sees()["steps"])

    def goes(self):
        self._pages.leave(self.viewer)


class Night:
    """An evening with a big screen, which shows what it says that it has shown."""

    def __init__(self, *names, kind=KIND, seed=7, **more):
        self.room = room_of(*names, kind=kind, begun=False)
        self.evening = Evening(self.room, CodeCheck("a-b-c"), AtOnce(self.room), **more)
        self.screen = self.new_screen()
        self.screen.shows()
        tokens = [each.token for each in self.room.people if each.token]
        self.phones = [Looker(self.evening.pages_of(token)) for token in tokens]
        self.room._new_seed = lambda: seed  # a game that is known
        self.phones[0].asks("start")
        self.screen.shows()

    def new_screen(self):
        return Looker(self.evening.screens(True))

    def plays(self, seat, action):
        phone = self.phones[seat]
        phone.asks("act", action=action, steps=phone.sees()["steps"])


def game_in(told):
    """Return what a page was told of the game, and not of who is thinking, or at its end."""
    return {what: told[what] for what in ("phase", "view", "headline", "happened", "outcome")}


def test_a_winner_is_named_on_the_big_screen_before_any_phone_knows():
    """The bids of TIMEmiT's seed 7, of which the phones told the winner 7.8 s too early."""
    night = Night("Nina", "Arthur", kind=GAME_OF_TWO)
    while night.room.play.state["ask"] == "draw":
        night.plays(night.room.play.deciding()[0], "stop")
        night.screen.shows()
    bids = {0: "bid 1:12 2:2 3:4 4:15", 1: "bid 1:20 2:6 3:8 4:10"}
    first = night.room.play.deciding()[0]
    night.plays(first, bids[first])
    night.screen.shows()
    asked = [phone.sees() for phone in night.phones]
    night.plays(1 - first, bids[1 - first])
    assert "Dolly" in night.screen.sees()["headline"]
    for phone, before in zip(night.phones, asked, strict=True):
        told = phone.sees()
        assert game_in(told) == game_in(before)
        assert told["look_up"]
        assert told["decision"] is None
        assert told["notice"] == ""
    night.screen.shows()
    assert any("Dolly" in phone.sees()["decision"]["headline"] for phone in night.phones[1:])
    assert not any(phone.sees()["look_up"] for phone in night.phones)


@pytest.mark.parametrize("kind", [KIND, *kinds().values()], ids=lambda kind: kind.name)
def test_no_message_to_a_phone_precedes_the_scene(kind):
    night = Night(*("Ann", "Ben", "Cleo")[: kind.players[-1]], kind=kind)
    play, chance = night.room.play, Random(kind.name)
    for _ in range(ACTIONS):
        if play.is_over:
            break
        before = [phone.sees() for phone in night.phones]
        seat = play.deciding()[0]
        view = night.room.game.view(play.state, seat)
        night.plays(seat, by_rules_of_thumb(night.room.game, view, seat, chance))
        for phone, known in zip(night.phones, before, strict=True):
            assert game_in(phone.sees()) == game_in(known)
            asked = phone.sees()["decision"]
            assert asked is None or asked["choices"] == known["decision"]["choices"]
        night.screen.shows()
        for number, phone in enumerate(night.phones):
            assert phone.sees()["view"] == night.room.game.view(play.state, number)
            assert phone.sees()["phase"] == night.room.phase


def test_who_decides_at_the_same_time_need_not_look_up():
    """Its answer was asked for before; it waits sealed while the big screen is at the others'."""
    night = Night("Ann", "Ben", "Cleo")
    night.plays(0, choices(night.room, 0)[0])
    told = night.phones[1].sees()
    assert told["decision"] is not None
    assert not told["look_up"]
    night.plays(1, choices(night.room, 1)[0])
    assert [each["sealed"] for each in night.phones[2].sees()["players"]] == [True, True, False]
    assert night.phones[0].sees()["look_up"]


def test_without_a_big_screen_phones_are_told_at_once():
    night = Night("Ann", "Ben")
    night.plays(0, choices(night.room, 0)[0])
    assert night.phones[0].sees()["look_up"]
    night.screen.goes()
    assert not night.phones[0].sees()["look_up"]
    plays(night.room, 1)
    night.evening.changed()
    assert night.phones[1].sees()["decision"] or night.phones[0].sees()["decision"]


def test_the_slowest_of_the_screens_that_show_is_waited_for():
    """One that has never said that it shows anything is none."""
    night = Night("Ann", "Ben")
    night.new_screen()
    second = night.new_screen()
    second.shows()
    night.plays(0, choices(night.room, 0)[0])
    night.screen.shows()
    assert night.phones[0].sees()["look_up"]
    second.shows()
    assert not night.phones[0].sees()["look_up"]


def test_bots_wait_for_the_big_screen():
    night = Night("Ann", "Ben")
    night.room.give_to_bot(1, 1, "sensible")
    night.plays(0, choices(night.room, 0)[0])
    assert night.evening.bots_due() == []
    night.screen.shows()
    assert [due.seat for due in night.evening.bots_due()] == [1]


def test_a_screen_that_shows_nothing_any_more_is_not_waited_for():
    """It is lost without a word; when it speaks again it counts again."""

    async def evening():
        night = Night("Ann", "Ben", patience_s=0.01)
        night.plays(0, choices(night.room, 0)[0])
        assert night.phones[0].sees()["look_up"]
        while night.phones[0].sees()["look_up"]:
            await asyncio.sleep(0.001)
        night.screen.shows()
        night.plays(1, choices(night.room, 1)[0])
        assert night.phones[1].sees()["look_up"]

    asyncio.run(evening())


def test_what_is_taken_back_was_shown():
    night = Night("Ann", "Ben")
    night.plays(0, choices(night.room, 0)[0])
    night.screen.shows()
    night.phones[0].asks("take_back")
    night.phones[1].asks("agree")
    assert night.room.play.steps == []
    for seat, phone in enumerate(night.phones):
        assert phone.sees()["view"] == night.room.game.view(night.room.play.state, seat)
        assert not phone.sees()["look_up"]
    assert night.screen.sees()["seat"] == SPECTATOR


def test_who_has_won_this_night_is_told_once_it_was_shown():
    night = Night("Ann", "Ben")
    play = night.room.play
    while not play.is_over:
        seat = play.deciding()[0]
        night.plays(seat, choices(night.room, seat)[0])
        if not play.is_over:
            night.screen.shows()
    assert [each["wins"] for each in night.phones[0].sees()["players"]] == [0, 0]
    night.screen.shows()
    won = [int(seat in night.room.game.outcome(play.state).winners) for seat in range(2)]
    assert [each["wins"] for each in night.phones[0].sees()["players"]] == won
    night.phones[0].asks("again")
    assert [each["wins"] for each in night.phones[1].sees()["players"]][:2] == won
