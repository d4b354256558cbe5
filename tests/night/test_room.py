"""A room: who sits where, answers that wait, what can be taken back, seats that change hands."""

import json
from random import Random

import pytest

from chronotable_host.errors import UserError
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.games.shelf import kinds, option_value
from chronotable_night.messages import Door, state_of
from chronotable_night.room import BotDue
from tests.night.rooms import Kept, choices, play_on, plays, room_of
from tests.night.small_game import DUEL, KIND

NAMES = ("Ann", "Ben", "Cleo", "Dov")


@pytest.fixture
def room():
    return room_of("Ann", "Ben")


def state(room, seat=SPECTATOR, shown=None):
    return json.loads(json.dumps(state_of(room, seat, Door("a-b-c"), shown)))


def refused(do, *values):
    with pytest.raises(UserError) as refusal:
        do(*values)
    return str(refusal.value)


# ---- the lobby


def test_people_come_and_take_the_seats_in_order():
    room = room_of("Ann", "Ben", begun=False)
    assert [each.name for each in room.people] == ["Ann", "Ben", "", ""]
    assert room.people.of_token("t2") == 1
    told = state(room)
    assert (told["phase"], told["least"]) == ("lobby", 2)
    assert [each["who"] for each in told["players"]] == ["phone", "phone", "free", "free"]
    assert told["view"] is told["decision"] is None


@pytest.mark.parametrize("name", ["", "   ", "\u202e", "ann"])
def test_a_name_is_somebodys_own(name):
    room = room_of("Ann", begun=False)
    if name == "\u202e":
        room.join(name)
        assert room.people[1].name == "?"
        return
    assert refused(room.join, name)
    assert room.people[1].is_free


def test_seats_are_changed_and_left():
    room = room_of("Ann", "Ben", begun=False)
    room.sit(0, 3)
    assert [each.name for each in room.people] == ["", "Ben", "", "Ann"]
    assert room.here == {1, 3}
    assert refused(room.sit, 3, 1) == "this seat is taken"
    room.leave(1)
    assert room.people[1].is_free
    assert room.people.of_token("t2") is None


def test_bots_sit_on_free_seats_and_go():
    room = room_of("Ann", begun=False)
    room.give_to_bot(0, 1, "sensible")
    room.give_to_bot(SPECTATOR, 2, "random")
    assert [each.who for each in room.people] == ["phone", "bot", "bot", "free"]
    assert [each.name for each in room.people][1:3] == ["Bot 1", "Bot 2"]
    room.give_to_bot(0, 1, None)
    assert room.people[1].is_free
    assert refused(room.give_to_bot, 0, 0, "clever").startswith("there is no such bot")
    assert refused(room.give_to_bot, SPECTATOR, 0, "random") == "Ann sits there"


def test_who_came_and_went_holds_no_seat_in_the_lobby():
    room = room_of("Ann", "Ben", begun=False)
    room.note_here(1, False)
    room.give_to_bot(0, 1, None)
    assert room.people[1].is_free


def test_ten_thousand_come_and_six_have_seats():
    """Four of them play."""
    room = room_of(begun=False)
    for number in range(6):
        room.join(f"Somebody {number}")
    for number in range(10_000):
        assert refused(room.join, f"Somebody else {number}") == "all seats are taken"
    room.start()
    assert [each["name"] for each in state(room)["players"]] == [
        f"Somebody {number}" for number in range(4)
    ]


def test_options_take_their_values_alone():
    room = room_of("Ann", "Ben", begun=False)
    room.set_option("lowest", True)
    assert room.options == {"lowest": True}
    assert refused(room.set_option, "lowest", 1) == "lowest is one of false, true"
    assert refused(room.set_option, "fast", True) == "this game has no such option; it has lowest"
    assert option_value(KIND.options, "lowest", "true") is True
    room.start()
    assert room.play.state["lowest"] is True
    assert refused(room.set_option, "lowest", False) == "the game has begun already"


