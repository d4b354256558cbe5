"""The words that let people into a room: short to say, easy to type, and hard enough to guess.

Three of some two hundred words are eight million codes. Who guesses has a few tries a minute, so a
night is far too short for it; and nobody's tries are counted against anybody else.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence

from chronotable_host.code_words import WORDS
from chronotable_host.limits import Clock, Quotas

_WORDS_OF_CODE = 3
_TRIES, _WITHIN_S = 20, 60.0
_LETTERS = re.compile(r"[^\W\d_]+")


def new_code(choose: Callable[[Sequence[str]], str] = secrets.choice) -> str:
    """Return a code, such as "river-lamp-otter"."""
    return "-".join(choose(WORDS) for _ in range(_WORDS_OF_CODE))


class CodeCheck:
    """Compares what people type with the code of the room; each network has so many tries."""

    def __init__(self, code: str, clock: Clock = time.monotonic) -> None:
        self.code = code
        self._tries = Quotas(_TRIES, _WITHIN_S, clock)

    def allows_a_try(self, address: str) -> bool:
        """Tell whether one more code is looked at, and count it."""
        return self._tries.allows(address)

    def is_right(self, typed: str) -> bool:
        """Tell whether this is the code; any case will do, and anything between the words."""
        words = "-".join(_LETTERS.findall(typed.lower()))
        return secrets.compare_digest(words.encode(), self.code.encode())
