"""What several tests of the page need."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("CHRONOTABLE_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
