"""What the search's rules keep of a position, so that it is found out once."""

from __future__ import annotations

from typing import Generic

from chronotable_host.engine.search import Outcome


class Known(Generic[Outcome]):
    """What is known of a position, whatever the other's supply and focus are.

    `outcomes` are those of its turns, with a way to act for each; `valued` has them with what they
    are worth, the best first, and `can_win` tells whether one of them wins; both are None as long
    as nobody asked.
    """

    __slots__ = ("can_win", "outcomes", "valued")

    def __init__(self, outcomes: dict[Outcome, int]) -> None:
        self.outcomes = outcomes
        self.valued: list[tuple[int, Outcome]] | None = None
        self.can_win: bool | None = None
