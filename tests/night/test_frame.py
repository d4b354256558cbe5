"""The page that all games share, drawn from given states: nothing runs out, nothing bars people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronotable_night.games.interface import SPECTATOR, GameHappening
from tests import lanes
from tests.night.drawn import (
    BIG,
    SMALL_BIG,
    SMALL_PHONE,
    Drawn,
    lobby,
    look_at,
    open_hand,
    opened,
    told,
)
from tests.night.small_game import KIND
from tests.page.browsing import PHONE, waits_until

pytestmark = pytest.mark.browser

PLAYERS = 4
SEED = 2  # the first seat has the highest card
PHONES = [
    (PHONE, "light"),
    (PHONE, "dark"),
    (SMALL_PHONE, "light"),
    (SMALL_PHONE, "dark"),
    ((844, 390), "dark"),
    ((640, 360), "light"),
]
SCREENS = [(BIG, "light"), (BIG, "dark"), (SMALL_BIG, "light"), ((1024, 768), "dark")]


class Course:
    """A game of the tiny kind, at its steps."""

    def __init__(self) -> None:
        self.game: Any = KIND.game()
        self.happened: list[GameHappening] = []
        self.state: Any = self.game.new(SEED, PLAYERS, {"lowest": False})

    def plays(self, number: int = 0) -> None:
        seat, action = self.game.to_decide(self.state), self.game.legal(self.state)[number]
        self.state = self.game.apply(self.state, seat, action, self.happened)

    def ends(self) -> None:
        while self.game.to_decide(self.state) >= 0:
            self.plays()

    def told(self, seat: int, **more: Any) -> dict[str, Any]:
        return told(KIND, self.game, self.state, seat, PLAYERS, self.happened, **more)


@pytest.fixture
def course() -> Course:
    return Course()


@pytest.mark.parametrize(("size", "theme"), lanes.once(PHONES, 1))
def test_a_phone(pages: Drawn, pictures: Path, size: tuple[int, int], theme: str) -> None:
    course, name = Course(), f"{size[0]}x{size[1]}-{theme}"
    pages.tells(lobby(KIND, seat=0, taken=2))
    with pages.phone(0, size, theme) as page:
        page.locator("body[data-mode=lobby]").wait_for()
        look_at(page, f"night-phone-lobby-{name}", pictures)
        page.locator("#more").click()
        page.get_by_role("button", name="The table", exact=True).click()
        look_at(page, f"night-phone-lobby-table-{name}", pictures)
        page.locator("#more").click()
        page.get_by_role("button", name="Another game").click()
        page.locator("body[data-mode=choosing]").wait_for()
        look_at(page, f"night-phone-choosing-{name}", pictures)
        page.get_by_role("button", name="Back", exact=True).click()
        pages.tells(course.told(0))
        page.locator("body[data-mode=covered]").wait_for()
        look_at(page, f"night-phone-covered-{name}", pictures)
        open_hand(page)
        page.locator("#hand .card").last.click()
        look_at(page, f"night-phone-lifted-{name}", pictures)
        page.locator("#more").click()
        for part in ("What happened", "Rules now", "The table"):
            page.get_by_role("button", name=part, exact=True).click()
            look_at(page, f"night-phone-{part.replace(' ', '-').lower()}-{name}", pictures)
        page.locator("#more").click()
        pages.tells(course.told(0, sealed={0: "play 12"}))
        page.get_by_role("button", name="Change it").wait_for()
        look_at(page, f"night-phone-sealed-{name}", pictures)
        pages.tells(course.told(0, decision=None, look_up=True))
        page.get_by_role("heading", name="Look up!").wait_for()
        look_at(page, f"night-phone-look-up-{name}", pictures)
        pages.tells(course.told(0, take_back={"by": 1, "agreed": [1]}))
        page.get_by_role("button", name="Agree").wait_for()
        look_at(page, f"night-phone-asked-{name}", pictures)
        course.plays(-1)
        for _ in range(PLAYERS - 1):
            course.plays()
        pages.tells(course.told(0))  # who has won the trick
        open_hand(page)
        page.locator(".equal").wait_for()
        look_at(page, f"night-phone-equal-{name}", pictures)
        course.ends()
        pages.tells(course.told(0))
        page.locator("body[data-mode=over]").wait_for()
        look_at(page, f"night-phone-over-{name}", pictures)


@pytest.mark.parametrize(("size", "theme"), lanes.once(SCREENS))
def test_the_big_screen(pages: Drawn, pictures: Path, size: tuple[int, int], theme: str) -> None:
    course, name = Course(), f"{size[0]}x{size[1]}-{theme}"
    pages.tells(lobby(KIND, taken=2, name="", title="", note="", options=[]))
    with pages.screen(size, theme) as page:
        page.get_by_role("heading", name="Which game tonight?").wait_for()
        look_at(page, f"night-big-choosing-{name}", pictures)
        pages.tells(lobby(KIND, taken=2))
        page.get_by_role("button", name="Start").wait_for()
        look_at(page, f"night-big-lobby-{name}", pictures)
        course.plays()
        pages.tells(course.told(SPECTATOR))
        page.locator(".card.back").wait_for()
        look_at(page, f"night-big-play-{name}", pictures)
        away = course.told(SPECTATOR, notice="The table waits for Ben's phone.")
        away["players"][1]["here"] = False
        pages.tells(away)
        page.locator("#seats .ghost").wait_for()
        page.get_by_role("button", name="A new link for Ben").click()
        page.locator(".seat-code a").wait_for()
        look_at(page, f"night-big-away-{name}", pictures)
        course.ends()
        pages.tells(course.told(SPECTATOR))
        page.locator("body[data-mode=over]").wait_for()
        look_at(page, f"night-big-over-{name}", pictures)


@pytest.mark.parametrize(("size", "theme"), PHONES)
def test_joining(pages: Drawn, pictures: Path, size: tuple[int, int], theme: str) -> None:
    with opened(pages.browser, f"{pages.url}/join?code=river-lamp-otter", size, theme) as page:
        assert page.locator("#code").input_value() == "river-lamp-otter"
        look_at(page, f"night-join-{size[0]}x{size[1]}-{theme}", pictures)


@pytest.mark.parametrize("seat", [0, SPECTATOR])
def test_a_page_tells_each_notice_once(course: Course, pages: Drawn, seat: int) -> None:
    """One after the other, whatever else comes; not those from before it was opened."""
    course.plays()
    first, moved, bot = (1, "Before."), (2, "Ada's seat has a new link."), (3, "A bot plays.")
    pages.tells(course.told(seat, notices=[first]))
    with pages.screen() if seat == SPECTATOR else pages.phone(seat) as page:
        page.locator("body[data-mode=play], body[data-mode=covered]").wait_for()
        assert "Before." not in page.locator("#line").inner_text()
        page.clock.install()
        pages.tells(course.told(seat, notices=[first, moved, bot]))
        pages.tells(course.told(seat, notices=[first, moved, bot]))
        page.locator("#line", has_text=moved[1]).wait_for()
        page.clock.fast_forward(6000)
        page.locator("#line", has_text=bot[1]).wait_for()
        page.clock.fast_forward(6000)
        page.locator("#line", has_not_text=bot[1]).wait_for(state="attached")
        pages.tells(course.told(seat, notices=[[1, "Opened again."]]))
        page.locator("#line", has_text="Opened again.").wait_for()


def test_covered_phones_look_alike(course: Course, pages: Drawn) -> None:
    """Whatever they hold, to the pixel: here two hands of the same number of cards."""
    shown = []
    for hand in ([1, 2], [19, 20]):
        state = course.told(0)
        state["view"] = {**state["view"], "hands": [hand, 2, 2, 2]}
        pages.tells(state)
        with pages.phone(0) as page:
            page.locator("body[data-mode=covered]").wait_for()
            shown.append((page.screenshot(), page.locator("body").inner_html()))
    assert shown[0] == shown[1]


def test_what_only_a_seat_knows_is_not_told_while_it_is_covered(pages: Drawn) -> None:
    course = Course()
    for _ in range(PLAYERS):
        course.plays()
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        page.locator("body[data-mode=covered]").wait_for()
        page.locator("#more").click()
        page.locator(".panel .told").wait_for()
        assert page.locator(".panel", has_text="revealed").count() == 1
        assert page.locator(".panel", has_text="drew").count() == 0


def test_a_hand_is_seen_while_it_is_held(course: Course, pages: Drawn) -> None:
    """Where nothing is to decide, a tap opens nothing."""
    course.plays()
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        page.get_by_text("Hold to look").wait_for()
        page.locator("#peek").click()
        assert page.locator("#hand .card:not(.back)").count() == 0
        page.locator("#peek").hover()
        page.mouse.down()
        page.locator("#hand .card:not(.back)").first.wait_for()
        page.mouse.up()
        page.locator("body[data-mode=covered]").wait_for()
        page.locator("#peek").focus()
        page.keyboard.down(" ")
        page.locator("body[data-mode=held]").wait_for()
        page.keyboard.up(" ")
        page.locator("body[data-mode=covered]").wait_for()


@pytest.mark.parametrize("opens", ["tap", "click"])
def test_a_hand_stays_where_it_is_under_a_finger(course: Course, pages: Drawn, opens: str) -> None:
    """What is said below gets shorter when a card is lifted; a screen reader's click opens, too."""
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        page.locator("body[data-mode=covered]").wait_for()
        if opens == "click":
            page.locator("#peek").dispatch_event("click")
        open_hand(page)
        places = [page.locator(each) for each in ("#hand", ".main")]
        before = page.locator("#voice").inner_text()
        stood = [each.bounding_box() for each in places]
        page.locator("#hand .card").first.tap()
        page.locator("#hand .card.on").wait_for()
        assert page.locator("#voice").inner_text() != before
        assert [each.bounding_box() for each in places] == stood


