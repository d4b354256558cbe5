"""A game that was analysed, on the page in Chromium: its graph, its marks, and the better turns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.analysed_games import AnalysedGame, annotator_of
from chronotable_host.archive.parsing import read
from chronotable_host.engine.analysis import white_chance
from chronotable_host.engine.levels import LEVELS
from chronotable_host.live.players.hinter import why_focus
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    ERRORS,
    INACCURACY,
    Annotation,
    annotated,
    read_annotations,
)
from chronotable_host.rules.notation import ERAS
from chronotable_host.rules.record import format_record
from chronotable_host.rules.turn_story import plan_of, story_of
from chronotable_host.web.turns_told import where_of
from tests import lanes
from tests.host.archives import random_record
from tests.page.browsing import (
    PC,
    PHONE,
    Browser,
    HeldLine,
    Page,
    Person,
    Size,
    comes_true,
    edges,
    finds_back,
    open_list,
    opened,
    press,
    waits_until,
)
from tests.page.evening_served import ServedEvening
from tests.page.test_pictures import has_played
from tests.page.test_replay import PLACES, SCREENS
from tests.table.hands import LAST_STAND
from ttykm.game import Game

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("game")]

SEED = 11
WAIT_MS = 60_000  # for a search
WORDS = {
    "best": "best turn",
    "only": "only good turn",
    "good": "good turn",
    "longer-win": "a longer win",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "missed-win": "missed win",
}
TABLET = (1024, 768)
TOUCH: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive: games to be analysed here, on the page, and for long."""
    folder = tmp_path_factory.mktemp("judged")
    records = {
        "judged": random_record(SEED),
        "plain": random_record(SEED + 1, 10),
        "short": random_record(SEED + 3, 10),
        "long": random_record(SEED + 2),
    }
    records["long"].headers[ANNOTATOR] = annotator_of(len(LEVELS))
    records["long"].comments[0] = annotated("", Annotation("+0.10", "good"))
    for name, record in records.items():
        record.headers.update({"White": "Ann", "Black": "Bob", "Date": "2026-11-20"})
        (folder / f"{name}.ttykm").write_text(format_record(record), "utf-8")
    return folder


def worst(game: AnalysedGame) -> int:
    """Return the number of the first turn with a better one, which its copy acts in."""
    marks = enumerate(game.said, 1)
    return next(no for no, each in marks if each.mark in ERRORS and each.best[0] & 0xFFF)


def shows(page: Page, number: int) -> None:
    page.get_by_role("heading", name=f"Turn {number} of ").wait_for()


def graph_of(page: Page) -> tuple[float, float, float]:
    """Return where the graph begins, how wide it is, and where its middle is from above."""
    ((left, top, right, bottom),) = edges(page, "#games .graph")
    return left, right - left, (top + bottom) / 2


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("size", lanes.once([(each,) for each in SCREENS]))
def test_it_fits_on_every_screen(
    browser: Browser, url: str, game: AnalysedGame, pictures: Path, size: Size, scheme: str
) -> None:
    address = f"{url}#games/judged/{worst(game)}"
    someone = opened(browser, address, "#games .space", size, color_scheme=scheme)
    button = someone.page.locator("#games .judgement")
    for is_better in (False, True):
        if is_better:
            button.click()
        assert button.get_attribute("aria-pressed") == str(is_better).lower()
        picture = f"judged-{size[0]}x{size[1]}-{scheme}-{is_better}.png"
        someone.page.screenshot(path=pictures / picture)
        someone.fits(PLACES)
        ((left, _, right, _),) = edges(someone.page, "#games .judgement")
        assert 0 <= left < right <= size[0]


def test_the_graph_is_the_chance_of_every_turn(
    browser: Browser, url: str, game: AnalysedGame
) -> None:
    page = opened(browser, f"{url}#games/judged", "#games .space").page
    drawn = page.locator("#games .graph .area").get_attribute("d") or ""
    points = [(int(x), float(y)) for x, y in re.findall(r"[ML](\d+) ([\d.]+)", drawn)]
    assert [x for x, _ in points] == list(range(len(game.said) + 1))
    for (_, y), said in zip(points[1:], game.said, strict=True):
        assert y == pytest.approx(100 * (1 - white_chance(said.value, 0)), abs=0.06)
    doubtful = [each.mark for each in game.said if each.mark in (INACCURACY, *ERRORS)]
    signs = page.locator("#games .graph .shape")
    assert signs.count() == len(doubtful)
    kinds = [str(each.get_attribute("class")).removeprefix("shape ") for each in signs.all()]
    assert kinds == doubtful
    tags = page.locator("#games .turns .tag.judged").all_text_contents()
    assert tags == [WORDS[each.mark] for each in game.said]


