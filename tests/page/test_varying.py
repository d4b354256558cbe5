"""Variations that are kept from the page: in the record of a game that is over, and no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from chronotable_host import chapters
from chronotable_host.archive.parsing import read
from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.rules.line import keep as keep_line
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record, format_record
from chronotable_host.web.study.games import Games, vary
from tests import lanes
from tests.host.archives import random_record
from tests.lab.page import served
from tests.page.browsing import PC, Browser, open_list, opened
from tests.page.choosing import tries
from tests.page.evening import Evening
from tests.page.looker import Looker
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

SEED, AT = 11, 6
FIRST = "1 E F >future"


def keep(folder: Path, record: Record, name: str = "game") -> Path:
    path = folder / f"{name}.ttykm"
    path.write_text(format_record(record), "utf-8")
    return path


def others(record: Record, number: int, count: int) -> tuple[Game, list[int]]:
    """Return a game before turn `number`, and a line of so many turns that was not played there."""
    game, line = Game(), list[int]()
    game.start(record.start, record.options)
    for turn in record.turns[: number - 1]:
        game.apply(turn)
    played = record.turns[number - 1] & 0xFFFF
    for _ in range(count):
        turn = next(each for each in game.legal_turns() if line or each & 0xFFFF != played)
        game.apply(turn)
        line.append(turn)
    for _ in line:
        game.undo()
    return game, line


def texts(line: list[int]) -> list[str]:
    return [format_turn(turn) for turn in line]


def test_a_variation_is_kept_told_and_dropped(tmp_path: Path) -> None:
    record = random_record(SEED)
    path = keep(tmp_path, record)
    _, line = others(record, AT, 3)
    vary(tmp_path, "game", AT, ";".join(texts(line)), is_kept=True)
    assert [each.turns for each in read(path).record.variations[AT]] == [line]
    with closing(Games(tmp_path)) as games:
        told = json.loads(games.game("game"))
        assert told["variations"] == [
            {"no": AT, "turns": texts(line), "own": 3, "starting_comment": ""}
        ]
        assert len(told["turns"]) == len(record.turns)
    vary(tmp_path, "game", AT, ";".join(texts(line[:2])), is_kept=False)
    assert [each.turns for each in read(path).record.variations[AT]] == [line[:1]]


def commented() -> tuple[Record, list[int]]:
    """Return a game with a variation, a comment in front of each, and the variation's turns."""
    record = random_record(SEED)
    _, turns = others(record, AT, 2)
    keep_line(record, AT, turns)
    record.starting_comment = "A game to remember."
    record.variations[AT][0].starting_comment = "Better is:"
    return record, turns


def test_comments_in_front_of_first_turns_are_told_and_stay_when_variations_change(
    tmp_path: Path,
) -> None:
    record, turns = commented()
    path = keep(tmp_path, record)
    longer, inner = others(record, AT, 3)[1], ";".join(texts(turns))
    for text, is_kept in ((";".join(texts(longer)), True), (inner, False), (inner, True)):
        vary(tmp_path, "game", AT, text, is_kept)
        found = read(path).record
        assert found.starting_comment == "A game to remember."
        assert [each.starting_comment for each in found.variations[AT]] == ["Better is:"]
    with closing(Games(tmp_path)) as games:
        told = json.loads(games.game("game"))
        assert told["starting_comment"] == "A game to remember."
        assert [each["starting_comment"] for each in told["variations"]] == ["Better is:"]
        assert "A game to remember." in games.share("game", "page", 0)


