"""Which table answers at a port, known before the session gets what it sent.

One rule: what another table than that of the game sends must not reach link and mirror. Both would
take it for their own table after a restart: the link would forget which events it has and which
commands wait, and the mirror would leave its game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chronotable.frames import FRAME, LineReader, RemoteLinkError
from chronotable.messages import PROTOCOL_MAJOR, decode_fields, is_hex, row_of

_OF_A_TABLE = "ra"  # a HELLO that asks is a PC's: our own one, echoed


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
