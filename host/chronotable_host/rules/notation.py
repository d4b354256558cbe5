"""Texts of the game: positions, actions and turns (the fixed forms people and checks rely on).

Reading is lenient about white space and case and strict about meaning; what is written is
canonical, so reading it gives the same thing again.
"""

from array import array
from functools import lru_cache

from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c
from ttykm import layout, objects
from ttykm.game import is_conserved
from ttykm.layout import EAST, FUTURE, META, NORTH, SOUTH, STATE_WORDS, WEST
from ttykm.objects import ELEPHANT, FALLEN, GROWTH, INFLUENCE, MEMORY, SEED, SHRUB, STATUE, TREE

ERAS = ("past", "present", "future")
PLAYERS = ("white", "black")
PLAYER_NAMES = ("White", "Black")  # MicroPython, which has no str.capitalize, reads this in tests
"""What players are called in sentences: White and Black."""
MODULES = ("growth", "influence", "memory")
_STANDARD = "standard"
_FALSE_OR_TRUE = ("false", "true")
OPTIONS = (
    ("strict_two_actions", _FALSE_OR_TRUE),
    ("voluntary_suicide", _FALSE_OR_TRUE),
    ("voluntary_suicide_elephant", _FALSE_OR_TRUE),
    ("build_blocked", ("rebound_2021", "stop_2023")),
    ("shrub_removal_ungrows", _FALSE_OR_TRUE),
)
"""Name and both values of each option, the default first."""


def _action_texts() -> "tuple[str, ...]":
    sides = "NESW"
    texts = ["", "N", "E", "S", "W", "F", "B"]
    texts.extend([side + "*" for side in sides])
    for verb, aims in (("p", "NESWo"), ("d", "NESWo"), ("s", sides), ("t", sides)):
        texts.extend([verb + aim for aim in aims])
    for which in "DL":
        for pull in ("", "*"):
            texts.extend([f"c{which}:{side}{pull}" for side in sides])
    return tuple(texts)


ACTIONS = _action_texts()
"""The text of each action code."""

_CODES = {text.lower(): code for code, text in enumerate(ACTIONS) if text}

_COPIES = ".wb"
_KEPT = 4096  # texts of boards and of turns: those of a game return again and again
_COLOURS = "wb"
_OBJECTS = (
    ("*", SEED, GROWTH),
    ("sh", SHRUB, GROWTH),
    ("T", TREE, GROWTH),
    ("F", FALLEN, GROWTH),
    ("nN", STATUE, INFLUENCE),
    ("nW", STATUE + 1, INFLUENCE),
    ("nB", STATUE + 2, INFLUENCE),
    ("eD", ELEPHANT, MEMORY),
    ("eL", ELEPHANT + 1, MEMORY),
)
"""What the text of an object begins with, its kind and its module."""
_PREFIXES = {kind: prefix for prefix, kind, _ in _OBJECTS}

_FIELDS = (
    tr_c("of a position", "the eras"),
    tr_c("of a position", "white's focus"),
    tr_c("of a position", "black's focus"),
    tr_c("of a position", "white's supply"),
    tr_c("of a position", "black's supply"),
    tr_c("of a position", "mover"),
)


class NotationError(UserError, ValueError):
    """A text does not say what it should; the message says what and where."""


class UnknownModuleError(NotationError):
    """The text asks for rules that are not known here; the message names no others."""


def _by_prefix(text: str, names: "tuple[str, ...]", what: str) -> int:
    """Return the index of the one name that starts with `text`."""
    low = text.lower()
    found = [index for index, name in enumerate(names) if low and name.startswith(low)]
    if len(found) != 1:
        values = {"what": what, "text": text, "names": ", ".join(names)}
        if found:
            raise NotationError(tr("{what}: '{text}' could be more than one of {names}", **values))
        raise NotationError(tr("{what}: '{text}' is none of {names}", **values))
    return found[0]


def parse_era(text: str) -> int:
    """Return the era of a name or unique prefix; raises NotationError."""
    return _by_prefix(text, ERAS, tr_c("is read", "era"))


def parse_player(text: str) -> int:
    """Return WHITE or BLACK of a name or unique prefix; raises NotationError."""
    return _by_prefix(text, PLAYERS, tr_c("is read", "player"))


