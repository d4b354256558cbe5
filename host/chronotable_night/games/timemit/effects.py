"""The effects that are printed on cards: read once, into small trees of parts.

    effect = sequence | "choose " sequence " | " sequence { " | " sequence }
    sequence = part { " & " part }

Spelling and spaces are exact. A state of the game names a part by its text (`part_of`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple, TypeAlias

OWN_DISCARD = "own discard"
OTHER_DISCARD = "opponent's discard"

COLOURS = {"red": "R", "blue": "B", "yellow": "Y"}
"""The colours of symbols in effects, and their letters on cards."""


class Amount(NamedTuple):
    """How much: `times` the counted things, divided by `per` and rounded down before.

    Without anything to count it is `times` alone. Two colours are joined by "min" or "sum".
    """

    times: int
    counted: tuple[str, ...] = ()
    join: str = ""
    per: int = 1


class Ship(NamedTuple):
    """The ship goes forward, toward the owner's goal (sign 1), or back (-1)."""

    text: str
    sign: int
    amount: Amount


class Triangles(NamedTuple):
    """The owner, or else the opponent, takes a paradox triangle (1) or lays one off (-1)."""

    text: str
    own: bool
    change: int


class Remove(NamedTuple):
    """Revealed cards leave the game: up to `most`, or exactly so many."""

    text: str
    most: int
    exactly: bool


class Fetch(NamedTuple):
    """One Kronos of each of these values comes back to hand, if it is spent."""

    text: str
    values: tuple[int, ...]


class Take(NamedTuple):
    """So many Kronos of any values come back to hand."""

    text: str
    number: int


class Spend(NamedTuple):
    """So many Kronos are discarded from the hand."""

    text: str
    number: int


class Peek(NamedTuple):
    """The owner looks at the top card of the deck, and keeps or discards it."""

    text: str


class Give(NamedTuple):
    """A revealed card goes to the opponent's discard."""

    text: str


class Goes(NamedTuple):
    """The won card goes to a discard instead of onto the deck."""

    text: str
    where: str


class Choose(NamedTuple):
    """One of several sequences is done."""

    text: str
    branches: "tuple[tuple[Part, ...], ...]"


Part: TypeAlias = "Ship | Triangles | Remove | Fetch | Take | Spend | Peek | Give | Goes | Choose"
Effect: TypeAlias = "tuple[Part, ...]"
"""Parts from left to right; a choice is one part."""


class Bid(NamedTuple):
    """What a revealed card may add to a bid; `alone` also where no Kronos lies."""

    adds: int
    alone: bool


SLOTS: Mapping[str, frozenset[type]] = {
    "instant": frozenset({Ship, Triangles, Remove, Fetch, Take, Spend, Peek, Give, Goes, Choose}),
    "combat": frozenset({Ship, Triangles, Remove, Fetch, Take, Spend, Peek, Give, Choose}),
    "effect": frozenset({Ship, Triangles, Remove, Fetch, Take, Spend, Peek, Give, Choose}),
    "endgame": frozenset({Ship, Triangles}),
}
"""What may be printed where."""

_LONGEST = 60
_MOST_TEXTS = 3
"""Of a wrong text so many characters are looked at, and so many right ones told."""

_N = r"([1-9][0-9]{0,8})"
_D = r"([1-9])"
_SIGN = {"F": 1, "B": -1}
_COLOUR = "(?:red|blue|yellow)"
_COUNT = rf"(symbols|ownP|{_COLOUR}|(?:min|sum)\({_COLOUR},{_COLOUR}\))"

