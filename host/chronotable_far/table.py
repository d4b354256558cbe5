"""A game far apart at one table: everything that belongs to it, put together and kept going."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from chronotable_far.bridge import Bridge
from chronotable_far.broker.client import BrokerConnected, BrokerLost, Message, TopicRefused
from chronotable_far.entries import ENDS, JOINER
from chronotable_far.negotiation import RoomNegotiation
from chronotable_far.room_records import RoomRecords, TableGames
from chronotable_far.sitting import Sitting
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.players.clocks import Clocks, parse_controls
from chronotable_host.rules.notation import PLAYERS
from ttykm import layout, objects
from ttykm.game import RULES_VERSION
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from chronotable_far.broker.client import Client, Event
    from chronotable_far.course import Begin, Course
    from chronotable_far.room import FarRoom
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.session import Session


_BUDGET_S = 0.004
"""How long one step may take up messages: lights and link wait meanwhile."""


class Post:
    """Joins a room to a broker's client; `problem` says why the broker is away, "" where not.

    One rule: who plays never waits for it. How far away the broker is, the room says; here it is
    only told once when it goes and when it is back.
    """

    def __init__(
        self,
        room: FarRoom,
        client: Client,
        tell: Callable[[Happening], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.problem = ""
        self._room = room
        self._client = client
        self._tell = tell
        self._clock = clock
        self._events: deque[Event] = deque()
        self._subscribed: set[str] = set()

    def step(self, now_ms: float) -> None:
        """Take up what has come, and send what is to be sent; `now_ms` is the room's clock.

        Raises OSError where an entry cannot be written.
        """
        if not self._events:  # else more could wait here than with the client
            self._events.extend(self._client.take())
        late_s = self._clock() + _BUDGET_S
        while self._events:
            self._take(self._events.popleft())
            if self._clock() >= late_s:
                break
        self._room.tick(int(now_ms))
        for topic in self._room.wants:
            if topic not in self._subscribed:
                self._subscribed.add(topic)
                self._client.subscribe(topic)
        for message in self._room.outgoing():
            self._client.publish(message.topic, message.payload, message.retain)

    def _take(self, event: Event) -> None:
        match event:
            case Message(topic, payload):
                self._room.receive(topic, payload)
            case BrokerConnected():
                if self.problem:
                    self._tell(Notice(None, tr("the broker is there again")))
                self.problem = ""
                self._room.connected()
            case BrokerLost(why):
                self._lose(why)
            case TopicRefused():
                self._lose(tr("the broker does not let this user read here"))

    def _lose(self, why: str) -> None:
        if why != self.problem:
            self.problem = why
            says = tr("{why}; what you do here is kept, and told when the broker is back", why=why)
            self._tell(Notice(None, says))
        self._room.lost()


class FarClocks(Clocks):
    """The clocks of a room at a session's table; `tell` as for those of a table alone.

    One rule: what the log says that a player had left counts. Between two turns the time of whose
    turn it is passes on the own table as ever, and that of the other player as long as that end is
    there. A player's first turn takes none: a program can be there long before anybody looks at it.
    """

    def __init__(self, session: Session, tell: Callable[[Happening], None], room: FarRoom) -> None:
        super().__init__(session, tell)
        self._room = room
        self._known: tuple[int, int] | None = None  # games and turns for which times are known

    def follow(self, course: Course) -> None:
        """Take the times from the log, where that has another line than before."""
        if course.begin is None:
            return
        place = course.games, len(course.line)
        if place == self._known:
            return
        if self._known is None:
            with suppress(UserError):  # another program may write what is not known here
                self.controls = (
                    parse_controls(course.begin.clock, 1) if course.begin.clock else None
                )
        self._known = place
        self._begin()
        if self.controls is None:
            return
        for played in course.line:
            if played.left_s is not None:
                self._left_ms[course.sides[played.end]] = 1000.0 * played.left_s

    def left_s(self, side: int) -> int | None:
        """Return what a player has left behind the turn that is made just now, None without one."""
        if self.controls is None:
            return None
        return max(0, int(self._left_ms[side] + self._increment_ms(side)) // 1000)

    @property
    def _is_timed(self) -> bool:
        return True

    @property
    def running(self) -> int:
        """The side whose clock runs, or NOBODY."""
        course = self._room.course
        if course.join is None or course.result is not None or course.question is not None:
            return NOBODY
        if len(course.line) < len(PLAYERS):
            return NOBODY
        side = layout.mover(course.state)
        if side != course.sides[self._room.end]:
            return side if self.controls is not None and self._room.there else NOBODY
        return super().running if super().running == side else NOBODY

    def hear(self, happening: Happening) -> None:
        """Take nothing from the table: the log has it."""

    def _remark(self) -> str:
        """Say nothing in the record of the table's game, which nobody keeps."""
        return ""


NOBODY_MS = 8000.0
"""How long a room may be silent, once the broker is there, before that is said."""


class Joining:
    """Joins a room as `name`, once what its inviter began there is known.

    Two rules. Who may not play what was begun there says so in one sentence, which names no secret
    of the game, and leaves no trace in the room. And what the broker keeps is waited for: this end
    may have joined from another computer.

    `chats` says whether this end wants a line of chat. `says` is what people are told while the
    room is silent, "" for nothing.
    """

    def __init__(self, room: FarRoom, name: str, chats: bool) -> None:
        self.says = ""
        self._room = room
        self._name = name
        self._chats = chats
        self._since_ms: float | None = None
        self._knows_all = self._belongs

    @property
    def is_done(self) -> bool:
        """Whether this end belongs to the room, and knows what the broker keeps of it."""
        return self._knows_all and self._belongs

    @property
    def _belongs(self) -> bool:
        course = self._room.course
        return course.join is not None or (self._room.end != JOINER and course.begin is not None)

    def step(self, now_ms: float, is_settled: bool) -> None:
        """Join, if that is due and the room `is_settled`; `now_ms` is any clock's.

        Raises UserError where this end cannot play what was begun, and OSError.
        """
        if self.is_done:
            self.says = ""
            return
        begin = self._room.course.begin
        if begin is None:
            self._wait(now_ms, is_settled)
            return
        self.says = ""
        if not self._belongs:
            self._check(begin)
        self._knows_all = is_settled and not self._room.is_behind
        if self._knows_all and not self._belongs:
            self._room.append("join", name=self._name, rules=RULES_VERSION, chat=self._chats)

    def _check(self, begin: Begin) -> None:
        """Raise UserError where this end cannot play what was begun."""
        if begin.rules != RULES_VERSION:
            raise UserError(
                tr(
                    "the one who invites has another version of the rules; update chronotable on "
                    "both computers, and invite again"
                )
            )
        chapters.require(objects.modules_of(begin.start), begin.options)

    def _wait(self, now_ms: float, is_settled: bool) -> None:
        if not is_settled:
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
