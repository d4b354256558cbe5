"""The journal: what was played is there after every power cut, and goes when the PC has it."""

from __future__ import annotations

from array import array
from binascii import crc32, unhexlify
from random import Random

import pytest

from chronotable.core.progress import ASKED
from chronotable.journal.journal import Journal
from chronotable.journal.pages import Pages
from chronotable.journal.units import (
    ENDED,
    GOES_ON,
    HEADER_UNITS,
    HOW,
    UNIT,
    count_begin,
    count_valid,
    seal,
)
from chronotable.link.messages import decode_fields, row_of
from chronotable.link.packed import DRAWN, pack_objects, pack_position
from chronotable_host.live.journal_game import JournalGame, JournalGameError, parse_units
from chronotable_host.rules.notation import format_position, parse_turn
from chronotable_host.rules.record import DRAW, format_record, parse_record
from chronotable_host.virtual.runtimes.flash import BLOCK
from tests.lab.positions import random_game
from tests.lab.store import MemoryStore
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY, new_state

TURNS = ("1 E F >future", "16 W B >present", "1 S B >past")
BOOT = 7
MOST_TURNS = 6  # of a game with modules


def turn(text: str) -> int:
    return parse_turn(text)


def a_journal(store: MemoryStore, boot: int = BOOT) -> Journal:
    journal = Journal(store, boot)
    assert not journal.open(Game())
    return journal


def begin(journal: Journal, game_id: int = 0xABCD, at_ms: int = 5000) -> None:
    journal.begin(pack_position(new_state()), 0, game_id, at_ms)


def play(journal: Journal, *texts: str, at_ms: int = 6000) -> None:
    for number, text in enumerate(texts):
        journal.turn(turn(text), 0, at_ms + 1000 * number)


def note_end(journal: Journal, kind: bytes, noted: int) -> None:
    journal.add(kind, noted.to_bytes(3, "little"), 7000)


