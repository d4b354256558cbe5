"""What is in the box, read from a data file: cards, events, Kronos, the length of the track."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_host.language import tr
from chronotable_night.games.interface import DataError
from chronotable_night.games.timemit.effects import Bid, Effect, read_bid, read_effect, right_texts

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

    @property
    def adds(self) -> int:
        """What it may add to a bid, 0 for nothing."""
        return self.bid.adds if self.bid else 0


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
        raise DataError(f"{place}.bid", _not_understood(error, "bid")) from error
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


def symbols_key(entry: Mapping[str, Any]) -> str:
    """Return which of its fields has a card's symbols: those that are printed, or our own."""
    return "symbols" if "symbols" in entry else "symbols_house"


def _symbols(entry: Mapping[str, Any], place: str) -> Mapping[str, int]:
    key = symbols_key(entry)
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
        raise DataError(f"{place}.{slot}", _not_understood(error, slot)) from error


def _not_understood(error: ValueError, slot: str) -> str:
    text = str(error)
    right = tr(" or ").join(tr("“{text}”", text=each) for each in right_texts(text, slot))
    return tr("“{text}” is not understood here; right would be {right}.", text=text, right=right)


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
