"""How games went on from a position of their beginning, as the page gets it."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from chronotable_host import chapters
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn, parse_turn
from chronotable_host.statistics import Next, Opening
from chronotable_host.turn_story import story_of
from chronotable_host.web import looks
from chronotable_host.web.position_json import position_json
from chronotable_host.web.view import count_copies, marks_of
from ttykm import layout


def opening_json(opening: Opening) -> dict[str, Any]:
    """Return the turns that led there and those that follow, told as turns of a game are."""
    here = opening.states[-1]
    pairs = zip(opening.states, opening.turns, strict=False)  # nothing follows the last one
    return {
        "turns": [_turn(state, turn, at) for at, (state, turn) in enumerate(pairs, 1)],
        "position": json.loads(position_json(here, count_copies(opening.states[0]))),
        "looks": looks.pieces(chapters.shown()),
        "tally": asdict(opening.tally),
        "next": _following(here, opening.following, len(opening.turns) + 1),
    }


def _following(state: array[int], following: Sequence[Next], number: int) -> list[dict[str, Any]]:
    return [
        {**_turn(state, parse_turn(each.turn), number), **asdict(each.tally)} for each in following
    ]


def _turn(state: array[int], turn: int, number: int) -> dict[str, Any]:
    story = story_of(state, turn)
    return {
        "no": number,
        "player": PLAYERS[layout.mover(state)],
        "turn": format_turn(turn),
        "says": story.says,
        "focus": ERAS[story.focus],
        **marks_of(story),
    }
