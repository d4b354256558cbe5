"""A routed board as files: KiCad's schematic and board, Gerbers, drill files, lists, pictures.

All are made from the same circuit and are the same whenever they are made.
"""

import csv
import io
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from chronotable_host.hardware.circuit import kicad
from chronotable_host.hardware.circuit.copper import BOTTOM, TOP, Circuit, Copper
from chronotable_host.hardware.circuit.footprints import HOLE_MM, KINDS
from chronotable_host.hardware.circuit.kicad import MASK, SIDES
from chronotable_host.hardware.circuit.silkscreen import (
    SILK,
    Stroke,
    corners_of,
    middle_of,
    silkscreen,
)
from chronotable_host.hardware.drawings import paper
from chronotable_host.hardware.drawings.paper import Point


def files_of(circuit: Circuit) -> dict[str, str]:
    """Return all files of a routed board, by their names; those to be made are in `gerbers`."""
    name = circuit.name
    made = {
        f"{name}.kicad_pro": kicad.project(name),
        f"{name}.kicad_pcb": kicad.board(circuit),
        f"{name}.kicad_sch": kicad.sheet(circuit),
        f"{name}-parts.csv": _parts_list(circuit),
        f"{name}-placement.csv": _placement(circuit),
        f"{name}-top.svg": _picture(circuit, TOP),
        f"{name}-bottom.svg": _picture(circuit, BOTTOM),
    }
    for layer, side in enumerate(SIDES):
        for kind, text in _gerbers(circuit, layer):
            made[f"gerbers/{name}-{side}_{kind}.gbr"] = text
    made[f"gerbers/{name}-Edge_Cuts.gbr"] = _gerber(
        "Profile,NP", [("C,0.1", list(pairwise(corners_of(circuit.outline))))], []
    )
    copper = circuit.copper()
    made[f"gerbers/{name}-PTH.drl"] = _drill(
        "Plated", [(middle_of(c.box), c.drill) for c in copper if c.drill]
    )
    made[f"gerbers/{name}-NPTH.drl"] = _drill("NonPlated", [(at, HOLE_MM) for at in circuit.holes])
    return made


# --- Gerber (X2) and Excellon


def _gerbers(circuit: Circuit, layer: int) -> Iterator[tuple[str, str]]:
    side = ("Top", "Bot")[layer]
    here = [copper for copper in circuit.copper() if copper.layer in (layer, None)]
    drawn: dict[str, list[Stroke]] = defaultdict(list)
    flashed = []
    for copper in here:
        if copper.pin is None and not copper.drill:
            west, north, east, south = copper.box
            drawn[f"C,{2 * copper.round:.4g}"].append(((west, north), (east, south)))
        else:
            flashed.append((_aperture(copper), copper))
    yield "Cu", _gerber(f"Copper,L{layer + 1},{side}", drawn.items(), flashed)
    pads = [copper for copper in here if copper.pin]
    yield "Mask", _gerber(f"Soldermask,{side}", [], [(_aperture(pad, MASK), pad) for pad in pads])
    paste = [(_aperture(pad), pad) for pad in pads if not pad.drill]
    yield "Paste", _gerber(f"Paste,{side}", [], paste)
    yield "Silkscreen", _gerber(f"Legend,{side}", [(f"C,{SILK}", silkscreen(circuit, layer))], [])


def _aperture(copper: Copper, more: float = 0) -> str:
    if copper.pin is None:
        return f"C,{2 * copper.round:.4g}"
    west, north, east, south = copper.box
    return f"R,{east - west + 2 * more:.4g}X{south - north + 2 * more:.4g}"


def _gerber(
    function: str,
    drawn: Iterable[tuple[str, Sequence[Stroke]]],
    flashed: Sequence[tuple[str, Copper]],
) -> str:
    """Return a Gerber file of strokes by their aperture, and of flashes."""
    drawn = [(shape, strokes) for shape, strokes in drawn if strokes]
    numbers = {
        shape: 10 + at
        for at, shape in enumerate(
            dict.fromkeys([*(s for s, _ in drawn), *(s for s, _ in flashed)])
        )
    }
    lines = [
        "%TF.GenerationSoftware,Chronotable,Chronotable*%",
        f"%TF.FileFunction,{function}*%",
        "%TF.FilePolarity,Positive*%",
        "%FSLAX46Y46*%",
        "%MOMM*%",
        *(f"%ADD{number}{shape}*%" for shape, number in numbers.items()),
        "%LPD*%",
        "G01*",
    ]
    for shape, strokes in drawn:
        lines.append(f"D{numbers[shape]}*")
        for start, end in strokes:
            lines += [_xy(start) + "D02*", _xy(end) + "D01*"]
    for shape, copper in sorted(flashed, key=lambda flash: numbers[flash[0]]):
        lines.append(f"D{numbers[shape]}*")
        if copper.pin:
            lines.append("%TO.P,{},{}*%".format(*copper.pin))
        lines += [_xy(middle_of(copper.box)) + "D03*", "%TD*%"]
    return "\n".join([*lines, "M02*", ""])


