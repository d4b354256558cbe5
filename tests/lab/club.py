"""`python -m tests.lab.club`: many tables of a club at Mosquitto and PostgreSQL.

How long a turn takes from the table to the wall, and what it costs, from 10 to 1,000 tables. What
is killed, forged or slow is tests/club's.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.lab.club_tables import Made, Traffic, begun, record, work
from tests.lab.mosquitto import Mosquitto
from tests.lab.ports import free_port
from tests.lab.postgresql import Postgresql

_GAMES = 6
_PROCESSES = 4
_START_S = 120.0
_TICKS = os.sysconf("SC_CLK_TCK")

app = typer.Typer(add_completion=False)


class Wall:
    """A spectator: notes when it sees which turn."""

    def __init__(self, port: int) -> None:
        self.seen: dict[tuple[str, str, int], float] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.messages = self.bytes = 0
        self._port = port
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ends.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._ends.is_set():
            with contextlib.suppress(OSError, WebSocketException):
                self._look_on()
            self._ends.wait(0.2)

    def _look_on(self) -> None:
        with connect(f"ws://127.0.0.1:{self._port}/ws", max_size=None) as line:
            while not self._ends.is_set():
                with contextlib.suppress(TimeoutError):
                    self._hear(line.recv(1.0))

    def _hear(self, text: str | bytes) -> None:
        now_s = time.time()
        self.messages += 1
        self.bytes += len(text)
        message = json.loads(text)
        for told in message.get("tables", ()):
            self.tables[told["id"]] = told
            game = told["game"]
            if game:
                self.seen.setdefault((told["id"], game["id"], game["turns"]), now_s)


class Rig:
    """A club with all that it needs, in processes of their own."""

    def __init__(self, folder: Path, count: int, traffic: Sequence[Traffic], turn_s: float) -> None:
        self.database = Postgresql(folder / "database")
        self.broker = Mosquitto(folder / "broker")
        address = f"mqtt://127.0.0.1:{self.broker.port}"
        club, tokens = begun(folder / "club", count, address, self.database.url)
        port = free_port()
        words = ("club", "serve", "--folder", str(club.path), "--no-browser")
        with (folder / "hub.log").open("ab") as log:
            self.hub = subprocess.Popen(
                [
                    *(sys.executable, "-m", "chronotable_host", *words),
                    *("--listen", f"127.0.0.1:{port}"),
                ],
                stdout=log,
                stderr=log,
                env={**os.environ, "LANGUAGE": "en"},
            )
        self.wall = Wall(port)
        self.workers = []
        self._lines = []
        context = multiprocessing.get_context("spawn")
        processes = min(_PROCESSES, count)
        for at in range(processes):
            here, there = context.Pipe()
            own = tokens[at::processes]
            args = (there, own, club.broker, folder / "tables", traffic, turn_s, at)
            worker = context.Process(target=work, args=args, daemon=True)
            worker.start()
            self.workers.append(worker)
            self._lines.append(here)
        for line in self._lines:
            assert line.recv() == "ready"

    def wait(self, condition: Callable[[], bool]) -> float:
        started_s = time.monotonic()
        while not condition():
            if time.monotonic() - started_s > _START_S:
                raise AssertionError("this takes too long")
            time.sleep(0.05)
        return time.monotonic() - started_s

    def made(self) -> Iterator[Made]:
        """Yield the turns that were made since."""
        for line in self._lines:
            line.send("made")
        for line in self._lines:
            yield from line.recv()

    def costs(self) -> dict[str, Cost]:
        return {
            "hub": cost_of([self.hub.pid]),
            "broker": cost_of([self.broker.pid]),
            "database": cost_of(self.database.family()),
            "tables": cost_of([worker.pid or 0 for worker in self.workers]),
        }

    def close(self) -> None:
        for line, worker in zip(self._lines, self.workers, strict=True):
            line.send("end")
            worker.join(20)
        self.wall.close()
        self.hub.kill()
        self.hub.wait()
        self.broker.stop()
        self.database.stop()


class Cost(NamedTuple):
    """Seconds on the processors, and MB of memory."""

    cpu_s: float
    mb: float


def cost_of(pids: Sequence[int]) -> Cost:
    cpu_s = kb = 0.0
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
            memory = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8")
        except OSError:
            continue
        cpu_s += (int(words[11]) + int(words[12])) / _TICKS
        kb += next(int(row.split()[1]) for row in memory.splitlines() if row.startswith("Pss:"))
    return Cost(cpu_s, kb / 1024)


def measure(count: int, traffic: Sequence[Traffic], turn_s: float, for_s: float) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="club-lab-") as name,
        contextlib.closing(Rig(Path(name), count, traffic, turn_s)) as rig,
    ):
        tables = rig.wall.tables
        there = rig.wait(
            lambda: sum(it["state"] in ("playing", "over") for it in [*tables.values()]) == count
        )
        time.sleep(5)
        list(rig.made())
        rig.wall.messages = rig.wall.bytes = 0
        before, started_s = rig.costs(), time.monotonic()
        time.sleep(for_s)
        after, passed_s = rig.costs(), time.monotonic() - started_s
        made = list(rig.made())
        time.sleep(3)
        seen = rig.wall.seen
        late = sorted(1000 * (seen[it[:3]] - it[3]) for it in made if it[:3] in seen)
        found = {
            "tables": count,
            "turn_s": turn_s,
            "turns": len(made),
            "turns_a_second": round(len(made) / passed_s, 1),
            "p50_ms": round(_at(late, 0.5)),
            "p95_ms": round(_at(late, 0.95)),
            "max_ms": round(_at(late, 1.0)),
            "replaced": len(made) - len(late),  # a later turn of the table was shown at once
            "all_there_s": round(there, 1),
            "wall_kb_a_second": round(rig.wall.bytes / 1024 / passed_s, 1),
            "load": round(os.getloadavg()[0], 1),
        }
        for part, cost in after.items():
            found[f"{part}_cpu"] = round(100 * (cost.cpu_s - before[part].cpu_s) / passed_s, 1)
            found[f"{part}_mb"] = round(cost.mb, 1)
        return found


def _at(values: Sequence[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


@app.command()
def club(
    tables: Annotated[str, typer.Option(help="Sizes, as 10,100.")] = "10,100,300,1000",
    turn_s: Annotated[float, typer.Option(help="Between two turns of a table.")] = 30.0,
    for_s: Annotated[float, typer.Option(help="How long each size is measured.")] = 60.0,
) -> None:
    """Measure, and print a line of JSON for each size."""
    with multiprocessing.Pool(2) as pool:
        traffic = pool.map(record, range(_GAMES))
    for count in map(int, tables.split(",")):
        print(json.dumps(measure(count, traffic, turn_s, for_s)), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app()
