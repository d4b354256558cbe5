"""Puzzles out of games: positions of theirs in which a win in one to three turns was there.

Only those count in which it is to be found: one or two results of a turn win as soon as can be.

How hard a puzzle is six players of known strength say, who try it with several seeds. What they
solve and what they do not is a rating period of the puzzle: one that the second of them solves
every other time is rated as that one is.
"""

from array import array
from collections.abc import Iterator

from chronotable_host.engine.levels import Level, LevelPlayer, rules_of
from chronotable_host.engine.search import Limits, Search, turns_to_end
from chronotable_host.learning.puzzles.puzzle import LONGEST, Puzzle
from chronotable_host.learning.puzzles.solver import Solver
from chronotable_host.learning.puzzles.trial import ON, SOLVED, Trial
from chronotable_host.rating import Rating, Result, rate
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.record import Record
from ttykm import objects
from ttykm.layout import NOBODY

_NODES, _NODES_WITH_MODULES = 4000, 400  # of the search that looks for a win
MOST_RESULTS = 2
"""Of the first turn that win as soon as can be: where more of them do, there is little to find."""
_LONGEST_WITH_MODULES = 2  # turns: those of such games are slow to prove


def puzzles_of(record: Record, game: str) -> Iterator[Puzzle | None]:
    """Yield a puzzle, or None, for each position of a game in which a turn is due.

    A game ends in a row of won positions; one of each length and player is enough.
    """
    seen: set[tuple[int, int]] = set()
    for state in [array("H", each.state) for each in record.replay() if each.winner() == NOBODY]:
        found = _puzzle(state, record.options, game)
        if found is None or (found.win, found.mover) in seen:
            yield None
            continue
        seen.add((found.win, found.mover))
        yield found._replace(rating=difficulty(found))


def _puzzle(state: "array[int]", options: int, game: str) -> Puzzle | None:
    """Return the puzzle that a position is, not rated yet; None where no win is proven."""
    rules = rules_of(state, options)
    node = rules.node(state)
    longest, nodes = LONGEST, _NODES
    if objects.modules_of(state):
        longest, nodes = _LONGEST_WITH_MODULES, _NODES_WITH_MODULES
    thoughts = list(Search(rules).think(node, Limits(nodes, 2 * longest)))
    seen = turns_to_end(thoughts[-1].score) if thoughts else 0
    if not 1 <= seen <= longest:
        return None
    solver = Solver(state, options)
    length = solver.distance(node, seen)
    turn = solver.win(node, length) if length else None
    if length is None or turn is None:
        return None
    if solver.results(node, length, MOST_RESULTS + 1) > MOST_RESULTS:
        return None
    return Puzzle(format_position(state), length, format_turn(turn), 0, options, game)


SOLVERS = {
    600: Level(90, 20, overlooks=0.96, hurries=1),
    1010: Level(90, 20, overlooks=0.78, hurries=1),
    1400: Level(60, 20, overlooks=0.65),
    1780: Level(90, 20, overlooks=0.2),
    2110: Level(300, 50, overlooks=0.2),
    2410: Level(1_200, 100, overlooks=0.1),
}
"""By their ratings, whose distances were measured (tests/lab/figures.md).

No levels that are chosen: those may be tuned, and a puzzle stays as hard as it was.
"""

_SEEDS = 8
_DEVIATION = 50.0  # of a level's rating


def difficulty(puzzle: Puzzle) -> int:
    """Return the rating of a puzzle; its own is not looked at."""
    results: list[Result] = []
    for value, level in SOLVERS.items():
        known = Rating(value, _DEVIATION)
        results += [(known, float(not _solves(puzzle, level, seed))) for seed in range(_SEEDS)]
    return round(rate(Rating(), results).value)


def _solves(puzzle: Puzzle, level: Level, seed: int) -> bool:
    trial = Trial(puzzle)
    player = LevelPlayer(level, seed)
    while (reply := trial.play(player.choose(trial.game))).verdict == ON:
        pass
    return reply.verdict == SOLVED
