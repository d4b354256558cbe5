"""`python -m tests.lab.far`: games far apart between processes, through a broker, with faults.

Each game has two processes, each with a table and hands that see its lights, and Mosquitto between
them. Messages are lost, lines cut, the programs at the tables killed, and whole processes too: then
another table goes on. It prints what came of each game, and whether both ends have the same.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Annotated, Any, NamedTuple

import typer

from chronotable_far.entries import ENDS
from chronotable_far.invitation import new_invitation
from chronotable_host.virtual.table import CPYTHON
from tests.lab.far.games import plain_records
from tests.lab.far.wire import Wire
from tests.lab.helping import CLEAN, ROUGH
from tests.lab.mosquitto import Mosquitto, program
from tests.lab.troubles import Trouble, Troubles
from ttykm.objects import ALL_MODULES

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_LOOK_S = 0.2
_IDLE_S = 0.002  # of each round of a table that runs faster than a broker
_END_S = 60.0
_SHOWN = 2000  # characters of what a process printed of an error
_LEVELS = (2, 1)


class Faults(NamedTuple):
    """How often what goes wrong: of messages, and so many in a minute of this computer's time."""

    loss: float
    cuts: float
    kills: float
    processes: float


class Outcome(NamedTuple):
    """What came of a game; `wrong` is empty where both ends have the same."""

    seed: int
    modules: int
    turns: int
    result: str
    faults: dict[str, int]
    void: int
    dropped: dict[str, int]
    counts: dict[str, int]
    seconds: float
    wrong: list[str]