def parse_position(text: str) -> "array[int]":
    """Return the state of a position text.

    Raises NotationError that names the field, UnknownModuleError where a module is none.

    >>> parse_position("w..............b/w..............b/w..............b 0 2 4 4 w")
    array('H', [1, 1, 1, 32768, 32768, 32768, 548])
    """
    for joint in "/,+=<":
        text = joint.join([part.strip() for part in text.split(joint)])
    fields = text.split()
    if len(fields) < 6:
        raise NotationError(
            tr(
                "position: {count} of 6 fields found; {field} is missing",
                count=len(fields),
                field=_FIELDS[len(fields)],
            )
        )
    short = _parse_copies(fields)
    modules = parse_modules(fields[6], tr_c("is read", "position")) if len(fields) > 6 else 0
    if modules:
        state = objects.empty_state(modules)
        for word in range(STATE_WORDS):
            state[word] = short[word]
        rest = _parse_objects(state, modules, fields[7:])
        if modules & GROWTH:
            _parse_seeds(state, _value(rest, "seeds"))
            rest = rest[1:]
        if modules & INFLUENCE:
            _parse_statues(state, _value(rest, "statues"))
            rest = rest[1:]
    else:
        state = short
        rest = fields[7:]
    if rest:
        raise NotationError(tr("position: '{field}' is one field too many", field=rest[0]))
    return state


def with_box_pieces(state: "array[int]") -> "array[int]":
    """Return the state if the box has enough pieces for it; raises UserError if not.

    The rules could be applied to others, too, but such a position cannot be set up on a table,
    which also reserves memory for the turns of seven pieces a player at most (T2).
    """
    if not is_conserved(state):
        raise UserError(
            tr("the position has more than seven pieces of one player, supply included")
        )
    return state


def _parse_copies(fields: "list[str]") -> "array[int]":
    """Return the standard state of the first six fields."""
    state = array("H", bytes(2 * STATE_WORDS))
    eras = fields[0].split("/")
    if len(eras) != 3:
        raise NotationError(
            tr("position: three eras joined by '/' expected, {count} found", count=len(eras))
        )
    for era in range(3):
        row = eras[era].lower()
        if len(row) != 16:
            raise NotationError(
                tr(
                    "position, {era}: 16 spaces expected, {count} found",
                    era=ERAS[era],
                    count=len(row),
                )
            )
        for space in range(16):
            kind = _COPIES.find(row[space])
            if kind < 0:
                raise NotationError(
                    tr(
                        "position, {era}, space {space}: '{letter}' is none of . w b",
                        era=ERAS[era],
                        space=space + 1,
                        letter=eras[era][space],
                    )
                )
            if kind:
                state[3 * (kind - 1) + era] |= 1 << space
    focus_w, focus_b = (_digit(fields, index, FUTURE) for index in (1, 2))
    supply_w, supply_b = (_digit(fields, index, 7) for index in (3, 4))
    mover = "wb".find(fields[5].lower())
    if mover < 0 or len(fields[5]) != 1:
        raise NotationError(tr("position, mover: '{letter}' is neither w nor b", letter=fields[5]))
    state[layout.META] = layout.pack_meta(supply_w, supply_b, focus_w, focus_b, mover)
    return state


def _digit(fields: "list[str]", index: int, most: int) -> int:
    text = fields[index]
    if len(text) != 1 or not "0" <= text <= str(most):
        raise NotationError(
            tr(
                "position, {field}: '{text}' is not a number from 0 to {most}",
                field=_FIELDS[index],
                text=text,
                most=most,
            )
        )
    return int(text)


def format_position(state: "array[int]") -> str:
    """Return the position text of a state."""
    eras = "/".join([_format_board(state[era], state[3 + era]) for era in range(3)])
    text = eras + " " + _format_meta(state[META])
    return text + " " + _format_objects(state) if len(state) > STATE_WORDS else text


@lru_cache(_KEPT)
def _format_meta(meta: int) -> str:
    """Return the four numbers and the mover, which the META word alone tells."""
    state = array("H", [0] * META + [meta])
    focus = f"{layout.focus(state, 0)} {layout.focus(state, 1)}"
    supply = f"{layout.supply(state, 0)} {layout.supply(state, 1)}"
    return f"{focus} {supply} {_COLOURS[layout.mover(state)]}"


@lru_cache(_KEPT)
def _format_board(white: int, black: int) -> str:
    """Return the 16 spaces of an era; white is shown where both are, as no legal position has."""
    both = (black & ~white) << 1
    return "".join([_COPIES[white >> space & 1 | both >> space & 2] for space in range(16)])


def parse_modules(text: str, where: str = tr_c("is read", "modules")) -> int:
    """Return the set of modules of `growth+memory`, 0 for `standard`.

    Raises UnknownModuleError, which begins with `where`.
    """
    names = [name.strip() for name in text.lower().split("+")]
    if names == [_STANDARD]:
        return 0
    modules = 0
    for name in names:
        bit = 1 << MODULES.index(name) if name in MODULES else 0
        if not bit or modules & bit:
            raise UnknownModuleError(
                tr(
                    "{where}: only the standard game is known here, not '{text}'",
                    where=where,
                    text=text,
                )
            )
        modules |= bit
    return modules


