"""`legal` and `perft`: the rules, asked directly."""

from array import array
from typing import Annotated

import typer

from chronotable_host.commands.chosen import WithChapters, read_position
from chronotable_host.commands.shared import (
    Busy,
    GameOptions,
    Json,
    PositionArgument,
    option_bits,
    print_json,
)
from ttykm.game import Game
from ttykm.notation import format_position, format_turn
from ttykm.perft import perft as count_turns

app = typer.Typer()


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
        print(f"{'depth':>5} {'sequences':>14} {'positions':>12} {'wins':>12}")
    with Busy("depth 1") as busy:
        for reached, (sequences, positions, wins) in enumerate(
            count_turns(state, depth, options), 1
        ):
            busy.report(0, what=f"depth {reached + 1}, from {positions} positions")
            if as_json:
                rows.append(
                    {"depth": reached, "sequences": sequences, "positions": positions, "wins": wins}
                )
            else:
                print(f"{reached:5} {sequences:14} {positions:12} {wins:12}", flush=True)
    if as_json:
        print_json(rows)
