"""Whole games while the line, the PC or the table fails; what befalls them is seeded.

The players are those of the sensing figures, with quick hands: they look at the lights and do what
is asked. Now and then they take a turn back, resign, agree on a draw, or have the PC say so.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from chronotable.wiring import Board
from tests.lab.line import REPEATED
from tests.lab.line_pair import WholePair
from tests.lab.line_players import LinePlace, Players
from tests.lab.line_troubles import NONE, REBOOTS, LineTroubles
from tests.lab.line_truth import Outcome
from ttykm import layout
from ttykm.layout import NOBODY

_LATE_MS = 20_000  # a PC may be started so late
_SET = 0.5  # of all turns
_MOST_TURNS = 300
_SECOND_GAME = (0, 12)  # turns


def play(kind: str, seed: int, folder: Path, board: Board) -> Outcome:
    """Play a game, and most times the beginning of another, while this kind of things happens."""
    rng = Random(f"{kind} {seed}")
    pair = WholePair(folder, board, rng, records_events=seed % 3 == 0)
    place = LinePlace(pair)
    players = Players(place, rng)
    troubles = LineTroubles(pair, kind, rng)

    def course() -> int:
        if kind != NONE and rng.random() < 0.2:
            pair.pc.starts_ms = rng.randint(0, _LATE_MS)
        players.begin(layout.new_state())
        place.befalls = lambda: troubles.step(pair.now_ms / 1000)
        _play(players, troubles, rng, _MOST_TURNS)
        if rng.random() < 0.7:
            if rng.random() < 0.3 and players.game.winner() != NOBODY:
                players.lift_marker_again()
            players.begin_again(by_pc=rng.random() < 0.5)
            _play(players, troubles, rng, rng.randint(*_SECOND_GAME))
        troubles.end()
        took_ms = pair.settle()
        pair.never("violations", "unsupported", "mismatch")
        if kind == NONE:
            pair.never(*REPEATED, "log_lines")
        return took_ms

    outcome = pair.outcome(f"{kind} {seed}", course)
    outcome.counts.update(_counts(pair, players, troubles))
    return outcome


def _counts(pair: WholePair, players: Players, troubles: LineTroubles) -> Counter[str]:
    """Return the figures of a job."""
    found: Counter[str] = Counter()
    truth = pair.table.truth.values()
    found["games"] = len(truth)
    found["turns"] = sum(len(played.turns) for played in truth)
    found["events"] = pair.table.posted
    found["bytes"] = pair.line.to_host.carried + pair.line.to_table.carried
    found["programs"] = pair.pc.programs
    found["gave up"] = pair.pc.gave_up
    found["seconds"] = round(pair.now_ms / 1000)
    found.update(players.did)
    found.update(troubles.counts)
    return found


def _play(players: Players, troubles: LineTroubles, rng: Random, most_turns: int) -> None:
    game = players.game
    turns = 0
    while turns < most_turns and game.winner() == NOBODY:
        turn = rng.choice(list(game.legal_turns()))
        fate = rng.random()
        if fate < 0.06 and game.turns:
            players.rest()
            players.take_back(by_pc=fate < 0.04)
            continue
        if fate < 0.08 and game.turns:
            players.rest()
            players.lift_marker_again()
        elif fate < 0.12 and game.turns and troubles.has(REBOOTS):
            players.restart(turn if fate < 0.1 else None)
        elif fate < 0.125 and turns > 4:
            players.rest()
            if fate < 0.124:
                players.end_early()
            return
        if rng.random() < _SET:
            players.have_pc_set()
        players.take(turn)
        turns += 1
    players.rest()
