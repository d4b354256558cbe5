"""The search: what it has to see, that it repeats itself, and when it ends."""

from random import Random

import pytest

from chronotable_host.engine.evaluation import FEATURES, Evaluation, features
from chronotable_host.engine.games import ModuleGame, StandardGame
from chronotable_host.engine.levels import LEVELS, Level, LevelPlayer, rules_of
from chronotable_host.engine.match import opening, play
from chronotable_host.engine.patterns import standard_evaluation
from chronotable_host.engine.search import SOON, WON, Limits, Search, turns_to_end
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from tests import lanes, sweep
from tests.lab.positions import game_at
from tests.rules.samples import random_states
from ttykm import layout, objects
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, new_state

NOTHING = {
    "eras": [dict.fromkeys(FEATURES, 0)] * 3,
    "supply": [0] * 5,
    **dict.fromkeys(("to_move", "statue", "hat"), 0),
}
"""What is counted, if nothing is."""


def think(state, nodes=500, depth=None, played=()):
    rules = rules_of(state, 0)
    course = [rules.node(each) for each in played]
    return [*Search(rules).think(rules.node(state), Limits(nodes, depth), course)]


def wins(game):
    """Return the turns that win at once."""
    after = game.state[:]
    return {turn for turn in game.legal_turns() if game.after(turn, after) and winner(after) >= 0}


def can_win(game):
    """Tell whether any turn wins at once."""
    after = game.state[:]
    return any(game.after(turn, after) and winner(after) >= 0 for turn in game.legal_turns())


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(2, 4)))
def test_a_win_at_once_is_taken_and_every_turn_is_legal(seed):
    game = Game()
    seen = 0
    for state in random_states(seed, 150):
        game.start(state)
        thought = think(state, nodes=100)[-1]
        if at_once := wins(game):
            seen += 1
            assert thought.line[0] in at_once, format_position(state)
            assert turns_to_end(thought.score) == 1
        follow(game, thought.line)
    assert seen > 5


def follow(game, line):
    """See that a line is legal, turn by turn, and goes on behind no end."""
    for turn in line:
        game.apply(turn)


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 3)))
def test_a_loss_is_put_off(seed):
    """Where some turns let the other win at once and others do not, one of these is played."""
    game, answer = Game(), Game()
    seen = 0
    for state in random_states(seed, 60):
        game.start(state)
        if can_win(game):
            continue
        after = state[:]
        safe = set()
        for turn in game.legal_turns():
            game.after(turn, after)
            answer.start(after)
            if not can_win(answer):
                safe.add(turn)
        chosen = think(state, nodes=200)[-1].line[0]
        if safe:
            seen += 1
            assert chosen in safe, format_position(state)
    assert seen > 5


def test_the_same_again():
    for state in random_states(5, 10):
        assert think(state) == think(state), format_position(state)


def test_the_second_line_is_the_best_without_the_first_one():
    compared = 0
    for state in random_states(8, 8):
        rules = rules_of(state, 0)
        node, limits = rules.node(state), Limits(depth=2)
        *_, found = Search(rules).think(node, limits, lines=3)
        lines = [(found.score, found.line), *found.others]
        assert lines == sorted(lines, key=lambda each: -each[0]), format_position(state)
        turns = len(Search(rules).values(node))
        if abs(found.score) < SOON and turns > 1:  # an end ends it
            assert len({line[0] for _, line in lines}) == min(3, turns)
            *_, second = Search(rules).think(node, limits, without=found.line[0])
            assert found.others[0][0] == second.score, format_position(state)
            compared += 1
    assert compared > 3


def test_limits():
    state = opening(3)
    assert think(state, nodes=100)[-1].nodes <= 100
    assert [each.depth for each in think(state, None, depth=3)] == [1, 2, 3]
    rules = rules_of(state, 0)
    asked = []

    def is_over():
        asked.append(1)
        return len(asked) == 3

    assert [*Search(rules).think(rules.node(state), Limits(is_over=is_over))]
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("score", "turns"), [(0, 0), (900, 0), (WON - 1, 1), (WON - 3, 2), (2 - WON, -1), (4 - WON, -2)]
)
def test_how_far_the_end_is(score, turns):
    assert turns_to_end(score) == turns


@pytest.mark.parametrize("seed", range(3))
def test_who_is_ahead_does_not_repeat_the_game(seed):
    game = Game()
    game.start(opening(seed))
    states = [game.state]
    while game.winner() == NOBODY and len(states) < 60:
        thought = think(game.state, 150, played=states)[-1]
        game.apply(thought.line[0])
        assert thought.score <= 0 or game.state not in states, [hex(turn) for turn in game.turns]
        states.append(game.state)


