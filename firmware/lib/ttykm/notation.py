"""Texts of the game: positions, actions and turns (the fixed forms people and checks rely on).

Reading is lenient about white space and case and strict about meaning; what is written is
canonical, so reading it gives the same thing again.
"""

from array import array

from ttykm import layout, objects
from ttykm.layout import FUTURE, META, STATE_WORDS
from ttykm.objects import ELEPHANT, FALLEN, GROWTH, INFLUENCE, MEMORY, SEED, SHRUB, STATUE, TREE

ERAS = ("past", "present", "future")
PLAYERS = ("white", "black")
MODULES = ("growth", "influence", "memory")
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
    """Return the text of every action code (layout.py)."""
    sides = "NESW"
    texts = ["", "N", "E", "S", "W", "F", "B"]
    texts.extend([side + "*" for side in sides])
    for verb, aims in (("p", "NESWo"), ("d", "NESWo"), ("s", sides), ("t", sides)):
        texts.extend([verb + aim for aim in aims])
    for which in "DL":
        for pull in ("", "*"):
            texts.extend(["c%s:%s%s" % (which, side, pull) for side in sides])
    return tuple(texts)


ACTIONS = _action_texts()
"""The text of each action code."""

_CODES = {text.lower(): code for code, text in enumerate(ACTIONS) if text}

_COPIES = ".wb"
_STATUES = ("nN", "nW", "nB")
_ELEPHANTS = ("eD", "eL")
_OBJECTS = (
    ("sh", SHRUB, GROWTH),
    ("*", SEED, GROWTH),
    ("t", TREE, GROWTH),
    ("f", FALLEN, GROWTH),
    ("nn", STATUE, INFLUENCE),
    ("nw", STATUE + 1, INFLUENCE),
    ("nb", STATUE + 2, INFLUENCE),
    ("ed", ELEPHANT, MEMORY),
    ("el", ELEPHANT + 1, MEMORY),
)
_FIELDS = (
    "the eras",
    "white's focus",
    "black's focus",
    "white's supply",
    "black's supply",
    "mover",
)


class NotationError(ValueError):
    """A text does not say what it should; the message says what and where."""


class UnknownModuleError(NotationError):
    """The text asks for rules that are not known here."""


def _by_prefix(text: str, names: "tuple[str, ...]", what: str) -> int:
    """Return the index of the one name that starts with `text`."""
    low = text.lower()
    found = [index for index, name in enumerate(names) if low and name.startswith(low)]
    if len(found) != 1:
        problem = "could be more than one of" if found else "is none of"
        raise NotationError("%s: '%s' %s %s" % (what, text, problem, ", ".join(names)))
    return found[0]


def parse_era(text: str) -> int:
    """Return the era of a name or unique prefix; raises NotationError."""
    return _by_prefix(text, ERAS, "era")


def parse_player(text: str) -> int:
    """Return WHITE or BLACK of a name or unique prefix; raises NotationError."""
    return _by_prefix(text, PLAYERS, "player")


def parse_position(text: str) -> "array[int]":
    """Return the state of a position text.

    Raises NotationError that names the field, UnknownModuleError where a module is none.
    """
    for joint in "/,":
        text = joint.join([part.strip() for part in text.split(joint)])
    fields = text.split()
    if len(fields) < 6:
        raise NotationError(
            "position: %d of 6 fields found; %s is missing" % (len(fields), _FIELDS[len(fields)])
        )
    short = _parse_copies(fields)
    if len(fields) == 6:
        return short
    modules = parse_modules(fields[6])
    if not modules:
        raise NotationError("position: nothing may follow '%s'" % fields[6])
    state = objects.empty_state(modules)
    for word in range(STATE_WORDS):
        state[word] = short[word]
    _parse_objects(state, modules, fields[7:])
    return state


def _parse_copies(fields: "list[str]") -> "array[int]":
    """Return the standard state of the first six fields."""
    state = array("H", bytes(2 * STATE_WORDS))
    eras = fields[0].split("/")
    if len(eras) != 3:
        raise NotationError("position: three eras joined by '/' expected, %d found" % len(eras))
    for era in range(3):
        row = eras[era].lower()
        if len(row) != 16:
            raise NotationError(
                "position, %s: 16 spaces expected, %d found" % (ERAS[era], len(row))
            )
        for space in range(16):
            kind = _COPIES.find(row[space])
            if kind < 0:
                raise NotationError(
                    "position, %s, space %d: '%s' is none of . w b"
                    % (ERAS[era], space + 1, eras[era][space])
                )
            if kind:
                state[3 * (kind - 1) + era] |= 1 << space
    focus_w, focus_b = (_digit(fields, index, FUTURE) for index in (1, 2))
    supply_w, supply_b = (_digit(fields, index, 7) for index in (3, 4))
    mover = "wb".find(fields[5].lower())
    if mover < 0 or len(fields[5]) != 1:
        raise NotationError("position, mover: '%s' is neither w nor b" % fields[5])
    state[layout.META] = layout.pack_meta(supply_w, supply_b, focus_w, focus_b, mover)
    return state


