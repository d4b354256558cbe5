"""The statistics on the page in Chromium: tables, and a tree of openings walked on boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_turn
from chronotable_host.statistics import opening_of, statistics_of
from tests import lanes
from tests.host.archives import random_record
from tests.page.browsing import (
    PC,
    PHONE,
    Browser,
    Page,
    Size,
    barriers,
    open_list,
    opened,
    press,
)

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Bob", "Cy")
CUT = """() => [...document.querySelectorAll("#statistics th, #statistics td, #statistics button")]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("statistics")
    with Archive(found) as archive:
        for seed in range(30):
            record = random_record(seed % 7, 5 + seed)
            names = {"White": NAMES[seed % 2], "Black": NAMES[1 + seed % 2], "Date": "2026-11-20"}
            record.headers.update({**names, "Board": "reference"})
            record.comments[:] = [f"{9 * at}.00 s, certain" for at in range(len(record.turns))]
            archive.new_game(record).close()
    return found


def rows(page: Page, title: str) -> list[list[str]]:
    """Return the cells of a table by its title, row by row."""
    body = page.locator("#statistics section", has=page.get_by_role("heading", name=title)).last
    return [row.locator("th, td").all_inner_texts() for row in body.locator("tbody tr").all()]


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_it_fits_and_is_for_everybody(
    browser: Browser, url: str, pictures: Path, size: Size, scheme: str
) -> None:
    address = f"{url}#statistics"
    page = opened(browser, address, "#statistics table", size, color_scheme=scheme).page
    page.screenshot(path=pictures / f"statistics-{size[0]}x{size[1]}-{scheme}.png")
    page.locator("#statistics h2", has_text="Think times").scroll_into_view_if_needed()
    page.screenshot(path=pictures / f"statistics-tables-{size[0]}x{size[1]}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(CUT) == []
    assert barriers(page) == []


def test_tables_are_those_of_the_archive_and_of_a_player(
    browser: Browser, url: str, folder: Path
) -> None:
    with Archive(folder) as archive:
        all_facts, of_ada = archive.facts(), archive.facts("ada")
    page = opened(browser, f"{url}#statistics", "#statistics table").page
    open_list(page)
    page.get_by_role("link", name="All games").click()
    page.get_by_role("link", name="Statistics").click()
    page.get_by_role("heading", name="Results by player").wait_for()

    def shown(title: str, name: str, of: Any) -> None:
        tallies = [
            [each[key] for key in ("games", "won", "lost", "drawn", "unfinished")] for each in of
        ]
        told = [[int(cell) for cell in row[1:]] for row in rows(page, title)]
        assert told == tallies, name

    found = statistics_of(all_facts).as_dict()
    shown("Results by player", "all", found["players"])
    assert rows(page, "How well the table sensed")[0][:3] == ["2026-11", "reference", "30"]
    page.get_by_role("searchbox", name="Player").fill("ada")
    page.get_by_role("heading", name="Results by opponent").wait_for()
    shown("Results by opponent", "Ada", statistics_of(of_ada, "ada").as_dict()["players"])


@pytest.mark.parametrize("by", lanes.once(["mouse", "keys", "touch"]))
def test_an_opening_is_walked_and_walked_back(
    browser: Browser, url: str, folder: Path, by: str
) -> None:
    with Archive(folder) as archive:
        facts = archive.facts()
    page = opened(browser, f"{url}#statistics", "#statistics table", has_touch=by == "touch").page
    line: list[str] = []
    for depth in range(3):
        opening = opening_of(facts, 0, " / ".join(line))
        told = [[each.turn, *map(str, vars(each.tally).values())] for each in opening.following]
        shown = [[row[0].split("\xa0")[-1], *row[1:]] for row in rows(page, "How games went on")]
        assert [row[1:] for row in shown] == [row[1:] for row in told]
        actions = [turn[0].partition(" >")[0] for turn in told]  # the sentence has the focus
        assert all(row[0].endswith(did) for row, did in zip(shown, actions, strict=True))
        line.append(opening.following[0].turn)
        press(page.locator("#statistics .walk tbody button").first, by)
        page.locator("#statistics .wrapped li").nth(depth + 1).wait_for()
    state = opening_of(facts, 0, " / ".join(line))
    assert [format_turn(turn) for turn in state.turns] == line
    copies = page.locator("#statistics .space > .copy").count()
    assert copies == sum(map(int.bit_count, state.states[-1][:6]))
    press(page.locator("#statistics .wrapped button").first, by)
    page.locator("#statistics .wrapped li").nth(1).wait_for(state="detached")
    assert page.locator("#statistics .space > .copy").count() == 6
