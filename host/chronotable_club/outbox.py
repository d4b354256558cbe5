"""The outbox of a table: the records of its archive, and a file that says what the hub has of them.

Games that were begun before the table joined the club stay at home. Where other tables of the club
keep their games in the same folder, each tells its own. What the file says may be older
than the truth, never newer: then a record is sent once more, which the hub knows.
"""

import contextlib
import json
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from chronotable_club.messages import MOST_RECORD
from chronotable_club.publisher import LATEST, digest_of
from chronotable_club.tokens import Token
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.naming import SUFFIX, game_id, time_of_file, time_stamp

_BLOCK = 1000
"""Numbers that are taken at a time: so many may be left out at a start, and a file is written once
for so many messages."""

Seen = tuple[int, int]


class FileOutbox:
    """The outbox of the archive in `folder`, for the club of `token`; raises OSError.

    `joined` sorts as the times of games do: earlier ones are left out.
    """

    def __init__(self, folder: Path, token: Token, joined: str | None = None) -> None:
        self._folder = folder
        self._path = folder / f"club-{token.club}-{token.table}.json"
        state = self._read()
        self._hub: str = state.get("hub", "")
        self._joined: str = state.get("joined") or joined or time_stamp(datetime.now(timezone.utc))
        self._run = ""  # of the hub
        self._number: int = state.get("number", 0)
        self._reserved = self._number
        self._kept: dict[str, str] = state.get("kept", {})
        self._own = dict.fromkeys(state.get("own", []))
        self._games: dict[str, tuple[Seen, str]] = {}  # name, size and time, digest
        self._refused: set[str] = set()
        self._due: list[str] | None = None
        self._write()  # from now on others see that the folder is not theirs alone
        self.look()

    def due(self) -> list[str]:
        """Return the games of which the hub has another text, or none; the oldest first."""
        if self._due is None:
            self._due = [
                game
                for game, (_, digest) in sorted(self._games.items())
                if digest != self._kept.get(game) and digest not in self._refused
            ]
        return self._due

    def text(self, game: str) -> str:
        """Return the text of a game's record, "" where it has none any more."""
        text = self._text_of(game)
        if not text:
            self._games.pop(game, None)
            self._due = None
        return text

    def look(self) -> None:
        """See which games are new, or have changed; OSError is for who reads them, not here."""
        of_club = self._path.name.rpartition("-")[0] + "-*.json"
        is_shared = len(list(self._folder.glob(of_club))) > 1
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                name, _, ending = entry.name.rpartition(".")
                if f".{ending}" != SUFFIX or self._is_older(name):
                    continue
                if is_shared and game_id(Path(entry.name)) not in self._own:
                    continue
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    seen = status.st_size, status.st_mtime_ns
                    known = self._games.get(name)
                    if known is not None and known[0] == seen:
                        continue
                    if time_of_file(Path(entry.name), status.st_mtime_ns) < self._joined:
                        continue
                    text = self._text_of(name)
                    if text:
                        self._note(name, seen, digest_of(text))

    def _is_older(self, name: str) -> bool:
        """Tell whether a name alone says that a game is from before; an archive may be large."""
        return len(name) >= len(self._joined) and name[10] == "T" and name < self._joined

    def plays(self, game: str) -> None:
        """Note that the game of a short id is this table's own."""
        if game not in self._own:
            self._own[game] = None
            self._is_written = False
            self.look()

    def changed(self, game: str, digest: str) -> None:
        """Note which text a game has now."""
        with contextlib.suppress(OSError):
            status = os.stat(self._folder / f"{game}{SUFFIX}")
            self._note(game, (status.st_size, status.st_mtime_ns), digest)

    def stored(self, game: str, digest: str) -> None:
        """Note which text of a game the hub has."""
        if self._kept.get(game) != digest:
            self._kept[game] = digest
            self._due = None
            self._is_written = False

    def refused(self, digest: str) -> None:
        """Note that the hub does not take this text."""
        if digest not in self._refused:
            self._refused.add(digest)
            self._due = None

    def begin(self, hub: str, run: str) -> None:
        """Begin with a hub that has nothing, unless it is the same as before.

        In another run of the same one the latest games are told again: what came late may have
        taken the place of what it had acknowledged, and it does not know of that any more.
        """
        if hub != self._hub:
            self._hub, self._kept = hub, {}
        elif run != self._run:
            for game in sorted(self._kept)[-LATEST:]:
                del self._kept[game]
        else:
            return
        self._run, self._due, self._is_written = run, None, False

    def next_number(self) -> int:
        """Return a number greater than all before, also after a crash; raises OSError."""
        self._number += 1
        if self._number >= self._reserved:
            self._reserved = self._number + _BLOCK
            self._write()
        return self._number

    def skip_to(self, number: int) -> None:
        """Have greater numbers than this one from now on."""
        self._number = max(self._number, number)

    def save(self) -> None:
        """Write what has changed; raises OSError."""
        if not self._is_written:
            self._write()

    def _note(self, game: str, seen: Seen, digest: str) -> None:
        known = self._games.get(game)
        self._games[game] = seen, digest
        if known is None or known[1] != digest:
            self._due = None

    def _text_of(self, game: str) -> str:
        try:
            text = regular_files.read(self._folder / f"{game}{SUFFIX}").decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return ""
        return text if len(text) <= MOST_RECORD else ""

    def _read(self) -> dict[str, Any]:
        try:
            state = json.loads(regular_files.read(self._path))
        except (OSError, ValueError):
            return {}
        known = {"hub": str, "joined": str, "number": int, "kept": dict, "own": list}
        is_good = isinstance(state, dict) and all(
            isinstance(value, known.get(name, object)) for name, value in state.items()
        )
        return state if is_good else {}

    def _write(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        state = {
            "hub": self._hub,
            "joined": self._joined,
            "number": self._reserved,
            "kept": self._kept,
            "own": list(self._own),
        }
        write_whole(self._path, json.dumps(state, indent=1) + "\n")
        self._is_written = True
