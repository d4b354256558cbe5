"""Who is told what the tracker understood: the shape of a sink, for type checkers only.

A turn is packed as in ttykm.layout, and `take` and `put` have a 1 for each sensor where a piece or
marker is too much or missing.
"""

if False:
    from typing import Protocol

    class Sink(Protocol):
        """Who is told what the tracker understood."""

        def started(self) -> None: ...  # noqa: D102
        def provisional(self, turn: int) -> None: ...  # noqa: D102
        def reopened(self) -> None: ...  # noqa: D102
        def final(self, turn: int, understood: int) -> None: ...  # noqa: D102
        def taken_back(self, turn: int) -> None: ...  # noqa: D102
        def ask(self, choices: list[int]) -> None: ...  # noqa: D102
        def guide(self, take: bytearray, put: bytearray, why: int) -> None: ...  # noqa: D102
        def fault(self, sensor: int, kind: str) -> None: ...  # noqa: D102
        def over(self, winner: int, by: int) -> None: ...  # noqa: D102