def format_modules(modules: int) -> str:
    """Return the text of a set of modules."""
    names = [MODULES[index] for index in range(3) if modules >> index & 1]
    return "+".join(names) or _STANDARD


def _parse_objects(state: "array[int]", modules: int, fields: "list[str]") -> "list[str]":
    """Lay the objects of the first field on a state; return the other fields."""
    eras = fields[0].split("/") if fields else []
    if len(eras) != 3:
        raise NotationError(
            tr(
                "position: objects of three eras joined by '/' expected, {count} found",
                count=len(eras),
            )
        )
    for era in range(3):
        for word in eras[era].split(",") if eras[era] != "-" else []:
            _parse_object(state, modules, era, word)
    return fields[1:]


def _value(fields: "list[str]", name: str) -> str:
    """Return the value of the first field, in small letters, which has to be `name=value`."""
    if not fields:
        raise NotationError(tr("position: {name}= is missing", name=name))
    key, equals, value = fields[0].lower().partition("=")
    if key != name or not equals:
        raise NotationError(
            tr("position: {name}= expected, '{field}' found", name=name, field=fields[0])
        )
    return value


def _parse_seeds(state: "array[int]", value: str) -> None:
    left = parse_number(value)
    if not 0 <= left <= objects.MOST_SEEDS:
        raise NotationError(
            tr(
                "position, seeds: '{value}' is not a number from 0 to {most}",
                value=value,
                most=objects.MOST_SEEDS,
            )
        )
    state[META] |= left << objects.SEEDS_SHIFT


def _parse_statues(state: "array[int]", value: str) -> None:
    """Read who still holds the own statue, which is built once and for all eras (I7)."""
    if value not in ("-", "w", "b", "wb", "bw"):
        raise NotationError(tr("position, statues: '{value}' is none of - w b wb", value=value))
    built = [kind - STATUE - 1 for _, _, kind in objects.objects_of(state)]
    for player in range(2):
        if _COLOURS[player] in value:
            if player in built:
                raise NotationError(
                    tr("position, statues: {player}'s is built already", player=PLAYERS[player])
                )
            state[META] |= 1 << (objects.HELD_SHIFT + player)


def _parse_object(state: "array[int]", modules: int, era: int, word: str) -> None:
    """Lay one object, such as `T6`, `F11<10` or `eL13w`, on an era."""
    low = word.lower()
    prefix, kind, module = next(
        (one for one in _OBJECTS if low.startswith(one[0].lower())), ("", 0, 0)
    )
    if not prefix:
        raise _object_error(era, word, tr("no such object"))
    if not modules & module:
        raise _object_error(era, word, tr("its module is not played"))
    number, arrow, roots = low[len(prefix) :].partition("<")
    hat = _COLOURS.find(number[-1]) if kind >= ELEPHANT and number else -1
    if hat >= 0:
        number = number[:-1]
    space = parse_number(number) - 1
    if not 0 <= space < 16:
        raise _object_error(era, word, tr("a space from 1 to 16 expected"))
    if bool(arrow) != (kind == FALLEN):
        raise _object_error(era, word, tr("roots belong to a fallen tree, as in F11<10"))
    if kind == FALLEN:
        towards = _fell_towards(parse_number(roots) - 1, space)
        if not towards:
            raise _object_error(era, word, tr("its roots are on no space beside it"))
        kind += towards - NORTH
    for there, other, found in objects.objects_of(state):
        if there != era:
            continue
        if found == kind and kind >= STATUE:
            raise _object_error(era, word, tr("an era has only one of them"))
        if other == space:
            raise _object_error(era, word, tr("another object is on that space"))
    if kind != SEED and (state[era] | state[3 + era]) >> space & 1:
        raise _object_error(era, word, tr("a copy is on that space"))
    objects.put(state, era, space, kind)
    if hat >= 0:
        if objects.hat(state, era, ELEPHANT + 1 - kind) == hat:
            raise _object_error(era, word, tr("the other elephant wears that hat"))
        objects.put_hat(state, era, kind - ELEPHANT, hat)


def _object_error(era: int, word: str, problem: str) -> NotationError:
    return NotationError(
        tr("position, {era}, '{word}': {problem}", era=ERAS[era], word=word, problem=problem)
    )


