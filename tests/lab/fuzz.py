"""Fuzzing: what strangers write raises named errors only, and takes bounded memory.

Each target takes its share of the inputs; hostile/ has them, and how inputs are made. A case comes
from target, seed and number alone, so a finding can be made again; it is made as small as it gets
before it is told.
"""

from __future__ import annotations

import gc
import sys
import time
import traceback
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable_host.errors import UserError, one_line
from tests.lab.figures import Figure, shown
from tests.lab.hostile.case import Case, Step, Target, Unsound, inputs_in, is_long
from tests.lab.hostile.ends import ENDS
from tests.lab.hostile.flash import FLASH
from tests.lab.hostile.parsers import PARSERS
from tests.lab.side_by_side import PROCESSES, Progress, do_all, unheard

_TRIALS = 1500
_TRIALS_S = 20.0
TARGETS = (*PARSERS, *FLASH, *ENDS)
SEED = 1
MOST_KEPT = 5000
"""Objects that a job may leave behind: caches that fill up once."""
_KB = 1024
_JOB = 1000  # inputs
_NUMBERS = 1_000_000  # case numbers that a job has for itself
_TRACED = 5  # of so many cases, the memory of one is traced; that of long ones always
_Place = tuple[str, str, int]


def shrunk(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Return a case that fails as well with as little in it as a simple search finds.

    Steps are left out, then pieces of the texts and bytes that remain.
    """
    trials = _trials()
    case = list(_fewer(case, fails, trials))
    for at in range(len(case)):
        step = case[at]
        if isinstance(step, (str, bytes)):
            case[at] = _fewer(step, partial(_fails_with, case, at, fails), trials)
    return case


def _trials() -> Iterator[int]:
    """Count the trials that a search may make: so many, and none when it has taken long."""
    end_s = time.perf_counter() + _TRIALS_S
    for trial in range(_TRIALS):
        if time.perf_counter() > end_s:
            return
        yield trial


def _fails_with(case: Case, at: int, fails: Callable[[Case], bool], step: Step) -> bool:
    return fails([*case[:at], step, *case[at + 1 :]])


def _fewer(parts: Any, fails: Callable[[Any], bool], trials: Iterator[int]) -> Any:
    """Leave out halves, quarters, ... and single parts as long as it still fails."""
    size = max(1, len(parts) // 2)
    while parts:
        at = 0
        has_shrunk = False
        while at < len(parts):
            if next(trials, None) is None:
                return parts
            less = parts[:at] + parts[at + size :]
            if fails(less):
                parts = less
                has_shrunk = True
            else:
                at += size
        if size == 1 and not has_shrunk:
            break
        size = max(1, size // 2)
    return parts


class Finding(NamedTuple):
    """An input that a target does not bear, as small as it got, and what it does to it."""

    target: str
    seed: int
    number: int
    what: str
    case: Case

    def __str__(self) -> str:
        return f"{self.target} (seed {self.seed}, case {self.number}): {self.what}: {self.case!r}"


class Job(NamedTuple):
    """So many inputs for one target, in cases from a number on."""

    target: str
    seed: int
    first: int
    inputs: int


class Outcome(NamedTuple):
    """What came of a job: memory of the greediest case, and objects that are left."""

    job: Job
    inputs: int
    refused: int  # cases that ended in a named error
    peak_kb: int
    kept: int
    slowest_ms: float
    slowest: int  # its number
    findings: list[Finding]


# ---- one case


def case_of(target: Target, seed: int, number: int) -> Case:
    """Make a case, the same one each time."""
    return target.make(Random(f"{target.name} {seed} {number}"))


def problem(target: Target, case: Case) -> Exception | None:
    return _feed(target, case)[0]


def _feed(target: Target, case: Case) -> tuple[Exception | None, bool]:
    """Return the same, and whether the case ended in a named error."""
    try:
        target.run(case)
    except target.named as error:
        return _unfit(error), True
    except Exception as error:
        return error, False
    return None, False


def _unfit(error: Exception) -> Exception | None:
    """Return what is wrong with an error that people are to read: it is one line that says it."""
    if isinstance(error, UserError):
        line = one_line(error)
        if not line or not line.isprintable():
            return Unsound(f"no line for people: {line!r}")
    elif not str(error):
        return Unsound("an error that says nothing")
    return None


def _place(error: Exception) -> _Place:
    """Return the kind of an error and where it was raised, so that it is told once."""
    frame = traceback.extract_tb(error.__traceback__)[-1:]
    where = (frame[0].filename, frame[0].lineno or 0) if frame else (str(error), 0)
    return type(error).__name__, *where


def _described(error: Exception) -> str:
    kind, where, line = _place(error)
    at = f" at {Path(where).name}:{line}" if line else ""
    return f"{kind}{at}: {error}"[:300]


def _fails_alike(target: Target, place: _Place, case: Case) -> bool:
    error = problem(target, case)
    return error is not None and _place(error) == place


# ---- many cases


def run_job(job: Job) -> Outcome:
    """Feed a job's cases, watching the memory."""
    target = next(target for target in TARGETS if target.name == job.target)
    problem(target, case_of(target, job.seed, job.first))  # so that what is loaded once is loaded
    found: dict[_Place, Finding] = {}
    number, fed, refused, peak_kb = job.first, 0, 0, 0
    slowest_s, slowest = 0.0, job.first
    gc.collect()
    blocks = sys.getallocatedblocks()
    while fed < job.inputs:
        case = case_of(target, job.seed, number)
        trial = _try(target, case, is_traced=is_long(case) or number % _TRACED == 0)
        error = trial.error
        if error is None and trial.peak_kb > target.most_kb:
            error = Unsound(f"takes {trial.peak_kb} KB, not {target.most_kb} at most")
        if error is not None and _place(error) not in found:
            found[_place(error)] = _finding(target, job.seed, number, case, error)
        if trial.took_s > slowest_s:
            slowest_s, slowest = trial.took_s, number
        peak_kb = max(peak_kb, trial.peak_kb)
        fed += inputs_in(case)
        refused += trial.is_refused
        number += 1
        del case, trial, error
    gc.collect()
    kept = sys.getallocatedblocks() - blocks
    findings = list(found.values())
    if kept > MOST_KEPT and not findings:
        findings.append(Finding(job.target, job.seed, job.first, f"keeps {kept} objects", []))
    return Outcome(job, fed, refused, peak_kb, kept, 1000 * slowest_s, slowest, findings)


class _Trial(NamedTuple):
    error: Exception | None
    is_refused: bool
    peak_kb: int
    took_s: float


def _try(target: Target, case: Case, is_traced: bool) -> _Trial:
    """Feed a case and see what it takes; the memory only where it is traced, which takes time."""
    peak_kb = 0
    if is_traced:
        tracemalloc.start()
    try:
        begun_s = time.perf_counter()
        error, is_refused = _feed(target, case)
        took_s = time.perf_counter() - begun_s
        if is_traced:
            peak_kb = tracemalloc.get_traced_memory()[1] // _KB
    finally:
        tracemalloc.stop()
    return _Trial(error, is_refused, peak_kb, took_s)


def _finding(target: Target, seed: int, number: int, case: Case, error: Exception) -> Finding:
    place = _place(error)
    small = shrunk(case, partial(_fails_alike, target, place))
    return Finding(target.name, seed, number, _described(error), small)


def jobs(inputs: int, seed: int = SEED) -> list[Job]:
    """Share so many inputs out to all targets, in jobs of a bounded size, the targets in turn."""
    shares = sum(target.share for target in TARGETS)
    found: list[tuple[int, Job]] = []
    for target in TARGETS:
        rest = max(1, round(inputs * target.share / shares))
        for turn in range((rest + _JOB - 1) // _JOB):
            size = min(_JOB, rest - turn * _JOB)
            found.append((turn, Job(target.name, seed, turn * _NUMBERS, size)))
    return [job for _, job in sorted(found, key=lambda pair: pair[0])]


# ---- figures


def measure(
    inputs: int, report: Progress = unheard, seed: int = SEED, processes: int = PROCESSES
) -> list[Figure]:
    return figures_of(do_all(run_job, jobs(inputs, seed), report, processes))


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    findings: dict[str, Finding] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            findings.setdefault(f"{finding.target} {finding.what}", finding)
    fed = {
        target.name: sum(each.inputs for each in outcomes if each.job.target == target.name)
        for target in TARGETS
    }
    told = shown([str(finding) for finding in findings.values()])
    slowest = max(outcomes, key=lambda each: each.slowest_ms)
    greediest = max(outcomes, key=lambda each: each.peak_kb)
    kept = max(each.kept for each in outcomes)
    counts = {
        "inputs": sum(fed.values()),
        "refused": sum(each.refused for each in outcomes),
        "findings": len(findings),
    }
    listed = ", ".join(f"{name} {count}" for name, count in fed.items())
    greedy = (
        f"of {greediest.job.target}; traced in one case of {_TRACED} and in long ones;"
        f" at most {kept} objects are left after {_JOB} inputs"
    )
    slow = f"{slowest.job.target}, case {slowest.slowest}"
    return [
        Figure("fuzz", counts, remark=told or listed),
        Figure("fuzz_memory", {"max": greediest.peak_kb}, remark=greedy),
        Figure("fuzz_slowest", {"max": round(slowest.slowest_ms, 1)}, remark=slow),
    ]
