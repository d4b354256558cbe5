"""From meanings to colours: palette, rhythm, brightness and the current limit of every frame.

Colour is never the only channel: what needs a hand blinks, what is a choice pulses, what is a
fact is steady. Meanings that can be lit together and share a rhythm differ in hue; those of the
second palette also for who lacks one kind of cones. A frame depends on the meanings, the time and
the settings alone.
"""

from array import array

from chronotable.meanings import MOVER
from chronotable.sensors import SENSORS
from ttykm.mp import const, micropython, ptr8, ptr32

STEADY = const(0)
BLINK = const(1)  # half a second on, half a second dim
PULSE = const(2)  # breathes in one second
FLASH = const(3)  # four times a second
TWICE = const(4)  # two flashes, then dim for the rest of the second

NIGHT = const(24)
"""The brightness from which down it is night: all rhythms take twice their time."""

IDLE_MS = const(60000)
"""After so long without a hand at the table it may be idle."""

_FULL = const(256)
_DIM = const(48)

# per meaning, in the order of chronotable.meanings: red, green, blue, rhythm
_STANDARD = (
    (0, 0, 0, STEADY),
    (40, 40, 40, STEADY),  # mover
    (0, 70, 70, STEADY),  # copy
    (0, 70, 70, PULSE),  # lifted
    (110, 110, 110, PULSE),  # focus
    (140, 0, 140, PULSE),  # back
    (0, 0, 200, PULSE),  # forward
    (0, 140, 0, STEADY),  # move
    (170, 90, 0, STEADY),  # push
    (210, 50, 0, PULSE),  # squish
    (210, 0, 80, TWICE),  # paradox
    (220, 0, 0, FLASH),  # own_death
    (0, 140, 90, BLINK),  # todo_put
    (220, 20, 0, BLINK),  # todo_take
    (150, 120, 0, BLINK),  # question
    (0, 60, 200, BLINK),  # question_b
    (150, 0, 120, BLINK),  # question_c
    (210, 140, 0, FLASH),  # fault
    (200, 140, 20, PULSE),  # win
    (130, 130, 130, BLINK),  # todo_put_white
    (0, 30, 220, BLINK),  # todo_put_black
    (130, 130, 130, TWICE),  # confirm_white
    (0, 30, 220, TWICE),  # confirm_black
    (30, 30, 30, STEADY),  # lamp_test
    (200, 160, 0, TWICE),  # journal_full
    (0, 170, 0, TWICE),  # plant
    (190, 60, 0, TWICE),  # dig
    (120, 120, 120, TWICE),  # build
    (160, 0, 160, TWICE),  # train
    (0, 60, 200, TWICE),  # command
)
_COLOUR_BLIND = (
    (0, 0, 0, STEADY),
    (40, 40, 40, STEADY),
    (0, 20, 180, STEADY),
    (0, 90, 30, PULSE),
    (120, 120, 120, PULSE),
    (180, 0, 130, PULSE),
    (0, 0, 200, PULSE),
    (0, 100, 160, STEADY),
    (210, 130, 0, STEADY),
    (220, 110, 0, PULSE),
    (200, 80, 0, TWICE),
    (190, 0, 20, FLASH),
    (0, 110, 210, BLINK),
    (210, 70, 0, BLINK),
    (210, 120, 0, BLINK),
    (0, 60, 220, BLINK),
    (150, 150, 150, BLINK),
    (210, 180, 40, FLASH),
    (200, 140, 20, PULSE),
    (130, 130, 130, BLINK),
    (0, 0, 210, BLINK),
    (130, 130, 130, TWICE),
    (0, 0, 210, TWICE),
    (30, 30, 30, STEADY),
    (0, 200, 60, TWICE),
    (0, 120, 160, TWICE),
    (210, 100, 0, TWICE),
    (120, 120, 120, TWICE),
    (190, 0, 120, TWICE),
    (0, 0, 200, TWICE),
)
PALETTES = (_STANDARD, _COLOUR_BLIND)
PALETTE_NAMES = ("standard", "colour-blind")

