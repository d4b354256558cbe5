"""The director's desk at the hub: tournaments follow their games, and tables know their pairings.

A thread of its own keeps the logs as the database has them, enters results that games brought, and
has tables told. Where the database is away, results wait in memory; they are on disk as records,
so that after a restart they are looked for there.
"""

import threading
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronotable_club.at_table import ANNULLED, NOTE, PAIRING
from chronotable_club.collecting import Collector
from chronotable_club.folder import TABLE, TABLE_ID
from chronotable_club.following import IllegalRecordError
from chronotable_club.hub import FiledRecord
from chronotable_club.register import Register
from chronotable_club.tournament.cards import GAME_RESULTS
from chronotable_club.tournament.games import FinishedGame, effect_of, pairing_id, parse_pairing
from chronotable_club.tournament.ratings import PERIODS, RatedGame, as_directed, members
from chronotable_club.tournament.state import Board, Tournament, TournamentLog
from chronotable_club.tournament.views import overview, ratings, whole
from chronotable_club.tournament_store import StepsOf, TournamentStore
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.limits import LOG
from chronotable_host.rules.record import Record

_UNTOLD: Final = object()  # of a table that was told neither a pairing nor that it has none
_LOOKS_S = 1.0
_MOST_REMARKS = 30
_NOBODY = {"", "?", "hands", "you"}
"""Names of sides that are nobody's: an unknown one's, and those of hands without a name."""


class UncountedGame(NamedTuple):
    """A game that counted for nothing, and why."""

    at: str
    table: str
    game: str
    why: str


