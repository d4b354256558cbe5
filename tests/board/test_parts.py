"""`boards parts`: what to order is what the guides and the circuit boards are made of."""

import csv
import io
import json

import pytest

from chronotable_host.hardware import boards
from chronotable_host.hardware.parts import ESTIMATED, parts_of

from .guides import guides, run

GUIDES = dict(guides())


@pytest.mark.parametrize("board", GUIDES)
def test_the_guide_and_the_order_have_the_same_parts(board):
    ordered = {part.part: part.quantity for part in parts_of(boards.read_data(board))}
    assert ordered == GUIDES[board].parts


def test_circuit_boards_are_ordered_with_all_that_is_soldered_to_them(tmp_path):
    done = run(["boards", "pcb", "tiles", "--to", "circuits"], tmp_path)
    assert done.status == 0, done.stderr
    soldered, soldered_by = {}, {}
    for count, board in ((3, "tile"), (1, "strip"), (6, "spot"), (1, "pico")):
        text = (tmp_path / "circuits" / board / f"{board}-parts.csv").read_text("utf-8")
        for row in csv.DictReader(io.StringIO(text)):
            key = row["Comment"], row["Footprint"], row["Example"]
            soldered.setdefault(key, []).append(count * int(row["Quantity"]))
            soldered_by[key] = row["Soldered"]
    done = run(["boards", "parts", "tiles", "--json"], tmp_path)
    told = json.loads(done.stdout)
    ordered = {
        (part["value"], part["package"], part["examples"][0]): part["quantity"]
        for part in told["parts"]
        if part["value"]
    }
    assert ordered == {key: sum(counts) for key, counts in soldered.items()}
    others = {part["part"]: part["quantity"] for part in told["parts"] if not part["value"]}
    assert [others[f"circuit board {board}"] for board in ("tile", "strip", "spot", "pico")] == [
        3,
        1,
        6,
        1,
    ]
    assert others["Raspberry Pi Pico with pin headers"] == 1
    brought = {part["package"] for part in told["parts"] if part["by_assembler"]}
    assert brought == {
        package for (_, package, _), who in soldered_by.items() if who == "assembler"
    }
    lines = run(["boards", "parts", "tiles"], tmp_path).stdout.splitlines()
    head = lines.index("The assembler of the circuit boards brings:")
    listed = [line for line in lines[head:] if line.startswith("  ") and "EUR each" in line]
    assert len(listed) == sum(part["by_assembler"] for part in told["parts"])
    assert told["estimated"] == ESTIMATED


@pytest.mark.parametrize("board", GUIDES)
def test_every_part_can_be_bought_from_two_makers_and_has_a_price(tmp_path, board):
    for part in parts_of(boards.read_data(board)):
        assert all(part.examples) and part.examples[0] != part.examples[1], part
        assert part.package and part.instead and part.eur > 0, part
    said = run(["boards", "parts", board], tmp_path).stdout
    assert f"Estimate of {ESTIMATED}" in said
    assert ("Nobody has built" in said) == (board == "tiles")
    lines = list(csv.reader(io.StringIO(run(["boards", "parts", board, "--csv"], tmp_path).stdout)))
    assert "estimated" in lines[0][-1]
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("sensor", "kind", "counts"), [("hall", "omnipolar", (48, 8)), ("polarity", "south", (96, 16))]
)
def test_spaces_with_hall_switches_are_ordered(sensor, kind, counts):
    """Two for each space that tells poles apart, and two chips for eight of them."""
    ordered = parts_of({**boards.read_data("tiles"), "sensor": sensor})
    found = [
        sum(part.quantity for part in ordered if name in part.part)
        for name in (kind, "74HC165", "reed switch")
    ]
    assert found == [*counts, 6]  # the focus spots have reeds
    assert all("not tried" in part.part for part in ordered if "Hall" in part.part)


def test_a_table_with_reeds_at_some_spaces_has_no_circuit_boards():
    data = {**boards.read_data("tiles-polarity"), "presence_only": ["past 3"]}
    with pytest.raises(boards.BoardFileError, match="one kind of sensor at all spaces"):
        parts_of(data)


def test_a_table_of_another_size_has_another_plate():
    data = boards.read_data("tiles")
    data["geometry_mm"]["table"] = [800, 360]
    plate = [part.part for part in parts_of(data) if "plate" in part.part]
    assert plate == ["plate 800 x 360 x 3 mm, plywood or acrylic"]


def test_circuit_boards_are_drawn_where_there_are_registers_and_wiring_where_there_are_none(
    tmp_path,
):
    done = run(["boards", "pcb", "reference", "--to", "circuits"], tmp_path)
    assert done.status == 2
    assert "shift registers" in done.stderr
    done = run(["boards", "draw", "tiles", "--wiring"], tmp_path)
    assert done.status == 2
    assert "in the sheets that `boards pcb` writes" in done.stderr
