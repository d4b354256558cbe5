"""What takes long at a real table: its firmware is installed, or it is examined, from the page.

Both are what the commands run, on the page's port. They wait, so the browser has to be one in which
Python can: then all else goes on meanwhile.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from chronotable_host import chapters
from chronotable_host.errors import UserError, one_line, without_folders
from chronotable_host.hardware import boards
from chronotable_host.hardware.doctor.examination import Examination
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.doctor.telling import DoctorLines, conclude, summary_lines
from chronotable_host.hardware.firmware.chips import RP2040
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.hardware.firmware.manifest import BOARD, NAME
from chronotable_host.hardware.firmware.uf2 import with_files
from chronotable_host.hardware.flashing import installer
from chronotable_host.hardware.flashing.bootsel import read_image
from chronotable_host.hardware.flashing.installer import Installer, InstallRequest, result_lines
from chronotable_host.hardware.flashing.pico_state import check_chip
from chronotable_host.language import tr
from chronotable_host.live.happenings import Happening
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port_search import AUTO, PortSearch
from chronotable_host.live.session import Session
from chronotable_host.site.cable import CablePort

FIRMWARE = "firmware.tar.xz"
"""What lies in the file system of a new table; fetched where it is wanted first."""

FILES = "files.tar.xz"
"""That file system."""

_RUNS = (installer.INSTALLED, installer.UNCHANGED, installer.WENT_BACK)
_PATIENCE_S = 60.0
_LOOK_S = 0.05
_IN_PAGE = {
    "flash": tr("“Install the firmware”"),
    "doctor": tr("“Examine the table”"),
    "play": tr("“Connect my table”"),
}

Tell = Callable[..., None]
"""Tells the page: a `line`; how much is done, as `progress` [bytes, of so many]; or which `keys`,
lists of word and label, a person may press now; that it is `over`."""


class TableWork:
    """One of them at a time; what a person presses comes as a word by `press`."""

    def __init__(self, port: CablePort, tell: Tell) -> None:
        self._port = port
        self._tell = tell
        self._pressed: deque[str] = deque()

    def press(self, word: str) -> None:
        """Take what was pressed."""
        self._pressed.append(word)

    def do(self, what: str, board: str) -> bool:
        """Do it to its end, which is told; return whether a firmware runs there now, as it seems.

        A firmware is for a `board`: its name, or what its file says; "" for the one that the Pico
        knows. Whatever goes wrong is told, too.
        """
        try:
            _check_can_wait()
            return self._flash(board) if what == "flash" else self._doctor()
        except (UserError, OSError) as error:
            self.say(one_line(error) or "")
            return False
        finally:
            self._tell(over=True)

    # ---- as an installer, and an examination, have it

    def say(self, line: str) -> None:
        """Show a line, of which commands are what the page calls them."""
        for command, button in _IN_PAGE.items():
            line = line.replace(f"`chronotable {command}`", button)
        self._tell(line=chapters.discreet(without_folders(line)))

    def show(self, lines: Sequence[str]) -> None:
        """Show lines."""
        for line in lines:
            self.say(line)

    def may_go_on(self) -> bool:
        """Ask whether to install."""
        self.say(
            tr(
                "A Pico without a board file becomes a table with reed switches, unless its board "
                "is chosen; one of tiles needs that before its chain is plugged in."
            )
        )
        self._tell(keys=[["y", tr("Install it")], ["n", tr("Leave everything as it is")]])
        while (word := self.take()) is None:
            _sleep(_LOOK_S)
        self._tell(keys=[])
        return word == "y"

    def progress(self, done: int, total: int) -> None:
        """Show how much was sent."""
        self._tell(progress=[done, total])

    def take(self) -> str | None:
        """Return the next word that was pressed, None where there is none."""
        return self._pressed.popleft() if self._pressed else None

    # ---- what is done

    def _search(self) -> PortSearch:
        return PortSearch(AUTO, ports=self._port.found)

    def _flash(self, name: str) -> bool:
        files = _packed_in(FIRMWARE)
        inside = {
            path.removeprefix(f"{FOLDER}/"): content
            for path, content in files.items()
            if path.startswith(f"{FOLDER}/")
        }
        reference = inside.pop(BOARD)
        board = board_file(name) if name else None
        del inside[NAME]
        starters = {path: content for path, content in files.items() if path.endswith(".py")}
        request = InstallRequest(inside, starters, board, reference)
        result = Installer(self._search(), request, self, opens=self._port.open, sleep=_sleep).run()
        self.show(result_lines(result))
        return result.how in _RUNS or (result.pico is not None and bool(result.pico.slot))

    def _doctor(self) -> bool:
        lines = DoctorLines(keys=())

        def hear(happening: Happening) -> None:
            self.show([line for line, _style in lines.of(happening)])

        listener = DoctorListener(hear)
        with ExitStack() as closing:
            closing.callback(listener.close)
            connection = TableConnection(
                Session(listener),
                self._search(),
                lambda happening: examination.hear(happening),  # noqa: PLW0108 - not there yet
                _PATIENCE_S,
                sleep=_sleep,
                opens=self._port.open,
            )
            closing.callback(connection.close)
            examination = Examination(connection, listener, self, hear)
            self._tell(
                keys=[
                    ["", tr("Enter: done, and nothing happens")],
                    ["n", tr("Leave the rest of this step out")],
                    ["q", tr("Stop")],
                ]
            )
            connection.run(examination.is_done)
            self.show(summary_lines(conclude(listener, examination, hear)))
        return True


def board_file(name: str) -> bytes:
    """Return a board file by its name, or for what it says; raises UserError, as `flash` does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.json"
        path.write_text(name, "utf-8")
        found = boards.find(name) if name in boards.names() else path
        if (chip := boards.read_data(found)["mcu"]) != RP2040:
            raise UserError(
                tr(
                    "that board has the chip {chip}, for which `chronotable flash --board` on a PC "
                    "has the firmware",
                    chip=chip.upper(),
                )
            )
        return found.read_bytes()


def _check_can_wait() -> None:
    from pyodide.ffi import can_run_sync  # type: ignore[import-not-found] # noqa: PLC0415

    if not can_run_sync():
        raise UserError(
            tr("This browser is too old for that: a newer Chrome, Edge or Firefox can do it.")
        )


def _sleep(duration_s: float) -> None:
    from js import pause  # type: ignore[import-not-found] # noqa: PLC0415
    from pyodide.ffi import run_sync  # noqa: PLC0415

    run_sync(pause(1000 * duration_s))


def image_with_files(content: bytes) -> tuple[str, bytes]:
    """Return the kind and the bytes of an image that brings the firmware along with MicroPython.

    `content` is an image of that, as it was downloaded; raises UserError where it will not do.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "MicroPython.uf2"
        path.write_bytes(content)
        image = read_image(path)
    check_chip(image.path.name, image.chip, RP2040)
    return "application/octet-stream", with_files(image, _packed_in(FILES)["files"])


@cache
def _packed_in(name: str) -> dict[str, bytes]:
    """Return the files of an archive of the site, by their paths."""
    from js import fetchNow  # noqa: PLC0415

    with tarfile.open(fileobj=io.BytesIO(fetchNow(name).to_bytes())) as packed:
        opened = {each.name: packed.extractfile(each) for each in packed}
        return {path: file.read() for path, file in opened.items() if file is not None}
