"""`boards draw` as a user meets it: files, disks that are full, sheets, what it refuses."""

import errno
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chronotable_host.archive import disk
from chronotable_host.commands.boards import app
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.table import draw
from chronotable_host.hardware.drawings.template import tile_svg
from tests import lanes
from tests.board.pictures import DRAWINGS, DRAWN, SIZES, reference


def command(*args, name="reference"):
    return CliRunner().invoke(app, ["boards", "draw", name, *args])


@lanes.gate
@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_the_command_draws_each(name, kind, tmp_path):
    expected = DRAWINGS[kind](boards.read_data(name))
    assert command(f"--{kind}", name=name).stdout == expected
    file = tmp_path / "picture.svg"
    assert command(f"--{kind}", "--to", str(file), name=name).stdout == ""
    assert file.read_text("utf-8") == expected


def full_disk(*_args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("before", [None, "an older picture"])
def test_a_full_disk_is_told_with_the_file_and_leaves_no_half_of_it(tmp_path, monkeypatch, before):
    file = tmp_path / "picture.svg"
    if before is not None:
        file.write_text(before)
    monkeypatch.setattr(disk, "_sync", full_disk)
    error = command("--to", str(file)).exception
    assert isinstance(error, UserError)
    assert str(error) == f"{file}: cannot be written ({os.strerror(errno.ENOSPC)})"
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if before is None else [before])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    said = str(command("--to", str(tmp_path / "full")).exception)
    assert said == f"{tmp_path / 'full'}: cannot be written ({os.strerror(errno.ENOSPC)})"
    assert (tmp_path / "full").is_char_device()


def test_a_missing_folder_is_told_with_the_file(tmp_path):
    file = tmp_path / "nowhere" / "picture.svg"
    assert f"{file}: cannot be written" in str(command("--to", str(file)).exception)


def test_a_dash_is_the_terminal():
    assert command("--to", "-").stdout == draw("reference")


def test_the_command_draws_a_sheet():
    assert command("--template", "--tile", "6").stdout == tile_svg(reference(), 6)
    for kind in SIZES:
        drawn = command("--template", "--tile", "6", "--paper", kind).stdout
        assert drawn == tile_svg(reference(), 6, kind)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--wiring", "--reeds"], "one picture at a time"),
        (["--template", "--to", "template.pdf"], "template.pdf: .*print"),
        (["--template", "--reeds"], "one picture at a time"),
        (["--tile", "1"], "--tile is a sheet of the --template"),
        (["--template", "--tile", "9"], "tile: must be 1 to 6, not 9"),
        (["--template", "--paper", "letter"], "--paper is what the sheets .* needs --tile"),
        (["--paper", "a4"], "--paper is what the sheets .* needs --tile"),
    ],
)
def test_the_command_refuses(args, said):
    assert re.search(said, str(command(*args).exception))
