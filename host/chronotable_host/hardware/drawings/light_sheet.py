"""A sheet of A4 with all lights and buttons: each light as the dark shows it, and what it says.

How a light moves is seen twice: it does so on a screen, and beside it is its brightness over a
second. Both are what the table's own light makes of it (`chronotable.lights.light`).
"""

import re
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import cache

from chronotable.hardware.sensors import SENSORS
from chronotable.lights.light import PALETTES, STEADY, Light
from chronotable_host.hardware.drawings import paper
from chronotable_host.language import tr
from chronotable_host.live.texts import light_sheet

_BRIGHTEST = 220  # level of a channel that a screen shows in full: the brightest there is
_CONTRAST = 0.6  # below 1: the dimmest light of a dark table is still to be seen by day
_BLOOM = 0.05  # of the strongest channel, added to all: on a dark table pure blue is hard to see

A4 = (210.0, 297.0)
_LEFT, _TOP = 12.0, 16.0
_TILE = (12.0, 4.4)  # of dark table around a lamp
_TILES_X = (_LEFT, _LEFT + 14, _LEFT + 28)  # the standard palette, the colour-blind one, a second
_LOOK_X, _SAYS_X = 57.0, 98.0
_LINE, _ROW = 3.3, 5.1  # from a line to the next, and from a row
_SIZE, _HEAD = 2.7, 3.4
_LOOK_WIDTH, _SAYS_WIDTH = 29, 80  # in characters
_DARK = "#14161a"
_SECOND_MS, _STEP_MS = 1024, 32
_STRAIGHT = 0.05  # nearer to the line between its neighbours a moment is no corner
_MARKS = str.maketrans("", "", "*`")  # of Markdown


def sheet_svg(chapters_shown: int = 0) -> ET.Element:
    """Draw the sheet, with so many chapters unlocked."""
    title = tr("Lights and buttons")
    svg = paper.sheet(A4, title, tr("What each light and each button of the table says and does."))
    paper.words(svg, (_LEFT, _TOP), title, 6, bold=True)
    heads = (tr("standard"), tr("colour-blind"), tr("a second"))
    for x, head in zip(_TILES_X, heads, strict=True):
        paper.words(svg, (x, _TOP + 7), head, 1.9, colour=paper.GREY)
    y = _TOP + 11.5
    lights = [*light_sheet.lights(chapters_shown)]
    for subject, rows in lights:
        y = _subject(svg, y, subject, rows) + 1.6
    paper.words(svg, (_LOOK_X, y), tr("Buttons"), _HEAD, bold=True)
    y += _HEAD + 2.2
    for label, does in light_sheet.BUTTONS:
        for x, name in zip(_TILES_X, re.findall(r"\w+", label), strict=False):
            paper.rect(svg, (x, y - _TILE[1] / 2), _TILE, 0.35)
            paper.words(svg, (x + 1.6, y), name, _SIZE)
        y = _write_words(svg, y, "", does, _LOOK_X)
    for line in textwrap.wrap(" ".join(light_sheet.MORE).translate(_MARKS), 140):
        y += _LINE
        paper.words(svg, (_LEFT, y), line, _SIZE, colour=paper.GREY)
    return _moving(svg, [row for _, rows in lights for row in rows])


def subject_svg(number: int) -> ET.Element:
    """Draw what the sheet has about one subject, by its number in `light_sheet.lights`."""
    subject, rows = [*light_sheet.lights()][number]
    top = 3.0
    height = _subject(ET.Element("svg"), top, subject, rows)
    svg = paper.sheet((A4[0], height), subject, subject, printed=False)
    _subject(svg, top, subject, rows)
    return _moving(svg, rows)


def _subject(
    svg: ET.Element, y: float, subject: str, rows: Sequence[light_sheet.LightRow]
) -> float:
    """Draw the lights about a subject from `y` on; return the y below them."""
    paper.words(svg, (_LOOK_X, y), subject, _HEAD, bold=True)
    y += _HEAD + 2.2
    for row in rows:
        for palette in range(PALETTES):
            _lamps(svg, (_TILES_X[palette], y), row.lamps(palette))
        _second(svg, (_TILES_X[2], y), row)
        y = _write_words(svg, y, row.look, row.says)
    return y


def _moving(svg: ET.Element, rows: Sequence[light_sheet.LightRow]) -> ET.Element:
    """Have lamps move in their rhythms where a screen shows them; return the drawing."""
    style = ET.Element("style")
    rhythms = {row.lamps(0)[0].rhythm: row.lights[0] for row in rows}
    style.text = "".join(_motion(rhythm, number) for rhythm, number in sorted(rhythms.items()))
    svg.insert(0, style)
    return svg


