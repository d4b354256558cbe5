"""A Pico behind mpremote: what it says, and what becomes of an mpremote that fails or hangs."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.hardware.flashing import device as devices
from chronotable_host.hardware.flashing.device import DeviceError, Mpremote, explain
from tests import lanes


@pytest.mark.parametrize(
    ("said", "errors", "says"),
    [
        (
            [],
            "mpremote: failed to access /dev/x (it may be in use by another program)",
            "has it open",
        ),
        ([], "mpremote: Error with transport:\ncould not enter raw repl", "does not answer there"),
        (["Traceback", "OSError: [Errno 28] ENOSPC"], "", "no room left"),
        (["Traceback", "MemoryError: memory allocation failed"], "", "the Pico failed"),
        ([], "serial.serialutil.SerialException: device reports readiness", "vanished"),
        ([], "OSError: [Errno 5] Input/output error", "vanished"),
        ([], "/usr/bin/python: No module named mpremote", " -m pip install mpremote"),
        (["x"], "something\nodd", "mpremote failed (odd)"),
        ([], "", "does not say why"),
    ],
)
def test_what_mpremote_says_becomes_a_sentence(said: list[str], errors: str, says: str) -> None:
    sentence = explain(said, errors)
    assert says in sentence
    assert "\n" not in sentence


@pytest.fixture
def fake_mpremote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Mpremote]:
    """Return what makes a module mpremote that does as it is told."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)

    def make(text: str) -> Mpremote:
        (tmp_path / "mpremote").mkdir(exist_ok=True)
        (tmp_path / "mpremote" / "__init__.py").write_text("")
        (tmp_path / "mpremote" / "__main__.py").write_text("import sys, threading\n" + text)
        return Mpremote("/dev/x", stall_s=5.0)

    return make


def test_the_calls_reach_mpremote_one_after_the_other(
    fake_mpremote: Callable[[str], Mpremote],
) -> None:
    device = fake_mpremote(
        "words = sys.argv[1:]\n"
        "assert words[:3] == ['connect', 'port:/dev/x', 'soft-reset']\n"
        "texts = [open(word).read() for word in words[4::2]]\n"
        "assert 'def look' in texts[0]\n"
        "print('hello from boot.py')\n"
        "for text in texts[1:]:\n"
        "    print('@[\"did\", \"%s\"]' % text.split('(')[0])\n"
        "    print('@[\"end\"]')\n"
    )
    told: list[Any] = []
    device.run(["one()", "two()"], told.append)
    assert told == [["did", "one"], ["did", "two"]]


@lanes.gate
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print('@[\"end\"]')", "stopped after 1 of 2 steps"),
        ("print('@[')", "cannot be read"),
        ("print('@' + '[' * 200_000)", "cannot be read"),
        ("print('[' * 200_000)", "stopped after 0 of 2 steps"),
        ("print('@' + '9' * 10_000)", "cannot be read"),
        ("print('@[' + '7,' * 1_000_000, end='')", "cannot be read"),
        ("while True: print('temperature 21.5')", r"prints without end.*\(the last.*21\.5\)"),
        ("while True: print(end='temperature 21.5')", "prints without end"),
        ("sys.exit('mpremote: failed to access /dev/x')", "cannot be opened"),
        ("raise OSError(5, 'Input/output error')", "vanished"),
    ],
)
def test_mpremote_that_fails(
    fake_mpremote: Callable[[str], Mpremote], text: str, says: str
) -> None:
    with pytest.raises(DeviceError, match=says):
        fake_mpremote(text).run(["one()", "two()"], lambda _told: None)


def test_mpremote_that_hangs_is_ended(fake_mpremote: Callable[[str], Mpremote]) -> None:
    device = fake_mpremote("print('@[\"end\"]', flush=True)\nthreading.Event().wait()")
    device._stall_s = 0.5
    with pytest.raises(DeviceError, match="has said nothing for"):
        device.run(["one()"], lambda _told: None)
    assert not device.restart(), "and it raises nothing"


@pytest.mark.parametrize(
    "text", ["threading.Event().wait()", "sys.exit('mpremote: could not enter raw repl')"]
)
def test_a_device_that_only_prints_is_not_called_silent(
    fake_mpremote: Callable[[str], Mpremote], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(devices, "overhear", lambda name: "21.5\r\ntemperature 21.6\r\n")
    device = fake_mpremote(text)
    device._stall_s = 0.5
    with pytest.raises(DeviceError) as caught:
        device.run(["one()"], lambda _told: None)
    assert str(caught.value).startswith("/dev/x: the device prints without end and does not listen")
    assert "temperature 21.6)" in str(caught.value)


def test_ctrl_c_ends_mpremote_and_is_not_kept_waiting(
    fake_mpremote: Callable[[str], Mpremote], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by it, nor by the thread that reads what it says."""
    device = fake_mpremote("print('@[\"did\"]', flush=True)\nthreading.Event().wait()")
    device._stall_s = 1e6
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*words, **options))
        return started[-1]

    monkeypatch.setattr(devices.subprocess, "Popen", start)

    def interrupt(_told: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        device.run(["one()"], interrupt)
    (process,) = started
    assert process.returncode is not None


def test_ctrl_c_waits_until_the_table_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []

    def leave(_name: str, call: str, _patience_s: float) -> bool:
        signal.raise_signal(signal.SIGINT)
        left.append(call)
        return True

    monkeypatch.setattr(devices, "call_machine", leave)
    with pytest.raises(KeyboardInterrupt):
        Mpremote("/dev/x").restart()
    assert left == ["reset"]


def test_a_package_that_is_missing_is_named_with_a_command_that_works() -> None:
    sentence = explain([], "/usr/bin/python: No module named mpremote")
    command = shlex.split(sentence.partition(": ")[2])
    assert command == [sys.executable, "-m", "pip", "install", "mpremote"]
