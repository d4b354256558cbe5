"""Colours and rhythms: every palette, every moment, every order of the channels."""

from chronotable.hardware.sensors import SENSORS
from chronotable.lights import light, meanings
from chronotable.lights.light import BLINK, FLASH, NIGHT, PULSE, STEADY, TWICE, Light
from chronotable.lights.meanings import WHOSE_TURN
from chronotable_host.live.texts.light_names import NAMES, PALETTE_NAMES
from tests.table.tools import Dice, sample

PALETTES = [
    [tuple(packed[at : at + 4]) for at in range(0, len(packed), 4)]
    for packed in map(light.palette, range(light.PALETTES))
]
COUNT = len(PALETTES[0])
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
            assert row[3] in (STEADY, BLINK, PULSE, FLASH, TWICE)
        assert tuple(palette[meanings.OFF]) == (0, 0, 0, STEADY)
        for meaning in range(1, COUNT):
            assert sum(palette[meaning][:3]) > 0, NAMES[meaning]


# ---- told apart

# what can be lit at the same time: on the way through a turn or a set-up, in a question, at the end
ON_THE_WAY = tuple(range(meanings.MOVER, meanings.QUESTION)) + (  # noqa: RUF005 - MicroPython
    meanings.FAULT,
    meanings.PUT_WHITE,
    meanings.PUT_BLACK,
    meanings.CONFIRM_WHITE,
    meanings.CONFIRM_BLACK,
    meanings.FULL,
    meanings.THINKING,
    meanings.DOCTOR,
)
IN_A_QUESTION = (
    meanings.MOVER,
    meanings.QUESTION,
    meanings.QUESTION_B,
    meanings.QUESTION_C,
    meanings.FAULT,
    meanings.DOCTOR,
)
AT_THE_END = (meanings.MOVER, meanings.FAULT, meanings.WIN, meanings.FULL, meanings.DOCTOR)
# the action button offers one kind of action at a time
OFFERS = tuple(
    [
        {meanings.MOVER, meanings.COPY, kind}
        for kind in (meanings.PLANT, meanings.DIG, meanings.BUILD, meanings.TRAIN, meanings.COMMAND)
    ]
)
TOGETHER = (ON_THE_WAY, IN_A_QUESTION, AT_THE_END)
TOGETHER += OFFERS

# What of red, green and blue light the eyes take in, whole and with one kind of cones missing:
# Machado, Oliveira and Fernandes (2009), severity 1.0. An LED's light is linear in its value.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
EYES_OF = (("all cones",), tuple(EYES))  # whom each palette is for
APART = 20.0
"""Distance in Lab, lightness counting half: 2.3 is just to be seen side by side."""

TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))


def product(matrix, vector):
    return [sum([row[at] * vector[at] for at in range(3)]) for row in matrix]


def lab(colour, eyes):
    """Lab of a colour as these eyes see it; white is all three channels full on."""
    seen = [min(1.0, max(0.0, channel)) for channel in product(EYES[eyes], colour)]
    x, y, z = [
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in product(TO_XYZ, seen)
    ]
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, eyes):
    first, second = lab(one, eyes), lab(other, eyes)
    lightness = (first[0] - second[0]) / 2
    return (lightness**2 + (first[1] - second[1]) ** 2 + (first[2] - second[2]) ** 2) ** 0.5


def shown(number, brightness):
    """What a palette sends at its rhythms' brightest, as parts of full light."""
    colours = []
    for meaning in range(COUNT):
        lamp = new_light()
        lamp.use_palette(number)
        lamp.brightness = brightness
        leds = bytearray(SENSORS)
        leds[0] = meaning
        brightest = (0, 0, 0)
        for now_ms in range(0, 2048, 64):
            lamp.render(leds, now_ms)
            brightest = max(brightest, channels(lamp.frame[0]), key=sum)
        colours.append([channel / brightness * 256 / 255 for channel in brightest])
    return colours


def confusable(palette):
    """Pairs of meanings that can be lit together and have the same rhythm."""
    pairs = set()
    for group in TOGETHER:
        for one in group:
            for other in group:
                if one < other and palette[one][3] == palette[other][3]:
                    pairs.add((one, other))
    return sorted(pairs)


def check_apart(number, brightness):
    """Check that whoever a palette is for can tell apart what shares a rhythm."""
    colours = shown(number, brightness)
    closest = (1e9, "", "", "")
    for one, other in confusable(PALETTES[number]):
        for eyes in EYES_OF[number]:
            far = distance(colours[one], colours[other], eyes)
            closest = min(closest, (far, eyes, NAMES[one], NAMES[other]))
    print(PALETTE_NAMES[number], "at", brightness, "closest:", closest)
    assert closest[0] >= APART, closest


