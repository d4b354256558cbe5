"""How the table itself finds turns: legal ones, wins, and the same ones again."""

from __future__ import annotations

import json
from array import array
from random import Random

import pytest

from chronotable.player import evaluation
from chronotable.player.advantage import advantage
from chronotable.player.search import Search, can_lose, look
from chronotable.player.search_modules import ModuleSearch
from chronotable.player.seats import LEVELS, STRONG
from chronotable.player.weights import WEIGHTS
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.match import opening, play_as
from chronotable_host.engine.position import of_state
from chronotable_host.learning.puzzles.puzzle import FILE
from chronotable_host.rules.notation import parse_position, parse_turn
from tests import lanes, sweep
from tests.lab import lines
from tests.lab.ladder import OwnPlayer
from tests.lab.positions import game_at
from ttykm import layout, objects
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, RECORD_WORDS, STRICT_TWO_ACTIONS
from ttykm.turns import RECORDS_IN_GAMES, TurnTree

ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
SHALLOW = (100, 2, 0)
STATUE = 60  # points of one that is not built yet
RECORDS = 44  # of one copy's turns
MOST = 120  # turns of a position
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


def seen_by(state: array[int], mover: int) -> array[int]:
    """Return a state as if it were this player's turn."""
    seen = array("H", state)
    seen[layout.META] = seen[layout.META] & ~(1 << layout.MOVER_SHIFT) | mover << layout.MOVER_SHIFT
    return seen


@pytest.mark.parametrize("modules", range(8))
def test_how_a_player_stands_is_what_the_weights_say(modules: int) -> None:
    """As the PC adds them up; what modules add has weights of its own."""
    worth = lines.known().worth
    for number, state in enumerate(states_of(modules, modules, 15)):
        if modules & objects.MEMORY and number % 2:  # games by chance seldom come to a hat
            objects.put_hat(state, number % 3, number >> 1 & 1, number >> 2 & 1)
        if min(layout.eras_held(state, player) for player in range(2)) < 2:
            continue
        for player in range(2):
            wanted = worth(of_state(seen_by(state, player)))
            wanted -= worth(of_state(seen_by(state, 1 - player)))
            if modules:
                hats = [objects.hat(state, era, which) for era in range(3) for which in range(2)]
                wanted += 2 * evaluation.HAT * (hats.count(player) - hats.count(1 - player))
                own, other = (objects.holds_statue(state, each) for each in (player, 1 - player))
                wanted += 2 * STATUE * (own - other)
            assert advantage(state, player) == wanted


@pytest.mark.parametrize("strict", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
def test_turns_are_told_apart_valued_and_sorted(strict: int) -> None:
    table, worth = evaluation.table_of(), lines.known().worth
    tree = TurnTree(RECORDS_IN_GAMES)
    records = array("H", bytes(2 * RECORD_WORDS * RECORDS))
    out, order = evaluation.outcomes(MOST), bytearray(MOST)
    for state in states_of(0, 5) + states_of(0, 6):
        tree.build(state, strict)
        me = layout.mover(state)
        after = array("H", state)
        wanted: dict[bytes, int] = {}
        best: dict[bytes, int] = {}
        for index in tree.whole_turns():
            for focus in {0, 1, 2} - {layout.focus(state, me)}:
                tree.after(index, focus, after)
                value = -worth(of_state(after))
                if winner(after) == me:
                    value = evaluation.WON
                elif layout.eras_held(after, me) < 2:
                    value = -evaluation.SOON
                wanted[bytes(seen_by(after, me))] = value
                outcome = bytes(after[: layout.META])
                best[outcome] = max(value, best.get(outcome, value))

        def found(room: int, state: array[int] = state) -> list[tuple[bytes, int]]:
            table[evaluation.ROOM] = room | (256 if strict else 0)
            table[evaluation.ENOUGH] = 2 * evaluation.ZERO
            count = look(records, state, bytearray(WEIGHTS), table, out, order)
            rows = [out[9 * number : 9 * number + 7] for number in order[:count]]
            worths = [evaluation.worth_of(out, number) for number in order[:count]]
            assert worths == sorted(worths, reverse=True)
            return [(bytes(row), each) for row, each in zip(rows, worths, strict=True)]

        whole = found(MOST)
        assert len(whole) == len(wanted)
        assert dict(whole) == wanted
        assert [each for _, each in found(3)] == [each for _, each in whole[:3]]
        better = found(MOST | evaluation.BETTER_FOCUS)
        assert len(better) == len(best)
        assert {row[: 2 * layout.META]: each for row, each in better} == best


@pytest.mark.parametrize("strict", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
def test_whether_the_other_player_can_win_at_once_is_what_its_turns_say(strict: int) -> None:
    table, tree = evaluation.table_of(), TurnTree()
    records = array("H", bytes(2 * RECORD_WORDS * RECORDS))
    out, order = evaluation.outcomes(MOST), bytearray(MOST)
    seen = {True: 0, False: 0}
    table[evaluation.ROOM] = MOST | (256 if strict else 0)
    table[evaluation.ENOUGH] = 2 * evaluation.ZERO
    games = puzzles(1, 20) + puzzles(2, 20)
    for state in [game.state for game in games] + states_of(0, 7):
        count = look(records, state, bytearray(WEIGHTS), table, out, order)
        for number in order[:count:3]:
            after = array("H", out[9 * number : 9 * number + 7])
            other = 1 - layout.mover(after)
            after = seen_by(after, other)
            final = array("H", after)
            tree.build(after, strict)
            wins = False
            for index in tree.whole_turns():
                tree.after(index, 0, final)
                wins |= layout.eras_held(final, 1 - other) < 2
            if layout.eras_held(after, 1 - other) >= 2:
                assert can_lose(records, out, number, table) == wins, after
                seen[wins] += 1
    assert min(seen.values()) > 20, seen


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
    touches = (
        (0, False),
        (3, False),
        (3, True),
        (60, False),
        *((at, True) for at in range(58, 63)),
    )
    for touched_at, is_over in touches:
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
@pytest.mark.parametrize(("level", "against", "least"), [(1, 4, 0.4), (2, 5, 0.5), (3, 5, 0.9)])
def test_how_strong_the_levels_are(level: int, against: int, least: float) -> None:
    """Against levels of the PC's player; `tests.lab.ladder` says more."""
    games = sweep.size(4 if level == STRONG else 12, 20, 100)
    won = 0.0
    for number in range(games):
        own, other = OwnPlayer(LEVELS[level], number), LevelPlayer(against, number)
        who, _ = play_as(number % 2, own, other.choose, opening(number // 2))
        won += 0.5 if who == NOBODY else who == number % 2
    assert least <= won / games, won
