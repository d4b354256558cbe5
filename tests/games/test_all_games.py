"""What every game of a games night keeps to, whatever its rules: ends, secrets, actions, words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from itertools import product
from math import ceil
from random import Random
from typing import Any

import pytest

from chronotable_host.vectors import Tally, verify_text
from chronotable_night.games.bots import BOTS, by_sampling
from chronotable_night.games.interface import (
    EVERYBODY,
    NOBODY,
    SPECTATOR,
    Foresight,
    Game,
    GameHappening,
    IllegalActionError,
    Kind,
    State,
)
from chronotable_night.games.portable import canonical
from chronotable_night.games.shelf import kinds
from tests import lanes, sweep
from tests.games.courses import (
    NAMES,
    SENTENCE,
    VECTORS,
    Examples,
    boxes,
    course,
    courses_of,
    tables,
)

KINDS = kinds().values()

LONGEST = 240
"""Characters of an explanation: beside it a small phone has room for the board and the hand."""

INNER = re.compile(r"[a-z]+_[a-z]+|\{|\}|jump:|move:|None|  ")

every_kind = pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])


def _shown(game: Game, state: State, seat: int, happenings: Sequence[GameHappening]) -> str:
    """Return all that a seat is sent: its view, and everything in words."""
    view = game.view(state, seat)
    outcome = game.outcome(view)
    heard = [each for each in happenings if each.to in (EVERYBODY, seat)]
    return canonical(
        {
            "view": view,
            "headline": game.headline(view, NAMES),
            "decision": None if seat == SPECTATOR else game.decision(view, seat, NAMES),
            "happened": [[each.what, each.facts, game.says(each, NAMES, seat)] for each in heard],
            "why": outcome and game.why(outcome, view, NAMES),
        }
    )


@every_kind
def test_every_game_by_chance_ends_and_its_states_are_json(kind: Kind) -> None:
    cases = list(product(boxes(kind), tables(kind)))
    for game, (players, options) in cases:
        for seed in range(sweep.size(2, 40, ceil(10_000 / len(cases)))):
            state = game.new(seed, players, options)
            assert kind.holds(state)
            for step in course(game, state, Random(seed)):
                legal = game.legal(step.before)
                assert legal is None or len(set(legal)) == len(legal) > 0, (seed, step.before)
                state = step.after
            outcome = game.outcome(state)
            assert outcome is not None, seed
            assert set(outcome.winners) <= set(range(players)), seed
            assert json.loads(canonical(state)) == state, seed
            assert game.why(outcome, game.view(state, SPECTATOR), NAMES), seed


@pytest.mark.parametrize(
    ("file", "cases"),
    [
        ("timechase_games.jsonl", 32),
        ("timechase_examples.json", 78),
        pytest.param("timebreaker_games.jsonl", 30, marks=lanes.gate),
        ("timebreaker_examples.json", 103),
        pytest.param("timemit_games.jsonl", 30, marks=lanes.gate),
        ("timemit_examples.json", 123),
    ],
)
def test_the_vectors_pass(file: str, cases: int) -> None:
    tally = Tally()
    text = (VECTORS / file).read_text("utf-8")
    assert [str(each) for each in verify_text(text, file, tally)] == []
    assert (tally.passed, tally.failed, tally.not_covered) == (cases, 0, 0)


@pytest.mark.parametrize("name", ["timechase", "timebreaker", "timemit"])
def test_what_is_illegal_is_refused_by_its_rule_in_a_sentence(name: str) -> None:
    """The vectors name a rule, or say it in words."""
    kind = kinds()[name]
    examples, met = Examples(kind), set()
    for illegal in examples.illegal:
        state, about = illegal["state"], illegal.get("note", illegal["action"])
        with pytest.raises(IllegalActionError) as refused:
            examples.game(state).apply(state, illegal["seat"], illegal["action"])
        named, *_ = illegal["rule"].split()
        assert refused.value.rule == named or named not in kind.rules, about
        assert refused.value.rule in kind.rules, about
        met.add(refused.value.rule)
        assert re.fullmatch(r"[A-Z].*\.", refused.value.why), about
    assert len(met) > 5
    assert all(text.endswith(".") for text in kind.rules.values())
    assert [re.sub(r"\D", "", rule) for rule in kind.rules] == [
        str(number) for number in range(1, len(kind.rules) + 1)
    ]


@pytest.mark.parametrize(
    ("name", "players", "options", "least"),
    [
        ("timechase", 4, {"jumble": True}, 0.75),
        ("timechase", 4, {"jumble": False}, 0.75),
        ("timebreaker", 2, {"first": -1}, 0.9),
        ("timebreaker", 3, {"first": -1}, 0.85),
        ("timebreaker", 5, {"first": -1}, 0.75),
        ("timemit", 2, {}, 0.85),
    ],
)
def test_a_sensible_player_wins_much_more_than_its_share_against_chance(
    name: str, players: int, options: dict[str, Any], least: float
) -> None:
    """Of 200 games: Time Chase 180, Time Breaker 196, 192 and 178, TIMEmiT 192."""
    game, count, won = kinds()[name].game(), sweep.size(40, 200), 0
    for seed in range(count):
        chance, own = Random(seed), seed % players
        state = game.new(chance.getrandbits(64), players, options)
        while (seat := game.to_decide(state)) != NOBODY:
            bot = BOTS["sensible" if seat == own else "random"]
            state = game.apply(state, seat, bot(game, game.view(state, seat), seat, chance))
        outcome = game.outcome(state)
        won += outcome is not None and own in outcome.winners
    assert won >= least * count, won


@pytest.mark.parametrize("name", ["timebreaker", "timemit"])
def test_a_game_with_data_is_played_with_two_files(name: str) -> None:
    assert len(boxes(kinds()[name])) == 2


@lanes.gate
@every_kind
def test_a_seat_is_sent_nothing_that_depends_on_what_it_cannot_know(kind: Kind) -> None:
    game = kind.game()
    for at in courses_of(kind, sweep.size(1, 3, 50), game):
        happenings: Sequence[GameHappening] = ()
        for step in at.steps:
            for seat in range(SPECTATOR, at.players):
                shown = _shown(game, step.before, seat, happenings)
                other = game.possible(game.view(step.before, seat), seat, at.chance)
                assert _shown(game, other, seat, happenings) == shown, (at.seed, seat)
            happenings = step.happenings


@lanes.gate
@every_kind
def test_a_hidden_action_is_told_like_any_other_that_looks_the_same(kind: Kind) -> None:
    """If a seat sees the same state before and after a hidden action, it hears the same words.

    An open action may leave no trace, such as a card that was added to a bid in vain: it is tried
    again where other things are hidden, but not exchanged for another one. What it opens to all,
    such as the bids of the next lane, may differ then.
    """
    game = kind.game()
    for at in courses_of(kind, sweep.size(1, 5, 50), game):
        for step in at.steps:
            seat = at.chance.randrange(SPECTATOR, at.players)
            seen = game.view(step.before, seat)
            other = game.possible(seen, seat, at.chance)
            expected = _shown(game, step.after, seat, step.happenings)
            hidden = len(game.deciding(step.before)) > 1 or game.legal(step.before) is None
            actions = _some_actions(game, other, step.seat, at.chance) if hidden else [step.action]
            for action in actions:
                if not hidden and action not in (game.legal(other) or ()):
                    continue
                heard: list[GameHappening] = []
                after = game.apply(other, step.seat, action, heard)
                if not hidden and _opened(heard) != _opened(step.happenings):
                    continue
                if game.view(after, seat) == game.view(step.after, seat):
                    assert _shown(game, after, seat, heard) == expected, (at.seed, seat, action)


def _opened(happenings: Sequence[GameHappening]) -> list[GameHappening]:
    return [each for each in happenings if each.to == EVERYBODY]


def _some_actions(game: Game, state: State, seat: int, chance: Random) -> Sequence[str]:
    legal = game.legal(state)
    if legal is None:
        return game.candidates(game.view(state, seat), seat, chance)
    return chance.sample(legal, min(len(legal), 6))


@every_kind
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[lanes.full] if each == "sampling" else []) for each in BOTS],
)
def test_a_bot_chooses_the_same_when_hidden_cards_are_exchanged(kind: Kind, name: str) -> None:
    game = kind.game()
    bot = BOTS[name] if name != "sampling" else partial(by_sampling, foresight=Foresight(200, 10))
    for at in courses_of(kind, sweep.size(1, 2, 10), game):
        for number, step in enumerate(at.steps):
            if number % 7:
                continue
            view = game.view(step.before, step.seat)
            other = game.view(game.possible(view, step.seat, at.chance), step.seat)
            luck = at.chance.getrandbits(32)
            chosen = bot(game, view, step.seat, Random(luck))
            assert bot(game, other, step.seat, Random(luck)) == chosen, at.seed
            game.apply(step.before, step.seat, chosen)  # legal


@lanes.gate
@every_kind
def test_who_decides_out_of_turn_is_refused_and_nothing_changes(kind: Kind) -> None:
    game = kind.game()
    for at in courses_of(kind, sweep.size(1, 3, 20), game):
        for step in at.steps:
            before = canonical(step.before)
            for seat in {*range(SPECTATOR, at.players + 1)} - {step.seat}:
                with pytest.raises(IllegalActionError):
                    game.apply(step.before, seat, step.action)
            for action in ("", " ", step.action + " ", step.action.upper() + "!", "\0"):
                with pytest.raises(IllegalActionError):
                    game.apply(step.before, step.seat, action)
            assert canonical(step.before) == before, at.seed
        with pytest.raises(IllegalActionError):
            game.apply(step.after, step.seat, step.action)


@lanes.gate
@every_kind
def test_a_decision_offers_just_the_legal_actions_and_says_why_others_are_none(kind: Kind) -> None:
    game = kind.game()
    for at in courses_of(kind, sweep.size(1, 3, 20), game):
        for step in at.steps:
            decision = game.decision(game.view(step.before, step.seat), step.seat, NAMES)
            assert decision is not None, at.seed
            legal = game.legal(step.before)
            assert legal == game.legal(game.view(step.before, step.seat)), at.seed
            if legal is not None:
                offered = [each.action for each in decision.choices if not each.refused]
                on_boards = kind.name == "ttykm"  # its turns are made there, and nothing is listed
                assert sorted(offered) == ([] if on_boards else sorted(legal)), at.seed
            assert all(each.label for each in decision.choices), at.seed
            assert set(decision.rules) <= set(kind.rules), at.seed
            assert 0 < len(decision.explains) <= LONGEST, at.seed


@lanes.gate
@every_kind
def test_whatever_is_said_is_a_sentence_and_names_no_text_of_the_program(kind: Kind) -> None:
    for game in boxes(kind):
        for at in courses_of(kind, sweep.size(1, 4, 20), game):
            for step in at.steps:
                view = game.view(step.before, step.seat)
                decision = game.decision(view, step.seat, NAMES)
                assert decision is not None
                assert not INNER.search(" ".join(game.headline(view, NAMES))), at.seed
                texts = [decision.explains]
                for choice in decision.choices:
                    texts.append(choice.refused.partition(" (")[0] or choice.says)
                    assert not INNER.search(choice.label + choice.refused), choice
                for seat in range(SPECTATOR, at.players):
                    said = [game.says(each, NAMES, seat) for each in step.happenings]
                    texts += filter(None, said)
                for text in texts:
                    assert SENTENCE.fullmatch(text), (at.seed, text)
                    assert not INNER.search(text), (at.seed, text)


@every_kind
def test_who_may_choose_at_once_begins_with_whose_turn_it_is(kind: Kind) -> None:
    game = kind.game()
    for at in courses_of(kind, sweep.size(1, 3, 20), game):
        for step in at.steps:
            for viewed in (step.before, *(game.view(step.before, s) for s in range(at.players))):
                deciding = game.deciding(viewed)
                assert deciding[0] == game.to_decide(viewed) == step.seat != NOBODY, at.seed
                assert len(set(deciding)) == len(deciding), at.seed
            for seat in deciding:
                assert game.decision(game.view(step.before, seat), seat, NAMES), (at.seed, seat)
