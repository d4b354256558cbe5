"""How fast the rules are on this computer: best of several repeats, on one core."""

from __future__ import annotations

import platform
from array import array
from collections.abc import Callable
from time import perf_counter

from chronotable_host.engine.position import of_state, perft
from tests.lab.figures import Figure
from tests.lab.positions import mid_game, random_game
from ttykm import layout
from ttykm.game import Game, digest
from ttykm.turns import TurnTree

_REPEATS = 5
_ENGINE_POSITIONS, _DEPTH = 5, 3  # turns that lead to the same position are counted together
_LEAST_S = 1.5  # so that a busy moment of the computer does not decide


def measure(
    positions: int = 200, games: int = 20, repeats: int = _REPEATS, least_s: float = _LEAST_S
) -> list[Figure]:
    """Measure turns a second, with and without the positions they lead to, and apply + digest."""
    states = mid_game(positions)
    played = [random_game(seed) for seed in range(games)]
    with_results = _best_rate(lambda: _generate_with_results(states), repeats, least_s)
    alone = _best_rate(lambda: _generate(states), repeats, least_s)
    nodes = [of_state(state) for state in states[:_ENGINE_POSITIONS]]
    by_engine = _best_rate(lambda: sum(perft(node, _DEPTH) for node in nodes), 1, least_s)
    applied = _best_rate(lambda: _apply(played), repeats, least_s)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    rates: tuple[tuple[str, float, str], ...] = (
        ("turns", round(with_results), f"{len(states)} mid-game positions"),
        ("generation", round(alone), f"{len(states)} mid-game positions"),
        ("engine", round(by_engine), f"{len(nodes)} positions"),
        ("apply", round(1e6 / applied, 2), f"{sum(len(game.turns) for game in played)} turns"),
    )
    return [
        Figure(f"rules_{key}", {"best": best}, remark=f"{python}, {of}") for key, best, of in rates
    ]


def _best_rate(work: Callable[[], int], repeats: int, least_s: float) -> float:
    """Return how many things a second `work` does at best; it returns how many it did."""
    best = 0.0
    end = perf_counter() + least_s
    while repeats > 0 or perf_counter() < end:
        begun = perf_counter()
        count = work()
        best = max(best, count / (perf_counter() - begun))
        repeats -= 1
    return best


def _generate_with_results(states: list[array[int]]) -> int:
    tree = TurnTree()
    out = layout.new_state()
    count = 0
    for state in states:
        tree.build(state)
        here = layout.focus(state, layout.mover(state))
        eras = [era for era in range(3) if era != here]
        for index in tree.whole_turns():
            for era in eras:
                tree.after(index, era, out)
                count += 1
    return count


def _generate(states: list[array[int]]) -> int:
    tree = TurnTree()
    return sum(2 * tree.build(state) for state in states)


def _apply(played: list[Game]) -> int:
    game = Game()
    start = layout.new_state()
    count = 0
    for other in played:
        game.start(start)
        for turn in other.turns:
            game.apply(turn)
            digest(game.state)
            count += 1
    return count
