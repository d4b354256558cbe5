"""Helpers that run on both interpreters: seeded numbers, random positions and walks.

The two interpreters' own `random` modules give different numbers, so the dice are ours.
"""

import sys
from array import array

from ttykm import layout
from ttykm.game import Game
from ttykm.turns import RECORDS_IN_GAMES

ON_CHIP = sys.implementation.name == "micropython"


def sample(many, few):
    """Return how many cases to try: many on CPython, few on the chip."""
    return few if ON_CHIP else many


def popcount(mask):
    """Count the bits of a mask, one by one."""
    count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


class Dice:
    """Seeded numbers, the same on CPython and MicroPython. Name the seed in what you assert."""

    def __init__(self, seed):
        self._state = (seed * 2654435761 + 1) & 0x7FFFFFFF

    def roll(self, sides):
        """Return a number from 0 to sides - 1."""
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % sides

    def pick(self, items):
        """Return one of the items."""
        return items[self.roll(len(items))]


def random_state(dice, copies=9):
    """Return a position with up to so many copies anywhere; it need not come from a game."""
    state = array("H", bytes(2 * layout.STATE_WORDS))
    for _ in range(1 + dice.roll(copies)):
        era, bit = dice.roll(3), 1 << dice.roll(16)
        if not (state[era] | state[3 + era]) & bit:
            state[3 * dice.roll(2) + era] |= bit
    state[layout.META] = layout.pack_meta(
        dice.roll(5), dice.roll(5), dice.roll(3), dice.roll(3), dice.roll(2)
    )
    return state


def played_game(dice, most_turns):
    """Return a game after up to so many random turns."""
    game = Game(RECORDS_IN_GAMES)  # as a table's: there is no room for more on the chip
    game.start(layout.new_state(dice.roll(2)))
    for _ in range(dice.roll(most_turns + 1)):
        turns = list(game.legal_turns())
        if not turns:
            game.undo()
            break
        game.apply(dice.pick(turns))
    return game
