"""Checking the engine against files that say what the rules give: records and rule vectors.

A file's format is found from its content. Its games, examples and perft rows are cases; each
passes, fails with its first difference, or is not covered by the engine (other games, other
readings of the rules). What cannot be understood at all is a UserError that names the place.
"""

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

from chronotable_host import packages
from chronotable_host.archive import nights
from chronotable_host.archive.parsing import split_records
from chronotable_host.cases import Case, DifferentError, FailedError, NotCoveredError
from chronotable_host.errors import UserError, located
from chronotable_host.rules.action_replay import can_act, play_actions
from chronotable_host.rules.notation import (
    ACTIONS,
    ERAS,
    OPTIONS,
    PLAYERS,
    UnknownModuleError,
    format_modules,
    format_options,
    format_position,
    format_turn,
    parse_action,
    parse_era,
    parse_modules,
    parse_options,
    parse_player,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.perft import perft
from chronotable_host.rules.reason_texts import record_problem, why_text
from chronotable_host.rules.record import ClaimError, RecordError, parse_record
from ttykm import layout, objects
from ttykm.game import Game, IllegalTurnError, winner
from ttykm.layout import BARRED, GONE, NOBODY, RECORD_WORDS, SEQUENCE, STATE_WORDS, STATUS

PERFT_DEPTH = 3

Progress = Callable[[int, int], None]
Object = dict[str, Any]

# the readings of the rules that vectors name, as option bits
_MODES = {"lenient": 0, "strict": layout.STRICT_TWO_ACTIONS}
_OPTION_NAMES = [name for name, _ in OPTIONS]
_PERFT_COLUMNS = ("sequences", "positions", "wins")

_T = TypeVar("_T")


@dataclass(frozen=True)
class Difference:
    """The first thing of a case that is not as the file says.

    `case` names the game, example or perft row; `turn` is None where it is about no single turn.
    """

    file: str
    case: str
    turn: int | None
    expected: str
    got: str

    def __str__(self) -> str:
        """Return the difference on one line."""
        turn = "" if self.turn is None else f", turn {self.turn}"
        return f"{self.file}, {self.case}{turn}: expected {self.expected}, got {self.got}"

    def as_dict(self) -> Object:
        """Return the difference for a JSON report."""
        return asdict(self)


@dataclass
class Tally:
    """How many cases passed, failed and were not covered; of these, how many were too deep."""

    passed: int = 0
    failed: int = 0
    not_covered: int = 0
    too_deep: int = 0

    def __str__(self) -> str:
        """Return the last line of the report."""
        return f"passed {self.passed}, failed {self.failed}, not covered {self.not_covered}"


class _TooDeepError(NotCoveredError):
    """The perft row is deeper than was asked for."""


def verify_text(
    text: str,
    file: str,
    tally: Tally,
    options: int = 0,
    depth: int = PERFT_DEPTH,
    progress: Progress | None = None,
) -> Iterator[Difference]:
    """Check every case of a file's text, yield the differences and count in `tally`.

    `options` hold where the file does not say; perft rows are checked down to `depth`. Raises
    UserError where the text is malformed.
    """
    cases = _cases(text, file, options, depth)
    for number, case in enumerate(cases):
        if progress is not None:
            progress(number, len(cases))
        with located(f"{file}, {case.name}"):
            found = _judge(case, file, tally)
        if found is not None:
            yield found


def _judge(case: Case, file: str, tally: Tally) -> Difference | None:
    try:
        case.check()
    except (NotCoveredError, UnknownModuleError) as error:
        tally.not_covered += 1
        tally.too_deep += isinstance(error, _TooDeepError)
    except DifferentError as found:
        tally.failed += 1
        return Difference(file, case.name, found.turn, found.expected, found.got)
    except FailedError:
        tally.failed += 1
    else:
        tally.passed += 1
    return None


# ---- what a file holds


def _cases(text: str, file: str, options: int, depth: int) -> list[Case]:
    start = text.lstrip()
    if not start:
        raise UserError(f"{file}: the file is empty")
    if not start.startswith("{"):
        if start.startswith("[") and start[1:].lstrip().startswith(("{", "[", '"')):
            raise UserError(f"{file}: a JSON list is neither a record nor a vector file")
        parts = split_records(text)
        names = ["the game"] if len(parts) == 1 else [f"game {n + 1}" for n in range(len(parts))]
        return [
            _record_case(part, line, file, name)
            for name, (line, part) in zip(names, parts, strict=True)
        ]
    entries = _json_values(text, file)
    with located(file):
        of_a_night = packages.nights().cases(entries)
    if of_a_night is not None:
        return of_a_night
    if len(entries) == 1 and "perft" in entries[0]:
        return [
            case
            for number, entry in enumerate(_objects(entries[0], "perft", file), 1)
            for case in _perft_rows(entry, _id(entry, number), file, depth)
        ]
    if len(entries) == 1 and "examples" in entries[0]:
        return [
            Case(f"example {_id(example, number)}", partial(_check_example, example, options))
            for number, example in enumerate(_objects(entries[0], "examples", file), 1)
        ]
    for number, entry in enumerate(entries, 1):
        if "turns" not in entry:
            raise UserError(
                f"{file}, entry {number}: it has none of 'turns' (a game), 'perft' and 'examples'"
            )
    return [
        Case(f"game {_id(game, number)}", partial(_check_game, game, options))
        for number, game in enumerate(entries, 1)
    ]


def _record_case(text: str, before: int, file: str, name: str) -> Case:
    """Return the case of a record, which may be one of a games night; raises UserError."""
    if not nights.is_record(text):
        return Case(name, partial(_check_record, text, before))
    with located(file):
        return packages.nights().case(text, before)


def _json_values(text: str, file: str) -> list[Object]:
    """Return the one JSON object of a text, or those of its lines; raises UserError."""
    try:
        values = [json.loads(text)]
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise UserError(f"{file}, line {error.lineno}: not JSON ({error.msg})") from error
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        values = [_json_line(line, f"{file}, line {number}") for number, line in lines]
    except (RecursionError, ValueError) as error:
        raise UserError(f"{file}: JSON beyond what can be read ({error})") from error
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise UserError(f"{file}, entry {number}: a JSON object is due, not {_kind(value)}")
    return values


def _json_line(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except (RecursionError, ValueError) as error:
        raise UserError(f"{where}: not JSON ({getattr(error, 'msg', error)})") from error


# ---- values of JSON


def _kind(value: Any) -> str:
    """Name a JSON value in a complaint."""
    return "null" if value is None else "a list" if isinstance(value, list) else json.dumps(value)


def _typed(value: Any, kind: type[_T], what: str) -> _T:
    """Return a value that is of the type; raises UserError."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        due = {str: "a text", int: "a number", list: "a list", dict: "an object"}[kind]
        raise UserError(f"{what} should be {due}, not {_kind(value)}")
    return value


def _field(entry: Object, name: str, kind: type[_T]) -> _T:
    if name not in entry:
        raise UserError(f"'{name}' is missing")
    return _typed(entry[name], kind, f"'{name}'")


def _list(entry: Object, name: str, kind: type[_T]) -> list[_T]:
    """Return a list with elements of one type, empty where the field is missing or null."""
    if entry.get(name) is None:
        return []
    return [_typed(value, kind, f"each of '{name}'") for value in _field(entry, name, list)]


def _objects(entry: Object, name: str, file: str) -> list[Object]:
    with located(file):
        return _list(entry, name, dict)


def _id(entry: Object, number: int) -> str:
    """Return what to call an entry: its id or name, or its place in the file."""
    return str(entry.get("id", entry.get("name", number)))


def _space(value: int, what: str) -> int:
    """Return a space 0..15 of its number; raises UserError."""
    if not 1 <= value <= 16:
        raise UserError(f"{what} should be a space from 1 to 16, not {value}")
    return value - 1


def _player_or_nobody(value: Any, what: str) -> int:
    return NOBODY if value is None else parse_player(_typed(value, str, what))


def _options_of(entry: Object, options: int) -> int:
    """Return the option bits of an entry, `options` as far as its mode and options do not say.

    Raises NotCoveredError for what the engine does not know.
    """
    mode = entry.get("mode")
    if mode is not None:
        if _typed(mode, str, "'mode'") not in _MODES:
            raise NotCoveredError
        options = _MODES[mode]
    named = entry.get("options") or {}
    if isinstance(named, str):
        words = named.split()
    else:
        values = _typed(named, dict, "'options'").items()
        words = [f"{name}={str(value).lower()}" for name, value in values]
    if any(word.partition("=")[0].lower() not in _OPTION_NAMES for word in words):
        raise NotCoveredError
    return parse_options(" ".join([format_options(options), *words]))


def _start(entry: Object, name: str) -> "array[int]":
    """Return the state of the position that an entry starts from, and check its modules."""
    given = entry.get("modules")
    named = parse_modules(_typed(given, str, "'modules'"), "'modules'") if given else None
    state = _position(entry.get(name), f"'{name}'")
    played = objects.modules_of(state)
    if named not in (None, played):
        raise UserError(
            f"'modules' says {given}, but '{name}' is a position of {format_modules(played)}"
        )
    return state


def _position(value: Any, what: str) -> "array[int]":
    """Return the state of a position text, or of the long form with lists of spaces."""
    if not isinstance(value, dict):
        return parse_position(_typed(value, str, what))
    boards = _list(value, "eras", dict)
    if len(boards) != 3:
        raise UserError(f"{what}: three eras are due, not {len(boards)}")
    state = array("H", bytes(2 * STATE_WORDS))
    for era, board in enumerate(boards):
        for player, name in enumerate(PLAYERS):
            for number in _list(board, name, int):
                state[3 * player + era] |= 1 << _space(number, f"{what}, {ERAS[era]}, {name}")
        if state[era] & state[3 + era]:
            raise UserError(f"{what}, {ERAS[era]}: two copies on one space")
    focuses, supplies = _field(value, "focus", dict), _field(value, "supply", dict)
    supply = [_field(supplies, name, int) for name in PLAYERS]
    if not all(0 <= count <= 7 for count in supply):
        raise UserError(f"{what}: a supply is 0 to 7")
    state[layout.META] = layout.pack_meta(
        supply[0],
        supply[1],
        parse_era(_field(focuses, "white", str)),
        parse_era(_field(focuses, "black", str)),
        parse_player(_field(value, "mover", str)),
    )
    return state


def _name(player: int) -> str:
    return "no winner" if player == NOBODY else f"{PLAYERS[player]} to win"


# ---- records


def _check_record(text: str, line: int) -> None:
    try:
        parse_record(text, line)
    except ClaimError as error:
        record = error.record
        claimed = f"{record.headers['Result']} {record.headers['Termination']}"
        got = (
            f"{error.won} by the last turn (T29)" if error.won else "no win by the last turn (T29)"
        )
        raise DifferentError(len(record.turns), claimed, got) from error
    except RecordError as error:
        if not isinstance(error.__cause__, IllegalTurnError):
            raise
        got = record_problem(error).partition(": ")[2]
        raise DifferentError(error.turn, "a legal turn", got) from error


# ---- games


def _check_game(case: Object, options: int) -> None:
    game = Game()
    bits = _options_of(case, options)
    game.start(_start(case, "start"), bits)
    turns = _field(case, "turns", list)
    for number, given in enumerate(turns, 1):
        with located(f"turn {number}"):
            turn, expected = _given_turn(given)
        try:
            game.apply(turn)
        except IllegalTurnError as error:
            why = why_text(game, turn)
            raise DifferentError(number, f"{format_turn(turn)} to be legal", why) from error
        if expected is not None and expected != game.state:
            got = f"{format_position(game.state)} after {format_turn(turn)}"
            raise DifferentError(number, format_position(expected), got)
    if "final" in case:
        final = _position(case["final"], "'final'")
        if final != game.state:
            got = format_position(game.state)
            raise DifferentError(len(turns), f"{format_position(final)} at the end", got)
    if "winner" in case:
        claimed = _player_or_nobody(case["winner"], "'winner'")
        if claimed != game.winner():
            raise DifferentError(len(turns), _name(claimed), _name(game.winner()))


def _given_turn(given: Any) -> "tuple[int, array[int] | None]":
    """Return a turn of a game, packed, and the position that it says comes of it."""
    if isinstance(given, str):
        return parse_turn(given), None
    entry = _typed(given, dict, "it")
    actions = [parse_action(text) for text in _list(entry, "actions", str)]
    focus = parse_era(_field(entry, "focus", str))
    sequence = 0
    if entry.get("copy") is not None:
        space = _space(_field(entry, "copy", int), "'copy'")
        if not 1 <= len(actions) <= 2:
            raise UserError(f"a copy takes one or two actions, not {len(actions)}")
        sequence = layout.pack_sequence(space, *(*actions, 0)[:2])
    elif actions:
        raise UserError("there are actions, but 'copy' is missing")
    expected = _position(entry["pos"], "'pos'") if "pos" in entry else None
    return focus << 16 | sequence, expected


# ---- examples


def _check_example(case: Object, options: int) -> None:
    game = Game()
    bits = _options_of(case, options)
    game.start(_start(case, "start"), bits)
    if not {"copy", "copies_allowed", "turns"} & case.keys():
        raise UserError("it says neither 'copy' with 'actions' nor 'copies_allowed' nor 'turns'")
    if "copy" in case:
        _check_actions(case, game)
    turns = list(game.legal_turns())
    if "copies_allowed" in case:
        allowed = sorted(_list(case, "copies_allowed", int))
        found = sorted({(turn >> 12 & 15) + 1 for turn in turns if turn & 0xFFFF})
        if found != allowed:
            raise DifferentError(1, f"copies {allowed} to be allowed", str(found))
    if "turns" in case:
        listed = Counter(format_turn(parse_turn(text)) for text in _list(case, "turns", str))
        legal = Counter(format_turn(turn) for turn in turns)
        if legal != listed:
            missing, extra = sorted(listed - legal), sorted(legal - listed)
            raise DifferentError(
                1, f"{len(listed)} turns", f"{len(legal)}; missing {missing}, besides {extra}"
            )
        if "winner" in case:
            claimed, after = _player_or_nobody(case["winner"], "'winner'"), array("H", game.state)
            for turn in turns:
                game.after(turn, after)
                if winner(after) != claimed:
                    got = f"{_name(winner(after))} after {format_turn(turn)}"
                    raise DifferentError(1, _name(claimed), got)


def _check_actions(case: Object, game: Game) -> None:
    """Check the form with a copy and the actions that it takes, whole turn or not."""
    space = _space(_field(case, "copy", int), "'copy'")
    actions = [parse_action(text) for text in _list(case, "actions", str)]
    if len(actions) > 2:
        raise UserError(f"a turn has at most two actions, not {len(actions)}")
    state, era = game.state, layout.focus(game.state, game.mover)
    steps = play_actions(state, space, actions, game.options)
    sequence = layout.pack_sequence(space, *(*actions, 0, 0)[:2])
    is_own = state[layout.COPIES + 3 * game.mover + era] >> space & 1
    if not is_own or len(steps) < len(actions) or (actions and not _is_begun(game, sequence)):
        # a copy that is not there is missed when it is to act
        acted = sequence if is_own or actions else layout.pack_sequence(space, layout.NORTH, 0)
        why = why_text(game, (era + 1) % 3 << 16 | acted)
        tried = " ".join([str(space + 1), *(ACTIONS[action] for action in actions)])
        raise DifferentError(1, f"{tried} to be legal", why)
    active = steps[-1].active if steps else era << 4 | space
    after = steps[-1].state if steps else state
    if "after" in case:
        expected = _position(case["after"], "'after'")
        if expected != after:
            raise DifferentError(1, format_position(expected), format_position(after))
    if "active" in case:
        claimed = _place(case["active"])
        if claimed != active:
            raise DifferentError(1, f"active {_place_text(claimed)}", _place_text(active))
    if "dead" in case:
        listed = sorted(_list(case, "dead", str))
        died = sorted(str(death) for step in steps for death in step.deaths)
        if died != listed:
            raise DifferentError(1, f"dead {', '.join(listed) or '-'}", ", ".join(died) or "-")
    for text in _list(case, "illegal_next", str):
        if can_act(after, active, parse_action(text), game.options):
            raise DifferentError(1, f"{text} to be illegal next", "that it is possible")


def _is_begun(game: Game, sequence: int) -> bool:
    """Tell whether the actions are a legal turn or the beginning of one (T12, T14)."""
    tree = game.legal()
    bases = range(RECORD_WORDS, tree.end * RECORD_WORDS, RECORD_WORDS)
    found = (base for base in bases if tree.records[base + SEQUENCE] == sequence)
    return any(not tree.records[base + STATUS] & BARRED for base in found)


def _place(value: Any) -> int:
    """Return the place of `present 7`, GONE of `dead` and null; raises UserError."""
    if value is None or value == "dead":
        return GONE
    era, _, space = _typed(value, str, "'active'").rpartition(" ")
    if not (space.isascii() and space.isdigit() and len(space) <= 2):
        raise UserError(f"'active' should read as 'present 7' or 'dead', not '{value}'")
    return parse_era(era.strip()) << 4 | _space(int(space), "'active'")


def _place_text(place: int) -> str:
    return "dead" if place == GONE else f"{ERAS[place >> 4]} {(place & 15) + 1}"


# ---- perft


class _PerftCounts:
    """The counts of one position in one mode, made as rows ask for them."""

    def __init__(self, state: "array[int]", depth: int, options: int) -> None:
        self._counts = perft(state, depth, options)
        self._has_failed = False

    def check(self, row: Object, depth: int) -> None:
        """Compare the next row; only the first difference of a position is told."""
        counted = dict(zip(_PERFT_COLUMNS, next(self._counts), strict=True))
        listed = {name: _field(row, name, int) for name in _PERFT_COLUMNS if name in row}
        if all(counted[name] == count for name, count in listed.items()):
            return
        if self._has_failed:
            raise FailedError
        self._has_failed = True
        expected = ", ".join(f"{count} {name}" for name, count in listed.items())
        got = ", ".join(f"{counted[name]} {name}" for name in listed)
        raise DifferentError(None, expected, f"{got} at depth {depth}")


def _perft_rows(entry: Object, name: str, file: str, depth: int) -> list[Case]:
    with located(f"{file}, perft {name}"):
        return [
            Case(f"perft {name} {mode} depth {number}", check)
            for mode, listed in _field(entry, "counts", dict).items()
            for number, check in enumerate(_row_checks(entry, mode, listed, depth), 1)
        ]


def _row_checks(entry: Object, mode: str, listed: Any, depth: int) -> list[Callable[[], None]]:
    rows = [_typed(row, dict, f"each row of '{mode}'") for row in _typed(listed, list, mode)]
    try:
        options = _options_of(entry, _MODES[mode])
        state = _start(entry, "pn" if "pn" in entry else "position")
    except (UnknownModuleError, NotCoveredError, KeyError):
        return [partial(_refuse, NotCoveredError)] * len(rows)
    counting = _PerftCounts(state, min(depth, len(rows)), options)
    return [
        partial(counting.check, row, number) if number <= depth else partial(_refuse, _TooDeepError)
        for number, row in enumerate(rows, 1)
    ]


def _refuse(error: type[NotCoveredError]) -> None:
    raise error
