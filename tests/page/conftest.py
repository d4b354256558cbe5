"""What all tests of the page have."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive and chapters of the test's own, in its folder."""
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)
