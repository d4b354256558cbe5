"""What the doctor says on the PC: whole words, everything at once, nothing private."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from chronotable.hardware.sensors import BUTTON, SENSORS
from chronotable_host.commands import doctor
from chronotable_host.hardware.doctor.examination import END_STEP, SKIP, Examination
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.doctor.step_texts import KEYS, STEPS, ask_text, head, waiting_text
from chronotable_host.link.doctor_names import ASKS, FINDINGS
from chronotable_host.live.happenings import Finding, Keys, Step
from chronotable_host.live.texts.finding_texts import finding_text, is_unseen, unseen_text
from tests.lines import into

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


def test_what_is_no_terminal_gets_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_end_names_what_was_not_examined(capsys: pytest.CaptureFixture[str]) -> None:
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
    capsys: pytest.CaptureFixture[str],
) -> None:
    show = doctor.DoctorScreen(False)
    show.sum_up(summary(stopped=True, step=0, felt="past 1, past 2"))
    out = capsys.readouterr().out
    assert "nothing" not in out.replace("before anything", "")
    assert "The table still felt past 1, past 2" in out
