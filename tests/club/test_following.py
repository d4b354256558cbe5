"""Games followed from the texts of their records: as reading them whole has them, and cheaper."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from chronotable_club import collecting
from chronotable_club.collecting import Collector
from chronotable_club.folder import new_club
from chronotable_club.following import Followed, Follower, IllegalRecordError, Reader, read_whole
from chronotable_club.hub import DELAYED, ILLEGAL
from chronotable_club.messages import KEPT, MOST_RECORD, KeptRecord, Live
from chronotable_far.broker.client import Message
from chronotable_host.archive.parsing import parse
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.club.shown import NoLine, beginning, channel_of, recorded, said, served, tables_of
from tests.waiting import PATIENCE_S, until


@lanes.gate
def test_turn_by_turn_it_is_what_reading_says_and_is_read_twice_at_most() -> None:
    read: list[str] = []

    def noted(text: str) -> Followed:
        read.append(text)
        return read_whole(text)

    for record in recorded():
        follower = Follower(noted)
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
    follower = Follower(read_whole)
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
    follower = Follower(read_whole)
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
        Follower(read_whole).follow(format_record(record))


def test_turns_after_the_end_are_refused() -> None:
    record = next(each for each in recorded() if each.headers["Result"] != "*")
    follower = Follower(read_whole)
    going = record.headers | {"Result": "*", "Termination": "in progress"}
    record.headers = going
    text = format_record(record)
    assert follower.follow(text).record.headers["Result"] != "*"  # its last turn says it
    with pytest.raises(IllegalRecordError):
        follower.follow(f"{text}{len(record.turns) + 1}. 1 E E >past\n")


SLOW = """[Start "....w.........../............b..b/.w...b.........b 1 0 2 3 w growth+influence \
nN7,nW10/*1,*3,nN8,nW9,*10,nB11/sh1,sh3,nW9,sh10,nB11,nN12,*16 seeds=1 statues=-"]

1. >past
"""
"""All that could be done has to be known for this turn to be legal: some 5 ms the first time, and
50 us in each of the 20,000 variations of ENDLESS, which take a second on a fast computer."""
ENDLESS = SLOW + "(1. >past)" * ((MOST_RECORD - len(SLOW)) // 10)


@lanes.gate
def test_a_record_that_takes_too_long_is_refused_and_the_next_one_is_read() -> None:
    with closing(Reader(read_s=0.25)) as reader:
        assert len(reader.read("", SLOW).record.turns) == 1
        with pytest.raises(IllegalRecordError, match="takes too long"):
            reader.read("", ENDLESS)
        assert reader.took_s >= 0.25
        text = format_record(recorded()[5])
        assert reader.read("", text).states == read_whole(text).states
        with pytest.raises(IllegalRecordError, match="is not legal"):
            reader.read("", SLOW + "2. 16 N N >past\n")


def test_the_hub_is_looked_at_while_a_record_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = new_club(tmp_path, "Club")
    [table] = tables_of(club, 1)
    collector = Collector(club, lambda _wake: NoLine())
    seen = []

    def look() -> None:
        assert collector.lock.acquire(timeout=10)
        seen.append(collector.hub.tables[table.id].followed)
        collector.lock.release()

    def read(_reader: Reader, _whose: str, text: str) -> Followed:
        with ThreadPoolExecutor(1) as others:
            others.submit(look).result()
        return read_whole(text)

    monkeypatch.setattr(Reader, "read", read)
    text = format_record(beginning(recorded()[5], 6))
    collector.step(said(channel_of(club, table), 1, Live("game", text, "turn")))
    assert collector.read_next(Reader()) == 0
    assert seen == [None]
    record = collector.hub.tables[table.id].record
    assert record is not None
    assert len(record.turns) == 6


def test_tables_that_are_slow_however_many_have_one_reader_and_wait_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "_RESTS", 0)
    club = new_club(tmp_path, "Club")
    *slow, honest = tables_of(club, 12)
    collector = Collector(club, lambda _wake: NoLine())
    read_of: list[str] = []
    beside: set[str] = set()

    def read(reader: Reader, whose: str, text: str) -> Followed:
        read_of.append(whose.partition("/")[0])
        if text == "slow":
            reader.took_s = 2.0
            with collector.lock:
                other = collector.hub.next_unread(time.monotonic())
                beside.add(other.id if other else "")
        return read_whole(text)

    monkeypatch.setattr(Reader, "read", read)
    reader = Reader()
    for number in range(1, 4):
        text = format_record(beginning(recorded()[5], number))
        for table in slow:
            live = Live("slow", "slow", "turn")
            collector.step(said(channel_of(club, table), number, live))
        if number > 1:  # now they are known
            beside.clear()
            collector.read_next(reader)
        collector.step(said(channel_of(club, honest), number, Live("game", text, "turn")))
        read_of.clear()
        while collector.read_next(reader) == 0:
            pass
        assert number == 1 or (read_of[0], beside) == (honest.id, {""})


def test_no_table_waits_for_the_slow_record_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next one waits, which the director's page says; what is more than that is dropped."""
    goes_on = threading.Event()

    def read(reader: Reader, _whose: str, text: str) -> Followed:
        if text == "slow":
            assert goes_on.wait(PATIENCE_S)
            reader.took_s = PATIENCE_S
        return read_whole(text)

    monkeypatch.setattr(Reader, "read", read)
    free = Live("", "", "free")
    with served(tmp_path / "club", [free, free]) as (_, collector):
        one, two = collector.hub.tables.values()
        collector.step(said(one.channel, 10, Live("slow", "slow", "turn")))
        until(lambda: one.is_being_read)
        for turns in range(1, 7):
            text = format_record(beginning(recorded()[5], turns))
            collector.step(said(two.channel, 10 + turns, Live("game", text, "turn")))
            until(lambda: two.record is not None and len(two.record.turns) == turns)  # noqa: B023
        until(lambda: list(collector.folder.games.glob("game*.ttykm")))
        assert one.is_being_read
        goes_on.set()
        until(lambda: one.counts == {DELAYED: 1, ILLEGAL: 1})
        for number in range(20, 120):
            body = KeptRecord(f"old-{number}", "").body()
            sealed = one.channel.sealed(KEPT, number, body)
            collector.step([Message(one.channel.topic(KEPT), sealed)])
        assert collector.read_next(Reader()) > PATIENCE_S
        assert len(one.unread) < 20
        assert one.counts[DELAYED] > 80
        assert not two.counts
