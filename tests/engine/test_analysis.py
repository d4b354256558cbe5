"""What a game's turns were worth: values of the search, marks by what they cost, in the record."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from random import Random

import pytest

from chronotable_host import analysed_games
from chronotable_host.archive.store import Archive
from chronotable_host.engine import levels
from chronotable_host.engine.analysis import (
    CLAIMS,
    Analyst,
    JudgedTurn,
    scores,
    value_of,
    value_text,
)
from chronotable_host.engine.evaluation import chance_of
from chronotable_host.engine.levels import LEVELS, Level
from chronotable_host.engine.search import SOON, WON, Limits, Search
from chronotable_host.learning.puzzles.puzzle import FILE
from chronotable_host.rules import annotations
from chronotable_host.rules.annotations import (
    BEST,
    ERRORS,
    INACCURACY,
    LONGER_WIN,
    MARKS,
    MISSED_WIN,
    ONLY,
    Annotation,
    annotated,
    annotation_of,
    errors,
    without_annotation,
    without_annotations,
)
from chronotable_host.rules.notation import parse_position, parse_turn
from chronotable_host.rules.record import Record, format_record, last, parse_record
from tests import lanes, sweep
from tests.host.archives import Output, played, random_record, told
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE

LEVEL = 4
NODES = 40
FEW = Level(nodes=NODES, nodes_with_modules=8)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let level 4 look at few nodes: whatever holds, holds with few, too."""
    few = list(LEVELS)
    few[LEVEL - 1] = FEW
    monkeypatch.setattr(levels, "LEVELS", tuple(few))
    monkeypatch.setattr(analysed_games, "LEVELS", tuple(few))


def judged(record: Record, done: int = 0, level: Level = FEW) -> list[JudgedTurn]:
    return list(Analyst(record.start, record.options, level).judge(record.turns, done))


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(2, 10)))
def test_values_are_those_of_the_search(seed: int) -> None:
    """Of an even and an odd depth; what a mark claims is searched ten times deeper."""
    record = random_record(seed, 30)
    games = list_of(record)
    said = judged(record)
    assert said == judged(record)
    for number, each in enumerate(said):
        if games[number + 1].winner() != NOBODY:
            assert each.value == WON
            continue
        few, many = (-thought(games, number + 1, nodes) for nodes in (NODES, 10 * NODES))
        assert each.value in ((few, many) if each.mark not in CLAIMS else (many,))
    assert {each.mark for each in said} <= {*MARKS}


def thought(
    games: list[Game], number: int, nodes: int, without: int | None = None, default: int = -WON
) -> int:
    """Return what nodes find after so many turns: the mean of the last two depths, or an end."""
    rules = levels.rules_of(games[0].state, 0)
    *played, node = [rules.node(game.state) for game in games[: number + 1]]
    found = [*Search(rules).think(node, Limits(nodes), played, without=without)]
    if not found or abs(found[-1].score) > SOON:
        return found[-1].score if found else default
    scores = [each.score for each in found if each.nodes < nodes][-2:] or [found[-1].score]
    return sum(scores) // len(scores)


def list_of(record: Record) -> list[Game]:
    """Return the game at the start and after every turn, each of its own."""
    found = []
    for count in range(len(record.turns) + 1):
        game = Game()
        game.start(record.start, record.options)
        for turn in record.turns[:count]:
            game.apply(turn)
        found.append(game)
    return found


@lanes.gate
@pytest.mark.parametrize("seed", range(3))
def test_it_goes_on_where_it_stopped(seed: int) -> None:
    record = random_record(seed, 12)
    whole = judged(record)
    for done in (1, len(record.turns) - 1, len(record.turns)):
        assert judged(record, done) == whole[done:]


def rows_of(length: int, count: int) -> list[tuple[Record, int]]:
    """Return records of one turn that does not win where one in `length` turns would, and it."""
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    found = []
    for row in [row for row in rows if row["win"] == length][:count]:
        record = Record(parse_position(row["position"]))
        game = last(record.replay())
        winning = parse_turn(row["turn"])
        turns = [*game.legal_turns()]
        Random(1).shuffle(turns)
        other = next((turn for turn in turns if turn != winning), winning)
        record.add(other)
        found.append((record, winning))
    return found


