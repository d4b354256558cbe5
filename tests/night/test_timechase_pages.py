"""Time Chase's pages, drawn from states of real games: each kind of decision, by touch and keys."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from chronotable_night.games.interface import SPECTATOR, State
from chronotable_night.games.timechase.kind import KIND
from tests import lanes
from tests.night.drawn import (
    NAMES,
    SMALL_PHONE,
    Drawn,
    Moment,
    first_of,
    game_by,
    has_shown,
    look_at,
    notes,
    open_hand,
    overflowing,
)
from tests.page.browsing import Browser, Locator, Page

pytestmark = pytest.mark.browser

GAME = KIND.game()
SEEDS = 200


def _is_played(state: State, cards: int) -> bool:
    return state["phase"] == "event" and len(state["played"]) == cards


WANTED: Mapping[str, tuple[int, bool, Callable[[State], bool]]] = {
    "lead with the widest hand": (4, False, lambda state: state["round"] == 1),
    "the last of six": (6, False, lambda state: _is_played(state, 5) and state["round"] < 3),
    "a suit to follow": (
        4,
        False,
        lambda state: _is_played(state, 2) and len(GAME.legal(state) or ()) < len(_hand(state)),
    ),
    "a suit of the first row to follow": (
        4,
        False,
        lambda state: (
            _is_played(state, 2)
            and state["round"] < 4
            and len(_hand(state)) > 6
            and len(GAME.legal(state) or ()) < 4
            and f"play {_hand(state)[1]}" in (GAME.legal(state) or ())
        ),
    ),
    "in the past": (
        4,
        False,
        lambda state: _is_played(state, 1) and state["at"] < state["present"],
    ),
    "back": (4, False, lambda state: state["phase"] == "move" and state["round"] == 5),
    "nine events": (6, False, lambda state: state["phase"] == "move" and state["round"] == 9),
    "jump": (
        4,
        True,
        lambda state: state["phase"] == "move" and state["present"] in state["timeline"][1:-1],
    ),
    "the invariant": (
        4,
        False,
        lambda state: state["phase"] == "invariant" and state["travelers"].count(0) == 2,
    ),
    "late": (6, False, lambda state: state["round"] == 9 and _is_played(state, 3)),
    "late in a jumble": (
        6,
        True,
        lambda state: (
            state["round"] >= 7 and _is_played(state, 2) and state["at"] != state["present"]
        ),
    ),
}
"""Moments by their names: how many play, whether in a jumble, and which state it is."""


def _hand(state: State) -> list[str]:
    hand: list[str] = state["hands"][state["turn"]]
    return hand


def _game(seed: int, players: int, jumble: bool) -> Iterator[Moment]:
    return game_by(KIND, seed, players, {"jumble": jumble})


@cache
def moment(name: str) -> Moment:
    """Return the first such moment of games by rules of thumb."""
    players, jumble, is_it = WANTED[name]
    games = (_game(seed, players, jumble) for seed in range(SEEDS))
    return first_of(games, lambda now: is_it(now.state))


@cache
def end() -> Moment:
    return list(_game(1, 4, False))[-1]


def offered(page: Page) -> Locator:
    """Return what may be lifted: cards of the hand, or ways through time."""
    return page.locator("#hand .card.can, .ladder button:not(.no)")


@pytest.mark.parametrize("name", lanes.once(WANTED))
def test_a_phone_draws_every_decision(pages: Drawn, pictures: Path, name: str) -> None:
    now = moment(name)
    pages.tells(now.tells(now.seat))
    decision = GAME.decision(GAME.view(now.state, now.seat), now.seat, ["?"] * 6)
    assert decision is not None
    for page in pages.looks(now.seat, f"timechase-phone-{name}", pictures):
        open_hand(page)
        assert offered(page).count() == len(GAME.legal(now.state) or ())
        refused = [each for each in decision.choices if each.refused]
        assert page.locator("#hand .card.no, .ladder .no").count() == len(refused)
        offered(page).first.click()
        page.locator("#voice .main:enabled").wait_for()
        assert overflowing(page) == [], "a card of the first row is lifted"
        offered(page).last.click()


def test_six_who_choose_the_invariant_are_seen_on_a_small_phone(pages: Drawn) -> None:
    now = moment("the invariant")
    told = now.tells(now.seat)
    one, view = told["players"][0], told["view"]
    told["players"] = [{**one, "seat": seat, "name": name} for seat, name in enumerate(NAMES)]
    told["view"] = {**view, "travelers": [0] * len(NAMES), "fuel": [0] * len(NAMES)}
    pages.tells(told)
    with pages.phone(now.seat, SMALL_PHONE) as page:
        open_hand(page)
        place, names = page.locator(".choosing-invariant"), page.locator(".choosing-invariant b")
        room, last = place.bounding_box(), names.last.bounding_box()
        assert names.count() == len(NAMES)
        assert room and last and last["y"] + last["height"] <= room["y"] + room["height"]


@pytest.mark.parametrize("name", lanes.once(["a suit to follow", "back", "jump", "the invariant"]))
def test_what_is_lifted_is_done(pages: Drawn, name: str) -> None:
    """By touch and by keys; of a secret the button says nothing, also when another has sealed."""
    now = moment(name)
    legal = GAME.legal(now.state) or []
    is_secret = now.state["phase"] != "event"
    done = []
    pages.tells(now.tells(now.seat))
    with pages.phone(now.seat) as page:
        for at in range(len(legal)):
            pages.tells(now.tells(now.seat))
            if not at:
                open_hand(page)
            page.get_by_text("Somebody has sealed.").wait_for(state="detached")
            if at % 2:
                offered(page).nth(at).focus()
                page.keyboard.press("Enter")
            else:
                offered(page).nth(at).tap()
            pages.tells(now.tells(now.seat, notice="Somebody has sealed."))
            page.get_by_text("Somebody has sealed.").wait_for()
            button = page.locator("#voice .main:enabled")
            assert (button.inner_text() == "Seal it") == is_secret
            button.click()
            page.get_by_role("button", name="Choose first").wait_for()
            done.append(pages.acted())
    assert sorted(done) == sorted(legal)


def test_what_may_not_be_played_says_why(pages: Drawn) -> None:
    now = moment("a suit to follow")
    pages.tells(now.tells(now.seat))
    with pages.phone(now.seat) as page:
        open_hand(page)
        page.locator("#hand .card.no").first.tap(force=True)  # it is disabled, and says why
        assert page.locator("#voice .says").inner_text().startswith("You hold ")
        assert page.locator("#voice .main:enabled").count() == 0
    now = moment("nine events")
    pages.tells(now.tells(now.seat))
    with pages.phone(now.seat) as page:
        open_hand(page)
        page.locator(".ladder .no").first.tap(force=True)  # it is disabled, and says why
        assert "fuel, and you have" in page.locator("#voice .says").inner_text()


def test_a_covered_phone_shows_the_timeline_and_no_card_of_the_hand(
    pages: Drawn, pictures: Path
) -> None:
    now = moment("a suit to follow")
    other = (now.seat + 1) % 4
    pages.tells(now.tells(other))
    with pages.phone(other, SMALL_PHONE) as page:
        page.locator("body[data-mode=covered] .miniline").wait_for()
        assert page.locator(".lids .back").count() == len(now.state["hands"][other])
        shown = page.locator("#hand").inner_text()
        assert not any(card.split()[0] in shown for card in now.state["hands"][other])
        look_at(page, "timechase-phone-covered", pictures)


@pytest.mark.parametrize("name", lanes.once(WANTED))
def test_the_big_screen(pages: Drawn, pictures: Path, name: str) -> None:
    now = moment(name)
    pages.tells(now.tells(SPECTATOR))
    for page in pages.looks(SPECTATOR, f"timechase-big-{name}", pictures):
        page.locator(".timeline").wait_for()
        events = now.state["timeline"]
        assert page.locator(".event[data-at]").count() == len(events)
        stored = [*filter(None, now.state["winning"])]
        under = sum(a != b for a, b in zip(now.state["led"], now.state["winning"], strict=True))
        lying = page.locator(".event[data-at] .stored:not(.wide) .card")
        assert lying.count() == len(stored) + under
        assert page.locator("[data-traveler]").count() == now.state["players"]
        played = page.locator(".wide .by .card:not(.slot)")
        assert played.count() == len(now.state["played"])


@lanes.gate
def test_the_end(pages: Drawn, pictures: Path) -> None:
    now = end()
    pages.tells(now.tells(SPECTATOR), now.tells(0))
    for page in pages.looks(SPECTATOR, "timechase-big-end", pictures):
        page.locator(".event.won").first.wait_for()
    with pages.phone(0) as page:
        page.locator(".why").wait_for()
        look_at(page, "timechase-phone-end", pictures)


def test_what_happened_is_played_back_and_then_the_board_stands(
    pages: Drawn, pictures: Path
) -> None:
    """The last card of a trick is seen with the best, travelers fly; then all is as it is now."""
    game = list(_game(3, 4, False))
    tricks = [
        at for at, each in enumerate(game[1:]) if each.happened[len(game[at].happened) :][0].what
        == "played" and any(h.what == "taken" for h in each.happened[len(game[at].happened) :])
    ]  # fmt: skip
    moves = [
        at for at, each in enumerate(game[1:])
        if any(h.what == "traveled" and any(steps for _, steps, _ in h.facts["moves"])
               for h in each.happened[len(game[at].happened) :])
    ]  # fmt: skip
    for at, seen in ((tricks[2], ".card.best"), (moves[0], ".threads path")):
        before, after = game[at], game[at + 1]
        pages.tells(before.tells(SPECTATOR))
        with pages.screen(still=False) as page:
            page.locator(".timeline").wait_for()
            notes(page, seen)
            pages.tells(after.tells(SPECTATOR))
            has_shown(page, seen)
            page.screenshot(path=pictures / f"timechase-big-back-{seen.split()[0][1:]}.png")
            page.locator(seen).first.wait_for(state="detached", timeout=60_000)
            pages.tells(after.tells(SPECTATOR))
            at_rest = page.locator(".timeline").inner_text()
        with pages.screen() as page:
            page.locator(".timeline").wait_for()
            assert page.locator(".timeline").inner_text() == at_rest


def test_the_picture_of_the_readme(browser: Browser, pages: Drawn, pictures: Path) -> None:
    """It shows the big screen in the middle of a game, and a phone with a card lifted."""
    now = next(
        found
        for seed in range(SEEDS)
        for found in _game(seed, 4, False)
        if found.state["round"] == 6
        and _is_played(found.state, 2)
        and len(GAME.legal(found.state) or ()) < len(_hand(found.state))
    )
    pages.tells(now.tells(SPECTATOR), now.tells(now.seat))
    with pages.screen() as page:
        page.locator(".wide .card").first.wait_for()
        big = page.screenshot()
    with pages.phone(now.seat) as page:
        open_hand(page)
        offered(page).last.tap()
        page.locator("#voice .main:enabled").wait_for()
        phone = page.screenshot()
    side_by_side(browser, big, phone, pictures / "night.png")


def side_by_side(browser: Browser, big: bytes, phone: bytes, path: Path) -> None:
    """Keep a picture of a big screen and a phone, on a ground that light and dark pages bear."""
    page = browser.new_page(viewport={"width": 1280, "height": 600})
    shown = [b64encode(each).decode() for each in (big, phone)]
    images = "".join(f'<img src="data:image/png;base64,{each}">' for each in shown)
    page.set_content(f"<style>{_SIDE_BY_SIDE}</style>{images}")
    page.locator("img").last.evaluate("image => image.decode()")
    page.screenshot(path=path)
    page.close()


_SIDE_BY_SIDE = """
    body { display: flex; align-items: center; justify-content: space-between; height: 100vh;
      margin: 0; padding: 0 24px; box-sizing: border-box; background: #e6e1d8; }
    img { border: 6px solid #1d1830; border-radius: 14px; }
    img:first-child { width: 940px; }
    img:last-child { width: 250px; border-radius: 22px; }
"""
