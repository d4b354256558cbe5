"""A Pico in BOOTSEL mode: folders like its drive, images that are none, and its ports."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.errors import UserError
from chronotable_host.hardware.firmware import uf2
from chronotable_host.hardware.flashing import bootsel, installer
from chronotable_host.hardware.flashing.device import DeviceError
from chronotable_host.hardware.flashing.installer import Installer, InstallResult
from chronotable_host.live.line.port import PortError
from chronotable_host.live.line.port_search import AUTO, PortSearch
from chronotable_host.virtual import table
from tests.host.pico import SERIAL, Desk, Pico, PicoDevice, old_table, wishes
from tests.host.usb import ACM, SERIAL_TWO, Stranger, Usb

INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {}\r\n"
RP2040, RP2350, SAMD51 = 0xE48BFF56, 0xE48BFF59, 0x55114460
BANNER = b"MicroPython v1.26.1 on 2025-09-11"
MACHINE = b"Raspberry Pi Pico with RP2040"


def image_file(
    folder: Path, text: bytes = BANNER + b"; " + MACHINE, family: int = RP2040, name: str = "x.uf2"
) -> Path:
    """An image of several blocks; the text begins in the middle of the first one."""
    payload = bytes(200) + text + bytes(300)
    pieces = [payload[at : at + 256].ljust(256, b"\0") for at in range(0, len(payload), 256)]
    content = b""
    for number, piece in enumerate(pieces):
        head = struct.pack(
            "<8I",
            *(0x0A324655, 0x9E5D5157, 0x2000),
            *(0x10000000 + 256 * number, 256, number, len(pieces), family),
        )
        content += (head + piece).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30)
    path = folder / name
    path.write_bytes(content)
    return path


def drive_at(folder: Path, board_id: str = "RPI-RP2") -> Path:
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_bytes(INFO.format(board_id).encode())
    return folder


# ---- images


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            b"MicroPython v1.25.0 on 2025-04-15; " + MACHINE,
            r"MicroPython 1\.25, and 1\.26 or newer",
        ),
        (BANNER + b"; Raspberry Pi Pico W with RP2040", "another board than the Pico"),
        (b"CircuitPython 9.1", "not MicroPython"),
    ],
)
def test_an_image_that_will_not_do(tmp_path: Path, text: bytes, says: str) -> None:
    with pytest.raises(UserError, match=says):
        bootsel.read_image(image_file(tmp_path, text))


@pytest.mark.parametrize(
    ("at", "data", "says"),
    [
        (0, b"PK", "is not a UF2 file"),
        (508, b"no", "is not a UF2 file"),
        (512 + 20, b"\x07", "block 1 is missing or torn"),
        (24, b"\x63", "block 0 is missing or torn"),
    ],
)
def test_an_image_that_is_damaged(tmp_path: Path, at: int, data: bytes, says: str) -> None:
    path = image_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[at : at + len(data)] = data
    path.write_bytes(content)
    with pytest.raises(uf2.ImageError, match=says):
        bootsel.read_image(path)


def test_an_image_for_a_pico_2_is_known_with_and_without_its_block_for_the_first_chips(
    tmp_path: Path,
) -> None:
    text = BANNER + b"; Raspberry Pi Pico2 with RP2350"
    path = image_file(tmp_path, text, RP2350)
    assert bootsel.read_image(path).chip == "rp2350"
    content = path.read_bytes()
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0xA000, 0x10FFFF00, 256, 0, 2, 0xE48BFF57)
    first = (head + b"\xef" * 256).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30)
    path.write_bytes(first + content)
    image = bootsel.read_image(path)
    assert (image.chip, image.version) == ("rp2350", (1, 26))
    assert image.content == first + content, "which the Pico gets whole"
    with pytest.raises(uf2.ImageError, match="another board than the Pico"):
        bootsel.read_image(image_file(tmp_path, family=RP2350))


def test_an_image_that_is_cut_or_for_another_chip_or_missing(tmp_path: Path) -> None:
    with pytest.raises(uf2.ImageError, match="another chip than the RP2040"):
        bootsel.read_image(image_file(tmp_path, family=SAMD51))
    path = image_file(tmp_path)
    whole = path.read_bytes()
    for cut, says in ((0, "not a whole"), (700, "not a whole"), (512, "block 0 is missing")):
        path.write_bytes(whole[:cut])
        with pytest.raises(uf2.ImageError, match=says):
            bootsel.read_image(path)
    with pytest.raises(uf2.ImageError, match="no MicroPython image at"):
        bootsel.read_image(tmp_path / "none.uf2")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_a_table_of_an_image_that_is_none_says_so_before_all_is_compiled_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "device_files", lambda *_: pytest.fail("compiled"))
    for image, says in (("/dev/zero", "not a UF2 file"), (tmp_path / "no", "no MicroPython")):
        with pytest.raises(UserError, match=says):
            table.open_runtime(table.RP2040, "reference", image=Path(image))


# ---- drives


def test_a_drive_is_known_by_what_it_says(tmp_path: Path) -> None:
    assert bootsel.find_drive(drive_at(tmp_path / "a")) == tmp_path / "a"
    assert bootsel.check_drive(tmp_path / "a") == "rp2040"
    assert bootsel.check_drive(drive_at(tmp_path / "2", "RP2350")) == "rp2350"
    with pytest.raises(UserError, match="is SAMD51, and"):
        bootsel.find_drive(drive_at(tmp_path / "SAMD51", "SAMD51"))
    with pytest.raises(UserError, match="no Pico in BOOTSEL mode"):
        bootsel.find_drive(tmp_path)
    (tmp_path / "INFO_UF2.TXT").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="does not say what it is"):
        bootsel.find_drive(tmp_path)


def test_drives_are_looked_for_where_they_are_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drives: list[Path] = []
    monkeypatch.setattr(bootsel, "bootsel_drives", lambda _system: drives)
    assert bootsel.find_drive(None) is None
    drives.append(drive_at(tmp_path / "a"))
    assert bootsel.find_drive(None) == drives[0]
    drives.append(drive_at(tmp_path / "b"))
    with pytest.raises(UserError, match="2 boards in BOOTSEL mode"):
        bootsel.find_drive(None)
    with pytest.raises(UserError, match="SAMD51"):
        drives[:] = [drive_at(tmp_path / "c", "SAMD51")]
        bootsel.find_drive(None)


def test_a_drive_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    slept: list[float] = []
    with pytest.raises(UserError, match="did not appear"):
        bootsel.wait_for_drive(tmp_path / "none", 5, lambda: sum(slept), slept.append)
    assert 4 <= sum(slept) <= 6


def test_a_copy_that_fails_is_told(tmp_path: Path) -> None:
    image = bootsel.read_image(image_file(tmp_path))
    drive = drive_at(tmp_path / "a")
    (drive / image.path.name).mkdir()  # so that it cannot be written
    with pytest.raises(UserError, match="could not be copied"):
        bootsel.copy_image(image, drive, sleep=lambda _s: pytest.fail("it waits for nothing"))


class Ending:
    """The end of a copy fails, as it may where the Pico restarts with the last block.

    `goes` is what happens then, after so many seconds.
    """

    def __init__(self, goes: Callable[[], None], after_s: float) -> None:
        self.now_s = 0.0
        self._goes = goes
        self._after_s = after_s

    def fsync(self, _number: int) -> None:
        self.sleep(0)
        raise OSError(errno.EIO, "Input/output error")

    def clock(self) -> float:
        return self.now_s

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s
        if self.now_s >= self._after_s:
            self._goes()
            self._after_s = float("inf")

    def copy(self, monkeypatch: pytest.MonkeyPatch, image: uf2.Image, drive: Path) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(bootsel.os, "fsync", self.fsync)
            bootsel.copy_image(image, drive, self.clock, self.sleep)


@pytest.mark.parametrize("after_s", [0, 0.7, 4])
def test_a_pico_that_restarts_before_the_copy_has_ended_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_s: float
) -> None:
    image, drive = bootsel.read_image(image_file(tmp_path)), drive_at(tmp_path / "a")
    ending = Ending(lambda: shutil.rmtree(drive), after_s)
    ending.copy(monkeypatch, image, drive)
    assert after_s <= ending.now_s < after_s + 1


def test_a_drive_that_stays_did_not_take_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, drive = bootsel.read_image(image_file(tmp_path)), drive_at(tmp_path / "a")
    ending = Ending(lambda: None, 0)
    with pytest.raises(UserError, match=r"x\.uf2 could not be copied to .*a: Input/output error"):
        ending.copy(monkeypatch, image, drive)
    assert 5 < ending.now_s < 30


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_drive_without_room_is_told(tmp_path: Path) -> None:
    image, drive = bootsel.read_image(image_file(tmp_path)), drive_at(tmp_path / "a")
    (drive / image.path.name).symlink_to("/dev/full")
    ending = Ending(lambda: None, 0)
    with pytest.raises(UserError, match=r"could not be copied to .*: No space left on device"):
        bootsel.copy_image(image, drive, ending.clock, ending.sleep)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take a folder away themselves")
def test_a_folder_that_was_mounted_by_hand_is_no_drive_when_the_pico_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on to show what was read from it."""
    image, drive = bootsel.read_image(image_file(tmp_path)), drive_at(tmp_path / "a")
    number = drive.stat().st_dev
    medium = tmp_path / "media" / f"{os.major(number)}:{os.minor(number)}"
    medium.mkdir(parents=True)
    monkeypatch.setattr(bootsel, "_MEDIA", medium.parent)
    ending = Ending(medium.rmdir, 1)
    ending.copy(monkeypatch, image, drive)
    assert drive.is_dir() and ending.now_s < 3


