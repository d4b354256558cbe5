"""The circuit boards: read back from Gerbers and drill files, they are what the board file says."""

import csv
import json
import random
import re
import shutil
import subprocess
from collections import defaultdict
from copy import deepcopy
from functools import cache
from math import cos, dist, radians, sin
from pathlib import Path

import pytest
from shapely import Point
from typer.testing import CliRunner

from chronotable.hardware.sensors import BUTTON, FOCUS, INPUTS, SENSORS
from chronotable_host.commands.boards import app
from chronotable_host.hardware import boards
from chronotable_host.hardware.circuit import footprints, layouts
from chronotable_host.hardware.circuit.copper import (
    BOTTOM,
    GROUND,
    TOP,
    UnroutableError,
    box_of,
    pads_of,
    route,
    track,
)
from chronotable_host.hardware.circuit.files import files_of
from chronotable_host.hardware.circuit.silkscreen import corners_of, silkscreen
from chronotable_host.hardware.drawings import pico
from chronotable_host.hardware.drawings.table_layout import layout_of
from tests import lanes, sweep

from .gerbers import Read

_PINS = "SH/LD CP D4 D5 D6 D7 nQ7 GND Q7 DS D0 D1 D2 D3 CE VCC"
PIN = {name: number for number, name in enumerate(_PINS.split(), 1)}
"""The pins of a 74HC165 by the names of its data sheet."""
LIBRARY = json.loads((Path(__file__).parent / "data" / "kicad_footprints.json").read_text("utf-8"))
KICAD = Path("/usr/share/kicad/footprints")
NAMES = ("tile", "strip", "spot", "pico")
SENSORS_OF = ("reed", "hall", "polarity")
BELOW = {("tile", "J1"), ("tile", "J2"), ("spot", "J1")}
BELOW |= {("tile", f"S{16 + n}") for n in range(1, 17)}
"""Plugs that hang below, and switches for black's copies; every other part is on top."""


def of_pitch(pitch, sensor="reed"):
    """The table `tiles` with other spaces, and other sensors under them."""
    data = {**deepcopy(boards.read_data("tiles")), "sensor": sensor}
    geometry = data["geometry_mm"]
    for key in ("table", "space_1", "focus", "buttons"):
        geometry[key] = scaled(geometry[key], pitch / geometry["pitch"])
    geometry["pitch"] = pitch
    return data


def scaled(value, times):
    if isinstance(value, dict):
        return {key: scaled(each, times) for key, each in value.items()}
    return [scaled(each, times) for each in value] if isinstance(value, list) else value * times


def made(name, pitch=50, spoil=lambda circuit: None, data=None, sensor="reed"):
    """A board's files by name; `spoil` may change it before it is routed."""
    circuit = getattr(layouts, f"_{name}")(layout_of(data or of_pitch(pitch, sensor)))
    spoil(circuit)
    return files_of(route(circuit))


clean = cache(made)


@cache
def reading(name, pitch=50, sensor="reed"):
    return Read(clean(name, pitch, sensor=sensor))


def places(board):
    """The boards of a table: what each is, and which plug of which other one its cable is in."""
    spots = sorted(range(FOCUS, SENSORS), key=lambda sensor: board.led_of[sensor])
    yield "pico", "pico", None
    for era, before in enumerate((("pico", "J1"), ("tile 0", "J2"), ("tile 1", "J2"))):
        yield f"tile {era}", "tile", before
    yield "strip", "strip", ("tile 2", "J2")
    for at, sensor in enumerate(spots):
        yield f"spot {sensor}", "spot", ("strip", f"J{at + 2}")


def assembled(board, reads):
    """The nets of the whole table, without the plugs of cables between its boards."""
    nets = []
    cables = {}
    for place, name, before in places(board):
        nets += [{(place, *pin) for pin in net} for net in reads[name].nets()]
        if before:
            pins = 5 if name == "spot" else 10
            cables.update({(*before, str(n)): (place, "J1", str(n)) for n in range(1, pins + 1)})
    for one, other in cables.items():
        joined = [net for net in nets if one in net or other in net]
        nets = [net for net in nets if net not in joined] + [set().union(*joined)]
    plugs = cables.keys() | set(cables.values())
    return {frozenset(net - plugs) for net in nets} - {frozenset()}


