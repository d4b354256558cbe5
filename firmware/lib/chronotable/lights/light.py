"""From meanings to colours: palette, rhythm, brightness and the current limit of every frame.

Colour is never the only channel: what needs a hand blinks, what is a choice pulses, what is a
fact is steady. Meanings that can be lit together and share a rhythm differ in hue; those of the
second palette also for who lacks one kind of cones. A frame depends on the meanings, the time and
the settings alone.
"""

from array import array

from chronotable.hardware.sensors import SENSORS
from chronotable.lights.meanings import WHOSE_TURN
from ttykm.mp import const, micropython, ptr8, ptr32

STEADY = const(0)
BLINK = const(1)  # half a second on, half a second dim
PULSE = const(2)  # breathes in one second
FLASH = const(3)  # four times a second
TWICE = const(4)  # two flashes, then dim for the rest of the second

NIGHT = const(24)  # the brightness from which down it is night: all rhythms take twice their time

IDLE_MS = const(60000)  # after so long without a hand at the table it may be idle

_FULL = const(256)
_DIM = const(48)

PALETTES = const(2)  # how many there are: the standard one, and one for who lacks a kind of cones

# per meaning, in the order of meanings.py: red, green and blue of either palette, and the rhythm;
# as tuples they would take 2 KB of the table's memory
_LOOKS = (
    b"\x00\x00\x00\x00\x00\x00\x00"  # off
    b"\x28\x28\x28\x28\x28\x28\x00"  # mover
    b"\x00\x46\x46\x00\x14\xb4\x00"  # copy
    b"\x00\x46\x46\x00\x5a\x1e\x02"  # lifted
    b"\x6e\x6e\x6e\x78\x78\x78\x02"  # focus
    b"\x8c\x00\x8c\xb4\x00\x82\x02"  # back
    b"\x00\x00\xc8\x00\x00\xc8\x02"  # forward
    b"\x00\x8c\x00\x00\x64\xa0\x00"  # move
    b"\xaa\x5a\x00\xd2\x82\x00\x00"  # push
    b"\xd2\x32\x00\xdc\x6e\x00\x02"  # squish
    b"\xd2\x00\x50\xc8\x50\x00\x04"  # paradox
    b"\xdc\x00\x00\xbe\x00\x14\x03"  # own_death
    b"\x00\x8c\x5a\x00\x6e\xd2\x01"  # todo_put
    b"\xdc\x14\x00\xd2\x46\x00\x01"  # todo_take
    b"\x96\x78\x00\xd2\x78\x00\x01"  # question
    b"\x00\x3c\xc8\x00\x3c\xdc\x01"  # question_b
    b"\x96\x00\x78\x96\x96\x96\x01"  # question_c
    b"\xd2\x8c\x00\xd2\xb4\x28\x03"  # fault
    b"\xc8\x8c\x14\xc8\x8c\x14\x02"  # win
    b"\x82\x82\x82\x82\x82\x82\x01"  # todo_put_white
    b"\x00\x1e\xdc\x00\x00\xd2\x01"  # todo_put_black
    b"\x82\x82\x82\x82\x82\x82\x04"  # confirm_white
    b"\x00\x1e\xdc\x00\x00\xd2\x04"  # confirm_black
    b"\x1e\x1e\x1e\x1e\x1e\x1e\x00"  # lamp_test
    b"\xc8\xa0\x00\x00\xc8\x3c\x04"  # journal_full
    b"\x00\xaa\x00\x00\x78\xa0\x04"  # plant
    b"\xbe\x3c\x00\xd2\x64\x00\x04"  # dig
    b"\x78\x78\x78\x78\x78\x78\x04"  # build
    b"\xa0\x00\xa0\xbe\x00\x78\x04"  # train
    b"\x00\x3c\xc8\x00\x00\xc8\x04"  # command
    b"\x0a\x3c\x00\x3c\x00\x14\x02"  # thinking
    b"\xdc\x00\x00\xbe\x00\x78\x04"  # doctor
)

