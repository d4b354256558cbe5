"""`club tournament`: the tournaments of a club, from the first entry to the last correction."""

import functools
import getpass
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer
from rich.table import Table
from rich.text import Text

from chronotable_club.desk import now, table_order
from chronotable_club.folder import open_club, usual_folder
from chronotable_club.register import Register
from chronotable_club.tournament import directing, events, views
from chronotable_club.tournament.cards import OPEN
from chronotable_club.tournament.state import Tournament
from chronotable_club.tournament_store import StepsOf, TournamentStore
from chronotable_host.commands.common.options import Json, secret
from chronotable_host.commands.common.terminal import console, print_json
from chronotable_host.errors import UserError
from chronotable_host.language import tr

Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="The club's folder; else the user's own."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="CHRONOTABLE_CLUB_DB",
        callback=secret,
        help="The club's database, as postgresql+psycopg://club:password@host/club; else a file"
        " in the club's folder.",
    ),
]


tournament_app = typer.Typer(
    name="tournament",
    no_args_is_help=True,
    help="The tournaments of a club: players, pairings, results, standings.",
)

Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept.")]
Round = Annotated[
    int | None, typer.Option("--round", metavar="N", help="Which round; else the last.")
]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player's name or number.")]

_BYES = {"1": 2, "0.5": 1, "0": 0}
_TOLD: Mapping[str, Callable[[int], str]] = {
    events.PAIRING_TAKEN_BACK: lambda n: tr("the pairing of round {n} is taken back", n=n),
    events.ROUND_STARTED: lambda n: tr("round {n} has begun", n=n),
    events.ROUND_CLOSED: lambda n: tr("round {n} is closed", n=n),
}


class Where(NamedTuple):
    """Which tournament of which club a command is about, and how it is told."""

    which: Annotated[
        str | None,
        typer.Option(
            "--in", metavar="ID", help="Which tournament; else the one that was made last."
        ),
    ] = None
    folder: Folder = None
    db: DatabaseUrl = None
    as_json: Json = False


def _in_tournament(function: Callable[..., int]) -> Callable[..., int]:
    """Make a command for Typer of a function of a `Where` and what is the command's own."""
    types = get_type_hints(function, include_extras=True) | get_type_hints(
        Where, include_extras=True
    )
    _, *own = inspect.signature(function).parameters.values()
    common = [
        each.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for each in inspect.signature(Where).parameters.values()
    ]
    parameters = [each.replace(annotation=types[each.name]) for each in (*own, *common)]

    @functools.wraps(function)
    def command(**values: Any) -> int:
        where = Where(*(values.pop(name) for name in Where._fields))
        return function(where, **values)

    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


