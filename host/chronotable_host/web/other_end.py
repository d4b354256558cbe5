"""A game far apart, as far as the page knows of one (chronotable_far/page.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from chronotable_host.web.guests import GuestLink


class OtherEnd(Protocol):
    """What the page asks for, and has shown, where a table shares its game with another one.

    What is asked for raises UserError where it cannot be had.
    """

    def agree(self, number: int, /) -> None:
        """Say yes to the other end's question of this number."""
        ...

    def decline(self, number: int, /) -> None:
        """Say no to it."""
        ...

    def withdraw(self, number: int, /) -> None:
        """Let go of one's own question."""
        ...

    def say(self, text: str, /) -> None:
        """Say a line."""
        ...

    def again(self) -> None:
        """Want another game."""
        ...

    def ask_back(self) -> None:
        """Ask to take turns back."""
        ...

    def draw(self, side: str, /) -> None:
        """Offer a draw, or agree to one."""
        ...

    def resign(self, side: str, /) -> None:
        """Give up."""
        ...

    def check_seat(self, side: str, who: str, /) -> None:
        """Raise UserError where somebody may not play a side here."""
        ...

    def refuse(self) -> None:
        """Raise UserError: something else than this game was asked for."""
        ...

    def invitation(self) -> Mapping[str, GuestLink]:
        """Return the invitation, as long as nobody has come by it."""
        ...

    def shown(self, view: Mapping[str, Any], /) -> dict[str, Any]:
        """Return a page's view with all of the other end in it."""
        ...
