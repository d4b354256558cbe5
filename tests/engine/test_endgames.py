"""Known endgames: they follow from the rules, are made again the same, and everybody uses them."""

from __future__ import annotations

import subprocess
import sys
from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from chronotable_host import cli
from chronotable_host.commands import engine as making
from chronotable_host.engine import endgames
from chronotable_host.engine.analysis import Analyst
from chronotable_host.engine.endgames import end_of
from chronotable_host.engine.evaluation import chance_of
from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.levels import LEVELS, LevelPlayer
from chronotable_host.engine.position import Position, eras_held, has_won, of_state, results
from chronotable_host.engine.search import Limits, Search, Thought, turns_to_end
from chronotable_host.home import HOME_VARIABLE
from chronotable_host.learning.puzzles.solver import Solver
from chronotable_host.rules.annotations import BEST, LONGER_WIN, MISSED_WIN, ONLY
from tests import lanes, sweep
from tests.lab import tactics
from tests.lab.endgames import any_positions, state_of
from tests.lab.positions import game_at
from ttykm.game import winner
from ttykm.layout import NOBODY

AT_ONCE = 1
MAKING = "chronotable_host.engine.endgames_making"
LACKING = "endgames are made with the extra `endgames`"


def some(small: int, full: int) -> Iterator[tuple[Position, int]]:
    """Yield positions of all tables, with how they end."""
    for node in islice(any_positions(small), sweep.size(small, full)):
        end = end_of(node)
        assert end is not None, node
        yield node, end


def following(state: array[int]) -> list[int]:
    """Return how the positions end that turns lead to, as the device plays them; -1 is won."""
    game = game_at(state)
    found = []
    for turn in game.legal_turns():
        then = array("H", state)
        game.after(turn, then)
        after = of_state(then)
        if winner(then) != NOBODY:
            found.append(-1)
        elif eras_held(after.other) < 2:
            found.append(AT_ONCE)
        else:
            end = end_of(after)
            assert end is not None, after
            found.append(end)
    return found


def test_an_end_follows_from_those_that_turns_lead_to() -> None:
    """Who can lead to a loss wins soonest; who can only lead to wins loses latest; else neither.

    As that is so everywhere, ends are what they are called.
    """
    for node, end in some(120, 10_000):
        after = following(state_of(node))
        losses = [each + 1 for each in after if each and not each & 1] + [
            AT_ONCE for each in after if each < 0
        ]
        assert end == (min(losses) if losses else 0 if 0 in after else max(after) + 1), node


def test_near_wins_are_those_that_are_found_forwards() -> None:
    for node, end in some(20, 600):
        found = tactics.Solver().win(state_of(node), 2)
        assert (found is not None) == (end in (1, 3)), node


