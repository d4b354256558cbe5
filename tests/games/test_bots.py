"""The bot that plays possible games out: what it spends, and that it plays better for it."""

from __future__ import annotations

from random import Random

import pytest

from chronotable_night.games.bots import BOTS, by_sampling
from chronotable_night.games.interface import NOBODY, Foresight, Game, Kind, State
from chronotable_night.games.shelf import defaults, kinds
from tests import lanes, sweep

KINDS = kinds().values()
ACTIONS = 300


def first_choice(game: Game, state: State) -> tuple[State, int, int]:
    """Return the first view in which there is something to compare, whose it is, and how much."""
    while True:
        seat = game.to_decide(state)
        view = game.view(state, seat)
        compared = len({*game.candidates(view, seat, Random(1))})
        if compared > 1:
            return view, seat, compared
        state = game.apply(state, seat, game.sensible(view, seat, Random(1)))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
@pytest.mark.parametrize("horizon", [1, 5])
def test_it_spends_what_it_may(kind: Kind, horizon: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, done = kind.game(), []
    view, seat, compared = first_choice(game, game.new(3, kind.players[0], defaults(kind.options)))
    apply = game.apply

    def counted(state: State, seat: int, action: str) -> State:
        done.append(action)
        return apply(state, seat, action)

    monkeypatch.setattr(game, "apply", counted)
    by_sampling(game, view, seat, Random(1), Foresight(ACTIONS, horizon))
    # a round of draws ends with all that are compared in it, of which every round halves the number
    assert ACTIONS <= len(done) < ACTIONS + 2 * compared * horizon


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_where_all_is_worth_the_same_it_goes_by_the_rules_of_thumb(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot win any more spends nothing for it."""
    game = kind.game()
    monkeypatch.setattr(game, "worth", lambda _state, _seat: 0.0)
    for seed in range(4):
        state = game.new(seed, kind.players[0], defaults(kind.options))
        view, seat, _ = first_choice(game, state)
        found = by_sampling(game, view, seat, Random(seed), Foresight(ACTIONS, 1))
        assert found == game.sensible(view, seat, Random(seed))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_chance_alone_seldom_moves_it_from_what_is_sensible(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It paid with a Kronos of 12 where one of 1 was as good: states that could be differ."""
    game, luck, stayed = kind.game(), Random(1), 0
    monkeypatch.setattr(game, "worth", lambda _state, _seat: luck.random())
    for seed in range(20):
        state = game.new(seed, kind.players[0], defaults(kind.options))
        view, seat, _ = first_choice(game, state)
        found = by_sampling(game, view, seat, Random(seed), Foresight(ACTIONS, 1))
        stayed += found == game.sensible(view, seat, Random(seed))
    assert stayed >= 15


@lanes.full
def test_it_beats_the_rules_of_thumb_where_all_lies_open() -> None:
    """Games with hidden hands take hundreds of games to tell (`tests.lab.bots`), this one few."""
    game, count, won = kinds()["ttykm"].game(), sweep.size(2, 10, 100), 0
    for seed in range(count):
        chance, own = Random(seed), seed % 2
        state = game.new(seed, 2, {})
        while (seat := game.to_decide(state)) != NOBODY:
            bot = BOTS["sampling" if seat == own else "sensible"]
            state = game.apply(state, seat, bot(game, game.view(state, seat), seat, chance))
        outcome = game.outcome(state)
        won += outcome is not None and own in outcome.winners
    assert won >= 0.8 * count, f"won {won} of {count}"
