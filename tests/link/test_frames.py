"""Frames: what goes in comes out, in whatever pieces; nothing else does."""

import random
from binascii import crc_hqx

import pytest

from chronotable.link import frames
from chronotable.link.frames import LocalLinkError, RemoteLinkError, encode
from chronotable_host.link.pc_link import LogReader
from chronotable_host.link.unpacking import decode

PAYLOADS = ("", "x", "0123456789abcdef", "~ ,!?", "-" * frames.MAX_PAYLOAD)


def read(data: bytes, cuts: "tuple[int, ...]" = ()) -> "list[tuple[object, ...]]":
    """Return what a reader makes of the data, fed in pieces that end at `cuts`."""
    reader = LogReader()
    found: list[tuple[object, ...]] = []
    begin = 0
    for end in (*cuts, len(data)):
        piece = data[begin:end]
        begin = end
        at = reader.feed(piece, 0)
        while at:
            kind = reader.finish()
            if frames.LOG in (reader.junk, kind):
                found.append((frames.LOG, reader.log()))
            elif reader.junk:
                found.append((reader.junk,))
            if kind == frames.FRAME:
                found.append((kind, reader.seq, reader.ack, reader.letter, reader.payload))
            elif kind in (frames.BROKEN, frames.OVERLONG):
                found.append((kind,))
            at = reader.feed(piece, at)
    return found


GOOD = encode(0x0A, 0xFF, "T", "payload")
FOUND = (frames.FRAME, 0x0A, 0xFF, "T", "payload")
LONG = b"$" + b"x" * 63 + b"\n"

CASES = {
    "frame": (GOOD, [FOUND]),
    "two frames": (GOOD + GOOD, [FOUND, FOUND]),
    "CR LF": (GOOD[:-1] + b"\r\n", [FOUND]),
    "upper case": (GOOD[:3] + b"FF" + GOOD[5:], None),
    "empty lines": (b"\n\r\n\n", []),
    "log line": (b"MPY: soft reboot\r\n", [(frames.LOG, "MPY: soft reboot")]),
    "log, not ASCII": (b"caf\xc3\xa9\x00\n", [(frames.LOG, "caf???")]),
    "log with a price": (b"it costs $5\n", [(frames.LOG, "it costs $5")]),
    "long log line": (b"y" * 300 + b"\n", [(frames.LOG, "y" * 96)]),
    "garbage before a frame": (b"gar\x03bage" + GOOD, [(frames.LOG, "gar?bage"), FOUND]),
    "256 stale bytes": (b"z" * 256 + GOOD, [(frames.LOG, "z" * 96), FOUND]),
    "half a frame before a frame": (GOOD[:9] + GOOD, [(frames.BROKEN,), FOUND]),
    "many dollars": (b"$" * 500 + GOOD, [(frames.BROKEN,), FOUND]),
    "broken": (GOOD[:8] + b"X" + GOOD[9:], [(frames.BROKEN,)]),
    "no star": (GOOD.replace(b"*", b"+"), [(frames.BROKEN,)]),
    "a space for a type": (b"$0000 x*%04x\n" % crc_hqx(b"0000 x", 0xFFFF), [(frames.BROKEN,)]),
    "short": (b"$\n$*\n$0000K*000\n", [(frames.BROKEN,)] * 3),
    "as long as can be, and broken": (LONG[:-2] + b"\n", [(frames.BROKEN,)]),
    "just too long": (LONG, [(frames.OVERLONG,)]),
    "much too long": (b"$" + b"x" * 500 + b"\n" + GOOD, [(frames.OVERLONG,), FOUND]),
    "control character": (GOOD.replace(b"payl", b"pa\x03l"), [(frames.BROKEN,)]),
    "newline amiss": (GOOD[:9] + b"\n" + GOOD[9:], [(frames.BROKEN,), (frames.LOG, None)]),
}


@pytest.mark.parametrize("case", CASES)
def test_reader_whole_bytewise_and_with_more_behind(case: str) -> None:
    data, expected = CASES[case]
    if expected is None:
        body = b"0aFFTpayload"
        data = b"$" + body + b"*%04X\n" % crc_hqx(body, 0xFFFF)
        expected = [FOUND]
    whole = read(data)
    assert [found[0] for found in whole] == [wanted[0] for wanted in expected]
    for found, wanted in zip(whole, expected, strict=True):
        if None not in wanted:
            assert found == wanted
    assert read(data, tuple(range(1, len(data)))) == whole
    assert read(data + GOOD) == [*whole, FOUND]
    assert read(data + b"$12", (len(data),)) == whole
    for seed in range(20):
        rng = random.Random(seed)
        cuts = tuple(sorted(rng.randrange(len(data)) for _ in range(4)))
        assert read(data + GOOD, cuts) == [*whole, FOUND], f"seed {seed}"


@pytest.mark.parametrize("payload", PAYLOADS)
def test_round_trip(payload: str) -> None:
    for seq, ack, letter in ((0, 0, "H"), (255, 1, "?"), (16, 255, "z")):
        line = encode(seq, ack, letter, payload)
        assert len(line) <= frames.MAX_LINE
        assert line.endswith(b"\n")
        assert all(0x20 <= byte <= 0x7E for byte in line[:-1])
        assert decode(line) == (seq, ack, letter, payload)


def test_crc_is_the_one_of_the_standard_library() -> None:
    line = b"123456789"
    assert frames.crc_of_plain(bytearray(line), 0, 9) == 0x29B1 == crc_hqx(line, 0xFFFF)
    assert encode(1, 2, "E", "abc") == b"$0102Eabc*%04x\n" % crc_hqx(b"0102Eabc", 0xFFFF)


def test_every_single_and_double_bit_error_is_noticed() -> None:
    line = encode(3, 4, "T", "0011223344")
    bits = 8 * (len(line) - 1)
    for first in range(bits):
        for second in range(first, bits):
            broken = bytearray(line)
            broken[first // 8] ^= 1 << first % 8
            if second != first:
                broken[second // 8] ^= 1 << second % 8
            if bytes(broken).lower() == line.lower():
                continue  # a hex digit of the CRC or the numbers in the other case
            try:
                got = decode(bytes(broken))
            except RemoteLinkError:
                continue
            assert got == (3, 4, "T", "0011223344"), (first, second, got)


@pytest.mark.parametrize(
    ("letter", "payload"),
    [("T", "x" * 53), ("T", "a$b"), ("T", "a*b"), ("T", "a\nb"), ("T", "é"), ("T", "\ud800")],
)
def test_what_cannot_travel_is_refused(letter: str, payload: str) -> None:
    with pytest.raises(LocalLinkError):
        encode(0, 0, letter, payload)


@pytest.mark.parametrize("letter", ["", "TT", " ", "$", "*", "\n"])
def test_a_type_is_one_plain_letter(letter: str) -> None:
    with pytest.raises(LocalLinkError):
        encode(0, 0, letter, "")


@pytest.mark.parametrize("line", [b"", b"\n", GOOD[:-1], GOOD + GOOD, b"x" + GOOD, GOOD[1:]])
def test_decode_takes_one_whole_line(line: bytes) -> None:
    with pytest.raises(RemoteLinkError):
        decode(line)
