"""Counting turns to a depth: the yardstick that engines compare (example XS17)."""

from array import array
from typing import TYPE_CHECKING

from ttykm import game as rules
from ttykm.layout import NOBODY, focus, mover
from ttykm.turns import TurnTree

if TYPE_CHECKING:
    from collections.abc import Iterator


def perft(state: "array[int]", depth: int, options: int = 0) -> "Iterator[tuple[int, int, int]]":
    """Yield, for depth 1 to `depth`, how many sequences, positions and wins there are.

    A sequence is a line of turns (copy, actions, focus), a position what such lines reach after
    exactly that many turns, a win a line whose last turn wins; won lines are not continued.
    Positions reached in several ways are expanded once and counted as often.
    """
    tree = TurnTree()
    out = array("H", state)
    level = {bytes(state): 1}
    while depth > 0:
        depth -= 1
        reached: dict[bytes, int] = {}
        sequences = wins = 0
        for packed, ways in level.items():
            here_state = array("H", packed)
            here = focus(here_state, mover(here_state))
            sequences += 2 * ways * tree.build(here_state, options)
            for index in tree.whole_turns():
                for era in range(3):
                    if era != here:
                        tree.after(index, era, out)
                        key = bytes(out)
                        reached[key] = reached.get(key, 0) + ways
        positions = len(reached)
        for key in list(reached):
            if rules.winner(array("H", key)) != NOBODY:
                wins += reached.pop(key)
        yield sequences, positions, wins
        level = reached
