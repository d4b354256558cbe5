"""Many jobs that know nothing of each other, done in two processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Progress = Callable[[int, int], None]
"""Hears how many of how many are done."""

PROCESSES = 2
_WORTH_PROCESSES = 8  # jobs; a process takes half a second to start

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


def unheard(_done: int, _all: int) -> None:
    """Hear nothing."""


def do_all(
    work: Callable[[Job], Outcome],
    jobs: Sequence[Job],
    report: Progress = unheard,
    processes: int = PROCESSES,
) -> list[Outcome]:
    """Return what comes of each job, in their order; a few of them are done here.

    `work`, jobs and outcomes have to be such as can be pickled.
    """
    outcomes = []
    if processes == 1 or len(jobs) < _WORTH_PROCESSES:
        for job in jobs:
            outcomes.append(work(job))
            report(len(outcomes), len(jobs))
        return outcomes
    with ProcessPoolExecutor(processes) as pool:
        for outcome in pool.map(work, jobs):
            outcomes.append(outcome)
            report(len(outcomes), len(jobs))
    return outcomes
