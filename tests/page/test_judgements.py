"""What an analysis says of a game's turns, as the page gets it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.live.players.hinter import why_focus
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    BEST,
    ERRORS,
    MARKS,
    MISTAKE,
    Annotation,
    annotated,
)
from chronotable_host.rules.notation import ERAS, parse_turn
from chronotable_host.rules.record import Record, format_record
from chronotable_host.rules.turn_story import plan_of, story_of
from chronotable_host.web.study.games import MISTAKES, Games
from chronotable_host.web.turns_told import where_of
from tests import lanes
from tests.page.test_games import games, home, keep, random_game, states, told
from ttykm.game import Game
from ttykm.objects import ALL_MODULES, GROWTH

__all__ = ["games", "home"]  # fixtures

LISTED, MOST_S = 5_000, 1.0


def judged_game(seed: int, modules: int = 0) -> Record:
    """Return a game whose turns were analysed, by chance, but for the last two."""
    rng = Random(seed)
    record = random_game(seed, modules)
    record.headers[ANNOTATOR] = "Chronotable, level 6"
    for at, state in enumerate(states(record)[: len(record.turns) - 2]):
        game = Game()
        game.start(state)
        mark = rng.choice(MARKS)
        better = () if mark == BEST else (rng.choice([*game.legal_turns()]),)
        said = Annotation(f"{rng.uniform(-9, 9):+.2f}", mark, "#2" if better else "", better)
        record.comments[at] = annotated(record.comments[at], said)
    return record


@pytest.mark.parametrize("modules", [0, GROWTH, ALL_MODULES])
@pytest.mark.parametrize("seed", range(3))
def test_each_turn_has_what_is_said_of_it(
    seed: int, modules: int, home: Path, games: Games
) -> None:
    chapters.unlock_to(chapters.COUNT)
    record = judged_game(seed, modules)
    turns = told(games.game(keep(home, 1, record)))["turns"]
    marks = set()
    for turn, state in zip(turns[:-2], states(record), strict=False):
        said = turn["said"]
        marks.add(said["mark"])
        assert said["value"] in record.comments[turn["no"] - 1]
        assert 0 < said["chance"] < 1
        assert (said["chance"] > 0.5) is (float(said["value"]) > 0)
        assert "[%" not in turn["comment"]
        assert ("why" in said) is (said["mark"] in ERRORS)
        if "best" not in said:
            continue
        story = story_of(state, parse_turn(said["best"][0]))
        plan = plan_of(state, parse_turn(said["best"][0]))
        assert (said["best_plan"], said["best_chance"]) == (plan, 1.0), seed
        game = Game()
        game.start(state)
        assert said["best_why"] == why_focus(game, parse_turn(said["best"][0]))
        assert said["best_where"] == where_of(story.path, parse_turn(said["best"][0]), True)
        assert (said["best_path"], said["best_focus"]) == ([*story.path], ERAS[story.focus])
        assert [each["at"] for each in said["best_died"]] == [at for at, _ in story.died]
    assert marks <= {*MARKS}
    assert len(marks) > 3
    assert [turn["said"] for turn in turns[-2:]] == [None, None]


def test_a_game_that_was_not_analysed_says_nothing(home: Path, games: Games) -> None:
    record = judged_game(1)
    del record.headers[ANNOTATOR]
    turns = told(games.game(keep(home, 1, record)))["turns"]
    assert {turn["said"] for turn in turns} == {None}


def test_a_better_turn_that_cannot_be_played_is_not_told(home: Path, games: Games) -> None:
    """Somebody may have written it with an editor."""
    record = random_game(1, most=1)
    record.headers[ANNOTATOR] = "me"
    record.comments[0] = "[%eval +1.00] [%best +2.00 6 B B >past] [%mark mistake]"
    (turn,) = told(games.game(keep(home, 1, record)))["turns"]
    assert turn["said"].keys() == {"value", "chance", "mark", "where", "why"}


def test_the_list_by_mistakes(home: Path, games: Games) -> None:
    records = {keep(home, seed, judged_game(seed)): judged_game(seed) for seed in range(5)}
    keep(home, 9, random_game(9))
    found = games.list("", "", 50, 0, MISTAKES)
    assert found["total"] == len(records)
    assert {entry["id"] for entry in found["games"]} == {*records}
    sums = [sum(entry["errors"]) for entry in found["games"]]
    assert sums == sorted(sums, reverse=True)
    for entry in found["games"]:
        record = records[entry["id"]]
        assert entry["analysed"] == len(record.turns) - 2
        wrong = [each for each in record.comments if any(f"%mark {e}]" in each for e in ERRORS)]
        assert sum(entry["errors"]) == len(wrong)
    assert games.list("ada", "1-0", 50, 0, MISTAKES)["total"] <= found["total"]
    assert games.list("", "", 50, 0)["total"] == len(records) + 1
    with pytest.raises(UserError, match="ordered by mistakes"):
        games.list("", "", 50, 0, "beauty")


@lanes.gate
def test_many_games_are_listed_by_mistakes_at_once(home: Path, games: Games) -> None:
    """Best of three: what else the computer does is not asked."""
    texts = [format_record(judged_short(seed)) for seed in range(4)]
    for number in range(LISTED):
        keep(home, number, texts[number % len(texts)])
    games.list("", "", 1, 0)  # the files are read once
    times = []
    for _ in range(3):
        begun = perf_counter()
        found = games.list("", "", 25, 0, MISTAKES)
        times.append(perf_counter() - begun)
    assert found["total"] == LISTED
    assert min(times) <= MOST_S


def judged_short(errors: int) -> Record:
    """Return a game of four turns of which so many are mistakes."""
    record = random_game(1, most=4)
    record.headers[ANNOTATOR] = "Chronotable, level 6"
    for at in range(4):
        said = Annotation("+0.10", MISTAKE if at < errors else BEST)
        record.comments[at] = annotated(record.comments[at], said)
    return record
