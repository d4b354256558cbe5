"""TIMEmiT: its vectors and data files, what it says, and how well its rules of thumb play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from chronotable_night.games.interface import (
    SPECTATOR,
    DataError,
    Decision,
    GameHappening,
    State,
)
from chronotable_night.games.portable import digest
from chronotable_night.games.record import game_of
from chronotable_night.games.timemit.effects import read_effect
from chronotable_night.games.timemit.kind import KIND, Timemit
from chronotable_night.games.timemit.table import read_bid_text
from chronotable_night.games.timemit.texts import effect_text, number_text
from tests import sweep
from tests.games.courses import VECTORS, Examples, changed, course, recorded

EXAMPLES = Examples(KIND)
NAMES = ("Ada", "Ben")
HAND = [25, 20, 15, 12, 10, 8, 6, 4, 4, 2, 1]


@cache
def game() -> Timemit:
    return KIND.game()


@cache
def alternative() -> Mapping[str, Any]:
    """Return the other data of the vectors: other effects, symbols, Kronos, a shorter track."""
    lines = (VECTORS / "timemit_games.jsonl").read_text().splitlines()
    data: Mapping[str, Any] = next(
        entry["data"] for entry in map(json.loads, lines) if "data" in entry
    )
    return data


def start_of(example: str) -> State:
    start: State = EXAMPLES.by_id[example]["start"]
    return start


def decided(state: State, seat: int) -> Decision:
    decision = game().decision(game().view(state, seat), seat, NAMES)
    assert decision is not None
    return decision


def says(state: State, action: str) -> str:
    """Return what the seat that decides is told of an action."""
    found = [each for each in decided(state, state["turn"]).choices if each.action == action]
    assert len(found) == 1, action
    return found[0].says


def after(state: State, *actions: str) -> tuple[State, list[str]]:
    """Return the state after actions of whoever decides, and what the spectator is told."""
    happenings: list[GameHappening] = []
    for action in actions:
        state = game().apply(state, state["turn"], action, happenings)
    told = (game().says(each, NAMES, SPECTATOR) for each in happenings if each.to == SPECTATOR)
    return state, [each for each in told if each]


# ---- vectors


def test_the_data_is_the_one_that_the_vectors_were_made_with() -> None:
    assert game().data_hash == "58cd0e90e2613ffd"  # 9d1ba786... but for its remark, `_status`
    assert KIND.game(alternative()).data_hash.startswith("1f4a13dc")
    assert digest(game().new(1, 2, {})) == "249249db3c18d4cd"


def test_a_record_is_read_whose_data_was_the_same_but_for_its_remark() -> None:
    record = recorded(KIND)
    assert record.headers["Data"] == game().data_hash
    record.headers["Data"] = "9d1ba7867e767d46"
    assert game_of(record).data_hash == game().data_hash


# ---- data files


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("track.spaces_each_side", 0, "track.spaces_each_side"),
        ("track", 12, "track"),
        ("kronos", [], "kronos"),
        ("kronos.3", 0, "kronos.3"),
        ("kronos.3", True, "kronos.3"),
        ("cards", {}, "cards"),
        ("cards.4", "Blow Pop", "cards.4"),
        ("cards.4.id", 1, "cards.4.id"),
        ("cards.4.id", 64, "events.7.id"),
        ("cards.4.deck", "green", "cards.4.deck"),
        ("cards.4.name", 4, "cards.4.name"),
        ("cards.4.symbols", None, "cards.4.symbols"),
        ("cards.4.symbols", {"G": 1}, "cards.4.symbols.G"),
        ("cards.4.symbols_house", {"R": -1}, "cards.4.symbols_house.R"),
        ("cards.4.combat", "F0", "cards.4.combat"),
        ("cards.4.combat", "choose F1", "cards.4.combat"),
        ("cards.4.instant", "this card to discard", "cards.4.instant"),
        ("cards.4.bid", "+2", "cards.4.bid"),
        ("cards.4.endgame", "PEEK", "cards.4.endgame"),
        ("events", [], "events"),
        ("events.2.effect", "this card to own discard", "events.2.effect"),
        ("events.2.effect", "F" + 5000 * "9", "events.2.effect"),
    ],
)
def test_wrong_data_is_refused_with_its_place(path: str, value: object, place: str) -> None:
    with pytest.raises(DataError) as refused:
        KIND.game(changed(KIND, path, value))
    assert refused.value.place == place
    assert refused.value.why.endswith(".")


@pytest.mark.parametrize(
    ("place", "text", "right"),
    [
        ("combat", "F 2", "“F2”"),
        ("combat", "f2&p-", "“F2 & P-”"),
        ("instant", "this card to discard", "“this card to own discard”"),
        ("bid", "+3", "“+3 (also with 0 cards)” or “+3 (needs >=1 card)”"),
        ("endgame", "PEEK", "“F1” or “B1”"),
    ],
)
def test_what_is_not_understood_is_told_with_what_would_be(
    place: str, text: str, right: str
) -> None:
    with pytest.raises(DataError) as raised:
        KIND.game(changed(KIND, f"cards.4.{place}", text))
    assert raised.value.why.startswith(f"“{text}” is not understood here; right would be {right}")
    assert raised.value.why.endswith(".")


def test_data_with_too_few_power_cards_is_refused() -> None:
    with pytest.raises(DataError, match=r"23 cards .* 24"):
        KIND.game({**KIND.default_data, "cards": KIND.default_data["cards"][:41]})


def test_a_game_says_what_of_its_data_is_not_known() -> None:
    assert "no source gives them" in game().data_note
    assert KIND.game({**KIND.default_data, "verified": True}).data_note == ""


# ---- whole games


@pytest.mark.parametrize("name", ["default", "alt"])
def test_no_card_and_no_kronos_is_ever_lost(name: str) -> None:
    data = KIND.default_data if name == "default" else alternative()
    played = KIND.game(data)
    cards = sorted(card["id"] for card in data["cards"])
    events = {event["id"] for event in data["events"]}
    for seed in range(sweep.size(10, 200, 5000)):
        start = played.new(seed, 2, {"data": name})
        for step in course(played, start, Random(seed)):
            state = step.after
            piles: Iterator[list[int]] = iter(
                [
                    *(state[key] for key in ("powers", "removed", "row")),
                    *(
                        pile
                        for key in ("decks", "discards", "revealed", "won")
                        for pile in state[key]
                    ),
                ]
            )
            lying = sorted(card for pile in piles for card in pile if card and card not in events)
            assert lying == cards, (seed, step.action)
            for seat in range(2):
                bids = [value for lane in state["bids"][seat] for value in lane]
                kronos = [*state["kronos"][seat], *state["spent"][seat], *bids]
                assert sorted(kronos) == sorted(data["kronos"]), (seed, step.action)
            assert abs(state["ship"]) <= data["track"]["spaces_each_side"]
            assert all(0 <= n <= 6 for n in state["triangles"])


# ---- in words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("F3", "3 forward"),
        ("B2 & P+", "2 back, take a triangle"),
        ("F floor(symbols/2)", "1 forward for every 2 symbols revealed in this combat"),
        ("F 2*ownP", "2 forward for each triangle of your own"),
        ("F 2*min(blue,yellow)", "2 forward for each pair of blue and yellow"),
        ("B floor(sum(red,blue)/3)", "1 back for every 3 red or blue symbols"),
        ("choose F1 | F3 & P+", "choose: 1 forward; or 3 forward, take a triangle"),
        ("X<=2", "remove up to 2 revealed cards"),
        ("X1", "remove 1 revealed card"),
        ("K{8,12,15}", "take back 8, 12 and 15"),
        ("K{any 1} & KD2", "take back any 1 Kronos, spend 2 Kronos of your hand"),
        ("OP+ & P-", "the other takes a triangle, give a triangle back"),
    ],
)
def test_effects_are_told_from_what_is_printed(text: str, words: str) -> None:
    assert effect_text(read_effect(text, "combat")) == words


def test_a_card_is_told_with_all_that_it_does() -> None:
    box = game().box
    assert number_text(box, 48) == (
        "When won: 3 forward. In combat: 2 forward, give a triangle back. "
        "At the game's end: 5 back."
    )
    assert number_text(box, 46).startswith("When won: remove up to 1 revealed card. +4 to a bid")
    assert number_text(box, 1) == "No effect, only symbols."
    assert number_text(box, 59) == "4 forward."
    shown = game().printed
    assert shown["cards"]["48"]["end"] == "5 back."
    assert shown["cards"]["22"]["symbols"] == {"R": 0, "B": 2, "Y": 0}
    assert (shown["years"][0], shown["years"][12], shown["years"][-1]) == (1980, 2100, 2220)


def test_draw_or_stop_says_what_a_third_colour_does() -> None:
    state = {**start_of("X1"), "revealed": [[3, 4, 1], []], "turn": 0}
    assert says(state, "draw") == "One more card. A third blue: 1 back and a triangle."
    assert says(state, "stop") == "You are out of this combat, with 3 cards revealed."
    both = {**state, "revealed": [[3, 4, 1, 2], []]}
    assert says(both, "draw").startswith("One more card. A third red or blue:")
    known = {**state, "decks": [[22, 5, 6], [10]], "open": [1, 0]}
    assert says(known, "draw") == "Tic-Tac-Toe comes. That is a paradox: 1 back and a triangle."
    fine = {**state, "decks": [[23, 5, 6], [10]], "open": [1, 0]}
    assert says(fine, "draw") == "Hourglass comes. 3 forward."


def test_a_recall_that_loses_says_so() -> None:
    assert [each.action for each in decided(start_of("X1"), 0).choices] == ["draw", "stop"]
    last = start_of("X7")
    assert says(last, "recall").endswith("The ship reaches the goal of Ben: you lose.")


def test_bids_open_one_card_after_another() -> None:
    _, told = after(start_of("X3"), "bid 1:8,6,4", "bid 1:25")
    assert "Ada bids 3 Kronos, face down." in told
    assert "Beer: 18 of Ada against 25 of Ben." in told
    assert "Ben wins Beer, 25 against 18." in told
    assert "Ada takes 8, 6 and 4 back." in told
    assert "Ben has spent 25." in told
    assert any(each.startswith("Round ") for each in told)


def test_an_option_says_who_wins_with_it() -> None:
    state, _ = after(start_of("X5"), "bid none", "bid 1:1")
    assert state["ask"] == "option"
    while state["lane"] != 1:
        state, _ = after(state, "pass")
    assert says(state, "pass") == "0 against 1: Ben wins it, your Kronos come home."
    assert says(state, "use 9") == "2 against 1: you win it, and it costs no Kronos."


def test_where_no_card_can_change_who_wins_a_lane_nobody_is_asked() -> None:
    """All of it lies open; where a card could, or would only make both equal, it is asked."""
    for laid, theirs, known in ((0, 1, ""), (0, 2, ""), (0, 4, "pass"), (1, 0, "pass")):
        bids = [f"bid 1:{each}" if each else "bid none" for each in (laid, theirs)]
        state, _ = after(start_of("X5"), *bids)
        while state["lane"] != 1:
            state, _ = after(state, "pass")
        assert (state["ask"], decided(state, 0).known) == ("option", known), (laid, theirs)


def test_a_recall_is_told_with_its_price() -> None:
    _, told = after(start_of("Y9"), "stop", "stop", "recall")
    assert "Ada recalls all spent Kronos: 4 back and a triangle." in told
    assert "The ship goes 4 spaces toward the goal of Ben, to 2150." in told
    assert "Ada takes a triangle and has 1 of 6." in told


def test_a_card_that_is_looked_at_is_named_to_its_owner_alone() -> None:
    happenings: list[GameHappening] = []
    state = start_of("Y16")
    before = state["decks"][0]
    game().apply(state, 0, "draw", happenings)
    (looked,) = (each for each in happenings if each.what == "peeked")
    assert looked.to == 0
    assert looked.facts["card"] in before
    assert game().says(looked, NAMES, 0).startswith("You see ")


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        ("X7", "The ship reached 2220, and that is where Ben wanted it."),
        ("X8", "After the last round the ship is at 2090, nearer to the goal of Ada."),
        ("X9", "fewer triangles: 2 against 3."),
        ("Y1", "Play another game."),
        ("Y5", "Both have six triangles"),
        ("Y21", "Ada has six triangles, a paradox without end: Ben wins."),
    ],
)
def test_the_end_is_given_a_reason(example: str, reason: str) -> None:
    state = EXAMPLES.after(example)
    outcome = game().outcome(state)
    assert outcome is not None
    assert reason in game().why(outcome, game().view(state, SPECTATOR), NAMES)
    title, _ = game().headline(game().view(state, SPECTATOR), NAMES)
    assert title == (f"{NAMES[outcome.winners[0]]} wins" if outcome.winners else "Nobody wins")


# ---- bots


def bid_of(**facts: object) -> tuple[State, list[list[int]]]:
    """Return a state in which seat 1 bids second on Backscratcher, and the lanes of its bid."""
    state = dict(game().new(1, 2, {"data": "default"}))
    own = {"ask": "bid", "phase": "bidding", "turn": 1, "placed": [1, 0], "row": [34, 47, 44, 60]}
    lanes = {"kronos": [[], HAND], "bids": [[[], [], [6], []], [[], [], [], []]]}
    state |= {**own, **lanes, "spent": [HAND[:6] + HAND[7:], []], "revealed": [[], []], **facts}
    return state, read_bid_text(game().sensible(state, 1, Random(3))) or []


def test_a_bot_bids_no_more_than_the_other_can_reach() -> None:
    """The Kronos that the other has not spent are known, and how many of them lie where."""
    for seen in ("state", "view"):
        state, lanes = bid_of(round=7)
        if seen == "view":
            view = game().view(state, 1)
            lanes = read_bid_text(game().sensible(view, 1, Random(3))) or []
        assert sum(lanes[2]) == 8, seen  # 1, 2 and 4 are enough for what is left alone


def test_a_bot_keeps_no_kronos_in_the_last_round_where_it_can_lose() -> None:
    bids = [[[25, 20], [], [6], []], [[], [], [], []]]
    _, lanes = bid_of(round=8, bids=bids, spent=[[15, 12], []], row=[44, 47, 31, 60])
    assert sum(lanes[0]) > 45


def test_a_bot_pays_little_where_the_other_bids_nothing() -> None:
    """It laid 25 on Elvis's Guitar, alone there, and took 10 and 6 to win over 14 elsewhere."""
    bids = [[[], [8, 6], [], []], [[], [], [], []]]
    spent = [[value for value in HAND if value not in (8, 6)], []]
    kronos = [[], [25, 12, 10, 6]]
    _, lanes = bid_of(round=5, bids=bids, spent=spent, kronos=kronos, row=[53, 39, 50, 60])
    assert lanes[1] == [25] and max(map(sum, (lanes[0], lanes[2], lanes[3]))) <= 12


