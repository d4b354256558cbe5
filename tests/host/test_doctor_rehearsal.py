"""`doctor --virtual`: a person rehearses an examination, and what is typed are the hands."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS
from chronotable_host.cli import run
from chronotable_host.commands import doctor
from chronotable_host.commands import doctor as command
from chronotable_host.hardware import boards
from chronotable_host.hardware.doctor.examination import END_STEP, SKIP, Examination
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.doctor.step_texts import KEYS, STEPS, ask_text, head, waiting_text
from chronotable_host.link.doctor_names import ASKS, FINDINGS
from chronotable_host.live.happenings import Finding, Happening, Keys, Step
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.texts.finding_texts import finding_text, is_unseen, unseen_text
from chronotable_host.live.texts.place_names import place_name, place_names, place_to_find
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty import rehearsal
from chronotable_host.virtual.faulty.eyes import BREATHING, STEADY, WHITE, Lit
from chronotable_host.virtual.faulty.faults import PlantedFault
from chronotable_host.virtual.faulty.rehearsal import Rehearsal, lights_text
from tests import lanes
from tests.host.archives import Output
from tests.lines import into
from ttykm import layout

pytestmark = pytest.mark.usefixtures("home")

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


# ---- what the doctor says on the PC


NOTHING = 255
EIGHT = [0, 15, 16, 31, 32, 47, 48, 53]
FAULTS = [kind for kind in range(len(FINDINGS)) if not is_unseen(kind)]


def state(step: int = 1, asks: str = "p", about: int = 6, **more: Any) -> dict[str, Any]:
    """What a listener tells of a step."""
    values = {"put": [about], "done": about, "of": SENSORS, "ma": 0, "left_s": 0, **more}
    return {
        "step": step,
        "asks": asks,
        "about": about,
        "head": head(step),
        "text": ask_text(asks, about, values["put"]),
        "waiting": waiting_text(asks, values["left_s"]),
        **values,
    }


def summary(**more: Any) -> dict[str, Any]:
    return {
        "findings": 0,
        "stopped": False,
        "complete": True,
        "current_ma": None,
        "learned": None,
        "unseen": [],
        "step": 7,
        "felt": "",
        **more,
    }


class Terminal:
    """A terminal of so many columns; `text` is all that was written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
        self.file = io.StringIO()
        console = Console(
            file=self.file, width=columns, force_terminal=True, highlight=False, soft_wrap=True
        )
        console.no_color = True
        monkeypatch.setattr(doctor, "console", lambda: console)
        self.show = doctor.DoctorScreen(False)

    def text(self) -> str:
        return self.file.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_no_word_is_broken_at_the_edge_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    terminal = Terminal(monkeypatch, columns)
    said = [*KEYS]
    for step in range(STEPS):
        terminal.show.hear(Step(0, state(step, "w", NOTHING, put=[])))
        said.append(head(step))
    for asks in ASKS:
        for step in (1, 4):
            about = BUTTON if asks == "b" else 40
            words = state(step, asks, about, put=EIGHT)
            terminal.show.hear(Step(0, words))
            said.append(words["text"])
    for kind in FAULTS:
        finding = {"text": finding_text(kind, 2, 1)}
        terminal.show.hear(Finding(0, finding))
        said.append(finding["text"])
    terminal.show.hear(Keys(0, list(KEYS), "gibberish"))
    terminal.show.sum_up(summary(complete=False, unseen=["the reeds of past 1 to future 16"]))
    terminal.show.sum_up(summary(stopped=True, step=0, felt="past 1, past 2, past 3, past 4"))
    lines = terminal.text().split("\n")
    assert max(map(len, lines)) <= columns
    written = " ".join(" ".join(lines).split())
    for sentence in said:
        assert sentence in written, sentence


def test_what_is_no_terminal_gets_whole_lines(capsys: Output) -> None:
    show = doctor.DoctorScreen(False)
    show.hear(Step(0, state(0, "d", 53, put=EIGHT)))
    assert (
        "Take all magnets off. The table still feels past 1, past 16, present 1, present 16, "
        in (capsys.readouterr().out)
    )


