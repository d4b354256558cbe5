"""`rules`, `legal` and `perft`: the rules, told and asked directly."""

import textwrap
from array import array
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host.commands.common.options import (
    GameOptions,
    Json,
    PositionArgument,
    WithChapters,
)
from chronotable_host.commands.common.terminal import Busy, console, option_bits, print_json
from chronotable_host.game_choice import read_position
from chronotable_host.language import tr
from chronotable_host.rulebook import book
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.perft import perft as count_turns
from chronotable_host.rules.rule_files import Rule
from ttykm.game import Game

if TYPE_CHECKING:
    from rich.text import Text

app = typer.Typer()

_WIDTH = 80  # columns: longer lines are hard to read, however wide the terminal is
_INDENT = 5  # columns for the number of a rule


def _complete(incomplete: str) -> list[str]:
    """Return the numbers of rules that begin with what was typed, in capitals or not."""
    begun = incomplete.upper()
    found = (number for number in book.rules() if number.startswith(begun))
    return [incomplete + number[len(begun) :] for number in found]


@app.command()
def rules(
    number: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NUMBER",
            help="Only these, as T12 or T16-T27; without one, all.",
            autocompletion=_complete,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the rules; messages name them by number, as (T12).

    The rules of a chapter are printed once it is unlocked.
    """
    wanted = book.find(number) if number else [*book.rules().values()]
    if as_json:
        print_json([rule._asdict() for rule in wanted])
        return
    screen = console()
    width = min(screen.width, _WIDTH)
    if number:
        for rule in wanted:
            screen.print(_rule_lines(rule, width))
        return
    for at, part in enumerate(book.parts()):
        screen.print("\n" * bool(at) + part.title, style="bold")
        screen.print("=" * len(part.title) + "\n" + textwrap.fill(part.setup, width))
        for section in part.sections:
            screen.print("\n" + section.title, style="bold")
            screen.print("-" * len(section.title))
            for rule in section.rules:
                screen.print(_rule_lines(rule, width))


def _rule_lines(rule: Rule, width: int) -> "Text":
    """Return a rule in lines of so many columns, its number standing out on the left."""
    from rich.text import Text  # noqa: PLC0415 - the other commands draw nothing

    begin = f"{rule.number:{_INDENT}}{rule.title}."
    text = textwrap.fill(f"{begin} {rule.text}", width, subsequent_indent=" " * _INDENT)
    told = Text(text)
    told.stylize("bold", 0, len(begin))
    return told


@app.command(cls=WithChapters)
def legal(position: PositionArgument, option: GameOptions = None, as_json: Json = False) -> None:
    """List the legal turns of a position.

    Each comes with the position after it.
    """
    game = Game()
    game.start(read_position(position), option_bits(option))
    after = array("H", game.state)
    found: list[tuple[str, str]] = []
    for turn in game.legal_turns():
        game.after(turn, after)
        found.append((format_turn(turn), format_position(after)))
    if as_json:
        print_json([{"turn": name, "position": text} for name, text in found])
        return
    width = max(len(name) for name, _ in found)
    for name, text in found:
        print(f"{name:{width}}  {text}")


@app.command(cls=WithChapters)
def perft(
    position: PositionArgument,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="How many turns deep.")],
    option: GameOptions = None,
    as_json: Json = False,
) -> None:
    """Count turns, positions and wins to a depth.

    A sequence is a line of so many turns; lines that have been won are not continued.
    """
    state, options = read_position(position), option_bits(option)
    rows = []
    if not as_json:
        titles = tr("depth"), tr("sequences"), tr("positions"), tr("wins")
        print("{:>5} {:>14} {:>12} {:>12}".format(*titles))
    with Busy(tr("depth {depth}", depth=1)) as busy:
        for reached, (sequences, positions, wins) in enumerate(
            count_turns(state, depth, options), 1
        ):
            busy.report(
                0,
                what=tr(
                    "depth {depth}, from {count} positions", depth=reached + 1, count=positions
                ),
            )
            if as_json:
                rows.append(
                    {"depth": reached, "sequences": sequences, "positions": positions, "wins": wins}
                )
            else:
                print(f"{reached:5} {sequences:14} {positions:12} {wins:12}", flush=True)
    if as_json:
        print_json(rows)
