"""How a player stands, for who is asked for a draw; evaluation.py has what counts."""

from chronotable.player import evaluation
from ttykm.layout import META, STATE_WORDS

if False:
    from array import array


def advantage(state: "array[int]", player: int) -> int:
    """Return how much better a player stands than the other, the right to move left aside."""
    has_modules = len(state) > STATE_WORDS
    table = evaluation.table_of(evaluation.MODULES if has_modules else evaluation.STANDARD)
    evaluation.of_masks(state, 0, table)
    total = 0
    meta = state[META]
    for side in range(2):
        worth = table[evaluation.SUPPLY + (meta >> 3 * side & 7)]
        for era in range(3):
            worth += table[evaluation.BEFORE + 3 * side + era]
        if has_modules:
            from ttykm import objects

            worth += table[evaluation.STATUE] * objects.holds_statue(state, side)
            for elephant in range(6):
                if objects.hat(state, elephant >> 1, elephant & 1) == side:
                    worth += table[evaluation.HAT]
        total += worth if side == player else -worth
    return total
