"""Tournaments at the hub: kept in the database, fed by games, told at tables, led by commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("networkx", reason="pairing a Swiss needs the extra `club`")

from chronotable_club.at_table import ANNULLED, NOTE
from chronotable_club.desk import now
from chronotable_club.register import Register
from chronotable_club.tournament import directing, events
from chronotable_club.tournament.directing import parse_players
from chronotable_club.tournament.state import Board
from chronotable_club.tournament_store import TournamentStore, id_of
from chronotable_host.cli import run
from chronotable_host.errors import UserError, printable
from chronotable_host.rules.record import format_record
from tests import lanes, sweep
from tests.club.tournament_shown import TournamentClub
from tests.lab import tournament
from tests.waiting import until

pytestmark = lanes.tool

PERSIAN = "\u0645\u06cc\u200c\u0646\u0627"
"""A name whose letters are kept apart by a character that has no width."""


@pytest.fixture
def club(tmp_path: Path) -> TournamentClub:
    return TournamentClub(tmp_path / "club", 4)


@pytest.fixture
def started(club: TournamentClub) -> Iterator[TournamentClub]:
    """A club that collects and has its tournaments followed."""
    club.start()
    yield club
    club.close()


def present(club: TournamentClub, tournament: str) -> Board:
    """Return the first board of the round that is played."""
    state = club.desk.state(tournament)
    assert state is not None and state.current is not None
    return state.current.boards[0]


def notes(club: TournamentClub) -> dict[str, dict[str, object]]:
    """Return what each table is told of its pairing."""
    seats = club.collector.hub.tables.values()
    return {it.name: it.notes[NOTE] for it in seats if it.notes and NOTE in it.notes}


# ---- the database


@pytest.fixture
def register(tmp_path: Path) -> Iterator[Register]:
    with closing(Register(f"sqlite:///{tmp_path / 'club.db'}", "club-1")) as register:
        yield register


def test_a_log_is_kept_and_read_again(register: Register) -> None:
    store = TournamentStore(register, "club-1")
    first = store.create(now(), "Ada", directing.creation("Herbst Pokal!", events.SWISS, 3))
    second = store.create(now(), "Ada", directing.creation("Herbst-Pokal", events.ROUND_ROBIN, 0))
    assert (first.state.id, second.state.id) == ("herbst-pokal", "herbst-pokal-2")
    changed = store.change(
        first.state.id,
        now(),
        "Ada",
        lambda state: directing.adding(state, [("Ben", 0), ("Eve", 9)]),
    )
    assert store.log("herbst-pokal").state == changed.state
    assert store.lengths() == {"herbst-pokal": 3, "herbst-pokal-2": 1}
    assert TournamentStore(register, "other").lengths() == {}
    with pytest.raises(UserError, match="no tournament 'spring'"):
        store.log("spring")


def test_all_of_it_happens_or_nothing(register: Register) -> None:
    store = TournamentStore(register, "club-1")
    made = store.create(now(), "Ada", directing.creation("Cup", events.SWISS, 3))
    with pytest.raises(UserError, match="takes part already"):
        store.change(
            made.state.id, now(), "", lambda it: directing.adding(it, [("Ben", 0), ("ben", 0)])
        )
    assert store.lengths() == {"cup": 1}


@pytest.mark.parametrize(
    ("name", "known"),
    [("Autumn Cup", "autumn-cup"), ("Übung", "ubung"), ("春", "tournament"), ("a" * 90, "a" * 30)],
)
def test_what_a_tournament_is_called(name: str, known: str) -> None:
    assert id_of(name) == known


def test_players_as_they_are_typed() -> None:
    assert parse_players(f"Jean\u00a0Pierre\t(900), {PERSIAN}") == [
        ("Jean Pierre", 900),
        (PERSIAN, 0),
    ]
    assert parse_players("Ada (1600), Ben,  , Eve (x), (12), Dan(7)") == [
        ("Ada", 1600),
        ("Ben", 0),
        ("Eve (x)", 0),
        ("(12)", 0),
        ("Dan", 7),
    ]


def test_a_name_of_any_script_is_a_player_s(started: TournamentClub) -> None:
    """A table's record has it without its joiner; it is the same name."""
    made = started.entered([(PERSIAN, 0), ("Ada", 0)])
    filing, path = started.finished(started.begin_round(made.id), 1)
    for side in ("White", "Black"):
        filing.record.headers[side] = printable(filing.record.headers[side])
    started.desk.hear(filing, path)
    until(lambda: started.desk.state(made.id).current.is_complete)  # type: ignore[union-attr]


