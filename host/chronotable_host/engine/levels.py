"""Levels of play, 1 to 8 and between: how far the built-in player looks, and what it overlooks.

All but the strongest overlook turns and play in haste, so that no two games are the same. A weak
level does so nearly always and a stronger one less often: there is nothing that one level never
sees and the next one always does.

None of them depends on a clock: with the same seed a level plays the same on every computer.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection
from random import Random
from typing import Any, NamedTuple

from chronotable_host.engine.evaluation import evaluation_of
from chronotable_host.engine.games import ModuleGame, StandardGame
from chronotable_host.engine.patterns import boards_evaluation
from chronotable_host.engine.search import SOON, Limits, Rules, Search, Thought
from ttykm import layout, objects
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, STRICT_TWO_ACTIONS


def states_of(game: Game) -> list[array[int]]:
    """Return all states of a game, the present one at the end."""
    words = len(game.state)
    return [game.past[at : at + words] for at in range(0, len(game.past), words)] + [game.state]


def start_of(game: Game) -> array[int]:
    """Return the state that a game began with."""
    return states_of(game)[0]


class Level(NamedTuple):
    """How a level thinks: by nodes, of turns that it does not overlook."""

    nodes: int
    nodes_with_modules: int = 0
    """The turns of such games are slower to find."""
    overlooks: float = 0.0
    """The chance of each turn not to be thought of."""
    hurries: float = 0.0
    """The chance to play what looks best now, without a look at the answers."""
    rating: float = 0.0
    """How strong it is measured to be, in Elo points above chance."""


LEVELS = (
    Level(90, 20, overlooks=0.96, hurries=0.88, rating=190),
    Level(90, 20, overlooks=0.92, hurries=0.66, rating=365),
    Level(90, 20, overlooks=0.88, hurries=0.48, rating=520),
    Level(90, 20, overlooks=0.84, hurries=0.36, rating=705),
    Level(300, 50, overlooks=0.79, hurries=0.28, rating=895),
    Level(1_200, 100, overlooks=0.6, hurries=0.14, rating=1245),
    Level(4_500, 250, overlooks=0.4, hurries=0.07, rating=1660),
    Level(30_000, 800, rating=2150),
)
"""The levels 1 to 8; how strong they are measured to be stands in `tests/lab/figures.md`."""
DEFAULT = 3
STRENGTHS = tuple(tenths / 10 for tenths in range(10, 10 * len(LEVELS) + 1))
"""All levels from the weakest on, in steps of a tenth, which are 15 to 50 Elo points."""


def rules_of(state: array[int], options: int) -> Rules[Any, Any]:
    """Return the rules of the game that a state is of, as the search asks for them."""
    modules = objects.modules_of(state)
    if modules:
        return ModuleGame(options, evaluation_of(modules), boards_evaluation())
    return StandardGame(bool(options & STRICT_TWO_ACTIONS))


def level_at(strength: float) -> Level:
    """Return the level of a number, as 3.5: what lies between two of those above is between both.

    Nodes are so by their ratio.
    """
    below, part = LEVELS[int(strength) - 1], strength % 1
    if not part:
        return below
    pairs = [*zip(below, LEVELS[int(strength)], strict=True)]
    nodes, with_modules = (round(one * (other / one) ** part) for one, other in pairs[:2])
    return Level(nodes, with_modules, *(one + part * (other - one) for one, other in pairs[2:]))


class LevelPlayer:
    """Chooses turns as a level does, one of a number or any other."""

    def __init__(self, level: float | Level, seed: int = 0) -> None:
        self.level = level if isinstance(level, Level) else level_at(level)
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
        if level.hurries and rng.random() < level.hurries:
            values = search.values(node)
            seen = [each for each in values if rng.random() >= level.overlooks]
            return max(seen or [rng.choice(values)])[1]
        played = [rules.node(each) for each in states]
        nodes = level.nodes_with_modules if objects.modules_of(state) else level.nodes
        limits = Limits(nodes, None, is_over)
        thought = Thought(0, 0, 0, (0,))
        for thought in search.think(node, limits, played, rng, level.overlooks):
            tell(thought)
        turn = thought.line[0]
        return turn if level.overlooks else self._with_somebody(game, thought, limits, played)

    def _with_somebody(
        self, game: Game, thought: Thought, limits: Limits, played: Collection[Any]
    ) -> int:
        """Return the turn that was thought of, with its focus where somebody can act if it may be.

        That is where nobody could there, and the other focus is worth as much, seen as far ahead.
        """
        turn, mover = thought.line[0], game.mover
        focus = layout.turn_focus(turn)
        other = turn & 0xFFFF | (3 - layout.focus(game.state, mover) - focus) << 16
        state = array("H", game.state)
        game.after(other, state)
        rules = self._rules_of(game)
        node = rules.node(state)
        is_won = winner(state) != NOBODY
        if is_won or state[3 * mover + focus] or not state[3 * mover + (other >> 16)]:
            return turn
        limits = limits._replace(depth=max(1, thought.depth - 1))
        answers = [*Search(rules).think(node, limits, played)]
        if node in played or not answers or answers[-1].nodes >= (limits.nodes or 0):
            return turn
        worth = -answers[-1].score
        worth -= (worth > SOON) - (worth < -SOON)  # a turn later
        return other if worth >= thought.score else turn

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
