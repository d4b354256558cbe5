"""`puzzles`: positions in which a win is to be found: listed, solved, made of one's own games."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_host.commands.archive import DatabaseUrl
from chronotable_host.commands.shared import ArchiveFolder, Busy, Json, print_json
from chronotable_host.language import tr

app = typer.Typer()
_family = typer.Typer(help="List puzzles, solve one, make some of your games.")
app.add_typer(_family, name="puzzles")

Player = Annotated[
    str, typer.Option(metavar="NAME", help="Whose rating it is; each name has its own.")
]


@_family.callback(invoke_without_command=True)
def puzzles(
    context: typer.Context, player: Player = "", folder: ArchiveFolder = None, as_json: Json = False
) -> None:
    """List the puzzles, the easiest first, and how you do: find the win, whatever is answered."""
    if context.invoked_subcommand is not None:
        return
    from chronotable_host.commands import puzzles_work as work  # noqa: PLC0415

    listed = work.Listed(player, folder)
    if as_json:
        print_json(listed.as_json())
    else:
        print("\n".join(listed.lines()))


@_family.command()
def play(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|today|next",
            help="Its number, the one of the day, or one that you have not tried, as hard as fits.",
        ),
    ] = "next",
    player: Player = "",
    folder: ArchiveFolder = None,
) -> int:
    """Solve a puzzle: type turns, or hint; the other side answers with its longest defence.

    The first try counts for your rating, without a hint. The exit status is 1 where it is not
    solved.
    """
    from chronotable_host.commands import puzzles_work as work  # noqa: PLC0415

    return work.play(which, player, folder)


@_family.command()
def make(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Games, as `show` takes them; else all."),
    ] = None,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Make puzzles of your games: of positions in which a win in one to three turns was there."""
    from chronotable_host.commands import puzzles_work as work  # noqa: PLC0415

    with Busy(tr("looking for wins")) as busy:
        made = work.make(games or [], folder, url, busy.report)
    if as_json:
        print_json(made.as_json())
    else:
        print("\n".join(made.lines()))
