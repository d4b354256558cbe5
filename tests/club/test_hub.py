"""Tables and their hub at a broker in memory: each game once, whatever is away, and no lie."""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from chronotable_club.hub import ILLEGAL, REPLAYED, REVOKED, UNOPENED
from chronotable_club.messages import HUB, KEPT, LIVE, Channel, KeptRecord, Live, body_of
from chronotable_club.views import AWAY, FREE, OVER, PLAYING, REFUSED, state_of
from chronotable_far.broker.client import Message
from chronotable_far.broker.sealing import seal
from chronotable_host.rules.record import format_record
from tests.club.in_memory import (
    CLUB,
    START_MS,
    Broker,
    ClubInMemory,
    HubAtWork,
    Outbox,
    Table,
    enrolled,
    run,
    token,
)
from tests.club.shown import beginning, recorded
from tests.sweep import size

RECORDS = recorded()


@pytest.fixture
def club() -> ClubInMemory:
    return ClubInMemory()


def test_a_game_is_shown_turn_by_turn_and_kept_once(club: ClubInMemory) -> None:
    hub, table, record = club.hub, club.table, RECORDS[3]
    club.run(1000, hub, table)
    assert state_of(club.hub_table) == FREE
    for turns in range(1, len(record.turns) + 1):
        club.play([turns], record)
        assert club.hub_table.record is not None
        assert len(club.hub_table.record.turns) == turns
    club.run(3000)
    assert state_of(club.hub_table) == OVER
    assert hub.files == {(club.tables[0].id, "one"): format_record(record)}
    assert table.outbox.due() == []
    written = hub.written
    club.run(300_000, step_ms=500)
    assert hub.written == written
    assert not sum(club.hub_table.counts.values())
    assert table.publisher.told is not None
    assert table.publisher.told.name == "Table 1"


def test_another_hub_is_told_everything_again(club: ClubInMemory) -> None:
    club.play([99], RECORDS[0], 5000)
    club.table.play("two", RECORDS[1], 99)
    club.run(5000)
    club.hub.turn_off()
    other = HubAtWork(club.broker, club.tables, CLUB._replace(hub="hub-two"))  # its disk was lost
    club.run(100_000, club.table, other)
    assert {game for _, game in other.files} == {"one", "two"}


def test_a_table_whose_memory_was_lost_is_heard_again(club: ClubInMemory) -> None:
    club.play(range(1, 20), RECORDS[3])
    club.broker.readers.pop(club.table.publisher.topic)
    fresh = Table(club.broker, token(club.tables[0]), Outbox())  # another computer, the same token
    fresh.play("two", RECORDS[4], 7)
    club.run(70_000, fresh, club.hub)
    assert club.hub_table.live is not None
    assert club.hub_table.live.game == "two"
    assert (club.tables[0].id, "two") in club.hub.files


def test_a_table_that_is_lost_is_shown_so_and_comes_back(club: ClubInMemory) -> None:
    club.play([5], RECORDS[3], 500)
    assert state_of(club.hub_table) == PLAYING
    club.broker.publish(club.table.publisher.will)
    assert state_of(club.hub_table) == AWAY
    assert club.hub_table.record is not None
    club.table.publisher.lost()
    club.table.is_connected = False
    club.run(500)
    assert state_of(club.hub_table) == PLAYING


def test_a_game_that_went_on_without_the_broker_is_kept_as_it_is(club: ClubInMemory) -> None:
    club.play([5], RECORDS[3])
    club.broker.is_up = False
    club.table.turn_on()  # its program was started anew
    club.play([6], RECORDS[3])
    club.table.play("two", RECORDS[4], 1)
    club.broker.is_up = True
    club.run(3000)
    kept = {game: text for (_, game), text in club.hub.files.items()}
    assert kept == club.table.outbox.archive


def test_a_word_of_the_hub_that_is_lost_is_said_again(club: ClubInMemory) -> None:
    club.play([5], RECORDS[3], 3000)
    club.hub.save()
    club.hub.turn_off()
    club.hub.turn_on()
    club.broker.spoil = lambda _message: []
    club.run(1000)
    club.broker.spoil = lambda message: [message]
    assert club.hub_table.live is None
    club.run(70_000)
    assert club.hub_table.live == club.table.live


def test_what_an_older_connection_leaves_behind_is_not_believed(club: ClubInMemory) -> None:
    """The broker may miss a connection, and say so, long after its table is there by another."""
    club.run(500)
    club.broker.publish(club.table.publisher.will)
    club.run(60_000, step_ms=500)
    assert state_of(club.hub_table) == FREE


def test_a_clock_that_is_set_back_keeps_nobody_from_being_told(club: ClubInMemory) -> None:
    club.run(5000)
    club.now_ms -= 3_600_000
    club.hub.hub.note(club.tables[0].id, "pairing", "soon")
    club.run(2000)
    assert club.table.publisher.notes == {"pairing": "soon"}


