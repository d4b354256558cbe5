"""Every piece has a drawing and a name, every position can be drawn, every light has a mark."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from array import array
from pathlib import Path

import pytest

from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable.lights import meanings
from chronotable_host import chapters
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import glyphs
from chronotable_host.hardware.drawings.glyphs import (
    LOOKS,
    UNKNOWN,
    looks_of,
    module_of,
    name_of,
    svg_of,
)
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.live.texts.led_marks import highlights, legend
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.notation import parse_position
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.objects import ALL_MODULES, ELEPHANT, FALLEN, GROWTH, INFLUENCE, MEMORY, STATUE

SVG = "{http://www.w3.org/2000/svg}"
CROWDED = (
    "w...b........w../.w.............b/w..............b 0 2 3 4 w growth+influence+memory "
    "*1,sh3,F9<5,F10<11,F11<7,F12<8,eL15w/eD4b,nN5,nW6,nB7,sh10,eL12/*2,eD5,nB7,T8,F11<10,eL13b "
    "seeds=3 statues=-"
)


def elements(look: str) -> list[ET.Element]:
    root = ET.fromstring(f"<g>{svg_of(look)}</g>")
    return [element for element in root.iter() if element is not root]


def random_positions(seed: int, modules: int, turns: int = 25) -> list[array[int]]:
    rng = random.Random(seed)
    game = Game()
    game.start(objects.new_state(modules))
    found = [array("H", game.state)]
    while len(found) < turns and (legal := list(game.legal_turns())):
        game.apply(rng.choice(legal))
        found.append(array("H", game.state))
    return found


KINDS = [kind for kind in range(1, ELEPHANT + 2) if kind != STATUE + 3]
"""All kinds of objects: the numbers up to the light elephant's, but for one that is free."""


def looks_of_kind(kind: int) -> set[str]:
    """Return the looks of an object of a kind on present 6, with every hat that it can wear."""
    found = set()
    for hat in (-1, 0, 1) if kind >= ELEPHANT else (-1,):
        state = objects.empty_state(ALL_MODULES)
        objects.put(state, 1, 5, kind)
        if hat >= 0:
            objects.put_hat(state, 1, kind - ELEPHANT, hat)
        found |= {look for sensor, look in looks_of(state) if sensor == 16 + 5}
    return found


def test_every_kind_of_object_has_looks_of_its_own_and_there_are_no_others() -> None:
    by_kind = [looks_of_kind(kind) for kind in KINDS]
    assert [len(looks) for looks in by_kind] == [3 if kind >= ELEPHANT else 1 for kind in KINDS]
    of_players = {f"{player}{what}" for player in ("white", "black") for what in ("", "-focus")}
    assert sorted(LOOKS) == sorted(
        [UNKNOWN, *of_players, *(look for looks in by_kind for look in looks)]
    )


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_is_plain_markup(look: str) -> None:
    drawn = elements(look)
    assert drawn
    for element in drawn:
        assert element.tag in {"g", "circle", "ellipse", "path"}
        assert not {"id", "style", "class", "href"} & set(element.attrib)
        assert not any(name.startswith("on") for name in element.attrib)


@pytest.mark.parametrize("look", LOOKS)
def test_gradients_are_those_of_the_board_or_a_colour_instead(look: str) -> None:
    empty = board_svg(boards.read_data("reference"))
    for name, instead in re.findall(r"url\(#([^)]*)\)([^\"]*)", svg_of(look)):
        assert f'id="{name}"' in empty
        assert re.fullmatch(r" #[0-9a-f]{6}", instead)


def test_no_two_looks_have_one_drawing_or_one_name() -> None:
    assert len({svg_of(look) for look in LOOKS}) == len(LOOKS)
    assert len({name_of(look) for look in LOOKS}) == len(LOOKS)


def test_dark_and_light_are_told_apart_without_colours() -> None:
    for look in ("white", "white-focus", "statue-white"):
        other = look.replace("white", "black")
        assert lightness(look) > 2 * lightness(other), (look, other)
    assert lightness("elephant-light") > 2 * lightness("elephant-dark")


def lightness(look: str) -> float:
    """Return the grey, 0..255, of the lowest part of a look, its shadow aside."""
    fills = re.findall(r'fill="(?:url[^ ]* )?#([0-9a-f]{6})"', svg_of(look))
    return next(sum(bytes.fromhex(fill)) / 3 for fill in fills if fill != "000000")


