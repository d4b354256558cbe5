"""What hands are asked to do, in sentences, and what the page shows of pieces meanwhile."""

from __future__ import annotations

import pytest

from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import UNKNOWN
from chronotable_host.web.headline import of_set_up
from chronotable_host.web.todo import Todo, asked_by, named_by_steps, pieces_by_reeds, sentences


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, []),
        ({12: meanings.TODO_TAKE}, ["Take away what lies on past 13."]),
        (
            {0: meanings.PUT_WHITE, 16: meanings.PUT_BLACK, 17: meanings.PUT_BLACK},
            ["Put a white piece on past 1.", "Put black pieces on present 1 and present 2."],
        ),
        (
            dict.fromkeys(range(8), meanings.TODO_TAKE),
            ["Take away what lies on past 1, past 2, past 3, past 4, past 5 and 3 more."],
        ),
        ({48: meanings.TODO_TAKE}, ["Take White's focus marker away from the past."]),
        ({53: meanings.TODO_PUT}, ["Put Black's focus marker in the future."]),
        (
            {49: meanings.TODO_TAKE, 50: meanings.TODO_PUT},
            ["Move White's focus marker from the present to the future."],
        ),
        (
            {51: meanings.FAULT},
            ["See for yourself that Black's focus marker stands in the past: no reed tells."],
        ),
        (
            {34: meanings.CONFIRM_BLACK, 48: meanings.MOVER},
            ["Lift what lies on future 3 and look: it should be Black's."],
        ),
    ],
)
def test_what_is_asked_is_a_sentence(asked: dict[int, int], told: list[str]) -> None:
    leds = [asked.get(at, meanings.OFF) for at in range(54)]
    assert sentences(asked_by(leds)) == told


@pytest.mark.parametrize(
    ("asked", "guide", "is_taken_back", "says"),
    [
        ([], "", False, "Everything lies there"),
        ([meanings.CONFIRM_WHITE], "", False, "Are these the right pieces?"),
        ([meanings.PUT_WHITE, meanings.CONFIRM_WHITE], "", False, "Set up the pieces"),
        ([meanings.PUT_WHITE], "Why", False, "Put this right"),
        ([meanings.PUT_WHITE], "Why", True, "Put the last turn back"),
    ],
)
def test_a_set_up_says_what_is_left_to_do(
    asked: list[int], guide: str, is_taken_back: bool, says: str
) -> None:
    assert of_set_up(asked, guide, is_taken_back).says == says


# ---- the pieces on a real table while hands are at it


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
