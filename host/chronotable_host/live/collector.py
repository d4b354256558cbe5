"""Fetching from the table's journal what this PC has not, and letting the table forget it.

Two rules: a game is asked to go only when it is in the archive, whole and on the disk; and what the
archive knows better than the journal (a flash can fail, too) is not overwritten.
"""

from __future__ import annotations

from binascii import crc32, unhexlify
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chronotable.frames import LocalLinkError
from chronotable.happenings import Connected, Message
from chronotable.journal import UNIT
from chronotable_host.live.journal_game import JournalGame, JournalGameError, parse_units

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Mirror

_TRIES = 3
_PRESENT = 0  # the number that asks for the game that goes on
_NOBODY = -1


class Collector:
    """Hears the table's messages about its journal and sends what `command` is given.

    A table's games are fetched one after the other; the one that goes on only when the mirror has
    lost its thread.
    """

    def __init__(self, mirror: Mirror, command: Callable[..., None]) -> None:
        self._mirror = mirror
        self._command = command
        self._first = 0  # the oldest game that waits
        self._asked = _NOBODY  # the game that is under way
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
        """Ask for what is wanted most, if nothing is under way."""
        if self._asked != _NOBODY or self._tries >= _TRIES:
            return
        if self._mirror.wants_game:
            self._fetch(_PRESENT)
        elif self._first and self._mirror.archives_games:
            self._fetch(self._first)

    def _fetch(self, number: int) -> None:
        with suppress(LocalLinkError):  # too many commands wait: later
            self._command("fetch", game=number)
            self._asked = number
            self._data = bytearray()

    def _take(self, index: int, units: str) -> None:
        if index * UNIT == len(self._data):
            try:
                self._data += unhexlify(units)
            except ValueError:
                return  # the end will tell

    def _end(self, now_ms: int, game: int, units: int, crc: int, next: int) -> None:  # noqa: A002
        asked, self._asked = self._asked, _NOBODY
        data = bytes(self._data)
        self._data = bytearray()
        is_whole = len(data) == units * UNIT and crc32(data) == crc
        # a game may be over for a moment: none goes on where that is said again
        is_doubtful = asked == _PRESENT and not units and self._tries + 1 < _TRIES
        if not is_whole or is_doubtful:
            self._tries += 1
            return
        self._tries = 0
        if asked == _PRESENT:
            self._adopt(data, game, now_ms)
        elif self._store(data, game, now_ms):
            with suppress(LocalLinkError):  # then it is fetched again some day
                self._command("forget", game=game, units=units, crc=crc)
            self._first = next
        else:
            self._first = next

    def _adopt(self, data: bytes, number: int, now_ms: int) -> None:
        """Have the mirror go on with the table's game."""
        if not self._mirror.wants_game:
            return  # it found the thread again, or another game has begun
        journal_game = self._parse(data, number, now_ms) if data else None
        self._mirror.adopt(journal_game, now_ms)

    def _store(self, data: bytes, number: int, now_ms: int) -> bool:
        """Have a game of the table in the archive; return whether the table may let it go."""
        if not data:  # nothing of it could be read, and nothing ever will
            return True
        journal_game = self._parse(data, number, now_ms)
        if journal_game is None:
            return False
        if journal_game.record.turns or journal_game.is_over:
            self._mirror.store(journal_game, now_ms)
        return True

    def _parse(self, data: bytes, number: int, now_ms: int) -> JournalGame | None:
        try:
            return parse_units(data, number)
        except JournalGameError as error:
            self._mirror.complain(str(error), now_ms)
            return None
