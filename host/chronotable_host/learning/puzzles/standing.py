"""How players do at puzzles: what they tried, the rating and streak that come of it, what is next.

Each first try is a line of `puzzles/tries.jsonl` in the archive's folder, and all else is worked
out from these lines, as the list of games is from theirs. The index has none of it: that is made
anew from files, and may be lost.
"""

import json
import os
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timezone
from pathlib import Path
from typing import NamedTuple

from chronotable_host.archive import disk, regular_files
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.learning.puzzles.puzzle import FOLDER, Puzzle, PuzzleBox, of_the_day
from chronotable_host.rating import Rating, rate

_FILE = "tries.jsonl"
_DEVIATION = 60.0  # of a puzzle's rating, which stays as it was measured
_SETTLED = 110.0  # a player whose rating deviates more is still being got to know
LOOK_COST = 30
"""Points that a hint or a look at the solution costs at most: it says less than a wrong turn."""


class Try(NamedTuple):
    """A player's first try at a puzzle, of this `key` and rating; `at` is a time in UTC.

    What was `shown`, by a hint or as a whole, counts as missed.
    """

    player: str
    key: str
    rating: int
    solved: bool
    at: str
    shown: bool = False


class Standing(NamedTuple):
    """How a player does: `streak` counts what was solved since the last miss."""

    rating: Rating = Rating()
    streak: int = 0
    best_streak: int = 0
    solved: frozenset[str] = frozenset()
    """Keys of puzzles."""
    missed: frozenset[str] = frozenset()

    @property
    def is_settled(self) -> bool:
        """Whether the rating says much yet."""
        return self.rating.deviation < _SETTLED

    def tells(self, puzzle: Puzzle) -> bool | None:
        """Return whether a puzzle was solved at the first try, None where it was not tried."""
        return True if puzzle.key in self.solved else False if puzzle.key in self.missed else None

    def next_of(self, puzzles: Iterable[tuple[int, Puzzle]]) -> int | None:
        """Return the number of the puzzle not tried yet that is rated nearest to the player.

        None where all of them were.
        """
        fresh = [(number, each) for number, each in puzzles if self.tells(each) is None]
        if not fresh:
            return None
        return min(fresh, key=lambda each: abs(each[1].rating - self.rating.value))[0]


def standing_says(standing: Standing) -> str:
    """Return how a player does, in a sentence."""
    if not standing.solved and not standing.missed:
        return tr("No puzzle was tried yet.")
    return tr(
        "{solved} solved, {missed} missed, {streak} in a row (at best {best}); rating {rating}.",
        solved=len(standing.solved),
        missed=len(standing.missed),
        streak=standing.streak,
        best=standing.best_streak,
        rating=rating_text(standing),
    )


def rating_text(standing: Standing) -> str:
    """Return a rating as people read it: with a question mark while it says little."""
    mark = "" if standing.is_settled else "?"
    return f"{round(standing.rating.value)}{mark}"


class Tries:
    """The tries that are kept in an archive's folder."""

    def __init__(self, archive: Path) -> None:
        self._file = archive / FOLDER / _FILE

    def note(self, player: str, puzzle: Puzzle, solved: bool, shown: bool = False) -> bool:
        """Keep how a try ended, where it was the first; return whether it was. Raises OSError."""
        if self.standing(player).tells(puzzle) is not None:
            return False
        at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        line = json.dumps(Try(player, puzzle.key, puzzle.rating, solved, at, shown)._asdict())
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.touch()
        fd = disk.open_end(self._file)
        try:
            disk.lock(fd)
            kept = disk.content(fd)
            begun = b"" if not kept or kept.endswith(b"\n") else b"\n"  # a crash cut a line short
            disk.append(fd, begun + line.encode() + b"\n")
        finally:
            os.close(fd)
        return True

    def standing(self, player: str) -> Standing:
        """Return how a player does; raises OSError. Capital letters make no other player."""
        standing = Standing()
        name = player.casefold()
        for each in self._all():
            if each.player.casefold() == name and each.key not in standing.solved | standing.missed:
                standing = _after(standing, each)
        return standing

    def _all(self) -> Iterator[Try]:
        """Yield what can be read: a line that a crash cut short is none."""
        try:
            lines = regular_files.read(self._file).decode("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                found = Try(**json.loads(line))
            except (ValueError, TypeError):
                continue
            if isinstance(found.player, str) and isinstance(found.rating, int):
                yield found


def _after(standing: Standing, done: Try) -> Standing:
    rating = rate(standing.rating, [(Rating(done.rating, _DEVIATION), float(done.solved))])
    if done.shown:
        least = standing.rating.value - LOOK_COST
        rating = standing.rating._replace(value=max(least, rating.value))
    if not done.solved:
        return standing._replace(rating=rating, streak=0, missed=standing.missed | {done.key})
    streak = standing.streak + 1
    best = max(streak, standing.best_streak)
    return Standing(rating, streak, best, standing.solved | {done.key}, standing.missed)


TODAY, NEXT = "today", "next"


def todays_number() -> int:
    """Return the number of the puzzle of this day."""
    return of_the_day(date.today())


def asked_number(which: str, archive: Path, player: str = "") -> int:
    """Return the number of the puzzle that a word or number names; raises UserError and OSError.

    The next one is one that the player has not tried, and about as hard as the player is strong.
    """
    if which == TODAY:
        return todays_number()
    if which == NEXT:
        number = Tries(archive).standing(player).next_of(PuzzleBox(archive).open())
        if number is None:
            raise UserError(tr("you have tried all puzzles; `chronotable puzzles make` makes more"))
        return number
    if which.isascii() and which.isdecimal() and len(which) < 7:
        return int(which)
    raise UserError(
        tr("'{which}' is no puzzle; give its number, today or next", which=printable(which))
    )