def test_the_strongest_level_wins_in_as_many_turns_as_it_takes() -> None:
    """Against itself, which holds out as long as it can."""
    level = LevelPlayer(8)
    far = [(node, end) for node, end in some(900, 900) if end & 1 and end > 11][:4]
    assert len(far) == 4
    for node, end in far:
        game = game_at(state_of(node))
        thoughts: list[Thought] = []
        for left in range(end, 0, -1):
            assert game.winner() == NOBODY, node
            game.apply(level.choose(game, thoughts.append))
            score, line = thoughts[-1].score, thoughts[-1].line
            assert turns_to_end(score) == ((left + 1) // 2 if left & 1 else -(left // 2))
            assert len(line) == min(left, 12)
        assert game.winner() == 0, node


def test_where_neither_has_to_lose_it_is_even_and_nobody_errs() -> None:
    even = [node for node, end in some(40, 900) if not end]
    assert even
    for node in even:
        for nodes in (1, 200):
            *_, thought = Search(StandardGame()).think(node, Limits(nodes=nodes))
            assert thought.score == 0, node
            game = game_at(state_of(node))
            game.apply(thought.line[0])
            assert end_of(of_state(game.state)) == 0, node


def test_who_overlooks_turns_knows_no_endgames() -> None:
    node = next(node for node, end in some(900, 900) if end > 11)
    *_, thought = Search(StandardGame()).think(node, Limits(nodes=50), (), Random(1), 0.01)
    assert not turns_to_end(thought.score)


def test_a_turn_into_a_known_endgame_is_seen_through() -> None:
    """With three pieces each, of which one dies: the win behind that is far for so few nodes."""
    rng, game = Random(1), StandardGame()
    copies = [*endgames.arrangements(3)]
    found = 0
    while found < 3:
        own, other = rng.sample(copies, 2)
        supplies = 3 - own.bit_count(), 3 - other.bit_count()
        node = Position(own, other, *supplies, rng.randrange(3), rng.randrange(3))
        if own & other or game.can_win(node):
            continue
        then = [game.after(node, each[2], each[1] >> 16) for each in game.children(node)[1]]
        ends = [end for each in then if (end := end_of(each)) and not end & 1]
        if ends and min(ends) >= 12:
            *_, thought = Search(game).think(node, Limits(nodes=300))
            assert 0 < turns_to_end(thought.score) <= min(ends) // 2 + 1, node
            found += 1


def test_nothing_is_known_by_other_rules_or_with_more_pieces() -> None:
    node, _ = next(some(1, 1))
    assert StandardGame(strict=True).end(node) is None
    assert StandardGame().end(node._replace(supply=4)) is None
    assert StandardGame().end(node._replace(other=1)) is None


def test_a_puzzle_knows_how_far_its_win_is() -> None:
    for node, end in some(90, 900):
        turns = (end + 1) // 2
        solver = Solver(state_of(node))
        assert solver.distance(node, 50) == (turns if end & 1 else None)
        if end & 1:
            assert solver.win(node, turns - 1) is None or turns == 1
            turn = solver.win(node, turns)
            assert turn is not None
            game = game_at(state_of(node))
            game.apply(turn)
            assert end == 1 or end_of(of_state(game.state)) == end - 1


def test_an_analysis_tells_how_far_the_end_is() -> None:
    """A turn that gives a win away is told from one that lets it take longer, however far it is."""
    marks = set()
    for node, end in some(90, 900):
        if not end & 1 or end < 9:
            continue
        game = game_at(state_of(node))
        *_, thought = Search(StandardGame()).think(node, Limits(nodes=1))
        for turn in [thought.line[0], *[*game.legal_turns()][::20]]:
            (judged,) = Analyst(game.state, 0, LEVELS[3]).judge([turn])
            assert turns_to_end(judged.best.score) == (end + 1) // 2
            then = array("H", game.state)
            game.after(turn, then)
            after = end_of(of_state(then)) if eras_held(of_state(then).other) > 1 else AT_ONCE
            assert after is not None
            marks.add(judged.mark)
            if after == end - 1:
                assert judged.mark in (BEST, ONLY)
                assert judged.annotation().value == f"#{(end - 1) // 2}"
            else:
                assert judged.mark == (MISSED_WIN if after & 1 or not after else LONGER_WIN)
                if not after:
                    assert chance_of(judged.value, 0) == 0.5
    assert {BEST, LONGER_WIN, MISSED_WIN} <= marks


def test_nothing_is_read_before_it_is_asked_for() -> None:
    """Nor by a search that meets no endgame."""
    told = (
        "import sys; from chronotable_host.engine import endgames, levels, match, search;"
        "rules = levels.rules_of(match.opening(1), 0);"
        "node = rules.node(match.opening(1));"
        "list(search.Search(rules).think(node, search.Limits(nodes=50)));"
        "caches = endgames.tablebase, endgames.kinds, endgames.arrangements;"
        "sys.exit(any(each.cache_info().misses for each in caches))"
    )
    assert not subprocess.run([sys.executable, "-c", told], check=False).returncode


def test_without_numpy_nothing_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, MAKING, raising=False)
    assert cli.run(["endgames", "make", "2v2"]) == cli.WRONG
    assert "numpy" in capsys.readouterr().err


