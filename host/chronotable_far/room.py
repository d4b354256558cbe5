"""A room: one end's program of a game far apart, between its disk and the broker.

Nothing here waits or connects: messages and time come in, messages go out. Four rules. An entry is
on the disk before it counts, is published or shown. What comes from the broker is a stranger's
until it opens. What is known and the broker has not is put back; each entry has a topic of its own,
so none takes another's place there. And the game is what the logs say (course.py), so there is
nothing here that both ends could know differently.
"""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from chronotable_far import presence
from chronotable_far.broker.sealing import NotSealedError, opened, seal, sealed_size
from chronotable_far.course import VOID, Course, Fold, VoidError, after, judge
from chronotable_far.entries import (
    AGAIN,
    BEGIN,
    ENDS,
    JOIN,
    KINDS,
    MOST_BYTES,
    MOST_ENTRIES,
    MOST_LINE,
    MOST_NAME,
    NO,
    PROTOCOL,
    SAY,
    TAKE_BACK,
    TURN,
    YES,
    EntryError,
    LogEntry,
    Ref,
    cleaned_line,
    format_entry,
    hash_of,
    other,
    read,
    subject,
)
from chronotable_far.invitation import Invitation
from chronotable_far.log import Logs
from chronotable_far.presence import LASTS_MS, Presence, PresenceError
from chronotable_far.store import Store, changed
from chronotable_host import chapters
from chronotable_host.errors import UserError, one_line
from chronotable_host.language import tr
from chronotable_host.rules.notation import PLAYERS, format_options, format_position, format_turn
from ttykm import objects
from ttykm.game import RULES_VERSION, IllegalTurnError, digest

SETTLES_MS = 2_000
"""After that time what the broker keeps has come, for all that is known."""
PUTS_BACK_MS = 5_000
"""Between two tries to put the same entry back."""

_OTHERS_MS = 3 * SETTLES_MS  # its writer is the first to put an entry back
_LOOKS_MS = 1_000
_MOST_AT_ONCE = 100
_WAITS_MS = 30_000  # for what another program of this end wrote, before going on without it
_NOW = "now"
_TAG_DIGITS = 8
_TOPIC = re.compile(
    rf"(?P<end>{'|'.join(ENDS)})/"
    rf"(?:{_NOW}|(?P<number>[1-9][0-9]{{0,3}})/(?P<tag>[0-9a-f]{{{_TAG_DIGITS}}}))"
)

_TORN = tr("this game was played on from several computers at once, too often; begin a new room")
_FULL = tr("this room is full; begin a new one")
_BEHIND = tr(
    "this side was played on from another computer, and what was done there is still on its way; "
    "wait a moment"
)
_ILLEGAL = tr("this turn cannot be played in the game far apart as it stands")


class RoomMessage(NamedTuple):
    """What is to be published."""

    topic: str
    payload: bytes
    retain: bool