@lanes.gate
def test_a_win_that_was_missed_is_found() -> None:
    """What wins in one turn with any nodes, what wins in two with those of level 6 (T29).

    Who wins later missed nothing, and who is as good as sure of it next to nothing.
    """
    marks = set()
    for length, count in ((1, sweep.size(12, 100)), (2, sweep.size(4, 100))):
        for record, _ in rows_of(length, count):
            (said,) = judged(record, level=LEVELS[5])
            assert said.best.score > SOON
            if said.value > SOON:
                assert said.mark in (LONGER_WIN, BEST, ONLY)
            else:
                assert (said.mark == MISSED_WIN) is (said.loss >= 0.05)
            marks.add(said.mark)
    assert {LONGER_WIN, MISSED_WIN} <= marks


@lanes.gate
def test_the_only_good_turn_is_told_from_a_best_one() -> None:
    """Any turn with another result would have given a good part of the chance away."""
    seen = set()
    for seed in range(2):
        record = game_of_level(seed)
        games = list_of(record)
        for number, said in enumerate(judged(record)):
            best = said.best.line[0]
            state = games[number + 1].state
            if said.mark not in (BEST, ONLY) or after(games[number], best) != state:
                continue
            before = chance_of(max(said.best.score, said.value), 0)
            few, many = (
                before - chance_of(thought(games, number, nodes, best, said.best.score), 0)
                for nodes in (NODES, 10 * NODES)
            )
            assert many >= 0.15 if said.mark == ONLY else min(few, many) < 0.15
            seen.add(said.mark)
    assert seen == {BEST, ONLY}


def after(game: Game, turn: int) -> object:
    state = array("H", game.state)
    game.after(turn, state)
    return state


def game_of_level(seed: int) -> Record:
    """Return a game of level 6 with itself, or its beginning."""
    record, game = Record(), Game()
    players = levels.LevelPlayer(6, seed), levels.LevelPlayer(6, seed + 100)
    while game.winner() == NOBODY and len(record.turns) < 24:
        record.add(players[game.mover].choose(game))
        game.apply(record.turns[-1])
    return record


@pytest.mark.parametrize(
    ("value", "player", "text"),
    [
        (135, WHITE, "+1.35"),
        (135, BLACK, "-1.35"),
        (0, BLACK, "+0.00"),
        (WON, WHITE, "#0"),
        (WON, BLACK, "#-0"),
        (WON - 2, WHITE, "#1"),
        (3 - WON, WHITE, "#-2"),
    ],
)
def test_values_as_text(value: int, player: int, text: str) -> None:
    assert value_text(value, player) == text
    known = value_of(text, player)
    assert known == value if abs(value) < SOON else abs(known) == WON and known * value > 0


@pytest.mark.parametrize("comment", ["", "6.67 s, certain", "a; took back 1 E F >past [%clk 0:01]"])
@pytest.mark.parametrize("best", [(), (parse_turn("1 E F >past"), parse_turn(">future"))])
def test_comments_keep_what_else_they_say(comment: str, best: tuple[int, ...]) -> None:
    said = Annotation("+1.35", "mistake", "#2" if best else "", best)
    text = annotated(comment, said)
    assert annotation_of(text) == said
    assert annotation_of(comment) is None
    assert without_annotation(text) == comment
    assert annotated(text, said) == text


@pytest.mark.parametrize(
    "comment",
    [
        "[%eval +1.35]",
        "[%eval] [%mark best]",
        "[%eval 1.35] [%mark best]",
        "[%eval +1.35] [%best x y] [%mark good]",
        "[%eval +1.35] [%best +1.40 99 X >past] [%mark good]",
    ],
)
def test_what_others_wrote_is_no_analysis(comment: str) -> None:
    assert annotation_of(comment) is None


