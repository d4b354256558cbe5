"""The recorder: it writes the game's file in the archive, and the raw events beside it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chronotable_host.archive.comments import join_comments, plays, who_plays
from chronotable_host.live.filing import Filing
from chronotable_host.live.players.seats import HANDS
from chronotable_host.live.raw_events import RawEvents
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS
from chronotable_host.rules.record import HEADERS, Record

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive


class Recorder:
    """Writes the game that the mirror follows; without an `archive` it writes nothing.

    With `resumes` a game that the archive has already is continued; for a virtual table that was
    just switched on there can be none. With `records_events` the raw events of each game are
    written beside its record. All of it raises OSError where it cannot be written, and what changes
    a record OutOfStepError where its file is not of the game as it is known here. `remarks` are
    asked for what else is to be said of a turn when it is written. `filing` says which file it is.
    """

    def __init__(
        self, archive: Archive | None, headers: dict[str, str], resumes: bool, records_events: bool
    ) -> None:
        self.is_archived = archive is not None
        self.remarks: list[Callable[[], str]] = []
        self._events = RawEvents(records_events)
        self.filing = Filing(archive, headers, resumes)
        self._renamed: dict[str, str] = {}  # headers, since the last turn
        self._own_names: dict[str, str] = {}  # whom headers named before the table itself played

    @property
    def events_path(self) -> Path | None:
        """Where the raw events are."""
        return self._events.path

    # ---- the table

    def meet(self, board: str, is_new: bool, is_other: bool) -> None:
        """A table is there: one that was switched on anew, or even another than before."""
        if is_other:
            self.drop()
        if is_new:
            self._events.power_on()
        self.filing.board = board
        self.filing.look_again()

    def on_edge(self, sensor: int, closed: bool, at_ms: int) -> None:
        """Note that a reed or button closed or opened."""
        self._events.edge(sensor, closed, at_ms)

    def on_fault(self, sensor: int, kind: str, state: array[int], at_ms: int) -> None:
        """Note which reed was found broken, or healed; `state` is what should lie there."""
        self._events.fault(sensor, kind, state, at_ms)

    def on_gap(self, first: int, last: int) -> None:
        """Note which events were lost."""
        self._events.gap(first, last)

    # ---- the game

    def hear_of(self, record: Record, at_ms: int) -> None:
        """Note the raw events of a game from its beginning on."""
        self._events.begin(record.start, record.options, at_ms)

    def begin(self, source: str, record: Record, is_news: bool) -> None:
        """Begin the record of a game that begins."""
        self._events.detach()
        self.filing.begin(source, record, is_news=is_news)
        self.write_events()

    def join(self, source: str, record: Record, at_ms: int) -> None:
        """Begin the record of a game whose first turns were not received."""
        self._events.join(record.start, record.options, at_ms)
        self.filing.begin(source, record)
        self.write_events()

    def go_on_listening(self, record: Record, was_heard: bool, at_ms: int) -> None:
        """Go on with raw events; `was_heard` says that none of this game are missing."""
        if was_heard:
            self.write_events()
        elif self.filing.file is not None:
            self._events.resume(self.filing.file.path, record.start, record.options)
            self._events.miss()
        else:
            self._events.join(record.start, record.options, at_ms)
            self.write_events()

    def turn(self, number: int, before: int, turn: int, comment: str) -> None:
        """Write turn `number`, behind the position with the digest `before`."""
        for remark in (*self.remarks, self._new_players):
            comment = join_comments(comment, remark())
        self.filing.turn(number, before, turn, comment)
        self._renamed.clear()
        self.write_events()

    def _new_players(self) -> str:
        """Say who plays a side from this turn on, where that is another one than before."""
        record, said = self.filing.record, ""
        for player, name in zip(PLAYERS, PLAYER_NAMES, strict=True):
            if record is None or name not in self._renamed:
                continue
            known = record.headers[name]
            first = HANDS if known == Record().headers[name] else known
            now = plays(player, self._renamed[name] or HANDS)
            if now != who_plays(record.comments, player, first):
                said = join_comments(said, now)
        return said

    def finish(self, result: str, termination: str) -> None:
        """Write how the game ended."""
        self.filing.finish(result, termination)
        self.write_events()

    def set_header(self, name: str, value: str) -> None:
        """Have a header in the records of games of which no turn is written yet; "" for none.

        Others keep theirs: there the next turn says who plays from then on.
        """
        self._renamed[name] = value
        self._set(name, value)

    def rename(self, name: str, former: str, value: str) -> bool:
        """Have another value in a header of this game, too, where it is `former`; tell if it is."""
        record = self.filing.record
        if record is None or record.headers.get(name) != former:
            return False
        self.filing.rename(name, value)
        self._renamed.pop(name, None)
        self._set(name, value)
        return True

    def set_next_header(self, name: str, value: str) -> None:
        """Have a header in the records of games of which there is no turn yet; "" for none.

        Others keep theirs, and nothing is said there.
        """
        if self.filing.record is None or not self.filing.record.turns:
            self._renamed.pop(name, None)
        self._set(name, value)

    def _set(self, name: str, value: str) -> None:
        self.filing.headers.pop(name, None)
        if value:
            self.filing.headers[name] = value
        record = self.filing.record
        if record is not None and self.filing.file is None and not record.turns:
            if value or name in HEADERS:
                record.headers[name] = value or Record().headers[name]
            else:
                record.headers.pop(name, None)

    def header(self, name: str) -> str:
        """Return a header of the records of games that begin, "" for none."""
        return self.filing.headers.get(name, "")

    def name_own(self, name: str, value: str) -> None:
        """Say that the table itself plays a side.

        With "" it does no more: who had the name before has it again.
        """
        known = self._own_names
        if value:
            known.setdefault(name, self.filing.headers.get(name, ""))
            self.set_header(name, value)
        elif name in known:
            self.set_header(name, known.pop(name))

    def write_events(self) -> None:
        """Keep the raw events beside the game's file, or where that will be."""
        if self.filing.path is not None:
            self._events.beside(self.filing.path)

    def drop(self) -> None:
        """Follow no game any more."""
        self.filing.leave()
        self._events.detach()

    def lose(self) -> None:
        """The game that begins cannot be followed."""
        self.drop()
        self._events.end()

    def close(self) -> None:
        """Close the game's files; a game in progress can be gone on with."""
        self._events.close()
        self.filing.close()
