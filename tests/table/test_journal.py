"""The journal: what was played is there after every power cut, and goes when the PC has it."""

from __future__ import annotations

from binascii import crc32, unhexlify
from random import Random

import pytest

from chronotable.journal import HEADER_UNITS, UNIT, Journal, Pages, count_valid
from chronotable.messages import decode_fields, row_of
from chronotable.packed import pack_position
from chronotable_host.live.kept import KeptError, KeptGame, parse_units
from chronotable_host.virtual.flash import MemoryStore
from ttykm.game import Game
from ttykm.layout import new_state
from ttykm.notation import format_position, parse_turn

TURNS = ("1 E F >future", "16 W B >present", "1 S B >past")
BOOT = 7


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


def kept(journal: Journal, number: int) -> KeptGame:
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
    assert record.comments == ["6.00 s, certain", "7.00 s, certain", "3.00 s, certain"]
    assert record.headers["Result"] == "*"


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
    assert game.pasts[1] == [turn(text) for text in TURNS[:2]]
    assert (game.game_id, game.boot, game.began_ms) == (0xABCD, BOOT, 5000)
    assert not journal.current


def test_options_and_a_start_of_ones_own() -> None:
    journal = a_journal(MemoryStore())
    state = new_state()
    state[6] = state[6] & ~(7 << 4) | 2 << 4  # another supply
    journal.begin(pack_position(state), 1, 5, 0)
    record = kept(journal, 0).record
    assert record.headers["Start"] == format_position(state)
    assert record.options == 1


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
    assert kept(journal, 1).record.headers["Termination"] == "abandoned"


@pytest.mark.parametrize("seed", range(20))
def test_of_a_torn_or_rotten_file_the_longest_valid_prefix_counts(seed: int) -> None:
    rng = Random(seed)
    store = MemoryStore()
    journal = a_journal(store)
    begin(journal)
    play(journal, *TURNS)
    whole = store.files["0001.new"]
    place = rng.randrange(len(whole))
    if rng.random() < 0.5:
        rotten = whole[:place]
    else:
        changed = whole[place] ^ 1 << rng.randrange(8)
        rotten = whole[:place] + bytes([changed]) + whole[place + 1 :]
    store.files["0001.new"] = rotten
    again, game = Journal(store, 8), Game()
    turns = max(0, place // UNIT - HEADER_UNITS)
    assert again.open(game) == (turns > 0), seed
    assert list(game.turns) == [turn(text) for text in TURNS[:turns]], seed
    if turns:
        play(again, TURNS[turns])
        assert kept(again, 0).record.turns == [turn(text) for text in TURNS[: turns + 1]], seed


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
    with pytest.raises(KeptError, match="damaged"):
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
