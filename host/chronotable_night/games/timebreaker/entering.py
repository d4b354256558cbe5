"""What an owner enters of Time Breaker: the arrows of tiles, and how often each card is there."""

from collections.abc import Iterator, Mapping
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.entering import (
    CHOICE,
    NUMBER,
    SEVERAL,
    TEXT,
    BoxField,
    Choices,
    Form,
    Item,
)
from chronotable_night.games.timebreaker.data import JUMP, LONGEST_LABEL, MOVE
from chronotable_night.games.timebreaker.names import CARD_NAMES, DIRECTION_NAMES


def form(data: Mapping[str, Any]) -> Form:
    """Return what there is to enter (`entering.form_of`)."""
    tiles = {f"gates.{number}": entry for number, entry in enumerate(data["gates"])}
    tiles["tra"] = data["tra"]
    words = [
        (str(each.get("id")), str(each.get("label") or each.get("id"))) for each in tiles.values()
    ]
    items = [
        Item(
            place,
            tr("Tiles"),
            label if place == "tra" else tr("Gate {label}", label=label),
            (
                BoxField(
                    f"{place}.label",
                    tr("What is written on it, {n} letters at most", n=LONGEST_LABEL),
                    TEXT,
                ),
                BoxField(f"{place}.green", tr("Green arrows lead to"), SEVERAL, "tiles"),
                BoxField(f"{place}.red", tr("The red arrow leads to"), CHOICE, "tile"),
            ),
            tile,
        )
        for place, (tile, label) in zip(tiles, words, strict=True)
    ]
    choices: dict[str, Choices] = {"tiles": words, "tile": [(None, tr("no tile")), *words]}
    return Form([*items, *_cards(data["deck"], dict(words), words[0][0])], choices)


def _cards(deck: list[Mapping[str, Any]], labels: Mapping[Any, str], first: str) -> Iterator[Item]:
    for number, entry in enumerate(deck):
        place, card, target = f"deck.{number}", str(entry.get("card")), entry.get("target")
        fields = [BoxField(f"{place}.total", tr("How many"), NUMBER)]
        if card == "jump" and "count_each" in entry:
            title, shows = tr("Jump to each gate"), JUMP + first
            fields.insert(0, BoxField(f"{place}.count_each", tr("For each gate"), NUMBER))
        elif card == "jump":
            title, shows = tr("Jump {tile}", tile=labels.get(target, target)), f"{JUMP}{target}"
        elif card == "move":
            directions = str(entry.get("dirs"))
            named = DIRECTION_NAMES.get(directions, lambda: "?")()
            title, shows = tr("Move ({directions})", directions=named), MOVE + directions
        else:
            title, shows = CARD_NAMES.get(card, lambda: "?")(), card
        yield Item(place, tr("Cards"), title, fields, shows)