def test_a_game_begins_with_enough_players():
    room = room_of("Ann", begun=False)
    assert refused(room.start) == "this game needs 2 players"
    room.give_to_bot(0, 3, "random")
    room.start()
    assert [each.name for each in room.people] == ["Ann", "Bot 1"]
    assert [each.figure for each in room.people] == [1, 4]


def test_the_game_in_one_minute_is_skipped_when_all_know_it():
    """All but who is asked first, whose answer ends it anyway, and whose phone is away."""
    room = room_of(*NAMES, kind=kinds()["timechase"])
    (first,) = room.play.deciding()
    one, other, away = {0, 1, 2, 3} - {first}
    room.skip_minute(one)
    assert state(room, one, -1)["known"]
    assert not any(state(room, seat, -1)["known"] for seat in (other, away, SPECTATOR))
    assert state(room, other)["known"], "there is no big screen, which tells it"
    room.note_here(away, False)
    room.skip_minute(other)
    assert state(room)["known"]
    play_on(room, Random(1))
    room.again()
    room.start()
    assert not state(room)["known"]


def test_a_game_that_cannot_be_kept_does_not_begin():
    journal = Kept()
    room = room_of("Ann", "Ben", begun=False, journal=journal)
    journal.is_full = True
    with pytest.raises(OSError, match="No space left"):
        room.start()
    assert room.phase == "lobby"
    assert len(room.people) == 4


# ---- playing


def test_answers_wait_until_they_are_due():
    room = room_of("Ann", "Ben", "Cleo")
    plays(room, 2)
    told = state(room, 2)
    assert told["decision"]["sealed"] == choices(room, 2)[0]
    assert [each["sealed"] for each in told["players"]] == [False, False, True]
    assert room.play.steps == []
    plays(room, 0)
    assert [step.seat for step in room.play.steps] == [0]
    plays(room, 1)
    assert [step.seat for step in room.play.steps] == [0, 1, 2]


def test_nobody_else_sees_what_is_sealed(room):
    plays(room, 1, choices(room, 1)[0])
    first = [state(room, 0), state(room)]
    plays(room, 1, choices(room, 1)[1])
    assert [state(room, 0), state(room)] == first


def test_a_sealed_answer_is_taken_back_and_another_given(room):
    one, other = choices(room, 1)
    plays(room, 1, one)
    room.unseal(1)
    assert refused(room.unseal, 1) == "no answer of yours waits"
    plays(room, 1, other)
    plays(room, 0)
    assert room.play.steps[1].action == other


def test_an_answer_that_is_none_is_not_sealed(room):
    assert refused(room.act, 1, "play 99", 0) == "this cannot be chosen now"
    assert room.play.sealed == {}


def test_actions_are_kept_before_they_count():
    journal = Kept()
    room = room_of("Ann", "Ben", journal=journal)
    before = state(room)
    journal.is_full = True
    with pytest.raises(OSError, match="No space left"):
        plays(room, 0)
    assert state(room) == before
    journal.is_full = False
    plays(room, 0)
    assert journal.lines[-1][0] == 0


def test_a_whole_game_is_played_and_another_one_after_it():
    journal = Kept()
    room = room_of("Ann", "Ben", journal=journal)
    play_on(room)
    assert journal.lines[-1] == ("end", 6)
    told = state(room, 0)
    assert told["outcome"]["why"] == "points"
    assert refused(room.act, 0, "greet", room.play.moment) == "the game is over"
    room.again()
    assert room.phase == "lobby"
    assert [each.name for each in room.people] == ["Ann", "Ben", "", ""]
    room.start()
    assert room.seed == 8
    assert refused(room.again) == "this game is not over yet"


