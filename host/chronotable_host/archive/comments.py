"""The comments of a game's turns while it is played, turns that are taken back included."""

from collections.abc import Iterable

from ttykm.notation import format_turn


class Comments:
    """One text per turn. That a turn was taken back is said at the turn before, or the next one."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = list(texts)
        self._note = ""  # for the first turn, while there is none

    def add(self, comment: str) -> None:
        """A turn was taken."""
        self.texts.append(_joined(self._note, comment))
        self._note = ""

    def take_back(self, turn: int) -> None:
        """The last turn, which was this packed one, was taken back."""
        self.texts.pop()
        note = f"took back {format_turn(turn)}"
        if self.texts:
            self.texts[-1] = _joined(self.texts[-1], note)
        else:
            self._note = _joined(self._note, note)


def _joined(first: str, second: str) -> str:
    return f"{first}; {second}" if first else second
