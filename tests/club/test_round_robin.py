"""Round robins by the Berger tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronotable_club.tournament.round_robin import berger, rounds_of

OF_6 = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
OF_8 = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""


@pytest.mark.parametrize(
    ("size", "table"), [(4, "1-4 2-3\n4-3 1-2\n2-4 3-1"), (6, OF_6), (8, OF_8)]
)
def test_the_published_tables(size: int, table: str) -> None:
    """C.05 Annex 1."""
    found = [[f"{white}-{black}" for white, black in pairs] for pairs in berger(size)]
    assert found == [line.split() for line in table.strip().splitlines()]


def test_one_of_five_is_free() -> None:
    """The one who would meet number 6."""
    found = berger(5)
    assert [set(range(1, 6)) - {it for pair in pairs for it in pair} for pairs in found] == [
        {1},
        {4},
        {2},
        {5},
        {3},
    ]


@given(st.integers(2, 30), st.sampled_from((1, 2)))
def test_everybody_meets_everybody(size: int, cycles: int) -> None:
    rounds = berger(size, cycles)
    assert len(rounds) == rounds_of(size, cycles) == cycles * (size - 1 + size % 2)
    met: dict[tuple[int, int], int] = {}
    for pairs in rounds:
        named = [it for pair in pairs for it in pair]
        assert len(named) == len(set(named)) == size - size % 2
        for pair in pairs:
            met[pair] = met.get(pair, 0) + 1
    pairs_of_all = size * (size - 1) // 2
    if cycles == 2:
        assert set(met.values()) == {1}
        assert len(met) == 2 * pairs_of_all
    else:
        assert len({frozenset(pair) for pair in met}) == len(met) == pairs_of_all


@given(st.integers(4, 30), st.sampled_from((1, 2)))
def test_colours_are_fair(size: int, cycles: int) -> None:
    """As many games with each colour as can be, and none three times in a row."""
    colours: dict[int, str] = dict.fromkeys(range(1, size + 1), "")
    for pairs in berger(size, cycles):
        for white, black in pairs:
            colours[white] += "W"
            colours[black] += "B"
    for seen in colours.values():
        assert abs(seen.count("W") - seen.count("B")) <= (cycles == 1)
        assert "WWW" not in seen and "BBB" not in seen
