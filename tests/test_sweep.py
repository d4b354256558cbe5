"""One switch says which tests run, and how much is tried of what is tried many times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lanes, sweep

TESTS = Path(__file__).parent
OF_THE_ENVIRONMENT = {
    *("CHRONOTABLE_HOME", "CHRONOTABLE_DB", "CHRONOTABLE_TOKEN"),  # the product's own
    *("CHRONOTABLE_CLUB", "CHRONOTABLE_CLUB_BROKER", "CHRONOTABLE_CLUB_DB"),
    *("CHRONOTABLE_BROKER", "CHRONOTABLE_LINK", "CHRONOTABLE_LINK_BROKER"),
    *("CHRONOTABLE_UF2", "CHRONOTABLE_BROWSER"),  # where something is
    *("CHRONOTABLE_POSTGRESQL", "CHRONOTABLE_PYODIDE"),
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
    ("name", "size", "cases"),
    [("small", 2, [0, 4, 9]), ("full", 5, [*range(10)]), ("figures", 50, [*range(10)])],
)
def test_a_size(name: str, size: int, cases: list[int]) -> None:
    sweep.choose(name)
    assert sweep.size(2, 5, 50) == size
    assert sweep.size(2, 5) == min(size, 5)
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


SWEEPING = """
from hypothesis import given
from tests import lanes, sweep
from tests.rules.test_modules import GAMES

COUNT = sweep.size(2, 5)
def helper(): return COUNT
def test_by_a_helper(): helper()
@pytest.mark.parametrize("seed", range(COUNT))
def test_by_its_cases(seed): ...
@given(st.text())
def test_of_hypothesis(text): ...
def test_by_another_file(): GAMES
def test_of_one_size(): ...
"""


def test_who_asks_for_a_size_is_marked(tmp_path: Path) -> None:
    file = tmp_path / "test_some.py"
    file.write_text(SWEEPING)
    found = {name for name in lanes.swept(file) if name.startswith("test_")}
    assert found == {
        *("test_by_a_helper", "test_by_its_cases", "test_of_hypothesis", "test_by_another_file")
    }


def test_each_test_is_in_one_part(request: pytest.FixtureRequest) -> None:
    items = request.session.items[::30]
    for lane in ("quick", "full"):
        parts = [lanes.chosen(items, lane, (number, 12)) for number in range(12)]
        assert len({len(part) for part in parts}) <= 2
        found = [item for part in parts for item in part]
        assert set(found) == {*lanes.chosen(items, lane, (0, 1))}
        assert len(found) == len(set(found))


@pytest.mark.parametrize("part", ["0/12", "13/12", "2", "a/b", "1/", "-1/12"])
def test_a_part_that_there_is_not_is_refused(part: str) -> None:
    with pytest.raises(pytest.UsageError, match="2/12"):
        lanes.part_of(part)


NEEDS = re.compile(r'importorskip\("(?!pty|grp)|need_mosquitto\(\)|CHRONOTABLE_POSTGRESQL')
"""What has a test skipped where something is missing that is no part of Python."""


def test_what_quick_may_skip_the_gate_has_again() -> None:
    without = [
        path.relative_to(TESTS).as_posix()
        for path in sorted(TESTS.rglob("test_*.py"))
        if NEEDS.search(text := path.read_text("utf-8"))
        and not re.search(r"lanes\.tool|mark\.browser|lanes\.gate", text)
    ]
    assert without == [Path(__file__).relative_to(TESTS).as_posix()]
