"""In Chromium: steps for the hands are numbered, the present one stands out, no board is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.rules.notation import parse_turn
from tests import lanes
from tests.page.browsing import Browser, waits_until
from tests.page.evening_served import ServedEvening
from ttykm.layout import BLACK

pytestmark = pytest.mark.browser

BESIDE = "w..............b/..............b./wb.............b 2 1 4 3 w"
"""White, in the future, has a black copy beside its own."""
BACK_IN_TIME = "w..............b/w....b...w.b..../.....w....b....b 1 2 2 2 b"


@pytest.mark.parametrize("size", [(390, 844), (800, 1180)], ids=str)
def test_the_steps_cover_no_board(
    browser: Browser, tmp_path: Path, pictures: Path, size: tuple[int, int]
) -> None:
    with ServedEvening(tmp_path, BESIDE) as table:
        table.evening.do(("lift", 32), ("lift", 33), ("place", 33, "white"))
        table.evening.wait(300)
        someone = table.opens(browser, size)
        someone.page.locator(".hands .now", has_text="Put a black piece on future 3.").wait_for()
        someone.page.screenshot(path=pictures / f"hands-{size[0]}.png")
        board = someone.page.locator("#board svg").bounding_box()
        voice = someone.page.locator("#live .strip").bounding_box()
        space = someone.place(47).bounding_box()
        assert board and voice and space
        assert board["y"] + board["height"] <= voice["y"]
        assert space["height"] >= 35


def test_who_opens_a_small_page_sees_where_the_next_step_is(
    browser: Browser, tmp_path: Path
) -> None:
    with ServedEvening(tmp_path) as table:
        table.evening.do(("lift", 0), ("place", 14, "white"))
        table.evening.wait_until(lambda: table.looker.look()["todo"])
        someone = table.opens(browser, (844, 390))
        someone.page.locator(".hands .now", has_text="Take away what lies on past 15.").wait_for()
        someone.waits_for_piece(14, "white")
        space = someone.place(14).bounding_box()
        strip = someone.page.locator("#live .strip").bounding_box()
        assert space and strip
        assert strip["y"] + strip["height"] <= space["y"]
        assert space["y"] + space["height"] <= 390 + 3  # its outline


@lanes.gate
def test_a_question_of_the_table_is_answered_on_the_page(browser: Browser, tmp_path: Path) -> None:
    with ServedEvening(tmp_path) as table:
        evening = table.evening
        evening.do(("lift", 48), ("place", 49, "white-focus"))
        evening.wait_until(lambda: table.looker.look()["question"])
        table.is_left()
        someone = table.opens(browser, (390, 844))
        someone.page.get_by_role("button", name="Stepped twice in the past").click()
        waits_until(someone.page, lambda: bool(evening.wait(20) or evening.heard("turn")))
        assert [*evening.mirror.game.turns] == [parse_turn("1 E W >present")]


def test_a_turn_that_is_wanted_is_numbered_and_shaded(
    browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    with ServedEvening(tmp_path, BACK_IN_TIME, real=True) as table:
        evening = table.evening
        table.wants(BLACK, parse_turn("11 B N >past"))
        someone = table.opens(browser, (390, 844))
        page = someone.page
        someone.hears("Lend Black your hands")
        numbers = page.locator(".hands .number")
        assert numbers.all_inner_texts() == ["1", "2", "3"]
        assert page.locator(".hands .now").inner_text().endswith("on present 11.")
        someone.waits_for('[data-sensor="26"].todo.now .coming [data-look="black"]')
        assert someone.place(22).locator(".number").inner_text() == "2"
        assert "now" not in str(someone.place(22).get_attribute("class")).split()
        evening.do(("place", 26, "black"))
        evening.wait(300)
        page.locator(".hands .done .number", has_text="1").wait_for()
        someone.waits_for('[data-sensor="22"].todo.now .coming')
        someone.waits_for_piece(26, "black")
        page.screenshot(path=pictures / "wanted-390.png")


def test_the_drawn_table_is_fetched_by_who_feels_it(browser: Browser, tmp_path: Path) -> None:
    with ServedEvening(tmp_path, seat="page") as table:
        table.evening.wait_until(lambda: table.looker.look()["builder"])
        table.is_left()
        someone = table.opens(browser, (1280, 900))
        asked: list[str] = []
        someone.page.on("request", lambda request: asked.append(request.url))
        someone.page.reload()
        someone.hears("Choose a copy")
        assert not [url for url in asked if url.endswith("board.svg")]
        table.looker.seats.seat(BLACK, "hands")
        table.evening.wait(100)
        someone.waits_for('#board [data-sensor="0"] [data-look="white"]')
