"""Keeps the games of a night: sealed while they go on, and as records once they are over.

Only this program reads a sealed file. Each line is one entry as JSON, numbered and filled up to a
length that tells nothing, encrypted and signed (Fernet: AES-128-CBC and HMAC-SHA256). The key lies
in the user's own folder, readable by the user alone. This is against a player who looks into a
file: whoever may use this user's programs can have the key as well.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.fernet import Fernet, InvalidToken

from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.disk import explained
from chronotable_host.archive.naming import NIGHT_SUFFIX, new_path
from chronotable_host.archive.nights import GAME, GameRecord, format_record
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_night.games.portable import canonical, digest
from chronotable_night.games.record import result_of
from chronotable_night.games.shelf import format_choices, kinds
from chronotable_night.people import People
from chronotable_night.play import Play
from chronotable_night.room import NightRoom

SUFFIX = ".sealed"

_KEYS = "night-keys"
_FILL = 256  # bytes that an entry is a multiple of

Entry = Mapping[str, Any]


class SealedFile:
    """A sealed file that is written to; each method raises OSError where the disk does not."""

    def __init__(self, path: Path, key: bytes, entries: int) -> None:
        self.path = path
        self._fernet = Fernet(key)
        self._entries = entries
        self._fd = disk.open_end(path)

    @classmethod
    def create(cls, path: Path, first: Entry) -> "SealedFile":
        """Make a new file, which begins with an entry, and its key."""
        key = Fernet.generate_key()
        _keep_key(_key_path(path), key)
        disk.write_whole(path, _sealed_line(Fernet(key), 0, first), is_new=True)
        return cls(path, key, 1)

    @classmethod
    def open(cls, path: Path) -> "tuple[SealedFile, list[Entry]]":
        """Open a file to go on with it; return its entries, too. Raises UserError and OSError."""
        key, data = _key_of(path), regular_files.read(path)
        whole, _, torn = data.rpartition(b"\n")
        entries = list(_unsealed_entries(path, Fernet(key), whole))
        file = cls(path, key, len(entries))
        if torn:  # nobody was told of a line that a crash cut short
            disk.cut(file._fd, len(data) - len(torn))
            os.lseek(file._fd, 0, os.SEEK_END)
        return file, entries

    def append(self, entry: Entry) -> None:
        """Add an entry; it is on the disk when this returns."""
        before = os.lseek(self._fd, 0, os.SEEK_END)
        try:
            disk.append(self._fd, _sealed_line(self._fernet, self._entries, entry).encode())
        except OSError:
            with contextlib.suppress(OSError):  # else a line would stand behind half of one
                disk.cut(self._fd, before)
            raise
        self._entries += 1

    def close(self) -> None:
        """Let go of the file."""
        disk.close(self._fd)

    def remove(self) -> None:
        """Remove the file and its key: what it holds is elsewhere now."""
        self.close()
        for path in (self.path, _key_path(self.path)):
            path.unlink(missing_ok=True)


def waiting(folder: Path) -> list[Path]:
    """Return the sealed files in a folder whose key is here, the oldest first."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if _key_path(path).is_file())


def first_entry(path: Path) -> Entry:
    """Return what a sealed file begins with; raises UserError and OSError."""
    line = regular_files.read(path).partition(b"\n")[0]
    return next(_unsealed_entries(path, Fernet(_key_of(path)), line))


def _sealed_line(fernet: Fernet, number: int, entry: Entry) -> str:
    text = json.dumps([number, entry], separators=(",", ":"))
    text += " " * (-len(text) % _FILL)
    return str(fernet.encrypt(text.encode()), "ascii") + "\n"


def _unsealed_entries(path: Path, fernet: Fernet, data: bytes) -> Iterator[Entry]:
    for due, line in enumerate(data.splitlines()):
        try:
            number, entry = json.loads(fernet.decrypt(line))
        except (InvalidToken, ValueError) as error:
            raise _changed_error(path) from error
        if number != due:
            raise _changed_error(path)
        yield entry


def _changed_error(path: Path) -> UserError:
    return UserError(tr("{path}: was changed by somebody, and cannot be gone on with", path=path))


def _key_path(path: Path) -> Path:
    return default_folder() / _KEYS / f"{path.stem}.key"


def _key_of(path: Path) -> bytes:
    try:
        return _key_path(path).read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            tr("{path}: its key is not here; another user has begun this game", path=path)
        ) from error


