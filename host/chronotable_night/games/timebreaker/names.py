"""What cards, tiles and players are called."""

from collections.abc import Callable, Mapping, Sequence

from chronotable_host.language import tr, tr_c
from chronotable_night.games.timebreaker.data import Data, directions_of, jump_of

CARD_NAMES: Mapping[str, Callable[[], str]] = {
    "return_to_hq": lambda: tr("Return to HQ"),
    "join_me": lambda: tr("Join Me"),
    "quantum_leap": lambda: tr("Quantum Leap"),
    "tag_along": lambda: tr("Tag Along"),
    "desperate_grab": lambda: tr("Desperate Grab"),
    "double_time": lambda: tr("Double Time"),
    "near_yet_far": lambda: tr("Near Yet Far"),
    "back_it_up": lambda: tr("Back It Up"),
    "crash_a_gate": lambda: tr("Crash a Gate"),
    "on_the_move": lambda: tr("On the Move"),
    "shut_and_run": lambda: tr("Shut and Run"),
    "stop_time": lambda: tr("Stop Time"),
}
DIRECTION_NAMES: Mapping[str, Callable[[], str]] = {
    "LR": lambda: tr("left or right"),
    "UD": lambda: tr("up or down"),
    "LRUD": lambda: tr("any direction"),
}


_ABOUT: Mapping[str, Callable[[], str]] = {
    "move": lambda: tr("You go one step; over the edge you come in on the other side."),
    "jump": lambda: tr("You stand on the tile of this Jump already: go to any other one."),
    "return_to_hq": lambda: tr("One pawn goes to the TRA; it may be your own."),
    "tag_along": lambda: tr("You go to the tile of another pawn."),
    "double_time": lambda: tr("You follow two green arrows, one after the other."),
    "near_yet_far": lambda: tr("You go to a tile one step from the Time Breaker."),
    "crash_a_gate": lambda: tr("A gate leaves the grid; pawns on it go to the TRA."),
    "on_the_move": lambda: tr(
        "The Time Breaker goes along a green arrow, or as a Move or Jump of yours says."
    ),
    "shut_and_run": lambda: tr("The Time Breaker goes one step, and the gate it leaves crashes."),
}
"""What the cards do for which something has to be chosen."""


def card_name(data: Data, card: str) -> str:
    """Return the name of a card, such as "Jump 14" or "Move (left or right)"."""
    if jump_of(card):
        return tr("Jump {tile}", tile=data.labels[jump_of(card)])
    if directions_of(card):
        return tr("Move ({directions})", directions=DIRECTION_NAMES[directions_of(card)]())
    return CARD_NAMES[card]()


def printed_on(data: Data, card: str) -> tuple[str, str, str]:
    """Return what stands on a card: its name, a smaller word below it, and what it does.

    The word is "" for most; what it does is "" where nothing has to be chosen for it.
    """
    directions = directions_of(card)
    about = _ABOUT.get(card.partition(":")[0])
    word = DIRECTION_NAMES[directions]() if directions else ""
    return short_name(data, card), word, about() if about else ""


def tile_name(data: Data, tile: str) -> str:
    """Return how a sentence names a tile, such as "gate 14"."""
    if tile == data.tra:
        return tr("the {tra}", tra=data.labels[tile])
    return tr("gate {label}", label=data.labels[tile])


def short_name(data: Data, card: str) -> str:
    """Return the name of a card where its target is named beside it."""
    return tr("Move") if directions_of(card) else card_name(data, card)


def play_name(data: Data, words: Sequence[str], names: Sequence[str]) -> str:
    """Return how a card is played, with its targets, such as "Jump 07 to gate 12"."""
    card, *targets = words
    name = short_name(data, card)
    if not targets:
        return name
    if card in ("return_to_hq", "tag_along"):
        return tr_c(
            "a card and its target", "{card}: {target}", card=name, target=names[int(targets[0])]
        )
    if ":" in targets[0]:  # a card that guides another one
        guide = short_name(data, targets[0])
        if len(targets) == 1:
            return tr("{card} with {guide}", card=name, guide=guide)
        tile = tile_name(data, targets[1])
        return tr("{card} with {guide} to {tile}", card=name, guide=guide, tile=tile)
    tile = tile_name(data, targets[0])
    if card == "crash_a_gate":
        return tr_c("a card and its target", "{card}: {target}", card=name, target=tile)
    return tr("{card} to {tile}", card=name, tile=tile)