def expected(board):
    """What the board file and the data sheets say is joined."""
    nets = defaultdict(set)
    outputs = 1 + (board.sensor == "polarity")
    chips = [
        (place, f"U{unit}")
        for place in ("tile 0", "tile 1", "tile 2", "strip")
        for unit in range(1, 2 * outputs + 1)
    ]
    for at, (place, unit) in enumerate(chips):
        nets["ground"] |= {
            (place, unit, PIN["GND"]),
            (place, unit, PIN["CE"]),
            (place, f"C2{unit[1]}", 1),
        }
        nets["3.3 V"] |= {(place, unit, PIN["VCC"]), (place, f"C2{unit[1]}", 2)}
        nets["load"].add((place, unit, PIN["SH/LD"]))
        nets["clock"].add((place, unit, PIN["CP"]))
        nets[f"data {at}"].add((place, unit, PIN["Q7"]))
        is_last = at == len(chips) - 1
        nets["ground" if is_last else f"data {at + 1}"].add((place, unit, PIN["DS"]))
        nets[f"open {at}"].add((place, unit, PIN["nQ7"]))
    spots = sorted(range(FOCUS, SENSORS), key=lambda sensor: board.led_of[sensor])
    for sensor in range(INPUTS):
        n = sensor % 16 + 1
        if sensor < FOCUS:
            place, light, capacitor = f"tile {sensor // 16}", f"D{n}", f"C{n}"
            switch, pull_up = (place, f"S{n}"), (place, f"R{n}")
        elif sensor < BUTTON:
            place, light, capacitor = f"spot {sensor}", "D1", "C1"
            switch, pull_up = (place, "S1"), ("strip", f"R{spots.index(sensor) + 1}")
        else:
            button = sensor - BUTTON + len(spots)
            switch, pull_up = ("strip", f"J{button + 2}"), ("strip", f"R{button + 1}")
        chip, bit = divmod(board.cell_of[sensor], 8)
        ends = {1: f"in {sensor}", 2: "ground"}
        is_hall = sensor < FOCUS and board.sensor != "reed"
        if is_hall:
            ends = {1: "3.3 V", 2: f"in {sensor}", 3: "ground"}
            nets["ground"].add((place, f"C{30 + n}", 1))
            nets["3.3 V"].add((place, f"C{30 + n}", 2))
        nets[f"in {sensor}"] |= {(*chips[outputs * chip], PIN[f"D{bit}"]), (*pull_up, 1)}
        for pin, net in ends.items():
            nets[net].add((*switch, pin))
        nets["3.3 V"].add((*pull_up, 2))
        if outputs > 1 and is_hall:
            black = f"black's in {sensor}"
            nets[black] |= {
                (*chips[outputs * chip + 1], PIN[f"D{bit}"]),
                (place, f"S{16 + n}", 2),
                (place, f"R{16 + n}", 1),
            }
            nets["ground"].add((place, f"S{16 + n}", 3))
            nets["3.3 V"] |= {(place, f"S{16 + n}", 1), (place, f"R{16 + n}", 2)}
        elif outputs > 1:
            nets["3.3 V"].add((*chips[outputs * chip + 1], PIN[f"D{bit}"]))
        if sensor < BUTTON:
            at = board.led_of[sensor]
            nets[f"light {at}"].add((place, light, 4))
            nets[f"light {at + 1}"].add((place, light, 2))
            nets["5 V"] |= {(place, light, 1), (place, capacitor, 1)}
            nets["ground"] |= {(place, light, 3), (place, capacitor, 2)}
    load, clock, data = board.register_pins
    of_pico = {
        **{pin: "ground" for pin, name in pico.PINS.items() if name in ("GND", "AGND")},
        40: "bus",
        39: "system",
        36: "3.3 V",
        pico.pin_of(load): "load 0",
        pico.pin_of(clock): "clock 0",
        pico.pin_of(data): "data 0",
        pico.pin_of(board.led_pin): "light",
        pico.pin_of(26): "sound 0",
    }
    for pin in range(1, 41):
        nets[of_pico.get(pin, f"pico {pin}")].add(
            ("pico", "J2" if pin <= 20 else "J3", (pin - 1) % 20 + 1)
        )
    for part, joined in {
        "F1": ("bus", "fused"), "U1": ("fused", "ground", "fused", "rise", "open", "5 V"),
        "C1": ("ground", "fused"), "C2": ("rise", "ground"), "C3": ("5 V", "ground"),
        "D1": ("system", "5 V"), "J4": ("5 V", "ground"), "C4": ("ground", "5 V"),
        "U2": ("ground", "light", "ground", "shifted", "5 V"), "R1": ("shifted", "light 0"),
        "R2": ("load 0", "load"), "R3": ("clock 0", "clock"), "R4": ("sound 0", "sound"),
        "B1": ("sound", "ground"),
    }.items():  # fmt: skip
        for pin, net in enumerate(joined, 1):
            nets[net].add(("pico", part, pin))
    return {frozenset((place, part, str(pin)) for place, part, pin in net) for net in nets.values()}


