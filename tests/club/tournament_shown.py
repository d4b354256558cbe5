"""A club whose tournament is shown and directed without a network: games come as filed records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from chronotable_club.collecting import Collector
from chronotable_club.desk import ClubDesk
from chronotable_club.director import Director, direct_tables, direct_tournaments
from chronotable_club.folder import new_club
from chronotable_club.hub import FiledRecord
from chronotable_club.pairing_at_table import PAIRING
from chronotable_club.record_files import TABLE
from chronotable_club.register import Register
from chronotable_club.server import ClubServer, tournament_pages
from chronotable_club.tournament import directing, events
from chronotable_club.tournament.games import pairing_id
from chronotable_club.tournament.state import Tournament
from chronotable_club.wall import Wall
from chronotable_host.rules.record import Record, format_record
from tests.club.shown import NoLine, recorded, tables_of


class ShownClub:
    """A club that collects, with its desk; `tables` are the ids of tables by their names."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.club = new_club(folder, "Café Zeitsprung")
        self.tables = {it.name: it.id for it in tables_of(self.club, tables)}
        self.collector = Collector(self.club, lambda _wake: NoLine())
        self.desk = ClubDesk(self.collector)
        self._records = recorded()
        self._played = 0

    def start(self) -> None:
        """Begin to collect."""
        self.collector.line_problem = ""
        self.collector.start()
        self.desk.start()

    def close(self) -> None:
        """End."""
        self.collector.close()
        self.desk.close()

    def make(self, players: int, rounds: int = 5) -> Tournament:
        """Make a Swiss."""
        made = self.desk.create(directing.creation("Herbstpokal", events.SWISS, rounds))
        names = [(f"{NAMES[at % len(NAMES)]}", 1900 - 25 * at) for at in range(players)]
        return self.desk.change(made.id, lambda state: directing.adding(state, names))

    def begin_round(self, tournament: str) -> Tournament:
        """Pair and start the next round."""
        tables = self.desk.tables()
        self.desk.change(tournament, lambda state: directing.pairing(state, tables))
        return self.desk.change(
            tournament,
            lambda state: [(events.ROUND_STARTED, {"round": directing.playing(state)})],
        )

    def finished(self, state: Tournament, board: int) -> tuple[FiledRecord, Path]:
        """Return what comes when a game of the present round is over."""
        self._played += 1
        source = self._records[self._played % len(self._records)]
        record = Record(source.start, source.options)
        record.turns, record.comments = source.turns[:6], source.comments[:6]
        playing = state.current
        assert playing is not None
        pair = playing.boards[board - 1]
        result, how = ENDS[self._played % len(ENDS)]
        record.finish(result, how)
        record.headers |= {
            "White": state.players[pair.white].name,
            "Black": state.players[pair.black].name,
            "Date": "2026.11.07",
            PAIRING: pairing_id(state.id, playing.number, board),
            TABLE: pair.table,
        }
        table = self.tables.get(pair.table, "")
        game = f"game-{playing.number}-{board}"
        path = self.club.games / f"{game}.ttykm"
        return FiledRecord(table, game, format_record(record), record), path

    def play(self, tournament: str, random: Random, most: int = 99) -> None:
        """Let the games of the present round come in, in any order."""
        state = self.desk.state(tournament)
        assert state is not None and state.current is not None
        boards = [it.number for it in state.current.boards]
        for board in random.sample(boards, len(boards))[:most]:
            self.desk.hear(*self.finished(state, board))


ENDS = (("1-0", "resigned"), ("0-1", "resigned"), ("1/2-1/2", "agreed"))
NAMES = (
    *("Ada", "Björn", "Chidi", "Dagmar", "Elif", "Fatou", "Grete", "Hugo", "Ines", "Jörg"),
    *("Kira", "Lars", "Mina", "Nils", "Olga", "Pavel", "Quentin", "Rosa", "Sven", "Theodora"),
    *("Ulla-Maria von Sternenburg", "Viktor", "Wanda", "Xaver"),
)


@contextmanager
def served(shown: ShownClub) -> Iterator[ClubServer]:
    """Serve a club's pages."""
    collector = shown.collector
    wall, director = Wall("Café Zeitsprung"), Director("Café Zeitsprung")
    register = Register(shown.club.url, shown.club.club.id)
    direct_tables(director, collector, register)
    direct_tournaments(director, shown.desk)
    pages = tournament_pages(shown.desk)
    server = ClubServer(collector, wall, director, register, more=pages)
    collector.rounds.append(director.look)
    shown.start()
    server.start()
    try:
        yield server
    finally:
        server.close()
        shown.close()
