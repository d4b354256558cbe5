"""`invite` and `join`: a game between two tables far apart."""

from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.common.options import (
    ArchiveFolder,
    BoardName,
    ClockTimes,
    DrawNumber,
    GameOptions,
    Image,
    Listen,
    ModulesName,
    NoBrowser,
    PortName,
    RuntimeName,
    Settings,
    WithChapters,
    secret,
    takes,
)

app = typer.Typer()

Broker = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="CHRONOTABLE_BROKER",
        callback=secret,
        help="The broker between the tables, as mqtts://user:password@host; else one is started"
        " here, for this network.",
    ),
]
BrokerOfLink = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="CHRONOTABLE_LINK_BROKER",
        callback=secret,
        help="The broker, where it is another one than the link says.",
    ),
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="What you are called.")]
Chat = Annotated[
    bool, typer.Option("--chat/--no-chat", help="A line of chat, if the other end wants it, too.")
]
AtTable = Annotated[
    bool, typer.Option("--table", help="Play at the real table; else at a virtual one on the page.")
]
PageBesideTable = Annotated[
    bool | None,
    typer.Option(
        "--page/--no-page", help="With --table: serve the page, too; in a terminal it is, else not."
    ),
]


class InviteArguments(NamedTuple):
    """What `invite` takes."""

    broker: Broker = None
    white: Annotated[
        bool | None,
        typer.Option("--white/--black", help="Your colour in the first game; else white."),
    ] = None
    name: Name = ""
    modules: ModulesName = None
    draw: DrawNumber = None
    option: GameOptions = None
    clock: ClockTimes = None
    chat: Chat = True
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game far apart that was played last.")
    ] = False
    table: AtTable = False
    port: PortName = "auto"
    settings: Settings = None
    runtime: RuntimeName = "cpython"
    image: Image = None
    board: BoardName = "reference"
    page: PageBesideTable = None
    listen: Listen = None
    no_browser: NoBrowser = False
    archive: ArchiveFolder = None


class JoinArguments(NamedTuple):
    """What `join` takes."""

    link: Annotated[
        str,
        typer.Argument(
            metavar="LINK",
            envvar="CHRONOTABLE_LINK",
            callback=secret,
            show_default=False,
            help="The link, in quotes, or the nine words; without them it asks.",
        ),
    ] = "-"
    broker: BrokerOfLink = None
    name: Name = ""
    chat: Chat = True
    table: AtTable = False
    port: PortName = "auto"
    settings: Settings = None
    runtime: RuntimeName = "cpython"
    image: Image = None
    board: BoardName = "reference"
    page: PageBesideTable = None
    listen: Listen = None
    no_browser: NoBrowser = False
    archive: ArchiveFolder = None


@app.command(cls=WithChapters)
@takes(InviteArguments)
def invite(arguments: InviteArguments) -> int:
    """Invite somebody far away to the other side of your table.

    It prints a link, and the same as words and as a QR code; whoever has it plays. Everything that
    goes through the broker is sealed with it.
    """
    from chronotable_far.commands.far_work import invite_to  # noqa: PLC0415

    return invite_to(arguments)


@app.command()
@takes(JoinArguments)
def join(arguments: JoinArguments) -> int:
    """Play with whoever invited you, by the link.

    The same link goes on with the game later, also elsewhere.
    """
    from chronotable_far.commands.far_work import join_by  # noqa: PLC0415

    return join_by(arguments)
