"""Games of a night as their records have them: replayed from seed, options and data, and checked.

A record is the whole game (archive/nights.py has the text); `Digest` is that of the last state.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from chronotable_host.archive.nights import GAME, NOBODY_WON, GameRecord, parse_record
from chronotable_host.cases import Case, DifferentError
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night.games.interface import (
    DataError,
    Game,
    GameHappening,
    IllegalActionError,
    State,
)
from chronotable_night.games.portable import digest
from chronotable_night.games.shelf import kinds, parse_choices

_MOST_SEED = (1 << 64) - 1
_FORMER = {"58cd0e90e2613ffd": "9d1ba7867e767d46"}
"""The hash of data that was the same but for a remark, by that of what we have now."""


class Replayed(NamedTuple):
    """A state of a replayed game, and what happened since the one before."""

    state: State
    happenings: Sequence[GameHappening]


def game_of(record: GameRecord) -> Game:
    """Return the game of a record, with its data; raises UserError."""
    kind = kinds().get(record.headers[GAME])
    if kind is None:
        raise UserError(tr("there is no game {name} here", name=record.headers[GAME]))
    own = record.headers.get("OwnData")
    try:
        game = kind.game(None if own is None else json.loads(own))
    except (DataError, ValueError) as error:
        raise UserError(tr("header {name}: {why}", name="OwnData", why=error)) from error
    if record.headers.get("Data", "") not in (game.data_hash, _FORMER.get(game.data_hash)):
        raise UserError(tr("it was played with other data than this version has"))
    return game


def replayed(record: GameRecord, game: Game) -> list[Replayed]:
    """Return the states of a game, the first one too; raises UserError and DifferentError."""
    headers = record.headers
    kind = kinds()[headers[GAME]]
    seed = headers.get("Seed", "")
    if not (seed.isascii() and seed.isdecimal() and len(seed) <= 20 and int(seed) <= _MOST_SEED):
        raise UserError(tr("the number that chance goes by is missing or wrong"))
    players = len(record.players)
    if players not in kind.players:
        raise UserError(tr("it has {count} players, which this game has not", count=players))
    state = game.new(int(seed), players, parse_choices(kind.options, headers.get("Options", "")))
    states = [Replayed(state, ())]
    for number, (seat, action) in enumerate(record.actions, 1):
        happenings: list[GameHappening] = []
        try:
            state = game.apply(state, seat, action, happenings)
        except IllegalActionError as error:
            raise DifferentError(
                number, tr("{text} to be legal", text=action), str(error)
            ) from error
        states.append(Replayed(state, happenings))
    return states


def course(record: GameRecord) -> tuple[Game, list[Replayed]]:
    """Return the game of a record, and its states; raises UserError with what is wrong."""
    game = game_of(record)
    try:
        return game, replayed(record, game)
    except DifferentError as error:
        why = tr(
            "action {number}: expected {expected}, got {got}",
            number=error.turn,
            expected=error.expected,
            got=error.got,
        )
        raise UserError(why) from error


def result_of(game: Game, state: State) -> str:
    """Return the winners as a record has them: seats from 1, NOBODY_WON for none."""
    outcome = game.outcome(state)
    if outcome is None:
        return "*"
    return " ".join(str(seat + 1) for seat in sorted(outcome.winners)) or NOBODY_WON


def case(text: str, before: int = 0) -> Case:
    """Return what is to be checked of a record; see `parse_record`."""
    record = parse_record(text, before)
    return Case(tr("game of {names}", names=", ".join(record.players)), partial(_check, record))


def _check(record: GameRecord) -> None:
    game = game_of(record)
    states = replayed(record, game)
    last = states[-1].state
    for name, got in (("Digest", digest(last)), ("Result", result_of(game, last))):
        expected = record.headers.get(name, "")
        if expected != got:
            raise DifferentError(len(record.actions), f"{name} {expected}", got)
