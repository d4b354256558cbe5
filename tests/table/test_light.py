"""Colours and rhythms: every palette, every moment, every order of the channels."""

from chronotable import light, meanings
from chronotable.light import BLINK, FLASH, PALETTE_NAMES, PALETTES, PULSE, STEADY, Light
from chronotable.sensors import SENSORS
from tests.table.tools import Dice, sample

COUNT = len(meanings.NAMES)
MAX_MA, CHANNEL_MA = 400, 20
DIRECT = bytearray(range(SENSORS))
SHIFTS = {"R": 0, "G": 1, "B": 2}


def new_light(order="RGB", led_of=DIRECT, max_ma=60000):
    return Light(led_of, order, max_ma, CHANNEL_MA)


def channels(word):
    """The three bytes of a frame word in the order in which they are sent."""
    assert word & 255 == 0, "the PIO sends the upper 24 bits"
    return word >> 24 & 255, word >> 16 & 255, word >> 8 & 255


def total(frame):
    return sum([sum(channels(word)) for word in frame])


def everything(first=0):
    return bytearray([(first + sensor) % COUNT for sensor in range(SENSORS)])


def test_every_meaning_has_an_entry_in_every_palette():
    assert len(PALETTES) == len(PALETTE_NAMES) == 2
    for palette in PALETTES:
        assert len(palette) == COUNT
        for row in palette:
            assert len(row) == 4 and all(0 <= channel <= 255 for channel in row[:3])
            assert row[3] in (STEADY, BLINK, PULSE, FLASH)
        assert tuple(palette[meanings.OFF]) == (0, 0, 0, STEADY)
        for meaning in range(1, COUNT):
            assert sum(palette[meaning][:3]) > 0, meanings.NAMES[meaning]


def test_no_two_meanings_look_the_same():
    for name, palette in zip(PALETTE_NAMES, PALETTES):  # noqa: B905 - not on MicroPython
        for one in range(COUNT):
            for other in range(one):
                pair = (name, meanings.NAMES[one], meanings.NAMES[other])
                assert palette[one] != palette[other], pair


def test_what_needs_a_hand_does_not_stand_still():
    """DESIGN 4: colour is never the only channel."""
    for palette in PALETTES:
        for meaning in (meanings.TODO_PUT, meanings.TODO_TAKE, meanings.QUESTION):
            assert palette[meaning][3] == BLINK, meanings.NAMES[meaning]
        for meaning in (meanings.FAULT, meanings.OWN_DEATH):
            assert palette[meaning][3] == FLASH, meanings.NAMES[meaning]
        for meaning in (meanings.COPY, meanings.MOVE, meanings.PUSH):
            assert palette[meaning][3] == STEADY, meanings.NAMES[meaning]


def test_the_current_limit_holds_for_every_frame():
    limit = MAX_MA * 255 // CHANNEL_MA
    pictures = [everything(), everything(7)]
    pictures += [bytearray([meaning] * SENSORS) for meaning in range(COUNT)]
    for number in range(len(PALETTES)):
        lamp = new_light(max_ma=MAX_MA)
        lamp.use_palette(number)
        for brightness in (256, 100):
            lamp.brightness = brightness
            for leds in pictures:
                for now_ms in range(0, 1024, sample(10, 128)):
                    lamp.render(leds, now_ms)
                    assert total(lamp.frame) <= limit, (number, brightness, leds[0], now_ms)


def test_the_limit_dims_no_more_than_it_must():
    lamp = new_light(max_ma=MAX_MA)
    lamp.render(bytearray([meanings.FOCUS] * SENSORS), 512)
    assert total(lamp.frame) > 0.95 * lamp.max_sum
    few = bytearray(SENSORS)
    few[0] = meanings.PUSH
    lamp.render(few, 0)
    assert channels(lamp.frame[0]) == PALETTES[0][meanings.PUSH][:3]


def test_every_colour_order():
    leds = bytearray(SENSORS)
    leds[3] = meanings.PUSH
    colour = PALETTES[0][meanings.PUSH]
    assert len(light._ORDERS) == 6
    for order in light._ORDERS:
        lamp = new_light(order)
        lamp.render(leds, 0)
        expected = tuple([colour[SHIFTS[letter]] for letter in order])
        assert channels(lamp.frame[3]) == expected, order
        assert total(lamp.frame) == sum(colour[:3]), order


def test_sensors_find_their_leds():
    dice = Dice(5)
    led_of = list(range(SENSORS))
    for index in range(SENSORS - 1, 0, -1):
        other = dice.roll(index + 1)
        led_of[index], led_of[other] = led_of[other], led_of[index]
    lamp = new_light(led_of=bytearray(led_of))
    leds = bytearray([dice.pick((0, 2, 7, 8)) for _ in range(SENSORS)])
    lamp.render(leds, 0)
    for sensor in range(SENSORS):
        expected = PALETTES[0][leds[sensor]][:3]
        assert channels(lamp.frame[led_of[sensor]]) == expected, sensor


def levels(meaning, times):
    lamp = new_light()
    leds = bytearray(SENSORS)
    leds[0] = meaning
    seen = []
    for now_ms in times:
        lamp.render(leds, now_ms)
        seen.append(max(channels(lamp.frame[0])))
    return seen


def test_rhythms():
    full = max(PALETTES[0][meanings.MOVE][:3])
    assert set(levels(meanings.MOVE, range(0, 1024, 64))) == {full}
    blink = levels(meanings.TODO_PUT, (0, 500, 520, 1000))
    assert blink[0] == blink[1] > 3 * blink[2] == 3 * blink[3] > 0, "dim, but never dark"
    pulse = levels(meanings.FOCUS, range(0, 513, 64))
    assert pulse == sorted(pulse) and pulse[0] < pulse[-1]
    assert len(set(pulse)) == len(pulse)
    flash = levels(meanings.FAULT, range(0, 1024, 128))
    assert flash[0] == flash[2] == flash[4] < flash[1] == flash[3] == flash[5]


def test_a_picture_says_whether_it_moves():
    lamp = new_light()
    for meaning in range(COUNT):
        lamp.render(bytearray([meaning] * SENSORS), 300)
        assert lamp.is_moving() == (PALETTES[0][meaning][3] != STEADY), meanings.NAMES[meaning]


def test_a_frame_depends_on_meanings_and_time_alone():
    lamp, other = new_light(), new_light()
    lamp.render(everything(3), 77)
    lamp.render(everything(), 1600)
    other.render(everything(), 1600)
    assert list(lamp.frame) == list(other.frame)
    other.render(everything(), 1600 + 1024)
    assert list(lamp.frame) == list(other.frame), "the rhythm has a period of 1024 ms"


def test_brightness_scales():
    lamp = new_light()
    leds = bytearray([meanings.MOVE] * SENSORS)
    lamp.brightness = 128
    lamp.render(leds, 0)
    assert channels(lamp.frame[0]) == (0, 70, 0)
    lamp.brightness = 0
    lamp.render(leds, 0)
    assert total(lamp.frame) == 0


def test_an_unknown_palette_is_refused():
    lamp = new_light()
    try:
        lamp.use_palette(2)
    except IndexError:
        return
    raise AssertionError("there are two palettes")
