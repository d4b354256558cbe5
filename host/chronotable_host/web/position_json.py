"""A position, and how games went on from it, as the page gets it.

A position is made as JSON at once: a game has many, and each has many pieces. A turn changes one or
two eras, so the texts of the others return, as those of the META word do: they are kept. All of it
is our own words, none of which JSON escapes.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.hardware.drawings.glyphs import copies_of_era, looks_of
from chronotable_host.language import kept_by_language, names, tr
from chronotable_host.rulebook.book import EXAMPLES
from chronotable_host.rules.notation import (
    ERAS,
    PLAYERS,
    format_position,
    format_turn,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.object_texts import supplies
from chronotable_host.rules.turn_story import story_of
from chronotable_host.statistics import Next, Opening
from chronotable_host.web import looks
from chronotable_host.web.http.json_text import JsonText, json_text
from chronotable_host.web.view import count_copies, marks_of
from ttykm import layout, objects
from ttykm.game import Game

_KEPT = 4096


def position_json(state: array[int], begun: tuple[int, int] | None) -> JsonText:
    """Return a position; `begun` is how many copies each player had at the start, if known."""
    captured = "null"
    if begun is not None:
        white, black = count_copies(state)
        captured = f"[{begun[0] - white},{begun[1] - black}]"
    return JsonText(
        f'{{"position":"{format_position(state)}","pieces":[{_pieces(state)}],'
        f'"captured":{captured},"extra":"{supplies(state)}",{_of_meta(state[layout.META])}}}'
    )


@kept_by_language()
def examples_json() -> dict[str, Any]:
    """Return the examples of rules by their number: the position, what happened, and in words."""
    found = {}
    for number, (position, turn) in EXAMPLES.items():
        game, last, says = Game(), None, ""
        game.start(parse_position(position))
        if turn:
            packed, player = parse_turn(turn), game.mover
            story = story_of(game.state, packed)
            last = {**marks_of(story), "player": PLAYERS[player]}
            says = tr("{player} {did}.", player=names.PLAYERS[player], did=names.within(story.says))
            game.apply(packed)
        shown = json.loads(position_json(game.state, None))
        found[number] = {"position": shown, "last": last, "says": says}
    return found


def _pieces(state: array[int]) -> str:
    if len(state) > layout.STATE_WORDS:
        return _pieces_json(looks_of(state))
    eras = [_copies(era, state[era], state[len(ERAS) + era]) for era in range(len(ERAS))]
    return "".join(eras) + _markers(state[layout.META])


@lru_cache(_KEPT)
def _copies(era: int, white: int, black: int) -> str:
    """Return the copies of an era, with a comma behind each."""
    return "".join(f"{_pieces_json([piece])}," for piece in copies_of_era(era, white, black))


@lru_cache(_KEPT)
def _markers(meta: int) -> str:
    return _pieces_json(looks_of(_empty(meta)))


@lru_cache(_KEPT)
def _of_meta(meta: int) -> str:
    """Return the members of a position that its META word alone tells."""
    state = _empty(meta)
    told = {
        "supply": [layout.supply(state, player) for player in range(len(PLAYERS))],
        "mover": PLAYERS[layout.mover(state)],
        "focus": [ERAS[layout.focus(state, player)] for player in range(len(PLAYERS))],
    }
    return json_text(told)[1:-1]


def _empty(meta: int) -> array[int]:
    """Return a state without copies."""
    return array("H", [0] * layout.META + [meta])


def _pieces_json(pieces: Iterable[tuple[int, str]]) -> str:
    return ",".join(f'{{"at":{sensor},"look":"{look}"}}' for sensor, look in pieces)


def opening_json(opening: Opening) -> dict[str, Any]:
    """Return the turns that led there and those that follow, told as turns of a game are."""
    here = opening.states[-1]
    pairs = zip(opening.states, opening.turns, strict=False)  # nothing follows the last one
    return {
        "turns": [_turn_json(state, turn, at) for at, (state, turn) in enumerate(pairs, 1)],
        "position": json.loads(position_json(here, count_copies(opening.states[0]))),
        "looks": looks.pieces(chapters.shown()),
        "tally": asdict(opening.tally),
        "next": _following(here, opening.following, len(opening.turns) + 1),
    }


def _following(state: array[int], following: Sequence[Next], number: int) -> list[dict[str, Any]]:
    return [
        {**_turn_json(state, parse_turn(each.turn), number), **asdict(each.tally)}
        for each in following
    ]


def _turn_json(state: array[int], turn: int, number: int) -> dict[str, Any]:
    story = story_of(state, turn)
    return {
        "no": number,
        "player": PLAYERS[layout.mover(state)],
        "turn": format_turn(turn),
        "says": story.says,
        "focus": ERAS[story.focus],
        **marks_of(story),
    }


# ---- positions that a browser asks about: texts of strangers, which name no locked chapter

_LONGEST = 1000  # characters


def asked_state(text: str) -> array[int]:
    """Return the state of a position that may be shown here.

    Raises NotationError, UserError where the text is too long, and LockedError.
    """
    if len(text) > _LONGEST:
        raise UserError(tr("a position has at most {most} characters", most=_LONGEST))
    chapters.require(chapters.modules_in(text))
    with chapters.discretion(text):
        state = parse_position(text)
    chapters.require(objects.modules_of(state))
    return state


def asked_options(text: str) -> int:
    """Return the bits of options that may be played here; raises NotationError and LockedError."""
    chapters.require(0, chapters.options_in(text))
    with chapters.discretion(text):
        return parse_options(text)
