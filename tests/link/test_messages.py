"""Messages: the table is sound, every value survives, wrong ones are refused by name."""

import random
import re
from typing import Any

import pytest

from chronotable.link import messages
from chronotable.link.frames import MAX_PAYLOAD, LocalLinkError, RemoteLinkError, encode
from chronotable.link.messages import decode_fields, encode_fields, row_of
from chronotable_host.link.unpacking import decode, unpack_leds
from chronotable_host.live.texts.message_texts import MEANINGS, ROWS, describe, fields_of

BY_NAME = {row[1]: row for row in ROWS}
PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in "$*")


def extremes(kind: str, size: int, letters: str) -> "list[int | str | None]":
    """Return the smallest, the longest and the oddest values of a field."""
    return {
        "x": [0, 16**size - 1],
        "o": [0, 16**size - 1, None],
        "p": ["0" * size, "f" * size],
        "l": ["0" * size, "-" * size],
        "c": list(letters or PLAIN),
        "f": [0, 1],
        "t": ["", "~" * size, "x y"],
    }[kind]


def values_of(name: str, rng: random.Random) -> "dict[str, int | str | None]":
    """Return random values for each field of a message, often extreme ones."""
    return {
        field: rng.choice(extremes(kind, size, letters))
        for field, kind, size, letters in fields_of(BY_NAME[name])
    }


def test_letters_and_names_are_unique_and_plain() -> None:
    letters = [row[0] for row in ROWS]
    assert len(set(letters)) == len(letters)
    assert len({row[1] for row in ROWS}) == len(letters)
    for letter, name, direction, kind, _ in ROWS:
        assert len(letter) == 1
        assert letter in PLAIN
        assert re.fullmatch("[a-z_]+", name)
        assert direction in (messages.TO_HOST, messages.TO_TABLE, messages.BOTH)
        assert kind in ("event", "state", "command", "bulk", "link")
        names = [field for field, _, _, _ in fields_of(row_of(name))]
        assert len(set(names)) == len(names)
        assert not {"self", "name"} & set(names)  # `send(name, **fields)`


def test_case_tells_what_is_asked_and_answered_from_what_is_told() -> None:
    for letter, _, direction, kind, _ in ROWS:
        assert letter.islower() == (direction == messages.TO_TABLE or kind == messages.BULK)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_extreme_value_fits_a_line_and_comes_back(name: str) -> None:
    row = BY_NAME[name]
    rng = random.Random(name)
    fields = fields_of(row)
    longest = {
        field: max(extremes(kind, size, letters), key=lambda value: len(str(value)))
        for field, kind, size, letters in fields
    }
    cases = [longest, *(values_of(name, rng) for _ in range(300))]
    for values in cases:
        payload = encode_fields(row, values)
        assert len(payload) <= MAX_PAYLOAD
        assert decode_fields(row, payload) == values
        assert decode(encode(255, 255, row[0], payload)) == (255, 255, row[0], payload)


@pytest.mark.parametrize("name", BY_NAME)
def test_wrong_values_are_refused_by_name(name: str) -> None:
    row = BY_NAME[name]
    good = values_of(name, random.Random(1))
    wrong: dict[str, list[Any]] = {
        "x": [-1, None, "1", 1.0],
        "o": [-1, "1", "-"],
        "p": ["", "g", 7, "-1", None],
        "l": ["", "0", "*" * 45, None],
        "c": ["", "xx", "\n", "$", 1, None],
        "f": [2, -1, "1", None],
        "t": ["a,b", "a\n", "é", "\ud800", "*", 1, None],
    }
    for field, kind, size, _ in fields_of(row):
        bad = wrong[kind] + ([16**size] if kind in "xo" else ["x" * (size + 1)])
        for value in bad:
            with pytest.raises(LocalLinkError, match=f"{name}: {field} "):
                encode_fields(row, {**good, field: value})
        missing = {key: value for key, value in good.items() if key != field}
        with pytest.raises(LocalLinkError, match=field):
            encode_fields(row, missing)
    with pytest.raises(LocalLinkError, match="surplus"):
        encode_fields(row, {**good, "surplus": 1})


@pytest.mark.parametrize("name", BY_NAME)
def test_wrong_payloads_are_remote_errors_and_nothing_else(name: str) -> None:
    row = BY_NAME[name]
    rng = random.Random(name)
    for _ in range(300):
        payload = list(encode_fields(row, values_of(name, rng)))
        for _ in range(rng.randrange(1, 4)):
            change = rng.randrange(3)
            at = rng.randrange(len(payload) + 1)
            if change == 0:
                payload.insert(at, rng.choice(PLAIN))
            elif change == 1 and payload:
                del payload[min(at, len(payload) - 1)]
            elif payload:
                payload[min(at, len(payload) - 1)] = rng.choice("_ +-xg,0Ff")
        text = "".join(payload)
        try:
            values = decode_fields(row, text)
        except RemoteLinkError:
            continue
        assert encode_fields(row, values).lower() == text.lower()


def test_rows_travel_in_their_direction_only() -> None:
    for row in ROWS:
        there = messages.row_for(row[0], messages.TO_HOST)
        back = messages.row_for(row[0], messages.TO_TABLE)
        assert (there is row) == (row[2] != messages.TO_TABLE)
        assert (back is row) == (row[2] != messages.TO_HOST)
    assert messages.row_for("+", messages.TO_HOST) is None


def test_leds_round_trip() -> None:
    rng = random.Random(5)
    cases = [bytes(54), bytes([31] * 54), *(bytes(rng.choices(range(32), k=54)) for _ in range(99))]
    for meanings in cases:
        text = messages.pack_leds(meanings)
        assert len(text) == 45
        assert unpack_leds(text) == meanings
    assert (
        len({messages.pack_leds(bytes([1 if a == b else 0 for a in range(54)])) for b in range(54)})
        == 54
    )


def test_leds_are_checked() -> None:
    assert len(set(messages.LED_ALPHABET)) == 64
    assert not set(messages.LED_ALPHABET) & set("$*, ")
    for meanings in (b"", bytes(53), bytes(55), bytes([32] * 54)):
        with pytest.raises(LocalLinkError):
            messages.pack_leds(meanings)
    for text in ("", "0" * 44, "0" * 46, "0" * 44 + "*", "0" * 44 + "é"):
        with pytest.raises(RemoteLinkError):
            unpack_leds(text)


def test_every_message_has_a_meaning_and_its_line_in_the_description() -> None:
    assert list(MEANINGS) == list(BY_NAME)
    assert all(text.endswith((".", "?")) for text in MEANINGS.values())
    lines = describe().splitlines()
    assert len(lines) == 2 + len(ROWS)
    for line, row in zip(lines[2:], ROWS, strict=True):
        assert line.startswith(f"| `{row[0]}` | {row[1]} |")
        assert line.endswith(f"| {MEANINGS[row[1]]} |")
        assert line.count("|") == 7
        for field, _, _, _ in fields_of(row):
            assert f"`{field}:" in line
