"""A game of the archive is analysed for the page, beside the game at the table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host.archive.parsing import read
from chronotable_host.errors import UserError
from chronotable_host.rules import annotations
from chronotable_host.rules.annotations import ANNOTATOR
from chronotable_host.web.study.judging import Judging
from tests import lanes
from tests.host.archives import played
from tests.page.evening import EAST_AND_FORWARD, Evening
from tests.page.looker import Looker
from tests.page.test_games import keep, random_game
from tests.waiting import until
from ttykm.objects import GROWTH

WAIT_S = 60
LEVEL = 4


@pytest.fixture
def judging(tmp_path: Path) -> Judging:
    return Judging(tmp_path)


def ended(judging: Judging) -> str:
    """Wait for the end; return why it came to nothing, "" where it did not."""
    judging.step(WAIT_S)
    view = judging.view()
    assert view is not None
    assert not view["is_on"]
    return str(view["why"])


def judged_in(folder: Path, game: str) -> int:
    (file,) = folder.glob(f"*{game}.ttykm")
    record = read(file).record
    assert ANNOTATOR in record.headers
    return len(annotations.read_annotations(record.comments))


@lanes.gate
def test_a_game_is_analysed_and_told_as_it_goes(tmp_path: Path, judging: Judging) -> None:
    game = keep(tmp_path, 1, played())
    assert judging.view() is None
    judging.begin(game, LEVEL)
    with pytest.raises(UserError, match="one at a time"):
        judging.begin(game, LEVEL)
    assert ended(judging) == ""
    view = judging.view()
    assert view is not None
    assert [len(score) for score in view.pop("scores")] == [4, 4], "how both players did"
    assert view == {
        "no": 1,
        "game": game,
        "done": 4,
        "turns": 4,
        "is_on": False,
        "why": "",
    }
    assert judged_in(tmp_path, game) == 4
    with pytest.raises(UserError, match="no game is being analysed"):
        judging.stop()
    judging.begin(game, LEVEL)  # it has ended, so that another one may begin
    assert ended(judging) == ""


@lanes.gate
def test_what_was_done_stays_when_it_is_stopped(tmp_path: Path, judging: Judging) -> None:
    game = keep(tmp_path, 1, random_game(1))
    judging.begin(game, LEVEL)
    until(lambda: (judging.view() or {})["done"])
    judging.stop()
    assert ended(judging) == ""
    view = judging.view()
    assert view is not None
    assert 0 < view["done"] < view["turns"]
    assert judged_in(tmp_path, game) == view["done"]


@lanes.gate
@pytest.mark.parametrize(
    ("game", "why"),
    lanes.first([("mine", "mine"), ("nosuch", "no game 'nosuch'"), ("00000001", "unlock")]),
)
def test_what_cannot_be_analysed_is_told(
    tmp_path: Path, judging: Judging, game: str, why: str
) -> None:
    keep(tmp_path, 1, random_game(1, GROWTH, most=3))
    (tmp_path / "mine.ttykm").write_text("1. 1 X >past\n", "utf-8")
    judging.begin(game, LEVEL)
    told = ended(judging)
    assert why in told
    assert str(tmp_path) not in told
    assert "seed" not in told


def test_a_process_that_dies_is_told(tmp_path: Path, judging: Judging) -> None:
    judging.begin(keep(tmp_path, 1, random_game(1)), LEVEL)
    assert judging._place is not None
    judging._place.end()
    assert "ended before it was done" in ended(judging)


@lanes.gate
def test_the_page_asks_for_it_while_a_game_goes_on(tmp_path: Path) -> None:
    with closing(Evening(folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        evening.do(*EAST_AND_FORWARD)
        evening.wait(2000)
        now = looker.look()["game"]["id"]
        assert "still being played" in looker.ask("judge", game=now, level=LEVEL)
        assert looker.look()["judging"] is None
        game = keep(tmp_path, 1, played())
        assert looker.ask("judge", game=game, level=LEVEL) == ""
        assert looker.look()["judging"]["is_on"]
        looker.page.service.judging.step(WAIT_S)
        assert looker.look()["judging"]["done"] == 4
        assert judged_in(tmp_path, game) == 4
        assert "no game is being analysed" in looker.ask("stop_judging")
        assert looker.ask("resign", side="black") == ""
        assert looker.ask("judge", game=now, level=LEVEL) == ""
        looker.page.service.judging.step(WAIT_S)
        assert judged_in(tmp_path, now) == 1
        assert looker.ask("undo") == ""
