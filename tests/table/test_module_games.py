"""People play whole games with modules: what hands do for them can be done, and is understood.

Every set of modules (C1, C13), seeded; `python -m tests.lab --modules all` plays hundreds more.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.lights import meanings
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.pieces import Pieces, is_object, pieces_of
from chronotable_host.rules.notation import format_modules, parse_position, parse_turn
from chronotable_host.virtual.hand import Gesture
from chronotable_host.virtual.play import Hands
from chronotable_host.virtual.play import play as play_on
from chronotable_host.virtual.steps import SPARE, action_steps, actions_of
from tests import lanes, sweep
from tests.lab.hand import Hand
from tests.lab.people.account import LOST, WRONG
from tests.lab.people.person import Person
from tests.lab.people.place import open_table_place
from tests.lab.people.todo import are_so, can_do
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.sensing import CLEAN, ROUGH, Job, play
from tests.table.test_hand import act, positions, state_after
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BACK, PLANT
from ttykm.objects import ALL_MODULES, INFLUENCE, SHRUB, STATUE, TREE

SETS = range(1, ALL_MODULES + 1)
NAMES = [format_modules(modules) for modules in SETS]
SEEDS = range(sweep.size(1, 6))
GAMES = {CLEAN: sweep.size(1, 5), ROUGH: sweep.size(1, 2)}

every_set = pytest.mark.parametrize("modules", SETS, ids=NAMES)


# ---- the hand


def test_what_has_a_magnet_lies_there() -> None:
    """A seed is not felt, and a copy on it is a copy; a tree is a tree however it lies."""
    state = parse_position(
        "w.............../b.............../................ 0 2 4 4 w"
        " growth *1,sh3,*4/-/T6,F8<7 seeds=3"
    )
    board = {sensor_name(at): piece for at, piece in pieces_of(state).items()}
    assert board == {
        "past 1": 0,
        "past 3": SHRUB,
        "present 1": 1,
        "future 6": TREE,
        "future 8": TREE,
        "focus white past": 0,
        "focus black future": 1,
    }


@pytest.mark.parametrize("modules", range(ALL_MODULES + 1), ids=["standard", *NAMES])
@pytest.mark.parametrize("rough", [False, True])
def test_every_turn_can_be_done_and_ends_where_it_should(modules: int, rough: bool) -> None:
    for where, game, turn, rng in positions(SEEDS, modules):
        board = pieces_of(game.state)
        act(board, Hand(rng, rough).act_out(game, turn), where)
        assert board == pieces_of(state_after(game, turn)), where


@every_set
def test_a_bump_is_put_back_with_all_that_lay_there(modules: int) -> None:
    moved: Counter[bool] = Counter()
    for where, game, _turn, rng in positions(range(2), modules):
        hand = Hand(rng, rough=True)
        before = pieces_of(game.state)
        board = dict(before)
        bump = hand.bump(board)
        moved.update(is_object(gesture.piece) for gesture in bump)
        act(board, bump, where)
        act(board, hand.arrange(board, before), where)
        assert board == before, where
    assert moved[True] > 10, moved


@every_set
def test_each_action_covers_its_difference_era_by_era(modules: int) -> None:
    """What an action changes is lifted and placed, nothing else but what is tapped."""
    for where, game, turn, rng in positions(SEEDS, modules):
        board = pieces_of(game.state)
        for number, action in enumerate(actions_of(game, turn & 0xFFFF)):
            what = f"{where}, action {number + 1}"
            steps = action_steps(action, board, rng)
            choices = [step.choice for step in steps if step.choice]
            assert len(choices) == (action.code >= PLANT), what
            eras = [step.sensor >> 4 for step in steps]
            assert action.code == BACK or eras == sorted(eras), what
            after = dict(board)
            act(after, [Gesture(100, *step) for step in steps], what)
            changed = action.lifts.keys() | action.places.keys()
            touched = {step.sensor for step in steps if not step.choice}
            assert changed <= touched, what
            tapped = {steps[0].sensor} if choices else {action.start}
            assert touched <= changed | tapped, what
            board = after
        assert without_markers(board) == without_markers(pieces_of(state_after(game, turn))), where


def without_markers(board: Pieces) -> Pieces:
    return {at: piece for at, piece in board.items() if at < 48}


def test_what_is_chosen_is_tapped_on_its_space() -> None:
    """A piece that stays is put back, an empty space is touched, and a statue is put there."""
    expected = {
        "1 po E >present": (meanings.PLANT, [(0, False, 0), (0, True, 0)]),
        "1 pE S >present": (meanings.PLANT, [(1, True, SPARE), (1, False, SPARE)]),
        "1 sE S >present": (meanings.BUILD, [(1, True, STATUE + 1)]),
    }
    game = Game()
    game.start(objects.new_state(ALL_MODULES))
    for text, (meaning, taps) in expected.items():
        gestures = Hand(Random(0)).act_out(game, parse_turn(text))
        choice = gestures[0].choice
        assert choice == (meaning, 0, len(taps)), text
        done = [(each.sensor, each.closed, each.piece) for each in gestures[1 : 1 + len(taps)]]
        assert done == taps, text


@lanes.gate
def test_two_plain_moves_are_one_only_where_no_object_moves() -> None:
    at_once = 0
    for where, game, turn, rng in positions(range(20), INFLUENCE):
        gestures = Hand(rng).act_out(game, turn)
        actions = list(actions_of(game, turn & 0xFFFF))
        if len(actions) == 2 and len(gestures) == 4 and all(each.code < 5 for each in actions):
            at_once += 1
            assert not any(is_object(gesture.piece) for gesture in gestures), where
            assert not any(action.effects for action in actions), where
    assert at_once > 5


# ---- the person


def test_a_space_that_is_to_be_another_s_is_emptied_first() -> None:
    """Of a plain light on a space that is taken, only memory tells that it asks for an exchange."""
    board = {3: 1, 4: STATUE}
    todo = {3: meanings.TODO_PUT}
    meant = {3: STATUE + 1, 4: STATUE}
    assert can_do(board, 3, meanings.TODO_PUT, meant)
    assert not are_so(board, todo, meant)
    assert not can_do(board, 4, meanings.TODO_PUT, meant)
    assert are_so({3: STATUE + 1}, todo, meant)
    assert not can_do({3: 1}, 3, meanings.TODO_PUT, {3: 0}), "of copies the lights say whose"


def test_a_tap_that_went_astray_is_asked_about_or_done_again() -> None:
    """G5: a seed under a copy leaves nothing to feel, so without its choice nobody can know."""
    person = Person(TrackerPlace(Random(0)), Random(0))
    person.begin(objects.new_state(objects.GROWTH))
    turn = parse_turn("1 po S >present")
    gestures = Hand(Random(0)).act_out(person.game, turn)
    assert [each.sensor for each in gestures[1:3]] == [0, 0]
    astray = [Gesture(300, 9, True, SPARE), Gesture(300, 9, False, SPARE)]
    person.take_turn(turn, [gestures[0], *astray, *gestures[3:]])
    assert not person.account.of(WRONG) + person.account.of(LOST), person.account
    assert person.account.asked + person.account.guided > 0
    assert person.board == pieces_of(person.game.state)


@lanes.gate
def test_hands_at_a_virtual_table_choose_and_tap() -> None:
    """The built-in players of `try`, to whom the link tells what is lit."""
    start = objects.new_state(ALL_MODULES)
    place = open_table_place(2, start=start)
    rng = Random(2)
    try:
        hands = Hands(place.table, place.mirror, rng)
        hands.set_up(start)
        hands.wait(1000)
        game = Game()
        game.start(start)
        play_on(hands, game, (by_chance(rng),) * 2, most_turns=8)
    finally:
        place.close()
    assert len(game.turns) == 8
    assert any(turn & 63 >= PLANT or turn >> 6 & 63 >= PLANT for turn in game.turns)
    assert place.mirror.understood["certain"] == 8


@lanes.gate
@every_set
@pytest.mark.parametrize("kind", [CLEAN, ROUGH])
def test_games_with_modules(modules: int, kind: str) -> None:
    turns = asked = guided = 0
    for seed in range(GAMES[kind]):
        result = play(Job(kind, seed, modules))
        account = result.account
        bad = [str(each) for each in account.incidents if each.what in (WRONG, LOST)]
        assert bad == [], result.job
        assert account.finished, result.job
        assert result.accused == [], result.job
        turns += account.turns
        asked += account.asked
        guided += account.guided
    print(f"{format_modules(modules)} {kind}: {turns} turns, {asked} asked, {guided} guided back")
    assert turns > 5 * GAMES[kind]
    assert asked + guided <= max(2, 0.05 * turns)
