"""Which entries count: whoever knows the same finds the same, and what was built on stays."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from chronotable_far.entries import (
    ENDS,
    FIRST,
    INVITER,
    JOINER,
    MOST_BYTES,
    EntryError,
    LogEntry,
    Ref,
    format_entry,
    other,
    read,
)
from chronotable_far.log import MOST_BRANCHES, Logs, goes_before, merged
from tests import sweep


def entry(
    end: str, number: int, prev: str, seen: Ref, text: str = "x", kind: str = "say"
) -> LogEntry:
    fields = {"text": text} if kind == "say" else {}
    return read("room", end, number, format_entry(kind, fields, prev, seen))


def behind(
    before: LogEntry | None, seen: Ref = FIRST, end: str = INVITER, text: str = "x"
) -> LogEntry:
    if before is None:
        return entry(end, 1, "", seen, text)
    return entry(before.end, before.number + 1, before.hash, seen, text)


def taken(entries: list[LogEntry]) -> Logs:
    logs = Logs()
    for each in entries:
        assert logs.offer(each)
        while logs.ready() is not None:
            logs.take_up()
    return logs


def test_an_entry_waits_for_all_that_it_builds_on() -> None:
    one = behind(None)
    two = behind(None, one.ref, JOINER)
    three = behind(one, two.ref)
    for order in itertools.permutations([one, two, three]):
        logs = taken(list(order))
        assert logs.chains == {INVITER: [one, three], JOINER: [two]}
        assert not list(logs.waiting)
    assert taken([two, three]).chains == {INVITER: [], JOINER: []}


def test_what_the_other_end_has_built_on_counts() -> None:
    one = behind(None)
    branches = sorted((behind(one, text=text) for text in "abc"), key=lambda each: each.hash)
    assert taken([one, *branches]).last(INVITER) == branches[0].ref
    built = behind(None, branches[2].ref, JOINER)
    for order in itertools.permutations([one, *branches, built]):
        logs = taken(list(order))
        assert logs.chains == {INVITER: [one, branches[2]], JOINER: [built]}


def test_what_nobody_can_have_known_is_wrong() -> None:
    one = behind(None)
    two, three = behind(one, text="two"), behind(one, text="three")
    built = behind(None, two.ref, JOINER)
    mixed = behind(three, built.ref)  # on another branch than it has seen
    back = behind(built, one.ref)  # knows less than the one before it
    for each in (mixed, back):
        logs = taken([one, two, three, built, each])
        assert logs.wrong == 1
        assert each not in [*logs.chains[INVITER], *logs.chains[JOINER]]


@pytest.mark.parametrize("seed", range(sweep.size(30, 300)))
def test_whoever_knows_the_same_finds_the_same(seed: int) -> None:
    """Branches of both ends at once, too: entries of programs that each know a part by chance."""
    random = Random(seed)
    programs = [(end, Logs()) for end in (INVITER, JOINER, INVITER, JOINER)]
    entries: list[LogEntry] = []
    for number in range(30):
        end, logs = random.choice(programs)
        last, seen = logs.last(end), logs.last(other(end))
        text = format_entry(random.choice(["draw", "resign"]), {}, last.hash, seen)
        new = read("room", end, last.number + 1, text)
        entries += [new] if new not in entries else []
        logs.offer(new)
        for _, each in programs:
            for one in random.sample(entries, random.randrange(len(entries))) if number % 3 else []:
                each.offer(one)
            while each.ready() is not None:
                each.take_up()
    found = []
    for _ in range(4):
        random.shuffle(entries)
        logs = taken(entries)
        assert not list(logs.waiting) and not logs.is_torn and not logs.wrong
        found.append(logs.chains)
        order = list(merged(logs.chains))
        assert len(order) == sum(map(len, logs.chains.values()))
        for at, each in enumerate(order):
            known = [one for one in order[:at] if one.end != each.end]
            assert len(known) >= each.seen.number
            assert each.seen == FIRST or logs.counts(other(each.end), each.seen)
    assert all(each == found[0] for each in found)


def test_branches_without_end_tear_a_room() -> None:
    logs = Logs()
    for number in range(MOST_BRANCHES + 1):
        assert logs.offer(behind(None, text=str(number)))
    assert not logs.offer(behind(None, text="more")) and logs.is_torn


def test_one_goes_before_the_other() -> None:
    kinds = ["begin", "join", "turn", "take_back", "draw", "yes", "no", "resign", "say", "again"]
    made = {end: [behind(None, end=end)._replace(kind=kind) for kind in kinds] for end in ENDS}
    for one, two in itertools.product(made[INVITER], made[JOINER]):
        assert goes_before(one, two) != goes_before(two, one)


def test_an_entry_is_read_as_it_was_written() -> None:
    one = entry(INVITER, 2, "a" * 32, Ref(3, "b" * 32), "Grüße")
    assert read("room", INVITER, 2, one.text) == one
    assert one.fields == {"text": "Grüße"}
    others = [("moor", INVITER, 2), ("room", JOINER, 2), ("room", INVITER, 3)]
    assert len({one.hash, *(read(*place, one.text).hash for place in others)}) == 4
    with pytest.raises(EntryError):
        read("room", INVITER, 1, one.text)
    with pytest.raises(EntryError):
        read("room", INVITER, 2, one.text + b" " * MOST_BYTES)