def fetch(journal: Journal, number: int) -> tuple[bytes, int]:
    """Return the units that the PC gets, and the number of the next game."""
    pages = Pages(journal, number)
    data = b""
    while True:
        line = pages.next_line()
        if line[0] == "e":
            end = decode_fields(row_of("page_end"), line[1:])
            assert (end["units"], end["crc"]) == (len(data) // UNIT, crc32(data))
            assert pages.next_line() == ""
            return data, int(str(end["next"]))
        fields = decode_fields(row_of("page"), line[1:])
        assert fields["index"] == len(data) // UNIT
        data += unhexlify(str(fields["units"]))


def forget(journal: Journal, number: int) -> bool:
    data, _ = fetch(journal, number)
    return journal.forget(number, len(data) // UNIT, crc32(data))


def kept(journal: Journal, number: int) -> JournalGame:
    return parse_units(fetch(journal, number)[0], number or journal.current)


def test_a_game_that_was_cut_off_goes_on() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, *TURNS[:2])
    again, game = Journal(store, BOOT + 1), Game()
    assert again.open(game)
    assert (again.current, again.game_id) == (1, 0xABCD)
    assert [turn(text) for text in TURNS[:2]] == list(game.turns)
    play(again, TURNS[2], at_ms=3000)
    record = kept(again, 0).record
    assert record.turns == [turn(text) for text in TURNS]
    assert record.comments == ["6.00 s, certain", "7.00 s, certain", "10.00 s, certain"]
    assert record.headers["Result"] == "*"


def test_a_turn_whose_marker_stood_when_the_power_went_counts() -> None:
    """But none that went on."""
    for before, after, turns in (
        (TURNS[:1], (), TURNS[:1]),
        (TURNS[:1], (ENDED,), TURNS[:2]),
        (TURNS[:1], (ENDED, GOES_ON), TURNS[:1]),
        (TURNS[:1], (ENDED, GOES_ON, ENDED), TURNS[:2]),
    ):
        store = MemoryStore()
        journal = a_journal(store)
        begin(journal)
        play(journal, *before)
        for kind in after:
            note_end(journal, kind, ASKED << HOW | turn(TURNS[1]) if kind == ENDED else 0)
        for boot in (BOOT + 1, BOOT + 2):
            again, game = Journal(store, boot), Game()
            assert again.open(game)
            assert [turn(text) for text in turns] == list(game.turns), after
        if len(turns) > len(before):
            assert kept(again, 0).how == ["certain", "asked"]


def test_a_won_game_whose_last_marker_stood_when_the_power_went_is_over() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    game = random_game(3, 400)
    assert game.winner() != NOBODY
    begin(journal)
    for each in game.turns[:-1]:
        journal.turn(each, 0, 6000)
    note_end(journal, ENDED, game.turns[-1])
    again = Journal(store, BOOT + 1)
    assert not again.open(Game())
    assert (again.current, again.first()) == (0, 1)
    assert kept(again, 1).is_over


def test_how_a_turn_was_understood_what_was_taken_back_and_how_it_ended() -> None:
    journal = a_journal(MemoryStore())
    begin(journal)
    journal.turn(turn(TURNS[0]), 1, 6000)
    journal.turn(turn(TURNS[1]), 2, 7000)
    journal.taken_back(turn(TURNS[1]), 8000)
    journal.turn(turn("16 N N >past"), 0, 9000)
    journal.over("b", "r", 10000)
    game = kept(journal, 1)
    assert game.how == ["asked", "certain"]
    assert game.record.comments[0] == "6.00 s, asked; took back 16 W B >present"
    assert (game.record.headers["Result"], game.record.headers["Termination"]) == (
        "0-1",
        "resigned",
    )
    assert game.stages[2] == ([turn(text) for text in TURNS[:2]], "*")
    assert (game.game_id, game.boot, game.began_ms) == (0xABCD, BOOT, 5000)
    assert not journal.current


def test_only_what_the_pc_confirmed_goes_and_only_for_room() -> None:
    store = MemoryStore(room=60000)
    journal = a_journal(store)
    for number in range(1, 4):
        begin(journal, number)
        play(journal, TURNS[0])
        journal.over("w", "r", 9000)
    assert (journal.kept, journal.first(), journal.first(1)) == (3, 1, 2)
    data, following = fetch(journal, 1)
    assert following == 2
    assert not journal.forget(1, len(data) // UNIT, crc32(data) ^ 1)
    assert not journal.forget(1, len(data) // UNIT - 1, crc32(data[:-UNIT]))
    assert journal.kept == 3
    assert forget(journal, 1)
    assert (journal.kept, journal.first()) == (2, 2)
    assert fetch(journal, 1)[0] == data  # still there, while there is room
    begin(journal, 4)
    journal.over("w", "r", 9000)
    store.files["else"] = bytes(store.room() - 48000)
    again = a_journal(store)
    assert sorted(store.files) == ["0002.new", "0003.new", "0004.new", "else"]
    assert again.is_full
    begin(again, 5)
    assert (again.current, again.kept, again.game_id) == (0, 3, 5)
    play(again, TURNS[0])  # nobody keeps it, and nothing breaks
    again.over("w", "r", 9000)
    del store.files["else"]
    begin(again, 6)
    assert again.current == 5
    assert not again.is_full


@pytest.mark.parametrize("missing", [0, 1])
def test_twelve_free_blocks_are_enough_for_a_game(missing: int) -> None:
    """A flash is used by whole blocks: exactly so much is often free."""
    room = 12 * BLOCK - missing
    assert a_journal(MemoryStore(room)).is_full == bool(missing)
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, TURNS[0])
    journal.over("w", "r", 9000)
    assert forget(journal, 1)
    store.files["else"] = bytes(store.room() - room)
    assert not a_journal(store).is_full
    assert ("0001.old" in store.files) == (not missing)


def test_of_the_games_that_the_pc_has_the_last_eight_stay() -> None:
    """Whoever takes back the end of the latest, or fetches one again, finds it."""
    store = MemoryStore()
    journal = a_journal(store)
    for number in range(1, 11):
        begin(journal, number)
        play(journal, TURNS[0])
        journal.over("w", "r", 9000)
        assert forget(journal, number)
    assert sorted(store.files) == [f"{number:04x}.old" for number in range(3, 11)]


def test_the_game_that_goes_on_is_not_forgotten() -> None:
    journal = a_journal(MemoryStore())
    begin(journal)
    play(journal, TURNS[0])
    data, _ = fetch(journal, 1)
    assert not journal.forget(1, len(data) // UNIT, crc32(data))


def test_a_game_that_was_over_goes_on_after_a_take_back_even_if_the_pc_has_it() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, *TURNS[:2])
    journal.over("w", "r", 9000)
    assert forget(journal, 1)
    journal.taken_back(turn(TURNS[1]), 9500)
    assert (journal.current, journal.kept) == (1, 1)
    again, game = Journal(store, 8), Game()
    assert again.open(game)
    assert len(game.turns) == 1


def test_nothing_is_kept_of_a_game_without_a_turn() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    begin(journal, 2)
    assert list(store.files) == ["0002.new"]
    assert not Journal(store, 8).open(Game())
    assert not store.files


def test_a_start_of_ones_own_is_kept_before_its_first_turn() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    state = new_state()
    state[6] = state[6] & ~(7 << 4) | 2 << 4
    journal.begin(pack_position(state), 1, 5, 0)
    game = Game()
    assert Journal(store, 8).open(game)
    assert (format_position(game.state), game.options) == (format_position(state), 1)


def test_an_abandoned_game_waits_for_the_pc() -> None:
    journal = a_journal(MemoryStore())
    begin(journal)
    play(journal, TURNS[0])
    begin(journal, 2)
    assert (journal.current, journal.first()) == (2, 1)
    assert kept(journal, 1).record.headers["Termination"] == "in progress"


def test_units_of_another_game_or_place_do_not_count() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, *TURNS)
    data = store.files["0001.new"]
    assert count_valid(data, 1) == len(data) // UNIT
    assert count_valid(data, 2) == 0
    head = HEADER_UNITS * UNIT
    assert count_valid(data[:head] + data[head + UNIT :], 1) == HEADER_UNITS
    with pytest.raises(JournalGameError, match="damaged"):
        parse_units(data, 2)


def test_what_is_written_while_it_is_fetched_is_sent_too() -> None:
    journal = a_journal(MemoryStore())
    begin(journal)
    play(journal, TURNS[0])
    pages = Pages(journal, 0)
    lines = [pages.next_line() for _ in range(3)]
    assert len(unhexlify(lines[2][5:])) == UNIT  # the last that was there
    play(journal, TURNS[1])
    assert pages.next_line()[:5] == "p%04x" % (HEADER_UNITS + 1)
    assert pages.next_line()[0] == "e"


def test_a_game_that_is_not_kept_is_an_empty_one() -> None:
    journal = a_journal(MemoryStore())
    assert fetch(journal, 0) == (b"", 0)
    assert fetch(journal, 9) == (b"", 0)
    assert not journal.forget(9, 0, 0)


class FailingStore(MemoryStore):
    """A flash that takes so many writes."""

    writes = 2

    def replace(self, name: str, data: bytes) -> None:
        self.writes -= 1
        if self.writes < 0:
            raise OSError(5, "EIO")
        super().replace(name, data)


def test_a_flash_that_fails_costs_the_journal_and_not_the_game() -> None:
    store = FailingStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, *TURNS)
    assert journal.is_full
    assert not journal.current
    journal.over("w", "n", 9000)
    journal.taken_back(turn(TURNS[2]), 9000)
    record = kept(journal, 1).record  # what was written before is for the PC
    assert record.turns == [turn(TURNS[0])]


