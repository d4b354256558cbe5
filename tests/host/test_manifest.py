"""The manifest of a firmware's folder: what it says, and of what its build is."""

from __future__ import annotations

import json

import pytest

from chronotable_host.firmware.manifest import Manifest, manifest_of, parse
from tests.host.test_flash import NEW, OLD, OTHER_STARTERS, STARTERS


def test_the_first_line_of_a_manifest_is_enough_for_the_table() -> None:
    manifest = manifest_of(NEW, "a board with a name as long as it can be" * 9)
    text = manifest._replace(version="1" * 24).to_bytes().decode()
    assert len(text.split("\n", maxsplit=1)[0]) < 96
    assert parse(text) == manifest._replace(version="1" * 24)
    assert set(json.loads(text)) == {"version", "build", "board", "files"}


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"version": "1"}', '{"files": 3}'])
def test_a_manifest_that_makes_no_sense_is_none(text: str) -> None:
    assert parse(text) is None


def test_the_build_is_of_modules_and_starters_and_not_of_the_board() -> None:
    one: Manifest = manifest_of({**NEW, "board.json": b"1"}, "reference", STARTERS)
    assert one.build == manifest_of({**NEW, "board.json": b"2"}, "other", STARTERS).build
    assert one.build != manifest_of(OLD, "reference", STARTERS).build
    assert one.build != manifest_of(NEW, "reference", OTHER_STARTERS).build
    assert set(one.files) == set(NEW), "the starters are at the root, not in the folder"
