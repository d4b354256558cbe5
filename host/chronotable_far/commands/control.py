"""What is typed during a game far apart, at whichever table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_far.presence_texts import presence
from chronotable_host.commands.shared import NO, YES
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.output import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from chronotable_far.table import FarTable

COMMANDS = tr(
    "yes, no (to the other end, or to let go of what you asked), undo, draw, resign, "
    "say and a line, again, there (are you there?), link, quit"
)
QUIT = ("quit", "q", "exit")


class FarControl:
    """Obeys what is typed; `tell_link` prints how others come here."""

    def __init__(self, far: FarTable, tell_link: Callable[[], None]) -> None:
        self._far = far
        self._tell_link = tell_link

    def obey(self, line: str) -> bool:
        """Do what a line says; return whether it was about the game far apart. Raises UserError."""
        bridge = self._far.bridge
        words = line.split()
        match [word.lower() for word in words]:
            case [word] if word in YES:
                bridge.answer(True)
            case [word] if word in NO:
                bridge.answer(False)
            case ["undo"]:
                bridge.ask_back()
            case ["draw", *_]:
                bridge.offer_draw()
            case ["resign", *_]:
                bridge.resign()
            case ["say", _, *_]:
                bridge.say(" ".join(words[1:]))
            case ["again"]:
                bridge.again()
            case ["new"]:
                self._new()
            case ["there" | "there?"]:
                say(presence(self._far))
            case ["link"]:
                self._tell_link()
            case _:
                return False
        return True

    def _new(self) -> None:
        """Have a game at the table give way; raises UserError where none is in the way."""
        if not self._far.bridge.is_put_off:
            raise UserError(tr("`again` wants another game, `resign` gives this one up"))
        self._far.bridge.gives_way = True
