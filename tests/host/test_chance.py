"""Virtual tables are as many tables as there are: ids and random bits, but where a run repeats."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable_host.archive.parsing import read
from chronotable_host.cli import run
from chronotable_host.live.filing import SOURCE
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.virtual.chance import REPEATED, Chance, real, seeded
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.lines import into
from ttykm import layout

NAME = "reference"


def said(chance: Chance) -> list[dict[str, Any]]:
    """Return all that a table says on its line until a game has begun."""
    heard: list[dict[str, Any]] = []
    mirror = Mirror(lambda _happening: None)
    session = Session(mirror, into(heard))
    session.link.hello.unique_id = "1" * 12  # the PC's, and its numbers, are random too
    session.link.hello.session = 1
    table = VirtualTable.of(NAME, Random(0), chance=chance)
    table.attach(session)
    try:
        table.put_up(layout.new_state())
        table.run_until(3000)
    finally:
        table.close()
    assert mirror.table.peer is not None
    return [
        {
            "id": mirror.table.peer.unique_id,
            "boot": mirror.table.peer.boot,
            "source": mirror._heard_source,
        },
        *heard,
    ]


def test_two_tables_are_two() -> None:
    one, two = said(real())[0], said(real())[0]
    assert one["id"] != two["id"]
    assert one["source"][-8:] != two["source"][-8:]


@pytest.mark.parametrize("chance", [REPEATED, seeded("a run")], ids=["fixed", "seeded"])
def test_a_run_that_is_repeated_says_the_same_bytes(chance: Chance) -> None:
    assert said(chance) == said(chance)


def test_the_runs_of_two_seeds_are_of_two_tables() -> None:
    assert said(seeded("1"))[0]["id"] != said(seeded("2"))[0]["id"]


def tried(folder: Path, *words: str) -> tuple[str, str]:
    """Return the record of a game that was tried out, and whose game it is."""
    args = ["try", "--headless", "--quiet", "--turns", "2", "--archive", str(folder), *words]
    assert run(args) == 0
    newest = sorted(folder.glob("*.ttykm"))[-1]
    return newest.read_text("utf-8"), read(newest).record.headers[SOURCE]


@lanes.gate
def test_games_that_are_tried_out_have_sources_of_their_own(tmp_path: Path) -> None:
    games = [
        tried(tmp_path),
        tried(tmp_path),
        tried(tmp_path, "--seed", "1"),
        tried(tmp_path, "--seed", "2"),
        tried(tmp_path, "--seed", "1", "--white", "random"),
        tried(tmp_path, "--seed", "1", "--turns", "3"),
    ]
    assert len({source for _, source in games}) == len(games)
    assert tried(tmp_path, "--seed", "1") == games[2]
