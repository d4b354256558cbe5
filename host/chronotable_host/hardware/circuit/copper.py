"""The copper of a board of two layers: what is laid, what is routed, and the ground that is left.

All of it lies on the lines of one grid, a step apart, on which a track keeps its clearance from one
on the next line, and from a via there. Tracks on top rather go east and west, below rather north
and south; what is free below at the end becomes ground.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import ceil, cos, floor, hypot, radians, sin
from typing import NamedTuple

from chronotable_host.hardware.circuit.footprints import FOOTPRINTS, HEAD_MM, KINDS
from chronotable_host.hardware.drawings.paper import Box, Point

TOP, BOTTOM = 0, 1
WIDTH, CLEARANCE, VIA, DRILL, EDGE = 0.25, 0.2, 0.6, 0.3, 0.5
"""Of a routed track; between copper of two nets; of a via and its hole; from the board's edge."""
LEAST_STEP = 0.635
"""VIA / 2 + CLEARANCE + WIDTH / 2 fit between two lines, and a chip's pins are on every second."""
GROUND = "GND"

_NOBODY = -1
_ALONG, _ACROSS, _CHANGE = 1, 2, 10
"""Prices of a step in its layer's direction, of one across it, and of a via."""
_BELOW = 2  # a step below costs so many times more: it cuts the ground
_CROSSING = 10
"""What a step costs more that takes other nets from their ways, for each time it does so there."""
_MOST_CROSSINGS = 200
_RELIEF = 0.6  # around a pad of ground that goes through: no wide strokes, that take its heat


class UnroutableError(Exception):
    """A net found no way; its name is the argument."""


class Component(NamedTuple):
    """A part of a board; `pins` has the nets of those that are connected."""

    ref: str
    kind: str
    at: Point
    turn: int
    """Degrees against the clock, seen from above."""
    pins: Mapping[int, str]
    below: bool = False


class Copper(NamedTuple):
    """A pad, a track or a via: a box with round corners, on one layer or (None) through all."""

    net: str
    layer: int | None
    box: Box
    round: float
    drill: float = 0
    pin: tuple[str, int] | None = None


@dataclass
class Circuit:
    """A board before it is routed, and with `route` all of it. The middle of the board is 0, 0."""

    name: str
    outline: Box
    step: float
    parts: list[Component] = field(default_factory=list)
    holes: list[Point] = field(default_factory=list)
    laid: list[Copper] = field(default_factory=list)
    """Tracks that are wider, and their vias."""
    routed: list[Copper] = field(default_factory=list)
    powered: tuple[str, ...] = (GROUND,)
    """Nets that get their power from outside the board."""
    texts: list[tuple[str, Point, float]] = field(default_factory=list)
    """What is printed on top: words, their middle, their height."""

    def pads(self) -> list[Copper]:
        """Return the pads of all parts."""
        return [pad for part in self.parts for pad in pads_of(part)]

    def pad(self, ref: str, pin: int) -> Point:
        """Return the middle of a pad."""
        west, north, east, south = next(p.box for p in self.pads() if p.pin == (ref, pin))
        return (west + east) / 2, (north + south) / 2

    def copper(self) -> list[Copper]:
        """Return all copper."""
        return [*self.pads(), *self.laid, *self.routed]


def placed(part: Component, x: float, y: float) -> Point:
    """Return where a place of a part's footprint is on the board, seen from above."""
    if part.below:
        x = -x
    angle = radians(part.turn)
    east, south = x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)
    return round(part.at[0] + east, 4), round(part.at[1] + south, 4)


def box_of(part: Component, box: Box) -> Box:
    """Return a box of a part's footprint on the board; parts are turned by quarters."""
    (x1, y1), (x2, y2) = placed(part, *box[:2]), placed(part, *box[2:])
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def pads_of(part: Component) -> Iterator[Copper]:
    """Yield the pads of a part, each on the net of its pin or on one of its own."""
    for pad in FOOTPRINTS[KINDS[part.kind].footprint].pads:
        wide, high = pad.width / 2, pad.height / 2
        box = box_of(part, (pad.x - wide, pad.y - high, pad.x + wide, pad.y + high))
        name = KINDS[part.kind].pins.get(pad.number, ("", ""))[0]
        lone = f"unconnected-({part.ref}-{name}{'-' * bool(name)}Pad{pad.number})"  # as KiCad says
        net = part.pins.get(pad.number, lone)
        layer = None if pad.drill else BOTTOM if part.below else TOP
        yield Copper(net, layer, box, 0, pad.drill, (part.ref, pad.number))


