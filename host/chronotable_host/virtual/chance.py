"""The unique id, the random bits and the timer of a virtual table.

One rule: two virtual tables differ, as two Picos do, unless the same run is to be repeated. A game
is identified by its table's id and random bits, so tables that share both would share their games.
"""

import hashlib
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

_ID_BYTES = 8  # of an RP2040's unique id, which is that of its flash chip
_MAKER = b"\xe6"  # as those of Picos begin


@dataclass(frozen=True)
class Chance:
    """A table's unique id (8 bytes), and whether its random bits are the same in every run."""

    unique_id: bytes
    is_repeated: bool

    timer_ms: ClassVar[int] = 0
    """What the chip's timer reads whenever it starts. A Pico's reads 0 after a reset, and goes on
    when the firmware alone starts anew, so tests have it begin at any time."""

    def data(self, size: int, draw: str) -> bytes:
        """Return random bytes; where they are repeated `draw` tells this draw from all others."""
        if not self.is_repeated:
            return os.urandom(size)
        return hashlib.sha256(self.unique_id + draw.encode()).digest()[:size]

    def bits(self, life: int) -> Callable[[], int]:
        """Return what gives random bits; where they are repeated each `life` has others."""
        source = random.Random(f"{self.unique_id.hex()} {life}")
        return partial((source if self.is_repeated else random.SystemRandom()).getrandbits, 1)


REPEATED = Chance(_MAKER + b"virtual", is_repeated=True)
"""For scripts, tests and figures: the same table in every run."""


def real() -> Chance:
    """Return the chance of a table like no other: a new id, true random bits."""
    return Chance(_MAKER + os.urandom(_ID_BYTES - 1), is_repeated=False)


def seeded(run: str) -> Chance:
    """Return the chance of a run that can be repeated; `run` names all that the run depends on."""
    digest = hashlib.sha256(run.encode()).digest()
    return Chance(_MAKER + digest[: _ID_BYTES - 1], is_repeated=True)
