"""What an analysis says of a turn, as it stands in the turn's comment beside what else does.

`[%eval +1.35]` is the position after the turn as White sees it, in hundreds of points, or `#2` and
`#-2` where White or Black wins in so many turns of its own. `[%best +1.80 1 E W >present / ..]` is
the value and the line of a better turn, where there was one, and `[%mark mistake]` what the turn
was. The header `Annotator` says who found that out.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from chronotable_host.rules.notation import NotationError, format_turn, parse_turn
from chronotable_host.rules.record import Record
from ttykm import layout

BEST, ONLY, GOOD = "best", "only", "good"
LONGER_WIN = "longer-win"
INACCURACY, MISTAKE, BLUNDER, MISSED_WIN = "inaccuracy", "mistake", "blunder", "missed-win"
MARKS = (BEST, ONLY, GOOD, LONGER_WIN, INACCURACY, MISTAKE, BLUNDER, MISSED_WIN)
"""What a turn can be; `ONLY` is the best one where any other would have been a blunder, and
`LONGER_WIN` wins as the best one does, in more turns."""
ERRORS = (MISTAKE, BLUNDER, MISSED_WIN)
"""Those that a player would want to learn from."""

ANNOTATOR = "Annotator"
"""The header of a record whose turns were analysed."""

_NAMES = ("eval", "best", "mark")
_VALUE = re.compile(r"[+-]\d{1,4}\.\d\d|#-?\d{1,3}")
_BETWEEN = " / "


class Annotation(NamedTuple):
    """What an analysis says of a turn."""

    value: str
    """The position after it as White sees it: `+1.35`, `#2` or `#-2`."""
    mark: str
    best_value: str = ""
    """What the better turn was worth, "" where there was none."""
    best: tuple[int, ...] = ()
    """The better turn, and how it would have gone on; packed turns."""


def annotated(comment: str, said: Annotation) -> str:
    """Return a turn's comment with what an analysis says, in the place of an earlier one."""
    parts = [f"[%eval {said.value}]"]
    if said.best:
        line = _BETWEEN.join(map(format_turn, said.best))
        parts.append(f"[%best {said.best_value} {line}]")
    parts.append(f"[%mark {said.mark}]")
    return " ".join([*filter(None, [without_annotation(comment)]), *parts])


def annotation_of(comment: str) -> Annotation | None:
    """Return what an analysis says in a turn's comment, None where it says nothing readable."""
    found, _ = _parts(comment)
    value, _, line = found.get("best", "").partition(" ")
    values = [found.get("eval", ""), *([value] if line else [])]
    if not found.get("mark") or not all(map(_VALUE.fullmatch, values)):
        return None
    try:
        best = tuple(parse_turn(each) for each in line.split(_BETWEEN)) if line else ()
    except NotationError:
        return None
    return Annotation(found["eval"], found["mark"], value if line else "", best)


def without_annotation(comment: str) -> str:
    """Return a turn's comment without what an analysis says."""
    return _parts(comment)[1]


def _parts(comment: str) -> tuple[dict[str, str], str]:
    """Return what an analysis says in a comment, by name, and the comment without it.

    The comment is parted at what ends a part, so that of many beginnings only one is looked at.
    """
    found, rest = {}, []
    *ended, last = comment.split("]")
    for text in ended:
        begins = [(at, name) for name in _NAMES if (at := text.find(f"[%{name} ")) >= 0]
        if begins:
            at, name = min(begins)
            found[name] = text[at + len(name) + 3 :].strip()
            rest.append(text[:at].removesuffix(" "))
        else:
            rest.append(f"{text}]")
    return found, "".join([*rest, last]).strip()


def read_annotations(comments: Sequence[str]) -> list[Annotation]:
    """Return what an analysis says of the turns, from the first to the first without any."""
    found = []
    for comment in comments:
        said = annotation_of(comment)
        if said is None:
            break
        found.append(said)
    return found


def errors(record: Record) -> tuple[int, int]:
    """Return how many of White's and of Black's turns an analysis finds wrong."""
    counts = [0, 0]
    first = layout.mover(record.start)
    for number, said in enumerate(read_annotations(record.comments)):
        counts[(first + number) % 2] += said.mark in ERRORS
    return counts[0], counts[1]


def without_annotations(record: Record) -> Record:
    """Return a record without what an analysis says, and without variations.

    That is as it was before somebody looked into it; itself where nobody did.
    """
    if ANNOTATOR not in record.headers and not record.variations:
        return record
    plain = Record(record.start, record.options)
    plain.headers = {name: text for name, text in record.headers.items() if name != ANNOTATOR}
    plain.starting_comment, plain.turns = record.starting_comment, record.turns
    plain.comments = [without_annotation(comment) for comment in record.comments]
    return plain
