"""The rules by number, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from chronotable_host.language import tr


def rules() -> Mapping[str, str]:
    """Return each rule by its number."""
    return {
        "B1": tr(
            "The TRA lies in the middle of a grid of 5 by 5 tiles, 24 gates in random order "
            "around it. All pawns start on the TRA, the Time Breaker at the top left. "
            "Everybody has 3 cards; play goes clockwise."
        ),
        "B2": tr(
            "Arrows name tiles, wherever these lie. Where a tile lies matters only for steps: "
            "Move, Near Yet Far, Shut and Run."
        ),
        "B3": tr(
            "In your turn draw a card, then do one thing: play a card of your hand, follow a "
            "green arrow of your tile, or take the Wormhole: draw another card and play that "
            "at once. You cannot pass, and may hold any number of cards."
        ),
        "B4": tr("When the deck is empty, the discarded cards are shuffled and become the deck."),
        "B5": tr(
            "A Stop Time drawn by a Wormhole or a Quantum Leap is shown and kept, and that was "
            "it. A card that has to be played but can have no effect is discarded."
        ),
        "B6": tr(
            "Once in your turn, before you do your one thing, you may dump any Jumps for "
            "crashed gates and draw as many cards."
        ),
        "B7": tr(
            "Move goes one step in a direction that the card shows. Over the edge it comes in "
            "on the other side; gaps are skipped."
        ),
        "B8": tr(
            "Jump goes to the tile on the card. Who stands there already goes to any other "
            "tile. If the gate is crashed, you land on the TRA."
        ),
        "B9": tr("An arrow to a crashed gate leads to the TRA, whether green or red."),
        "B10": tr(
            "Return to HQ: any one pawn to the TRA. Join Me: all other pawns to your tile. Tag "
            "Along: you to the tile of another pawn. Desperate Grab: discard your hand, go to "
            "the Time Breaker. Double Time: follow two green arrows. Near Yet Far: go to a "
            "tile one step from the Time Breaker. Back It Up: go where the red arrow of your "
            "tile leads."
        ),
        "B11": tr(
            "Quantum Leap: choose a card of your hand, then reveal the top card of the deck; "
            "play both, in the order you like. A Stop Time cannot be chosen."
        ),
        "B12": tr(
            "Crash a Gate takes a gate away, but not the one with the Time Breaker. Pawns on "
            "it go to the TRA; a gap stays."
        ),
        "B13": tr(
            "On the Move: the Time Breaker goes along a green arrow of its tile, or as a Move "
            "or Jump says that you discard with it."
        ),
        "B14": tr(
            "Shut and Run: the Time Breaker takes a step, then the gate it came from crashes; "
            "pawns left there go to the TRA."
        ),
        "B15": tr(
            "If the Time Breaker gets to the TRA without an escort, the game is over and "
            "nobody wins. An arrow, Move or Jump into a crashed gate takes it there, too."
        ),
        "B16": tr(
            "A pawn on the tile of the Time Breaker arrests it. If arrests are to be declared, "
            "its player says so when deciding, before moving away."
        ),
        "B17": tr(
            "The Time Breaker goes along with the first of its captors who moves by an action "
            "of their own. A captor who is moved by another player leaves it behind."
        ),
        "B18": tr("Whoever has declared an arrest once need not do so again after an escape."),
        "B19": tr(
            "Who comes to the TRA with the Time Breaker, in whatever way of their own, wins."
        ),
        "B20": tr("The TRA cannot be crashed."),
        "B21": tr(
            "Stop Time answers a card that another player plays, also a Stop Time. It never "
            "stops a followed arrow or the Wormhole itself, only the card that a Wormhole "
            "plays."
        ),
        "B22": tr(
            "A stopped card is discarded without effect, and nothing is drawn for it or for "
            "the Stop Time. A card that was to guide On the Move stays in the hand."
        ),
        "B23": tr(
            "A Quantum Leap can be stopped as a whole, or each of its cards by itself; if the "
            "first is stopped, the second is still played."
        ),
        "B24": tr(
            "After each card all others are asked in turn, clockwise from the player whose "
            "turn it is. After a Stop Time all are asked again, about that."
        ),
    }
