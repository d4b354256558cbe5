"""Stop Time is one window: all are asked at once, and who lets all pass is not asked."""

import json
from random import Random

from chronotable_night.games.bots import by_rules_of_thumb
from chronotable_night.games.shelf import kinds
from chronotable_night.messages import Door, state_of
from tests.night.rooms import Kept, room_of

KIND = kinds()["timebreaker"]
NAMES = ("Ann", "Ben", "Cleo", "Dov")
EVENINGS = 30
MOST_IDLE = 0.2
"""Of all taps, those that decide nothing."""


def begun(seed, **more):
    room = room_of(*NAMES, kind=KIND, begun=False, **more)
    room._new_seed = lambda: seed
    room.start()
    return room


def told(room, seat):
    return json.loads(json.dumps(state_of(room, seat, Door())))


def decides(room, chance):
    """Have the seat whose answer is due play by rules of thumb; return it and its action."""
    play = room.play
    seat = room.game.to_decide(play.state)
    action = by_rules_of_thumb(room.game, room.game.view(play.state, seat), seat, chance)
    room.act(seat, action, play.moment)
    return seat, action


def in_window(is_it=lambda room: True, **more):
    """Return a room in the first such window of seeded games."""
    for seed in range(100):
        room, chance = begun(seed, **more), Random(seed)
        while not room.play.is_over:
            if room.play.state["phase"] == "window" and is_it(room):
                return room
            decides(room, chance)
    raise AssertionError("there is no such window in the games of these seeds")


def holds_stop_time(room, seat):
    return "stop_time" in room.play.state["hands"][seat]


def is_fresh(room):
    """Tell whether nobody has answered yet, and everybody has cards."""
    state, asked = room.play.state, room.play.deciding()
    return len(asked) == len(NAMES) - 1 and not state["stops"] and all(state["hands"])


def ends_the_game(room):
    decision = told(room, room.play.deciding()[0])["decision"]
    return is_fresh(room) and not decision["passes"]


def test_all_are_asked_at_once_and_in_one_question():
    room = in_window(is_fresh)
    asked = [told(room, seat) for seat in room.play.deciding()]
    assert len({each["decision"]["headline"] + each["line"] for each in asked}) == 1
    first, *others = room.play.deciding()
    for seat in reversed(others):
        room.act(seat, "pass", room.play.moment)
    assert [each["sealed"] for each in told(room, first)["players"]].count(True) == len(others)
    room.act(first, "pass", room.play.moment)
    assert room.play.state["phase"] != "window"


def test_after_a_stop_time_all_are_asked_anew():
    """An answer that waits was meant for the card."""
    room = in_window(lambda room: is_fresh(room) and holds_stop_time(room, room.play.deciding()[0]))
    first, *others = room.play.deciding()
    moment = room.play.moment
    for seat in others:
        room.act(seat, "pass", moment)
    room.act(first, "stop", moment)
    assert room.play.sealed == {}
    assert set(room.play.deciding()) == set(range(len(NAMES))) - {first}


def test_who_lets_all_pass_is_not_asked_until_it_says_so():
    journal = Kept()
    room = in_window(lambda room: is_fresh(room) and not ends_the_game(room), journal=journal)
    first, *others = room.play.deciding()
    for seat in others:
        room.let_pass(seat, True)
    assert told(room, others[0])["lets_pass"]
    room.let_pass(others[0], False)
    room.unseal(others[0])
    room.act(first, "pass", room.play.moment)
    assert room.play.deciding()[0] == others[0]
    room.let_pass(others[0], True)
    assert room.play.state["phase"] != "window"
    assert journal.lines[-1] == (others[-1], "pass"), "what is let pass is played, and kept"


def test_all_are_asked_where_the_game_would_end():
    room = in_window(ends_the_game)
    for seat in room.play.deciding():
        room.let_pass(seat, True)
    assert room.play.state["phase"] == "window"
    assert room.play.sealed == {}


def test_an_empty_hand_is_not_asked():
    """All see that it has no Stop Time."""

    def empty(room):
        hands = room.play.state["hands"]
        return [seat for seat in room.play.deciding() if not hands[seat]]

    room = in_window(empty)
    assert [room.play.sealed[seat] for seat in empty(room)] == ["pass"] * len(empty(room))


def test_few_taps_decide_nothing():
    """Of people who keep their hands open, and let all pass while they hold no Stop Time.

    A choice is lifted and made: two taps. To let a card pass decides nothing without a Stop Time,
    nor does what opens a hand, or says that all shall pass or not.
    """
    idle = deciding = 0
    for evening in range(EVENINGS):
        room, chance = begun(evening), Random(evening)
        idle += len(NAMES)
        while not room.play.is_over:
            for seat in range(len(NAMES)):
                if holds_stop_time(room, seat) == (seat in room.play.passing):
                    room.let_pass(seat, not holds_stop_time(room, seat))
                    idle += 1
            if room.play.is_over:
                break
            has_one = holds_stop_time(room, room.play.deciding()[0])
            _, action = decides(room, chance)
            if action != "pass" or has_one:
                deciding += 1 if action in ("pass", "stop") else 2
            else:
                idle += 1
    assert idle <= MOST_IDLE * (idle + deciding), f"{idle} of {idle + deciding}"
