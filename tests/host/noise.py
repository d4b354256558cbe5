"""Line noise that turns a byte of what a PC sends into the byte 3, which is Ctrl-C."""

from __future__ import annotations

from collections import Counter, defaultdict

CTRL_C = 3
_EVERY = 3  # lines: what is damaged has to come through when it is sent again


class CtrlCs:
    """Damages every third line by one byte 3, of each type of line at one place after the other.

    It takes a byte's place, or with `between` comes in front of it; behind the last byte is in
    front of the next line's first. Two are never side by side: those are meant. `places` has those
    that were had, by the letter of the type, `lengths` how long such lines were.
    """

    def __init__(self, between: bool) -> None:
        self.places: defaultdict[str, set[int]] = defaultdict(set)
        self.lengths: dict[str, int] = {}
        self._between = between
        self._has_ended_in_one = False
        self._lines: Counter[str] = Counter()

    def __call__(self, data: bytes) -> bytes:
        """Return whole lines with what becomes of them."""
        return b"".join(map(self._damaged, data.splitlines(keepends=True)))

    def has_been_everywhere(self, letters: str) -> bool:
        """Tell whether there is no place in lines of these types that was not had."""
        return all(
            letter in self.lengths and len(self.places[letter]) == self.lengths[letter]
            for letter in letters
        )

    def _damaged(self, line: bytes) -> bytes:
        letter = chr(line[5])
        self._lines[letter] += 1
        self.lengths[letter] = min(len(line), self.lengths.get(letter, len(line)))
        at = self._lines[letter] // _EVERY % self.lengths[letter]
        is_next, self._has_ended_in_one = at == 0 and self._has_ended_in_one, False
        if self._lines[letter] % _EVERY or is_next:
            return line
        self.places[letter].add(at)
        damaged = line[:at] + bytes((CTRL_C,)) + line[at + (not self._between) :]
        self._has_ended_in_one = damaged[-1] == CTRL_C
        return damaged
