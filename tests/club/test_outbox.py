"""The outbox of a table: its archive, and what the hub has of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from chronotable_club.at_table import ClubTable, Look
from chronotable_club.messages import Live
from chronotable_club.outbox import FileOutbox
from chronotable_club.publisher import LATEST, digest_of
from chronotable_club.tokens import token_of
from chronotable_far.broker.address import parse_broker
from chronotable_host.archive.naming import game_id
from chronotable_host.live.happenings import Fetched
from chronotable_host.rules.record import format_record
from tests.club.shown import beginning, recorded

TOKEN = token_of("abcdefghijkl", b"s" * 32, "abcdefgh")
OLD, FIRST, SECOND = (f"2026-05-01T12{minute}Z-0abcde{minute}" for minute in ("00", "20", "30"))
JOINED = "2026-05-01T1210Z"
RECORD = recorded()[3]


def write(folder: Path, game: str, turns: int) -> str:
    text = format_record(beginning(RECORD, turns))
    (folder / f"{game}.ttykm").write_text(text, "utf-8")
    return text


def test_games_since_the_table_joined_are_due_until_they_are_stored(tmp_path: Path) -> None:
    write(tmp_path, OLD, 3)
    outbox = FileOutbox(tmp_path, TOKEN, JOINED)
    assert outbox.due() == []
    first = write(tmp_path, FIRST, 3)
    write(tmp_path, SECOND, 4)
    (tmp_path / "notes.txt").write_text("no game", "utf-8")
    outbox.look()
    assert outbox.due() == [FIRST, SECOND]
    assert outbox.text(FIRST) == first
    outbox.stored(FIRST, digest_of(first))
    assert outbox.due() == [SECOND]
    outbox.refused(digest_of(outbox.text(SECOND)))
    assert outbox.due() == []
    outbox.save()
    again = FileOutbox(tmp_path, TOKEN, "9")
    assert again.due() == [SECOND]  # what is refused is tried once more at a start
    longer = write(tmp_path, FIRST, 5)
    again.look()
    assert again.due() == [FIRST, SECOND]
    again.stored(FIRST, digest_of(first))  # late: it is another text by now
    assert again.due() == [FIRST, SECOND]
    again.stored(FIRST, digest_of(longer))
    assert again.due() == [SECOND]


def test_tables_that_share_a_folder_tell_their_own_games(tmp_path: Path) -> None:
    beside = token_of(TOKEN.club, b"s" * 32, "bcdefghi")
    elsewhere = token_of("bcdefghijklm", b"s" * 32, "abcdefgh")
    FileOutbox(tmp_path, elsewhere, JOINED)
    first = FileOutbox(tmp_path, TOKEN, JOINED)
    write(tmp_path, OLD, 3)
    write(tmp_path, FIRST, 3)
    first.look()
    assert first.due() == [FIRST], "a table of another club is told of the same games"
    second = FileOutbox(tmp_path, beside, JOINED)
    assert second.due() == []
    write(tmp_path, SECOND, 4)
    first.look()
    second.plays(game_id(Path(SECOND)))
    assert (first.due(), second.due()) == ([FIRST], [SECOND])
    second.save()
    assert FileOutbox(tmp_path, beside).due() == [SECOND], "it is its own at the next start, too"


def test_a_game_out_of_the_table_s_journal_is_its_own(tmp_path: Path) -> None:
    """It was played without the PC, so that the table never showed it."""
    FileOutbox(tmp_path, token_of(TOKEN.club, b"s" * 32, "bcdefghi"), JOINED)
    FileOutbox(tmp_path, TOKEN, JOINED)
    write(tmp_path, FIRST, 3)
    look = cast("Look", lambda: Live("", "", "free", None))
    table = ClubTable(parse_broker("mqtt://127.0.0.1:9"), TOKEN, tmp_path, look, lambda _: None)
    assert table.publisher.waiting == 0
    table.hear(Fetched(0, game_id(Path(FIRST)), 3, "1-0"))
    assert table.publisher.waiting == 1
    table.close()


def test_another_hub_has_nothing_and_another_run_the_older_games(tmp_path: Path) -> None:
    outbox = FileOutbox(tmp_path, TOKEN, JOINED)
    games = [FIRST.replace("T1220", f"T122{n}") for n in range(LATEST + 1)]
    texts = {game: write(tmp_path, game, 3) for game in games}
    outbox.look()
    for hub, run, due in (("one", "1", games), ("one", "1", []), ("one", "2", games[1:])):
        outbox.begin(hub, run)
        assert outbox.due() == due
        for game, text in texts.items():
            outbox.stored(game, digest_of(text))
    outbox.begin("two", "2")
    assert outbox.due() == games


def test_numbers_grow_over_crashes(tmp_path: Path) -> None:
    seen = -1
    for _ in range(5):
        outbox = FileOutbox(tmp_path, TOKEN)  # never saved in the end
        for _ in range(1500):
            number = outbox.next_number()
            assert number > seen
            seen = number
    outbox.skip_to(10**9)
    assert outbox.next_number() > 10**9


def test_a_file_that_was_removed_or_is_damaged_is_none(tmp_path: Path) -> None:
    outbox = FileOutbox(tmp_path, TOKEN, JOINED)
    write(tmp_path, FIRST, 3)
    outbox.look()
    (tmp_path / f"{FIRST}.ttykm").unlink()
    assert outbox.text(FIRST) == ""
    assert outbox.due() == []
    (tmp_path / f"{SECOND}.ttykm").write_bytes(b"\xff\xfe")
    outbox.look()
    assert outbox.due() == []
    for content in ("", "[]", "{", json.dumps({"kept": 3})):
        (tmp_path / f"club-{TOKEN.club}-{TOKEN.table}.json").write_text(content, "utf-8")
        FileOutbox(tmp_path, TOKEN).next_number()


def test_an_archive_that_is_not_there_yet(tmp_path: Path) -> None:
    outbox = FileOutbox(tmp_path / "games", TOKEN)
    assert outbox.due() == []
    assert outbox.next_number() > 0
