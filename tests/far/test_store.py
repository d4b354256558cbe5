"""The file of a room: whole, cut by a crash, or refused; for its user, one program at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_far import store
from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import new_invitation
from chronotable_far.room import FarRoom
from chronotable_far.store import Store, StoreError, kept
from chronotable_host.archive import disk
from tests import lanes, sweep
from tests.far.rooms import INVITATION

JOINED = INVITATION.of(JOINER)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a room that has some entries."""
    room = FarRoom(INVITATION, opened := Store.open(tmp_path, INVITATION))
    room.append("begin", name="Änne", chat=True)
    other = FarRoom(JOINED, far := Store.open(tmp_path, JOINED))
    for message in room.outgoing():
        other.receive(message.topic, message.payload)
    other.append("join", name="Bob", chat=True)
    for message in other.outgoing():
        room.receive(message.topic, message.payload)
    room.append("say", text='one "line"\u2028of \\ 日本')
    opened.close()
    far.close()
    yield tmp_path


def path(folder: Path) -> Path:
    return store.path_of(folder, INVITATION)


def reopened(folder: Path) -> FarRoom:
    return FarRoom(INVITATION, Store.open(folder, INVITATION))


def test_what_was_said_is_there_again(begun: Path) -> None:
    room = reopened(begun)
    course = room.course
    assert course.names == {INVITER: "Änne", JOINER: "Bob"}
    assert [line.text for line in course.chat] == ['one "line" of \\ 日本']
    room.append("draw")
    room._store.close()
    assert reopened(begun).course.question is not None


def test_a_file_is_for_its_user_alone(begun: Path) -> None:
    assert path(begun).stat().st_mode & 0o777 == 0o600
    assert path(begun).parent.stat().st_mode & 0o077 == 0
    assert INVITATION.words.split("-")[0] not in path(begun).name


def test_a_line_that_a_crash_cut_short_is_cut_off(begun: Path) -> None:
    data = path(begun).read_bytes()
    lines = data.splitlines(keepends=True)
    start = len(data) - len(lines[-1])
    for size in sweep.some(range(len(data)), 60):
        path(begun).write_bytes(data[:size])
        opened = Store.open(begun, INVITATION)
        whole = data[:size].count(b"\n")
        assert len(opened.entries) == max(0, whole - 1)
        if size >= start:
            room = FarRoom(INVITATION, opened)
            room.append("say", text="on")
            assert path(begun).read_bytes().startswith(data[:start])
        opened.close()
        Store.open(begun, INVITATION).close()


def test_a_changed_file_is_refused(begun: Path) -> None:
    data = path(begun).read_bytes()
    lines = data.splitlines(keepends=True)
    flips = [
        data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        for at in sweep.some(range(len(data) - 1), 80)
    ]
    for changed in [
        *flips,
        b"".join(lines[:2] + lines[3:]),
        b"".join([lines[0], lines[2], lines[1], lines[3]]),
        b"".join([*lines, lines[1]]),
        b"".join(lines[1:]),
        b"\n" + data,
        b"hello\n",
    ]:
        if changed.count(b"\n") != data.count(b"\n") and changed[-1:] != b"\n":
            continue
        path(begun).write_bytes(changed)
        with pytest.raises(StoreError, match="was changed by somebody"):
            opened = Store.open(begun, INVITATION)
            try:
                FarRoom(INVITATION, opened)
            finally:
                opened.close()
        assert path(begun).read_bytes() == changed, "nothing is made worse"


def test_a_file_of_another_room_is_refused(begun: Path, tmp_path: Path) -> None:
    os.replace(store.path_of(begun, JOINED), path(begun))
    with pytest.raises(StoreError, match="was changed by somebody"):
        Store.open(begun, INVITATION)


def test_a_link_is_not_followed(begun: Path) -> None:
    moved = begun / "moved"
    os.replace(path(begun), moved)
    path(begun).symlink_to(moved)
    with pytest.raises(OSError, match="link"):
        Store.open(begun, INVITATION)


@lanes.gate
def test_a_second_program_is_refused(begun: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.far.rooms import INVITATION\n"
        "from chronotable_far.store import Store, StoreError\n"
        "try: Store.open(Path(sys.argv[1]), INVITATION)\n"
        "except StoreError as error: print(error)\n"
    )
    opened = Store.open(begun, INVITATION)
    for is_refused in (True, False):
        said = subprocess.run(
            [sys.executable, "-c", code, str(begun)],
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=Path(__file__).parents[2],
        ).stdout
        assert ("another program of this computer" in said) == is_refused
        if is_refused:
            opened.close()


def test_nothing_counts_that_the_disk_does_not_take(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = reopened(begun)
    data, course = path(begun).read_bytes(), room.course
    other = FarRoom(JOINED, Store.open(begun, JOINED))
    other.append("draw")
    news = [message for message in other.outgoing() if message.retain]

    def full(fd: int, data: bytes) -> None:
        os.write(fd, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "append", full)
        with pytest.raises(OSError, match="make room there"):
            room.append("resign")
        for message in news:
            room.receive(message.topic, message.payload)
        assert room.course == course
        assert "make room there" in room.stopped
    assert path(begun).read_bytes() == data
    assert not room.outgoing()
    room.tick(1000)  # it is tried again
    assert not room.stopped
    assert room.course.question is not None


def test_rooms_that_are_kept_are_listed(begun: Path) -> None:
    (path(begun).parent / "broken.far").write_text("hello\n")
    (path(begun).parent / "empty.far").write_text("")
    unbegun = new_invitation("mqtt://memory")
    Store.open(begun, unbegun).close()
    os.utime(store.path_of(begun, unbegun), (3e9, 3e9))
    (path(begun).parent / "other.txt").write_text("hello\n")
    os.utime(path(begun), (2e9, 2e9))
    found = list(kept(begun))
    assert [each[1] for each in found] == [INVITATION, JOINED]
    assert [len(each[2]) for each in found] == [3, 2]
    assert list(kept(begun / "nothing")) == []