# bit positions of red, green and blue in the 24 bits that go out, the first sent highest
_ORDERS = {
    "RGB": (16, 8, 0),
    "RBG": (16, 0, 8),
    "GRB": (8, 16, 0),
    "GBR": (0, 16, 8),
    "BRG": (8, 0, 16),
    "BGR": (0, 8, 16),
}


@micropython.viper
def _fill(leds: ptr8, led_of: ptr8, palette: ptr8, scale: ptr32, frame: ptr32) -> int:
    """Fill `frame` with one word per LED, channels in the upper 24 bits; return their sum.

    `scale`: levels 0..256 of the five rhythms, the bit positions of red, green and blue, the
    factor 0..256 for the whole frame, and, written here, nonzero where a rhythm is not steady.
    Channels are rounded up, so that a hue is left however dim the light is.
    """
    total = 0
    moving = 0
    factor = scale[8]
    for sensor in range(54):
        base = leds[sensor] << 2
        rhythm = palette[base + 3]
        moving |= rhythm
        level = (scale[rhythm] * factor) >> 8
        red = (palette[base] * level + 255) >> 8
        green = (palette[base + 1] * level + 255) >> 8
        blue = (palette[base + 2] * level + 255) >> 8
        total += red + green + blue
        frame[led_of[sensor]] = ((red << scale[5]) | (green << scale[6]) | (blue << scale[7])) << 8
    scale[9] = moving
    return total


class Light:
    """Renders frames: `frame` holds a word per LED in chain order, ready for the PIO.

    `max_ma` bounds the current of every frame, `channel_ma` is what one channel takes when full
    on (WS2812: about 20 mA each), `brightness` 0..256 scales all. While `is_idle`, the mover's
    spot stays as bright as it is and everything else shines at a quarter.
    """

    def __init__(self, led_of: bytearray, colour_order: str, max_ma: int, channel_ma: int) -> None:
        self.led_of = led_of
        self.frame = array("I", bytes(4 * SENSORS))
        self.brightness = _FULL
        self.is_idle = False
        self.max_sum = max_ma * 255 // channel_ma
        self._palette = bytearray(4 * 32)
        self._idle_palette = bytearray(4 * 32)
        self._scale = array("I", bytes(4 * 10))
        for index, shift in enumerate(_ORDERS[colour_order]):
            self._scale[5 + index] = shift
        self.use_palette(0)

    def use_palette(self, number: int) -> None:
        """Switch to a palette of `PALETTES`; raises IndexError for another number."""
        at = 0
        for row in PALETTES[number]:
            for index in range(4):
                value = row[index]
                self._palette[at] = value
                if index < 3 and at >> 2 != MOVER:
                    value = (value + 3) >> 2
                self._idle_palette[at] = value
                at += 1

    def render(self, leds: bytearray, now_ms: int) -> None:
        """Fill `frame` for the meanings at a time, dimmed as a whole where the limit asks it."""
        scale = self._scale
        palette = self._idle_palette if self.is_idle else self._palette
        phase = (now_ms >> 1 if self.brightness <= NIGHT else now_ms) & 1023
        scale[STEADY] = _FULL
        scale[BLINK] = _FULL if phase < 512 else _DIM
        ramp = phase if phase < 512 else 1023 - phase
        scale[PULSE] = 96 + (ramp * 5 >> 4)
        scale[FLASH] = _FULL if phase & 128 else 32
        scale[TWICE] = _FULL if phase < 384 and not phase & 128 else _DIM
        factor = scale[8] = self.brightness
        total = _fill(leds, self.led_of, palette, scale, self.frame)
        while total > self.max_sum:  # channels are rounded, so once may be a little too bright
            factor = min(factor - 1, factor * self.max_sum // total)
            scale[8] = factor
            total = _fill(leds, self.led_of, palette, scale, self.frame)

    def is_moving(self) -> bool:
        """Tell whether the rendered picture changes with time."""
        return self._scale[9] != 0
