"""Games of a night in `show` and `replay`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from chronotable_host.archive.index import Entry
from chronotable_host.archive.nights import GameRecord
from chronotable_host.commands.common.terminal import print_json
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_night.games.interface import EVERYBODY, SPECTATOR, Game
from chronotable_night.games.record import Replayed, course


class _GameInWords(NamedTuple):
    """A replayed game in words."""

    record: GameRecord
    game: Game
    states: Sequence[Replayed]

    def sentences(self, number: int) -> list[str]:
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
            {"number": number, "seat": seat, "action": action, "said": self.sentences(number)}
            for number, (seat, action) in enumerate(self.record.actions, 1)
        ]


def _in_words(record: GameRecord, where: str) -> _GameInWords:
    try:
        return _GameInWords(record, *course(record))
    except UserError as error:
        raise UserError(f"{where}: {error}") from error


def _number(wanted: int | None, told: _GameInWords, otherwise: int) -> int:
    count = len(told.record.actions)
    if wanted is not None and wanted > count:
        raise UserError(tr("--turn {wanted}: the game has {n} actions", wanted=wanted, n=count))
    return otherwise if wanted is None else wanted


def show(record: GameRecord, entry: Entry, where: str, turn: int | None, as_json: bool) -> None:
    """Show a game: headers, the next step after an action or at the end, and the actions.

    `where` is what people are told of where it is.
    """
    told = _in_words(record, where)
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


def replay(record: GameRecord, where: str, turn: int | None, as_json: bool) -> None:
    """Print what happened in a game, from an action on; `where` as for `show`."""
    told = _in_words(record, where)
    at = _number(turn, told, 0)
    if as_json:
        print_json(told.actions()[max(at - 1, 0) :])
        return
    for number in range(max(at, 1), len(told.states)):
        print(_line(told, number))
        for sentence in told.sentences(number):
            print(f"       {printable(sentence)}")
    print(f"\n {printable(told.headline(len(told.states) - 1))}")


def _line(told: _GameInWords, number: int) -> str:
    seat, action = told.record.actions[number - 1]
    return f"{number:4}. {printable(told.record.players[seat])}: {printable(action)}"
