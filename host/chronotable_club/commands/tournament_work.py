"""What the commands of `club tournament` do."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from chronotable_club.commands.club import Where
from chronotable_club.desk import now, table_order
from chronotable_club.folder import open_club, usual_folder
from chronotable_club.register import Register
from chronotable_club.tournament import directing, events, views
from chronotable_club.tournament.cards import OPEN
from chronotable_club.tournament.state import Tournament
from chronotable_club.tournament_store import TournamentStore
from chronotable_host.commands.shared import console, print_json
from chronotable_host.errors import UserError
from chronotable_host.language import tr

_BYES = {"1": 2, "0.5": 1, "0": 0}


class _Club(NamedTuple):
    register: Register
    store: TournamentStore


@contextmanager
def _opened(where: Where) -> Iterator[_Club]:
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


def _change(where: Where, steps: Callable[[Tournament], directing.Steps]) -> Tournament:
    with _opened(where) as (_, store):
        return store.change(_id(store, where), now(), _by(), steps).state


def _read(where: Where) -> Tournament:
    with _opened(where) as (_, store):
        return store.log(_id(store, where)).state


def _by() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # nobody's account
        return "director"


# ---------------------------------------------------------------- what is done


def new(
    where: Where, name: str, system: str, rounds: int, bye_points: str, black_first: bool
) -> int:
    """Begin a tournament."""
    if bye_points not in _BYES:
        raise UserError(tr("--bye is 1, 0.5 or 0"))
    initial = "B" if black_first else "W"
    fields = directing.creation(name, system, rounds, initial, _BYES[bye_points])
    with _opened(where) as (_, store):
        made = store.create(now(), _by(), fields).state
    said = tr("'{name}' is called {id}", name=made.name, id=made.id)
    return _told(where, views.overview(made), lambda: print(said))


def add(where: Where, players: Sequence[str]) -> int:
    """Add players."""
    found = directing.parse_players(",".join(players))
    state = _change(where, lambda known: directing.adding(known, found))
    return _entrants(where, state)


def withdraw(where: Where, player: str) -> int:
    """Pair a player no more."""
    return _of_player(where, player, events.PLAYER_WITHDRAWN)


def come_back(where: Where, player: str) -> int:
    """Pair a player again."""
    return _of_player(where, player, events.PLAYER_RETURNED)


def bye(where: Where, player: str, round_number: int, half: bool) -> int:
    """Leave a player out of a round."""
    said = {"round": round_number, "points": int(half)}
    return _of_player(where, player, events.BYE_REQUESTED, said)


def _of_player(where: Where, player: str, kind: str, said: Mapping[str, Any] | None = None) -> int:
    def steps(state: Tournament) -> directing.Steps:
        number = directing.player_named(state, player).number
        return [(kind, {"player": number, **(said or {})})]

    return _entrants(where, _change(where, steps))


def pair(where: Where, by_hand: Sequence[str], reason: str, starts: bool) -> int:
    """Pair the next round."""
    pairs = [_pair(text) for text in by_hand]
    with _opened(where) as (register, store):
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


def _pair(text: str) -> tuple[str, str]:
    white, between, black = text.partition(" - ")
    if not between:
        raise UserError(tr("a pair reads \"WHITE - BLACK\", not '{text}'", text=text))
    return white.strip(), black.strip()


def unpair(where: Where, reason: str) -> int:
    """Take a pairing back."""
    return _of_round(where, events.PAIRING_TAKEN_BACK, {"reason": reason})


def start(where: Where) -> int:
    """Begin the round."""
    return _of_round(where, events.ROUND_STARTED)


def close(where: Where) -> int:
    """Close the round."""
    return _of_round(where, events.ROUND_CLOSED)


_TOLD: Mapping[str, Callable[[int], str]] = {
    events.PAIRING_TAKEN_BACK: lambda n: tr("the pairing of round {n} is taken back", n=n),
    events.ROUND_STARTED: lambda n: tr("round {n} has begun", n=n),
    events.ROUND_CLOSED: lambda n: tr("round {n} is closed", n=n),
}


def _of_round(where: Where, kind: str, said: Mapping[str, Any] | None = None) -> int:
    state = _change(
        where, lambda known: [(kind, {"round": directing.playing(known), **(said or {})})]
    )
    number = len(state.rounds) + (kind == events.PAIRING_TAKEN_BACK)
    sentence = f"'{state.name}': {_TOLD[kind](number)}"
    return _told(where, views.overview(state), lambda: print(sentence))


def correct(where: Where, board: int, result: str, reason: str, round_number: int | None) -> int:
    """Enter a result, or correct one."""
    after = OPEN if result == "none" else result

    def steps(state: Tournament) -> directing.Steps:
        said = {"round": round_number or len(state.rounds), "board": board}
        return [(events.CORRECTED, {**said, "result": after, "reason": reason})]

    state = _change(where, steps)
    return _pairings(where, state, round_number or len(state.rounds))


# ---------------------------------------------------------------- what is shown


def list_all(where: Where) -> int:
    """List the tournaments."""
    with _opened(where) as (_, store):
        found = [views.overview(store.log(name).state) for name in reversed(store.lengths())]
    if where.as_json:
        print_json(found)
        return 0
    for each in found:
        print(f"{each['id']}  {each['name']}  {each['round']}/{each['rounds']}")
    return 0 if found else 1


def pairings(where: Where, round_number: int | None) -> int:
    """Show a round."""
    state = _read(where)
    return _pairings(where, state, round_number or len(state.rounds))


def standings(where: Where) -> int:
    """Show the standings."""
    state = _read(where)
    found, tie_breaks = views.standings(state), state.tie_breaks
    heads = ["", tr("name"), tr("points"), *tie_breaks]
    columns = ["place", "name", "points", *tie_breaks]
    return _told(where, found, lambda: _print(found, columns, heads))


def cross(where: Where) -> int:
    """Show the cross table."""
    found = views.cross_table(_read(where))
    rounds = max((len(row["rounds"]) for row in found), default=0)
    flat = [{**row, **{str(at): word for at, word in enumerate(row["rounds"], 1)}} for row in found]
    numbers = [str(at) for at in range(1, rounds + 1)]
    heads = ["", tr("name"), *numbers, tr("points")]
    columns = ["row", "name", *numbers, "points"]
    return _told(where, found, lambda: _print(flat, columns, heads))


def log(where: Where) -> int:
    """Show all that has happened."""
    with _opened(where) as (_, store):
        found = store.log(_id(store, where)).entries
    if where.as_json:
        print_json([entry._asdict() for entry in found])
        return 0
    for entry in found:
        said = " ".join(f"{name}={value}" for name, value in entry.fields.items())
        print(f"{entry.number}  {entry.at}  {entry.by}  {entry.kind}  {said}")
    return 0


def _entrants(where: Where, state: Tournament) -> int:
    found = views.entrants(state)
    shown = [{**it, "there": "" if it["there"] else tr("left")} for it in found]
    heads = ["", tr("name"), tr("rating"), ""]
    columns = ["number", "name", "rating", "there"]
    return _told(where, found, lambda: _print(shown, columns, heads))


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


def _told(where: Where, found: Any, say: Callable[[], None]) -> int:
    """Tell what was found as JSON, or have it said as people read it."""
    if where.as_json:
        print_json(found)
    else:
        say()
    return 0


def _print(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], heads: Sequence[str]) -> None:
    shown = Table(box=None, pad_edge=False)
    for head in heads:
        shown.add_column(head)
    for row in rows:
        shown.add_row(*(Text(str(row.get(name, ""))) for name in columns))
    console().print(shown)
