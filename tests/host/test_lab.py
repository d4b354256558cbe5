"""`python -m tests.lab`: small runs of what it measures, and what it says where it cannot measure.

What is counted here has to meet its budget: heap, code, turns misread, and times by the table's own
clock. How fast this computer is never fails a test: that is for people to read.
"""

from __future__ import annotations

import functools
import json
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from chronotable_host import chapters
from chronotable_host.engine.levels import Level
from tests import lanes, sweep
from tests.emulator.conftest import image  # noqa: F401 - a fixture
from tests.host.archives import Output
from tests.lab import (
    accidents,
    analysing,
    chip,
    figures,
    heaps,
    helping,
    positions,
    readers,
    report,
    rules,
    run,
    sensing,
)
from tests.lab.__main__ import run as lab
from tests.lab.figures import BUDGETS, HOST, ON_REQUEST, Budget, Figure
from tests.lab.helping import CLEAN, HEEDLESS, ROUGH
from tests.lab.people.account import DECIDED, TWIN, WRONG, Account, Fault, Incident
from tests.lab.people.tracker_place import HallPlace, PolePlace, TrackerPlace
from ttykm import objects
from ttykm.turns import RECORDS_IN_GAMES, TurnTree

HANDS = (
    *("clean", "rough", "heedless", "faulty", "faulty_rough"),
    *("firmware", "firmware_heedless", "firmware_faulty"),
)
WITH_SENSING = [
    key
    for key, budget in BUDGETS.items()
    if budget.group == "sensing" or budget.group not in ON_REQUEST
]
EMULATED = [
    key
    for key, budget in BUDGETS.items()
    if budget.where == figures.CHIP and budget.group not in ON_REQUEST
]


RULES = ["rules_turns", "rules_generation", "rules_engine", "rules_apply"]
HEAP_WITH_CHAPTERS = {"value": 112, "min": 98}
"""What is free on a table with all chapters, in KB; after boot that is more than the budget asks.

A game with modules has the code for copies and that for objects loaded, and two tables of turns.
"""


def over(found: Iterable[Figure]) -> list[str]:
    """Return which figures are beyond their budgets, but for those of this computer's speed."""
    return [
        f"{figure.key}: {dict(figure.corrected or figure.measured)}, not {figure.budget.text}"
        for figure in found
        if figure.met is False and not is_wall_time(figure.budget)
    ]


def is_wall_time(budget: Budget) -> bool:
    """Tell whether a budget is about the time that something takes on this computer.

    The emulated chip counts its own cycles, and faults on the line last so many seconds of a table.
    """
    return budget.where == HOST and budget.unit in ("/s", "us", "ms")


@pytest.fixture(autouse=True)
def _in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHRONOTABLE_UF2", raising=False)
    few = functools.partial(rules.measure, positions=3, games=1, repeats=1, least_s=0)
    monkeypatch.setattr(rules, "measure", few)


def measured(capsys: Output, *words: str) -> dict[str, Any]:
    """Run the command with --json and return what it printed."""
    assert lab(["--json", *words]) == 0
    out: dict[str, Any] = json.loads(capsys.readouterr().out)
    return out


# ---- the command


def test_without_an_image_the_chip_s_figures_are_missing_with_the_reason(capsys: Output) -> None:
    groups = ("scan", "latency", "chapters", "heap", "link")
    result = measured(capsys, *(word for group in groups for word in ("--only", group)))
    assert result["image"] is None
    keys = {"name", "group", "what", "where", "unit", "budget", "measured", "corrected", "met"}
    assert [figure["name"] for figure in result["figures"]] == EMULATED
    for figure in result["figures"]:
        assert set(figure) == {*keys, "remark"}
        assert figure["measured"] is None
        assert figure["met"] is None
        if figure["name"] != "gap_flash":
            assert "--image" in figure["remark"]


def test_an_unknown_figure_is_wrong_use(capsys: Output) -> None:
    assert lab(["--only", "colour"]) == 2
    error = capsys.readouterr().err
    assert "python -m tests.lab: there is no figure 'colour'; known are rules, size," in error


