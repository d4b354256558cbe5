"""What a person sees of the lights: which are on, in which rhythm and colour."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from chronotable_host.virtual.faulty.table import Light, View

STEADY = "steady"
BREATHING = "breathing"
BLINKING = "blinking"

WHITE = "white"
RED = "red"
GREEN = "green"
BLUE = "blue"
MIXED = "mixed"

LOOK_MS = 1150
"""How long a person looks: a rhythm takes a second, and in less it cannot be told."""

_DARK = 6  # a channel of 0 to 255 that is no brighter is not seen
_SAME = 4  # a light whose brightness changes by no more is seen as steady
_PART = 0.5  # a channel is part of the colour from this share of the brightest one on


class Lit(NamedTuple):
    """One light that is on."""

    colour: str
    rhythm: str


def look(views: Sequence[View]) -> dict[int, Lit]:
    """Return the lights that were on during these views, by sensor."""
    pictures = [lights for lights, _ in groupby(view.lights for view in views)]
    found = {}
    for sensor, course in enumerate(zip(*pictures, strict=True)):
        levels = [max(light) for light in course]
        if max(levels) > _DARK:
            found[sensor] = Lit(_colour(course[levels.index(max(levels))]), _rhythm(levels))
    return found


def _rhythm(levels: Sequence[int]) -> str:
    """Blinking goes out and comes back; breathing is never off and has levels between.

    What was dark and came on has no rhythm before that.
    """
    if any(level > _DARK >= after for level, after in pairwise(levels)):
        return BLINKING
    lit = [level for level in levels if level > _DARK]
    return STEADY if max(lit) - min(lit) <= _SAME else BREATHING


def _colour(light: Light) -> str:
    most = max(light)
    names = [
        name for name, level in zip((RED, GREEN, BLUE), light, strict=True) if level > _PART * most
    ]
    if len(names) == len(light):
        return WHITE
    return names[0] if len(names) == 1 else MIXED
