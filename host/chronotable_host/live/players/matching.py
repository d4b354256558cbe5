"""An opponent as strong as you: a level that follows one's last results at this table.

These are in the archive's records, with the names of player and level, and nothing else is kept.
"""

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.engine.levels import STRENGTHS, level_at
from chronotable_host.engine.match import share_of
from chronotable_host.engine.thinkers import level_of
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.players.seats import AS_YOU, YOU
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.record import RESULTS, Record

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk

_LAST = 10  # results that count
_LOOKED_AT = 200  # games of a name, against whomever
_EVEN = 2  # draws that are added in the midst of them: what is little known changes little
_RATINGS = {level: level_at(level).rating for level in STRENGTHS}
_NAMELESS = ("", YOU, Record().headers[PLAYER_NAMES[0]])
_SCORES = dict(zip(RESULTS, ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)), strict=False))


class LevelResult(NamedTuple):
    """A game against a level: 1 is won, 0 lost, 0.5 drawn."""

    level: float
    score: float


def results_of(archive: Archive, player: str) -> list[LevelResult]:
    """Return the last results of a player against levels, the newest first; raises UserError."""
    named = player if player not in _NAMELESS else None
    called = _NAMELESS if named is None else (named.casefold(),)
    archive.refresh()
    return [
        LevelResult(level, _SCORES[entry.result][side])
        for entry in archive.games(GameFilter(named), _LOOKED_AT)
        for side, name in enumerate(entry.players)
        if (level := level_of(entry.players[1 - side]))
        and name.casefold() in called
        and entry.result in _SCORES
        and not entry.imported
    ][:_LAST]


def matched(results: Sequence[LevelResult]) -> tuple[float, str]:
    """Return the level for who has had these results, and what is said of it.

    Who has just won meets no weaker one for it, and who has just lost no stronger one.
    """
    if not results:
        return STRENGTHS[0], tr("Easy at first; then it follows your last ten results.")
    found, last = _fitted(results), results[0]
    if last.score != 0.5:
        found = max(found, last.level) if last.score else min(found, last.level)
    facts = {
        "won": sum(each.score == 1 for each in results),
        "n": len(results),
        "level": names.number(found),
    }
    if found > last.level:
        return found, tr("You won {won} of {n}: a little stronger now (level {level}).", **facts)
    if found < last.level:
        return found, tr("You won {won} of {n}: a little easier now (level {level}).", **facts)
    return found, tr("You won {won} of {n}: as strong as before (level {level}).", **facts)


def _fitted(results: Sequence[LevelResult]) -> float:
    """Return the level at which so many points in these games were to be expected."""
    ratings = [_RATINGS[each.level] for each in results]
    points = sum(each.score for each in results) + _EVEN / 2
    ratings += [median(ratings)] * _EVEN

    def miss(level: float) -> float:
        return abs(points - sum(share_of(_RATINGS[level] - each) for each in ratings))

    return min(STRENGTHS, key=miss)


class Matching:
    """Sees to it that AS_YOU plays at the level for the other side's player, from game to game.

    `says` tells how that level came about, "" where nobody plays so.
    """

    def __init__(self, desk: "Desk") -> None:
        self.says = ""
        self._desk = desk
        self._known: dict[int, tuple[Thinker, str, str, int]] = {}

    def hear(self, happening: Happening) -> None:
        """Take what happens at the table: all of it is looked up."""

    def step(self, now_ms: int) -> None:
        """Have the level that is due, once a game is over or another player sits down."""
        seats, mirror = self._desk.seats, self._desk.mirror
        if all(each.name != AS_YOU for each in (*seats.thinkers.values(), *seats.away.values())):
            self.says = ""
            self._known.clear()
        for side in [side for side, each in seats.thinkers.items() if each.name == AS_YOU]:
            known, facts = self._known.get(side), self._facts(side)
            if known == facts or (known and known[0] is facts[0] and mirror.is_in_game):
                continue
            level, says = self._due(mirror.recorder.header(PLAYER_NAMES[1 - side]))
            seats.match(side, level)
            self._known[side] = self._facts(side)
            if says != self.says:
                self.says = says
                self._desk.tell(Notice(now_ms, says))

    def _facts(self, side: int) -> "tuple[Thinker, str, str, int]":
        """Return who plays a side, what both are called, and how many games are over."""
        mirror = self._desk.mirror
        white, black = map(mirror.recorder.header, PLAYER_NAMES)
        return self._desk.seats.thinkers[side], white, black, mirror.ended

    def _due(self, player: str) -> tuple[float, str]:
        archive = self._desk.archive
        try:
            return matched([] if archive is None else results_of(archive, player))
        except UserError as error:  # of the index: one plays without it
            return STRENGTHS[0], str(error)
