"""What a director does, as the events that it takes: each returns kinds with their fields.

How the next round is paired is here, too: who is to meet whom, and where.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_club.tournament import events
from chronotable_club.tournament.cards import COLOURS, WIN
from chronotable_club.tournament.round_robin import berger
from chronotable_club.tournament.standings import ROUND_ROBIN_ORDER, SWISS_ORDER
from chronotable_club.tournament.state import Participant, Tournament
from chronotable_club.tournament.swiss import UnpairableError, paired, players_of
from chronotable_host.errors import UserError
from chronotable_host.language import tr

Steps = list[tuple[str, Mapping[str, Any]]]


class Pairing(NamedTuple):
    """Pairs by board, white first, and who has the bye, 0 for nobody; by numbers of the log."""

    pairs: tuple[tuple[int, int], ...]
    bye: int


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
    return _round(tournament, next_pairing(tournament), tables)


def pairing_by_hand(
    tournament: Tournament, pairs: Sequence[tuple[str, str]], tables: Sequence[str], reason: str
) -> Steps:
    """Return what pairs the next round as the director says, white first; one may be left over."""
    if not reason.strip():
        raise UserError(tr("a correction needs a reason"))
    known = [
        (player_named(tournament, white).number, player_named(tournament, black).number)
        for white, black in pairs
    ]
    away = tournament.away(len(tournament.rounds) + 1)
    free = set(tournament.players) - {number for pair in known for number in pair} - set(away)
    bye = free.pop() if len(free) == 1 else 0
    return _round(tournament, Pairing(tuple(known), bye), tables, reason)


def _round(
    tournament: Tournament, found: Pairing, tables: Sequence[str], reason: str = ""
) -> Steps:
    """Return what begins the next round with a pairing, and closes the one before."""
    steps: Steps = []
    if tournament.current is not None and not tournament.current.is_closed:
        steps.append((events.ROUND_CLOSED, {"round": tournament.current.number}))
    fields = {
        "round": len(tournament.rounds) + 1,
        "pairs": seated_at(found, tables),
        "bye": found.bye,
        "reason": reason,
    }
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


def player_named(tournament: Tournament, name: str) -> Participant:
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


def next_pairing(tournament: Tournament) -> Pairing:
    """Return how the next round is paired; raises UserError where it cannot be."""
    number = len(tournament.rounds) + 1
    if tournament.current is not None and not tournament.current.is_complete:
        raise UserError(tr("round {number} has games without a result", number=number - 1))
    if number > max(tournament.round_count, 1):
        raise UserError(tr("'{name}' has had all its rounds", name=tournament.name))
    away = tournament.away(number)
    numbers = tournament.pairing_numbers
    back = {number: player for player, number in numbers.items() if player not in away}
    if len(back) < 2:
        raise UserError(tr("a round needs two players"))
    if not tournament.is_swiss:
        return _pairing_of(back, berger(len(back), tournament.cycles)[number - 1])
    players = players_of(tournament.numbered_cards(), back, tournament.round_count)
    try:
        found = paired(players, tournament.initial)
    except UnpairableError:
        why = tr(
            "no pairing of round {number} has everybody meet somebody new with a fair colour; pair "
            "it by hand (C.04.3 1.9.3)",
            number=number,
        )
        raise UserError(why) from None
    return _pairing_of(back, found.pairs)


def _pairing_of(back: Mapping[int, int], pairs: Sequence[tuple[int, int]]) -> Pairing:
    """Return pairs of pairing numbers as the log has them; who is in none has the bye."""
    free = set(back) - {number for pair in pairs for number in pair}
    known = tuple((back[white], back[black]) for white, black in pairs)
    return Pairing(known, back[free.pop()] if free else 0)


def seated_at(pairing: Pairing, tables: Sequence[str]) -> list[list[int | str]]:
    """Return the pairs with tables, as the log has them: the first board at the first table."""
    named = [*tables, *[""] * len(pairing.pairs)]
    return [[*pair, table] for pair, table in zip(pairing.pairs, named, strict=False)]
