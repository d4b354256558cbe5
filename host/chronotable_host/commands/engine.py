"""`engine`, `match`, `endgames`: the built-in player for other programs, matches, known endings."""

import io
import math
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from chronotable_host.commands.common.options import GameOptions, Json, ModulesName, WithChapters
from chronotable_host.commands.common.terminal import Busy, option_bits, print_json, read_text
from chronotable_host.engine.endgames import Material, file_name, folders, tablebase
from chronotable_host.engine.match import Score, opening, play_as, sprt_bounds
from chronotable_host.engine.service import Engine
from chronotable_host.engine.thinkers import ProgramSeat, chooser_of, parse_program
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game, read_position
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.output import say
from chronotable_host.rules.notation import NotationError
from ttykm.layout import BLACK, WHITE

Bounds = tuple[float, float]

app = typer.Typer()

SeatName = Annotated[
    str, typer.Argument(metavar="PLAYER", help="level:1 to level:8, random, or engine:PATH.")
]


@app.command()
def engine() -> int:
    """Speak the engine protocol on stdin and stdout, for programs; `quit` ends it."""

    def say(line: str) -> None:
        print(line, flush=True)

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    Engine(say).serve(sys.stdin)
    return 0


@app.command(cls=WithChapters)
def match(
    first: SeatName,
    second: SeatName,
    games: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="How many games are played.")
    ] = 20,
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Positions to begin with, one a line, `-` for stdin; else random ones.",
        ),
    ] = None,
    limits: Annotated[
        str,
        typer.Option(
            "--go",
            metavar="LIMITS",
            help="How long they think, as in 'nodes 3000' or 'movetime 1000'; else as they like.",
        ),
    ] = "",
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="End as soon as it is clear which of two differences in Elo is the true one.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of openings and of chance.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games at a time; else as many as cores.")
    ] = None,
    modules: ModulesName = None,
    option: GameOptions = None,
    as_json: Json = False,
) -> int:
    """Have two players play a match: each opening twice, with the sides swapped."""
    settings = settings_of(
        first, second, games, openings, modules, option_bits(option), limits, sprt, seed, jobs
    )
    with Busy(tr("playing")) as busy:
        found = play_match(
            settings, lambda done: busy.report(done, games, tr_c("being counted", "games"))
        )
    if as_json:
        print_json(found.as_json())
    else:
        for line in found.lines():
            print(line)
    return 0


class Settings(NamedTuple):
    """Everything that a match depends on."""

    first: ProgramSeat
    second: ProgramSeat
    games: int
    openings: "list[array[int]]"
    """Each is played with the first player on either side; after the last one, the first again."""
    limits: str
    sprt: Bounds | None
    seed: int
    jobs: int | None
    options: int


class MatchReport(NamedTuple):
    """How a match went, seen from the first player."""

    settings: Settings
    score: Score
    verdict: str
    """What the test of two differences found, "" for no test or no end of it."""

    def lines(self) -> Iterator[str]:
        """Yield what people read."""
        score = self.score
        low, middle, high = score.elo()
        first, second = self.settings.first.name, self.settings.second.name
        yield tr(
            "{first} against {second}: {won} won, {drawn} drawn, {lost} lost",
            first=first,
            second=second,
            won=score.won,
            drawn=score.drawn,
            lost=score.lost,
        )
        yield tr(
            "Elo {elo}, at 95 % between {low} and {high}",
            elo=_number(middle),
            low=_number(low),
            high=_number(high),
        )
        if self.settings.sprt:
            yield self.verdict or tr("the test has not ended: more games are needed")

    def as_json(self) -> dict[str, Any]:
        """Return what programs read; an Elo without a limit is null."""
        low, middle, high = (
            round(each, 1) if math.isfinite(each) else None for each in self.score.elo()
        )
        return {
            "first": self.settings.first.name,
            "second": self.settings.second.name,
            **self.score._asdict(),
            "elo": middle,
            "elo_low": low,
            "elo_high": high,
            "sprt": self.verdict or None,
        }


def settings_of(
    first: str,
    second: str,
    games: int,
    openings: str | None,
    modules: str | None,
    options: int,
    limits: str,
    sprt: str | None,
    seed: int,
    jobs: int | None,
) -> Settings:
    """Return what was typed, understood; raises UserError and LockedError."""
    seats = parse_program(first), parse_program(second)
    if limits and seats[0].level and seats[1].level:
        raise UserError(
            tr("with --go both levels would play alike: levels are how far players look")
        )
    positions = _openings(openings, modules, options, seed, games)
    return Settings(*seats, games, positions, limits, _bounds(sprt), seed, jobs, options)


