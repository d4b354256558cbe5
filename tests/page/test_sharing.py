"""Games as files to share: whole, quiet about what is locked, and true to the record."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64encode
from contextlib import closing
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chronotable.hardware.sensors import SENSORS
from chronotable_host import chapters
from chronotable_host.archive.parsing import ParsedRecord, parse
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.hardware.boards import read_data
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.hardware.drawings.table import place_of
from chronotable_host.rules.annotations import ANNOTATOR, MARKS, Annotation, annotated
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record, format_record
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.sharing import KINDS, text_of
from chronotable_host.web.study.games import Games
from tests import lanes
from tests.host.archives import Output, random_record, told
from tests.host.leaks import leaks
from tests.page.test_games import random_game
from tests.sweep import size
from ttykm.objects import ALL_MODULES, GROWTH

SEED = 11
SVG = "{http://www.w3.org/2000/svg}"
_FRAME = re.compile(
    r"([\d.%,]+)\{transform:translate\((-?[\d.]+)px,(-?[\d.]+)px\);opacity:([01])\}"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    monkeypatch.setenv("CHRONOTABLE_HOME", str(folder))
    return folder


def reading_of(record: Record) -> ParsedRecord:
    return parse(format_record(record).encode())


def analysed_record(seed: int) -> Record:
    """Return a random game with an analysis that somebody made up."""
    rng = random.Random(seed)
    record = random_record(seed)
    record.headers.update({"White": "Ann </script>", "Black": "?", ANNOTATOR: "somebody"})
    record.comments[:] = [
        annotated(f"{at}.5 s, asked", Annotation(f"{rng.uniform(-9, 9):+.2f}", rng.choice(MARKS)))
        for at in range(len(record.turns))
    ]
    return record


class _Elements(HTMLParser):
    """The text of each element, by tag and id, and what would be asked of somebody else."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.addresses: list[str] = []
        self.policy = ""
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.addresses += [found[name] or "" for name in ("src", "href") if name in found]
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"] or ""
        self._open.append(f"{tag}#{found['id']}" if "id" in found else tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().partition("#")[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.texts[tag] = self.texts.get(tag, "") + data


def test_a_shared_page_asks_nobody_and_runs_what_it_was_made_with() -> None:
    page = _Elements(text_of(reading_of(analysed_record(SEED)), "page", 0))
    assert [each for each in page.addresses if not each.startswith(("#", "data:"))] == []
    for kind in ("style", "script"):
        digest = b64encode(sha256(page.texts[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in page.policy
    assert page.policy.startswith("default-src 'none'; ")
    assert "unsafe" not in page.policy
    assert not re.search(
        r"https?://(?!www\.w3\.org/)|fetch\(|WebSocket|import\(", page.texts["script"]
    )
    assert not re.search(r'url\((?!"#)|@import', page.texts["style"])


def test_a_shared_page_has_the_game_and_tells_it_without_scripts() -> None:
    record = analysed_record(SEED)
    reading = reading_of(record)
    text = text_of(reading, "page", 0)
    page = _Elements(text)
    game = json.loads(page.texts["script#game"])
    assert [each["turn"] for each in game["turns"]] == [format_turn(it) for it in record.turns]
    lying = [[(each["at"], each["look"]) for each in it["pieces"]] for it in game["positions"]]
    assert [sorted(each) for each in lying] == [sorted(looks_of(it)) for it in reading.states]
    assert set(game["pieces"]) == {look for each in lying for _, look in each}
    assert game["names"] == ["Ann </script>", "Black"]
    for state, turn in zip(reading.states, record.turns, strict=False):
        assert story_of(state, turn, record.options).says in page.texts["section#told"]
        assert format_turn(turn) in page.texts["section#told"]
    assert page.texts["h1"] == "Ann </script> against Black"
    assert text.count('class="chances"') == 1
    plain = text_of(reading_of(random_record(SEED)), "page", 0)
    assert 'class="chances"' not in plain
    assert leaks(plain) == []
    assert len(text) < 130_000 + 1000 * len(record.turns)  # it is to go with a letter


@pytest.mark.parametrize("modules", lanes.once(range(ALL_MODULES + 1), 7))
def test_a_moving_picture_ends_where_the_turn_does(modules: int) -> None:
    """Each piece begins where it lay, ends where it lies, and the drawing is one of the table."""
    chapters.unlock_to(chapters.COUNT)
    for seed in range(size(1, 4)):
        reading = reading_of(random_game(seed, modules, 24))
        for turn in range(1, len(reading.record.turns) + 1):
            svg = ET.fromstring(text_of(reading, "turn", turn))
            begins, ends = drawn(svg)
            assert begins == sorted(looks_of(reading.states[turn - 1])), f"seed {seed}, turn {turn}"
            assert ends == sorted(looks_of(reading.states[turn])), f"seed {seed}, turn {turn}"


def drawn(svg: ET.Element) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return what lies where in a moving picture, at first and at last."""
    places = {place_of(read_data("reference"), sensor)[:2]: sensor for sensor in range(SENSORS)}
    still = [
        (int(group.get("data-sensor", "")), (piece.get("class") or "").removeprefix("piece "))
        for group in svg.iter(f"{SVG}g")
        for piece in group.findall(f"{SVG}g")
        if (piece.get("class") or "").startswith("piece ")
    ]
    begins, ends = list(still), list(still)
    rules = "".join(svg.find(f"{SVG}style").itertext())  # type: ignore[union-attr]
    for group in svg.iter(f"{SVG}g"):
        look = group.get("data-look")
        if look is None:
            continue
        placed = _numbers(group[0].get("transform") or "")
        frames = _FRAME.findall(rules.partition(f"@keyframes {group.get('class')}{{")[2])
        first, last = frames[0], next(each for each in frames if ",100.00%" in each[0])
        for found, (_, x, y, opacity) in ((begins, first), (ends, last)):
            if opacity == "1":
                at = round(placed[0] + float(x), 3), round(placed[1] + float(y), 3)
                found.append((places[at], look))
        assert (group.get("opacity") == "0") == (last[3] == "0")  # where nothing moves
    return sorted(begins), sorted(ends)


def _numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?[\d.]+", text)]


def test_pictures_and_text_are_of_the_turn(home: Path, capsys: Output) -> None:
    record = random_record(SEED)
    reading = reading_of(record)
    ET.fromstring(text_of(reading, "picture", 0))
    picture = text_of(reading, "picture", 3)
    assert f"3. White: {story_of(reading.states[2], record.turns[2]).says}" in picture
    lines = text_of(reading, "text", 3).splitlines()
    assert lines[:2] == ["White against Black", f"Turn 3 of {len(record.turns)}."]
    assert lines[-1] == f"3. White: {format_turn(record.turns[2])}"
    assert text_of(reading, "text", len(record.turns)).splitlines()[1].endswith(" wins.")


@pytest.mark.parametrize(
    ("kind", "turn", "why"),
    [
        ("film", 1, "a game is shared as one of page picture turn text served"),
        ("picture", 24, "the game has 23 turns"),
        ("turn", 0, "nothing moves at the start: name a turn from 1 on"),
    ],
)
def test_what_cannot_be_shared(kind: str, turn: int, why: str) -> None:
    with pytest.raises(UserError, match=why):
        text_of(reading_of(random_record(SEED)), kind, turn)


def test_a_locked_chapter_is_shared_by_nobody(home: Path) -> None:
    chapters.unlock_to(1)
    reading = reading_of(random_game(SEED, GROWTH))
    assert text_of(reading, "text", 1)
    chapters.path().unlink()
    for kind in KINDS:
        with pytest.raises(LockedError):
            text_of(reading, kind, 1)
    (home / "game.ttykm").write_text(format_record(reading.record), "utf-8")
    with closing(Games(home)) as games, pytest.raises(LockedError):
        games.share("game", "page", 0)


def test_export_writes_what_the_ending_says(tmp_path: Path, capsys: Output) -> None:
    record = random_record(SEED)
    record.comments = ["" for _ in record.turns]
    with Archive() as archive:
        archive.new_game(record)
    reading = reading_of(record)
    for name, kind, turn, words in (
        ("game.html", "page", len(record.turns), []),
        ("third.html", "page", 3, ["--turn", "3"]),
        ("end.svg", "picture", len(record.turns), []),
        ("third.SVG", "picture", 3, ["--turn", "3"]),
        ("moving.svg", "turn", 3, ["--turn", "3", "--moving"]),
        ("game.txt", "text", len(record.turns), []),
    ):
        to = tmp_path / name
        done = told(capsys, "export", "last", "--to", str(to), *words)
        assert done == (0, "", f"wrote {to}\n")
        assert to.read_text("utf-8") == text_of(reading, kind, turn)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["last", "--to", "a.png"], "a.png: pictures are written as .svg, which every browser "
         "shows; the page saves a position as PNG, too (Games, Record)"),
        (["--all", "--to", "a.html"], "a.html: such a file has one game; name it"),
        (["last", "last", "--to", "a.svg"], "a.svg: such a file has one game; name it"),
        (["last", "--moving"], "--moving goes with a file that ends in .svg"),
        (["last", "--to", "a.ttykm", "--turn", "1"], "--turn goes with a file that ends in .html, "
         ".svg or .txt"),
        (["last", "--to", "a.svg", "--turn", "99"], "--turn 99: the game has 23 turns"),
        (["last", "--to", "a.svg", "--turn", "0", "--moving"], "nothing moves at the start: name a "
         "turn from 1 on"),
    ],
)  # fmt: skip
def test_export_refuses_in_one_sentence(words: list[str], why: str, capsys: Output) -> None:
    with Archive() as archive:
        archive.new_game(random_record(SEED))
    assert told(capsys, "export", *words) == (2, "", f"chronotable: {why}\n")


@lanes.gate
def test_a_page_is_in_the_language_of_who_shares_it(home: Path, tmp_path: Path) -> None:
    """All of it: what the file tells, and the words of its script; none that it does not say."""
    with Archive() as archive:
        archive.new_game(analysed_record(SEED))
    to = tmp_path / "game.html"
    words = [sys.executable, "-m", "chronotable_host", "export", "last", "--to", str(to)]
    environment = {**os.environ, "LANGUAGE": "de"}
    done = subprocess.run(words, env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0
    page = to.read_text("utf-8")
    assert '<html lang="de">' in page
    assert "<h1>Ann &lt;/script&gt; gegen Schwarz</h1>" in page
    assert '"Turn {at} of {turns}": "Zug {at} von {turns}"' in page
    assert "Verbindung" not in page
