"""Importing games that were played elsewhere.

One rule: a game's file is named for its content. So two processes that import the same game, or a
second try after a crash, write the same file and not another one.
"""

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.disk import explained
from chronotable_host.archive.index import IMPORTED, Row, digest, row_of
from chronotable_host.archive.naming import NIGHT_SUFFIX, SUFFIX
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.nights import format_record as format_night
from chronotable_host.archive.parsing import Progress
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c
from chronotable_host.rules.record import Record, format_record

_ID_DIGITS = 12  # of the digest; more where another game's file has these
_APART_NS = 1000  # the index sorts by microseconds


class ImportedGame(NamedTuple):
    """What became of one game: its id, and whether it was there already."""

    id: str
    is_duplicate: bool


class IncomingGame(NamedTuple):
    """A game that is to be stored: its canonical text, the digest of that, its row of the index.

    `suffix` is that of its file.
    """

    text: str
    content: str
    row: Row
    suffix: str


def prepare(record: Record | GameRecord) -> IncomingGame:
    """Return all that storing a record takes; raises UserError where it is too large to be read."""
    if isinstance(record, GameRecord):
        text, suffix = format_night(record), NIGHT_SUFFIX
    else:
        text, suffix = format_record(record), SUFFIX
    if len(text.encode("utf-8")) > regular_files.MOST_BYTES:
        raise UserError(
            tr(
                "a record has more than {most} MB, which no game has",
                most=regular_files.MOST_BYTES >> 20,
            )
        )
    content = digest(record)
    return IncomingGame(text, content, row_of(record, content), suffix)


def take_in(
    folder: Path,
    games: Sequence[IncomingGame],
    known: Mapping[str, str],
    progress: Progress | None = None,
) -> tuple[list[ImportedGame], list[tuple[str, Row]]]:
    """Store games in an archive's folder; `known` has the ids of those that it has, by digest.

    Return what became of each, and the new files with their rows. They are dated one behind the
    other, as they are to be listed. Raises OSError where one cannot be written; those before it
    are stored, and it says how many.
    """
    place = folder / IMPORTED
    regular_files.list_folder(place)
    with explained(place):
        place.mkdir(parents=True, exist_ok=True)
    ids = dict(known)
    now_ns = time.time_ns()
    stored: list[ImportedGame] = []
    new: list[tuple[str, Row]] = []
    try:
        for done, game in enumerate(games):
            if progress is not None:
                progress(done, len(games), tr_c("progress", "storing"))
            is_there = game.content in ids
            if not is_there:
                path, is_there = _put(place, game, now_ns + done * _APART_NS)
                ids[game.content] = path.stem
                if not is_there:
                    new.append((f"{IMPORTED}/{path.name}", game.row))
            stored.append(ImportedGame(ids[game.content], is_there))
        disk.sync_folder(place)
    except OSError as error:
        with contextlib.suppress(OSError):
            disk.sync_folder(place)
        count = tr(
            "{count} of {all} games are stored, import again for the rest",
            count=len(stored),
            all=len(games),
        )
        raise OSError(error.errno, f"{error.strerror}; {count}", error.filename) from error
    return stored, new


def _put(place: Path, game: IncomingGame, moment_ns: int) -> tuple[Path, bool]:
    """Write a game's file; return it, and whether it was there already.

    A file of its name may hold something else, people may write in it: it is left alone.
    """
    for digits in range(_ID_DIGITS, len(game.content) + 1):
        path = place / f"{game.content[:digits]}{game.suffix}"
        try:
            if regular_files.read(path) == game.text.encode("utf-8"):
                return path, True
        except FileNotFoundError:
            with explained(path):  # the folder is synced once, behind the last of them
                disk.write_whole(path, game.text, mtime_ns=moment_ns, syncs_name=False)
            return path, False
        except OSError:  # what cannot be read has the name
            continue
    raise UserError(tr("{path}: is another game than its name says; rename it", path=path))
