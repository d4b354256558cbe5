"""A session with one table: the PC's end of the link, and all that hears what comes over it.

Bytes and times are arguments: there is no port and no clock here.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from chronotable.hardware.sensors import BUTTON, BUTTONS, INPUTS
from chronotable.link.frames import LocalLinkError
from chronotable.link.happenings import Connected, Message
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import PcLink, own_identity
from chronotable_host.live.collector import JournalCollector
from chronotable_host.live.happenings import Frame, Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.settings import number_of, settings_told
from chronotable_host.rules.notation import PLAYERS
from ttykm.game import digest

_SINCE_MINOR = 1  # from this version of the protocol on a table tells its chapters


class Lock(Protocol):
    """Where the PC keeps how many chapters are unlocked; `chronotable_host.chapters` is one."""

    def unlocked(self) -> int:
        """Return how many; raises UserError and OSError."""
        ...

    def unlock_to(self, count: int) -> None:
        """Have so many unlocked, if there are fewer; raises UserError and OSError."""
        ...


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

    def set_up(self, state: array[int], options: int) -> None:
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
