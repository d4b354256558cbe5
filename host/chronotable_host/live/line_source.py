"""What is typed while a table is followed, whoever types it: a person, a program, a test."""

from typing import Protocol


class LineSource(Protocol):
    """Where typed lines come from; `commands.common.typed_lines.TypedLines` is the terminal's."""

    def take(self) -> str | None:
        """Return the next line, None where there is none yet; never waits."""
        ...
