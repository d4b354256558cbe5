"""Scenes fail where something else is told or seen, and where they say what there is not."""

import sys
from types import ModuleType

import pytest

from tests.table.scenes import scenes

RIGHT = "-pa1 +pa11 .300 -> take pa11, put pa1: not a turn; lit: pa1 todo_put_white, pa11 todo_take"


def played(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    module = ModuleType("its_scenes")
    monkeypatch.setitem(sys.modules, "its_scenes", module)
    scenes("its_scenes", "\n  ".join(["what is so", *lines]))
    module.test_what_is_so()


def test_what_is_so_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    played(monkeypatch, "# A remark.", RIGHT, "-pa11 .300 -> …", "at PUSH", "phase: turn")


@pytest.mark.parametrize(
    "wrong",
    [
        "-> started",
        "-pa1 +pa11 .300 -> nothing",
        "-pa1 +pa11 .300 -> take pa11, put pa1",
        "-pa1 +pa11 .300 -> … & started & …",
        "-pa1 +pa11 .300 -> …pa12…",
        "TWO_EAST => 1 E S >present",
        "TWO_EAST | -pa1 +pa11 .300 => 1 E E >present",
        "lit: …push…",
        "unlit: copy",
        "marks: nothing",
        "mover: black",
        "no:resign:w",
        "wants 1 N N >past",
        "wants not 1 E E >present",
    ],
)
def test_what_is_not_so_fails(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    with pytest.raises(AssertionError):
        played(monkeypatch, wrong)


@pytest.mark.parametrize("wrong", ["lid: pa1 copy", "+pa99", "/x", "at NOWHERE", "-pa1 > started"])
def test_what_there_is_not_fails(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    with pytest.raises((ValueError, IndexError, AssertionError)):
        played(monkeypatch, wrong)
