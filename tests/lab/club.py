"""`python -m tests.lab.club`: many tables of a club at Mosquitto and PostgreSQL.

Without an option: how long a turn takes from the table to the wall, and what it costs, from 10 to
1,000 tables. With `--faults`: an hour of table time in which broker, database, hub and tables are
killed by chance; then every turn has to be there, once.
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
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Annotated, Any, NamedTuple

import sqlalchemy as sql
import typer
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from chronotable_club.messages import KEPT, LIVE, Channel, Live
from chronotable_club.register import deliveries
from chronotable_club.tokens import parse_token
from chronotable_far.broker.address import parse_broker
from chronotable_far.broker.client import BrokerClient
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.schema import games as indexed
from chronotable_host.rules.record import Record, format_record
from tests.lab.club_tables import Made, begun, work
from tests.lab.club_traffic import Traffic, record
from tests.lab.mosquitto import Mosquitto
from tests.lab.ports import free_port
from tests.lab.postgresql import Postgresql
from tests.lab.troubles import Trouble, Troubles

_GAMES = 6
_PROCESSES = 4
_START_S = 120.0
_PER_MINUTE = 14.4  # troubles
_AWAY_S = (1.0, 15.0)
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
        """Look on no more."""
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
        self.club, self.tokens = begun(folder / "club", count, address, self.database.url)
        self.port = free_port()
        self.log = (folder / "hub.log").open("ab")
        self.hub: subprocess.Popen[bytes] | None = None
        self.start_hub()
        self.wall = Wall(self.port)
        self.folder = folder / "tables"
        self._workers = []
        self.lines = []
        context = multiprocessing.get_context("spawn")
        for at in range(min(_PROCESSES, count)):
            here, there = context.Pipe()
            own = self.tokens[at :: min(_PROCESSES, count)]
            words = (there, own, self.club.broker, self.folder, traffic, turn_s, at)
            worker = context.Process(target=work, args=words, daemon=True)
            worker.start()
            self._workers.append(worker)
            self.lines.append(here)
        for line in self.lines:
            assert line.recv() == "ready"

    def start_hub(self) -> None:
        """Start the hub, as people do."""
        words = ("club", "serve", "--folder", str(self.club.path), "--no-browser")
        listen = ("--listen", f"127.0.0.1:{self.port}")
        self.hub = subprocess.Popen(
            [sys.executable, "-m", "chronotable_host", *words, *listen],
            stdout=self.log,
            stderr=self.log,
            env={**os.environ, "LANGUAGE": "en"},
        )

    def stop_hub(self) -> None:
        """End the hub as a crash would."""
        hub, self.hub = self.hub, None
        if hub is not None:
            hub.kill()
            hub.wait()

    def wait(self, condition: Any, patience_s: float = _START_S) -> float:
        """Wait until something is so; return how long that took."""
        started_s = time.monotonic()
        while not condition():
            if time.monotonic() - started_s > patience_s:
                raise AssertionError("this takes too long")
            time.sleep(0.05)
        return time.monotonic() - started_s

    def made(self) -> tuple[list[Made], float]:
        """Return the turns that were made since, and the tables' time on the processors."""
        for line in self.lines:
            line.send("made")
        found = [line.recv() for line in self.lines]
        return [each for made, _ in found for each in made], sum(spent for _, spent in found)

    def costs(self) -> dict[str, Cost]:
        """Return what each part has cost so far."""
        return {
            "hub": cost_of([self.hub.pid if self.hub else 0]),
            "broker": cost_of([self.broker.pid]),
            "database": cost_of(self.database.family()),
            "tables": cost_of([worker.pid or 0 for worker in self._workers]),
        }

    def end_tables(self, how: str = "close") -> None:
        """End the tables' programs."""
        for line in self.lines:
            line.send(how)
        for line, worker in zip(self.lines, self._workers, strict=False):
            line.recv()
            worker.join(20)
        self.lines.clear()

    def close(self, how: str = "close") -> None:
        """End everything."""
        self.end_tables(how)
        self.wall.close()
        self.stop_hub()
        self.broker.stop()
        self.database.stop()
        self.log.close()


