"""A tournament of a club, played to its end by virtual tables through a broker and the hub.

`python -m tests.lab.tournament --tables 24 --rounds 7` prints the figures as JSON. Two players sit
at each table; half of the tables are switched on only after the first round was told. Mosquitto and
PostgreSQL serve where they are installed, else the embedded broker and a database in a file.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from chronotable_club.at_table import PAIRING
from chronotable_club.collecting import Collector
from chronotable_club.desk import ClubDesk
from chronotable_club.folder import ClubFolder
from chronotable_club.tournament import directing, events
from chronotable_club.tournament.state import Tournament
from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_far.broker.client import BrokerClient
from chronotable_far.broker.embedded import EmbeddedBroker
from chronotable_host.archive.parsing import parse
from tests.lab import postgresql
from tests.lab.club_tables import begun
from tests.lab.mosquitto import Mosquitto, program

_ROOT = Path(__file__).parent.parent.parent
_LONGEST_ROUND_S = 900.0
_PROCESSES = 2


def run(
    folder: Path,
    tables: int = 24,
    rounds: int = 7,
    players: int = 0,
    level: int = 1,
    turns: int = 30,
    say: Callable[[str], None] = lambda _line: None,
) -> dict[str, Any]:
    """Play a Swiss, and return its figures; raises AssertionError where a result is not as played.

    A game that is not over after so many `turns` is resigned.
    """
    players = players or 2 * tables
    with _broker(folder) as address, _database(folder) as database:
        club, tokens = begun(folder / "club", tables, database=database)
        collector = Collector(club, lambda wake: BrokerClient(address, wake=wake))
        desk = ClubDesk(collector)
        collector.start()
        desk.start()
        workers: list[subprocess.Popen[str]] = []
        began_s = time.monotonic()
        try:
            workers.append(_tables(address, folder / "a", level, turns, tokens[::_PROCESSES]))
            made = desk.create(directing.creation("Lab Cup", events.SWISS, rounds))
            entered = [(f"Player {at:02}", 2000 - 10 * at) for at in range(1, players + 1)]
            desk.change(made.id, lambda state: directing.adding(state, entered))
            times = []
            for number in range(1, rounds + 1):
                times.append(_round(desk, collector, made.id, number))
                if number == 1 and tables > 1:
                    late = _tables(address, folder / "b", level, turns, tokens[1::_PROCESSES])
                    workers.append(late)
                _finish(desk, made.id, number, times[-1], workers)
                say(f"round {number}: {times[-1]['played_s']:.1f} s")
            state = desk.change(
                made.id, lambda known: [(events.ROUND_CLOSED, {"round": directing.playing(known)})]
            )
        finally:
            for worker in workers:
                worker.communicate("", timeout=60)
            desk.close()
            collector.close()
        return {
            "players": players,
            "tables": tables,
            "database": club.url.partition(":")[0],
            "seconds": round(time.monotonic() - began_s, 1),
            "rounds": times,
            **_checked(state, club, desk),
        }


def _round(desk: ClubDesk, collector: Collector, tournament: str, number: int) -> dict[str, float]:
    began = time.perf_counter()
    with collector.lock:
        names = [seat.name for seat in collector.hub.tables.values()]
    desk.change(tournament, lambda state: directing.pairing(state, sorted(names)))
    paired = time.perf_counter()
    desk.change(tournament, lambda _state: [(events.ROUND_STARTED, {"round": number})])
    return {"paired_s": round(paired - began, 3)}


def _finish(
    desk: ClubDesk,
    tournament: str,
    number: int,
    figures: dict[str, float],
    workers: list[subprocess.Popen[str]],
) -> None:
    began = time.monotonic()
    while True:
        state = desk.state(tournament)
        if state is not None and state.rounds[number - 1].is_complete:
            break
        assert time.monotonic() < began + _LONGEST_ROUND_S, _missing(state, number)
        assert all(it.poll() is None for it in workers), "tables have ended"
        time.sleep(0.05)
    figures["played_s"] = round(time.monotonic() - began, 1)


def _missing(state: Tournament | None, number: int) -> str:
    boards = [] if state is None else state.rounds[number - 1].boards
    return f"no result of {[(it.number, it.table) for it in boards if not it.result]}"


def _checked(state: Tournament, club: ClubFolder, desk: ClubDesk) -> Mapping[str, Any]:
    """See that all results are those of the records on disk, each game once."""
    records = [parse(path.read_bytes()).record for path in sorted(club.games.glob("*.ttykm"))]
    by_pairing: dict[str, list[dict[str, str]]] = {}
    for record in records:
        by_pairing.setdefault(record.headers.get(PAIRING, ""), []).append(record.headers)
    games, wins = 0, dict.fromkeys(state.players, 0.0)
    for each in state.rounds:
        if each.bye:
            wins[each.bye] += 1
        for board in each.boards:
            games += 1
            found = by_pairing.pop(f"{state.id}/{each.number}/{board.number}")
            assert len(found) == 1, f"{len(found)} games of round {each.number} {board}"
            (headers,) = found
            assert headers["Result"] == board.result
            assert headers["White"] == state.players[board.white].name
            assert headers["Black"] == state.players[board.black].name
            assert headers["Table"] == board.table
            white = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[headers["Result"]]
            wins[board.white] += white
            wins[board.black] += 1 - white
    assert not by_pairing, f"games of no pairing: {sorted(by_pairing)}"
    rows = state.standings()
    assert {row.number: float(row.points) for row in rows} == wins
    assert state.is_over
    ends = [record.headers["Termination"] for record in records]
    return {
        "games": games,
        "turns": sum(len(record.turns) for record in records),
        "resigned": ends.count("resigned"),
        "remarks": desk.remarks(),
        "winner": state.players[rows[0].number].name,
        "points": float(rows[0].points),
        "rated": len(desk.ratings("tournament")),
    }


def _tables(
    broker: BrokerAddress, folder: Path, level: int, turns: int, tokens: list[str]
) -> subprocess.Popen[str]:
    words = [broker.url, str(folder), str(level), str(turns), *tokens]
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.lab.tournament_tables", *words],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


@contextlib.contextmanager
def _broker(folder: Path) -> Iterator[BrokerAddress]:
    """Run Mosquitto, or the embedded broker where it is not installed."""
    if program() is None:
        with closing(EmbeddedBroker("127.0.0.1")) as embedded:
            yield embedded.address("127.0.0.1")
        return
    mosquitto = Mosquitto(folder / "mosquitto")
    try:
        yield parse_broker(f"mqtt://127.0.0.1:{mosquitto.port}")
    finally:
        mosquitto.stop()


@contextlib.contextmanager
def _database(folder: Path) -> Iterator[str]:
    """Run PostgreSQL; yields its URL, "" where it is not installed."""
    if postgresql.programs() is None:
        yield ""
        return
    database = postgresql.Postgresql(folder / "database")
    try:
        yield database.url
    finally:
        database.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.tournament")
    for name, usual in (("tables", 24), ("rounds", 7), ("players", 0), ("level", 1), ("turns", 30)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = run(
            Path(folder), **vars(wanted), say=lambda line: print(line, file=sys.stderr, flush=True)
        )
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
