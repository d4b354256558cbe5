"""Gates, arrows and cards: read from a data file, each mistake with its place.

A file holds `gates` (24 of `{id, label, green: [ids], red}`), `tra` (the same) and `deck` (entries
with `card` and `total`). `verified` says that somebody compared it with a printed game.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import DataError
from chronotable_night.games.portable import digest

STOP_TIME = "stop_time"
JUMP = "jump:"
MOVE = "move:"
DIRECTIONS = ("LR", "UD", "LRUD")
"""What a Move may allow: left and right, up and down, all four."""

ACTIONS = (
    *("return_to_hq", "join_me", "quantum_leap", "tag_along", "desperate_grab", "double_time"),
    *("near_yet_far", "back_it_up"),
)
BREAKERS = ("crash_a_gate", "on_the_move", "shut_and_run")
NAMED = (*ACTIONS, *BREAKERS, STOP_TIME)
"""All cards that are no Move and no Jump."""


@lru_cache
def jump_of(card: str) -> str:
    """Return the tile that a Jump shows, "" for any other card."""
    return card[len(JUMP) :] if card.startswith(JUMP) else ""


@lru_cache
def directions_of(card: str) -> str:
    """Return the directions of a Move, such as "LR", "" for any other card."""
    return card[len(MOVE) :] if card.startswith(MOVE) else ""


GATES = 24
CARDS = 56
LEAST_CARDS = 24
MOST_CARDS = 1000
"""More than any box has; a file that asks for more is mistaken."""
LONGEST_LABEL = 8
_ID = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, eq=False)
class Data:
    """What a game is played with. Tiles are their ids, in the order of the file, the TRA last.

    It is hashed by identity, so that what is found out about it can be cached.
    """

    gates: Sequence[str]
    tra: str
    green: Mapping[str, Sequence[str]]
    """Of each tile, the tiles that its green arrows lead to."""
    red: Mapping[str, str]
    """Of each tile, the tile that its red arrow leads to, "" without one."""
    cards: Sequence[str]
    labels: Mapping[str, str]
    """What each tile is called."""
    is_verified: bool

    @property
    def tiles(self) -> Sequence[str]:
        """Return all 25."""
        return (*self.gates, self.tra)

    @cached_property
    def hash(self) -> str:
        """Return the digest of all that the rules depend on."""
        tiles = [[tile, list(self.green[tile]), self.red[tile]] for tile in self.tiles]
        return digest({"deck": list(self.cards), "gates": tiles[:-1], "tra": tiles[-1]})


def read_data(file: Mapping[str, Any]) -> Data:
    """Return what the object of a data file says; raises DataError."""
    gates = _list(file, "gates")
    if len(gates) != GATES:
        raise DataError("gates", tr("There are {n} gates here, and not 24.", n=len(gates)))
    entries = {f"gates.{number}": entry for number, entry in enumerate(gates)}
    entries["tra"] = file.get("tra")
    places: dict[str, str] = {}  # of each id
    for place, entry in entries.items():
        tile = _id(entry, place)
        if tile in places:
            why = tr("The id {id} is already that of {place}.", id=tile, place=places[tile])
            raise DataError(f"{place}.id", why)
        places[tile] = place
    tiles = {tile: entries[place] for tile, place in places.items()}
    green = {tile: _green(tiles, tile, places[tile]) for tile in tiles}
    red = {tile: _red(tiles, green, tile, places[tile]) for tile in tiles}
    *ids, tra = tiles
    is_verified = file.get("verified") is True
    return Data(
        gates=tuple(ids),
        tra=tra,
        green=green,
        red=red,
        cards=_cards(_list(file, "deck"), ids, tra, is_verified),
        labels=_labels(tiles),
        is_verified=is_verified,
    )


def _list(file: Mapping[str, Any], name: str) -> list[Any]:
    value = file.get(name)
    if not isinstance(value, list):
        raise DataError(name, tr("A list is expected here."))
    return value


def _id(entry: Any, place: str) -> str:
    if not isinstance(entry, dict):
        raise DataError(place, tr("A tile is expected here, with its id and its arrows."))
    tile = entry.get("id")
    if not isinstance(tile, str) or not _ID.fullmatch(tile):
        why = tr("An id is made of letters A to Z, digits, _ and -, without spaces.")
        raise DataError(f"{place}.id", why)
    return tile


def _labels(tiles: Mapping[str, Any]) -> Mapping[str, str]:
    """Return what to call each tile; a word or letters that all gates begin with are left out."""
    labels = {tile: _label(entry, tile) for tile, entry in tiles.items()}
    *gates, _ = tiles
    first, last = (find(labels[tile] for tile in gates) for find in (min, max))
    pairs = enumerate(zip(first, last, strict=False))
    common = next((at for at, (a, b) in pairs if a != b or a.isdigit()), len(first))
    return {
        tile: (label[common:] if tile in gates and common < len(label) else label)[:LONGEST_LABEL]
        for tile, label in labels.items()
    }


def _label(entry: Mapping[str, Any], tile: str) -> str:
    label = entry.get("label")
    if not isinstance(label, str) or not label.isprintable():
        return tile
    return label.strip() or tile


def _green(tiles: Mapping[str, Any], tile: str, place: str) -> Sequence[str]:
    place = f"{place}.green"
    targets = tiles[tile].get("green")
    if not isinstance(targets, list) or not targets:
        raise DataError(place, tr("Every tile has at least one green arrow, given in a list."))
    for target in targets:
        _check_target(tiles, tile, target, place)
    if len(set(targets)) < len(targets):
        raise DataError(place, tr("Two green arrows of a tile lead to the same tile."))
    return tuple(targets)


def _red(
    tiles: Mapping[str, Any], green: Mapping[str, Sequence[str]], tile: str, place: str
) -> str:
    entry = tiles[tile]
    if "red" not in entry:  # the tile that leads here, if the file does not say
        is_gate = tile != list(tiles)[-1]
        return next((other for other in tiles if tile in green[other]), "") if is_gate else ""
    target: str | None = entry["red"]
    if target is None:
        return ""
    _check_target(tiles, tile, target, f"{place}.red")
    return target


def _check_target(tiles: Mapping[str, Any], tile: str, target: Any, place: str) -> None:
    if not isinstance(target, str) or target not in tiles:
        raise DataError(place, tr("No tile has the id {id}.", id=target))
    if target == tile:
        raise DataError(place, tr("An arrow leads to the very tile that it starts from."))


def _cards(deck: list[Any], gates: Sequence[str], tra: str, is_verified: bool) -> Sequence[str]:
    cards: list[str] = []
    for number, entry in enumerate(deck):
        place = f"deck.{number}"
        if not isinstance(entry, dict):
            raise DataError(place, tr("A card is expected here, with how many there are of it."))
        total = _number(entry, "total", place)
        if len(cards) + total > MOST_CARDS:
            raise DataError(f"{place}.total", tr("No box has more than 1000 cards."))
        cards += _of_entry(entry, total, [*gates, tra], place)
    if not is_verified and len(cards) != CARDS:
        why = tr(
            "There are {n} cards here, and not 56; a file that was compared with a printed "
            'game says "verified": true.',
            n=len(cards),
        )
        raise DataError("deck", why)
    if len(cards) < LEAST_CARDS:
        raise DataError("deck", tr("There are {n} cards here; 24 are needed.", n=len(cards)))
    return tuple(cards)


def _of_entry(
    entry: Mapping[str, Any], total: int, tiles: Sequence[str], place: str
) -> Iterator[str]:
    card = entry.get("card")
    if card == "jump":
        yield from _jumps(entry, total, tiles, place)
    elif card == "move":
        directions = entry.get("dirs")
        if directions not in DIRECTIONS:
            raise DataError(f"{place}.dirs", tr("A Move has the directions LR, UD or LRUD."))
        yield from [MOVE + str(directions)] * total
    elif card in NAMED:
        yield from [str(card)] * total
    else:
        raise DataError(f"{place}.card", tr("There is no card {card}.", card=card))


def _jumps(entry: Mapping[str, Any], total: int, tiles: Sequence[str], place: str) -> Iterator[str]:
    target = entry.get("target")
    if target == "each gate":
        each = _number(entry, "count_each", place)
        if total != GATES * each:
            why = tr("{each} for each of 24 gates are {n} cards.", each=each, n=GATES * each)
            raise DataError(f"{place}.total", why)
        for tile in tiles[:-1]:
            yield from [JUMP + tile] * each
    elif isinstance(target, str) and target in tiles:
        yield from [JUMP + target] * total
    else:
        raise DataError(f"{place}.target", tr("No tile has the id {id}.", id=target))


def _number(entry: Mapping[str, Any], name: str, place: str) -> int:
    number = entry.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise DataError(f"{place}.{name}", tr("A whole number is expected here."))
    return number