class Cost(NamedTuple):
    """Seconds on the processors, and MB of memory."""

    cpu_s: float
    mb: float


def cost_of(pids: Sequence[int]) -> Cost:
    """Return what processes have cost."""
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


@contextmanager
def rigged(count: int, traffic: Sequence[Traffic], turn_s: float) -> Iterator[Rig]:
    """Have a rig in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="club-lab-") as name:
        yield Rig(Path(name), count, traffic, turn_s)


def record_games(count: int = _GAMES) -> list[Traffic]:
    """Record the traffic of so many games."""
    with multiprocessing.Pool(2) as pool:
        return pool.map(record, range(count))


# ---------------------------------------------------------------- scale


def measure(count: int, traffic: Sequence[Traffic], turn_s: float, for_s: float) -> dict[str, Any]:
    """Return how a club of so many tables does."""
    with rigged(count, traffic, turn_s) as rig:
        there = rig.wait(
            lambda: (
                sum(told["state"] in ("playing", "over") for told in rig.wall.tables.values())
                == count
            )
        )
        time.sleep(5)
        rig.made()
        rig.wall.messages = rig.wall.bytes = 0
        before, started_s = rig.costs(), time.monotonic()
        time.sleep(for_s)
        after, passed_s = rig.costs(), time.monotonic() - started_s
        made, _ = rig.made()
        time.sleep(3)
        seen = rig.wall.seen
        late = sorted(
            1000 * (seen[table, game, turns] - at_s)
            for table, game, turns, at_s in made
            if (table, game, turns) in seen
        )
        missed = len(made) - len(late)
        found = {
            "tables": count,
            "turn_s": turn_s,
            "turns": len(made),
            "turns_a_second": round(len(made) / passed_s, 1),
            "p50_ms": round(_at(late, 0.5)),
            "p95_ms": round(_at(late, 0.95)),
            "max_ms": round(_at(late, 1.0)),
            "replaced": missed,  # a later turn of the table was shown at once
            "all_there_s": round(there, 1),
            "wall_kb_a_second": round(rig.wall.bytes / 1024 / passed_s, 1),
            "load": round(os.getloadavg()[0], 1),
        }
        for name, cost in after.items():
            found[f"{name}_cpu"] = round(100 * (cost.cpu_s - before[name].cpu_s) / passed_s, 1)
            found[f"{name}_mb"] = round(cost.mb, 1)
        rig.close("leave")
        return found


def _at(values: Sequence[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


# ---------------------------------------------------------------- faults


def befall(
    count: int, traffic: Sequence[Traffic], turn_s: float, for_s: float, seed: int
) -> dict[str, Any]:
    """Kill what can be killed by chance, for so long; return what is there in the end."""
    rng = Random(seed)
    with rigged(count, traffic, turn_s) as rig:
        database = rig.database
        troubles = Troubles(
            rng,
            _PER_MINUTE,
            [
                Trouble("broker", rig.broker.stop, rig.broker.start, _AWAY_S),
                Trouble("hub", rig.stop_hub, rig.start_hub, _AWAY_S),
                Trouble("table", lambda: rng.choice(rig.lines).send("kill")),
                Trouble(
                    "database",
                    database.stop,
                    database.start,
                    _AWAY_S,
                    can=lambda: "frozen" not in troubles.away,
                ),
                Trouble(
                    "frozen",
                    lambda: database.freeze(True),
                    lambda: database.freeze(False),
                    _AWAY_S,
                    can=lambda: "database" not in troubles.away,
                ),
            ],
        )
        ends_s = time.monotonic() + for_s
        while (now_s := time.monotonic()) < ends_s:
            troubles.step(now_s)
            time.sleep(0.5)
        troubles.end()
        rig.end_tables()
        # what was not told by then is told by who comes after: here, once more, the tables
        truth = _truth(rig)
        _deliver_rest(rig)
        settled_s = rig.wait(lambda: _missing(rig, truth) == 0, 180)
        with contextlib.suppress(AssertionError):
            rig.wait(lambda: _rows(rig) == len(truth), 120)
        found = {
            "befell": dict(troubles.counts),
            "settled_s": round(settled_s, 1),
            **_compared(rig, truth),
        }
        rig.close()
        if found["rows_in_database"] != (found["games"], found["games"]):
            found["hub_log"] = Path(rig.log.name).read_text("utf-8")[-4000:]
        return found


def _deliver_rest(rig: Rig) -> None:
    """Start all tables' programs once more, without a game, until the hub has everything."""
    from chronotable_club.at_table import ClubTable, Look  # noqa: PLC0415
    from chronotable_host.live.desk import Desk  # noqa: PLC0415

    broker = parse_broker(rig.club.broker)
    tables = []
    for word in rig.tokens:
        token = parse_token(word)
        look = Look(Desk())
        tables.append(
            ClubTable(broker, token, rig.folder / token.table, look, lambda _happening: None)
        )

    def step() -> bool:
        for table in tables:
            table.step()
        return not any(table.publisher.waiting for table in tables)

    rig.wait(step, 240)
    for table in tables:
        table.close()