def test_what_shares_a_rhythm_differs_in_colour():
    """Also for who lacks a kind of cones."""
    for number in range(len(PALETTES)):
        check_apart(number, 256)


def test_what_shares_a_rhythm_differs_in_hue():
    """More and less of the same colour is no difference: who knows how bright a space should be?"""
    for number in range(len(PALETTES)):
        hues = [[channel / (max(row[:3]) or 1) for channel in row[:3]] for row in PALETTES[number]]
        for one, other in confusable(PALETTES[number]):
            pair = (PALETTE_NAMES[number], NAMES[one], NAMES[other])
            assert distance(hues[one], hues[other], "all cones") >= APART, pair


def test_the_measure_knows_what_is_confused():
    """What eyes confuse comes out close, and what they tell apart does not."""
    yellow, white = (0.6, 0.5, 0.0), (0.6, 0.6, 0.6)
    assert distance((0.6, 0.0, 0.0), (0.0, 0.35, 0.0), "all cones") > 100
    assert distance((0.6, 0.0, 0.0), (0.23, 0.1, 0.0), "deuteranopia") < APART
    assert distance((0.0, 0.5, 0.5), (0.0, 0.45, 0.62), "tritanopia") < APART
    assert distance(yellow, white, "deuteranopia") > APART
    assert distance(white, white, "protanopia") == 0


def test_every_meaning_is_in_a_group():
    grouped = {meaning for group in TOGETHER for meaning in group}
    assert grouped == set(range(COUNT)) - {meanings.OFF, meanings.LAMP}


# ---- at night


def test_at_night_colours_are_still_told_apart():
    """Few levels are left, but none is lost and no two became the same."""
    for number in range(len(PALETTES)):
        check_apart(number, NIGHT)