def now() -> str:
    """Return the time as logs have it."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


class ClubDesk:
    """The tournaments of a club that collects."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._register = Register(collector.folder.url, collector.folder.club.id)
        self._store = TournamentStore(self._register, collector.folder.club.id)
        self._lock = threading.Lock()
        self._logs: dict[str, TournamentLog] = {}
        self._views: dict[str, dict[str, Any]] = {}
        self._waiting: dict[str, FinishedGame] = {}  # by game
        self._tables: dict[str, str] = {}  # of each game, the table that told it
        self._remarks: list[UncountedGame] = []
        self._told: dict[str, Any] = {}
        self._annulled: dict[str, list[str]] = defaultdict(list)  # as tables were told
        self._games: dict[Path, RatedGame | None] = {}
        self._ratings: dict[str, list[dict[str, Any]]] = {name: [] for name in PERIODS}
        self._rated: tuple[list[RatedGame], list[tuple[str, int]]] = [], []
        self._has_all = False
        self._bell = threading.Event()
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="desk", daemon=True)
        self.problem = ""
        collector.listeners.append(self.hear)

    # ---- for others

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def close(self) -> None:
        """End; what was not entered is found on disk at the next start."""
        self._has_ended.set()
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._register.close()

    def hear(self, filing: FiledRecord, path: Path) -> None:
        """Take note of a record that was filed; called in the filer's thread, waits for nobody."""
        self._take(filing.record, filing.game, filing.table)
        with self._lock:
            self._games[path] = _rated(filing.record)
        self._bell.set()

    def tables(self) -> list[str]:
        """Return the names of the tables that are here, to seat pairs at."""
        with self._collector.lock:
            tables = [it for it in self._collector.hub.tables.values() if not it.is_revoked]
            here = [it.name for it in tables if it.is_here]
            return sorted(here or [it.name for it in tables], key=table_order)

    def change(self, tournament: str, steps: StepsOf, by: str = "director") -> Tournament:
        """Have something happen to a tournament; may wait for the database. Raises UserError."""
        log = self._store.change(tournament, now(), by, steps)
        self._keep(log)
        return log.state

    def create(self, fields: Mapping[str, Any], by: str = "director") -> Tournament:
        """Make a tournament; may wait for the database. Raises UserError."""
        log = self._store.create(now(), by, fields)
        self._keep(log)
        return log.state

    def overviews(self) -> list[dict[str, Any]]:
        """Return all tournaments, the latest first, from memory."""
        with self._lock:
            return [overview(log.state) for log in reversed(self._logs.values())]

    def state(self, tournament: str) -> Tournament | None:
        """Return a tournament from memory."""
        with self._lock:
            log = self._logs.get(tournament)
        return None if log is None else log.state

    def view(self, tournament: str) -> dict[str, Any] | None:
        """Return all of a tournament for pages, from memory."""
        with self._lock:
            return self._views.get(tournament)

    def log(self, tournament: str) -> list[dict[str, Any]]:
        """Return a tournament's log for the director, from memory."""
        with self._lock:
            found = self._logs.get(tournament)
            return [] if found is None else [it._asdict() for it in found.entries]

    def remarks(self) -> list[dict[str, str]]:
        """Return which games counted for nothing, the latest first."""
        with self._lock:
            return [it._asdict() for it in reversed(self._remarks)]

    def ratings(self, periods: str) -> list[dict[str, Any]]:
        """Return the club's ratings, from memory."""
        with self._lock:
            return self._ratings.get(periods, [])

    # ---- its thread

    def _work(self) -> None:
        while not self._has_ended.is_set():
            try:
                self.step()
            except Exception as error:
                # the database is away, or not as it should be; whatever it is, the next try may do
                if not isinstance(error, UserError):
                    LOG.exception(tr("the club's tournaments could not be followed"))
                self.problem = str(error) or type(error).__name__
                self._register.close()
            else:
                self.problem = ""
            self._bell.wait(_LOOKS_S)
            self._bell.clear()

    def step(self) -> None:
        """Read what is new, enter what games brought, and have tables told. Raises UserError."""
        for name, length in self._store.lengths().items():
            known = self._logs.get(name)
            if known is None or len(known.entries) < length:
                self._keep(self._store.log(name))
        if not self._has_all:
            self._look_on_disk()
            self._has_all = True
        self._enter_results()
        self._tell_tables()
        self._rate()

    def _keep(self, log: TournamentLog) -> None:
        view = whole(log.state)
        with self._lock:
            known = self._logs.get(log.state.id)
            if known is None or len(known.entries) <= len(log.entries):
                self._logs[log.state.id] = log
                self._views[log.state.id] = view
        self._bell.set()

    def _look_on_disk(self) -> None:
        """Find the games that came while the desk was away."""
        for path in sorted(self._collector.folder.games.glob(f"*{SUFFIX}")):
            try:
                record = self._collector.read_file(path)
            except (OSError, IllegalRecordError):
                continue
            game = path.name.split(".")[0]
            self._take(record, game, record.headers.get(TABLE_ID, ""), is_old=True)
            with self._lock:
                self._games.setdefault(path, _rated(record))

    def _take(self, record: Record, game: str, table: str, is_old: bool = False) -> None:
        headers = record.headers
        found = parse_pairing(headers.get(PAIRING, ""))
        if found is None:
            return
        key = f"{table}:{game}"
        result = headers["Result"] if headers["Result"] in GAME_RESULTS else ""
        finished = FinishedGame(key, headers[PAIRING], headers["White"], headers["Black"], result)
        with self._lock:
            if not (is_old and key in self._waiting):  # what came meanwhile is newer
                self._waiting[key] = finished
            self._tables[key] = headers.get(TABLE, "") or table

    def _enter_results(self) -> None:
        with self._lock:
            waiting = dict(self._waiting)
        for key, game in waiting.items():
            found = parse_pairing(game.pairing)
            known = self.state(found[0]) if found else None
            if known is not None:
                self._enter(known, game)
            with self._lock:
                if self._waiting.get(key) == game:
                    del self._waiting[key]

    def _enter(self, known: Tournament, game: FinishedGame) -> None:
        table = self._tables.get(game.id, "")
        board = known.board(*(parse_pairing(game.pairing) or ("", 0, 0))[1:])
        if not game.result and (board is None or board.game != game.id):
            return  # it goes on, as far as anybody knows
        if board is not None and board.table and table and board.table != table:
            why = tr("it was played at {table}, not at {due}", table=table, due=board.table)
            self._remark(table, game, why)
            return
        found = effect_of(known, game)
        if found.kind:
            self.change(known.id, lambda state: _again(state, game), table or "table")
        elif board is None or board.game != game.id or board.result != game.result:
            self._remark(table, game, found.why)

    def _remark(self, table: str, game: FinishedGame, why: str) -> None:
        with self._lock:
            said = [(it.game, it.why) for it in self._remarks]
            if (game.id, why) not in said:
                self._remarks = [*self._remarks, UncountedGame(now(), table, game.id, why)][
                    -_MOST_REMARKS:
                ]

    def _tell_tables(self) -> None:
        """Have each table know who sits there now: pairings without a result, once they began."""
        with self._lock:
            states = [log.state for log in self._logs.values()]
        annulled: dict[str, list[str]] = defaultdict(list)
        for game in sorted(set().union(*(state.annulled for state in states))):
            table, _, name = game.partition(":")
            annulled[table].append(name)
        wanted: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for state in states:
            playing = state.current
            if playing is None or not playing.is_started or playing.is_closed:
                continue
            for board in playing.boards:
                if board.table and not board.result:
                    wanted[board.table].append(_note(state, playing.number, board))
        with self._collector.lock:
            names = {it.id: it.name for it in self._collector.hub.tables.values()}
        for table, name in names.items():
            if annulled[table] != self._annulled[table]:
                self._annulled[table] = annulled[table]
                self._collector.note(table, ANNULLED, annulled[table])
            told, due = self._told.get(table, _UNTOLD), wanted[name]
            if told not in due:  # who sits there already, plays first
                self._told[table] = due[0] if due else None
            if self._told[table] != told:
                self._collector.note(table, NOTE, self._told[table])

    def _rate(self) -> None:
        with self._lock:
            states = [log.state for log in self._logs.values()]
            known = [it for it in self._games.values() if it is not None]
        games = sorted(as_directed(known, states))
        players = [it for state in states for it in state.players.values()]
        entered = [(player.name, player.rating) for player in players]
        if (games, entered) != self._rated:
            self._rated = games, entered
            found = {
                name: ratings(members(split(games), entered)) for name, split in PERIODS.items()
            }
            with self._lock:
                self._ratings = found


def _again(state: Tournament, game: FinishedGame) -> list[tuple[str, Mapping[str, Any]]]:
    found = effect_of(state, game)
    return [(found.kind, found.fields)] if found.kind else []


def _note(state: Tournament, number: int, board: Board) -> dict[str, Any]:
    return {
        "id": pairing_id(state.id, number, board.number),
        "tournament": state.name,
        "round": number,
        "board": board.number,
        "white": state.players[board.white].name,
        "black": state.players[board.black].name,
    }


def _rated(record: Record) -> RatedGame | None:
    """Return a game between two people that was played to its end, for their ratings."""
    headers = record.headers
    try:
        day = datetime.strptime(headers["Date"][:10].replace("-", "."), "%Y.%m.%d").date()
    except ValueError:
        return None
    names = headers["White"].strip(), headers["Black"].strip()
    if headers["Result"] not in GAME_RESULTS or not _NOBODY.isdisjoint(names):
        return None
    return RatedGame(
        headers["White"], headers["Black"], headers["Result"], day, headers.get(PAIRING, "")
    )


def table_order(name: str) -> tuple[object, ...]:
    """Return what puts Table 2 before Table 10."""
    digits = "".join(it for it in name if it.isdecimal())
    return (int(digits) if digits and digits.isascii() else 0, name)