# ---- games and tables


def test_games_bring_results_and_tables_know_their_pairings(started: TournamentClub) -> None:
    made = started.make(9, rounds=3)
    state = started.begin_round(made.id)
    until(lambda: len(notes(started)) == 4)
    for board in state.current.boards:  # type: ignore[union-attr]
        told = notes(started)[board.table]
        assert told["white"] == state.players[board.white].name
        assert told["id"] == f"{made.id}/1/{board.number}"
    started.play(made.id, Random(1), 3)
    until(lambda: len(notes(started)) == 1)  # who has played is told nothing more
    started.play(made.id, Random(1))
    until(lambda: not notes(started))
    assert started.desk.state(made.id).current.is_complete  # type: ignore[union-attr]
    until(lambda: sum(it["games"] > 0 for it in started.desk.ratings("week")) == 8)
    assert started.desk.remarks() == []


def test_ratings_that_were_entered_are_the_start_of_the_club_s_list(
    started: TournamentClub,
) -> None:
    started.entered([("Ada", 1600), ("Ben", 0)])
    until(lambda: bool(started.desk.ratings("week")))
    found = [(it["name"], it["rating"], it["games"]) for it in started.desk.ratings("week")]
    assert found == [("Ada", 1600, 0)]


def test_a_correction_changes_ratings(started: TournamentClub) -> None:
    made = started.entered([("Ada", 0), ("Ben", 0)])
    state = started.begin_round(made.id)
    started.desk.hear(*started.finished(state, 1))
    white = state.players[state.current.boards[0].white].name  # type: ignore[union-attr]
    for result, first in (("1-0", True), ("0-1", False)):
        fields = {"round": 1, "board": 1, "result": result, "reason": "they said so"}
        started.desk.change(made.id, lambda _, said=fields: [(events.CORRECTED, said)])
        until(
            lambda due=first: (
                [it["name"] == white for it in started.desk.ratings("week")] == [due, not due]
            )
        )
        assert {it["games"] for it in started.desk.ratings("week")} == {1}


def test_a_game_that_was_annulled_counts_never_again(started: TournamentClub) -> None:
    """Its record still lies on disk when a hub starts anew; the table is lit for another game."""
    made = started.make(2, rounds=1)
    state = started.begin_round(made.id)
    filing, path = started.finished(state, 1)
    started.desk.hear(filing, path)
    until(lambda: bool(present(started, made.id).result))
    fields = {"round": 1, "board": 1, "result": "", "reason": "the clock failed"}
    started.desk.change(made.id, lambda _state: [(events.CORRECTED, fields)])
    until(lambda: bool(notes(started)))
    told = [it.notes[ANNULLED] for it in started.collector.hub.tables.values() if it.notes]
    assert [filing.game] in told
    started.desk.hear(filing, path)
    until(lambda: bool(started.desk.remarks()))
    assert not present(started, made.id).result
    again, path = started.finished(state, 1)
    started.desk.hear(again._replace(game="game-again"), path.with_stem("game-again"))
    until(lambda: present(started, made.id).game.endswith(":game-again"))


def test_a_win_that_is_taken_back_is_no_result(started: TournamentClub) -> None:
    made = started.make(2, rounds=1)
    filing, path = started.finished(started.begin_round(made.id), 1)
    started.desk.hear(filing, path)
    until(lambda: bool(present(started, made.id).result))
    record = filing.record
    result, record.headers["Result"] = record.headers["Result"], "*"
    started.desk.hear(filing, path)
    until(lambda: not present(started, made.id).result)
    record.headers["Result"] = "1/2-1/2" if result != "1/2-1/2" else "1-0"
    started.desk.hear(filing, path)
    until(lambda: present(started, made.id).result == record.headers["Result"])
    assert started.desk.remarks() == []


def test_who_sits_at_a_table_already_plays_first(started: TournamentClub) -> None:
    """Two tournaments have the same tables: the second waits for the games of the first."""
    first, second = started.make(8), started.make(8)
    started.begin_round(first.id)
    until(lambda: len(notes(started)) == 4)
    started.begin_round(second.id)
    started.desk.step()
    assert {str(it["id"]).partition("/")[0] for it in notes(started).values()} == {first.id}
    started.play(first.id, Random(1), 3)
    until(
        lambda: (
            sorted(str(it["id"]).partition("/")[0] for it in notes(started).values())
            == sorted([first.id, *3 * [second.id]])
        )
    )