def track(net: str, layer: int, width: float, a: Point, b: Point) -> Copper:
    """Return a straight track, east-west or north-south."""
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    return Copper(net, layer, box, width / 2)


def via(net: str, at: Point, size: float = VIA, drill: float = DRILL) -> Copper:
    """Return a plated hole with its rings."""
    return Copper(net, None, (*at, *at), size / 2, drill)


def route(circuit: Circuit) -> Circuit:
    """Join the pins of each net; ground fills what is free below. Raises UnroutableError.

    Nets go one by one, after ground those with the shortest way first. One that finds none takes
    others from theirs, and they look for another.
    """
    ends: dict[str, list[Copper]] = {}
    for copper in circuit.pads() + circuit.laid:
        ends.setdefault(copper.net, []).append(copper)
    grid = _Grid(circuit)
    grid.todo = [net for net, found in ends.items() if len(found) > 1]
    grid.todo.sort(key=lambda net: (net != GROUND, _reach(ends[net]), net))
    ground: list[Copper] = []
    while grid.todo:
        net = grid.todo.pop(0)
        grid.join(net, ends[net])
        if not grid.todo:
            ground = grid.ground(ends[GROUND])
    circuit.routed = grid.done + ground
    return circuit


def _reach(ends: Iterable[Copper]) -> float:
    west, north, east, south = zip(*(copper.box for copper in ends), strict=True)
    return float(max(east) - min(west) + max(south) - min(north))


def _are_too_near(one: Copper, other: Copper) -> bool:
    """Tell whether two pieces of copper keep no clearance."""
    if one.layer != other.layer and None not in (one.layer, other.layer):
        return False
    aside = max(one.box[0] - other.box[2], other.box[0] - one.box[2], 0)
    off = max(one.box[1] - other.box[3], other.box[1] - one.box[3], 0)
    return hypot(aside, off) < one.round + other.round + CLEARANCE - 1e-6


