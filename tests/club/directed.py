"""A tournament that is led through its rounds, for tests."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from chronotable_club.tournament import events
from chronotable_club.tournament.cards import GAME_RESULTS
from chronotable_club.tournament.directing import next_pairing, seated_at
from chronotable_club.tournament.games import FinishedGame, entered, pairing_id
from chronotable_club.tournament.standings import SWISS_ORDER
from chronotable_club.tournament.state import TournamentLog

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
        found = entered(self.state, FinishedGame(**said))
        if found.kind:
            self.log.append(AT, "Table 1", found.kind, **found.fields)
        return found.why

    def play(self, random: Random) -> None:
        """Play the round to its end by chance, whatever is not played yet."""
        for board in self.state.current.boards:
            if not board.result:
                assert self.game(board.number, random.choice(GAME_RESULTS)) == ""
        self.do(events.ROUND_CLOSED, round=self.state.current.number)
