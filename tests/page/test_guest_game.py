"""A guest in Chromium, against hands at the table that see nothing but its lights."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import AtOnce, by_chance
from chronotable_host.live.players.person import Guest
from chronotable_host.live.players.seats import GUEST
from chronotable_host.live.wishes import WISHES
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.table import RP2040
from chronotable_host.virtual.tabletop import looks_in
from chronotable_host.web.http.server import PageServer
from chronotable_host.web.page import ConnectionState, Page
from chronotable_host.web.study.games import Games
from tests import lanes, sweep
from tests.emulator.conftest import image  # noqa: F401 - a fixture
from tests.lab.helping import CLEAN, Helper
from tests.lab.people.place import TablePlace, Told
from tests.page.browsing import Browser, Person, comes_true, opened
from tests.table.rig import BOARD, Rig
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE, new_state

pytestmark = pytest.mark.browser

MOST_TURNS = 100
_PATIENCE_S = 60.0


@pytest.fixture
def someone(browser: Browser) -> Person:
    return opened(browser, "about:blank", size=(1280, 1000), reduced_motion=None)


class Visit:
    """A person who plays black by a link; white's turns are chosen by chance."""

    def __init__(self, at: Rig, someone: Person, folder: Path, seed: int) -> None:
        self.someone = someone
        self.seed = seed
        self.at = at
        self.seats = at.seat()
        online = ConnectionState("online", "a table")
        place = (lambda: BOARD), (lambda: online), (lambda: ("well",))
        at.page = self.page = Page(at, folder, None, *place)
        self.seats.seat_thinker(WHITE, AtOnce("random", self.plays_white))
        self.seats.seat(BLACK, GUEST)
        hands = TablePlace(at.table, at.mirror, Told())
        self.helper = Helper(hands, Random(seed), CLEAN, at.step)
        self.helper.board = pieces_of(at.mirror.game.state)
        self.server = PageServer(
            self.page.hub, Games(folder), self.page.board_svg, guests=self.page.guests
        )

    @property
    def guest(self) -> Guest:
        guest = self.seats.thinkers[BLACK]
        assert isinstance(guest, Guest)
        return guest

    def opens(self) -> None:
        """Serve the page, and open the link."""
        links: list[str] = []
        self.server.start()
        self.page.guests.open_at(self.server.guest_urls[0], lambda _side, link: links.append(link))
        self.until(lambda: links)
        self.someone.opens(links[0])
        self.someone.waits_for_piece(0, "white")

    @property
    def chance(self) -> Random:
        """Return what decides about a turn, the same however often and when it is asked."""
        return Random(1000 * self.seed + len(self.at.mirror.game.turns))

    def plays_white(self, game: Game) -> int:
        """Return white's turn in a game."""
        return by_chance(self.chance)(game)

    def until(self, condition: Callable[[], object]) -> None:
        """Let the table go on; a browser on a busy machine takes its time."""
        end_s = monotonic() + _PATIENCE_S
        while not condition():
            assert monotonic() < end_s, "it does not come to that"
            self.helper.wait()

    def plays_a_turn(self) -> None:
        """Choose a turn by chance, on the board where the place says enough, else by its name."""
        self.until(lambda: self.guest.builder)
        builder, rng = self.guest.builder, self.chance
        assert builder is not None
        while self.guest.builder:
            choice = rng.choice(builder.choices)
            before = builder.text
            self.someone.plays(choice, builder.choices)
            self.until(
                lambda before=before: (
                    not self.guest.builder or (builder.choices and builder.text != before)
                )
            )


def play(visit: Visit, most_turns: int, other: Person | None = None) -> list[int]:
    """Play so many turns, or to the end, which the `other` sees at the table; return them."""
    game = visit.at.mirror.game
    visit.opens()
    if other is not None:
        other.opens(visit.server.url)
    while game.winner() == NOBODY and len(game.turns) < most_turns:
        if game.mover == BLACK:
            visit.plays_a_turn()
        assert visit.helper.carry_out()
        visit.helper.wait()
        for sensor, piece in looks_in(game.state).items() if other is not None else ():
            other.waits_for_piece(sensor, piece)
    for turn in game.turns:
        visit.someone.waits_for(f'.turns [data-turn="{format_turn(turn)}"]')
    return [*game.turns]