@pytest.mark.parametrize(
    ("name", "number", "line", "error"),
    [
        ("nothing", 1, FIRST, "no game"),
        ("game", 99, FIRST, "no turn 99"),
        ("game", 1, "2 E E >past", "cannot be played there"),
        ("game", 1, "nonsense", "nonsense"),
        ("open", 1, FIRST, "this game is not over"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    tmp_path: Path, name: str, number: int, line: str, error: str
) -> None:
    record = random_record(SEED)
    open_one = Record(record.start)
    open_one.add(record.turns[0])
    paths = keep(tmp_path, record), keep(tmp_path, open_one, "open")
    before = [path.read_bytes() for path in paths]
    with pytest.raises(UserError, match=error):
        vary(tmp_path, name, number, line, is_kept=True)
    assert [path.read_bytes() for path in paths] == before


def test_a_game_of_a_locked_chapter_is_left_alone(tmp_path: Path) -> None:
    record = Record(objects.new_state(objects.GROWTH))
    game = Game()
    game.start(record.start, 0)
    turn, other, *_ = game.legal_turns()
    record.add(turn)
    record.finish("1/2-1/2", "agreed")
    path = keep(tmp_path, record)
    with pytest.raises(LockedError):
        vary(tmp_path, "game", 1, format_turn(other), is_kept=True)
    chapters.unlock_to(1)
    vary(tmp_path, "game", 1, format_turn(other), is_kept=True)
    assert read(path).record.variations[1][0].turns == [other]


def test_whoever_has_control_asks_for_it(tmp_path: Path) -> None:
    record = random_record(SEED)
    path = keep(tmp_path, record)
    _, line = others(record, AT, 1)
    wanted = {"game": "game", "turn": AT, "line": texts(line)[0]}
    with closing(Evening(built_in=(WHITE, BLACK), seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        assert looker.ask("keep_variation", **wanted) == ""
        assert AT in read(path).record.variations
        assert looker.ask("drop_variation", **wanted) == ""
        assert not read(path).record.variations
        assert "no turn 99" in looker.ask("keep_variation", **{**wanted, "turn": 99})


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    keep(tmp_path, random_record(SEED))
    with served(tmp_path) as found:
        yield found


@pytest.mark.browser
def test_comments_in_front_of_first_turns_are_read_on_the_page(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    keep(tmp_path, commented()[0])
    someone = opened(browser, f"{url}#games/game/0")
    open_list(someone.page)
    someone.page.locator("#games .so-far").get_by_text("A game to remember.").wait_for()
    someone.opens(f"{url}#analyse/game/game/{AT}")
    open_list(someone.page)
    turns = someone.page.locator("#analyse .turns")
    turns.get_by_text("A game to remember.").wait_for()
    first = turns.locator(".variation ol > li").first
    first.get_by_text("Better is:").wait_for()


@lanes.gate
@pytest.mark.browser
def test_a_variation_is_kept_and_removed_on_the_page(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    record = random_record(SEED)
    game, line = others(record, AT, 2)
    path = tmp_path / "game.ttykm"
    page = opened(browser, f"{url}#analyse/game/game/{AT - 1}", size=PC).page
    for turn in line:
        tries(page, "#analyse", game, turn)
        page.wait_for_url(f"**{quote(format_turn(turn))}")
        game.apply(turn)
    open_list(page)
    page.get_by_role("button", name="Keep it in the record").click()
    page.locator("#analyse .tried .tag", has_text="kept").nth(1).wait_for()
    assert [each.turns for each in read(path).record.variations[AT]] == [line]
    page.goto(f"{url}#games")
    page.goto(f"{url}#analyse/game/game/{AT}")
    page.locator("#analyse .tried .tag", has_text="kept").nth(1).wait_for()
    page.locator("#analyse .tried a").nth(1).click()
    open_list(page)
    page.get_by_role("button", name="Remove this variation").click()
    page.locator("#analyse .tried").nth(1).wait_for(state="detached")
    assert [each.turns for each in read(path).record.variations[AT]] == [line[:1]]
    # behind the game's last turn there is none that it could stand for
    page.goto(f"{url}#analyse/game/game/{len(record.turns)}")
    page.locator("#analyse h1", has_text="has won").wait_for()
    assert page.get_by_role("button", name="Keep it in the record").count() == 0
