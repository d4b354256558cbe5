"""Fixtures of these tests: an archive of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that is the archive for everything in a test."""
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "archive"))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)
    return tmp_path / "archive"


@pytest.fixture
def archive(home: Path) -> Iterator[Archive]:
    with Archive() as opened:
        yield opened
