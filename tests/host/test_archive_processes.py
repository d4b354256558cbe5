"""Several processes at one archive, and one that is killed in the middle of an import."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from chronotable_host.archive.files import GameFile, read
from chronotable_host.archive.store import Archive
from chronotable_host.rules.record import format_record
from tests import sweep
from tests.host.archives import TURNS, played, turn_texts

pytestmark = pytest.mark.usefixtures("home")

_PATIENCE_S = 120

BUSY = """
import sys
from pathlib import Path
from random import Random
from chronotable_host.archive.files import parse_records
from chronotable_host.archive.store import Archive
from tests.host.archives import append
from chronotable_host.rules.record import Record

folder, url, evening, seed, rounds, turns = sys.argv[1:]
records = parse_records(Path(evening).read_text("utf-8"), evening)
rng = Random(int(seed))
sys.stdin.readline()
for _ in range(int(rounds)):
    with Archive(Path(folder), url or None) as archive:
        does = rng.choice(["import", "play", "rebuild", "look"])
        if does == "import":
            archive.store(rng.sample(records, 12))
        elif does == "play":
            record = Record()
            record.headers["White"] = "live"
            with archive.new_game(record) as game:
                for turn in turns.split(","):
                    append(game, turn)
                    archive.refresh()
        elif does == "rebuild":
            archive.rebuild()
        assert not archive.problems(), archive.problems()
        archive.games()
print("done")
"""

RACING = """
import json, sys
from pathlib import Path
from random import Random
from chronotable_host.archive.files import GameFile, OutOfStepError
from ttykm.game import digest
from chronotable_host.rules.record import last

path, log, seed = sys.argv[1:]
rng = Random(int(seed))
told = []
sys.stdin.readline()
while True:
    try:
        with GameFile.resume(Path(path)) as game:
            position = last(game.record.replay())
            number, turns = len(game.record.turns) + 1, list(position.legal_turns())
            if number > 60 or not turns:
                break
            turn = rng.choice(turns)
            game.append(number, digest(position.state), turn)
            told.append([number, turn])
    except OutOfStepError:
        pass
Path(log).write_text(json.dumps(told))
print("done")
"""

IMPORTING = """
import os, sys
from pathlib import Path
from chronotable_host.archive import disk
from chronotable_host.archive.files import parse_records
from chronotable_host.archive.store import Archive

class Dying:
    left = int(sys.argv[3])
    def __getattr__(self, name):
        if name in ("write", "fsync", "replace"):
            Dying.left -= 1
            if Dying.left < 0:
                os.kill(os.getpid(), 9)
        return getattr(os, name)

records = parse_records(Path(sys.argv[2]).read_text("utf-8"), "x")
disk.os = Dying()
Archive(Path(sys.argv[1])).store(records)
"""


def evening(tmp_path: Path, games: int) -> Path:
    """Write a file with so many games."""
    file = tmp_path / "evening.ttykm"
    file.write_text("\n".join(format_record(played(f"no. {n}")) for n in range(games)), "utf-8")
    return file


def all_at_once(programs: Sequence[Sequence[str]]) -> None:
    """Run Python programs, which wait for a line, and see that all end well."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for words in programs
    ]
    try:
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process, words in zip(processes, programs, strict=True):
            out, err = process.communicate(timeout=_PATIENCE_S)
            assert (process.returncode, out, err) == (0, "done\n", ""), words[1:]
    finally:
        for process in processes:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("where", ["in the folder", "elsewhere"])
def test_processes_that_do_everything_at_once(where: str, tmp_path: Path, home: Path) -> None:
    """The seeds say what each process does, not when: that differs each time."""
    url = f"sqlite:///{tmp_path / 'elsewhere'}" if where == "elsewhere" else ""
    file = evening(tmp_path, 30)
    seeds, rounds = (1, 2, 3), str(sweep.size(3, 5))
    all_at_once(
        [[BUSY, str(home), url, str(file), str(seed), rounds, ",".join(TURNS)] for seed in seeds]
    )
    with Archive(home, url or None) as archive:
        known = archive.games()
        assert archive.problems() == []
        archive.rebuild()
        assert archive.games() == known, seeds
        names = [game.white for game in known if game.imported]
        assert len(set(names)) == len(names) > 12, seeds
        live = [archive.read(game).record for game in known if not game.imported]
    assert live
    assert all(turn_texts(record) == TURNS for record in live)


@pytest.mark.parametrize("seed", range(sweep.size(1, 3)))
def test_processes_that_play_on_in_one_file(seed: int, tmp_path: Path) -> None:
    """Who is told that a turn is in the file finds it there, and no other one in its place."""
    with GameFile.create(tmp_path, played(turns=[])) as game:
        pass
    logs = [tmp_path / f"{number}.json" for number in range(3)]
    all_at_once([[RACING, str(game.path), str(log), f"{seed}{at}"] for at, log in enumerate(logs)])
    told = sorted(turn for log in logs for turn in json.loads(log.read_text()))
    reading = read(game.path)
    assert reading.note == ""
    assert told == [list(pair) for pair in enumerate(reading.record.turns, 1)], seed


def test_processes_that_import_the_same_games(tmp_path: Path, home: Path) -> None:
    file = evening(tmp_path, 40)
    importing = BUSY.replace('rng.choice(["import", "play", "rebuild", "look"])', '"import"')
    importing = importing.replace("rng.sample(records, 12)", "records")
    all_at_once([[importing, str(home), "", str(file), str(seed), "1", ""] for seed in range(3)])
    with Archive() as archive:
        assert sorted(game.white for game in archive.games()) == sorted(
            f"no. {number}" for number in range(40)
        )
    assert len(list((home / "imported").iterdir())) == 40


@pytest.mark.parametrize("seed", range(sweep.size(2, 4)))
def test_an_import_that_is_killed_is_completed_by_the_next(
    seed: int, tmp_path: Path, home: Path
) -> None:
    file = evening(tmp_path, 20)
    calls = random.Random(seed).randrange(60)
    process = subprocess.run(
        [sys.executable, "-c", IMPORTING, str(home), str(file), str(calls)],
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    assert process.returncode != 0, (seed, process.stderr)
    assert process.stderr == b"", (seed, process.stderr)
    with Archive() as archive:
        before = {game.white for game in archive.games()}
        assert archive.problems() == [], seed
        assert len(before) == calls // 3, seed
        stored = archive.import_text(file.read_text("utf-8"))
        assert sum(game.is_duplicate for game in stored) == len(before), seed
        names = [game.white for game in archive.games()]
        assert sorted(names) == sorted(f"no. {number}" for number in range(20)), seed
    assert len(list((home / "imported").glob("*.ttykm"))) == 20