Truth = dict[tuple[str, str], Record]


def _truth(rig: Rig) -> Truth:
    """Return all games of all tables as the tables have them."""
    return {
        (path.parent.name, path.stem): read(path).record for path in rig.folder.glob(f"*/*{SUFFIX}")
    }


def _club_games(rig: Rig) -> list[tuple[str, str, Record]]:
    found = []
    for path in rig.club.games.glob(f"*{SUFFIX}"):
        record = read(path).record
        game = path.stem.removesuffix(f"-{record.headers['TableId']}")
        found.append((record.headers["TableId"], game, record))
    return found


def _missing(rig: Rig, truth: Truth) -> int:
    there = {(table, game): record for table, game, record in _club_games(rig)}
    return sum(
        (known := there.get(place)) is None or known.turns != record.turns
        for place, record in truth.items()
    )


def _rows(rig: Rig) -> int:
    """Return how many games the database has; -1 where it does not answer, or is at odds."""
    index, register = _counted(rig)
    return index if index == register else -1


def _counted(rig: Rig) -> tuple[int, int]:
    """Return how many games the index has, and how many the register."""
    engine = sql.create_engine(rig.club.url)
    try:
        with engine.connect() as connection:
            counts = [
                connection.execute(sql.select(sql.func.count()).select_from(table)).scalar()
                for table in (indexed, deliveries)
            ]
    except sql.exc.SQLAlchemyError:
        return -1, -1
    finally:
        engine.dispose()
    return int(counts[0] or 0), int(counts[1] or 0)


def _compared(rig: Rig, truth: Truth) -> dict[str, Any]:
    found = _club_games(rig)
    times = Counter((table, game) for table, game, _ in found)
    there = {(table, game): record for table, game, record in found}
    own = sum(len(record.turns) for record in truth.values())
    its = sum(len(record.turns) for record in there.values())
    results = Counter(record.headers["Result"] for record in truth.values())
    of_club = Counter(record.headers["Result"] for record in there.values())
    return {
        "games": len(truth),
        "turns": own,
        "turns_lost": own - its,
        "games_missing": len(set(truth) - set(there)),
        "games_doubled": sum(count - 1 for count in times.values()),
        "strange_games": len(set(there) - set(truth)),
        "games_that_differ": sum(there[it].turns != truth[it].turns for it in truth if it in there),
        "results_equal": results == of_club,
        "rows_in_database": _counted(rig),
    }


# ---------------------------------------------------------------- lies, and a slow database


