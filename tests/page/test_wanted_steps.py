"""The steps of a turn that hands carry out: one after the other and nothing else, they make it."""

from __future__ import annotations

from random import Random

import pytest

from chronotable.core.wanting import want
from chronotable.hardware.sensors import FOCUS
from chronotable_host.rules.notation import format_position, format_turn, parse_turn
from chronotable_host.web.todo import Todo, WantedSteps
from tests.lab.positions import random_game
from tests.table.hands import PUSH, Scene, name_of
from ttykm import objects
from ttykm.game import Game

MOST_STEPS = 12


def seen(scene: Scene, steps: WantedSteps, game: Game, turn: int) -> list[Todo]:
    scene.hints.paint()
    return steps.look(game, turn, scene.hints.told())


def at_start(scene: Scene) -> Game:
    """Return the scene's game as the PC has it, while the table is in the turn."""
    game = Game()
    game.start(scene.game.state, scene.game.options)
    return game


def now(told: list[Todo]) -> int:
    return next(at for at, step in enumerate(told) if not step.is_done)


def test_a_push_and_a_travel_are_told_piece_by_piece() -> None:
    scene, steps = Scene(PUSH), WantedSteps()
    turn = parse_turn("6 E F >future")
    assert want(scene.tracker, turn)
    game = at_start(scene)
    told = seen(scene, steps, game, turn)
    assert [step.says for step in told] == [
        "Move the black copy from present 7 to present 8.",
        "Move the white copy from present 6 to present 7.",
        "Move the white copy from present 7 to future 7.",
        "Move White's focus marker from the present to the future.",
    ]
    assert (told[0].at, told[0].put, told[0].look) == ((22, 23), (23,), "black")
    done = [now(told)]
    for script in ("-pr7 +pr8", "-pr6 +pr7", "-pr7 +fu7"):
        scene.do(script)
        done.append(now(seen(scene, steps, game, turn)))
    assert done == [0, 1, 2, 3]


def test_a_copy_comes_from_the_box() -> None:
    scene, steps = (
        Scene("...............b/w..............b/w..............b 1 2 4 4 w"),
        WantedSteps(),
    )
    turn = parse_turn("1 B E >future")
    assert want(scene.tracker, turn)
    told = seen(scene, steps, at_start(scene), turn)
    assert told[0].says == "Put a white copy from the box on past 1."
    scene.do("-pr1")  # it may as well go there itself, and the other one stay
    assert now(seen(scene, steps, at_start(scene), turn)) == 0
    scene.do("+pa1")
    assert seen(scene, steps, at_start(scene), turn) == []  # the lights alone ask for that one
    scene.do("+pr1")
    assert now(seen(scene, steps, at_start(scene), turn)) == 1


def test_where_the_lights_lead_back_there_are_no_steps_of_the_turn() -> None:
    scene, steps = Scene(PUSH), WantedSteps()
    turn = parse_turn("6 E S >future")
    assert want(scene.tracker, turn)
    game = at_start(scene)
    scene.do("-pa16 +pa15 .400")
    assert seen(scene, steps, game, turn) == []
    scene.do("-pa15 +pa16")
    assert now(seen(scene, steps, game, turn)) == 0


@pytest.mark.parametrize("seed", range(8))
def test_the_steps_make_the_turn(seed: int) -> None:
    rng, played = Random(seed), random_game(seed, 16)
    print(f"seed {seed}")
    scene, steps = Scene(format_position(played.state)), WantedSteps()
    for _ in range(4):
        if scene.game.winner() >= 0:
            break
        turn = rng.choice(list(scene.game.legal_turns()))
        assert want(scene.tracker, turn), format_turn(turn)
        game, number = at_start(scene), -1
        for _ in range(MOST_STEPS):
            told = seen(scene, steps, game, turn)
            if not told:
                break
            assert now(told) > number, (format_turn(turn), told)
            number = now(told)
            step = told[number]
            taken = [at for at in step.at if at not in step.put]
            scene.do(
                " ".join(
                    [f"-{name_of(at)}" for at in taken] + [f"+{name_of(at)}" for at in step.put]
                )
            )
        scene.wait(1500)
        assert scene.game.turns[-1] == turn, format_turn(turn)


def test_what_a_copy_does_with_objects_is_told_by_their_names() -> None:
    state = objects.new_state(objects.GROWTH)
    scene, steps = Scene(format_position(state)), WantedSteps()
    turn = parse_turn("1 pE S >present")
    assert want(scene.tracker, turn)
    told = seen(scene, steps, at_start(scene), turn)
    assert [step.says for step in told][:2] == [
        "Put a shrub from the box on present 2.",
        "Put a tree from the box on future 2.",
    ]
    assert all(at < FOCUS for step in told[:3] for at in step.at)
