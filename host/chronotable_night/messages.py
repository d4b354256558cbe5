"""What a page is told of a room: a whole state, made from what its seat may know.

Two rules: everything about the game comes from the view of the seat, and from happenings that are
for it; and a seat is told of no later moment than the big screens have shown. So a message cannot
tell more, nor sooner.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from chronotable_host.language import tr
from chronotable_night.games import telling
from chronotable_night.games.entering import form_of
from chronotable_night.games.interface import NOBODY, SPECTATOR, Kind
from chronotable_night.play import Play, visible
from chronotable_night.room import PLAY, NightRoom

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


def state_of(room: NightRoom, seat: int, door: Door, shown: int | None = None) -> dict[str, Any]:
    """Return the message for a seat or the SPECTATOR.

    `shown` is the moment that the big screens are at, None where all of the game may be told.
    """
    play, wish = room.play, room.take_back
    is_phone = seat != SPECTATOR
    if play is not None and not room.plays(seat):
        seat = SPECTATOR  # on a phone, too: it looks on
    now = seen = 0 if play is None else play.moment
    if play is not None and shown is not None and is_phone:
        seen = play.known(shown)
    waits = seen < now
    return {
        "type": "state",
        "steps": seen,
        "games": [_game_offer(kind) for kind in room.shelf.values()],
        "phase": PLAY if waits else room.phase,
        **door._asdict(),
        "seat": seat,
        "take_back": wish and {"by": wish.by, "agreed": sorted(wish.agreed)},
        "can_take_back": seat != SPECTATOR and not waits and room.may_take_back(seat),
        "remarks": room.remarks,
        "known": room.knows(seat) or (shown is None and seat != SPECTATOR),
        # what hands are to do at the table stands on the big screen
        "notice": " ".join(
            filter(None, ("" if waits else room.waits_for(), "" if is_phone else _at_table(room)))
        ),
        "notices": room.notices,
        "refused": "" if play is None or waits else play.refused.get(seat, ""),
        **(_NONE_CHOSEN if room.chosen is None else _chosen_game(room)),
        **(_no_game(room) if play is None else _game(room, play, seat, seen)),
    }


def _at_table(room: NightRoom) -> str:
    return room.at_table and tr("At the table: {todo}", todo=room.at_table)


def _game_offer(kind: Kind) -> dict[str, Any]:
    """Return a game that may be chosen."""
    return {
        "name": kind.name,
        "title": kind.title,
        "about": kind.about,
        "players": [kind.players[0], kind.players[-1]],
        "box": form_of(kind) is not None,
    }


_NONE_CHOSEN: dict[str, Any] = {
    "name": "",
    "title": "",
    "note": "",
    "printed": {},
    "rulebook": [],
    "minute": [],
    "roles": [],
    "options": [],
    "least": 0,
}


def _chosen_game(room: NightRoom) -> dict[str, Any]:
    return {
        "name": room.kind.name,
        "title": room.kind.title,
        "note": room.note,
        "printed": dict(room.game.printed),
        "rulebook": list(room.kind.rules.items()),
        "minute": list(room.kind.minute),
        "roles": list(room.kind.roles),
        "options": _options(room),
        "least": room.least,
    }


def _no_game(room: NightRoom) -> dict[str, Any]:
    return {
        "players": _players(room),
        "view": None,
        "headline": "",
        "line": "",
        "decision": None,
        "happened": [],
        "outcome": None,
        "look_up": False,
        "lets_pass": False,
    }


def _players(
    room: NightRoom, deciding: Sequence[int] = (), sealed: Collection[int] = (), is_on: bool = False
) -> list[dict[str, Any]]:
    """Return who sits here; who has won how often is told between games only."""
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
            "plays": room.plays(number),
            "wins": 0 if is_on else each.wins,
        }
        for number, each in enumerate(room.people)
        if room.play is None or room.plays(number)
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


def _game(room: NightRoom, play: Play, seat: int, seen: int) -> dict[str, Any]:
    """Return what is told of the game; who waits for the big screen is to `look_up`."""
    game, names = room.game, room.people.names()
    state, steps, asked = play.as_known(seen)
    told = telling.situation(game, state, seat, names)
    first = len(visible(play.taken_back, seat)) + 1
    happened = list(enumerate(visible(steps, seat), first))[-_MOST_TOLD:]
    deciding = () if game.to_decide(state) == NOBODY else game.deciding(state)
    answered = {each for each in deciding if each not in asked or each in play.sealed}
    return {
        **told,
        "players": _players(room, deciding, answered, told["outcome"] is None),
        "look_up": len(steps) < len(play.steps) and seat not in asked,
        "decision": _decision(room, play, seat, told["view"], names) if seat in asked else None,
        "lets_pass": seat in play.passing,
        "happened": [
            telling.happened(game, number, each, seat, names) for number, each in happened
        ],
    }


def _decision(
    room: NightRoom, play: Play, seat: int, view: Any, names: Sequence[str]
) -> dict[str, Any] | None:
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
        "passes": bool(decision.passes),
    }
