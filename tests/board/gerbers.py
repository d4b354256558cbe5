"""A board read back from its Gerber and Excellon files alone; knows nothing of what wrote them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import NamedTuple

from shapely import LineString, Point, STRtree, box
from shapely.ops import unary_union


class Flash(NamedTuple):
    """A pad as the file has it: which pin of which part it says it is, and its copper."""

    part: str
    pin: str
    layer: int
    x: float
    y: float
    width: float
    height: float


class Read:
    """The copper of both layers as shapes, the holes, and the outline.

    `files` are texts by name, of which only what they say of themselves counts.
    """

    def __init__(self, files):
        self.copper = {
            1: [],
            2: [],
        }  # by layer: (shape, its (part, pin)); () of a via, None of a track
        self.flashes, self.holes, self.unplated = [], [], []
        for text in files.values():
            if match := re.search(r"%TF\.FileFunction,Copper,L([12]),", text):
                self._gerber(text, int(match[1]))
            elif "%TF.FileFunction,Profile" in text:
                ends = re.findall(r"X(-?\d+)Y(-?\d+)D0[12]\*", text)
                xs, ys = ({int(end[axis]) / 1e6 for end in ends} for axis in (0, 1))
                self.outline = (min(xs), min(ys), max(xs), max(ys))
            elif "M48" in text:
                (self.holes if ",Plated," in text else self.unplated).extend(_drilled(text))

    def _gerber(self, text, layer):
        assert "%FSLAX46Y46*%" in text and "%MOMM*%" in text and "%LPC" not in text
        apertures, pin, used, at = {}, None, None, None
        for word in re.findall(r"%[^%]*%|[^%*\n]+\*", text):
            if match := re.fullmatch(r"%ADD(\d+)([CR]),([\d.X]+)\*%", word):
                apertures[match[1]] = match[2], [float(size) for size in match[3].split("X")]
            elif match := re.fullmatch(r"%TO\.P,([^,]+),([^,]+)\*%", word):
                pin = match[1], match[2]
            elif word == "%TD*%":
                pin = None
            elif match := re.fullmatch(r"D([1-9]\d+)\*", word):
                used = apertures[match[1]]
            elif match := re.fullmatch(r"X(-?\d+)Y(-?\d+)D0([123])\*", word):
                to = int(match[1]) / 1e6, int(match[2]) / 1e6
                kind, sizes = used
                if match[3] == "1":
                    line = Point(to) if at == to else LineString([at, to])
                    self.copper[layer].append((line.buffer(sizes[0] / 2), None))
                elif match[3] == "3":
                    wide, high = (sizes * 2)[:2]
                    shape = Point(to).buffer(wide / 2)
                    if kind == "R":
                        shape = box(
                            to[0] - wide / 2, to[1] - high / 2, to[0] + wide / 2, to[1] + high / 2
                        )
                    self.copper[layer].append((shape, pin or ()))
                    if pin:
                        self.flashes.append(Flash(*pin, layer, *to, wide, high))
                at = to
            else:
                assert re.fullmatch(r"%(T[FD].*|FSLAX46Y46|MOMM|LPD)\*%|G01\*|M02\*|G04.*", word), (
                    word
                )

    def nets(self, without=frozenset()):
        """Sets of (part, pin) that copper and plated holes join, but for those in `without`."""
        found = defaultdict(set)
        for (_, _, pin), first in zip(self.shapes, self.joined(without), strict=True):
            if pin:
                found[first].add(pin)
        return {frozenset(net) for net in found.values()}

    @cached_property
    def shapes(self):
        """All copper: its layer, its shape, its (part, pin); () of a via, None of a track."""
        return [(layer, *each) for layer in (1, 2) for each in self.copper[layer]]

    @cached_property
    def _touching(self):
        """Groups of numbers of shapes that touch: pairs on a layer, and those around each hole."""
        pairs, holes, base = [], [[] for _ in self.holes], 0
        for layer in (1, 2):
            shapes = [shape for shape, _ in self.copper[layer]]
            tree = STRtree(shapes)
            found = tree.query(shapes, predicate="intersects").T
            pairs += [(base + int(one), base + int(other)) for one, other in found if one < other]
            for hole, (x, y, _) in zip(holes, self.holes, strict=True):
                hole += [base + int(at) for at in tree.query(Point(x, y), predicate="intersects")]
            base += len(shapes)
        return pairs, holes

    def joined(self, without=frozenset()):
        """For each shape one that stands for all that it is joined to.

        `without` has numbers of shapes, and -1, -2, ... for the first hole, the second, ...
        """
        up = list(range(len(self.shapes)))

        def first(at):
            while up[at] != at:
                up[at] = up[up[at]]
                at = up[at]
            return at

        pairs, holes = self._touching
        whole = [group for at, group in enumerate(holes) if -1 - at not in without]
        for group in (*pairs, *whole):
            present = [at for at in group if at not in without] if without else group
            for at in present[1:]:
                up[first(at)] = first(present[0])
        return [first(at) for at in range(len(up))]

    def too_near(self, least):
        """Places where copper of two nets is nearer than `least` mm, or a hole has no ring."""
        joined, base, found = self.joined(), 0, []
        for layer in (1, 2):
            shapes = [shape for shape, _ in self.copper[layer]]
            tree = STRtree(shapes)
            near = zip(*tree.query(shapes, predicate="dwithin", distance=least), strict=True)
            found += [
                (layer, shapes[one].centroid.coords[0], shapes[other].centroid.coords[0])
                for one, other in near
                if one < other and joined[base + one] != joined[base + other]
            ]
            base += len(shapes)
            for x, y, size in self.holes:
                ring = Point(x, y).buffer(size / 2 + 0.14)
                around = unary_union([shapes[at] for at in tree.query(ring)])
                if not around.covers(ring):
                    found.append((layer, (x, y), "ring"))
            west, south, east, north = self.outline
            inside = box(west + 0.45, south + 0.45, east - 0.45, north - 0.45)
            found += [(layer, shape.bounds, "edge") for shape in shapes if not inside.covers(shape)]
            for x, y, size in self.unplated:
                hole = Point(x, y).buffer(size / 2 + 0.25)
                found += [(layer, (x, y), "hole") for _ in tree.query(hole, predicate="intersects")]
        return found


def _drilled(text):
    size, sizes = 0.0, {}
    for line in text.splitlines():
        if match := re.fullmatch(r"T(\d+)C([\d.]+)", line):
            sizes[match[1]] = float(match[2])
        elif match := re.fullmatch(r"T(\d+)", line):
            size = sizes[match[1]]
        elif match := re.fullmatch(r"X(-?[\d.]+)Y(-?[\d.]+)", line):
            yield float(match[1]), float(match[2]), size
