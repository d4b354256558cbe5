"""A table of a club: its publisher, joined to its game, to the broker and to its archive.

It lives in the thread of the table, whose loop calls `step`; nothing here waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from chronotable_club.messages import MOST_RECORD, ClockTimes, Live
from chronotable_club.outbox import FileOutbox
from chronotable_club.pairing_at_table import PairedTable
from chronotable_club.publisher import Publisher
from chronotable_club.tokens import Token, parse_token
from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_far.broker.client import BrokerClient, BrokerConnected, BrokerLost, Message
from chronotable_host.errors import one_line
from chronotable_host.language import tr, tr_n
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.output import say
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.record import format_record

_SAVE_MS = 2_000


class Look:
    """What the table of a desk shows now."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._key: object = None
        self._text = ""

    def __call__(self) -> Live:
        """Return what the table shows now."""
        mirror = self._desk.mirror
        record = mirror.record
        if record is None or not mirror.is_played:
            return Live("", "", self._phase("free"), None)
        text = self._text_of()
        if len(text) > MOST_RECORD:
            return Live("", "", self._phase("other"), None)
        file = mirror.file
        game = "" if file is None else file.path.stem
        return Live(game, text, self._phase(mirror.table.phase), self._left())

    @property
    def sign(self) -> tuple[object, ...]:
        """What tells that something else is shown, though nothing was told to have happened."""
        mirror, clocks = self._desk.mirror, self._desk.clocks
        running = None if clocks is None else clocks.running
        return mirror.table.phase, running, self._desk.is_there, mirror.file is None

    def _phase(self, phase: str) -> str:
        return phase if self._desk.is_there else "off"

    def _text_of(self) -> str:
        record = self._desk.mirror.record
        assert record is not None
        key = (id(record), len(record.turns), record.turns[-1:], dict(record.headers))
        if key != self._key:  # comments change with turns alone while a game goes on
            self._key = key
            self._text = format_record(record)
        return self._text

    def _left(self) -> ClockTimes | None:
        view = None if self._desk.clocks is None else self._desk.clocks.view()
        if view is None:
            return None
        white, black = (int(view["left"][player]) for player in PLAYERS)
        running = PLAYERS.index(view["running"]) if view["running"] else -1
        return ClockTimes((white, black), running)


class ClubTable:
    """Tells a club what a table shows and keeps, and the table what the club says.

    `tell` hears sentences for people. `name` is what the table should be called in the club, "" for
    whatever it is. `told` is called with the club's notes when they change. Raises UserError and
    OSError where it cannot begin.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        token: Token,
        folder: Path,
        look: Look,
        tell: Callable[[Happening], None],
        name: str = "",
    ) -> None:
        self.told: list[Callable[[Publisher], None]] = []
        self._look = look
        self._tell = tell
        self._name = name
        self._outbox = FileOutbox(folder, token)
        self.publisher = Publisher(token, self._outbox, look)
        self._client = BrokerClient(broker, will=self.publisher.will)
        self._client.subscribe(self.publisher.topic)
        self._sign: tuple[object, ...] = ()
        self._save_ms = 0
        self._said: set[str] = set()
        self._notes: object = None

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        self.publisher.hear(happening)

    def step(self) -> None:
        """Do what is due."""
        now_ms = _now_ms()
        for event in self._client.take():
            if isinstance(event, Message):
                self.publisher.receive(event)
                self._look_at_word()
            elif isinstance(event, BrokerConnected):
                self._send(self.publisher.connected())
                self._said.clear()
            elif isinstance(event, BrokerLost):
                self.publisher.lost()
                self._say(tr("the club cannot be told now: {why}; nothing is lost", why=event.why))
        sign = self._look.sign
        if sign != self._sign:
            self._sign = sign
            self.publisher.note_change()
        self._send(self.publisher.step(now_ms))
        if now_ms >= self._save_ms:
            self._save_ms = now_ms + _SAVE_MS
            self._save()

    def close(self) -> None:
        """Say goodbye; what is not told by now is told at the next start."""
        self._send(self.publisher.farewell(_now_ms()))
        self._client.close()
        for event in self._client.take():
            if isinstance(event, Message):
                self.publisher.receive(event)
        self._save()
        waiting = self.publisher.waiting
        if waiting and not self.publisher.is_revoked:
            self._say(
                tr_n(
                    "{n} game waits for the club, and is told when the table is there again",
                    "{n} games wait for the club, and are told when the table is there again",
                    waiting,
                )
            )

    def _send(self, messages: list[Message]) -> None:
        for message in messages:
            self._client.publish(*message)

    def _look_at_word(self) -> None:
        """Say what the club's word means for the people at the table, once each."""
        publisher = self.publisher
        told = publisher.told
        if told is None:
            return
        if told.is_revoked:
            self._say(
                tr("the club has taken this table's token back, and is told nothing any more")
            )
        elif self._name and told.name.casefold() != self._name.casefold():
            self._say(
                tr(
                    "the club knows this table as '{name}', not as '{wanted}': is it the token of "
                    "another table?",
                    name=told.name,
                    wanted=self._name,
                )
            )
        for why in told.refused.values():
            self._say(tr("the club does not take a game of this table: {why}", why=why))
        if publisher.notes != self._notes:
            self._notes = dict(publisher.notes)
            for each in self.told:
                each(publisher)

    def _say(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._tell(Notice(None, sentence))

    def _save(self) -> None:
        try:
            self._outbox.save()
        except OSError as error:
            self._say(one_line(error) or str(error))


# ---- what `play` and `try` do


def join(desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool) -> None:
    """Have the club told of a desk's table; raises UserError, OSError.

    A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
    """
    desk.club = club = AtClub(desk, broker, token, name, plays_alone)
    desk.callback(club.close)


class AtClub:
    """What a club is told of a table, and tells it."""

    def __init__(
        self, desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool
    ) -> None:
        assert desk.archive is not None
        tell = _print if plays_alone else desk.tell
        self._plays_alone = plays_alone
        self._table = ClubTable(
            parse_broker(broker),
            parse_token(token),
            desk.archive.folder,
            Look(desk),
            tell,
            name or "",
        )
        self._paired = PairedTable(desk, tell)
        if not plays_alone:
            self._table.told.append(self._paired.hear)
        self.close = self._table.close

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        self._table.hear(happening)
        if self._plays_alone:  # nobody comes by between two turns
            self.step(0)

    def step(self, _now_ms: int) -> None:
        """Do what is due."""
        self._table.step()
        self._paired.step()


def _now_ms() -> int:
    return int(time.monotonic() * 1000)


def _print(happening: Happening) -> None:
    """Print a sentence where nobody else does."""
    if isinstance(happening, Notice):
        say(happening.notice)