@pytest.mark.parametrize("kind", [LIVE, KEPT])
def test_a_text_that_is_none_is_refused_and_the_hub_goes_on(club: ClubInMemory, kind: str) -> None:
    club.run(500)
    text = format_record(RECORDS[3]) + "\ud800"
    body = Live("game", text, "turn").body() if kind == LIVE else KeptRecord("game", text).body()
    channel, number = club.table.publisher.channel, 1 << 40
    subject = channel._subject(kind, number)
    sealed = number.to_bytes(8, "big") + seal(channel.key, subject, json.dumps(body).encode())
    club.hub.hub.receive(Message(channel.topic(kind), sealed), START_MS)
    assert club.hub_table.counts[UNOPENED] == 1


def test_a_revoked_token_is_refused_and_the_table_told() -> None:
    club = ClubInMemory(2)
    club.run(500)
    club.hub.hub.enrol([club.tables[0]._replace(is_revoked=True), club.tables[1]])
    club.run(3000)
    assert club.table.publisher.is_revoked
    club.play([3], RECORDS[0], 3000)
    assert not club.hub.files
    stubborn = Table(club.broker, token(club.tables[0]))  # that does not listen
    stubborn.publisher.receive = lambda _message: None  # type: ignore[method-assign]
    stubborn.outbox.number = 5000
    stubborn.play("one", RECORDS[0], 3)
    club.run(3000, club.hub, stubborn)
    assert club.hub_table.counts[REVOKED] >= 1
    assert state_of(club.hub_table) == REFUSED
    assert not club.hub.files


# ---- lies


def test_no_table_speaks_for_another() -> None:
    club = ClubInMemory(2)
    club.run(500)
    own = club.table.publisher.channel
    its = Channel(CLUB.id, club.tables[1].id, own.key)  # the topic of the other, and its own key
    body = Live("game", format_record(RECORDS[0]), "turn").body()
    for kind in (LIVE, KEPT):
        club.broker.publish(Message(its.topic(kind), its.sealed(kind, 10**6, body)))
        club.broker.publish(Message(its.topic(kind), own.sealed(kind, 10**6, body)))
        club.broker.publish(Message(its.topic(kind), os.urandom(400)))
    # what is its own, at another's place, and another kind of its own
    sealed = own.sealed(KEPT, 10**6, KeptRecord("game", format_record(RECORDS[0])).body())
    club.broker.publish(Message(its.topic(KEPT), sealed))
    club.broker.publish(Message(own.topic(LIVE), sealed))
    club.run(1000, club.hub)
    assert not club.hub.files
    other = club.hub.hub.tables[club.tables[1].id]
    assert (other.counts[UNOPENED], club.hub_table.counts[UNOPENED]) == (7, 1)
    assert other.live is None


def test_no_table_reads_what_another_is_told() -> None:
    club = ClubInMemory(2)
    club.hub.hub.note(club.tables[1].id, "pairing", {"white": "Ada"})
    club.hub.step(START_MS)
    own, other = (Channel(CLUB.id, each.id, token(each).key) for each in club.tables)
    said = club.broker.retained[other.topic(HUB)]
    assert b"Ada" not in said.payload
    club.table.publisher.receive(said)
    assert club.table.publisher.told is None
    assert club.table.publisher.dropped == 1
    assert body_of(other.opened(HUB, said.payload)[1])["notes"] == {"pairing": {"white": "Ada"}}
    assert own.topic(HUB) != other.topic(HUB)


def test_notes_stand_until_a_hub_that_starts_anew_says_others(club: ClubInMemory) -> None:
    hub, publisher = club.hub, club.table.publisher
    hub.hub.note(club.tables[0].id, "pairing", {"white": "Ada"})
    club.run(3000)
    assert publisher.notes == {"pairing": {"white": "Ada"}}
    hub.turn_off()
    hub.save()
    hub.turn_on()
    club.run(3000)
    assert publisher.told is not None
    assert publisher.told.run == "run-2"
    assert publisher.notes == {"pairing": {"white": "Ada"}}
    hub.hub.note(club.tables[0].id, "pairing", None)
    club.run(3000)
    assert publisher.notes == {}


def test_replayed_and_reordered_messages_are_dropped_with_a_count(club: ClubInMemory) -> None:
    heard = club.heard(club.table.publisher.channel.topic(LIVE))
    club.play(range(1, 11), RECORDS[3])
    rng = Random(3)
    *old, latest = heard
    for _ in range(500):
        club.broker.publish(rng.choice(old)._replace(is_retained=False))
    assert club.hub_table.counts[REPLAYED] == 500
    assert club.hub_table.record is not None
    assert len(club.hub_table.record.turns) == 10
    kept = club.hub.files[club.tables[0].id, "one"].splitlines()
    assert len(kept) == len(format_record(beginning(RECORDS[3], 10)).splitlines())
    club.broker.publish(latest)  # the same twice is what brokers do
    assert club.hub_table.counts[REPLAYED] == 500


