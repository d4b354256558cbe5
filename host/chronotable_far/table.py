"""A game far apart at one table: everything that belongs to it, put together and kept going."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chronotable_far.bridge import Bridge
from chronotable_far.clocks import FarClocks
from chronotable_far.entries import ENDS, JOINER
from chronotable_far.negotiation import RoomNegotiation
from chronotable_far.post import Post
from chronotable_far.room_records import RoomRecords
from chronotable_far.sitting import Sitting
from chronotable_far.table_games import TableGames
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import Happening, Notice
from ttykm import objects
from ttykm.game import RULES_VERSION

if TYPE_CHECKING:
    from chronotable_far.course import Course
    from chronotable_far.post import Client
    from chronotable_far.room import FarRoom
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk

NOBODY_MS = 8000.0
"""How long a room may be silent, once the broker is there, before that is said."""


class Joining:
    """Joins a room as `name`, once what its inviter began there is known.

    One rule: who may not play what was begun there says so in one sentence, which names no secret
    of the game, and leaves no trace in the room.

    `chats` says whether this end wants a line of chat. `says` is what people are told while the
    room is silent, "" for nothing.
    """

    def __init__(self, room: FarRoom, name: str, chats: bool) -> None:
        self.says = ""
        self._room = room
        self._name = name
        self._chats = chats
        self._since_ms: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether this end belongs to the room."""
        course = self._room.course
        return course.join is not None or (self._room.end != JOINER and course.begin is not None)

    def step(self, now_ms: float, is_connected: bool) -> None:
        """Join, if that is due; `now_ms` is any clock's.

        Raises UserError where this end cannot play what was begun, and OSError.
        """
        if self.is_done:
            self.says = ""
            return
        begin = self._room.course.begin
        if begin is None:
            self._wait(now_ms, is_connected)
            return
        if begin.rules != RULES_VERSION:
            raise UserError(
                tr(
                    "the one who invites has another version of the rules; update chronotable on "
                    "both computers, and invite again"
                )
            )
        chapters.require(objects.modules_of(begin.start), begin.options)
        self._room.append("join", name=self._name, rules=RULES_VERSION, chat=self._chats)
        self.says = ""

    def _wait(self, now_ms: float, is_connected: bool) -> None:
        if not is_connected:
            self._since_ms = None
            return
        if self._since_ms is None:
            self._since_ms = now_ms
        if now_ms - self._since_ms >= NOBODY_MS:
            self.says = tr(
                "nobody has begun a game with this invitation at this broker yet; are link and "
                "broker the right ones? This waits for it"
            )


class Here(NamedTuple):
    """What this end says of itself: who plays here, and whether a line of chat is wanted."""

    name: str = ""
    chats: bool = False


NOBODY_NAMED = Here()


class FarTable:
    """A room at a desk's table; `client` is the line to the broker.

    `own_player` returns who plays this end's side: None for hands, or who puts turns together on
    the page. `board` names the board for records. With `lays_ends` a game that is over is set up,
    too.
    """

    def __init__(
        self,
        desk: Desk,
        room: FarRoom,
        client: Client,
        board: Callable[[], str],
        own_player: Callable[[], Thinker | None] = lambda: None,
        here: Here = NOBODY_NAMED,
        table_games: TableGames | None = None,
        lays_ends: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        assert desk.archive is not None
        self.room = room
        self.seen_s: float | None = None  # when the other end was there last, by the clock
        self._tell = tell = desk.tell
        self.clock = clock
        self._said = ""
        desk.far_log = self
        desk.clocks = self.clocks = FarClocks(desk.session, tell, room)
        self.records = RoomRecords(desk.archive, board, lambda why: tell(Notice(None, why)))
        self._shared: set[str] = set()  # the ends that are played by several programs
        room.introduce(here.name)
        self.post = Post(room, client, tell)
        self.joining = Joining(room, here.name, here.chats)
        sitting = Sitting(desk.seats, own_player)
        known = table_games or TableGames()
        left_s = self.clocks.left_s
        self.bridge = Bridge(desk, room, sitting, known, self._change, left_s, lays_ends, clock)
        desk.negotiation = desk.far_talk = RoomNegotiation(desk, self.bridge)

    def _change(self, course: Course) -> None:
        self.clocks.follow(course)
        self.records.keep(course)

    def hear(self, happening: Happening) -> None:
        """Take what a mirror tells, before anybody else does; raises OSError."""
        self.bridge.hear(happening)

    def step(self, now_ms: float) -> None:
        """Do what is due; `now_ms` is any clock's.

        Raises UserError where this end cannot play what it is invited to, and OSError.
        """
        self.post.step(now_ms)
        self.joining.step(now_ms, self.room.is_settled)
        says = self.joining.says or self.room.stopped
        if says != self._said:
            self._said = says
            if says and says != self.room.course.problem:  # that is news already
                self._tell(Notice(None, says))
        if self.joining.is_done:
            self.bridge.step(now_ms)
            for end in ENDS:
                self._tell_of_another(end)
        if self.room.there:
            self.seen_s = self.clock()

    def _tell_of_another(self, end: str) -> None:
        """Say once that one player's link is used at two computers."""
        name = self.room.another(end)
        if name is None:
            self._shared.discard(end)
        elif end not in self._shared:
            self._shared.add(end)
            player = names.PLAYERS_WITHIN[self.room.course.sides[end]]
            if name:
                says = tr(
                    "A second computer, {name}'s, plays {player} now, too.",
                    name=name,
                    player=player,
                )
            else:
                says = tr("A second computer plays {player} now, too.", player=player)
            self._tell(Notice(None, says))
