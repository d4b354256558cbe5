"""The settings of a table in words: what `--set NAME=VALUE` takes, and what the link sends.

`chronotable.core.commands` has the numbers of the settings and checks every value once more.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from chronotable.core import chapters, commands
from chronotable.core.table import BRIGHTNESS, WANTED
from chronotable.lights import hints
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.texts.light_names import PALETTE_NAMES


class TableSettings(NamedTuple):
    """What a snapshot tells of a table's settings."""

    hints: tuple[int, int]
    """The levels of white and black."""
    chapters: int
    """So many are unlocked."""
    is_turn_wanted: bool
    """The hands are shown a turn of a player who has none."""


def settings_told(packed: int) -> TableSettings:
    """Return the `settings` of a snapshot, as `chronotable.core.table` packs them."""
    chapters_told, white = divmod(packed & 15, hints.HINT_LEVELS)
    levels = white, packed >> 4 & 3
    return TableSettings(levels, min(chapters_told, chapters.COUNT), packed & WANTED != 0)


class SettingKind(NamedTuple):
    """What a setting can be: words with their numbers, and any number between two where given.

    `says` tells people what it is about.
    """

    says: str
    words: dict[str, int]
    numbers: tuple[int, int] | None = None
    unit: str = ""

    def __str__(self) -> str:
        """Say what is possible."""
        parts = list(self.words)
        if self.numbers is not None:
            low, high = self.numbers
            parts.append(tr("{low} to {high}{unit}", low=low, high=high, unit=self.unit))
        if len(parts) == 1:
            return parts[0]
        return tr("{several} or {last}", several=", ".join(parts[:-1]), last=parts[-1])


_HINTS = SettingKind(
    tr("what the lights say to that player"),
    {"off": hints.HINTS_OFF, "legal": hints.HINTS_LEGAL, "consequences": hints.HINTS_CONSEQUENCES},
)
LEVELS = ("hands", "easy", "medium", "strong")
"""Who plays a side without a PC, as `chronotable.player.seats` numbers them."""
_TABLE = "table"
_PLAYER = SettingKind(
    tr("who plays there; the table itself is the last three"),
    {name: number for number, name in enumerate(LEVELS)},
)
KINDS = {
    "hints_white": _HINTS,
    "hints_black": _HINTS,
    "brightness": SettingKind(
        tr("of all lights"), dict(zip(("full", "half", "night"), BRIGHTNESS, strict=True)), (0, 256)
    ),
    "palette": SettingKind(
        tr("the colours of the lights"), {name: number for number, name in enumerate(PALETTE_NAMES)}
    ),
    "rest_ms": SettingKind(tr("how long reeds must rest"), {}, (200, 10000), " ms"),
    "settle_ms": SettingKind(tr("how long a turn must stand"), {}, (100, 2000), " ms"),
    "chapters": SettingKind("", {}, (0, chapters.COUNT)),
    "white": _PLAYER,
    "black": _PLAYER,
}
OFFERED = [name for name in KINDS if name != "chapters"]  # which `chronotable unlock` has


def own_level(seat: str) -> str | None:
    """Return the level of `table:easy`, or of `table`, the strongest; None for any other seat.

    Raises UserError where the table has no such level.
    """
    kind, _, level = seat.partition(":")
    if kind != _TABLE:
        return None
    level = level or LEVELS[-1]
    if level not in LEVELS[1:]:
        known = ", ".join(f"{_TABLE}:{each}" for each in LEVELS[1:])
        raise UserError(tr("'{seat}': the table itself plays as {known}", seat=seat, known=known))
    return level


def parse_settings(words: Iterable[str]) -> dict[str, int]:
    """Read NAME=VALUE words; of two for one name the last counts.

    Raises UserError that says what is possible.
    """
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip().lower(), value.strip().lower()
        if not equals or name not in OFFERED:
            known = "; ".join(f"{known}={KINDS[known]}" for known in OFFERED)
            raise UserError(tr("'{word}' is no setting; there are {known}", word=word, known=known))
        kind = KINDS[name]
        number = kind.words.get(value)
        if number is None and value.isascii() and value.isdecimal() and kind.numbers is not None:
            low, high = kind.numbers
            number = int(value[:9]) if low <= int(value[:9]) <= high else None
        if number is None:
            raise UserError(tr("'{word}': {name} is {kind}", word=word, name=name, kind=kind))
        settings[name] = number
    return settings


def format_settings(settings: Mapping[str, int]) -> dict[str, str]:
    """Return settings as `parse_settings` reads them, in words where there are words."""
    return {
        name: next(
            (word for word, known in KINDS[name].words.items() if known == value), str(value)
        )
        for name, value in settings.items()
    }


def number_of(name: str) -> int:
    """Return the number of a setting on the link."""
    return commands.SETTINGS.index(name)
