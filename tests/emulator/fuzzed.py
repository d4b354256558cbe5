"""Inputs of the fuzzer to what reads them on the table; runs on the chip, and on the PC to compare.

An input is a line: a letter that says who reads it, and its text or its bytes as hex digits. Of
each a checksum of what came of it is told. For the link also the time stands there.
"""

from binascii import crc32, unhexlify

from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import TO_HOST, TO_TABLE, decode_fields, encode_fields, row_for
from chronotable.link.packed import pack_objects, pack_position
from chronotable.link.unpacked import unpack_position
from chronotable_host.link.unpacking import unpack_leds, unpack_sensors
from chronotable_host.rules.notation import (
    NotationError,
    format_options,
    format_position,
    format_turn,
    parse_options,
    parse_position,
    parse_turn,
)

if False:
    from collections.abc import Iterable, Iterator


def position(text: str) -> str:
    return format_position(parse_position(text))


def turn(text: str) -> str:
    return format_turn(parse_turn(text))


def options(text: str) -> str:
    return format_options(parse_options(text))


def fields(text: str) -> str:
    row = row_for(text[:1], TO_HOST) or row_for(text[:1], TO_TABLE)
    return encode_fields(row, decode_fields(row, text[1:])) if row else ""


def packed(text: str) -> str:
    if text[:1] == "p":
        state = unpack_position(text[1:30], text[30:])
        packed = pack_position(state)
        return packed + pack_objects(state, packed)
    if text[:1] == "l":
        return str(list(unpack_leds(text[1:])))
    return str(unpack_sensors(text[1:]))


READERS = {"P": position, "T": turn, "O": options, "F": fields, "K": packed}


class Line:
    """A table's end of the link; tells what its application hears and what it says."""

    def __init__(self) -> None:
        self.link = Link(TABLE, Identity("fuzzed", 1, "e6", 1, 5))
        self.link.open(1000)
        self.rounds = 0

    def take(self, data: bytes, now_ms: int) -> bytes:
        link = self.link
        link.receive(data, now_ms)
        told = b""
        event = link.next_event()
        while event is not None:
            told += type(event).__name__.encode()
            event = link.next_event()
        self.rounds += 1
        if self.rounds % 3 == 0:
            link.post_event("edge", now_ms, sensor=1, closed=self.rounds & 1)
        link.tick(now_ms)
        return told + link.data_to_send(4)


def outcomes(lines: "Iterable[str]") -> "Iterator[str]":
    """Yield what comes of each line, as a word."""
    line = Line()
    for text in lines:
        kind, rest = text[0], text[1:].strip()
        if kind == "L":
            now_ms, _, digits = rest.partition(" ")
            told = line.take(unhexlify(digits), int(now_ms))
        else:
            try:
                told = READERS[kind](unhexlify(rest).decode()).encode()
            except NotationError as error:
                told = b"! " + str(error).encode()
            except Exception as error:  # the names have to be the same
                told = b"! " + type(error).__name__.encode()
        yield f"{kind}{crc32(told):08x}"
    for name in sorted(line.link.counters):
        yield f"{name}={line.link.counters[name]}"
