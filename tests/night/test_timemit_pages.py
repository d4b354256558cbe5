"""TIMEmiT's pages, drawn from states of real games: each kind of decision, by touch and keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest

from chronotable_night.games.bots import by_rules_of_thumb
from chronotable_night.games.interface import NOBODY, SPECTATOR, GameHappening
from chronotable_night.games.timemit.kind import KIND
from tests import lanes
from tests.night.drawn import (
    NAMES,
    PHONES,
    SCREENS,
    SMALL_PHONE,
    Drawn,
    Moment,
    has_shown,
    look_at,
    notes,
    open_hand,
)
from tests.page.browsing import Page, Size

pytestmark = pytest.mark.browser

GAME = KIND.game()
SEEDS = 40
"""Games in which every kind of decision comes up."""


@cache
def moments() -> Mapping[str, Moment]:
    """Return a late moment of each kind of decision, with many cards on the table, and the end."""
    found: dict[str, Moment] = {}
    for seed in range(SEEDS):
        state, chance, happened = GAME.new(seed, 2, {}), Random(seed), ()
        while (seat := GAME.to_decide(state)) != NOBODY:
            moment = Moment(KIND, GAME, state, happened)
            if _fullness(moment) > _fullness(found.get(state["ask"])):
                found[state["ask"]] = moment
            now: list[GameHappening] = []
            action = by_rules_of_thumb(GAME, GAME.view(state, seat), seat, chance)
            if state["ask"] == "recall" or chance.random() < 0.3:
                action = chance.choice(GAME.legal(state) or [action])
            state = GAME.apply(state, seat, action, now)
            happened = tuple(now)
        found["over"] = Moment(KIND, GAME, state, happened)
    return found


def _fullness(moment: Moment | None) -> int:
    if moment is None:
        return -1
    state = moment.state
    return sum(len(state["revealed"][seat]) for seat in range(2)) + state["round"]


KINDS = (
    *("recall", "draw", "bid", "option", "order", "choose", "remove", "give", "peek"),
    *("spend", "take"),
)


def test_every_kind_of_decision_comes_up() -> None:
    assert set(moments()) == {*KINDS, "over"}


@pytest.mark.parametrize("kind", lanes.once(KINDS))
def test_a_phone_draws_every_decision(pages: Drawn, pictures: Path, kind: str) -> None:
    moment = moments()[kind]
    pages.tells(moment.tells(moment.seat))
    for page in pages.looks(
        moment.seat,
        f"timemit-phone-{kind}",
        pictures,
        PHONES if kind in ("draw", "bid") else PHONES[:4],
    ):
        open_hand(page)


def symbolled(moment: Moment) -> int:
    """Return how many cards of the row have symbols: they lie open all round long (TM2)."""
    cards = [moment.game.printed["cards"].get(str(card)) for card in moment.state["row"]]
    return sum(bool(card and card.get("symbols")) for card in cards)


@pytest.mark.parametrize("kind", ["draw", "bid", "option"])
@pytest.mark.parametrize(("size", "theme"), SCREENS)
def test_the_big_screen_draws_combat_and_bids(
    pages: Drawn, pictures: Path, kind: str, size: Size, theme: str
) -> None:
    pages.tells(moments()[kind].tells(SPECTATOR))
    with pages.screen(size, theme) as page:
        page.locator(".board .ship").wait_for()
        assert page.locator(".lane").count() == (0 if kind == "draw" else 4)
        shown = page.locator(":is(.lane h2, .offered li) .syms").count()
        assert shown == symbolled(moments()[kind])
        look_at(page, f"timemit-big-{kind}-{size[0]}x{size[1]}-{theme}", pictures)


def test_the_end_shows_where_the_ship_is(pages: Drawn, pictures: Path) -> None:
    moment = moments()["over"]
    pages.tells(moment.tells(SPECTATOR), moment.tells(0))
    for page in pages.looks(SPECTATOR, "timemit-big-over", pictures, SCREENS[:2]):
        page.locator(".track .ship").wait_for()
    with pages.phone(0) as page:
        page.locator(".why").wait_for()
        look_at(page, "timemit-phone-over", pictures)


def test_a_covered_phone_shows_the_ship_and_no_kronos(pages: Drawn, pictures: Path) -> None:
    moment = moments()["bid"]
    pages.tells(moment.tells(1 - moment.seat))
    with pages.phone(1 - moment.seat, SMALL_PHONE) as page:
        page.locator("body[data-mode=covered] .ship").wait_for()
        assert page.locator(".coin").count() == 0
        assert page.locator(".lids .back").count() == len(moment.state["kronos"][1 - moment.seat])
        look_at(page, "timemit-phone-covered", pictures)


def is_answered(page: Page) -> None:
    """Wait until what was asked for is answered: nothing is lifted any more."""
    page.locator("#voice .main").get_by_text("Choose first").wait_for()


@lanes.gate
def test_a_bid_is_made_by_tapping(pages: Drawn) -> None:
    state = GAME.apply(GAME.apply(GAME.new(1, 2, {}), 0, "stop"), 1, "stop")
    seat = GAME.to_decide(state)
    pages.tells(Moment(KIND, GAME, state, ()).tells(seat))
    with pages.phone(seat) as page:
        open_hand(page)
        event, first, *_ = page.locator(".lanes .choose b").all_inner_texts()
        page.get_by_role("button", name=f"Lay Kronos 25 at {event}").tap()
        page.locator(".lanes .choose").nth(1).tap()
        page.get_by_role("button", name=f"Lay Kronos 6 at {first}").tap()
        page.get_by_role("button", name=f"Lay Kronos 15 at {first}").tap()
        says = page.locator("#voice .says").inner_text()
        assert says.startswith(f"21 on {first}. Win it and the 21 is spent")
        page.get_by_role("button", name=f"Take Kronos 25 back from {event}").tap()
        page.get_by_role("button", name=f"Lay Kronos 4 at {event}").first.tap()
        page.get_by_role("button", name="Seal all four").tap()
        is_answered(page)
        action = pages.acted()
        assert action == "bid 1:15,6 4:4"
        GAME.apply(state, seat, action)
        page.get_by_role("button", name="Bid nothing").tap()
        page.locator("#voice .main").tap()
        is_answered(page)
        assert pages.acted() == "bid none"


def test_a_bid_is_made_by_keys(pages: Drawn) -> None:
    state = GAME.apply(GAME.apply(GAME.new(1, 2, {}), 0, "stop"), 1, "stop")
    seat = GAME.to_decide(state)
    pages.tells(Moment(KIND, GAME, state, ()).tells(seat))
    with pages.phone(seat, SMALL_PHONE) as page:
        open_hand(page)
        page.locator(".lanes .choose").nth(2).focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Lay Kronos 10 at").focus()
        page.keyboard.press("Space")
        page.locator("#voice .main:enabled").focus()
        page.keyboard.press("Enter")
        is_answered(page)
        assert pages.acted() == "bid 2:10"


@pytest.mark.parametrize("kind", ["order", "remove", "give", "spend", "take"])
def test_cards_and_kronos_are_chosen_by_tapping(pages: Drawn, kind: str) -> None:
    moment = moments()[kind]
    pages.tells(moment.tells(moment.seat))
    with pages.phone(moment.seat) as page:
        open_hand(page)
        things = page.locator("#hand .gadget, #hand .coin")
        for at in range(things.count()):
            if page.locator("#voice .main:enabled").count():
                break
            things.nth(at).tap()
        page.locator("#voice .main:enabled").tap()
        is_answered(page)
        action = pages.acted()
        assert action in (GAME.legal(moment.state) or ())
        assert action != "remove none"
        if kind == "remove":
            page.get_by_role("button", name="Remove none").tap()
            page.locator("#voice .main:enabled").tap()
            is_answered(page)
            assert pages.acted() == "remove none"


def opening() -> tuple[Moment, Moment]:
    """Return a state before the last bid, and after it: nobody is asked until all are resolved."""
    for seed in range(SEEDS):
        state = GAME.new(seed, 2, {})
        while state["ask"] == "draw":
            state = GAME.apply(state, GAME.to_decide(state), "stop")
        happened: list[GameHappening] = []
        if state["ask"] == "bid":
            first = GAME.to_decide(state)
            state = GAME.apply(state, first, "bid 1:15,6 4:4")
            after = GAME.apply(state, 1 - first, "bid 1:8 2:1", happened)
            if [each.what for each in happened].count("lane") == 4:
                told = Moment(KIND, GAME, after, tuple(happened))
                return Moment(KIND, GAME, state, ()), told
    raise AssertionError(f"no such game among the seeds 0 to {SEEDS - 1}")


@lanes.gate
def test_bids_are_opened_one_lane_after_another(pages: Drawn, pictures: Path) -> None:
    """Where an action leads to many things, the big screen shows them, then the board as it is."""
    before, after = opening()
    pages.tells(before.tells(SPECTATOR))
    with pages.screen(still=False) as page:
        page.locator(".board .lane").first.wait_for()
        notes(page, ".lane.open .side b", ".lane.open .wins", "#headline")
        pages.tells(after.tells(SPECTATOR))
        for lane in ("4", "21", "0"):
            has_shown(page, lane)
            if lane == "21":
                has_shown(page, ".lane.open .wins")
                won = [each for each in after.happened if each.what == "win"][1]
                headline, *adds = GAME.says(won, NAMES, SPECTATOR).split(". ")
                has_shown(page, f"{headline}." if adds else headline)  # the rest stands below
                page.screenshot(path=pictures / "timemit-big-opening.png")
        page.locator("#told:not(:empty)").wait_for(timeout=60_000)