@tournament_app.command(name="new")
def new_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the tournament is called.")],
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Rounds of a Swiss.")] = 7,
    system: Annotated[
        str,
        typer.Option("--system", metavar="NAME", help="swiss, round-robin or double-round-robin."),
    ] = "swiss",
    bye: Annotated[
        str, typer.Option("--bye", metavar="POINTS", help="What a bye gives: 1, 0.5 or 0.")
    ] = "1",
    black_first: Annotated[
        bool, typer.Option("--black-first", help="The lot gave black to who is ranked first.")
    ] = False,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Begin a tournament."""
    where = Where(None, folder, db, as_json)
    if bye not in _BYES:
        raise UserError(tr("--bye is 1, 0.5 or 0"))
    initial = "B" if black_first else "W"
    fields = directing.creation(name, system, rounds, initial, _BYES[bye])
    with _open(where) as (_, store):
        made = store.create(now(), _by(), fields).state
    said = tr("'{name}' is called {id}", name=made.name, id=made.id)
    return _print_found(where, views.overview(made), lambda: print(said))


@tournament_app.command(name="list")
def list_tournaments(folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False) -> int:
    """List the tournaments, the latest first."""
    where = Where(None, folder, db, as_json)
    with _open(where) as (_, store):
        found = [views.overview(store.log(name).state) for name in reversed(store.lengths())]
    if where.as_json:
        print_json(found)
        return 0
    for each in found:
        print(f"{each['id']}  {each['name']}  {each['round']}/{each['rounds']}")
    return 0 if found else 1


@tournament_app.command(name="add")
@_in_tournament
def add_(
    where: Where,
    players: Annotated[
        list[str],
        typer.Argument(metavar="PLAYER...", help='Names, with a rating as in "Ada (1600)".'),
    ],
) -> int:
    """Add players."""
    found = directing.parse_players(",".join(players))
    state = _change(where, lambda known: directing.adding(known, found))
    return _entrants(where, state)


@tournament_app.command()
@_in_tournament
def withdraw(where: Where, player: PlayerName) -> int:
    """Pair a player no more."""
    return _of_player(where, player, events.PLAYER_WITHDRAWN)


@tournament_app.command(name="return")
@_in_tournament
def return_(where: Where, player: PlayerName) -> int:
    """Pair a player again who had left."""
    return _of_player(where, player, events.PLAYER_RETURNED)


@tournament_app.command()
@_in_tournament
def bye(
    where: Where,
    player: PlayerName,
    round_number: Annotated[int, typer.Option("--round", metavar="N", help="Which round.")],
    half: Annotated[bool, typer.Option("--half", help="It gives half a point.")] = False,
) -> int:
    """Leave a player out of a round to come, who asked for it."""
    said = {"round": round_number, "points": int(half)}
    return _of_player(where, player, events.BYE_REQUESTED, said)


@tournament_app.command()
@_in_tournament
def pair(
    where: Where,
    by_hand: Annotated[
        list[str] | None,
        typer.Option(
            "--by-hand",
            metavar='"WHITE - BLACK"',
            help="A pair of the director's; give it for each pair, and --reason.",
        ),
    ] = None,
    reason: Reason = "",
    starts: Annotated[bool, typer.Option("--start", help="Begin the round at once.")] = False,
) -> int:
    """Pair the next round, and close the one before, which needs all its results."""
    by_hand = by_hand or []
    pairs = [_pair(text) for text in by_hand]
    with _open(where) as (register, store):
        known = [it.name for it in register.tables() if not it.is_revoked]
        tables = sorted(known, key=table_order)

        def steps(state: Tournament) -> directing.Steps:
            found = (
                directing.pairing_by_hand(state, pairs, tables, reason)
                if pairs
                else directing.pairing(state, tables)
            )
            number = {"round": len(state.rounds) + 1}
            return [*found, (events.ROUND_STARTED, number)] if starts else found

        state = store.change(_id(store, where), now(), _by(), steps).state
    return _pairings(where, state, len(state.rounds))


@tournament_app.command()
@_in_tournament
def unpair(where: Where, reason: Reason) -> int:
    """Take a pairing back that has no results yet."""
    return _of_round(where, events.PAIRING_TAKEN_BACK, {"reason": reason})


@tournament_app.command()
@_in_tournament
def start(where: Where) -> int:
    """Begin the round: tables are told who sits there."""
    return _of_round(where, events.ROUND_STARTED)


@tournament_app.command()
@_in_tournament
def close(where: Where) -> int:
    """Close a round that has all its results."""
    return _of_round(where, events.ROUND_CLOSED)


@tournament_app.command(context_settings={"ignore_unknown_options": True})  # -/+ is a result
@_in_tournament
def correct(
    where: Where,
    board: Annotated[
        int, typer.Argument(metavar="BOARD", help="The number in front of the pairing.")
    ],
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT", help="1-0, 0-1, 1/2-1/2; by forfeit +/-, -/+, -/-; or none."
        ),
    ],
    reason: Reason,
    round_number: Round = None,
) -> int:
    """Enter a result, or correct one."""
    after = OPEN if result == "none" else result

    def steps(state: Tournament) -> directing.Steps:
        said = {"round": round_number or len(state.rounds), "board": board}
        return [(events.CORRECTED, {**said, "result": after, "reason": reason})]

    state = _change(where, steps)
    return _pairings(where, state, round_number or len(state.rounds))


@tournament_app.command()
@_in_tournament
def pairings(where: Where, round_number: Round = None) -> int:
    """Show who plays whom, and where."""
    state = _read(where)
    return _pairings(where, state, round_number or len(state.rounds))


@tournament_app.command()
@_in_tournament
def standings(where: Where) -> int:
    """Show the standings after the last whole round."""
    state = _read(where)
    found, tie_breaks = views.standings(state), state.tie_breaks
    heads = ["", tr("name"), tr("points"), *tie_breaks]
    columns = ["place", "name", "points", *tie_breaks]
    return _print_found(where, found, lambda: _print(found, columns, heads, views.legend(state)))


@tournament_app.command()
@_in_tournament
def table(where: Where) -> int:
    """Show the cross table."""
    found = views.cross_table(_read(where))
    rounds = max((len(row["rounds"]) for row in found), default=0)
    flat = [{**row, **{str(at): word for at, word in enumerate(row["rounds"], 1)}} for row in found]
    numbers = [str(at) for at in range(1, rounds + 1)]
    heads = ["", tr("name"), *numbers, tr("points")]
    columns = ["row", "name", *numbers, "points"]
    return _print_found(where, found, lambda: _print(flat, columns, heads))


@tournament_app.command()
@_in_tournament
def log(where: Where) -> int:
    """Show all that has happened: who, when, what, and why."""
    with _open(where) as (_, store):
        found = store.log(_id(store, where)).entries
    if where.as_json:
        print_json([entry._asdict() for entry in found])
        return 0
    for entry in found:
        said = " ".join(f"{name}={value}" for name, value in entry.fields.items())
        print(f"{entry.number}  {entry.at}  {entry.by}  {entry.kind}  {said}")
    return 0


class _Club(NamedTuple):
    register: Register
    store: TournamentStore


@contextmanager
def _open(where: Where) -> Iterator[_Club]:
    club = open_club(where.folder or usual_folder())
    register = Register(where.db or club.url, club.club.id)
    try:
        yield _Club(register, TournamentStore(register, club.club.id))
    finally:
        register.close()


def _id(store: TournamentStore, where: Where) -> str:
    if where.which:
        return where.which
    names = list(store.lengths())
    if not names:
        raise UserError(
            tr("there is no tournament yet; `chronotable club tournament new` makes one")
        )
    return names[-1]


def _change(where: Where, steps: StepsOf) -> Tournament:
    with _open(where) as (_, store):
        return store.change(_id(store, where), now(), _by(), steps).state


def _read(where: Where) -> Tournament:
    with _open(where) as (_, store):
        return store.log(_id(store, where)).state


def _by() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # nobody's account
        return "director"


def _of_player(where: Where, player: str, kind: str, said: Mapping[str, Any] | None = None) -> int:
    def steps(state: Tournament) -> directing.Steps:
        number = directing.player_named(state, player).number
        return [(kind, {"player": number, **(said or {})})]

    return _entrants(where, _change(where, steps))


def _pair(text: str) -> tuple[str, str]:
    white, between, black = text.partition(" - ")
    if not between:
        raise UserError(tr("a pair reads \"WHITE - BLACK\", not '{text}'", text=text))
    return white.strip(), black.strip()


def _of_round(where: Where, kind: str, said: Mapping[str, Any] | None = None) -> int:
    state = _change(
        where, lambda known: [(kind, {"round": directing.playing(known), **(said or {})})]
    )
    number = len(state.rounds) + (kind == events.PAIRING_TAKEN_BACK)
    sentence = f"'{state.name}': {_TOLD[kind](number)}"
    return _print_found(where, views.overview(state), lambda: print(sentence))


def _entrants(where: Where, state: Tournament) -> int:
    found = views.entrants(state)
    shown = [
        {**it, "rating": it["rating"] or "", "there": "" if it["there"] else tr("left")}
        for it in found
    ]
    heads = ["", tr("name"), tr("rating"), ""]
    columns = ["number", "name", "rating", "there"]
    return _print_found(where, found, lambda: _print(shown, columns, heads))


def _pairings(where: Where, state: Tournament, number: int) -> int:
    if not 1 <= number <= len(state.rounds):
        raise UserError(tr("no round {number} is paired", number=number))
    found = views.round_view(state, state.rounds[number - 1])
    if where.as_json:
        print_json(found)
        return 0
    print(tr("{name}, round {round}", name=state.name, round=number))
    heads = ["", tr("table"), tr("White"), tr("Black"), tr("result")]
    _print(found["boards"], ["board", "table", "white", "black", "result"], heads)
    if found["bye"]:
        print(tr("{name} has the bye", name=found["bye"]))
    return 0


def _print_found(where: Where, found: Any, say: Callable[[], None]) -> int:
    """Tell what was found as JSON, or have it said as people read it."""
    if where.as_json:
        print_json(found)
    else:
        say()
    return 0


def _print(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    heads: Sequence[str],
    legend: str = "",
) -> None:
    shown = Table(box=None, pad_edge=False)
    for head in heads:
        shown.add_column(head)
    for row in rows:
        shown.add_row(*(Text(str(row.get(name, ""))) for name in columns))
    console().print(shown)
    if legend:
        console().print(legend, style="dim")