def test_only_takes_groups_and_single_figures() -> None:
    assert figures.wanted(["rules"], False) == RULES
    assert figures.wanted(["size", "rules_apply"], False) == ["rules_apply", "size"]
    assert figures.wanted([], True) == WITH_SENSING
    assert all(BUDGETS[key].group not in ON_REQUEST for key in figures.wanted([], False))


@lanes.full
def test_games_with_modules_are_rows_only_where_they_are_asked_for(
    home: Path, capsys: Output
) -> None:
    words = ("--only", "rules_apply", "--games", "1", "--modules")
    assert lab([*words, "growth"]) == 2
    assert capsys.readouterr().err == f"python -m tests.lab: {chapters.LOCKED}\n"
    chapters.unlock_to(chapters.COUNT)
    names = [figure["name"] for figure in measured(capsys, *words, "growth+memory")["figures"]]
    rows = [f"sensing_growth+memory_{hand}" for hand in ("clean", "rough", "heedless")]
    assert names == ["rules_apply", *(row + end for row in rows for end in ("", "_share"))]
    assert len(measured(capsys, *words, "all")["figures"]) == 1 + 6 * 7
    assert [each["name"] for each in measured(capsys, *words, "standard")["figures"]] == names[:1]
    assert lab([*words, "nothing"]) == 2


# ---- the figures


def test_rules_are_measured() -> None:
    found = rules.measure()
    assert [figure.key for figure in found] == RULES
    assert all(figure.measured["best"] > 0 for figure in found)
    assert "Python" in found[0].remark


@lanes.gate
@pytest.mark.parametrize("accident", accidents.ACCIDENTS)
def test_owners_are_found_after_an_accident_by_the_lights_alone(accident: str) -> None:
    """By people who do what a light says, and put anything where it says no colour."""
    for seed in range(sweep.size(2, 40)):
        for manner in accidents.MANNERS:
            for modules, place_type in (
                *((0, each) for each in (TrackerPlace, HallPlace, PolePlace)),
                (1 + seed % objects.ALL_MODULES, PolePlace),
            ):
                job = accidents.Job(accident, manner, seed, modules)
                assert accidents.play(job, place_type)[::2] == ("", 0), job


@pytest.mark.parametrize(
    "job",
    [
        accidents.Job("cat", ROUGH, 301),  # no light said whose a copy out of the box is
        accidents.Job("cat", ROUGH, 40004, 1),  # a copy lies where a pushed tree might
        accidents.Job("cat", HEEDLESS, 60025, 4),  # a turn that was chosen is taken back
        accidents.Job("cat", CLEAN, 60141, 6),  # copies are back, but objects changed places
        accidents.Job("cat", ROUGH, 60346, 1),  # the magnet that tapped lies where the copy may go
        accidents.Job("cat", ROUGH, 60367, 6),  # two hands exchange pieces as quick as one brushes
        accidents.Job("cat", ROUGH, 94009, 2),  # a statue was dropped before it is put elsewhere
        accidents.Job("child", CLEAN, 81012, 6),  # what was led to reads as another turn, too
        accidents.Job("child", ROUGH, 5000, 6),  # a child puts down what may be either player's
        accidents.Job("child", ROUGH, 20008, 2),  # the opponent's copy goes where one's own is due
        accidents.Job("child", HEEDLESS, 8, 7),  # an elephant belongs where a statue lies
        accidents.Job("fall", HEEDLESS, 3008, 7),  # what is looked at leaves another action
        accidents.Job("hasty", CLEAN, 82007, 7),  # a light's word is done with empty hands
        accidents.Job("hasty", CLEAN, 93028, 7),  # a tree is carried while an echo asks for a shrub
        accidents.Job("hasty", HEEDLESS, 81002, 2),  # a statue stands where the copy may go
        accidents.Job("hasty", HEEDLESS, 92016, 6),  # an elephant stands where a statue belongs
        accidents.Job("sleeve", ROUGH, 92003),  # a light asks for the mover's copy in its place
        accidents.Job(
            "sleeve", HEEDLESS, 81030, 3
        ),  # hands that mind no light have minded none before
        accidents.Job("sleeve", HEEDLESS, 81006, 2),  # a statue is asked for that stands elsewhere
        accidents.Job("sleeve", ROUGH, 70012, 7),  # a tree lies where a statue may be built
        accidents.Job("sleeve", ROUGH, 5015),  # a light changes while a hand is on its way
        accidents.Job("power", ROUGH, 91004, 1),  # a magnet that taps lies where the copy was
        accidents.Job("power", ROUGH, 91007, 7),
        accidents.Job("power and child", ROUGH, 91017, 1),  # a marker that is tried when it goes
        accidents.Job("power and child", ROUGH, 2017),  # the turn cut off explains a part
    ],
    ids=repr,
)
def test_after_an_accident_all_lies_where_the_table_takes_it_to_lie(job: accidents.Job) -> None:
    """Each once ended with exchanged owners, or stood still."""
    outcome = accidents.play(job)
    assert outcome.has_happened
    assert not outcome.came_to
    assert not outcome.misread


