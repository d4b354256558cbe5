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


def test_a_game_is_shown_turn_by_turn_and_kept_once() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    record = RECORDS[3]
    now = run(START_MS, START_MS + 1000, hub, table)
    seat = hub.hub.seats[tables[0].id]
    assert state_of(seat) == FREE
    for turns in range(1, len(record.turns) + 1):
        table.play("game", record, turns)
        now = run(now, now + 200, table, hub)
        assert seat.record is not None
        assert len(seat.record.turns) == turns
    now = run(now, now + 3000, table, hub)
    assert state_of(seat) == OVER
    assert hub.files == {(tables[0].id, "game"): format_record(record)}
    assert table.outbox.due() == []
    written = hub.written
    run(now, now + 300_000, table, hub, step_ms=500)
    assert hub.written == written
    assert not sum(seat.counts.values())
    assert table.publisher.told is not None
    assert table.publisher.told.name == "Table 1"


def test_what_is_played_while_the_broker_or_the_hub_is_away_is_delivered_later() -> None:
    for is_hub in (True, False):
        broker, tables = Broker(), enrolled(1)
        hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
        now = run(START_MS, START_MS + 500, table, hub)
        if is_hub:
            hub.turn_off()
        else:
            broker.is_up = False
            broker.forget_readers()
        for number, record in enumerate(RECORDS[:8]):
            for turns in range(1, len(record.turns) + 1, 9):
                table.play(f"game-{number}", record, turns)
                now = run(now, now + 100, table, hub)
            table.play(f"game-{number}", record, len(record.turns))
            now = run(now, now + 100, table, hub)
        assert len(hub.files) <= 1
        if is_hub:
            hub.turn_on()
        else:
            broker.retained.clear()  # it kept nothing, either
            broker.is_up = True
        run(now, now + 150_000, table, hub)
        assert {game: text for (_, game), text in hub.files.items()} == table.outbox.archive
        assert table.outbox.due() == []


def test_a_program_that_starts_again_delivers_what_it_had_not() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    now = run(START_MS, START_MS + 500, table, hub)
    hub.turn_off()
    table.play("one", RECORDS[0], 99)
    now = run(now, now + 100, table, hub)
    broker.readers.pop(table.publisher.topic)
    table.turn_on()
    table.outbox.look()
    table.play("two", RECORDS[1], 99)
    hub.turn_on()
    run(now, now + 100_000, table, hub)
    assert set(hub.files) == {(tables[0].id, "one"), (tables[0].id, "two")}


def test_another_hub_is_told_everything_again() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    table.play("one", RECORDS[0], 99)
    now = run(START_MS, START_MS + 5000, table, hub)
    table.play("two", RECORDS[1], 99)
    now = run(now, now + 5000, table, hub)
    hub.turn_off()
    other = HubAtWork(broker, tables, CLUB._replace(hub="hub-two"))  # its disk was lost
    run(now, now + 100_000, table, other)
    assert {game for _, game in other.files} == {"one", "two"}


def test_a_table_whose_memory_was_lost_is_heard_again() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    for turns in range(1, 20):
        table.play("one", RECORDS[3], turns)
        run(START_MS + turns * 200, START_MS + turns * 200 + 200, table, hub)
    broker.readers.pop(table.publisher.topic)
    fresh = Table(broker, token(tables[0]), Outbox())  # another computer, the same token
    fresh.play("two", RECORDS[4], 7)
    run(START_MS + 10_000, START_MS + 80_000, fresh, hub)
    seat = hub.hub.seats[tables[0].id]
    assert seat.live is not None
    assert seat.live.game == "two"
    assert (tables[0].id, "two") in hub.files


def test_a_table_that_is_lost_is_shown_so_and_comes_back() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    table.play("one", RECORDS[3], 5)
    now = run(START_MS, START_MS + 500, table, hub)
    seat = hub.hub.seats[tables[0].id]
    assert state_of(seat) == PLAYING
    broker.publish(table.publisher.will)
    assert state_of(seat) == AWAY
    assert seat.record is not None
    table.publisher.lost()
    table.is_connected = False
    run(now, now + 500, table, hub)
    assert state_of(seat) == PLAYING


def test_what_an_older_connection_leaves_behind_is_not_believed() -> None:
    """The broker may miss a connection, and say so, long after its table is there by another."""
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    now = run(START_MS, START_MS + 500, hub, table)
    broker.publish(table.publisher.will)
    run(now, now + 60_000, hub, table, step_ms=500)
    assert state_of(hub.hub.seats[tables[0].id]) == FREE


