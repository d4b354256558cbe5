"""The sheet of all lights and buttons: complete, true to the light, on one page, as SVG and PDF."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from chronotable.hardware.sensors import BUTTONS
from chronotable.lights import light, meanings
from chronotable_host import chapters, cli
from chronotable_host.hardware.drawings import paper, pdf
from chronotable_host.hardware.drawings.light_sheet import A4, sheet_svg, subject_svg
from chronotable_host.live.texts import led_marks, light_names, light_sheet
from tests.host.leaks import leaks

COUNTS = range(chapters.COUNT + 1)


def elements(svg: ET.Element | str, kind: str) -> list[ET.Element]:
    tree = ET.fromstring(svg if isinstance(svg, str) else paper.svg_text(svg))
    return [each for each in tree.iter() if each.tag.endswith(f"}}{kind}")]


def texts(svg: ET.Element | str) -> list[str]:
    return [each.text or "" for each in elements(svg, "text")]


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
    for each in elements(svg, "text"):
        x, y, size = (float(each.get(name, 0)) for name in ("x", "y", "font-size"))
        assert 0 < y < A4[1] - 6, each.text
        # Helvetica is 0.45 of its size wide on average in sentences
        assert x + 0.5 * size * len(each.text or "") < A4[0], each.text


def test_what_is_locked_is_not_told() -> None:
    known = [set(leaks(" ".join(texts(sheet_svg(shown))))) for shown in COUNTS]
    assert known[0] == set() and known[1] and known[1] < known[chapters.COUNT]


def test_lamps_move_as_the_light_does_and_stand_still_on_paper() -> None:
    style = elements(sheet_svg(), "style")[0].text or ""
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
    assert 0 < height - max(float(each.get("y", 0)) for each in elements(svg, "text")) < 8


# ---- the command


def test_the_page_as_svg(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert len(re.findall(r"\d c\b", content)) == 4 * len(elements(sheet_svg(), "circle"))


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
def test_other_kinds_of_files(
    name: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["lights", "--to", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "the page is drawn as .svg or .pdf" in said
    assert not (tmp_path / name).exists()


def test_a_folder_that_is_not_there(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["lights", "--to", str(tmp_path / "none" / "page.pdf")]) == 2
    assert "cannot be written" in capsys.readouterr().err
