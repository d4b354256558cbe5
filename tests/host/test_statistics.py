"""Statistics of an archive against a slow count over its records, and the command for them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chronotable_host import chapters
from chronotable_host.archive.comments import how_understood, seconds_of
from chronotable_host.archive.facts import OPENING
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LOCKED, LockedError
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import PLAYERS, format_position, format_turn
from chronotable_host.rules.record import RESULTS, Record
from chronotable_host.statistics import opening_of, statistics_of
from tests.host.archives import Output, random_record, told
from tests.host.leaks import leaks
from tests.page.test_games import random_game
from tests.sweep import size
from ttykm import layout, objects
from ttykm.objects import ALL_MODULES, GROWTH, MEMORY

pytestmark = pytest.mark.usefixtures("home")

NAMES = ("Ada", "Adam", "Bob", "Émile", "?")
ENDS = ("won", "lost", "drawn", "unfinished")


def filled(archive: Archive, seed: int, count: int = 25) -> list[Record]:
    """Fill an archive with random games, and return them; those without a turn are not counted."""
    rng = random.Random(seed)
    records = []
    for number in range(count):
        modules = rng.choice([0, 0, 0, rng.randrange(ALL_MODULES + 1)])
        record = random_game(100 * seed + number, modules, rng.choice([0, 1, 3, 8, 60]))
        record.headers.update(
            {
                **{name.capitalize(): rng.choice(NAMES) for name in PLAYERS},
                "Date": rng.choice(["2026-10-02", "2026-11-20", "????-??-??"]),
                "Board": rng.choice(["reference", "tiles"]),
            }
        )
        if rng.random() < 0.3:
            record.comments[:] = ["" for _ in record.comments]  # of a program, or of paper
        elif len(record.turns) > 4:
            record.comments[3] = "0.50 s, certain"  # a table that was switched on anew
        if record.headers["Result"] == "*" and rng.random() < 0.3:
            record.finish("1/2-1/2", "agreed")
        archive.new_game(record).close()
        records.append(record)
    archive.refresh()
    return [record for record in records if record.turns]


def seats(record: Record, player: str | None) -> list[int]:
    names = [record.headers[name.capitalize()].casefold() for name in PLAYERS]
    return [at for at, name in enumerate(names) if player is None or player.casefold() in name]


def ending(record: Record, seat: int) -> str:
    result = record.headers["Result"]
    if result in RESULTS[:2]:
        return ENDS[result != RESULTS[seat]]
    return ENDS[RESULTS.index(result)]


def rows(pairs: Sequence[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Return for each name how often each end came with it."""
    games = Counter(name for name, _ in pairs)
    ends = Counter(pairs)
    return {
        name: {"games": count, **{end: ends[name, end] for end in ENDS}}
        for name, count in games.items()
    }


