"""Pages of a full table: nothing runs out, with long names and in German, the longer language."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from chronotable_night.games.shelf import kinds

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", kinds())
@pytest.mark.usefixtures("browser")  # there is one, or the test is skipped
def test_a_full_table_fits(name: str) -> None:
    """In a process of its own: a program speaks one language from its start to its end."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.night.fullest", name],
        env={**os.environ, "LANGUAGE": "de"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout == ""