def laid_as(pads, flashes, below):
    """The quarter turns by which a footprint of the library comes to lie on what a board has."""
    has = {flash.pin: flash for flash in flashes}
    if has.keys() != {pad[0] for pad in pads}:
        return set()
    found = set()
    for turn in (0, 90, 180, 270):
        quarter = cos(radians(turn)), sin(radians(turn))
        offsets = []
        for number, x, y, wide, high, _ in pads:
            side = -x if below else x
            east, south = side * quarter[0] + y * quarter[1], y * quarter[0] - side * quarter[1]
            flash = has[number]
            size = (flash.width, flash.height) if turn % 180 == 0 else (flash.height, flash.width)
            offsets.append((flash.x - east, -flash.y - south, size[0] - wide, size[1] - high))
        x, y, _, _ = offsets[0]
        if all(max(abs(a - x), abs(b - y), abs(c), abs(d)) < 0.05 for a, b, c, d in offsets):
            found.add(turn)
    return found


def misplaced(name, files, read):
    """Parts of a board that do not lie as its lists and the library say."""

    def rows(kind):
        return list(csv.DictReader(files[f"{name}-{kind}.csv"].splitlines()))

    kinds = {ref: row["Footprint"] for row in rows("parts") for ref in row["Designator"].split(",")}
    pads = {key.split(":")[1]: value for key, value in LIBRARY.items()}
    pads["Reed_14x2mm"] = [["1", 0, -13.4, 2, 2, 1], ["2", 0, 11, 2, 2, 1]]
    placed = {row["Designator"]: row for row in rows("placement")}
    flashes = defaultdict(dict)
    for flash in read.flashes:
        flashes[flash.part].setdefault(flash.pin, flash)
    for ref in kinds.keys() | flashes.keys():
        has = list(flashes[ref].values())
        turns = laid_as(pads[kinds[ref]], has, (name, ref) in BELOW)
        row = placed.get(ref)
        if not turns or (row and int(row["Rotation"]) not in turns):
            yield name, ref
        if row and len(has) > 2 and kinds[ref] != "Reed_14x2mm":
            middle = (float(row["Mid X"][:-2]), float(row["Mid Y"][:-2]))
            xs, ys = [flash.x for flash in has], [flash.y for flash in has]
            if (
                abs((min(xs) + max(xs)) / 2 - middle[0]) + abs((min(ys) + max(ys)) / 2 - middle[1])
                > 0.05
            ):
                yield name, ref


