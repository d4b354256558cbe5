"""Why an action is illegal: the number of the rule, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronotable_host.language import tr
from chronotable_night.games.interface import State
from chronotable_night.games.timemit.effects import Remove, part_of
from chronotable_night.games.timemit.lanes import read_bid_text
from chronotable_night.games.timemit.table import AskedSeat

_RULES = {
    "recall": "TM13",
    "draw": "TM6",
    "bid": "TM8",
    "option": "TM11",
    "order": "TM10",
    "choose": "TM4",
    "remove": "TM4",
    "give": "TM4",
    "peek": "TM4",
    "spend": "TM4",
    "take": "TM4",
}
"""The rule that each question comes from."""

_ENDS = {"goal": "TM15", "paradox": "TM14"}


def rule_of(ask: str) -> str:
    """Return the number of the rule that a question comes from."""
    return _RULES[ask]


def refusal(asked: AskedSeat, action: str) -> tuple[str, str]:
    """Return the rule against an illegal action, and why."""
    _, state, seat = asked
    ask = state["ask"]
    if state["phase"] == "over":
        return _ENDS.get(state["why"], "TM16"), tr("The game is over.")
    if seat != state["turn"]:
        return "TM13" if action == "recall" else _RULES[ask], tr("Another seat decides now.")
    if action == "recall":
        return "TM13", _no_recall(state, seat)
    return _RULES[ask], _WHYS[ask](asked, action)


def _no_recall(state: State, seat: int) -> str:
    if state["ask"] in ("choose", "remove", "give", "peek", "spend", "take"):
        return tr("There is no recall in the middle of an effect.")
    if state["kronos"][seat]:
        return tr("Only who has no Kronos in hand may recall.")
    return tr("There is no spent Kronos to take back.")


def _why_bid(_asked: AskedSeat, action: str) -> str:
    if read_bid_text(action) is None:
        return tr(
            "A bid is written like “{example}”: lanes 1 to 4 ascending, each once, their Kronos"
            " descending; or “{none}”.",
            example="bid 1:25 4:8,6",
            none="bid none",
        )
    return tr("You can bid only Kronos that you have in hand, each once.")


def _why_option(asked: AskedSeat, action: str) -> str:
    box, state, seat = asked
    word, _, card = action.partition(" ")
    if word != "use" or not card.isdecimal():
        return tr("Use a revealed card for your bid here, or pass.")
    if int(card) not in state["revealed"][seat]:
        return tr("Only a card that you revealed this round may be used.")
    bid = box.cards[int(card)].bid
    if bid is None:
        return tr("This card adds nothing to a bid.")
    if int(card) in state["used"][seat]:
        return tr("This card is used here already.")
    return tr("This card adds to a bid only where one of your Kronos lies.")


def _why_remove(asked: AskedSeat, _action: str) -> str:
    part = part_of(asked.state["todo"][0][2])
    most = part.most if isinstance(part, Remove) else 0
    if isinstance(part, Remove) and part.exactly:
        return tr("Exactly {n} of your revealed cards have to go, numbers ascending.", n=most)
    return tr("Up to {n} of your revealed cards may go, numbers ascending.", n=most)


def _say(sentence: Callable[[], str]) -> Callable[[AskedSeat, str], str]:
    return lambda _asked, _action: sentence()


_WHYS: Mapping[str, Callable[[AskedSeat, str], str]] = {
    "recall": _say(lambda: tr("Now you recall, or you wait.")),
    "draw": _say(lambda: tr("Now you draw, or you stop.")),
    "bid": _why_bid,
    "option": _why_option,
    "order": _say(lambda: tr("All cards that you won are put in order, each once.")),
    "choose": _say(lambda: tr("One of the card's branches has to be chosen.")),
    "remove": _why_remove,
    "give": _say(lambda: tr("One of your revealed cards has to go.")),
    "peek": _say(lambda: tr("Keep the card, or discard it.")),
    "spend": _say(lambda: tr("Just as many Kronos of your hand as the card says, descending.")),
    "take": _say(lambda: tr("Just as many of your spent Kronos as the card says, descending.")),
}
