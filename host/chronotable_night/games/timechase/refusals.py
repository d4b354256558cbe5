"""Why something is not legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronotable_host.language import tr
from chronotable_night.games.interface import IllegalActionError, State
from chronotable_night.games.timechase.cards import NO_CARD, SUIT, SUITS, cards_in_play
from chronotable_night.games.timechase.row import steps_back, steps_forward, suit_to_follow
from chronotable_night.games.timechase.setting_up import AT_INVARIANT, EVENT, MOVE, OVER
from chronotable_night.games.timechase.words import BACK, CHOOSE, FORWARD, PLAY, SPEND, suit_name


def refusal(state: State, seat: int, action: str) -> IllegalActionError:
    """Return why a seat may not do something that is not legal."""
    phase = state["phase"]
    if phase == OVER:
        return IllegalActionError("H17", tr("The game is over."))
    if seat != state["turn"]:
        return IllegalActionError(_NOT_NOW[phase], _out_of_turn(state, seat))
    word = action.partition(" ")[0]
    if word != _WORD[phase]:
        if word == SPEND:
            return IllegalActionError("H13", tr("Fuel is spent only when the travelers move."))
        return IllegalActionError(_NOT_NOW[phase], _ASKS[phase]())
    return _WHY[phase](state, seat, action)


_NOT_NOW = {EVENT: "H5", AT_INVARIANT: "H11", MOVE: "H13"}
_WORD = {EVENT: PLAY, AT_INVARIANT: CHOOSE, MOVE: SPEND}
_ASKS: Mapping[str, Callable[[], str]] = {
    EVENT: lambda: tr("At an event a card is played."),
    AT_INVARIANT: lambda: tr("At the invariant a card is chosen."),
    MOVE: lambda: tr("Now everybody says how much fuel is spent."),
}


def _out_of_turn(state: State, seat: int) -> str:
    if any(seat == done for done, _ in state["secret"]):
        return tr("What has been chosen in secret stays.")
    if any(seat == done for done, _ in state["played"]):
        return tr("Everybody plays one card at an event.")
    if state["phase"] != MOVE and not 0 <= seat < state["players"]:
        return tr("Only who plays may do this.")
    if state["phase"] == EVENT and state["travelers"][seat] != state["at"]:
        return tr("Only those whose travelers are at the event play there.")
    return tr("Somebody else is asked first.")


def _why_no_card(state: State, seat: int, action: str) -> IllegalActionError:
    card = action.partition(" ")[2]
    rule = _NOT_NOW[state["phase"]]
    if card in state["hands"][seat]:
        suit = suit_to_follow(state)
        return IllegalActionError(rule, must_follow(suit))
    if card != NO_CARD and card in SUIT and card not in cards_in_play(state["players"]):
        return IllegalActionError("H1", tr("With so many players this card is not in the game."))
    if card != NO_CARD and card in SUIT:
        return IllegalActionError(rule, tr("This card is not in the hand."))
    suit, _, value = card.partition(" ")
    if suit in SUITS and value.isdecimal() and not value.startswith("0"):
        return IllegalActionError("H1", tr("There is no such card."))
    return IllegalActionError(rule, tr('A card is named like "{card}".', card="flux 8"))


def must_follow(suit: str) -> str:
    """Return why a card of another suit may not be played."""
    return tr("Who has {suit} must play it here.", suit=suit_name(suit))


def _why_no_move(state: State, seat: int, action: str) -> IllegalActionError:
    rule = "H20" if state["jumble"] else "H13"
    asked = tr('Say "spend 0", or how much and which way: "spend 2 back", "spend 1 forward".')
    if not state["jumble"]:
        asked = tr('Say how much, like "spend 2".')
    amount, _, way = action.partition(" ")[2].partition(" ")
    is_number = amount.isdecimal() and str(int(amount)) == amount
    ways = {BACK: steps_back, FORWARD: steps_forward} if state["jumble"] else {"": steps_back}
    if not is_number or way not in ways or (way and amount == "0"):
        return IllegalActionError(rule, asked)
    if int(amount) > state["fuel"][seat]:
        return IllegalActionError(rule, tr("There is not that much fuel."))
    return IllegalActionError(rule, tr("The timeline does not reach that far."))


_WHY: Mapping[str, Callable[[State, int, str], IllegalActionError]] = {
    EVENT: _why_no_card,
    AT_INVARIANT: _why_no_card,
    MOVE: _why_no_move,
}