def test_a_rule_that_is_cited_is_read_and_left_again(someone: Person, tmp_path: Path) -> None:
    """By the guest's link alone: the page asks for them where the guest is let in."""
    with Rig(new_state()) as at:
        visit = Visit(at, someone, tmp_path, 17)
        with closing(visit.seats), closing(visit.server):
            visit.opens()
            page = someone.page
            page.get_by_role("link", name="Rules").click()
            page.locator("#rule-T12").wait_for()
            page.locator("#rules a.cited", has_text="T14").first.click()
            page.locator("#rule-T14[aria-current]").wait_for()
            page.set_viewport_size({"width": 320, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") <= 320
            page.get_by_role("link", name="Play", exact=True).click()
            someone.waits_for_piece(0, "white")
            page.locator("#rules").wait_for(state="hidden")
            page.set_viewport_size({"width": 390, "height": 664})  # a phone has them in its menu
            page.get_by_role("button", name="Menu").click()
            page.locator("#menu").get_by_role("link", name="Rules").click()
            page.locator("#rule-T12").wait_for()
            page.get_by_role("link", name="Back to the game").click()
            page.get_by_role("button", name="Menu").click()
            page.locator("#menu label", has_text="DE").click()
            page.locator("html[lang=de]").wait_for()


def reviews(visit: Visit) -> None:
    """Look at the game that is over, in the same tab and in the page's own letters, and return."""
    page = visit.someone.page
    review = page.get_by_role("link", name="Review the game")
    visit.until(review.count)
    review.click()
    page.wait_for_url("**/review#*")
    page.locator("#replay h1", has_text="wins").wait_for()
    family = "getComputedStyle(document.querySelector('#replay h1')).fontFamily"
    comes_true(page, f"{family}.includes('Chronotable Story')")
    assert page.evaluate(
        "document.fonts.ready.then((all) => all.check('1em \"Chronotable Story\"'))"
    )
    page.get_by_role("link", name="Back to the game").click()
    review.wait_for()
    assert visit.someone.trouble == []


@lanes.gate
def test_a_game_against_hands(someone: Person, tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at:
        visit = Visit(at, someone, tmp_path, 17)
        with closing(visit.seats), closing(visit.server):
            turns = play(visit, MOST_TURNS)
            assert at.mirror.game.winner() != NOBODY
            reviews(visit)
        at.hands.wait(1500)
    (entry,) = Archive(tmp_path).games()
    assert Archive(tmp_path).read(entry).record.turns == turns


@lanes.gate
def test_a_guest_answers_who_would_take_a_turn_back(someone: Person, tmp_path: Path) -> None:
    with Rig(new_state()) as at:
        visit = Visit(at, someone, tmp_path, 17)
        with closing(visit.seats), closing(visit.server):
            play(visit, 2)
            page = someone.page
            for answer, turns in (("No", 2), ("Give them back", 1)):
                WISHES["undo"].grant(at, None, {})
                asks = page.locator(".asks", has_text="White would like to take 1 turn back")
                visit.until(asks.count)
                asks.get_by_role("button", name=answer).click()
                visit.until(lambda asks=asks: not asks.count())
                visit.until(lambda turns=turns: len(at.mirror.game.turns) == turns)
                if answer == "No":
                    visit.until(page.get_by_text("Black says no.").count)
            assert someone.trouble == []


@pytest.mark.emulator
def test_a_guest_at_the_emulated_table_and_who_looks_on(
    image: Path,  # noqa: F811
    browser: Browser,
    someone: Person,
    tmp_path: Path,
) -> None:
    other = opened(browser, "about:blank")
    with Rig(new_state(), runtime=RP2040, image=image) as at:
        visit = Visit(at, someone, tmp_path, 17)
        with closing(visit.seats), closing(visit.server):
            turns = sweep.size(3, 3, MOST_TURNS)
            played = play(visit, turns, other)
            assert len(played) == turns or at.mirror.game.winner() != NOBODY
            assert at.mirror.understood["certain"] == len(played)
