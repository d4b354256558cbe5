"""TIMEmiT as it comes from its box."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from chronotable_host.cases import Case, DifferentError
from chronotable_host.language import tr
from chronotable_night.games.interface import Option, State
from chronotable_night.games.timemit.box import read_box
from chronotable_night.games.timemit.effects import read_bid, read_effect
from chronotable_night.games.timemit.game import Timemit

_FOLDER = Path(__file__).parent


class TimemitKind:
    """The game before data is chosen."""

    name = "timemit"
    title = "TIMEmiT"
    players = range(2, 3)
    page = _FOLDER / "page"

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A duel of secret bids: whoever pulls the time ship all the way to their own year wins."
        )

    @cached_property
    def options(self) -> Sequence[Option]:
        """The data file that it is played with; there is one, an owner's takes its place."""
        return (
            Option(
                "data",
                tr("What is printed on the cards"),
                {"default": tr("as far as it is known; symbols and track are our own")},
            ),
        )

    @cached_property
    def rules(self) -> Mapping[str, str]:
        """Its rules by number, in our own words."""
        return {
            "TM1": tr(
                "The ship begins in 2100. Nora, the first seat, wants it in the past, at 1980; Aron"
                " in the future, at 2220. Forward is toward the goal of whose card it is."
            ),
            "TM2": tr(
                "There are eight rounds. Each begins with three power cards and an event in a row;"
                " then come combat and bidding."
            ),
            "TM3": tr(
                "In combat, all who are still in reveal the top card of their deck at once. Both"
                " cards act; what they do to ship and triangles is added up, and only then carried"
                " out."
            ),
            "TM4": tr("A card does as much as it can; what it cannot do is left out."),
            "TM5": tr(
                "Three symbols of a colour on your revealed cards are a paradox: one space back, a"
                " triangle for you, and you are out of this combat. Your cards stay."
            ),
            "TM6": tr(
                "After each card you say whether you draw or stop, in secret and both at once. Who"
                " has stopped is out of this combat."
            ),
            "TM7": tr(
                "An empty deck is made anew from your discard. With no discard either, you are out."
            ),
            "TM8": tr(
                "Who is nearer to the goal bids first; in the middle it is Nora. A bid lays any"
                " number of Kronos face down at any of the four cards: how many can be seen, how"
                " much cannot."
            ),
            "TM9": tr(
                "Bids are opened at the event first, then at the power cards from left to right."
                " The higher total wins and its Kronos are spent; the others come home. If both are"
                " equal, the card leaves the game and all Kronos come home."
            ),
            "TM10": tr(
                "Who wins a power card does what it says at once, and lays it face up onto the own"
                " deck, several in any order. An event acts and leaves the game."
            ),
            "TM11": tr(
                "A card that you revealed this round may add to your bids, at each of the four"
                " cards anew. You take turns to add one, or pass, until both pass."
            ),
            "TM12": tr("At the end of the round revealed cards go to their owners' discards."),
            "TM13": tr(
                "With no Kronos in hand you may take back all that you spent: that costs four"
                " spaces back and a triangle. Kronos that lie in a bid are not in hand."
            ),
            "TM14": tr("Who has six triangles loses at once. If both do, nobody wins."),
            "TM15": tr(
                "Where the ship reaches an end of its track, whose goal that is wins at once."
            ),
            "TM16": tr(
                "After the eighth round the endgame effects of all cards in decks and discards are"
                " added up. Then who is nearer to the goal wins; in the middle, who has fewer"
                " triangles."
            ),
            "TM17": tr(
                "What counts symbols counts all that you revealed in this combat, also on cards"
                " that have left since. Colours and paradoxes count only cards that still lie"
                " there."
            ),
            "TM18": tr("A pair of two colours is one symbol of each."),
        }

    @cached_property
    def default_data(self) -> Mapping[str, Any]:
        """The cards, as far as they are known."""
        data: Mapping[str, Any] = json.loads((_FOLDER / "default.json").read_text("utf-8"))
        return data

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"ship", "triangles", "kronos"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> Timemit:
        """Return the game with its own data or another's; raises DataError."""
        data = self.default_data if data is None else data
        return Timemit(read_box(data), data)

    def cases(self, document: Mapping[str, Any]) -> Iterator[Case]:
        """Yield a case for each text of a vector file's `vocabulary`, which only this game has."""
        for number, entry in enumerate(document.get("vocabulary", ()), 1):
            yield Case(f"vocabulary {number}", partial(_check_text, entry))


def _check_text(entry: Mapping[str, Any]) -> None:
    slot, text = entry["slot"], entry["text"]
    try:
        if slot == "bid":
            read_bid(text)
        else:
            read_effect(text, slot)
    except ValueError:
        understood = False
    else:
        understood = True
    if understood != entry["valid"]:
        raise DifferentError(None, f"{slot} {text!r}: {entry['valid']}", str(understood))


KIND = TimemitKind()
