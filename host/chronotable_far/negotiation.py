"""What is negotiated in a game far apart: with the other end, in the log that both write."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chronotable_far.course import VOID
from chronotable_far.entries import AGAIN, NO, RESIGN, SAY, YES, other
from chronotable_far.news import question_asked, question_waiting
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.players.negotiation import Negotiation
from chronotable_host.live.players.seats import HANDS, PAGE
from chronotable_host.rules.notation import parse_player

if TYPE_CHECKING:
    from chronotable_far.bridge import Bridge
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.happenings import Happening
    from chronotable_host.live.players.negotiation import Asker


class RoomNegotiation(Negotiation):
    """The negotiation of who is at one end's table with the other end."""

    is_with_others = True

    def __init__(self, desk: Desk, bridge: Bridge) -> None:
        super().__init__(desk)
        self._bridge = bridge
        self._room = bridge.room

    def undo(self, _by: Asker) -> None:
        """Ask to take turns back; raises UserError."""
        self._bridge.ask_back()

    def draw(self, _by: Asker, side: str) -> None:
        """Offer a draw, or agree to one; raises UserError."""
        self._check_own(side)
        self._bridge.offer_draw()

    def resign(self, _by: Asker, side: str) -> None:
        """Give up; raises UserError."""
        self._check_own(side)
        self._bridge.write(RESIGN)

    def begin(self, _by: Asker, _begins: Callable[[], None], _kind: str = "") -> None:
        """Have a game at the table give way to this one; raises UserError where none is in the way.

        Nothing else is begun.
        """
        if not self._bridge.is_put_off:
            raise UserError(
                tr(
                    "this table plays a game far apart: `again` wants another one, `resign` gives "
                    "this one up"
                )
            )
        self._bridge.gives_way = True

    def answer(self, _by: Asker, number: int | None, is_yes: bool) -> None:
        """Answer the other end; raises UserError."""
        self._answer(other(self._room.end), number, is_yes)

    def withdraw(self, _by: Asker, number: int | None) -> None:
        """Let go of one's own question; raises UserError."""
        self._answer(self._room.end, number, is_yes=False)

    def _answer(self, end: str, number: int | None, is_yes: bool) -> None:
        """Answer the question that was shown when this was asked for, and none that came since."""
        question = self._room.course.question
        if question is None or question.by != end or number not in (None, question.number):
            raise UserError(VOID["answer"])
        self._bridge.write(YES if is_yes else NO)

    def check_seat(self, side: str, who: str) -> None:
        """Raise UserError where somebody may not play a side here."""
        self._check_own(side)
        if who not in (HANDS, PAGE):
            raise UserError(tr("in a game far apart you play yourself"))

    def _check_own(self, side: str) -> None:
        if side and parse_player(side) != self._bridge.own:
            raise UserError(tr("that is for the other end to say"))

    def say(self, text: str) -> None:
        """Say a line; raises UserError."""
        self._bridge.write(SAY, text=text)

    def again(self) -> None:
        """Want another game; raises UserError."""
        self._bridge.write(AGAIN)

    def view(self, _by: Asker) -> dict[str, Any]:
        """Return the question that this end is asked, or has asked, as the page shows it."""
        course, shown = self._room.course, {"asks": None, "asked": None, "said": ""}
        question = course.question
        if question is None:
            return shown
        is_own = question.by == self._room.end
        says = (question_waiting if is_own else question_asked)(course, question)
        return {**shown, "asked" if is_own else "asks": {"no": question.number, "says": says}}

    def hear(self, _happening: Happening) -> None:
        """Leave the table to the bridge."""

    def step(self, _now_ms: int) -> None:
        """Have nothing to do: the bridge has."""