def test_a_hand_covers_itself(course: Course, pages: Drawn) -> None:
    """By its button, when it is laid on the table, and when nothing is to decide any more."""
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        open_hand(page)
        page.get_by_role("button", name="Hide").click()
        page.locator("body[data-mode=covered]").wait_for()
        open_hand(page)
        for beta in (40, 2):
            page.evaluate(
                """beta => window.dispatchEvent(
                    new DeviceOrientationEvent("deviceorientation", { beta, gamma: 1 }))""",
                beta,
            )
        page.locator("body[data-mode=covered]").wait_for()
        open_hand(page)
        course.plays()
        pages.tells(course.told(0))
        page.locator("body[data-mode=covered]").wait_for()


def test_rules_are_there_at_any_time(course: Course, pages: Drawn) -> None:
    """Also before a game and where nothing is to decide: then it is all of them."""
    lobby_told = lobby(KIND, seat=0, taken=2)
    waits = {**course.told(0), "decision": None}
    for state in (lobby_told, waits):
        pages.tells(state)
        with pages.phone(0) as page:
            page.locator("#more").click()
            page.get_by_role("button", name="Rules now").click()
            panel = page.locator(".panel")
            panel.locator("p", has_text=KIND.about).wait_for()
            assert panel.locator("dt").all_inner_texts() == list(KIND.rules)


