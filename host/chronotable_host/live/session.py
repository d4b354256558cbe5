"""A session with one table: the PC's end of the link, and all that hears what comes over it.

Bytes and times are arguments: there is no port and no clock here.
"""

from array import array
from binascii import crc32, unhexlify
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from chronotable.hardware.sensors import BUTTON, BUTTONS, INPUTS
from chronotable.journal.units import UNIT
from chronotable.link.frames import LocalLinkError
from chronotable.link.happenings import Connected, Message
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import PcLink, own_identity
from chronotable_host.live.happenings import Frame, Happening
from chronotable_host.live.journal_game import JournalGame, JournalGameError, parse_units
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.settings import number_of, settings_told
from chronotable_host.rules.notation import PLAYERS
from ttykm.game import digest

_TRIES = 3
_PRESENT = 0  # the number that asks for the game in progress
_NOBODY = -1


class JournalCollector:
    """Takes the table's messages about its journal, and asks for games by calling `command`.

    Two rules: the table is told to delete a game only when the archive has it, whole and on the
    disk; and where the archive has more of a game than the journal (a flash can fail, too), it
    stays as it is.

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


_SINCE_MINOR = 1  # from this version of the protocol on a table tells its chapters


class Lock(Protocol):
    """Where the PC keeps how many chapters are unlocked; `chronotable_host.chapters` is one."""

    def unlocked(self) -> int:
        """Return how many; raises UserError and OSError."""

    def unlock_to(self, count: int) -> None:
        """Have so many unlocked, if there are fewer; raises UserError and OSError."""


class _LockSync:
    """Keeps the number of unlocked chapters the same on table and PC: the larger one wins on both.

    So chapters that were unlocked at the table alone are unlocked on the PC with the first
    snapshot. `complain` hears why the PC's number cannot be read or written.
    """

    def __init__(
        self, lock: Lock, command: Callable[..., None], complain: Callable[[str, int], None]
    ) -> None:
        self._lock = lock
        self._command = command
        self._complain = complain
        self._is_known = False  # the table tells its chapters
        self._theirs = -1  # as the table told last

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link; `now_ms` is table time."""
        if isinstance(event, Connected):
            self._is_known = event.info.minor >= _SINCE_MINOR
            if event.fresh:
                self._theirs = -1
        elif isinstance(event, Message) and event.name == "snapshot" and self._is_known:
            fields: dict[str, Any] = event.values
            theirs = settings_told(fields["settings"]).chapters
            if theirs != self._theirs:
                self._theirs = theirs
                self._settle(theirs, now_ms)

    def share(self) -> None:
        """Have the table unlock what was unlocked on the PC since it told its number."""
        if self._theirs >= 0:
            self._settle(self._theirs, 0)

    def _settle(self, theirs: int, now_ms: int) -> None:
        try:
            ours = self._lock.unlocked()
            if theirs > ours:
                self._lock.unlock_to(theirs)
        except (UserError, OSError) as error:
            self._complain(str(error), now_ms)
            return
        if ours > theirs:
            with suppress(LocalLinkError):  # too many wait: in the next session
                self._command("set", setting=number_of("chapters"), value=ours)


