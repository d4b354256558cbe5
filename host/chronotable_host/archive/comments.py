"""Comments of a game's turns: written while it is played, with what is taken back, and read.

What of comments, variations and analyses is left out where a record is imported or exported, is
counted here, too.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from chronotable_host.language import tr_n
from chronotable_host.rules.annotations import ANNOTATOR, read_annotations, without_annotation
from chronotable_host.rules.line import ways
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record

_PLAYS = re.compile(r"(?:^|; )(white|black): ([^;]*)")
_HINT = re.compile(r"\[%hint (\d)\]", re.ASCII)
_PLAIN = str.maketrans("[]{};", "()(),")  # what other parts of a comment are told by

UNDERSTOOD = ("certain", "asked", "corrected")
"""How the table understood a turn, as the turn's comment says it."""

_TIME = re.compile(r"\b(\d+\.\d\d) s, ")
_HOW = re.compile(rf"\b\d+\.\d\d s, ({'|'.join(UNDERSTOOD)})\b")
_OF_A_TABLE = re.compile(
    rf"\d+\.\d\d s, (?:{'|'.join(UNDERSTOOD)})|\[%\w+ [^]]*\]|(?:white|black): .*|took back .*"
)


class Comments:
    """One text per turn; one that was taken back is noted at the turn before, or the next one."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = list(texts)
        self._note = ""  # for the first turn, while there is none

    def add(self, comment: str) -> None:
        """A turn was taken."""
        self.texts.append(join_comments(self._note, comment))
        self._note = ""

    def take_back(self, turn: int) -> None:
        """The last turn, which was this packed one, was taken back."""
        self.texts.pop()
        self._note = note_taken_back(self.texts, self._note, turn)


def note_taken_back(comments: list[str], note: str, turn: int) -> str:
    """Say at the last comment that the turn behind it was taken back.

    Returns the note for the next comment: `note`, and the same where there is no comment.
    """
    taken_back = f"took back {format_turn(turn)}"
    if not comments:
        return join_comments(note, taken_back)
    comments[-1] = join_comments(comments[-1], taken_back)
    return note


def plays(player: str, name: str) -> str:
    """Return the comment of the first turn from which on somebody else plays a side."""
    return f"{player}: {' '.join(name.translate(_PLAIN).split())}"


def who_plays(comments: Iterable[str], player: str, at_first: str) -> str:
    """Return what `plays` says of a side at last: at first somebody did whom the header names."""
    last = plays(player, at_first)
    for comment in comments:
        for found in _PLAYS.finditer(comment):
            if found[1] == player:
                last = plays(player, found[2])
    return last


def hint_comment(step: int) -> str:
    """Return the comment of a turn for which a hint was given, as far as `step`; "" for none."""
    return f"[%hint {step}]" if step else ""


def hint_in(comment: str) -> int:
    """Return how far a hint was given for a turn with this comment, 0 where none was."""
    return max((int(step) for step in _HINT.findall(comment)), default=0)


def join_comments(first: str, second: str) -> str:
    """Return what two comments of one turn are together."""
    return f"{first}; {second}" if first and second else first or second


def said_by_people(comment: str) -> str:
    """Return a turn's comment without what tables and analyses say in it."""
    parts = without_annotation(comment).split("; ")
    return "; ".join(part for part in parts if not _OF_A_TABLE.fullmatch(part))


def turn_comment(at_ms: int, how: str) -> str:
    """Return the comment of a turn: its time, and how the table understood it."""
    return f"{at_ms / 1000:.2f} s, {how}"


def clock_left(seconds: int) -> str:
    """Return the comment of a turn that says which time its player has left."""
    minutes, seconds = divmod(seconds, 60)
    return f"[%clk {minutes // 60}:{minutes % 60:02d}:{seconds:02d}]"


def seconds_of(comment: str) -> float | None:
    """Return the table's time of a turn, None where its comment does not say."""
    match = _TIME.search(comment)
    return float(match[1]) if match else None


def how_understood(comment: str) -> str:
    """Return how a turn was understood, "" where its comment does not say."""
    match = _HOW.search(comment)
    return match[1] if match else ""


def count_understood(record: Record) -> dict[str, int]:
    """Return how many turns were certain, asked and corrected; {} where no comment says it."""
    found = [how_understood(comment) for comment in record.comments]
    return {how: found.count(how) for how in UNDERSTOOD} if any(found) else {}


class LeftOut(NamedTuple):
    """So many analyses of games, variations, and comments of people."""

    analyses: int = 0
    variations: int = 0
    comments: int = 0

    def plus(self, other: "LeftOut") -> "LeftOut":
        """Return both together."""
        return LeftOut(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        """Return what was left out in words, "" for nothing."""
        told = (
            tr_n("the analysis of {n} game", "the analyses of {n} games", self.analyses),
            tr_n("{n} variation", "{n} variations", self.variations),
            tr_n("{n} comment", "{n} comments", self.comments),
        )
        return ", ".join(each for each, count in zip(told, self, strict=True) if count)


def without(record: Record) -> LeftOut:
    """Return all that a record has beside headers and turns."""
    comments = [record.starting_comment, *map(said_by_people, record.comments)]
    analyses = int(bool(read_annotations(record.comments)))
    return LeftOut(analyses, sum(1 for _ in ways(record)), len([*filter(None, comments)]))


def lacking(record: Record, kept: Record) -> LeftOut:
    """Return what another record of the same game, with the same comments, lacks of one."""
    known = [(way.number, way.turns) for way in ways(kept)]
    lost = sum(
        not any(at == way.number and turns[: len(way.turns)] == way.turns for at, turns in known)
        for way in ways(record)
    )
    said = read_annotations(record.comments) if ANNOTATOR in record.headers else []
    is_lost = bool(said) and said != read_annotations(kept.comments)
    return LeftOut(int(is_lost), lost)