def by_name(table: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    return {row["name"]: {key: row[key] for key in ("games", *ENDS)} for row in table}


@pytest.mark.parametrize("player", [None, "ada", "éMI", "Zoe"])
@pytest.mark.parametrize("seed", range(size(2, 10)))
def test_tables_are_what_a_slow_count_says(archive: Archive, seed: int, player: str | None) -> None:
    chapters.unlock_to(chapters.COUNT)
    records = [each for each in filled(archive, seed) if seats(each, player)]
    found = statistics_of(archive.facts(player), player).as_dict()
    pairs = [(record, seat) for record in records for seat in seats(record, player)]
    assert by_name(found["seats"]) == rows([(PLAYERS[it], ending(of, it)) for of, it in pairs])
    others = [
        (record.headers[PLAYERS[1 - seat if player else seat].capitalize()], ending(record, seat))
        for record, seat in pairs
    ]
    assert by_name(found["players"]) == rows(others)
    own = pairs if player else [(record, 0) for record in records]
    kinds = [(record.headers["Modules"], ending(record, seat)) for record, seat in own]
    assert by_name(found["modules"]) == rows(kinds)
    assert found["total"]["games"] == len(own)
    sizes = [row["games"] for row in found["players"]]
    assert sizes == sorted(sizes, reverse=True)
    assert found["thinking"] == thinking(pairs)
    assert {
        (row["month"], row["table"]): [
            row[key] for key in ("games", "certain", "asked", "corrected")
        ]
        for row in found["sensing"]
    } == sensing(records)


def thinking(pairs: Sequence[tuple[Record, int]]) -> list[dict[str, float | str]]:
    """Return the think times of seats; a table that starts anew says nothing."""
    found: dict[str, list[float]] = {}
    for record, seat in pairs:
        times = [seconds_of(comment) for comment in record.comments]
        own = found.setdefault(PLAYERS[seat], [])
        first = layout.mover(record.start)
        for at in range(1, len(times)):
            before, now = times[at - 1], times[at]
            if (
                (first + at) % 2 == seat
                and before is not None
                and now is not None
                and now >= before
            ):
                own.append(now - before)
    return [
        {
            "name": name,
            "turns": len(own),
            "mean_s": pytest.approx(sum(own) / max(1, len(own)), abs=0.06),
            "longest_s": pytest.approx(max(own, default=0), abs=0.06),
        }
        for name, own in found.items()
    ]


def sensing(records: Sequence[Record]) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for record in records:
        how = [each for each in map(how_understood, record.comments) if each]
        if how:
            key = record.headers["Date"][:7], record.headers["Board"]
            counts = [1, *(how.count(each) for each in ("certain", "asked", "corrected"))]
            before = found.get(key, [0, 0, 0, 0])
            found[key] = [one + more for one, more in zip(before, counts, strict=True)]
    return found


@pytest.mark.parametrize("modules", [0, GROWTH])
def test_openings_are_what_a_slow_count_says(archive: Archive, modules: int) -> None:
    """The whole tree is walked, and has each game as deep as openings are kept."""
    chapters.unlock_to(chapters.COUNT)
    rng = random.Random(modules)
    records = [random_game(rng.randrange(12), modules, rng.randrange(1, 9)) for _ in range(40)]
    for record in records:
        archive.new_game(record).close()
    facts = archive.facts()
    walked = 0

    def walk(line: list[str]) -> None:
        nonlocal walked
        here = [each for each in records if texts(each)[: len(line)] == line]
        found = opening_of(facts, modules, " / ".join(line))
        assert found.tally.games == len(here)
        expected = rows(
            [(texts(it)[len(line)], ending(it, 0)) for it in here if len(texts(it)) > len(line)]
        )
        assert {each.turn: vars(each.tally) for each in found.following} == expected
        assert len(found.states) == len(found.turns) + 1 == len(line) + 1
        walked += 1
        for each in found.following:
            walk([*line, each.turn])

    def texts(record: Record) -> list[str]:
        return [format_turn(turn) for turn in record.turns[:OPENING]]

    walk([])
    assert walked > 40


def test_an_opening_has_only_games_of_its_start_and_rules(archive: Archive) -> None:
    same = random_record(1, 3)
    handicap = Record(layout.new_state(0, 1, 0))
    option = Record(layout.new_state(), 1)
    for record in (same, handicap, option):
        if record is not same:
            record.add(same.turns[0])
        archive.new_game(record).close()
    assert opening_of(archive.facts(), 0).tally.games == 1
    with pytest.raises(UserError, match="1 N N >past is not legal there"):
        opening_of(archive.facts(), 0, "1 N N >past")


def test_a_locked_chapter_is_counted_and_nothing_of_it_told(archive: Archive) -> None:
    chapters.unlock_to(1)
    for modules in (0, GROWTH, MEMORY):
        archive.new_game(random_game(3, modules)).close()
    found = statistics_of(archive.facts())
    assert {name: row.games for name, row in found.modules.items()} == {
        "standard": 1,
        "growth": 1,
        "?": 1,
    }
    with pytest.raises(LockedError):
        opening_of(archive.facts(), MEMORY)
    assert opening_of(archive.facts(), GROWTH).tally.games == 1


# ---- the command


def test_the_command_tells_tables(archive: Archive, capsys: Output) -> None:
    assert told(capsys, "statistics") == (0, "no games\n", "")
    for white, black in (("Ada", "Bob"), ("Ada", "Bob"), ("Bob", "Ada")):
        record = random_record(11)
        record.headers.update({"White": white, "Black": black, "Board": "reference"})
        record.headers["Date"] = "2026-11-20"
        record.comments[:] = [f"{at}.00 s, certain" for at in range(len(record.turns))]
        archive.new_game(record).close()
    status, out, err = told(capsys, "statistics", "--player", "ada")
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["3", "games"]
    for row in (
        ["White", "2", "2", "0", "0", "0"],
        ["Black", "1", "0", "1", "0", "0"],
        ["Bob", "3", "2", "1", "0", "0"],
        ["standard", "3", "2", "1", "0", "0"],
        ["White", "22", "1.0", "1.0"],
        ["1", "S", "F", ">present", "3", "3", "0", "0", "0"],
        ["2026-11", "reference", "3", "69", "0", "0"],
    ):
        assert row in lines, row
    status, out, err = told(capsys, "statistics", "--after", "1 S F >present", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["opening"]["after"] == ["1 S F >present"]
    assert [each["turn"] for each in found["opening"]["next"]] == ["16 W B >past"]
    assert [row["name"] for row in found["players"]] == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--after", "1 N N >past"], "1 N N >past is not legal there"),
        (["--after", "hello"], "hello"),
        (["--modules", "chess"], "chess"),
        (["--modules", "growth"], LOCKED),
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], why: str, capsys: Output) -> None:
    status, out, err = told(capsys, "statistics", *words)
    assert (status, out) == (2, "")
    assert why in err
    assert len(err.splitlines()) == 1
    assert leaks(err, " ".join(words)) == []


def test_nothing_locked_is_printed(archive: Archive, capsys: Output) -> None:
    for modules in range(ALL_MODULES + 1):
        archive.new_game(random_game(modules, modules)).close()
    for words in ([], ["--json"], ["--player", "ada"]):
        status, out, _ = told(capsys, "statistics", *words)
        assert status == 0
        assert leaks(out) == []


def test_the_index_keeps_what_is_counted(archive: Archive, tmp_path: Path) -> None:
    """A game that goes on is counted anew; a start with a handicap is kept as it is."""
    record = random_record(5, 2)
    file = archive.new_game(record)
    assert [each.opening.count(" / ") for each in archive.facts()] == [1]
    assert archive.facts()[0].start == format_position(objects.new_state(0))
    file.path.unlink()
    archive.refresh()
    assert archive.facts() == []