def test_at_night_nothing_goes_dark():
    lamp = new_light()
    leds = bytearray([1 + sensor % (COUNT - 1) for sensor in range(SENSORS)])
    for number in range(2 * len(PALETTES)):
        lamp.use_palette(number >> 1)
        lamp.brightness = (NIGHT, NIGHT // 3)[number & 1]
        for now_ms in range(0, 2048, sample(16, 128)):
            lamp.render(leds, now_ms)
            for sensor in range(SENSORS):
                row = PALETTES[number >> 1][leds[sensor]]
                sent = channels(lamp.frame[sensor])
                for at in range(3):
                    assert (sent[at] > 0) == (row[at] > 0), (NAMES[leds[sensor]], now_ms)


def test_at_night_nothing_flashes_fast():
    lamp = new_light()
    leds = bytearray(SENSORS)
    for brightness in (NIGHT, NIGHT // 2, NIGHT + 1):
        lamp.brightness = brightness
        for meaning in range(1, COUNT):
            leds[0] = meaning
            rises = []
            before = 0
            for now_ms in range(0, 4096, 16):
                lamp.render(leds, now_ms)
                if lamp.frame[0] > 2 * before and before:
                    rises.append(now_ms)
                before = lamp.frame[0]
            apart = [rises[at + 1] - rises[at] for at in range(len(rises) - 1)]
            if brightness <= NIGHT:
                assert all(gap >= 500 for gap in apart), (NAMES[meaning], apart)
            elif PALETTES[0][meaning][3] == FLASH:
                assert max(apart) <= 256, (NAMES[meaning], apart)


# ---- idle


def test_an_idle_table_keeps_its_rhythms():
    for palette in range(len(PALETTES)):
        lamp = new_light()
        lamp.use_palette(palette)
        for at in range(3, len(lamp._palette), 4):
            assert lamp._idle_palette[at] == lamp._palette[at]


def test_an_idle_table_shows_whose_turn_it_is():
    lamp = new_light()
    leds = bytearray(SENSORS)
    leds[1], leds[2] = meanings.MOVE, meanings.TODO_PUT
    for number, light_of_turn in [(at, own) for at in range(len(PALETTES)) for own in WHOSE_TURN]:
        leds[0] = light_of_turn
        lamp.use_palette(number)
        for brightness in (256, NIGHT):
            lamp.brightness = brightness
            lamp.is_idle = False
            lamp.render(leds, 0)
            awake = [channels(word) for word in lamp.frame]
            lamp.is_idle = True
            lamp.render(leds, 0)
            idle = [channels(word) for word in lamp.frame]
            assert idle[0] == awake[0]
            for sensor in (1, 2):
                for at in range(3):
                    most = (awake[sensor][at] + 3) // 4 + 1
                    assert 0 < idle[sensor][at] <= most or awake[sensor][at] == 0, (sensor, at)
                assert sum(idle[sensor]) < sum(awake[sensor])
            assert lamp.is_moving(), "what is to be done blinks on"
            lamp.is_idle = False
            lamp.render(leds, 0)
            assert [channels(word) for word in lamp.frame] == awake


# ---- rhythms and limits


def test_what_needs_a_hand_does_not_stand_still():
    """Colour is never the only channel."""
    for palette in PALETTES:
        for meaning in (meanings.TODO_PUT, meanings.TODO_TAKE, meanings.QUESTION):
            assert palette[meaning][3] == BLINK, NAMES[meaning]
        for meaning in (meanings.FAULT, meanings.OWN_DEATH):
            assert palette[meaning][3] == FLASH, NAMES[meaning]
        for meaning in (meanings.COPY, meanings.MOVE, meanings.PUSH):
            assert palette[meaning][3] == STEADY, NAMES[meaning]


def test_the_current_limit_holds_for_every_frame():
    """Whatever the meanings, the time and the settings: what the channels take stays below."""
    dice = Dice(17)
    pictures = [everything(), everything(7)]
    pictures += [bytearray([meaning] * SENSORS) for meaning in range(COUNT)]
    pictures += [bytearray([dice.roll(COUNT) for _ in range(SENSORS)]) for _ in range(6)]
    dimmed = 0
    for max_ma in (MAX_MA, 100, 5):
        lamp = new_light(max_ma=max_ma)
        for round_ in range(sample(2000, 60)):
            lamp.use_palette(dice.roll(len(PALETTES)))
            lamp.brightness = dice.pick((256, 256, 96, NIGHT, 1 + dice.roll(256)))
            lamp.is_idle = dice.roll(4) == 0
            leds = pictures[round_ % len(pictures)]
            now_ms = dice.roll(1 << 22)
            lamp.render(leds, now_ms)
            taken_ma = total(lamp.frame) * CHANNEL_MA / 255
            seen = (max_ma, lamp.brightness, lamp.is_idle, leds[0], now_ms, taken_ma)
            assert taken_ma <= max_ma, seen
            dimmed += taken_ma > 0.9 * max_ma
    assert dimmed, "some of these would take more without the limit"


def test_a_dark_table_takes_no_current():
    lamp = new_light(max_ma=1)
    lamp.brightness = 0
    lamp.render(everything(), 300)
    assert total(lamp.frame) == 0


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
    for order in ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR"):
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


def levels(meaning, times, brightness=256):
    lamp = new_light()
    lamp.brightness = brightness
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
    blink = levels(meanings.TODO_PUT, (0, 511, 512, 1000))
    assert blink[0] == blink[1] > 3 * blink[2] == 3 * blink[3] > 0, "dim, but never dark"
    pulse = levels(meanings.FOCUS, range(0, 513, 64))
    assert pulse == sorted(pulse) and pulse[0] < pulse[-1]
    assert len(set(pulse)) == len(pulse)
    breath = levels(meanings.FOCUS, (0, 300, 511, 512, 723, 1023), 96)
    assert breath == list(reversed(breath)), "out as in"
    flash = levels(meanings.FAULT, range(0, 1024, 128))
    assert flash[0] == flash[2] == flash[4] < flash[1] == flash[3] == flash[5]
    twice = levels(meanings.CONFIRM_WHITE, range(0, 1024, 128))
    assert twice[0] == twice[2] > 3 * twice[1], "two flashes"
    assert twice[1:2] + twice[3:] == [twice[1]] * 6, "then dim for a while"


def test_the_sign_of_an_object_changes_between_two_colours():
    """Its kind is told by the second colour and by the rhythm, by day and idle, in all palettes."""
    kinds = [kind for kind in range(len(light.OBJECT_SIGNS)) if light.OBJECT_SIGNS[kind]]
    lamp = new_light()
    for number in range(len(PALETTES)):
        lamp.use_palette(number)
        put = tuple(PALETTES[number][meanings.TODO_PUT][:3])
        signs = set()
        for kind in kinds:
            course = []
            for now_ms in range(0, 1024, 128):
                lamp.render(bytearray([meanings.PUT_OBJECT + kind] * SENSORS), now_ms)
                course.append(channels(lamp.frame[0]))
            assert lamp.is_moving()
            (other,) = set(course) - {put}
            assert put in course, "what is to be done stays the same"
            for eyes in EYES_OF[number]:
                seen = [[channel / 255 for channel in colour] for colour in (put, other)]
                assert distance(seen[0], seen[1], eyes) >= APART, (kind, eyes)
            signs.add(tuple(course))
        assert len(signs) == len(kinds) - 3, "a tree that fell in any direction is one kind"


def test_a_picture_says_whether_it_moves():
    lamp = new_light()
    for meaning in range(COUNT):
        lamp.render(bytearray([meaning] * SENSORS), 300)
        assert lamp.is_moving() == (PALETTES[0][meaning][3] != STEADY), NAMES[meaning]


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
