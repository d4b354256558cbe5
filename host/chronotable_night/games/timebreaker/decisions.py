"""What a seat has to decide, and what each of its choices leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import Choice, Decision, State
from chronotable_night.games.timebreaker.cards import STOP_TIME
from chronotable_night.games.timebreaker.consequences import consequence
from chronotable_night.games.timebreaker.course import top_player
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.headlines import window_headline
from chronotable_night.games.timebreaker.legal import (
    dumpable,
    dumps,
    may_arrest,
    play_actions,
    without,
)
from chronotable_night.games.timebreaker.names import (
    card_name,
    label,
    listed,
    play_name,
    short_name,
)
from chronotable_night.games.timebreaker.pieces import FOLLOW
from chronotable_night.games.timebreaker.plays import cards_left
from chronotable_night.games.timebreaker.refusals import no_stop_time, why_not

_RULES: Mapping[str, Sequence[str]] = {
    "main": ("B3", "B4", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B16", "B19"),
    "window": ("B21", "B22", "B23", "B24"),
    "play": ("B3", "B5", "B11", "B16", "B19"),
    "second": ("B9", "B10", "B16", "B19"),
    "leap": ("B11", "B5"),
    "order": ("B11", "B23"),
}
"""The rules of the moment, by its phase; the same whatever somebody holds."""


def decision(data: Data, view: State, seat: int, names: Sequence[str]) -> Decision | None:
    """Return what a seat is to decide, from its view; None if nothing."""
    phase = view["phase"]
    if seat != view["to_act"] or phase == "over":
        return None
    headline, choices = _DECISIONS[phase](data, view, seat, names)
    return Decision(phase, headline, _explains(phase), choices, _RULES[phase])


_Made = tuple[str, Sequence[Choice]]


def _main(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    hand = view["hands"][seat]
    choices = []
    for card in dict.fromkeys(hand):
        choices += _plays(data, view, card, without(hand, card), names)
    choices += _follows(data, view, seat, names)
    choices.append(_wormhole(view))
    choices += _arrest(view, seat)
    choices += _dumps(data, dumpable(view, hand))
    return tr("It is your turn"), choices


def _window(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    words, is_stopped = view["played"], len(view["stops"]) % 2 == 1
    card = play_name(data, words, names)
    happens = consequence(data, view, words, names, seat)
    nothing = tr("{card} has no effect and is discarded.", card=card)
    takes_effect = tr("{card} takes effect. {happens}", card=card, happens=happens)
    if is_stopped:
        stopper = names[top_player(view)]
        passing = tr(
            "Unless somebody else stops {player}'s Stop Time: {nothing}",
            player=stopper,
            nothing=nothing,
        )
        stopping = tr(
            "You stop {player}'s Stop Time, with yours. Unless that is stopped: {happens}",
            player=stopper,
            happens=takes_effect,
        )
    else:
        passing = tr("Unless somebody else stops it: {happens}", happens=happens)
        stopping = tr(
            "It costs you a Stop Time. Unless that is stopped: {nothing}", nothing=nothing
        )
    # without the card the choice is there all the same, refused: the same screen for everybody
    refused = "" if STOP_TIME in view["hands"][seat] else no_stop_time()
    choices = [
        Choice("pass", tr("Let it pass"), passing),
        Choice("stop", tr("Stop time"), stopping, refused),
    ]
    return window_headline(data, view, names)[0], choices


def _play(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    card = view["queue"][0]
    choices = _plays(data, view, card, view["hands"][seat], names)
    choices += _arrest(view, seat)
    return tr("Play {card}", card=card_name(data, card)), choices


def _second(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    choices = [*_follows(data, view, seat, names), *_arrest(view, seat)]
    return tr("Follow a second arrow"), choices


def _leap(data: Data, view: State, seat: int, _names: Sequence[str]) -> _Made:
    choices = []
    for card in dict.fromkeys(view["hands"][seat]):
        name = card_name(data, card)
        refused = (
            tr("A Stop Time cannot be taken along on a Quantum Leap.") if card == STOP_TIME else ""
        )
        says = tr("You play {card} and the top card of the deck, whatever that is.", card=name)
        choices.append(Choice(f"leap {card}", tr("Take {card}", card=name), says, refused))
    return tr("Quantum Leap: your card"), choices


def _order(data: Data, view: State, _seat: int, _names: Sequence[str]) -> _Made:
    both = [short_name(data, card) for card in view["queue"][:2]]
    choices = []
    for action, (first, second) in (("order hand", both), ("order deck", both[::-1])):
        says = tr("Then {card}, even if {first} is stopped.", card=second, first=first)
        choices.append(Choice(action, tr("{card} first", card=first), says))
    return tr("Which card comes first?"), choices


_DECISIONS: Mapping[str, Callable[[Data, State, int, Sequence[str]], _Made]] = {
    "main": _main,
    "window": _window,
    "play": _play,
    "second": _second,
    "leap": _leap,
    "order": _order,
}


def _plays(
    data: Data, view: State, card: str, rest: Sequence[str], names: Sequence[str]
) -> list[Choice]:
    seat = view["active"]
    actions = play_actions(data, view, card, rest)
    if not actions:
        name = card_name(data, card)
        rule, why = why_not(data, view, [card], rest)
        return [Choice(f"play {card}", tr("Play {card}", card=name), "", f"{why} ({rule})")]
    choices = []
    for action in actions:
        words = action.split(" ")[1:]
        label = tr("Play {card}", card=play_name(data, words, names))
        choices.append(Choice(action, label, consequence(data, view, words, names, seat)))
    return choices


def _follows(data: Data, view: State, seat: int, names: Sequence[str]) -> list[Choice]:
    return [
        Choice(
            f"{FOLLOW} {tile}",
            tr("Follow to {tile}", tile=label(data, tile)),
            consequence(data, view, [FOLLOW, tile], names, seat),
        )
        for tile in data.green[view["pawns"][seat]]
    ]


def _wormhole(view: State) -> Choice:
    says = tr(
        "You draw a card and have to play it at once, whatever it is. A Stop Time you would "
        "show and keep."
    )
    refused = "" if cards_left(view) else tr("There is no card left to draw.")
    return Choice("wormhole", tr("Wormhole"), says, refused)


def _arrest(view: State, seat: int) -> list[Choice]:
    if not may_arrest(view, seat):
        return []
    says = tr(
        "From now on the Time Breaker goes along when you move your pawn away from it. Your "
        "turn goes on."
    )
    return [Choice("arrest", tr("Arrest the Time Breaker"), says)]


def _dumps(data: Data, cards: Counter[str]) -> list[Choice]:
    if not cards:
        return []
    choices = []
    for action in dumps(cards) or [" ".join(["dump", *sorted(cards.elements())])]:
        jumps = action.split(" ")[1:]
        listing = listed([card_name(data, card) for card in jumps])
        says = tr_n(
            "You discard it and draw a card. Your turn goes on; in this turn you dump no more.",
            "You discard them and draw {n} cards. Your turn goes on; in this turn you dump no "
            "more.",
            len(jumps),
        )
        choices.append(Choice(action, tr("Dump {cards}", cards=listing), says))
    return choices


def _explains(phase: str) -> str:
    """Return what a decision is about to somebody who meets it for the first time."""
    return {
        "main": tr(
            "Catch the Time Breaker on its tile and bring it to the TRA in the middle. Do one "
            "thing: play a card, follow a green arrow of your tile, or take the Wormhole: draw a "
            "card and play it at once."
        ),
        "window": tr(
            "A Stop Time takes away what this card does, and can be stopped itself. Everybody is "
            "asked about every card: being asked gives nothing away."
        ),
        "play": tr(
            "This card came from the deck or from a Quantum Leap. You have to play it now; you "
            "only choose how."
        ),
        "second": tr(
            "Double Time follows two arrows. You have come to the end of the first; now choose "
            "a green arrow of the tile you are on."
        ),
        "leap": tr(
            "A Quantum Leap plays two cards: one of your hand, which you choose now, and the "
            "top card of the deck, which is revealed after that."
        ),
        "order": tr(
            "Both cards are played, one after the other. Each can be stopped by itself; the "
            "second is played even if the first was stopped."
        ),
    }[phase]
