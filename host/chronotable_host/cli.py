"""The command `chronotable`: families of commands, one exit status, one line per error.

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

import chronotable_host
from chronotable_host import chapters, output, packages
from chronotable_host.commands import (
    analysis,
    archive,
    boards,
    doctor,
    engine,
    flash,
    play,
    puzzles,
    rules,
    statistics,
    table,
    try_command,
    unlock,
    verify,
)
from chronotable_host.errors import one_line
from chronotable_host.language import LANGUAGE, others, tr

WRONG = 2
_INTERRUPTED = 130
_COMPLETING = "_CHRONOTABLE_COMPLETE"

# what every usage error of typer has been derived from, whichever click it brings along
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _family in (
    *(rules, archive, analysis, statistics, verify, table, boards, play),
    *map(import_module, packages.COMMANDS),
    *(puzzles, doctor, flash, try_command, engine, unlock),
):
    app.add_typer(_family.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chronotable {chronotable_host.__version__}")
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
    if LANGUAGE != "en":
        from chronotable_host.commands import help_texts  # noqa: PLC0415 - English has no need

        help_texts.translate(command)
    return command


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
