"""What goes between a table and the hub: topics, bodies, and how they are sealed.

Four kinds. A table tells what it shows (`live`, retained: its whole state each time), what it keeps
(`kept`: a record), and whether it is there (`line`, retained, also the broker's last word of it);
the hub tells a table what has arrived (`hub`, retained: all of it each time). Each is sealed with
the table's own key, and its club, table, kind and number are authenticated with it. The number, in
front, grows with each message of a kind: what comes with an old one is a replay.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from chronotable_far.broker.sealing import NotSealedError, about, opened, seal

LIVE, KEPT, LINE, HUB = "live", "kept", "line", "hub"
OF_TABLES = (LIVE, KEPT, LINE)
"""The kinds of messages that tables send."""
MOST_RECORD = 200_000
"""Characters of a record that is sent."""

_ROOT = "chronotable/club/1"
_NUMBER_BYTES = 8
_MOST_SEALED, _MOST_LINE = 260_000, 1_000
_MOST_NAME, _MOST_CLOCK_S = 200, 1_000_000
_PHASES = ("off", "free", "set-up", "turn", "provisional", "question", "over", "other")

Body = dict[str, Any]


class BadMessageError(Exception):
    """A message does not open, or holds what no table says."""


class Channel(NamedTuple):
    """Where a table and the hub speak: of which club, as which table, with which key."""

    club: str
    table: str
    key: bytes

    def topic(self, kind: str) -> str:
        """Return the topic of a kind of message."""
        return f"{_ROOT}/{self.club}/{self.table}/{kind}"

    @property
    def topics(self) -> list[str]:
        """Return the topics of what the table says."""
        return [self.topic(kind) for kind in OF_TABLES]

    def sealed(self, kind: str, number: int, body: Body) -> bytes:
        """Return a message as it is sent."""
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        front = number.to_bytes(_NUMBER_BYTES, "big")
        return front + seal(self.key, self._subject(kind, number), text)

    def opened(self, kind: str, payload: bytes) -> tuple[int, bytes]:
        """Return a message's number and the text of its body; raises BadMessageError."""
        number = int.from_bytes(payload[:_NUMBER_BYTES], "big")
        sealed, most = payload[_NUMBER_BYTES:], _MOST_LINE if kind == LINE else _MOST_SEALED
        try:
            return number, opened(self.key, self._subject(kind, number), sealed, most)
        except NotSealedError as error:
            raise BadMessageError(kind) from error

    def _subject(self, kind: str, number: int) -> bytes:
        return about("chronotable club 1", self.club, self.table, kind, number)


def body_of(text: bytes) -> Body:
    """Return the body that a message's text tells; raises BadMessageError."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessageError(str(error)) from error
    if not isinstance(body, dict):
        raise BadMessageError("body")
    return body


def split_topic(topic: str) -> tuple[str, str, str]:
    """Return club, table and kind of a topic, "" for each of one that is none of ours."""
    root, _, rest = topic.rpartition(f"{_ROOT}/")
    parts = rest.split("/")
    return (parts[0], parts[1], parts[2]) if not root and len(parts) == 3 else ("", "", "")


class ClockTimes(NamedTuple):
    """What players have left, in seconds, and whose clock runs: 0 or 1, -1 for none."""

    left: tuple[int, int]
    running: int


class Live(NamedTuple):
    """What a table shows.

    `game` is the id of the game's file in the table's archive, "" while it has none; `record` is
    its text, "" where nothing is played. `phase` is how the turn stands, one of a closed list, or
    `off`, where the PC waits for its table.
    """

    game: str = ""
    record: str = ""
    phase: str = "free"
    clocks: ClockTimes | None = None

    def body(self) -> Body:
        """Return the message as it is sent."""
        clocks = self.clocks and {"left": self.clocks.left, "running": self.clocks.running}
        return {"game": self.game, "record": self.record, "phase": self.phase, "clocks": clocks}


class KeptRecord(NamedTuple):
    """A record of a table's archive, and the id of its file."""

    game: str
    record: str

    def body(self) -> Body:
        """Return the message as it is sent."""
        return {"game": self.game, "record": self.record}


