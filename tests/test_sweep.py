"""One switch says how much of a sweep is tried, and each size is a part of the next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sweep

TESTS = Path(__file__).parent
OF_THE_ENVIRONMENT = {
    *("CHRONOTABLE_HOME", "CHRONOTABLE_DB", "CHRONOTABLE_TOKEN"),  # the product's own
    *("CHRONOTABLE_UF2", "CHRONOTABLE_BROWSER", "CHRONOTABLE_POSTGRESQL"),  # where something is
    *("CHRONOTABLE_REQUIRE_EMULATOR", "CHRONOTABLE_REQUIRE_BROWSER"),  # it has to be there
    *("CHRONOTABLE_REQUIRE_MOSQUITTO", "CHRONOTABLE_FRESH_MACHINE"),
    "CHRONOTABLE_PICTURES",
    "_CHRONOTABLE_COMPLETE",
}


@pytest.fixture(autouse=True)
def chosen() -> Iterator[None]:
    former = sweep._chosen
    yield
    sweep.choose(former)


@pytest.mark.parametrize(
    ("name", "size", "larger", "cases"),
    [
        ("small", 2, ("full", "figures"), [0, 4, 9]),
        ("full", 5, ("figures",), [*range(10)]),
        ("figures", 50, (), [*range(10)]),
    ],
)
def test_a_size(name: str, size: int, larger: tuple[str, ...], cases: list[int]) -> None:
    sweep.choose(name)
    assert sweep.size(2, 5, 50) == size
    assert sweep.size(2, 5) == min(size, 5)
    assert sweep.larger() == larger
    assert sweep.some(range(10), 3) == cases


def test_what_is_left_has_both_ends() -> None:
    sweep.choose("small")
    for count in range(2, 40):
        for small in range(2, 45):
            left = sweep.some(range(count), small)
            assert len(left) == len(set(left)) == min(small, count)
            assert left == sorted(left)
            assert (left[0], left[-1]) == (0, count - 1)


def test_no_variable_says_how_much_is_tried() -> None:
    found = {
        name
        for path in TESTS.rglob("*.py")
        for name in re.findall(r"\b_?CHRONOTABLE_[A-Z_0-9]+\b", path.read_text("utf-8"))
    }
    assert found == OF_THE_ENVIRONMENT
