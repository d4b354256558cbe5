"""What a page is told of a room: a whole state, made from what its seat may know.

One rule: everything about the game comes from the view of the seat, and from happenings that are
for it. So a message cannot tell more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from chronotable_night.games import telling
from chronotable_night.games.interface import SPECTATOR, Kind
from chronotable_night.play import Play, visible
from chronotable_night.room import NightRoom

_MOST_TOLD = 40
"""Happenings in a message."""


class Door(NamedTuple):
    """How people come in: words to type, the link and the same as a picture, a `data:` URI.

    There are so many `ways` in, each with an address of its own; this is one of them.
    """

    code: str = ""
    link: str = ""
    qr: str = ""
    ways: int = 1


def state_of(room: NightRoom, seat: int, door: Door) -> dict[str, Any]:
    """Return the message for a seat or the SPECTATOR."""
    play, wish = room.play, room.take_back
    return {
        "type": "state",
        "steps": 0 if play is None else play.moment,
        "games": [_game_offer(room, kind) for kind in room.shelf.values()],
        "phase": room.phase,
        **door._asdict(),
        "seat": seat,
        "players": _players(room),
        "take_back": wish and {"by": wish.by, "agreed": sorted(wish.agreed)},
        "can_take_back": seat != SPECTATOR and room.may_take_back(seat),
        "remarks": room.remarks,
        # what hands are to do at the table stands on the big screen
        "notice": " ".join(
            filter(None, (room.waits_for(), room.at_table if seat == SPECTATOR else ""))
        ),
        "notices": room.notices,
        "refused": "" if play is None else play.refused.get(seat, ""),
        **(_NONE_CHOSEN if room.chosen is None else _chosen_game(room)),
        **(_NO_GAME if play is None else _game(room, play, seat)),
    }


def _game_offer(room: NightRoom, kind: Kind) -> dict[str, Any]:
    """Return a game that may be chosen; `refused` is why those who are here cannot play it."""
    return {
        "name": kind.name,
        "title": kind.title,
        "about": kind.about,
        "players": [kind.players[0], kind.players[-1]],
        "refused": room.why_not(kind),
    }


_NONE_CHOSEN: dict[str, Any] = {
    "name": "",
    "title": "",
    "note": "",
    "printed": {},
    "options": [],
    "least": 0,
}


def _chosen_game(room: NightRoom) -> dict[str, Any]:
    return {
        "name": room.kind.name,
        "title": room.kind.title,
        "note": room.game.data_note,
        "printed": dict(room.game.printed),
        "options": _options(room),
        "least": room.least,
    }


_NO_GAME: dict[str, Any] = {
    "view": None,
    "headline": "",
    "line": "",
    "decision": None,
    "happened": [],
    "outcome": None,
}


def _players(room: NightRoom) -> list[dict[str, Any]]:
    play = room.play
    deciding = () if play is None else play.deciding()
    sealed = {} if play is None else play.sealed
    return [
        {
            "seat": number,
            "name": each.name,
            "figure": f"p{each.figure}",
            "who": each.who,
            "bot": each.bot,
            "here": number in room.here,
            "sealed": number in sealed,
            "deciding": number in deciding,
        }
        for number, each in enumerate(room.people)
    ]


def _options(room: NightRoom) -> list[dict[str, Any]]:
    return [
        {
            "name": option.name,
            "about": option.about,
            "value": room.options[option.name],
            "values": [{"value": value, "means": means} for value, means in option.values.items()],
        }
        for option in room.kind.options
    ]


def _game(room: NightRoom, play: Play, seat: int) -> dict[str, Any]:
    game, names = room.game, room.people.names()
    told = telling.situation(game, play.state, seat, names)
    first = len(visible(play.taken_back, seat)) + 1
    happened = list(enumerate(visible(play.steps, seat), first))[-_MOST_TOLD:]
    return {
        **told,
        "decision": _decision(room, play, seat, told["view"], names),
        "happened": [
            telling.happened(game, number, each, seat, names) for number, each in happened
        ],
    }


def _decision(
    room: NightRoom, play: Play, seat: int, view: Any, names: Sequence[str]
) -> dict[str, Any] | None:
    if seat == SPECTATOR or seat not in play.deciding():
        return None
    decision = room.game.decision(view, seat, names)
    if decision is None:
        return None
    rules = room.kind.rules
    return {
        "kind": decision.kind,
        "headline": decision.headline,
        "explains": "" if room.is_explained(seat, decision.kind) else decision.explains,
        "choices": [each._asdict() for each in decision.choices] or None,
        "rules": [[number, rules[number]] for number in decision.rules if number in rules],
        "sealed": play.sealed.get(seat),
    }
