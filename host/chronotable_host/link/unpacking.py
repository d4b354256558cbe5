"""What only the PC reads: messages and their fields one by one, a line, LEDs, sensors in a mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from chronotable.frames import FRAME, NOTHING, LineReader, RemoteLinkError
from chronotable.messages import LED_ALPHABET, LED_TEXT, LEDS, MESSAGES, is_led_text, row_of
from chronotable.sensors import SENSORS

if TYPE_CHECKING:
    from chronotable.messages import Row


def decode(line: bytes) -> tuple[int, int, str, str]:
    """Return sequence number, ack, letter and payload of one whole line.

    Raises: RemoteLinkError if it is anything but one frame.
    """
    reader = LineReader()
    end = reader.feed(line, 0)
    if end != len(line) or reader.finish() != FRAME or reader.junk != NOTHING:
        raise RemoteLinkError(f"not a frame: {line!r}")
    return reader.seq, reader.ack, reader.letter, reader.payload


def unpack_leds(text: str) -> bytes:
    """Return the 54 meanings that `pack_leds` packed.

    Raises: RemoteLinkError if the text is anything else.
    """
    if len(text) != LED_TEXT or not is_led_text(text):
        raise RemoteLinkError(f"not the text of {LEDS} LEDs: {text!r}")
    meanings = bytearray(LEDS)
    bits = 0
    count = 0
    at = 0
    for letter in text:
        bits = (bits << 6) | LED_ALPHABET.index(letter)
        count += 6
        while count >= 5:
            count -= 5
            meanings[at] = bits >> count
            at += 1
            bits &= (1 << count) - 1
    return bytes(meanings)


def unpack_sensors(text: str) -> list[int]:
    """Return the sensors whose bit is set in hex digits, in their order."""
    mask = int(text, 16)
    return [sensor for sensor in range(SENSORS) if mask >> sensor & 1]


ROWS = tuple(row_of(line.split()[1]) for line in MESSAGES.splitlines() if line)
"""What `MESSAGES` has: letter, name, who hears it, class and fields of each message."""


class Field(NamedTuple):
    """One field; of kind c and f it is one character, of c one of `letters`, if there are any."""

    name: str
    kind: str
    size: int
    letters: str


def fields_of(row: Row) -> list[Field]:
    """Return the fields of a message, in the payload's order."""
    return list(_fields(row[4]))


def _fields(layout: tuple[str | int, ...]) -> Iterator[Field]:
    parts = iter(layout)
    for name, kind, size in zip(parts, parts, parts, strict=True):
        is_letter = isinstance(size, str)
        yield Field(str(name), str(kind), 1 if is_letter else int(size), str(size) * is_letter)
