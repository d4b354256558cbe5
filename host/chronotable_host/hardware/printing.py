"""Printed parts of a table: solids as STL and 3MF, with sizes from the board file, in mm.

Each lies as it is printed, its lowest face on the bed, without supports. Needs manifold3d.
"""

import io
import struct
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from manifold3d import CrossSection, Manifold, OpType

from chronotable_host.hardware.circuit.footprints import FOOTPRINTS, KINDS
from chronotable_host.hardware.circuit.silkscreen import lettering
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.hardware.drawings.table_layout import (
    BUTTON_HOLES_MM,
    GLASS_MM,
    LATH_MM,
    LED_HOLE_MM,
    MAGNET_MM,
    PILOT_MM,
    TableLayout,
    layout_of,
)

WALL_MM = 1.2
"""Least thickness of a wall or floor: three lines of a nozzle of 0.4 mm."""
_LOOSE = 0.2  # more than what is to go in
_ENGRAVED = 0.5
_DISC_MM = 20  # under a piece (boards/BUILD.md, step 11)
_SEGMENTS = 64
_JIG_MM = 8  # high, so that a drill goes straight


class PrintedPart(NamedTuple):
    """A solid, and how many of it a table takes."""

    quantity: int
    solid: Manifold

    @property
    def size(self) -> tuple[float, float, float]:
        """Width, depth and height."""
        west, north, low, east, south, high = self.solid.bounding_box()
        return east - west, south - north, high - low


def printed_parts(board_data: Mapping[str, Any]) -> dict[str, PrintedPart]:
    """Return all printed parts of a table by their names.

    Raises BoardFileError where the file is wrong.
    """
    layout = layout_of(board_data)
    made = {
        # The letter is the pole that looks down: white's magnets have their north above.
        "base-white": PrintedPart(7, _base("S")),
        "base-black": PrintedPart(7, _base("N")),
        "marker": PrintedPart(2, _marker()),
        "foot": PrintedPart(4, _foot()),
        "corner": PrintedPart(4, _corner()),
        "drill-jig": PrintedPart(1, _drill_jig(layout)),
    }
    for name, quantity in (("undo", 2), ("action", 2), ("resign", 2)):
        made[f"label-{name}"] = PrintedPart(quantity, _label(name, BUTTON_HOLES_MM["own"]))
    for name in ("a", "b", "c", "draw"):
        made[f"label-{name}"] = PrintedPart(1, _label(name, BUTTON_HOLES_MM["shared"]))
    if layout.board.register_pins:
        made["reed-jig"] = PrintedPart(1, _reed_jig())
    return made


def stl(solid: Manifold) -> bytes:
    """Return a solid as binary STL, in mm."""
    corners, triangles = _mesh(solid)
    made = bytearray(b"Chronotable, in mm".ljust(80) + struct.pack("<I", len(triangles)))
    for triangle in triangles:
        # the normal is left to the reader, who has the order of the corners
        ends = [value for corner in triangle for value in corners[corner]]
        made += struct.pack("<12fH", 0, 0, 0, *ends, 0)
    return bytes(made)


def threemf(solid: Manifold) -> bytes:
    """Return a solid as 3MF (core specification 1.3), the same bytes whenever it is made."""
    corners, triangles = _mesh(solid)
    model = ET.Element("model", unit="millimeter", xmlns=_CORE)
    thing = ET.SubElement(ET.SubElement(model, "resources"), "object", id="1", type="model")
    mesh = ET.SubElement(thing, "mesh")
    listed = ET.SubElement(mesh, "vertices")
    for corner in corners:
        place = {axis: f"{value:.4f}" for axis, value in zip("xyz", corner, strict=True)}
        ET.SubElement(listed, "vertex", place)
    listed = ET.SubElement(mesh, "triangles")
    for triangle in triangles:
        ET.SubElement(
            listed, "triangle", {f"v{at}": str(corner) for at, corner in enumerate(triangle, 1)}
        )
    ET.SubElement(ET.SubElement(model, "build"), "item", objectid="1")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", ET.tostring(model, "utf-8")),
        ):
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    b'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel'
    b'+xml"/></Types>'
)
_RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="model" Target="/3D/3dmodel.model" '
    b'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


def _mesh(solid: Manifold) -> tuple[list[list[float]], list[list[int]]]:
    mesh = solid.to_mesh()
    return mesh.vert_properties[:, :3].tolist(), mesh.tri_verts.tolist()


# --- shapes; x east, y north, z up


def _pillar(height: float, diameter: float, at: Point = (0, 0), low: float = 0) -> Manifold:
    pillar = Manifold.cylinder(height, diameter / 2, circular_segments=_SEGMENTS)
    return pillar.translate((*at, low))


