"""What is secret need not be among the words of a command: others on the computer can list them."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from chronotable_host.cli import COMMANDS, loaded, run

SECRET = re.compile(r"mqtts?://|TOKEN|LINK|URL")
"""What the help calls a value that may hold a password, an invitation or a token."""


def parameters(command: Any, words: str = "chronotable") -> Iterator[tuple[str, Any]]:
    """Yield the parameters of all commands, each with its command's words."""
    for each in command.params:
        yield words, each
    for name, below in getattr(command, "commands", {}).items():
        yield from parameters(below, f"{words} {name}")


def test_each_secret_can_be_asked_for_and_stand_in_the_environment() -> None:
    found = [
        (f"{words} {each.opts[0]}", each)
        for name in COMMANDS
        for words, each in parameters(loaded(name), f"chronotable {name}")
        if SECRET.search(f"{each.metavar}")
    ]
    for name, each in found:
        assert each.callback is not None, name
        assert each.envvar or each.opts[0] == "--url", name  # which CHRONOTABLE_DB stands for
    assert len(found) > 12


@pytest.mark.parametrize(
    ("words", "is_in_environment"),
    [
        (["join", "-"], False),
        (["join"], False),
        (["join", "--name", "Bo"], False),
        (["join"], True),
    ],
)
def test_a_link_is_read_from_where_nobody_sees_it(
    words: list[str],
    is_in_environment: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    link = "chronotable://host/mqtt#these-are-not-nine"
    monkeypatch.setattr(sys, "stdin", io.StringIO("" if is_in_environment else f"{link}\n"))
    if is_in_environment:
        monkeypatch.setenv("CHRONOTABLE_LINK", link)
    assert run(words) == 2
    assert "an invitation has nine words; there are 4" in capsys.readouterr().err


def test_who_answers_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert run(["join", "-"]) == 2
    assert "LINK is needed, and was not typed; type it, or pipe it in" in capsys.readouterr().err


def test_a_terminal_does_not_show_what_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("seen"))
    asked: list[str] = []
    monkeypatch.setattr(
        "chronotable_host.commands.shared.getpass", lambda said: asked.append(said) or " "
    )
    for words in (["join"], ["join", "--broker", "-"], ["invite", "--broker", "-"]):
        assert run(words) == 2
    assert asked == [f"{what} (it is not shown): " for what in ("LINK", "URL", "URL")]