def test_a_hand_that_is_kept_open(course: Course, pages: Drawn) -> None:
    """Also when nothing is to decide, until nobody has touched the phone for a minute."""
    course.plays()
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        page.locator("body[data-mode=covered]").wait_for()
        page.clock.install()
        page.locator("#more").click()
        page.get_by_role("button", name="The table", exact=True).click()
        page.get_by_role("button", name="Keep my hand open").click()
        page.locator("body[data-mode=open] #hand .card:not(.back)").first.wait_for()
        pages.tells(course.told(0, notice="Something is new."))
        page.get_by_text("Something is new.").wait_for()
        page.locator("body[data-mode=open]").wait_for()
        page.clock.fast_forward(60_000)
        page.locator("body[data-mode=covered]").wait_for()


def test_by_keyboard_alone(course: Course, pages: Drawn) -> None:
    pages.tells(course.told(0))
    with pages.phone(0) as page:
        page.locator("body[data-mode=covered]").wait_for()
        page.locator("#peek").focus()
        while page.locator("body").get_attribute("data-mode") == "covered":
            page.keyboard.press("Enter")  # a slow one counts as a look
        page.locator("body[data-mode=open]").wait_for()
        card = page.locator("#hand .card").first
        while not card.evaluate("each => each === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.locator("#hand .card.on").wait_for()
        assert card.evaluate("each => each === document.activeElement"), "the focus stays"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.locator("#voice .main").evaluate("each => each === document.activeElement")
        page.keyboard.press("Enter")
        page.locator("#hand .card.on").wait_for(state="detached")  # it was answered
    assert [each["do"] for _, each in pages.asked] == ["explained", "act"]


def test_a_double_tap_asks_once(pages: Drawn) -> None:
    """Also where the button was drawn anew between the two."""
    pages.tells(lobby(KIND, seat=0, taken=3))
    with pages.phone(0) as page:
        page.get_by_role("button", name="Start").wait_for()
        page.evaluate(
            """() => {
                const press = () => document.querySelector("#voice .main").click();
                press();
                press();
            }"""
        )
        page.get_by_label("Your name").fill("Zoe")
        page.keyboard.press("Tab")
        waits_until(page, lambda: any(each["do"] == "rename" for _, each in pages.asked))
    assert [each["do"] for _, each in pages.asked] == ["start", "rename"]


def test_news_wait_for_a_finger_and_for_a_name(course: Course, pages: Drawn) -> None:
    """Else a tap is swallowed, or what was written so far."""
    pages.tells(lobby(KIND, seat=0, taken=1))
    with pages.phone(0) as page:
        name = page.get_by_label("Your name")
        name.fill("Zo")
        pages.tells(lobby(KIND, seat=0, taken=3))
        name.press_sequentially("e")
        assert name.input_value() == "Zoe"
        name.press("Tab")
        page.get_by_text("Cleo").wait_for()
        pages.tells(course.told(0))
        open_hand(page)
        page.locator("#hand .card").first.hover()
        page.mouse.down()
        news = course.told(0, steps=1)
        news["players"][1]["sealed"] = True
        pages.tells(news)
        page.locator("html[data-steps='1']").wait_for()
        page.mouse.up()
        page.locator("#hand .card.on").wait_for()


def test_a_refusal_is_said_and_nothing_lost(pages: Drawn) -> None:
    pages.tells(Course().told(0))
    pages.refuses = "It is not yours to decide now."
    with pages.phone(0) as page:
        open_hand(page)
        page.locator("#hand .card").first.click()
        page.locator("#voice .main").click()
        page.get_by_role("alert").get_by_text(pages.refuses).wait_for()
        page.locator("#hand .card.on").wait_for()


def test_the_board_moves_what_is_new(pages: Drawn) -> None:
    """Once, and not where people want no motion."""
    for still in (False, True):
        course = Course()
        pages.tells(course.told(SPECTATOR))
        with pages.screen(BIG, still=still) as page:
            page.locator(".shown").wait_for()
            course.plays()
            pages.tells(course.told(SPECTATOR))
            page.locator(".card.back").wait_for()
            course.plays()
            pages.tells(course.told(SPECTATOR))
            page.locator(".card.back").nth(1).wait_for()
            animated = page.locator("body").get_attribute("data-animated")
            assert animated == (None if still else "2")


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, (844, 390), (640, 360)])
def test_six_on_a_podium_and_long_words(
    pages: Drawn, pictures: Path, size: tuple[int, int]
) -> None:
    """Names and reasons as long as they get: the buttons stay in reach, nothing runs out."""
    course = Course()
    course.ends()
    over = course.told(0)
    one = over["players"][0]
    over["players"] = [
        {**one, "seat": seat, "figure": f"p{seat + 1}", "name": f"Wilhelmina the {seat}rd"}
        for seat in range(6)
    ]
    over["outcome"]["says"] = "It was a long game, and all of it is told here. " * 5
    pages.tells(over)
    with pages.phone(0, size) as page:
        page.locator("body[data-mode=over]").wait_for()
        look_at(page, f"night-phone-podium-{size[0]}x{size[1]}", pictures)
        asked = Course().told(0)
        asked["decision"]["explains"] = "What is decided here needs many words. " * 12
        pages.tells(asked)
        open_hand(page)
        look_at(page, f"night-phone-long-{size[0]}x{size[1]}", pictures)
        page.locator("#hand .card").first.click()
        page.locator("#voice .main:not(:disabled)").click(trial=True)


