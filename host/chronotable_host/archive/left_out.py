"""What of a record is left out where it is imported or exported: counted, and said in one line."""

from __future__ import annotations

from typing import NamedTuple

from chronotable_host.archive.comments import said_by_people
from chronotable_host.language import tr_n
from chronotable_host.rules.annotations import ANNOTATOR, read_annotations
from chronotable_host.rules.line import ways
from chronotable_host.rules.record import Record


class LeftOut(NamedTuple):
    """So many analyses of games, variations, and comments of people."""

    analyses: int = 0
    variations: int = 0
    comments: int = 0

    def plus(self, other: LeftOut) -> LeftOut:
        """Return both together."""
        return LeftOut(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        """Return it in words, "" for nothing."""
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
