"""`python -m tests.lab.tactics`: positions in which the mover wins in 1, 2 or 3 turns, proven.

They come from games of the search against itself. The proof is by `ttykm` alone: for some turn
every answer lets the mover win in one turn less, and no turn does so sooner. The search only says
which turn to try first. In the end each level is asked how many of the wins it finds, and how often
it escapes from one where it is the other player's turn.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.levels import LEVELS, LevelPlayer
from chronotable_host.engine.match import opening
from chronotable_host.engine.search import Limits, Search, turns_to_end
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from tests.lab.positions import game_at
from ttykm import layout
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, RECORD_WORDS, SEQUENCE, mover
from ttykm.turns import TurnTree

_LENGTHS = (1, 2, 3)
_NODES = 60_000  # of the search that looks for wins: twice what the strongest level has
_BEHIND = 5  # turns of the winner at the end of a game, among which wins are looked for
_GUESSED = 150  # nodes for each turn of a win that is proven
_PLAYED = (10, 50, 200)  # nodes of a turn in the games: some turns are mistakes
_LONGEST = 100  # turns of a game
_BATCH = 16  # games

app = typer.Typer(add_completion=False)


class Solver:
    """Finds forced wins with nothing but the shared rules."""

    def __init__(self) -> None:
        self._game = Game()
        self._turns = TurnTree()
        self._search = Search(StandardGame())
        self._known: dict[tuple[bytes, int], int | None] = {}

    def win(self, state: array[int], turns: int) -> int | None:
        """Return a turn that wins in so many turns of the mover at most, None where none does."""
        key = state.tobytes(), turns
        if key not in self._known:
            self._known[key] = self._find(state, turns)
        return self._known[key]

    def _find(self, state: array[int], turns: int) -> int | None:
        after = self._results(state)
        for turn, then in after:
            if winner(then) == mover(state):
                return turn
        if turns == 1:
            return None
        first = self._guess(state, turns)
        after.sort(key=lambda each: each[1] != first)
        return next((turn for turn, then in after if self.all_lose(then, turns - 1)), None)

    def all_lose(self, state: array[int], turns: int) -> bool:
        """Tell whether every answer lets the other one win in so many turns."""
        answers = self._results(state)
        if any(winner(then) == mover(state) for _, then in answers):
            return False
        return all(self.win(then, turns) is not None for _, then in answers)

    def _results(self, state: array[int]) -> list[tuple[int, array[int]]]:
        """Return a turn to each position that there is after one."""
        turns = self._turns
        turns.build(state)
        here = layout.focus(state, mover(state))
        found: dict[bytes, tuple[int, array[int]]] = {}
        for index in turns.whole_turns():
            sequence = turns.records[index * RECORD_WORDS + SEQUENCE]
            for focus in range(3):
                if focus != here:
                    then = array("H", state)
                    turns.after(index, focus, then)
                    found.setdefault(then.tobytes(), (focus << 16 | sequence, then))
        return [*found.values()]

    def _guess(self, state: array[int], turns: int) -> array[int]:
        """Return the position after the turn that the search finds."""
        limits = Limits(nodes=_GUESSED * turns, depth=2 * turns)
        *_, thought = self._search.think(StandardGame().node(state), limits)
        self._game.start(state)
        then = array("H", state)
        self._game.after(thought.line[0], then)
        return then


Win = tuple["array[int]", int, int]
"""A position, in how many turns of the mover it is won, and the first of them."""


def wins_of_game(seed: int) -> list[Win]:
    """Return the proven wins of a game that the search plays against itself, one of each length.

    Raises ValueError where the search sees a win that there is not, or a longer one than there is.
    """
    rng = Random(seed)
    rules = StandardGame()
    search = Search(rules)
    game = Game()
    game.start(opening(seed))
    course = [game.state]
    while game.winner() == NOBODY and len(game.turns) < _LONGEST:
        limits = Limits(nodes=rng.choice(_PLAYED))
        *_, thought = search.think(rules.node(game.state), limits)
        game.apply(thought.line[0])
        course.append(game.state)
    found: dict[int, Win] = {}
    for state in course[-2::-2][:_BEHIND]:  # the winner's, from the end on
        *_, thought = search.think(rules.node(state), Limits(_NODES, 2 * max(_LENGTHS)))
        length = turns_to_end(thought.score)
        if length in _LENGTHS and length not in found:
            found[length] = state, length, _proven(state, length)
    return [*found.values()]


def _proven(state: array[int], length: int) -> int:
    """Return a turn that wins in so many turns, and none wins sooner; raises ValueError."""
    solver = Solver()
    turn = solver.win(state, length)
    if turn is None or (length > 1 and solver.win(state, length - 1) is not None):
        raise ValueError(f"{format_position(state)}: no win in {length}, as the search says")
    return turn


def proven(count: int, seed: int) -> Iterator[Win]:
    """Yield proven wins, each length as often, from as many games as it takes."""
    left = dict.fromkeys(_LENGTHS, count // len(_LENGTHS))
    seen: set[bytes] = set()
    with ProcessPoolExecutor() as pool:
        while any(left.values()):
            seeds = range(seed, seed + _BATCH)
            seed += _BATCH
            for win in chain.from_iterable(pool.map(wins_of_game, seeds)):
                state, length, _ = win
                if left[length] and state.tobytes() not in seen:
                    seen.add(state.tobytes())
                    left[length] -= 1
                    yield win


@app.command()
def collect(
    out: Annotated[Path, typer.Option("--out", help="Where they are written, a line each.")],
    count: Annotated[int, typer.Option(min=3)] = 300,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Find and prove such positions."""
    with out.open("w", encoding="utf-8") as file:
        for number, (state, length, turn) in enumerate(proven(count, seed), 1):
            found = {"position": format_position(state), "win": length, "turn": format_turn(turn)}
            file.write(json.dumps(found) + "\n")
            print(f"{number} of {count}", end="\r", flush=True)


