"""Waiting for a fact that the product tells, and never for seconds: machines are shared."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_S = 60.0
"""After so long something is taken for lost: only what fails takes that long."""

Fact = TypeVar("Fact")


def until(is_so: Callable[[], Fact], came: Callable[[], object] = lambda: "nothing") -> Fact:
    """Wait until something is so, and return it; `came` tells what came instead."""
    end = time.monotonic() + PATIENCE_S
    while not (fact := is_so()):
        if time.monotonic() > end:
            wanted = inspect.getsource(is_so).strip()
            raise AssertionError(f"waited {PATIENCE_S:g} s for {wanted}\n{came()} came instead")
        time.sleep(0.005)
    return fact
