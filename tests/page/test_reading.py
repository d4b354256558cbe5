"""The archive read in other processes: the same answers, and none of them outlives who asks."""

from __future__ import annotations

import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.web.http.json_text import json_text
from chronotable_host.web.study import reading
from chronotable_host.web.study.games import Games, NoSuchGame
from chronotable_host.web.study.reading import GamesElsewhere
from tests import lanes
from tests.page.test_games import START, keep, random_game
from ttykm.objects import GROWTH

WAIT_S = 60


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One for all: processes that read are started once."""
    folder = tmp_path_factory.mktemp("archive")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHRONOTABLE_HOME", str(folder))
        patch.delenv("CHRONOTABLE_DB", raising=False)
        yield folder


@pytest.fixture(scope="module")
def ids(own_home: Path) -> list[str]:
    records = [random_game(1), random_game(2, GROWTH), random_game(3)]
    return [keep(own_home, number, record) for number, record in enumerate(records)]


@pytest.fixture(scope="module")
def elsewhere(own_home: Path, ids: list[str]) -> Iterator[GamesElsewhere]:
    with closing(GamesElsewhere(own_home)) as games:
        yield games


@lanes.gate
def test_the_answers_are_those_of_the_archive(elsewhere, own_home, ids):
    with closing(Games(own_home)) as here:
        assert elsewhere.game(ids[0]) == here.game(ids[0])
        assert elsewhere.stories(ids[0]) == json_text(here.stories(ids[0]))
        assert elsewhere.list("Ada", "", 50, 0) == json_text(here.list("Ada", "", 50, 0))
        assert elsewhere.record(ids[2]) == here.record(ids[2])
        assert elsewhere.position(START) == here.position(START)
        assert elsewhere.picture(START) == here.picture(START)


def test_what_is_refused_there_is_refused_here(elsewhere, ids):
    with pytest.raises(NoSuchGame, match="no game of that id"):
        elsewhere.game("nothing")
    with pytest.raises(LockedError, match="unlock"):
        elsewhere.game(ids[1])
    with pytest.raises(UserError, match="a result is one of"):
        elsewhere.list("", "3-0", 50, 0)


def test_a_chapter_that_is_unlocked_later_is_unlocked_there(elsewhere, ids):
    with pytest.raises(LockedError):
        elsewhere.record(ids[1])
    chapters.unlock_to(1)
    try:
        assert json.loads(elsewhere.game(ids[1]))["id"] == ids[1]
    finally:
        chapters.path().unlink()


def test_a_fault_of_ours_is_told_with_its_traceback(elsewhere):
    with pytest.raises(RuntimeError, match=r"(?s)Traceback.*casefold"):
        elsewhere.record(None)
    assert elsewhere.list("", "", 50, 0)


@lanes.gate
def test_a_process_that_was_killed_is_replaced(elsewhere, ids):
    for process in elsewhere._all:
        process._place.end()
    assert json.loads(elsewhere.game(ids[0]))["id"] == ids[0]


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="nothing can be stopped here")
@lanes.gate
def test_a_game_that_is_read_for_too_long_is_given_up(own_home, ids, monkeypatch):
    with closing(GamesElsewhere(own_home)) as games:
        assert games.list("", "", 50, 0)
        monkeypatch.setattr(reading, "_GAME_S", 0.1)
        os.kill(games._all[0]._place._process.pid, signal.SIGSTOP)
        with pytest.raises(UserError, match="takes too long to be read"):
            games.game(ids[0])
        monkeypatch.undo()
        assert json.loads(games.game(ids[0]))["id"] == ids[0]


@lanes.gate
def test_processes_that_are_killed_again_and_again(own_home, monkeypatch):
    monkeypatch.setattr("chronotable_host.elsewhere._serve", _die)
    with closing(GamesElsewhere(own_home)) as games, pytest.raises(UserError, match="was ended"):
        games.list("", "", 50, 0)


def _die(*_given: object) -> None:
    os._exit(1)


def test_closing_waits_for_nobody(own_home, monkeypatch):
    """Who is waiting for an answer is refused, and so is who asks afterwards."""
    monkeypatch.setattr("chronotable_host.elsewhere._serve", _hang)
    games = GamesElsewhere(own_home)
    refused: list[str] = []

    def ask() -> None:
        try:
            games.list("", "", 50, 0)
        except UserError as error:
            refused.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while not games._all:
        asking.join(0.001)
    games.close()
    asking.join(WAIT_S)
    ask()
    assert len(refused) == 2


def test_a_process_begins_when_none_is_idle(own_home, monkeypatch):
    with closing(GamesElsewhere(own_home)) as games:
        for _ in range(2):
            games.list("", "", 50, 0)
            assert len(games._all) == 1
    monkeypatch.setattr("chronotable_host.elsewhere._serve", _hang)
    games = GamesElsewhere(own_home)
    with ThreadPoolExecutor(reading.PROCESSES + 1) as pool:
        asked = [pool.submit(games.list, "", "", 50, 0) for _ in range(reading.PROCESSES + 1)]
        while len(games._all) < reading.PROCESSES:
            concurrent.futures.wait(asked, 0.001)
        games.close()
        assert all(isinstance(each.exception(WAIT_S), UserError) for each in asked)
    assert len(games._all) == reading.PROCESSES


def _hang(*_given: object) -> None:
    threading.Event().wait()


ASKS = """
import os, signal, sys
from pathlib import Path
from chronotable_host.web.study.reading import GamesElsewhere
games = GamesElsewhere(Path(sys.argv[1]))
print(len(games.list("", "", 50, 0)) > 0, flush=True)
os.kill(os.getpid(), int(sys.argv[2])) if sys.argv[2] != "0" else None
"""


@lanes.gate
@pytest.mark.parametrize("end", [0, getattr(signal, "SIGKILL", 0)], ids=["ends", "is killed"])
def test_none_outlives_the_program(own_home, end):
    """The output of the program is at its end when all who have it are gone."""
    told = subprocess.run(
        [sys.executable, "-c", ASKS, str(own_home), str(int(end))],
        capture_output=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (told.returncode, told.stdout.split(), told.stderr) == (-end, [b"True"], b"")
