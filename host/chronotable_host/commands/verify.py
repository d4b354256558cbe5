"""`verify`: does the engine agree with these files?"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host import chapters
from chronotable_host.archive.store import LAST, Archive
from chronotable_host.commands.common.options import ArchiveFolder, GameOptions, Json, WithChapters
from chronotable_host.commands.common.terminal import Busy, option_bits, print_json, read_text
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.vectors import Tally, verify_text

if TYPE_CHECKING:
    from chronotable_host.vectors import Difference

app = typer.Typer()

DEFAULT_DEPTH = 3

_WITHHELD = tr("something of a chapter that is not unlocked here")


@app.command(cls=WithChapters)
def verify(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Records or vector files, or games as `show` takes them; - for stdin.",
        ),
    ],
    depth: Annotated[
        int, typer.Option(min=1, metavar="N", help="How deep to check rows of perft files.")
    ] = DEFAULT_DEPTH,
    option: GameOptions = None,
    folder: ArchiveFolder = None,
    as_json: Json = False,
) -> int:
    """Replay records and rule vectors.

    The first difference of each game, example or position is named, and the status is 1 then.
    Options hold for cases that do not say theirs.
    """
    options = option_bits(option)
    tally = Tally()
    differences = []
    with Busy(tr("verifying")) as busy:
        for file in files:
            text = read_text(_file_of(file, folder))
            busy.report(0, what=printable(file))
            with chapters.discretion(text):
                for found in verify_text(text, file, tally, options, depth, busy.report):
                    difference = _discreet_difference(found, text)
                    differences.append(difference.as_dict())
                    if not as_json:
                        print(printable(str(difference)))
    if as_json:
        print_json(
            {
                "passed": tally.passed,
                "failed": tally.failed,
                "not_covered": tally.not_covered,
                "too_deep": tally.too_deep,
                "differences": differences,
            }
        )
    else:
        if tally.too_deep:
            print(
                tr(
                    "{too_deep} perft rows deeper than {depth} were not checked and count as "
                    "not covered; --depth takes more",
                    too_deep=tally.too_deep,
                    depth=depth,
                )
            )
        print(tally)
    return 1 if tally.failed else 0


def _file_of(name: str, folder: Path | None) -> str:
    """Return the file of this name, or that of a game of the archive.

    Raises UserError where `last` is asked for and there is none.
    """
    if name == "-" or Path(name).exists():
        return name
    try:
        with Archive(folder) as archive:
            return str(archive.folder / archive.get(name, with_nights=True).file)
    except UserError:
        if name.lower() == LAST:
            raise
        return name  # reading it says what is wrong


def _discreet_difference(difference: "Difference", text: str) -> "Difference":
    """Return a difference without what a locked chapter says, but for words of the file's text."""
    expected, got = (
        _WITHHELD if chapters.gives_away(said, text) else said
        for said in (difference.expected, difference.got)
    )
    return replace(difference, expected=expected, got=got)
