"""The options and arguments that several commands have; their help is silent of locked chapters."""

import copy
import functools
import inspect
import os
import sys
from collections.abc import Callable
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand

from chronotable_host import chapters, packages
from chronotable_host.errors import UserError
from chronotable_host.game_choice import STANDARD
from chronotable_host.language import tr

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk


def secret(param: typer.CallbackParam, value: str | None) -> str | None:
    """Return what was given as a secret; `-` asks for it: others see the words of a command.

    Raises UserError where nothing is answered.
    """
    if value != "-":
        return value
    asked = tr("{what} (it is not shown): ", what=param.metavar)
    said = getpass(asked) if sys.stdin.isatty() else sys.stdin.readline()
    if not said.strip():
        raise UserError(
            tr("{what} is needed, and was not typed; type it, or pipe it in", what=param.metavar)
        )
    return said.strip()


def _archive_folder(name: str) -> Path:
    """Return the folder that `--archive` names; raises UserError for what can be none."""
    folder = Path(name)
    if not name:
        problem = tr(
            "--archive '': the name of the folder is empty; name one, or leave --archive out"
        )
    elif folder.exists() and not folder.is_dir():
        problem = tr(
            "--archive {name}: is a file; name the folder of the games, or a new one", name=name
        )
    elif folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
        problem = tr(
            "--archive {name}: you may not read this folder; ask its owner for the right "
            "to, or name another one",
            name=name,
        )
    else:
        return folder
    raise UserError(problem)


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

# ---- the archive

ArchiveFolder = Annotated[
    Path | None,
    typer.Option(
        "--archive",
        parser=_archive_folder,
        metavar="DIR",
        help="The folder of the games; otherwise CHRONOTABLE_HOME or the user's data folder.",
    ),
]

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        callback=secret,
        help="The database of the index, as SQLAlchemy names it; otherwise CHRONOTABLE_DB or a "
        "file in the folder.",
    ),
]
PlayerName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only games of a player; a part will do.")
]

# ---- what is played

PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="A position, as `show` prints it.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the rules, as strict_two_actions=true; may be repeated.",
    ),
]
PortName = Annotated[
    str, typer.Option(metavar="PORT", help="A device, COM3, socket://host:port, or auto.")
]
TableId = Annotated[
    str,
    typer.Option(
        metavar="ID", help="Which of several tables: how its id begins or ends; see `status`."
    ),
]
ModulesName = Annotated[
    str | None, typer.Option("--modules", metavar="NAME", hidden=True, help="What is played.")
]
LessonNumber = Annotated[
    int | None,
    typer.Option("--lesson", metavar="1..5", help="Learn the game: begin with this lesson."),
]
PuzzleName = Annotated[
    str | None,
    typer.Option(
        "--puzzle",
        metavar="N|today|next",
        help="Solve puzzles, beginning with this one; see `chronotable puzzles`.",
    ),
]
HintSides = Annotated[
    str | None,
    typer.Option(
        "--hints",
        metavar="white|black|both|none",
        help="Who may ask for hints; by itself who plays against a program.",
    ),
]
GameToAnalyse = Annotated[
    str | None,
    typer.Option(
        "--analyse",
        metavar="GAME",
        help="Look at a game of the archive again, on the table: any position of it, turns tried"
        " there, and the best ones.",
    ),
]
DrawNumber = Annotated[
    int | None, typer.Option("--seed", metavar="N", hidden=True, help="Repeat what is drawn.")
]

# ---- the table

Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the table, as brightness=night or hints_black=off; may be repeated.",
    ),
]
KeepEvents = Annotated[
    bool,
    typer.Option(
        "--events", help="Keep what the reeds felt, too, as a script for `chronotable table`."
    ),
]
ClockTimes = Annotated[
    str | None,
    typer.Option(
        metavar="MINUTES[+SECONDS]",
        help="Time for a game, and more for each turn, as 5+3, or 5+3,10+5 for white and black.",
    ),
]
BoardName = Annotated[
    str, typer.Option("--board", metavar="NAME", help="A board's name, or a board file.")
]
RuntimeName = Annotated[
    str, typer.Option("--runtime", metavar="cpython|rp2040", help="Where the firmware runs.")
]
Image = Annotated[
    Path | None,
    typer.Option("--image", metavar="UF2", help="A MicroPython image, for the emulated RP2040."),
]

