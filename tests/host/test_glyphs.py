"""Every piece has a drawing and a name, every position can be drawn, every light has a mark."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from array import array
from pathlib import Path

import pytest

from chronotable.hardware.sensors import BUTTONS, FOCUS, SPACES
from chronotable.lights import light, meanings
from chronotable_host import chapters, cli
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import glyphs, paper, pdf
from chronotable_host.hardware.drawings.glyphs import (
    LOOKS,
    UNKNOWN,
    looks_of,
    module_of,
    name_of,
    svg_of,
)
from chronotable_host.hardware.drawings.light_sheet import A4, sheet_svg, subject_svg
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.live.texts import led_marks, light_names, light_sheet
from chronotable_host.live.texts.led_marks import highlights, legend
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.notation import parse_position
from tests.host.archives import Output
from tests.host.leaks import leaks
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


# ---- the sheet of all lights and buttons


COUNTS = range(chapters.COUNT + 1)


def elements_of(svg: ET.Element | str, kind: str) -> list[ET.Element]:
    tree = ET.fromstring(svg if isinstance(svg, str) else paper.svg_text(svg))
    return [each for each in tree.iter() if each.tag.endswith(f"}}{kind}")]


def texts(svg: ET.Element | str) -> list[str]:
    return [each.text or "" for each in elements_of(svg, "text")]


@pytest.mark.parametrize("shown", COUNTS)
def test_every_light_is_on_the_sheet_with_a_name_for_its_colours(shown: int) -> None:
    rows = [row for _, rows in light_sheet.lights(shown) for row in rows]
    told = {number for row in rows for number in row.lights}
    assert told == set(light_names.LIGHTS) - {meanings.OFF}
    spoken = {led_marks.words_of(at, shown)[1] for at in range(32, len(light_names.NAMES))}
    assert spoken and spoken <= {row.says for row in rows}, "what lights say at focus spots alone"
    for row in rows:
        assert row.says and row.look
        assert len({lamp.rhythm for lamp in row.lamps(0)}) == 1, row.says
        assert all(lamp.colour for lamp in (*row.lamps(0), *row.lamps(1)))


def test_a_colour_without_a_name_is_found() -> None:
    with pytest.raises(KeyError):
        _ = light_sheet.Lamp(1, 2, 3, 0).colour


def test_every_button_is_on_the_sheet() -> None:
    named = {name for label, _ in light_sheet.BUTTONS for name in re.findall(r"\w+", label)}
    assert named == {name for name, _ in BUTTONS}
    assert named <= {*texts(sheet_svg())}


GERMAN = (Path(__file__).parents[2] / "host" / "docs" / "de" / "lights.svg").read_text("utf-8")


@pytest.mark.parametrize("svg", [*map(sheet_svg, COUNTS), GERMAN], ids=[*map(str, COUNTS), "de"])
def test_all_of_it_is_on_one_page(svg: ET.Element | str) -> None:
    for each in elements_of(svg, "text"):
        x, y, size = (float(each.get(name, 0)) for name in ("x", "y", "font-size"))
        assert 0 < y < A4[1] - 6, each.text
        # Helvetica is 0.45 of its size wide on average in sentences
        assert x + 0.5 * size * len(each.text or "") < A4[0], each.text


def test_what_is_locked_is_not_told() -> None:
    known = [set(leaks(" ".join(texts(sheet_svg(shown))))) for shown in COUNTS]
    assert known[0] == set() and known[1] and known[1] < known[chapters.COUNT]


def test_lamps_move_as_the_light_does_and_stand_still_on_paper() -> None:
    style = elements_of(sheet_svg(), "style")[0].text or ""
    moving = {int(rhythm) for rhythm in re.findall(r"@keyframes r(\d)", style)}
    assert moving == {light.BLINK, light.PULSE, light.FLASH, light.TWICE}
    assert style.count("@media screen and (prefers-reduced-motion:no-preference)") == len(moving)
    fast = re.search(r"@keyframes r3\{(.*?\})\}", style)
    assert fast
    bright = re.findall(r"opacity:1\}", fast[1])
    assert len(bright) == 8, "four times a second it is bright, from a moment to another"


def test_a_subject_alone_is_as_large_as_it_is() -> None:
    svg = subject_svg(1)
    title, rows = [*light_sheet.lights()][1]
    assert {title, *(row.says for row in rows)} <= {*texts(svg)}
    height = float(svg.get("viewBox", "").split()[3])
    assert 0 < height - max(float(each.get("y", 0)) for each in elements_of(svg, "text")) < 8


# ---- the command


def test_the_page_as_svg(home: Path, tmp_path: Path, capsys: Output) -> None:
    assert cli.run(["lights", "--to", str(tmp_path / "page.SVG")]) == 0
    assert (tmp_path / "page.SVG").read_text("utf-8") == paper.svg_text(sheet_svg())
    assert cli.run(["lights"]) == 0
    assert capsys.readouterr().out == paper.svg_text(sheet_svg())


def strings(text: str) -> list[str]:
    """Return the words of a PDF, as a reader of it decodes them."""
    found = re.findall(r"\(((?:[^()\\]|\\\d{3})*)\) Tj", text)
    return [
        re.sub(r"\\(\d{3})", lambda code: bytes([int(code[1], 8)]).decode("cp1252"), each)
        for each in found
    ]


def test_the_page_as_pdf(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    assert cli.run(["lights", "--to", str(path)]) == 0
    data = path.read_bytes()
    text = data.decode("ascii")
    assert text.startswith("%PDF-1.4\n") and text.endswith("%%EOF\n")
    at = int(re.findall(r"startxref\n(\d+)", text)[0])
    assert text[at:].startswith("xref\n0 8\n")
    starts = [int(start) for start in re.findall(r"^(\d{10}) 00000 n $", text, re.MULTILINE)]
    for number, start in enumerate(starts, 1):
        assert text[start:].startswith(f"{number} 0 obj\n")
    length = int(re.findall(r"/Length (\d+)", text)[0])
    content = text[text.index("stream\n") + 7 :][:length]
    assert text[text.index("stream\n") + 7 + length :].startswith("\nendstream")
    assert strings(content) == texts(sheet_svg())
    assert len(re.findall(r"\d c\b", content)) == 4 * len(elements_of(sheet_svg(), "circle"))


def test_words_of_pdf_that_ascii_has_not() -> None:
    svg = paper.sheet((10, 10), "(ü)", "")
    paper.words(svg, (1, 1), "grün (\\) “ja” → x", 2)
    assert strings(pdf.pdf_of(svg)) == ["grün (\\) “ja” ? x"]
    assert "/Title (\\050\\374\\051)" in pdf.pdf_of(svg)


def test_what_pdf_is_not_told_to_draw_is_said() -> None:
    svg = paper.sheet((10, 10), "", "")
    paper.group(svg, "turned", transform="rotate(90)")
    with pytest.raises(ValueError, match="a sheet has a g"):
        pdf.pdf_of(svg)


@pytest.mark.parametrize("name", ["page.png", "page", "page.pdf.txt"])
def test_other_kinds_of_files(name: str, home: Path, tmp_path: Path, capsys: Output) -> None:
    assert cli.run(["lights", "--to", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "the page is drawn as .svg or .pdf" in said
    assert not (tmp_path / name).exists()


def test_a_folder_that_is_not_there(home: Path, tmp_path: Path, capsys: Output) -> None:
    assert cli.run(["lights", "--to", str(tmp_path / "none" / "page.pdf")]) == 2
    assert "cannot be written" in capsys.readouterr().err
