"""What the page draws with: pieces and lights, and nothing of what is locked."""

from __future__ import annotations

import colorsys
import json
from pathlib import Path

import pytest

from chronotable.lights import light, meanings
from chronotable_host import chapters
from chronotable_host.engine.thinkers import LEVEL_NAMES
from chronotable_host.game_choice import choose_game
from chronotable_host.hardware.drawings.glyphs import LOOKS
from chronotable_host.live.players.seats import CANDIDATES
from chronotable_host.live.texts.light_names import LIGHTS, NAMES, PALETTE_NAMES
from chronotable_host.rules.notation import ACTIONS
from chronotable_host.web import looks
from chronotable_host.web.http.requests import parse_request
from chronotable_host.web.service import COMMANDS
from tests import lanes
from tests.host.leaks import leaks

STATIC = Path(looks.__file__).parent / "static"
STANDARD = ["white", "black", "white-focus", "black-focus", "piece"]
OWN_WORDS = (
    "growth seed seeds shrub tree plant planted dig dug fallen",
    "influence statue statues",
    "memory elephant hat hats train trained",
    "convergence",
)


def test_a_locked_page_has_the_pieces_of_the_standard_game() -> None:
    assert list(looks.pieces(0)) == STANDARD
    assert looks.pieces(0)["white"]["name"] == "white copy"
    assert looks.pieces(0)["black-focus"]["svg"].startswith("<circle ")


def test_chapter_by_chapter_there_is_more_and_in_the_end_all() -> None:
    shown = [set(looks.pieces(count)) for count in range(chapters.COUNT + 1)]
    assert shown[0] < shown[1] < shown[2] < shown[3] == shown[4] == set(LOOKS)


@pytest.mark.parametrize("shown", range(chapters.COUNT + 1))
def test_locked_chapters_are_not_named(shown: int) -> None:
    known = " ".join(OWN_WORDS[:shown])
    for palette in PALETTE_NAMES:
        told = [looks.pieces(shown), looks.meanings(palette, shown), looks.games(shown)]
        assert leaks(json.dumps(told), known) == []


def test_the_search_finds_what_is_unlocked() -> None:
    """All chapters are named once they may be, so that a leak would be found."""
    told = [looks.pieces(4), looks.meanings("standard", 4), looks.games(4)]
    assert {"seed", "dig", "statue", "elephant", "train", "convergence"} <= {
        *leaks(json.dumps(told))
    }


def test_kinds_of_action_have_a_neutral_name_while_locked() -> None:
    for shown, open_ones in ((0, []), (1, ["plant", "dig"]), (2, ["plant", "dig", "build"])):
        kinds = slice(meanings.PLANT, meanings.COMMAND + 1)
        found = looks.meanings("standard", shown)[kinds]
        assert [entry["name"] for entry in found if entry["name"] != "choice"] == open_ones
        assert {entry["says"] for entry in found if entry["name"] == "choice"} == {"may be chosen"}


def test_a_meaning_stands_at_its_number() -> None:
    for palette in PALETTE_NAMES:
        found = looks.meanings(palette, chapters.COUNT)
        assert tuple(entry["name"] for entry in found) == NAMES
        assert all(entry["says"] for entry in found[1:])
        assert [entry["rhythm"] for entry in found][:4] == ["steady", "steady", "steady", "pulse"]
    look = looks.meanings("standard", 0)[meanings.MOVE]
    assert (look["says"], look["means"]) == ("may move here", "A step: you go there.")


def levels(palette: str, number: int) -> tuple[int, int, int]:
    packed = light.palette(PALETTE_NAMES.index(palette))
    at = 4 * LIGHTS[number]
    return tuple(packed[at : at + 3])  # type: ignore[return-value]


def channels(colour: str) -> list[float]:
    assert len(colour) == 7
    return [part / 255 for part in bytes.fromhex(colour[1:])]


def linear(encoded: float) -> float:
    return encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4


