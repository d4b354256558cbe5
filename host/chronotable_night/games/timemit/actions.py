"""What may be done and why not, and doing it: one entry for each question in QUESTIONS."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, permutations
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_night.games.interface import GameHappening, IllegalActionError, State
from chronotable_night.games.timemit import parts, rounds
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.effects import Remove, part_of
from chronotable_night.games.timemit.parts import numbers_of, texts_of
from chronotable_night.games.timemit.table import (
    AskedSeat,
    Table,
    can_recall,
    read_bid_text,
    usable,
    without,
)

RECALL = "recall"


class _Question(NamedTuple):
    """What a question allows, None if that is too much to list, and what an answer leads to.

    At questions with `recalls` a seat may recall instead, at once or as a hidden answer.
    """

    answers: Callable[[AskedSeat], Sequence[str]] | None
    do: Callable[[Table, int, str], None]
    recalls: bool


def legal(box: CardBox, state: State, seat: int) -> list[str] | None:
    """Return what a seat may answer to the question of a state, or of its view."""
    question = QUESTIONS.get(state["ask"])
    if question is None:
        return []
    if question.answers is None:
        return None
    found = list(question.answers(AskedSeat(box, state, seat)))
    if question.recalls and can_recall(state, seat):
        found.append(RECALL)
    return found


def play(
    box: CardBox, state: State, seat: int, action: str, happenings: list[GameHappening]
) -> State:
    """Return the state after an action; raises IllegalActionError."""
    if seat != state["turn"] or not _is_legal(box, state, seat, action):
        raise IllegalActionError(*refusal(AskedSeat(box, state, seat), action))
    table = Table(box, state, happenings)
    question = QUESTIONS[state["ask"]]
    if action == RECALL and question.recalls:
        table.recall([seat])
    else:
        question.do(table, seat, action)
    return table.now


def _is_legal(box: CardBox, state: State, seat: int, action: str) -> bool:
    allowed = legal(box, state, seat)
    if allowed is not None:
        return action in allowed
    if action == RECALL:
        return can_recall(state, seat)
    lanes = read_bid_text(action)
    return lanes is not None and _holds(state["kronos"][seat], [*chain(*lanes)])


def _holds(hand: Sequence[int], laid: Sequence[int]) -> bool:
    try:
        without(hand, laid)
    except ValueError:
        return False
    return True


def _sealed(go_on: Callable[[Table], None]) -> Callable[[Table, int, str], None]:
    """Return what keeps an answer that is hidden until all have given theirs."""

    def do(table: Table, seat: int, action: str) -> None:
        table.put("answers", seat, action)
        table.tell("sealed", seat=seat)
        go_on(table)

    return do


def _option(table: Table, seat: int, action: str) -> None:
    if action == "pass":
        rounds.pass_option(table, seat)
    else:
        rounds.use(table, seat, *numbers_of(action))


def _order(table: Table, seat: int, action: str) -> None:
    rounds.lay_on_deck(table, seat, numbers_of(action))
    rounds.ask_order(table)


def _part(table: Table, _seat: int, action: str) -> None:
    parts.answer(table, action)
    if not table.is_over:
        rounds.go_on(table)


_OF_PARTS = _Question(lambda asked: parts.answers_of(asked.state, asked.seat), _part, False)

QUESTIONS: Mapping[str, _Question] = {
    "recall": _Question(lambda _: (RECALL, "wait"), _sealed(rounds.recall_window), False),
    "draw": _Question(
        lambda asked: ["draw", "stop", *[RECALL] * can_recall(asked.state, asked.seat)],
        _sealed(rounds.ask_draw),
        False,
    ),
    "bid": _Question(
        None,
        lambda table, seat, action: rounds.place_bid(table, seat, read_bid_text(action) or ()),
        True,
    ),
    "option": _Question(
        lambda asked: [
            *(f"use {card}" for card in usable(asked.box, asked.state, asked.seat)),
            "pass",
        ],
        _option,
        True,
    ),
    "order": _Question(
        lambda asked: [
            f"order {texts_of(cards)}" for cards in permutations(asked.state["won"][asked.seat])
        ],
        _order,
        True,
    ),
    **dict.fromkeys(("choose", "remove", "give", "peek", "spend", "take"), _OF_PARTS),
}


# ---- why not


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


_WHYS: Mapping[str, Callable[[AskedSeat, str], str]] = {
    "recall": lambda _asked, _action: tr("Now you recall, or you wait."),
    "draw": lambda _asked, _action: tr("Now you draw, or you stop."),
    "bid": _why_bid,
    "option": _why_option,
    "order": lambda _asked, _action: tr("All cards that you won are put in order, each once."),
    "choose": lambda _asked, _action: tr("One of the card's branches has to be chosen."),
    "remove": _why_remove,
    "give": lambda _asked, _action: tr("One of your revealed cards has to go."),
    "peek": lambda _asked, _action: tr("Keep the card, or discard it."),
    "spend": lambda _asked, _action: tr(
        "Just as many Kronos of your hand as the card says, descending."
    ),
    "take": lambda _asked, _action: tr(
        "Just as many of your spent Kronos as the card says, descending."
    ),
}