def test_a_hub_that_starts_anew_leaves_tables_their_pairings(club: TournamentClub) -> None:
    """Until the desk knows what there is, which may take a while."""
    assert {it.notes is None for it in club.collector.hub.tables.values()} == {True}
    club.start()
    with closing(club):
        until(lambda: all(it.notes == {} for it in club.collector.hub.tables.values()))


def test_a_game_at_another_table_counts_for_nothing(started: TournamentClub) -> None:
    made = started.make(4)
    state = started.begin_round(made.id)
    filing, path = started.finished(state, 1)
    filing.record.headers["Table"] = "Table 4"
    started.desk.hear(filing, path)
    until(lambda: bool(started.desk.remarks()))
    assert "played at Table 4" in started.desk.remarks()[0]["why"]
    assert not started.desk.state(made.id).board(1, 1).result  # type: ignore[union-attr]


def test_a_desk_that_was_away_finds_the_games_on_disk(club: TournamentClub) -> None:
    """Also what the director did meanwhile from a terminal."""
    made = club.make(4)
    state = club.begin_round(made.id)
    filing, path = club.finished(state, 2)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_record(filing.record))
    club.start()
    with closing(club):
        until(lambda: club.desk.state(made.id).board(1, 2).result != "")  # type: ignore[union-attr]
        register = Register(club.club.url, club.club.club.id)
        fields = {"round": 1, "board": 1, "result": "+/-", "reason": "nobody came"}
        TournamentStore(register, club.club.club.id).change(
            made.id, now(), "Terminal", lambda _state: [(events.CORRECTED, fields)]
        )
        register.close()
        until(lambda: club.desk.state(made.id).board(1, 1).result == "+/-")  # type: ignore[union-attr]


# ---- commands


@lanes.gate
def test_a_tournament_in_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--folder", str(tmp_path / "club")]

    def said(*words: str, status: int = 0) -> str:
        assert run(["club", *words, *folder]) == status
        return capsys.readouterr().out

    said("new", "Testclub")
    said("table", "add", "Table 1")
    assert "autumn-cup" in said("tournament", "new", "Autumn Cup", "--rounds", "2")
    added = json.loads(said("tournament", "add", "Ada (1600)", "Ben", "Cleo", "--json"))
    assert [it["name"] for it in added] == ["Ada", "Ben", "Cleo"]
    paired = json.loads(said("tournament", "pair", "--start", "--json"))
    assert [(it["white"], it["table"]) for it in paired["boards"]] == [("Ada", "Table 1")]
    assert paired["bye"] == "Cleo"
    said("tournament", "close", status=2)
    said("tournament", "correct", "1", "-/+", status=2)  # without a reason
    said("tournament", "correct", "1", "-/+", "--reason", "late")
    assert said("tournament", "close") == "'Autumn Cup': round 1 is closed\n"
    said("tournament", "withdraw", "Ben")
    said("tournament", "add", "Dan")
    said("tournament", "unpair", "--reason", "no", status=2)
    by_hand = said(
        "tournament", "pair", "--by-hand", "Dan - Ada", "--reason", "as they want", "--json"
    )
    assert json.loads(by_hand)["bye"] == "Cleo"
    rows = json.loads(said("tournament", "standings", "--json"))
    assert {row["name"]: row["points"] for row in rows} == {
        "Ada": "0",
        "Ben": "1",
        "Cleo": "1",
        "Dan": "0",
    }
    assert "Sonneborn-Berger" in said("tournament", "standings")
    assert "late" in said("tournament", "log")
    assert json.loads(said("tournament", "list", "--json"))[0]["round"] == 2
    assert "1b+" in said("tournament", "table") or "w" in said("tournament", "table")
    said("tournament", "pairings", "--round", "7", status=2)


# ---- whole tables


@lanes.gate
def test_a_swiss_of_virtual_tables(tmp_path: Path) -> None:
    """Through a real broker and the hub; the lab checks results, records and standings."""
    tables, rounds = sweep.size(2, 6, 24), sweep.size(2, 4, 7)
    found = tournament.run(tmp_path, tables, rounds, turns=sweep.size(6, 20, 60))
    assert found["games"] == tables * rounds
    assert found["remarks"] == []
