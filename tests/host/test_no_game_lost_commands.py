"""The same with the real commands, several at one archive, and killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive.naming import script_path
from chronotable_host.archive.parsing import read
from chronotable_host.live.filing import SOURCE
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.record import Record, format_record
from tests import lanes, sweep
from tests.host.archives import TURNS, played, random_record
from tests.lab import kills
from tests.lab.figures import BUDGETS
from tests.lab.kills import Told
from tests.lab.side_by_side import do_all

COMMAND = [sys.executable, "-m", "chronotable_host"]


class Programs:
    """The commands that run."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self._environment = {**os.environ, "CHRONOTABLE_HOME": str(home)}
        self._stack = stack

    def start(self, *args: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
        )
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        return process

    def run(self, *args: str) -> str:
        process = self.start(*args)
        out, err = process.communicate()
        assert process.returncode == 0, (args, out, err)
        return out


def told(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Yield what a program tells; it may not end meanwhile."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)
    _, err = process.communicate()
    raise AssertionError(err)


def quit_of(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate("quit\n")
    assert process.returncode == 0, err


def turns_of(record: Record) -> tuple[str, ...]:
    return tuple(format_turn(turn) for turn in record.turns)


@pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")
@lanes.full
def test_games_of_several_tables_in_one_archive(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with ExitStack() as stack:
        programs = Programs(home, stack)
        scripts = []
        for seed, turns in (("1", "2"), ("2", "4")):
            words = ["--seed", seed, "--turns", turns, "--white", "random", "--black", "random"]
            programs.run("try", "--headless", "--quiet", "--events", *words)
            scripts.append(script_path(sorted(home.glob("*.ttykm"))[-1]))
        games = [read(script.parent / _record_of(script)) for script in scripts]
        tried = [turns_of(game.record) for game in games]
        assert [len(turns) for turns in tried] == [2, 4]

        ports = []
        playing = []
        for number in range(len(tried)):
            table = programs.start("table", "--serve", "pty", "--script", str(scripts[number]))
            ports.append(next(told(table))["serving"])
            elsewhere = ["--archive", str(tmp_path / "elsewhere")]
            early = programs.start("play", "--json", "--port", ports[number], *elsewhere)
            for happening in told(early):
                if "started" in happening:  # the next one comes to a game that has begun
                    break
            quit_of(early)
            playing.append(programs.start("play", "--json", "--port", ports[number]))
        for play, game in zip(playing, games, strict=True):  # both tables are played at by now
            end = format_position(game.states[-1])
            for happening in told(play):
                # who comes late is told where the game stands
                at = "position" if "turn" in happening else "joined"
                if happening.get(at) == end:
                    break
        file = tmp_path / "evening.ttykm"
        imported = random_record(3, 5)
        file.write_text(format_record(imported), "utf-8")
        programs.run("import", str(file))
        for play in playing:
            quit_of(play)
        again = programs.start("play", "--json", "--port", ports[0])
        for happening in told(again):
            if "joined" in happening:
                break
        quit_of(again)
        listed = json.loads(programs.run("games", "--json"))

    records = [read(path).record for path in [*home.glob("*.ttykm"), *home.glob("*/*.ttykm")]]
    expected = Counter([*tried, *tried, turns_of(imported)])
    assert Counter(turns_of(record) for record in records) == expected
    sources = [record.headers[SOURCE] for record in records if SOURCE in record.headers]
    assert len(set(sources)) == len(sources) == 4
    assert len(listed) == 5
    assert not list((tmp_path / "elsewhere").glob("*.ttykm")), "no turn was taken there"


def _record_of(script: Path) -> str:
    return script.name.replace(".script.jsonl", ".ttykm")


# ---------------------------------------------------------------- killed

SEEDS = range(sweep.size(2, 5))


@lanes.gate
def test_a_killed_host_has_lost_nothing() -> None:
    """Whole tables with mirror and archive, killed from outside and in the middle of a write."""
    outcomes = do_all(kills.play, SEEDS)
    for outcome in outcomes:
        assert not outcome.lost, f"seed {outcome.seed}: {outcome.lost}"
    assert sum(outcome.turns for outcome in outcomes) > 10


@pytest.mark.parametrize(
    ("lines", "is_last", "fits"),
    [
        ([{"turn": text} for text in TURNS], False, True),
        ([{"turn": text} for text in TURNS[:3]], True, True),  # one step ahead
        ([{"turn": text} for text in TURNS[:3]], False, False),  # though the next game has begun
        ([{"turn": text} for text in TURNS[:2]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]] + [{"lifts": True}], True, True),
        ([{"turn": text} for text in TURNS] + [{"taken_back": TURNS[3]}], False, False),
        ([{"turn": text} for text in TURNS] + [{"game_over": "draw", "by": "agreed"}], True, False),
        (
            [{"turn": text} for text in [*TURNS, "1 S S >past"]]
            + [{"game_over": "black", "by": "normal"}, {"lifts": True}],
            True,
            True,
        ),
    ],
)
def test_what_counts_as_lost(lines: list[dict[str, object]], is_last: bool, fits: bool) -> None:
    told = Told()
    for line in lines:
        told.hear(line)
    assert (told.problem(played(), is_last) == "") is fits


def test_the_figure_has_a_budget() -> None:
    assert BUDGETS["kills"].at_most == {"lost": 0}
