"""`doctor --virtual`: a person rehearses an examination, and what is typed are the hands."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS
from chronotable_host.cli import run
from chronotable_host.commands import doctor as command
from chronotable_host.hardware import boards
from chronotable_host.live.happenings import Happening
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.texts.place_names import place_name, place_names, place_to_find
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty import rehearsal
from chronotable_host.virtual.faulty.eyes import BREATHING, STEADY, WHITE, Lit
from chronotable_host.virtual.faulty.faults import PlantedFault
from chronotable_host.virtual.faulty.rehearsal import Rehearsal, lights_text
from tests import lanes
from ttykm import layout

Output = pytest.CaptureFixture[str]

SEEN = re.compile(r"steady (\w+) at ([^;,]+?)[.;]")


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s


class Typist:
    """Somebody at the keyboard, who reads the screen and types what hands do.

    Of each step so many are done, then `n`; where nothing comes of it for eight seconds, Enter.
    """

    MOST = 3

    def __init__(self, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
        self.lines: list[str] = []
        self.typed: list[str] = []
        self.seen: dict[str, str] = {}
        self._clock = clock
        self._step: dict[str, Any] = {}
        self._asked_s = 0.0
        self._did = 0
        typist = self

        class Shown(command.DoctorScreen):
            def hear(self, happening: Happening) -> None:
                super().hear(happening)
                typist.hear(happening.line())

        monkeypatch.setattr(command, "DoctorScreen", Shown)
        monkeypatch.setattr(command, "TypedLines", lambda _stream: self)

    def hear(self, happening: dict[str, Any]) -> None:
        for colour, where in SEEN.findall(str(happening.get("notice", ""))):
            self.seen[colour] = where
            self._did = 0
        step = happening.get("step")
        keys = ("step", "asks", "about", "put")
        if step and [step[key] for key in keys] != [self._step.get(key) for key in keys]:
            self._step, self._did = step, 0
            self._asked_s = self._clock()
            self.seen = {}

    def take(self) -> str | None:
        """Type what a step asks for once, then wait for what the screen says next."""
        if self._step and not self._did and not self.lines:
            self.lines += self._deeds()
            self._did = len(self.lines)
        elif self._did and self._clock() - self._asked_s > 8 and self._step["asks"] in "pb":
            self._asked_s = self._clock() + 1000
            self.lines.append("")
        if not self.lines:
            return None
        self.typed.append(self.lines.pop(0))
        return self.typed[-1]

    def _deeds(self) -> list[str]:
        asks, about, step = self._step["asks"], self._step["about"], self._step["step"]
        is_first = self._step["of"] > self.MOST
        if is_first and self._step["done"] >= self.MOST and asks in "pamb":
            return ["n"]
        if asks in "pa" and step == 1:
            return [place_name(about)]
        if asks == "p":
            return [place_names(self._step["put"])]
        if asks in "lz":
            return ["off"]
        if asks == "b":
            return [place_name(about)]
        colour = {"m": "white", "c": "white", "r": "red", "g": "green"}.get(asks)
        return [self.seen[colour]] if colour in self.seen else []


def rehearse(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, Typist]:
    """Run the command with somebody who types, in no time; return its exit status."""
    clock = Clock()
    typist = Typist(monkeypatch, clock)
    timed = functools.partial(Rehearsal, clock=clock, sleep=clock.sleep)
    monkeypatch.setattr(command, "Rehearsal", timed)
    monkeypatch.setattr(command, "TableConnection", functools.partial(TableConnection, clock=clock))
    return run(["doctor", "--virtual", *words]), typist


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    return tmp_path


@lanes.gate
def test_a_whole_examination_is_rehearsed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    """A reed that never closes and two wires exchanged; three of each kind are examined."""
    wrong = [PlantedFault(kinds.STUCK_OPEN, 1), PlantedFault(kinds.EXCHANGED, 0, 2)]
    monkeypatch.setattr(rehearsal, "draw_some", lambda *_: wrong)
    status, typist = rehearse(monkeypatch, "--faults", "2", "--seed", "7")
    out = capsys.readouterr().out
    assert status == 1, out
    assert typist.typed[0] == "past 1"
    assert typist.typed.count("") == 2, typist.typed  # the reed, and once more
    assert "! The reed of past 2 never closes" in out
    assert "! The wires of the reeds of past 1 and past 3 are exchanged" in out
    assert "Findings: 2, each with what to look at above." in out
    assert "What was wrong with it: The reed of past 2 never closes." in out
    assert "Not examined: the reeds of past 4 to focus black future." in out
    assert "Not examined: the order of the LEDs' colours." not in out
    assert "--faults 2 --seed 7" in out
    assert not list(home.rglob("*.json")), "of a virtual table nothing is kept"
    assert boards.learned() == []


def test_what_hands_can_do_is_told_first_and_by_help(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    lines = ["help", "pas 17", "button", "past 1, button a", "look", "nonsense", "q"]
    clock = Clock()
    keyboard = SimpleNamespace(take=lambda: lines.pop(0) if lines and clock() > 6 else None)
    monkeypatch.setattr(command, "TypedLines", lambda _stream: keyboard)
    timed = functools.partial(Rehearsal, clock=clock, sleep=clock.sleep)
    monkeypatch.setattr(command, "Rehearsal", timed)
    monkeypatch.setattr(command, "TableConnection", functools.partial(TableConnection, clock=clock))
    assert run(["doctor", "--virtual"]) == 1
    out = capsys.readouterr().out
    assert out.count("off: all magnets off") == 3, out  # at first, for help, for nonsense
    assert "'17' in 'pas 17' is no space" in out
    assert "a button is pressed alone" in out
    assert "You see: " in out
    assert "'nonsense' is not known here" in out
    assert "Stopped before the end; found so far: nothing." in out


@pytest.mark.parametrize("name", [place_name, place_to_find])
@pytest.mark.parametrize("players", ["white black", "weiß schwarz"])
def test_a_place_is_typed_as_the_doctor_says_it(
    name: Callable[[int], str], players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronotable_host.language.names.PLAYERS_WITHIN", players.split())
    lines = [name(sensor) for sensor in range(INPUTS)]
    told: list[str] = []
    typed = SimpleNamespace(take=lambda: lines.pop(0) if lines else None)
    hands = Rehearsal("reference", 0, 1, typed, told.append)
    assert hands.take() is None
    hands.close()
    magnets = [f"Magnets: {place_name(sensor)}." for sensor in range(SENSORS)]
    assert told == magnets + [f"Pressed: {place_name(key)}." for key in range(BUTTON, INPUTS)]


def test_a_copy_whose_magnet_is_the_wrong_way_round_is_changed_for_another_one() -> None:
    """The doctor has found it, and begins anew."""
    hands = Rehearsal("tiles-polarity", 0, 1, SimpleNamespace(take=lambda: None), print)
    table = hands._table
    table._turned_of = {layout.BLACK}
    felt = []
    for about in (0, 1, 2, 0):
        hands.follow({"step": 8, "asks": "p", "about": about})
        table.place(about, layout.BLACK)
        felt.append(table._poles[about])
        table.lift(about)
    hands.close()
    assert felt == [layout.WHITE, layout.WHITE, layout.WHITE, layout.BLACK]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--virtual", "--port", "/dev/ttyACM0"], "has no port"),
        (["--faults", "1"], "add --virtual"),
        (["--seed", "1"], "add --virtual"),
        (["--virtual", "--board", "nowhere"], "nowhere"),
    ],
)
def test_wrong_use_is_said(words: list[str], why: str, capsys: Output) -> None:
    assert run(["doctor", *words]) == 2
    assert why in capsys.readouterr().err


def test_lights_are_named_and_many_are_counted() -> None:
    lit = {0: Lit(WHITE, STEADY), 3: Lit(WHITE, STEADY), 50: Lit(WHITE, BREATHING)}
    said = "steady white at past 1, past 4; breathing white at focus white future"
    assert lights_text(lit) == said
    every = dict.fromkeys(range(SENSORS), Lit("green", STEADY))
    assert lights_text(every) == "steady green at 54 places"
    assert lights_text({}) == "no light"
