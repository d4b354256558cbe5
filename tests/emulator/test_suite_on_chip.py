"""The same test files on MicroPython on the chip; and a hot path that allocates nothing."""

from __future__ import annotations

import importlib
from contextlib import closing
from pathlib import Path

import pytest

from tests import lanes
from tests.emulator.on_chip import MODULES, compiled, listen, open_chip, run_module

pytestmark = pytest.mark.emulator


@pytest.mark.parametrize("module", MODULES)
def test_a_module_on_the_chip(image: Path, module: str) -> None:
    outcome = run_module(image, module)
    here = [name for name in dir(importlib.import_module(module)) if name.startswith("test_")]
    print(f"{module}: {outcome.count} tests in {outcome.chip_ms} ms of the chip's time")
    assert outcome.failed == 0, outcome.text
    assert outcome.count == len(here), outcome.text


def test_a_failure_is_told(image: Path) -> None:
    """The runner itself: a module that is not there is no success."""
    with closing(open_chip(image, "import tests.core.nothing")) as chip:
        assert "ImportError" in listen(chip, "Error", 2000)


@lanes.gate
def test_the_hot_path_allocates_nothing(image: Path) -> None:
    """From the reed to its light, with the heap locked."""
    source = Path(__file__).with_name("hot_path.py").read_text("utf-8")
    main = "import time; time.sleep_ms(300)\nimport hot_path"
    with closing(open_chip(image, main, compiled(hot_path=source))) as chip:
        text = listen(chip, "DONE", 20_000)
    lines = [line for line in text.splitlines() if line.startswith(("NOTHING", "ALLOCATES"))]
    assert "\nDONE" in text, text
    control, *parts = lines
    assert control.startswith("ALLOCATES"), text
    assert all(line.startswith("NOTHING") for line in parts), text
