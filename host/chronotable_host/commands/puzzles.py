"""`puzzles`: positions in which a win is to be found: listed, solved, made of one's own games."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from chronotable_host import chapters
from chronotable_host.archive.parsing import Progress
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.options import ArchiveFolder, DatabaseUrl, Json
from chronotable_host.commands.common.terminal import Busy, console, print_json
from chronotable_host.commands.common.typed_lines import ask_turn
from chronotable_host.errors import printable
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.learning.puzzles.making import puzzles_of
from chronotable_host.learning.puzzles.puzzle import Puzzle, PuzzleBox
from chronotable_host.learning.puzzles.standing import (
    Standing,
    Tries,
    asked_number,
    standing_says,
    todays_number,
)
from chronotable_host.learning.puzzles.trial import ON, SOLVED, WRONG, Trial, hint_of, reply_says
from chronotable_host.rules.board_drawing import can_draw_lines, draw
from chronotable_host.rules.notation import PLAYERS, format_modules
from ttykm import objects
from ttykm.game import Game

_TOLD = {None: "", True: tr_c("a puzzle", "solved"), False: tr_c("a puzzle", "missed")}

app = typer.Typer()
_family = typer.Typer(help="List puzzles, solve one, make some of your games.")
app.add_typer(_family, name="puzzles")

Player = Annotated[
    str, typer.Option(metavar="NAME", help="Whose rating it is; each name has its own.")
]


@_family.callback(invoke_without_command=True)
def puzzles(
    context: typer.Context, player: Player = "", folder: ArchiveFolder = None, as_json: Json = False
) -> None:
    """List the puzzles, the easiest first, and how you do: find the win, whatever is answered."""
    if context.invoked_subcommand is not None:
        return
    listed = PuzzleList(player, folder)
    if as_json:
        print_json(listed.as_json())
    else:
        print("\n".join(listed.lines()))


@_family.command()
def play(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|today|next",
            help="Its number, the one of the day, or one that you have not tried, as hard as fits.",
        ),
    ] = "next",
    player: Player = "",
    folder: ArchiveFolder = None,
) -> int:
    """Solve a puzzle: type turns, or hint; the other side answers with its longest defence.

    The first try counts for your rating, without a hint. The exit status is 1 where it is not
    solved.
    """
    archive = Archive(folder).folder
    box, tries = PuzzleBox(archive), Tries(archive)
    number = asked_number(which, archive, player)
    puzzle = box.get(number)
    trial = Trial(puzzle)
    is_clean = True

    def note(is_solved: bool) -> None:
        if tries.note(player, puzzle, is_solved):
            print(standing_says(tries.standing(player)))

    def hint() -> None:
        nonlocal is_clean
        is_clean = False
        print(hint_of(trial))

    print(tr("Puzzle {number}: {says}", number=number, says=puzzle.says))
    _draw(trial.game)
    while not trial.is_solved:
        turn = ask_turn(trial.game, hint)
        if turn is None:
            return 1
        reply = trial.play(turn)
        print(reply_says(reply, trial))
        if reply.verdict != WRONG:
            _draw(trial.game)
        if reply.verdict != ON:
            is_clean = is_clean and reply.verdict == SOLVED
            note(is_clean)
    return 0


@_family.command()
def make(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Games, as `show` takes them; else all."),
    ] = None,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Make puzzles of your games: of positions in which a win in one to three turns was there."""
    with Busy(tr("looking for wins")) as busy:
        made = puzzles_made(games or [], folder, url, busy.report)
    if as_json:
        print_json(made.as_json())
    else:
        print("\n".join(made.lines()))


class PuzzleList:
    """The puzzles as they are listed, and how a player does at them."""

    def __init__(self, player: str, folder: Path | None) -> None:
        archive = Archive(folder).folder
        self._puzzles = list(PuzzleBox(archive).open())
        self._standing = Tries(archive).standing(player)
        self._today = todays_number()

    def lines(self) -> Iterator[str]:
        """Yield what people read."""
        for number, puzzle in self._puzzles:
            told = [tr("today's")] if number == self._today else []
            told += [name] if (name := _TOLD[self._standing.tells(puzzle)]) else []
            more = f"  ({', '.join(told)})" if told else ""
            yield f"{number:4}  {puzzle.rating:4}  {puzzle.says}{more}"
        yield standing_says(self._standing)

    def as_json(self) -> dict[str, Any]:
        """Return what programs read; `solved` is null where a puzzle was not tried."""
        return {
            "today": self._today,
            "standing": standing_json(self._standing),
            "puzzles": [
                {**puzzle_json(number, each), "solved": self._standing.tells(each)}
                for number, each in self._puzzles
            ],
        }


def standing_json(standing: Standing) -> dict[str, Any]:
    """Return how a player does, for programs."""
    return {
        "rating": round(standing.rating.value),
        "deviation": round(standing.rating.deviation),
        "streak": standing.streak,
        "best_streak": standing.best_streak,
        "solved": len(standing.solved),
        "missed": len(standing.missed),
    }


def puzzle_json(number: int, puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle without its solution, for programs."""
    return {
        "number": number,
        "key": puzzle.key,
        "position": puzzle.position,
        "player": PLAYERS[puzzle.mover],
        "win": puzzle.win,
        "rating": puzzle.rating,
        "modules": format_modules(puzzle.modules),
        "game": puzzle.game,
    }


class Made(NamedTuple):
    """Puzzles that were found in games, with their numbers."""

    numbers: list[int]
    puzzles: list[Puzzle]
    games: int

    def lines(self) -> Iterator[str]:
        """Yield what people read."""
        for number, puzzle in zip(self.numbers, self.puzzles, strict=True):
            yield f"{number:4}  {puzzle.rating:4}  {puzzle.says}  ({printable(puzzle.game)})"
        yield tr_n(
            "{count} puzzles in {n} game",
            "{count} puzzles in {n} games",
            self.games,
            count=len(self.puzzles),
        )

    def as_json(self) -> list[dict[str, Any]]:
        """Return what programs read."""
        return [puzzle_json(*pair) for pair in zip(self.numbers, self.puzzles, strict=True)]


def puzzles_made(
    games: Sequence[str], folder: Path | None, url: str | None, progress: Progress
) -> Made:
    """Find puzzles in archived games, all of them where none is named, and keep them.

    Raises UserError, and what reading and writing raise.
    """
    typed = " ".join(games)
    with chapters.discretion(typed), Archive(folder, url, progress) as archive:
        box = PuzzleBox(archive.folder)
        entries = [archive.get(name) for name in games] if games else archive.games()
        made: dict[int, Puzzle] = {}
        read = 0
        for entry in entries:
            record = archive.read(entry).record
            modules = objects.modules_of(record.start)
            if not games and not chapters.is_open(modules, record.options):
                continue
            chapters.require(modules, record.options)
            read += 1
            what = tr("looking for wins in {game}", game=entry.id)
            found: list[Puzzle] = []
            for at, puzzle in enumerate(puzzles_of(record, entry.id), 1):
                progress(at, len(record.turns), what)
                found += [] if puzzle is None else [puzzle]
            made |= zip(box.add(found), found, strict=True)  # what is found stays, if this is ended
        return Made([*made], [*made.values()], read)


def _draw(game: Game) -> None:
    sys.stdout.flush()
    console().print(draw(game.state, unicode=can_draw_lines(sys.stdout.encoding)))
