"""Time Chase: the vectors, what holds in every game, what is said, and how the bot plays."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chronotable_night.games.interface import (
    SPECTATOR,
    GameHappening,
    State,
)
from chronotable_night.games.portable import digest
from chronotable_night.games.timechase.kind import KIND
from chronotable_night.games.timechase.state import cards_in_play
from chronotable_night.games.timechase.words import suit_name
from tests import sweep
from tests.games.courses import NAMES, Examples, choices_of_seat, course, courses_of, tables

EXAMPLES = Examples(KIND)
GAME = KIND.game()


def after(example: str, actions: int | None = None) -> tuple[State, list[GameHappening]]:
    """Return the state after actions of an example, all unless told, and what happened."""
    happened: list[GameHappening] = []
    return EXAMPLES.after(example, actions, happened), happened


def told(happened: list[GameHappening]) -> list[str]:
    return [GAME.says(each, NAMES, SPECTATOR) for each in happened]


def consequences(state: State, seat: int) -> dict[str, str]:
    """Return what a seat is told of each choice."""
    found = choices_of_seat(GAME, state, seat).items()
    return {action: each.says or each.refused for action, each in found}


# ---- rules


CHECKED = {
    (3, False): "4924a082d21b55fb",
    (3, True): "cc8c8b27c85ebfb8",
    (4, False): "5c9039c680a23dae",
    (4, True): "d452e1d903f8efcc",
    (5, False): "e3a5e84a965ed999",
    (5, True): "2db62be3793a8076",
    (6, False): "d379f1c20276d96e",
    (6, True): "9d4d790844e6a115",
}
"""The digests of new games with seed 1, by players and jumble."""


@pytest.mark.parametrize(("players", "jumble"), CHECKED)
def test_new_games(players: int, jumble: bool) -> None:
    state = GAME.new(1, players, {"jumble": jumble})
    assert digest(state) == CHECKED[players, jumble]


def lying(state: State) -> Iterator[str]:
    """Yield every card of a game, from wherever it lies."""
    yield from state["deck"]
    yield from state["discard"]
    yield from filter(None, [state["invariant"]])
    yield from (card for _, card in state["played"])
    yield from (text.removeprefix("choose ") for _, text in state["secret"] if "choose" in text)
    for hand in state["hands"]:
        yield from hand
    for led, winning in zip(state["led"], state["winning"], strict=True):
        yield from {led, winning} - {""}


def test_every_card_is_in_one_place_and_hands_get_shorter() -> None:
    for at in courses_of(KIND, sweep.size(3, 60, 1250), GAME):
        state = at.start
        cards = sorted(cards_in_play(at.players))
        for step in at.steps:
            state = step.after
            assert sorted(lying(state)) == cards, (at.seed, at.players)
            assert max(state["control"].count(seat) for seat in range(at.players)) <= 3, at.seed
            assert state["timeline"] == sorted(state["timeline"]), at.seed
            assert len(state["timeline"]) + len(state["tokens"]) == 10, at.seed
            assert min(state["fuel"]) >= 0, at.seed
            if state["phase"] == "move":
                sizes = {len(hand) for hand in state["hands"]}
                assert sizes == {11 - state["round"]}, at.seed


def test_all_that_decide_at_once_may_seal_the_same_now_as_in_their_turn() -> None:
    """What is legal for a seat does not change while others seal."""
    seen = 0
    for players, options in tables(KIND):
        state = GAME.new(players, players, options)
        waiting: dict[int, set[str]] = {}
        for step in course(GAME, state, Random(players)):
            deciding = GAME.deciding(step.before)
            assert deciding[0] == step.seat
            for seat in deciding:
                found = choices_of_seat(GAME, step.before, seat).items()
                offered = {action for action, each in found if not each.refused}
                assert waiting.setdefault(seat, offered) == offered
                seen += seat != step.seat
            assert waiting.pop(step.seat) == set(GAME.legal(step.before) or ())
            if len(deciding) == 1:
                waiting = {}
    assert seen > 100


def test_who_has_just_not_followed_a_suit_is_thought_to_have_none() -> None:
    guessed = 0
    for seed in range(sweep.size(30, 60, 300)):
        chance = Random(seed)
        for step in course(GAME, GAME.new(seed, 4, {"jumble": False}), chance):
            played = step.before["played"]
            if len(played) < 2 or step.before["at"] != step.before["present"]:
                continue
            suit = played[0][1].split()[0]
            view = GAME.view(step.before, step.seat)
            drawn = GAME.possible(view, step.seat, chance)
            for seat, card in played:
                if not card.startswith(suit):
                    guessed += 1
                    assert not any(c.startswith(suit) for c in drawn["hands"][seat]), seed
    assert guessed > 5


# ---- in words


def test_a_trick_in_the_present_is_told_in_its_order() -> None:
    _, happened = after("XH1")
    assert told(happened) == [
        "Ada leads flux 8 at event 2.",
        "Ben plays flux 6.",
        "Same suit, but lower than flux 8: 1 fuel for Ben.",
        "Cleo plays paradox 2.",
        "Dov plays flux 11.",
        "Cleo takes event 2 with paradox 2.",
        "Event 1: Eve and Finn play, Eve leads.",
    ]


def test_a_round_ends_with_a_new_event_and_new_fuel() -> None:
    _, happened = after("XH3d")
    assert told(happened)[-4:] == [
        "The cards open: Dov flux 12.",
        "Flux 12 is the invariant: from now on flux beats all others.",
        "Round 4 of 10: event 4 is the present. All travelers go there.",
        "New fuel, 2 less 1 for each own event: Ada +1, Ben +1, Cleo +1, Dov +2.",
    ]


def test_a_stalled_present_and_an_unstable_timeline_are_told() -> None:
    _, happened = after("XH7")
    assert any("nobody was at event 5, so it stays the present" in line for line in told(happened))
    _, happened = after("XH6a")
    assert any("there is no invariant" in line for line in told(happened))


def test_choices_in_secret_say_only_who_has_chosen() -> None:
    _, happened = after("XH6a", 1)
    assert told(happened) == [f"{NAMES[happened[0].facts['seat']]} has chosen."]
    assert set(happened[0].facts) == {"seat", "phase"}


def test_moves_are_told_when_all_open() -> None:
    _, happened = after("XH11b")
    line = next(line for line in told(happened) if "spends" in line)
    assert "spends 1 fuel and goes to event 8." in line
    assert "spends 3 fuel and goes to the invariant." in line


def test_a_card_says_what_it_beats_gives_and_risks() -> None:
    state, _ = after("XH1", 1)
    said = consequences(state, 1)
    assert said["play flux 6"] == (
        "Does not beat Ada's flux 8. Same suit, but lower than flux 8: you get 1 fuel."
    )
    assert said["play flux 13"].startswith("Beats Ada's flux 8. Event 2 is yours, unless")
    assert said["play tachyon 8"] == "You hold flux, so flux it is."
    state, _ = after("XH1", 3)
    last = consequences(state, 3)
    assert last["play flux 11"] == (
        "Does not beat Cleo's paradox 2. Event 2 goes to Cleo. You get no fuel."
    )


@pytest.mark.parametrize(
    ("travelers", "says"),
    [
        ([9, 2, 2, 2, 2, 2], "Your third: enough to win."),
        ([9, 3, 2, 2, 2, 2], "Your third: enough to win if you keep event 3 against Ben."),
        (
            [9, 3, 7, 2, 2, 2],
            "Your third: enough to win if you keep event 3 and event 7 against Ben and Cleo.",
        ),
    ],
)
def test_a_third_event_is_enough_if_none_is_lost_after_it(travelers: list[int], says: str) -> None:
    """Events are counted when all locations are resolved: alone in the present, one may lose."""
    state, _ = after("XH1")
    row = {"timeline": [2, 3, 7, 9], "led": ["", "flux 2", "tachyon 4", ""], "present": 9}
    now = {**state, **row, "winning": row["led"], "control": [-1, 0, 0, -1], "at": 9, "turn": 0}
    first, *_ = consequences({**now, "travelers": travelers}, 0).values()
    assert f"Event 9 is yours. {says}" in first
    others = {**now, "travelers": [9, 9, *travelers[1:5]], "played": [[0, "dark 12"]], "turn": 1}
    lost = consequences(others, 1)["play flux 1"]
    assert ("if event 3" in lost) == ("keep" in says), lost
    assert "event 9 goes to Ada. Ada has three then: enough to win" in lost.replace(
        "Event", "event"
    )


def test_a_past_event_says_what_is_to_be_beaten() -> None:
    state, _ = after("XH3b")
    first, line = GAME.headline(GAME.view(state, SPECTATOR), NAMES)
    assert first == "Cleo leads at event 2"
    assert line.startswith("In the past: follow tachyon; beat Ada's tachyon 9 to take the event.")
    assert consequences(state, 2)["play tachyon 7"] == (
        "Does not beat Ada's tachyon 9. Event 2 stays Ada's. "
        "Same suit, but lower than tachyon 9: you get 1 fuel."
    )


def test_a_move_says_what_waits_there_and_what_is_too_far() -> None:
    state, _ = after("XH9b")
    seat = GAME.to_decide(state)
    said = consequences(state, seat)
    assert said["spend 0"] == "Stay: the best card takes event 4. 2 fuel stay with you."
    assert said["spend 3"] == "This needs 3 fuel, and you have 2."
    assert said["spend 1"].startswith("To event 3.")


def test_the_end_says_which_events_and_cards_and_who_stood_there() -> None:
    state, happened = after("XH10b")
    view = GAME.view(state, SPECTATOR)
    outcome = GAME.outcome(view)
    assert outcome is not None
    why = GAME.why(outcome, view, NAMES)
    assert GAME.headline(view, NAMES) == ("Ben wins", "Events 1, 3 and 4.")
    assert why.startswith("Ben controls three events: 1, 3 and 4.")
    assert why.endswith("Ada has as many, but event 1 is the nearest to the beginning.")
    assert told(happened)[-1] == "The game is over: Ben wins."
    for name in ("XH19", "XH20", "XH21"):
        state, _ = after(name)
        ended = GAME.outcome(state)
        assert ended is not None
        assert "Ten rounds are over" in GAME.why(ended, GAME.view(state, SPECTATOR), NAMES)


def test_suits_have_names() -> None:
    assert suit_name("dark") == "dark matter"


# ---- bots


def test_who_stands_better_is_worth_more() -> None:
    state, _ = after("XH10a")
    worths = [GAME.worth(state, seat) for seat in range(state["players"])]
    assert sum(worths) == pytest.approx(1)
    most = max(range(state["players"]), key=state["control"].count)
    assert worths[most] == max(worths)
    over, _ = after("XH10b")
    assert [GAME.worth(over, seat) for seat in (0, 1)] == [0, 1]


def at_a_table(**facts: object) -> State:
    """Return a state of three players with these facts: event 1 is seat 2's, event 2 is present."""
    row = {"timeline": [1, 2], "control": [2, -1], "present": 2, "travelers": [2, 2, 2]}
    cards = {"led": ["paradox 7", ""], "winning": ["paradox 12", ""], "invariant": "flux 13"}
    rest = {"round": 2, "fuel": [2, 2, 2], "turn": 0, "at": -1, "phase": "move"}
    return {**GAME.new(1, 3, {"jumble": False}), **row, **cards, **rest, **facts}


