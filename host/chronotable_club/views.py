"""What pages are told of a table: one object, whole each time, made of what the hub followed.

Nothing of a chapter that is locked here is among it: such a game has names and no boards.
"""

import json
from typing import Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS
from chronotable_club.following import Followed
from chronotable_club.hub import HubTable
from chronotable_host import chapters
from chronotable_host.errors import printable_json
from chronotable_host.language import names
from chronotable_host.live.texts.happening_texts import ending
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn
from chronotable_host.rules.record import RESULTS
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web import looks
from chronotable_host.web.http.json_text import JsonText, json_text, with_member
from chronotable_host.web.position_json import position_json
from chronotable_host.web.view import count_copies, marks_of
from ttykm import layout, objects

PLAYING, OVER, FREE, AWAY, REFUSED, LOCKED = "playing", "over", "free", "away", "refused", "locked"
"""How it stands at a table. One that is `away` may have a game all the same: as it was."""

_WINNERS = dict(zip(RESULTS, (*PLAYERS, "draw"), strict=False))


def hello(club: str) -> dict[str, Any]:
    """Return what a page is told first."""
    shown = chapters.shown()
    sensors = [sensor_name(sensor) for sensor in range(BUTTON + len(BUTTONS))]
    return {
        "type": "hello",
        "club": club,
        "places": [names.place(sensor) for sensor in sensors],
        "looks": {"meanings": [], "pieces": looks.pieces(shown)},
    }


def state_of(table: HubTable) -> str:
    """Return how it stands at a table."""
    if table.refusal or table.is_revoked:
        return REFUSED
    if table.live is None or not table.is_here:
        return AWAY
    if table.followed is None:
        return FREE
    if not is_open(table.followed):
        return LOCKED
    return OVER if table.followed.record.headers["Result"] != "*" else PLAYING


def is_open(followed: Followed) -> bool:
    """Tell whether a game may be shown here."""
    record = followed.record
    return chapters.is_open(objects.modules_of(record.start), record.options)


def table_json(table: HubTable) -> JsonText:
    """Return a table as its tile shows it, as JSON."""
    live, followed = table.live, table.followed
    told = json_text(
        {
            "id": table.id,
            "name": table.name,
            "state": state_of(table),
            "phase": "" if live is None else live.phase,
            "refusal": chapters.discreet(table.refusal) if table.refusal else "",
            "clocks": _clocks(table),
            "at_ms": table.arrived_ms,
        }
    )
    return with_member(told, "game", "null" if followed is None else _game_json(table, followed))


def turns_of(table: HubTable) -> dict[str, Any]:
    """Return the turns of the game at a table, in sentences."""
    followed = table.followed
    if followed is None or not is_open(followed):
        return {"turns": []}
    record, states = followed
    return {
        "turns": [
            {
                "no": number + 1,
                "player": PLAYERS[layout.mover(states[number])],
                "turn": format_turn(turn),
                "says": story.says,
                "focus": ERAS[story.focus],
                **marks_of(story),
            }
            for number, turn in enumerate(record.turns)
            for story in [story_of(states[number], turn, record.options)]
        ]
    }


def _game_json(table: HubTable, followed: Followed) -> JsonText:
    record, states = followed
    headers = record.headers
    result, count = headers["Result"], len(record.turns)
    told: dict[str, Any] = {
        "id": table.live.game if table.live else "",
        "white": headers["White"],
        "black": headers["Black"],
        "turns": count,
        "result": result,
        "ends": "",
        "last": None,
        "says": "",
    }
    if result in _WINNERS:
        told["ends"] = ending(_WINNERS[result], headers["Termination"])
    if not is_open(followed):
        return with_member(json_text(told), "position", "null")
    if count:
        story = story_of(states[-2], record.turns[-1], record.options)
        player = PLAYERS[layout.mover(states[-2])]
        told["last"] = {"player": player, **marks_of(story)}
        told["says"] = story.says
    begun = count_copies(states[0])
    return with_member(json_text(told), "position", position_json(states[-1], begun))


def feed_of(table: HubTable) -> dict[str, Any]:
    """Return a table as the feed tells it: for programs, with texts as records have them."""
    followed, live = table.followed, table.live
    told: dict[str, Any] = {"id": table.id, "table": table.name, "state": state_of(table)}
    if followed is None or live is None or not is_open(followed):
        return {**told, "game": None}
    position: dict[str, Any] = json.loads(position_json(followed.states[-1], None))
    record = followed.record
    return {
        **told,
        "game": live.game,
        "record": f"/feed/{live.game}.ttykm" if live.game else None,
        "white": record.headers["White"],
        "black": record.headers["Black"],
        "modules": record.headers["Modules"],
        "result": record.headers["Result"],
        "termination": record.headers["Termination"],
        "turns": len(record.turns),
        "mover": position["mover"],
        "position": position["position"],
        "last_turn": format_turn(record.turns[-1]) if record.turns else None,
        "clocks": _clocks(table),
        "at_ms": table.arrived_ms,
    }


def remarks_of(table: HubTable) -> dict[str, Any]:
    """Return what a director is told of a table besides."""
    return {
        "id": table.id,
        "name": table.name,
        "revoked": table.is_revoked,
        "here": table.is_here,
        "counts": dict(table.counts),
        "remarks": [
            printable_json({"at_ms": at_ms, "kind": kind, "text": chapters.discreet(text)})
            for at_ms, kind, text in reversed(table.remarks)
        ],
    }


def _clocks(table: HubTable) -> dict[str, Any] | None:
    if table.live is None or table.live.clocks is None:
        return None
    left, running = table.live.clocks
    return {"left": left, "running": running}
