"""Players that no page offers: the table's own where no table is, and the built-in one of before.

`OwnPlayer` chooses turns as the chip does. `LookaheadPlayer` is what there was before there was a
search, which the levels are measured against: it looks at its turns and at the other player's
answers, up to a number of positions and not for a time, so that with the same dice it always plays
the same; it takes a win, and avoids whatever lets the other win at once, where it sees that.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random

from chronotable.player.search import Search
from chronotable.player.search_modules import ModuleSearch
from ttykm.game import Game, winner
from ttykm.layout import META, NOBODY, STATE_WORDS, SUPPLY_BITS, focus, mover
from ttykm.turns import TurnTree

NODES = 20_000
"""About how many positions are looked at for a turn: this takes some tenths of a second."""

_SEEDS = 0xFFFFF
_PER_GAME = 7919
_FEWEST = 4  # turns whose answers are looked at, however many answers there are
WON = 1_000_000

_ERA, _COPY, _SUPPLY = 40, 12, 5
_LAST = 25  # taken from the worth of an era that one copy holds alone: it is soon lost
_COUNT = bytes(value.bit_count() for value in range(1 << 16))


def evaluate(state: array[int], player: int) -> int:
    """Return how much better a player stands than the other, who may win as well."""
    return _value_of_side(state, player) - _value_of_side(state, 1 - player)


def _value_of_side(state: array[int], player: int) -> int:
    total = _SUPPLY * (state[META] >> (SUPPLY_BITS * player) & 7)
    for era in range(3):
        copies = _COUNT[state[3 * player + era]]
        if copies:
            total += _ERA + _COPY * copies - (_LAST if copies == 1 else 0)
    return total


class LookaheadPlayer:
    """Chooses turns; `rng` decides between equally good ones."""

    def __init__(self, rng: Random, nodes: int = NODES) -> None:
        self._rng = rng
        self._nodes = nodes
        self._answers = TurnTree()

    def __call__(self, game: Game) -> int | None:
        """Return a packed turn for the player to move, None where there is none."""
        me = game.mover
        turns = list(game.legal_turns())
        self._rng.shuffle(turns)
        after = array("H", game.state)
        seen = []
        known = set()
        for turn in turns[: self._nodes]:
            game.after(turn, after)
            key = bytes(after)
            if key in known:
                continue
            known.add(key)
            if winner(after) == me:
                return turn
            seen.append((evaluate(after, me) - (WON if winner(after) != NOBODY else 0), turn, key))
        seen.sort(key=lambda each: -each[0])
        best, chosen = -2 * WON, None
        left = self._nodes - len(seen)
        for number, (now, turn, key) in enumerate(seen):
            if number >= _FEWEST and left <= 0:
                break
            if now <= -WON // 2:
                value = now
            else:
                value, looked = self._worst(array("H", key), game.options, best)
                left -= looked
            if value > best:
                best, chosen = value, turn
        return chosen

    def _worst(self, state: array[int], options: int, enough: int) -> tuple[int, int]:
        """Return what the other player's best answer leaves, and how many were looked at.

        Where it is no better than `enough` the rest of the answers does not matter.
        """
        other = mover(state)
        worst = WON
        looked = 0
        for after in self._after_all(state, options):
            looked += 1
            won = winner(after)
            value = evaluate(after, 1 - other)
            if won != NOBODY:
                value += -WON if won == other else WON
            worst = min(worst, value)
            if worst <= enough or looked >= self._nodes:
                break
        return worst, looked

    def _after_all(self, state: array[int], options: int) -> Iterator[array[int]]:
        """Yield the position after each turn, in one array."""
        tree = self._answers
        tree.build(state, options)
        here, out = focus(state, mover(state)), array("H", state)
        for index in tree.whole_turns():
            for era in range(3):
                if era != here:
                    tree.after(index, era, out)
                    yield out


class OwnPlayer:
    """Chooses turns at a level of `player/seats.py`; `looked` has how much each of them took."""

    def __init__(self, level: tuple[int, int, int], seed: int) -> None:
        self.looked: list[int] = []
        self._level = level
        self._seed = seed
        self._search: Search | ModuleSearch | None = None

    def __call__(self, game: Game) -> int:
        """Return a packed turn; nobody has won yet."""
        search = self._search
        if search is None:
            search = Search() if len(game.state) == STATE_WORDS else ModuleSearch()
            self._search = search
        search.begin(game, (self._seed * _PER_GAME + len(game.turns) * 31) & _SEEDS, self._level)
        turn = -1
        while turn < 0:
            turn = search.step()
        self.looked.append(search.looked)
        return turn