@lanes.gate
def test_a_record_with_its_analysis_is_read_as_it_was_written() -> None:
    record = random_record(5, 20)
    before = format_record(record)
    for at, said in enumerate(judged(record)):
        record.comments[at] = annotated(record.comments[at], said.annotation())
    assert scores(record) is None, "nobody has signed it"
    record.headers[annotations.ANNOTATOR] = "Chronotable, level 4"
    text = format_record(record)
    again = parse_record(text)
    assert format_record(again) == text
    assert annotations.read_annotations(again.comments) == [
        each.annotation() for each in judged(record)
    ]
    assert format_record(without_annotations(again)) == before
    found = [0, 0]
    for each in judged(record):
        found[each.player] += each.mark in ERRORS
    assert errors(again) == tuple(found)
    for player, score in enumerate(scores(again) or ()):
        own = [each for each in judged(record) if each.player == player]
        assert sum(score[1:]) == sum(each.mark in (INACCURACY, *ERRORS) for each in own)
        lost = sum(each.loss for each in own) / len(own)
        assert 100 - 450 * lost - 1 <= score.accuracy <= 100 - 50 * lost, "the curve is convex"
    record.comments[-1] = ""
    assert scores(record) is None, "not all was analysed"


# ---------------------------------------------------------------- the command


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "home"))
    return Archive(tmp_path / "home" / "games")


def test_a_game_is_analysed_once_and_listed_by_its_mistakes(
    archive: Archive, capsys: Output
) -> None:
    with archive:
        names = []
        for seed in (3, 4):
            file = archive.new_game(random_record(seed, 14))
            file.close()
            names.append(file.id)
        plain = [file.read_text() for file in sorted(archive.folder.glob("*.ttykm"))]
    words = ("--level", str(LEVEL), "--archive", str(archive.folder))
    status, out, err = told(capsys, "analyse", *names, *words, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert [each["id"] for each in found] == names
    counts = [[0, 0], [0, 0]]
    for count, game in zip(counts, found, strict=True):
        for turn in game["turns"]:
            count[turn["player"] == "black"] += turn["mark"] in ERRORS
    texts = [file.read_text() for file in sorted(archive.folder.glob("*.ttykm"))]
    assert told(capsys, "analyse", *names, *words, "--json") == (0, out, "")
    assert [file.read_text() for file in sorted(archive.folder.glob("*.ttykm"))] == texts != plain
    status, out, _ = told(capsys, "games", "--mistakes", "--archive", str(archive.folder), "--json")
    listed = json.loads(out)
    assert sorted([each["white_errors"], each["black_errors"]] for each in listed) == sorted(counts)
    sums = [each["white_errors"] + each["black_errors"] for each in listed]
    assert sums == sorted(sums, reverse=True)
    source = archive.folder.parent / "again.ttykm"
    source.write_text("\n".join(plain))
    status, out, _ = told(capsys, "import", str(source), "--archive", str(archive.folder))
    assert "imported 0" in out  # an analysed game is the same game
    _, out, _ = told(capsys, "analyse", names[0], *words)
    assert out.startswith(f"{names[0]}: ? - ?")
    for turn in found[0]["turns"]:
        is_told = turn["mark"] in ("inaccuracy", *ERRORS)
        assert (f"  {turn['number']}. {turn['turn']}: " in out) is is_told


def test_what_was_done_stays_when_it_is_stopped(
    archive: Archive, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    with archive:
        file = archive.new_game(played())
        file.close()
    search, calls = Analyst.thought, []

    def stops(analyst: Analyst, nodes: int) -> object:
        calls.append(analyst)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return search(analyst, nodes)

    words = ("analyse", "last", "--level", str(LEVEL), "--archive", str(archive.folder))
    with monkeypatch.context() as patch:
        patch.setattr(Analyst, "thought", stops)
        assert told(capsys, *words)[0] == 130
    with archive:
        (entry,) = archive.games()
        assert 0 < entry.analysed < 4
    assert told(capsys, *words)[0] == 0
    with archive:
        (entry,) = archive.games()
        record = archive.read(entry).record
    assert entry.analysed == 4
    said = annotations.read_annotations(record.comments)
    assert said == [each.annotation() for each in judged(played())]


def test_too_low_a_level_is_refused(archive: Archive, capsys: Output) -> None:
    status, out, err = told(capsys, "analyse", "last", "--level", "3")
    assert (status, out) == (2, "")
    assert "greater than or equal to 4" in err