def _keep_key(path: Path, key: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    disk.write_whole(path, key, is_new=True, mode=0o600)


# ---- a night's games


class InterruptedGame(NamedTuple):
    """A game that was not played to its end, as its file begins."""

    path: Path
    game: str
    names: list[str]


class ResumedGame(NamedTuple):
    """All that a game needs to be gone on with."""

    first: Entry
    people: list[dict[str, Any]]
    players: int
    actions: list[tuple[int, str]]
    sealed: dict[int, tuple[str, int]]
    """The answers that wait, by seat, each with the number of actions before it."""


class Records:
    """The journal of a room (`room.Journal`), in an archive's folder.

    `house` is what the night itself goes on with after it was killed, such as its code.
    """

    def __init__(self, folder: Path, house: dict[str, Any]) -> None:
        self.house = house
        self._folder = folder
        self._file: SealedFile | None = None
        self._date = ""

    def begin(self, room: NightRoom) -> None:
        """Begin to keep a game."""
        if self._file is not None:
            self._file.close()
        with explained(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        self._date = datetime.now().strftime("%Y-%m-%d")
        path = new_path(self._folder).with_suffix(SUFFIX)
        entry = {
            "game": room.kind.name,
            "data": room.data,
            "options": room.options,
            "seed": str(room.seed),
            "date": self._date,
            "people": room.people.as_kept(),
            "players": sum(room.plays(seat) for seat in range(len(room.people))),
            "house": self.house,
        }
        with explained(path):
            self._file = SealedFile.create(path, entry)

    def people(self, people: People) -> None:
        """Keep who sits where by now."""
        self._append({"people": people.as_kept()})

    def action(self, seat: int, action: str) -> None:
        """Keep an action."""
        self._append({"seat": seat, "action": action})

    def sealed(self, seat: int, action: str | None) -> None:
        """Keep an answer that waits, or with None that there is none any more."""
        self._append({"seat": seat, "sealed": action})

    def back(self, actions: int) -> None:
        """Keep that only so many actions count."""
        self._append({"back": actions})

    def end(self, room: NightRoom, play: Play) -> None:
        """Write the record of a game that is over, and remove the sealed file."""
        if self._file is None:
            return
        path = self._file.path.with_suffix(NIGHT_SUFFIX)
        with explained(path):
            disk.write_whole(path, format_record(record_of(room, play, self._date)))
            self._file.remove()
        self._file = None

    def resume(self, path: Path) -> ResumedGame:
        """Go on with the file of a game that was interrupted; raises UserError and OSError."""
        self._file, (first, *later) = SealedFile.open(path)
        self._date, self.house = first["date"], first["house"]
        people: list[dict[str, Any]] = first["people"]
        actions: list[tuple[int, str]] = []
        sealed: dict[int, tuple[str, int]] = {}
        for entry in later:
            if "people" in entry:
                people = entry["people"]
            elif "back" in entry:
                del actions[entry["back"] :]
                sealed.clear()
            elif entry.get("sealed") is not None:
                sealed[entry["seat"]] = entry["sealed"], len(actions)
            else:
                sealed.pop(entry["seat"], None)
                if "action" in entry:
                    actions.append((entry["seat"], entry["action"]))
        return ResumedGame(first, people, first["players"], actions, sealed)

    def close(self) -> None:
        """Let go of the file of a game that is not over; it waits to be gone on with."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def _append(self, entry: Entry) -> None:
        if self._file is not None:
            with explained(self._file.path):
                self._file.append(entry)


def interrupted(folder: Path) -> InterruptedGame | None:
    """Return the game that was interrupted last, None if there is none."""
    for path in reversed(waiting(folder)):
        try:
            first = first_entry(path)
        except (UserError, OSError):
            continue
        if first["game"] in kinds():
            return InterruptedGame(path, first["game"], [each["name"] for each in first["people"]])
    return None


def record_of(room: NightRoom, play: Play, date: str) -> GameRecord:
    """Return the record of a game that is over."""
    outcome = room.game.outcome(play.state)
    if outcome is None:
        raise UserError(tr("this game is not over yet"))
    headers = {GAME: room.kind.name}
    for number, seat in enumerate(room.people.seats[: play.players], 1):
        headers[f"Seat{number}"] = seat.name
        if seat.bot:
            headers[f"Bot{number}"] = seat.bot
    headers |= {
        "Options": format_choices(room.options),
        "Seed": str(room.seed),
        "Data": room.game.data_hash,
        "Date": date,
        "Termination": "normal",
        "Result": result_of(room.game, play.state),
        "Why": outcome.why,
        "Digest": digest(play.state),
    }
    if room.data is not None:
        headers["OwnData"] = canonical(room.data)
    return GameRecord(headers, [(step.seat, step.action) for step in play.steps])