def test_all_that_is_felt_is_named_at_once() -> None:
    names = "past 1, past 16, present 1, present 16, future 1, future 16, focus white past"
    assert names in ask_text("d", 48, EIGHT[:-1])
    assert names in ask_text("z", NOTHING, EIGHT[:-1])
    assert ask_text("d", NOTHING, []) == "Take all magnets off."
    assert "button a" in ask_text("d", BUTTON + 6, [3])
    assert "past 4" in ask_text("d", BUTTON + 6, [3])
    for asks in ASKS:
        for put in ([], [3]):
            assert "somewhere" not in ask_text(asks, NOTHING if asks in "dzmcrgw" else 3, put)


def test_the_seconds_are_counted_down_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, 80)
    for left_s in (0, 5, 4, 3):
        terminal.show.hear(Step(0, state(left_s=left_s)))
    terminal.show.hear(Step(0, state(about=7)))
    text = terminal.text()
    assert text.count("goes on in 5 s") == 1
    assert "not examined" in text
    assert "Enter" in text.split("goes on in 5 s")[1]
    for left_s in (5, 4, 3):
        assert f"  {left_s} s \r" in text
    assert text.count("\n") == text.rstrip("\r").count("\n")
    last = text.rindex("\x1b[2K")
    assert "past 8" in text[last:]


def typing(*lines: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Return what goes to the table, and what the person is told, when these lines are typed."""
    said: list[str] = []
    told: list[dict[str, Any]] = []
    player = SimpleNamespace(now_ms=5000, is_there=True)
    player.session = SimpleNamespace(command=lambda _name, say: said.append(say))
    waiting = list(lines)
    keyboard = SimpleNamespace(take=lambda: waiting.pop(0) if waiting else None)
    listener = DoctorListener(lambda _happening: None)
    listener.step = {"step": 1}
    course = Examination(cast(Any, player), listener, keyboard, into(told))
    course._asked_ms = course._met_ms = 0
    course.is_done()
    return said, told


@pytest.mark.parametrize("word", ["help", "HELP ", "?", "h"])
def test_help_tells_the_keys_and_accuses_nothing(word: str) -> None:
    said, told = typing(word)
    assert said == []
    assert [what["keys"] for what in told] == [list(KEYS)]
    assert told[0]["unknown"] == ""


def test_only_an_empty_line_is_an_enter() -> None:
    said, told = typing("", "present 6", "n")
    assert said == [SKIP, END_STEP]
    assert [what["unknown"] for what in told] == ["present 6"]


def test_help_says_what_to_do_now(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, 100)
    terminal.show.hear(Step(0, state()))
    before = len(terminal.text())
    terminal.show.hear(Keys(0, list(KEYS), ""))
    text = terminal.text()[before:]
    assert KEYS[0] in text
    assert "Put the magnet on past 7" in text


def test_the_end_names_what_was_not_examined(capsys: Output) -> None:
    texts = {
        "reeds_unseen": (3, 9, "the reeds of past 4 to past 10"),
        "lights_unseen": (5, 5, "the light of LED 5 of the chain"),
        "colours_unseen": (0, 0, "the order of the LEDs' colours"),
        "diodes_unseen": (3, 3, "the diode of past 4"),
        "buttons_unseen": (BUTTON, BUTTON, "the button undo of white"),
    }
    for name, (first, last, text) in texts.items():
        assert unseen_text(FINDINGS.index(name), first, last) == text
    unseen = [text for _, _, text in texts.values()]
    doctor.DoctorScreen(False).sum_up(summary(complete=False, unseen=unseen))
    out = capsys.readouterr().out
    assert "Nothing is wrong" not in out
    for text in unseen:
        assert f"Not examined: {text}." in out


def test_who_stops_while_magnets_lie_there_hears_of_them(
    capsys: Output,
) -> None:
    show = doctor.DoctorScreen(False)
    show.sum_up(summary(stopped=True, step=0, felt="past 1, past 2"))
    out = capsys.readouterr().out
    assert "nothing" not in out.replace("before anything", "")
    assert "The table still felt past 1, past 2" in out