def test_a_clock_that_is_set_back_keeps_nobody_from_being_told() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    now = run(START_MS, START_MS + 5000, hub, table) - 3_600_000
    hub.hub.note(tables[0].id, "pairing", "soon")
    run(now, now + 2000, hub, table)
    assert table.publisher.notes == {"pairing": "soon"}


@pytest.mark.parametrize("kind", [LIVE, KEPT])
def test_a_text_that_is_none_is_refused_and_the_hub_goes_on(kind: str) -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    run(START_MS, START_MS + 500, hub, table)
    text = format_record(RECORDS[3]) + "\ud800"
    body = Live("game", text, "turn").body() if kind == LIVE else KeptRecord("game", text).body()
    channel, number = table.publisher.channel, 1 << 40
    subject = channel._subject(kind, number)
    sealed = number.to_bytes(8, "big") + seal(channel.key, subject, json.dumps(body).encode())
    hub.hub.receive(Message(channel.topic(kind), sealed), START_MS)
    assert hub.hub.seats[tables[0].id].counts[UNOPENED] == 1


def test_a_revoked_token_is_refused_and_the_table_told() -> None:
    broker, tables = Broker(), enrolled(2)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    now = run(START_MS, START_MS + 500, table, hub)
    hub.hub.enrol([tables[0]._replace(is_revoked=True), tables[1]])
    now = run(now, now + 3000, hub, table)
    assert table.publisher.is_revoked
    table.play("one", RECORDS[0], 3)
    now = run(now, now + 3000, hub, table)
    assert not hub.files
    stubborn = Table(broker, token(tables[0]))  # that does not listen
    stubborn.publisher.receive = lambda _message: None  # type: ignore[method-assign]
    stubborn.outbox.number = 5000
    stubborn.play("one", RECORDS[0], 3)
    run(now, now + 3000, hub, stubborn)
    seat = hub.hub.seats[tables[0].id]
    assert seat.counts[REVOKED] >= 1
    assert state_of(seat) == REFUSED
    assert not hub.files


# ---------------------------------------------------------------- lies


def test_no_table_speaks_for_another() -> None:
    broker, tables = Broker(), enrolled(2)
    hub, liar = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    now = run(START_MS, START_MS + 500, liar, hub)
    own = liar.publisher.channel
    its = Channel(CLUB.id, tables[1].id, own.key)  # the topic of the other, and its own key
    body = Live("game", format_record(RECORDS[0]), "turn").body()
    for kind in (LIVE, KEPT):
        broker.publish(Message(its.topic(kind), its.sealed(kind, 10**6, body)))
        broker.publish(Message(its.topic(kind), own.sealed(kind, 10**6, body)))
        broker.publish(Message(its.topic(kind), os.urandom(400)))
    # what is its own, at another's place, and another kind of its own
    sealed = own.sealed(KEPT, 10**6, KeptRecord("game", format_record(RECORDS[0])).body())
    broker.publish(Message(its.topic(KEPT), sealed))
    broker.publish(Message(own.topic(LIVE), sealed))
    run(now, now + 1000, hub)
    assert not hub.files
    assert hub.hub.seats[tables[1].id].counts[UNOPENED] == 7
    assert hub.hub.seats[tables[0].id].counts[UNOPENED] == 1
    assert hub.hub.seats[tables[1].id].live is None


def test_no_table_reads_what_another_is_told() -> None:
    broker, tables = Broker(), enrolled(2)
    hub = HubAtWork(broker, tables)
    hub.hub.note(tables[1].id, "pairing", {"white": "Ada"})
    hub.step(START_MS)
    own, other = (Channel(CLUB.id, each.id, token(each).key) for each in tables)
    said = broker.retained[other.topic(HUB)]
    assert b"Ada" not in said.payload
    spy = Table(broker, token(tables[0]))
    spy.publisher.receive(said)
    assert spy.publisher.told is None
    assert spy.publisher.dropped == 1
    assert body_of(other.opened(HUB, said.payload)[1])["notes"] == {"pairing": {"white": "Ada"}}
    assert own.topic(HUB) != other.topic(HUB)


def test_notes_stand_until_a_hub_that_starts_anew_says_others() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    hub.hub.note(tables[0].id, "pairing", {"white": "Ada"})
    now = run(START_MS, START_MS + 3000, hub, table)
    assert table.publisher.notes == {"pairing": {"white": "Ada"}}
    hub.turn_off()
    hub.save()
    hub.turn_on()
    now = run(now, now + 3000, hub, table)
    assert table.publisher.told is not None
    assert table.publisher.told.run == "run-2"
    assert table.publisher.notes == {"pairing": {"white": "Ada"}}
    hub.hub.note(tables[0].id, "pairing", None)
    run(now, now + 3000, hub, table)
    assert table.publisher.notes == {}


