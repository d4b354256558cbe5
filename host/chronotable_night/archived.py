"""Games of nights in the archive: for its page, and for `verify` (see packages.py)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chronotable_host.archive.index import Entry
from chronotable_host.archive.nights import GameRecord
from chronotable_host.cases import Case
from chronotable_host.errors import UserError, printable, printable_json
from chronotable_host.language import tr
from chronotable_night.games import telling, verifying
from chronotable_night.games.interface import SPECTATOR, Game
from chronotable_night.games.record import Replayed, case, course
from chronotable_night.games.shelf import kinds

__all__ = ["case", "cases", "folders", "list_entry", "replay", "title_of"]

STATIC = Path(__file__).parent / "static"
OWN_PATH = "/night/static/"
"""Where the night's files are served."""
MOST_ACTIONS = 5000
"""Of a game that the page shows whole; those of a night have a few hundred."""


def list_entry(entry: Entry) -> dict[str, Any]:
    """Return what the list tells of a game."""
    return {**printable_json(entry.as_dict()), "title": title_of(entry.game)}


def title_of(game: str) -> str:
    """Return a game's name for people; a record may be of one that is not known here."""
    kind = kinds().get(game)
    return game if kind is None else kind.title


def replay(entry: Entry, record: GameRecord, seat: int) -> dict[str, Any]:
    """Return a game with its `moments`, that before the first action and those after each.

    The members beside them are those of a night's message that stay the same all game long. Raises
    UserError where an action is not legal, where it is too long, and where there is no such seat.
    """
    if len(record.actions) > MOST_ACTIONS:
        raise UserError(
            tr("it has more than {most} actions; `chronotable replay` has them", most=MOST_ACTIONS)
        )
    names = [printable(each) for each in record.players]
    if not SPECTATOR <= seat < len(names):
        raise UserError(tr("there is no seat {number} here", number=seat + 1))
    game, states = course(record)
    kind = kinds()[entry.game]
    return {
        **list_entry(entry),
        "name": kind.name,
        "note": game.data_note,
        "printed": dict(game.printed),
        "seat": seat,
        "seated": _seated(record, names),
        "moments": _moments(game, record, states, seat, names),
    }


def folders() -> Mapping[str, Path]:
    """Return the folders of files that replays of all games need, by their paths."""
    return {OWN_PATH: STATIC, **{path_of(each.name): each.page for each in kinds().values()}}


def path_of(game: str) -> str:
    """Return where the files of a game's pages are served."""
    return f"/games/{game}/"


def cases(entries: Sequence[Mapping[str, Any]]) -> list[Case] | None:
    """Return what is to be checked of a file's objects, None where they are of no game.

    Raises UserError where the file is malformed.
    """
    kind = verifying.kind_of(entries)
    return None if kind is None else verifying.cases(kind, entries)


def _seated(record: GameRecord, names: Sequence[str]) -> list[dict[str, Any]]:
    bots = [
        printable(record.headers.get(f"Bot{number}", "")) for number in range(1, 1 + len(names))
    ]
    return [
        {
            "seat": seat,
            "name": name,
            "figure": f"p{seat + 1}",
            "who": "bot" if bots[seat] else "phone",
            "bot": bots[seat],
            "here": True,
            "sealed": False,
        }
        for seat, name in enumerate(names)
    ]


def _moments(
    game: Game, record: GameRecord, states: Sequence[Replayed], seat: int, names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the moments; `happened` is what is new in each, `by` the seat that acted."""
    moments: list[dict[str, Any]] = []
    told = 0
    for at, (state, happenings) in enumerate(states):
        seen = telling.visible(happenings, seat)
        over = game.outcome(state) is not None
        moments.append(
            {
                **telling.situation(game, state, seat, names),
                "by": record.actions[at - 1][0] if at else None,
                "deciding": [] if over else list(game.deciding(state)),
                "happened": [
                    telling.happened(game, number, each, seat, names)
                    for number, each in enumerate(seen, told + 1)
                ],
            }
        )
        told += len(seen)
    return moments
