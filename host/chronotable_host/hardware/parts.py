"""What a table is made of: each part with its quantity, for who orders it.

`parts.csv` has a line for each part: how many a table takes that is a `matrix` of wires, and one of
`circuits`, that is with shift registers on circuit boards, or the `kind` that a board counts. Its
makers' numbers and prices are from memory of catalogues: examples and estimates.
"""

import csv
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from math import ceil
from typing import Any, NamedTuple

from chronotable_host.hardware.circuit.footprints import KINDS
from chronotable_host.hardware.circuit.layouts import unrouted
from chronotable_host.hardware.drawings.table_layout import LATH_MM, layout_of

ESTIMATED = "2026-11"
"""The month of the estimated prices."""
_LATH_STEP_MM = 200
_SAW_MM = 100  # of a lath that cuts and slanting ends may cost


class OrderedPart(NamedTuple):
    """A line of an order."""

    quantity: int
    part: str
    value: str
    """What is printed on it or asked for, where a circuit board says it."""
    package: str
    examples: tuple[str, str]
    """Numbers of two makers, of parts that fit."""
    instead: str
    """What it may be replaced by."""
    by_assembler: bool
    """Whether who assembles the circuit boards brings it."""
    eur: float
    """Estimated price of one, without tax and postage."""


def parts_of(board_data: Mapping[str, Any]) -> list[OrderedPart]:
    """Return all parts of a table.

    Raises BoardFileError where the file is wrong, or asks for what the circuit boards cannot do.
    """
    layout = layout_of(board_data)
    width, height = layout.size
    lath = 2 * (width + height - 2 * LATH_MM[0]) + _SAW_MM
    sizes = {
        "width": width,
        "height": height,
        "lath": ceil(lath / _LATH_STEP_MM) * _LATH_STEP_MM / 1000,
    }
    way = "circuits" if layout.is_of_circuit_boards else "matrix"
    soldered = Counter[str]()
    if layout.is_of_circuit_boards:
        for circuit, count in unrouted(board_data).values():
            for component in circuit.parts:
                soldered[component.kind] += count
    found = []
    with (files(__package__) / "parts.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            kind = KINDS.get(row["kind"])
            quantity = soldered[row["kind"]] if kind else int(row[way] or 0)
            if quantity:
                found.append(
                    OrderedPart(
                        quantity,
                        row["part"].format_map(sizes),
                        kind.value if kind else "",
                        kind.footprint.split(":")[1] if kind else row["package"].format_map(sizes),
                        (kind.example if kind else row["example"], row["other_example"]),
                        row["instead"],
                        kind is not None and not kind.by_hand,
                        float(row["eur"]),
                    )
                )
    return found
