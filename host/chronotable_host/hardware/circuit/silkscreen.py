"""What is printed on a board: outlines of parts, their first pins, names, words; as strokes."""

from collections.abc import Iterator
from itertools import pairwise

from chronotable_host.hardware.circuit.copper import BOTTOM, TOP, Circuit, box_of, placed
from chronotable_host.hardware.circuit.footprints import FOOTPRINTS, KINDS
from chronotable_host.hardware.drawings.paper import Box, Point

SILK = 0.15
"""Width of a stroke."""
Stroke = tuple[Point, Point]

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-+/:"
_STROKES = (
    "10010314232110", "011014", "0110210424", "002012231404", "100323,2024", "20000212231404",
    "2010010314231202", "002014", "100112231403122110", "0414232110011222", "0402102224,0222",
    "04001021120212231404", "201001031424", "04001021231404", "20000424,0212", "200004,0212",
    "2010010314242212", "0004,2024,0222", "1014", "20231403", "0004,200224", "000424",
    "0400122024", "04002420", "10010314232110", "040010211202", "10010314232110,1324",
    "040010211202,1224", "20100112231404", "0020,1014", "0003142320", "001420", "0004122420",
    "0024,2004", "001220,1214", "00200424", "0222", "0222,1113", "0420", "1111,1313",
)  # fmt: skip
_GLYPHS = dict(zip(_LETTERS, _STROKES, strict=True))
"""Letters as lines: places in a field of two by four, east and south."""


def middle_of(box: Box) -> Point:
    """Return the middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def corners_of(box: Box) -> list[Point]:
    """Return the corners of a box, once around."""
    west, north, east, south = box
    corners = [(west, north), (east, north), (east, south), (west, south)]
    return [*corners, corners[0]]


def lettering(words: str, middle: Point, height: float, below: bool = False) -> Iterator[Stroke]:
    """Yield the strokes of words in capitals, to be read from the side that they are on."""
    unit = height / 4
    way = -unit if below else unit
    left = middle[0] - way * (3 * len(words) - 1) / 2
    for at, letter in enumerate(words.upper()):
        for line in _GLYPHS.get(letter, "").split(","):
            ends = [
                (left + way * (3 * at + int(x)), middle[1] + unit * (int(y) - 2))
                for x, y in zip(line[::2], line[1::2], strict=True)
            ]
            yield from pairwise(ends)


def silkscreen(circuit: Circuit, layer: int) -> list[Stroke]:
    """Return what is printed on a side: outlines, a bar beside each first pin, names, words.

    Nothing is on a pad, and a name is where no other part will hide it, if there is such a place.
    """
    pads = [pad for pad in circuit.pads() if pad.layer in (layer, None)]
    strokes = [stroke for text in circuit.texts if layer == TOP for stroke in lettering(*text)]
    parts = [part for part in circuit.parts if part.below == (layer == BOTTOM)]
    shapes = {part.ref: FOOTPRINTS[KINDS[part.kind].footprint] for part in parts}
    yards = {part.ref: box_of(part, shapes[part.ref].courtyard) for part in parts}
    for part in parts:
        shape = shapes[part.ref]
        west, north, east, south = box_of(part, shape.body)
        first = shape.pads[0]
        bar = first.x - first.width / 2 - 0.35
        marks = [*pairwise(corners_of((west, north, east, south)))]
        if len(shape.pads) > 2 or KINDS[part.kind].pins:
            marks.append((placed(part, bar, first.y - 0.4), placed(part, bar, first.y + 0.4)))
        west, north, east, south = yards[part.ref]
        x, y = middle_of(yards[part.ref])
        half = 0.34 * len(part.ref)
        beside = [(x, north - 0.6), (x, south + 0.6)]
        if south - north > east - west:
            beside = [(east + 0.2 + half, y), (west - 0.2 - half, y)]
        others = [yard for ref, yard in yards.items() if ref != part.ref]
        names = [[*lettering(part.ref, at, 0.9, part.below)] for at in beside]
        free = [
            name
            for name in names
            if not any(_touches(stroke, yard) for stroke in name for yard in others)
        ]
        strokes += [*marks, *(free or names)[0]]
    return [s for s in strokes if not any(_touches(s, pad.box) for pad in pads)]


def _touches(stroke: Stroke, box: Box) -> bool:
    """Whether a stroke comes so near to a pad that solder would not take there."""
    (x1, y1), (x2, y2) = stroke
    far = SILK / 2 + 0.1
    west, north, east, south = box[0] - far, box[1] - far, box[2] + far, box[3] + far
    if max(x1, x2) < west or min(x1, x2) > east or max(y1, y2) < north or min(y1, y2) > south:
        return False
    return any(
        west < x1 + (x2 - x1) * k / 8 < east and north < y1 + (y2 - y1) * k / 8 < south
        for k in range(9)
    )