OBJECT_SIGNS = (
    b"\x00\x00"  # nothing, and seeds, which no reed feels
    b"\xa4\x9c"  # shrub, tree: two flashes, blue and white
    b"\x74\x74\x74\x74"  # trees that fell: yellow
    b"\x71\x99\xa1\x00"  # statues: half a second yellow, white, blue
    b"\xa3\x9b\x00\x00"  # elephants: four times a second blue, white
)
"""Per kind of object: 8 times the meaning whose colour changes with that of TODO_PUT, and a rhythm.

The rhythm says which chapter's it is and the colour which one of it: white's statue and the light
elephant are white, black's and the dark one blue. Yellow, white and blue differ for all eyes.
"""


@micropython.viper
def _fill(leds: ptr8, led_of: ptr8, palette: ptr8, scale: ptr32, frame: ptr32) -> int:
    """Fill `frame` with one word per LED, channels in the upper 24 bits; return their sum.

    `scale`: levels 0..256 of the five rhythms, the bit positions of red, green and blue, the
    factor 0..256 for the whole frame, and, written here, nonzero where a rhythm is not steady.
    Channels are rounded up, so that a hue is left however dim the light is. Most sensors mean what
    the one before them means, nothing above all: their word is not worked out again. Behind the
    palette are OBJECT_SIGNS: the object's own colour while its rhythm is bright, else TODO_PUT's.
    """
    total = 0
    moving = 0
    factor = scale[8]
    before = -1
    channels = 0
    word = 0
    for sensor in range(54):
        meaning = leds[sensor]
        if meaning != before:
            before = meaning
            level = factor
            if meaning > 31:  # PUT_OBJECT + kind; TODO_PUT is 12
                sign = palette[96 + meaning]
                rhythm = sign & 7
                meaning = sign >> 3 if scale[rhythm] == 256 else 12
            else:
                rhythm = palette[(meaning << 2) + 3]
                level = (scale[rhythm] * factor) >> 8
            base = meaning << 2
            moving |= rhythm
            red = (palette[base] * level + 255) >> 8
            green = (palette[base + 1] * level + 255) >> 8
            blue = (palette[base + 2] * level + 255) >> 8
            channels = red + green + blue
            word = ((red << scale[5]) | (green << scale[6]) | (blue << scale[7])) << 8
        total += channels
        frame[led_of[sensor]] = word
    scale[9] = moving
    return total


def palette(number: int) -> bytearray:
    """Return red, green, blue and rhythm of each meaning; raises IndexError for no palette."""
    packed = bytearray(4 * 32)
    for at in range(len(packed)):
        meaning, part = at >> 2, at & 3
        packed[at] = _LOOKS[7 * meaning + (3 * number + part if part < 3 else 6)]
    return packed


class Light:
    """Renders frames: `frame` holds a word per LED in chain order, ready for the PIO.

    `max_ma` bounds the current of every frame, `channel_ma` is what one channel takes when full
    on (WS2812: about 20 mA each).
    """

    def __init__(self, led_of: bytearray, colour_order: str, max_ma: int, channel_ma: int) -> None:
        self.led_of = led_of
        self.frame = array("I", bytes(4 * SENSORS))
        self.brightness = _FULL  # 0..256
        self.is_idle = False  # all but the mover's spot shines at a quarter
        self.max_sum = max_ma * 255 // channel_ma
        self._palette = bytearray(4 * 32) + OBJECT_SIGNS
        self._idle_palette = bytearray(4 * 32) + OBJECT_SIGNS
        self._scale = array("I", bytes(4 * 10))
        for index in range(3):  # bit positions in the 24 bits that go out, the first sent highest
            self._scale[5 + index] = 16 - 8 * colour_order.find("RGB"[index])
        self.use_palette(0)

    def use_palette(self, number: int) -> None:
        """Switch to a palette; raises IndexError as `palette`."""
        packed = palette(number)
        for at in range(len(packed)):
            value = packed[at]
            self._palette[at] = value
            if at & 3 < 3 and at >> 2 not in WHOSE_TURN:
                value = (value + 3) >> 2
            self._idle_palette[at] = value

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
