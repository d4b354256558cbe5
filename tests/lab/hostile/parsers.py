"""What reads texts and files of strangers: which errors each may raise, and what has to be true of
whatever it accepts.

What was read can be written, and reads as the same thing again; that holds for every text here.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from chronotable.core.commands import change
from chronotable.core.table import Table
from chronotable.hardware.board import BoardError, board_hash
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable.link.frames import FRAME, RemoteLinkError, encode
from chronotable.link.messages import decode_fields, encode_fields, pack_leds
from chronotable.link.packed import pack_objects, pack_position, pack_sensors
from chronotable.link.unpacked import unpack_position
from chronotable_host.archive import nights as night_record
from chronotable_host.archive.naming import SUFFIX, script_path
from chronotable_host.archive.parsing import each_record, parse
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.table import draw
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.link.pc_link import LogReader
from chronotable_host.link.unpacking import decode, unpack_leds, unpack_sensors
from chronotable_host.live.raw_events import RawEvents
from chronotable_host.live.settings import number_of, parse_settings
from chronotable_host.live.texts.message_texts import ROWS
from chronotable_host.rules.notation import (
    NotationError,
    format_options,
    format_position,
    format_turn,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.record import Record, format_record, parse_record
from chronotable_host.vectors import Tally, verify_text
from chronotable_host.virtual.script import parse_script
from tests.lab.hostile import texts
from tests.lab.hostile.case import Case, Target, expect, sound
from tests.lab.hostile.mutations import mutated, mutated_bytes, mutated_json
from tests.lab.store import MemoryStore, new_table
from ttykm import layout
from ttykm.game import Game, IllegalTurnError

_NAME = "a file"
_DEPTH = 1
_PIECES = (1, 2, 7, 64)
_LONG = 512
_EDGES = ((0, False), (1, True), (48, False), (54, True), (53, True))


def _texts(make: Callable[[], Sequence[str]]) -> Callable[[Random], Case]:
    """Return what makes cases of one text, from these."""
    return lambda rng: [mutated(rng, make())]


def _files(make: Callable[[], Sequence[str]]) -> Callable[[Random], Case]:
    """Return what makes cases of one file's bytes, from these texts."""
    return lambda rng: [mutated_bytes(rng, tuple(text.encode() for text in make()))]


def _bytes(rng: Random) -> Case:
    return [mutated_bytes(rng, texts.lines())]


def _objects(make: Callable[[], Sequence[str]]) -> Callable[[Random], Case]:
    return lambda rng: [mutated_json(rng, make())]


def _json_files(make: Callable[[], Sequence[str]]) -> Callable[[Random], Case]:
    return lambda rng: [mutated_json(rng, make()).encode("utf-8", "surrogatepass")]


# ---- the rules' texts


def _check_position(given: str) -> None:
    state = parse_position(given)
    text = format_position(state)
    expect(sound(parse_position, text) == state, f"'{text}' reads as another position")
    packed = pack(state)
    expect(sound(unpack, packed) == state, f"'{packed}' is another position")


def _read_again(read: Callable[[str], int], write: Callable[[int], str]) -> Callable[[str], None]:
    """Return what checks that a text is read, written and read again as the same."""

    def check(given: str) -> None:
        value = read(given)
        text = write(value)
        expect(sound(read, text) == value, f"'{text}' reads as something else")

    return check


_check_turn = _read_again(parse_turn, format_turn)
_check_options = _read_again(parse_options, format_options)
_check_sensor = _read_again(parse_sensor, sensor_name)


def _check_number(given: str) -> None:
    """Take a turn as the link packs it: the legal ones, and no others."""
    game_no, turns, number = (int(word) for word in given.split())
    game = Game()
    for turn in texts.games()[game_no].turns[:turns]:
        game.apply(turn)
    is_legal = number in set(game.legal_turns())
    try:
        game.apply(number)
    except IllegalTurnError:
        expect(not is_legal, f"the turn {number:#x} is refused")
        raise
    expect(is_legal, f"the turn {number:#x} is taken")