_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Part]], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (f"([FB]){_N}", lambda m: Ship(m[0], _SIGN[m[1]], Amount(int(m[2])))),
        (rf"([FB]) (?:{_N}\*)?{_COUNT}", lambda m: _counting(m, 1)),
        (rf"([FB]) (?:{_N}\*)?floor\({_COUNT}/{_N}\)", lambda m: _counting(m, int(m[4]))),
        (r"P\+", lambda m: Triangles(m[0], True, 1)),
        ("P-", lambda m: Triangles(m[0], True, -1)),
        (r"OP\+", lambda m: Triangles(m[0], False, 1)),
        (f"X<={_D}", lambda m: Remove(m[0], int(m[1]), False)),
        (f"X{_D}", lambda m: Remove(m[0], int(m[1]), True)),
        (rf"K\{{({_N}(?:,{_N})*)\}}", lambda m: Fetch(m[0], tuple(map(int, m[1].split(","))))),
        (rf"K\{{any {_D}\}}", lambda m: Take(m[0], int(m[1]))),
        (f"KD{_D}", lambda m: Spend(m[0], int(m[1]))),
        ("PEEK", lambda m: Peek(m[0])),
        ("1 revealed card to opponent's discard", lambda m: Give(m[0])),
        (f"this card to ({OWN_DISCARD}|{OTHER_DISCARD})", lambda m: Goes(m[0], m[1])),
    )
)
_BID = re.compile(rf"\+{_N} \((also with 0 cards|needs >=1 card)\)")


def _counting(match: re.Match[str], per: int) -> Ship:
    join, _, colours = match[3].partition("(")
    counted = tuple(colours.rstrip(")").split(",")) if colours else (join,)
    amount = Amount(int(match[2] or 1), counted, join if colours else "", per)
    return Ship(match[0], _SIGN[match[1]], amount)


def _simple(text: str) -> Part:
    for pattern, reader in _READERS:
        match = pattern.fullmatch(text)
        if match:
            return reader(match)
    raise ValueError(text)


def _sequence(text: str) -> Effect:
    return tuple(_simple(part) for part in text.split(" & "))


@cache
def part_of(text: str) -> Part:
    """Return a part by its text; raises ValueError with what is not understood."""
    if not text.startswith("choose "):
        return _simple(text)
    branches = tuple(map(_sequence, text.removeprefix("choose ").split(" | ")))
    if len(branches) == 1:
        raise ValueError(text)
    return Choose(text, branches)


def branches_of(text: str) -> Sequence[Effect]:
    """Return what may be chosen by a part with this text."""
    part = part_of(text)
    return part.branches if isinstance(part, Choose) else ()


def read_effect(text: str, slot: str) -> Effect:
    """Return the effect of a text in a slot (SLOTS); raises ValueError with what is wrong."""
    effect = (part_of(text),) if text.startswith("choose ") else _sequence(text)
    for part in effect:
        inner = sum(part.branches, ()) if isinstance(part, Choose) else ()
        for one in (part, *inner):
            if type(one) not in SLOTS[slot]:
                raise ValueError(one.text)
    return effect


def read_bid(text: str) -> Bid:
    """Return what a card adds to bids; raises ValueError with what is not understood."""
    match = _BID.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Bid(int(match[1]), match[2].startswith("also"))


BIDS = [f"+{n} ({when})" for when in ("also with 0 cards", "needs >=1 card") for n in range(1, 10)]
"""What cards may add to bids, but for larger numbers."""
LIKE = (
    *("F1", "B1", "F symbols", "F floor(symbols/2)", "F 2*ownP", "F 2*min(blue,yellow)"),
    *("P-", "P+", "OP+", "X<=1", "X1", "K{6,10}", "K{any 1}", "KD1", "PEEK"),
    *("1 revealed card to opponent's discard", "this card to own discard"),
    *("this card to opponent's discard", "F2 & P-", "choose F1 | P-"),
)
"""A text of each kind."""


def right_texts(text: str, slot: str) -> list[str]:
    """Return what would be understood in a slot, or as a `bid`, the likest to a wrong text first.

    Where only spaces or small letters are wrong, that is the text which was meant.
    """
    if slot == "bid":
        adds = int((re.search("[1-9]", text) or "2")[0])
        known = [each for each in BIDS if each.startswith(f"+{adds} ")]
    else:
        bare = text.replace(" ", "")
        meant = (bare.upper(), re.sub("[&|]", r" \g<0> ", bare.upper()))
        for each in meant:
            if _is_right(each, slot):
                return [each]
        known = [each for each in LIKE if _is_right(each, slot)]
    return get_close_matches(text[:_LONGEST], known, _MOST_TEXTS, 0.4) or known[:_MOST_TEXTS]


def _is_right(text: str, slot: str) -> bool:
    try:
        read_effect(text, slot)
    except ValueError:
        return False
    return True
