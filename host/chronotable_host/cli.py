"""The command `chronotable`: its commands by name, one exit status, one line per error.

Of each command the list of all says what its help begins with; its module, with all that it needs,
is imported when it is the one that was typed.

A command returns its exit status: 0 (or None) for yes, 1 for no. Whatever is wrong with the use or
the input ends here as one line on stderr and status 2. Of a chapter that is locked the line names
nothing but what was typed.
"""

import functools
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import chronotable_host
from chronotable_host import chapters, output, packages
from chronotable_host.commit import commit
from chronotable_host.errors import one_line
from chronotable_host.language import LANGUAGE, others, tr
from chronotable_host.packages import CommandEntry

WRONG = 2
_INTERRUPTED = 130
_COMPLETING = "_CHRONOTABLE_COMPLETE"

# what every usage error of typer has been derived from, whichever click it brings along
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_HERE = "chronotable_host.commands."
COMMANDS: dict[str, CommandEntry] = {
    "rules": CommandEntry(
        _HERE + "rules", "Print the rules; messages name them by number, as (T12)."
    ),
    "legal": CommandEntry(_HERE + "rules", "List the legal turns of a position."),
    "perft": CommandEntry(_HERE + "rules", "Count turns, positions and wins to a depth."),
    "games": CommandEntry(
        _HERE + "archive", "List the games, the newest first, with those of games nights."
    ),
    "show": CommandEntry(_HERE + "archive", "Show a game: headers, boards and turns."),
    "replay": CommandEntry(_HERE + "archive", "Step through a game, from a turn on."),
    "export": CommandEntry(
        _HERE + "archive", "Write games as records, or one of them to be shared."
    ),
    "import": CommandEntry(_HERE + "archive", "Take games into the archive."),
    "analyse": CommandEntry(_HERE + "analysis", "Find out what each turn of games was worth."),
    "statistics": CommandEntry(
        _HERE + "statistics", "Count the games: results, think times, openings."
    ),
    "verify": CommandEntry(_HERE + "verify", "Replay records and rule vectors."),
    "table": CommandEntry(_HERE + "table", "Run the firmware against a script of physical events."),
    "boards": CommandEntry(
        _HERE + "boards",
        "List the boards, check a board file, draw one; circuit boards, prints, parts.",
    ),
    "lights": CommandEntry(_HERE + "boards", "Draw all lights and buttons on one page."),
    "play": CommandEntry(_HERE + "play", "Mirror, show and log the game on a real table."),
    **packages.COMMANDS,
    "puzzles": CommandEntry(_HERE + "puzzles", "List puzzles, solve one, make some of your games."),
    "doctor": CommandEntry(
        _HERE + "doctor", "Examine the table with you: every reed, light, button."
    ),
    "flash": CommandEntry(_HERE + "flash", "Install the firmware on the table, or update it."),
    "site": CommandEntry(
        _HERE + "site",
        "Write a folder that any web server publishes, and in which a browser alone plays.",
    ),
    "try": CommandEntry(_HERE + "try_command", "Play on a virtual table: hands lift and place."),
    "engine": CommandEntry(_HERE + "engine", "Speak the engine protocol on stdin and stdout."),
    "match": CommandEntry(_HERE + "engine", "Have two players play a match."),
    "endgames": CommandEntry(_HERE + "engine", "Work out how positions with few pieces end."),
    "help": CommandEntry(_HERE + "help", "Read about lights, buttons, clocks and all else."),
    "unlock": CommandEntry(_HERE + "unlock", "Unlock the next chapter, when you open its box."),
}


class CommandList(TyperGroup):
    """The commands, each of which is loaded when it is typed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {
            name: TyperCommand(name, help=listed.summary) for name, listed in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name of the command that was typed, the command, and the words behind it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load_command(name or ""), rest


def load_command(name: str) -> Any:
    """Return a command, with those below it and all that they say of themselves."""
    family = typer.Typer(rich_markup_mode=None)
    family.add_typer(import_module(COMMANDS[name].module).app)
    command = typer.main.get_group(family).commands[name]
    _translate(command)
    return command


app = typer.Typer(
    cls=CommandList,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        known = f" ({found})" if (found := commit()) else ""
        typer.echo(f"chronotable {chronotable_host.__version__}{known}")
        raise typer.Exit


@app.callback()
def _chronotable(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """A companion for a physical table of That Time You Killed Me."""


def run(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; `args` are the words behind `chronotable`."""
    words = list(sys.argv[1:] if args is None else args)
    status = run_app(app, "chronotable", words or ["--help"])
    return status or (0 if words else WRONG)


def run_app(of: typer.Typer, name: str, words: Sequence[str]) -> int:
    """Run what `words` say of some commands, whose program is called `name`, as `run` does."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name must not break a terminal without Unicode
            stream.reconfigure(errors="replace")
    if _COMPLETING in os.environ:  # a shell takes that, tabs and all
        return _run(of, name, words)
    with output.cleaned():
        return _run(of, name, words)


def _run(of: typer.Typer, name: str, words: Sequence[str]) -> int:
    try:
        status = _command(of).main(list(words), prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except _UsageError as error:
        return _complain(name, _discreet(_usage_line(error, name), words))
    except typer.Abort:
        return _complain(name, tr("interrupted"), _INTERRUPTED)
    except (BrokenPipeError, SystemExit) as error:
        # The reader has seen enough, as in `chronotable games | head`; typer exits with 1 then.
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        line = one_line(error)
        if line is None:
            raise
        return _complain(name, _discreet(line, words))
    return status if isinstance(status, int) else 0


@functools.cache
def _command(of: typer.Typer) -> Any:
    """Return the command behind some commands: typer reads all their signatures to make it."""
    command = typer.main.get_command(of)
    _translate(command)
    return command


def _translate(command: Any) -> None:
    if LANGUAGE != "en":
        others.translate(command)


def _complain(name: str, line: str, status: int = WRONG) -> int:
    print(f"{name}: {line}", file=sys.stderr)
    return status


def _discreet(line: str, words: Sequence[str]) -> str:
    """Return a line about what was typed; who knows what else was read was discreet already."""
    return chapters.discreet(line, " ".join(words), may_quote=True)


def _usage_line(error: Exception, name: str) -> str:
    """Return a usage error on one line, with where to find help."""
    message = " ".join(error.format_message().split()).rstrip(".")  # type: ignore[attr-defined]
    message = others.translated(message, others.WRONG_USE)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else name
    return tr("{message}; see '{path} --help'", message=message, path=path)