def test_a_bot_bids_nothing_where_it_has_lost_and_takes_what_is_left() -> None:
    """It laid 105 of 107 where all 107 of the other lay, and left the rest alone."""
    bids = [[HAND, [], [], []], [[], [], [], []]]
    _, lanes = bid_of(round=2, bids=bids, spent=[[], []])
    assert not lanes[0] and all(0 < sum(lane) <= 6 for lane in lanes[1:])


def test_a_bot_does_not_bring_the_ship_home_for_the_other() -> None:
    """Schrodinger's Cat goes 5 back at once, whatever it gives in the end."""
    for ship, wants in (0, True), (-8, False):
        _, lanes = bid_of(round=7, ship=ship, row=[31, 47, 44, 60])
        assert bool(lanes[0]) == wants


def test_a_bot_bids_on_what_brings_the_ship_home_before_all_else() -> None:
    for ship, dearest in (0, 0), (9, 1):
        bids = [[[6], [6], [], []], [[], [], [], []]]
        kronos = [[], [15]]
        _, lanes = bid_of(
            ship=ship, bids=bids, kronos=kronos, spent=[HAND[:6], []], row=[44, 40, 47, 60]
        )
        assert lanes[dearest] == [15]


def test_a_bot_wants_no_triangles_gone_when_all_is_over() -> None:
    """After the last round only the endgame cards count."""
    bids = [[[6], [], [], [6]], [[], [], [], []]]
    spent = [[value for value in HAND if value != 6], []]
    _, lanes = bid_of(round=8, bids=bids, spent=spent, row=[46, 47, 25, 57], triangles=[0, 2])
    assert lanes[0] and not lanes[3]