def off_the_holes(layout, read):
    """Lights and reeds of a tile that are not where the table has them: below holes, and beside."""
    pads = defaultdict(list)
    for flash in read.flashes:
        pads[flash.part].append(flash)
    x1, y1 = layout.middle(0)
    half = 1.5 * layout.geometry["pitch"]
    for sensor in range(16):
        # a reed's hole towards the middle of the space is 2.4 mm further out than the other
        wanted = {"D": layout.led(sensor), "S": layout.reed(sensor).along(1.2)}
        if layout.board.sensor != "reed":
            wanted["S"] = layout.middle(sensor)
        refs = [(f"{part}{sensor + 1}", at) for part, at in wanted.items()]
        if layout.board.sensor == "polarity":
            refs.append((f"S{sensor + 17}", wanted["S"]))
        for ref, at in refs:
            xs, ys = zip(*((flash.x, -flash.y) for flash in pads[ref]), strict=True)
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            if dist(middle, (at[0] - x1 - half, at[1] - y1 - half)) > 0.1:
                yield ref


def faults(data, files, names=NAMES):
    """All that is wrong with the boards of a table, by their files."""
    layout = layout_of(data)
    reads = {name: Read(files[name]) if name in files else reading(name) for name in NAMES}
    found = []
    nets = assembled(layout.board, reads)
    found += sorted(map(sorted, nets ^ expected(layout.board)))
    for name in names:
        of = files.get(name) or clean(name)
        found += reads[name].too_near(0.198)
        found += misplaced(name, of, reads[name])
    found += off_the_holes(layout, reads["tile"])
    return found


@pytest.mark.parametrize("sensor", lanes.once(SENSORS_OF))
def test_all_boards_are_joined_as_the_board_file_says(sensor):
    others = () if sensor == "reed" else ("tile", "strip")
    files = {name: clean(name, sensor=sensor) for name in others}
    assert faults(of_pitch(50, sensor), files) == []


@pytest.mark.parametrize("pitch", range(40, 61))
@pytest.mark.parametrize("sensor", SENSORS_OF)
@lanes.full
def test_every_pitch_from_40_to_60_mm_routes(sensor, pitch):
    files = {"tile": clean("tile", pitch, sensor=sensor)}
    if sensor == "polarity":
        files["strip"] = clean("strip", sensor=sensor)
    assert faults(of_pitch(pitch, sensor), files, ["tile"]) == []


def test_a_hall_switch_on_the_wrong_side_is_found():
    """It would feel the other player's copies."""

    circuit = layouts._tile(layout_of(of_pitch(50, "polarity")))
    at = next(at for at, part in enumerate(circuit.parts) if part.ref == "S21")
    circuit.parts[at] = circuit.parts[at]._replace(below=False)
    files = files_of(circuit)
    assert [*misplaced("tile", files, Read(files))] == [("tile", "S21")]


