"""Whole games of every kind, played by chance: for the tests of what all games have in common."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable_host.archive.nights import GAME, GameRecord
from chronotable_night.games.bots import by_chance
from chronotable_night.games.interface import NOBODY, Choice, Game, GameHappening, Kind, State
from chronotable_night.games.portable import digest
from chronotable_night.games.record import result_of
from chronotable_night.games.shelf import defaults, format_choices
from tests import sweep

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn")
SENTENCE = re.compile(r"[A-Z0-9].*[.?]", re.DOTALL)
LONGEST = 20_000
"""Actions after which a game by chance is held to have no end."""


VECTORS = Path(__file__).parent.parent / "vectors"


class Step(NamedTuple):
    """An action of a game: what was there before it, who did what, what came of it."""

    before: State
    seat: int
    action: str
    after: State
    happenings: Sequence[GameHappening]


def choices_of(kind: Kind) -> list[dict[str, Any]]:
    """Return all combinations of the values of a game's options."""
    names = [option.name for option in kind.options]
    return [
        dict(zip(names, values, strict=True))
        for values in product(*(option.values for option in kind.options))
    ]


def tables(kind: Kind) -> list[tuple[int, Mapping[str, Any]]]:
    """Return how many can play, with all combinations of options; in a small sweep each once."""
    choices, players = choices_of(kind), list(kind.players)
    if sweep.is_small():
        count = max(len(choices), len(players))
        return [(players[at % len(players)], choices[at % len(choices)]) for at in range(count)]
    return list(product(players, choices))


def boxes(kind: Kind) -> list[Game]:
    """Return a game with its own data and with whatever other data its vectors are played with."""
    found = {game.data_hash: game for game in [kind.game()]}
    for file in VECTORS.glob(f"{kind.name}_games.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            data = json.loads(line).get("data")
            if isinstance(data, Mapping):
                game = kind.game(data)
                found[game.data_hash] = game
    return list(found.values())


class Examples:
    """The examples of a game's vectors: `by_id`, and what is `illegal`."""

    def __init__(self, kind: Kind) -> None:
        self.file = json.loads((VECTORS / f"{kind.name}_examples.json").read_text("utf-8"))
        self.by_id: dict[str, Any] = {each["id"]: each for each in self.file["examples"]}
        self.illegal: list[dict[str, Any]] = self.file["illegal"]
        self.own = kind.game()
        data = self.file.get("data", {}).items()
        self.games = {key: kind.game(each) for key, each in data}

    def game(self, state: State) -> Game:
        """Return the game with the data that a state is played with."""
        return self.games.get(state.get("data", ""), self.own)

    def actions(self, name: str) -> list[tuple[int, str]]:
        """Return who does what in an example."""
        return [
            (each["seat"], each["action"]) if isinstance(each, dict) else tuple(each)
            for each in self.by_id[name]["actions"]
        ]

    def after(
        self, name: str, count: int | None = None, happened: list[GameHappening] | None = None
    ) -> State:
        """Return the state after so many actions of an example, or all of them."""
        state: State = self.by_id[name]["start"]
        for seat, action in self.actions(name)[:count]:
            state = self.game(state).apply(state, seat, action, happened)
        return state


def changed(kind: Kind, place: str, value: Any) -> dict[str, Any]:
    """Return a game's own data with another value at a place."""
    data = copy.deepcopy(dict(kind.default_data or {}))
    *way, last = place.split(".")
    there: Any = data
    for part in way:
        there = there[int(part) if isinstance(there, list) else part]
    there[int(last) if isinstance(there, list) else last] = value
    return data


def choices_of_seat(
    game: Game, state: State, seat: int | None = None, names: Sequence[str] = NAMES
) -> dict[str, Choice]:
    """Return what a seat may choose by its actions: the one that decides, unless told."""
    seat = game.to_decide(state) if seat is None else seat
    decision = game.decision(game.view(state, seat), seat, names)
    assert decision is not None
    return {each.action: each for each in decision.choices}


class Course(NamedTuple):
    """A game that is played by chance: `chance` is what its players and its test have."""

    game: Game
    players: int
    seed: int
    start: State
    chance: Random

    @property
    def steps(self) -> Iterator[Step]:
        """The steps to its end."""
        return course(self.game, self.start, self.chance)


def courses_of(kind: Kind, seeds: int, game: Game | None = None) -> Iterator[Course]:
    """Yield games of any number of players with any options, so many seeds of each."""
    game = game or kind.game()
    for players, options in tables(kind):
        for seed in range(seeds):
            yield Course(game, players, seed, game.new(seed, players, options), Random(seed))


def course(game: Game, state: State, chance: Random) -> Iterator[Step]:
    """Yield the steps of a game by chance to its end."""
    for _ in range(LONGEST):
        seat = game.to_decide(state)
        if seat == NOBODY:
            return
        action = by_chance(game, game.view(state, seat), seat, chance)
        happenings: list[GameHappening] = []
        after = game.apply(state, seat, action, happenings)
        yield Step(state, seat, action, after, happenings)
        state = after
    raise AssertionError("the game does not end")


def recorded(kind: Kind, seed: int = 5, names: Sequence[str] = NAMES, bot: int = 0) -> GameRecord:
    """Return a game of as many of these people as can play; `bot` is a seat from 1."""
    game, count = kind.game(), min(len(names), kind.players[-1])
    options = defaults(kind.options)
    state = game.new(seed, count, options)
    steps = list(course(game, state, Random(seed)))
    end = steps[-1].after
    outcome = game.outcome(end)
    assert outcome is not None
    headers = {GAME: kind.name}
    for number, name in enumerate(names[:count], 1):
        headers[f"Seat{number}"] = name
        if number == bot:
            headers[f"Bot{number}"] = "random"
    headers |= {
        "Options": format_choices(options),
        "Seed": str(seed),
        "Data": game.data_hash,
        "Date": "2026-11-20",
        "Termination": "normal",
        "Result": result_of(game, end),
        "Why": outcome.why,
        "Digest": digest(end),
    }
    return GameRecord(headers, [(step.seat, step.action) for step in steps])
