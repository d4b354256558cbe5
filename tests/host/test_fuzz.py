"""Random and mutated inputs into everything that strangers write to, and what they found.

The sample is that of `python -m tests.lab --only fuzz`; a finding is named by target, seed and
case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from chronotable.hardware.board import BoardError, board_hash
from chronotable.journal.units import HEADER_UNITS
from chronotable.link.unpacked import unpack_position
from chronotable_host.archive.naming import SUFFIX, script_path
from chronotable_host.errors import UserError
from chronotable_host.live.journal_game import JournalGameError
from chronotable_host.live.raw_events import RawEvents
from chronotable_host.rules.notation import parse_turn
from chronotable_host.rules.record import format_record, parse_record
from chronotable_host.virtual.script import parse_script
from tests import lanes, sweep
from tests.lab import fuzz
from tests.lab.fuzz import Job
from tests.lab.hostile.case import Case, Frame, Pause, Target, Unit, expect, inputs_in, sound
from tests.lab.hostile.flash import kept_units
from tests.lab.hostile.peer import begun, said, taken
from ttykm import layout
from ttykm.game import Game

SAMPLE = sweep.size(100, 20_000)
FIRST, SECOND = "1 E F >future", "16 W B >present"

_INPUTS: dict[str, int] = {}
for _job in fuzz.jobs(SAMPLE):
    _INPUTS[_job.target] = _INPUTS.get(_job.target, 0) + _job.inputs


@pytest.mark.parametrize("name", _INPUTS)
def test_a_sample_of_the_million(name: str) -> None:
    outcome = fuzz.run_job(Job(name, fuzz.SEED, 0, _INPUTS[name]))
    assert not outcome.findings, "\n".join(map(str, outcome.findings))
    assert outcome.inputs >= _INPUTS[name]
    assert outcome.peak_kb <= 8192


# ---- the fuzzer itself


def _fails_at(word: str, case: Case) -> None:
    if any(isinstance(step, str) and word in step for step in case):
        raise KeyError(word)


def _two_texts(_rng: object) -> Case:
    return ["some words that do no harm", Pause(5), "a fence with a bad board in it"]


@lanes.full
def test_a_finding_is_made_small_and_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("planted", _two_texts, partial(_fails_at, "bad"), (ValueError,))
    monkeypatch.setattr(fuzz, "TARGETS", (target,))
    (finding,) = fuzz.run_job(Job("planted", 7, 3, 100)).findings
    assert (finding.target, finding.seed, finding.number) == ("planted", 7, 3)
    assert finding.case == ["bad"]
    assert isinstance(fuzz.problem(target, finding.case), KeyError)
    assert "KeyError" in finding.what


def _says_nothing(_case: Case) -> None:
    raise UserError("")


def _takes_memory(_case: Case) -> None:
    bytearray(1 << 20)


def _keeps_memory(heap: list[object], _case: Case) -> None:
    heap.append([object() for _ in range(2_700)])


def _writes_what_it_refuses(_case: Case) -> None:
    sound(parse_turn, "1 E")


def _is_unsound(_case: Case) -> None:
    expect(False, "never")


@lanes.full
@pytest.mark.parametrize(
    ("run", "what"),
    [
        (_says_nothing, "no line for people"),
        (_takes_memory, "takes 1024 KB"),
        (partial(_keeps_memory, []), "keeps"),
        (_is_unsound, "never"),
        (_writes_what_it_refuses, "what was written is refused"),
    ],
)
def test_what_counts_as_a_finding(
    run: Callable[[Case], None], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Target("planted", _two_texts, run, UserError, most_kb=300)
    monkeypatch.setattr(fuzz, "TARGETS", (target,))
    # as many inputs as keep far more than other threads of this process may let go meanwhile
    (finding,) = fuzz.run_job(Job("planted", 7, 0, 40)).findings
    assert what in finding.what


@lanes.gate
def test_cases_are_the_same_each_time_and_every_kind_is_among_them() -> None:
    for target in fuzz.TARGETS:
        cases = [fuzz.case_of(target, 5, number) for number in range(40)]
        assert cases == [fuzz.case_of(target, 5, number) for number in range(40)]
        assert len({repr(case) for case in cases}) > 25, target.name
    hostile = [step for case in cases for step in case]
    assert {type(step) for step in hostile} >= {bytes, Frame, Pause}
    assert inputs_in(hostile) < len(hostile)


def test_all_targets_take_their_turns() -> None:
    wanted = fuzz.jobs(1_000_000)
    assert abs(sum(job.inputs for job in wanted) - 1_000_000) < len(fuzz.TARGETS)
    first = [job.target for job in wanted[: len(fuzz.TARGETS)]]
    assert first == [target.name for target in fuzz.TARGETS]


# ---- what was found


def target_of(name: str) -> Target:
    return next(target for target in fuzz.TARGETS if target.name == name)


def test_brackets_without_end_are_no_script() -> None:
    for bracket in ('{"a":', "["):
        with pytest.raises(UserError, match="line 1: not"):
            parse_script(bracket * 5000, "deep.jsonl")


def test_brackets_without_end_are_no_board() -> None:
    with pytest.raises(BoardError, match="not valid JSON"):
        board_hash(b"[" * 5000)


@pytest.mark.parametrize("text", ["-001", "+001", "0x01", " 001", "0_01", "\uff1001f", "\u0663001"])
def test_a_packed_position_is_hex_digits_and_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match="packed position"):
        unpack_position(text + "0" * 25)


@pytest.mark.parametrize(
    "t_ms", ["Infinity", "1e999", "-Infinity", "NaN", "1e38", "-7", "[[" * 5000]
)
def test_kept_events_with_a_damaged_time_go_on(t_ms: str, tmp_path: Path) -> None:
    record = tmp_path / f"game{SUFFIX}"
    script_path(record).write_text(f'{{"t_ms":{t_ms}}}\n')
    events = RawEvents(True)
    events.resume(record, layout.new_state(), 0)
    events.edge(1, True, 5000)
    events.close()
    added = script_path(record).read_text().splitlines()[-1]
    (event,) = parse_script(added, "the rest").events
    assert event.t_ms > 0


def a_game(*turns: str) -> Case:
    """Return how a table tells a game of these turns, up to its end."""
    game = Game()
    told: Case = [*begun(game, 9)]
    for turn in turns:
        game.apply(parse_turn(turn))
        told.append(taken(game, 1000))
    return told


def over(winner: str, by: str) -> Case:
    return [said("over", time_ms=2000, winner=winner, by=by)]


@pytest.mark.parametrize(
    "case",
    [
        [*a_game(FIRST), *over("-", "n")],
        [*a_game(FIRST), *over("w", "a")],
        [*a_game(FIRST), *over("w", "?")],
        [*a_game(FIRST), *over("w", "n")],
        [*a_game(FIRST), *over("w", "r"), a_game(FIRST, SECOND)[-1]],
        [*a_game(FIRST), *over("w", "r"), *over("b", "r")],
    ],
)
def test_a_table_that_ends_games_as_no_game_ends(case: Case) -> None:
    """The PC goes on, and every record can be read."""
    assert fuzz.problem(target_of("archive"), case) is None


@pytest.mark.parametrize("payload", ["", "r", "a", "r0", "r01"])
def test_a_hello_that_stops_short(payload: str) -> None:
    assert fuzz.problem(target_of("session"), [Frame("H", payload)]) is None


@pytest.mark.parametrize("end", [b"ewa", b"e-n", b"ewn", b"e\0\0"])
def test_a_kept_game_that_ends_as_no_game_ends(end: bytes) -> None:
    begin = [Unit(unit) for unit in kept_units()[0][:HEADER_UNITS]]
    case: Case = [Frame("file", "0001.new"), *begin, Unit(end + bytes(3))]
    with pytest.raises(JournalGameError):
        target_of("kept game").run(case)


def test_an_empty_comment_says_nothing() -> None:
    record = parse_record(f"1. {FIRST} {{a}} {{}} {{b}} {{ }}")
    assert record.comments == ["a; b"]
    assert parse_record(format_record(record)).comments == ["a; b"]
