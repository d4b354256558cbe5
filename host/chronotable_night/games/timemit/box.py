"""What is in the box, read from a data file: cards and their effects, events, Kronos, the track.

Effects are read once, into small trees of parts:

    effect = sequence | "choose " sequence " | " sequence { " | " sequence }
    sequence = part { " & " part }

Spelling and spaces are exact. A state of the game names a part by its text (`part_of`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from chronotable_host.language import tr
from chronotable_night.games.interface import DataError

# ---------------------------------------------------------------- effects


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
    branches: tuple[tuple[Part, ...], ...]


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


# ---------------------------------------------------------------- cards


DECKS = ("nora", "aron", "power")
"""The decks that cards begin in: those of the two seats, and the one that is bid for."""
LETTERS = ("R", "B", "Y")
_POWER_CARDS = 24  # three for each round
_EVENTS = 8


class Card(NamedTuple):
    """A power card; `symbols` are counts by colour letter."""

    id: int
    name: str
    deck: str
    symbols: Mapping[str, int]
    instant: Effect
    combat: Effect
    bid: Bid | None
    endgame: Effect


class EventCard(NamedTuple):
    """An event card."""

    id: int
    name: str
    effect: Effect


class CardBox(NamedTuple):
    """All that a data file says; cards and events by their numbers, which ascend."""

    length: int
    kronos: Sequence[int]
    cards: Mapping[int, Card]
    events: Mapping[int, EventCard]
    verified: bool

    def effect_of(self, number: int) -> Effect:
        """Return what winning a card or event does at once."""
        event = self.events.get(number)
        return self.cards[number].instant if event is None else event.effect

    def name_of(self, number: int) -> str:
        """Return the name of a card or event."""
        named = self.cards.get(number) or self.events[number]
        return named.name

    def starting(self, deck: str) -> list[int]:
        """Return the cards that begin in a deck, ascending."""
        return [card.id for card in self.cards.values() if card.deck == deck]


def read_box(data: Mapping[str, Any]) -> CardBox:
    """Return what a data file says; raises DataError with the place of what is wrong."""
    length = _whole(_object(data, "track"), "track.", "spaces_each_side", least=1)
    kronos = [_number(v, f"kronos.{at}", 1) for at, v in enumerate(_list(data, "kronos"))]
    if not kronos:
        raise DataError("kronos", tr("At least one Kronos is needed."))
    cards = [_card(entry, f"cards.{at}") for at, entry in enumerate(_list(data, "cards"))]
    events = [_event(entry, f"events.{at}") for at, entry in enumerate(_list(data, "events"))]
    places = [f"cards.{at}" for at in range(len(cards))]
    places += (f"events.{at}" for at in range(len(events)))
    seen: dict[int, str] = {}
    numbers = [card.id for card in cards] + [event.id for event in events]
    for place, number in zip(places, numbers, strict=True):
        if number in seen:
            why = tr("The number {id} is that of {place}, too.", id=number, place=seen[number])
            raise DataError(f"{place}.id", why)
        seen[number] = place
    counts = Counter(card.deck for card in cards)
    if counts["power"] < _POWER_CARDS:
        raise DataError(
            "cards",
            tr(
                "{n} cards have the deck “power”; at least {least} are needed.",
                n=counts["power"],
                least=_POWER_CARDS,
            ),
        )
    if len(events) < _EVENTS:
        raise DataError(
            "events",
            tr("There are {n} events; at least {least} are needed.", n=len(events), least=_EVENTS),
        )
    return CardBox(
        length,
        sorted(kronos, reverse=True),
        {card.id: card for card in sorted(cards)},
        {event.id: event for event in sorted(events)},
        data.get("verified") is True,
    )


def _card(entry: Any, place: str) -> Card:
    if not isinstance(entry, Mapping):
        raise DataError(place, tr("A card is an object."))
    deck = entry.get("deck")
    if deck not in DECKS:
        raise DataError(f"{place}.deck", tr("A card's deck is nora, aron or power."))
    text = _text(entry, place, "bid")
    try:
        bid = read_bid(text) if text else None
    except ValueError as error:
        raise DataError(f"{place}.bid", _not_understood(error)) from error
    return Card(
        _whole(entry, f"{place}.", "id", least=1),
        _text(entry, place, "name"),
        deck,
        _symbols(entry, place),
        _effect(entry, place, "instant"),
        _effect(entry, place, "combat"),
        bid,
        _effect(entry, place, "endgame"),
    )


def _event(entry: Any, place: str) -> EventCard:
    if not isinstance(entry, Mapping):
        raise DataError(place, tr("An event is an object."))
    number = _whole(entry, f"{place}.", "id", least=1)
    return EventCard(number, _text(entry, place, "name"), _effect(entry, place, "effect"))


def _symbols(entry: Mapping[str, Any], place: str) -> Mapping[str, int]:
    key = "symbols" if "symbols" in entry else "symbols_house"
    symbols = entry.get(key, {})
    place = f"{place}.{key}"
    if not isinstance(symbols, Mapping):
        raise DataError(place, tr("Symbols are an object such as {example}.", example='{"R": 1}'))
    for letter, count in symbols.items():
        if letter not in LETTERS:
            raise DataError(f"{place}.{letter}", tr("The colours of symbols are R, B and Y."))
        _number(count, f"{place}.{letter}", 0)
    return {letter: symbols.get(letter, 0) for letter in LETTERS}


def _effect(entry: Mapping[str, Any], place: str, slot: str) -> Effect:
    text = _text(entry, place, slot)
    try:
        return read_effect(text, slot) if text else ()
    except ValueError as error:
        raise DataError(f"{place}.{slot}", _not_understood(error)) from error


def _not_understood(error: ValueError) -> str:
    return tr("“{text}” is not understood here.", text=str(error))


def _text(entry: Mapping[str, Any], place: str, key: str) -> str:
    text = entry.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise DataError(f"{place}.{key}", tr("This is a text."))
    return text


def _whole(entry: Mapping[str, Any], place: str, key: str, least: int) -> int:
    return _number(entry.get(key), f"{place}{key}", least)


def _number(value: Any, place: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise DataError(place, tr("This is a whole number from {least}.", least=least))
    return value


def _list(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise DataError(key, tr("This is a list."))
    return value


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise DataError(key, tr("This is an object."))
    return value