def test_a_bot_goes_to_no_event_that_none_of_its_cards_can_win() -> None:
    """It has to follow suit there, so its flux is of no use."""
    hands = [["flux 9", "paradox 8", "paradox 9"], ["flux 9", "neutrino 8"], []]
    state = at_a_table(hands=hands)
    assert GAME.candidates(state, 0, Random(1)) == ["spend 0", "spend 2"]
    can_win = {**state, "turn": 1}
    assert GAME.candidates(can_win, 1, Random(1)) == ["spend 0", "spend 1", "spend 2"]


def test_a_bot_throws_away_the_lowest_card_of_a_suit() -> None:
    played = [[2, "paradox 7"], [1, "paradox 13"]]
    hand = ["dark 8", "dark 12", "flux 7", "flux 8", "tachyon 7", "tachyon 11"]
    state = at_a_table(phase="event", at=2, played=played, hands=[hand, [], []])
    kept = ["dark 8", "flux 7", "flux 8", "tachyon 7"]
    assert GAME.candidates(state, 0, Random(1)) == [f"play {card}" for card in kept]


def test_a_bot_stays_for_no_suit_that_another_chooses() -> None:
    """Seat 2 leads at event 2; with three single cards one seldom wins there, with a flux at 1."""
    others = [["flux 8", "neutrino 7", "paradox 8"], ["flux 9", "paradox 9", "dark 11"]]
    state = at_a_table(hands=[["flux 7", "flux 13", "dark 7", "tachyon 7"], *others])
    assert GAME.sensible(state, 0, Random(1)) == "spend 1"
    leads = {**state, "control": [0, -1]}
    assert GAME.sensible(leads, 0, Random(1)) == "spend 0"


