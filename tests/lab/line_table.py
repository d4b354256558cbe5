"""The table's end of a line: all that runs on a table, but for the chip, and what lies on it.

What its tracker understood is written down as the truth.
"""

from __future__ import annotations

from array import array
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from chronotable.core.commands import SETTINGS, change
from chronotable.core.table import Table
from chronotable.hardware.sensors import BUTTON
from chronotable.hardware.wiring import Board
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.archive.comments import UNDERSTOOD
from chronotable_host.virtual.flash import MemoryStore
from tests.lab.line import Line
from tests.lab.line_truth import Played, expect
from ttykm.game import RULES_VERSION

if TYPE_CHECKING:
    from chronotable.link.messages import Value, Values

TABLE_ID = "e66038b71353"

_REST_MS = 300  # a turn is final so soon


class _NotedTable(Table):
    """A table that writes its games down in `truth`, by id, as its tracker tells them.

    `standing` is the turn that can still be reopened, `obeyed` counts the PC's commands.
    """

    truth: dict[int, Played]
    obeyed: Counter[str]
    standing: int | None = None

    def _execute(self, name: str, values: Values) -> None:
        self.obeyed[name] += 1
        super()._execute(name, values)

    def _played(self) -> Played:
        return self.truth[self.game_id]

    def provisional(self, turn: int) -> None:
        super().provisional(turn)
        self.standing = turn

    def reopened(self) -> None:
        super().reopened()
        self.standing = None

    def started(self) -> None:
        super().started()
        expect(self.game_id not in self.truth, "two games have one id")
        self.truth[self.game_id] = Played(array("H", self.game.state), self.game.options)

    def final(self, turn: int, understood: int) -> None:
        super().final(turn, understood)
        self.standing = None
        self._played().turns.append(turn)
        self._played().how.append(UNDERSTOOD[understood])

    def taken_back(self, turn: int) -> None:
        super().taken_back(turn)
        played = self._played()
        expect(played.turns.pop() == turn, "another turn was taken back than the last")
        played.how.pop()
        played.end = ()

    def over(self, winner: int, by: int) -> None:
        super().over(winner, by)
        self._played().end = winner, "nra"[by]


class _NotedLink(Link):
    """A table's link that counts its events."""

    posted = 0

    def post_event(self, name: str, time_ms: int, **fields: Value) -> int:
        self.posted = super().post_event(name, time_ms, **fields)
        return self.posted


class TableEnd:
    """The table: what lies on it, its flash, and what runs since it was switched on.

    `truth` has its games by id, `obeyed` counts the commands that it was told, `counters` are those
    of its link in the lives before this one.
    """

    def __init__(self, line: Line, board: Board, rng: Random) -> None:
        self.truth: dict[int, Played] = {}
        self.obeyed: Counter[str] = Counter()
        self.counters: Counter[str] = Counter()
        self.boots: list[int] = []
        self.lies: set[int] = set()  # the sensors on which something lies
        self._line = line
        self._board = board
        self._rng = rng
        self._store = MemoryStore()
        self._on_ms = 0
        self._posted = 0  # events, in the lives before this one
        self.table: _NotedTable

    @property
    def link(self) -> _NotedLink:
        """The link of this life."""
        assert isinstance(self.table.link, _NotedLink)
        return self.table.link

    @property
    def posted(self) -> int:
        """How many events it posted in all its lives."""
        return self._posted + self.link.posted

    def power_on(self) -> None:
        """Start, with a new boot number and what is in the flash; what lies there is felt."""
        if self.boots:
            self.counters.update(self.link.counters)
            self._posted += self.link.posted
        known = set(self.boots)
        self.boots.append(self._rng.choice([boot for boot in range(1, 999) if boot not in known]))
        self._on_ms = self._line.now_ms
        board = self._board
        identity = Identity("reference", 0xB0A2D, TABLE_ID, RULES_VERSION, self.boots[-1])
        light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
        journal = Journal(self._store, self.boots[-1])
        table = _NotedTable(board, light, _NotedLink(TABLE, identity), self._entropy, journal)
        table.truth, table.obeyed = self.truth, self.obeyed
        change(table, SETTINGS.index("rest_ms"), _REST_MS)
        table.link.open(0)
        table.tracker.begin_at(0)
        self.table = table
        for sensor in sorted(self.lies):
            self._feel(sensor, True)

    def _entropy(self) -> int:
        return self._rng.getrandbits(32)

    def move(self, sensor: int, closed: bool) -> None:
        """Put something on a sensor, or take it away; buttons are pressed and let go of."""
        if sensor < BUTTON:
            expect((sensor in self.lies) != closed, "hands cannot do that")
            self.lies ^= {sensor}
        self._feel(sensor, closed)

    def _feel(self, sensor: int, closed: bool) -> None:
        self.table.edge(self._board.cell_of[sensor], closed, self._line.now_ms - self._on_ms)

    def round(self) -> None:
        """Do what a round of the firmware's loop does, one line at most included."""
        table, line = self.table, self._line
        now_ms = line.now_ms - self._on_ms
        table.step(now_ms)
        table.tell()
        data = line.read()
        if data:
            table.receive(data, now_ms)
        table.link.tick(now_ms)
        said = table.link.data_to_send(1)
        if said:
            line.write(said)