def _fell_towards(roots: int, space: int) -> int:
    """Return the direction that leads from the space of the roots to the next one, or 0."""
    if 0 <= roots < 16:
        step = space - roots
        if abs(step) == 4:
            return SOUTH if step > 0 else NORTH
        if abs(step) == 1 and roots >> 2 == space >> 2:
            return EAST if step > 0 else WEST
    return 0


def _format_objects(state: "array[int]") -> str:
    """Return the fields of a position with modules behind the six of every position."""
    modules = objects.modules_of(state)
    eras: list[list[str]] = [[], [], []]
    for era, space, kind in objects.objects_of(state):
        eras[era].append(_format_object(state, era, space, kind))
    words = [format_modules(modules), "/".join([",".join(texts) or "-" for texts in eras])]
    if modules & GROWTH:
        words.append(f"seeds={objects.seeds(state)}")
    if modules & INFLUENCE:
        held = [_COLOURS[player] for player in range(2) if objects.holds_statue(state, player)]
        words.append("statues=" + ("".join(held) or "-"))
    return " ".join(words)


def _format_object(state: "array[int]", era: int, space: int, kind: int) -> str:
    text = f"{_PREFIXES.get(FALLEN if FALLEN <= kind < STATUE else kind, '')}{space + 1}"
    if kind >= ELEPHANT:
        hat = objects.hat(state, era, kind - ELEPHANT)
        return text + _COLOURS[hat] if hat >= 0 else text
    if FALLEN <= kind < STATUE:
        return f"{text}<{space + 1 - (-4, 1, 4, -1)[kind - FALLEN]}"
    return text


def parse_action(text: str) -> int:
    """Return the code of an action text; raises NotationError."""
    code = _CODES.get(text.lower(), 0)
    if not code:
        raise NotationError(no_action(text))
    return code


def no_action(text: str) -> str:
    """Return the message about an action that is not known, or not in a game without modules."""
    return tr("turn: '{text}' is none of the actions N E S W F B", text=text)


def parse_number(text: str, most: int = 5) -> int:
    """Return the number that up to so many digits stand for, or -1.

    `isdigit` would take foreign ones.
    """
    if not 1 <= len(text) <= most:
        return -1
    for char in text:
        if not "0" <= char <= "9":
            return -1
    return int(text)


@lru_cache(_KEPT)
def parse_turn(text: str) -> int:
    """Return the packed turn of a text such as `6 E F >future` or `>past`; raises NotationError.

    >>> format_turn(parse_turn("1 e e >fut"))
    '1 E E >future'
    """
    acts, arrow, era_text = text.partition(">")
    if not arrow:
        raise NotationError(
            tr("turn: '{text}' does not say the new focus, as in >past", text=text.strip())
        )
    focus = parse_era(era_text.strip())
    words = acts.split()
    if not words:
        return focus << 16
    space = parse_number(words[0])
    if not 1 <= space <= 16:
        raise NotationError(tr("turn: '{text}' is not a space from 1 to 16", text=words[0]))
    if not 2 <= len(words) <= 3:
        raise NotationError(
            tr("turn: one or two actions expected, {count} found", count=len(words) - 1)
        )
    codes = [parse_action(word) for word in words[1:]] + [0]
    return focus << 16 | layout.pack_sequence(space - 1, codes[0], codes[1])


@lru_cache(_KEPT)
def format_turn(turn: int) -> str:
    """Return the text of a packed turn."""
    words = []
    if turn & 0xFFFF:
        words.append(str((turn >> 12 & 15) + 1))
        words.extend(ACTIONS[code] for code in (turn >> 6 & 63, turn & 63) if code)
    words.append(">" + ERAS[turn >> 16])
    return " ".join(words)


def parse_options(text: str) -> int:
    """Return the option bits of `name=value` words; raises NotationError."""
    bits = 0
    names = [name for name, _ in OPTIONS]
    for word in text.split():
        name, equals, value = word.lower().partition("=")
        if not equals or name not in names:
            known, values = OPTIONS[0]  # the others are the chapters'
            raise NotationError(
                tr(
                    "option '{word}': known is {known}",
                    word=word,
                    known=f"{known}={values[1]}|{values[0]}",
                )
            )
        index = names.index(name)
        values = OPTIONS[index][1]
        if value not in values:
            raise NotationError(
                tr(
                    "option {name}: '{value}' is neither {one} nor {other}",
                    name=name,
                    value=value,
                    one=values[1],
                    other=values[0],
                )
            )
        bits = bits & ~(1 << index) | values.index(value) << index
    return bits


def format_options(bits: int) -> str:
    """Return the options that differ from their defaults."""
    return " ".join(
        [
            name + "=" + values[1]
            for index, (name, values) in enumerate(OPTIONS)
            if bits >> index & 1
        ]
    )