class FarRoom:
    """One end of a room; `dropped` counts what was received and not taken, by its cause.

    `today` returns the date that games begin on.
    """

    def __init__(
        self,
        invitation: Invitation,
        store: Store,
        today: Callable[[], str] = lambda: date.today().isoformat(),
    ) -> None:
        self.invitation = invitation
        self.end = invitation.end
        self.dropped: Counter[str] = Counter()
        self.is_connected = False
        self._store = store
        self._today = today
        self._room, self._key = invitation.room, invitation.key
        self._prefix = f"chronotable/{PROTOCOL}/{self._room}/"
        self._logs, self._fold = Logs(), Fold()
        self._is_stale = True
        self._trouble = ""  # with the disk
        self._locked = ""
        self._now_ms = 0
        self._connected_ms: int | None = None  # since the first tick after that
        self._news_ms = -_WAITS_MS
        self._presence = Presence(secrets.token_hex(8))
        self._outgoing: list[RoomMessage] = []
        self._heard: set[str] = set()  # topics of entries that the broker has
        self._sent_ms: dict[str, int] = {}
        self._looked_ms = 0
        self._load()

    # ---- what there is to see

    @property
    def course(self) -> Course:
        """What the logs say."""
        if self._is_stale:
            self._fold.follow(self._logs.chains)
            self._is_stale = False
        return self._fold.course

    @property
    def stopped(self) -> str:
        """Why this program plays no further, "" where it does."""
        if self._logs.is_torn:
            return _TORN
        return self._locked or self.course.problem or self._trouble

    @property
    def is_settled(self) -> bool:
        """Whether all that the broker keeps has come, for all that is known."""
        return self._connected_for_ms >= SETTLES_MS

    @property
    def is_behind(self) -> bool:
        """Whether another program of this end has gone on, as the other end knows."""
        return self._now_ms < self._news_ms + _WAITS_MS and any(
            entry.end != self.end and not self._logs.counts(self.end, entry.seen)
            for entry in self._logs.waiting
        )

    @property
    def there(self) -> bool:
        """Whether somebody is at a program of the other end just now."""
        return self._is_there(other(self.end))

    def another(self, end: str) -> str | None:
        """Return who else is at a program of an end, of which one is there already, by name.

        That is "" for who has said none; None: nobody is.
        """
        others = self._presence.others(end, self._now_ms)
        return others[-1] if len(others) > (end != self.end) else None

    def introduce(self, name: str) -> None:
        """Have other programs know what people call who is here."""
        self._presence.name = cleaned_line(name, MOST_NAME)

    @property
    def _connected_for_ms(self) -> int:
        return 0 if self._connected_ms is None else self._now_ms - self._connected_ms

    def _is_there(self, end: str) -> bool:
        seen_ms = self._presence.seen_ms(end)
        return seen_ms is not None and self._now_ms - seen_ms < LASTS_MS

    # ---- writing

    def append(self, kind: str, **fields: Any) -> None:
        """Say something; it is on the disk when this returns, and then to be published.

        Fields: of `begin` start (a state), options, colour (the inviter's), clock, draw, name,
        date, chat; of `join` name, chat; of `turn` turn (packed), at_ms, how, left_s, and, to be
        checked, digest and number; of `take_back` to; of `say` text. Raises UserError where that
        does not fit now, and OSError; then nothing was said.
        """
        if self.stopped:
            raise UserError(self.stopped)
        if self.is_behind:
            raise UserError(_BEHIND)
        assert kind in KINDS
        last = self._logs.last(self.end)
        number = last.number + 1
        if number > MOST_ENTRIES:
            raise UserError(_FULL)
        text = format_entry(
            kind, self._drafted(kind, fields), last.hash, self._logs.last(other(self.end))
        )
        try:
            entry = read(self._room, self.end, number, text)
        except EntryError as error:
            raise UserError(tr("this cannot be written into a game far apart")) from error
        self._check(entry)
        self._store.append(entry)
        self._logs.offer(entry)
        self._take_up(is_kept=True)
        self._publish(entry)

    def _check(self, entry: LogEntry) -> None:
        """Raise UserError where an entry of our own does not fit."""
        try:
            course = judge(self.course, entry)
        except VoidError as error:
            raise UserError(VOID[error.why]) from error
        if course.trouble and entry.kind == TURN:
            raise UserError(_ILLEGAL)
        if course.begin is not None and entry.kind in (BEGIN, JOIN):
            chapters.require(objects.modules_of(course.begin.start), course.begin.options)
        if course.trouble:
            raise UserError(course.problem)

    def _drafted(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of an entry as they are written."""
        fields = dict(given)
        if kind in (BEGIN, JOIN):
            fields["name"] = cleaned_line(fields.get("name", ""), MOST_NAME)
            fields["rules"] = RULES_VERSION
            fields.setdefault("chat", False)
        if kind == BEGIN:
            start = fields.get("start")
            fields["start"] = format_position(objects.new_state(0) if start is None else start)
            fields["options"] = format_options(fields.get("options", 0))
            fields["colour"] = PLAYERS[fields.get("colour", 0)]
            for name in ("clock", "draw"):
                fields.setdefault(name, "")
        if kind in (BEGIN, AGAIN, YES):
            fields.setdefault("date", self._today())
        if kind == TURN:
            fields = self._drafted_turn(**fields)
        if kind == TAKE_BACK:
            fields["turns"], fields["at"] = len(self.course.line), digest(self.course.state)
        if kind in (YES, NO):
            question = self.course.question
            fields["of"] = question.number if question is not None else 0
        if kind == NO:
            question = self.course.question
            fields["by"] = question.by if question is not None else self.end
        if kind == SAY:
            fields["text"] = cleaned_line(fields["text"], MOST_LINE)
        return fields

    def _drafted_turn(
        self,
        turn: int,
        at_ms: int,
        how: str = "certain",
        left_s: int | None = None,
        number: int | None = None,
        **known: int,
    ) -> dict[str, Any]:
        course = self.course
        due = len(course.line) + 1
        try:
            found = digest(after(course.state, course.options, turn))
        except IllegalTurnError:
            found = known.get("digest", 0)  # who is not due is told that first
        return {
            "turn": due if number is None else number,
            "at": digest(course.state),
            "text": format_turn(turn),
            "digest": known.get("digest", found),
            "at_ms": at_ms,
            "how": how,
            "left_s": left_s,
        }

    # ---- the broker

    @property
    def wants(self) -> list[str]:
        """The topics to subscribe to."""
        return [f"{self._prefix}#"]

    @property
    def will(self) -> RoomMessage:
        """What the broker is to say when the connection breaks off."""
        return self._moment(self._presence.away())

    def outgoing(self) -> list[RoomMessage]:
        """Return what is to be published, and forget it."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def connected(self) -> None:
        """The broker is there, and sends what it keeps."""
        self.is_connected = True
        self._connected_ms = None
        self._heard.clear()
        self._presence.begin(self._now_ms)

    def lost(self) -> None:
        """The broker is gone."""
        self.is_connected = False
        self._connected_ms = None
        self._presence.end()

    def tick(self, now_ms: int) -> None:
        """Let time pass: say that we are here, put back what is missing."""
        self._now_ms = now_ms
        if self._trouble:
            self._take_up()
        if not self.is_connected:
            return
        if self._connected_ms is None:
            self._connected_ms = now_ms
        text = self._presence.due(now_ms)
        if text is not None:
            self._outgoing += [self._moment(text), self._moment(self._presence.introduction())]
        if self.is_settled and now_ms >= self._looked_ms + _LOOKS_MS:
            self._looked_ms = now_ms
            self._put_back()

    def receive(self, topic: str, payload: bytes) -> None:
        """Take what the broker sends."""
        is_ours = topic.startswith(self._prefix)
        found = _TOPIC.fullmatch(topic, len(self._prefix)) if is_ours else None
        if found is None:
            self.dropped["topic"] += 1
            return
        end, number, tag = found["end"], int(found["number"] or 0), found["tag"]
        self._heard.discard(topic)
        most = MOST_BYTES if number else presence.MOST_BYTES
        try:
            text = opened(self._key, subject(self._room, end, number or _NOW), payload, most)
        except NotSealedError:
            fits = sealed_size(0, 1) <= len(payload) <= sealed_size(most)
            self.dropped["forged" if fits else "size"] += 1
            return
        if not number:
            self._hear(end, text)
            return
        hash_ = hash_of(self._room, end, number, text)
        if not hash_.startswith(tag):
            self.dropped["topic"] += 1
            return
        self._heard.add(topic)
        if self._logs.is_known(end, Ref(number, hash_)):
            self.dropped["known"] += 1
            return
        try:
            entry = read(self._room, end, number, text)
        except EntryError:
            self.dropped["nonsense"] += 1
            return
        if not self._logs.offer(entry):
            self.dropped["crowded"] += 1
            return
        self._news_ms = self._now_ms
        self._take_up()

    def _hear(self, end: str, text: bytes) -> None:
        try:
            if not self._presence.hear(end, text, self._now_ms):
                self.dropped["known"] += 1
        except PresenceError:
            self.dropped["nonsense"] += 1

    def _moment(self, text: bytes) -> RoomMessage:
        sealed = seal(self._key, subject(self._room, self.end, _NOW), text)
        return RoomMessage(f"{self._prefix}{self.end}/{_NOW}", sealed, False)

    def _topic_of(self, entry: LogEntry) -> str:
        return f"{self._prefix}{entry.end}/{entry.number}/{entry.hash[:_TAG_DIGITS]}"

    def _publish(self, entry: LogEntry) -> None:
        topic = self._topic_of(entry)
        self._sent_ms[topic] = self._now_ms
        sealed = seal(self._key, subject(self._room, entry.end, entry.number), entry.text)
        self._outgoing.append(RoomMessage(topic, sealed, True))

    def _put_back(self) -> None:
        """Publish what the broker is not known to have."""
        is_late = self._connected_for_ms >= _OTHERS_MS
        late_ms = self._now_ms - PUTS_BACK_MS
        missing = [
            entry
            for entry in self._logs.taken_up
            if (entry.end == self.end or is_late)
            and (topic := self._topic_of(entry)) not in self._heard
            and self._sent_ms.get(topic, late_ms) <= late_ms
        ]
        for entry in missing[:_MOST_AT_ONCE]:
            self._publish(entry)

    # ---- the logs

    def _load(self) -> None:
        """Take up what the disk has, where each entry stands behind all that it builds on."""
        for entry in self._store.entries:
            self._logs.offer(entry)
            if self._logs.ready() is not entry:
                raise changed(self._store.path)
            self._logs.take_up()
        self._look_at_rules()

    def _take_up(self, is_kept: bool = False) -> None:
        """Take up the entries whose time has come, each on the disk first."""
        while (entry := self._logs.ready()) is not None:
            if not is_kept:
                try:
                    self._store.append(entry)
                except OSError as error:
                    self._trouble = one_line(error) or ""
                    return
            is_kept = False
            self._logs.take_up()
            self._is_stale = True
            if entry.kind == BEGIN:
                self._look_at_rules()
        self._trouble = ""

    def _look_at_rules(self) -> None:
        """Find out whether what is played is unlocked here."""
        begin = self.course.begin
        try:
            if begin is not None:
                chapters.require(objects.modules_of(begin.start), begin.options)
            self._locked = ""
        except (UserError, OSError) as error:
            self._locked = one_line(error) or ""
