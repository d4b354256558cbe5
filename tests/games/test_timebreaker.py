"""Time Breaker: the engine against its vectors, its data files, what it conserves, its bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from chronotable_night.games.interface import (
    SPECTATOR,
    DataError,
    IllegalActionError,
    State,
)
from chronotable_night.games.portable import canonical, digest, next_number, shuffled
from chronotable_night.games.timebreaker.kind import KIND, TimeBreaker
from chronotable_night.games.timebreaker.pieces import step_targets, steps_from
from tests import lanes, sweep
from tests.games.courses import Examples, changed, courses_of

EXAMPLES = Examples(KIND)
GAMES: Any = EXAMPLES.games
example = EXAMPLES.by_id.__getitem__


@pytest.mark.parametrize("name", EXAMPLES.by_id)
def test_the_facts_of_the_examples(name: str) -> None:
    """They say again what of the state an example is about."""
    state, facts = EXAMPLES.after(name), example(name)["expect"]["facts"]
    assert {field: state[field] for field in facts} == facts


def test_the_check_values_of_chance_and_of_new_games() -> None:
    assert next_number(0)[0] == 16294208416658607535
    assert shuffled([1, 2, 3, 4], 1) == ([3, 1, 4, 2], 15755400384260043840)
    game = KIND.game()
    state = game.new(1, 2, {"arrest": "automatic", "first": 0})
    assert digest(state) == "8c7a27ed43dd0660"
    assert digest(game.view(state, 0)) == "04f611735cc5420c"
    assert digest(game.view(state, SPECTATOR)) == "9bf4703b37c04728"
    state = game.new(2**64 - 1, 5, {"arrest": "declared", "first": -1})
    assert (digest(state), state["active"]) == ("b25fe403e38c884d", 0)
    other = GAMES["124fedfd5ddbb03b"].new(12345, 3, {"arrest": "automatic", "first": 2})
    assert digest(other) == "95710699d918d2e4"


# ---- data files


@pytest.mark.parametrize("bad", EXAMPLES.file["bad_data"], ids=lambda bad: bad["why"])
def test_bad_data_is_refused_with_the_place_of_the_mistake(bad: Mapping[str, Any]) -> None:
    with pytest.raises(DataError) as caught:
        KIND.game(changed(KIND, bad["path"], bad["value"]))
    # a tile that is named twice, or no longer there, may be noticed where it is named
    assert caught.value.place.split(".")[0] == bad["path"].split(".")[0]
    assert caught.value.why.endswith(".")


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        ("gates", 7, "gates"),
        ("gates", [], "gates"),
        ("gates.3", None, "gates.3"),
        ("gates.3.id", 5, "gates.3.id"),
        ("gates.3.id", "TRA", "tra.id"),
        ("gates.3.green", "", "gates.3.green"),
        ("gates.3.green", [["x"]], "gates.3.green"),
        ("gates.3.green", ["G01", "G01"], "gates.3.green"),
        ("gates.3.red", {"x": 1}, "gates.3.red"),
        ("gates.3.red", "nowhere", "gates.3.red"),
        ("tra", [], "tra"),
        ("tra.green", [], "tra.green"),
        ("deck", {}, "deck"),
        ("deck", [], "deck"),
        ("deck.2", "jump", "deck.2"),
        ("deck.2.total", True, "deck.2.total"),
        ("deck.2.total", -1, "deck.2.total"),
        ("deck.2.total", 10**12, "deck.2.total"),
        ("deck.2.dirs", ["LR"], "deck.2.dirs"),
        ("deck.4.card", ["jump"], "deck.4.card"),
        ("deck.0.count_each", "1", "deck.0.count_each"),
        ("deck.0.target", "nowhere", "deck.0.target"),
        ("deck.0.target", {}, "deck.0.target"),
    ],
)
def test_the_place_of_a_mistake(place: str, value: Any, named: str) -> None:
    with pytest.raises(DataError) as caught:
        KIND.game(changed(KIND, place, value))
    assert caught.value.place == named


def test_labels_and_unknown_keys_change_nothing_but_what_is_read() -> None:
    game = KIND.game(changed(KIND, "gates.0.label", "1066"))
    assert game.data_hash == KIND.game().data_hash
    tile = KIND.default_data["gates"][0]["id"]
    assert game.printed["labels"][tile] == "1066"
    assert game.printed["labels"]["TRA"] == "TRA"
    for label in (7, "", "\x1b[31m", "  "):
        labels = KIND.game(changed(KIND, "gates.0.label", label)).printed["labels"]
        assert labels[tile] == tile[1:]  # a letter that all gates begin with says nothing


def test_verified_data_may_have_another_number_of_cards_and_needs_no_remark() -> None:
    data = changed(KIND, "deck.1.total", 9)
    assert KIND.game({**data, "verified": True}).data_note == ""
    assert KIND.game().data_note != ""
    with pytest.raises(DataError):
        KIND.game({**data, "verified": "yes"})


# ---- the grid


def test_steps_go_over_the_edge_and_past_gaps() -> None:
    grid = [str(cell) for cell in range(25)]
    assert steps_from(grid, "0") == {"L": "4", "R": "1", "U": "20", "D": "5"}
    grid[4] = grid[3] = ""
    assert steps_from(grid, "0")["L"] == "2"
    for cell in (1, 2, 5, 10, 15):
        grid[cell] = ""
    assert steps_from(grid, "0") == {"U": "20", "D": "20"}
    assert list(step_targets(grid, "0")) == ["20"]


# ---- what holds in all games


def all_cards(state: State) -> Counter[str]:
    stops = ["stop_time"] * len(state["stops"])
    piles = (state["deck"], state["discard"], state["queue"], state["played"][:1], stops)
    return Counter(card for pile in (*state["hands"], *piles) for card in pile)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_cards_are_conserved_and_what_was_shown_is_held(game: TimeBreaker) -> None:
    cards = None
    for at in courses_of(KIND, sweep.size(1, 20, 320), game):
        start = at.start
        cards = cards or all_cards(start)
        for step in at.steps:
            state = step.after
            assert all_cards(state) == cards, at.seed
            for hand, shown in zip(state["hands"], state["shown"], strict=True):
                assert hand == sorted(hand), at.seed
                assert shown == sorted(shown), at.seed
                assert not Counter(shown) - Counter(hand), at.seed
            gone = Counter(step.before["grid"]) - Counter(state["grid"])
            assert sorted([*step.before["closed"], *gone]) == state["closed"], at.seed
            assert set(state["pawns"]) | {state["breaker"]} <= set(state["grid"]), at.seed


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_is_listed_is_what_is_taken(game: TimeBreaker) -> None:
    """Applying an action does not list all of them; both ways say the same."""
    for at in courses_of(KIND, sweep.size(1, 4, 40), game):
        for step in at.steps:
            before = canonical(step.before)
            legal = game.legal(step.before) or []
            for action in legal if len(legal) < 60 else at.chance.sample(legal, 60):
                game.apply(step.before, step.seat, action)
            assert canonical(step.before) == before, at.seed
            tile = at.chance.choice(step.before["grid"])
            for card in (*step.before["hands"][step.seat], "jump:x"):
                for action in (f"play {card}", f"play {card} {tile}", f"dump {card}"):
                    if action not in legal:
                        with pytest.raises(IllegalActionError):
                            game.apply(step.before, step.seat, action)


def test_so_many_jumps_to_dump_that_they_are_not_listed() -> None:
    game = KIND.game()
    state = dict(game.new(1, 2, {"first": 0}))
    gates = [gate["id"] for gate in KIND.default_data["gates"]][:12]
    gates = [gate for gate in gates if gate != state["breaker"]][:10]
    state["closed"] = sorted(gates)
    state["grid"] = ["" if tile in gates else tile for tile in state["grid"]]
    state["hands"] = [sorted(f"jump:{gate}" for gate in gates), []]
    assert game.legal(state) is None
    decision = game.decision(game.view(state, 0), 0, ("Ada", "Ben"))
    assert decision is not None
    offered = [each for each in decision.choices if each.action.startswith("dump")]
    assert len(offered) == 1
    after = game.apply(state, 0, offered[0].action)
    assert len(after["hands"][0]) == len(gates)
    assert after["dumped"] == 1


@lanes.gate
def test_what_may_be_is_what_is_seen() -> None:
    for key, game in GAMES.items():
        for at in courses_of(KIND, sweep.size(1, 4, 40), game):
            for step in at.steps:
                for seat in range(SPECTATOR, at.players):
                    view = game.view(step.before, seat)
                    state = game.possible(view, seat, at.chance)
                    assert game.view(state, seat) == view, (key, at.seed)
                    assert all_cards(state) == all_cards(step.before), (key, at.seed)
                    assert game.legal(state) != [], (key, at.seed)


def test_a_guide_that_was_named_stays_in_the_hand_where_all_know_it() -> None:
    state = EXAMPLES.after("X19", 1)
    game = EXAMPLES.game(state)
    for seed in range(20):
        drawn = game.possible(game.view(state, 1), 1, Random(seed))
        assert "move:LRUD" in drawn["hands"][0]


# ---- bots


def test_a_sensible_player_goes_home_by_an_arrow_rather_than_by_a_card() -> None:
    start = dict(example("X2b")["start"])
    game = GAMES[start["data"]]
    start["hands"] = [["return_to_hq"], *start["hands"][1:]]
    assert game.sensible(game.view(start, 0), 0, Random(1)).startswith("follow")


def test_a_sensible_player_stops_a_win_and_only_with_a_stop_time() -> None:
    found = example("X4")
    game = GAMES[found["start"]["data"]]
    ((seat, action), *_) = EXAMPLES.actions("X4")
    for hand, expected in ([], "pass"), (["stop_time"], "stop"):
        start = {**found["start"], "hands": [found["start"]["hands"][0], hand]}
        state = game.apply(start, seat, action)
        assert game.sensible(game.view(state, 1), 1, Random(1)) == expected


def test_a_sensible_player_stops_who_would_go_home_by_an_arrow_next_if_nobody_else_can() -> None:
    """An arrow cannot be stopped; it kept Stop Time for a card that took more from it."""
    game, hands = KIND.game(), [["jump:" + gate(17)], ["stop_time", "jump:G02"]]
    for others, expected in ([], "stop"), ([["jump:G02"]], "pass"):
        begun = game.new(4, 2 + len(others), {"first": 0})
        state = {
            **begun,
            "hands": [*hands, *others],
            "pawns": ["G05"] * (2 + len(others)),
            "breaker": gate(17),
            "closed": [gate(24)],
            "grid": ["" if tile == gate(24) else tile for tile in begun["grid"]],
        }
        state = game.apply(state, 0, "play jump:" + gate(17))
        assert game.sensible(game.view(state, 1), 1, Random(1)) == expected


def test_a_sensible_player_keeps_a_stop_time_that_a_desperate_grab_would_throw_away() -> None:
    hands = [["desperate_grab", "stop_time"], ["join_me"] * 3, ["join_me"] * 3]
    where = {"pawns": ["TRA", "G02", "G02"], "breaker": "G02"}
    assert choice_of(1, hands=hands, **where) != "play desperate_grab"


def test_a_sensible_player_grabs_from_afar_only_where_few_cards_are_thrown_away() -> None:
    """A full hand with Stop Times is worth more than a pawn beside a captor who is nearly home."""
    found = example("X4")["start"]
    game = GAMES[found["data"]]
    start = {**game.new(1, 3, {"first": 0}), "pawns": ["TRA", "G02", "TRA"]}
    start["breaker"] = start["pawns"][1]
    hand = ["desperate_grab", "stop_time", "stop_time", "stop_time", "join_me", "crash_a_gate"]
    start["hands"] = [hand, ["join_me"], []]
    assert game.sensible(game.view(start, 0), 0, Random(1)) != "play desperate_grab"
    start["hands"][0] = hand[:1]
    assert game.sensible(game.view(start, 0), 0, Random(1)) == "play desperate_grab"


def gate(number: int) -> str:
    """Return a gate as the game names it, which a rule of that letter would be cited by."""
    return f"G{number:02}"


def choice_of(seed: int, **facts: object) -> str:
    """Return what a sensible seat 0 of three does in its turn, in a state with these facts."""
    game = KIND.game()
    state = {**game.new(seed, 3, {"first": 0}), **facts}
    return game.sensible(game.view(state, 0), 0, Random(1))


def test_a_sensible_player_sends_a_captor_away_who_is_nearly_home() -> None:
    """It sent itself to the TRA, where six cards of a captor one step from there were let be."""
    hands = [["return_to_hq", "move:UD"], ["jump:G02"] * 6, []]
    where = {"pawns": ["G05", gate(24), "TRA"], "breaker": gate(24)}
    assert choice_of(7, hands=hands, **where) == "play return_to_hq 1"


def test_a_sensible_player_brings_the_time_breaker_to_nobody_else() -> None:
    """A gate that a green arrow of the TRA leads to is as near to all who wait there."""
    hands = [["on_the_move", "move:UD", "jump:G09"], ["jump:G02"] * 3, ["jump:G02"] * 3]
    assert choice_of(1, hands=hands, pawns=["TRA"] * 3, breaker="G06") == "follow " + gate(13)


def test_a_sensible_player_tries_the_next_card_where_another_goes_home_by_an_arrow() -> None:
    hands = [["jump:" + gate(18), "jump:" + gate(23)], ["jump:" + gate(18)] * 3, []]
    game = KIND.game().new(4, 3, {"first": 0})
    grid = ["" if tile == gate(24) else tile for tile in game["grid"]]
    where = {
        "pawns": [gate(20), gate(17), "TRA"],
        "breaker": gate(17),
        "grid": grid,
        "closed": [gate(24)],
    }
    assert choice_of(4, hands=hands, **where) == "wormhole"


def test_what_is_over_is_worth_what_it_ended_with() -> None:
    for name, expected in (("X2b", [1.0, 0.0]), ("X6", [0.0, 0.0])):
        found, state = example(name), EXAMPLES.after(name)
        game = EXAMPLES.game(state)
        assert [game.worth(state, seat) for seat in (0, 1)] == expected
        assert all(0 < game.worth(found["start"], seat) < 1 for seat in (0, 1))