@app.command()
def ask(vectors: Path, seeds: Annotated[int, typer.Option(min=1)] = 1) -> None:
    """Say how many of the wins each level finds, that is, plays a turn that keeps the length.

    "in 0" are wins in one that the other player threatens, and those that it escapes from.
    """
    rows = [json.loads(line) for line in vectors.read_text("utf-8").splitlines()]
    wins = [(parse_position(row["position"]), row["win"]) for row in rows]
    wins += [(threat, 0) for state, length in wins if length == 1 for threat in threats(state)]
    for level in (None, *range(1, len(LEVELS) + 1)):
        told = ", ".join(
            f"in {length}: {solved(level, states, length, seeds):.0%} of {len(states)}"
            for length in (*_LENGTHS, 0)
            if (states := [state for state, its_length in wins if its_length == length])
        )
        print(f"level {level}: {told}" if level else f"chance: {told}", flush=True)


def threats(state: array[int]) -> list[array[int]]:
    """Return a position won in one with the other player to move; none where it is not to escape.

    Nor where that player wins at once.
    """
    other = array("H", state)
    other[layout.META] ^= 1 << layout.MOVER_SHIFT
    solver = Solver()
    return [other] if solver.win(other, 1) is None and not solver.all_lose(other, 1) else []


def solved(level: int | None, states: Sequence[array[int]], length: int, seeds: int = 1) -> float:
    """Return in which share of positions a level, or chance, does what is to be done."""
    good = 0
    for seed in range(seeds):
        for number, state in enumerate(states, seed * len(states)):
            choose = LevelPlayer(level, number).choose if level else by_chance(Random(number))
            good += keeps(state, choose(game_at(state)), length)
    return good / (seeds * len(states))


def keeps(state: array[int], turn: int, length: int) -> bool:
    """Tell whether a turn still wins in so many turns, this one counted; 0: whether it escapes."""
    game = Game()
    game.start(state)
    then = array("H", state)
    game.after(turn, then)
    if winner(then) == mover(state):
        return True
    if not length:
        return winner(then) == NOBODY and Solver().win(then, 1) is None
    return length > 1 and Solver().all_lose(then, length - 1)


if __name__ == "__main__":
    app()
