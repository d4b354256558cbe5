"""Records of games of a night (`.night`): a game as a text file, PGN-like.

Header lines `[Name "value"]`, the value as JSON writes a text; an empty line; then one action per
line with its number and its seat from 1: `12. 3: play flux 8`. Seed, options and data give the
first state, so a record is the whole game; `Digest` is that of the last state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from chronotable_host.cases import Case, DifferentError
from chronotable_host.errors import UserError
from chronotable_host.games.canonical import digest
from chronotable_host.games.choosing import parse_choices
from chronotable_host.games.interface import DataError, Game, Happening, IllegalActionError, State
from chronotable_host.games.shelf import kinds
from chronotable_host.language import tr

GAME = "Game"
"""The first header."""
NOBODY_WON = "-"

_HEADER = re.compile(r'\[([A-Za-z]+[0-9]*) ("(?:[^"\\]|\\.)*")\]')
_ACTION = re.compile(r"([0-9]{1,6})\. ([0-9]{1,2}): (\S.*)")
_MOST_SEED = (1 << 64) - 1
_MOST_PLAYERS = 12


class GameRecord(NamedTuple):
    """A record: its headers in their order, and the actions, each with its seat from 0."""

    headers: Mapping[str, str]
    actions: Sequence[tuple[int, str]]

    @property
    def players(self) -> list[str]:
        """Return the names by seat."""
        seats = (self.headers.get(f"Seat{number}") for number in range(1, _MOST_PLAYERS + 1))
        return [each for each in seats if each is not None]


class Replayed(NamedTuple):
    """A state of a replayed game, and what happened since the one before."""

    state: State
    happenings: Sequence[Happening]


def is_record(text: str) -> bool:
    """Tell whether a text begins as a record does."""
    return text.lstrip("\ufeff \r\n").startswith(f"[{GAME} ")


def format_record(record: GameRecord) -> str:
    """Return a record as text."""
    lines = [
        f"[{name} {json.dumps(value, ensure_ascii=False)}]"
        for name, value in record.headers.items()
    ]
    lines.append("")
    lines += (
        f"{number}. {seat + 1}: {action}" for number, (seat, action) in enumerate(record.actions, 1)
    )
    return "\n".join(lines) + "\n"


def parse_record(text: str, before: int = 0) -> GameRecord:
    """Return the record that is a text; raises UserError with the number of a line.

    `before` is how many lines of its file stand in front of it.
    """
    headers: dict[str, str] = {}
    actions: list[tuple[int, str]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), before + 1):
        bare = line.strip()
        if not bare:
            continue
        header = None if actions else _HEADER.fullmatch(bare)
        if header:
            headers[header[1]] = _text(header[2], number)
            continue
        action = _ACTION.fullmatch(bare)
        if action is None or int(action[1]) != len(actions) + 1 or not int(action[2]):
            raise UserError(
                tr(
                    "line {line}: action {due} is due, as in '{due}. 2: ...'",
                    line=number,
                    due=len(actions) + 1,
                )
            )
        actions.append((int(action[2]) - 1, action[3]))
    if GAME not in headers:
        raise UserError(tr("a record begins with the header {name}", name=GAME))
    return GameRecord(headers, actions)


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
    if game.data_hash != record.headers.get("Data", ""):
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
        happenings: list[Happening] = []
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


def _text(value: str, line: int) -> str:
    try:
        text: Any = json.loads(value)
    except ValueError as error:
        raise UserError(tr("line {line}: a header's value is no text", line=line)) from error
    return str(text)