def _digit(fields: "list[str]", index: int, most: int) -> int:
    text = fields[index]
    if len(text) != 1 or not "0" <= text <= str(most):
        raise NotationError(
            "position, %s: '%s' is not a number from 0 to %d" % (_FIELDS[index], text, most)
        )
    return int(text)


def format_position(state: "array[int]") -> str:
    """Return the position text of a state."""
    eras = []
    for era in range(3):
        white, black = state[era], state[3 + era]
        eras.append(
            "".join(
                "w" if white >> space & 1 else "b" if black >> space & 1 else "."
                for space in range(16)
            )
        )
    text = "%s %d %d %d %d %s" % (
        "/".join(eras),
        layout.focus(state, 0),
        layout.focus(state, 1),
        layout.supply(state, 0),
        layout.supply(state, 1),
        "wb"[layout.mover(state)],
    )
    return text + " " + _format_objects(state) if len(state) > STATE_WORDS else text


def parse_modules(text: str) -> int:
    """Return the set of modules of `growth+memory`, 0 for `standard`.

    Raises UnknownModuleError.
    """
    if text.lower() == "standard":
        return 0
    modules = 0
    for name in text.lower().split("+"):
        bit = 1 << MODULES.index(name) if name in MODULES else 0
        if not bit or modules & bit:
            raise UnknownModuleError(
                "position: only the standard game is known here, not '%s'" % text
            )
        modules |= bit
    return modules


def format_modules(modules: int) -> str:
    """Return the text of a set of modules."""
    names = [MODULES[index] for index in range(3) if modules >> index & 1]
    return "+".join(names) or "standard"


def _parse_objects(state: "array[int]", modules: int, fields: "list[str]") -> None:
    """Lay the objects of the fields behind the modules on a state."""
    eras = fields[0].split("/") if fields else []
    if len(eras) != 3:
        raise NotationError("position: objects of three eras expected, %d found" % len(eras))
    for era in range(3):
        for word in eras[era].split(",") if eras[era] != "-" else []:
            _parse_object(state, modules, era, word)
    found = len([1 for _, _, kind in objects.objects_of(state) if kind == SEED])
    rest = fields[1:]
    for module, name in ((GROWTH, "seeds"), (INFLUENCE, "statues")):
        if modules & module:
            if not rest:
                raise NotationError("position: %s= is missing" % name)
            key, equals, value = rest[0].lower().partition("=")
            rest = rest[1:]
            if key != name or not equals:
                raise NotationError("position: %s= expected, '%s' found" % (name, fields[-1]))
            if module == GROWTH:
                left = parse_number(value)
                if not 0 <= left <= 7 - found:
                    raise NotationError(
                        "position, seeds: '%s' is not a number from 0 to %d" % (value, 7 - found)
                    )
                state[META] |= left << objects.SEEDS_SHIFT
            else:
                if value not in ("-", "w", "b", "wb", "bw"):
                    raise NotationError("position, statues: '%s' is none of - w b wb" % value)
                held = ("w" in value) | ("b" in value) << 1
                state[META] |= held << objects.HELD_SHIFT
    if rest:
        raise NotationError("position: nothing may follow, but '%s' does" % rest[0])


def _parse_object(state: "array[int]", modules: int, era: int, word: str) -> None:
    """Lay one object, such as `T6`, `F11<10` or `eL13w`, on an era."""
    where = "position, %s, '%s'" % (ERAS[era], word)
    low = word.lower()
    prefix, kind, module = _object_of(low, where)
    if not modules & module:
        raise NotationError(where + ": its module is not played")
    rest = low[len(prefix) :]
    hat = -1
    if kind >= ELEPHANT and rest[-1:] in ("w", "b"):
        hat = "wb".find(rest[-1])
        rest = rest[:-1]
    number, arrow, roots = rest.partition("<")
    space = parse_number(number) - 1
    if not 0 <= space < 16 or (arrow != "") != (kind == FALLEN):
        raise NotationError(where + ": a space from 1 to 16 expected")
    if kind == FALLEN:
        kind += _direction(parse_number(roots) - 1, space, where)
    if kind >= STATUE and kind in [
        other[2] for other in objects.objects_of(state) if other[0] == era
    ]:
        raise NotationError(where + ": there is one of them in an era")
    taken = objects.kind_at(state, era, space)
    if taken or (kind != SEED and (state[era] | state[3 + era]) >> space & 1):
        raise NotationError(where + ": another thing is on that space")
    objects.put(state, era, space, kind)
    if hat >= 0:
        for which in range(2):
            if objects.hat(state, era, which) == hat:
                raise NotationError(where + ": the other elephant of the era wears that hat")
        objects.put_hat(state, era, kind - ELEPHANT, hat)