def test_replayed_and_reordered_messages_are_dropped_with_a_count() -> None:
    broker, tables = Broker(), enrolled(1)
    heard: list[Message] = []
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    broker.subscribe(table.publisher.channel.topic(LIVE), heard.append)
    now = START_MS
    for turns in range(1, 11):
        table.play("one", RECORDS[3], turns)
        now = run(now, now + 200, table, hub)
    seat = hub.hub.seats[tables[0].id]
    rng = Random(3)
    *old, latest = heard
    for _ in range(500):
        broker.publish(rng.choice(old)._replace(is_retained=False))
    assert seat.counts[REPLAYED] == 500
    assert seat.record is not None
    assert len(seat.record.turns) == 10
    assert len(hub.files[tables[0].id, "one"].splitlines()) == len(
        format_record(beginning(RECORDS[3], 10)).splitlines()
    )
    broker.publish(latest)  # the same twice is what brokers do
    assert seat.counts[REPLAYED] == 500


def test_replays_are_dropped_after_a_restart_of_the_hub_too() -> None:
    broker, tables = Broker(), enrolled(1)
    heard: list[Message] = []
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    broker.subscribe(table.publisher.channel.topic(LIVE), heard.append)
    now = START_MS
    for turns in range(1, 6):
        table.play("one", RECORDS[3], turns)
        now = run(now, now + 200, table, hub)
    hub.save()
    hub.turn_off()
    broker.retained.clear()
    hub.turn_on()
    now = run(now, now + 100, hub)
    broker.publish(heard[0])
    assert hub.hub.seats[tables[0].id].counts[REPLAYED] == 1
    assert hub.hub.seats[tables[0].id].live is None


def test_illegal_turns_are_refused_shown_and_not_stored() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    table.play("one", RECORDS[3], 4)
    now = run(START_MS, START_MS + 2000, table, hub)
    good = dict(hub.files)
    seat = hub.hub.seats[tables[0].id]
    text = format_record(beginning(RECORDS[3], 4)) + "5. 1 N N >past\n"
    table.outbox.archive["one"] = text
    table.live = Live("one", text, "turn")
    table.publisher.note_change()
    now = run(now, now + 30_000, table, hub)
    assert hub.files == good
    assert seat.counts[ILLEGAL] >= 1
    assert seat.counts[ILLEGAL] <= 3  # it does not come again and again
    assert state_of(seat) == REFUSED
    assert "turn 5" in seat.remarks[-1].text
    assert table.publisher.told is not None
    assert len(table.publisher.told.refused) == 1
    assert table.outbox.due() == []
    table.play("one", RECORDS[3], 5)
    run(now, now + 3000, table, hub)
    assert state_of(seat) == PLAYING
    assert len(hub.files) == 1


def test_the_table_drops_what_is_forged_or_replayed() -> None:
    broker, tables = Broker(), enrolled(1)
    hub, table = HubAtWork(broker, tables), Table(broker, token(tables[0]))
    said: list[Message] = []
    broker.subscribe(table.publisher.topic, said.append)
    now = START_MS
    for turns in range(1, 6):
        table.play("one", RECORDS[3], turns)
        now = run(now, now + 2000, table, hub)
    assert len(said) >= 3
    known = table.publisher.told
    for payload in (b"", b"x" * 100, os.urandom(500), said[0].payload, said[1].payload):
        table.publisher.receive(Message(table.publisher.topic, payload))
    assert table.publisher.dropped == 5
    assert table.publisher.told == known


def test_a_stranger_s_messages_are_counted() -> None:
    broker, tables = Broker(), enrolled(1)
    hub = HubAtWork(broker, tables)
    for topic in ("", "chronotable/club/1/abcdefghijkl/nobody/live", "x/y", "chronotable/club/1/a"):
        hub.hub.receive(Message(topic, b"x"), START_MS)
    assert hub.hub.strangers == 4


# ---------------------------------------------------------------- chance


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
    broker.is_up = True
    broker.spoil = lambda message: [message]
    if not hub.is_on:
        hub.turn_on()
    run(now, now + 400_000, hub, *players, step_ms=200)
    for each, table in zip(tables, players, strict=True):
        found = {game: text for (of, game), text in hub.files.items() if of == each.id}
        assert found == table.outbox.archive, f"seed {seed}"
        seat = hub.hub.seats[each.id]
        assert seat.live == table.live
        assert not seat.counts[UNOPENED]
        assert not seat.counts[ILLEGAL]
