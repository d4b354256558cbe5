"""Time Breaker's pages, drawn from states of real games: each decision, by touch and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from chronotable_night.games.interface import SPECTATOR, State
from chronotable_night.games.timebreaker.kind import KIND
from tests import lanes
from tests.night.drawn import Drawn, Moment, first_of, game_by, open_hand
from tests.page.browsing import Page, comes_true

pytestmark = pytest.mark.browser

GAME = KIND.game()
SEEDS = 400


def hand_of(now: Moment) -> list[str]:
    hand: list[str] = now.state["hands"][now.seat]
    return hand


def _cards(moment: Moment, *cards: str) -> bool:
    return moment.state["phase"] == "main" and set(cards) <= set(hand_of(moment))


def _why_not(now: Moment) -> dict[str, str]:
    """Return the cards that may not be played now, with the reason."""
    decision = GAME.decision(GAME.view(now.state, now.seat), now.seat, ["?"] * 5)
    choices = decision.choices if decision else ()
    return {each.action.split(" ")[1]: each.refused for each in choices if each.refused}


def _goes_over_the_edge(state: State) -> bool:
    if state["phase"] != "window" or state["played"][0] != "move:LR":
        return False
    grid = state["grid"]
    cells = sorted((grid.index(state["played"][1]), grid.index(state["pawns"][state["active"]])))
    return any(grid[cells[0] + 1 : cells[1]])


WANTED: Mapping[str, tuple[int, str, Callable[[Moment], bool]]] = {
    "a step": (4, "automatic", lambda now: _cards(now, "move:LRUD") and bool(now.state["closed"])),
    "many cards": (3, "automatic", lambda now: _cards(now) and len(hand_of(now)) > 10),
    "a card that may not be played": (
        3,
        "automatic",
        lambda now: _cards(now) and bool(_why_not(now)),
    ),
    "from the TRA": (2, "automatic", lambda now: _cards(now) and len(hand_of(now)) == 6),
    "a guide": (5, "automatic", lambda now: _cards(now, "on_the_move", "move:LR")),
    "a player": (3, "automatic", lambda now: _cards(now, "return_to_hq", "tag_along")),
    "jumps to dump": (
        2,
        "automatic",
        lambda now: any(each.startswith("dump") for each in GAME.legal(now.state) or ()),
    ),
    "an arrest": (2, "declared", lambda now: "arrest" in (GAME.legal(now.state) or ())),
    "a window": (4, "automatic", lambda now: _goes_over_the_edge(now.state)),
    "a stop": (5, "automatic", lambda now: len(now.state["stops"]) == 1),
    "a stop in hand": (
        4,
        "automatic",
        lambda now: now.state["phase"] == "window" and "stop_time" in hand_of(now),
    ),
    "a window beside long words": (
        3,
        "automatic",
        lambda now: (
            now.state["phase"] == "window"
            and len(hand_of(now)) > 6
            and {"desperate_grab", "quantum_leap"} <= set(hand_of(now))
        ),
    ),
    "a card of the deck": (
        3,
        "automatic",
        lambda now: now.state["phase"] == "play" and now.state["queue"][0] == "crash_a_gate",
    ),
    "a second arrow": (3, "automatic", lambda now: now.state["phase"] == "second"),
    "a leap": (3, "automatic", lambda now: now.state["phase"] == "leap"),
    "an order": (3, "automatic", lambda now: now.state["phase"] == "order"),
}
"""Moments by their names: how many play, how arrests are made, and which moment it is."""


def _game(seed: int, players: int, arrest: str = "automatic") -> Iterator[Moment]:
    return game_by(KIND, seed, players, {"arrest": arrest}, wisdom=0.3)


@cache
def moment(name: str) -> Moment:
    """Return the first such moment of games by chance and by rules of thumb."""
    players, arrest, is_it = WANTED[name]
    return first_of((_game(seed, players, arrest) for seed in range(SEEDS)), is_it)


def lift(page: Page, now: Moment, action: str) -> None:
    """Lift an action as a hand does: a card, what it is played with, then its target."""
    verb, *words = action.split(" ")
    if verb == "dump":
        page.get_by_role("button", name="Dump", exact=True).tap()
        left = list(hand_of(now))
        for card in words:
            at = left.index(card)
            left[at] = ""
            page.locator("#hand .card").nth(at).tap()
    elif verb == "leap":
        page.locator("#hand .card").nth(hand_of(now).index(words[0])).tap()
    elif verb == "follow":
        _follow(page, words[0])
    elif verb == "play":
        _play(page, now, words)
    else:
        page.locator("#hand .rest").get_by_text(verb.capitalize(), exact=True).tap()


def _follow(page: Page, tile: str) -> None:
    label = GAME.printed["labels"][tile]
    own = page.get_by_role("button", name=f"Follow to {label}", exact=True)
    if own.count():
        own.tap()
        return
    if page.get_by_text("Follow an arrow").count():
        page.get_by_text("Follow an arrow").tap()
    page.locator(f'.gate.target[data-tile="{tile}"]').tap()


def _play(page: Page, now: Moment, words: list[str]) -> None:
    card, *targets = words
    if now.state["phase"] == "play":
        page.locator("#hand .open .card").first.tap()
    else:
        page.locator("#hand .card").nth(hand_of(now).index(card)).tap()
    if targets and ":" in targets[0]:
        name = GAME.printed["cards"][targets[0]]
        label = f"with {name[0]} ({name[1]})" if name[1] else f"with {name[0]}"
        page.get_by_role("button", name=label, exact=True).tap()
        targets = targets[1:]
    if targets and targets[0].isdigit() and card in ("return_to_hq", "tag_along"):
        seat = int(targets[0])
        name = "You" if seat == now.seat else ("Ada", "Ben", "Cleo", "Dov", "Eve")[seat]
        page.locator("#hand .rest .plain").get_by_text(name, exact=True).tap()
    elif targets and page.locator(".gate.target").count():
        page.locator(f'.gate.target[data-tile="{targets[0]}"]').tap()


@pytest.mark.parametrize("name", lanes.once(WANTED))
def test_a_phone_draws_every_decision(pages: Drawn, pictures: Path, name: str) -> None:
    now = moment(name)
    legal = GAME.legal(now.state) or []
    pages.tells(now.tells(now.seat))
    for page in pages.looks(now.seat, f"timebreaker-phone-{name}", pictures):
        page.get_by_text("Tap to open").or_(page.locator(".equal")).first.wait_for()
        assert page.locator(".lids .back").count() == len(hand_of(now))
        open_hand(page)
        assert page.locator("#hand .card").count() >= len(hand_of(now))
        gaps = page.locator(".gate.gap").count()
        assert gaps == len(now.state["closed"])
        if now.state["phase"] not in ("window", "order"):
            with_target = [each for each in legal if len(each.split(" ")) > 2] or legal
            longest = max(with_target, key=lambda each: len(each.split(" ")))
            if page.evaluate("navigator.maxTouchPoints"):
                lift(page, now, longest)
                page.locator("#voice .main:enabled").wait_for()


@pytest.mark.parametrize(
    "name", lanes.once([name for name in WANTED if name not in ("many cards",)])
)
def test_what_is_lifted_is_done(pages: Drawn, name: str) -> None:
    """Every kind of legal action can be reached by touch; of one kind some are tried."""
    now = moment(name)
    legal = GAME.legal(now.state) or []
    kinds: dict[str, list[str]] = {}
    for action in legal:
        words = action.split(" ")
        kinds.setdefault(" ".join(words[:2]) if words[0] == "play" else words[0], []).append(action)
    wanted = [each for those in kinds.values() for each in Random(name).sample(those, 1)]
    with pages.phone(now.seat) as page:
        for number, action in enumerate(wanted):
            pages.refuses = ""
            told = now.tells(now.seat, notice=f"Try {number}.")
            pages.tells({**told, "decision": {**told["decision"], "explains": ""}})
            if not number:
                open_hand(page)
            page.get_by_text(f"Try {number}.").wait_for()
            pages.refuses = f"Not {number}."
            if now.state["phase"] in ("window", "order"):
                at = ["pass", "stop", "order hand", "order deck"].index(action) % 2
                page.locator(".equal .plain").nth(at).click()
            else:
                lift(page, now, action)
                page.locator("#voice .main:enabled").click()
            page.get_by_text(f"Not {number}.").wait_for()  # it was asked for, and is answered
            assert pages.acted() == action


def test_by_keys(pages: Drawn) -> None:
    now = moment("a step")
    action = next(each for each in GAME.legal(now.state) or () if each.startswith("play move:LRUD"))
    tile = action.split(" ")[2]
    pages.tells(now.tells(now.seat))
    with pages.phone(now.seat) as page:
        open_hand(page)
        page.locator("#hand .card").nth(hand_of(now).index("move:LRUD")).focus()
        page.keyboard.press("Enter")
        page.locator(f'.gate.target[data-tile="{tile}"]').focus()
        page.keyboard.press("Space")
        page.locator("#voice .main:enabled").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Choose first").wait_for()
        assert pages.acted() == action


def test_what_may_not_be_played_says_why(pages: Drawn) -> None:
    now = moment("a card that may not be played")
    refused = _why_not(now)
    pages.tells(now.tells(now.seat))
    with pages.phone(now.seat) as page:
        open_hand(page)
        for card, why in refused.items():
            page.locator("#hand .card").nth(hand_of(now).index(card)).tap(force=True)
            assert page.locator("#voice .says").inner_text() == why
            assert page.locator("#voice .main:enabled").count() == 0


def test_a_window_looks_the_same_with_and_without_a_stop_time(pages: Drawn) -> None:
    """Covered there is no difference; a look at the hand greys the button, and nothing else."""
    now = moment("a stop in hand")
    hands = list(now.state["hands"])
    other = next(
        card for card in now.state["deck"] if card.startswith("jump:") and card not in hand_of(now)
    )
    hands[now.seat] = sorted(other if card == "stop_time" else card for card in hand_of(now))
    without = now._replace(state={**now.state, "hands": hands})
    covered, opened_up = [], []
    for each in (now, without):
        pages.tells(each.tells(now.seat))
        with pages.phone(now.seat) as page:
            page.locator(".equal").wait_for()
            covered.append(page.locator("body").inner_html())
            assert page.locator(".equal button:enabled").count() == 2
            page.locator("#peek").hover()
            page.mouse.down()
            page.locator("body[data-mode=held]").wait_for()
            parts = [page.locator(part).inner_html() for part in ("header", "#field", "#me")]
            buttons = page.locator(".equal .plain")
            opened_up.append((parts, buttons.locator("b").all_inner_texts()))
            assert buttons.last.is_enabled() == (each is now)
            assert buttons.first.bounding_box()["width"] == buttons.last.bounding_box()["width"]  # type: ignore[index]
    assert covered[0] == covered[1]
    assert opened_up[0] == opened_up[1]


@pytest.mark.parametrize(
    "name", lanes.once(["a step", "a window", "a stop", "a card of the deck", "a leap"])
)
def test_the_big_screen(pages: Drawn, pictures: Path, name: str) -> None:
    now = moment(name)
    state = now.state
    labels = GAME.printed["labels"]
    pages.tells(now.tells(SPECTATOR))
    for page in pages.looks(SPECTATOR, f"timebreaker-big-{name}", pictures):
        page.locator(".grid").wait_for()
        shown = page.locator(".gate:not(.gap) .label").all_inner_texts()
        assert shown == [labels[tile] for tile in state["grid"] if tile]
        for seat, tile in enumerate(state["pawns"]):
            at = page.locator(f'.gate[data-tile="{tile}"] .pieces > .copy.p{seat + 1}')
            assert at.count() == 1
        assert page.locator(f'.gate[data-tile="{state["breaker"]}"] .copy.p0').count() == 1
        if name == "a window":  # out over one edge, in over the other
            assert page.locator("#seats .turn").count() == len(state["pawns"]) - 1
            assert page.locator(".threads .way").count() == 2


@lanes.gate
def test_the_end(pages: Drawn, pictures: Path) -> None:
    """It names the card and who let it pass, also on the phones."""
    game = next(
        found
        for seed in range(SEEDS)
        if (found := list(_game(seed, 4)))[-1].happened[-1].facts.get("passed")
    )
    now = game[-1]
    pages.tells(now.tells(SPECTATOR), now.tells(0))
    for page in pages.looks(SPECTATOR, "timebreaker-big-end", pictures):
        page.get_by_text("Let pass by:").wait_for()
    for page in pages.looks(0, "timebreaker-phone-end", pictures):
        page.get_by_text("Let pass by:").wait_for()


def test_pieces_go_where_they_are_then(pages: Drawn) -> None:
    game = list(_game(1, 3))
    flights = [
        (before, after)
        for before, after in pairwise(game)
        if before.state["pawns"] != after.state["pawns"]
    ]
    with pages.screen(still=False) as page:
        for before, after in flights[:4]:
            pages.tells(before.tells(SPECTATOR))
            page.locator(".grid").wait_for()
            pages.tells(after.tells(SPECTATOR))
            for seat, tile in enumerate(after.state["pawns"]):
                page.locator(f'.gate[data-tile="{tile}"] .pieces > .copy.p{seat + 1}').wait_for()
            comes_true(page, "() => !document.getAnimations().some((it) => it.id === 'flight')")
