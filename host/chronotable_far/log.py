"""The logs of both ends: which entries are known, which of them count, and in which order.

Each end writes one log, and an end may be played from two computers: then its log can part into
branches. All of this follows from the set of known entries alone, not from when each of them came,
so who knows the same finds the same. An entry is taken up when all that it builds on is; of two
that continue the same one, the one counts on which the other end has built, else the one with the
smaller hash; and of both logs together comes one order, in which each entry stands behind all that
its writer knew.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from chronotable_far.entries import (
    ENDS,
    FIRST,
    INVITER,
    JOINER,
    NO,
    RESIGN,
    TURN,
    YES,
    LogEntry,
    Ref,
    other,
)

MOST_BRANCHES = 100
"""Entries beside others with the same number, taken up or waiting; then the room is given up."""

_RANKS = {YES: 0, NO: 1, TURN: 2, RESIGN: 3}
_LAST = 4


class _Node(NamedTuple):
    """An entry that is taken up, and the nodes of those that it refers to."""

    entry: LogEntry
    prev: "_Node | None"
    seen: "_Node | None"


class Logs:
    """All entries that are known; `chains` are those of each end that count.

    `is_torn` says that there are too many branches, `wrong` counts entries that refer to what
    nobody can have known.
    """

    def __init__(self) -> None:
        self.chains: dict[str, list[LogEntry]] = {end: [] for end in ENDS}
        self.is_torn = False
        self.wrong = 0
        self._nodes: dict[tuple[str, Ref], _Node] = {}
        self._next: dict[tuple[str, Ref], list[LogEntry]] = {}  # what continues an entry
        self._built_on: set[tuple[str, Ref]] = set()  # by the other end
        self._waiting: dict[tuple[str, Ref], list[LogEntry]] = {}  # by what they wait for
        self._known: set[tuple[str, Ref]] = set()
        self._numbers: set[tuple[str, int]] = set()  # of all that are known
        self._branches = 0
        self._ready: list[_Node] = []

    def last(self, end: str) -> Ref:
        """Return the last entry of a log."""
        log = self.chains[end]
        return log[-1].ref if log else FIRST

    def counts(self, end: str, ref: Ref) -> bool:
        """Tell whether an entry is part of its end's log, or what comes before the first."""
        log = self.chains[end]
        return ref == FIRST or (ref.number <= len(log) and log[ref.number - 1].hash == ref.hash)

    def is_known(self, end: str, ref: Ref) -> bool:
        """Tell whether an entry has been offered already."""
        return (end, ref) in self._known

    @property
    def taken_up(self) -> Iterator[LogEntry]:
        """The entries that are taken up, as all that they build on is, each behind that."""
        return (node.entry for node in self._nodes.values())

    @property
    def waiting(self) -> Iterator[LogEntry]:
        """The entries that wait for others."""
        return (entry for entries in self._waiting.values() for entry in entries)

    # ---- taking up

    def offer(self, entry: LogEntry) -> bool:
        """Note an entry, which `ready` may have for `take_up` by now.

        False where there are too many with numbers that others have, too.
        """
        key = (entry.end, entry.ref)
        if key in self._known:
            return True
        place = (entry.end, entry.number)
        if place in self._numbers:
            if self._branches >= MOST_BRANCHES:
                self.is_torn = True
                return False
            self._branches += 1
        self._numbers.add(place)
        self._known.add(key)
        self._wait(entry)
        return True

    def ready(self) -> LogEntry | None:
        """Return an entry whose time has come, which is to be taken up next."""
        return self._ready[-1].entry if self._ready else None

    def take_up(self) -> None:
        """Take up the entry that is `ready`."""
        node = self._ready.pop()
        entry, seen = node.entry, node.seen
        key = (entry.end, entry.ref)
        self._nodes[key] = node
        self._next.setdefault(_before(entry), []).append(entry)
        while seen is not None and (place := (seen.entry.end, seen.entry.ref)) not in (
            self._built_on
        ):
            self._built_on.add(place)
            seen = seen.prev
        for waiting in self._waiting.pop(key, ()):
            self._wait(waiting)
        self._choose(entry)

    def _wait(self, entry: LogEntry) -> None:
        """Have an entry wait for the first of what it builds on that is not taken up."""
        before, known = _before(entry), (other(entry.end), entry.seen)
        for place in (before, known):
            if place[1] != FIRST and place not in self._nodes:
                self._waiting.setdefault(place, []).append(entry)
                return
        node = _Node(entry, self._nodes.get(before), self._nodes.get(known))
        if _is_consistent(node):
            self._ready.append(node)
        else:
            self.wrong += 1

    # ---- choosing

    def _choose(self, entry: LogEntry) -> None:
        if not self._branches:
            self.chains[entry.end].append(entry)
            return
        self.chains = {end: [] for end in ENDS}
        while found := self._next_counting():
            self.chains[found.end].append(found)

    def _next_counting(self) -> LogEntry | None:
        """Return the entry that continues what counts so far, None where none does.

        The best branch of an end may build on what the other end's chain has yet to come to.
        """
        branches = [self._branches_of(end) for end in ENDS]
        for entry in (*(found[0] for found in branches if found), *chain(*branches)):
            if entry.seen.number <= len(self.chains[other(entry.end)]):
                return entry
        return None

    def _branches_of(self, end: str) -> list[LogEntry]:
        """Return what may continue a chain, the best first."""
        beyond = len(self.chains[other(end)])
        branches = [
            entry
            for entry in self._next.get((end, self.last(end)), ())
            if entry.seen.number > beyond or self.counts(other(end), entry.seen)
        ]
        branches.sort(key=lambda each: ((end, each.ref) not in self._built_on, each.hash))
        return branches


def _before(entry: LogEntry) -> tuple[str, Ref]:
    return entry.end, Ref(entry.number - 1, entry.prev)


def _is_consistent(node: _Node) -> bool:
    """Tell whether a writer may have known just this: both logs were one branch to it."""
    prev, seen = node.prev, node.seen
    known = prev.seen if prev is not None else None
    if seen is known:
        return True
    if seen is None:
        return False
    return _is_before(known, seen) and _is_before(seen.seen, prev)


def _is_before(node: _Node | None, later: _Node | None) -> bool:
    """Tell whether a node is on the way to a later one of its log, or that itself."""
    if node is None:
        return True
    while later is not None and later.entry.number > node.entry.number:
        later = later.prev
    return later is node


# ---- one order


def goes_before(entry: LogEntry, entry2: LogEntry) -> bool:
    """Tell whether an entry goes before one of the other end, where neither writer knew of both."""
    rank, rank2 = (_RANKS.get(each.kind, _LAST) for each in (entry, entry2))
    return rank < rank2 or (rank == rank2 and entry.end == INVITER)


def merged(chains: Mapping[str, Sequence[LogEntry]]) -> Iterator[LogEntry]:
    """Yield the entries of both logs in their one order."""
    inviter, joiner = chains[INVITER], chains[JOINER]
    i = j = 0
    while i < len(inviter) and j < len(joiner):
        one, two = inviter[i], joiner[j]
        if one.seen.number > j or (two.seen.number <= i and not goes_before(one, two)):
            j += 1
            yield two
        else:
            i += 1
            yield one
    yield from inviter[i:]
    yield from joiner[j:]
