"""What all tests of the page have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_host.analysed_games import AnalysedGame, analyse
from chronotable_host.archive.store import Archive
from chronotable_host.rules.record import Record, format_record
from tests.lab.page import served


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive and chapters of the test's own, in its folder."""
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)


@pytest.fixture(scope="module")
def folder(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a module's `record`, unless the module has an archive of its own."""
    folder = tmp_path_factory.mktemp("archive")
    (folder / "game.ttykm").write_text(format_record(record), "utf-8")
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    """Where a browser finds the page with the archive of a module."""
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def game(folder: Path) -> AnalysedGame:
    """The game `judged` of a module's archive, analysed at level 4."""
    with Archive(folder) as archive:
        return analyse(archive, "judged", 4, lambda *_: None)