def test_what_hall_switches_see_come_back_at_once_may_be_another_piece() -> None:
    """A cat's object once passed for the copy that had just left there: all stood still."""
    outcome = accidents.play(accidents.Job("cat", CLEAN, 9, 3), PolePlace)
    assert (outcome.came_to, outcome.misread) == ("", 0)


@pytest.mark.parametrize("manner", [CLEAN, ROUGH, HEEDLESS])
def test_turns_of_others_are_carried_out_by_the_lights_alone(manner: str) -> None:
    """By hands that know no rules: none goes wrong, and clean ones touch nothing needlessly."""
    for seed in range(sweep.size(2, 30, 100)):
        outcome = helping.play(helping.Job(manner, seed))
        assert not outcome.wrong, (manner, seed, outcome)
        assert outcome.ended, (manner, seed)
        assert manner != CLEAN or outcome.done == outcome.needed, (seed, outcome)


@pytest.mark.parametrize("modules", lanes.first(range(1, objects.ALL_MODULES + 1)))
def test_turns_with_objects_are_carried_out_by_the_lights_alone(modules: int) -> None:
    """By hands that know how objects grow and move, and no more."""
    for manner in (CLEAN, ROUGH, HEEDLESS):
        for seed in range(sweep.size(1, 20, 100)):
            outcome = helping.play(helping.Job(manner, seed, modules))
            assert not outcome.wrong, (manner, modules, seed, outcome)
            assert outcome.ended, (manner, modules, seed)


@lanes.gate
def test_random_heaps_are_set_up_by_the_lights_alone() -> None:
    """A sample of the ten thousand that `python -m tests.lab --sensing --games 1000` takes."""
    count = sweep.size(60, 200)
    (figure,) = heaps.measure(count)
    assert figure.met, figure
    assert figure.measured["heaps"] == count
    assert figure.measured["gestures"] > 10 * count


def test_every_reed_breaks_in_every_way_once_where_there_are_enough_games() -> None:
    seeds = [job.seed for job in sensing.jobs(100) if job.kind == sensing.FAULTY]
    reeds = {sensing.Job(sensing.FAULTY, seed).reed for seed in seeds}
    assert len(seeds) == len(reeds) == 3 * 54
    few = [job for job in sensing.jobs(5) if job.kind == sensing.FAULTY]
    assert len(few) == 5
    assert few == [job for job in sensing.jobs(5) if job.kind == sensing.FAULTY]


@lanes.gate
def test_some_games_of_each_hand() -> None:
    """A sample of the thousand that `python -m tests.lab --sensing --games 1000` plays."""
    found = {figure.key: figure for figure in sensing.measure(sweep.size(8, 60))}
    for hand in HANDS:
        assert found[f"sensing_{hand}"].met, found[f"sensing_{hand}"]
        assert found[f"sensing_{hand}_share"].met is not False, found[f"sensing_{hand}_share"]
    assert found["sensing_rough"].measured["bumps"] > 0
    assert found["sensing_heedless"].measured["overlooked"] > 0
    assert found["sensing_named"].met, found["sensing_named"]
    assert found["sensing_accused"].measured == {"value": 0}, found["sensing_accused"]


