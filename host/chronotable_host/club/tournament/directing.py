"""What a director does, as the events that it takes: each returns kinds with their fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chronotable_host.club.tournament import events
from chronotable_host.club.tournament.cards import COLOURS, WIN
from chronotable_host.club.tournament.pairing import next_pairing, seated_at
from chronotable_host.club.tournament.standings import ROUND_ROBIN_ORDER, SWISS_ORDER
from chronotable_host.club.tournament.state import Player, Tournament
from chronotable_host.errors import UserError
from chronotable_host.language import tr

Steps = list[tuple[str, Mapping[str, Any]]]


def creation(
    name: str, system: str, rounds: int, initial: str = COLOURS[0], bye_points: int = WIN
) -> dict[str, Any]:
    """Return the fields of a tournament with the usual tie-breaks."""
    order = SWISS_ORDER if system == events.SWISS else ROUND_ROBIN_ORDER
    return {
        "name": name,
        "system": system,
        "rounds": rounds if system == events.SWISS else 0,
        "initial": initial,
        "bye_points": bye_points,
        "tie_breaks": list(order),
    }


def adding(tournament: Tournament, players: Iterable[tuple[str, int]]) -> Steps:
    """Return what adds players, each a name and a rating."""
    first = len(tournament.players) + 1
    return [
        (events.PLAYER_ADDED, {"player": first + at, "name": name, "rating": rating})
        for at, (name, rating) in enumerate(players)
    ]


def pairing(tournament: Tournament, tables: Sequence[str]) -> Steps:
    """Return what pairs the next round, and closes the one before; its boards at these tables."""
    found = next_pairing(tournament)
    steps: Steps = []
    if tournament.current is not None and not tournament.current.is_closed:
        steps.append((events.ROUND_CLOSED, {"round": tournament.current.number}))
    fields = {
        "round": len(tournament.rounds) + 1,
        "pairs": seated_at(found, tables),
        "bye": found.bye,
        "reason": "",
    }
    return [*steps, (events.ROUND_PAIRED, fields)]


def pairing_by_hand(
    tournament: Tournament, pairs: Sequence[tuple[str, str]], tables: Sequence[str], reason: str
) -> Steps:
    """Return what pairs the next round as the director says, white first; one may be left over."""
    if not reason.strip():
        raise UserError(tr("a correction needs a reason"))
    known = [[player_named(tournament, name).number for name in pair] for pair in pairs]
    named = {number for pair in known for number in pair}
    number = len(tournament.rounds) + 1
    free = set(tournament.players) - named - set(tournament.away(number))
    places = [*tables, *[""] * len(known)]
    seated = [[*pair, table] for pair, table in zip(known, places, strict=False)]
    steps: Steps = []
    if tournament.current is not None and not tournament.current.is_closed:
        steps.append((events.ROUND_CLOSED, {"round": tournament.current.number}))
    bye = free.pop() if len(free) == 1 else 0
    fields = {"round": number, "pairs": seated, "bye": bye, "reason": reason}
    return [*steps, (events.ROUND_PAIRED, fields)]


def parse_players(text: str) -> list[tuple[str, int]]:
    """Return names and ratings out of `Ada (1600), Ben`; what is no rating belongs to a name."""
    found = []
    for part in (" ".join(it.split()) for it in text.split(",")):
        name, _, rating = part.rpartition("(")
        if name.strip() and re.fullmatch(r"[0-9]{1,4}\)", rating):
            found.append((name.strip(), int(rating[:-1])))
        elif part:
            found.append((part, 0))
    return found


def player_named(tournament: Tournament, name: str) -> Player:
    """Return a player by name or number; raises UserError."""
    wanted = " ".join(name.split()).casefold()
    for player in tournament.players.values():
        if wanted in (player.name.casefold(), str(player.number)):
            return player
    raise UserError(tr("'{name}' does not take part", name=name))


def playing(tournament: Tournament) -> int:
    """Return the number of the round that is paired and not closed; raises UserError."""
    if tournament.current is None or tournament.current.is_closed:
        raise UserError(tr("no round is being played"))
    return tournament.current.number