class _Grid:
    """Who may use what: for each edge between two nodes, and for a via at each node, 0 for all, the
    number of a net for that one alone, or _NOBODY.
    """

    def __init__(self, circuit: Circuit) -> None:
        west, north, east, south = circuit.outline
        self.step = step = circuit.step
        margin = EDGE + WIDTH / 2
        self.first = ceil((west + margin) / step), ceil((north + margin) / step)
        self.wide = floor((east - margin) / step) - self.first[0] + 1
        self.high = floor((south - margin) / step) - self.first[1] + 1
        self.size = size = self.wide * self.high
        self.numbers: dict[str, int] = {}
        self.todo: list[str] = []
        self.done: list[Copper] = []
        self.crossed = [0] * (2 * size)  # by node: how often a way there took others from theirs
        self.crossings = 0
        # the edges that lead east and south from each node
        self.across = [[0] * size for _ in (TOP, BOTTOM)]
        self.down = [[0] * size for _ in (TOP, BOTTOM)]
        self.through = [0] * size
        for layer in (TOP, BOTTOM):
            self.across[layer][self.wide - 1 :: self.wide] = [_NOBODY] * self.high
            self.down[layer][size - self.wide :] = [_NOBODY] * self.wide
        for x, y in circuit.holes:
            self._keep(Copper("", None, (x, y, x, y), HEAD_MM / 2))
        for copper in circuit.pads() + circuit.laid:
            self._keep(copper)
        self.claims = [*self.across, *self.down, self.through]
        self.fixed = {id(edges): edges[:] for edges in self.claims}  # before any way is laid

    def _number(self, net: str) -> int:
        return self.numbers.setdefault(net, len(self.numbers) + 1) if net else _NOBODY

    def _keep(self, copper: Copper) -> None:
        """Keep all other nets off a piece of copper, and vias out of pads that hold solder."""
        net = self._number(copper.net)
        reach = copper.round + WIDTH / 2 + CLEARANCE
        for layer in (TOP, BOTTOM) if copper.layer is None else (copper.layer,):
            self._claim(self.across[layer], net, copper.box, reach, (self.step, 0))
            self._claim(self.down[layer], net, copper.box, reach, (0, self.step))
        self._claim(self.through, net, copper.box, copper.round + VIA / 2 + CLEARANCE, (0, 0))
        if copper.pin or copper.drill:
            self._claim(self.through, _NOBODY, copper.box, copper.round + VIA / 2 + 0.1, (0, 0))

    def _claim(self, edges: list[int], net: int, box: Box, reach: float, way: Point) -> None:
        for i, apart in self._near(box, reach, way):
            if apart < reach - 1e-6 and edges[i] != net:
                edges[i] = net if edges[i] == 0 else _NOBODY

    def _near(self, box: Box, reach: float, way: Point = (0, 0)) -> Iterator[tuple[int, float]]:
        """Yield nodes within reach of a box (or edges that lead `way`), and how far they are."""
        step, (left, top) = self.step, self.first
        west, north, east, south = box[0] - way[0], box[1] - way[1], box[2], box[3]
        columns = range(
            max(ceil((west - reach) / step) - left, 0),
            min(floor((east + reach) / step) - left + 1, self.wide),
        )
        for row in range(
            max(ceil((north - reach) / step) - top, 0),
            min(floor((south + reach) / step) - top + 1, self.high),
        ):
            y = (row + top) * step
            off = max(north - y, y - south, 0)
            for column in columns:
                x = (column + left) * step
                aside = max(west - x, x - east, 0)
                yield row * self.wide + column, (aside * aside + off * off) ** 0.5

    def _at(self, node: int) -> Point:
        row, column = divmod(node % self.size, self.wide)
        x, y = (column + self.first[0]) * self.step, (row + self.first[1]) * self.step
        return round(x, 4), round(y, 4)

    def _nodes(self, copper: Copper) -> list[int]:
        """Return the nodes from which tracks reach a piece of copper, on each of its layers."""
        reach = copper.round + 0.05
        found = [i for i, apart in self._near(copper.box, reach) if apart <= reach]
        layers = (TOP, BOTTOM) if copper.layer is None else (copper.layer,)
        return [layer * self.size + i for layer in layers for i in found]

    def join(self, net: str, ends: list[Copper]) -> None:
        """Join all that is of a net; of ground each pad on top goes to a via of its own."""
        if net == GROUND:
            for pad in ends:
                if pad.layer == TOP:
                    self._lay(net, self._way(net, self._nodes(pad), None))
            return
        groups: list[set[int]] = []
        for copper in ends:
            self._merge(groups, set(self._nodes(copper)))
        while len(groups) > 1:
            one = min(groups, key=len)
            groups.remove(one)
            path = self._way(net, sorted(one), set().union(*groups))
            self._lay(net, path)
            self._merge(groups, one | set(path))

    @staticmethod
    def _merge(groups: list[set[int]], nodes: set[int]) -> None:
        """Add nodes to the groups, as one group with all that they touch."""
        touching = [group for group in groups if not group.isdisjoint(nodes)]
        groups[:] = [group for group in groups if group not in touching]
        groups.append(nodes.union(*touching))

    def _way(self, net: str, sources: list[int], goals: Set[int] | None) -> list[int]:
        """Return the cheapest way to a goal, without any to wherever a via comes to the bottom.

        Where there is none, other nets are taken from theirs.
        """
        path = self._search(net, sources, goals, False)
        if path:
            return path
        path = self._search(net, sources, goals, True)
        self.crossings += 1
        if not path or self.crossings > _MOST_CROSSINGS:
            raise UnroutableError(net)
        for node in path:
            self.crossed[node] += 1
        mine = [*self._pieces(net, path)]
        lost = {
            piece.net
            for piece in self.done
            if piece.net != net and any(_are_too_near(piece, each) for each in mine)
        }
        self.todo += sorted(lost)
        done = [piece for piece in self.done if piece.net not in lost]
        self.done = []
        for edges in self.claims:
            edges[:] = self.fixed[id(edges)]
        for piece in done:
            self._add(piece)
        return path

    def _search(
        self, net: str, sources: list[int], goals: Set[int] | None, crosses: bool
    ) -> list[int]:
        """Return what `_way` does, or none."""
        mine = (0, self._number(net))
        size, wide = self.size, self.wide
        if goals is None:
            west = north = 0
            east, south = wide, self.high
        else:
            rows, columns = zip(*(divmod(node % size, wide) for node in goals), strict=True)
            west, north, east, south = min(columns), min(rows), max(columns), max(rows)

        def left(node: int) -> int:
            row, column = divmod(node % size, wide)
            return max(west - column, column - east, 0) + 2 * max(north - row, row - south, 0)

        spent = dict.fromkeys(sources, 0)
        before: dict[int, int] = {}
        heap = sorted((left(node), node) for node in sources)
        while heap:
            _, node = heappop(heap)
            layer = node // size
            if node in goals if goals is not None else layer == BOTTOM:
                path = [node]
                while path[-1] in before:
                    path.append(before[path[-1]])
                return path[::-1]
            i = node - layer * size
            across, down, through = self.across[layer], self.down[layer], self.through
            level, steep = (
                (_ALONG, _ACROSS) if layer == TOP else (_ACROSS * _BELOW, _ALONG * _BELOW)
            )
            ways = (
                (across, i, node + 1, level),
                (across, i - 1, node - 1, level),
                (down, i, node + wide, steep),
                (down, i - wide, node - wide, steep),
                (through, i, i + (1 - layer) * size, _CHANGE),
            )
            for edges, at, to, price in ways:
                if edges[at] in mine:
                    cost = spent[node] + price
                elif crosses and self.fixed[id(edges)][at] in mine:
                    cost = spent[node] + price + _CROSSING * (1 + self.crossed[to])
                else:
                    continue
                if cost < spent.get(to, 1 << 30):
                    spent[to] = cost
                    before[to] = node
                    heappush(heap, (cost + left(to), to))
        return []

    def _lay(self, net: str, path: list[int]) -> None:
        """Lay a way, and keep others off it."""
        for piece in self._pieces(net, path):
            self._add(piece)

    def _pieces(self, net: str, path: list[int]) -> Iterator[Copper]:
        """Yield a way's straight tracks and vias."""
        begin = 0
        for at in range(1, len(path) + 1):
            if at < len(path) and path[at] - path[at - 1] == path[begin + 1] - path[begin]:
                continue
            if abs(path[at - 1] - path[begin]) % self.size == 0 and at - 1 > begin:
                yield via(net, self._at(path[begin]))
            elif at - 1 > begin:
                ends = self._at(path[begin]), self._at(path[at - 1])
                yield track(net, path[begin] // self.size, WIDTH, *ends)
            begin = at - 1

    def _add(self, copper: Copper) -> None:
        self.done.append(copper)
        self._keep(copper)

    def ground(self, ends: list[Copper]) -> list[Copper]:
        """Return the ground below: wide strokes where nothing is near, narrow ones elsewhere.

        What has no way to the rest below gets one by the top.
        """
        net, size, wide = self._number(GROUND), self.size, self.wide
        across, down = (
            [may in (0, net) for may in edges[BOTTOM]] for edges in (self.across, self.down)
        )
        holes = [
            copper for copper in ends + self.done if copper.layer is None and copper.net == GROUND
        ]
        anchors = [[node - size for node in self._nodes(hole) if node >= size] for hole in holes]
        parts: list[set[int]] = []
        for nodes in anchors:
            if not any(nodes[0] in part for part in parts):
                part = set(nodes)
                todo = list(nodes)
                while todo:
                    i = todo.pop()
                    for may, to in (
                        (across[i], i + 1),
                        (across[i - 1], i - 1),
                        (down[i], i + wide),
                        (down[i - wide], i - wide),
                    ):
                        if may and to not in part:
                            part.add(to)
                            todo.append(to)
                parts.append(part)
        main = max(parts, key=len)
        goals = {node + size for node in main}
        for part in parts:
            if part is not main:
                lost = {
                    node
                    for hole, nodes in zip(holes, anchors, strict=True)
                    if nodes[0] in part
                    for node in self._nodes(hole)
                }
                lost |= {node + size for node in part}
                self._lay(GROUND, self._way(GROUND, sorted(lost), goals))
        across = [may and any(i in part for part in parts) for i, may in enumerate(across)]
        down = [may and any(i in part for part in parts) for i, may in enumerate(down)]
        hot = {
            i for hole in holes if hole.pin for i, _ in self._near(hole.box, hole.round + _RELIEF)
        }
        clear = [
            across[i - 1]
            and across[i]
            and across[(i + 1) % size]
            and i not in hot
            and i + 1 not in hot
            for i in range(size)
        ]
        broad = [False] * size
        for i in range(wide, size - wide):
            broad[i] = clear[i - wide] and clear[i] and clear[i + wide]
        solid = [broad[i] or broad[i - 1] for i in range(size)]
        steep = [down[i] and not (solid[i] and solid[(i + wide) % size]) for i in range(size)]
        thin = [may and not broad[i] for i, may in enumerate(across)]
        return [
            track(GROUND, BOTTOM, width, self._at(a), self._at(b))
            for edges, way, width in (
                (broad, 1, self.step + 0.02),
                (thin, 1, WIDTH),
                (steep, wide, WIDTH),
            )
            for a, b in self._runs(edges, way)
        ]

    def _runs(self, edges: list[bool], way: int) -> Iterator[tuple[int, int]]:
        """Yield the ends of stretches of edges, that lead from node to node + way."""
        for i, is_edge in enumerate(edges):
            if is_edge and not (i >= way and edges[i - way]):
                end = i
                while end < self.size and edges[end]:
                    end += way
                yield i, end
