"""An opponent as strong as you: its level follows the results that records have, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.commands.try_work import opponent_for
from chronotable_host.engine.levels import LEVELS, STRENGTHS, LevelPlayer, level_at
from chronotable_host.engine.match import opening, play_as, share_of
from chronotable_host.engine.thinkers import level_of
from chronotable_host.live.players.matching import LevelResult, matched, results_of
from chronotable_host.live.players.seats import AS_YOU
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.host import archives
from tests.host.archives import random_record
from tests.host.test_table_seats import seated_at
from tests.page.evening import EAST_AND_FORWARD, Evening
from tests.page.looker import NEW, Looker
from tests.table.rig import Rig
from ttykm.layout import BLACK, WHITE, new_state


def test_the_scale_has_small_steps_and_the_levels_on_it() -> None:
    ratings = [level_at(each).rating for each in STRENGTHS]
    assert all(0 < more - less <= 50 for less, more in pairwise(ratings))
    assert [level_at(each) for each in STRENGTHS if each % 1 == 0] == [*LEVELS]
    for less, more in pairwise(map(level_at, STRENGTHS)):
        assert less.nodes <= more.nodes
        assert less.nodes_with_modules <= more.nodes_with_modules
        assert less.overlooks > more.overlooks
        assert less.hurries > more.hurries


def followed(wins: Sequence[bool], start: float) -> list[float]:
    """Return the levels of games that are won so, behind one of a level that was chosen."""
    results, levels = [LevelResult(start, 0.5)], []
    for is_won in wins:
        levels.append(matched(results)[0])
        results = [LevelResult(levels[-1], is_won), *results[:9]]
    return levels


@pytest.mark.parametrize("rating", [365, 520, 900, 1250, 1600])
def test_half_of_the_points_are_won_against_it_in_the_long_run(rating: float) -> None:
    """By who wins as often as a rating says, from the easiest level on."""
    points, results, rng = 0, [], Random(rating)
    for number in range(430):
        level, _ = matched(results)
        is_won = rng.random() < share_of(rating - level_at(level).rating)
        results = [LevelResult(level, is_won), *results[:9]]
        points += is_won and number >= 30
    assert 0.42 < points / 400 < 0.58


@pytest.mark.parametrize("seed", range(3))
def test_who_wins_meets_no_weaker_one_for_it_and_who_loses_no_stronger(seed: int) -> None:
    wins = [Random(seed * 100 + number).random() < 0.5 for number in range(60)]
    levels = followed(wins, 4)
    for is_won, (before, after) in zip(wins, pairwise(levels), strict=False):
        assert after >= before if is_won else after <= before
    assert len(set(levels)) > 10


def test_it_goes_as_far_as_there_are_levels() -> None:
    assert followed([True] * 40, 5)[-1] == 8
    assert followed([False] * 40, 5)[-1] == 1


def test_what_is_said_of_it() -> None:
    lost, won = LevelResult(2, 0), LevelResult(2, 1)
    assert matched([]) == (1, "Easy at first; then it follows your last ten results.")
    assert matched([won, won, lost, won])[1].startswith("You won 3 of 4: a little stronger now")
    assert matched([lost, lost, won])[1].startswith("You won 1 of 3: a little easier now (level 1.")
    assert matched([LevelResult(2, 0.5)]) == (2, "You won 0 of 1: as strong as before (level 2.0).")


def game(folder: Path, number: int, white: str, black: str, result: str) -> None:
    record = archives.played(white, black)
    if result != "*":
        record.finish(result, "agreed" if "/" in result else "resigned")
    (folder / f"2026-11-{number:02}-120000.ttykm").write_text(format_record(record), "utf-8")


def test_results_are_those_of_the_player_s_finished_games_against_levels(tmp_path: Path) -> None:
    for number, (white, black, result) in enumerate(
        [
            ("Ann", "Chronotable, level 2", "1-0"),
            ("Chronotable, level 3.4", "ann", "1-0"),
            ("Ann", "Chronotable, level 5", "*"),
            ("Annette", "Chronotable, level 6", "1-0"),
            ("Ann", "Bo", "1-0"),
            ("Ann", "Chronotable, by chance", "1-0"),
            ("Ann", "Chronotable, level 9", "1-0"),
            ("?", "Chronotable, level 7", "0-1"),
            ("you", "Chronotable, level 6.5", "1-0"),
            ("Ann", "Chronotable, level 8", "1/2-1/2"),
        ],
        1,
    ):
        game(tmp_path, number, white, black, result)
    with Archive(tmp_path) as archive:
        assert results_of(archive, "Ann") == [(8, 0.5), (3.4, 0), (2, 1)]
        assert results_of(archive, "") == results_of(archive, "you") == [(6.5, 1), (7, 0)]
        game(tmp_path, 11, "Ann", "Chronotable, level 1", "0-1")
        assert results_of(archive, "Ann")[0] == (1, 0), "what was played meanwhile counts"
        for number in range(12, 29):
            game(tmp_path, number, "Ann", "Chronotable, level 4.5", "1-0")
        assert results_of(archive, "Ann") == [(4.5, 1)] * 10


def test_it_grows_from_game_to_game_and_a_level_is_chosen_again(tmp_path: Path) -> None:
    with closing(Evening(folder=tmp_path)) as evening:
        page = Looker(evening, tmp_path)
        evening.mirror.name_player(WHITE, "Ann")
        assert page.ask("sit", side="black", who=AS_YOU) == ""
        view = page.look()
        assert view["players"]["black"] == AS_YOU
        assert view["matched"] == "Easy at first; then it follows your last ten results."
        levels = []
        for won in (1, 2, 3):
            evening.do(*EAST_AND_FORWARD)
            evening.wait_until(lambda: len(evening.mirror.game.turns) > 1, 60_000)
            evening.wait(1500)
            assert evening.mirror.record is not None
            levels.append(evening.mirror.record.headers["Black"])
            assert page.ask("resign", side="black") == ""
            view = page.look()
            assert view["matched"].startswith(f"You won {won} of {won}: a little stronger now")
            assert view["matched"] in evening.heard("notice")
            assert view["note"].endswith(view["matched"])
            assert (
                page.ask("new", **{**NEW, "black": "", "handicap": [0, 0], "first": "white"}) == ""
            )
            evening.wait_until(lambda: evening.mirror.table.phase == "turn")
        assert levels[0] == "Chronotable, level 1"
        strengths = [level_of(each) for each in levels]
        assert strengths == sorted({*strengths}), "the next one is stronger each time"
        assert page.ask("sit", side="black", who="level:2") == ""
        assert page.look()["matched"] == ""
        assert evening.seats.thinkers[BLACK].name == "level:2"


def test_at_a_real_table_too(tmp_path: Path) -> None:
    game(tmp_path, 1, "?", "Chronotable, level 4", "1-0")
    with (
        Archive(tmp_path) as archive,
        Rig(new_state(), archive=archive) as at,
        seated_at(at) as (seated, _, _),
    ):
        at.hands.wait(500)
        seated.seat(BLACK, AS_YOU)
        at.step()
        assert 4 < level_of(at.mirror.recorder.header("Black")) < 5
        assert seated.players() == {"white": "hands", "black": AS_YOU}
        assert [each["notice"] for each in at.heard("notice")] == [at.matching.says]


def test_in_the_terminal_too(tmp_path: Path, capsys: archives.Output) -> None:
    game(tmp_path, 1, "you", "Chronotable, level 4", "1-0")
    words = ("try", "--headless", "--quiet", "--white", "random", "--black", AS_YOU, "--turns", "2")
    status, _, said = archives.told(capsys, *words, "--archive", str(tmp_path))
    assert status == 0
    assert "You won 1 of 1: a little stronger now (level 4." in said
    with Archive(tmp_path) as archive:
        assert 4 < level_of(archive.games()[0].black) < 5


@lanes.gate
def test_a_player_of_level_3_soon_has_its_equal() -> None:
    """By whole games."""
    results: list[LevelResult] = []
    points = 0.0
    for number in range(70):
        level, _ = matched(results)
        players = LevelPlayer(3, number).choose, LevelPlayer(level, number + 1).choose
        winner, side = play_as((WHITE, BLACK)[number % 2], *players, opening(number // 2))
        score = 0.5 if winner not in (WHITE, BLACK) else float(winner == side)
        results = [LevelResult(level, score), *results[:9]]
        points += score * (number >= 20)
    assert 15 <= points <= 35


# ---- the first game


@pytest.mark.parametrize(("turns", "opponent"), [(5, "level:1"), (1000, "level:you")])
def test_the_first_game_is_against_level_1(tmp_path: Path, turns: int, opponent: str) -> None:
    """One that was broken off is none yet."""
    assert opponent_for(tmp_path) == "level:1"
    (tmp_path / "game.ttykm").write_text(format_record(random_record(1, turns)), "utf-8")
    assert opponent_for(tmp_path) == opponent
