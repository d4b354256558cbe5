"""`boards print`: solids that a printer can print, read back from the files it gets."""

import errno
import io
import struct
import zipfile
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("manifold3d", reason="printed parts need the extra `print`")

from chronotable_host.archive import disk
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.table_layout import MAGNET_MM
from chronotable_host.hardware.printing import WALL_MM, printed_parts
from tests import lanes

from .guides import run
from .pictures import BOARDS

pytestmark = lanes.tool

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def read_stl(data):
    """The triangles of a binary STL, each of three corners."""
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    found = []
    for at in range(count):
        x = struct.unpack_from("<9f", data, 96 + 50 * at)
        found.append(tuple(tuple(round(v, 4) + 0 for v in x[i : i + 3]) for i in (0, 3, 6)))
    return found


def read_3mf(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        model = ET.fromstring(archive.read("3D/3dmodel.model"))
        assert model.get("unit") == "millimeter"
        relations = archive.read("_rels/.rels").decode()
        assert 'Target="/3D/3dmodel.model"' in relations
    corners = [
        tuple(round(float(vertex.get(axis)), 4) + 0 for axis in "xyz")
        for vertex in model.iter(f"{CORE}vertex")
    ]
    return [
        tuple(corners[int(each.get(f"v{at}"))] for at in (1, 2, 3))
        for each in model.iter(f"{CORE}triangle")
    ]


def bodies(triangles):
    """How many solids there are: what hangs together by its corners is one."""
    parent = {}

    def root(corner):
        while parent.setdefault(corner, corner) != corner:
            corner = parent[corner]
        return corner

    for a, b, c in triangles:
        parent[root(a)] = parent[root(b)] = root(c)
    return len({root(corner) for corner in list(parent)})


def volume(triangles):
    """Its sign is + where the corners of each triangle are counted against the clock, outside."""
    total = 0
    for (x1, y1, z1), (x2, y2, z2), (x3, y3, z3) in triangles:
        total += x1 * (y2 * z3 - y3 * z2) + y1 * (z2 * x3 - z3 * x2) + z1 * (x2 * y3 - x3 * y2)
    return total / 6


def without_slivers(triangles):
    return [each for each in triangles if len(set(each)) == 3]


@pytest.fixture(scope="module", params=BOARDS)
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("printed")
    done = run(["boards", "print", request.param, "--to", "parts"], folder)
    assert done.status == 0, done.stderr
    assert "Nobody has printed" in done.stdout
    return request.param, folder / "parts"


def test_each_file_holds_one_watertight_solid_that_is_the_same_in_both_forms(written):
    board, folder = written
    made = printed_parts(boards.read_data(board))
    assert {file.name for file in folder.iterdir()} == {
        f"{name}.{form}" for name in made for form in ("stl", "3mf")
    }
    for name, part in made.items():
        triangles = without_slivers(read_stl((folder / f"{name}.stl").read_bytes()))
        edges = Counter((each[at], each[(at + 1) % 3]) for each in triangles for at in range(3))
        assert all(edges[end, start] == count for (start, end), count in edges.items()), name
        assert bodies(triangles) == 1, name
        assert volume(triangles) == pytest.approx(part.solid.volume(), rel=1e-3), name
        again = without_slivers(read_3mf((folder / f"{name}.3mf").read_bytes()))
        assert Counter(map(frozenset, again)) == Counter(map(frozenset, triangles)), name


def test_walls_are_thick_enough_to_be_printed(written):
    board, _ = written
    for name, (_, solid) in printed_parts(boards.read_data(board)).items():
        *_, low, _, _, high = solid.bounding_box()
        high = 1.6 if name.startswith("label") else high - 0.5  # without letters
        for at in range(1, 20):
            layer = solid.slice(low + (high - low) * at / 20 + 0.001)
            half = WALL_MM / 2 - 0.01
            lost = layer - layer.offset(-half).offset(half)
            # of a corner of 90 degrees 0.1 mm2 are lost
            assert all(piece.area() < 0.5 for piece in lost.decompose()), (name, at)


def test_nothing_hangs_in_the_air_but_the_roof_of_a_pocket(written):
    _, folder = written
    for file in folder.glob("*.stl"):
        hanging = 0
        for (x1, y1, z1), (x2, y2, z2), (x3, y3, z3) in read_stl(file.read_bytes()):
            area = ((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)) / 2
            if area < 0 and z1 == z2 == z3 > 0:
                hanging -= area
        roof = 3.15 * ((MAGNET_MM[0] + 0.2) / 2) ** 2
        assert hanging <= (roof if file.stem == "marker" else 0), file.name


def test_the_magnet_of_a_base_is_as_near_to_its_reed_as_the_guide_asks(written):
    board, _ = written
    made = printed_parts(boards.read_data(board))
    base = made["base-white"].solid
    *_, high = base.bounding_box()
    disc, ring = base.slice(WALL_MM - 0.1).area(), base.slice(WALL_MM + MAGNET_MM[1] / 2).area()
    assert disc - ring == pytest.approx(3.14 * ((MAGNET_MM[0] + 0.2) / 2) ** 2, rel=0.01)
    assert MAGNET_MM[1] < high - WALL_MM < MAGNET_MM[1] + 0.5, "flush with the side that is below"
    assert sum(made[f"base-{player}"].quantity for player in ("white", "black")) == 14


def test_the_drill_jig_fits_the_spaces_of_the_board_file():
    for pitch in (40, 50):
        data = boards.read_data("tiles")
        data["geometry_mm"]["pitch"] = pitch
        width, depth, _ = printed_parts(data)["drill-jig"].size
        # from half a space east to the light of the space west of it, and 8 mm beyond
        assert width == depth == pytest.approx(pitch / 2 + (1 - 0.33) * pitch + 8)


def test_what_is_missing_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "chronotable_host.hardware.printing", None)
    monkeypatch.delattr("chronotable_host.hardware.printing")
    done = run(["boards", "print", "tiles", "--to", "parts"], tmp_path)
    assert done.status == 2
    assert "pip install -q '.[print]'" in done.stderr
    assert not (tmp_path / "parts").exists()


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    def full(_fd, _data):
        raise OSError(errno.ENOSPC, "full")

    (tmp_path / "parts").mkdir()
    kept = tmp_path / "parts" / "base-white.stl"
    kept.write_bytes(b"former")
    monkeypatch.setattr(disk, "_write", full)
    done = run(["boards", "print", "tiles", "--to", "parts"], tmp_path)
    assert done.status == 2
    assert "cannot be written" in done.stderr
    assert {file.name: file.read_bytes() for file in kept.parent.iterdir()} == {
        kept.name: b"former"
    }
