"""From meanings to colours: palette, rhythm, brightness and the current limit of every frame.

Colour is never the only channel: what needs a hand blinks, what is a choice pulses, what is a
fact is steady. A frame depends on the meanings and the time alone.
"""

from array import array

from chronotable.sensors import SENSORS
from ttykm.mp import const, micropython, ptr8, ptr32

STEADY = const(0)
BLINK = const(1)  # half a second on, half a second dim
PULSE = const(2)  # breathes in one second
FLASH = const(3)  # four times a second

_FULL = const(256)

# per meaning, in the order of chronotable.meanings: red, green, blue, rhythm
_STANDARD = (
    (0, 0, 0, STEADY),
    (40, 40, 40, STEADY),  # mover
    (0, 60, 60, STEADY),  # copy
    (60, 60, 60, PULSE),  # lifted
    (110, 110, 110, PULSE),  # focus
    (90, 0, 160, PULSE),  # back
    (0, 0, 200, PULSE),  # forward
    (0, 140, 0, STEADY),  # move
    (160, 110, 0, STEADY),  # push
    (200, 50, 0, PULSE),  # squish
    (200, 0, 90, PULSE),  # paradox
    (220, 0, 0, FLASH),  # own_death
    (0, 120, 120, BLINK),  # todo_put
    (220, 40, 0, BLINK),  # todo_take
    (140, 140, 0, BLINK),  # question
    (0, 60, 200, BLINK),  # question_b
    (150, 0, 150, BLINK),  # question_c
    (255, 0, 0, FLASH),  # fault
    (200, 160, 40, PULSE),  # win
    (130, 130, 130, BLINK),  # todo_put_white
    (0, 40, 220, BLINK),  # todo_put_black
    (130, 130, 130, PULSE),  # confirm_white
    (0, 40, 220, PULSE),  # confirm_black
    (30, 30, 30, STEADY),  # lamp_test
)
# blue, orange, white and grey stay apart in the common kinds of colour blindness; the rhythms
# and brightnesses tell what shares a hue
_COLOUR_BLIND = (
    (0, 0, 0, STEADY),
    (40, 40, 40, STEADY),
    (0, 40, 90, STEADY),
    (60, 60, 60, PULSE),
    (120, 120, 120, PULSE),
    (110, 110, 200, PULSE),
    (0, 60, 220, PULSE),
    (0, 110, 160, STEADY),
    (200, 120, 0, STEADY),
    (230, 100, 0, PULSE),
    (230, 160, 90, PULSE),
    (240, 90, 0, FLASH),
    (0, 80, 180, BLINK),
    (220, 90, 0, BLINK),
    (200, 200, 40, BLINK),
    (0, 60, 220, BLINK),
    (160, 120, 160, BLINK),
    (255, 80, 0, FLASH),
    (220, 200, 120, PULSE),
    (150, 150, 150, BLINK),
    (0, 40, 220, BLINK),
    (150, 150, 150, PULSE),
    (0, 40, 220, PULSE),
    (30, 30, 30, STEADY),
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

    `scale`: levels 0..256 of the four rhythms, the bit positions of red, green and blue, the
    factor 0..256 for the whole frame, and, written here, nonzero where a rhythm is not steady.
    """
    total = 0
    moving = 0
    factor = scale[7]
    for sensor in range(54):
        base = leds[sensor] << 2
        rhythm = palette[base + 3]
        moving |= rhythm
        level = (scale[rhythm] * factor) >> 8
        red = (palette[base] * level) >> 8
        green = (palette[base + 1] * level) >> 8
        blue = (palette[base + 2] * level) >> 8
        total += red + green + blue
        frame[led_of[sensor]] = ((red << scale[4]) | (green << scale[5]) | (blue << scale[6])) << 8
    scale[8] = moving
    return total


class Light:
    """Renders frames: `frame` holds a word per LED in chain order, ready for the PIO.

    `max_ma` bounds the current of every frame, `channel_ma` is what one channel takes when full
    on (WS2812: about 20 mA each), `brightness` 0..256 scales all.
    """

    def __init__(self, led_of: bytearray, colour_order: str, max_ma: int, channel_ma: int) -> None:
        self.led_of = led_of
        self.frame = array("I", bytes(4 * SENSORS))
        self.brightness = _FULL
        self.max_sum = max_ma * 255 // channel_ma
        self._palette = bytearray(4 * 32)
        self._scale = array("I", bytes(4 * 9))
        for index, shift in enumerate(_ORDERS[colour_order]):
            self._scale[4 + index] = shift
        self.use_palette(0)

    def use_palette(self, number: int) -> None:
        """Switch to a palette of `PALETTES`; raises IndexError for another number."""
        at = 0
        for row in PALETTES[number]:
            for value in row:
                self._palette[at] = value
                at += 1

    def render(self, leds: bytearray, now_ms: int) -> None:
        """Fill `frame` for the meanings at a time, dimmed as a whole where the limit asks it."""
        scale = self._scale
        phase = now_ms & 1023
        scale[STEADY] = 256
        scale[BLINK] = 256 if phase < 512 else 48
        ramp = phase if phase < 512 else 1023 - phase
        scale[PULSE] = 96 + (ramp * 5 >> 4)
        scale[FLASH] = 256 if phase & 128 else 32
        factor = scale[7] = self.brightness
        total = _fill(leds, self.led_of, self._palette, scale, self.frame)
        while total > self.max_sum:  # channels are rounded, so once may be a little too bright
            factor = min(factor - 1, factor * self.max_sum // total)
            scale[7] = factor
            total = _fill(leds, self.led_of, self._palette, scale, self.frame)

    def is_moving(self) -> bool:
        """Tell whether the rendered picture changes with time."""
        return self._scale[8] != 0
