"""A club whose tournament is shown and directed without a network: games come as filed records."""

from __future__ import annotations

from pathlib import Path
from random import Random

from chronotable_club.at_table import PAIRING
from chronotable_club.desk import ClubDesk
from chronotable_club.director import direct_tournaments
from chronotable_club.folder import TABLE
from chronotable_club.hub import FiledRecord
from chronotable_club.tournament import directing, events
from chronotable_club.tournament.games import pairing_id
from chronotable_club.tournament.state import Tournament
from chronotable_host.rules.record import Record, format_record
from tests.club.shown import ShownClub, recorded


class TournamentClub(ShownClub):
    """A club with a desk; `tables` are the ids of tables by their names."""

    def __init__(self, folder: Path, tables: int) -> None:
        super().__init__(folder, tables)
        self.tables = {it.name: it.id for it in self.enrolled}
        self.desk = ClubDesk(self.collector)
        direct_tournaments(self.director, self.desk)
        self._records = recorded()
        self._played = 0

    def start(self) -> None:
        """Begin to collect, and to follow tournaments."""
        super().start()
        self.desk.start()

    def close(self) -> None:
        """End."""
        super().close()
        self.desk.close()

    def entered(self, names: list[tuple[str, int]], rounds: int = 1) -> Tournament:
        """Make a Swiss of these players with their ratings."""
        made = self.desk.create(directing.creation("Herbstpokal", events.SWISS, rounds))
        return self.desk.change(made.id, lambda state: directing.adding(state, names))

    def make(self, players: int, rounds: int = 5) -> Tournament:
        """Make a Swiss of so many players."""
        return self.entered(
            [(NAMES[at % len(NAMES)], 1900 - 25 * at) for at in range(players)], rounds
        )

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
