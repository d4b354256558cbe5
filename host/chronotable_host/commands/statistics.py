"""`statistics`: how the games of an archive, or of a player, went."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import typer

from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.options import ArchiveFolder, DatabaseUrl, Json, PlayerName
from chronotable_host.commands.common.terminal import Busy, print_json
from chronotable_host.errors import printable
from chronotable_host.language import names, tr, tr_c, tr_n
from chronotable_host.rules.notation import PLAYERS, format_turn, parse_modules
from chronotable_host.statistics import LOCKED, nights_of, opening_of, statistics_of

app = typer.Typer()

_MOST = 10  # rows of a table in a terminal; --json has all
_ENDS = (tr("games"), tr("won"), tr("lost"), tr("drawn"), tr("unfinished"))
_TALLY = ("games", "won", "lost", "drawn", "unfinished")
_SEATS = dict(zip(PLAYERS, names.PLAYERS, strict=True))


@app.command()
def statistics(
    player: PlayerName = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="TURNS", help="Openings from there on, as '1 E F >future / 16 N N >past'."
        ),
    ] = "",
    modules: Annotated[
        str, typer.Option(metavar="MODULES", help="Openings of a game with these modules.")
    ] = "standard",
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Count the games: results, think times, openings.

    And how well tables sensed. Of all games, or with --player from a player's own side. Games of
    a night are only counted, by game.
    """
    chapters.require(chapters.modules_in(modules))
    with (
        chapters.discretion(f"{modules} {after}"),
        Busy(tr("reading the archive")) as busy,
        Archive(folder, url, busy.report) as archive,
    ):
        facts = archive.facts(player)
        found = statistics_of(facts, player).as_dict()
        found["nights"] = nights_of(archive.nights(player), player)
        opening = opening_of(facts, parse_modules(modules), after)
    if as_json:
        following = [{"turn": each.turn, **vars(each.tally)} for each in opening.following]
        turns = [format_turn(turn) for turn in opening.turns]
        print_json({**found, "opening": {"after": turns, "next": following}})
        return
    print("\n".join(_lines(found, opening.following, player)))


def _lines(found: dict[str, Any], following: Iterable[Any], player: str | None) -> Iterator[str]:
    total, nights = found["total"], found["nights"]
    if not total["games"] and not nights:
        yield tr("no games")
        return
    yield tr_n("{n} game", "{n} games", total["games"])
    seats = [{**row, "name": _SEATS[row["name"]]} for row in found["seats"]]
    kinds = [{**row, "name": _kind(row["name"])} for row in found["modules"]]
    whose = tr("opponent") if player else tr("player")
    # without a player it is White who won or lost
    kind = tr("modules") if player else tr("modules (White)")
    tables = ((tr("seat"), seats), (whose, found["players"]), (kind, kinds))
    for name, rows in tables:
        yield from _table((name, *_ENDS), [_tallied(row) for row in rows])
    times = [
        (_SEATS[row["name"]], row["turns"], row["mean_s"], row["longest_s"])
        for row in found["thinking"]
        if row["turns"]
    ]
    yield from _table((tr("thinking"), tr("turns"), tr("mean s"), tr("longest s")), times)
    ends = (tr("games"), tr("White won"), tr("Black won"), tr("drawn"), tr("unfinished"))
    next_turns = [_tallied({"name": each.turn, **vars(each.tally)}) for each in following]
    yield from _table((tr("next turn"), *ends), next_turns)
    how = (
        tr_c("a turn was understood", "certain"),
        tr_c("a turn was understood", "asked"),
        tr_c("a turn was understood", "corrected"),
    )
    sensed = [tuple(row.values()) for row in found["sensing"]]
    won = (tr("won"),) if player else ()
    told = [(row["name"], row["games"], *([row["won"]] if player else [])) for row in nights]
    yield from _table((tr("games nights"), tr("games"), *won), told)
    yield from _table((tr("month"), tr("table"), tr("games"), *how), sensed)


def _kind(modules: str) -> str:
    return names.modules(modules) if modules != LOCKED else tr("locked here")


def _tallied(row: dict[str, Any]) -> tuple[Any, ...]:
    return (row["name"], *(row[name] for name in _TALLY))


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a table behind an empty one, nothing for one without rows."""
    if not rows:
        return
    texts = [head, *([printable(str(cell)) for cell in row] for row in rows[:_MOST])]
    widths = [max(len(row[at]) for row in texts) for at in range(len(head))]
    yield ""
    for row in texts:
        cells = zip(row[1:], widths[1:], strict=True)
        yield f"{row[0]:{widths[0]}}  " + "  ".join(f"{cell:>{width}}" for cell, width in cells)
    if len(rows) > _MOST:
        yield tr_n("and {n} more", "and {n} more", len(rows) - _MOST)