def test_a_kind_of_decision_is_explained_once_to_each_seat(room):
    assert state(room, 0)["decision"]["explains"] == "The highest card wins."
    room.explained(0, "card")
    assert state(room, 0)["decision"]["explains"] == ""
    assert state(room, 1)["decision"]["explains"]
    room.set_remarks(False)
    assert state(room, 1)["decision"]["explains"] == ""


# ---- messages that come late, twice, or from another seat


def test_an_action_out_of_turn_is_refused(room):
    plays(room, 0)
    before = room.play.state
    assert refused(room.act, 0, "play 1", room.play.moment) == "it is not yours to decide now"
    assert refused(room.act, SPECTATOR, "play 1", 0) == "only who has a seat can do this"
    assert room.play.state is before


def test_a_message_is_played_once(room):
    action = choices(room, 0)[0]
    room.act(0, action, 0)
    plays(room, 1)
    winner = room.game.to_decide(room.play.state)
    plays(room, winner, "greet")
    why = "this was meant for another moment of the game; look again"
    assert refused(room.act, 0, choices(room, 0)[0], 0) == why
    assert refused(room.act, 0, choices(room, 0)[0], room.play.moment + 1) == why


def test_a_message_from_before_something_was_taken_back_is_not_played(room):
    moment, action = room.play.moment, choices(room, 0)[0]
    room.act(0, action, moment)
    room.ask_back(0)
    room.agree(1)
    assert room.play.steps == []
    assert refused(room.act, 0, action, moment).startswith("this was meant for another moment")
    plays(room, 0, action)


# ---- taking back


def test_what_revealed_nothing_is_taken_back_when_all_agree():
    journal = Kept()
    room = room_of("Ann", "Ben", "Cleo", journal=journal)
    start = room.play.state
    plays(room, 0)
    assert state(room, 0)["can_take_back"]
    assert not state(room, 1)["can_take_back"]
    room.ask_back(0)
    assert state(room, 1)["take_back"] == {"by": 0, "agreed": [0]}
    room.agree(1)
    assert room.play.steps
    room.agree(2)
    assert room.play.state == start
    assert journal.lines[-1] == ("back", 0)
    assert refused(room.agree, 1) == "nobody wants to take anything back"


def test_what_revealed_something_stays(room):
    plays(room, 0)
    plays(room, 1)
    for seat in (0, 1):
        assert not state(room, seat)["can_take_back"]
        assert refused(room.ask_back, seat).startswith("only your own last action")
    winner = room.game.to_decide(room.play.state)
    plays(room, winner, "greet")
    assert state(room, winner)["can_take_back"]
    assert not state(room, 1 - winner)["can_take_back"]


def test_one_who_refuses_is_enough():
    room = room_of("Ann", "Ben", "Cleo")
    plays(room, 0)
    room.ask_back(0)
    room.refuse(2)
    assert state(room)["take_back"] is None
    assert len(room.play.steps) == 1


def test_happenings_keep_their_numbers_apart_when_something_was_taken_back(room):
    plays(room, 0)
    room.ask_back(0)
    room.agree(1)
    plays(room, 0)
    assert [each["n"] for each in state(room, 1)["happened"]] == [2]


# ---- seats that change hands


def test_an_absent_player_holds_the_table_up_until_a_bot_plays(room):
    room.note_here(0, False)
    assert state(room)["notice"] == "The table waits for Ann's phone."
    assert room.bots_due() == []
    room.give_to_bot(1, 0, "sensible")
    (due,) = room.bots_due()
    assert due == BotDue(0, "sensible", room.game.view(room.play.state, 0), 0, KIND.name, None)
    room.act(0, room.game.sensible(due.view, 0, Random(0)), due.moment)
    assert state(room)["players"][0]["who"] == "bot"
    room.give_to_bot(0, 0, None)  # Ann's phone is back, and takes the seat again
    assert state(room)["players"][0]["who"] == "phone"


