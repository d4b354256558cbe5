"""What the LEDs show while the doctor works, by place in the chain.

Which sensor's LED is where, and in which order an LED's colours are, is not known yet: so the
rhythm alone has to tell the signs apart.
"""

from chronotable.hardware.sensors import SENSORS
from ttykm.mp import const

OFF = const(0)
BREATH = const(1)  # a magnet belongs here; slide it about
WHITE = const(2)  # a magnet belongs here
BLINK = const(3)  # once more here; in a choice: here if no steady light is to be seen
GOOD = const(4)  # the reed closed: lift it
TAKE = const(5)  # take it away
FIRST = const(6)  # the first byte of the LED, then the second and the third: colours by the wire
BRIGHT = const(9)
FAULT = const(10)

_LEVEL = const(80)


def brightest(max_sum: int) -> int:
    """Return the byte at which all bytes of a frame come to `max_sum` at most."""
    return min(255, max_sum // (3 * SENSORS))


def fill(lamps: bytearray, order: str, now_ms: int, max_sum: int, frame: bytearray) -> int:
    """Fill `frame` with three bytes per LED in the wire's `order`; return their sum."""
    phase = now_ms & 1023
    ramp = phase if phase < 512 else 1023 - phase
    level = _LEVEL if phase < 512 else 0
    full = brightest(max_sum)
    bright = bytes((full, full, full))
    looks = (
        bytes(3),
        bytes((16 + (ramp >> 3),) * 3),
        bytes((_LEVEL,) * 3),
        bytes((level,) * 3),
        _colour(order, 0, _LEVEL, 0),
        _colour(order, level, 0, 0),
        b"\xa0\x00\x00",
        b"\x00\xa0\x00",
        b"\x00\x00\xa0",
        bright,
        _colour(order, level, level >> 1, 0),
    )
    for at in range(len(lamps)):
        frame[3 * at : 3 * at + 3] = looks[lamps[at]]
    total = sum(frame)
    if total > max_sum:
        for at in range(len(frame)):
            frame[at] = frame[at] * max_sum // total
        total = sum(frame)
    return total


def _colour(order: str, red: int, green: int, blue: int) -> bytes:
    return bytes([(red, green, blue)["RGB".find(letter)] for letter in order])