class UnreadableStore(MemoryStore):
    """A flash that takes files and does not give them back."""

    def read(self, name: str) -> bytes:
        raise OSError(5, f"EIO {name}")


def test_no_game_goes_on_out_of_a_flash_that_cannot_be_read() -> None:
    store = UnreadableStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, TURNS[0])
    again = a_journal(store)
    assert (again.is_full, again.current) == (True, 0)
    assert list(store.files) == ["0001.new"], "who knows, it may be read another day"


def test_what_is_written_of_a_standard_game_is_what_older_tables_wrote() -> None:
    store = MemoryStore()
    journal = a_journal(store)
    journal.begin(pack_position(new_state(1, 1, 2)), 3, 0xABCD1234, 5000)
    journal.turn(turn("16 N N >past"), 1, 6000)
    journal.taken_back(turn("16 N N >past"), 7000)
    journal.over("w", "r", 8000)
    assert store.files["0001.new"].hex() == (
        "6701013412cdedf167ab07000300c9f967320000000031d0670010001000877e6718000800089937"
        "670000049300cb436141f0000a00e4596241f0000a00d42b657772000a00563a"
    )


# ---- games with modules


def begin_at(journal: Journal, state: array[int], options: int = 0, game_id: int = 9) -> None:
    position = pack_position(state)
    journal.begin(position, options, game_id, 5000, pack_objects(state, position))


STARTS = {
    **{f"modules {modules}": objects.new_state(modules) for modules in range(1, 8)},
    **{
        f"in the middle of {modules}": random_game(modules, 4, objects.new_state(modules)).state
        for modules in range(1, 8)
    },
}
OWN_OBJECTS = STARTS["in the middle of 7"]


@pytest.mark.parametrize("name", STARTS)
def test_a_game_with_modules_that_was_cut_off_goes_on_and_is_delivered(name: str) -> None:
    start = STARTS[name]
    played = random_game(1, MOST_TURNS, start)
    *first, last = played.turns
    store = MemoryStore()
    journal = a_journal(store)
    begin_at(journal, start, 3)
    for number, one in enumerate(first):
        journal.turn(one, 0, 6000 + 1000 * number)
    again, game = Journal(store, BOOT + 1), Game()
    assert again.open(game)
    assert list(game.turns) == first
    game.apply(last)
    again.turn(last, 0, 3000)
    assert game.state == played.state
    data, _ = fetch(again, 0)
    record = parse_units(data, 1).record
    assert record.start == start
    assert (record.turns, record.options) == (list(played.turns), 3)
    assert parse_record(format_record(record)).start == start
    again.over("b", "r", 9000)
    assert forget(again, 1)
    assert not again.kept


