"""Names of sensors as places on the table, for somebody who is to find them with a hand."""

from collections.abc import Sequence

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS, INPUTS, PLAYERS
from chronotable_host.language import names, tr, tr_c

_ROWS = (tr_c("row", "first"), tr_c("row", "second"), tr_c("row", "third"), tr_c("row", "fourth"))
_COLUMNS = (
    tr_c("from the left", "first"),
    tr_c("from the left", "second"),
    tr_c("from the left", "third"),
    tr_c("from the left", "fourth"),
)
_NOWHERE = tr("somewhere")


def place_name(sensor: int) -> str:
    """Name a sensor as the game does; "somewhere" where a newer table knows more of them."""
    return place_text(sensor_name(sensor)) if 0 <= sensor < INPUTS else _NOWHERE


def place_text(name: str) -> str:
    """Return a sensor's name (`past 3`, `focus white past`, `button undo white`) for people."""
    match name.split():
        case ["focus", player, era]:
            return tr("focus {player} {era}", player=_player(player), era=_era(era))
        case ["button", button]:
            return tr("button {button}", button=button)
        case ["button", button, player]:
            return tr("button {button} {player}", button=button, player=_player(player))
        case [era, space] if era in ERAS:
            return f"{_era(era)} {space}"
    return name  # of a newer table


def place_to_find(sensor: int) -> str:
    """Name a sensor and say where it is, as seen from the south like all drawings."""
    if not 0 <= sensor < INPUTS:
        return _NOWHERE
    if sensor < FOCUS:
        row, column = divmod(sensor % 16, 4)
        return tr(
            "{place} ({row} row, {column} from the left)",
            place=place_name(sensor),
            row=_ROWS[row],
            column=_COLUMNS[column],
        )
    words = sensor_name(sensor).split()[1:]
    if sensor < BUTTON:
        player, era = words
        return tr("the focus spot of {player} at the {era}", player=_player(player), era=_era(era))
    if len(words) == 1:
        return tr("the button {button}", button=words[0])
    return tr("the button {button} of {player}", button=words[0], player=_player(words[1]))


def place_names(sensors: Sequence[int]) -> str:
    """Name several sensors, in one line."""
    return ", ".join(map(place_name, sensors))


def place_range(first: int, last: int) -> str:
    """Name the sensors from one to another, in the order that people know."""
    if first == last:
        return place_name(first)
    return tr("{first} to {last}", first=place_name(first), last=place_name(last))


def era_name(number: int) -> str:
    """Name an era."""
    return names.ERAS[number] if number < len(ERAS) else _NOWHERE


def _era(name: str) -> str:
    return names.ERAS[ERAS.index(name)]


def _player(name: str) -> str:
    return names.PLAYERS_WITHIN[PLAYERS.index(name)]
