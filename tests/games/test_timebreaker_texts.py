"""Time Breaker in words: what is said of every choice, happening, refusal and end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from chronotable_night.games.interface import (
    EVERYBODY,
    SPECTATOR,
    Choice,
    Decision,
    GameHappening,
    State,
)
from chronotable_night.games.portable import canonical
from chronotable_night.games.timebreaker.kind import KIND
from tests import lanes, sweep
from tests.games.courses import SENTENCE, Examples, choices_of_seat, courses_of

EXAMPLES = Examples(KIND)
GAMES: Any = EXAMPLES.games
example = EXAMPLES.by_id.__getitem__
after = EXAMPLES.after
NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eve")


def decide(state: State) -> Decision:
    game = GAMES[state["data"]]
    seat = game.to_decide(state)
    decision = game.decision(game.view(state, seat), seat, NAMES)
    assert decision is not None
    return decision


def choices(state: State) -> Mapping[str, Choice]:
    return choices_of_seat(EXAMPLES.game(state), state, names=NAMES)


def heard(name: str, seat: int) -> list[str]:
    """Return what a seat hears of the last action of an example."""
    state = after(name, -1)
    game = EXAMPLES.game(state)
    happenings: list[GameHappening] = []
    game.apply(state, *EXAMPLES.actions(name)[-1], happenings)
    told = [each for each in happenings if each.to in (EVERYBODY, seat)]
    return [text for each in told if (text := game.says(each, NAMES, seat))]


def test_many_who_are_moved_by_one_card_are_named_in_one_sentence() -> None:
    game = next(iter(GAMES.values()))
    tra = game.view(game.new(0, 4, {"arrest": "automatic"}), SPECTATOR)["pawns"][0]
    fetched = {"tile": tra, "seats": [0, 1, 3], "leaving": True, "arresting": [1, 3]}
    happening = GameHappening("fetched", fetched)
    assert game.says(happening, NAMES, SPECTATOR) == (
        "Ada, Ben and Dov are taken to the TRA. The Time Breaker stays behind. "
        "Ben and Dov arrest the Time Breaker."
    )
    assert game.says(happening, NAMES, 1).startswith(
        "You are taken to the TRA. Ada and Dov are taken to the TRA."
    )
    crashed = game.says(GameHappening("crashed", {"tile": tra, "seats": [0, 4]}), NAMES, 0)
    assert crashed.endswith("You fall to the TRA. Eve falls to the TRA.")


def test_a_choice_says_what_it_leads_to_the_loss_as_plainly_as_the_gain() -> None:
    home = choices(after("X4", 0))["play return_to_hq 0"]
    assert home.label == "Play Return to HQ: Ada"
    assert home.says == (
        "You go to the TRA with the Time Breaker. You win, unless somebody stops time."
    )
    arrow = next(
        each for each in choices(after("X2b", 0)).values() if each.action.startswith("follow")
    )
    assert arrow.says.endswith("You win: nobody can stop an arrow.")
    alone = choices(after("X6", 0))["play shut_and_run TRA"]
    assert alone.says.startswith("The Time Breaker goes to the TRA, alone. ")
    assert alone.says.endswith("The game is over, and nobody wins.")
    grab = choices(after("X31", 0))["play desperate_grab"]
    assert grab.says.startswith("You discard your 2 other cards. ")
    assert grab.says.endswith("You arrest the Time Breaker.")


def test_what_may_not_be_played_says_why_with_the_rule() -> None:
    refused = {
        each.action: each.refused for each in choices(EXAMPLES.illegal[26]["state"]).values()
    }
    assert refused["play back_it_up"] == "Your tile has no red arrow. (B9)"
    assert refused["play return_to_hq"] == "All pawns are on the TRA already. (B10)"
    stop = choices(EXAMPLES.illegal[2]["state"])["play stop_time"]
    assert stop.refused == "Stop Time answers a card that another player plays. (B21)"


def window_of(hand: Sequence[str], name: str = "X4") -> State:
    """Return a window about a card, in which seat 1 holds these cards."""
    start = dict(example(name)["start"])
    start["hands"] = [start["hands"][0], sorted(hand), *start["hands"][2:]]
    return EXAMPLES.game(start).apply(start, *EXAMPLES.actions(name)[0])


def test_who_holds_no_stop_time_is_asked_with_the_same_words() -> None:
    with_it = window_of(["jump:x1", "stop_time"])
    without = window_of(["jump:x1", "jump:x2"])
    told, also_told = decide(with_it), decide(without)
    assert told._replace(choices=()) == also_told._replace(choices=())
    plain = [each._replace(refused="") for each in also_told.choices]
    assert plain == list(told.choices)
    assert [each.refused for each in also_told.choices] == ["", "You hold no Stop Time."]
    for seat in (SPECTATOR, 0):
        said = [
            canonical(GAMES[state["data"]].headline(GAMES[state["data"]].view(state, seat), NAMES))
            for state in (with_it, without)
        ]
        assert said[0] == said[1]


def test_a_window_says_what_is_at_stake_to_each() -> None:
    state = window_of(["stop_time"])
    assert decide(state).headline == "Ada plays Return to HQ: Ada"
    both = choices(state)
    assert both["pass"].says == (
        "Unless somebody else stops it: Ada goes to the TRA with the Time Breaker. Ada wins."
    )
    assert "Return to HQ: Ada has no effect" in both["stop"].says
    game = GAMES[state["data"]]
    stopped = game.apply(state, 1, "stop")
    assert decide(stopped).headline == "Ben stops time"
    both = choices(stopped)
    assert "has no effect and is discarded" in both["pass"].says
    assert both["stop"].says.startswith("You stop Ben's Stop Time, with yours.")
    assert both["stop"].refused == "You hold no Stop Time."


@pytest.mark.parametrize(
    ("name", "seat", "told"),
    [
        ("X2b", SPECTATOR, "Ada wins by a green arrow, which nobody can stop."),
        ("X2b", 0, "You win by a green arrow, which nobody can stop."),
        ("X4", 0, "You win with Return to HQ: Ada. Let pass by: Ben."),
        ("X4", 1, "Ada wins with Return to HQ: Ada. Let pass by: Ben."),
        ("X6", 0, "Nobody wins: Ada played Shut and Run to the TRA. Let pass by: Ben."),
    ],
)
def test_the_end_names_the_card_and_who_let_it_pass(name: str, seat: int, told: str) -> None:
    assert heard(name, seat)[-1] == told
    state = after(name)
    game = GAMES[state["data"]]
    outcome = game.outcome(state)
    assert outcome is not None
    why = game.why(outcome, game.view(state, seat), NAMES)
    assert why.startswith("Nobody wins" if name == "X6" else "Ada wins")


def test_who_stopped_and_was_overruled_did_not_let_it_pass() -> None:
    start = dict(example("X4")["start"])
    game = GAMES[start["data"]]
    start["hands"] = [["return_to_hq", "stop_time"], ["stop_time"]]
    state: State = start
    happenings: list[GameHappening] = []
    for seat, action in ((0, "play return_to_hq 0"), (1, "stop"), (0, "stop"), (1, "pass")):
        state = game.apply(state, seat, action, happenings)
    over = happenings[-1]
    assert over.what == "over"
    assert over.facts["passed"] == []
    assert "Let pass" not in game.says(over, NAMES, SPECTATOR)


def test_a_stopped_card_says_so_to_everybody() -> None:
    assert "Time stands still" in " ".join(heard("X9a", 2))
    assert "undo each other" in " ".join(heard("X9b", 2))


def test_a_drawn_card_is_named_to_who_draws_it_alone() -> None:
    own, others = " ".join(heard("X9a", 1)), " ".join(heard("X9a", 0))
    assert "You draw " in own
    assert "You draw " not in others
    assert "Ben draws a card." in others


def test_the_options_begin_with_what_is_played_unless_somebody_chooses() -> None:
    arrest, first = KIND.options
    assert next(iter(arrest.values)) == "automatic"
    assert next(iter(first.values)) == -1


@lanes.gate
def test_a_card_says_what_it_does_where_something_is_to_be_chosen() -> None:
    """Else only its consequences are told, which say as much; they come with what is chosen."""
    game = KIND.game()
    met = set()
    for at in courses_of(KIND, sweep.size(3, 6, 20), game):
        for step in at.steps:
            legal = game.legal(step.before) or []
            plays = Counter(each.split(" ")[1] for each in legal if each.startswith("play "))
            for card in (card for card, ways in plays.items() if ways > 1):
                assert SENTENCE.fullmatch(game.printed["cards"][card][2]), card
                met.add(card.partition(":")[0])
    assert {"move", "jump", "crash_a_gate", "on_the_move", "near_yet_far"} <= met
