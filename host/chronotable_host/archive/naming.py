"""What files of games are called, and the time that a name tells: names sort by it."""

import os
import re
import secrets
from datetime import datetime, timedelta, timezone
from pathlib import Path

SUFFIX = ".ttykm"
NIGHT_SUFFIX = ".night"
SUFFIXES = (SUFFIX, NIGHT_SUFFIX)
"""Of records: games of the table, and games of a night."""
SCRIPT_SUFFIX = ".script.jsonl"

_STAMP = "%Y-%m-%dT%H%M"
_OUR_NAME = re.compile(r"(\d{4}-\d\d-\d\dT\d{4})(Z?)-([0-9a-f]{8})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LATEST = datetime.max.replace(tzinfo=timezone.utc)


def game_id(path: Path) -> str:
    """Return the short id that people call a game by: of our names the end, else the name."""
    match = _OUR_NAME.fullmatch(path.stem)
    return match[3] if match else path.stem


def script_path(record: Path) -> Path:
    """Return where the raw events of a record's game are kept."""
    return record.with_suffix(SCRIPT_SUFFIX)


def time_stamp(moment: datetime) -> str:
    """Return a text that sorts by time: the minute in UTC, and the time within it in us.

    A moment without a time zone is local time, which goes back where summer ends.
    """
    moment = moment.astimezone(timezone.utc)
    in_minute = moment.second * 1_000_000 + moment.microsecond
    return f"{moment.strftime(_STAMP)}Z-{in_minute:07x}"


def new_path(folder: Path, now: datetime | None = None) -> Path:
    """Return the path of a new game; names sort by the time at which they were made.

    The id is the time within the minute in us, and a random digit against other processes.
    """
    moment = now or datetime.now(timezone.utc)
    while True:
        path = folder / f"{time_stamp(moment)}{secrets.randbelow(16):x}{SUFFIX}"
        if not os.path.lexists(path):
            return path
        moment += timedelta(microseconds=1)


def time_of_name(path: Path) -> str:
    """Return what sorts a file by the time that our name for it says, "" if it has another name.

    Names without a Z are older, and in local time.
    """
    match = _OUR_NAME.fullmatch(path.stem)
    if match is None or match[2]:
        return path.stem if match else ""
    try:
        moment = datetime.strptime(match[1], _STAMP).astimezone(timezone.utc)
    except (ValueError, OverflowError, OSError):  # no such day, or one before all zones
        return path.stem
    return f"{moment.strftime(_STAMP)}Z-{match[3]}"


def time_of_file(path: Path, mtime_ns: int) -> str:
    """Return what sorts a file by time: that of our name for it, else when it was written.

    File systems have times of years that nothing else here knows.
    """
    try:
        moment = _EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        moment = _LATEST if mtime_ns > 0 else _EPOCH
    return time_of_name(path) or time_stamp(moment)