@pytest.mark.parametrize("start", [new_state(), OWN_OBJECTS], ids=["standard", "own"])
@pytest.mark.parametrize("seed", range(30))
def test_of_a_torn_or_rotten_file_the_longest_valid_prefix_counts(
    start: array[int], seed: int
) -> None:
    """With a start of one's own also before the first turn: nobody would set this up again."""
    rng = Random(seed)
    store = MemoryStore()
    journal = a_journal(store)
    begin_at(journal, start)
    played = random_game(seed, MOST_TURNS, start)
    for one in played.turns:
        journal.turn(one, 0, 6000)
    whole = store.files["0001.new"]
    head = count_begin(whole)
    assert head == HEADER_UNITS * (1 + (start == OWN_OBJECTS))
    assert count_valid(whole, 1) == head + len(played.turns)
    place = rng.randrange(len(whole))
    rotten = bytearray(whole[:place] if seed % 2 else whole)
    if not seed % 2:
        rotten[place] ^= 1 << rng.randrange(8)
    store.files["0001.new"] = bytes(rotten)
    again, game = Journal(store, 8), Game()
    turns = place // UNIT - head
    goes_on = turns >= (start != OWN_OBJECTS)
    assert again.open(game) == goes_on, seed
    assert list(game.turns) == list(played.turns)[: max(0, turns)], seed
    if goes_on:
        again.turn(played.turns[turns], 0, 6000)
        data, _ = fetch(again, 0)
        assert parse_units(data, 1).record.turns == list(played.turns)[: turns + 1], seed
    else:
        assert not store.files


@pytest.mark.parametrize("seed", range(40))
def test_a_forged_beginning_is_refused_by_name(seed: int) -> None:
    """The CRC is right, and what it says is anything."""
    rng = Random(seed)
    store = MemoryStore()
    journal = a_journal(store)
    begin_at(journal, OWN_OBJECTS)
    played = random_game(1, 1, OWN_OBJECTS)
    journal.turn(played.turns[0], 0, 6000)
    data = store.files["0001.new"]
    index = rng.randrange(4, count_begin(data))
    body = bytearray(data[index * UNIT + 1 : index * UNIT + 6])
    body[rng.randrange(5)] ^= 1 << rng.randrange(8)
    unit = seal(b"g", bytes(body), 1, index)
    forged = data[: index * UNIT] + unit + data[(index + 1) * UNIT :]
    try:
        record = parse_units(forged, 1).record
    except JournalGameError:
        pass
    else:
        assert parse_record(format_record(record)).start == record.start, seed
    store.files["0001.new"] = forged
    Journal(store, 8).open(Game())


def test_a_start_with_modules_is_kept_before_its_first_turn_until_another_begins() -> None:
    """At power-on a table asks for the standard start of its own accord, and for no other."""
    for state in (objects.new_state(objects.GROWTH), OWN_OBJECTS):
        store = MemoryStore()
        journal = a_journal(store)
        begin_at(journal, state)
        game = Game()
        again = Journal(store, 8)
        assert again.open(game)
        assert game.state == state
        begin(again, 2)
        assert sorted(store.files) == ["0001.new", "0002.new"], "a power cut is in it"
        journal = a_journal(MemoryStore())
        begin_at(journal, state)
        begin_at(journal, state)
        assert (journal.current, journal.kept) == (2, 1), "nothing was played"


def test_modules_that_were_drawn_are_in_the_record_with_their_seed() -> None:
    for seed in (3, 0xFFFFFFFE, 40):
        modules = objects.convergence(seed)
        journal = a_journal(MemoryStore())
        begin_at(journal, objects.new_state(modules), 1 | DRAWN, seed)
        record = kept(journal, 0).record
        assert record.headers[DRAW] == f"convergence {seed}"
        assert record.options == 1
        assert parse_record(format_record(record)).headers[DRAW] == f"convergence {seed}"
        begin_at(journal, objects.new_state(modules), 1, seed)
        assert DRAW not in kept(journal, 0).record.headers


@pytest.mark.parametrize("options", [DRAWN, 0x20, 0x100, 0xFFFF])
def test_options_that_cannot_be_are_refused(options: int) -> None:
    journal = a_journal(MemoryStore())
    begin_at(journal, objects.new_state(objects.convergence(3)), options, 4)
    with pytest.raises(JournalGameError):
        kept(journal, 0)
