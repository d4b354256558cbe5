"""Recognises a table whose firmware was stopped: MicroPython's prompt answers in its place.

The prompt echoes what is typed, and only a carriage return ends a line there: so our lines come
back one behind the other. Typing a carriage return then shows the prompt. Seen on MicroPython
1.26.1; virtual/prompt.py does the same.
"""

from __future__ import annotations

RETURN = b"\r"
RESTART = b"\x03\x04"
"""Ctrl-C drops what was typed, and Ctrl-D on an empty line is a soft reset, which runs main.py."""

_PROMPTS = (b">>> ", b"... ")
_TAIL_BYTES = 600


class PromptDetector:
    """Reads what a device sends and is sent, and tells whether that is MicroPython's prompt."""

    def __init__(self) -> None:
        self.tail = b""
        """The end of what it said."""
        self._typed = b""  # the last line that was sent to it
        self._answered = b""  # the tail after which RETURN was typed already

    def hear(self, data: bytes) -> None:
        """Take what it said."""
        self.tail = (self.tail + data)[-_TAIL_BYTES:]

    def type(self, data: bytes) -> None:
        """Note what it is told: whole lines."""
        self._typed = data.splitlines()[-1]

    @property
    def is_at_prompt(self) -> bool:
        """Tell whether it has echoed our last line and waits at the prompt."""
        return self._typed != b"" and self._typed in self.tail and self.tail.endswith(_PROMPTS)

    def keys(self) -> bytes:
        """Return what to type, now that it says nothing more: RETURN, RESTART or nothing."""
        if self.is_at_prompt:
            self._typed = b""  # until the next line is sent, what it says proves nothing
            return RESTART
        is_echo = self._typed != b"" and self.tail.endswith(self._typed)
        if is_echo and self.tail != self._answered:
            self._answered = self.tail
            return RETURN
        return b""
