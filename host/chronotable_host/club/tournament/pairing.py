"""The next round of a tournament: who is to meet whom, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chronotable_host.club.tournament.round_robin import berger
from chronotable_host.club.tournament.state import Tournament
from chronotable_host.club.tournament.swiss.dutch import UnpairableError, paired
from chronotable_host.club.tournament.swiss.history import players_of
from chronotable_host.errors import UserError
from chronotable_host.language import tr


class Pairing(NamedTuple):
    """Pairs by board, white first, and who has the bye, 0 for nobody; by numbers of the log."""

    pairs: tuple[tuple[int, int], ...]
    bye: int


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
        return _named(back, berger(len(back), tournament.cycles)[number - 1])
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
    return _named(back, found.pairs)


def _named(back: Mapping[int, int], pairs: Sequence[tuple[int, int]]) -> Pairing:
    """Return pairs of pairing numbers as the log has them; who is in none has the bye."""
    free = set(back) - {number for pair in pairs for number in pair}
    known = tuple((back[white], back[black]) for white, black in pairs)
    return Pairing(known, back[free.pop()] if free else 0)


def seated_at(pairing: Pairing, tables: Sequence[str]) -> list[list[int | str]]:
    """Return the pairs with tables, as the log has them: the first board at the first table."""
    named = [*tables, *[""] * len(pairing.pairs)]
    return [[*pair, table] for pair, table in zip(pairing.pairs, named, strict=False)]