# ---- the page

Listen = Annotated[
    str | None,
    typer.Option(
        metavar="HOST[:PORT]",
        help="Serve the page to others, too, as 0.0.0.0:8484; the link that is printed lets in.",
    ),
]
PageServed = Annotated[
    bool | None,
    typer.Option("--page/--no-page", help="Serve the page; in a terminal it is, else not."),
]
NoBrowser = Annotated[
    bool, typer.Option("--no-browser", help="Open no browser, only say where the page is.")
]

# ---- a club

ClubBroker = Annotated[
    str | None,
    typer.Option(
        "--club",
        metavar="mqtts://HOST",
        envvar="CHRONOTABLE_CLUB",
        callback=secret,
        help="Tell a club what this table shows and keeps, through this broker; with --token.",
    ),
]
ClubToken = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="CHRONOTABLE_TOKEN",
        callback=secret,
        help="This table's token, as `chronotable club table add` prints it.",
    ),
]
ClubName = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="The table's name in the club; the token of another one is told of.",
    ),
]


class WithChapters(TyperCommand):
    """A command whose help tells of the chapters that are unlocked, and of no other.

    Without any, the help is what the options say of themselves.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        shown = chapters.shown()
        texts = {
            "modules": tr("What is played: {listed}.", listed=", ".join(_playable(shown))),
            "draw": tr("Have {name} draw what it drew with this seed.", name=chapters.NAMES[-1]),
            "option": tr(
                "An option of the rules: {listed}; may be repeated.",
                listed=", ".join(_options(shown)),
            ),
        }
        due = {"modules": 1, "draw": chapters.COUNT, "option": 1}
        params = self.params
        self.params = [copy.copy(param) for param in params]
        for param in self.params:
            if param.name in texts and shown >= due[param.name]:
                option: Any = param
                option.hidden, option.help = False, texts[param.name]
        try:
            super().format_help(ctx, formatter)
        finally:  # the same command may be asked again where less is unlocked
            self.params = params


def _playable(shown: int) -> list[str]:
    """Return what `--modules` takes with so many chapters unlocked."""
    names = [STANDARD, *chapters.NAMES[:shown]]
    return [*names, tr("any of the three joined by +")] if shown == chapters.COUNT else names


def _options(shown: int) -> list[str]:
    """Return what `--option` takes with so many chapters unlocked."""
    known = [option for chapter in range(shown + 1) for option in chapters.options_of(chapter)]
    return [f"{name}={'|'.join(values)}" for name, values in known]


Arguments = TypeVar("Arguments")
Result = TypeVar("Result")


def takes(
    arguments: Callable[..., Arguments],
) -> Callable[[Callable[[Arguments], Result]], Callable[..., Result]]:
    """Make a command for Typer of a function of one argument, an object of a NamedTuple class.

    Typer reads from a function's parameters what may be typed; here these are the class's fields,
    annotated as Typer wants parameters to be.
    """
    types = get_type_hints(arguments, include_extras=True)
    signature = inspect.signature(arguments)
    parameters = [
        each.replace(annotation=types[each.name]) for each in signature.parameters.values()
    ]

    def command_of(function: Callable[[Arguments], Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def command(**values: Any) -> Result:
            return function(arguments(**values))

        command.__annotations__ = types
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return command_of


class ClubArguments(NamedTuple):
    """What was typed of a club: its broker, the table's token, what the table is called."""

    broker: str | None
    token: str | None
    name: str | None

    def check(self) -> bool:
        """Tell whether the table belongs to a club; raises UserError where that is half said."""
        if self.broker is None:
            if self.name is not None:
                raise UserError(tr("--as belongs to --club"))
            return False
        if self.token is None:
            raise UserError(
                tr("--club needs the table's --token; `chronotable club table add` prints one")
            )
        return True

    def join(self, desk: "Desk", plays_alone: bool = False) -> None:
        """Have the club told of a table, if there is one; raises UserError, OSError.

        A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
        """
        if self.check():
            packages.clubs().join(desk, self.broker or "", self.token or "", self.name, plays_alone)
