"""The archive as the page gets it: complete, quick, and silent about what is locked."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chronotable_host import chapters
from chronotable_host.archive import store
from chronotable_host.archive.comments import turn_comment
from chronotable_host.archive.parsing import each_record
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LOCKED, LockedError
from chronotable_host.errors import UserError
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.language import speaking
from chronotable_host.rules.notation import (
    format_position,
    format_turn,
    parse_position,
)
from chronotable_host.rules.record import Record, format_record
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.http.json_text import JsonText
from chronotable_host.web.study.games import MOST, Games, NoSuchGame
from tests import lanes
from tests.host.leaks import leaks
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.objects import ALL_MODULES, GROWTH, INFLUENCE, MEMORY

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
HOW = ("certain", "asked", "corrected")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    monkeypatch.setenv("CHRONOTABLE_HOME", str(folder))
    return folder


@pytest.fixture
def games(home: Path) -> Iterator[Games]:
    with closing(Games(home)) as games:
        yield games


def random_game(seed: int, modules: int = 0, most: int = 30) -> Record:
    """Return a random game with comments as a table's games have them."""
    rng = random.Random(seed)
    record, game = Record(objects.new_state(modules)), Game()
    game.start(record.start)
    at_ms = 2000
    while len(record.turns) < most and (legal := list(game.legal_turns())):
        turn = rng.choice(legal)
        game.apply(turn)
        at_ms += rng.randrange(1000, 90000)
        record.add(turn, turn_comment(at_ms, rng.choice(HOW)))
    if game.winner() != layout.NOBODY:
        record.finish(("1-0", "0-1")[game.winner()], "normal")
    record.headers.update({"White": "Ada", "Black": "Bob", "Date": "2026-11-20"})
    return record


def keep(home: Path, number: int, record: Record | str) -> str:
    """Put a game in the archive, later ones with higher numbers; return its id."""
    text = record if isinstance(record, str) else format_record(record)
    (home / f"2026-11-20T1015-{number:08x}.ttykm").write_text(text, "utf-8")
    return f"{number:08x}"


def states(record: Record) -> list[array[int]]:
    return [array("H", game.state) for game in record.replay()]


def told(answer: JsonText) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer)
    return found


# ---------------------------------------------------------------- the list


def test_the_list_is_the_newest_first_page_by_page(home: Path, games: Games) -> None:
    ids = [keep(home, number, random_game(number, most=4)) for number in range(7)][::-1]
    found = games.list("", "", 3, 0)
    assert [entry["id"] for entry in found["games"]] == ids[:3]
    assert found["total"] == len(ids)
    assert found["unreadable"] == {"total": 0, "files": []}
    assert [entry["id"] for entry in games.list("", "", 3, 6)["games"]] == ids[6:]
    assert games.list("", "", 3, 99) == {**found, "games": []}
    copies = "".join(f"{mask:04x}" for mask in states(random_game(6, most=4))[-1][:6])
    assert found["games"][0] == {
        "id": ids[0], "file": f"2026-11-20T1015-{ids[0]}.ttykm", "date": "2026-11-20",
        "white": "Ada", "black": "Bob", "result": "*", "says": "In progress.", "turns": 4,
        "modules": "standard", "called": "standard", "imported": False,
        "analysed": 0, "errors": [0, 0], "copies": copies,
    }  # fmt: skip


def test_the_list_is_searched(home: Path, games: Games) -> None:
    for number, (white, result, end) in enumerate(
        [("Zoë", "1-0", "resigned"), ("Ada", "0-1", "resigned"), ("Ann", "1/2-1/2", "agreed")]
    ):
        record = random_game(number, most=3)
        record.headers.update(
            {"White": white, "Black": f"level:{number + 5}" if white == "Zoë" else "Bob"}
        )
        record.finish(result, end)
        keep(home, number, record)

    def found(player: str = "", result: str = "") -> list[str]:
        answer = games.list(player, result, 50, 0)
        assert answer["total"] == len(answer["games"])
        return [entry["white"] for entry in answer["games"]]

    assert found() == ["Ann", "Ada", "Zoë"]
    assert found(" ZOË ") == ["Zoë"]
    assert found("a") == ["Ann", "Ada"]
    assert found("Sl") == ["Zoë"]  # as the fifth level is called
    with speaking("de"):
        assert found("schlau") == ["Zoë"]
    assert found("bob", "0-1") == ["Ada"]
    assert found("%") == found(result="*") == []
    says = [entry["says"] for entry in games.list("", "", 50, 0)["games"]]
    assert says == [
        "The game is drawn by agreement.",
        "Bob wins by resignation.",
        "White wins by resignation.",
    ]
    with pytest.raises(UserError, match="1-0 0-1 1/2-1/2"):
        games.list("", "2-0", 50, 0)


