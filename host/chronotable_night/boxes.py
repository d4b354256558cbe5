"""What owners have entered of their boxes, a file for each game: kept half done, and played with.

A file is a data file of the game (`games-data check`); what is not entered yet is as the game's own
data has it. `entered` lists the items that its owner has compared with the box; with all of them it
is `verified`. It may hold mistakes, so that nothing that was typed is lost; then it is not played.
"""

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_night.games.entering import NUMBER, NUMBERS, SEVERAL, BoxField, Form, form_of
from chronotable_night.games.interface import DataError, Kind
from chronotable_night.games.verifying import mended

_FOLDER = "boxes"
_ENTERED = "entered"


class OpenedBox(NamedTuple):
    """The data a game is played with, None for its own, and what players should know of it."""

    data: Mapping[str, Any] | None
    note: str = ""


class Boxes:
    """The boxes in an archive's folder; games in `given` are played with that data instead."""

    def __init__(self, folder: Path, given: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self._folder = folder / _FOLDER
        self._given = given or {}

    def path(self, kind: Kind) -> Path:
        """Return where a game's box is kept."""
        return self._folder / f"{kind.name}.json"

    def opened(self, kind: Kind) -> OpenedBox:
        """Return what a game is played with now."""
        if kind.name in self._given:
            return OpenedBox(self._given[kind.name])
        if form_of(kind) is None or not self.path(kind).exists():
            return OpenedBox(None)
        try:
            data, form = self._read(kind)
        except (UserError, OSError) as error:
            return OpenedBox(None, tr("Your own box is not played with: {why}", why=error))
        found, _ = mended(kind, data)
        if found:
            title = _titled(form, found[0])
            why = tr(
                "Your own box has a mistake ({where}), so it is not played with. Our box shows it.",
                where=title,
            )
            return OpenedBox(None, why)
        n, of = len(_entered(data, form)), len(form.items)
        if n == of:
            return OpenedBox(data)
        note = tr("Of your own box {n} of {all} are entered; the rest is made up.", n=n, all=of)
        return OpenedBox(data, note)

    def page(self, kind: Kind) -> dict[str, Any]:
        """Return all that the page of a box shows; raises UserError and OSError."""
        data, form = self._read(kind)
        found, right = mended(kind, data)
        try:
            printed = kind.game(right).printed
        except DataError:  # what nothing puts right
            printed = kind.game().printed
        return {
            "game": kind.name,
            "title": kind.title,
            "items": [
                {
                    **each._asdict(),
                    "fields": [
                        {**field._asdict(), "value": _at(data, field.place)}
                        for field in each.fields
                    ],
                }
                for each in form.items
            ],
            "choices": form.choices,
            "entered": _entered(data, form),
            "mistakes": [(each.place, each.why) for each in found],
            "printed": printed,
        }

    def enter(self, kind: Kind, place: str, value: Any) -> None:
        """Put a value at a place of the form; raises UserError and OSError.

        The value may be a mistake: then `page` says what would be right.
        """
        data, form = self._read(kind)
        for field in _fields(form):
            if field.place == place:
                break
        else:
            raise UserError(tr("{place} is nothing that can be entered", place=printable(place)))
        if isinstance(value, list) != (field.kind in (SEVERAL, NUMBERS)):
            raise UserError(tr("{label}: a list is no single value", label=field.label))
        *way, last = place.split(".")
        there: Any = data
        for step in way:
            inner = there[int(step)] if isinstance(there, list) else there.get(step)
            if not isinstance(inner, (dict, list)):  # such as symbols, of a card that has none
                inner = there[step] = {}
            there = inner
        if value is None and field.kind == NUMBER:  # such as no symbols of a colour
            there.pop(last, None)
        else:
            there[last] = value
        self._write(kind, data)

    def mark(self, kind: Kind, key: str, on: bool) -> None:
        """Note whether an item is as it is in the box; raises UserError and OSError.

        One that has a mistake is not.
        """
        data, form = self._read(kind)
        item = next((each for each in form.items if each.key == key), None)
        if item is None:
            raise UserError(tr("{place} is nothing that can be entered", place=printable(key)))
        places = [field.place for field in item.fields]
        for error in mended(kind, data)[0] if on else ():
            if any(_is_within(error.place, each) for each in (key, *places)):
                raise UserError(error.why)
        marked = {*_entered(data, form), key} if on else {*_entered(data, form)} - {key}
        data[_ENTERED] = [each.key for each in form.items if each.key in marked]
        data["verified"] = len(marked) == len(form.items)
        self._write(kind, data)

    def _read(self, kind: Kind) -> tuple[dict[str, Any], Form]:
        """Return what is entered so far, and the form of it."""
        own, describes, path = kind.default_data, form_of(kind), self.path(kind)
        if own is None or describes is None:
            raise UserError(tr("{title} needs no data", title=kind.title))
        try:
            data = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            data = {k: v for k, v in copy.deepcopy(dict(own)).items() if not k.startswith("_")}
        except (ValueError, RecursionError) as error:
            raise UserError(tr("{file}: is no JSON ({why})", file=path, why=error)) from error
        if not _has_shape(data, own):
            raise UserError(
                tr(
                    "{file}: lists or cards are missing; `chronotable games-data check` says which",
                    file=path,
                )
            )
        return data, describes(data)

    def _write(self, kind: Kind, data: Mapping[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.path(kind), json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def _has_shape(data: Any, own: Any) -> bool:
    """Tell whether data has the lists and objects that other data has, cards for cards."""
    if isinstance(own, Mapping):
        if not isinstance(data, Mapping):
            return False
        nested = [key for key, value in own.items() if isinstance(value, (Mapping, list))]
        return all(_has_shape(data.get(key), own[key]) for key in nested)
    if isinstance(data, list) and own and isinstance(own[0], Mapping):
        return all(isinstance(each, Mapping) for each in data)
    return isinstance(data, list)


def _entered(data: Mapping[str, Any], form: Form) -> list[str]:
    marked = data.get(_ENTERED)
    if not isinstance(marked, list):  # written by hand
        return [each.key for each in form.items if data.get("verified") is True]
    return [each.key for each in form.items if each.key in marked]


def _fields(form: Form) -> Iterator[BoxField]:
    for item in form.items:
        yield from item.fields


def _titled(form: Form, error: DataError) -> str:
    """Return what people call the place of a mistake."""
    for item in form.items:
        for field in item.fields:
            if _is_within(error.place, field.place):
                return f"{item.title}, {field.label}"
    return error.why


def _is_within(place: str, other: str) -> bool:
    return f"{place}.".startswith(f"{other}.")


def _at(data: Any, place: str) -> Any:
    """Return what is at a place, None for nothing."""
    for step in place.split("."):
        if isinstance(data, list):
            data = data[int(step)]
        else:
            data = data.get(step) if isinstance(data, Mapping) else None
    return data
