"""Sensing figures: whole games by people, clean, rough, heedless, and with a broken reed.

Each game has a seed, and so has all that happens in it. Most are played at the tracker alone, in
which nothing but debouncing and the link is left out; some at the whole firmware. What the table
understood is compared with what the hands meant, turn by turn.

Games with modules are played where they are asked for, at the tracker alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from random import Random
from typing import NamedTuple

from chronotable.core.health import DOES_NOT_CLOSE, DOES_NOT_OPEN, FLICKERS
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable_host.archive.comments import UNDERSTOOD
from chronotable_host.live.texts.table_texts import FAULTS
from chronotable_host.rules.notation import format_modules
from tests.lab.figures import BUDGETS, NEVER, Budget, Figure, budget, shown, spread
from tests.lab.people.account import DECIDED, LOST, TWIN, WRONG, Account, Fault, Incident
from tests.lab.people.heedless import HeedlessPerson
from tests.lab.people.person import Person
from tests.lab.people.place import Place, open_table_place
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.positions import random_game
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm import layout, objects
from ttykm.game import Game

CLEAN, ROUGH, HEEDLESS = "clean", "rough", "heedless"
FAULTY, FAULTY_ROUGH = "faulty", "faulty rough"
FIRMWARE_CLEAN, FIRMWARE_ROUGH = "firmware clean", "firmware rough"
FIRMWARE_HEEDLESS = "firmware heedless"
FIRMWARE_FAULTY = "firmware faulty"

KINDS = (
    *(CLEAN, ROUGH, HEEDLESS, FAULTY, FAULTY_ROUGH),
    *(FIRMWARE_CLEAN, FIRMWARE_ROUGH, FIRMWARE_HEEDLESS, FIRMWARE_FAULTY),
)
"""Of games: at the tracker alone unless they say else."""

HOWS: tuple[bool | str, ...] = (False, True, "flicker")
"""How a reed breaks: stuck open, stuck closed, flickering."""

_OF_FIRMWARE = 20  # of so many games, one is played at the whole firmware
_MOST_TURNS = 1000
_MOST_WITH_MODULES = 60  # turns
_ROUGH_WITH_MODULES = 0.3  # of the clean games
_WORDS = {False: FAULTS[DOES_NOT_CLOSE], True: FAULTS[DOES_NOT_OPEN], "flicker": FAULTS[FLICKERS]}


class Job(NamedTuple):
    """A game to play: its kind and seed, which also says which reed breaks in a faulty one."""

    kind: str
    seed: int
    modules: int = 0

    @property
    def reed(self) -> tuple[int, bool | str]:
        return self.seed // len(HOWS) % SENSORS, HOWS[self.seed % len(HOWS)]

    def __str__(self) -> str:
        if self.modules:
            return f"{format_modules(self.modules)} {self.kind} {self.seed}"
        if FAULTY not in self.kind:
            return f"{self.kind} {self.seed}"
        sensor, how = self.reed
        return f"{self.kind} {self.seed} ({sensor_name(sensor)} {_WORDS[how]})"


class Result(NamedTuple):
    """What came of a game."""

    job: Job
    account: Account
    fault: Fault | None = None
    accused: list[tuple[int, str]] | tuple[()] = ()  # faults that the table named


# ---- games


def play(job: Job, place: Place | None = None) -> Result:
    """Play a game, at a place of one's own if it is given; the same one each time."""
    if place is not None:
        return _result(job, _person(job, place))
    if "firmware" not in job.kind:
        return _result(job, _person(job, TrackerPlace(Random(job.seed))))
    with closing(open_table_place(job.seed)) as whole:
        return _result(job, _person(job, whole))


def _person(job: Job, place: Place) -> Person:
    if HEEDLESS in job.kind:
        return HeedlessPerson(place, Random(job.seed))
    return Person(place, Random(job.seed), ROUGH in job.kind)


