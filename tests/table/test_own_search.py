"""How the table itself finds turns: legal ones, wins, and the same ones again."""

from __future__ import annotations

import json
from array import array
from random import Random

import pytest

from chronotable.player import evaluation
from chronotable.player.advantage import advantage
from chronotable.player.search import Search, look
from chronotable.player.search_modules import ModuleSearch
from chronotable.player.seats import LEVELS, STRONG
from chronotable_host.engine.evaluation import Evaluation
from chronotable_host.engine.match import opening, play_as
from chronotable_host.learning.puzzles.puzzle import FILE
from chronotable_host.rules.notation import parse_position, parse_turn
from tests import lanes, sweep
from tests.lab.counting import COUNTING, FIRST_OF_MODULES
from tests.lab.players import LookaheadPlayer, OwnPlayer
from tests.lab.positions import game_at
from ttykm import layout, objects
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, RECORD_WORDS, STRICT_TWO_ACTIONS
from ttykm.turns import RECORDS_IN_GAMES, TurnTree

ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
SHALLOW = (100, 2, 0)
FEW = 4  # answers that are looked at where the depth ends


def states_of(modules: int, seed: int, most: int = 40) -> list[array[int]]:
    """Return the positions of a game by chance."""
    rng = Random(seed)
    game = Game()
    game.start(objects.new_state(modules))
    states = []
    while game.winner() == NOBODY and len(game.turns) < most:
        states.append(array("H", game.state))
        game.apply(rng.choice([*game.legal_turns()]))
    return states


@pytest.mark.parametrize("modules", range(8))
def test_the_weights_are_those_that_were_learned(modules: int) -> None:
    weights = evaluation.MODULES if modules else evaluation.STANDARD
    known = Evaluation(FIRST_OF_MODULES if modules else COUNTING)
    assert weights[17:] == (known.statue, known.hat)
    for number, state in enumerate(states_of(modules, modules, 15)):
        if modules & objects.MEMORY and number % 2:  # games by chance seldom come to a hat
            objects.put_hat(state, number % 3, number >> 1 & 1, number >> 2 & 1)
        for player in range(2):
            assert advantage(state, player) == known.of_state(state, player)


