"""What the page shows of the pieces on a real table while hands are at it."""

from __future__ import annotations

import pytest

from chronotable_host.glyphs import UNKNOWN
from chronotable_host.web.pieces_by_reeds import named_by_steps, pieces_by_reeds
from chronotable_host.web.todo import Todo

START = [
    {"at": 0, "look": "white"},
    {"at": 5, "look": "seed"},
    {"at": 15, "look": "black"},
    {"at": 48, "look": "white-focus"},
]


def places(reeds: dict[int, bool], doubted: tuple[int, ...] = ()) -> dict[int, str]:
    return {each["at"]: each["look"] for each in pieces_by_reeds(START, reeds, doubted)}


@pytest.mark.parametrize(
    ("reeds", "shown"),
    [
        ({}, {0: "white", 5: "seed", 15: "black", 48: "white-focus"}),
        ({0: False}, {5: "seed", 15: "black", 48: "white-focus"}),
        ({0: False, 1: True}, {1: "white", 5: "seed", 15: "black", 48: "white-focus"}),
        ({0: False, 0 + 16: True, 48: False, 50: True},
         {16: "white", 5: "seed", 15: "black", 50: "white-focus"}),
        ({7: True}, {0: "white", 5: "seed", 7: UNKNOWN, 15: "black", 48: "white-focus"}),
        ({15: False, 48: False}, {0: "white", 5: "seed"}),
        ({5: False}, {0: "white", 5: "seed", 15: "black", 48: "white-focus"}),
    ],
)  # fmt: skip
def test_what_was_lifted_and_where_something_lies(
    reeds: dict[int, bool], shown: dict[int, str]
) -> None:
    assert places(reeds) == shown


def test_doubted_reeds_tell_nothing() -> None:
    assert places({0: False, 7: True}, (0, 7)) == places({})


def test_what_a_step_had_put_somewhere_has_its_look() -> None:
    pieces = [{"at": 7, "look": UNKNOWN}, {"at": 9, "look": UNKNOWN}, {"at": 1, "look": "white"}]
    steps = [Todo("", (7,), (7,), "black", True), Todo("", (9,), (9,), "white")]
    assert named_by_steps(pieces, steps) == [
        {"at": 7, "look": "black"}, {"at": 9, "look": UNKNOWN}, {"at": 1, "look": "white"},
    ]  # fmt: skip