@pytest.mark.parametrize(
    ("look", "name"),
    [
        ("white", "white copy"),
        ("black-focus", "black focus marker"),
        ("seed", "seed"),
        ("fallen-e", "fallen tree towards east"),
        ("statue-neutral", "neutral statue"),
        ("statue-white", "White's statue"),
        ("elephant-dark", "dark elephant"),
        ("elephant-light+black", "light elephant with Black's hat"),
    ],
)  # fmt: skip
def test_names(look: str, name: str) -> None:
    assert name_of(look) == name


@pytest.mark.parametrize("look", ["", "nothing", "white+black", "seed-focus", "elephant-dark+"])
def test_what_is_no_look(look: str) -> None:
    for ask in (svg_of, name_of, module_of):
        with pytest.raises(ValueError, match="there is no look"):
            ask(look)


def test_every_look_belongs_to_its_module() -> None:
    of = {
        GROWTH: ("seed", "shrub", "tree", "fallen"),
        INFLUENCE: ("statue",),
        MEMORY: ("elephant",),
        0: ("white", "black", UNKNOWN),
    }
    for look in LOOKS:
        assert look.startswith(of[module_of(look)]), look


def test_the_start() -> None:
    assert looks_of(layout.new_state()) == [
        *[(0, "white"), (15, "black"), (16, "white"), (31, "black"), (32, "white"), (47, "black")],
        *[(FOCUS, "white-focus"), (FOCUS + 5, "black-focus")],
    ]


def test_what_lies_where_in_a_crowded_position() -> None:
    found = looks_of(parse_position(CROWDED))
    assert found[:2] == [(0, "seed"), (0, "white")]  # the seed lies below
    assert [sensor for sensor, _ in found] == sorted(sensor for sensor, _ in found)
    assert {
        (8, "fallen-s"), (9, "fallen-w"), (10, "fallen-s"), (11, "fallen-s"), (42, "fallen-e"),
        (14, "elephant-light+white"), (19, "elephant-dark+black"), (27, "elephant-light"),
        (20, "statue-neutral"), (21, "statue-white"), (22, "statue-black"), (39, "tree"),
    } <= set(found)  # fmt: skip


@pytest.mark.parametrize("modules", range(ALL_MODULES + 1))
@pytest.mark.parametrize("seed", range(2))
def test_every_position_of_a_game_is_drawn(seed: int, modules: int) -> None:
    data = boards.read_data("reference")
    for number, state in enumerate(random_positions(seed, modules)):
        found = looks_of(state)
        where = (seed, modules, number)
        copies = [entry for entry in found if entry[1] in ("white", "black")]
        things = [
            (entry[0], entry[1]) for entry in found if entry not in copies and entry[0] < SPACES
        ]
        assert len(copies) == sum(word.bit_count() for word in state[: layout.META]), where
        assert [sensor for sensor, _ in things] == [
            16 * era + space for era, space, _ in objects.objects_of(state)
        ], where
        assert all(module_of(look) & modules for _, look in things), where
        if number % 12 == 0:
            assert drawn_pieces(board_svg(data, found)) == found, where


def drawn_pieces(svg: str) -> list[tuple[int, str]]:
    """Return sensors and looks of the pieces in a picture, read off it."""
    found = []
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        for piece in group.findall(f"{SVG}g"):
            kind, _, look = piece.get("class", "").partition(" ")
            if kind == "piece":
                found.append((int(group.get("data-sensor", "-1")), look))
                assert piece.findtext(f"{SVG}title") == glyphs.name_of(look)
    return found


def test_a_fallen_tree_points_away_from_its_roots() -> None:
    """The drawing of one that fell north is turned, clockwise, for the others."""
    turned = [
        re.match(r'<g transform="rotate\((\d+)\)">', svg_of(look))
        for look in ("fallen-n", "fallen-e", "fallen-s", "fallen-w")
    ]
    assert [match and match[1] for match in turned] == [None, "90", "180", "270"]
    assert FALLEN + 1 == objects.FALLEN + layout.EAST - layout.NORTH


# ---- lights in a terminal


def test_every_meaning_has_a_mark_of_its_own() -> None:
    leds = bytes(range(len(NAMES)))
    marks = [mark for mark, _ in highlights(leds).values()]
    assert len(set(marks)) == len(marks) == len(NAMES) - 1
    assert "o may act  x was lifted from here" in legend(leds)


def test_a_legend_names_what_is_unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    lit = bytes([meanings.PLANT, meanings.BUILD])
    assert legend(lit) == "p may be chosen  s may be chosen"
    chapters.unlock_to(1)
    assert legend(lit) == "p a seed may be planted here  s may be chosen"


def test_off_is_not_marked() -> None:
    assert highlights(bytes(54)) == {}
    assert legend(bytes(54)) == ""