def test_what_went_wrong_is_counted_and_named() -> None:
    wrong = Incident(WRONG, 7, "6 E F >future", ["drops a piece"], ["{}"], "6 F E >future")
    twin = Incident(TWIN, 3, "1 E E >present", [], ["{1}", "{2}"], "1 E S >present")
    rough = Account(turns=50, asked=2, finished=True, incidents=[wrong])
    decided = Incident(DECIDED, 7, "6 E F >future", [], ["{}"], "6 E F >future")
    heedless = Account(turns=50, overlooked=1, finished=True, incidents=[decided])
    fault = Fault(2, False, 3, touching=4, is_broken=True)
    faulty = Account(turns=50, taken_back=1, incidents=[twin])
    accused = [(3, "does not close"), (2, "does not close")]
    found = {
        figure.key: figure
        for figure in sensing.figures_of(
            [
                sensing.Result(sensing.Job(sensing.ROUGH, 5), rough),
                sensing.Result(sensing.Job(sensing.HEEDLESS, 5), heedless),
                sensing.Result(sensing.Job(sensing.FAULTY, 6), faulty, fault, accused),
            ]
        )
    }
    assert found["sensing_rough"].met is False
    assert found["sensing_rough"].measured["wrong"] == 1
    assert found["sensing_rough"].remark == (
        "rough 5 turn 7 6 E F >future, drops a piece: taken for another turn (6 F E >future)"
    )
    assert found["sensing_rough_share"].measured == {"asked": 4, "guided": 0}
    assert found["sensing_rough_share"].met is False
    assert found["sensing_heedless"].measured["wrong"] == 1, "whatever was decided"
    assert found["sensing_faulty"].measured["unfinished"] == 1
    assert found["sensing_faulty"].met is False
    assert found["sensing_named"].met is False
    assert found["sensing_named"].remark == "faulty 6 (past 3 does not close)"
    assert found["sensing_accused"].measured == {"value": 1}
    assert found["sensing_twins"].measured == {"value": 1, "taken_back": 1}
    assert "{1} {2}" in found["sensing_twins"].remark


@lanes.gate
def test_positions_are_the_same_each_time_and_fit_the_table() -> None:
    sample = positions.sample(8)
    assert sample == positions.sample(8)
    assert len(sample) == len({bytes(state) for state in sample}) == 8
    sizes: list[int] = []
    table = TurnTree()
    for state in [*sample, *positions.mid_game(5)]:
        assert isinstance(state, array)
        table.build(state)
        sizes.append(table.end)
    assert max(sizes) <= RECORDS_IN_GAMES
    assert sizes[7] == max(sizes)  # the crowded one


@lanes.full
def test_positions_with_modules_are_the_same_each_time_and_of_every_set() -> None:
    sample = positions.sample_with_modules(28)
    assert sample == positions.sample_with_modules(28)
    assert len(sample) == 28
    assert {objects.modules_of(state) for state in sample} == set(range(1, 8))
    table = TurnTree()
    firsts: list[int] = []
    for state in sample:
        table.build(state, whole=False)
        firsts.append(table.seconds - table.firsts)
    assert firsts[:7] == sorted(firsts[:7], reverse=True)
    assert min(firsts[:7]) >= max(firsts[7:])


