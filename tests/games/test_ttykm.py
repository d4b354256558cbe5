"""The standard game as one of a games night: the same turns as everywhere, in words."""

from random import Random

import pytest

from chronotable_host.rules.notation import format_position, format_turn
from chronotable_night.games.interface import IllegalActionError
from chronotable_night.games.shelf import kinds
from ttykm.game import Game
from ttykm.layout import BLACK, STRICT_TWO_ACTIONS, new_state

KIND = kinds()["ttykm"]
NAMES = ("Ann", "Ben")


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_goes_as_the_rules_have_it(seed: int, strict: bool) -> None:
    chance, game, real = Random(seed), KIND.game(), Game()
    state = game.new(0, 2, {"first": "black", "strict_two_actions": strict})
    real.start(new_state(BLACK), STRICT_TWO_ACTIONS if strict else 0)
    while real.winner() not in (0, 1):
        turns = {format_turn(turn): turn for turn in real.legal_turns()}
        legal = game.legal(state)
        assert legal is not None and sorted(legal) == sorted(turns), f"seed {seed}"
        assert game.to_decide(state) == real.mover
        text = chance.choice(sorted(turns))
        state = game.apply(state, real.mover, text)
        real.apply(turns[text])
        assert state["position"] == format_position(real.state), f"seed {seed}"
    outcome = game.outcome(state)
    assert outcome is not None and list(outcome.winners) == [real.winner()]
    assert NAMES[real.winner()] in game.why(outcome, state, NAMES)


@pytest.mark.parametrize(
    ("turn", "rule"),
    [
        ("1 E F >past", "T15"),
        ("2 E E >present", "T7"),
        ("1 E >present", "T11"),
        (">present", "T11"),
        ("1  E E >present", "T7"),
        ("1 E E >pr", "T7"),
        ("anything", "T7"),
        ("", "T7"),
    ],
)
def test_an_illegal_turn_is_refused_with_the_number_of_a_rule(turn: str, rule: str) -> None:
    game = KIND.game()
    state = game.new(0, 2, {})
    with pytest.raises(IllegalActionError) as refusal:
        game.apply(state, 0, turn)
    assert refusal.value.why
    assert refusal.value.rule == rule


def test_a_turn_is_told_in_a_sentence() -> None:
    game = KIND.game()
    happenings: list = []
    game.apply(game.new(0, 2, {}), 0, "1 E F >future", happenings)
    said = game.says(happenings[0], NAMES, 1)
    assert said.startswith("Ann: ") and said.endswith("the focus goes to the future.")
