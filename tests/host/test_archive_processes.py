"""Several processes at one archive, and one that is killed in the middle of an import."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from chronotable_host.archive.files import GameFile, OutOfStepError
from chronotable_host.archive.parsing import parse_records, read
from chronotable_host.archive.store import Archive
from chronotable_host.rules.record import Record, format_record, last
from tests import lanes, sweep
from tests.host.archives import TURNS, append, played, turn_texts
from ttykm.game import digest

pytestmark = pytest.mark.usefixtures("home")

_PATIENCE_S = 120

_PROCESSES = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
_PROCESSES.set_forkserver_preload([__name__])  # imported once, and not by each process again


def busy(
    folder: Path, url: str, evening: Path, seed: int, rounds: int, choices: Sequence[str]
) -> None:
    """Do so many things with an archive, by chance."""
    records = parse_records(evening.read_text("utf-8"), str(evening))
    rng = random.Random(seed)
    for _ in range(rounds):
        with Archive(folder, url or None) as archive:
            does = rng.choice(choices)
            if does == "import all":
                archive.store(records)
            elif does == "import":
                archive.store(rng.sample(records, 12))
            elif does == "play":
                record = Record()
                record.headers["White"] = "live"
                with archive.new_game(record) as game:
                    for turn in TURNS:
                        append(game, turn)
                        archive.refresh()
            elif does == "rebuild":
                archive.rebuild()
            assert not archive.problems(), archive.problems()
            archive.games()


def racing(path: Path, log: Path, seed: str) -> None:
    """Play random turns in a game that others play on in, too; log those that it was told of."""
    rng = random.Random(seed)
    told = []
    while True:
        try:
            with GameFile.resume(path) as game:
                position = last(game.record.replay())
                number, turns = len(game.record.turns) + 1, list(position.legal_turns())
                if number > 60 or not turns:
                    break
                turn = rng.choice(turns)
                game.append(number, digest(position.state), turn)
                told.append([number, turn])
        except OutOfStepError:
            pass
    log.write_text(json.dumps(told))


IMPORTING = """
import os, sys
from pathlib import Path
from chronotable_host.archive import disk
from chronotable_host.archive.parsing import parse_records
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


def begun(ready: Barrier, errors: Path, work: Callable[..., None], words: Sequence[object]) -> None:
    """Work as soon as all processes are ready; leave the traceback of what goes wrong."""
    try:
        warnings.simplefilter("error")
        ready.wait(_PATIENCE_S)
        work(*words)
    except BaseException:
        errors.write_text(traceback.format_exc())
        raise


def all_at_once(
    work: Callable[..., None], each: Sequence[Sequence[object]], tmp_path: Path
) -> None:
    """Do some work in a process for each list of arguments, and see that all end well."""
    ready = _PROCESSES.Barrier(len(each))
    errors = [tmp_path / f"{number}.error" for number in range(len(each))]
    processes = [
        _PROCESSES.Process(target=begun, args=(ready, error, work, words))
        for error, words in zip(errors, each, strict=True)
    ]
    try:
        for process in processes:
            process.start()
        for process, words, error in zip(processes, each, errors, strict=True):
            process.join(_PATIENCE_S)
            said = error.read_text() if error.exists() else ""
            assert process.exitcode == 0, f"{words}\n{said}"
    finally:
        for process in processes:
            if process.pid is not None:
                process.kill()
                process.join()


@pytest.mark.parametrize("where", ["in the folder", "elsewhere"])
def test_processes_that_do_everything_at_once(where: str, tmp_path: Path, home: Path) -> None:
    """The seeds say what each process does, not when: that differs each time."""
    url = f"sqlite:///{tmp_path / 'elsewhere'}" if where == "elsewhere" else ""
    file = evening(tmp_path, 30)
    seeds, rounds = (1, 2, 3), sweep.size(3, 5)
    does = ["import", "play", "rebuild", "look"]
    all_at_once(busy, [[home, url, file, seed, rounds, does] for seed in seeds], tmp_path)
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
    all_at_once(racing, [[game.path, log, f"{seed}{at}"] for at, log in enumerate(logs)], tmp_path)
    told = sorted(turn for log in logs for turn in json.loads(log.read_text()))
    reading = read(game.path)
    assert reading.note == ""
    assert told == [list(pair) for pair in enumerate(reading.record.turns, 1)], seed


def test_processes_that_import_the_same_games(tmp_path: Path, home: Path) -> None:
    file = evening(tmp_path, 40)
    all_at_once(busy, [[home, "", file, seed, 1, ["import all"]] for seed in range(3)], tmp_path)
    with Archive() as archive:
        assert sorted(game.white for game in archive.games()) == sorted(
            f"no. {number}" for number in range(40)
        )
    assert len(list((home / "imported").iterdir())) == 40


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 4)))
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
