"""Whether what an analysis says of turns stands when they are searched much deeper, and its cost.

Games of levels that overlook turns are analysed as the page does. Each turn that is called a
mistake or worse, or the only good one, is judged again with far more nodes. A mistake or a missed
win stands where that finds 5 % of the chance to win given away, too, and an only turn where any
other one is a blunder there.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from chronotable_host.engine.analysis import CLAIMS, Analyst
from chronotable_host.engine.levels import LEVELS, Level, LevelPlayer
from chronotable_host.rules.annotations import ERRORS, INACCURACY, ONLY
from tests.lab.figures import Figure
from tests.lab.side_by_side import Progress, do_all
from ttykm.game import Game
from ttykm.layout import NOBODY

_PLAYERS = ((3, 3), (4, 4), (5, 5), (3, 5), (4, 6), (5, 3), (6, 6), (4, 3), (5, 6), (6, 4))
_LEVEL = LEVELS[5]
_DEEP = Level(nodes=300_000)
_TURNS = 40
_LOOK_EVERY = 128  # nodes between two looks of a search


class Analysed(NamedTuple):
    """A game: turns, what its analysis took, and claims: seed, turn, mark, and the deep mark."""

    turns: int
    seconds: float
    nodes: int
    claims: list[tuple[int, int, str, str]]


def measure(games: int, report: Progress) -> list[Figure]:
    found = do_all(analysed, range(games), report)
    claims = [claim for each in found for claim in each.claims]
    fallen = [claim for claim in claims if not stands(*claim[2:])]
    share = 100 * (1 - len(fallen) / max(len(claims), 1))
    forty = _TURNS / sum(each.turns for each in found)
    remark = f"{len(claims)} marks of {games} games; seed, turn, mark, what it is: {fallen}"
    return [
        Figure("analysis_marks", {"value": round(share, 1)}, remark=remark),
        Figure("analysis_time", {"value": round(forty * sum(each.seconds for each in found), 1)}),
        Figure("analysis_nodes", {"value": round(forty * sum(each.nodes for each in found))}),
    ]


def analysed(seed: int) -> Analysed:
    """Play and analyse a game, and judge again what was claimed."""
    game = Game()
    levels = _PLAYERS[seed % len(_PLAYERS)]
    players = [LevelPlayer(level, seed + 100 * side) for side, level in enumerate(levels)]
    start = game.state
    turns: list[int] = []
    while game.winner() == NOBODY and len(turns) < _TURNS:
        turns.append(players[game.mover].choose(game))
        game.apply(turns[-1])
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    begun = time.process_time()
    judged = [*Analyst(start, 0, _LEVEL, look).judge(turns)]
    seconds = time.process_time() - begun
    claims = []
    for number, said in enumerate(judged):
        if said.mark in CLAIMS:
            (deep,) = Analyst(start, 0, _DEEP).judge(turns[: number + 1], number)
            claims.append((seed, number + 1, said.mark, deep.mark))
    return Analysed(len(turns), seconds, _LOOK_EVERY * looks, claims)


def stands(mark: str, deep: str) -> bool:
    """Tell whether a claim is no lie, by what the turn is when it is searched deeper."""
    return deep == ONLY if mark == ONLY else deep in (INACCURACY, *ERRORS)
