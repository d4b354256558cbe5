"""A circuit read back from its drawing: which ends of which parts the drawn wires join."""

from itertools import combinations, pairwise

from chronotable.hardware.naming import sensor_name

SVG = "{http://www.w3.org/2000/svg}"

_PINS = "SH/LD CP D4 D5 D6 D7 not-Q7 GND Q7 DS D0 D1 D2 D3 CE VCC"
PIN = {name.replace("-", " "): number for number, name in enumerate(_PINS.split(), 1)}
"""The pins of a 74HC165 by the names of its data sheet."""


def of_class(root, name):
    """All elements of a class, in the order of the drawing."""
    return [part for part in root.iter() if part.get("class") == name]


def place(circle):
    """The middle of a circle."""
    return float(circle.get("cx")), float(circle.get("cy"))


def points(polyline):
    """The places that a polyline leads through."""
    pairs = (pair.split(",") for pair in polyline.get("points").split())
    return [(float(x), float(y)) for x, y in pairs]


def runs_through(way, at):
    """Whether a way, of level and upright stretches alone, comes through a place."""
    return any(
        min(a[0], b[0]) <= at[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= at[1] <= max(a[1], b[1])
        for a, b in pairwise(way)
    )


def nets(root):
    """The nets of a drawing of shift registers, each a set of names such as `chip 0 pin 9`.

    Fails where the drawing could be misread: where a wire ends on another or on a part without a
    dot, or where two nets run on top of each other.
    """
    wires = [points(wire) for wire in of_class(root, "wire")]
    ends = _ends(root)
    dots = {place(dot.find(f"{SVG}circle")) for dot in of_class(root, "dot")}
    dots |= {at for name, at in ends if name.startswith("network") and not name.endswith(" 1")}
    joined = list(range(len(wires)))  # for each wire another one of its net

    def first(wire):
        while joined[wire] != wire:
            wire = joined[wire]
        return wire

    def at_place(at):
        found = [index for index, way in enumerate(wires) if runs_through(way, at)]
        if at not in dots:
            passing = [index for index in found if at not in (wires[index][0], wires[index][-1])]
            assert not passing, f"something ends at {at} on a wire that runs on"
        return found

    for at in {end for way in wires for end in (way[0], way[-1])} | dots:
        found = at_place(at)
        assert found, f"a dot without a wire at {at}"
        for wire in found[1:]:
            joined[first(wire)] = first(found[0])
    groups = {}
    for name, at in ends:
        found = at_place(at)
        rail = name if name in ("ground", "3.3 V") else None
        for wire in found:
            groups.setdefault(first(wire), set()).add(name)
        if not found:
            groups.setdefault((rail, at), set()).add(name)
    _no_overlap(wires, first)
    return _with_rails(groups.values())


def _ends(root):
    """(name, place) of every end of every part."""
    found = []
    for pin in of_class(root, "chip-pin"):
        found += _named(pin, f"chip {pin.get('data-chip')} pin {pin.get('data-pin')}")
    for pin in of_class(root, "network-pin"):
        found += _named(pin, f"network {pin.get('data-chip')} pin {pin.get('data-pin')}")
    for switch in of_class(root, "switch"):
        found += _named(switch, sensor_name(int(switch.get("data-sensor"))))
    for kind in ("capacitor", "resistor"):
        for index, part in enumerate(of_class(root, kind)):
            found += _named(part, f"{kind} {index}")
    for rail in of_class(root, "rail"):
        found += _named(rail, rail.get("data-net"))
    for gpio in of_class(root, "gpio"):
        found += _named(gpio, f"GP{gpio.get('data-gpio')}")
    return found


def _named(part, name):
    """The ends of a part: of two, `first` is the one further to the left, or above."""
    places = sorted(place(circle) for circle in part.iter() if circle.get("class") == "end")
    if len(places) == 1:
        return [(name, places[0])]
    assert len(places) == 2, name
    return [(f"{name} first", places[0]), (f"{name} second", places[1])]


def _no_overlap(wires, first):
    """Fail where stretches of two nets lie on top of each other."""
    stretches = [(first(index), *leg) for index, way in enumerate(wires) for leg in pairwise(way)]
    for (net, a, b), (other, c, d) in combinations(stretches, 2):
        if net == other:
            continue
        for axis in (0, 1):
            if len({a[axis], b[axis], c[axis], d[axis]}) == 1:
                along = 1 - axis
                low = max(min(a[along], b[along]), min(c[along], d[along]))
                high = min(max(a[along], b[along]), max(c[along], d[along]))
                assert low > high, f"two nets run over each other at {a}"


def _with_rails(groups):
    """Join all groups with the same sign of ground or supply."""
    rails = {"ground": set(), "3.3 V": set()}
    others = []
    for group in groups:
        named = [name for name in rails if name in group]
        assert len(named) < 2, "ground and 3.3 V are joined"
        if named:
            rails[named[0]] |= group
        else:
            others.append(frozenset(group))
    return {frozenset(rail) for rail in rails.values()} | set(others)
