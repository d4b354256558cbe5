"""Many who read the archive at once, and how long each of them and the page itself wait.

A real server beside a virtual table, as `try` has it, and an archive of thousands of games. Twelve
readers ask for one game after another, as fast as they are answered; one leafs through the list,
and one asks for the page itself, with a moment in between.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from chronotable_host.archive.index import Row, digest, row_of
from chronotable_host.archive.naming import SUFFIX, game_id
from chronotable_host.archive.opening import IndexLocation, open_index
from chronotable_host.rules.record import Record, format_record
from tests.lab.figures import Figure, spread
from tests.lab.page import served
from tests.lab.positions import random_game
from tests.lab.side_by_side import Progress
from ttykm.layout import NOBODY

READERS = 12
_ASKED = 100  # by each reader
_COURSES = 200  # different ones: the games are these, by different players
_MOST_TURNS = 30
_PAGE = 50  # games of the list at a time
_PATIENCE_S = 60.0
_MOMENT_S = 0.05


def measure(games: int, report: Progress) -> list[Figure]:
    with TemporaryDirectory(prefix="chronotable-readers-") as folder:
        ids = fill(Path(folder), games, report)
        with served(Path(folder)) as url:
            found = _read(url, ids, report)
    return [
        Figure(key, {name: round(value, 1) for name, value in spread(found[key]).items()})
        for key in ("readers_game", "readers_page", "readers_list")
    ]


def fill(folder: Path, games: int, report: Progress) -> list[str]:
    courses = [random_record(seed) for seed in range(min(games, _COURSES))]
    index = open_index(IndexLocation(folder))
    rows: list[tuple[str, Row]] = []
    for number in range(games):
        if number % 1000 == 0:
            report(number, games)
        record = courses[number % len(courses)]
        record.headers["White"] = f"Player {number // len(courses)}"
        text = format_record(record)
        day, minute = divmod(number, 1440)
        name = (
            f"2026-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d}T{minute // 60:02d}{minute % 60:02d}"
        )
        file = f"{name}-{number * 2654435761 % 2**32:08x}{SUFFIX}"
        (folder / file).write_text(text, "utf-8")
        rows.append((file, row_of(record, digest(record))))
    index.add(rows)
    index.close()
    return [game_id(Path(file)) for file, _ in rows]


def random_record(seed: int) -> Record:
    """Return a game of random turns, each after as long as people think."""
    game = random_game(seed, _MOST_TURNS)
    record = Record()
    for at, turn in enumerate(game.turns):
        record.add(turn, f"{9.5 * at:.2f} s, certain")
    if game.winner() != NOBODY:
        record.finish(("1-0", "0-1")[game.winner()], "normal")
    record.headers.update({"Black": f"Opponent {seed}", "Date": "2026-11-20"})
    return record


def _read(url: str, ids: list[str], report: Progress) -> dict[str, list[float]]:
    """Return how many milliseconds each answer took, by figure; raises RuntimeError."""
    rng = Random(0)
    offsets = range(0, len(ids), _PAGE)
    ends = threading.Event()

    def game() -> str:
        return f"/api/games/{rng.choice(ids)}"

    def some_of_list() -> str:
        return f"/api/games?limit={_PAGE}&offset={rng.choice(offsets)}"

    def is_over(_count: int) -> bool:
        return ends.wait(_MOMENT_S)

    _ask(url, game, lambda count: count == 1)  # opens the archive
    with ThreadPoolExecutor(READERS + 2) as pool:
        beside = {
            "readers_page": pool.submit(_ask, url, lambda: "/", is_over),
            "readers_list": pool.submit(_ask, url, some_of_list, is_over),
        }
        reading = [
            pool.submit(_ask, url, game, lambda count: count == _ASKED) for _ in range(READERS)
        ]
        times: list[float] = []
        try:
            for done, each in enumerate(reading, 1):
                times += each.result()
                report(done, READERS)
        finally:
            ends.set()
    return {"readers_game": times, **{key: each.result() for key, each in beside.items()}}


def _ask(url: str, path: Callable[[], str], is_over: Callable[[int], bool]) -> list[float]:
    """Ask again and again on one connection; return how many milliseconds each answer took."""
    times: list[float] = []
    asking = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_S)
    with closing(asking):
        while not is_over(len(times)):
            wanted = path()
            begun = time.perf_counter()
            asking.request("GET", wanted)
            answer = asking.getresponse()
            answer.read()
            times.append((time.perf_counter() - begun) * 1000)
            if answer.status != http.client.OK:
                raise RuntimeError(f"{wanted} is answered with {answer.status}")
    return times
