"""The table's own player where no table is: it chooses turns as the chip does."""

from __future__ import annotations

from chronotable.player.search import Search
from chronotable.player.search_modules import ModuleSearch
from ttykm.game import Game
from ttykm.layout import STATE_WORDS

_SEEDS = 0xFFFFF
_PER_GAME = 7919


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
