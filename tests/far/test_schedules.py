"""Both ends have the same game, whatever befell their messages, programs, disks and the broker.

Seeded schedules; a failure names its seed, and `rooms.run(seed)` plays it again. That such a search
finds what is wrong is shown with planted faults.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronotable_far import course, log, room, store
from chronotable_far.entries import FIRST, INVITER, JOINER, LogEntry
from chronotable_far.log import Logs
from chronotable_far.room import FarRoom
from tests import lanes, sweep
from tests.far import rooms

pytestmark = pytest.mark.usefixtures("everything_unlocked")

CHUNKS = 20
SCHEDULES = sweep.size(40, 1000, 100_000)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_both_ends_come_to_the_same_game(chunk: int) -> None:
    for seed in range(chunk * SCHEDULES // CHUNKS, (chunk + 1) * SCHEDULES // CHUNKS):
        try:
            stopped = rooms.run(seed)
        except Exception as error:
            raise AssertionError(f"schedule {seed}: {error}") from error
        assert not stopped, f"schedule {seed}: {stopped}"


@lanes.gate
@settings(max_examples=sweep.size(20, 100, 1000))
@given(
    st.sampled_from([(), (INVITER,), (JOINER,)]),
    st.lists(
        st.tuples(
            st.sampled_from([*rooms.WEIGHTS, *rooms.FAULTS]), st.integers(0, 2), st.integers(0, 999)
        ),
        max_size=60,
    ),
)
def test_no_course_of_events_parts_both_ends(
    seconds: tuple[str, ...], events: list[tuple[str, int, int]]
) -> None:
    """The same, with courses of events that hypothesis makes, and makes as short as it can."""
    world = rooms.World(1, seconds)
    world.meet()
    for kind, at, choice in events:
        world.random.seed(choice)
        world.happen(kind, world.programs[at % len(world.programs)])
    world.settle()
    assert not world.check()


# ---- planted faults

Plant = Callable[[pytest.MonkeyPatch], None]
FAULTS: list[Plant] = []


def fault(plant: Plant) -> Plant:
    FAULTS.append(plant)
    return plant


@fault
def _published_before_kept(patch: pytest.MonkeyPatch) -> None:
    check = FarRoom._check

    def checked(self: FarRoom, entry: LogEntry) -> None:
        check(self, entry)
        self._publish(entry)

    patch.setattr(FarRoom, "_check", checked)


@fault
def _not_put_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FarRoom, "_put_back", lambda self: None)


@fault
def _only_own_put_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(room, "_OTHERS_MS", 1 << 40)


@fault
def _remembers_what_the_broker_forgot(patch: pytest.MonkeyPatch) -> None:
    connected = FarRoom.connected

    def again(self: FarRoom) -> None:
        heard = set(self._heard)
        connected(self)
        self._heard = heard

    patch.setattr(FarRoom, "connected", again)


@fault
def _received_is_not_kept(patch: pytest.MonkeyPatch) -> None:
    append = rooms.Disk.append

    def kept(self: rooms.Disk, entry: LogEntry) -> None:
        if entry.end == self.invitation.end:
            append(self, entry)

    patch.setattr(rooms.Disk, "append", kept)


@fault
def _in_order_of_arrival(patch: pytest.MonkeyPatch) -> None:
    def follow(self: course.Fold, chains: dict[str, list[LogEntry]]) -> None:
        order = list(log.merged(chains))
        known = [entry for entry in self._order if entry in order]
        order = known + [entry for entry in order if entry not in known]
        self._order, self._courses = order, [course.NOTHING]
        for entry in order:
            self._courses.append(course.step(self.course, entry))

    patch.setattr(course.Fold, "follow", follow)


@fault
def _changes_too_late_are_missed(patch: pytest.MonkeyPatch) -> None:
    def follow(self: course.Fold, chains: dict[str, list[LogEntry]]) -> None:
        order = list(log.merged(chains))
        del self._courses[min(len(self._order), len(order)) + 1 :]
        for entry in order[len(self._order) :]:
            self._courses.append(course.step(self.course, entry))
        self._order = order

    patch.setattr(course.Fold, "follow", follow)


@fault
def _own_entries_first(patch: pytest.MonkeyPatch) -> None:
    found = FarRoom.course.fget
    own = [INVITER]

    def of(self: FarRoom) -> course.Course:
        own[0] = self.end
        assert found is not None
        return found(self)

    patch.setattr(FarRoom, "course", property(of))
    patch.setattr(log, "goes_before", lambda entry, _: entry.end == own[0])


@fault
def _first_branch_stays(patch: pytest.MonkeyPatch) -> None:
    def chosen(self: Logs, end: str) -> list[LogEntry]:
        return list(self._next.get((end, self.last(end)), ()))

    patch.setattr(Logs, "_branches_of", chosen)


@fault
def _what_was_built_on_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    branches_of = Logs._branches_of

    def chosen(self: Logs, end: str) -> list[LogEntry]:
        return sorted(branches_of(self, end), key=lambda entry: entry.hash)

    patch.setattr(Logs, "_branches_of", chosen)


@fault
def _gaps_are_taken(patch: pytest.MonkeyPatch) -> None:
    def wait(self: Logs, entry: LogEntry) -> None:
        self._ready.append(log._Node(entry, None, None))

    patch.setattr(Logs, "_wait", wait)


@fault
def _what_was_seen_may_be_missing(patch: pytest.MonkeyPatch) -> None:
    wait = Logs._wait

    def waits(self: Logs, entry: LogEntry) -> None:
        before = log._before(entry)
        if before[1] == FIRST or before in self._nodes:
            self._ready.append(log._Node(entry, self._nodes.get(before), None))
        else:
            wait(self, entry)

    patch.setattr(Logs, "_wait", waits)


@fault
def _turns_count_wherever_they_were_played(patch: pytest.MonkeyPatch) -> None:
    turn = course._turn

    def judged(at: course.Course, entry: LogEntry) -> course.Course:
        here = {"at": course.digest(at.state), "turn": len(at.line) + 1}
        return turn(at, entry._replace(fields={**entry.fields, **here}))

    patch.setitem(course._JUDGES, "turn", judged)


@fault
def _turns_know_only_their_number(patch: pytest.MonkeyPatch) -> None:
    turn = course._turn

    def judged(at: course.Course, entry: LogEntry) -> course.Course:
        here = {"at": course.digest(at.state)}
        return turn(at, entry._replace(fields={**entry.fields, **here}))

    patch.setitem(course._JUDGES, "turn", judged)


@fault
def _torn_lines_are_kept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(store, "whole_lines", lambda data: data)


LATE = {_turns_know_only_their_number: 1370}
"""Where to begin to look for what is found late, except for the figures."""


@lanes.gate
@pytest.mark.parametrize("plant", sweep.some(FAULTS, 4), ids=lambda it: it.__name__.strip("_"))
def test_planted_faults_are_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    first = 0 if sweep.is_largest() else LATE.get(plant, 0)
    assert any(finds(seed) for seed in range(first, 3000))


def finds(seed: int) -> bool:
    """Tell whether something is wrong in a schedule."""
    try:
        return bool(rooms.run(seed))
    except Exception:
        return True


def test_the_world_writes_as_the_disk_does(tmp_path: Path) -> None:
    world = rooms.World(5)
    world.meet()
    real = store.Store.open(tmp_path, rooms.INVITATION)
    for entry in world.programs[0].disk.entries:
        real.append(entry)
    real.close()
    assert real.path.read_bytes() == world.programs[0].disk.data