class Process:
    """A player's process; `said` is what it told last."""

    def __init__(self, spec: dict[str, Any], home: Path) -> None:
        self.said: dict[str, Any] = {}
        self.kills = 0
        self._spec = spec
        self._env = {**os.environ, "CHRONOTABLE_HOME": str(home)}
        home.mkdir(parents=True, exist_ok=True)
        self._errors = (home.parent / f"{spec['end']}.err").open("ab")
        self.start()

    def start(self) -> None:
        """Start it."""
        self._spec = {**self._spec, "rng": self._spec["rng"] + 1}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.lab.far.player", json.dumps(self._spec)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=self._env,
        )
        threading.Thread(target=self._hear, args=(self._process,), daemon=True).start()

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            said = json.loads(line)
            self.kills += bool(said.pop("killed", False))
            self.said = said

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill it, at whatever it is doing."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def restart(self) -> None:
        """Kill it, and start another one."""
        self.kill()
        self.start()

    def end(self) -> None:
        """Have it end by itself."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"end\n")
        self._process.stdin.close()
        self._process.wait(_END_S)

    def close(self) -> None:
        """Kill it if it runs still, and let go of what it said."""
        if self.is_alive:
            self.kill()
        self._errors.close()


def play(
    seed: int,
    modules: int,
    faults: Faults,
    runtime: str,
    image: Path | None,
    turns: int,
    patience_s: float,
) -> Outcome:
    """Play one game to its end, and compare what both ends have of it."""
    rng = Random(seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name, ExitStack() as closing:
        folder = Path(name)
        broker = Mosquitto(folder / "broker")
        closing.callback(broker.stop)
        wires = {end: Wire(broker.port) for end in ENDS}
        invitation = new_invitation(f"mqtt://127.0.0.1:{broker.port}", rng.choice)
        players = {}
        for number, end in enumerate(ENDS):
            closing.callback(wires[end].close)
            spec = {
                "end": end,
                "words": invitation.words,
                "broker": f"mqtt://127.0.0.1:{wires[end].port}",
                "folder": str(folder / end),
                "rng": rng.randrange(1 << 30),
                "modules": modules,
                "runtime": runtime,
                "image": None if image is None else str(image),
                "manner": rng.choice([CLEAN, CLEAN, ROUGH]) if modules == 0 else CLEAN,
                "level": _LEVELS[(number + seed) % 2],
                "turns": turns,
                "loss": faults.loss,
                "kills": faults.kills / 60,
                "idle_s": 0.0 if runtime != CPYTHON else _IDLE_S,
            }
            players[end] = Process(spec, folder / end / "home")
            closing.callback(players[end].close)
        troubles = _troubles(players, wires, broker, faults, rng)
        counts = troubles.counts
        wrong = _watch(players, troubles, rng, patience_s)
        counts["program killed"] = sum(each.kills for each in players.values())
        for player in players.values():
            if player.is_alive:
                player.end()
        said = [players[end].said for end in ENDS]
        wrong += _compare(folder, said)
    one = said[0] or {}
    total: Counter[str] = Counter()
    whims: Counter[str] = Counter()
    for each in said:
        total.update(each.get("dropped", {}))
        whims.update(each.get("counts", {}))
    return Outcome(
        *(seed, modules, one.get("turns", 0), str(one.get("result")), dict(counts)),
        *(one.get("void", 0), dict(total), dict(whims)),
        *(round(time.monotonic() - begun, 1), wrong),
    )


def _troubles(
    players: dict[str, Process],
    wires: dict[str, Wire],
    broker: Mosquitto,
    faults: Faults,
    rng: Random,
) -> Troubles:
    """Return what befalls both ends and the broker between them."""

    def restart() -> None:
        broker.stop()
        broker.start()

    kinds = [Trouble("broker killed", restart, share=faults.cuts / 4)]
    for end, wire in wires.items():
        kinds.append(Trouble("cut", wire.cut, wire.mend, (0.5, 8.0), faults.cuts))
        kinds.append(Trouble("process killed", players[end].restart, share=faults.processes))
    return Troubles(rng, sum(each.share for each in kinds), kinds)


def _watch(
    players: dict[str, Process], troubles: Troubles, rng: Random, patience_s: float
) -> list[str]:
    """Have it befall until both ends have the end of the game; return what went wrong."""
    begun = time.monotonic()
    late = begun + patience_s
    while time.monotonic() < late:
        time.sleep(_LOOK_S)
        now = time.monotonic()
        troubles.step(now)
        for player in players.values():
            if not player.is_alive:
                return ["a process has ended"]
        said = [each.said for each in players.values()]
        if all(each.get("problem") for each in said):
            return [str(said)]
        if all(each.get("result") for each in said):
            troubles.end()
            if said[0]["logs"] == said[1]["logs"]:
                return []
        if "FAR_LOUD" in os.environ and rng.random() < _LOOK_S / 5:
            print(f"{now - begun:.0f} s", *said, sep="\n", file=sys.stderr)
    return ["it takes too long: " + json.dumps([each.said for each in players.values()])]


def _compare(folder: Path, said: list[dict[str, Any]]) -> list[str]:
    one, two = (plain_records(folder / end) for end in ENDS)
    wrong = []
    if len(one) != 1 or len(two) != 1:
        wrong.append(f"{len(one)} and {len(two)} records")
    elif one != two:
        wrong.append("the records differ")
    wrong += [f"{each['mismatches']} mismatches" for each in said if each.get("mismatches")]
    for end in ENDS:
        errors = (folder / end / f"{end}.err").read_text("utf-8", "replace")
        if "Traceback" in errors:
            wrong.append(errors[-_SHOWN:])
    return wrong


@app.command()
def far(
    games: Annotated[int, typer.Option(min=1)] = 20,
    seed: Annotated[int, typer.Option()] = 0,
    runtime: Annotated[str, typer.Option()] = "cpython",
    image: Annotated[Path | None, typer.Option()] = None,
    turns: Annotated[int, typer.Option(help="After so many the one who is due resigns.")] = 60,
    loss: Annotated[float, typer.Option(help="Of messages, in percent.")] = 5.0,
    cuts: Annotated[float, typer.Option(help="Of each line, in a minute.")] = 2.0,
    kills: Annotated[float, typer.Option(help="Of a program, in a minute of table time.")] = 1.0,
    processes: Annotated[float, typer.Option(help="Of whole ends, in a minute.")] = 0.3,
    patience: Annotated[float, typer.Option(help="Seconds for a game.")] = 1800.0,
    first: Annotated[int, typer.Option(help="Of the games: those before are left out.")] = 0,
) -> None:
    """Play games far apart; every game of eight has another set of modules."""
    if program() is None:
        raise SystemExit("mosquitto is not installed")
    faults = Faults(loss / 100, cuts, kills, processes)
    outcomes = []
    for number in range(first, games):
        modules = number % (ALL_MODULES + 1)
        outcome = play(seed + number, modules, faults, runtime, image, turns, patience)
        outcomes.append(outcome)
        print(json.dumps(outcome._asdict()), flush=True)
    wrong = [each for each in outcomes if each.wrong]
    total: Counter[str] = Counter()
    for each in outcomes:
        total.update(each.faults)
    print(
        f"{len(outcomes)} games, {sum(each.turns for each in outcomes)} turns, "
        f"{', '.join(f'{name} {count}' for name, count in sorted(total.items()))}; "
        f"{len(wrong)} wrong"
    )
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    app()
