"""What `flash` says, of whatever a device tells and however it ends."""

from __future__ import annotations

import json
from random import Random

import pytest

from chronotable_host.commands.flash import report, result_lines
from chronotable_host.errors import UserError
from chronotable_host.flashing import installer
from tests import sweep
from tests.host.flashed import (
    NEW_VERSION,
    OLD_VERSION,
    flash,
    old_table,
)
from tests.host.pico import TABLE_ID
from tests.host.usb import Usb

pytestmark = pytest.mark.usefixtures("new_version")


# ---------------------------------------------------------------- what a device says


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


# ---------------------------------------------------------------- what is told


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