@pytest.mark.parametrize("strict", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
def test_outcomes_are_told_apart_valued_and_sorted(strict: int) -> None:
    table, counting = evaluation.table_of(evaluation.STANDARD), Evaluation(COUNTING)
    tree, own = TurnTree(302), TurnTree(302)
    out, order = evaluation.outcomes(64), bytearray(64)
    for state in states_of(0, 5) + states_of(0, 6):
        count = look(own.records, state, table, out, order, 64 | (256 if strict else 0))
        tree.build(state, strict)
        me = layout.mover(state)
        after, shifted = array("H", state), array("H", state)
        wanted = {}
        for index in tree.whole_turns():
            tree.copy(index, after)
            tree.after(index, 0, shifted)
            value = counting.of_state(after, me)
            lost = layout.eras_held(after, me) < 2
            is_won = winner(shifted) == me
            wanted[bytes(after)] = evaluation.WON if is_won else -evaluation.SOON if lost else value
        found = {
            bytes(out[9 * number : 9 * number + 7]): evaluation.worth_of(out, number)
            for number in order[:count]
        }
        assert count == len(found)
        assert found == wanted
        assert [*found.values()] == sorted(wanted.values(), reverse=True)


@lanes.gate
@pytest.mark.parametrize("level", range(1, len(LEVELS)))
@pytest.mark.parametrize("modules", range(8))
def test_turns_are_legal_to_the_end(modules: int, level: int) -> None:
    """The game itself refuses a turn that is not."""
    nodes, depth, overlooks = LEVELS[level]
    for seed in range(sweep.size(1, 2, 10)):
        sides = [OwnPlayer((min(nodes, 150), depth, overlooks), 2 * seed + side) for side in (0, 1)]
        game = Game()
        game.start(objects.new_state(modules))
        while game.winner() == NOBODY and len(game.turns) < sweep.size(6, 60, 100):
            game.apply(sides[game.mover](game))


@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_each_level_wins_where_it_can_at_once(level: int) -> None:
    rows = [row for row in ROWS if row["win"] == 1]
    player = OwnPlayer(LEVELS[level], 1)
    for row in rows[: sweep.size(30, 100, 100)]:
        game = game_at(parse_position(row["position"]))
        me = game.mover
        game.apply(player(game))
        assert game.winner() == me, row


def puzzles(win: int, most: int) -> list[Game]:
    """Return games that begin where a win takes so many turns."""
    positions = [row["position"] for row in ROWS if row["win"] == win][:most]
    return [game_at(parse_position(each)) for each in positions]


def search_in(game: Game, level: tuple[int, int, int], seed: int = 1) -> tuple[int, int]:
    """Return the turn that is found, and its score."""
    search = ModuleSearch() if objects.modules_of(game.state) else Search()
    search.begin(game, seed, level)
    turn = -1
    while turn < 0:
        turn = search.step()
    return turn, search.score


@pytest.mark.parametrize(
    ("level", "most"), [(SHALLOW, 13), (LEVELS[STRONG], sweep.size(12, 50, 100))], ids=str
)
def test_wins_in_two_turns_are_found(level: tuple[int, int, int], most: int) -> None:
    """Where the depth ends, if few answers are left; in some only one focus threatens to win."""
    rows = [row for row in ROWS if row["win"] == 2]
    for game, row in zip(puzzles(2, most), rows, strict=False):
        after = game_at(game.state)
        after.apply(parse_turn(row["turn"]))
        if level != SHALLOW or len([*after.legal_turns()]) <= FEW:
            _, score = search_in(game, level)
            assert evaluation.SOON < score < evaluation.WON, game.state


@pytest.mark.parametrize("modules", range(8))
def test_a_turn_is_worth_what_the_best_answer_leaves(modules: int) -> None:
    """Whatever is left out on the way is no better answer."""
    depth = 2 if modules else 3
    games = [game_at(state) for state in states_of(modules, 2, sweep.size(12, 40, 40))[::4]]
    for game in games if modules else puzzles(3, sweep.size(4, 50, 100)):
        turn, score = search_in(game, (5000, depth, 0))
        game.apply(turn)
        if game.winner() == NOBODY:
            _, answered = search_in(game, (5000, depth - 1, 0))
            assert score == -answered, game.state


def test_a_search_that_is_cut_short_finds_no_worse_turn() -> None:
    """The best turn so far is the first to be looked at one turn deeper."""
    game = Game()
    search = Search()
    search.begin(game, 1, (5000, 3, 0))
    while search.depth < 3:
        search.step()
    worth = []
    for nodes in range(search.looked, search.looked + 40, 4):
        game.apply(search_in(game, (nodes, 3, 0))[0])
        worth.append(-search_in(game, (5000, 2, 0))[1])
        game.undo()
    assert min(worth) == worth[0]


def test_the_best_turn_at_first_sight_is_passed_over_for_its_answers() -> None:
    gains = []
    for state in states_of(objects.INFLUENCE, 2, 16):
        game = game_at(state)
        _, score = search_in(game, (5000, 2, 0))
        game.apply(search_in(game, (5000, 1, 0))[0])
        if game.winner() == NOBODY:
            gains.append(score + search_in(game, (5000, 1, 0))[1])
    assert min(gains) == 0 < max(gains)


@pytest.mark.parametrize("modules", (0, 1, objects.ALL_MODULES))
def test_to_come_back_to_a_position_is_worth_nothing(modules: int) -> None:
    game = game_at(objects.new_state(modules))
    turn, score = search_in(game, (5000, 2, 0))
    after = game.state[:]
    game.after(turn, after)
    game.past.extend(after)  # as if it had been there
    other, left = search_in(game, (5000, 2, 0))
    assert left == 0 if other == turn else left <= score


@pytest.mark.parametrize("modules", (0, objects.ALL_MODULES))
def test_the_best_turn_is_overlooked_at_times(modules: int) -> None:
    game = game_at(objects.new_state(modules))
    are_best = set()
    for seed in range(0, 80000, 7919):
        actions = [search_in(game, (1, 1, chance), seed)[0] & 0xFFFF for chance in (0, 128)]
        are_best.add(actions[0] == actions[1])
    assert are_best == {True, False}


def test_the_same_seed_finds_the_same_turns_and_another_one_others() -> None:
    def played(seed: int) -> list[int]:
        player = OwnPlayer((60, 2, 60), seed)
        game = Game()
        while game.winner() == NOBODY and len(game.turns) < 12:
            game.apply(player(game))
        return [*game.turns]

    assert played(1) == played(1)
    assert len({tuple(played(seed)) for seed in range(6)}) > 1


@lanes.gate
@pytest.mark.parametrize("modules", (1, 3, 5))
def test_hands_that_touch_the_table_meanwhile_change_no_turn(modules: int) -> None:
    """What they touch makes the game's own tree larger, at whose end the search has its room."""
    tree = TurnTree()
    state = max((each for seed in range(6) for each in states_of(modules, seed)), key=tree.build)
    game = Game(RECORDS_IN_GAMES)
    game.start(state)
    game.is_lazy = True
    found = set()
    for touched_at, is_over in ((0, False), (3, False), (3, True), (60, False), (60, True)):
        whole = game.legal(True)
        search = ModuleSearch()
        search.begin(game, 1, LEVELS[STRONG])
        turn, steps = -1, 0
        while turn < 0:
            steps += 1
            if steps == touched_at:
                for first in range(whole.firsts, whole.seconds):
                    whole.expand_first(first)
                assert whole.is_full
                if is_over:
                    game.legal(True)
            own = whole.end * RECORD_WORDS
            before = [*whole.records[:own], *whole.objects[:own]]
            turn = search.step()
            assert before == [*whole.records[:own], *whole.objects[:own]]
        found.add(turn)
    assert len(found) == 1, (modules, found)


def test_who_is_ahead_comes_back_to_no_position() -> None:
    rng = Random(3)
    player = OwnPlayer(SHALLOW, 3)
    game = game_at(parse_position(".w.............b/w.w..w........../ww.............b 2 0 4 1 w"))
    seen = set()
    while game.winner() == NOBODY and len(game.turns) < 40:
        if game.mover == layout.WHITE:
            game.apply(player(game))
            assert bytes(game.state) not in seen
            seen.add(bytes(game.state))
        else:
            game.apply(rng.choice([*game.legal_turns()]))


@lanes.long
@lanes.full
@pytest.mark.parametrize(
    ("level", "least", "most"), [(1, 0.25, 0.75), (2, 0.5, 1), (3, 0.9, 1)], ids=str
)
def test_how_strong_the_levels_are(level: int, least: float, most: float) -> None:
    """Against the player that there was before there was a search; `tests.lab.ladder` says more."""
    games = sweep.size(4 if level == STRONG else 12, 20, 100)
    won = 0.0
    for number in range(games):
        own = OwnPlayer(LEVELS[level], number)
        former = LookaheadPlayer(Random(number))
        who, _ = play_as(
            number % 2, own, lambda game, it=former: it(game) or 0, opening(number // 2)
        )
        won += 0.5 if who == NOBODY else who == number % 2
    assert least <= won / games <= most, won
