"""A person elsewhere who plays a side: whoever has the link."""

from __future__ import annotations

import secrets

from chronotable_host.engine.person import Person


class Guest(Person):
    """A seat that a browser elsewhere plays.

    `token` is what its link lets in with, as long as it is open. Whoever shows the link notes that
    it `is_announced`.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.token = secrets.token_urlsafe(16)
        self.is_announced = False

    def close(self) -> None:
        """End the invitation: nobody comes in by its link any more."""
        self.token = ""
        super().close()
