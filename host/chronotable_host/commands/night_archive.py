"""Games of a night in `games`, `show` and `replay`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host.archive import nights
from chronotable_host.archive.naming import time_of_name
from chronotable_host.archive.nights import NightEntry
from chronotable_host.cases import DifferentError
from chronotable_host.commands.shared import print_json
from chronotable_host.errors import UserError, printable
from chronotable_host.games.interface import EVERYBODY, SPECTATOR, Game
from chronotable_host.games.record import GameRecord, Replayed, game_of, replayed
from chronotable_host.home import default_folder
from chronotable_host.language import tr, tr_c
from chronotable_host.output import say

COLUMNS = (
    tr("id"),
    tr("date"),
    tr_c("what is played", "game"),
    tr_c("of a game, several", "players"),
    tr_c("of a game, several", "winners"),
    tr_c("of a game, how many", "actions"),
)


def listed(folder: Path | None, player: str | None) -> list[NightEntry]:
    """Return the games of a night, the newest first; what cannot be read is said."""
    where = folder or default_folder()
    found, problems = nights.entries(where, player)
    for file, why in sorted(problems.items()):
        path = printable(str(where / file))
        say(tr("{where}: cannot be read: {why}", where=path, why=printable(why)))
    return found


def rows(found: Iterable[NightEntry]) -> list[tuple[str, ...]]:
    """Return games as rows of a table, with COLUMNS first."""
    return [
        COLUMNS,
        *(
            (
                each.id,
                each.date,
                each.game,
                ", ".join(each.players),
                ", ".join(each.winners),
                str(each.actions),
            )
            for each in found
        ),
    ]


def find(wanted: str, folder: Path | None) -> NightEntry | None:
    """Return the game of a night that is named so, None if none is; raises UserError."""
    found = nights.find(folder or default_folder(), wanted)
    if len(found) > 1:
        ids = ", ".join(each.file for each in found[:3])
        raise UserError(
            tr("'{wanted}' fits {count} games ({ids})", wanted=wanted, count=len(found), ids=ids)
        )
    return found[0] if found else None


def last(folder: Path | None, others: str | None) -> NightEntry | None:
    """Return the newest game of a night, None if the file `others` is newer."""
    found = nights.newest(folder or default_folder())
    if found is None or (others is not None and time_of_name(Path(others)) > found.stored):
        return None
    return found


class _Told(NamedTuple):
    """A replayed game in words."""

    record: GameRecord
    game: Game
    states: Sequence[Replayed]

    def said(self, number: int) -> list[str]:
        """Return what all could see of an action, in sentences."""
        names = self.record.players
        happenings = self.states[number].happenings
        said = (self.game.says(it, names, SPECTATOR) for it in happenings if it.to == EVERYBODY)
        return [text for text in said if text]

    def headline(self, number: int) -> str:
        """Return what was the next step after an action."""
        view = self.game.view(self.states[number].state, SPECTATOR)
        return " - ".join(filter(None, self.game.headline(view, self.record.players)))

    def actions(self) -> list[dict[str, Any]]:
        """Return the actions as JSON."""
        return [
            {"number": number, "seat": seat, "action": action, "said": self.said(number)}
            for number, (seat, action) in enumerate(self.record.actions, 1)
        ]


def _read(entry: NightEntry, folder: Path | None) -> _Told:
    path = (folder or default_folder()) / entry.file
    try:
        record = nights.read(path)
        game = game_of(record)
        return _Told(record, game, replayed(record, game))
    except DifferentError as error:
        why = tr(
            "action {number}: expected {expected}, got {got}",
            number=error.turn,
            expected=error.expected,
            got=error.got,
        )
        raise UserError(f"{path}: {why}") from error
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def _number(wanted: int | None, told: _Told, otherwise: int) -> int:
    count = len(told.record.actions)
    if wanted is not None and wanted > count:
        raise UserError(tr("--turn {wanted}: the game has {n} actions", wanted=wanted, n=count))
    return otherwise if wanted is None else wanted


def show(entry: NightEntry, folder: Path | None, turn: int | None, as_json: bool) -> None:
    """Show a game: headers, the next step after an action or at the end, and the actions."""
    told = _read(entry, folder)
    at = _number(turn, told, len(told.record.actions))
    if as_json:
        print_json(
            {
                "id": entry.id,
                "file": entry.file,
                "headers": dict(told.record.headers),
                "turn": at,
                "state": told.states[at].state,
                "actions": told.actions(),
            }
        )
        return
    for header, value in told.record.headers.items():
        print(f"{header:<12} {printable(value)}")
    print(f"\n {printable(told.headline(at))}\n")
    for number in range(1, len(told.states)):
        mark = ">" if number == at and turn is not None else " "
        print(f"{mark}{_line(told, number)}")


def replay(entry: NightEntry, folder: Path | None, turn: int | None, as_json: bool) -> None:
    """Print what happened in a game, from an action on."""
    told = _read(entry, folder)
    at = _number(turn, told, 0)
    if as_json:
        print_json(told.actions()[max(at - 1, 0) :])
        return
    for number in range(max(at, 1), len(told.states)):
        print(_line(told, number))
        for sentence in told.said(number):
            print(f"       {printable(sentence)}")
    print(f"\n {printable(told.headline(len(told.states) - 1))}")


def _line(told: _Told, number: int) -> str:
    seat, action = told.record.actions[number - 1]
    return f"{number:4}. {printable(told.record.players[seat])}: {printable(action)}"
