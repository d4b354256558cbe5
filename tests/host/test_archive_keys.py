"""Games of the archive are found by their keys: whole names and what they begin with."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from chronotable_host.archive import schema
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.host.archives import played

pytestmark = pytest.mark.usefixtures("home")

NAMES = (
    "Zoë_1.ttykm",
    "zoe%.ttykm",
    "STRASSE.ttykm",
    "100\N{SNOWMAN}.ttykm",
    "a.b.ttykm",
    "a.ttykm",
)


@lanes.gate
def test_any_part_of_a_name_fits_what_it_begins(archive: Archive) -> None:
    """Ids, files and paths, whole or the beginning of them: as comparing them one by one finds."""
    archive.store([played("imported"), played("imported too")])
    archive.new_game(played("live")).close()
    for name in NAMES:
        (archive.folder / name).write_text(format_record(played(name)), "utf-8")
    (archive.folder / "imported" / "Zoë_1.ttykm").write_text("bad", "utf-8")
    archive.refresh()
    entries = [*archive.games(), *archive.problems()]
    called = {
        entry.file: [
            name.casefold()
            for name in (entry.id, Path(entry.file).stem, Path(entry.file).name, entry.file)
        ]
        for entry in entries
    }
    texts = {text[:length] for names in called.values() for text in names for length in range(40)}
    for text in sorted(
        texts | {"Strasse", "straße", "ZOË_1.TTYKM", "%", "_", "zoe_", "\\", "x" * 99_999}
    ):
        key = text.casefold()
        fits = [file for file, names in called.items() if key in names]
        fits = fits or [
            file for file, names in called.items() if any(it.startswith(key) for it in names)
        ]
        if not text or text == "last":
            continue
        try:
            found = [archive.get(text).file]
        except UserError as error:
            said = str(error)
            count = re.search(r"fits (\d+) games", said)
            if "no game" in said:
                assert fits == [], text
            elif count:
                assert int(count[1]) == len(fits) > 1, text
            else:
                assert fits == ["imported/Zoë_1.ttykm"], (text, said)
        else:
            assert found == fits, text


@pytest.mark.parametrize("where", ["in the folder", "elsewhere"])
def test_an_index_of_schema_2_is_made_anew(tmp_path: Path, archive: Archive, where: str) -> None:
    """That had no keys to find a game by."""
    ids = [archive.new_game(played(name)).id for name in ("Ada", "Zoë")]
    archive.store([played("Eve")])
    (archive.folder / "empty.ttykm").write_text("")
    file = archive.folder / "index.sqlite"
    if where == "elsewhere":
        archive.close()
        file = tmp_path / "elsewhere.sqlite"
        archive.url = f"sqlite:///{file}"
    archive.refresh()
    archive.close()
    with sqlite3.connect(file) as connection:
        for name in ("id", "name"):
            connection.execute(f"drop index ix_chronotable_{name}")
            connection.execute(f"alter table chronotable_games drop column {name}_key")
        connection.execute("update chronotable_games set white = white || ' as it was'")
        connection.execute("update chronotable set schema = 2")
    connection.close()
    assert archive.get(ids[1][:7]).white == "Zoë"
    assert archive.get("imported/").white == "Eve"
    assert archive.get(ids[0].upper()).white == "Ada"
    assert [problem.file for problem in archive.problems()] == ["empty.ttykm"]
    archive.close()
    with sqlite3.connect(file) as connection:
        assert connection.execute("select schema from chronotable").fetchall() == [(schema.SCHEMA,)]
    connection.close()