def _result(job: Job, person: Person) -> Result:
    if job.modules:
        return _result_with_modules(job, person)
    turns = random_game(job.seed, _MOST_TURNS).turns
    if FAULTY in job.kind:
        third = max(1, len(turns) // 3)
        person.fault = Fault(*job.reed, person.rng.randint(1, third))
    person.begin(layout.new_state())
    account = person.play(lambda game: turns[len(game.turns)])
    return Result(job, account, person.fault, person.place.told().faults)


def _result_with_modules(job: Job, person: Person) -> Result:
    chance = Random(f"{job.seed} of {job.modules}")

    def choose(game: Game) -> int:
        return chance.choice(list(game.legal_turns()))

    person.begin(objects.new_state(job.modules, job.seed % 2))
    account = person.play(choose, _MOST_WITH_MODULES)
    return Result(job, account, None, person.place.told().faults)


def jobs_with_modules(modules: int, games: int) -> list[Job]:
    """Return what is played with a set of modules for so many clean games."""
    rough = max(1, round(_ROUGH_WITH_MODULES * games))
    numbers = {CLEAN: games, ROUGH: rough, HEEDLESS: rough}
    return [Job(kind, seed, modules) for kind, most in numbers.items() for seed in range(most)]


def jobs(games: int) -> list[Job]:
    """Return what is played for so many games: with few, a sample of the broken reeds."""
    firmware = max(1, games // _OF_FIRMWARE)
    broken = _broken_reeds(games if games < SENSORS else SENSORS * len(HOWS))
    numbers = {
        CLEAN: range(games),
        ROUGH: range(games),
        HEEDLESS: range(games),
        FAULTY: broken,
        FAULTY_ROUGH: broken,
        FIRMWARE_CLEAN: range(firmware),
        FIRMWARE_ROUGH: range(firmware),
        FIRMWARE_HEEDLESS: range(firmware),
        FIRMWARE_FAULTY: _broken_reeds(firmware),
    }
    return [Job(kind, seed) for kind, seeds in numbers.items() for seed in seeds]


def _broken_reeds(games: int) -> list[int]:
    """Return the seeds of so many games with a broken reed, each with another one."""
    seeds = range(SENSORS * len(HOWS))
    return sorted(Random(games).sample(seeds, min(games, len(seeds))))


# ---- figures


def measure(games: int = 100, report: Progress = unheard) -> list[Figure]:
    """Play clean and rough games with the seeds 0 to `games` - 1, and those with a broken reed."""
    return figures_of(do_all(play, jobs(games), report))


def measure_modules(
    sets: Sequence[int], games: int = 100, report: Progress = unheard
) -> list[Figure]:
    wanted = [job for modules in sets for job in jobs_with_modules(modules, games)]
    results = do_all(play, wanted, report)
    figures: list[Figure] = []
    for modules in sets:
        for kind in (CLEAN, ROUGH, HEEDLESS):
            of_kind = [each for each in results if each.job[::2] == (kind, modules)]
            name = f"{format_modules(modules)}_{kind}"
            figures += [FigureWithModules(*figure) for figure in _figures(name, of_kind)]
    return figures


class FigureWithModules(Figure):
    """A figure of games with modules, which has no row among the budgets."""

    @property
    def budget(self) -> Budget:
        _, played, kind = self.key.split("_")[:3]
        what = f"{played}, {kind} hand"
        if self.key.endswith("_share"):
            return budget("sensing", "%", f"{what}: of all turns")
        return budget("sensing", "", f"{what}: games", NEVER)


def _row_of(kind: str) -> str:
    """Return which figure games of a kind belong to."""
    return "firmware" if kind in (FIRMWARE_CLEAN, FIRMWARE_ROUGH) else kind.replace(" ", "_")


def figures_of(results: list[Result]) -> list[Figure]:
    figures: list[Figure] = []
    for name in dict.fromkeys(map(_row_of, KINDS)):
        figures += _figures(name, [each for each in results if _row_of(each.job.kind) == name])
    figures += _fault_figures([result for result in results if result.fault is not None])
    figures.append(_accused(results))
    order = list(BUDGETS)
    return sorted(figures, key=lambda figure: order.index(figure.key))


def _figures(name: str, results: list[Result]) -> list[Figure]:
    accounts = [result.account for result in results]
    turns = sum(account.turns for account in accounts)
    told: Counter[str] = Counter()
    for account in accounts:
        told.update(account.told)
    wrong = _incidents(results, WRONG) + _incidents(results, DECIDED)
    lost = _incidents(results, LOST)
    counts = {
        "games": len(results),
        "unfinished": sum(not account.finished for account in accounts),
        "turns": turns,
        **{kind: told[kind] for kind in UNDERSTOOD},
        "bumps": sum(account.bumps for account in accounts),
        "overlooked": sum(account.overlooked for account in accounts),
        "wrong": len(wrong),
        "lost": len(lost),
    }
    shares = {
        kind: round(100 * sum(getattr(account, kind) for account in accounts) / max(1, turns), 2)
        for kind in ("asked", "guided")
    }
    bad = [f"{job} {incident}" for job, incident in wrong + lost]
    return [
        Figure(f"sensing_{name}", counts, remark=shown(bad)),
        Figure(f"sensing_{name}_share", shares),
    ]


def _fault_figures(results: list[Result]) -> list[Figure]:
    """Tell when faults were named, and which turns they made look like others."""
    faults = [result.fault for result in results if result.fault is not None]
    named = [fault.named_after for fault in faults if fault.named_after is not None]
    hidden = [fault.touching for fault in faults if fault.named_after is None]
    missed = [
        str(result.job)
        for result in results
        if result.fault and result.fault.named_after is None and result.fault.touching >= 3
    ]
    unused = hidden.count(0)
    remark = f"not named: {unused} reeds that no turn touched, {len(hidden) - unused} others"
    twins = _incidents(results, TWIN)
    smallest = min((twin for _, twin in twins), key=lambda twin: len(twin.script), default=None)
    twin = "" if smallest is None else f"{smallest}: {' '.join(smallest.script)}"
    counts = {**spread(named), "missed": len(missed)}
    taken_back = sum(result.account.taken_back for result in results)
    return [
        Figure("sensing_named", counts, remark=shown(missed) or remark),
        Figure("sensing_twins", {"value": len(twins), "taken_back": taken_back}, remark=twin),
    ]


def _accused(results: list[Result]) -> Figure:
    """Tell which reeds were named as broken, in whatever game, and were not."""
    accused = [
        f"{result.job}: {sensor_name(sensor)} {kind}"
        for result in results
        for sensor, kind in result.accused
        if result.fault is None or sensor != result.fault.sensor
    ]
    return Figure("sensing_accused", {"value": len(accused)}, remark=shown(accused))


def _incidents(results: list[Result], what: str) -> list[tuple[Job, Incident]]:
    return [(result.job, incident) for result in results for incident in result.account.of(what)]
