"""The LEDs in a terminal: every meaning has a mark of its own."""

from chronotable_host.light_names import NAMES
from chronotable_host.live.led_marks import highlights, legend


def test_every_meaning_has_a_mark_of_its_own() -> None:
    leds = bytes(range(len(NAMES)))
    marks = [mark for mark, _ in highlights(leds).values()]
    assert len(set(marks)) == len(marks) == len(NAMES) - 1
    for name in NAMES[1:]:
        assert f" {name}" in legend(leds), name


def test_off_is_not_marked() -> None:
    assert highlights(bytes(54)) == {}
    assert legend(bytes(54)) == ""