def _write_words(svg: ET.Element, y: float, look: str, says: str, says_x: float = _SAYS_X) -> float:
    """Write a row's words, each on as many lines as it takes; return where the next row is."""
    width = round(_SAYS_WIDTH * (A4[0] - _LEFT - says_x) / (A4[0] - _LEFT - _SAYS_X))
    columns = (
        (_LOOK_X, textwrap.wrap(look, _LOOK_WIDTH)),
        (says_x, textwrap.wrap(says.translate(_MARKS), width)),
    )
    for x, lines in columns:
        for count, line in enumerate(lines):
            paper.words(svg, (x, y + count * _LINE), line, _SIZE, bold=x != says_x)
    return y + _ROW + _LINE * (max(len(lines) for _, lines in columns) - 1)


def _lamps(svg: ET.Element, at: paper.Point, lamps: Sequence[light_sheet.Lamp]) -> None:
    """Draw lights beside each other on a dark table, the middle of its left edge at `at`."""
    (x, y), (width, height) = at, _TILE
    paper.rect(svg, (x, y - height / 2), _TILE, fill=_DARK, stroke="none")
    pitch = width / len(lamps)
    for count, lamp in enumerate(lamps):
        place = (x + pitch * (count + 0.5), y)
        radius, fill = min(1.7, pitch * 0.44), screen_colour(*lamp[:3])
        paper.circle(svg, place, radius, fill=fill, stroke="none", class_=f"r{lamp.rhythm}")


def _second(svg: ET.Element, at: paper.Point, row: light_sheet.LightRow) -> None:
    """Draw how bright a light is in the course of a second."""
    (x, y), (width, height) = at, _TILE
    paper.rect(svg, (x, y - height / 2), _TILE, fill=_DARK, stroke="none")
    bottom = y + height / 2
    course = _course(row.lights[0])
    places = [(x + width * at, bottom - (height - 0.8) * level) for at, level in course]
    outline = [(x, bottom), *places, (x + width, bottom)]
    colour = screen_colour(*row.lamps(0)[0][:3])
    paper.path(svg, outline, 0, fill=colour, stroke="none")


@cache
def _course(number: int) -> list[tuple[float, float]]:
    """Return how bright a meaning is in the course of a second, both 0..1: corners of a line."""
    light = Light(bytearray(range(SENSORS)), "RGB", 60_000, 20)
    leds = bytearray([number, *bytes(SENSORS - 1)])
    sums = []
    for now_ms in range(0, _SECOND_MS + 1, _STEP_MS):
        light.render(leds, now_ms)
        sums.append(sum(light.frame[0].to_bytes(4, "big")))
    levels = [each / max(sums) for each in sums]
    last = len(levels) - 1
    return [
        (at / last, level)
        for at, level in enumerate(levels)
        if at in (0, last) or abs(levels[at - 1] + levels[at + 1] - 2 * level) > _STRAIGHT
    ]


def _motion(rhythm: int, number: int) -> str:
    """Return the CSS by which lamps of a rhythm move as the meaning of a number does."""
    if rhythm == STEADY:
        return ""
    steps = "".join(
        f"{paper.number(100 * at)}%{{opacity:{paper.number(level)}}}"
        for at, level in _course(number)
    )
    return (
        f"@keyframes r{rhythm}{{{steps}}}"
        "@media screen and (prefers-reduced-motion:no-preference)"
        f"{{.r{rhythm}{{animation:r{rhythm} {_SECOND_MS}ms linear infinite}}}}"
    )


def screen_colour(red: int, green: int, blue: int) -> str:
    """Return `#rrggbb` for the levels 0..255 of an LED.

    LEDs are linear, and dim so as not to dazzle: the light is raised, its channels alike, so that
    hues stay, and what is dimmer on the table is dimmer here.
    """
    peak = max(red, green, blue, 1)
    gain = (peak / _BRIGHTEST) ** _CONTRAST / peak
    bloom = _BLOOM * max(red, green, blue)
    channels = (min((level + bloom) * gain, 1) for level in (red, green, blue))
    return "#" + "".join(f"{round(255 * _encoded(channel)):02x}" for channel in channels)


def _encoded(linear: float) -> float:
    """Return the sRGB value of linear light, both 0..1."""
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
