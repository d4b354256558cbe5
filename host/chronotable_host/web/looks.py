"""What the page draws with: the pieces, and for each meaning of a light its colour on a screen.

Nothing of a locked chapter is among it.
"""

from collections.abc import Mapping
from typing import Any

from chronotable.lights import light
from chronotable.lights import meanings as numbers
from chronotable_host.chapters import COUNT, NAMES, needed
from chronotable_host.hardware.drawings import glyphs
from chronotable_host.hardware.drawings.light_sheet import screen_colour
from chronotable_host.language import kept_by_language, tr, tr_c
from chronotable_host.live.texts import led_marks, light_names
from chronotable_host.rules.notation import ACTIONS, format_modules
from ttykm import objects

RHYTHMS = ("steady", "blink", "pulse", "flash", "twice")
"""What the page calls the rhythms of `chronotable.lights.light`, by their number."""

_MEANS = {
    numbers.MOVE: tr("A step: you go there."),
    numbers.PUSH: tr("A push: who stands there goes one space on."),
    numbers.SQUISH: tr("A squish: pushed against the wall, and dead."),
    numbers.PARADOX: tr("A paradox: pushed into itself, and both are dead."),
    numbers.OWN_DEATH: tr("Your death: a copy of yours dies of that."),
    numbers.FORWARD: tr("Forward: the same space, one era on."),
    numbers.BACK: tr("Back: the same space, one era back; a new you stays."),
    numbers.TODO_PUT: tr("Something belongs here."),
    numbers.TODO_TAKE: tr("This does not belong here."),
    numbers.PUT_WHITE: tr("A white piece belongs here."),
    numbers.PUT_BLACK: tr("A black piece belongs here."),
}
_CHAPTERS_MARKS = {  # a word, and what is cut out of a disc of 10 around 12,12
    numbers.PLANT: (
        tr_c("mark", "plant"),
        "M11 19v-5C7 14 5.5 11.5 5.5 8.5c3.5 0 5 1.5 5.7 3.5C11.5 8 13.5 5.5 18 5.5"
        "c0 5-2 7.5-5 8V19z",
    ),
    numbers.DIG: (tr_c("mark", "dig up"), "M10.8 4.5h2.4v8H16v2.5q0 3.5-4 5.5-4-2-4-5.5V12.5h2.8z"),
    numbers.BUILD: (tr_c("mark", "build"), "M9.5 5h5v4l-1 1v6h3v3h-9v-3h3v-6l-1-1z"),
    numbers.TRAIN: (
        tr_c("mark", "train"),
        "M5.5 10q0-4 4-4h5q4 0 4 4v8h-3v-4h-3v4h-3v-3.5q-1.5 0-1.5 2v1.5H6.5V15z",
    ),
    numbers.COMMAND: (tr_c("mark", "send"), "M6 10h6V6l7 6-7 6v-4H6z"),
}
_BESIDE = {
    "N": tr_c("place", "north"),
    "E": tr_c("place", "east"),
    "S": tr_c("place", "south"),
    "W": tr_c("place", "west"),
    "o": tr_c("place", "here"),
}
_TOWARDS = {
    "N": tr_c("way", "north"),
    "E": tr_c("way", "east"),
    "S": tr_c("way", "south"),
    "W": tr_c("way", "west"),
}
_THROUGH_TIME = {"F": tr("forward in time"), "B": tr("back in time")}
_VERBS = {  # what the text of an action begins with
    "p": (objects.GROWTH, _BESIDE, tr("plant {way}")),
    "d": (objects.GROWTH, _BESIDE, tr("dig up {way}")),
    "s": (objects.INFLUENCE, _BESIDE, tr("build the statue {way}")),
    "t": (objects.MEMORY, _BESIDE, tr("train {way}")),
    "cD": (objects.MEMORY, _TOWARDS, tr("send the dark elephant {way}")),
    "cL": (objects.MEMORY, _TOWARDS, tr("send the light elephant {way}")),
}

_THINGS = {
    "cD": (objects.MEMORY, tr("dark elephant")),
    "cL": (objects.MEMORY, tr("light elephant")),
}


def games(chapters_shown: int) -> list[str]:
    """Return what may be chosen for a new game with so many chapters unlocked."""
    alone = [format_modules(0), *NAMES[:chapters_shown]]
    mixed = [modules for modules in range(objects.ALL_MODULES + 1) if modules & modules - 1]
    return alone + [format_modules(modules) for modules in mixed if chapters_shown == COUNT]


def things(chapters_shown: int) -> dict[str, str]:
    """Return what tells actions apart that have one mark at one space: their texts in words."""
    told = {}
    for text in ACTIONS:
        module, thing = _THINGS.get(text[:2], (0, tr_c("mark", "step")))
        pulls = text.endswith("*")
        module |= objects.INFLUENCE if pulls else 0
        if (pulls or text[:2] in _THINGS) and needed(module) <= chapters_shown:
            told[text] = tr("{action}, pulling the statue", action=thing) if pulls else thing
    return told


@kept_by_language()
def pieces(chapters_shown: int) -> Mapping[str, Mapping[str, Any]]:
    """Return name and SVG markup of each look with so many chapters unlocked, by the look.

    What is `flat` is lifted by nobody: others stand on it.
    """
    return {
        look: {
            "name": glyphs.name_of(look),
            "svg": glyphs.svg_of(look),
            "flat": look == glyphs.BELOW,
        }
        for look in glyphs.LOOKS
        if needed(glyphs.module_of(look)) <= chapters_shown
    }


def meanings(palette: str, chapters_shown: int) -> list[dict[str, Any]]:
    """Return what each meaning of `light_names.NAMES` looks like and says, by its number.

    Name, colour (`#rrggbb`), rhythm (one of RHYTHMS) and `says`, which tells of the space that is
    lit; of marks `means`, which explains them to who has not seen them before; for kinds of action
    that belong to a chapter a short `word` and the outline of their mark on the page, `cut`, within
    24 by 24. A kind of action from a locked chapter has a name that tells nothing.
    Raises ValueError where there is no palette of that name.
    """
    packed = light.palette(light_names.PALETTE_NAMES.index(palette))
    found = []
    for number, lit in enumerate(light_names.LIGHTS):
        red, green, blue, rhythm = packed[4 * lit : 4 * lit + 4]
        name, says = led_marks.words_of(number, chapters_shown)
        look = {
            "name": name,
            "colour": screen_colour(red, green, blue),
            "rhythm": RHYTHMS[rhythm],
            "says": says,
        }
        if number in _MEANS:
            look["means"] = _MEANS[number]
        if number in _CHAPTERS_MARKS and (name, says) != led_marks.LOCKED:
            look |= dict(zip(("word", "cut"), _CHAPTERS_MARKS[number], strict=True))
        found.append(look)
    return found


def actions(chapters_shown: int) -> dict[str, str]:
    """Return in words what actions do, by their texts in a turn: those of unlocked chapters."""
    told = {**_TOWARDS, **_THROUGH_TIME}
    for text in ACTIONS:
        words = _VERBS.get(text.rstrip("*")[:2] if text[:1] == "c" else text[:1])
        pulls = text.endswith("*")
        if words is None and not pulls:
            continue
        module, ways, says = words or (0, _TOWARDS, "{way}")
        module |= objects.INFLUENCE if pulls else 0
        done = says.format(way=ways[text.rstrip("*")[-1]])
        if needed(module) <= chapters_shown:
            told[text] = tr("{action}, pulling the statue", action=done) if pulls else done
    return told