def test_a_game_that_was_never_played_is_not_listed(home: Path, games: Games) -> None:
    never = Record(layout.new_state())
    never.finish("0-1", "resigned")
    keep(home, 1, never)
    played = keep(home, 2, random_game(1))
    found = games.list("", "", 20, 0)
    assert [game["id"] for game in found["games"]] == [played]
    assert found["total"] == 1
    assert told(games.game("00000001"))["turns"] == []  # whoever has its link sees it


def test_numbers_out_of_range_are_brought_into_it(home: Path, games: Games) -> None:
    keep(home, 1, random_game(1, most=2))
    keep(home, 2, random_game(2, most=2))
    assert len(games.list("", "", 0, -5)["games"]) == 1
    assert len(games.list("", "", MOST * 10, 0)["games"]) == 2


def test_the_list_reads_no_game(home: Path, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        keep(home, number, random_game(number, most=2))
    games.list("", "", 50, 0)
    monkeypatch.setattr(store, "read", None)  # reading one would fail
    assert games.list("", "", 50, 0)["total"] == 20


def test_files_that_are_no_games_are_told(home: Path, games: Games) -> None:
    (home / "mine.ttykm").write_text("1. 1 X >past\n", "utf-8")
    (home / "kept.ttykm").write_text(format_record(random_game(1)), "utf-8")
    found = games.list("", "", 50, 0)
    assert [entry["id"] for entry in found["games"]] == ["kept"]
    assert found["unreadable"]["total"] == 1
    assert found["unreadable"]["files"][0]["file"] == "mine.ttykm"
    assert "'X' is none of the actions" in found["unreadable"]["files"][0]["why"]
    with pytest.raises(NoSuchGame, match=r"mine\.ttykm cannot be read: .*'X'"):
        games.game("mine")


# ---------------------------------------------------------------- a game


@pytest.mark.parametrize("modules", [0, GROWTH, INFLUENCE, MEMORY, ALL_MODULES])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_has_all_its_positions(seed: int, modules: int, home: Path, games: Games) -> None:
    chapters.unlock_to(chapters.COUNT)
    record = random_game(seed, modules)
    found = told(games.game(keep(home, seed, record)))
    where = (seed, modules)
    assert [turn["turn"] for turn in found["turns"]] == [format_turn(t) for t in record.turns]
    assert [turn["no"] for turn in found["turns"]] == list(range(1, len(record.turns) + 1))
    assert len(found["positions"]) == len(found["turns"]) + 1
    for state, position in zip(states(record), found["positions"], strict=True):
        assert position["position"] == format_position(state), where
        lying = [(piece["at"], piece["look"]) for piece in position["pieces"]]
        assert lying == looks_of(state), where
        assert {look for _, look in lying} <= found["looks"].keys()
        on_boards = [sum(look == colour for _, look in lying) for colour in ("white", "black")]
        for player in range(2):
            parts = (position["supply"][player], position["captured"][player], on_boards[player])
            assert sum(parts) == 7, (where, parts)  # T2, T23
    movers = [position["mover"] for position in found["positions"]]
    assert [turn["player"] for turn in found["turns"]] == movers[:-1]


@pytest.mark.parametrize("modules", [0, ALL_MODULES])
def test_what_happened_in_each_turn(modules: int, home: Path, games: Games) -> None:
    chapters.unlock_to(chapters.COUNT)
    record = random_game(7, modules)
    found = games.stories(keep(home, 7, record))
    assert found["id"] == "00000007"
    assert len(found["turns"]) == len(record.turns)
    died = 0
    for state, turn, told in zip(states(record), record.turns, found["turns"], strict=False):
        story = story_of(state, turn, record.options)
        assert told["says"] == story.says
        assert told["focus"] == format_turn(turn).rpartition(">")[2]
        assert tuple(told["path"]) == story.path
        lying = dict(looks_of(state))
        if len(story.path) < 2:  # one action, at most: who died stood where it stood at the start
            assert all(lying[each["at"]] == each["look"] for each in told["died"])
        died += len(told["died"])
    assert died > 0
    json.dumps(found)


def test_headers_end_and_understanding(home: Path, games: Games) -> None:
    record = random_game(5, most=9)
    record.finish("0-1", "resigned")
    record.headers["Site"] = "the \x1b[31mkitchen"
    found = told(games.game(keep(home, 1, record)))
    assert found["headers"]["Black"] == "Bob"
    assert found["headers"]["Site"] == "the ?[31mkitchen"
    assert (found["result"], found["says"]) == ("0-1", "Bob wins by resignation.")
    counts = [turn["understood"] for turn in found["turns"]]
    assert found["understood"] == {how: counts.count(how) for how in HOW}
    assert sum(found["understood"].values()) == 9


def test_a_handicap_is_not_taken_for_lost_pieces(home: Path, games: Games) -> None:
    record = Record(layout.new_state(layout.WHITE, 2, 0))
    (start,) = told(games.game(keep(home, 1, record)))["positions"]
    assert (start["supply"], start["captured"]) == ([2, 4], [0, 0])


def test_seconds_are_those_since_the_turn_before_where_they_are_known(
    home: Path, games: Games
) -> None:
    record = random_game(3, most=6)
    record.comments = [
        "10.00 s, certain",
        "12.50 s, asked; took back 6 E F >past",
        "took back 6 E F >past; 14.00 s, certain",
        "3.00 s, certain",  # the table was off in between
        "thought about it for 5 s",
        "9.00 s, corrected",
    ]
    turns = told(games.game(keep(home, 1, record)))["turns"]
    assert [turn["seconds"] for turn in turns] == [None, 2.5, 1.5, None, None, None]
    understood = ["certain", "asked", "certain", "certain", "", "corrected"]
    assert [turn["understood"] for turn in turns] == understood
    comments = ["", "", "", "", "thought about it for 5 s", ""]
    assert [turn["comment"] for turn in turns] == comments, "what people wrote, and no table"


def test_a_game_that_says_nothing_of_its_turns(home: Path, games: Games) -> None:
    record = random_game(3, most=4)
    record.comments = ["", "", "", ""]
    found = told(games.game(keep(home, 1, record)))
    assert found["understood"] == {}
    assert {turn["understood"] for turn in found["turns"]} == {""}


def test_a_game_in_progress_whose_last_line_is_torn(home: Path, games: Games) -> None:
    record = random_game(3, most=4)
    text = format_record(record)
    found = told(games.game(keep(home, 1, text[: text.rindex(">")])))
    assert len(found["turns"]) == 3
    assert "cut short" in found["note"]


def test_the_record_is_the_canonical_text(home: Path, games: Games) -> None:
    record = random_game(4)
    game_id = keep(home, 1, format_record(record).replace("\n", "\r\n"))
    name, text = games.record(game_id)
    assert name == f"2026-11-20T1015-{game_id}.ttykm"
    assert text == format_record(record)


def test_a_game_is_found_by_its_id_and_by_its_files_name(home: Path, games: Games) -> None:
    game_id = keep(home, 1, random_game(1))
    with Archive(home) as archive:
        archive.store(each_record(format_record(random_game(2)), "x"))
    assert told(games.game(f"2026-11-20T1015-{game_id}"))["id"] == game_id
    imported = next(e for e in games.list("", "", 50, 0)["games"] if e["imported"])
    assert told(games.game(imported["id"]))["file"] == imported["file"]


@pytest.mark.parametrize(
    "wanted",
    [
        "", "last", "0000000", "nosuch", "..", "../secret", "%2e%2e", "imported/x", ".", "/", "\0",
        "index.sqlite", "C:\\x", "'; drop table games; --", "x" * 100000, "\ud800", "\uff11",
    ],
)  # fmt: skip
def test_other_ids_are_none(wanted: str, home: Path, games: Games) -> None:
    keep(home, 1, random_game(1))
    (home.parent / "secret.ttykm").write_text(format_record(random_game(2)), "utf-8")
    for ask in (games.game, games.record, games.stories):
        with pytest.raises(NoSuchGame) as caught:
            ask(wanted)
        assert len(str(caught.value)) < 100


def test_a_file_that_vanishes_is_told(
    home: Path, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = keep(home, 1, random_game(1))

    def gone(path: Path) -> None:
        path.unlink()
        path.read_bytes()

    monkeypatch.setattr(store, "read", gone)
    with pytest.raises(NoSuchGame, match=f"{game_id}.ttykm cannot be read: .*No such file"):
        games.game(game_id)


def test_threads_ask_at_once(home: Path, games: Games) -> None:
    ids = [keep(home, number, random_game(number, most=6)) for number in range(6)]

    def ask(number: int) -> Any:
        if number % 2:
            return games.list("", "", 50, 0)["total"]
        return told(games.game(ids[number % len(ids)]))["id"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(48)))
    assert answers[1::2] == [len(ids)] * 24
    assert answers[::2] == [ids[number % len(ids)] for number in range(0, 48, 2)]


# ---------------------------------------------------------------- positions


def test_a_position_is_understood_and_drawn(games: Games) -> None:
    found = told(games.position(START.replace(" ", "  ")))
    assert found["position"] == START
    assert found["captured"] is None
    assert found["focus"] == ["past", "future"]
    assert [(p["at"], p["look"]) for p in found["pieces"]] == looks_of(parse_position(START))
    texts = [text.text for text in ET.fromstring(games.picture(START)).iter() if text.text]
    assert "White to move · supply: White 4, Black 4" in texts


@lanes.gate
@pytest.mark.parametrize("modules", lanes.first(range(1, ALL_MODULES + 1), 2))
def test_positions_of_chapters_are_drawn(modules: int, home: Path, games: Games) -> None:
    chapters.unlock_to(chapters.COUNT)
    for state in states(random_game(modules, modules, most=12)):
        text = format_position(state)
        found = told(games.position(text))
        assert {piece["look"] for piece in found["pieces"]} <= found["looks"].keys()
        picture = games.picture(text)
        assert picture.count('class="piece ') == len(found["pieces"])
        ET.fromstring(picture)


@pytest.mark.parametrize(
    "text",
    ["", "x", START + " w", START.replace("w.", "x."), "w" * 1001, START + " " * 1000, "\0" * 9],
)
def test_what_is_no_position_is_refused(text: str, home: Path, games: Games) -> None:
    for ask in (games.position, games.picture):
        with pytest.raises(UserError):
            ask(text)


# ---------------------------------------------------------------- secrets


def fill_with_secrets(home: Path) -> dict[str, int]:
    """Keep a game of every set of modules, and broken ones; return the modules by id."""
    found = {
        keep(home, modules, random_game(modules, modules, most=6)): modules
        for modules in range(ALL_MODULES + 1)
    }
    for number, (modules, was, bad) in enumerate(
        [
            (GROWTH, "seeds=5", ""),
            (INFLUENCE, "statues=wb", "statues=x"),
            (MEMORY, "eD4", "eD44"),
            (0, '"standard"', '"memory+convergence"'),
            (0, '[Options ""]', '[Options "build_blocked=x"]'),
        ]
    ):
        text = format_record(random_game(9, modules, most=2))
        keep(home, 0x100 + number, text.replace(was, bad, 1))
    keep(home, 0x200, format_record(random_game(9)).replace("1. 1 ", "1. 1 pE ", 1))
    return found


def test_a_locked_installation_tells_nothing_of_chapters(home: Path, games: Games) -> None:
    played = fill_with_secrets(home)
    found = games.list("", "", 50, 0)
    assert leaks(json.dumps(found)) == []
    assert found["unreadable"]["total"] == 6
    shown = {entry["id"]: entry["modules"] for entry in found["games"]}
    assert shown == {
        game_id: None if modules else "standard" for game_id, modules in played.items()
    }
    for game_id, modules in played.items():
        for ask in (games.game, games.record, games.stories):
            if modules:
                with pytest.raises(LockedError, match=LOCKED.partition(";")[0]):
                    ask(game_id)
            else:
                assert leaks(json.dumps(ask(game_id))) == []
    for number in (*range(0x100, 0x105), 0x200):
        with pytest.raises(UserError) as caught:
            games.game(f"{number:08x}")
        assert leaks(str(caught.value)) == []


@pytest.mark.parametrize("shown", [1, 2, 3])
def test_later_chapters_stay_secret(shown: int, home: Path, games: Games) -> None:
    played = fill_with_secrets(home)
    chapters.unlock_to(shown)
    for game_id, modules in played.items():
        if chapters.needed(modules) <= shown:
            assert told(games.game(game_id))["headers"]["Modules"]
        else:
            with pytest.raises(LockedError):
                games.game(game_id)
    own = ("growth seeds", "influence statues build_blocked rebound_2021 stop_2023", "memory")
    known = " ".join(own[:shown])
    assert leaks(json.dumps(games.list("", "", 50, 0)), known) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{START} growth", f"{START} GROWTH -/-/- seeds=5", f"{START} influence -/-/- statues=wb",
        f"{START} memory eD4,eL13/-/-", f"{START} growth+memory T6/-/- seeds=1",
        f"{START} grwoth", f"{START} convergence", f"{START} standard T6", f"{START} T6/-/-",
        f"{START} standard seeds=3",
    ],
)  # fmt: skip
def test_locked_positions_give_nothing_away(text: str, home: Path, games: Games) -> None:
    for ask in (games.position, games.picture):
        with pytest.raises(UserError) as caught:
            ask(text)
        assert leaks(str(caught.value), text) == []


def test_the_search_would_find_a_leak(home: Path, games: Games) -> None:
    fill_with_secrets(home)
    chapters.unlock_to(chapters.COUNT)
    assert {"growth", "influence", "memory", "seeds"} <= {
        *leaks(json.dumps(games.list("", "", 50, 0)))
    }
    assert "statue" in leaks(games.picture(f"{START} influence nN7/-/- statues=wb"))
