"""A game far apart, as far as the page knows of one (far/page.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from chronotable_host.web.guests import GuestLink


class OtherEnd(Protocol):
    """What the page has shown where a table shares its game with another one."""

    def invitation(self) -> Mapping[str, GuestLink]:
        """Return the invitation, as long as nobody has come by it."""
        ...

    def shown(self, view: Mapping[str, Any], /) -> dict[str, Any]:
        """Return a page's view with all of the other end in it."""
        ...
