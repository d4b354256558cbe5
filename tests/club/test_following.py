"""Games followed from the texts of their records: as reading them whole has them, and cheaper."""

from __future__ import annotations

from random import Random

import pytest

from chronotable_host.archive.parsing import parse
from chronotable_host.club import following
from chronotable_host.club.following import Follower, IllegalRecordError
from chronotable_host.rules.record import format_record
from tests.club.shown import beginning, recorded


def test_turn_by_turn_it_is_what_reading_says_and_is_read_twice_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []
    whole = following._read
    monkeypatch.setattr(following, "_read", lambda text: read.append(text) or whole(text))
    for record in recorded():
        follower = Follower()
        read.clear()
        for turns in range(len(record.turns) + 1):
            text = format_record(beginning(record, turns))
            followed = follower.follow(text)
            known = parse(text.encode())
            assert followed.record.turns == known.record.turns
            assert followed.record.headers == known.record.headers
            assert followed.states == list(known.states)
        assert len(read) <= 2  # its beginning, and its end, which changes the headers


def test_take_backs_jumps_and_other_games(seed: int = 7) -> None:
    rng = Random(seed)
    records = recorded()
    follower = Follower()
    record = records[0]
    for _ in range(150):
        if rng.random() < 0.1:
            record = rng.choice(records)
        turns = rng.randrange(len(record.turns) + 1)
        text = format_record(beginning(record, turns))
        followed = follower.follow(text)
        known = parse(text.encode())
        assert followed.record.turns == known.record.turns, f"seed {seed}"
        assert followed.record.comments == known.record.comments
        assert followed.states == list(known.states)


def test_illegal_turns_are_refused_and_the_game_goes_on_from_before() -> None:
    record = recorded()[5]
    follower = Follower()
    follower.follow(format_record(beginning(record, 6)))
    text = format_record(beginning(record, 6))
    for bad in ("7. 16 N N N >past\n", "7. 1 E E >nowhere\n", "8. 1 E E >past\n", "x\n"):
        with pytest.raises(IllegalRecordError):
            follower.follow(text + bad)
    legal = format_record(beginning(record, 7))
    assert len(follower.follow(legal).record.turns) == 7
    swapped = legal.replace("\n7. ", "\n9. ")
    with pytest.raises(IllegalRecordError):
        follower.follow(swapped)
    for nonsense in ("", "\n\n", '[Result "1-0"]\n\n', "\0" * 50, "\ud800"):
        with pytest.raises(IllegalRecordError):
            follower.follow(nonsense)
    assert len(follower.follow(legal).record.turns) == 7


def test_a_claimed_win_is_refused() -> None:
    record = beginning(recorded()[5], 6)
    record.headers |= {"Result": "1-0", "Termination": "normal"}
    with pytest.raises(IllegalRecordError, match="1-0"):
        Follower().follow(format_record(record))


def test_turns_after_the_end_are_refused() -> None:
    record = next(each for each in recorded() if each.headers["Result"] != "*")
    follower = Follower()
    going = record.headers | {"Result": "*", "Termination": "in progress"}
    record.headers = going
    text = format_record(record)
    assert follower.follow(text).record.headers["Result"] != "*"  # its last turn says it
    with pytest.raises(IllegalRecordError):
        follower.follow(f"{text}{len(record.turns) + 1}. 1 E E >past\n")