# ---- the whole way


class Bootloader(PicoDevice):
    """A Pico whose drive can appear."""

    drive: Path
    usb: Usb

    def to_bootsel(self) -> None:
        super().to_bootsel()
        self.usb.unplug(ACM[0])
        drive_at(self.drive)


def course_of(
    usb: Usb,
    pico: Pico,
    drive: Path,
    image: Path | None,
    answer: bool = True,
    *,
    port: str = AUTO,
    back_at: str = ACM[0],
    **changes: Any,
) -> Installer:
    """A course in whose time the Pico takes an image that lies on its drive, and restarts."""

    def device(name: str, _patience: float) -> Bootloader:
        made = Bootloader(pico, name)
        made.drive, made.usb = drive, usb
        return made

    def sleep(duration_s: float) -> None:
        usb.now_s += duration_s
        if drive.exists() and list(drive.glob("*.uf2")):
            for path in drive.iterdir():
                path.unlink()
            drive.rmdir()
            pico.version = (1, 26, 1)
            usb.plug(back_at, pico, SERIAL)

    return Installer(
        PortSearch(port),
        wishes(**{"image": image, "bootsel": drive, **changes}),
        Desk(answer),
        device,
        usb.open,
        usb.clock,
        sleep,
    )


def test_a_new_pico_gets_micropython_and_then_the_firmware(usb: Usb, tmp_path: Path) -> None:
    drive, pico = drive_at(tmp_path / "RPI-RP2"), Pico()
    end = course_of(usb, pico, drive, image_file(tmp_path)).run()
    assert end.how == installer.INSTALLED
    assert pico.folder == "a"