def test_a_bot_goes_to_the_invariant_early_but_not_while_somebody_may_win() -> None:
    """It hoarded a dozen fuel with one weak suit, and left the present to who won there."""
    row = {"timeline": [1, 2, 3, 4], "present": 4, "travelers": [4, 4, 4], "round": 4}
    led = ["paradox 7", "tachyon 9", "neutrino 9", ""]
    winning = ["paradox 12", "tachyon 13", "neutrino 13", ""]
    hand = ["dark 9", "dark 10", "dark 12", "neutrino 8", "neutrino 10", "tachyon 8"]
    hands = [hand, ["flux 8", "paradox 8", "tachyon 12"], ["flux 9", "paradox 9", "dark 11"]]
    facts = {**row, "led": led, "winning": winning, "hands": hands, "fuel": [4, 4, 4]}
    for control, expected in ([2, 1, 0, -1], "spend 4"), ([2, 1, 2, -1], "spend 0"):
        state = at_a_table(**facts, control=control)
        assert GAME.sensible(state, 0, Random(1)) == expected


def test_others_are_thought_to_move_sensibly() -> None:
    """All ways were as likely, whatever for: so a bot left an event to who surely stayed there."""
    state = GAME.apply(at_a_table(hands=[["flux 9"], ["dark 8"], ["dark 9"]]), 0, "spend 0")
    view = GAME.view(state, 1)
    draws = [GAME.possible(view, 1, Random(seed)) for seed in range(40)]
    stays = sum(each["secret"] == [[0, "spend 0"]] for each in draws)
    sensible = sum(each["secret"] == [[0, GAME.sensible(each, 0, Random(1))]] for each in draws)
    assert sensible >= 25 and stays < 40
