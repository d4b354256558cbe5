"""What may be done, and doing it: one entry for each question in QUESTIONS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, permutations
from typing import NamedTuple

from chronotable_night.games.interface import GameHappening, IllegalActionError, State
from chronotable_night.games.timemit import parts, rounds
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.lanes import read_bid_text, usable
from chronotable_night.games.timemit.parts import numbers_of, texts_of
from chronotable_night.games.timemit.refusals import refusal
from chronotable_night.games.timemit.table import AskedSeat, Table, can_recall, without

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


# -------------------------------------------------------------------- hidden answers


def _windows(_asked: AskedSeat) -> Sequence[str]:
    return (RECALL, "wait")


def _draws(asked: AskedSeat) -> Sequence[str]:
    return ("draw", "stop", RECALL) if can_recall(asked.state, asked.seat) else ("draw", "stop")


def _answer_window(table: Table, seat: int, action: str) -> None:
    table.put("answers", seat, action)
    table.tell("sealed", seat=seat)
    rounds.recall_window(table)


def _answer_draw(table: Table, seat: int, action: str) -> None:
    table.put("answers", seat, action)
    table.tell("sealed", seat=seat)
    rounds.ask_draw(table)


# -------------------------------------------------------------------- open answers


def _bid(table: Table, seat: int, action: str) -> None:
    rounds.place_bid(table, seat, read_bid_text(action) or ())


def _options(asked: AskedSeat) -> Sequence[str]:
    return [*(f"use {card}" for card in usable(asked.box, asked.state, asked.seat)), "pass"]


def _option(table: Table, seat: int, action: str) -> None:
    if action == "pass":
        rounds.pass_option(table, seat)
    else:
        rounds.use(table, seat, *numbers_of(action))


def _orders(asked: AskedSeat) -> Sequence[str]:
    return [f"order {texts_of(cards)}" for cards in permutations(asked.state["won"][asked.seat])]


def _order(table: Table, seat: int, action: str) -> None:
    rounds.lay_on_deck(table, seat, numbers_of(action))
    rounds.ask_order(table)


def _parts(asked: AskedSeat) -> Sequence[str]:
    return parts.answers_of(asked.state, asked.seat)


def _part(table: Table, _seat: int, action: str) -> None:
    parts.answer(table, action)
    if not table.is_over:
        rounds.go_on(table)


_OF_PARTS = _Question(_parts, _part, False)

QUESTIONS: Mapping[str, _Question] = {
    "recall": _Question(_windows, _answer_window, False),
    "draw": _Question(_draws, _answer_draw, False),
    "bid": _Question(None, _bid, True),
    "option": _Question(_options, _option, True),
    "order": _Question(_orders, _order, True),
    **dict.fromkeys(("choose", "remove", "give", "peek", "spend", "take"), _OF_PARTS),
}