def lie(traffic: Sequence[Traffic]) -> dict[str, Any]:
    """Have a table tell illegal turns, and speak for another; return what the hub shows of that."""
    with rigged(4, traffic, 5.0) as rig:
        rig.wait(lambda: len(rig.wall.tables) == 4)
        liar, victim = (parse_token(word) for word in rig.tokens[:2])
        client = BrokerClient(parse_broker(rig.club.broker))
        own = Channel(liar.club, liar.table, liar.key)
        its = Channel(victim.club, victim.table, liar.key)
        bad = format_record(Record()) + "1. 1 N N >past\n"
        started_s = time.monotonic()
        for number in range(10**9, 10**9 + 100):
            client.publish(its.topic(LIVE), its.sealed(LIVE, number, Live("x", bad).body()), True)
            client.publish(its.topic(KEPT), own.sealed(KEPT, number, Live("x", bad).body()))
            client.publish(own.topic(KEPT), own.sealed(KEPT, number, Live("bad", bad).body()))
        rig.wait(lambda: not client.waiting)
        time.sleep(3)
        files = [path.stem for path in rig.club.games.glob("*")]
        log = Path(rig.log.name).read_text("utf-8")
        director = next(row for row in log.splitlines() if "director" in row).split()[-1]
        told = _director(director, rig.port)
        took_s = time.monotonic() - started_s
        client.close()
        names = {each["id"]: each["counts"] for each in told}
        found = {
            "liar": names[liar.table],
            "victim": names[victim.table],
            "victim_shown": rig.wall.tables[victim.table]["state"],
            "stored": sum("bad" in name or name.startswith("x") for name in files),
            "took_s": round(took_s, 1),
        }
        rig.close("leave")
        return found


def _director(link: str, port: int) -> list[dict[str, Any]]:
    """Return the tables as the director's page is told them."""
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    cookie = ""
    try:
        urllib.request.build_opener(Stay).open(link)
    except urllib.error.HTTPError as error:
        cookie = str(error.headers["set-cookie"]).partition(";")[0]
    address = f"ws://127.0.0.1:{port}/director/ws"
    with connect(address, additional_headers={"Cookie": cookie}, max_size=None) as line:
        while True:
            parts = json.loads(line.recv(10)).get("parts", {})
            if "tables" in parts:
                tables: list[dict[str, Any]] = parts["tables"]
                return tables


def freeze(count: int, traffic: Sequence[Traffic], turn_s: float) -> dict[str, Any]:
    """Have the database answer nothing for a minute; return how long turns take meanwhile."""
    with rigged(count, traffic, turn_s) as rig:
        rig.wait(lambda: len(rig.wall.tables) == count)
        time.sleep(5)
        rig.database.freeze(True)
        rig.made()
        time.sleep(60)
        made, _ = rig.made()
        time.sleep(2)
        rig.database.freeze(False)
        seen = rig.wall.seen
        late = sorted(1000 * (seen[it[:3]] - it[3]) for it in made if it[:3] in seen)
        truth_s = rig.wait(lambda: _rows(rig) >= len(_truth(rig)) - count, 120)
        found = {
            "tables": count,
            "turns": len(made),
            "p50_ms": round(_at(late, 0.5)),
            "p95_ms": round(_at(late, 0.95)),
            "caught_up_s": round(truth_s, 1),
        }
        rig.close("leave")
        return found


@app.command()
def club(
    tables: Annotated[str, typer.Option(help="Sizes, as 10,100.")] = "10,100,300,1000",
    turn_s: Annotated[float, typer.Option(help="Between two turns of a table.")] = 30.0,
    for_s: Annotated[float, typer.Option(help="How long each size is measured.")] = 60.0,
    faults: Annotated[bool, typer.Option("--faults", help="Kill by chance instead.")] = False,
    lies: Annotated[bool, typer.Option("--lies", help="Have a table lie instead.")] = False,
    slow: Annotated[bool, typer.Option("--slow", help="Freeze the database instead.")] = False,
    hour_s: Annotated[float, typer.Option(help="How long an hour of table time takes.")] = 450.0,
    seed: Annotated[int, typer.Option()] = 1,
) -> None:
    """Measure, and print a line of JSON for each size."""
    traffic = record_games()
    sizes = [int(each) for each in tables.split(",")]
    if lies:
        print(json.dumps(lie(traffic)), flush=True)
    elif slow:
        print(json.dumps(freeze(sizes[0], traffic, turn_s)), flush=True)
    elif faults:
        found = befall(sizes[0], traffic, turn_s * hour_s / 3600, hour_s, seed)
        print(json.dumps({"seed": seed, "tables": sizes[0], **found}), flush=True)
    else:
        for count in sizes:
            print(json.dumps(measure(count, traffic, turn_s, for_s)), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app()
