"""Keeps the games of a night: sealed while they go on, and as records once they are over."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host.archive import disk
from chronotable_host.archive.disk import explained
from chronotable_host.archive.naming import NIGHT_SUFFIX, new_path
from chronotable_host.archive.nights import GAME, GameRecord, format_record
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night.games.canonical import canonical, digest
from chronotable_night.games.choosing import format_choices
from chronotable_night.games.record import result_of
from chronotable_night.games.shelf import kinds
from chronotable_night.people import People
from chronotable_night.play import Play
from chronotable_night.room import NightRoom
from chronotable_night.sealing import SUFFIX, Entry, SealedFile, first_entry, waiting


class Interrupted(NamedTuple):
    """A game that was not played to its end, as its file begins."""

    path: Path
    game: str
    names: list[str]


class Resumed(NamedTuple):
    """All that a game needs to be gone on with."""

    first: Entry
    people: list[dict[str, Any]]
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

    def resume(self, path: Path) -> Resumed:
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
        return Resumed(first, people, actions, sealed)

    def close(self) -> None:
        """Let go of the file of a game that is not over; it waits to be gone on with."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def _append(self, entry: Entry) -> None:
        if self._file is not None:
            with explained(self._file.path):
                self._file.append(entry)


def interrupted(folder: Path) -> Interrupted | None:
    """Return the game that was interrupted last, None if there is none."""
    for path in reversed(waiting(folder)):
        try:
            first = first_entry(path)
        except (UserError, OSError):
            continue
        if first["game"] in kinds():
            return Interrupted(path, first["game"], [each["name"] for each in first["people"]])
    return None


def record_of(room: NightRoom, play: Play, date: str) -> GameRecord:
    """Return the record of a game that is over."""
    outcome = room.game.outcome(play.state)
    if outcome is None:
        raise UserError(tr("this game is not over yet"))
    headers = {GAME: room.kind.name}
    for number, seat in enumerate(room.people, 1):
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