@lanes.full
def test_readers_of_an_archive_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of the twenty thousand games that `python -m tests.lab --only readers` takes."""
    monkeypatch.setattr(readers, "_ASKED", 2)
    found = {figure.key: figure.measured for figure in readers.measure(30, lambda *_: None)}
    assert set(found) == {key for key, row in BUDGETS.items() if row.group == "readers"}
    assert found["readers_game"]["n"] == 2 * readers.READERS
    assert all(0 < each["p50"] <= each["p95"] <= each["max"] for each in found.values())


@lanes.gate
def test_claims_of_an_analysis_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a few of the nodes that `python -m tests.lab --only analysis` takes."""
    monkeypatch.setattr(analysing, "_TURNS", 6)
    monkeypatch.setattr(analysing, "_LEVEL", Level(nodes=200))
    monkeypatch.setattr(analysing, "_DEEP", Level(nodes=400))
    found = {figure.key: figure.measured for figure in analysing.measure(2, lambda *_: None)}
    assert set(found) == {key for key, row in BUDGETS.items() if row.group == "analysis"}
    assert 0 <= found["analysis_marks"]["value"] <= 100
    assert found["analysis_nodes"]["value"] >= 12 * 128


def test_met_looks_at_every_limit_with_misses_charged() -> None:
    assert Figure("lift").met is None
    assert Figure("lift", {"p95": 39, "max": 50}).met is True
    assert Figure("lift", {"p95": 39, "max": 61}).met is False
    assert Figure("lift", {"p95": 39, "max": 50}, {"p95": 41, "max": 52}).met is False
    assert Figure("heap", {"value": 89}).met is False


def test_who_is_over_budget_is_named_but_for_wall_time() -> None:
    assert over([Figure("heap", {"value": 106}), Figure("lift", {"p95": 39, "max": 50})]) == []
    assert over([Figure("heap", {"value": 104}), Figure("heaps", {"wrong": 1})]) == [
        "heap: {'value': 104}, not >= 105 KB",
        "heaps: {'wrong': 1}, not no wrong, needless; most <= 2",
    ]
    assert over([Figure("lift", {"p95": 39}, {"p95": 41})]) == [
        "lift: {'p95': 41}, not p95 <= 40, max <= 60 ms"
    ]
    assert over([Figure("faults_settled", {"max": 21})])
    slow = [Figure("rules_turns", {"best": 1}), Figure("readers_game", {"p95": 999})]
    assert [figure.met for figure in slow] == [False, False]
    assert over(slow) == []
    wall = [key for key, budget in BUDGETS.items() if is_wall_time(budget)]
    assert [key for key in wall if BUDGETS[key].at_most or BUDGETS[key].at_least] == [
        *("rules_turns", "rules_engine", "rules_apply", "page", "page_first"),
        *("readers_game", "readers_page"),
    ]


def test_the_report_shows_corrected_figures_and_what_they_mean() -> None:
    lines = list(report.lines([Figure("lift", {"p50": 30.5, "n": 9}, {"p50": 32.25}, "few")]))
    assert "p50 30.5 (32.25) ms" in lines[1]
    assert " 9" not in lines[1]
    assert "[1] few" in lines
    assert any("flash-cache misses" in line for line in lines)


@lanes.gate
def test_the_device_code_meets_its_budget() -> None:
    (size,) = run.measure(["size"], None, None, 2, lambda *_: None)
    assert size.measured["value"] > 10
    assert size.met, size


# ---- the emulated table


@lanes.long
@pytest.mark.emulator
def test_the_emulated_table_is_measured(image: Path) -> None:  # noqa: F811
    keys = [key for key in figures.wanted(["latency", "heap"], False) if "chapters" not in key]
    found = {figure.key: figure for figure in run.measure(keys, image, 1, 10, lambda *_: None)}
    assert found["lift"].measured["n"] >= 2
    assert 20 < found["lift"].measured["p50"] < 200
    assert found["lift"].corrected["p50"] > found["lift"].measured["p50"]
    assert 15 < found["debounce"].measured["p50"] < 30
    assert over(found.values()) == []
    assert found["heap"].met is found["heap_games"].met is True
    assert found["heap_trend"].remark


@pytest.mark.emulator
def test_the_heap_with_all_chapters_meets_its_budget(image: Path) -> None:  # noqa: F811
    (found,) = chip.measure_chapter_heap(image, lambda *_: None)
    assert found.met, found
    for name, least in HEAP_WITH_CHAPTERS.items():
        assert found.measured[name] >= least, found
    assert "set up anew" not in found.remark, found
