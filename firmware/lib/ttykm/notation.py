"""Texts of the game: positions, actions and turns (the fixed forms people and checks rely on).

Reading is lenient about white space and case and strict about meaning; what is written is
canonical, so reading it gives the same thing again.
"""

from array import array

from ttykm import layout
from ttykm.layout import FUTURE, STATE_WORDS

ERAS = ("past", "present", "future")
PLAYERS = ("white", "black")
ACTIONS = ("", "N", "E", "S", "W", "F", "B")
OPTIONS = ("strict_two_actions",)

_COPIES = ".wb"
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
    """The text asks for rules beyond the standard game."""


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

    Raises NotationError that names the field, and UnknownModuleError where chapters are asked for.
    """
    fields = "/".join([part.strip() for part in text.split("/")]).split()
    if len(fields) > 6:
        raise UnknownModuleError(
            "position: only the standard game is known here, not '%s'" % fields[6]
        )
    if len(fields) < 6:
        raise NotationError(
            "position: %d of 6 fields found; %s is missing" % (len(fields), _FIELDS[len(fields)])
        )
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
    return "%s %d %d %d %d %s" % (
        "/".join(eras),
        layout.focus(state, 0),
        layout.focus(state, 1),
        layout.supply(state, 0),
        layout.supply(state, 1),
        "wb"[layout.mover(state)],
    )


def parse_action(text: str) -> int:
    """Return the code of an action text; raises NotationError."""
    upper = text.upper()
    if upper and upper in ACTIONS:
        return ACTIONS.index(upper)
    raise NotationError("turn: '%s' is none of the actions N E S W F B" % text)


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
        if not equals or name not in OPTIONS:
            raise NotationError("option '%s': known is %s=true|false" % (word, "|".join(OPTIONS)))
        if value not in ("true", "false"):
            raise NotationError("option %s: '%s' is neither true nor false" % (name, value))
        bit = 1 << OPTIONS.index(name)
        bits = bits | bit if value == "true" else bits & ~bit
    return bits


def format_options(bits: int) -> str:
    """Return the options that differ from their defaults."""
    return " ".join(name + "=true" for index, name in enumerate(OPTIONS) if bits >> index & 1)
