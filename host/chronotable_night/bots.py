"""Bots, which think in a process of their own: neither people nor the page wait for them."""

import json
import multiprocessing
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from random import Random

from chronotable_night.games.bots import BOTS
from chronotable_night.games.interface import Game
from chronotable_night.games.portable import canonical
from chronotable_night.games.shelf import kinds
from chronotable_night.room import BotDue


class BotThinker:
    """Where bots think: `choose` returns at once, the answer comes later."""

    def __init__(self, seed: int) -> None:
        self._seed = Random(seed)
        self._pool: ProcessPoolExecutor | None = None

    def choose(self, due: BotDue) -> Future[str]:
        """Have a bot think about what to do; its answer depends on the view and on chance alone."""
        seed = self._seed.getrandbits(64)
        for _ in range(2):
            self._pool = self._pool or ProcessPoolExecutor(
                1,
                multiprocessing.get_context("spawn"),
                # Ctrl-C is for the process that asks
                initializer=signal.signal,
                initargs=(signal.SIGINT, signal.SIG_IGN),
            )
            try:
                return self._pool.submit(_choose, due, seed)
            except BrokenProcessPool:  # somebody has ended it
                self._pool = None
        raise BrokenProcessPool

    def close(self) -> None:
        """End the process; who waits for an answer gets none."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


@cache
def _game(name: str, data: str | None) -> Game:
    return kinds()[name].game(None if data is None else json.loads(data))


def _choose(due: BotDue, seed: int) -> str:
    data = None if due.data is None else canonical(due.data)
    game, chance = _game(due.game, data), Random(seed)
    return BOTS[due.bot](game, due.view, due.seat, chance)
