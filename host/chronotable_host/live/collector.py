"""Fetching games from the table's journal into the archive, so that the table may delete them.

Two rules: the table is told to delete a game only when the archive has it, whole and on the disk;
and where the archive has more of a game than the journal (a flash can fail, too), it stays as it
is.
"""

from __future__ import annotations

from binascii import crc32, unhexlify
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chronotable.journal.units import UNIT
from chronotable.link.frames import LocalLinkError
from chronotable.link.happenings import Connected, Message
from chronotable_host.live.journal_game import JournalGame, JournalGameError, parse_units

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Mirror

_TRIES = 3
_PRESENT = 0  # the number that asks for the game in progress
_NOBODY = -1


class JournalCollector:
    """Takes the table's messages about its journal, and asks for games by calling `command`.

    Finished games are fetched one after the other, the game in progress only when the mirror
    cannot follow it any more.
    """

    def __init__(self, mirror: Mirror, command: Callable[..., None]) -> None:
        self._mirror = mirror
        self._command = command
        self._first = 0  # the oldest game that was not fetched yet
        self._asked = _NOBODY  # the game that is being fetched
        self._data = bytearray()
        self._tries = 0

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link, after the mirror; `now_ms` is table time.

        Raises OSError where a game cannot be written.
        """
        if isinstance(event, Connected):
            if event.fresh:
                self._first = 0
                self._asked = _NOBODY
                self._tries = 0
        elif isinstance(event, Message):
            fields: dict[str, Any] = dict(event.values)
            if event.name == "journal":
                self._first = fields["first"]
            elif event.name == "page" and self._asked != _NOBODY:
                self._take(**fields)
            elif event.name == "page_end" and self._asked != _NOBODY:
                self._end(now_ms, **fields)

    def ask(self) -> None:
        """Ask for the next game, unless one is being fetched."""
        if self._asked != _NOBODY or self._tries >= _TRIES:
            return
        if self._mirror.wants_game:
            self._fetch(_PRESENT)
        elif self._first and self._mirror.archives_games:
            self._fetch(self._first)

    def _fetch(self, number: int) -> None:
        with suppress(LocalLinkError):  # too many commands wait: try again later
            self._command("fetch", game=number)
            self._asked = number
            self._data = bytearray()

    def _take(self, index: int, units: str) -> None:
        if index * UNIT == len(self._data):
            try:
                self._data += unhexlify(units)
            except ValueError:
                return  # the checksum of `page_end` will not fit then

    def _end(self, now_ms: int, game: int, units: int, crc: int, next: int) -> None:  # noqa: A002
        asked, self._asked = self._asked, _NOBODY
        data = bytes(self._data)
        self._data = bytearray()
        is_whole = len(data) == units * UNIT and crc32(data) == crc
        # one game may just have ended: that none is in progress is believed when it is said again
        is_doubtful = asked == _PRESENT and not units and self._tries + 1 < _TRIES
        if not is_whole or is_doubtful:
            self._tries += 1
            return
        self._tries = 0
        if asked == _PRESENT:
            self._adopt(data, game, now_ms)
        elif self._store(data, game, now_ms):
            with suppress(LocalLinkError):  # then it is fetched once more in the next session
                self._command("forget", game=game, units=units, crc=crc)
            self._first = next
        else:
            self._first = next

    def _adopt(self, data: bytes, number: int, now_ms: int) -> None:
        """Have the mirror go on with the table's game."""
        if not self._mirror.wants_game:
            return  # the mirror can follow again, or another game has begun
        journal_game = self._parse(data, number, now_ms) if data else None
        self._mirror.adopt(journal_game, now_ms)

    def _store(self, data: bytes, number: int, now_ms: int) -> bool:
        """Store a game of the table in the archive; return whether the table may delete it."""
        if not data:  # the table cannot read it, and never will
            return True
        journal_game = self._parse(data, number, now_ms)
        if journal_game is None:
            return False
        if journal_game.record.turns or journal_game.is_over:
            self._mirror.store(journal_game, now_ms)
        return True

    def _parse(self, data: bytes, number: int, now_ms: int) -> JournalGame | None:
        try:
            table = self._mirror.table
            return parse_units(data, number, table.boot, table.clock_ms)
        except JournalGameError as error:
            self._mirror.complain(str(error), now_ms)
            return None
