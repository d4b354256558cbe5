"""A routed board as KiCad 9 reads it: schematic, board, and what it is checked by."""

import json
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID, uuid5

from chronotable_host.hardware.circuit.copper import (
    CLEARANCE,
    DRILL,
    EDGE,
    TOP,
    VIA,
    WIDTH,
    Circuit,
    Component,
    pads_of,
)
from chronotable_host.hardware.circuit.footprints import FOOTPRINTS, HOLE_MM, KINDS
from chronotable_host.hardware.circuit.silkscreen import SILK, silkscreen
from chronotable_host.hardware.drawings.paper import Box, Point

SIDES = ("F", "B")
MASK = 0.05
"""Around a pad, free of solder mask."""
_NAMESPACE = UUID("3b6c9f5e-6d1c-4c57-9a44-0c2d7c2f8a10")
_MIDDLE = 150.0  # of the board on KiCad's paper, east and south
_LAYERS = dict(
    zip(
        (
            f"{side}.{name}"
            for name in ("Cu", "Mask", "SilkS", "Paste", "CrtYd", "Fab")
            for side in SIDES
        ),
        (0, 2, 1, 3, 5, 7, 13, 15, 31, 29, 35, 33),
        strict=True,
    ),
    **{"Edge.Cuts": 25},
)
_FLAG = "PWR_FLAG"  # says that a supply comes from outside
_COLUMNS, _CELL, _LINE = 12, 50.8, 2.54  # of the schematic: symbols in a row, their places, pins


def _s(*items: object) -> str:
    """Return a list as KiCad writes it; what stands in quotes there is `_q`."""
    return (
        f"({' '.join(_number(item) if isinstance(item, float) else str(item) for item in items)})"
    )


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if round(value, 4) else "0"


def _q(text: object) -> str:
    return f'"{text}"'


def _id(circuit: Circuit, *what: object) -> str:
    """Return an identity that is the same whenever the board is made."""
    return _s("uuid", _q(uuid5(_NAMESPACE, "/".join(map(str, (circuit.name, *what))))))


def _place(name: str, at: Sequence[float]) -> str:
    return _s(name, at[0] + _MIDDLE, at[1] + _MIDDLE)


def _layer(name: str) -> str:
    return _s("layer", _q(name))


def _rect(kind: str, corners: tuple[str, str], width: float, layer: str, identity: str) -> str:
    stroke = _s("stroke", _s("width", width), "(type solid)")
    return _s(kind, *corners, stroke, "(fill no)", _layer(layer), identity)


def _effects(size: float, *more: str) -> str:
    return _s("effects", _s("font", _s("size", size, size)), *more)


def board(circuit: Circuit) -> str:
    """Return the board's file."""
    nets = {"": 0}
    for copper in circuit.copper():
        nets.setdefault(copper.net, len(nets))
    layers = [
        _s(number, _q(name), "signal" if name.endswith("Cu") else "user")
        for name, number in _LAYERS.items()
    ]
    out = [
        '(kicad_pcb (version 20241229) (generator "chronotable") (generator_version "1")',
        _s("general", "(thickness 1.6)"),
        _s("paper", _q("A2")),
        _s("layers", *layers),
        _s("setup", _s("pad_to_mask_clearance", MASK), _place("aux_axis_origin", (0, 0))),
        *(_s("net", number, _q(net)) for net, number in nets.items()),
    ]
    for part in circuit.parts:
        out += _footprint(circuit, part, nets)
    for n, hole in enumerate(circuit.holes, 1):
        size = [_s("size", HOLE_MM, HOLE_MM), _s("drill", HOLE_MM), '(layers "*.Cu" "*.Mask")']
        pad = _s("pad", _q(""), "np_thru_hole circle (at 0 0)", *size, _id(circuit, "pad", n))
        name = ['"Reference"', _q(f"H{n}"), "(at 0 0)", _layer("F.Fab"), _id(circuit, "H", n)]
        attributes = "(attr board_only exclude_from_pos_files exclude_from_bom)"
        of = [_layer("F.Cu"), _id(circuit, "hole", n), _place("at", hole), _s("property", *name)]
        out.append(_s("footprint", _q("MountingHole:MountingHole_3.2mm_M3"), *of, attributes, pad))
    for layer, side in enumerate(SIDES):
        for n, (start, end) in enumerate(silkscreen(circuit, layer)):
            ends = _place("start", start), _place("end", end)
            identity = _id(circuit, "silk", side, n)
            out.append(
                _rect("gr_line", ends, SILK, f"{side}.SilkS", identity).replace("(fill no) ", "")
            )
    corners = _place("start", circuit.outline), _place("end", circuit.outline[2:])
    out.append(_rect("gr_rect", corners, 0.1, "Edge.Cuts", _id(circuit, "edge")))
    for n, copper in enumerate(circuit.laid + circuit.routed):
        of = [_s("net", nets[copper.net]), _id(circuit, "copper", n)]
        start, end, width = copper.box[:2], copper.box[2:], 2 * copper.round
        if copper.drill:
            size = [_s("size", width), _s("drill", copper.drill), '(layers "F.Cu" "B.Cu")']
            out.append(_s("via", _place("at", start), *size, *of))
        else:
            layer_name = f"{SIDES[copper.layer or TOP]}.Cu"
            ends = _place("start", start), _place("end", end)
            out.append(_s("segment", *ends, _s("width", width), _layer(layer_name), *of))
    return "\n".join([*out, ")", ""])


