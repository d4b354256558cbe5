"""Makes a case that fails smaller, so that it can stand in a regression test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.lab.hostile.case import Case, Step

_TRIALS = 1500
_TRIALS_S = 20.0


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
