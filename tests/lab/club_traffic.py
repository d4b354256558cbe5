"""The recorded traffic of real games: what tables send to their PCs, with its times."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from chronotable_host.engine.seats import parse_seat
from chronotable_host.engine.thinkers import chooser_of
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.virtual import chance
from chronotable_host.virtual.play import Hands, play
from chronotable_host.virtual.table import VirtualTable, settings_for
from ttykm.game import Game
from ttykm.layout import new_state

_BOARD = "reference"
_READY_MS = 1000
_MOST_TURNS = 60


class Traffic(NamedTuple):
    """A game as it came over a line: table times in ms and bytes; how many turns it has.

    `number` is that of the link's session, which the table names in its answer.
    """

    chunks: Sequence[tuple[int, bytes]]
    turns: int
    number: int

    @property
    def length_ms(self) -> int:
        """How long it took, in table time."""
        return self.chunks[-1][0]

    def open(self, session: Session) -> None:
        """Have a session take this traffic for the answers to what it asks."""
        session.open(0)
        session.link._session = session.link.hello.session = self.number


class _NotedSession(Session):
    """A session that notes what comes."""

    noted: list[tuple[int, bytes]]

    def exchange(self, data: bytes, now_ms: int, table_ms: int | None = None) -> bytes:
        if data:
            self.noted.append((now_ms, data))
        return super().exchange(data, now_ms, table_ms)


def record(seed: int) -> Traffic:
    """Have a game played at a virtual table with the whole firmware, and record the line."""
    start = new_state()
    session = _NotedSession(Mirror(lambda _happening: None))
    session.noted = []
    who = chance.seeded(str(seed))
    virtual = VirtualTable.of(_BOARD, Random(seed), settings=settings_for(start, 0), chance=who)
    virtual.attach(session)
    game = Game()
    game.start(start)
    hands = Hands(virtual, session.mirror, Random(seed))
    with (
        chooser_of(parse_seat("level:1"), seed) as white,
        chooser_of(parse_seat("random"), seed) as black,
    ):
        hands.set_up(start)
        hands.wait(_READY_MS)
        play(hands, game, (white, black), most_turns=_MOST_TURNS)
    hands.wait(4 * _READY_MS)
    virtual.close()
    return Traffic(tuple(session.noted), len(game.turns), session.link._session)