def _make_number(rng: Random) -> Case:
    game_no = rng.randrange(len(texts.games()))
    known = texts.games()[game_no].turns
    turns = rng.randrange(len(known))
    number = rng.choice((known[turns], rng.choice(known), rng.getrandbits(20)))
    if rng.random() < 0.7:
        number ^= 1 << rng.randrange(20)
    return [f"{game_no} {turns} {number}"]


def _check_records(given: str) -> None:
    for record in each_record(given, _NAME):
        if isinstance(record, Record):
            check_record(record)
        else:
            text = night_record.format_record(record)
            expect(night_record.parse_record(text) == record, "another game when read again")


def check_record(record: Record) -> None:
    """Check that reading what is written gives the same game, and writing it the same text."""
    text = format_record(record)
    again = sound(parse_record, text)
    expect(again.turns == record.turns, "other turns when read again")
    expect(again.comments == record.comments, "other comments when read again")
    expect(again.start == record.start, "another start when read again")
    expect(again.variations.keys() == record.variations.keys(), "other variations when read again")
    expect(format_record(again) == text, "another text when written again")
    data = text.encode("utf-8", "surrogatepass")
    if data == text.encode("utf-8", "replace"):
        read = sound(parse, data).record
        expect(format_record(read) == text, "another game when read from a file")


def _check_vectors(given: str) -> None:
    for difference in verify_text(given, _NAME, Tally(), depth=_DEPTH):
        expect(bool(str(difference)), "a difference that says nothing")


# ---- boards, scripts, settings


def _check_board(given: str) -> None:
    data = json.loads(given)
    board = boards.load(data)
    expect(sorted(board.led_of) == list(range(SENSORS)), "not every LED once")
    expect(len(set(board.cell_of)) == len(board.cell_of), "a cell twice")
    expect(board_hash(data) == board_hash(board), "two hashes")


def _make_board(rng: Random) -> Case:
    """Return a text that is JSON: others are for the file's reader."""
    while True:
        text = mutated_json(rng, texts.board_files())
        with contextlib.suppress(ValueError, RecursionError):
            json.loads(text)
            return [text]


def _check_board_file(given: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "board.json")
        path.write_bytes(given)
        boards.read(path)
        expect(draw(str(path)).endswith("</svg>\n"), "half a picture")


def _check_script(given: str) -> None:
    script = parse_script(given, _NAME)
    times = [event.t_ms for event in script.events]
    expect(times == sorted(times), "times that decrease")


