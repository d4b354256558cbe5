"""Pages of a tournament in Chromium: for everybody, on phones and projectors; the director's."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chronotable_club.server import tournament_pages
from tests import lanes
from tests.page.served import Served

pytest.importorskip("networkx", reason="pairing a Swiss needs the extra `club`")

from chronotable_club.server import ClubServer
from tests.club.tournament_shown import TournamentClub
from tests.page.browsing import (
    PHONE,
    Browser,
    HeldRequest,
    Locator,
    Page,
    barriers,
    opened,
)
from tests.waiting import until

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "small": (360, 640), "projector": (1920, 1080)}
OPEN = "\u2013"
"""Shown in the place of a result."""
VIEWS = ("pairings", "standings", "cross", "ratings")


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[tuple[TournamentClub, ClubServer, str]]:
    club = TournamentClub(tmp_path / "club", 12)
    with club.served(more=tournament_pages(club.desk)) as server:
        made = club.make(23)
        random = Random(1)
        for _ in range(3):
            club.begin_round(made.id)
            club.play(made.id, random)
            until(lambda: complete(club, made.id))
        state = club.begin_round(made.id)
        club.play(made.id, random, 5)
        until(lambda: sum(bool(it.result) for it in present(club, state.id)) == 5)
        yield club, server, made.id


def present(club: TournamentClub, tournament: str):  # type: ignore[no-untyped-def]
    state = club.desk.state(tournament)
    assert state is not None and state.current is not None
    return state.current.boards


def complete(club: TournamentClub, tournament: str) -> bool:
    return all(board.result for board in present(club, tournament))


def check(page: Page, name: str, folder: Path) -> None:
    """See that nothing runs out of the window and that nothing bars people; keep a picture."""
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    page.screenshot(path=folder / f"{name}.png", full_page=True)
    assert width <= 0, f"{name}: {width} px too wide"
    assert barriers(page) == []


def twice(button: Locator) -> None:
    """Press a button as who means it once, and clicks twice."""
    button.evaluate("each => { each.click(); each.click(); }")


def test_a_view_that_comes_late_is_let_go(
    shown: tuple[TournamentClub, ClubServer, str], browser: Browser
) -> None:
    _, server, name = shown
    address = f"{server.walls[0]}tournaments#{name}/pairings"
    page = opened(browser, address, "#view table", PHONE).page
    held = HeldRequest(page, "**/api/ratings")
    page.get_by_role("link", name="Ratings").click()
    held.waits()
    page.get_by_role("link", name="Standings").click()
    current = page.locator("#views [aria-current=page]")
    page.locator("#views [aria-current=page]", has_text="Standings").wait_for()
    held.goes_on()
    page.evaluate("fetch('/api/ratings').then(answer => answer.json())")
    assert current.inner_text() == "Standings"
    page.get_by_text("Sonneborn-Berger").wait_for()


def test_pages_for_everybody(
    shown: tuple[TournamentClub, ClubServer, str],
    browser: Browser,
    pictures: Path,
) -> None:
    club, server, name = shown
    base = server.walls[0]
    for size, window in SIZES.items():
        for view in VIEWS:
            theme = "dark" if size == "projector" else "light"
            address = f"{base}tournaments#{name}/{view}"
            page = opened(browser, address, "#view table", window, color_scheme=theme).page
            check(page, f"tournament-{view}-{size}", pictures)
    page = opened(browser, f"{base}tournaments", size=PHONE).page
    page.get_by_text("Herbstpokal").first.wait_for()
    club.play(name, Random(2))
    page.locator("#view td.result", has_text=OPEN).first.wait_for(state="detached")
    for table in ("pairings", "standings", "cross"):
        written = Served(server).get(f"/tournaments/{name}/{table}.csv").text
        rows = list(csv.reader(io.StringIO(written)))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) == {"pairings": 45, "standings": 24, "cross": 24}[table]


def test_who_is_no_director_finds_no_way_in(shown: tuple[TournamentClub, ClubServer, str]) -> None:
    _, server, _ = shown
    for path in ("/director/tournaments", "/director/ws"):
        assert Served(server).get(path).status in (401, 403, 404, 426)


@lanes.gate
def test_a_tournament_directed_from_its_page(
    tmp_path: Path,
    browser: Browser,
    pictures: Path,
) -> None:
    """From its making over a correction to its end, by what the page says."""
    club = TournamentClub(tmp_path / "club", 3)
    with club.served(more=tournament_pages(club.desk)) as server:
        page = opened(browser, server.director_link, size=PHONE).page
        page.goto(f"{server.walls[0]}director/tournaments")
        page.get_by_label("Name", exact=True).fill("Winter <b>Cup</b>")
        page.get_by_label("Rounds").fill("2")
        twice(page.get_by_role("button", name="Make it"))
        page.get_by_label(re.compile("Names, with a comma")).fill(
            "Ada (1600), Ben, Cleo (1500), Dan, Eve"
        )
        page.locator("#add button").click()
        page.locator("#entrants").get_by_role("cell", name="Eve", exact=True).wait_for()
        page.get_by_role("button", name="Pair the next round").click()
        page.get_by_role("button", name="Start the round").click()
        page.get_by_role("button", name="Start the round").wait_for(state="detached")
        (tournament,) = (each["id"] for each in club.desk.overviews())
        table = page.locator("#boards select").last
        table.evaluate("each => { each.dataset.stays = 'open'; }")
        table.dispatch_event("pointerdown")
        club.play(tournament, Random(1), 1)
        page.locator("#log td", has_text="result of a game").wait_for()
        assert page.locator("#boards [data-stays]").count(), "a list that is open stays"
        page.locator("#boards [data-stays]").dispatch_event("focusout")
        page.locator("#boards .result", has_text=re.compile(r"[01]-[01]")).wait_for()
        other = next(it.number for it in present(club, tournament) if not it.result)
        page.get_by_role("button", name=f"Result of board {other}").click()
        page.locator(".correcting select").select_option("+/-")
        page.get_by_role("button", name="Enter the result").click()
        assert not club.desk.state(tournament).board(1, other).result  # type: ignore[union-attr]
        page.get_by_label("Reason; it is kept").fill("Black never came")
        check(page, "direct-correcting-phone", pictures)
        twice(page.get_by_role("button", name="Enter the result"))
        page.locator("#boards .result", has_text="+ : -").wait_for()
        page.get_by_role("button", name="Eve leaves").click()
        page.get_by_role("button", name="Eve is back").wait_for()
        page.get_by_role("button", name="Pair the next round").click()
        page.get_by_role("heading", name="Round 2 of 2").wait_for()
        page.get_by_role("cell", name="Black never came").wait_for()
        check(page, "direct-round-2-phone", pictures)
        page.set_viewport_size({"width": 1280, "height": 800})
        check(page, "direct-round-2-desktop", pictures)
        state = club.desk.state(tournament)
        assert state is not None
        assert [it.reason for it in state.corrections] == ["Black never came"]
        assert state.current is not None and 5 in state.current.away
