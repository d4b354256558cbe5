"""Reading the names of sensors that people and scripts write."""

from chronotable.hardware.sensors import BUTTON, BUTTONS, ERAS, FOCUS, PLAYERS, SHARED
from chronotable_host.language import tr


def parse_sensor(text: str) -> int:
    """Read a sensor's name; upper case, spare white space and short eras (`pr 7`) are accepted.

    Raises ValueError that says what is wrong with which word.

    >>> parse_sensor("past 3"), parse_sensor("Focus white pr")
    (2, 49)
    """
    words = text.lower().split()
    if not words:
        raise ValueError(
            tr("a sensor is missing; write for example 'past 3' or 'focus white past'")
        )
    if words[0] == "focus":
        if len(words) != 3:
            raise ValueError(tr("'{text}' must be 'focus', a player and an era", text=text))
        return FOCUS + _player(words[1], text) * 3 + _era(words[2], text)
    if words[0] == "button":
        return _button(words[1:], text)
    if len(words) != 2:
        raise ValueError(
            tr("'{text}' must be an era and a space, or begin with 'focus' or 'button'", text=text)
        )
    return _era(words[0], text) * 16 + _space(words[1], text)


def _era(word: str, text: str) -> int:
    found = [era for era in range(3) if ERAS[era].startswith(word)]
    if len(found) == 1:
        return found[0]
    if found:
        one, other = [ERAS[era] for era in found]  # past and present
        raise ValueError(
            tr(
                "'{word}' in '{text}' fits {one} and {other}",
                word=word,
                text=text,
                one=one,
                other=other,
            )
        )
    raise ValueError(
        tr(
            "'{word}' in '{text}' is no era; eras are past, present and future",
            word=word,
            text=text,
        )
    )


def _player(word: str, text: str) -> int:
    if word in PLAYERS:
        return PLAYERS.index(word)
    raise ValueError(
        tr("'{word}' in '{text}' is no player; players are white and black", word=word, text=text)
    )


def _space(word: str, text: str) -> int:
    # Not int() alone and not isdigit(): CPython takes '+3', '1_0' and foreign digits.
    if len(word) <= 2 and all(letter in "0123456789" for letter in word) and 1 <= int(word) <= 16:
        return int(word) - 1
    raise ValueError(
        tr("'{word}' in '{text}' is no space; spaces are 1 to 16", word=word, text=text)
    )


def _button(words: list[str], text: str) -> int:
    if not words or len(words) > 2:
        raise ValueError(
            tr("'{text}' must be 'button', its name and, for a player's own, the player", text=text)
        )
    name = words[0]
    sides = [side for button, side in BUTTONS if button == name]
    if not sides:
        raise ValueError(
            tr(
                "'{name}' in '{text}' is no button; buttons are undo, action, resign, a, b, c and "
                "draw",
                name=name,
                text=text,
            )
        )
    if sides[0] == SHARED:
        if len(words) == 2:
            raise ValueError(
                tr(
                    "the button {name} is shared, so '{text}' must not name a player",
                    name=name,
                    text=text,
                )
            )
        return BUTTON + BUTTONS.index((name, SHARED))
    if len(words) == 1:
        raise ValueError(tr("'{text}' must also name the player, white or black", text=text))
    return BUTTON + BUTTONS.index((name, _player(words[1], text)))
