"""Figures of what a kill costs: a host is killed while it plays, and what it told is looked for.

Each kill has a seed. With an even one the process is killed from outside, after some of its lines
and in the middle of one; with an odd one it kills itself at a call to the disk (victim.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.archive.files import GameFile
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.errors import one_line
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record, format_record, last
from tests.lab.figures import Figure, shown
from tests.lab.side_by_side import Progress, do_all
from tests.lab.victim import LIFTS
from ttykm.game import digest
from ttykm.layout import NOBODY

_CLONE = Path(__file__).resolve().parents[2]
_MOST_LINES = 250
_MOST_BYTES = 60
_MOST_CALLS = 200
_PATIENCE_S = 120.0
_GOES_ON = ("*", IN_PROGRESS)
_WINNERS = {"white": RESULTS[0], "black": RESULTS[1], "draw": RESULTS[2]}


@dataclass
class Told:
    """What was told of one game: its turns, its result and how it ended.

    `may_shrink` says that the last turn may just have been taken back.
    """

    turns: list[str] = field(default_factory=list)
    end: tuple[str, str] = _GOES_ON
    may_shrink: bool = False

    def hear(self, happening: dict[str, Any]) -> None:
        if "turn" in happening:
            self.turns.append(happening["turn"])
            self.may_shrink = False
        elif "taken_back" in happening:
            self.turns.pop()
            self.end = _GOES_ON
            self.may_shrink = False
        elif "game_over" in happening:
            self.end = _WINNERS[happening["game_over"]], happening["by"]
        elif LIFTS in happening:
            self.may_shrink = True

    def problem(self, record: Record, is_last: bool) -> str:
        """Return what is wrong with a record of it, "" for nothing.

        The game that was being played may be one step ahead of what was told.
        """
        found = [format_turn(turn) for turn in record.turns]
        fits = [self.turns, self.turns[:-1]] if self.may_shrink else [self.turns]
        if is_last:
            fits.append([*self.turns, *found[len(self.turns) :][:1]])
        if found not in fits:
            return f"{self.turns} was told, {found} is on disk"
        end = record.headers["Result"], record.headers["Termination"]
        told = self.end if len(found) >= len(self.turns) else _GOES_ON
        if end != told and (told != _GOES_ON or not is_last):
            return f"{told} was told, {end} is on disk"
        return ""


@dataclass
class Outcome:
    """What became of one killed host: `turns` that it told, files with a last line `torn`."""

    seed: int
    games: int = 0
    turns: int = 0
    torn: int = 0
    lost: list[str] = field(default_factory=list)


def play(seed: int) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="chronotable-") as name:
        folder = Path(name)
        outcome = Outcome(seed)
        lines, errors = _kill(folder, Random(seed), is_inside=bool(seed % 2))
        if errors:
            outcome.lost.append(errors.splitlines()[-1])
        _look(folder, _heard(lines), outcome)
        return outcome


def measure(games: int, report: Progress) -> list[Figure]:
    outcomes = do_all(play, range(games), report)
    lost = [f"seed {each.seed}: {what}" for each in outcomes for what in each.lost]
    counts = {
        "kills": len(outcomes),
        "games": sum(each.games for each in outcomes),
        "turns": sum(each.turns for each in outcomes),
        "torn": sum(each.torn for each in outcomes),
        "lost": len(lost),
    }
    return [Figure("kills", counts, remark=shown(lost))]


def _kill(folder: Path, rng: Random, is_inside: bool) -> tuple[list[bytes], str]:
    calls = rng.randrange(1, _MOST_CALLS) if is_inside else 0
    words = ["-m", "tests.lab.victim", str(folder), str(rng.getrandbits(32))]
    with subprocess.Popen(
        [sys.executable, *words, str(calls)],
        cwd=_CLONE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        watch = threading.Timer(_PATIENCE_S, process.kill)
        watch.start()
        heard = b""
        if not is_inside:
            for _ in range(rng.randrange(1, _MOST_LINES)):
                heard += process.stdout.readline()
            heard += process.stdout.read(rng.randrange(_MOST_BYTES))
            process.kill()
        heard += process.stdout.read()
        errors = process.stderr.read().decode("utf-8", "replace")
        watch.cancel()
    *lines, _cut = heard.split(b"\n")
    return lines, errors


def _heard(lines: Sequence[bytes]) -> dict[str, Told]:
    """Return what was told of each game, by the name of its file, the last one last."""
    found: dict[str, Told] = {}
    name = ""
    for line in lines:
        happening = json.loads(line)
        name = happening.get("file") or name
        if name:
            found.setdefault(name, Told()).hear(happening)
    return found


def _look(folder: Path, told: dict[str, Told], outcome: Outcome) -> None:
    """Compare what is on disk with what was told, and go on with it."""
    outcome.games = len(told)
    outcome.turns = sum(len(each.turns) for each in told.values())
    *_, newest = told or [""]
    files = {path.name: path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    strangers = files.keys() - told.keys()
    outcome.lost += [f"{name} is gone" for name in told.keys() - files.keys()]
    if len(strangers) > 1:
        outcome.lost.append(f"nobody was told of {sorted(strangers)}")
    with Archive(folder) as archive:
        outcome.lost += [f"{each.file}: {each.problem}" for each in archive.problems()]
        listed = {entry.file for entry in archive.games()}
        outcome.lost += [f"{name} is not listed" for name in files.keys() - listed]
    for name, path in files.items():
        try:
            reading = read(path)
            outcome.torn += "cut short" in reading.note
            is_last = name == newest or name in strangers
            problem = told.get(name, Told()).problem(reading.record, is_last)
            problem = problem or _go_on(path, reading.record)
        except Exception as error:
            problem = one_line(error) or repr(error)
        if problem:
            outcome.lost.append(f"{name}: {problem}")


def _go_on(path: Path, record: Record) -> str:
    """Go on with a game by one more turn; return what was wrong, "" for nothing."""
    with GameFile.resume(path) as game:
        if game.record.turns != record.turns:
            return "another game was resumed"
        position = last(game.record.replay())
        if game.record.headers["Result"] == "*" and position.winner() == NOBODY:
            number, before = len(record.turns) + 1, digest(position.state)
            game.append(number, before, next(iter(position.legal_turns())))
        if path.read_text("utf-8") != format_record(game.record):
            return "what was written is not the record"
    return ""
