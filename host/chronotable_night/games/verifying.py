"""Checking files of games: vectors (whole games, examples, what is illegal), and data files.

A game is a line with `game`, `players`, `options`, `seed`, `start`, `steps` (`seat`, `action`,
`legal` and the `digest` after it), `states` and `views` by the number of steps before them, and
`outcome`; `data` where it is not the default. Examples are one object, with `examples`, `illegal`
actions, each with the `rule` that forbids it, and, of data files, `bad_data`.
"""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from chronotable_host.cases import Case, DifferentError, NotCoveredError
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night.games.interface import (
    SPECTATOR,
    DataError,
    Game,
    IllegalActionError,
    Kind,
    State,
)
from chronotable_night.games.portable import canonical, digest
from chronotable_night.games.shelf import kinds

Object = Mapping[str, Any]


def kind_of(entries: Sequence[Object]) -> Kind | None:
    """Return the game that the objects of a file are about, None if none of a games night."""
    for entry in entries[:1]:
        name = entry.get("game")
        if isinstance(name, str) and name in kinds():
            return kinds()[name]
        examples = entry.get("examples")
        if isinstance(examples, list) and examples and isinstance(examples[0], dict):
            start = examples[0].get("start")
            for kind in kinds().values():
                if isinstance(start, dict) and kind.holds(start):
                    return kind
    return None


def cases(kind: Kind, entries: Sequence[Object]) -> list[Case]:
    """Return the cases of a file, which raise UserError where it is malformed, as this does."""
    with _malformed():
        return [Case(name, partial(_checked, check)) for name, check in _cases(kind, entries)]


def _checked(check: Callable[[], None]) -> None:
    with _malformed():
        check()


