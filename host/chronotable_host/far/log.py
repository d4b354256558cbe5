"""The logs of both ends: which entries are known, which of them count, and in which order.

Each end writes one log, and an end may be played from two computers: then its log can part into
branches. All of this is decided by what is known and not by when it came. An entry is taken up when
all that it builds on is; of two that continue the same one, the one counts on which the other end
has built, else the one with the smaller hash; and of both logs together comes one order, in which
each entry stands behind all that its writer knew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chronotable_host.far.entries import (
    ENDS,
    FIRST,
    INVITER,
    JOINER,
    NO,
    RESIGN,
    TURN,
    YES,
    Entry,
    Ref,
    other,
)

MOST_BRANCHES = 100
"""Entries beside others with the same number, taken up or waiting; then the room is given up."""

_RANKS = {YES: 0, NO: 1, TURN: 2, RESIGN: 3}
_LAST = 4

# what became of an entry
NEW, KNOWN, TOO_MANY = "new", "known", "too many"


class _Node(NamedTuple):
    """An entry that is taken up, and the nodes of those that it refers to."""

    entry: Entry
    prev: _Node | None
    seen: _Node | None


class Logs:
    """All entries that are known; `chains` are those of each end that count.

    `is_torn` says that no choice of branches fits together, `wrong` counts entries that refer to
    what nobody can have known.
    """

    def __init__(self) -> None:
        self.chains: dict[str, list[Entry]] = {end: [] for end in ENDS}
        self.is_torn = False
        self.wrong = 0
        self._nodes: dict[tuple[str, Ref], _Node] = {}
        self._next: dict[tuple[str, Ref], list[Entry]] = {}  # what continues an entry
        self._built_on: set[tuple[str, Ref]] = set()  # by the other end
        self._waiting: dict[tuple[str, Ref], list[Entry]] = {}  # by what they wait for
        self._known: set[tuple[str, Ref]] = set()
        self._counts: dict[tuple[str, int], int] = {}
        self._branches = 0
        self._ready: list[_Node] = []

    def last(self, end: str) -> Ref:
        """Return the last entry of a log."""
        chain = self.chains[end]
        return chain[-1].ref if chain else FIRST

    def counts(self, end: str, ref: Ref) -> bool:
        """Tell whether an entry is part of its end's log, or what comes before the first."""
        chain = self.chains[end]
        return ref == FIRST or (ref.number <= len(chain) and chain[ref.number - 1].hash == ref.hash)

    def is_known(self, end: str, ref: Ref) -> bool:
        """Tell whether an entry is taken up."""
        return (end, ref) in self._nodes

    @property
    def waiting(self) -> Iterator[Entry]:
        """The entries that wait for others."""
        return (entry for entries in self._waiting.values() for entry in entries)

    # ---- taking up

    def offer(self, entry: Entry) -> str:
        """Look at an entry; NEW if it is, which `ready` may have for `take_up` by now.

        Else it is KNOWN, or there are TOO_MANY with its number.
        """
        key = (entry.end, entry.ref)
        if key in self._known:
            return KNOWN
        place = (entry.end, entry.number)
        if self._counts.get(place, 0):
            if self._branches >= MOST_BRANCHES:
                self.is_torn = True
                return TOO_MANY
            self._branches += 1
        self._counts[place] = self._counts.get(place, 0) + 1
        self._known.add(key)
        self._wait(entry)
        return NEW

    def ready(self) -> Entry | None:
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

    def _wait(self, entry: Entry) -> None:
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

    def _choose(self, entry: Entry) -> None:
        if not self._branches:
            self.chains[entry.end].append(entry)
            return
        self.chains = {end: list(self._chosen(end)) for end in ENDS}
        self.is_torn = self.is_torn or not all(
            self.counts(other(end), chain[-1].seen) for end, chain in self.chains.items() if chain
        )

    def _chosen(self, end: str) -> Iterator[Entry]:
        ref = FIRST
        while branches := self._next.get((end, ref)):
            entry = min(
                branches, key=lambda each: ((end, each.ref) not in self._built_on, each.hash)
            )
            yield entry
            ref = entry.ref


def _before(entry: Entry) -> tuple[str, Ref]:
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


def goes_before(entry: Entry, entry2: Entry) -> bool:
    """Tell whether an entry goes before one of the other end, where neither writer knew of both."""
    rank, rank2 = (_RANKS.get(each.kind, _LAST) for each in (entry, entry2))
    return rank < rank2 or (rank == rank2 and entry.end == INVITER)


def merged(chains: Mapping[str, Sequence[Entry]]) -> Iterator[Entry]:
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
