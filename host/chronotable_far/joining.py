"""Coming to a room by its invitation: what has to be so before anything is written there.

One rule: who may not play what was begun there says so in one sentence, which names no secret of
the game, and leaves no trace in the room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_far.entries import JOINER
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from ttykm import objects
from ttykm.game import RULES_VERSION

if TYPE_CHECKING:
    from chronotable_far.room import FarRoom

NOBODY_MS = 8000.0
"""How long a room may be silent, once the broker is there, before that is said."""


class Joining:
    """Joins a room as `name`, once what its inviter began there is known.

    `chats` says whether this end wants a line of chat. `says` is what people are told while the
    room is silent, "" for nothing.
    """

    def __init__(self, room: FarRoom, name: str, chats: bool) -> None:
        self.says = ""
        self._room = room
        self._name = name
        self._chats = chats
        self._since_ms: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether this end belongs to the room."""
        course = self._room.course
        return course.join is not None or (self._room.end != JOINER and course.begin is not None)

    def step(self, now_ms: float, is_connected: bool) -> None:
        """Join, if that is due; `now_ms` is any clock's.

        Raises UserError where this end cannot play what was begun, and OSError.
        """
        if self.is_done:
            self.says = ""
            return
        begin = self._room.course.begin
        if begin is None:
            self._wait(now_ms, is_connected)
            return
        if begin.rules != RULES_VERSION:
            raise UserError(
                tr(
                    "the one who invites has another version of the rules; update chronotable on "
                    "both computers, and invite again"
                )
            )
        chapters.require(objects.modules_of(begin.start), begin.options)
        self._room.append("join", name=self._name, rules=RULES_VERSION, chat=self._chats)
        self.says = ""

    def _wait(self, now_ms: float, is_connected: bool) -> None:
        if not is_connected:
            self._since_ms = None
            return
        if self._since_ms is None:
            self._since_ms = now_ms
        if now_ms - self._since_ms >= NOBODY_MS:
            self.says = tr(
                "nobody has begun a game with this invitation at this broker yet; are link and "
                "broker the right ones? This waits for it"
            )
