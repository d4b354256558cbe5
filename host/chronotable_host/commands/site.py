"""`site`: the folder of a page that needs nothing else."""

from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.language import tr
from chronotable_host.output import say

app = typer.Typer()


@app.command()
def site(
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="A new folder, or an empty one.")
    ],
    pyodide: Annotated[
        Path | None,
        typer.Option(
            "--pyodide",
            metavar="FOLDER|FILE",
            help="npm's package `pyodide`, as a folder or as an archive; else npm's cache has it.",
        ),
    ] = None,
) -> None:
    """Write a folder that any web server publishes, and in which a browser alone plays.

    `chronotable help site` tells how. Nothing is fetched: `npm pack pyodide@314.0.7` does that.
    """
    from chronotable_host.site.building import build  # noqa: PLC0415

    if not build(to, pyodide):
        say(
            tr(
                "Its modules are not compiled, so that it begins more slowly: that needs node, or "
                "Python 3.14."
            )
        )
    print(to)