def shuffled(seed):
    """A table with inputs and lights in any order, the same in all eras, of any pitch."""
    chance = random.Random(seed)
    data = of_pitch(chance.uniform(40, 60))
    cells, leds = (chance.sample(range(16), 16) for _ in range(2))
    for at, era in enumerate(data["eras"]):
        for row in range(4):
            there = range(4 * row, 4 * row + 4)
            era["cells"][row] = [[2 * at + cells[n] // 8, cells[n] % 8] for n in there]
            era["leds"][row] = [16 * at + leds[n] for n in there]
    return data


@pytest.mark.parametrize("seed", lanes.once(range(sweep.size(1, 5))))
def test_a_tile_is_drawn_from_its_board_file(seed):
    data = shuffled(seed)
    assert faults(data, {"tile": made("tile", data=data)}, ["tile"]) == [], f"seed {seed}"


def changed(name, files):
    """Whether reading a board back finds other nets than it had."""
    return Read(files).nets() != reading(name).nets()


@pytest.mark.parametrize("name", lanes.once(NAMES, 1))
def test_each_track_and_via_of_a_signal_that_is_lost_is_found(name):
    """But for single steps from a pad's edge, where the round end of the next track touches it."""
    read = reading(name)
    nets, joined = read.nets(), read.joined()
    supplies = [("J1", pin) for pin in ("1", "3", "9")[: 2 if name == "spot" else 3]]
    supplied = {joined[at] for at, (_, _, pin) in enumerate(read.shapes) if pin in supplies}
    signals = [at for at in range(len(joined)) if joined[at] not in supplied]
    tracks = [at for at in signals if read.shapes[at][2] is None]
    rings = [read.shapes[at][1] for at in signals if read.shapes[at][2] == ()]
    vias = [
        -number
        for number, (x, y, _) in enumerate(read.holes, 1)
        if any(ring.contains(Point(x, y)) for ring in rings)
    ]
    assert len(tracks) > 2 and (vias or name == "spot")
    for lost in tracks + vias:
        if read.nets({lost}) == nets:
            west, south, east, north = read.shapes[lost][1].bounds
            assert lost > 0 and max(east - west, north - south) < 1, read.shapes[lost]


@pytest.mark.parametrize("seed", range(sweep.size(2, 12)))
@lanes.gate
def test_a_bridge_between_two_nets_is_found(seed):
    chance = random.Random(seed)
    name = chance.choice(NAMES[1:])
    read = reading(name)
    while True:
        one, other = chance.sample([flash for flash in read.flashes if flash.layer == 1], 2)
        if not any({(one.part, one.pin), (other.part, other.pin)} <= net for net in read.nets()):
            break
    file = f"gerbers/{name}-F_Cu.gbr"
    text = clean(name)[file]
    aperture = re.search(r"%ADD(\d+)C,", text)[1]
    ends = [
        f"X{round(at.x * 1e6)}Y{round(at.y * 1e6)}D0{way}*\n" for at, way in ((one, 2), (other, 1))
    ]
    spoilt = text.replace("M02*", f"D{aperture}*\n{''.join(ends)}M02*")
    assert changed(name, {**clean(name), file: spoilt}), f"seed {seed}: {one} to {other}"


def swap(ref, one, other):
    """Exchange the nets of two pins of a part."""

    def spoil(circuit):
        at = next(at for at, part in enumerate(circuit.parts) if part.ref == ref)
        pins = dict(circuit.parts[at].pins)
        pins[one], pins[other] = pins[other], pins[one]
        circuit.parts[at] = circuit.parts[at]._replace(pins=pins)

    return spoil


@pytest.mark.parametrize(
    ("name", "ref", "one", "other"),
    [
        ("pico", "J1", 4, 10),
        ("pico", "U2", 2, 4),
        ("spot", "D1", 2, 4),
        ("strip", "U1", 9, 10),
        ("strip", "J3", 1, 3),
    ],
)
@lanes.gate
def test_two_pins_that_are_exchanged_are_found(name, ref, one, other):
    assert faults(of_pitch(50), {name: made(name, spoil=swap(ref, one, other))}, [name])


@pytest.mark.parametrize("ref", ["U1", "J1", "U2"])
def test_a_footprint_that_is_mirrored_is_found(ref, monkeypatch):
    circuit = layouts._pico(layout_of(of_pitch(50)))
    key = footprints.KINDS[next(part.kind for part in circuit.parts if part.ref == ref)].footprint
    shape = footprints.FOOTPRINTS[key]
    mirrored = shape._replace(pads=tuple(pad._replace(x=-pad.x) for pad in shape.pads))
    monkeypatch.setattr(footprints, "FOOTPRINTS", {**footprints.FOOTPRINTS, key: mirrored})
    monkeypatch.setattr(
        "chronotable_host.hardware.circuit.copper.FOOTPRINTS", footprints.FOOTPRINTS
    )
    monkeypatch.setattr(
        "chronotable_host.hardware.circuit.silkscreen.FOOTPRINTS", footprints.FOOTPRINTS
    )
    monkeypatch.setattr("chronotable_host.hardware.circuit.kicad.FOOTPRINTS", footprints.FOOTPRINTS)
    circuit.laid.clear()
    files = files_of(circuit)
    assert ("pico", ref) in misplaced("pico", files, Read(files))


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_part_that_is_placed_turned_is_found(turn):
    files = dict(clean("pico"))
    lines = files["pico-placement.csv"].splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("U1,"))
    lines[at] = lines[at].rsplit(",", 1)[0] + f",{turn}"
    files["pico-placement.csv"] = "\n".join(lines)
    assert [*misplaced("pico", files, reading("pico"))] == [("pico", "U1")]


@lanes.gate
def test_a_tile_of_another_pitch_is_found():
    layout = layout_of(of_pitch(50))
    assert not [*off_the_holes(layout, reading("tile"))]
    assert [*off_the_holes(layout, reading("tile", 51))]


@pytest.mark.parametrize(
    "key", [key for key in footprints.FOOTPRINTS if not key.startswith("chronotable")]
)
def test_footprints_are_those_of_kicads_library(key):
    pads = sorted((str(pad.number), *pad[1:]) for pad in footprints.FOOTPRINTS[key].pads)
    assert [tuple(pad) for pad in sorted(LIBRARY[key])] == [
        (number, *(pytest.approx(value, abs=0.001) for value in values)) for number, *values in pads
    ]


@pytest.mark.skipif(not KICAD.is_dir(), reason="needs kicad-footprints")
@pytest.mark.parametrize("key", LIBRARY)
def test_the_figures_of_the_library_are_what_is_installed(key):
    folder, name = key.split(":")
    text = (KICAD / f"{folder}.pretty" / f"{name}.kicad_mod").read_text("utf-8")
    pad = r'\(pad "([^"]*)" \w+ \w+\s*\(at ([^)]*)\)\s*\(size ([^)]*)\)(?:\s*\(drill ([^)]*)\))?'
    found = [
        [match[1], *map(float, f"{match[2]} {match[3]} {match[4] or 0}".split())]
        for match in re.finditer(pad, text)
    ]
    assert sorted(found) == sorted(LIBRARY[key])


@pytest.mark.parametrize("sensor", SENSORS_OF)
def test_no_name_is_printed_where_another_part_will_hide_it(sensor):
    """Words go around what an assembler sets, whose pads the shops' machines go by."""
    for circuit, _ in layouts.unrouted(of_pitch(50, sensor)).values():
        for layer in (TOP, BOTTOM):
            strokes = silkscreen(circuit, layer)
            for part in circuit.parts:
                kind = footprints.KINDS[part.kind]
                if kind.by_hand or part.below != (layer == BOTTOM):
                    continue
                outline = corners_of(box_of(part, footprints.FOOTPRINTS[kind.footprint].body))
                wests, norths, easts, souths = zip(*(pad.box for pad in pads_of(part)), strict=True)
                for (x1, y1), (x2, y2) in strokes:
                    x, y = (x1 + x2) / 2, (y1 + y2) / 2
                    if min(wests) < x < max(easts) and min(norths) < y < max(souths):
                        assert (x1, y1) in outline, (part.ref, x, y)


def test_what_may_not_be_turned_round_is_marked():
    circuit = layouts.unrouted(of_pitch(50))["pico"][0]
    for ref in ("C3", "J4"):
        [part] = [part for part in circuit.parts if part.ref == ref]
        assert part.pins == {1: layouts.V5, 2: GROUND}
        plus = circuit.pad(ref, 1)
        signs = [at for text, at, _ in circuit.texts if text == "+"]
        sign = min(signs, key=lambda at, plus=plus: dist(at, plus))
        assert dist(sign, plus) < min(7, dist(sign, circuit.pad(ref, 2)))
    x, y = circuit.pad("D1", 1)
    bars = [a for a, b in silkscreen(circuit, TOP) if a[0] == b[0] and 0 < x - a[0] < 1]
    assert any(abs(at[1] - y) < 0.5 for at in bars), "the ring of D1"


def test_5_v_stays_cool():
    """By IPC-2221, outer copper of 35 um: at most 10 K warmer with all that a ribbon may carry."""

    def rise(current_a, width_mm):
        area = width_mm / 0.0254 * 35 / 25.4  # square mils
        return (current_a / (0.048 * area**0.725)) ** (1 / 0.44)

    assert rise(layouts.RIBBON_MA / 1000, layouts._FEED_MM) < 10
    assert rise(layouts.RIBBON_MA / 1000, layouts._BUS_MM) < 5
    assert rise(0.75, layouts._STUB_MM) < 10  # what the fuse lets through
    assert rise(0.1, 0.25) < 1  # a light and its chip


def test_copper_that_is_too_near_to_another_net_is_found():
    file = "gerbers/spot-F_Cu.gbr"
    text = clean("spot")[file]
    aperture = re.search(r"%ADD(\d+)C,0\.25\*%", text)[1]
    reed = next(flash for flash in reading("spot").flashes if flash.part == "S1")
    y = reed.y + reed.height / 2 + 0.125 + 0.19
    beside = "".join(
        f"X{round((reed.x + x) * 1e6)}Y{round(y * 1e6)}D0{way}*\n" for x, way in ((-1, 2), (1, 1))
    )
    spoilt = text.replace("M02*", f"D{aperture}*\n{beside}M02*")
    assert Read({**clean("spot"), file: spoilt}).too_near(0.198)
    assert not reading("spot").too_near(0.198)


def wall(*layers):
    """A track of no net across the board under a focus spot."""
    return lambda circuit: circuit.laid.extend(
        track("wall", layer, 1, (12.5, -9), (12.5, 9)) for layer in layers
    )


def test_a_net_that_finds_no_way_is_told():
    with pytest.raises(UnroutableError):
        made("spot", spoil=wall(TOP, BOTTOM))


def test_ground_that_a_track_divides_is_joined_on_the_other_side():
    nets = Read(made("spot", spoil=wall(BOTTOM))).nets()
    assert {("J1", "3"), ("S1", "2"), ("D1", "3"), ("C1", "2")} in nets


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (boards.read_data("reference"), "matrix"),
        ({**of_pitch(50), "leds": {**of_pitch(50)["leds"], "max_ma": 3240}}, "leds.max_ma"),
        ({**shuffled(0), "eras": [*shuffled(0)["eras"][:2], shuffled(1)["eras"][2]]}, "eras[2]"),
    ],
)
def test_what_these_boards_cannot_do_is_refused(data, path):
    with pytest.raises(boards.BoardFileError) as error:
        layouts.circuits(data)
    assert error.value.path == path


