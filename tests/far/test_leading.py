"""What is due at a table, from both lines alone."""

from __future__ import annotations

from itertools import product

import pytest

from chronotable_far.orders import AtTable, Due, LoggedGame, common_turns, due, voided_turn

A, B, C, D, X = range(5)


@pytest.mark.parametrize(
    ("log", "table", "what"),
    [
        (LoggedGame([], True, False), AtTable([]), Due.NOTHING),
        (LoggedGame([A], True, False), AtTable([A]), Due.NOTHING),
        (LoggedGame([A], True, False), AtTable([A, B]), Due.APPEND),
        # the one that is ours, first
        (LoggedGame([A], True, False), AtTable([A, B, C]), Due.APPEND),
        (LoggedGame([A], False, False), AtTable([A, B]), Due.UNDO),  # hands played the other side
        (LoggedGame([A], True, False, void=B), AtTable([A, B]), Due.UNDO),  # taken back in the log
        (LoggedGame([A], True, False, void=B), AtTable([A, C]), Due.APPEND),
        (LoggedGame([A, B], False, False), AtTable([A]), Due.LEAD),
        (LoggedGame([A, B, C], False, False), AtTable([A]), Due.LEAD),
        (LoggedGame([A, B, C, D], False, False), AtTable([A]), Due.SET_UP),  # far behind
        (LoggedGame([A, B], False, False), AtTable([A, X]), Due.UNDO),
        (LoggedGame([A, B], False, False, back_to=1), AtTable([A]), Due.WAIT),
        (LoggedGame([A, B], False, False, back_to=1), AtTable([A, X]), Due.WAIT),
        (LoggedGame([A, B], False, False, back_to=1), AtTable([A, B]), Due.NOTHING),
        (LoggedGame([A, B], False, False, back_to=1), AtTable([]), Due.LEAD),
        (LoggedGame([A], True, True), AtTable([A, B]), Due.NOTHING),  # it was over before
        (LoggedGame([A], True, False), AtTable([A], is_over=True), Due.SET_UP),
        (LoggedGame([A], False, False), AtTable([A, B], is_over=True), Due.SET_UP),
        # a turn that wins
        (LoggedGame([A], True, False), AtTable([A, B], is_over=True), Due.APPEND),
        (LoggedGame([], True, False), AtTable([A, B, C, D, X], undoable=5), Due.APPEND),
        (LoggedGame([], False, False), AtTable([A, B, C, D, X], undoable=5), Due.SET_UP),
        # before its game
        (LoggedGame([A], False, False), AtTable([A, B, C], undoable=1), Due.SET_UP),
    ],
)
def test_what_is_due(log: LoggedGame, table: AtTable, what: Due) -> None:
    assert due(log, table) is what


def test_whatever_both_have_it_ends_with_the_same() -> None:
    """Doing what is due, again and again, leads from any table to the log's game."""
    some = [list(line) for size in range(4) for line in product((A, B), repeat=size)]
    for log, table in product(some, some):
        line, lying, is_own = list(log), list(table), len(log) % 2 == 0
        for _ in range(20):
            what = due(LoggedGame(line, is_own, False), AtTable(lying))
            if what is Due.NOTHING:
                break
            if what is Due.APPEND:
                line.append(lying[len(line)])
                is_own = not is_own
            elif what is Due.LEAD:
                lying.append(line[len(lying)])
            elif what is Due.UNDO:
                lying.pop()
            else:
                assert what is Due.SET_UP
                lying = list(line)
        assert lying == line
        assert line[: len(log)] == log, "nothing that was written is lost"
        assert len(line) <= len(log) + 1, "the other side's turns are never written"


def test_turns_in_common() -> None:
    assert common_turns([], [A]) == 0
    assert common_turns([A, B, C], [A, B, X]) == 2


def test_a_turn_that_a_log_had() -> None:
    assert voided_turn([A, B], [A]) == B
    assert voided_turn([A, B, C], [A]) == B
    assert voided_turn([A], [A]) is None
    assert voided_turn([A, B], [A, C]) is None
    assert voided_turn([A], [A, B]) is None