@pytest.mark.parametrize(
    ("port", "serial"),
    [(AUTO, SERIAL), (ACM[0], SERIAL), (ACM[0], "000000000000")],  # which it had before 1.16
)
def test_a_micropython_that_is_too_old_is_replaced_by_one_that_may_have_another_name(
    usb: Usb, tmp_path: Path, port: str, serial: str
) -> None:
    drive, pico = tmp_path / "RPI-RP2", Pico({"games/1": b"x"})
    pico.version = (1, 24, 0)
    usb.plug(ACM[0], pico, serial)
    image = image_file(tmp_path)
    end = course_of(usb, pico, drive, image, port=port, back_at=ACM[1]).run()
    assert (end.how, end.port) == (installer.INSTALLED, ACM[1])
    assert pico.files.files["games/1"] == b"x"


@pytest.mark.parametrize(
    ("machine", "refusal"),
    [
        ("Pimoroni Tiny 2040 with RP2040", r"Tiny 2040.*and --image is for"),
        ("Raspberry Pi Pico W with RP2040", r"this Pico W has the MicroPython for RPI_PICO_W"),
        ("Raspberry Pi Pico with RP2040", ""),
    ],
)
def test_no_other_micropython_unasked_or_for_another_board(
    usb: Usb, tmp_path: Path, machine: str, refusal: str
) -> None:
    drive, pico = tmp_path / "RPI-RP2", Pico({"games/1": b"x"})
    pico.version, pico.machine = (1, 24, 0), machine
    usb.plug(ACM[0], pico, SERIAL)
    wanted = course_of(usb, pico, drive, image_file(tmp_path), bool(refusal))
    if refusal:
        with pytest.raises(UserError, match=refusal):
            wanted.run()
    else:
        assert wanted.run().how == installer.DECLINED
    assert not drive.exists() and pico.version == (1, 24, 0)