def _object_of(low: str, where: str) -> "tuple[str, int, int]":
    """Return prefix, kind and module of an object's text in small letters."""
    for entry in _OBJECTS:
        if low.startswith(entry[0]):
            return entry
    raise NotationError(where + ": no such object")


def _direction(origin: int, space: int, where: str) -> int:
    """Return the direction, from 0, that leads from a space to the next one."""
    for index, step in enumerate((-4, 1, 4, -1)):
        if origin + step == space and (index % 2 == 0 or origin >> 2 == space >> 2):
            if 0 <= origin < 16:
                return index
    raise NotationError(where + ": its roots are on no space beside it")


def _format_objects(state: "array[int]") -> str:
    """Return the fields of a position with modules behind the six of every position."""
    modules = objects.modules_of(state)
    eras: list[list[str]] = [[], [], []]
    for era, space, kind in objects.objects_of(state):
        eras[era].append(_format_object(state, era, space, kind))
    words = [format_modules(modules), "/".join([",".join(texts) or "-" for texts in eras])]
    if modules & GROWTH:
        words.append("seeds=%d" % objects.seeds(state))
    if modules & INFLUENCE:
        held = [colour for side, colour in enumerate("wb") if objects.holds_statue(state, side)]
        words.append("statues=" + ("".join(held) or "-"))
    return " ".join(words)


def _format_object(state: "array[int]", era: int, space: int, kind: int) -> str:
    number = space + 1
    if kind >= ELEPHANT:
        which = kind - ELEPHANT
        hat = ("", "w", "b")[objects.hat(state, era, which) + 1]
        return "%s%d%s" % (_ELEPHANTS[which], number, hat)
    if kind >= STATUE:
        return "%s%d" % (_STATUES[kind - STATUE], number)
    if kind >= FALLEN:
        return "F%d<%d" % (number, number - (-4, 1, 4, -1)[kind - FALLEN])
    return "%s%d" % (("*", "sh", "T")[kind - SEED], number)


def parse_action(text: str) -> int:
    """Return the code of an action text; raises NotationError."""
    code = _CODES.get(text.lower(), 0)
    if not code:
        raise NotationError("turn: '%s' is none of the actions N E S W F B" % text)
    return code


def parse_number(text: str) -> int:
    """Return the number that up to five digits stand for, or -1; `isdigit` takes foreign ones."""
    if not 1 <= len(text) <= 5:
        return -1
    for char in text:
        if not "0" <= char <= "9":
            return -1
    return int(text)


def parse_turn(text: str) -> int:
    """Return the packed turn of a text such as `6 E F >future` or `>past`; raises NotationError."""
    acts, arrow, era_text = text.partition(">")
    if not arrow:
        raise NotationError("turn: '%s' does not say the new focus, as in >past" % text.strip())
    focus = parse_era(era_text.strip())
    words = acts.split()
    if not words:
        return focus << 16
    space = parse_number(words[0])
    if not 1 <= space <= 16:
        raise NotationError("turn: '%s' is not a space from 1 to 16" % words[0])
    if not 2 <= len(words) <= 3:
        raise NotationError("turn: one or two actions expected, %d found" % (len(words) - 1))
    codes = [parse_action(word) for word in words[1:]] + [0]
    return focus << 16 | layout.pack_sequence(space - 1, codes[0], codes[1])


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
    for word in text.split():
        name, equals, value = word.lower().partition("=")
        index = _option_index(name) if equals else -1
        if index < 0:
            known, values = OPTIONS[0]
            raise NotationError("option '%s': known is %s=%s" % (word, known, "|".join(values)))
        values = OPTIONS[index][1]
        if value not in values:
            raise NotationError(
                "option %s: '%s' is neither %s nor %s" % (name, value, values[0], values[1])
            )
        bits = bits & ~(1 << index) | values.index(value) << index
    return bits


def _option_index(name: str) -> int:
    for index, option in enumerate(OPTIONS):
        if option[0] == name:
            return index
    return -1


def format_options(bits: int) -> str:
    """Return the options that differ from their defaults."""
    return " ".join(
        [
            name + "=" + values[1]
            for index, (name, values) in enumerate(OPTIONS)
            if bits >> index & 1
        ]
    )
