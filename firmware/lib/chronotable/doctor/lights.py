"""The steps that find where each LED of the chain is, whether it shines, and its order of colours.

LED after LED is lit, and the person puts the magnet where the light is: its reed tells the sensor.
"""

from chronotable.doctor import kinds
from chronotable.doctor.examination import COLOURS, LIGHTS, Examination
from chronotable.doctor.lamps import BLINK, FIRST, WHITE
from chronotable.hardware.sensors import SENSORS
from ttykm.mp import const

if False:
    from collections.abc import Generator, Iterator


_TRIES = const(4)
_WAYS = const(6)
_DARK = const(-2)
_ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")

_KINDS = (kinds.LED_ORDER, kinds.LED_GRIDS, 0, 0, kinds.LED_EXCHANGED, kinds.LED_MOVED)


def lights(w: Examination) -> "Iterator[None]":
    """Light one LED after the other; then the rest beside one that is known to shine."""
    leds = w.leds
    w.begin(LIGHTS, SENSORS)
    late, left = yield from _light_each(w)
    yield from w.think(leds)
    dark = []
    unfelt = []
    w.once_more(len(late))
    for w.done, led in enumerate(late):
        sensor = -1
        if not w.is_ended:
            others = [s for s in range(SENSORS) if leds.known[s] >= 0 and w.is_sound(s)]
            sensor = yield from _find(w, led, leds.predicted(led), others[0] if others else -1)
        if sensor < 0 and (w.is_ended or w.is_silent):
            left.append(led)
        elif sensor >= 0 and leds.known[sensor] < 0:
            leds.known[sensor] = led
        elif sensor == _DARK or not _broken(w):
            dark.append(led)
        else:
            unfelt.append(led)
    yield from w.think(leds)
    _match(w, unfelt)
    leds.complete(SENSORS)
    for led in sorted(left):
        w.leave_out(led)
    for led in dark:
        sensor = leds.owner(led)
        w.find(kinds.LED_DARK, led, sensor if sensor >= 0 else kinds.NOTHING)
    w.tell_exchanges(leds, _KINDS)


def _light_each(w: Examination) -> "Generator[None, None, tuple[list[int], list[int]]]":
    """Light each LED alone, and note at which sensor it is.

    Returns the LEDs that nobody answered to, or not clearly: they are lit once more; and those that
    were not lit, as the step was ended.
    """
    leds = w.leds
    wrong = 0
    late: list[int] = []
    left: list[int] = []
    for led in range(SENSORS):
        w.done = led
        home = leds.predicted(led)
        sensor = -1
        if not w.is_ended and w.is_sound(home):
            sensor = yield from _find(w, led, home)
        if w.is_ended:
            left.append(led)
            continue
        if sensor >= 0:
            if leds.known[sensor] >= 0 and sensor == home:
                late.append(leds.known[sensor])  # that was a mistake
                leds.known[sensor] = -1
            if leds.known[sensor] < 0:
                leds.known[sensor] = led
                if sensor != home:
                    wrong += 1
                    if wrong % _WAYS == 0:
                        yield from w.think(leds)
                continue
        late.append(led)
    return late, left


def _broken(w: Examination) -> "list[int]":
    """Return the sensors whose LED is not known and whose reed is not sound: it cannot tell."""
    return [s for s in range(SENSORS) if w.leds.known[s] < 0 and not w.is_sound(s)]


def _match(w: Examination, unfelt: "list[int]") -> None:
    """Map the LEDs that shine, but whose sensor no reed told, to sensors with broken reeds."""
    leds = w.leds
    for is_sure in (True, False):
        for led in unfelt:
            if leds.owner(led) < 0:
                home = leds.predicted(led)
                there = _broken(w)
                if home in there:
                    leds.known[home] = led
                elif there and not is_sure:
                    leds.known[there[0]] = led


def _find(w: Examination, led: int, home: int, other: int = -1) -> "Generator[None, None, int]":
    """Light an LED; with `other` the one of that sensor, too, in case that it does not shine.

    Returns the sensor at which it is, _DARK where only the other one is seen, -1 without an answer.
    Another sensor than the board file's, `home`, has to be answered twice.
    """
    last = -1
    for attempt in range(_TRIES):
        if attempt or other >= 0 or home in w.lying():
            yield from w.wait_cleared()
        w.ask("m" if other < 0 else "c", led)
        w.lamps[led] = WHITE
        if other >= 0:
            w.show(other, BLINK)
        yield from w.wait_placed()
        if w.answer == other >= 0:
            return _DARK
        if w.answer in (-1, home, last):
            return w.answer
        last = w.answer
    return -1


def colours(w: Examination) -> "Iterator[None]":
    """Ask which of three lights is red, and which green; another order than the file's twice."""
    w.begin(COLOURS, 2)
    sound = [s for s in range(SENSORS) if w.leds.known[s] >= 0 and w.is_sound(s)]
    dark = [led for kind, led, _ in w.findings if kind == kinds.LED_DARK]
    sound = [s for s in sound if w.leds.known[s] not in dark]
    if len(sound) < 3:
        w.leave_out(0)
        return
    spots = (sound[0], sound[len(sound) // 2], sound[-1])
    last = ""
    for attempt in range(_TRIES):
        order = [" "] * 3
        yield from w.wait_cleared()
        for w.done, asked in enumerate("rg"):
            w.ask(asked, kinds.NOTHING, ())
            for at in range(3):
                w.show(spots[at], FIRST + (at + attempt) % 3)
            yield from w.wait_placed()
            if w.answer < 0:
                w.leave_out(0)
                return
            if w.answer in spots:
                order[(spots.index(w.answer) + attempt) % 3] = "RG"[w.done]
        letters = "".join(order).replace(" ", "B")
        if letters in _ORDERS:
            if letters == last and letters != w.order:
                w.find(kinds.COLOURS, _ORDERS.index(letters), _ORDERS.index(w.order))
                w.order = letters
            if letters in (last, w.order):
                return
        last = letters
    w.leave_out(0)
