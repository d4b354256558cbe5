"""What an owner enters of TIMEmiT: symbols, effects and when they act, card by card."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.entering import (
    NUMBER,
    NUMBERS,
    PHRASE,
    TEXT,
    BoxField,
    Choices,
    Form,
    Item,
)
from chronotable_night.games.timemit.box import DECKS, LETTERS, symbols_key
from chronotable_night.games.timemit.effects import BIDS, LIKE, SLOTS, read_bid, read_effect
from chronotable_night.games.timemit.texts import (
    bid_option_text,
    effect_text,
    letter_text,
    sentence,
)

_SHIP = [f"{way}{n}" for way in "FB" for n in range(1, 13)]


def form(data: Mapping[str, Any]) -> Form:
    """Return what there is to enter (`entering.form_of`)."""
    ways = {
        "instant": tr("When it is won"),
        "combat": tr("In combat"),
        "bid": tr("For bids"),
        "endgame": tr("At the game's end"),
    }
    names = (tr("Nora's cards"), tr("Aron's cards"), tr("Power cards"))
    groups = dict(zip(DECKS, names, strict=True))
    whole = (
        BoxField("track.spaces_each_side", tr("Spaces to each goal"), NUMBER),
        BoxField("kronos", tr("The Kronos of a player"), NUMBERS),
    )
    items = [Item("track", tr("The box"), tr("Track and Kronos"), whole)]
    for number, entry in enumerate(data["cards"]):
        place = f"cards.{number}"
        fields = [BoxField(f"{place}.name", tr("Name"), TEXT)]
        fields += (
            BoxField(
                f"{place}.{symbols_key(entry)}.{letter}",
                tr("Symbols: {colour}", colour=letter_text(letter)),
                NUMBER,
            )
            for letter in LETTERS
        )
        fields += (BoxField(f"{place}.{slot}", label, PHRASE, slot) for slot, label in ways.items())
        items.append(_named(place, groups.get(str(entry.get("deck")), ""), entry, fields))
    for number, entry in enumerate(data["events"]):
        place = f"events.{number}"
        fields = [
            BoxField(f"{place}.name", tr("Name"), TEXT),
            BoxField(f"{place}.effect", tr("When it is won"), PHRASE, "effect"),
        ]
        items.append(_named(place, tr("Events"), entry, fields))
    known = [*_SHIP, *LIKE]
    for entry in (*data["cards"], *data["events"]):
        known += (entry[slot] for slot in SLOTS if isinstance(entry.get(slot), str))
    choices = {slot: _phrases(known, partial(_effect_words, slot)) for slot in SLOTS}
    choices["bid"] = _phrases(BIDS, lambda it: bid_option_text(read_bid(it)))
    return Form(items, choices)


def _effect_words(slot: str, text: str) -> str:
    return effect_text(read_effect(text, slot))


def _named(place: str, group: str, entry: Mapping[str, Any], fields: list[BoxField]) -> Item:
    number = entry.get("id")
    return Item(place, group, f"{number} {entry.get('name') or ''}", fields, number)


def _phrases(texts: Iterable[str], words: Callable[[str], str]) -> Choices:
    """Return the texts that are understood, in words, each once."""
    found: dict[Any, str] = {None: tr("nothing")}
    for text in dict.fromkeys(texts):
        with suppress(ValueError):
            found[text] = sentence(words(text))
    return list(found.items())
