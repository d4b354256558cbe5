"""Settings in words: what they mean to a table, who is told, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronotable.core.commands import SETTINGS, change
from chronotable.core.table import BRIGHTNESS
from chronotable.hardware.sensors import BUTTONS, SHARED, SPACES
from chronotable.lights.hints import HINT_LEVELS
from chronotable.lights.light import NIGHT
from chronotable.link.identity import Identity
from chronotable.player.seats import ELSEWHERE
from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_host.live.desk import Desk
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.settings import KINDS, number_of, parse_settings
from chronotable_host.live.texts.light_names import PALETTE_NAMES
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.virtual import table as virtual_table
from chronotable_host.virtual.serve import SocketLine
from tests.host.archives import Output
from tests.host.by_lights import typing
from tests.host.served_table import ServedTable
from tests.lab.store import MemoryStore, new_table
from ttykm.layout import STRICT_TWO_ACTIONS

HINTS = "hints_white", "hints_black"


@pytest.mark.parametrize("name", SETTINGS)
def test_a_settings_file_with_a_number_below_zero_changes_nothing(name: str) -> None:
    """A brightness below 0 would be light beyond every limit of the current."""
    table = new_table(MemoryStore())
    before = bytes(table.hints.levels), table.light.brightness, table.tracker.rest_ms
    assert not change(table, SETTINGS.index(name), -1)
    assert before == (bytes(table.hints.levels), table.light.brightness, table.tracker.rest_ms)


def test_every_setting_has_words_here() -> None:
    assert tuple(KINDS) == SETTINGS
    assert [number_of(name) for name in KINDS] == list(range(len(SETTINGS)))


@pytest.mark.parametrize("name", KINDS)
def test_a_table_takes_what_is_offered_and_nothing_beyond(name: str) -> None:
    table = new_table(MemoryStore())
    kind = KINDS[name]
    low, high = kind.numbers or (min(kind.words.values()), max(kind.words.values()))
    for value in (*kind.words.values(), low, high):
        assert change(table, number_of(name), value), value
    # which a program says, and nobody types: a side that is played elsewhere, the copy of a hint
    unspoken = {
        **dict.fromkeys(PLAYERS, ELSEWHERE),
        **dict.fromkeys(HINTS, HINT_LEVELS + SPACES - 1),
    }
    beyond = unspoken.get(name, high)
    assert not change(table, number_of(name), beyond + 1)
    if low:
        assert not change(table, number_of(name), low - 1)


def test_buttons_dim_the_lights_step_by_step_and_change_their_palette() -> None:
    table = new_table(MemoryStore())
    for step in range(1, 2 * len(BRIGHTNESS)):
        table.press(BUTTONS.index(("b", SHARED)))
        assert table.light.brightness == BRIGHTNESS[step % len(BRIGHTNESS)]
    first = bytes(table.light._palette)
    for step in (1, 2):
        table.press(BUTTONS.index(("c", SHARED)))
        assert (bytes(table.light._palette) == first) == (step == 2)


def test_words_mean_what_they_say() -> None:
    table = new_table(MemoryStore())
    words = ["hints_white=off", "hints_black=legal", "brightness=night", "palette=colour-blind"]
    for name, value in parse_settings([*words, "rest_ms=1500", "Settle_MS = 300"]).items():
        assert change(table, number_of(name), value)
    assert list(table.hints.levels) == [0, 1]
    assert table.light.brightness == NIGHT
    assert (table.tracker.rest_ms, table.tracker.settle_ms) == (1500, 300)
    assert parse_settings(["brightness=200"]) == {"brightness": 200}
    assert parse_settings(["brightness=half", "brightness=full"]) == {"brightness": BRIGHTNESS[0]}
    assert BRIGHTNESS[0] > BRIGHTNESS[1] > BRIGHTNESS[2] == NIGHT
    assert parse_settings([f"palette={PALETTE_NAMES[1]}"]) == {"palette": 1}
    assert parse_settings([]) == {}


@pytest.mark.parametrize(
    ("word", "possible"),
    [
        ("brightness=dim", "brightness is full, half, night or 0 to 256"),
        ("brightness=257", "brightness is full, half, night or 0 to 256"),
        ("brightness=-1", "brightness is full, half, night or 0 to 256"),
        ("brightness=99999999999999", "brightness is full, half, night or 0 to 256"),
        ("brightness=٣", "brightness is full, half, night or 0 to 256"),
        ("hints_white=2", "hints_white is off, legal or consequences"),
        ("palette=", "palette is standard or colour-blind"),
        ("rest_ms=fast", "rest_ms is 200 to 10000 ms"),
        ("settle_ms=99", "settle_ms is 100 to 2000 ms"),
        ("sound=on", "there are hints_white=off, legal or consequences; hints_black="),
        ("brightness", "is no setting; there are"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(word: str, possible: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_settings([word])
    assert f"'{word}'" in str(caught.value)
    assert possible in str(caught.value)


@pytest.mark.parametrize("command", [["try", "--headless"], ["play", "--port", "nowhere"]])
def test_a_wrong_one_is_one_sentence_and_status_2(
    command: list[str], tmp_path: Path, capsys: Output
) -> None:
    assert run([*command, "--archive", str(tmp_path), "--set", "palette=pink"]) == 2
    (sentence,) = capsys.readouterr().err.strip().splitlines()[-1:]
    assert sentence.endswith("'palette=pink': palette is standard or colour-blind")


def test_a_virtual_table_has_them_from_power_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def open_runtime(*_: Any, settings: Any, **_more: Any) -> None:
        given.append(settings)
        raise UserError("that is all there is to see")

    monkeypatch.setattr(virtual_table, "open_runtime", open_runtime)
    args = ["try", "--headless", "--archive", str(tmp_path), "--option", "strict_two_actions=true"]
    assert run([*args, "--set", "brightness=night", "--set", "hints_black=off"]) == 2
    assert given[0] == {"options": STRICT_TWO_ACTIONS, "brightness": NIGHT, "hints_black": 0}


def test_a_real_one_is_told_over_the_line(tmp_path: Path) -> None:
    line = SocketLine()
    served = ServedTable(line)
    served.acts = [(1500, lambda: served.table.press("resign", 1))]
    args = ["play", "--port", line.name, "--archive", str(tmp_path), "--once", "--json"]
    with served:
        assert run([*args, "--set", "brightness=night"]) == 0
        brightest = [max(frame.rgb) for frame in served.served.frames]
    assert max(brightest) > NIGHT >= brightest[-1] > 0


class Said(Session):
    """A session that notes the commands it is given."""

    def __init__(self) -> None:
        super().__init__(Mirror(lambda _happening: None))
        self.commands: list[tuple[str, dict[str, Any]]] = []

    def command(self, name: str, **fields: Any) -> None:
        self.commands.append((name, fields))

    def set_since(self) -> list[tuple[int, int]]:
        """Return which settings were sent since the last time, and now."""
        self.exchange(b"", 0)
        sent = [(fields["setting"], fields["value"]) for _, fields in self.commands]
        self.commands.clear()
        return sent


def test_a_table_is_told_once_and_again_when_it_has_forgotten(capsys: Output) -> None:
    session = Said()
    at: Any = Desk()
    at.session = session
    lines: list[str] = []
    desk = typing(at, lines)
    settings = parse_settings(["brightness=half", "palette=colour-blind"])
    session.settings = settings
    assert not desk.is_done()
    assert session.set_since() == [], "nobody is there yet"
    session.mirror.table.peer = Identity("reference", unique_id="e6", boot=3)
    assert session.set_since() == [(2, BRIGHTNESS[1]), (3, 1)]
    desk.is_done()
    assert session.set_since() == []
    lines += ["set brightness=night", "set brightness=dim", "set"]
    desk.is_done()
    assert session.set_since() == [(2, NIGHT)]
    said = capsys.readouterr().err
    assert "brightness is full, half, night or 0 to 256" in said
    assert "'set' is no command" in said
    session.mirror.table.peer = Identity("reference", unique_id="e6", boot=4)
    assert session.set_since() == [(2, NIGHT), (3, 1)]
    lines += ["none"]
    desk.is_done()
    assert session.commands == [("answer", {"choice": "n"})]