def _openings(
    name: str | None, modules: str | None, options: int, seed: int, games: int
) -> "list[array[int]]":
    if name is None:
        played = choose_game(modules).modules
        return [opening(seed + number, played, options) for number in range((games + 1) // 2)]
    if modules is not None:
        raise UserError(
            tr("--modules and --openings do not go together: positions say what is played")
        )
    found = []
    for number, line in enumerate(read_text(name).splitlines(), 1):
        if line.strip():
            try:
                found.append(read_position(line))
            except NotationError as error:
                raise UserError(
                    tr("{name}, line {number}: {error}", name=name, number=number, error=error)
                ) from error
    if not found:
        raise UserError(tr("{name}: has no position; one stands on a line", name=name))
    return found


def _bounds(text: str | None) -> Bounds | None:
    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        low = high = 0.0
    if not -2000 < low < high < 2000:
        raise UserError(
            tr(
                "--sprt '{text}': two differences in Elo, the smaller first, as in '0,50'",
                text=text,
            )
        )
    return low, high


def play_match(settings: Settings, tell: Callable[[int], None]) -> MatchReport:
    """Play the games; `tell` hears how many are over. Raises EngineError."""
    score, verdict = Score(), ""
    with ProcessPoolExecutor(settings.jobs) as pool:
        games = [pool.submit(_game, settings, number) for number in range(settings.games)]
        try:
            for each in as_completed(games):
                score = score.plus(*each.result())
                tell(score.games)
                if verdict := _verdict(settings, score):
                    break
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return MatchReport(settings, score, verdict)


def _game(settings: Settings, number: int) -> tuple[int, int]:
    """Play one of the games; return who won, and the side of the first player."""
    side = (WHITE, BLACK)[number % 2]
    start = settings.openings[number // 2 % len(settings.openings)]
    seed = settings.seed + number
    limits = settings.limits
    with (
        chooser_of(settings.first, seed, limits) as first,
        chooser_of(settings.second, seed, limits) as second,
    ):
        return play_as(side, first, second, start, settings.options)


def _verdict(settings: Settings, score: Score) -> str:
    if settings.sprt is None:
        return ""
    low, high = settings.sprt
    least, most = sprt_bounds()
    evidence = score.evidence(low, high)
    if least < evidence < most:
        return ""
    found, other = (high, low) if evidence >= most else (low, high)
    return tr_n(
        "the test has ended after {n} games: {found:+.0f} rather than {other:+.0f}",
        "the test has ended after {n} games: {found:+.0f} rather than {other:+.0f}",
        score.games,
        found=found,
        other=other,
    )


def _number(elo: float) -> str:
    if math.isfinite(elo):
        return f"{elo + 0.0:+.0f}"
    return tr("+infinite") if elo > 0 else tr("-infinite")


_EVERY_S = 30

_family = typer.Typer(help="Work out how positions with few pieces end.", no_args_is_help=True)
app.add_typer(_family, name="endgames")


class PiecesName(str, Enum):
    """How many pieces both players have, on the boards and in supply."""

    TWO_TWO = "2v2"
    THREE_TWO = "3v2"
    THREE_THREE = "3v3"


@_family.command()
def make(
    which: Annotated[
        PiecesName, typer.Argument(metavar="PIECES", help="Of both players: 2v2, 3v2 or 3v3.")
    ] = PiecesName.THREE_THREE,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where the file goes; else beside the games."),
    ] = None,
) -> int:
    """Work out who wins with so many pieces, and in how many turns; begun work is gone on with."""
    try:
        from chronotable_host.engine.endgames_making import Maker  # noqa: PLC0415 - needs an extra
    except ImportError as error:
        raise UserError(
            tr("endgames are worked out with numpy; in the clone: `pip install -q '.[endgames]'`")
        ) from error
    material = Material(*map(int, which.value.split("v")))
    for each in material.closed()[:-1]:
        if tablebase(each) is None:
            name = f"{each.own}v{each.other}"
            raise UserError(tr("first comes `chronotable endgames make {pieces}`", pieces=name))
    folder = out or folders()[-1]
    path = folder / file_name(material)
    maker = Maker(material, path.with_suffix(".work"))
    begun = told = time.monotonic()

    def tell(line: str) -> None:
        nonlocal told
        told = time.monotonic()
        say(tr("{min} min: {what}", min=round((told - begun) / 60), what=line))

    for done, count in maker.prepare():
        if time.monotonic() - told > _EVERY_S or done == count:
            tell(tr("{done} of {count} parts are prepared", done=done, count=count))
    for turns, count in maker.solve():
        tell(tr("{count} positions end in {turns} turns of both", count=count, turns=turns))
    maker.finish(path)
    print(path)
    return 0
