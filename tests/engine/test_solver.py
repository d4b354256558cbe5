"""The solver of the puzzles, against that of the tests, which knows nothing but the rules."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from chronotable_host.learning.puzzles.making import MOST_RESULTS
from chronotable_host.learning.puzzles.puzzle import Puzzle, built_in
from chronotable_host.learning.puzzles.solver import Solver
from chronotable_host.learning.puzzles.trial import ON, SOLVED, WRONG, Trial
from chronotable_host.rules.notation import parse_position
from tests import lanes, sweep
from tests.lab import tactics
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import FOCUS_SHIFT, META, NOBODY


def some(small: int, full: int, win: int | None = None) -> list[Puzzle]:
    """Return every so many of the puzzles, easy and hard ones."""
    known = [puzzle for puzzle in built_in() if win in (None, puzzle.win)]
    return known[:: len(known) // sweep.size(small, full, len(known))]


@lanes.gate
def test_every_puzzle_is_won_in_so_many_turns_and_no_sooner() -> None:
    for puzzle in some(60, 300):
        solver = Solver(puzzle.state)
        assert solver.distance(solver.node(puzzle.state)) == puzzle.win, puzzle


@lanes.gate
@pytest.mark.parametrize("win", [1, 2, 3])
def test_one_or_two_results_of_the_first_turn_win_in_the_shortest_way(win: int) -> None:
    for puzzle in some(8 if win < 3 else 3, 100, win):
        solver = Solver(puzzle.state)
        results = solver.results(solver.node(puzzle.state), win, MOST_RESULTS + 1)
        assert 1 <= results <= MOST_RESULTS, puzzle


def test_results_are_counted_as_the_oracle_finds_them() -> None:
    """Turns that differ but in where the focus goes have one; so are dozens of them found."""
    many = ".....b........../.......w..w...../..w..wb......... 1 1 2 3 w"
    cases = [(each.state, each.win) for win in (1, 2) for each in some(2, 20, win)]
    for state, win in [(parse_position(many), 2), *cases]:
        won = set()
        game = Game()
        game.start(state)
        for turn in game.legal_turns():
            then = array("H", state)
            game.after(turn, then)
            then[META] &= ~(3 << (FOCUS_SHIFT + 2 * game.mover))
            if bytes(then) not in won and tactics.keeps(state, turn, win):
                won.add(bytes(then))
        solver = Solver(state)
        assert solver.results(solver.node(state), win, 1000) == len(won)
        assert len(won) > 20 if state == parse_position(many) else won


@pytest.mark.parametrize("seed", range(sweep.size(2, 10)))
def test_any_position_is_judged_as_the_oracle_does(seed: int) -> None:
    """Of games by chance that come near their end: won in one turn, in two, or neither."""
    rng = Random(seed)
    game = Game()
    game.start(parse_position(rng.choice(built_in()).position))
    judged = 0
    while game.winner() == NOBODY and judged < 12:
        solver = Solver(game.state)
        for turns in (1, 2):
            found = solver.win(solver.node(game.state), turns)
            known = tactics.Solver().win(game.state, turns)
            assert (found is None) == (known is None), (seed, turns, game.state)
            assert found is None or tactics.keeps(game.state, found, turns)
        judged += 1
        game.apply(rng.choice([*game.legal_turns()]))
    assert judged


@pytest.mark.parametrize("win", [1, 2, pytest.param(3, marks=lanes.gate)])
def test_every_turn_is_judged_as_the_oracle_does(win: int) -> None:
    """A right turn is answered by a defence that lasts; a wrong one by why it is wrong."""
    rng = Random(win)
    for puzzle in some(3, 20, win):
        trial = Trial(puzzle)
        legal = [*trial.game.legal_turns()]  # as few as two, where only the focus moves (T10)
        for turn in [*rng.sample(legal, min(6, len(legal))), trial.solution()]:
            trial = Trial(puzzle)
            reply = trial.play(turn)
            keeps = tactics.keeps(puzzle.state, turn, win)
            assert keeps == (reply.verdict != WRONG), (puzzle, turn)
            if reply.verdict == WRONG:
                assert not trial.game.turns
                refutes(puzzle, turn, reply.answer)
            elif reply.verdict == ON:
                assert trial.left == win - 1
                oracle = tactics.Solver()
                assert (
                    trial.left == 1
                    or oracle.win(trial.game.state, trial.left - 1) is None
                    or (not lasts_longer(puzzle, turn, trial.left))
                )


def refutes(puzzle: Puzzle, turn: int, answer: int | None) -> None:
    """Check that an answer leaves no win in time."""
    if puzzle.win == 1:
        assert answer is None
        return
    game = Game()
    game.start(puzzle.state)
    game.apply(turn)
    assert answer is not None
    game.apply(answer)
    assert game.winner() != NOBODY or tactics.Solver().win(game.state, puzzle.win - 1) is None


def lasts_longer(puzzle: Puzzle, turn: int, left: int) -> bool:
    """Tell whether any answer to a turn puts the loss off until the last turn."""
    game = Game()
    game.start(puzzle.state)
    game.apply(turn)
    for answer in [*game.legal_turns()]:
        game.apply(answer)
        if tactics.Solver().win(game.state, left - 1) is None:
            return True
        game.undo()
    return False


@lanes.gate
def test_a_puzzle_is_solved_by_its_solution() -> None:
    for puzzle in some(30, 300):
        trial = Trial(puzzle)
        verdicts = [trial.play(trial.solution()).verdict for _ in range(puzzle.win)]
        assert verdicts == [ON] * (puzzle.win - 1) + [SOLVED]
        assert trial.is_solved


@pytest.mark.parametrize("modules", range(1, objects.ALL_MODULES + 1))
def test_wins_are_proven_with_modules_too(modules: int) -> None:
    """In games by chance; the oracle looks at the same positions."""
    rng = Random(modules)
    won = 0
    for _ in range(sweep.size(3, 12)):
        game = Game()
        game.start(objects.new_state(modules))
        while game.winner() == NOBODY and len(game.turns) < 200:
            game.apply(rng.choice([*game.legal_turns()]))
        if game.winner() == NOBODY:
            continue
        game.undo()
        solver = Solver(game.state)
        assert solver.distance(solver.node(game.state)) == 1
        won += 1
    assert won
