"""Levels of play, 1 to 8: how far the built-in player looks, and how many turns it overlooks.

All but the strongest overlook some, so that no two games are the same.

None of them depends on a clock: with the same seed a level plays the same on every computer.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from chronotable_host.engine.evaluation import evaluation_of
from chronotable_host.engine.games import ModuleGame, StandardGame
from chronotable_host.engine.search import Limits, Rules, Search, Thought
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import BLACK, STRICT_TWO_ACTIONS, WHITE


def states_of(game: Game) -> list[array[int]]:
    """Return all states of a game, the present one at the end."""
    words = len(game.state)
    return [game.past[at : at + words] for at in range(0, len(game.past), words)] + [game.state]


def start_of(game: Game) -> array[int]:
    """Return the state that a game began with."""
    return states_of(game)[0]


class Level(NamedTuple):
    """How a level thinks: by nodes, or else to a depth, of turns that it does not overlook."""

    nodes: int = 0
    nodes_with_modules: int = 0
    """The turns of such games are slower to find."""
    nodes_in_endgames: int = 0
    """Where two copies each are left, and no supplies; 0 for as many as else. Wins are further off
    there, and nodes take a third of the time."""
    depth: int = 0
    overlooks: float = 0.0
    overlooks_with_modules: float = 0.0
    """The chance of each turn not to be thought of; such games are understood less well."""


LEVELS = (
    Level(depth=0, overlooks=0.96, overlooks_with_modules=0.96),
    Level(depth=0, overlooks=0.85, overlooks_with_modules=0.78),
    Level(depth=2, overlooks=0.7, overlooks_with_modules=0.6),
    Level(nodes=90, nodes_with_modules=20, overlooks=0.6, overlooks_with_modules=0.2),
    Level(nodes=300, nodes_with_modules=50, overlooks=0.5, overlooks_with_modules=0.2),
    Level(nodes=1_200, nodes_with_modules=100, overlooks=0.35, overlooks_with_modules=0.1),
    Level(nodes=6_000, nodes_with_modules=300, overlooks=0.2, overlooks_with_modules=0.05),
    Level(nodes=30_000, nodes_with_modules=800, nodes_in_endgames=90_000),
)
"""The levels 1 to 8; how strong they are measured to be stands in `tests/lab/figures.md`."""
DEFAULT = 3

_ENDGAME_COPIES = 2  # of each player: `tests.lab.endgames` has all of those solved


def rules_of(state: array[int], options: int) -> Rules[Any, Any]:
    """Return the rules of the game that a state is of, as the search asks for them."""
    modules = objects.modules_of(state)
    if modules:
        return ModuleGame(options, evaluation_of(modules))
    return StandardGame(bool(options & STRICT_TWO_ACTIONS))


class LevelPlayer:
    """Chooses turns as a level does."""

    def __init__(self, level: int, seed: int = 0) -> None:
        self.level = LEVELS[level - 1]
        self._seed = seed
        self._kept: tuple[tuple[int, int], Rules[Any, Any]] | None = None

    def choose(
        self,
        game: Game,
        tell: Callable[[Thought], None] = lambda _: None,
        is_over: Callable[[], bool] | None = None,
    ) -> int:
        """Return a packed turn; nobody has won yet.

        `tell` hears what is thought, and `is_over` may end it early.
        """
        states = states_of(game)
        state = game.state
        rules = self._rules_of(game)
        search = Search(rules)
        node = rules.node(state)
        level = self.level
        rng = Random(f"{self._seed} {len(states)}")
        nodes = _nodes(level, state)
        is_plain = not objects.modules_of(state)
        overlooks = level.overlooks if is_plain else level.overlooks_with_modules
        if nodes:
            played = [rules.node(each) for each in states]
            limits = Limits(nodes, None, is_over)
            turn = 0
            for thought in search.think(node, limits, played, rng, overlooks):
                tell(thought)
                turn = thought.line[0]
            return turn
        values = search.values(node, level.depth)
        seen = [each for each in values if rng.random() >= overlooks]
        return max(seen or [rng.choice(values)])[1]

    def _rules_of(self, game: Game) -> Rules[Any, Any]:
        """Return the rules of a game.

        Those with modules are kept for the next turn, with what they know of positions: their turns
        are slow to find. In the standard game that is worth less than the memory.
        """
        kind = objects.modules_of(game.state), game.options
        if not kind[0]:
            return rules_of(game.state, game.options)
        if self._kept is None or self._kept[0] != kind:
            self._kept = kind, rules_of(game.state, game.options)
        return self._kept[1]


def _nodes(level: Level, state: array[int]) -> int:
    """Return how many nodes a level looks at in a position, 0 where it thinks to a depth."""
    if objects.modules_of(state):
        return level.nodes_with_modules
    copies = (state[first : first + 3] for first in (layout.COPIES, layout.COPIES + 3))
    is_endgame = not (layout.supply(state, WHITE) or layout.supply(state, BLACK)) and all(
        sum(each.bit_count() for each in own) <= _ENDGAME_COPIES for own in copies
    )
    return (is_endgame and level.nodes_in_endgames) or level.nodes