def _xy(at: Point) -> str:
    return f"X{round(at[0] * 1e6)}Y{round(-at[1] * 1e6)}"


def _drill(kind: str, holes: Iterable[tuple[Point, float]]) -> str:
    by_size: dict[float, list[Point]] = defaultdict(list)
    for at, size in holes:
        by_size[size].append(at)
    sizes = sorted(by_size)
    lines = [
        "M48",
        f"; #@! TF.FileFunction,{kind},1,2,{'PTH' if kind == 'Plated' else 'NPTH'}",
        "FMAT,2",
        "METRIC",
    ]
    lines += [f"T{tool}C{size:.3f}" for tool, size in enumerate(sizes, 1)]
    lines += ["%", "G90", "G05"]
    for tool, size in enumerate(sizes, 1):
        lines.append(f"T{tool}")
        lines += [f"X{x:.4f}Y{-y:.4f}" for x, y in by_size[size]]
    return "\n".join([*lines, "M30", ""])


# --- what assemblers take


def _parts_list(circuit: Circuit) -> str:
    refs: dict[str, list[str]] = defaultdict(list)
    for part in circuit.parts:
        refs[part.kind].append(part.ref)
    rows = []
    for name, found in refs.items():
        kind = KINDS[name]
        who = "by hand" if kind.by_hand else "assembler"
        rows.append(
            [
                kind.value,
                ",".join(found),
                kind.footprint.split(":")[1],
                "",
                len(found),
                kind.example,
                who,
            ]
        )
    heads = ["Comment", "Designator", "Footprint", "LCSC Part #", "Quantity", "Example", "Soldered"]
    return _csv([heads, *rows])


def _placement(circuit: Circuit) -> str:
    """Return where an assembler puts what, in the coordinates of the Gerbers."""
    rows = [
        [
            part.ref,
            f"{part.at[0]:.4f}mm",
            f"{-part.at[1]:.4f}mm",
            "Bottom" if part.below else "Top",
            part.turn,
        ]
        for part in circuit.parts
        if not KINDS[part.kind].by_hand
    ]
    return _csv([["Designator", "Mid X", "Mid Y", "Layer", "Rotation"], *rows])


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


# --- pictures


def _picture(circuit: Circuit, layer: int) -> str:
    """Return a side of the board, seen from that side."""
    west, north, east, south = circuit.outline
    title = f"{circuit.name}, {('top', 'bottom')[layer]}"
    svg = paper.sheet((east - west + 4, south - north + 4), title, title)
    flip = "" if layer == TOP else f" scale(-1 1) translate({paper.number(-east - west)} 0)"
    board = paper.add(
        svg, "g", transform=f"translate({paper.number(2 - west)} {paper.number(2 - north)}){flip}"
    )
    paper.rect(board, (west, north), (east - west, south - north), 0.1, fill="#1b5e38")
    ways: dict[float, list[str]] = defaultdict(list)
    for copper in circuit.copper():
        if copper.layer == layer and copper.pin is None:
            ways[2 * copper.round].append(_line(copper.box[:2], copper.box[2:]))
    for width, lines in ways.items():
        _strokes(board, lines, width, "#3f9a63")
    for copper in circuit.copper():
        if copper.layer in (layer, None) and copper.pin:
            x, y, x2, y2 = copper.box
            paper.rect(board, (x, y), (x2 - x, y2 - y), 0, fill="#d9b44a")
        if copper.drill:
            paper.circle(board, middle_of(copper.box), copper.drill / 2, 0, fill="#222222")
    for at in circuit.holes:
        paper.circle(board, at, HOLE_MM / 2, 0, fill="#ffffff")
    _strokes(board, [_line(*stroke) for stroke in silkscreen(circuit, layer)], SILK, "#f4f4f4")
    return paper.svg_text(svg)


def _line(start: Sequence[float], end: Sequence[float]) -> str:
    return "M{} {}L{} {}".format(*(paper.number(value) for value in (*start, *end)))


def _strokes(board: ET.Element, lines: list[str], width: float, colour: str) -> None:
    look = {"stroke_width": paper.number(width), "stroke_linecap": "round"}
    paper.add(board, "path", d="".join(lines), fill="none", stroke=colour, **look)
