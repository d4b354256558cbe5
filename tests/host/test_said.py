"""What strangers wrote steers no terminal and no page, and forges no line, wherever it is said."""

from __future__ import annotations

import io
import json
import os
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from chronotable_host import output
from chronotable_host.archive.store import Archive
from chronotable_host.errors import one_line, printable, printable_json, without_folders
from chronotable_host.rules.record import format_record, parse_record
from tests import lanes
from tests.host.archives import Output, played, told

pytestmark = pytest.mark.usefixtures("home")

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\u2066\u200b\u2028\u2029\x7f\b\ufeff\U000e0041"
"""Clears a screen, names a window, colours, turns writing around, hides, breaks lines."""
EVIL_NAME = f"{EVIL}\nchronotable: all is well\r\udcff"
EVIL_FILE = f"{EVIL}\nchronotable: all is well\r.ttykm"


def steers(text: str) -> list[str]:
    """Return the names of the characters in a text that are neither printable nor a line's end."""
    bad = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return sorted({ascii(c) for c in text if c != "\n" and unicodedata.category(c) in bad})


def texts(value: Any) -> str:
    """Return all texts in a value of JSON, keys too."""
    if isinstance(value, dict):
        return "".join(texts(each) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return "".join(map(texts, value))
    return value if isinstance(value, str) else ""


def evil_record() -> str:
    record = played(f"White {EVIL}", f"Black {EVIL}")
    text = format_record(record).replace("2026-11-20", f"2026-{EVIL}")
    text = text.replace(
        '[Board "?"]', f'[Board "{EVIL}"]\n[X{EVIL.translate(_ONE_WORD)}Y "{EVIL}"]'
    )
    return text.replace(">present\n", f">present {{{EVIL}}}\n")


_ONE_WORD = {ord(space): None for space in "\u2028\u2029"}


@pytest.fixture
def evil(archive: Archive) -> Path:
    """Fill the archive: a game, one whose name is evil, and evil ones that cannot be read."""
    archive.folder.mkdir()
    good = archive.folder / "2026-11-20T2153Z-06ea0500.ttykm"
    try:
        good.write_text(evil_record(), "utf-8")
        (archive.folder / EVIL_FILE).write_text(evil_record(), "utf-8")
        (archive.folder / f"bad{EVIL_FILE}").write_text(f'[{EVIL} "x\n', "utf-8")
        (archive.folder / f"worse{EVIL_FILE}").mkdir()
        (archive.folder / "turn.ttykm").write_text(format_record(played()).replace("16 W", EVIL))
        Path(os.fsdecode(os.fsencode(archive.folder) + b"/\xff\x1b.ttykm")).write_text("")
    except OSError as error:
        pytest.skip(f"this file system has no such names: {error}")
    archive.close()
    return good


def test_the_record_is_as_evil_as_it_can_be(evil: Path) -> None:
    with Archive() as archive:
        record = archive.read(archive.get("06ea0500")).record
        assert len(archive.games()) == 2
        assert len(archive.problems()) == 4
    for text in ("".join(record.headers), *(record.headers[n] for n in ("White", "Date", "Board"))):
        assert {"'\\x1b'", "'\\x9b'", "'\\u202e'", "'\\u2066'"} <= {*steers(text)}
    assert steers(record.comments[0])


COMMANDS = [
    ["games"],
    ["games", "--rebuild"],
    ["games", "--player", EVIL],
    ["games", "--result", EVIL],
    ["show", "06ea0500"],
    ["show", "06ea0500", "--turn", "1"],
    ["show", EVIL],
    ["show", "bad"],
    ["show", "turn"],
    ["replay", "06ea0500"],
    ["export", "--all", "--to", os.devnull],
    ["export", "06ea0500", "--to", f"/{EVIL}/x"],
    ["import", EVIL_FILE],
    ["import", "FOLDER/" + EVIL_FILE],
    ["import", "FOLDER/bad" + EVIL_FILE],
    ["import", "FOLDER/turn.ttykm", "--archive", f"FOLDER/{EVIL}"],
    ["verify", "FOLDER/" + EVIL_FILE, "FOLDER/bad" + EVIL_FILE],
    ["verify", "FOLDER/turn.ttykm"],
    ["legal", EVIL],
    ["games", "--url", EVIL],
    ["games", "--url", f"sqlite:////{EVIL}/x"],
    ["games", "--archive", f"FOLDER/{EVIL_FILE}"],
    ["play", "--port", EVIL],
    [EVIL],
    ["games", f"--{EVIL}"],
]


@pytest.mark.parametrize(
    "words", COMMANDS, ids=[f"{at}-{c[0][:6]!a}" for at, c in enumerate(COMMANDS)]
)
def test_no_command_steers_a_terminal(evil: Path, words: list[str], capsys: Output) -> None:
    for _ in range(2):  # what is imported once more is told as a duplicate
        given = [word.replace("FOLDER", str(evil.parent)) for word in words]
        status, out, err = told(capsys, *given)
        assert (steers(out), steers(err)) == ([], [])
        assert "\nchronotable: all is well" not in f"\n{out}\n{err}"
        assert out + err or words[0] == "export"
        if status == 2:
            assert err.count("chronotable: ") - err.count("chronotable: all is well") == 1


@pytest.mark.parametrize("words", [["games"], ["show", "06ea0500"], ["replay", "06ea0500"]])
def test_nor_does_their_json(evil: Path, words: list[str], capsys: Output) -> None:
    status, out, err = told(capsys, *words, "--json")
    assert status == 0
    assert steers(texts(json.loads(out)) + err) == []
    if words[0] != "replay":
        assert "evil" in texts(json.loads(out))


def test_what_is_listed_can_be_typed(evil: Path, capsys: Output) -> None:
    """The id of a game whose file has an evil name is told without what is evil."""
    listed = json.loads(told(capsys, "games", "--json")[1])
    (name,) = [game["id"] for game in listed if "all is well" in game["id"]]
    assert told(capsys, "show", name)[0] == 0


def test_a_file_keeps_its_content(evil: Path, tmp_path: Path, capsys: Output) -> None:
    text = format_record(parse_record(evil.read_text("utf-8")))
    assert len(steers(text)) > 8
    status, out, _ = told(capsys, "export", "06ea0500")
    assert (status, out) == (0, text)
    told(capsys, "export", "06ea0500", "--to", str(tmp_path / "out"))
    assert (tmp_path / "out").read_text("utf-8") == text


def test_an_export_to_a_terminal_is_said(
    evil: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    _, out, _ = told(capsys, "export", "06ea0500")
    assert steers(out) == []
    assert out.count("\n") == len(parse_record(evil.read_text("utf-8")).turns) + 12


# ---- the one place


def test_a_stream_that_is_said() -> None:
    stream = io.StringIO()
    clean = output.CleanedStream(stream)
    for text in ("a\nb\x1b[m", "", "\n", "\r\n", "\u202e", "é\N{GRINNING FACE}"):
        assert clean.write(text) == len(text)
    clean.writelines(["\x07", "x\n"])
    assert stream.getvalue() == "a\nb?[m\n \n?é\N{GRINNING FACE}?x\n"
    assert not clean.isatty()
    assert output.uncleaned(clean) is stream  # type: ignore[arg-type]
    with output.cleaned(), output.cleaned():
        assert not isinstance(output.uncleaned(sys.stdout), output.CleanedStream)
    assert not isinstance(sys.stdout, output.CleanedStream)


@lanes.gate
def test_every_character_there_is() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert steers(printable(everything)) == []
    assert "\n" not in printable(everything)
    kept = [c for c in everything if unicodedata.category(c)[0] in "LMNPS"]
    assert printable("".join(kept)) == "".join(kept)


def test_values_are_cleaned_to_the_ground() -> None:
    value = {"a\x1b": ["\x07", ("\u202e", 1, None, True, 2.5)], "b": {"c": "\n"}}
    assert printable_json(value) == {"a?": ["?", ["?", 1, None, True, 2.5]], "b": {"c": " "}}


@pytest.mark.parametrize(
    ("text", "told_as"),
    [
        ("/home/ada/games/x.ttykm: is broken", "x.ttykm: is broken"),
        ("/home/Ada Lovelace/my games/x.ttykm: is broken", "x.ttykm: is broken"),
        ("no game 'x' is in the archive /home/ada", "no game 'x' is in the archive ada"),
        ("'/home/Ada's/x' (not known)", "'x' (not known)"),
        (r"C:\Users\Ada L\x.ttykm: is broken", "x.ttykm: is broken"),
        (r"\\server\share\x.ttykm: is broken", "x.ttykm: is broken"),
        ("no table at /dev/ttyACM0 yet", "no table at ttyACM0 yet"),
        ("1/2-1/2 and yes / no, http://host/a", "1/2-1/2 and yes / no, http://host/a"),
        ("w..b/w..b/-/- imported/x.ttykm", "w..b/w..b/-/- imported/x.ttykm"),
    ],
)
def test_sentences_without_folders(text: str, told_as: str) -> None:
    assert without_folders(text) == told_as


def test_errors_are_told_on_one_line() -> None:
    for error in (OSError(2, EVIL, EVIL_NAME), UnicodeDecodeError("utf-8", b"", 0, 1, EVIL)):
        line = one_line(error)
        assert line is None or ("\n" not in line and steers(line) == [])
