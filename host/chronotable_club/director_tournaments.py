"""What a director may do with tournaments, as commands of the director's page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from chronotable_club.tournament import directing, events, results
from chronotable_club.tournament.state import MOST_PLAYERS, MOST_ROUNDS, Tournament
from chronotable_host.fields import RequestField, short_text, whole_number

if TYPE_CHECKING:
    from chronotable_club.desk import ClubDesk
    from chronotable_club.director import Director

_ID = short_text(1, 40)
_NAME = short_text(1, 60)
_REASON = short_text(1, 200)
_PLAYER = whole_number(1, MOST_PLAYERS)
_BOARD = whole_number(1, MOST_PLAYERS)
_ROUND = whole_number(1, MOST_ROUNDS)
_HALVES = whole_number(0, 1)
_NAMES = short_text(1, 4_000)
"""Names with a comma between them, each with a rating in brackets where there is one."""

Values = Mapping[str, Any]


def direct_tournaments(director: Director, desk: ClubDesk) -> None:
    """Have the director lead the tournaments of a desk."""

    def create(values: Values) -> Mapping[str, str]:
        fields = directing.creation(values["name"], values["system"], values["rounds"])
        return {"tournament": desk.create(fields).id}

    def add(values: Values) -> None:
        _do(
            desk,
            values,
            lambda state: directing.adding(state, directing.parse_players(values["names"])),
        )

    def withdraw(values: Values) -> None:
        _event(desk, values, events.PLAYER_WITHDRAWN, "player")

    def come_back(values: Values) -> None:
        _event(desk, values, events.PLAYER_RETURNED, "player")

    def bye(values: Values) -> None:
        _event(desk, values, events.BYE_REQUESTED, "player", "round", "points")

    def pair(values: Values) -> None:
        _do(desk, values, lambda state: directing.pairing(state, desk.tables()))

    def take_back(values: Values) -> None:
        reason = {"reason": values["reason"]}
        _do(
            desk,
            values,
            lambda state: [
                (events.PAIRING_TAKEN_BACK, {"round": directing.playing(state), **reason})
            ],
        )

    def start(values: Values) -> None:
        _of_round(desk, values, events.ROUND_STARTED)

    def close(values: Values) -> None:
        _of_round(desk, values, events.ROUND_CLOSED)

    def seat(values: Values) -> None:
        said = {"board": values["board"], "table": values["table"]}
        _of_round(desk, values, events.TABLE_CHANGED, said)

    def correct(values: Values) -> None:
        _event(desk, values, events.CORRECTED, "round", "board", "result", "reason")

    of = {"tournament": _ID}
    director.add_part("tournaments", lambda: _part(desk))
    commands: list[tuple[str, Mapping[str, RequestField], Any]] = [
        (
            "tournament_new",
            {"name": _NAME, "system": short_text(1, 20), "rounds": whole_number(0, MOST_ROUNDS)},
            create,
        ),
        ("tournament_add", {**of, "names": _NAMES}, add),
        ("tournament_withdraw", {**of, "player": _PLAYER}, withdraw),
        ("tournament_return", {**of, "player": _PLAYER}, come_back),
        ("tournament_bye", {**of, "player": _PLAYER, "round": _ROUND, "points": _HALVES}, bye),
        ("tournament_pair", of, pair),
        ("tournament_unpair", {**of, "reason": _REASON}, take_back),
        ("tournament_start", of, start),
        ("tournament_close", of, close),
        ("tournament_seat", {**of, "board": _BOARD, "table": short_text(0, 60)}, seat),
        (
            "tournament_correct",
            {
                **of,
                "round": _ROUND,
                "board": _BOARD,
                "result": short_text(0, 8),
                "reason": _REASON,
            },
            correct,
        ),
    ]
    for name, fields, doing in commands:
        director.add_command(name, fields, doing)


def _do(desk: ClubDesk, values: Values, steps: Any) -> Tournament:
    return desk.change(values["tournament"], steps)


def _event(desk: ClubDesk, values: Values, kind: str, *names: str) -> None:
    fields = {name: values[name] for name in names}
    _do(desk, values, lambda _state: [(kind, fields)])


def _of_round(
    desk: ClubDesk, values: Values, kind: str, said: Values = MappingProxyType({})
) -> None:
    """Have something happen to the round that is being played."""
    _do(desk, values, lambda state: [(kind, {"round": directing.playing(state), **said})])


def _part(desk: ClubDesk) -> dict[str, Any]:
    """Return what the director's page shows of tournaments."""
    found = desk.overviews()
    return {
        "list": found,
        "problem": desk.problem,
        "tables": desk.tables(),
        "results": list(results.ENTRIES),
        "remarks": desk.remarks(),
        "open": {
            it["id"]: {**(desk.view(it["id"]) or {}), "log": desk.log(it["id"])}
            for it in found[:3]
            if not it["over"] or it is found[0]
        },
    }
