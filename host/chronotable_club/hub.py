"""The hub of a club, without network, files or clock: messages and times are arguments.

It opens what tables say, and knows what is shown at each. What a record tells is read later, of
each table one after the other. What breaks the rules, was sent by somebody else, or comes too fast,
is refused, counted, and said. Records that are in order are given away to be filed, of each game
the latest alone; what was filed is acknowledged.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import partial
from math import inf
from typing import Any, NamedTuple

from chronotable_club.following import Followed, IllegalRecordError
from chronotable_club.messages import (
    HUB,
    KEPT,
    LINE,
    LIVE,
    OF_TABLES,
    BadMessageError,
    Channel,
    KeptRecord,
    Live,
    ToldTable,
    body_of,
    is_here,
    kept_of,
    live_of,
    split_topic,
)
from chronotable_club.publisher import digest_of
from chronotable_club.tokens import token_of
from chronotable_far.broker.client import Message
from chronotable_host.errors import printable
from chronotable_host.rules.record import Record

ACK_MS = 1_000
"""Between two words to a table."""
SLOW_S = 0.5
"""Many times what the longest game takes to be read."""
_MOST_KEPT, _MOST_REMARKS, _MOST_REFUSED = 40, 20, 10
_MOST_REMARK = 300
_MOST_A_SECOND = 60
"""Messages of a table, which itself sends some twenty."""
_MOST_UNREAD = 12  # records of a table, which itself sends four and hears of them first
_OWN = ""  # among the numbers of tables, those of the hub's own messages

UNOPENED, REPLAYED, ILLEGAL, REVOKED, CHANGED, DELAYED = (
    "unopened",
    "replayed",
    "illegal",
    "revoked",
    "changed",
    "delayed",
)
"""Why a message is refused: forged or another table's, seen before, against the rules, with a token
that was revoked, about a game that was over long since; or why the next one has to wait: they come
too fast, or take too long to be read."""
Read = Callable[[str, str], Followed]
"""Reads a record's text; the first argument tells whose it is, of which the last one is known."""


class Enrolled(NamedTuple):
    """A table of the club: the id in its token, and what people call it."""

    id: str
    name: str
    is_revoked: bool = False


class Club(NamedTuple):
    """Which club it is: its id, what people call it, its secret; `hub` is this collection's id."""

    id: str
    name: str
    secret: bytes
    hub: str


class FiledRecord(NamedTuple):
    """A record to be filed: of which table and game, as the table tells it."""

    table: str
    game: str
    text: str
    record: Record

    @property
    def digest(self) -> str:
        """What the table is told when it is filed."""
        return digest_of(self.text)


class Remark(NamedTuple):
    """Something that the director should know of a table, and when it was."""

    at_ms: int
    kind: str
    text: str


class HubTable:
    """What the hub knows of one table.

    `live` is what the table shows, `followed` its game as the hub has followed it, None for none;
    `arrived_ms` is when that came, `version` grows with whatever changes here. `refusal` is why
    what it shows is not shown, "" where it is. `notes` are what the table is told besides, None for
    whatever it was told before. `unread` is what waits to be read, by kind and game, with when it
    came; it waits until `rests_s`, of any clock. `takes_s` is what its records took to be read: the
    most of them, which is forgotten little by little.
    """

    def __init__(self, enrolled: Enrolled, channel: Channel) -> None:
        self.id = enrolled.id
        self.name = enrolled.name
        self.is_revoked = enrolled.is_revoked
        self.is_here = False
        self.live: Live | None = None
        self.followed: Followed | None = None
        self.arrived_ms = 0
        self.refusal = ""
        self.counts: Counter[str] = Counter()
        self.remarks: deque[Remark] = deque(maxlen=_MOST_REMARKS)
        self.version = 0
        self.seen = dict.fromkeys(OF_TABLES, -1)
        self.notes: dict[str, Any] | None = None  # None until somebody says what there is
        self.channel = channel
        self.kept: OrderedDict[str, str] = OrderedDict()
        self.refused: OrderedDict[str, str] = OrderedDict()
        self.told_ms: int | None = None  # when the last word went out
        self.is_to_be_told = True
        self.unread: OrderedDict[tuple[str, str], tuple[Live | KeptRecord, int]] = OrderedDict()
        self.is_being_read = False
        self.rests_s = 0.0
        self.takes_s = SLOW_S  # nothing is known of it
        self.second_ms, self.heard = 0, 0  # when a second began, and what came in it

    @property
    def record(self) -> Record | None:
        """The record of the game that is shown."""
        return None if self.followed is None else self.followed.record

    def tell(self) -> None:
        """Have the table hear from the hub."""
        self.is_to_be_told = True


