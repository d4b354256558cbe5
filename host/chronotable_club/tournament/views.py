"""A tournament as pages and `--json` have it: plain data, names instead of numbers."""

from collections.abc import Sequence
from typing import Any

from chronotable_club.tournament.cards import (
    COLOURS,
    LOST_BY_FORFEIT,
    PAIRING_BYE,
    REST,
    WON_BY_FORFEIT,
    CardRound,
)
from chronotable_club.tournament.ratings import Member
from chronotable_club.tournament.standings import (
    BUCHHOLZ,
    BUCHHOLZ_CUT_1,
    DIRECT_ENCOUNTER,
    GAMES_WITH_BLACK,
    SONNEBORN_BERGER,
    WINS,
    WINS_PLAYED,
    points_text,
)
from chronotable_club.tournament.state import Board, Round, Tournament
from chronotable_host.language import tr

TIE_BREAKS_COUNT = {
    BUCHHOLZ_CUT_1: tr("BH-C1: the opponents' points, without the lowest (Buchholz cut 1)."),
    BUCHHOLZ: tr("BH: the opponents' points (Buchholz)."),
    SONNEBORN_BERGER: tr(
        "SB: the points of those who were beaten, half of those who drew (Sonneborn-Berger)."
    ),
    WINS: tr("WIN: rounds won."),
    WINS_PLAYED: tr("WON: games won."),
    GAMES_WITH_BLACK: tr("BPG: games with Black."),
    DIRECT_ENCOUNTER: tr("DE: the place by the games between those who are level so far."),
}
"""What the columns of the standings behind the points count."""
_POINTS = ("0", "½", "1")


def overview(tournament: Tournament) -> dict[str, Any]:
    """Return what a list of tournaments says of one."""
    playing = tournament.current
    return {
        "id": tournament.id,
        "name": tournament.name,
        "system": tournament.system,
        "players": len(tournament.players),
        "rounds": tournament.round_count,
        "round": 0 if playing is None else playing.number,
        "over": bool(tournament.rounds) and tournament.is_over,
    }


def whole(tournament: Tournament) -> dict[str, Any]:
    """Return all of a tournament that is for everybody."""
    return {
        **overview(tournament),
        "tie_breaks": list(tournament.tie_breaks),
        "legend": legend(tournament),
        "entrants": entrants(tournament),
        "pairings": [round_view(tournament, each) for each in tournament.rounds],
        "standings": standings(tournament),
        "after": sum(each.is_complete for each in tournament.rounds),
        "cross": cross_table(tournament),
        "corrections": [it._asdict() for it in tournament.corrections],
    }


def legend(tournament: Tournament) -> str:
    """Return what the columns behind the points count, by which who is level stands."""
    return " ".join(TIE_BREAKS_COUNT[name] for name in tournament.tie_breaks)


def entrants(tournament: Tournament) -> list[dict[str, Any]]:
    """Return who takes part, by pairing number."""
    numbers = tournament.pairing_numbers
    return [
        {
            "player": player.number,
            "number": numbers[player.number],
            "name": player.name,
            "rating": player.rating,
            "there": player.is_there,
        }
        for player in sorted(tournament.players.values(), key=lambda it: numbers[it.number])
    ]


def round_view(tournament: Tournament, each: Round) -> dict[str, Any]:
    """Return a round."""
    return {
        "round": each.number,
        "started": each.is_started,
        "closed": each.is_closed,
        "complete": each.is_complete,
        "boards": [board_view(tournament, board) for board in each.boards],
        "bye": tournament.players[each.bye].name if each.bye else "",
        "away": sorted(tournament.players[it].name for it in each.away),
    }


def board_view(tournament: Tournament, board: Board) -> dict[str, Any]:
    """Return a pairing."""
    return {
        "board": board.number,
        "white": tournament.players[board.white].name,
        "black": tournament.players[board.black].name,
        "table": board.table,
        "result": board.result,
        "corrected": board.is_corrected,
    }


def standings(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the standings after the last round that is complete."""
    return [
        {
            "place": row.place,
            "name": tournament.players[row.number].name,
            "points": points_text(row.points),
            "there": tournament.players[row.number].is_there,
            **{name: points_text(value) for name, value in row.values.items()},
        }
        for row in tournament.standings()
    ]


def cross_table(tournament: Tournament) -> list[dict[str, Any]]:
    """Return each player's rounds in the order of the standings; opponents by their places there.

    A round reads as in FIDE's tables: opponent, colour, result; `+` and `-` are forfeits.
    """
    rows = tournament.standings()
    order = {row.number: at for at, row in enumerate(rows, 1)}
    cards = tournament.cards()
    return [
        {
            "row": at,
            "name": tournament.players[row.number].name,
            "rounds": [_word(entry, order) for entry in cards[row.number]],
            "points": points_text(row.points),
        }
        for at, row in enumerate(rows, 1)
    ]


def _word(entry: CardRound, order: dict[int, int]) -> str:
    if entry.kind == REST:
        return ""
    if not entry.opponent:
        return f"{'+' if entry.kind == PAIRING_BYE else '-'}{_POINTS[entry.points]}"
    signs = {WON_BY_FORFEIT: "+", LOST_BY_FORFEIT: "-"}
    colour = "wb"[COLOURS.index(entry.colour)]
    return f"{order[entry.opponent]}{colour}{signs.get(entry.kind, _POINTS[entry.points])}"


def ratings(found: Sequence[Member]) -> list[dict[str, Any]]:
    """Return ratings as people read them: whole points, and how far they may be off."""
    return [
        {
            "place": place,
            "name": member.name,
            "rating": round(member.rating.value),
            "deviation": round(member.rating.deviation),
            "games": member.games,
            "history": [
                {"period": period, "rating": round(rating.value)}
                for period, rating in member.history
            ],
        }
        for place, member in enumerate(found, 1)
    ]


def table_of(name: str, tournament: Tournament) -> list[list[str]]:
    """Return what a CSV file has, its head first: pairings, standings or cross."""
    if name == "pairings":
        head = ["round", "board", "table", "white", "black", "result"]
        return [head] + [
            [str(each.number), *(str(board_view(tournament, it)[key]) for key in head[1:])]
            for each in tournament.rounds
            for it in each.boards
        ]
    if name == "standings":
        head = ["place", "name", "points", *tournament.tie_breaks]
        rows = [
            [row.place, tournament.players[row.number].name, float(row.points)]
            + [float(row.values[it]) for it in tournament.tie_breaks]
            for row in tournament.standings()
        ]
        return [head] + [[_plain(it) for it in row] for row in rows]
    table = cross_table(tournament)
    rounds = max((len(row["rounds"]) for row in table), default=0)
    head = ["row", "name", *(str(number) for number in range(1, rounds + 1)), "points"]
    return [head] + [[str(row["row"]), row["name"], *row["rounds"], row["points"]] for row in table]


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