@lanes.gate
def test_the_graph_leads_to_turns_by_mouse_and_keys(
    browser: Browser, url: str, game: AnalysedGame
) -> None:
    page = opened(browser, f"{url}#games/judged/0", "#games .space", PC).page
    count = len(game.said)
    page.get_by_text(re.compile(r"Mistakes: Ann \d+, Bob \d+")).wait_for()
    left, width, high = graph_of(page)
    for part in (0.5, 0.25, 0.75):
        page.mouse.click(left + part * width, high)
        shows(page, round(part * count))
    page.mouse.down()
    for number in (count // 3, count // 2):
        page.mouse.move(left + number / count * width, high)
        shows(page, number)
    page.mouse.up()
    slider = page.get_by_role("slider", name="Turn")
    slider.focus()
    page.keyboard.press("ArrowRight")
    shows(page, count // 2 + 1)
    said = game.said[count // 2]
    assert WORDS[said.mark].capitalize() in (slider.get_attribute("aria-valuetext") or "")
    page.keyboard.press("Home")
    page.get_by_role("heading", name="The start").wait_for()


def test_the_graph_is_dragged_by_a_finger(browser: Browser, url: str, game: AnalysedGame) -> None:
    page = opened(browser, f"{url}#games/judged/1", "#games .space", **TOUCH).page
    count = len(game.said)
    left, width, high = graph_of(page)
    finger = page.context.new_cdp_session(page)
    for kind, number in (("Start", 1), ("Move", count // 2), ("Move", count // 3)):
        at = {"x": left + number / count * width, "y": high}
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [at]})
        shows(page, number)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shows(page, count // 3)


@pytest.mark.parametrize("by", lanes.once(["mouse", "keys", "touch"]))
def test_the_better_turn_is_shown_as_a_way_over_the_boards(
    browser: Browser, url: str, game: AnalysedGame, by: str
) -> None:
    number = worst(game)
    how = TOUCH if by == "touch" else {"size": PC}
    page = opened(browser, f"{url}#games/judged/{number - 1}", "#games .space", **how).page
    before = [step.state for step in game.record.replay()][number - 1]
    said = game.said[number - 1]
    pieces = "[...document.querySelectorAll('#games .space')].map(it => it.ariaLabel)"
    earlier = page.evaluate(pieces)
    button = page.locator("#games .judgement")
    if by == "keys":
        page.keyboard.press("ArrowRight")
    else:
        press(page.get_by_role("button", name="One turn on"), by)
    shows(page, number)
    press(button, by)
    page.locator("#games .thread.way").first.wait_for(state="attached")
    assert page.evaluate(pieces) == earlier
    story = story_of(before, said.best[0])
    where = where_of(story.path, said.best[0], True)
    told = (
        f"Better was: {plan_of(before, said.best[0])} ({where}); focus on the {ERAS[story.focus]}. "
    )
    position = Game()
    position.start(before)
    for part in (told, why_focus(position, said.best[0])):
        assert part in page.locator("#games .head p").inner_text()
    assert WORDS[said.mark].capitalize() in button.inner_text()
    steps = sum(one != other for one, other in zip(story.path, story.path[1:], strict=False))
    assert page.locator("#games .thread.way").count() in (steps, steps + 1)  # and the focus
    assert page.evaluate("document.activeElement.className") == "judgement"
    page.keyboard.press("Enter")
    page.locator("#games .thread.way").first.wait_for(state="detached")
    if by == "touch":
        button.tap()
        left, width, high = graph_of(page)
        page.touchscreen.tap(left + width / 2, high)
        shows(page, round(len(game.said) / 2))
        assert page.locator("#games .thread.way").count() == 0  # of another turn it is asked anew


def test_the_graph_has_a_table_and_the_marks_a_legend(
    browser: Browser, url: str, game: AnalysedGame
) -> None:
    page = opened(browser, f"{url}#games/judged/1", "#games .space").page
    open_list(page)
    page.locator("#games summary", has_text="What each turn was worth").click()
    rows = page.locator("#games .judged-turns tbody tr")
    assert rows.count() == len(game.said)
    for number, (row, said) in enumerate(zip(rows.all(), game.said, strict=True), 1):
        turn, chance, mark = row.locator("th, td").all_inner_texts()
        assert turn == f"{number} {('white', 'black')[(number - 1) % 2]}"
        assert "Ann" in chance or "Bob" in chance
        if said.value[0] != "#":
            assert chance == f"{round(100 * white_chance(said.value, 0))} % for Ann"
        assert mark.startswith(f"{WORDS[said.mark].capitalize()}.")
        assert ("Better was: " in mark) is bool(said.best)
    told = page.locator("#games .so-far .marks li").all_inner_texts()
    names = [each.partition(":")[0].lower() for each in told]
    assert names == [*WORDS.values()]
    rows.nth(4).locator("a").click()
    shows(page, 5)


@lanes.gate
def test_a_game_is_analysed_from_the_page(browser: Browser, url: str, folder: Path) -> None:
    page = opened(browser, f"{url}#games/plain/3", "#games .space").page
    page.evaluate("document.body.dataset.stayed = 'yes'")
    assert page.locator("#games .graph").count() == 0
    page.get_by_role("button", name="Analyse").click()
    running = page.get_by_role("progressbar", name="Analysis")
    running.or_(page.locator("#games .graph")).first.wait_for(timeout=WAIT_MS)
    page.locator("#games .graph").wait_for(timeout=WAIT_MS)
    record = read(folder / "plain.ttykm").record
    said = read_annotations(record.comments)
    assert len(said) == len(record.turns)
    assert record.headers[ANNOTATOR] == "Chronotable, level 6, checked"
    tags = page.locator("#games .turns .tag.judged").all_text_contents()
    assert tags == [WORDS[each.mark] for each in said]
    assert WORDS[said[2].mark].capitalize() in page.locator("#games .verdict").inner_text()
    assert page.evaluate("document.body.dataset.stayed") == "yes"


def test_who_sees_nothing_of_an_analysis_but_its_end_sees_the_game_anew(
    browser: Browser, url: str
) -> None:
    """A line may be slow, and a game short."""
    someone = Person(browser.new_context(reduced_motion="reduce").new_page())
    line = HeldLine(someone.page)
    someone.opens(f"{url}#games/short/3")
    someone.waits_for("#games .space")
    line.is_held = True
    someone.page.get_by_role("button", name="Analyse").click()
    waits_until(someone.page, lambda: line.was_told('"turns":10,"is_on":false'))
    line.goes_on(is_slow=True)
    someone.page.locator("#games .graph").wait_for(timeout=WAIT_MS)


def test_it_is_offered_at_the_end_of_a_game(browser: Browser, tmp_path: Path) -> None:
    with ServedEvening(tmp_path, LAST_STAND, seat="page") as table:
        has_played(table)
        table.is_left()
        someone = table.opens(browser, PHONE, reduced_motion="reduce")
        someone.page.get_by_role("link", name="Review the game").click()
        someone.page.get_by_role("button", name="Analyse").wait_for()


def test_an_analysis_goes_on_and_is_stopped(browser: Browser, url: str, folder: Path) -> None:
    """The button stays the same one while the count beside it changes: a press may take long."""
    page = opened(browser, f"{url}#games/long", "#games .space", **TOUCH).page
    page.get_by_role("button", name="Go on analysing").tap()
    stop = page.get_by_role("button", name="Stop")
    stop.wait_for()
    for width, height in (TABLET, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        finds_back(page, "All games", "#games")
        assert (width, height) == PHONE or page.evaluate(_IS_APART)
    stop.hover()
    page.mouse.down()
    page.locator(".verdict", has_text=re.compile(r"^[1-9]\d* of")).wait_for(timeout=WAIT_MS)
    page.mouse.up()
    page.get_by_role("button", name="Go on analysing").wait_for(timeout=WAIT_MS)
    record = read(folder / "long.ttykm").record
    assert record.headers[ANNOTATOR] == annotator_of(len(LEVELS))
    assert 2 <= len(read_annotations(record.comments)) < len(record.turns)


_IS_APART = """() => {
    const edges = (what) => document.querySelector(`#games ${what}`).getBoundingClientRect();
    const stop = document.createRange();
    stop.selectNodeContents(document.querySelector("#games progress ~ button"));
    return edges(".way-back").right <= edges(".knobs").left
        && edges(".time-bar").right <= edges(".verdict progress").left
        && edges(".verdict progress ~ button").right <= innerWidth
        && stop.getClientRects().length === 1;
}"""
_MOST_FIRST = """() => {
    const texts = [...document.querySelectorAll(".listed .facts")].map((each) => each.innerText);
    const sums = texts.map((text) =>
        [...text.matchAll(/(?:Ann|Bob) (\\d+)/g)].reduce((sum, [, count]) => sum + +count, 0));
    return sums.length > 1 && sums.every((sum, at) => at === 0 || sum <= sums[at - 1]);
}"""


def test_games_are_listed_by_their_mistakes(browser: Browser, url: str, game: AnalysedGame) -> None:
    page = opened(browser, f"{url}#games", "#games").page
    page.get_by_label("Order").select_option("most mistakes")
    page.locator(".status", has_text=re.compile(r"^[2-4] games$")).wait_for()
    counts = [0, 0]
    for number, said in enumerate(game.said):
        counts[number % 2] += said.mark in ERRORS
    row = page.locator(".listed", has_text=f"mistakes: Ann {counts[0]}, Bob {counts[1]}")
    assert row.get_attribute("href") == "#games/judged"
    comes_true(page, _MOST_FIRST)