def _block(south_west: Point, north_east: Point, height: float, low: float = 0) -> Manifold:
    (west, south), (east, north) = south_west, north_east
    return Manifold.cube((east - west, north - south, height)).translate((west, south, low))


def _letters(words: str, middle: Point, height: float, width: float) -> CrossSection:
    """Return words of lines so wide, to be read from above."""
    pen = CrossSection.circle(width / 2, 16)
    return CrossSection.batch_boolean(
        [
            CrossSection.batch_hull([pen.translate((x, -y)), pen.translate((x2, -y2))])
            for (x, y), (x2, y2) in lettering(words, (middle[0], -middle[1]), height)
        ],
        OpType.Add,
    )


def _pocket(low: float) -> Manifold:
    diameter, height = MAGNET_MM
    return _pillar(height + _LOOSE, diameter + _LOOSE, low=low)


def _base(pole: str) -> Manifold:
    """Return a disc to glue under a copy; it is printed with its pocket up."""
    high = WALL_MM + MAGNET_MM[1] + _LOOSE
    disc = _pillar(high, _DISC_MM) - _pocket(WALL_MM)
    sign = _letters(pole, (0, (_DISC_MM + MAGNET_MM[0]) / 4), 2.4, 0.5)
    return disc - sign.extrude(1).translate((0, 0, high - _ENGRAVED))


def _marker() -> Manifold:
    """Return a focus marker, an hourglass to lift by; its magnet goes in from below."""
    profile = [(0, 0), (10, 0), (10, 4), (4, 14), (4, 16), (9, 23), (9, 26), (0, 26)]
    solid = CrossSection([profile]).revolve(_SEGMENTS)
    return solid - _pocket(0)


def _foot() -> Manifold:
    """Return a foot of the frame, with a sunk hole for a screw of 3 mm; it is printed head up."""
    head = Manifold.cylinder(3, 1.7, 3.4, circular_segments=_SEGMENTS).translate((0, 0, 7))
    return _pillar(10, 24) - _pillar(10, 3.4) - head


def _corner() -> Manifold:
    """Return a corner that two laths are pushed into, open where the plate lies on them."""
    thick, high = LATH_MM
    wall, arm = 2 * WALL_MM, 45
    slot = thick + 2 * _LOOSE
    wide = slot + 2 * wall
    legs = _block((0, 0), (arm, wide), high) + _block((0, 0), (wide, arm), high)
    slots = _block((wall, wall), (arm, wall + slot), high, wall)
    return legs - slots - _block((wall, wall), (wall + slot, arm), high, wall)


def _drill_jig(layout: TableLayout) -> Manifold:
    """Return a jig with the holes of one space, and those of the lights west and south of it.

    A pin of the light's size through one that is drilled keeps the next space in line.
    """
    pitch, (x, y), rim = layout.geometry["pitch"], layout.middle(0), 8
    light = layout.led(0)[0] - x, y - layout.led(0)[1]
    lights = [light, (light[0] - pitch, light[1]), (light[0], light[1] - pitch)]
    half = pitch / 2
    jig = _block((lights[1][0] - rim, lights[2][1] - rim), (half, half), _JIG_MM)
    for at in lights:
        jig -= _pillar(_JIG_MM, LED_HOLE_MM + _LOOSE, at)
    for hole in layout.holes():
        if hole.kind == "pilot" and hole.sensor == 0:
            jig -= _pillar(_JIG_MM, PILOT_MM + _LOOSE, (hole.at[0] - x, y - hole.at[1]))
    return jig - _pillar(_JIG_MM, 2, (0, 0))


def _reed_jig() -> Manifold:
    """Return a block that a reed is laid into: its wires, bent down at the ends, fit the board."""
    pads = FOOTPRINTS[KINDS["reed"].footprint].pads
    west, east = (pad.y + side * 0.3 for pad, side in zip(pads, (1, -1), strict=True))
    length, thick = GLASS_MM
    block = _block((west, -5), (east, 5), 8)
    glass = _block(
        (-length / 2 - 0.5, -thick / 2 - _LOOSE),
        (length / 2 + 0.5, thick / 2 + _LOOSE),
        8,
        8 - thick,
    )
    return block - glass - _block((west, -0.5), (east, 0.5), 8, 8 - thick / 2 - 0.5)


def _label(name: str, hole: float) -> Manifold:
    """Return a plate that a button of so large a hole holds to the table, with its name."""
    wide = max(hole + 10, 3.2 * len(name) + 4)
    plate = _block((-wide / 2, -hole / 2 - 10), (wide / 2, hole / 2 + 4), 1.6)
    word = _letters(name, (0, -hole / 2 - 5.5), 4.2, 0.8)
    return plate - _pillar(1.6, hole + _LOOSE) + word.extrude(0.6).translate((0, 0, 1.6))
