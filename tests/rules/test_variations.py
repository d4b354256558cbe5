"""Variations of a record: written in brackets, read again as they were, legal; no other game."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronotable_host.archive.files import GameFile
from chronotable_host.archive.index import digest
from chronotable_host.archive.parsing import each_record, read
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.rules.line import MOST_NESTED, Line, drop, keep, ways
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.rules.record import Record, RecordError, format_record, parse_record
from chronotable_host.vectors import Tally, verify_text
from tests import lanes, sweep
from tests.host.archives import random_record
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY

FIRST, SECOND, OTHER = "1 E F >present", "16 N B >present", "1 S S >future"


def played(start: array[int], options: int, turns: list[int]) -> Game:
    game = Game()
    game.start(start, options)
    for turn in turns:
        game.apply(turn)
    return game


def same(one: Line, other: Line) -> bool:
    """Tell whether two lines have the same turns, comments and variations."""
    return (
        (one.first, one.starting_comment, one.turns, one.comments)
        == (other.first, other.starting_comment, other.turns, other.comments)
        and one.variations.keys() == other.variations.keys()
        and all(
            len(theirs) == len(other.variations[number])
            and all(map(same, theirs, other.variations[number]))
            for number, theirs in one.variations.items()
        )
    )


def branch(rng: Random, record: Record, line: Line, before: list[int], depth: int) -> None:
    """Give some turns of a line variations: legal ones, with comments, and with their own."""
    for at in range(len(line.turns)):
        if rng.random() >= 0.3 or depth == 3:
            continue
        so_far = [*before, *line.turns[:at]]
        others: dict[int, Line] = {}
        for _ in range(rng.randint(1, 2)):
            game, other = played(record.start, record.options, so_far), Line(line.first + at)
            for _ in range(rng.randint(1, 3)):
                turns = list(game.legal_turns()) if game.winner() == NOBODY else []
                if not turns:
                    break
                turn = rng.choice(turns)
                game.apply(turn)
                other.add(turn, rng.choice(["", "{better}", "why > not? (so) [%x 1]"]))
            if other.turns:
                other.starting_comment = rng.choice(["", "better is:"])
                branch(rng, record, other, so_far, depth + 1)
                others.setdefault(other.turns[0], other)
        if others:
            line.variations[line.first + at] = list(others.values())


@lanes.gate
@settings(max_examples=sweep.size(15, 200), deadline=None)
@given(st.integers(0, 1 << 32), st.integers(0, objects.ALL_MODULES))
def test_what_is_written_is_read_again_as_it_was(seed: int, modules: int) -> None:
    rng = Random(seed)
    record, game = Record(objects.new_state(modules)), Game()
    game.start(record.start, 0)
    while len(record.turns) < 8 and game.winner() == NOBODY:
        turn = rng.choice(list(game.legal_turns()))
        game.apply(turn)
        record.add(turn, rng.choice(["", "0.50 s, certain"]))
    if game.winner() == NOBODY:
        record.finish("1/2-1/2", "agreed")
    else:
        record.finish(("1-0", "0-1")[game.winner()], "normal")
    record.starting_comment = rng.choice(["", "A game to remember."])
    branch(rng, record, record, [], 0)
    text = format_record(record)
    again = parse_record(text)
    assert same(again, record), f"seed {seed}, modules {modules}"
    assert format_record(again) == text
    assert same(parse_record(" ".join(text.split())), record)  # any white space will do
    assert [format_record(each) for each in each_record(text + text, "x")] == [text, text]


def test_it_is_written_as_the_grammar_says() -> None:
    text = (
        f"1. {FIRST} {{a}}\n  ( 1. {OTHER} {{b}} ( 1. 1 E E >future ) 2. {SECOND} )\n2. {SECOND}\n"
    )
    record = parse_record(text)
    assert format_record(record).endswith(f"\n\n{text}")
    (variation,) = record.variations[1]
    assert [format_turn(turn) for turn in variation.turns] == [OTHER, SECOND]
    assert variation.comments == ["b", ""]
    loose = f"1. {FIRST} (1. {OTHER} {{b}}(1.1 e e >FUTURE)2. {SECOND}) {{a}} 2. {SECOND} *"
    assert format_record(parse_record(loose)) == format_record(record)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"( 1. {FIRST} )", "line 1: a variation stands behind the turn that it replaces"),
        (f"1. {FIRST}\n( 2. {SECOND} )", "line 2: turn 1 is due"),
        (f"1. {FIRST} (", "line 1: a variation is not closed"),
        (f"1. {FIRST} ( )", "line 1: ')' closes no variation"),
        (f"1. {FIRST} )", "line 1: ')' closes no variation"),
        (f"1. {FIRST} ( 1. {OTHER} *)", "line 1: turn 2 is due"),
        (f"1. {FIRST} ( 1. 2 E E >past )", "a variation, turn 1: 2 E E >past is not legal (T"),
        (
            f"1. {FIRST}" + f" ( 1. {OTHER}" * (MOST_NESTED + 1),
            "line 1: variations stand within each other too deeply",
        ),
    ],
)
def test_what_is_wrong_with_a_variation_is_said(text: str, why: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value).startswith(why)


def test_who_wins_in_a_variation_goes_on_no_more() -> None:
    record = random_record(11)
    number, won = len(record.turns), record.turns[-1]
    before = played(record.start, record.options, record.turns[:-1])
    other = next(each for each in before.legal_turns() if each & 0xFFFF == won & 0xFFFF != each)
    text = format_record(record).rstrip("\n")
    turn = format_turn(other)
    assert number in parse_record(f"{text} ( {number}. {turn} )").variations
    with pytest.raises(RecordError, match="is not legal"):
        parse_record(f"{text} ( {number}. {turn} {number + 1}. {turn} )")


def test_variations_do_not_change_which_game_it_is() -> None:
    plain = parse_record(f"1. {FIRST}\n2. {SECOND}\n")
    varied = parse_record(f"1. {FIRST} ( 1. {OTHER} )\n2. {SECOND}\n")
    assert digest(plain) == digest(varied)
    varied.take_back()
    varied.take_back()
    assert varied.variations == {}


def test_what_was_tried_is_kept_once() -> None:
    record = parse_record(f"1. {FIRST}\n2. {SECOND}\n")
    first, second, other = map(parse_turn, (FIRST, SECOND, OTHER))
    assert not keep(record, 1, [first, second])  # that is the game
    assert keep(record, 1, [other])
    assert not keep(record, 1, [other])
    assert keep(record, 1, [other, second])  # it goes on
    assert keep(record, 1, [other, parse_turn("16 W W >past")])  # and branches
    assert format_record(record).endswith(
        f"1. {FIRST}\n  ( 1. {OTHER} 2. {SECOND} ( 2. 16 W W >past ) )\n2. {SECOND}\n"
    )
    with pytest.raises(UserError, match="no turn 3"):
        keep(record, 3, [first])
    with pytest.raises(UserError, match="no turn 3"):
        keep(record, 1, [first, second, first])


def test_what_is_kept_is_told_turn_by_turn_and_can_be_dropped() -> None:
    record = parse_record(
        f"1. {FIRST} ( 1. {OTHER} 2. {SECOND} ( 2. 16 W W >past ) )\n2. {SECOND}\n"
    )
    first, second, other, away = map(parse_turn, (FIRST, SECOND, OTHER, "16 W W >past"))
    assert [each[:2] for each in ways(record)] == [(1, [other, second]), (1, [other, away])]
    assert not drop(record, 1, [first])  # the game's own
    assert not drop(record, 1, [away])
    assert not drop(record, 1, [])
    assert drop(record, 1, [other, away])
    assert [each[:2] for each in ways(record)] == [(1, [other, second])]
    assert drop(record, 1, [other, second])
    assert [each[:2] for each in ways(record)] == [(1, [other])]
    assert drop(record, 1, [other])
    assert record.variations == {}


@lanes.gate
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 32))
def test_whatever_is_kept_can_be_dropped_again(seed: int) -> None:
    rng, record = Random(seed), random_record(11)
    branch(rng, record, record, [], 0)
    plain, known = Record(record.start, record.options), [each[:2] for each in ways(record)]
    plain.headers, plain.turns, plain.comments = record.headers, record.turns, record.comments
    for number, turns in known:
        keep(plain, number, turns)
    assert not any(keep(plain, number, turns) for number, turns in known), f"seed {seed}"
    parse_record(format_record(plain))
    for number, turns in rng.sample(known, len(known)):
        for size in range(len(turns), 0, -1):
            drop(plain, number, turns[:size])
    assert plain.variations == {}, f"seed {seed}"


def test_an_archive_takes_the_same_game_once_and_gives_it_out_as_it_is(tmp_path: Path) -> None:
    plain = random_record(11)
    text = format_record(plain)
    varied = parse_record(text)
    branch(Random(1), varied, varied, [], 0)
    assert varied.variations
    with Archive(tmp_path) as archive:
        (first,) = archive.store([varied])
        (again,) = archive.store([plain])
        assert (again.id, again.is_duplicate) == (first.id, True)
        kept = format_record(archive.read(archive.get(first.id)).record)
        assert kept == format_record(varied)
        assert not list(verify_text(kept, "x", Tally(), depth=1))


def test_a_file_keeps_them_beside_what_else_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "game.ttykm"
    path.write_text(format_record(random_record(11)), "utf-8")
    record = read(path).record
    game = played(record.start, record.options, record.turns[:4])
    other = next(each for each in game.legal_turns() if each != record.turns[4])
    with GameFile.resume(path) as file:
        file.vary(5, [other])
    kept = read(path).record
    assert [each.turns for each in kept.variations[5]] == [[other]]
    assert (kept.turns, kept.comments) == (record.turns, record.comments)
    before = path.read_bytes()
    with GameFile.resume(path) as file, pytest.raises(UserError):
        file.vary(99, [other])
    assert path.read_bytes() == before
