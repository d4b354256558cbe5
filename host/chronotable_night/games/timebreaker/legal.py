"""What may be done: all of it, whether one action is among it, and why not."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_night.games.interface import IllegalActionError, State, size
from chronotable_night.games.timebreaker.data import STOP_TIME, Data, directions_of, jump_of
from chronotable_night.games.timebreaker.names import card_name, tile_name
from chronotable_night.games.timebreaker.pieces import FOLLOW, GAP, step_targets

NO_ARGUMENTS = ("",)


class CardSituation(NamedTuple):
    """What the words of a card depend on."""

    data: Data
    state: State
    """Or the view of the active seat."""
    card: str
    hand: Sequence[str]
    """Of the active seat, without the card that is played."""

    @property
    def here(self) -> str:
        """Return the tile of the own pawn."""
        tile: str = self.state["pawns"][self.state["active"]]
        return tile


def arguments(data: Data, state: State, card: str, hand: Sequence[str]) -> Sequence[str]:
    """Return the different arguments of a card, "" for none; nothing if it cannot be played.

    `hand` is that of the active seat, without the card.
    """
    situation = CardSituation(data, state, card, hand)
    if directions_of(card):
        return step_targets(state["grid"], situation.here, directions_of(card))
    if jump_of(card):
        here = situation.here
        return _tiles_but(state, here) if jump_of(card) == here else NO_ARGUMENTS
    find = _BY_CARD.get(card)
    return find(situation) if find is not None else ()


def cards_left(state: State) -> int:
    """Return how many cards can still be drawn, from a state or a view."""
    return size(state["deck"]) + len(state["discard"])


def _tiles_but(state: State, *left_out: str) -> list[str]:
    return [tile for tile in state["grid"] if tile != GAP and tile not in left_out]


def _if(condition: bool) -> Sequence[str]:
    return NO_ARGUMENTS if condition else ()


def _of_on_the_move(at: CardSituation) -> Sequence[str]:
    breaker = at.state["breaker"]
    found = list(at.data.green[breaker])
    for guide in dict.fromkeys(at.hand):
        if directions_of(guide):
            near = step_targets(at.state["grid"], breaker, directions_of(guide))
            found += [f"{guide} {tile}" for tile in near]
        elif jump_of(guide) == breaker:
            found += [f"{guide} {tile}" for tile in _tiles_but(at.state, breaker)]
        elif jump_of(guide):
            found.append(guide)
    return found


_BY_CARD: Mapping[str, Callable[[CardSituation], Sequence[str]]] = {
    "return_to_hq": lambda at: [
        str(seat) for seat, tile in enumerate(at.state["pawns"]) if tile != at.data.tra
    ],
    "join_me": lambda at: _if(any(tile != at.here for tile in at.state["pawns"])),
    "tag_along": lambda at: [
        str(seat) for seat, tile in enumerate(at.state["pawns"]) if tile != at.here
    ],
    "desperate_grab": lambda at: _if(at.here != at.state["breaker"]),
    "near_yet_far": lambda at: [
        tile for tile in step_targets(at.state["grid"], at.state["breaker"]) if tile != at.here
    ],
    "double_time": lambda at: at.data.green[at.here],
    "back_it_up": lambda at: _if(at.data.red[at.here] != ""),
    "quantum_leap": lambda at: _if(
        cards_left(at.state) > 0 or any(card != STOP_TIME for card in at.hand)
    ),
    "crash_a_gate": lambda at: _tiles_but(at.state, at.data.tra, at.state["breaker"]),
    "on_the_move": _of_on_the_move,
    "shut_and_run": lambda at: step_targets(at.state["grid"], at.state["breaker"]),
}


# ---- which actions there are


MOST_DUMPS = 512
"""So many ways to dump Jumps are listed; who holds more such cards has too many to list."""


def legal_actions(data: Data, state: State, with_dumps: bool = True) -> list[str] | None:
    """Return the legal actions in a state or in the view of who decides, None for too many.

    Those that dump Jumps are left out unless `with_dumps`.
    """
    phase, seat = state["phase"], state["to_act"]
    if phase == "over":
        return []
    hand = state["hands"][seat]
    if phase == "window":
        return ["pass", "stop"] if STOP_TIME in hand else ["pass"]
    if phase == "leap":
        return [f"leap {card}" for card in dict.fromkeys(hand) if card != STOP_TIME]
    if phase == "order":
        return ["order hand", "order deck"]
    found = ["arrest"] if may_arrest(state, seat) else []
    if phase == "play":
        return found + play_actions(data, state, state["queue"][0], hand)
    found += _arrows(data, state, seat)
    if phase == "second":
        return found
    if cards_left(state):
        found.append("wormhole")
    for card in dict.fromkeys(hand):
        found += play_actions(data, state, card, without(hand, card))
    if with_dumps and (dumped := dumpable(state, hand)):
        ways = dumps(dumped)
        if ways is None:
            return None
        found += ways
    return found


def _arrows(data: Data, state: State, seat: int) -> list[str]:
    return [f"{FOLLOW} {tile}" for tile in data.green[state["pawns"][seat]]]


def play_actions(data: Data, state: State, card: str, hand: Sequence[str]) -> list[str]:
    """Return how the active seat may play a card; `hand` is the rest of its hand."""
    return [f"play {card} {each}".rstrip() for each in arguments(data, state, card, hand)]


def without(cards: Sequence[str], card: str) -> list[str]:
    """Return the cards without one copy of a card, if they have any."""
    left = list(cards)
    if card in left:
        left.remove(card)
    return left


def may_arrest(state: State, seat: int) -> bool:
    """Tell whether a seat that decides may declare an arrest (B16)."""
    return (
        state["arrest"] == "declared"
        and state["phase"] in ("main", "play", "second")
        and state["pawns"][seat] == state["breaker"]
        and seat not in state["declared"]
    )


def dumpable(state: State, hand: Sequence[str]) -> Counter[str]:
    """Return the Jumps for crashed gates in a hand, if they may be dumped now (B6)."""
    if state["phase"] != "main" or state["dumped"] or not state["closed"]:
        return Counter()
    return Counter(card for card in hand if jump_of(card) in state["closed"])


def dumps(dumped: Counter[str]) -> list[str] | None:
    """Return all ways to dump some of these cards, None for too many."""
    if prod(count + 1 for count in dumped.values()) > MOST_DUMPS:
        return None
    counts = product(*(range(count + 1) for count in dumped.values()))
    cards = (Counter(dict(zip(dumped, each, strict=True))).elements() for each in counts)
    return [" ".join(["dump", *sorted(each)]) for each in cards][1:]  # the first dumps nothing


def is_legal(data: Data, state: State, action: str) -> bool:
    """Tell whether the seat that decides may do this; faster than to list all."""
    words = action.split(" ")
    verb, phase, seat = words[0], state["phase"], state["to_act"]
    if phase == "main" and verb == FOLLOW:
        return action in _arrows(data, state, seat)
    if phase != "main" or verb not in ("play", "dump") or len(words) < 2:
        return action in (legal_actions(data, state, with_dumps=False) or ())
    hand = state["hands"][seat]
    if verb == "dump":
        cards = words[1:]
        return cards == sorted(cards) and not Counter(cards) - dumpable(state, hand)
    card = words[1]
    if card not in hand:
        return False
    rest = " ".join(words[2:])
    if not rest and action.endswith(" "):
        return False
    return rest in arguments(data, state, card, without(hand, card))


# ---- why not


Reason = tuple[str, str]


def refusal(data: Data, state: State, seat: int, action: str) -> IllegalActionError:
    """Return why a seat may not do what is not legal now."""
    verb, *words = action.split(" ")
    if state["phase"] == "over":
        return IllegalActionError("B19", tr("The game is over."))
    if seat != state["to_act"]:
        if state["phase"] == "window":
            return IllegalActionError(
                "B24", tr("Another player is asked now whether to stop time.")
            )
        return IllegalActionError("B3", tr("Another player decides now."))
    if state["phase"] != "main":
        return IllegalActionError(*_in_phase(data, state, seat, verb, words))
    return IllegalActionError(*_in_main(data, state, seat, verb, words))


def _in_phase(data: Data, state: State, seat: int, verb: str, words: Sequence[str]) -> Reason:
    phase = state["phase"]
    if phase == "window":
        if verb == "stop":
            return "B21", no_stop_time()
        return "B24", tr("Now the question is only whether you stop time or let it pass.")
    if verb == "arrest":
        return "B16", _no_arrest(state, seat)
    if phase == "leap":
        if words[:1] == [STOP_TIME]:
            return "B11", tr("A Stop Time cannot be taken along on a Quantum Leap.")
        return "B11", tr("Choose a card of your hand for the Quantum Leap.")
    if phase == "order":
        return "B11", tr("Choose which card of the Quantum Leap comes first.")
    if phase == "second":
        return "B10", tr("Follow a green arrow of the tile you have come to: the second of two.")
    if verb == "play" and words[:1] == state["queue"][:1]:
        return why_not(data, state, words, state["hands"][seat])
    name = card_name(data, state["queue"][0])
    return "B3", tr("{card} lies open and has to be played now.", card=name)


def _in_main(data: Data, state: State, seat: int, verb: str, words: Sequence[str]) -> Reason:
    hand = state["hands"][seat]
    if verb == "follow":
        return "B3", tr("No green arrow of your tile leads there.")
    if verb == "wormhole" and not words and not cards_left(state):
        return "B4", tr("There is no card left to draw.")
    if verb == "arrest":
        return "B16", _no_arrest(state, seat)
    if verb == "stop":
        return "B21", tr("No card is being played that you could stop.")
    if verb == "dump":
        return "B6", _no_dump(state, hand, words)
    if verb != "play" or not words:
        return "B3", tr("Play a card, follow a green arrow or take the Wormhole.")
    if words[0] == STOP_TIME:
        return "B21", tr("Stop Time answers a card that another player plays.")
    if words[0] not in hand:
        return "B3", tr("You do not hold this card.")
    return why_not(data, state, words, without(hand, words[0]))


def why_not(data: Data, state: State, words: Sequence[str], hand: Sequence[str]) -> Reason:
    """Return why the active seat cannot play a card with these words; `hand` is the rest of it."""
    card, *targets = words
    if card == STOP_TIME:
        return "B21", tr("Stop Time answers a card that another player plays.")
    possible = bool(arguments(data, state, card, hand))
    here = state["pawns"][state["active"]]
    if directions_of(card):
        if possible:
            return "B7", tr("This Move goes one step in a direction of the card, past gaps.")
        return "B7", tr("No other tile lies in these directions.")
    if jump_of(card):
        if jump_of(card) == here:
            return "B8", tr("You stand on the tile of this Jump: choose any other tile.")
        name = tile_name(data, jump_of(card))
        return "B8", tr("This Jump leads to {tile} and nowhere else.", tile=name)
    if card == "crash_a_gate" and targets == [data.tra]:
        return "B20", tr("The TRA cannot be crashed.")
    return _RULES[card], _why_not_named(state, card, targets, possible)


_RULES = {
    **dict.fromkeys(("return_to_hq", "join_me", "tag_along", "desperate_grab"), "B10"),
    **dict.fromkeys(("near_yet_far", "double_time"), "B10"),
    "back_it_up": "B9",
    "quantum_leap": "B11",
    "crash_a_gate": "B12",
    "on_the_move": "B13",
    "shut_and_run": "B14",
}
"""The rule of each card with a name."""


def _why_not_named(state: State, card: str, targets: Sequence[str], possible: bool) -> str:
    if card == "return_to_hq":
        if possible:
            return tr("Choose a player whose pawn is not on the TRA.")
        return tr("All pawns are on the TRA already.")
    if card == "join_me":
        return tr("All pawns are on your tile already.")
    if card == "tag_along":
        if possible:
            return tr("Choose another player whose pawn is not on your tile.")
        return tr("All pawns are on your tile already.")
    if card == "desperate_grab":
        return tr("You are on the tile of the Time Breaker already.")
    if card == "near_yet_far":
        return tr("Choose a tile one step from the Time Breaker, but not the one you stand on.")
    if card == "double_time":
        return tr("Choose a green arrow of your tile.")
    if card == "back_it_up":
        if possible:
            return tr("This card goes where the red arrow leads; there is nothing to choose.")
        return tr("Your tile has no red arrow.")
    if card == "quantum_leap":
        return tr("There is no card for the Quantum Leap, neither to draw nor in your hand.")
    if card == "crash_a_gate":
        if targets == [state["breaker"]]:
            return tr("The gate of the Time Breaker cannot be crashed with this card.")
        return tr("Choose a gate that is still there.")
    if card == "on_the_move":
        return tr(
            "The Time Breaker moves along a green arrow of its tile, or as a Move or Jump says "
            "that you play with this card."
        )
    return tr("Choose a tile one step from the Time Breaker.")


def _no_dump(state: State, hand: Sequence[str], cards: Sequence[str]) -> str:
    if state["dumped"]:
        return tr("You have dumped Jumps in this turn already.")
    if Counter(cards) - Counter(hand):
        return tr("You do not hold all of these cards.")
    if not cards or any(jump_of(card) not in state["closed"] for card in cards):
        return tr("Only Jumps for crashed gates can be dumped.")
    return tr("The cards to be dumped are named in their order.")


def _no_arrest(state: State, seat: int) -> str:
    if state["arrest"] == "automatic":
        return tr("Arrests are automatic in this game.")
    if seat in state["declared"]:
        return tr("You have declared the arrest already; once holds for the whole game.")
    return tr("You are not on the tile of the Time Breaker.")


def no_stop_time() -> str:
    """Return why somebody without a Stop Time cannot stop time."""
    return tr("You hold no Stop Time.")