def test_another_pico_that_is_a_drive_is_not_meant(
    usb: Usb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever names a port or a table means that one."""
    drive, pico = drive_at(tmp_path / "RPI-RP2"), Pico()
    monkeypatch.setattr(bootsel, "find_drive", lambda _folder: drive)
    usb.plug(ACM[0], pico, SERIAL)
    wanted = course_of(usb, pico, drive, image_file(tmp_path), bootsel=None, is_port_named=True)
    assert wanted.run().how == installer.INSTALLED
    assert not list(drive.glob("*.uf2"))


def test_what_has_to_be_done_is_said(usb: Usb, tmp_path: Path) -> None:
    drive, pico = drive_at(tmp_path / "RPI-RP2"), Pico()
    with pytest.raises(UserError, match="is in BOOTSEL mode: --image UF2"):
        course_of(usb, pico, drive, None).run()
    with pytest.raises(UserError, match="which --dry-run does not do"):
        course_of(usb, pico, drive, image_file(tmp_path), dry_run=True).run()
    image = image_file(tmp_path, BANNER + b"; Raspberry Pi Pico2 with RP2350", RP2350)
    with pytest.raises(UserError, match=r"x\.uf2 says RP2350, and the board file RP2040"):
        course_of(usb, pico, drive, image).run()
    with pytest.raises(UserError, match=f"Pico at {drive} says RP2040, and the board file RP2350"):
        course_of(usb, pico, drive, image, chip="rp2350").run()
    assert not list(drive.glob("*.uf2"))


def test_a_pico_that_does_not_come_back_is_told(usb: Usb, tmp_path: Path) -> None:
    drive = drive_at(tmp_path / "RPI-RP2")
    stuck = course_of(usb, Pico(), drive, image_file(tmp_path))
    stuck._sleep = lambda duration_s: vars(usb).update(now_s=usb.now_s + duration_s)
    with pytest.raises((PortError, DeviceError), match="no table was found"):
        stuck.run()
    assert (drive / "x.uf2").is_file()


# ---- a port that was named

PTY = "/dev/pts/77"


class Restarting(PicoDevice):
    """A Pico that is somewhere else after a restart, as `moves` says."""

    moves: Callable[[], None]

    def restart(self) -> bool:
        is_told = super().restart()
        self.moves()
        return is_told


def flash_at(
    usb: Usb, port: str, pico: Pico, moves: Callable[[], None], desk: Desk
) -> InstallResult:
    def device(name: str, _patience_s: float) -> Restarting:
        made = Restarting(pico, name)
        made.moves = moves
        return made

    def sleep(duration_s: float) -> None:
        usb.now_s += duration_s

    return Installer(PortSearch(port), wishes(), desk, device, usb.open, usb.clock, sleep).run()


@pytest.mark.parametrize("port", [ACM[0], AUTO])
def test_the_pico_is_followed_to_its_new_name(usb: Usb, port: str) -> None:
    pico, desk = old_table(), Desk()
    usb.plug(ACM[0], pico, SERIAL)

    def moves() -> None:
        usb.plug(ACM[1], usb.unplug(ACM[0]), SERIAL)

    end = flash_at(usb, port, pico, moves, desk)
    assert end.how == installer.INSTALLED
    assert end.port == ACM[1]
    assert desk.lines[-1] == f"The Pico is at {ACM[1]} now."


@pytest.mark.parametrize("is_back", [True, False])
def test_no_other_board_that_has_the_name_is_opened(usb: Usb, is_back: bool) -> None:
    pico, other = old_table(), Stranger()
    usb.plug(ACM[0], pico, SERIAL)

    def moves() -> None:
        usb.unplug(ACM[0])
        usb.plug(ACM[0], other, SERIAL_TWO)
        if is_back:
            usb.plug(ACM[1], pico, SERIAL)

    end = flash_at(usb, ACM[0], pico, moves, Desk())
    assert end.how == (installer.INSTALLED if is_back else installer.SILENT)
    assert not is_back or end.port == ACM[1]
    assert other.typed == b""


def test_without_a_serial_number_the_name_is_kept(usb: Usb) -> None:
    pico, other = old_table(), Stranger()
    usb.plug(ACM[0], pico, None)
    usb.plug(ACM[1], other, None)
    end = flash_at(usb, ACM[0], pico, lambda: None, Desk())
    assert (end.how, end.port) == (installer.INSTALLED, ACM[0])
    assert other.typed == b""


def test_without_a_serial_number_it_cannot_be_followed(usb: Usb) -> None:
    pico = old_table()
    usb.plug(ACM[0], pico, None)

    def moves() -> None:
        usb.plug(ACM[1], usb.unplug(ACM[0]), None)

    assert flash_at(usb, ACM[0], pico, moves, Desk()).how == installer.SILENT
    assert ACM[1] not in usb.opened


def test_a_virtual_table_is_at_its_pty(usb: Usb, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system lists none; what it does list is not meant."""
    pico, real = old_table(), Stranger()
    usb.plug(PTY, pico)
    usb.plug(ACM[0], real, SERIAL_TWO)
    listed = usb._comports
    monkeypatch.setattr(
        "serial.tools.list_ports.comports",
        lambda: [info for info in listed() if info.device != PTY],
    )
    end = flash_at(usb, PTY, pico, lambda: None, Desk())
    assert (end.how, end.port) == (installer.INSTALLED, PTY)
    assert real.typed == b""


def test_the_port_is_the_same_by_whatever_name(usb: Usb, tmp_path: Path) -> None:
    """Nothing is told of a name that leads to the same port."""
    by_id = tmp_path / "usb-MicroPython-if00"
    pico, desk = old_table(), Desk()
    usb.plug(ACM[0], pico, SERIAL)
    by_id.symlink_to(ACM[0])
    opens = usb.open
    usb.open = lambda name: opens(ACM[0] if name == str(by_id) else name)  # type: ignore[method-assign]
    end = flash_at(usb, str(by_id), pico, lambda: None, desk)
    assert (end.how, end.port) == (installer.INSTALLED, str(by_id))
    assert not any("The Pico is at" in line for line in desk.lines)
