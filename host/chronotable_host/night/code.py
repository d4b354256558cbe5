"""The words that let people into a room: short to say, easy to type, and hard enough to guess.

Three of some two hundred words are eight million codes. Who guesses has a few tries a minute, so a
night is far too short for it; and nobody's tries are counted against anybody else.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence

from chronotable_host.language import tr_c
from chronotable_host.web.guard import Clock, Quota

WORDS = tr_c(
    "nouns to make codes of: short, different, in small letters without accents",
    "acorn actor album alarm amber angel ankle apple apron arrow attic badge bagel baker banjo "
    "barn basin basket beach bead beard beaver bell bench berry bike bird biscuit blanket boat "
    "book boot bottle bowl box branch bread brick bridge broom brush bucket bus butter button "
    "cabin cable cake camel camera candle canoe card carpet carrot castle cat cave chair chalk "
    "cheese cherry chess circus clock cloud clown coat cocoa coin comet compass cookie copper "
    "coral corn cotton cow crab crane crayon cream crow crown cup curtain dance desk diamond dog "
    "doll dolphin donkey door dragon dream drum duck eagle ear engine fairy falcon farm feather "
    "fence fern ferry field fig finger fire fish flag flame flower flute fog forest fork fox frog "
    "garden gate giant ginger glass globe glove goat gold goose grape grass guitar hammer harbor "
    "harp hat hen hill honey horn horse house ice igloo island ivory jacket jam jar jelly jewel "
    "juice kettle key king kite kitten knee knot ladder lake lamp leaf lemon letter lily lion "
    "lizard lobster magnet mango map maple marble mask meadow melon milk mirror monkey moon "
    "mountain mouse mushroom music nail needle nest night nut oak oar ocean olive onion orange "
    "orchid otter oven owl paint panda paper parrot peach pear pearl pencil pepper piano picnic "
    "pillow pilot pine pirate planet plum pocket pond pony potato puddle puppet rabbit rain "
    "ribbon river road robin rocket rose ruby saddle sail salt sand scarf school sea shell ship "
    "shoe silk silver snail snow soap sock spider spoon squirrel star stone storm sugar summer "
    "sun swan table tea tent tiger toast tomato tower train tree trumpet tulip turtle umbrella "
    "valley violin wagon walnut water whale wheel whistle wind window winter wolf wood zebra",
).split()

_WORDS_OF_CODE = 3
_TRIES, _WITHIN_S = 20, 60.0
_MOST_NETWORKS = 1000
_LETTERS = re.compile(r"[^\W\d_]+")


def new_code(choose: Callable[[Sequence[str]], str] = secrets.choice) -> str:
    """Return a code, such as "river-lamp-otter"."""
    return "-".join(choose(WORDS) for _ in range(_WORDS_OF_CODE))


class CodeCheck:
    """Compares what people type with the code of the room; each network has so many tries."""

    def __init__(self, code: str, clock: Clock = time.monotonic) -> None:
        self.code = code
        self._clock = clock
        self._tries: dict[str, Quota] = {}

    def allows_a_try(self, network: str) -> bool:
        """Tell whether one more code is looked at, and count it."""
        quota = self._tries.pop(network, None) or Quota(_TRIES, _WITHIN_S, self._clock)
        self._tries[network] = quota  # the last to be forgotten
        if len(self._tries) > _MOST_NETWORKS:
            del self._tries[next(iter(self._tries))]
        return quota.allows()

    def is_right(self, typed: str) -> bool:
        """Tell whether this is the code; any case will do, and anything between the words."""
        words = "-".join(_LETTERS.findall(typed.lower()))
        return secrets.compare_digest(words.encode(), self.code.encode())