def test_a_bot_recalls_in_the_last_round_where_it_wins_more_than_that_costs() -> None:
    """Schrodinger's Cat gives 10 in the end, a recall costs 4: it bid nothing, and lost."""
    spent = {"spent": [HAND, HAND], "kronos": [[], []], "bids": [[[], [], [], []]] * 2}
    for row, wanted in (([31, 40, 44, 60], "recall"), ([34, 47, 46, 57], "bid none")):
        state, _ = bid_of(round=8, row=row, **spent)
        assert game().sensible(state, 1, Random(3)) == wanted


def test_a_bot_draws_into_no_paradox_that_it_sees_for_nothing() -> None:
    """Calculator Watch, its third red, lies open on its deck: 1 forward, and 1 back for that."""
    asks = {"ask": "draw", "phase": "combat", "turn": 1, "in_combat": [0, 1], "round": 8}
    lying = {"revealed": [[], [24, 30]], "decks": [[], [51]], "open": [0, 1]}
    state = {**game().new(1, 2, {"data": "default"}), **asks, **lying}
    assert game().sensible(state, 1, Random(3)) == "stop"


def test_a_bot_removes_no_good_card_where_it_may_do_nothing() -> None:
    """Lost Sock Detector, alone on the table: removed, or a triangle back of none."""
    asks = {"ask": "choose", "phase": "combat", "turn": 1, "revealed": [[], [53]]}
    state = {**game().new(1, 2, {"data": "default"}), **asks, "round": 3}
    state["todo"] = [[1, 53, game().box.cards[53].combat[0].text]]
    assert game().sensible(state, 1, Random(3)) == "choose 2"
