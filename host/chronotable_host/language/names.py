"""Eras, players, directions, places and ends of games as sentences name them.

Their English names stay in notation, records, files and the link.
"""

import re

from chronotable_host.language import tr, tr_c

ERAS = (tr_c("era", "past"), tr_c("era", "present"), tr_c("era", "future"))
"""By number, without an article."""

PLAYERS = (tr_c("player", "White"), tr_c("player", "Black"))
"""By number, as at the beginning of a sentence."""

PLAYERS_WITHIN = (tr_c("player", "white"), tr_c("player", "black"))
"""By number, as within a sentence that does not begin with them."""

DIRECTIONS = (
    tr_c("direction", "north"),
    tr_c("direction", "east"),
    tr_c("direction", "south"),
    tr_c("direction", "west"),
)
"""In the order of the actions: N, E, S, W."""

WINS = (tr("white wins"), tr("black wins"))
"""By side."""
UNDERSTOOD = {
    "certain": tr_c("a turn was understood", "certain"),
    "asked": tr_c("a turn was understood", "asked"),
    "corrected": tr_c("a turn was understood", "corrected"),
}
"""How the table understood turns, by the words of records."""
TERMINATIONS = {
    "normal": tr_c("end of a game", "normal"),
    "resigned": tr_c("end of a game", "resigned"),
    "agreed": tr_c("end of a game", "agreed"),
    "in progress": tr_c("end of a game", "in progress"),
}
"""How games ended, by the words of records."""

YES = ("yes", "y", *tr_c("typed for yes, in small letters", "y yes").split())
NO = ("no", "n", *tr_c("typed for no, in small letters", "n no").split())
"""What is typed as an answer."""

_WORDS = {
    **dict(zip(("past", "present", "future"), ERAS, strict=True)),
    **dict(zip(("white", "black"), PLAYERS_WITHIN, strict=True)),
    "focus": tr_c("place", "focus"),
    "button": tr_c("place", "button"),
}
_MODULES = {
    "standard": tr_c("game", "standard"),
    "growth": tr_c("game", "growth"),
    "influence": tr_c("game", "influence"),
    "memory": tr_c("game", "memory"),
    "convergence": tr_c("game", "convergence"),
}
_NOT_OWN = re.compile(r"\??|you|A guest|(?:level:|Chronotable,).*")
_MARKS = {",": tr_c("between thousands", ","), ".": tr_c("before decimals", ".")}


def place(name: str) -> str:
    """Return what a sensor is called: `past 3`, `focus white past` or `button undo white`.

    Buttons are called as it stands at them.
    """
    return " ".join(str(_WORDS.get(word, word)) for word in name.split(" "))


def both(white: str, black: str) -> tuple[str, str]:
    """Return what White and Black are called: by name where two people have names of their own."""
    are_own = white != black and not any(map(_NOT_OWN.fullmatch, (white, black)))
    return (white, black) if are_own else PLAYERS


def modules(name: str) -> str:
    """Return what a game is called by its modules, such as `growth+memory`."""
    return "+".join(str(_MODULES.get(each, each)) for each in name.split("+"))


def number(value: float) -> str:
    """Return a number in digits, with the marks of thousands and of decimals."""
    marks = {ord(mark): str(own) for mark, own in _MARKS.items()}
    return f"{value:,}".translate(marks)


def within(sentence: str) -> str:
    """Return what a turn did as it stands behind who did it: it begins with a verb."""
    said = str(sentence)
    return said[:1].lower() + said[1:]


CODE_WORDS = tr_c(
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
