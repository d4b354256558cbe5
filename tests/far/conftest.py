"""What tests of games far apart have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronotable_host import chapters


@pytest.fixture(scope="module")
def everything_unlocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home of the tests' own, in which all chapters are unlocked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHRONOTABLE_HOME", str(tmp_path_factory.mktemp("home")))
        chapters.unlock_to(chapters.COUNT)
        yield
