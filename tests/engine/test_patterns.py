"""What positions of the standard game are worth: however boards are turned, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.patterns import standard_evaluation, windows
from chronotable_host.engine.position import ERA, ERA_BITS, OTHERS, Position, of_state
from chronotable_host.engine.search import WON
from tests.rules.samples import random_states
from ttykm.layout import new_state

SEED = 7


def positions() -> Iterator[Position]:
    return map(of_state, random_states(SEED, 60))


def test_a_window_is_a_line_or_two_by_three_spaces() -> None:
    seen, count = windows()
    assert sorted(mask.bit_count() // 2 for mask in seen) == [4] * 8 + [6] * 12
    assert all(len(table) == 3 ** (mask.bit_count() // 2) for mask, table in seen.items())
    assert {number for table in seen.values() for number in table.values()} == {*range(count)}


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_turned_board_is_worth_the_same(mirrored: bool, across: bool) -> None:
    """Of any one era, the others staying as they are."""

    def turned(copies: int, era: int) -> int:
        spaces = [divmod(at, 4) for at in range(16) if copies >> ERA_BITS * era + at & 1]
        spaces = [(row, 3 - column if mirrored else column) for row, column in spaces]
        places = (4 * column + row if across else 4 * row + column for row, column in spaces)
        rest = copies & ~(ERA << ERA_BITS * era)
        return rest | sum(1 << place << ERA_BITS * era for place in places)

    worth = standard_evaluation().worth
    for at in positions():
        for era in range(3):
            other = at._replace(own=turned(at.own, era), other=turned(at.other, era))
            assert worth(other) == worth(at), at


def test_a_turn_is_worth_what_the_other_player_then_has_not() -> None:
    """Each turn, the best first; and the best one, or one that will do, without the others."""
    rules = StandardGame(evaluation=standard_evaluation())
    for at in positions():
        more, children = rules.children(at)
        assert len({turn for _, turn, _ in children}) == len(children)
        assert {turn >> 16 for _, turn, _ in children} == {*OTHERS[at.focus]}
        worths = [-rules.worth(rules.after(at, it, turn >> 16)) for _, turn, it in children]
        assert [worth + more for worth, _, _ in children] == worths, at
        assert worths == sorted(worths, reverse=True)
        best, outcome = rules.best(at, WON)
        assert best == worths[0]
        assert outcome in [it for worth, _, it in children if worth + more == best]
        enough = worths[len(worths) // 2]
        found, outcome = rules.best(at, enough)
        assert found >= enough
        assert outcome in [it for worth, _, it in children if worth + more == found]


@pytest.mark.parametrize("whose", ["focus", "other_focus"])
def test_where_a_focus_is_counts(whose: str) -> None:
    start = of_state(new_state())
    worths = {standard_evaluation().worth(start._replace(**{whose: era})) for era in range(3)}
    assert len(worths) == 3
