"""What answers at a port: a table with its HELLO, or MicroPython's prompt in a table's place.

Which table it is has to be known before the session gets what it sent: what another table than
that of the game sends must not reach link and mirror. Both would take it for their own table after
a restart: the link would forget which events it has and which commands wait, and the mirror would
leave its game.

The prompt answers where a table's firmware was stopped. It echoes what is typed, and only a
carriage return ends a line there: so our lines come back one behind the other. Typing a carriage
return then shows the prompt. Seen on MicroPython 1.26.1; `Prompt` of the virtual chip does so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chronotable.link.frames import FRAME, LineReader, RemoteLinkError
from chronotable.link.messages import PROTOCOL_MAJOR, decode_fields, is_hex, row_of

_OF_A_TABLE = "ra"  # a HELLO that asks is a PC's: our own one, echoed

_RETURN = b"\r"
RESTART = b"\x03\x04"
"""Ctrl-C drops what was typed, and Ctrl-D on an empty line is a soft reset, which runs main.py."""

_PROMPTS = (b">>> ", b"... ")
_TAIL_BYTES = 600


class HelloAnswer(NamedTuple):
    """Who says HELLO."""

    table_id: str
    board: str


class HelloReader:
    """Reads what comes for the HELLO of a table."""

    def __init__(self) -> None:
        self._reader = LineReader()

    def reset(self) -> None:
        """The port was opened anew."""
        self._reader.reset()

    def hear(self, data: bytes) -> HelloAnswer | None:
        """Return who says HELLO in this data, if somebody does."""
        reader = self._reader
        answer = None
        at = reader.feed(data, 0)
        while at:
            if reader.finish() == FRAME and reader.letter == "H":
                answer = _read(reader.payload) or answer
            at = reader.feed(data, at)
        return answer


def _read(payload: str) -> HelloAnswer | None:
    """Return who it is; None for a PC, and for another version, which the link refuses."""
    major = payload[1:3]
    if payload[:1] not in _OF_A_TABLE or len(major) != 2 or not is_hex(major):
        return None
    if int(major, 16) != PROTOCOL_MAJOR:
        return None
    try:
        fields: dict[str, Any] = decode_fields(row_of("hello"), payload)
    except RemoteLinkError:
        return None
    return HelloAnswer(fields["unique_id"], fields["board_name"])


class PromptDetector:
    """Reads what a device sends and is sent, and tells whether that is MicroPython's prompt."""

    def __init__(self) -> None:
        self.tail = b""
        """The end of what it said."""
        self._typed = b""  # the last line that was sent to it
        self._answered = b""  # the tail after which _RETURN was typed already

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
        """Return what to type, now that it says nothing more: _RETURN, RESTART or nothing."""
        if self.is_at_prompt:
            self._typed = b""  # until the next line is sent, what it says proves nothing
            return RESTART
        is_echo = self._typed != b"" and self.tail.endswith(self._typed)
        if is_echo and self.tail != self._answered:
            self._answered = self.tail
            return _RETURN
        return b""
