"""`flash`, interrupted at every point by the power or Ctrl-C: the table starts, games stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from chronotable_host.hardware.flashing import installer
from chronotable_host.hardware.flashing.device import DeviceError
from chronotable_host.live.line.port import PortError
from tests import lanes
from tests.host.flashed import (
    GAMES,
    NEW,
    OLD,
    OTHER_STARTERS,
    STARTERS,
    Desk,
    contents,
    flash,
    is_whole,
    kept,
    old_table,
    other_starters_only,
)
from tests.host.pico import Files, Pico, PicoDevice
from tests.host.usb import ACM, Usb

pytestmark = pytest.mark.usefixtures("new_version")


# ---- the power goes


def scenes() -> dict[str, Callable[[], Pico]]:
    def tried_half() -> Pico:
        pico = old_table()
        half = {f"b/{path}": data[: len(data) // 2] for path, data in NEW.items()}
        pico.files.files |= {**half, "b/manifest.json": b"{}", "trial": b"b"}
        pico.behaves = only_whole
        return pico

    return {
        "upgrade": old_table,
        "other starters": lambda: old_table(**OTHER_STARTERS),
        "only other starters": other_starters_only,
        "half a folder, and a trial of it": tried_half,
        "an empty Pico": lambda: Pico(dict(GAMES)),
        "somebody else's": lambda: Pico({**GAMES, "main.py": b"mine = 1"}),
    }


def only_whole(folder: str, files: Files) -> None:
    """Half a firmware does not start."""
    if files.files[f"{folder}/start.mpy"] not in (OLD["start.mpy"], NEW["start.mpy"]):
        raise ValueError("incompatible .mpy file")


@lanes.gate
@pytest.mark.parametrize("scene", lanes.first(scenes(), 2))
def test_the_power_goes_at_every_operation(usb: Usb, scene: str) -> None:
    make = scenes()[scene]
    whole = make()
    is_first = "slot" not in whole.files.files
    before = contents(whole, "a")
    begun = whole.files.done
    assert flash(usb, whole).how == installer.INSTALLED
    operations = whole.files.done - begun
    assert operations > 15
    seen = set()
    for cut in range(operations + 1):
        pico = make()
        pico.files.left = cut
        try:
            flash(usb, pico)
        except DeviceError:
            pass
        except PortError:
            raise AssertionError(f"cut {cut}") from None
        folder = pico.power_on()
        where = f"{scene}, power cut at operation {cut} of {operations}"
        assert kept(pico) == GAMES, where
        if folder == "b":
            assert is_whole(pico, "b", NEW), where
        elif folder == "a" and is_first:
            assert is_whole(pico, "a", NEW), where
        elif folder == "a":
            assert contents(pico, "a") == before, where
        else:
            assert is_first, where
            assert pico.files.files.get("main.py") in (None, b"mine = 1", STARTERS["main.py"]), (
                where
            )
        seen.add(folder)
        assert pico.power_on() in (folder, "a"), where
        assert flash(usb, pico).how in (installer.INSTALLED, installer.UNCHANGED), where
        assert is_whole(pico, pico.folder, NEW), where
        assert {name: pico.files.files[name] for name in STARTERS} == STARTERS, where
        assert kept(pico) == GAMES, where
    assert seen == ({"", "a"} if is_first else {"a", "b"}), "cut too late or too early"


# ---- Ctrl-C


class Interrupting(Desk):
    """Somebody presses Ctrl-C when the course says something for the `left`th time."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.left = 1000
            raise KeyboardInterrupt

    def say(self, line: str) -> None:
        self._count()
        super().say(line)

    def show(self, lines: Sequence[str]) -> None:
        self._count()
        super().show(lines)

    def may_go_on(self) -> bool:
        self._count()
        return super().may_go_on()

    def progress(self, done: int, total: int) -> None:
        self._count()
        super().progress(done, total)


def is_interrupted(usb: Usb, pico: Pico, desk: Desk) -> bool:
    """Flash, and see that the table runs afterwards; tell whether it was interrupted."""
    try:
        flash(usb, pico, desk=desk)
    except KeyboardInterrupt:
        assert kept(pico) == GAMES
        assert pico.folder in ("a", "b")
        assert is_whole(pico, pico.folder, OLD if pico.folder == "a" else NEW)
        assert flash(usb, pico).how in (installer.INSTALLED, installer.UNCHANGED)
        assert is_whole(pico, "b", NEW)
        return True
    return False


@lanes.gate
def test_ctrl_c_at_every_operation_leaves_the_table_running(usb: Usb) -> None:
    for operation in range(1000):
        pico = old_table()
        pico.files.left, pico.files.ends_in = operation, KeyboardInterrupt
        if not is_interrupted(usb, pico, Desk()):
            break
    assert operation > 15


@lanes.gate
def test_ctrl_c_at_every_word_leaves_the_table_running(usb: Usb) -> None:
    for word in range(1000):
        pico = old_table()
        if not is_interrupted(usb, pico, Interrupting(word)):
            break
    assert word > 8


def test_a_table_that_cannot_be_started_again_is_told(usb: Usb) -> None:
    class Stuck(PicoDevice):
        def restart(self) -> bool:
            return False

    pico, desk = old_table(), Desk(answer=False)
    assert flash(usb, pico, desk=desk, device=Stuck).how == installer.DECLINED
    assert desk.lines[-1] == (
        f"{ACM[0]}: the table does not answer and may stand still: pull its cable and plug it in "
        "again"
    )