@contextmanager
def _malformed() -> Iterator[None]:
    """Say what a file lacks, whose states and actions a game takes as they are."""
    try:
        yield
    except DataError as error:
        raise UserError(f"its data: {error}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise UserError(f"something is missing there, or of another kind ({what})") from error


def _cases(kind: Kind, entries: Sequence[Object]) -> Iterator[Case]:
    for number, entry in enumerate(entries, 1):
        if "examples" in entry:
            yield from _examples(kind, entry)
        else:
            yield Case(f"game {entry.get('id', number)}", partial(_check_game, kind, entry))


def _examples(kind: Kind, entry: Object) -> Iterator[Case]:
    games = _Games(kind, entry.get("data"))
    for number, example in enumerate(entry["examples"], 1):
        name = f"example {example.get('id', number)}"
        yield Case(name, partial(_check_example, games, example))
    for number, illegal in enumerate(entry.get("illegal", ()), 1):
        yield Case(f"illegal {number}", partial(_check_illegal, games, illegal))
    for number, bad in enumerate(entry.get("bad_data", ()), 1):
        yield Case(f"bad data {number}", partial(_check_bad_data, kind, bad))
    own = getattr(kind, "cases", None)  # what only this game has
    if own is not None:
        yield from own(entry)


class _Games:
    """A game with each of the data that a file's states name."""

    def __init__(self, kind: Kind, data: Object | None) -> None:
        self.kind = kind
        self._data = data or {}

    def of(self, state: Object) -> Game:
        _check_players(self.kind, state)
        data = self._data.get(str(state.get("data")))
        return self.kind.game(data)


def _check_players(kind: Kind, state: Object) -> None:
    """A game goes through all its seats, however many a state says there are."""
    if state.get("players", kind.players[0]) not in kind.players:
        raise ValueError(f"{state['players']} players")


def _check_game(kind: Kind, entry: Object) -> None:
    _check_players(kind, entry)
    data = entry.get("data")
    game = kind.game(data if isinstance(data, Mapping) else None)
    state = game.new(entry["seed"], entry["players"], entry["options"])
    _compare(0, entry["start"], state)
    for number, step in enumerate(entry["steps"]):
        _compare_kept(game, entry, number, state)
        seat = game.to_decide(state)
        _same(number, "the seat that decides", step["seat"], seat)
        legal = game.legal(state)
        count = None if legal is None else len(legal)
        _same(number, "legal actions", step["legal"], count)
        if legal is not None and step["action"] not in legal:
            raise DifferentError(number, f"{step['action']} to be legal", ", ".join(legal))
        state = _applied(game, number, state, seat, step["action"])
        _same(number + 1, "the digest", step["digest"], digest(state))
    _compare_kept(game, entry, len(entry["steps"]), state)
    _compare_outcome(len(entry["steps"]), entry["outcome"], game, state)


def _compare_kept(game: Game, entry: Object, number: int, state: State) -> None:
    kept = entry.get("states", {}).get(str(number))
    if kept is not None:
        _compare(number, kept, state)
    views = entry.get("views", {}).get(str(number), ())
    for place, view in enumerate(views):
        seat = place if place < entry["players"] else SPECTATOR
        _compare(number, view, game.view(state, seat), f"the view of seat {seat}")


def _check_example(games: _Games, example: Object) -> None:
    state: State = copy.deepcopy(example["start"])
    game = games.of(state)
    for number, (seat, action) in enumerate(map(_seat_and_action, example["actions"])):
        state = _applied(game, number, state, seat, action)
    steps = len(example["actions"])
    expected = example["expect"]
    is_plain = "digest" in example  # `expect` holds fields of the state, the rest stands beside
    _compare_fields(steps, expected if is_plain else expected.get("state", {}), state)
    told = example if is_plain else expected
    _same(steps, "the digest", told["digest"], digest(state))
    if "end" in told:
        _compare(steps, told["end"], state)
    if "legal" in told:
        _same(steps, "legal actions", sorted(told["legal"]), sorted(game.legal(state) or ()))
    for seat, fields in told.get("views", {}).items():
        _compare_fields(steps, fields, game.view(state, int(seat)))
    _compare_outcome(steps, told["outcome"], game, state)


def _check_illegal(games: _Games, illegal: Object) -> None:
    state = illegal["state"]
    before = canonical(state)
    try:
        games.of(state).apply(state, illegal["seat"], illegal["action"])
    except IllegalActionError as error:
        if not error.rule or not error.why:
            raise DifferentError(0, "a rule and why", str(error)) from error
        named = str(illegal.get("rule", "")).partition(" ")[0]
        if named in games.kind.rules:  # else it says in words what is wrong
            _same(0, "the rule", named, error.rule)
    else:
        raise DifferentError(0, f"{illegal['action']} to be illegal", "that it is legal")
    _same(0, "the state", before, canonical(state))


def _check_bad_data(kind: Kind, bad: Object) -> None:
    if kind.default_data is None:
        raise NotCoveredError
    data = copy.deepcopy(dict(kind.default_data))
    place: Any = data
    *way, last = bad["path"].split(".")
    for part in way:
        place = place[int(part) if isinstance(place, list) else part]
    place[int(last) if isinstance(place, list) else last] = bad["value"]
    try:
        kind.game(data)
    except DataError:
        return
    raise DifferentError(None, f"data to be refused: {bad['why']}", "that it is good")


def _applied(game: Game, number: int, state: State, seat: int, action: str) -> State:
    try:
        return game.apply(state, seat, action)
    except IllegalActionError as error:
        raise DifferentError(number, f"{action} to be legal", str(error)) from error


def _seat_and_action(step: Any) -> tuple[int, str]:
    if isinstance(step, Mapping):
        return step["seat"], step["action"]
    seat, action = step
    return seat, action


def _compare_outcome(number: int, expected: Object | None, game: Game, state: State) -> None:
    outcome = game.outcome(state)
    got = None if outcome is None else outcome._asdict()
    _same(number, "the outcome", canonical(expected), canonical(got))


def _compare(number: int, expected: Object, got: Object, what: str = "the state") -> None:
    _same(number, f"the fields of {what}", sorted(expected), sorted(got))
    _compare_fields(number, expected, got)


def _compare_fields(number: int, expected: Object, got: Object) -> None:
    for field, value in expected.items():
        _same(number, field, canonical(value), canonical(got.get(field)))


def _same(number: int, what: str, expected: object, got: object) -> None:
    if expected != got:
        raise DifferentError(number, f"{what} {expected}", str(got))


# ---- data files


_MOST_MISTAKES = 100


def kind_of_data(data: Any) -> Kind:
    """Return the game whose data an object of JSON is meant to be; raises UserError."""
    if not isinstance(data, Mapping):
        raise UserError(tr("a data file is an object of JSON"))
    fitting = [
        (len(kind.default_data.keys() & data.keys()), name)
        for name, kind in kinds().items()
        if kind.default_data is not None
    ]
    known, name = max(fitting, default=(0, ""))
    if not known:
        games = ", ".join(name for name, kind in kinds().items() if kind.default_data is not None)
        raise UserError(
            tr(
                "this is no game's data; `chronotable games-data example GAME` shows how that "
                "looks, GAME being one of {games}",
                games=games,
            )
        )
    return kinds()[name]


def mended(kind: Kind, data: Mapping[str, Any]) -> tuple[list[DataError], dict[str, Any]]:
    """Return what is wrong with the data of a game, and the data with that put right.

    A game names one mistake at a time. So what is wrong is put right, as the game's own data has
    it, in a copy, which is looked at again. That is still wrong where nothing puts it right.
    """
    found: list[DataError] = []
    right = copy.deepcopy(dict(data))
    while len(found) < _MOST_MISTAKES and (error := _first(kind, right)) is not None:
        if any(error.place == each.place for each in found):
            break  # it is wrong beside something else, which was not found
        found.append(error)
        if not _mend(right, kind.default_data or {}, error.place.split(".")):
            break
    return found, right


def _first(kind: Kind, data: Mapping[str, Any]) -> DataError | None:
    try:
        kind.game(data)
    except DataError as error:
        return error
    return None


def _mend(data: Any, right: Any, way: list[str]) -> bool:
    """Put what is at a place as it is in other data, and tell whether that could be done."""
    step: Any = way[0]
    if isinstance(data, list):
        if not step.isdecimal():
            return False
        step = int(step)
    elif not isinstance(data, dict):
        return False
    has = _has(right, step)
    if len(way) > 1 and _has(data, step) and has:
        return _mend(data[step], right[step], way[1:])
    if not has:
        return False
    if isinstance(data, list) and not _has(data, step):
        return False
    data[step] = copy.deepcopy(right[step])
    return True


def _has(data: Any, step: Any) -> bool:
    if isinstance(data, list):
        return isinstance(step, int) and step < len(data)
    return isinstance(data, Mapping) and step in data