def _footprint(circuit: Circuit, part: Component, nets: Mapping[str, int]) -> Iterator[str]:
    kind = KINDS[part.kind]
    shape = FOOTPRINTS[kind.footprint]
    side = SIDES[part.below]
    sign = -1 if part.below else 1
    at = _place("at", part.at)[:-1] + f" {part.turn})"
    yield f"(footprint {_q(kind.footprint)} {_layer(side + '.Cu')} {_id(circuit, part.ref)} {at}"
    mirrored = ["(justify mirror)"] * part.below
    # the last two KiCad would add, with identities by chance
    for name, value in {
        "Reference": part.ref,
        "Value": kind.value,
        "Datasheet": "",
        "Description": "",
    }.items():
        of = [_s("at", 0, 0, part.turn), _layer(f"{side}.Fab"), "(hide yes)"]
        identity = _id(circuit, part.ref, name)
        yield _s("property", _q(name), _q(value), *of, identity, _effects(1, *mirrored))
    yield _s("attr", "through_hole" if shape.pads[0].drill else "smd")
    boxes: tuple[tuple[str, Box], ...] = (("CrtYd", shape.courtyard), ("Fab", shape.body))
    for name, (west, north, east, south) in boxes:
        corners = _s("start", float(sign * west), north), _s("end", float(sign * east), south)
        yield _rect("fp_rect", corners, 0.05, f"{side}.{name}", _id(circuit, part.ref, name))
    for pad, copper in zip(shape.pads, pads_of(part), strict=True):
        layers = (
            '"*.Cu" "*.Mask"'
            if pad.drill
            else " ".join(_q(f"{side}.{n}") for n in ("Cu", "Mask", "Paste"))
        )
        yield _s(
            *("pad", _q(pad.number), "thru_hole" if pad.drill else "smd", "rect"),
            _s("at", float(sign * pad.x), float(pad.y), part.turn),
            _s("size", float(pad.width), float(pad.height)),
            *([_s("drill", float(pad.drill))] if pad.drill else []),
            _s("layers", layers),
            _s("net", nets[copper.net], _q(copper.net)),
            _id(circuit, part.ref, "pad", pad.number),
        )
    yield ")"


