"""A tournament as a log: what fits, what it comes to, corrections, and games that come in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronotable_club.tournament.cards import GAME_RESULTS
from chronotable_club.tournament.standings import SWISS_ORDER

pytest.importorskip("networkx", reason="pairing a Swiss needs the extra `club`")

from chronotable_club.tournament import events
from chronotable_club.tournament.cards import REQUESTED_BYE, REST, score
from chronotable_club.tournament.directing import next_pairing, seated_at
from chronotable_club.tournament.events import FIELDS, event
from chronotable_club.tournament.games import FinishedGame, effect_of, pairing_id, parse_pairing
from chronotable_club.tournament.state import Tournament, TournamentLog
from chronotable_host.errors import UserError
from tests import lanes, sweep

pytestmark = lanes.tool

AT = "2026-11-07T10:00:00+00:00"


class Directed:
    """A log with a director who does the usual things."""

    def __init__(
        self,
        players: Iterable[str] = (),
        system: str = events.SWISS,
        rounds: int = 3,
        **fields: Any,
    ) -> None:
        self.log = TournamentLog("autumn")
        made: dict[str, Any] = {
            "name": "Autumn Cup",
            "system": system,
            "rounds": rounds if system == events.SWISS else 0,
            "initial": "W",
            "bye_points": 2,
            "tie_breaks": list(SWISS_ORDER),
            **fields,
        }
        self.do(events.CREATED, **made)
        for name in players:
            self.add(name)

    @property
    def state(self):  # type: ignore[no-untyped-def]
        return self.log.state

    def do(self, kind: str, **fields: Any) -> None:
        self.log.append(AT, "Director", kind, **fields)

    def add(self, name: str, rating: int = 0) -> None:
        number = len(self.state.players) + 1
        self.do(events.PLAYER_ADDED, player=number, name=name, rating=rating)

    def pair(self, tables: Iterable[str] = (), starts: bool = True) -> None:
        found = next_pairing(self.state)
        if self.state.current and not self.state.current.is_closed:
            self.do(events.ROUND_CLOSED, round=self.state.current.number)
        number = len(self.state.rounds) + 1
        pairs = seated_at(found, list(tables))
        self.do(events.ROUND_PAIRED, round=number, pairs=pairs, bye=found.bye, reason="")
        if starts:
            self.do(events.ROUND_STARTED, round=number)

    def game(self, board: int, result: str, **changed: str) -> str:
        """Let a game come in; return why it counts for nothing, "" where it does."""
        playing = self.state.current
        pair = playing.boards[board - 1]
        said = {
            "id": f"game-{playing.number}-{board}",
            "pairing": pairing_id(self.state.id, playing.number, board),
            "white": self.state.players[pair.white].name,
            "black": self.state.players[pair.black].name,
            "result": result,
            **changed,
        }
        found = effect_of(self.state, FinishedGame(**said))
        if found.kind:
            self.log.append(AT, "Table 1", found.kind, **found.fields)
        return found.why

    def play(self, random: Random) -> None:
        """Play the round to its end by chance, whatever is not played yet."""
        for board in self.state.current.boards:
            if not board.result:
                assert self.game(board.number, random.choice(GAME_RESULTS)) == ""
        self.do(events.ROUND_CLOSED, round=self.state.current.number)


FOUR = ["Ada", "Ben", "Cleo", "Dan"]
NAMES = [f"Player {number}" for number in range(1, 25)]


@pytest.fixture
def led() -> Directed:
    """A Swiss of four whose first round is played."""
    led = Directed(FOUR)
    led.pair()
    return led


def again(log: TournamentLog) -> Tournament:
    """Return what a log comes to when it is read from its text."""
    texts = [(*entry[:4], json.dumps(dict(entry.fields))) for entry in log.entries]
    entries = [event(*rest, **json.loads(fields)) for *rest, fields in texts]
    return TournamentLog(log.state.id, entries).state


# ---- whole tournaments


@pytest.mark.parametrize("system", events.SYSTEMS)
@pytest.mark.parametrize("size", [2, 5, 8])
def test_a_tournament_to_its_end(system: str, size: int) -> None:
    random = Random(size)
    led = Directed(NAMES[:size], system, rounds=1 if size == 2 else 3)
    while not led.state.is_over:
        led.pair([f"Table {number}" for number in range(1, 9)])
        led.play(random)
    assert again(led.log) == led.state
    assert len(led.state.rounds) == led.state.round_count
    rows = led.state.standings()
    assert sorted(row.number for row in rows) == list(range(1, size + 1))
    games = sum(len(it.boards) for it in led.state.rounds)
    byes = sum(it.bye > 0 for it in led.state.rounds) if system == events.SWISS else 0
    assert sum(row.points for row in rows) == games + byes
    with pytest.raises(UserError, match="all its rounds"):
        next_pairing(led.state)


def test_pairing_numbers_follow_ratings_and_who_comes_late_is_last() -> None:
    led = Directed()
    for name, rating in (("Ada", 1400), ("Ben", 0), ("Cleo", 1600), ("Dan", 1400)):
        led.add(name, rating)
    assert led.state.pairing_numbers == {3: 1, 1: 2, 4: 3, 2: 4}
    led.pair()
    assert [(it.white, it.black) for it in led.state.current.boards] == [(3, 4), (2, 1)]
    led.add("Eve", 2000)
    assert led.state.pairing_numbers[5] == 5
    led.play(Random(1))
    led.pair()
    named = {it for board in led.state.current.boards for it in (board.white, board.black)}
    assert 5 in named | {led.state.current.bye}
    assert [entry.kind for entry in led.state.cards()[5]] == [REQUESTED_BYE]


def test_who_leaves_is_paired_no_more_and_may_come_back() -> None:
    led = Directed(NAMES[:6], rounds=4)
    led.pair()
    led.do(events.PLAYER_WITHDRAWN, player=2)
    led.play(Random(2))
    led.pair()
    named = {it for board in led.state.current.boards for it in (board.white, board.black)}
    assert 2 not in named | {led.state.current.bye}
    assert led.state.current.away == {2: 0}
    led.do(events.PLAYER_RETURNED, player=2)
    led.play(Random(3))
    led.do(events.BYE_REQUESTED, player=3, round=3, points=1)
    led.pair()
    assert led.state.current.away == {3: 1}
    named = {it for board in led.state.current.boards for it in (board.white, board.black)}
    assert 2 in named | {led.state.current.bye}
    led.play(Random(4))
    assert [entry.kind for entry in led.state.cards()[2]].count(REQUESTED_BYE) == 1
    assert led.state.cards()[3][2].points == 1


def test_one_is_free_in_each_round_of_a_round_robin() -> None:
    led = Directed(NAMES[:3], events.ROUND_ROBIN)
    while not led.state.is_over:
        led.pair()
        led.play(Random(1))
    kinds = [[entry.kind for entry in card].count(REST) for card in led.state.cards().values()]
    assert kinds == [1, 1, 1]


# ---- results of games


def test_games_enter_their_results() -> None:
    led = Directed(FOUR)
    led.pair(["Table 7"])
    board = led.state.current.boards[0]
    assert board.table == "Table 7"
    assert led.game(1, "0-1") == ""
    assert led.state.board(1, 1) == board._replace(result="0-1", game="game-1-1")
    assert not led.state.current.is_complete
    assert led.state.standings()[0].points == 0  # the round is not whole yet


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pairing": ""}, "belongs to no pairing"),
        ({"pairing": "spring/1/1"}, "belongs to no pairing"),
        ({"pairing": "autumn/1/3"}, "has no board 3"),
        ({"pairing": "autumn/2/1"}, "has no board 1"),
        ({"result": "*"}, "has no result"),
        ({"result": "+/-"}, "has no result"),
        ({"white": "Eve"}, "others than those"),
        ({"white": "Cleo", "black": "Ada"}, "exchanged colours"),
    ],
)
def test_what_belongs_to_no_pairing_changes_nothing(changed: dict[str, str], why: str) -> None:
    led = Directed(FOUR)
    led.pair()
    before = led.state
    assert why in led.game(1, **{"result": "1-0", **changed})
    assert led.state == before


def test_one_game_counts_for_a_pairing() -> None:
    led = Directed(FOUR)
    led.pair(starts=False)
    assert "not being played" in led.game(1, "1-0")
    led.do(events.ROUND_STARTED, round=1)
    assert led.game(1, "1-0", white="  aDA ") == ""
    assert led.game(1, "1-0") == "the result is known"
    assert "already" in led.game(1, "0-1", id="another")
    assert led.game(1, "1/2-1/2") == ""  # taken back at the table and played on
    assert led.game(2, "1-0") == ""
    led.do(events.ROUND_CLOSED, round=1)
    before = led.state
    assert "not being played" in led.game(1, "1-0")
    assert led.state == before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("autumn/3/12", ("autumn", 3, 12)),
        ("autumn/3", None),
        ("/3/1", None),
        ("a/3/1/2", None),
        ("a/x/1", None),
        ("a/٣/1", None),
        ("a/99999/1", None),
        ("", None),
    ],
)
def test_names_of_pairings(text: str, found: tuple[str, int, int] | None) -> None:
    assert parse_pairing(text) == found


# ---- corrections


def test_every_correction_is_kept(led: Directed) -> None:
    led.game(1, "1-0")
    led.do(events.CORRECTED, round=1, board=1, result="0-1", reason="White's time was over")
    assert "director" in led.game(1, "1-0")
    led.do(events.CORRECTED, round=1, board=2, result="-/-", reason="nobody came")
    led.do(events.ROUND_CLOSED, round=1)
    led.do(events.CORRECTED, round=1, board=1, result="1/2-1/2", reason="agreed in the end")
    kept = [(it.before, it.after, it.reason) for it in led.state.corrections]
    assert kept == [
        ("1-0", "0-1", "White's time was over"),
        ("", "-/-", "nobody came"),
        ("0-1", "1/2-1/2", "agreed in the end"),
    ]
    assert {(it.by, it.at) for it in led.state.corrections} == {("Director", AT)}
    assert [score(card) for card in led.state.cards().values()] == [1, 0, 1, 0]
    assert again(led.log) == led.state


def test_a_result_that_was_taken_out_may_come_from_a_game_again(led: Directed) -> None:
    led.game(1, "1-0")
    led.do(events.CORRECTED, round=1, board=1, result="", reason="they play it again")
    assert led.game(1, "0-1", id="second") == ""
    assert led.state.board(1, 1).result == "0-1"


def test_an_annulled_game_is_refused_also_behind_another_pairing() -> None:
    """A log in which it came again, as it once could, is read as it is."""
    led = Directed(FOUR, events.ROUND_ROBIN)
    led.pair()
    led.game(1, "1-0")
    led.do(events.CORRECTED, round=1, board=1, result="", reason="they play it again")
    assert led.game(1, "1-0") == "the director has annulled that game"
    led.do(events.RESULT, round=1, board=1, result="1-0", game="game-1-1")
    assert again(led.log) == led.state
    led.do(events.CORRECTED, round=1, board=1, result="", reason="they play it again")
    led.do(events.PAIRING_TAKEN_BACK, round=1, reason="another table")
    led.pair()
    assert led.game(1, "1-0") == "the director has annulled that game"
    assert led.game(1, "0-1", id="second") == ""


def test_a_pairing_may_be_taken_back_before_it_has_results(led: Directed) -> None:
    first = led.state.current
    led.do(events.PAIRING_TAKEN_BACK, round=1, reason="Eve came")
    led.add("Eve")
    led.pair()
    assert led.state.current != first
    assert led.state.current.bye
    led.game(1, "1-0")
    with pytest.raises(UserError, match="has results already"):
        led.do(events.PAIRING_TAKEN_BACK, round=1, reason="again")


# ---- what does not fit

WRONG: list[tuple[str, dict[str, Any]]] = [
    (events.PLAYER_ADDED, {"player": 5, "name": " ada ", "rating": 0}),
    (events.PLAYER_ADDED, {"player": 6, "name": "Eve", "rating": 0}),
    (events.PLAYER_ADDED, {"player": 5, "name": "  ", "rating": 0}),
    (events.PLAYER_ADDED, {"player": 5, "name": "Eve", "rating": -1}),
    (events.PLAYER_ADDED, {"player": 5, "name": "E\x1bve", "rating": 0}),
    (events.PLAYER_ADDED, {"player": 5, "name": "Eve"}),
    (events.PLAYER_ADDED, {"player": 5, "name": "Eve", "rating": True}),
    (events.PLAYER_ADDED, {"player": 5, "name": "Eve", "rating": 0, "colour": "W"}),
    (events.PLAYER_WITHDRAWN, {"player": 9}),
    (events.PLAYER_RETURNED, {"player": 1}),
    (events.BYE_REQUESTED, {"player": 1, "round": 1, "points": 1}),
    (events.BYE_REQUESTED, {"player": 1, "round": 2, "points": 2}),
    (events.BYE_REQUESTED, {"player": 1, "round": 4, "points": 1}),
    (events.ROUND_PAIRED, {"round": 2, "pairs": [[1, 2, ""], [3, 4, ""]], "bye": 0, "reason": ""}),
    (events.ROUND_STARTED, {"round": 1}),
    (events.ROUND_STARTED, {"round": 2}),
    (events.ROUND_CLOSED, {"round": 1}),
    (events.TABLE_CHANGED, {"round": 1, "board": 1, "table": "B"}),
    (events.TABLE_CHANGED, {"round": 1, "board": 0, "table": "C"}),
    (events.RESULT, {"round": 1, "board": 1, "result": "+/-", "game": "x"}),
    (events.RESULT, {"round": 1, "board": 1, "result": "1-0", "game": ""}),
    (events.RESULT, {"round": 1, "board": 7, "result": "1-0", "game": "x"}),
    (events.CORRECTED, {"round": 1, "board": 1, "result": "1-0", "reason": " "}),
    (events.CORRECTED, {"round": 1, "board": 1, "result": "2-0", "reason": "so"}),
    (events.CREATED, {}),
    ("burnt down", {}),
]


@pytest.mark.parametrize(("kind", "fields"), WRONG)
def test_what_does_not_fit_is_refused_in_a_sentence(kind: str, fields: dict[str, Any]) -> None:
    led = Directed(FOUR)
    led.pair(["A", "B"])
    before, size = led.state, len(led.log.entries)
    with pytest.raises(UserError, match=r"^\S.+"):
        led.do(kind, **fields)
    assert (led.state, len(led.log.entries)) == (before, size)


@pytest.mark.parametrize(
    ("pairs", "bye"),
    [
        ([[1, 2, ""]], 0),
        ([[1, 2, ""], [3, 3, ""]], 0),
        ([[1, 2, ""], [3, 4, ""]], 1),
        ([[1, 2, "A"], [3, 4, "A"]], 0),
        ([[1, 2], [3, 4]], 0),
        ([[1, "2", ""], [3, 4, ""]], 0),
        ([[1, 2, ""], [3, 9, ""]], 0),
        ([], 0),
        (["ab"], 0),
    ],
)
def test_pairings_that_leave_somebody_out(pairs: list[Any], bye: int) -> None:
    led = Directed(FOUR)
    with pytest.raises(UserError):
        led.do(events.ROUND_PAIRED, round=1, pairs=pairs, bye=bye, reason="by hand")


@pytest.mark.parametrize(
    "changed",
    [
        {"name": " "},
        {"system": "knock-out"},
        {"rounds": 0},
        {"rounds": 100},
        {"initial": "w"},
        {"bye_points": 3},
        {"tie_breaks": ["BH", "BH"]},
        {"tie_breaks": ["luck"]},
    ],
)
def test_tournaments_that_cannot_be(changed: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        Directed(**changed)


# ---- anything at all

SMALL = st.integers(-1, 6)
VALUES = {
    str: st.sampled_from(["", "A", "B", "1-0", "1/2-1/2", "+/-", "game", "because", "swiss"]),
    int: SMALL,
    list: st.lists(st.lists(st.one_of(SMALL, st.just(""), st.just("A")), max_size=3), max_size=3),
}
ANYTHING = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda kind: st.tuples(
        st.just(kind),
        st.fixed_dictionaries({name: VALUES[type_] for name, type_ in FIELDS[kind].items()}),
    )
)
STEPS = st.lists(st.one_of(ANYTHING, st.sampled_from(["pair", "play", "add"])), max_size=30)


@lanes.gate
@settings(
    max_examples=sweep.size(60, 500, 5_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(STEPS, st.integers(0, 10))
def test_a_log_that_was_written_can_be_read(steps: list[Any], seed: int) -> None:
    """Whatever is tried, what does not fit is a sentence, and the rest folds to the same state."""
    random = Random(seed)
    led = Directed(FOUR[: 2 + seed % 3], rounds=4)
    for step in steps:
        before = led.state
        try:
            if step == "pair":
                led.pair(["A", "B"])
            elif step == "play":
                if led.state.current and led.state.current.is_started:
                    led.game(1, random.choice(GAME_RESULTS))
                    led.game(len(led.state.current.boards), random.choice(GAME_RESULTS))
            elif step == "add":
                led.add(f"Late {len(led.state.players)}")
            else:
                led.do(step[0], **step[1])
        except UserError as error:
            assert str(error)
            if step != "pair":  # that may close a round first
                assert led.state == before
    assert again(led.log) == led.state
    for card in led.state.cards().values():
        assert len(card) == sum(it.is_complete for it in led.state.rounds)
    assert len(led.state.standings()) == len(led.state.players)
