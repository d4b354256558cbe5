"""Reading the names of sensors that people and scripts write."""

from chronotable.sensors import BUTTON, BUTTONS, ERAS, FOCUS, PLAYERS, SHARED


def parse_sensor(text: str) -> int:
    """Read a sensor's name; upper case, spare white space and short eras (`pr 7`) are accepted.

    Raises ValueError that says what is wrong with which word.
    """
    words = text.lower().split()
    if not words:
        raise ValueError("a sensor is missing; write for example 'past 3' or 'focus white past'")
    if words[0] == "focus":
        if len(words) != 3:
            raise ValueError(f"'{text}' must be 'focus', a player and an era")
        return FOCUS + _player(words[1], text) * 3 + _era(words[2], text)
    if words[0] == "button":
        return _button(words[1:], text)
    if len(words) != 2:
        raise ValueError(f"'{text}' must be an era and a space, or begin with 'focus' or 'button'")
    return _era(words[0], text) * 16 + _space(words[1], text)


def _era(word: str, text: str) -> int:
    found = [era for era in range(3) if ERAS[era].startswith(word)]
    if len(found) == 1:
        return found[0]
    if found:
        both = " and ".join([ERAS[era] for era in found])
        raise ValueError(f"'{word}' in '{text}' fits {both}")
    raise ValueError(f"'{word}' in '{text}' is no era; eras are past, present and future")


def _player(word: str, text: str) -> int:
    if word in PLAYERS:
        return PLAYERS.index(word)
    raise ValueError(f"'{word}' in '{text}' is no player; players are white and black")


def _space(word: str, text: str) -> int:
    # Not int() alone and not isdigit(): CPython takes '+3', '1_0' and foreign digits.
    if len(word) <= 2 and all(letter in "0123456789" for letter in word) and 1 <= int(word) <= 16:
        return int(word) - 1
    raise ValueError(f"'{word}' in '{text}' is no space; spaces are 1 to 16")


def _button(words: list[str], text: str) -> int:
    if not words or len(words) > 2:
        raise ValueError(f"'{text}' must be 'button', its name and, for a player's own, the player")
    name = words[0]
    sides = [side for button, side in BUTTONS if button == name]
    if not sides:
        raise ValueError(
            f"'{name}' in '{text}' is no button; buttons are undo, action, resign, a, b, c and draw"
        )
    if sides[0] == SHARED:
        if len(words) == 2:
            raise ValueError(f"the button {name} is shared, so '{text}' must not name a player")
        return BUTTON + BUTTONS.index((name, SHARED))
    if len(words) == 1:
        raise ValueError(f"'{text}' must also name the player, white or black")
    return BUTTON + BUTTONS.index((name, _player(words[1], text)))
