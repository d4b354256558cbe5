"""Bots, which think in a process of their own: neither people nor the page wait for them."""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from random import Random
from typing import Any

from chronotable_host.games.bots import BOTS
from chronotable_host.games.canonical import canonical
from chronotable_host.games.interface import Game, Kind
from chronotable_host.games.shelf import kinds
from chronotable_host.night.room import BotDue


class Thinker:
    """Where bots of one game think: `choose` returns at once, the answer comes later."""

    def __init__(self, kind: Kind, data: Mapping[str, Any] | None, seed: int) -> None:
        self._name = kind.name
        self._data = None if data is None else canonical(data)
        self._seed = Random(seed)
        self._pool: ProcessPoolExecutor | None = None

    def choose(self, due: BotDue) -> Future[str]:
        """Have a bot think about what to do; its answer depends on the view and on chance alone."""
        asked = self._name, self._data, due, self._seed.getrandbits(64)
        for _ in range(2):
            self._pool = self._pool or _new_pool()
            try:
                return self._pool.submit(_choose, *asked)
            except BrokenProcessPool:  # somebody has ended it
                self._pool = None
        raise BrokenProcessPool

    def close(self) -> None:
        """End the process; who waits for an answer gets none."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


def _new_pool() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, context, initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@cache
def _game(name: str, data: str | None) -> Game:
    return kinds()[name].game(None if data is None else json.loads(data))


def _choose(name: str, data: str | None, due: BotDue, seed: int) -> str:
    game, chance = _game(name, data), Random(seed)
    return BOTS[due.bot](game, due.view, due.seat, chance)
