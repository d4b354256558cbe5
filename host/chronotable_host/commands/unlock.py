"""`unlock`: the next chapter, when its box is opened."""

import sys
from typing import Annotated

import typer

from chronotable_host import chapters
from chronotable_host.commands.common.options import Json
from chronotable_host.commands.common.terminal import STATUS_NO, is_terminal, print_json
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.language.names import YES
from chronotable_host.output import say
from chronotable_host.rulebook.book import BRINGS, SIGNS

app = typer.Typer()

_QUESTIONS = (  # per chapter: what its options settle
    (tr("may a copy walk into what does not give way, and die of it?"),),
    (tr("a statue that cannot be built in a later era: turned back, or left out?"),),
    (tr("may a copy walk into an elephant, and die of it?"),),
    (tr("does a tree vanish with the shrub that an elephant tramples?"),),
)
_AT_THE_TABLE = tr(
    "At the table moves are just made. Everything else begins with your action button: tap the "
    "copy that acts if several are lit, press on until the kind of action is lit that you want, "
    "and tap a lit space: lift what lies there and put it back, or touch it with a magnet. Another "
    "press takes the choice back. What is to be done in later eras is lit, era by era."
)


@app.command()
def unlock(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say how many chapters are unlocked, and which.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Unlock the next chapter, when you open its box.

    Until then nothing here tells what is in it.
    """
    count = chapters.unlocked()
    if status:
        _print_status(count, as_json)
        return 0
    if count == chapters.COUNT:
        say(tr("All {count} chapters are unlocked already.", count=count))
        return STATUS_NO
    if not yes and not is_terminal():
        raise UserError(tr("nobody can be asked without a terminal: --yes unlocks without asking"))
    say(
        tr(
            "This unlocks chapter {number} of {count}: from then on Chronotable plays it and "
            "names what is in it. Do it when you open the box of that chapter.",
            number=count + 1,
            count=chapters.COUNT,
        )
    )
    if not yes and not _is_sure():
        say(tr("Nothing was unlocked."))
        return STATUS_NO
    chapters.unlock_to(count + 1)
    _print_chapter(count + 1, as_json)
    return 0


def _is_sure() -> bool:
    """Ask in the terminal."""
    say(tr("Unlock it now? Type yes or no."))
    return sys.stdin.readline().strip().lower() in YES


def _print_status(count: int, as_json: bool) -> None:
    names = chapters.NAMES[:count]
    if as_json:
        print_json({"unlocked": count, "chapters": list(names), "of": chapters.COUNT})
        return
    told = tr("{count} of {most} chapters unlocked", count=count, most=chapters.COUNT)
    print(f"{told}: {', '.join(names)}" if names else told)
    print(*filter(None, SIGNS[:count]), sep="\n", end="\n" if names else "")


def _print_chapter(number: int, as_json: bool) -> None:
    """Say what a chapter brings that was just unlocked."""
    name = chapters.NAMES[number - 1]
    options = chapters.options_of(number)
    if as_json:
        known = {option: list(values) for option, values in options}
        print_json({"unlocked": number, "chapter": name, "options": known})
        return
    brings, questions = BRINGS[number - 1], _QUESTIONS[number - 1]
    print(tr("Chapter {number} is open: {name}.", number=number, name=name) + f" {brings}")
    if number == chapters.COUNT:
        print(tr("--modules {name} plays it (the same draw again: --seed N).", name=name))
    else:
        print(tr("--modules {name} plays it.", name=name))
    for (option, values), question in zip(options, questions, strict=True):
        print(f"--option {option}={'|'.join(values)}: {question}")
    print(_AT_THE_TABLE)
    if SIGNS[number - 1]:
        print(SIGNS[number - 1])
