"""What befalls a world by chance, and what mends it a while later; one seed says all of it.

The worlds: a line between a table and a PC (`line_troubles.py`), and whole tables far apart
(`tests/far/test_trouble.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple


class Trouble(NamedTuple):
    """Something that `befalls` where it `can`, and what `mends` it after `away_s`, from .. to.

    `share` is its share of all troubles. What ends by itself has `befalls` return after how many
    seconds: nothing else befalls until then.
    """

    name: str
    befalls: Callable[[], float | None]
    mends: Callable[[], None] | None = None
    away_s: tuple[float, float] = (0.0, 0.0)
    share: float = 1.0
    can: Callable[[], bool] = lambda: True


class Troubles:
    """Befalls a world so often in a minute, as long as time passes; `counts` says how often what.

    While something is away it does not befall again.
    """

    def __init__(self, rng: Random, per_minute: float, kinds: Sequence[Trouble]) -> None:
        self.counts: Counter[str] = Counter()
        self._rng = rng
        self._mean_s = 60 / per_minute if per_minute and kinds else float("inf")
        self._kinds = kinds
        self._next_s: float | None = None
        self._away: dict[Trouble, float] = {}
        self._is_busy = False  # what befalls or mends may let time pass

    @property
    def away(self) -> list[str]:
        return [each.name for each in self._away]

    def step(self, now_s: float) -> None:
        if self._next_s is None:
            self._next_s = self._after(now_s)
        if self._is_busy:
            return
        self._is_busy = True
        for trouble in [each for each, until_s in self._away.items() if until_s <= now_s]:
            self._mend(trouble)
        if now_s >= self._next_s:
            (trouble,) = self._rng.choices(self._kinds, [each.share for each in self._kinds])
            lasts_s = self._befall(trouble, now_s) if trouble.can() else 0.0
            self._next_s = self._after(now_s + lasts_s)
        self._is_busy = False

    def end(self) -> None:
        """Mend everything; from now on all is well."""
        self._mean_s = self._next_s = float("inf")
        for trouble in list(self._away):
            self._mend(trouble)

    def _after(self, now_s: float) -> float:
        return now_s + self._mean_s * self._rng.expovariate(1.0)

    def _befall(self, trouble: Trouble, now_s: float) -> float:
        if trouble in self._away:
            return 0.0
        self.counts[trouble.name] += 1
        lasts_s = trouble.befalls()
        if trouble.mends is not None:
            self._away[trouble] = now_s + self._rng.uniform(*trouble.away_s)
        return lasts_s or 0.0

    def _mend(self, trouble: Trouble) -> None:
        del self._away[trouble]
        assert trouble.mends is not None
        trouble.mends()
