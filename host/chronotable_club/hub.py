"""The hub of a club, without network, files or clock: messages and times are arguments.

It opens what tables say, and knows what is shown at each. What a record tells is read later, of
each table one after the other. What breaks the rules, was sent by somebody else, or comes too fast,
is refused, counted, and said. Records that are in order are given away to be filed, of each game
the latest alone; what was filed is acknowledged.
"""

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

ACK_MS, AGAIN_MS = 1_000, 60_000
"""Between two words to a table, and when the same one is said again: it may have been lost, and who
waits for it does not know."""
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


class EnrolledTable(NamedTuple):
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

    def __init__(self, enrolled: EnrolledTable, channel: Channel) -> None:
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
    is called with a table that shows something else. Times are of the wall clock, in ms.
    """

    def __init__(
        self,
        club: Club,
        tables: Iterable[EnrolledTable],
        run: str,
        numbers: Mapping[str, Mapping[str, int]] | None = None,
        on_change: Callable[[HubTable], None] = lambda _table: None,
    ) -> None:
        self.club = club
        self.tables: dict[str, HubTable] = {}
        self.strangers = 0  # messages of tables that are none of ours
        self._run = run
        self._numbers = numbers or {}
        self._on_change = on_change
        self._filings: OrderedDict[tuple[str, str], FiledRecord] = OrderedDict()
        self._number = self._numbers.get(_OWN, {}).get(HUB, 0)
        self.enrol(tables)

    # ---- who belongs to it

    def enrol(self, tables: Iterable[EnrolledTable]) -> list[str]:
        """Have these tables and no others; return the ids of those that are new."""
        new = []
        listed = {each.id: each for each in tables}
        for gone in [it for it in self.tables if it not in listed]:
            del self.tables[gone]
        for each in listed.values():
            table = self.tables.get(each.id)
            if table is None:
                token = token_of(self.club.id, self.club.secret, each.id)
                table = HubTable(each, Channel(self.club.id, each.id, token.key))
                table.seen.update(self._numbers.get(each.id, {}))
                self.tables[each.id] = table
                new.append(each.id)
                self._changed(table)  # there is a table to be shown before it says anything
            if (table.name, table.is_revoked) != (each.name, each.is_revoked):
                table.name, table.is_revoked = each.name, each.is_revoked
                table.tell()
                self._changed(table)
        return new

    def numbers(self) -> dict[str, dict[str, int]]:
        """Return the numbers of the latest messages, by table and kind, for the next start."""
        return {_OWN: {HUB: self._number}} | {it.id: dict(it.seen) for it in self.tables.values()}

    def note(self, table_id: str, name: str, said: Any) -> None:
        """Tell a table something by name from now on; None ends that. Raises KeyError."""
        table = self.tables[table_id]
        former = table.notes
        table.notes = {**(former or {}), name: said}
        if said is None:
            del table.notes[name]
        if table.notes != former:
            table.tell()

    # ---- what comes in

    def receive(self, message: Message, now_ms: int) -> None:
        """Take a message of the broker."""
        club, table_id, kind = split_topic(message.topic)
        table = self.tables.get(table_id)
        if table is None or club != self.club.id or kind not in OF_TABLES:
            self.strangers += 1
            return
        if not message.payload:
            return  # a retained message was taken away
        try:
            number, text = table.channel.opened(kind, message.payload)
        except BadMessageError:
            self._refuse(table, UNOPENED, now_ms)
            return
        if table.is_revoked:
            self._refuse(table, REVOKED, now_ms)
            return
        order = number >> 1 if kind == LINE else number
        if (order <= table.seen[kind] and kind != LINE) or order < table.seen[kind]:
            if order < table.seen[kind]:  # the same twice is no attack
                self._refuse(table, REPLAYED, now_ms)
            return
        if not 0 <= now_ms - table.second_ms < 1000:
            table.second_ms, table.heard = now_ms, 0
        table.heard += kind != LINE
        if kind != LINE and (table.heard > _MOST_A_SECOND or len(table.unread) > _MOST_UNREAD):
            self._refuse(table, DELAYED, now_ms)  # the table sends it again
            return
        table.seen[kind] = order
        try:
            self._hear(table, kind, body_of(text), now_ms)
        except BadMessageError:
            self._refuse(table, UNOPENED, now_ms)

    def _hear(self, table: HubTable, kind: str, body: dict[str, Any], now_ms: int) -> None:
        if kind == LINE:
            here = is_here(body)
            if here != table.is_here:
                table.is_here = here
                self._changed(table)
            if not here:  # a connection broke off; the table may be there by another one
                table.tell()
            return
        shown = live_of(body) if kind == LIVE else kept_of(body)
        if isinstance(shown, Live):
            table.is_here = True
        place = kind, shown.game if kind == KEPT else ""
        table.unread.pop(place, None)  # what a table shows is read as it is now
        table.unread[place] = shown, now_ms

    def next_unread(self, now_s: float) -> HubTable | None:
        """Return the table that is to be read next: of those that need not rest the fastest one.

        The slow ones, however many, have one reader: another one is left for whoever is not.
        """
        tables = self.tables.values()
        most_s = SLOW_S if any(it.is_being_read and it.takes_s > SLOW_S for it in tables) else inf
        waiting = (
            it for it in tables if it.unread and not it.is_being_read and it.takes_s <= most_s
        )
        return min(
            waiting, key=lambda it: (it.rests_s > now_s, it.takes_s, it.rests_s), default=None
        )

    def read_on(self, table: HubTable, read: Read) -> None:
        """Read the first that waits of a table; others may look at the hub while `read` does."""
        (kind, _), (said, at_ms) = table.unread.popitem(last=False)
        table.is_being_read = True
        try:
            if isinstance(said, Live):
                self._show(table, said, at_ms, partial(read, f"{table.id}/{kind}"))
            else:
                self._keep(table, *said, at_ms, partial(read, f"{table.id}/{kind}"))
        finally:
            table.is_being_read = False

    def delay(self, table: HubTable, now_ms: int) -> None:
        """Take note that a table has to wait, because its record took long to be read."""
        self._refuse(table, DELAYED, now_ms)

    def _show(
        self, table: HubTable, live: Live, now_ms: int, read: Callable[[str], Followed]
    ) -> None:
        followed, refusal = table.followed, table.refusal
        if table.live is None or table.live.record != live.record or refusal:
            try:
                followed = read(live.record) if live.record else None
                refusal = ""
            except IllegalRecordError as error:
                followed, refusal = None, str(error)
                self._refuse(table, ILLEGAL, now_ms, refusal, live.record)
        table.tell()
        table.live, table.arrived_ms = live, now_ms
        table.followed, table.refusal = followed, refusal
        self._changed(table)
        if table.followed is not None and live.game and table.followed.record.turns:
            self._file(table, live.game, live.record, table.followed.record)

    def _keep(
        self, table: HubTable, game: str, text: str, now_ms: int, read: Callable[[str], Followed]
    ) -> None:
        if table.kept.get(game) == digest_of(text):
            table.tell()  # it did not hear that
            return
        try:
            followed = read(text)
        except IllegalRecordError as error:
            self._refuse(table, ILLEGAL, now_ms, str(error), text)
            return
        self._file(table, game, text, followed.record)

    def _file(self, table: HubTable, game: str, text: str, record: Record) -> None:
        place = table.id, game
        if table.kept.get(game) == digest_of(text):
            return
        filed = copy(record)  # which gets headers of its own
        filed.headers = dict(record.headers)
        self._filings.pop(place, None)
        self._filings[place] = FiledRecord(table.id, game, text, filed)

    def _refuse(
        self, table: HubTable, kind: str, now_ms: int, why: str = "", text: str | None = None
    ) -> None:
        table.counts[kind] += 1
        why = printable(why)[:_MOST_REMARK]
        if text is not None:
            table.refused[digest_of(text)] = why
            while len(table.refused) > _MOST_REFUSED:
                table.refused.popitem(last=False)
            table.tell()
        last = table.remarks[-1] if table.remarks else None
        if last is None or (last.kind, last.text) != (kind, why):
            table.remarks.append(Remark(now_ms, kind, why))
        self._changed(table)

    def _changed(self, table: HubTable) -> None:
        table.version += 1
        self._on_change(table)

    # ---- what goes out

    def take_filings(self) -> list[FiledRecord]:
        """Return the records that are to be filed; each of them once."""
        filings = list(self._filings.values())
        self._filings.clear()
        return filings

    def note_filed(self, table_id: str, game: str, digest: str) -> None:
        """Take note that a record is on file, and have its table told."""
        table = self.tables.get(table_id)
        if table is None:
            return
        table.kept.pop(game, None)
        table.kept[game] = digest
        while len(table.kept) > _MOST_KEPT:
            table.kept.popitem(last=False)
        table.tell()

    def refuse_filing(self, filing: FiledRecord, why: str, now_ms: int) -> None:
        """Take note that a record does not fit what is on file, and have its table told."""
        if (table := self.tables.get(filing.table)) is not None:
            self._refuse(table, CHANGED, now_ms, why, filing.text)

    def file_later(self, filing: FiledRecord) -> None:
        """Have a record filed later, unless there is a later one."""
        self._filings.setdefault((filing.table, filing.game), filing)

    def outgoing(self, now_ms: int) -> list[Message]:
        """Return what tables are to be told by now."""
        messages = []
        for table in self.tables.values():
            pause_ms = ACK_MS if table.is_to_be_told else AGAIN_MS
            if table.told_ms is not None and 0 <= now_ms - table.told_ms < pause_ms:
                continue
            table.is_to_be_told, table.told_ms = False, now_ms
            self._number = max(self._number + 1, now_ms)
            told = ToldTable(
                self.club.hub,
                self._run,
                table.name,
                max(0, table.seen[LIVE]),
                max(0, table.seen[LIVE], table.seen[KEPT], table.seen[LINE]),
                table.kept,
                table.refused,
                table.is_revoked,
                table.notes,
                not table.is_here,
            )
            payload = table.channel.sealed(HUB, self._number, told.body())
            messages.append(Message(table.channel.topic(HUB), payload, True))
        return messages

    def greet(self) -> None:
        """Have all tables hear from the hub: the broker is there, or the hub."""
        for table in self.tables.values():
            table.tell()