def test_who_is_here_keeps_the_seat(room):
    assert refused(room.give_to_bot, 1, 0, "random") == "Ann sits there"
    assert refused(room.hand_over, 1, 0) == "Ann sits there"
    assert refused(room.leave, 0).startswith("the game goes on")


def test_who_comes_late_has_the_seat_of_a_bot():
    room = room_of("Ann", "Ben", begun=False)
    room.give_to_bot(0, 2, "sensible")
    room.give_to_bot(0, 3, "sensible")
    room.start()
    hand = room.play.state["hands"][2]
    token = room.join("Cleo")
    assert room.people.of_token(token) == 2
    assert room.game.view(room.play.state, 2)["hands"][2] == hand
    cleo = state(room)["players"][2]
    assert (cleo["name"], cleo["who"], cleo["bot"]) == ("Cleo", "phone", "")
    assert state(room)["notices"][-1] == [1, "Cleo plays on for Bot 1."]
    room.note_here(0, False)
    room.give_to_bot(1, 0, "sensible")  # for Ann, who has gone for a moment
    room.join("Dora")
    emil = room.people.of_token(room.join("Emil"))
    assert emil == 4, "people have all seats of the game: Emil looks on"
    assert room.people[0].name == "Ann"


def test_who_comes_has_the_seat_of_a_bot_before_the_game_too():
    room = room_of("Ann", begun=False)
    for seat in (1, 2, 3):
        room.give_to_bot(0, seat, "random")
    assert room.people.of_token(room.join("Ben")) == 1


def test_who_comes_at_the_end_sits_already(room):
    """The end stays what it is; the next game is played together."""
    play_on(room)
    end = state(room)
    cleo = room.people.of_token(room.join("Cleo"))
    assert state(room) == end
    assert state(room, cleo) == end
    room.again()
    assert [each.name for each in room.people] == ["Ann", "Ben", "Cleo", ""]


# ---- three people and a game for two


@pytest.fixture
def three():
    room = room_of("Ann", "Ben", "Cleo", begun=False, others=[DUEL])
    room.choose("duel")
    return room


def test_who_plays_of_three_is_chosen(three):
    assert [each["plays"] for each in state(three)["players"]] == [True, True, False]
    three.sit(0, 2)  # Ann looks on
    assert [each.name for each in three.people] == ["Cleo", "Ben", "Ann"]
    assert refused(three.sit, 0, 1) == "this seat is taken"
    three.start()
    assert [each["name"] for each in state(three)["players"]] == ["Cleo", "Ben"]


def test_the_third_looks_on_and_sees_what_all_see(three):
    three.start()
    seen = state(three)
    assert state(three, 2) == seen
    assert seen["notice"] == ""
    assert refused(three.act, 2, "play 1", 0) == "it is not yours to decide now"
    plays(three, 0)
    three.ask_back(0)
    three.agree(1)
    assert three.play.steps == [], "who looks on is not asked"
    three.leave(2)
    assert len(three.people) == 2


def test_who_looked_on_is_the_first_in_the_next_game(three):
    three.start()
    play_on(three)
    three.again()
    assert [each.name for each in three.people] == ["Cleo", "Ann", "Ben"]
    assert three.here == {0, 1, 2}
    three.choose(KIND.name)
    three.start()
    assert len(three.people) == 3
    play_on(three)
    three.choose("duel")
    assert [each.name for each in three.people] == ["Cleo", "Ann", "Ben"], "nobody looked on"


# ---- which game


def test_a_night_begins_without_a_game():
    room = room_of("Ann", "Ben", begun=False, is_chosen=False, others=[DUEL])
    told = state(room)
    assert (told["name"], told["title"], told["options"]) == ("", "", [])
    assert [each["name"] for each in told["games"]] == [KIND.name, "duel"]
    for do in (room.start, lambda: room.set_option("lowest", True)):
        assert refused(do) == "choose a game first"
    assert refused(room.choose, "chess") == f"there is no such game; there are {KIND.name}, duel"
    room.choose("duel")
    room.start()
    assert refused(room.choose, KIND.name).startswith("the game goes on")


