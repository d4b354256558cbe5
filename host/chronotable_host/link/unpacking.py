"""What only the PC reads, and a test on the chip: a line by itself, the LEDs, sensors in a mask."""

from chronotable.hardware.sensors import SENSORS
from chronotable.link.frames import FRAME, NOTHING, LineReader, RemoteLinkError
from chronotable.link.messages import LED_ALPHABET, LED_TEXT, LEDS, is_led_text


def decode(line: bytes) -> "tuple[int, int, str, str]":
    r"""Return sequence number, ack, letter and payload of one whole line.

    Raises: RemoteLinkError if it is anything but one frame.

    >>> decode(b"$0100v7*8a24\n")
    (1, 0, 'v', '7')
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


def unpack_sensors(text: str) -> "list[int]":
    """Return the sensors whose bit is set in hex digits, in their order."""
    mask = int(text, 16)
    return [sensor for sensor in range(SENSORS) if mask >> sensor & 1]