def test_replays_are_dropped_after_a_restart_of_the_hub_too(club: ClubInMemory) -> None:
    heard = club.heard(club.table.publisher.channel.topic(LIVE))
    club.play(range(1, 6), RECORDS[3])
    club.hub.save()
    club.hub.turn_off()
    club.broker.retained.clear()
    club.hub.turn_on()
    club.run(100, club.hub)
    club.broker.publish(heard[0])
    assert club.hub_table.counts[REPLAYED] == 1
    assert club.hub_table.live is None


def test_illegal_turns_are_refused_shown_and_not_stored(club: ClubInMemory) -> None:
    hub, table = club.hub, club.table
    club.play([4], RECORDS[3], 2000)
    good = dict(hub.files)
    text = format_record(beginning(RECORDS[3], 4)) + "5. 1 N N >past\n"
    table.outbox.archive["one"] = text
    table.live = Live("one", text, "turn")
    table.publisher.note_change()
    club.run(30_000)
    assert hub.files == good
    assert 1 <= club.hub_table.counts[ILLEGAL] <= 3  # it does not come again and again
    assert state_of(club.hub_table) == REFUSED
    assert "turn 5" in club.hub_table.remarks[-1].text
    assert table.publisher.told is not None
    assert len(table.publisher.told.refused) == 1
    assert table.outbox.due() == []
    club.play([5], RECORDS[3], 3000)
    assert state_of(club.hub_table) == PLAYING
    assert len(hub.files) == 1


def test_the_table_drops_what_is_forged_or_replayed(club: ClubInMemory) -> None:
    publisher = club.table.publisher
    said = club.heard(publisher.topic)
    club.play(range(1, 6), RECORDS[3], 2000)
    assert len(said) >= 3
    known = publisher.told
    for payload in (b"", b"x" * 100, os.urandom(500), said[0].payload, said[1].payload):
        publisher.receive(Message(publisher.topic, payload))
    assert publisher.dropped == 5
    assert publisher.told == known


def test_a_stranger_s_messages_are_counted(club: ClubInMemory) -> None:
    for topic in ("", "chronotable/club/1/abcdefghijkl/nobody/live", "x/y", "chronotable/club/1/a"):
        club.hub.hub.receive(Message(topic, b"x"), START_MS)
    assert club.hub.hub.strangers == 4


# ---- chance


@pytest.mark.parametrize("seed", range(size(6, 40, 400)))
def test_whatever_is_lost_doubled_late_or_killed_each_game_arrives_once(seed: int) -> None:
    rng = Random(seed)
    broker, tables = Broker(), enrolled(3)
    late: list[Message] = []

    def spoil(message: Message) -> list[Message]:
        chance = rng.random()
        if chance < 0.1:
            return []
        if chance < 0.2:
            return [message, message]
        if chance < 0.3:
            late.append(message)
            return []
        if chance < 0.4 and late:
            return [message, late.pop(rng.randrange(len(late)))]
        return [message]

    broker.spoil = spoil
    hub = HubAtWork(broker, tables)
    players = [Table(broker, token(each)) for each in tables]
    progress = {id(table): (0, 0) for table in players}
    now = START_MS
    for _ in range(120):
        for table in players:
            game, turns = progress[id(table)]
            record = RECORDS[(game + seed) % 8]
            turns = min(len(record.turns), max(1, turns + rng.choice((1, 1, 2, 3, -1))))
            table.play(f"game-{game}", record, turns)
            progress[id(table)] = (game + 1, 0) if turns == len(record.turns) else (game, turns)
        now = run(now, now + rng.choice((100, 300, 2000)), hub, *players, rng=rng)
        chance = rng.random()
        if chance < 0.05:
            hub.turn_off()
        elif chance < 0.15 and not hub.is_on:
            hub.turn_on()
        elif chance < 0.2:
            if rng.random() < 0.5:
                hub.save()
            hub.turn_off()
            hub.turn_on()
        elif chance < 0.25:
            broker.is_up = False
            broker.forget_readers()
            broker.retained.clear()
        elif chance < 0.4:
            broker.is_up = True
        elif chance < 0.45:
            table = rng.choice(players)
            broker.readers.pop(table.publisher.topic, None)
            table.turn_on()
            table.outbox.look()
    now = run(now, now + 100, hub, *players)  # a broker that went away is missed before it is back
    broker.is_up = True
    broker.spoil = lambda message: [message]
    if not hub.is_on:
        hub.turn_on()
    run(now, now + 400_000, hub, *players, step_ms=200)
    for each, table in zip(tables, players, strict=True):
        found = {game: text for (of, game), text in hub.files.items() if of == each.id}
        assert found == table.outbox.archive, f"seed {seed}"
        assert table.outbox.due() == [], f"seed {seed}"
        hub_table = hub.hub.tables[each.id]
        assert hub_table.live == table.live
        assert not hub_table.counts[UNOPENED]
        assert not hub_table.counts[ILLEGAL]
