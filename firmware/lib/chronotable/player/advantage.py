"""How a player stands, for who is asked for a draw; evaluation.py has what counts."""

from array import array

from chronotable.player import evaluation
from chronotable.player.weights import WEIGHTS
from ttykm.layout import (
    COMPLETE,
    FOCUS_SHIFT,
    META,
    MOVER_SHIFT,
    RECORD_WORDS,
    STATE_WORDS,
    STATUS,
)


def advantage(state: "array[int]", player: int) -> int:
    """Return how much better a player stands than the other: twice, each having acted last."""
    table = evaluation.table_of()
    out, order = evaluation.outcomes(2), bytearray(2)
    record = array("H", bytes(2 * RECORD_WORDS))
    record[STATUS] = COMPLETE
    total = 0
    for side in range(2):
        for word in range(STATE_WORDS):
            record[word] = state[word]
        meta = record[META] & ~(1 << MOVER_SHIFT) | side << MOVER_SHIFT
        shift = FOCUS_SHIFT + 2 * side
        focus = meta >> shift & 3
        record[META] = meta & ~(3 << shift) | (focus + 1) % 3 << shift
        evaluation.take(record, 0, 1, WEIGHTS, table, out, order, 0, 2)  # type: ignore[arg-type]
        for number in range(2):
            row = number * evaluation.OUTCOME_WORDS
            if out[row + META] >> shift & 3 == focus:
                worth = evaluation.worth_of(out, number)
                total += worth if side == player else -worth
    if len(state) > STATE_WORDS:
        from ttykm import objects

        for elephant in range(6):
            side = objects.hat(state, elephant >> 1, elephant & 1)
            if side >= 0:
                total += 2 * (evaluation.HAT if side == player else -evaluation.HAT)
    return total