class ClubHub:
    """What a club's tables show and keep.

    `numbers` is what `numbers()` was before this start. `run` is an id of this start. `on_change`
    is called with a seat that shows something else. Times are of the wall clock, in ms.
    """

    def __init__(
        self,
        club: Club,
        tables: Iterable[Enrolled],
        run: str,
        numbers: Mapping[str, Mapping[str, int]] | None = None,
        on_change: Callable[[HubTable], None] = lambda _seat: None,
    ) -> None:
        self.club = club
        self.seats: dict[str, HubTable] = {}
        self.strangers = 0  # messages of tables that are none of ours
        self._run = run
        self._numbers = numbers or {}
        self._on_change = on_change
        self._filings: OrderedDict[tuple[str, str], FiledRecord] = OrderedDict()
        self._number = self._numbers.get(_OWN, {}).get(HUB, 0)
        self.enrol(tables)

    # ---- who belongs to it

    def enrol(self, tables: Iterable[Enrolled]) -> list[str]:
        """Have these tables and no others; return the ids of those that are new."""
        new = []
        listed = {each.id: each for each in tables}
        for gone in [it for it in self.seats if it not in listed]:
            del self.seats[gone]
        for each in listed.values():
            seat = self.seats.get(each.id)
            if seat is None:
                token = token_of(self.club.id, self.club.secret, each.id)
                seat = HubTable(each, Channel(self.club.id, each.id, token.key))
                seat.seen.update(self._numbers.get(each.id, {}))
                self.seats[each.id] = seat
                new.append(each.id)
                self._changed(seat)  # there is a table to be shown before it says anything
            if (seat.name, seat.is_revoked) != (each.name, each.is_revoked):
                seat.name, seat.is_revoked = each.name, each.is_revoked
                seat.tell()
                self._changed(seat)
        return new

    def numbers(self) -> dict[str, dict[str, int]]:
        """Return the numbers of the latest messages, by table and kind, for the next start."""
        return {_OWN: {HUB: self._number}} | {it.id: dict(it.seen) for it in self.seats.values()}

    def note(self, table: str, name: str, said: Any) -> None:
        """Tell a table something by name from now on; None ends that. Raises KeyError."""
        seat = self.seats[table]
        former = seat.notes
        seat.notes = {**(former or {}), name: said}
        if said is None:
            del seat.notes[name]
        if seat.notes != former:
            seat.tell()

    # ---- what comes in

    def receive(self, message: Message, now_ms: int) -> None:
        """Take a message of the broker."""
        club, table, kind = split_topic(message.topic)
        seat = self.seats.get(table)
        if seat is None or club != self.club.id or kind not in OF_TABLES:
            self.strangers += 1
            return
        if not message.payload:
            return  # a retained message was taken away
        try:
            number, text = seat.channel.opened(kind, message.payload)
        except BadMessageError:
            self._refuse(seat, UNOPENED, now_ms)
            return
        if seat.is_revoked:
            self._refuse(seat, REVOKED, now_ms)
            return
        order = number >> 1 if kind == LINE else number
        if (order <= seat.seen[kind] and kind != LINE) or order < seat.seen[kind]:
            if order < seat.seen[kind]:  # the same twice is no attack
                self._refuse(seat, REPLAYED, now_ms)
            return
        if not 0 <= now_ms - seat.second_ms < 1000:
            seat.second_ms, seat.heard = now_ms, 0
        seat.heard += kind != LINE
        if kind != LINE and (seat.heard > _MOST_A_SECOND or len(seat.unread) > _MOST_UNREAD):
            self._refuse(seat, DELAYED, now_ms)  # the table sends it again
            return
        seat.seen[kind] = order
        try:
            self._hear(seat, kind, body_of(text), now_ms)
        except BadMessageError:
            self._refuse(seat, UNOPENED, now_ms)

    def _hear(self, seat: HubTable, kind: str, body: dict[str, Any], now_ms: int) -> None:
        if kind == LINE:
            here = is_here(body)
            if here != seat.is_here:
                seat.is_here = here
                self._changed(seat)
            if not here:  # a connection broke off; the table may be there by another one
                seat.tell()
            return
        shown = live_of(body) if kind == LIVE else kept_of(body)
        if isinstance(shown, Live):
            seat.is_here = True
        place = kind, shown.game if kind == KEPT else ""
        seat.unread.pop(place, None)  # what a table shows is read as it is now
        seat.unread[place] = shown, now_ms

    def next_unread(self, now_s: float) -> HubTable | None:
        """Return the table that is to be read next: of those that need not rest the fastest one.

        The slow ones, however many, have one reader: another one is left for whoever is not.
        """
        seats = self.seats.values()
        most_s = SLOW_S if any(it.is_being_read and it.takes_s > SLOW_S for it in seats) else inf
        waiting = (
            it for it in seats if it.unread and not it.is_being_read and it.takes_s <= most_s
        )
        return min(
            waiting, key=lambda it: (it.rests_s > now_s, it.takes_s, it.rests_s), default=None
        )

    def read_on(self, seat: HubTable, read: Read) -> None:
        """Read the first that waits of a table; others may look at the hub while `read` does."""
        (kind, _), (said, at_ms) = seat.unread.popitem(last=False)
        seat.is_being_read = True
        try:
            if isinstance(said, Live):
                self._show(seat, said, at_ms, partial(read, f"{seat.id}/{kind}"))
            else:
                self._keep(seat, *said, at_ms, partial(read, f"{seat.id}/{kind}"))
        finally:
            seat.is_being_read = False

    def delay(self, seat: HubTable, now_ms: int) -> None:
        """Take note that a table has to wait, because its record took long to be read."""
        self._refuse(seat, DELAYED, now_ms)

    def _show(
        self, seat: HubTable, live: Live, now_ms: int, read: Callable[[str], Followed]
    ) -> None:
        followed, refusal = seat.followed, seat.refusal
        if seat.live is None or seat.live.record != live.record or refusal:
            try:
                followed = read(live.record) if live.record else None
                refusal = ""
            except IllegalRecordError as error:
                followed, refusal = None, str(error)
                self._refuse(seat, ILLEGAL, now_ms, refusal, live.record)
        seat.tell()
        seat.live, seat.arrived_ms = live, now_ms
        seat.followed, seat.refusal = followed, refusal
        self._changed(seat)
        if seat.followed is not None and live.game and seat.followed.record.turns:
            self._file(seat, live.game, live.record, seat.followed.record)

    def _keep(
        self, seat: HubTable, game: str, text: str, now_ms: int, read: Callable[[str], Followed]
    ) -> None:
        if seat.kept.get(game) == digest_of(text):
            seat.tell()  # it did not hear that
            return
        try:
            followed = read(text)
        except IllegalRecordError as error:
            self._refuse(seat, ILLEGAL, now_ms, str(error), text)
            return
        self._file(seat, game, text, followed.record)

    def _file(self, seat: HubTable, game: str, text: str, record: Record) -> None:
        place = seat.id, game
        if seat.kept.get(game) == digest_of(text):
            return
        filed = copy(record)  # which gets headers of its own
        filed.headers = dict(record.headers)
        self._filings.pop(place, None)
        self._filings[place] = FiledRecord(seat.id, game, text, filed)

    def _refuse(
        self, seat: HubTable, kind: str, now_ms: int, why: str = "", text: str | None = None
    ) -> None:
        seat.counts[kind] += 1
        why = printable(why)[:_MOST_REMARK]
        if text is not None:
            seat.refused[digest_of(text)] = why
            while len(seat.refused) > _MOST_REFUSED:
                seat.refused.popitem(last=False)
            seat.tell()
        last = seat.remarks[-1] if seat.remarks else None
        if last is None or (last.kind, last.text) != (kind, why):
            seat.remarks.append(Remark(now_ms, kind, why))
        self._changed(seat)

    def _changed(self, seat: HubTable) -> None:
        seat.version += 1
        self._on_change(seat)

    # ---- what goes out

    def take_filings(self) -> list[FiledRecord]:
        """Return the records that are to be filed; each of them once."""
        filings = list(self._filings.values())
        self._filings.clear()
        return filings

    def filed(self, table: str, game: str, digest: str) -> None:
        """Take note that a record is on file, and have its table told."""
        seat = self.seats.get(table)
        if seat is None:
            return
        seat.kept.pop(game, None)
        seat.kept[game] = digest
        while len(seat.kept) > _MOST_KEPT:
            seat.kept.popitem(last=False)
        seat.tell()

    def refuse_filing(self, filing: FiledRecord, why: str, now_ms: int) -> None:
        """Take note that a record does not fit what is on file, and have its table told."""
        if (seat := self.seats.get(filing.table)) is not None:
            self._refuse(seat, CHANGED, now_ms, why, filing.text)

    def not_filed(self, filing: FiledRecord) -> None:
        """Have a record filed later, unless there is a later one."""
        self._filings.setdefault((filing.table, filing.game), filing)

    def outgoing(self, now_ms: int) -> list[Message]:
        """Return what tables are to be told by now."""
        messages = []
        for seat in self.seats.values():
            if not seat.is_to_be_told:
                continue
            if seat.told_ms is not None and 0 <= now_ms - seat.told_ms < ACK_MS:
                continue
            seat.is_to_be_told, seat.told_ms = False, now_ms
            self._number = max(self._number + 1, now_ms)
            told = ToldTable(
                self.club.hub,
                self._run,
                seat.name,
                max(0, seat.seen[LIVE]),
                max(0, seat.seen[LIVE], seat.seen[KEPT], seat.seen[LINE]),
                seat.kept,
                seat.refused,
                seat.is_revoked,
                seat.notes,
                not seat.is_here,
            )
            payload = seat.channel.sealed(HUB, self._number, told.body())
            messages.append(Message(seat.channel.topic(HUB), payload, True))
        return messages

    def greet(self) -> None:
        """Have all tables hear from the hub: the broker is there, or the hub."""
        for seat in self.seats.values():
            seat.tell()