def project(name: str) -> str:
    """Return what KiCad checks by: what every fab can do, and what we know to be otherwise."""
    rules = {
        "min_clearance": CLEARANCE,
        "min_track_width": WIDTH,
        "min_via_diameter": VIA,
        "min_via_annular_width": (VIA - DRILL) / 2,
        "min_through_hole_diameter": DRILL,
        "min_hole_to_hole": 0.25,
        "min_hole_clearance": 0.25,
        "min_silk_clearance": 0.0,
        "min_copper_edge_clearance": EDGE - 0.05,
    }
    ignored = (
        *(
            "lib_footprint_issues",
            "lib_footprint_mismatch",
        ),  # a test compares them with the library
        "track_dangling",  # strokes of the ground end where something else is near
    )
    settings = {"rules": rules, "rule_severities": dict.fromkeys(ignored, "ignore")}
    unknown = ("lib_symbol_issues", "footprint_link_issues")  # the symbols are in the sheet alone
    usual = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": WIDTH,
        "via_diameter": VIA,
        "via_drill": DRILL,
    }
    made = {
        "board": {"design_settings": settings},
        "erc": {"rule_severities": dict.fromkeys(unknown, "ignore")},
        "meta": {"filename": f"{name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [usual], "meta": {"version": 3}},
    }
    return json.dumps(made, indent=1) + "\n"


def sheet(circuit: Circuit) -> str:
    """Return the schematic: symbols in rows, and at each pin the name of its net."""
    root = uuid5(_NAMESPACE, circuit.name)
    parts = [
        (part.ref, part.kind, KINDS[part.kind].value, KINDS[part.kind].footprint, part.pins)
        for part in circuit.parts
    ]
    flags = sorted(circuit.powered)
    parts += [(f"#FLG{n}", _FLAG, _FLAG, "", {1: net}) for n, net in enumerate(flags, 1)]
    out = []
    for at, (ref, kind, value, footprint, wires) in enumerate(parts):
        x, y = _CELL * (1 + at % _COLUMNS), _CELL * (1 + at // _COLUMNS)
        pins = _pins(kind)
        used = _s(
            "project",
            _q(circuit.name),
            _s("path", _q(f"/{root}"), _s("reference", _q(ref)), "(unit 1)"),
        )
        out.append(
            _s(
                *("symbol", _s("lib_id", _q(f"chronotable:{kind}")), _s("at", x, y, 0)),
                "(unit 1) (exclude_from_sim no)",
                _s("in_bom", "yes" if footprint else "no"),
                "(on_board yes) (dnp no)",
                _id(circuit, "symbol", ref),
                *_properties((x + 9, y - 6), Reference=ref, Value=value),
                _s(
                    "property",
                    '"Footprint"',
                    _q(footprint),
                    _s("at", x, y, 0),
                    _effects(1.27, "(hide yes)"),
                ),
                *(_s("pin", _q(pin), _id(circuit, "pin", ref, pin)) for pin in pins),
                _s("instances", used),
            )
        )
        for line, pin in enumerate(pins):
            identity = _id(circuit, "label", ref, pin)
            place = x, y + _LINE * line
            if pin in wires:
                way = ["(shape passive)", _s("at", *place, 180), _effects(1.27, "(justify right)")]
                out.append(_s("global_label", _q(wires[pin]), *way, identity))
            else:
                out.append(_s("no_connect", _s("at", *place), identity))
    symbols = [_symbol(kind) for kind in dict.fromkeys(kind for _, kind, *_ in parts)]
    begin = '(kicad_sch (version 20250114) (generator "chronotable") (generator_version "1")'
    library = _s("uuid", _q(root)) + _s("paper", _q("A0")) + _s("lib_symbols", *symbols)
    return "\n".join([begin, library, *out, '(sheet_instances (path "/" (page "1"))))', ""])


def _properties(at: Point, **values: str) -> Iterator[str]:
    for line, (name, value) in enumerate(values.items()):
        place = _s("at", float(at[0]), float(at[1] + 2 * line), 0)
        yield _s("property", _q(name), _q(value), place, _effects(1.27))


def _pins(kind: str) -> list[int]:
    return [1] if kind == _FLAG else [pad.number for pad in FOOTPRINTS[KINDS[kind].footprint].pads]


def _symbol(kind: str) -> str:
    named = {1: ("flag", "power_out")} if kind == _FLAG else KINDS[kind].pins
    pins = _pins(kind)
    lines = []
    for line, pin in enumerate(pins):
        name, way = named.get(pin, (str(pin), "passive"))
        words = [
            _s(key, _q(value), _effects(1.27)) for key, value in (("name", name), ("number", pin))
        ]
        lines.append(
            _s("pin", way, "line", _s("at", 0, -_LINE * line, 0), _s("length", _LINE), *words)
        )
    body = _s(
        *("rectangle", _s("start", _LINE, _LINE), _s("end", 15.24, -_LINE * len(pins))),
        "(stroke (width 0.2) (type default)) (fill (type none))",
    )
    return _s(
        *("symbol", _q(f"chronotable:{kind}"), "(power)" if kind == _FLAG else ""),
        "(exclude_from_sim no) (in_bom yes) (on_board yes)",
        *_properties((0, 0), Reference="U", Value=kind),
        _s("symbol", _q(f"{kind}_0_1"), body),
        _s("symbol", _q(f"{kind}_1_1"), *lines),
    )