class Session:
    """Takes the bytes that a table sent, and returns those to be sent; `mirror` has what they say.

    With a `lock`, which has the number of chapters that are unlocked on the PC, table and PC unlock
    what the other one has unlocked. A table is sent `settings` when it is new here or began anew.
    """

    def __init__(
        self,
        mirror: Mirror,
        trace: Callable[[Happening], None] | None = None,
        lock: Lock | None = None,
    ) -> None:
        self.mirror = mirror
        self._trace = trace
        self.collector = JournalCollector(mirror, self.command)
        self._unlocking = None if lock is None else _LockSync(lock, self.command, mirror.complain)
        self._asked = False  # a snapshot was asked for
        self.settings: dict[str, int] = {}
        self._set_up: tuple[str, int] | None = None  # id and boot of the table that was sent them
        self._due: dict[str, int] = {}  # those of them that it was not sent yet
        self.link = PcLink(own_identity())

    def share_unlocked(self) -> None:
        """Have the table unlock what was unlocked on the PC meanwhile."""
        if self._unlocking is not None:
            self._unlocking.share()

    def open(self, now_ms: int) -> None:
        """The port is open."""
        self.link.open(now_ms)

    def close(self) -> None:
        """The port is gone."""
        self.link.close()

    def exchange(self, data: bytes, now_ms: int, table_ms: int | None = None) -> bytes:
        """Take what has come and return what is to be sent.

        `now_ms` is the PC's time, `table_ms` the table's where it is known. Everything that has
        come is dealt with before it is acknowledged: turns are on the disk by then.
        """
        link = self.link
        if data:
            self._note(data, "in", now_ms)
            link.receive(data, now_ms)
        event = link.next_event()
        at_ms = now_ms if table_ms is None else table_ms
        while event is not None:
            self.mirror.hear(event, at_ms)
            self.collector.hear(event, at_ms)
            if self._unlocking is not None:
                self._unlocking.hear(event, at_ms)
            event = link.next_event()
        if link.connected:
            self.collector.ask()
        with suppress(LocalLinkError):  # too many commands wait: what is left is sent later
            self._send_unasked()
        link.tick(now_ms)
        out = link.data_to_send()
        if out:
            self._note(out, "out", now_ms)
        return out

    def _send_unasked(self) -> None:
        """Ask for a snapshot where one is needed, and send settings; raises LocalLinkError."""
        if not self.mirror.needs_resync or self.mirror.wants_game:
            self._asked = False
        elif self.link.connected and not self._asked:
            self.command("resync")
            self._asked = True
        peer = self.mirror.table.peer
        if peer is not None and (peer.unique_id, peer.boot) != self._set_up:
            self._set_up = peer.unique_id, peer.boot
            self._due = dict(self.settings)
        for name, value in list(self._due.items()):
            self.set({name: value})
            del self._due[name]

    @property
    def is_ready(self) -> bool:
        """Whether the table is there, and it is known how it is: only then is it led anywhere."""
        return self.link.connected and self.mirror.is_known

    def command(self, name: str, **fields: Any) -> None:
        """Send a command of the link; it waits for the table where that is away.

        Raises LocalLinkError where it does not fit.
        """
        self.link.send(name, **fields)

    def set(self, settings: Mapping[str, int]) -> None:
        """Set what `live.settings` names; raises LocalLinkError."""
        for name, value in settings.items():
            self.command("set", setting=number_of(name), value=value)

    def set_own_level(self, side: int, level: int) -> None:
        """Have the table itself play a side, as a snapshot has it; raises LocalLinkError."""
        self.set({PLAYERS[side]: level})

    def set_up(self, state: "array[int]", options: int) -> None:
        """Have a position set up on the table and a game begin there."""
        position = pack_position(state)
        objects = pack_objects(state, position)
        if objects:
            self.command("lay", objects=objects)
        self.command("new_game", position=position, options=options)

    def want(self, turn: int | None) -> None:
        """Have the hands carry out a turn of the game's position, or none any more.

        Raises LocalLinkError.
        """
        mirror = self.mirror
        after = array("H", mirror.game.state)
        if turn is not None:
            mirror.game.after(turn, after)
        self.command("want", turn_no=mirror.turns_of_table + 1, turn=turn, digest=digest(after))

    def _note(self, data: bytes, way: str, now_ms: int) -> None:
        if self._trace is not None:
            for line in data.decode("ascii", "replace").splitlines():
                self._trace(Frame(now_ms, way, line))


_HINTS = "hints_white", "hints_black"  # the settings of how much the lights say


class Press(NamedTuple):
    """A button that was pressed, and how it was then."""

    name: str
    side: int
    """A player, or `chronotable.hardware.sensors.SHARED`."""
    at_ms: float
    mover: int
    turns: int
    """How many the game had."""
    level: int
    """How much the lights said to that side: *action* may have changed it."""
    held_ms: float = 0


class Presses:
    """Listens to a session's buttons; `heard` is told each press, and how long it was held.

    What a press does at the table it does all the same. One rule: a press counts when the button is
    let go, for what the PC itself asks for the table tells as presses that never end.
    """

    def __init__(self, session: Session, heard: Callable[[Press], None]) -> None:
        self._session = session
        self._heard = heard
        self._down: dict[int, Press] = {}
        session.mirror.table.listeners.append(self._hear)

    def _hear(self, sensor: int, closed: bool, at_ms: float) -> None:
        if not BUTTON <= sensor < INPUTS:
            return
        press = self._down.pop(sensor, None)
        if closed:
            mirror = self._session.mirror
            name, side = BUTTONS[sensor - BUTTON]
            game, level = mirror.game, mirror.table.hints[max(0, side)]
            self._down[sensor] = Press(name, side, at_ms, game.mover, len(game.turns), level)
            if name == "action":
                with suppress(LocalLinkError):
                    self._session.command("resync")  # how much the lights say now
        elif press is not None:
            self._heard(press._replace(held_ms=at_ms - press.at_ms))

    def set_level(self, side: int, level: int) -> None:
        """Set how much the lights say to a side; from `hints.HINT_LEVELS` on they show a copy."""
        with suppress(LocalLinkError):
            self._session.set({_HINTS[side]: level})
