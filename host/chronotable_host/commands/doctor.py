"""`doctor`: a guided examination of the table, and of what keeps the PC from it."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_host.commands.shared import Json, PortName, TableId
from chronotable_host.commands.table import BoardName
from chronotable_host.errors import UserError
from chronotable_host.language import tr

app = typer.Typer()


@app.command()
def doctor(
    port: PortName = "auto",
    table: TableId = "",
    ports: Annotated[
        bool, typer.Option("--ports", help="Only look at this computer's ports; open none.")
    ] = False,
    virtual: Annotated[
        bool,
        typer.Option("--virtual", help="Rehearse it on a virtual table; what you type are hands."),
    ] = False,
    faults: Annotated[
        int,
        typer.Option(
            min=0,
            max=5,
            metavar="N",
            help="With --virtual: so many faults, at random, to be found.",
        ),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="With --virtual: the same faults once more.")
    ] = None,
    board: BoardName = "reference",
    as_json: Json = False,
) -> int:
    """Examine the table with you: every reed, light, button and diode, the colours, the supply.

    It says what to do, step by step; Enter says that something does not answer, n leaves the rest
    of a step out, help tells the keys, q stops. What is wired otherwise than the board file says is
    learned. The exit status is 0 where nothing is found, 1 where something is or the examination is
    stopped.
    """
    if ports:
        from chronotable_host.commands.doctor_ports import show_ports  # noqa: PLC0415

        show_ports(port, table, None, as_json)
        return 0
    if virtual:
        if port != "auto" or table:
            raise UserError(tr("a virtual table has no port: leave --port and --table out"))
        from chronotable_host.commands.doctor_rehearsal import rehearse  # noqa: PLC0415

        return rehearse(board, faults, seed, as_json)
    if faults or seed is not None:
        raise UserError(tr("--faults and --seed are for a virtual table: add --virtual"))
    from chronotable_host.commands.doctor_work import examine  # noqa: PLC0415

    return examine(port, table, as_json)