def test_what_copies_are_worth_is_the_sum_of_their_features():
    weights = dict(zip(FEATURES, (1, 100, 10_000, 1_000_000), strict=True))
    worth = Evaluation({**NOTHING, "eras": [weights] * 3}).boards[2]
    assert len(worth) == 1 << 16
    for copies in [0, 0xFFFF, *Random(2).sample(range(1 << 16), 2000)]:
        counted = zip(features(copies), weights.values(), strict=True)
        assert worth[copies] == sum(count * weight for count, weight in counted), copies


@pytest.mark.parametrize("modules", range(1, objects.ALL_MODULES + 1))
def test_games_with_modules_are_played_by_the_same_search(modules):
    state = opening(1, modules)
    game = Game()
    game.start(state)
    line = think(state, nodes=12)[-1].line
    follow(game, line)
    assert line


@pytest.mark.parametrize("modules", lanes.once(range(objects.ALL_MODULES + 1)))
def test_a_win_is_seen_wherever_there_is_one(modules):
    """In games by chance of which the other has two to four copies left (T29)."""
    rng = Random(modules)
    rules = rules_of(objects.new_state(modules), 0)
    game = Game()
    won = 0
    for number in range(sweep.size(200, 600)):
        game.start(objects.new_state(modules, handicap := number % 2, 4 * handicap))
        for _ in range(rng.randrange(4, 40)):
            if game.winner() != NOBODY:
                break
            game.apply(rng.choice([*game.legal_turns()]))
        state = game.state[:]
        first = layout.COPIES + 3 * (1 - game.mover)
        places = [at for at in range(48) if state[first + at // 16] >> at % 16 & 1]
        for at in rng.sample(places, max(0, len(places) - rng.randint(2, 4))):
            state[first + at // 16] ^= 1 << at % 16
        if game.winner() != NOBODY or layout.eras_held(state, 1 - game.mover) < 2:
            continue
        game.start(state)
        is_won = can_win(game)
        won += is_won
        assert rules.can_win(rules.node(state)) == is_won, format_position(state)
    assert won > 5


@lanes.gate
def test_what_is_kept_of_a_game_with_modules_changes_no_turn():
    for modules in (1, 6):
        game, keeps = game_at(opening(1, modules)), LevelPlayer(4)
        for _ in range(6):
            turn = keeps.choose(game)
            assert turn == LevelPlayer(4).choose(game), format_position(game.state)
            game.apply(turn)


def test_modules_and_bitboards_agree_on_the_standard_game():
    """The slow rules find what the quick ones find, with the patterns that both have."""
    for seed in range(4):
        state = opening(seed)
        found = []
        for rules in (
            StandardGame(),
            ModuleGame(0, Evaluation(NOTHING), standard_evaluation()),
        ):
            thoughts = [*Search(rules).think(rules.node(state), Limits(depth=3))]
            found.append([each.score for each in thoughts])
        assert found[0] == found[1], format_position(state)


@lanes.gate
@pytest.mark.parametrize("number", range(1, sweep.size(7, len(LEVELS)) + 1))
def test_a_level_plays_the_same_with_the_same_seed(number):
    game = game_at(opening(number))
    chosen = [LevelPlayer(number, seed).choose(game) for seed in (1, 1)]
    assert chosen[0] == chosen[1]
    assert chosen[0] in set(game.legal_turns())


@pytest.mark.parametrize(
    ("position", "focus"),
    [  # white has nobody in the past, and in the second position is better off for that
        ("...............b/ww.........b...b/w..........b.... 2 1 4 3 w", "present"),
        (".....b........../w...........w.../....w...wb..w.bb 2 0 2 3 w", "past"),
    ],
)
def test_who_overlooks_nothing_has_the_focus_on_nobody_only_if_that_is_better(position, focus):
    player = LevelPlayer(Level(2000, 100))
    turn = player.choose(game_at(parse_position(position)))
    assert format_turn(turn).endswith(f">{focus}")


@lanes.gate
def test_another_seed_plays_another_game():
    for number in (1, 3, 5, 6):
        turns = {LevelPlayer(number, seed).choose(game_at(new_state())) for seed in range(24)}
        assert len(turns) > 1, number


def test_level_4_wins_against_chance():
    level = LevelPlayer(4, seed=8)
    chance = by_chance(Random(8))
    for number in range(6):
        won, game = play(level.choose, chance, opening(number))
        assert won == 0, (number, [hex(turn) for turn in game.turns])
