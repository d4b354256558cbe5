"""A sample of the fuzzer's inputs on MicroPython on the chip: they do there what they do here."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.emulator import fuzzed
from tests.emulator.on_chip import compiled, listen, open_chip
from tests.lab import fuzz
from tests.lab.hostile import ends
from tests.lab.hostile.case import Case
from tests.lab.hostile.peer import Peer

pytestmark = pytest.mark.emulator

TEXTS = {"position": "P", "turn": "T", "options": "O", "fields": "F", "packed": "K"}
OF_EACH = 60
CASES = 6  # of a hostile peer
PLAIN = {chr(code) for code in range(0x20, 0x7F)} | {"\t", "\n", "\r"}
LONGEST = 400  # bytes: the chip is slow

MAIN = """
import gc, time
time.sleep_ms(300)  # until the host has opened the port
from fuzzed import outcomes
with open("inputs.txt") as file:
    for word in outcomes(file):
        print(word)
gc.collect()
free = gc.mem_free()
with open("inputs.txt") as file:
    for word in outcomes(file):
        pass
gc.collect()
print("LEFT", free - gc.mem_free())
print("DONE")
"""


class Tapped(ends._Bare):
    """An end of the link that notes what comes, as lines for the chip."""

    def __init__(self) -> None:
        super().__init__("table")
        self.lines: list[str] = []

    def take(self, data: bytes, now_ms: int) -> bytes:
        self.lines.append(f"L{now_ms} {data.hex()}")
        return super().take(data, now_ms)


def text_lines(name: str) -> list[str]:
    """Return inputs for the target `name`; what is white space beyond ASCII differs there."""
    target = next(target for target in fuzz.TARGETS if target.name == name)
    lines: list[str] = []
    number = 0
    while len(lines) < OF_EACH:
        (text,) = fuzz.case_of(target, fuzz.SEED, number)
        number += 1
        if isinstance(text, str) and len(text) < LONGEST and PLAIN.issuperset(text):
            lines.append(TEXTS[name] + text.encode().hex())
    return lines


def link_lines() -> list[str]:
    """Return what a hostile PC says to a table, with the times."""
    target = next(target for target in fuzz.TARGETS if target.name == "link of the table")
    end = Tapped()
    peer = Peer(end)
    peer.open()
    for number in range(CASES):
        case: Case = fuzz.case_of(target, fuzz.SEED, number)
        for step in case:
            if not isinstance(step, bytes) or len(step) < LONGEST:
                peer.do(step)
    return end.lines


def test_inputs_of_the_fuzzer_do_on_the_chip_what_they_do_here(image: Path) -> None:
    lines = [line for name in TEXTS for line in text_lines(name)]
    Random(0).shuffle(lines)
    lines += link_lines()
    expected = list(fuzzed.outcomes(lines))
    source = Path(__file__).with_name("fuzzed.py").read_text("utf-8")
    files = {**compiled(fuzzed=source), "inputs.txt": "\n".join(lines).encode()}
    with closing(open_chip(image, MAIN, files)) as chip:
        text = listen(chip, "\nDONE", 120_000)
    words = text.split()
    end = words.index("LEFT")
    for line, word, wanted in zip(lines, words, expected, strict=False):
        assert word == wanted, line
    assert words[:end] == expected
    assert int(words[end + 1]) < 256, "bytes that are not free after the same once more"
    print(f"{len(lines)} inputs in {chip.now_ms:.0f} ms of the chip's time")