def _check_events(given: bytes) -> None:
    """Go on with the kept events of a game, whatever is in the file; what follows can be read."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "game" + SUFFIX)
        script_path(record).write_bytes(given)
        events = RawEvents(True)
        events.resume(record, layout.new_state(), 0)
        for number, (sensor, closed) in enumerate(_EDGES):
            events.edge(sensor, closed, 5000 + 40 * number)
        events.close()
        last = script_path(record).read_bytes().splitlines()[-1]
        sound(partial(parse_script, name=_NAME), last.decode("utf-8"))


@cache
def _table() -> Table:
    return new_table(MemoryStore())


def _check_settings(given: str) -> None:
    trial = _table()
    for name, value in parse_settings(given.split(" ")).items():
        expect(change(trial, number_of(name), value), f"the table refuses {name}={value}")


# ---- lines of the link


def _check_reader(data: bytes) -> None:
    """Read a line of bytes whole and in pieces: where it is cut makes no difference."""
    size = _PIECES[len(data) % len(_PIECES)] if len(data) < _LONG else _LONG
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    for whole, pieced in zip_longest(_read((data,)), _read(pieces)):
        expect(whole == pieced, "it matters where the bytes are cut")
        kind, _, seq, ack, letter, payload, log = whole
        expect(len(log) <= 96 and (not log or log.isprintable()), "a log line that is none")
        if kind == FRAME:
            line = encode(seq, ack, letter, payload)
            again = sound(decode, line)
            expect(again == (seq, ack, letter, payload), "a frame that is another")
    decode(data)


def _read(pieces: Iterable[bytes]) -> Iterator[tuple[int, int, int, int, str, str, str]]:
    reader = LogReader()
    for piece in pieces:
        at = reader.feed(piece, 0)
        while at:
            kind = reader.finish()
            about = kind, reader.junk, reader.seq, reader.ack
            yield (*about, reader.letter, reader.payload, reader.log())
            at = reader.feed(piece, at)


def _check_fields(text: str) -> None:
    for row in ROWS:
        if row[0] == text[:1]:
            values = decode_fields(row, text[1:])
            payload = encode_fields(row, values)
            expect(len(payload) == len(text) - 1, "a payload of another length")
            again = sound(partial(decode_fields, row), payload)
            expect(again == values, "other values when read again")


def _make_fields(rng: Random) -> Case:
    row = rng.choice(ROWS)
    payload = texts.any_payload(rng, row)
    if rng.random() < 0.8:
        payload = mutated(rng, [payload, texts.any_payload(rng, rng.choice(ROWS))])
    return [row[0] + payload]


def _check_packed(given: str) -> None:
    kind, text = given[:1], given[1:]
    if kind == "p":
        state = unpack(text)
        again = pack(state)
        expect(text.lower().startswith(again), "another position when packed again")
        position = format_position(state)
        expect(sound(parse_position, position) == state, "a position that is none")
    elif kind == "l":
        expect(pack_leds(unpack_leds(text)) == text, "other LEDs when packed again")
    else:
        flags = bytearray(SENSORS)
        for sensor in unpack_sensors(text):
            flags[sensor] = 1
        masked = int(text, 16) & (1 << SENSORS) - 1
        expect(pack_sensors(flags) == f"{masked:014x}", "other sensors when packed again")


def _make_packed(rng: Random) -> Case:
    kind, field, size = rng.choice(
        (("p", "p", texts.POSITION_DIGITS), ("l", "l", 45), ("s", "p", 14))
    )
    corpus = [texts.any_field(rng, field, size) for _ in range(2)]
    if kind == "p":
        corpus += [pack(game.state) for game in rng.sample(texts.games_with_modules(), 2)]
    return [kind + mutated(rng, corpus)]


def pack(state: array[int]) -> str:
    """Return a packed position, and behind it its objects, where they are told apart."""
    position = pack_position(state)
    return position + pack_objects(state, position)


def unpack(text: str) -> array[int]:
    """Return the state of what `pack` returns; raises ValueError."""
    digits = texts.POSITION_DIGITS
    return unpack_position(text[:digits], text[digits:])


def _target(
    name: str,
    make: Callable[[Random], Case],
    check: Callable[[Any], object],
    *named: type[Exception],
    share: int = 8,
) -> Target:

    def run(case: Case) -> None:
        check(case[0])

    return Target(name, make, run, named, share)


def _check_record_text(text: str) -> None:
    check_record(parse_record(text))


def _check_record_file(data: bytes) -> None:
    check_record(parse(data).record)


PARSERS: tuple[Target, ...] = (
    _target("position", _texts(texts.positions), _check_position, NotationError),
    _target("turn", _texts(texts.turns), _check_turn, NotationError),
    _target("turn number", _make_number, _check_number, IllegalTurnError, share=4),
    _target("options", _texts(texts.options), _check_options, NotationError, share=2),
    _target("record", _texts(texts.records), _check_record_text, NotationError),
    _target("record file", _files(texts.records), _check_record_file, NotationError),
    _target("records", _texts(texts.collections), _check_records, NotationError, share=4),
    _target("vectors", _objects(texts.vector_files), _check_vectors, UserError),
    _target("board", _make_board, _check_board, BoardError),
    _target("board bytes", _json_files(texts.board_files), board_hash, BoardError, share=4),
    _target("board file", _json_files(texts.board_files), _check_board_file, BoardError, share=2),
    _target("script", _objects(texts.scripts), _check_script, UserError),
    _target("kept events", _json_files(texts.scripts), _check_events, share=2),
    _target("settings", _texts(texts.settings), _check_settings, UserError, share=4),
    _target("sensor", _texts(texts.sensors), _check_sensor, ValueError, share=2),
    _target("line", _bytes, _check_reader, RemoteLinkError),
    _target("fields", _make_fields, _check_fields, RemoteLinkError),
    _target("packed", _make_packed, _check_packed, ValueError, RemoteLinkError, share=4),
)
"""All that reads a text or a file; each case is one input."""
