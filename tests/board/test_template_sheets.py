"""The drill template on sheets of paper: whole, true to scale, with a bar to measure it by."""

import xml.etree.ElementTree as ET

import pytest

from chronotable.hardware.board import BoardError
from chronotable_host.commands.boards import PaperName
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.template import PAPERS, template_svg, tile_svg, tiles_of
from tests.board.pictures import BOARDS, SIZES, SVG

UNPRINTED = 25.4 / 6  # mm along the edges that a laser printer leaves white; others less


on_every_paper = pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in BOARDS for kind in SIZES]
)


def bars_of(root):
    """The bars outside of the printed part: (x, y, length across, length down)."""
    inner = set(root.find(f"{SVG}svg").iter()) if root.find(f"{SVG}svg") is not None else set()
    found = []
    for line in root.iter(f"{SVG}line"):
        if line.get("class") == "bar" and line not in inner:
            x1, y1, x2, y2 = (float(line.get(end)) for end in ("x1", "y1", "x2", "y2"))
            found.append((x1, y1, round(x2 - x1, 6), round(y2 - y1, 6)))
    return found


def marks_of(bar, root):
    """How far the marks of a bar are from its beginning, of those that stand on it."""
    x, y, across, _ = bar
    along = [
        float(line.get("x1")) - x if across else float(line.get("y1")) - y
        for group in root.iter()
        for line in group.findall(f"{SVG}line")
        if group.get("class") == "scale"
        and line.get("class") != "bar"
        and (float(line.get("y1")) == y if across else float(line.get("x1")) == x)
    ]
    return sorted(round(at, 6) for at in along)


@on_every_paper
def test_the_sheets_show_the_whole_template_true_to_scale(name, kind):
    data = boards.read_data(name)
    width, height = SIZES[kind]
    whole = [float(value) for value in ET.fromstring(template_svg(data)).get("viewBox").split()]
    seen = []
    for tile in range(1, tiles_of(data, kind) + 1):
        root = ET.fromstring(tile_svg(data, tile, kind))
        assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
        assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
        part = root.find(f"{SVG}svg")
        box = [float(value) for value in part.get("viewBox").split()]
        assert [float(part.get("width")), float(part.get("height"))] == box[2:]
        seen.append((box[0], box[1], box[0] + box[2], box[1] + box[3]))
    for x in range(int(whole[0]), int(whole[0] + whole[2]), 4):
        for y in range(int(whole[1]), int(whole[1] + whole[3]), 4):
            assert any(x1 <= x <= x2 and y1 <= y <= y2 for x1, y1, x2, y2 in seen)


@on_every_paper
def test_a_sheet_has_a_bar_of_100_mm_across_and_one_down_on_paper_that_is_printed(name, kind):
    data = boards.read_data(name)
    width, height = SIZES[kind]
    for tile in range(1, tiles_of(data, kind) + 1):
        root = ET.fromstring(tile_svg(data, tile, kind))
        part = root.find(f"{SVG}svg")
        left, top = float(part.get("x")), float(part.get("y"))
        right, bottom = left + float(part.get("width")), top + float(part.get("height"))
        assert min(left, top, width - right, height - bottom) >= UNPRINTED
        across, down = bars_of(root)
        assert (across[2:], down[2:]) == ((100, 0), (0, 100))
        assert bottom + 5 < across[1] < height - UNPRINTED
        assert right < down[0] and down[0] + 3 < width - UNPRINTED
        assert top + 20 < down[1] and down[1] + 100 < bottom
        assert marks_of(across, root) == marks_of(down, root) == list(range(0, 101, 10))


@pytest.mark.parametrize("name", BOARDS)
def test_the_whole_template_has_both_bars_and_one_is_beside_the_plate(name):
    data = boards.read_data(name)
    root = ET.fromstring(template_svg(data))
    across, down = bars_of(root)
    assert (across[2:], down[2:]) == ((100, 0), (0, 100))
    assert data["geometry_mm"]["table"][0] < down[0] < data["geometry_mm"]["table"][0] + 5
    assert marks_of(across, root) == marks_of(down, root) == list(range(0, 101, 10))


def test_the_command_knows_the_papers_of_the_template():
    assert [paper.value for paper in PaperName] == list(PAPERS) == list(SIZES)


@on_every_paper
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_there_is_no_other_sheet(name, kind, beyond):
    last = tiles_of(boards.read_data(name), kind)
    tile = last + 1 if beyond == 1 else beyond
    with pytest.raises(BoardError, match=f"must be 1 to {last}, not {tile}"):
        tile_svg(boards.read_data(name), tile, kind)