def test_what_was_made_here_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three against three, which nobody has without making it: here a part of one kind."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    three = endgames.Material(3, 3)
    own, other = [*endgames.arrangements(3)][9], endgames.kinds(3)[1][0]
    node = Position(own, other, 1, 1, 2, 0)
    try:
        endgames.tablebase.cache_clear()
        assert end_of(node) is None
        folder = endgames.folders()[-1]
        folder.mkdir()
        ends = bytearray(9 * len(endgames.arrangements(3)))
        ends[6 * len(endgames.arrangements(3)) + 9] = 77
        endgames.write(folder / endgames.file_name(three), three, [ends])
        endgames.tablebase.cache_clear()
        assert end_of(node) == 77
    finally:
        endgames.tablebase.cache_clear()


@lanes.tool
def test_what_a_table_leads_to_is_made_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(MAKING, reason=LACKING)
    monkeypatch.setattr(making, "tablebase", lambda _: None)
    assert cli.run(["endgames", "make", "3v2"]) == cli.WRONG
    assert "endgames make 2v2" in capsys.readouterr().err


@lanes.tool
def test_what_is_solved_has_the_turns_of_the_engine() -> None:
    """With three pieces each, a table that takes too long to be made here."""
    material = endgames.Material(3, 3)
    maker = pytest.importorskip(MAKING, reason=LACKING).Maker(material, Path())

    def row(own: int, other: int, supply: int, other_supply: int) -> int:
        left = own.bit_count() + supply, other.bit_count() + other_supply
        return int(maker.row(own, other, endgames.Material(*left)))

    firsts = endgames.kinds(3)[1]
    for kind in (0, len(firsts) - 1):
        *at_once, positions, begins, to = (each.tolist() for each in maker.edges(material, kind))
        won, lost = map(set, at_once)
        leads = {
            position: {*to[begin:end]}
            for position, begin, end in zip(positions, begins, [*begins[1:], None], strict=True)
        }
        many = [each for each in endgames.arrangements(3) if not each & firsts[kind]]
        for each in Random(kind).sample(many, 40):
            own, other = each, firsts[kind]
            supply, other_supply = 3 - own.bit_count(), 3 - other.bit_count()
            for focus in range(3):
                position = 3 * row(own, other, supply, other_supply) + focus
                after = results(own, other, supply, focus)
                rest = {
                    3 * row(then, acted, other_supply, left) + focus
                    for acted, then, left in after
                    if eras_held(acted) > 1 and not has_won(then)
                }
                if any(has_won(then) for _, then, _ in after):
                    assert position in won
                elif rest:
                    assert leads[position] == rest
                else:
                    assert position in lost


@lanes.gate
def test_a_table_is_made_the_same_again_and_goes_on_where_it_was_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maker_of = pytest.importorskip(MAKING, reason=LACKING).Maker
    two = endgames.Material(2, 2)
    path = tmp_path / endgames.file_name(two)
    work = path.with_suffix(".work")
    assert len([*islice(maker_of(two, work).prepare(), 30)]) == 30
    maker = maker_of(two, work)
    assert len([*maker.prepare()]) == len(endgames.kinds(2)[1])
    assert len([*islice(maker.solve(), 9)]) == 9
    assert cli.run(["endgames", "make", "2v2", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.out.split() == [str(path)]
    assert "end in 10 turns" not in told.err
    assert "end in 11 turns" in told.err
    assert [*tmp_path.iterdir()] == [path]
    made, known = endgames.Tablebase(path, two), endgames.tablebase(two)
    assert known
    for kind in range(len(endgames.kinds(2)[1])):
        assert made.block(kind) == known.block(kind)
