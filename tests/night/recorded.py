"""Records of whole games of a night, played by chance, for the tests of the archive."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chronotable_host.archive.nights import GAME, GameRecord
from chronotable_night.games.interface import Kind
from chronotable_night.games.portable import digest
from chronotable_night.games.record import result_of
from chronotable_night.games.shelf import defaults, format_choices
from tests.games.courses import NAMES, course


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
