"""Keeps the number of unlocked chapters the same on table and PC.

One rule: the larger number wins on both sides. So chapters that were unlocked at the
table alone are unlocked on the PC with the first snapshot.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from chronotable.frames import LocalLinkError
from chronotable.happenings import Connected, Message
from chronotable_host.errors import UserError
from chronotable_host.live.settings import number_of, settings_told

_SINCE_MINOR = 1  # from this version of the protocol on a table tells its chapters


class Lock(Protocol):
    """Where the PC keeps how many chapters are unlocked; `chronotable_host.chapters` is one."""

    def unlocked(self) -> int:
        """Return how many; raises UserError and OSError."""
        ...

    def unlock_to(self, count: int) -> None:
        """Have so many unlocked, if there are fewer; raises UserError and OSError."""
        ...


class Unlocking:
    """Compares the table's number of unlocked chapters with the PC's, and raises the smaller one.

    `complain` hears why the PC's number cannot be read or written.
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
