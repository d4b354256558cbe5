"""A drawn sheet as a PDF of one page, with the fonts that every reader of PDF has.

The file is text in ASCII. It knows what a sheet of plain shapes has: rectangles, circles, lines and
words that begin at their place.
"""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

from chronotable_host.hardware.drawings.paper import number

_MM = 72 / 25.4
_ROUND = 0.5523  # how far the handles of four Bezier curves are that make a circle of radius 1
_IGNORED = {"title", "desc", "style"}
_ENCODING = "cp1252"  # what PDF calls WinAnsiEncoding


def pdf_of(svg: ET.Element) -> str:
    """Return the file; raises ValueError for a kind of element that is not known here."""
    width, height = map(float, svg.get("viewBox", "").split()[2:])
    drawn = [_drawn(element, height) for element in svg if _kind(element) not in _IGNORED]
    content = "\n".join([f"{_MM:.5f} 0 0 {_MM:.5f} 0 0 cm", *drawn])
    box = f"0 0 {number(width * _MM)} {number(height * _MM)}"
    fonts = (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for name in ("Helvetica", "Helvetica-Bold")
    )
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        *fonts,
        f"<< /Title {_text(svg.findtext('title') or '')} >>",
    )
    text, starts = "%PDF-1.4\n", []
    for count, each in enumerate(objects, 1):
        starts.append(len(text))
        text += f"{count} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    size = len(objects) + 1
    return (
        f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\n"
        f"startxref\n{len(text)}\n%%EOF\n"
    )


def _kind(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _drawn(element: ET.Element, height: float) -> str:
    """Return the operators that draw an element; up is up in PDF."""
    kind = _kind(element)

    def of(*names: str) -> list[float]:
        return [float(element.get(name, 0)) for name in names]

    if kind == "text":
        x, y, size = of("x", "y", "font-size")
        font = "F2" if element.get("font-weight") else "F1"
        place = _numbers(x, height - y)
        begin = f"BT {_colour(element.get('fill'))} rg /{font} {number(size)} Tf {place} Td "
        return f"{begin}{_text(element.text or '')} Tj ET"
    if kind == "rect":
        x, y, wide, high = of("x", "y", "width", "height")
        path = f"{_numbers(x, height - y - high, wide, high)} re"
    elif kind == "circle":
        x, y, radius = of("cx", "cy", "r")
        path = _circle(x, height - y, radius)
    elif kind == "polyline":
        values = [*map(float, re.split("[ ,]", element.get("points", "")))]
        places = [_numbers(x, height - y) for x, y in zip(values[::2], values[1::2], strict=True)]
        path = f"{places[0]} m " + " ".join(f"{place} l" for place in places[1:])
    else:
        raise ValueError(f"a sheet has a {kind}, which PDF is not told how to draw")
    fill, stroke = element.get("fill", "none"), element.get("stroke", "none")
    ways = {(False, False): "n", (True, False): "f", (False, True): "S", (True, True): "B"}
    looks = [f"{number(*of('stroke-width'))} w"]
    looks += [f"{_colour(fill)} rg"] if fill != "none" else []
    looks += [f"{_colour(stroke)} RG"] if stroke != "none" else []
    return " ".join([*looks, path, ways[fill != "none", stroke != "none"]])


def _circle(x: float, y: float, radius: float) -> str:
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]
    parts = [_numbers(x + radius, y) + " m"]
    for (ax, ay), (bx, by) in pairwise(corners):
        handles = (ax + bx * _ROUND, ay + by * _ROUND, bx + ax * _ROUND, by + ay * _ROUND, bx, by)
        places = [(y if at % 2 else x) + radius * each for at, each in enumerate(handles)]
        parts.append(_numbers(*places) + " c")
    return " ".join(parts)


def _numbers(*values: float) -> str:
    return " ".join(map(number, values))


def _colour(named: str | None) -> str:
    """Return `#rrggbb` as PDF has colours."""
    channels = bytes.fromhex((named or "#000000").removeprefix("#"))
    return " ".join(f"{channel / 255:.3f}" for channel in channels)


def _text(words: str) -> str:
    """Return words as a string of PDF; what the fonts do not have is a question mark."""
    codes = words.encode(_ENCODING, "replace")
    plain = b"()\\"
    return "(" + "".join(
        chr(code) if 32 <= code < 127 and code not in plain else f"\\{code:03o}" for code in codes
    ) + ")"  # fmt: skip