class ToldTable(NamedTuple):
    """What the hub tells a table.

    `hub` is the id of the collection that things arrived in: where it is another one than before,
    nothing has. `run` is another one whenever the hub starts. `seen` is the number of the latest
    message about what the table shows, `most` the highest number of all. `kept` has the digests of
    the latest records that are stored, by their games, `refused` why others are not, by their
    digests. `notes` are other parts of the club's word, by name, None for those of before. Where
    the table `is_away` as the hub knows it, it says that it is not.
    """

    hub: str
    run: str
    name: str
    seen: int
    most: int
    kept: Mapping[str, str]
    refused: Mapping[str, str]
    is_revoked: bool = False
    notes: Mapping[str, Any] | None = None
    is_away: bool = False

    def body(self) -> Body:
        """Return the message as it is sent."""
        return {
            "hub": self.hub,
            "run": self.run,
            "name": self.name,
            "seen": self.seen,
            "most": self.most,
            "kept": dict(self.kept),
            "refused": dict(self.refused),
            "revoked": self.is_revoked,
            "notes": None if self.notes is None else dict(self.notes),
            "away": self.is_away,
        }


def live_of(body: Body) -> Live:
    """Return what a table shows; raises BadMessageError."""
    phase = _text(body, "phase", 20)
    return Live(
        _id(body, is_needed=False),
        _text(body, "record", MOST_RECORD),
        phase if phase in _PHASES else "other",
        _clocks(body.get("clocks")),
    )


def kept_of(body: Body) -> KeptRecord:
    """Return a record that was sent; raises BadMessageError."""
    return KeptRecord(_id(body), _text(body, "record", MOST_RECORD))


def is_here(body: Body) -> bool:
    """Tell whether a table says that it is there; raises BadMessageError."""
    here = body.get("here")
    if not isinstance(here, bool):
        raise BadMessageError("here")
    return here


def told_of(body: Body) -> ToldTable:
    """Return what the hub tells; raises BadMessageError."""
    notes = body.get("notes")
    return ToldTable(
        _text(body, "hub", _MOST_NAME),
        _text(body, "run", _MOST_NAME),
        _text(body, "name", _MOST_NAME),
        _number(body.get("seen"), 1 << 62),
        _number(body.get("most"), 1 << 62),
        _texts(body, "kept"),
        _texts(body, "refused"),
        body.get("revoked") is True,
        notes if isinstance(notes, dict) else None,
        body.get("away") is True,
    )


def _id(body: Body, is_needed: bool = True) -> str:
    """Return the id of a game: a part of a file's name."""
    text = _text(body, "game", 80)
    is_good = all(char.isascii() and (char.isalnum() or char in "-_") for char in text)
    if not is_good or (is_needed and not text):
        raise BadMessageError("game")
    return text


def _text(body: Body, name: str, most: int) -> str:
    text = body.get(name)
    if not isinstance(text, str) or len(text) > most:
        raise BadMessageError(name)
    try:
        text.encode()
    except UnicodeEncodeError as error:  # half of a surrogate pair: no file can hold it
        raise BadMessageError(name) from error
    return text


def _texts(body: Body, name: str) -> dict[str, str]:
    found = body.get(name)
    if not isinstance(found, dict) or not all(isinstance(it, str) for it in found.values()):
        raise BadMessageError(name)
    return found


def _number(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise BadMessageError("number")
    return value


def _clocks(value: object) -> ClockTimes | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadMessageError("clocks")
    left, running = value.get("left"), value.get("running")
    if not isinstance(left, list) or len(left) != 2 or running not in (-1, 0, 1):
        raise BadMessageError("clocks")
    white, black = (_number(each, _MOST_CLOCK_S) for each in left)
    return ClockTimes((white, black), running)