@pytest.mark.parametrize("palette", PALETTE_NAMES)
def test_a_screen_keeps_the_hue_of_an_led(palette: str) -> None:
    for number, entry in enumerate(looks.meanings(palette, chapters.COUNT)):
        red, green, blue = (level / 255 for level in levels(palette, number))
        shown = [linear(part) for part in channels(entry["colour"])]
        if red == green == blue:
            assert len(set(shown)) == 1, entry
            continue
        was, _, _ = colorsys.rgb_to_hsv(red, green, blue)
        now, saturation, _ = colorsys.rgb_to_hsv(*shown)
        off = abs(was - now)
        assert min(off, 1 - off) < 0.02, entry
        assert saturation > 0.7, entry


@pytest.mark.parametrize("palette", PALETTE_NAMES)
def test_what_is_dimmer_on_the_table_is_dimmer_on_the_screen_and_still_seen(palette: str) -> None:
    found = looks.meanings(palette, chapters.COUNT)
    assert found[meanings.OFF]["colour"] == "#000000"
    pairs = sorted(
        (max(levels(palette, number)), max(channels(entry["colour"])))
        for number, entry in enumerate(found)
    )
    brightness = [shown for _, shown in pairs]
    assert brightness == sorted(brightness)
    assert min(brightness[1:]) > 0.5
    mover, focus = found[meanings.MOVER], found[meanings.FOCUS]
    assert max(channels(mover["colour"])) < 0.8 * max(channels(focus["colour"]))


def test_there_is_no_other_palette() -> None:
    with pytest.raises(ValueError, match="tuple"):
        looks.meanings("sepia", 0)


@pytest.mark.parametrize("shown", range(chapters.COUNT + 1))
def test_every_game_that_is_offered_can_be_chosen(shown: int) -> None:
    chapters.unlock_to(shown)
    offered = looks.games(shown)
    assert offered[0] == "standard"
    assert len(offered) == [1, 2, 3, 4, 9][shown]
    for name in offered:
        choose_game(name)


@lanes.gate
def test_no_file_of_the_page_names_a_chapter() -> None:
    files = [file for file in sorted(STATIC.iterdir()) if file.suffix in (".js", ".css", ".html")]
    assert files
    for file in files:
        text = file.read_text("utf-8")
        assert leaks(text) == [], file
        assert not chapters.gives_away(text), file


def test_actions_are_told_in_words_chapter_by_chapter() -> None:
    told = [looks.actions(count) for count in range(5)]
    assert told[0]["F"] == "forward in time"
    assert set(told[0]) == {*"NESWFB"}
    assert told[1]["pN"] == "plant north"
    assert told[1]["do"] == "dig up here"
    assert told[2]["E*"] == "east, pulling the statue"
    assert "cD:W" not in told[2]
    assert told[3]["cD:W"] == "send the dark elephant west"
    assert "cD:W*" not in told[3]
    assert told[4]["cD:W*"] == "send the dark elephant west, pulling the statue"
    assert set(told[4]) == set(ACTIONS) - {""}
    things = [looks.things(count) for count in range(5)]
    assert things[1] == {}
    assert things[2]["E*"] == "step, pulling the statue"
    assert things[3]["cD:W"] == "dark elephant"
    assert things[4]["cL:W*"] == "light elephant, pulling the statue"
    ways = "north", "east", "south", "west"
    assert not [each for each in things[4].values() if any(way in each for way in ways)]


# ---- who can be chosen to play: one list, with a face and words for everybody


def test_everybody_who_can_be_chosen_can_be_seated() -> None:
    for each in CANDIDATES:
        message = {"id": 1, "do": "sit", "side": "black", "who": each.seat}
        assert parse_request(json.dumps(message), COMMANDS).values["who"] == each.seat


def test_every_level_has_a_face_and_words_of_its_own() -> None:
    levels = [each for each in CANDIDATES if each.seat in LEVEL_NAMES]
    assert [each.seat for each in levels] == list(LEVEL_NAMES)
    assert [each.face for each in levels] == [str(number) for number in range(1, 9)]
    assert len({each.name for each in levels}) == len({each.words for each in levels}) == 8
    assert (levels[0].name, levels[0].words) == ("easy", "for a first game")


def test_no_word_of_them_tells_of_a_chapter() -> None:
    told = [each._asdict() for each in CANDIDATES]
    assert leaks(json.dumps(told)) == []
