"""The code of a room, which people type to come in."""

import re
import secrets
import time

from chronotable_host.language.names import CODE_WORDS
from chronotable_host.limits import Clock, Quotas

_WORDS_OF_CODE = 3
_TRIES, _WITHIN_S = 20, 60.0
_LETTERS = re.compile(r"[^\W\d_]+")


def new_code() -> str:
    """Return a code, such as "river-lamp-otter"."""
    return "-".join(secrets.choice(CODE_WORDS) for _ in range(_WORDS_OF_CODE))


class CodeCheck:
    """Compares what people type with the code of the room; each network has so many tries.

    Three of some two hundred words are eight million codes. Who guesses has a few tries a minute,
    so a night is far too short for it; and nobody's tries are counted against anybody else.
    """

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