@lanes.gate
def test_the_command_writes_every_file_and_the_same_ones_again(tmp_path):
    to = ["--to", str(tmp_path / "circuits")]
    result = CliRunner().invoke(app, ["boards", "pcb", "tiles", *to])
    written = {
        path.relative_to(tmp_path / "circuits").as_posix(): path.read_text("utf-8")
        for path in (tmp_path / "circuits").rglob("*.*")
    }
    assert written == {
        f"{name}/{file}": text for name in NAMES for file, text in clean(name).items()
    }
    assert result.stdout.startswith("Nobody has built these boards yet")
    assert "tile: 3 of it, 200 x 200 mm, 70 parts" in result.stdout
    (tmp_path / "file").touch()
    said = str(
        CliRunner()
        .invoke(app, ["boards", "pcb", "tiles", "--to", str(tmp_path / "file")])
        .exception
    )
    assert "cannot be written" in said


@pytest.mark.skipif(shutil.which("kicad-cli") is None, reason="needs kicad-cli of KiCad 9")
@pytest.mark.parametrize(
    ("name", "sensor"),
    [
        *((name, "reed") for name in NAMES),
        *((name, sensor) for sensor in SENSORS_OF[1:] for name in ("tile", "strip")),
    ],
)
@lanes.full
def test_kicad_finds_nothing(name, sensor, tmp_path):
    for file, text in clean(name, sensor=sensor).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
    for words, what in (
        (("sch", "erc"), "kicad_sch"),
        (("pcb", "drc", "--schematic-parity"), "kicad_pcb"),
    ):
        report = tmp_path / f"{what}.json"
        options = ("--format", "json", "--severity-all", "-o", str(report))
        subprocess.run(
            ["kicad-cli", *words, *options, str(tmp_path / f"{name}.{what}")],
            check=True, capture_output=True, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        said = json.loads(report.read_text("utf-8"))
        found = [each for sheet in said.get("sheets", []) for each in sheet["violations"]]
        for kind in ("violations", "unconnected_items", "schematic_parity"):
            found += said.get(kind, [])
        assert found == []