@lanes.gate
def test_a_turn_is_signed_alike_for_every_hand(pages: Drawn, course: Course) -> None:
    """Once when the seat is asked, by a vibration, unless that is not wanted; see `turnsign.js`.

    Not before the phone was touched: a browser refuses it there, and complains in its console.
    """
    waits, asked = course.told(0, decision=None), course.told(0)
    pages.tells(waits)
    with pages.phone(0) as page:
        page.locator("body[data-mode=covered]").wait_for()
        # what drives the page counts as a touch, so the test says itself when one was
        page.evaluate(
            "window.felt = []; navigator.vibrate = (ms) => felt.push(ms);"
            "const touched = {value: {hasBeenActive: false}};"
            "Object.defineProperty(navigator, 'userActivation', touched); undefined"
        )
        pages.tells(asked)
        page.get_by_text("Tap to open").wait_for()
        pages.tells(waits)
        page.get_by_text("Hold to look").wait_for()
        assert page.evaluate("felt") == []
        page.evaluate("navigator.userActivation.hasBeenActive = true")
        pages.tells(asked)
        page.get_by_text("Tap to open").wait_for()
        pages.tells(asked)
        pages.tells(waits)
        page.get_by_text("Hold to look").wait_for()
        assert page.evaluate("felt") == [60]
        page.locator("#more").click()
        page.get_by_role("button", name="The table", exact=True).click()
        page.get_by_role("switch", name="Sound and vibration at my turn").click()
        pages.tells(asked)
        page.locator("#more").click()
        page.get_by_text("Tap to open").wait_for()
        assert page.evaluate("felt") == [60]


@lanes.gate
def test_the_arrows_of_a_remote_lead_everywhere(pages: Drawn) -> None:
    """A game, a bot and an option are chosen, and the game begins, without a pointer."""
    pages.tells(lobby(KIND, taken=2))
    with pages.screen() as page:
        page.get_by_role("button", name="Start").wait_for()
        page.keyboard.press("ArrowDown")
        page.locator("button.main:focus").wait_for()
        reached = set()
        for key in ("ArrowLeft", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowDown") * 4:
            page.keyboard.press(key)
            reached.add(page.evaluate("document.activeElement.dataset.key"))
        assert {"bot 2", "lowest"} <= reached, reached
        assert any(str(each).startswith("game ") for each in reached), reached
        page.locator("[data-key=remarks]").focus()
        page.keyboard.press("Enter")
        waits_until(page, lambda: any(each["do"] == "remarks" for _, each in pages.asked))
