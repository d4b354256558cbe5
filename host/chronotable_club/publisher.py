"""A table's word to its club, without network, files or clock: times and messages are arguments.

Two rules. The table comes first: hearing what happens there costs a mark, and messages are made
when the table has nothing else to do. And whatever the hub has not acknowledged is told again: what
the table shows because it is told whole each time, what it keeps because the archive is the outbox,
from which a game goes when the hub has stored just that text of it.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_club.messages import (
    HUB,
    KEPT,
    LINE,
    LIVE,
    BadMessageError,
    Channel,
    KeptRecord,
    Live,
    ToldTable,
    body_of,
    told_of,
)
from chronotable_club.tokens import Token
from chronotable_far.broker.client import Message
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening

if TYPE_CHECKING:
    from chronotable_club.outbox import FileOutbox

PAUSE_MS = 50
"""Between two messages about what the table shows."""
AGAIN_MS, LONGEST_MS = 5_000, 60_000
"""After that a message that the hub did not acknowledge is sent again, and after longer and longer
as often as it does not."""

LATEST = 4
"""Games that may still have been going on when the hub was started anew."""

_MOST_AT_ONCE = 4  # records under way
_RECORDS = (happenings.GameOver, happenings.Fetched, happenings.TakenBack)
_SHOWN = (
    *happenings.NEW_POSITION,
    happenings.Clock,
    happenings.Connected,
    happenings.GameOver,
    happenings.Lost,
    happenings.Provisional,
    happenings.Reopened,
    happenings.Asked,
)


class Publisher:
    """Tells the club what a table shows and keeps.

    `look` returns what it shows now. `told` is what the hub said last, None before it did.
    `is_revoked` says that the club takes nothing from it any more. `dropped` counts messages to
    the table that were forged or replayed.
    """

    def __init__(self, token: Token, outbox: "FileOutbox", look: Callable[[], Live]) -> None:
        self.channel = Channel(token.club, token.table, token.key)
        self.told: ToldTable | None = None
        self.is_revoked = False
        self.dropped = 0
        self._outbox = outbox
        self._look = look
        self._shown: Live | None = None
        self._is_changed = True
        self._is_wanted = False  # to be told again, though nothing has changed
        self._next_ms = 0
        self._last_heard = -1  # number of the hub's latest message
        self._number = 0  # of the latest message about what the table shows
        self._repeat_ms: int | None = None  # when that is sent again
        self._patience_ms = AGAIN_MS
        self._under_way: dict[str, _Delivery] = {}
        self._is_connected = False
        self._is_called = False  # the hub believes that the table is away
        # the broker's last word of a table is fixed when it connects: what is said of the line
        # counts by the session, and not one message after the other
        self._session = 2 * outbox.next_number()

    @property
    def topic(self) -> str:
        """Where the hub speaks to the table."""
        return self.channel.topic(HUB)

    @property
    def will(self) -> Message:
        """What the broker is to say when it loses this table."""
        return self._line(False)

    @property
    def waiting(self) -> int:
        """How many games the hub has not stored yet as they are."""
        return len(self._outbox.due())

    @property
    def notes(self) -> Mapping[str, Any]:
        """What the club says besides, by name."""
        return (None if self.told is None else self.told.notes) or {}

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        if isinstance(happening, _SHOWN):
            self._is_changed = True
        if isinstance(happening, _RECORDS):
            self._outbox.look()

    def note_change(self) -> None:
        """Take note that something else is shown, which no happening tells."""
        self._is_changed = True

    def connected(self) -> list[Message]:
        """Return what is to be sent at once when the broker is there."""
        self._is_connected = True
        self._hurry()
        return [] if self.is_revoked else [self._line(True)]

    def lost(self) -> None:
        """The broker is away: what is shown until it is back is told then."""
        self._is_connected = False

    def farewell(self, now_ms: int) -> list[Message]:
        """Return what is to be sent at the end."""
        if self.is_revoked:
            return []
        return [*self._show(now_ms), self._line(False)]

    def step(self, now_ms: int) -> list[Message]:
        """Return what is to be sent now; `now_ms` is any clock's."""
        if self.is_revoked or not self._is_connected:
            return []
        if self._repeat_ms is not None and now_ms >= self._repeat_ms:
            self._patience_ms = min(2 * self._patience_ms, LONGEST_MS)
            self._is_changed = self._is_wanted = True
        messages = []
        if self._is_called:
            self._is_called = False
            messages.append(self._line(True))
        if self._is_changed and now_ms >= self._next_ms:
            messages += self._show(now_ms)
        return messages + self._deliver(now_ms)

    def receive(self, message: Message) -> None:
        """Take what came on the table's topic."""
        try:
            number, text = self.channel.opened(HUB, message.payload)
            if number <= self._last_heard:
                self.dropped += number < self._last_heard  # the same twice is no attack
                return
            told = told_of(body_of(text))
        except BadMessageError:
            self.dropped += 1
            return
        self._last_heard = number
        if told.notes is None:  # a hub that has just started does not know them yet
            told = told._replace(notes=self.notes)
        former, self.told = self.told, told
        self.is_revoked = told.is_revoked
        self._is_called = told.is_away
        self._outbox.begin(told.hub, told.run)
        issued = self._outbox.next_number()
        self._outbox.skip_to(told.most)
        if former is None or former.run != told.run or told.most >= issued:
            self._hurry()  # it has forgotten something, or we have
        if told.seen >= self._number:
            self._patience_ms, self._repeat_ms = AGAIN_MS, None
        for game, digest in told.kept.items():
            self._outbox.stored(game, digest)
        for digest in told.refused:
            self._outbox.refused(digest)

    def _hurry(self) -> None:
        """Have everything told again that the hub has not acknowledged."""
        self._under_way.clear()
        self._patience_ms = AGAIN_MS
        self._is_changed = self._is_wanted = True

    # ---- what the table shows

    def _show(self, now_ms: int) -> list[Message]:
        self._is_changed = False
        live = self._look()
        if live == self._shown and not self._is_wanted:
            return []
        if self._shown is None or live.game != self._shown.game:
            self._outbox.look()  # the game before may have gone on while the broker was away
        self._is_wanted = False
        self._shown = live
        self._next_ms = now_ms + PAUSE_MS
        self._number = self._outbox.next_number()
        self._repeat_ms = now_ms + self._patience_ms
        if live.game:  # the record is on its way by this, too
            self._outbox.changed(live.game, digest_of(live.record))
            self._under_way[live.game] = _Delivery(now_ms + AGAIN_MS, AGAIN_MS)
        payload = self.channel.sealed(LIVE, self._number, live.body())
        return [Message(self.channel.topic(LIVE), payload, True)]

    def _line(self, is_here: bool) -> Message:
        payload = self.channel.sealed(LINE, self._session + is_here, {"here": is_here})
        return Message(self.channel.topic(LINE), payload, True)

    # ---- what the table keeps

    def _deliver(self, now_ms: int) -> list[Message]:
        """Return the records that are to be sent now."""
        due = self._outbox.due()
        for game in [game for game in self._under_way if game not in due]:
            del self._under_way[game]
        messages = []
        for game in due:
            tried = self._under_way.get(game)
            if tried is None and len(self._under_way) >= _MOST_AT_ONCE:
                break
            if tried is not None and now_ms < tried.again_ms:
                continue
            patience_ms = AGAIN_MS if tried is None else min(2 * tried.patience_ms, LONGEST_MS)
            text = self._outbox.text(game)
            if text:
                self._under_way[game] = _Delivery(now_ms + patience_ms, patience_ms)
                number = self._outbox.next_number()
                payload = self.channel.sealed(KEPT, number, KeptRecord(game, text).body())
                messages.append(Message(self.channel.topic(KEPT), payload))
        return messages


class _Delivery(NamedTuple):
    """A record that is under way: when it is sent again, and how long that was waited for."""

    again_ms: int
    patience_ms: int


def digest_of(text: str) -> str:
    """Return what tells a record's text from any other."""
    return sha256(text.encode()).hexdigest()[:24]
