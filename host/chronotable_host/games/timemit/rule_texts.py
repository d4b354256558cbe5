"""The rules of TIMEmiT by number, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from chronotable_host.language import tr


def rule_texts() -> Mapping[str, str]:
    """Return the rules."""
    return {
        "TM1": tr(
            "The ship begins in 2100. Nora, the first seat, wants it in the past, at 1980; Aron in"
            " the future, at 2220. Forward is toward the goal of whose card it is."
        ),
        "TM2": tr(
            "There are eight rounds. Each begins with three power cards and an event in a row; then"
            " come combat and bidding."
        ),
        "TM3": tr(
            "In combat, all who are still in reveal the top card of their deck at once. Both cards"
            " act; what they do to ship and triangles is added up, and only then carried out."
        ),
        "TM4": tr("A card does as much as it can; what it cannot do is left out."),
        "TM5": tr(
            "Three symbols of a colour on your revealed cards are a paradox: one space back, a"
            " triangle for you, and you are out of this combat. Your cards stay."
        ),
        "TM6": tr(
            "After each card you say whether you draw or stop, in secret and both at once. Who has"
            " stopped is out of this combat."
        ),
        "TM7": tr(
            "An empty deck is made anew from your discard. With no discard either, you are out."
        ),
        "TM8": tr(
            "Who is nearer to the goal bids first; in the middle it is Nora. A bid lays any number"
            " of Kronos face down at any of the four cards: how many can be seen, how much cannot."
        ),
        "TM9": tr(
            "Bids are opened at the event first, then at the power cards from left to right. The"
            " higher total wins and its Kronos are spent; the others come home. If both are equal,"
            " the card leaves the game and all Kronos come home."
        ),
        "TM10": tr(
            "Who wins a power card does what it says at once, and lays it face up onto the own"
            " deck, several in any order. An event acts and leaves the game."
        ),
        "TM11": tr(
            "A card that you revealed this round may add to your bids, at each of the four cards"
            " anew. You take turns to add one, or pass, until both pass."
        ),
        "TM12": tr("At the end of the round revealed cards go to their owners' discards."),
        "TM13": tr(
            "With no Kronos in hand you may take back all that you spent: that costs four spaces"
            " back and a triangle. Kronos that lie in a bid are not in hand."
        ),
        "TM14": tr("Who has six triangles loses at once. If both do, nobody wins."),
        "TM15": tr("Where the ship reaches an end of its track, whose goal that is wins at once."),
        "TM16": tr(
            "After the eighth round the endgame effects of all cards in decks and discards are"
            " added up. Then who is nearer to the goal wins; in the middle, who has fewer"
            " triangles."
        ),
        "TM17": tr(
            "What counts symbols counts all that you revealed in this combat, also on cards that"
            " have left since. Colours and paradoxes count only cards that still lie there."
        ),
        "TM18": tr("A pair of two colours is one symbol of each."),
    }