def test_another_game_has_the_same_people_in_the_same_seats():
    room = room_of("Ann", "Ben", begun=False, others=[DUEL])
    room.give_to_bot(0, 2, "sensible")
    room.set_option("lowest", True)
    room.start()
    tokens = [each.token for each in room.people]
    play_on(room)
    room.choose("duel")
    assert room.phase == "lobby"
    assert [each.token for each in room.people] == tokens[:2]  # the bot's seat is not there now
    assert room.here == {0, 1}
    assert room.options == {"lowest": False}
    room.start()
    assert state(room)["title"] == "The Duel"
    play_on(room)
    room.choose(KIND.name)
    assert [each.name for each in room.people] == ["Ann", "Ben", "", ""]


def test_who_sits_between_free_seats_stays_when_seats_go():
    room = room_of("Ann", "Ben", begun=False, others=[DUEL])
    room.sit(1, 3)
    assert room.here == {0, 3}
    room.choose("duel")
    assert [each.name for each in room.people] == ["Ann", "Ben"]
    assert room.here == {0, 1}


def test_a_kind_of_decision_is_explained_in_each_game():
    room = room_of("Ann", "Ben", others=[DUEL])
    kind = state(room, 0)["decision"]["kind"]
    room.explained(0, kind)
    assert state(room, 0)["decision"]["explains"] == ""
    play_on(room)
    room.choose("duel")
    room.start()
    assert state(room, 0)["decision"]["explains"]


def test_a_seat_goes_to_another_phone(room):
    token = room.hand_over(0, 0)
    assert room.people.of_token("t1") is None
    assert room.people.of_token(token) == 0
    assert state(room, 1)["notices"] == [[1, "Ann's seat has a new link; the old one has ended."]]
    room.rename(1, "Bo")
    assert len(state(room, 1)["notices"]) == 1, "what is asked for next does not hide it"
    room.note_here(1, False)
    assert room.people.of_token(room.hand_over(0, 1)) == 1


def test_seats_that_are_not_there(room):
    for do in (lambda: room.give_to_bot(0, 7, "random"), lambda: room.hand_over(0, 7)):
        assert refused(do) == "there is no seat 8 here"


# ---- what a seat is sent


@pytest.mark.parametrize("seed", range(5))
def test_states_that_a_seat_cannot_tell_apart_are_told_alike(seed):
    """Whole games are played; at each step the hidden cards are dealt anew, by chance."""
    chance = Random(seed)
    room = room_of("Ann", "Ben", "Cleo")
    while room.phase == "play":
        for seat in (0, 1, 2):
            told = json.dumps(state_of(room, seat, Door()))
            real = room.play.state
            room.play.state = room.game.possible(room.game.view(real, seat), seat, chance)
            other = json.dumps(state_of(room, seat, Door()))
            room.play.state = real
            assert other == told, f"seed {seed}"
        seat = room.game.to_decide(room.play.state)
        plays(room, seat, chance.choice(choices(room, seat)))


def test_who_takes_a_seat_over_does_not_take_back_what_a_bot_did():
    room = room_of("Ann", begun=False)
    room.give_to_bot(0, 1, "random")
    room.start()
    seat = room.play.deciding()[0]
    while seat != 1:
        plays(room, seat)
        seat = room.play.deciding()[0]
    plays(room, 1)
    step = len(room.play.steps) - 1
    room.play._is_quiet[step] = True
    assert room.play.may_take_back(1)
    room.join("Ben")
    assert not room.play.may_take_back(1)


def test_what_hands_do_is_said_to_be_at_the_table():
    room = room_of("Ann", "Ben")
    room.at_table = "Take 1 away."
    assert state_of(room, SPECTATOR, Door())["notice"] == "At the table: Take 1 away."
    assert state_of(room, 0, Door())["notice"] == ""
