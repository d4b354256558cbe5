"""`boards`: the hardware descriptions, listed, checked, drawn, as circuit boards; `lights`."""

import csv
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from chronotable.hardware.board import board_hash
from chronotable_host import chapters
from chronotable_host.archive.disk import write_whole
from chronotable_host.commands.common.options import Json
from chronotable_host.commands.common.terminal import print_json, write_to
from chronotable_host.errors import UserError, why_failed
from chronotable_host.hardware import boards as files
from chronotable_host.hardware.circuit.files import files_of
from chronotable_host.hardware.circuit.layouts import circuits
from chronotable_host.hardware.drawings import paper, pdf, reeds, table, template, wiring
from chronotable_host.hardware.drawings.light_sheet import sheet_svg
from chronotable_host.hardware.firmware.chips import untried
from chronotable_host.hardware.parts import ESTIMATED, OrderedPart, parts_of
from chronotable_host.hardware.power import needs_supply, power_draw, verdict
from chronotable_host.language import tr, tr_c

_READS = {
    "matrix": tr_c("how reeds are read", "matrix"),
    "registers": tr_c("how reeds are read", "registers"),
}

app = typer.Typer()
_family = typer.Typer(
    help="List the boards, check a board file, draw one; circuit boards, prints, parts."
)
app.add_typer(_family, name="boards")


class PaperName(str, Enum):
    """Paper for the sheets of a template: the names of `drawings.template.PAPERS`."""

    A4 = "a4"
    LETTER = "letter"


@_family.callback(invoke_without_command=True)
def boards(context: typer.Context, as_json: Json = False) -> None:
    """List the boards that come with Chronotable, check a board file, draw one."""
    if context.invoked_subcommand is not None:
        return
    rows = []
    for name in (*files.names(), *files.learned()):
        board = files.read(name)
        rows.append(
            {
                "name": name,
                "file": str(files.find(name)),
                "reads": "registers" if board.register_pins else "matrix",
                "leds": board.led_count,
                "led_pin": board.led_pin,
                "sound_pin": board.sound_pin if board.sound_pin >= 0 else None,
                "row_pins": list(board.row_pins),
                "col_pins": list(board.col_pins),
                "register_pins": list(board.register_pins),
            }
        )
    if as_json:
        print_json(rows)
        return
    for row in rows:
        print(
            tr(
                "{name}  {reads}, {count} LEDs on GP{pin}  {file}",
                name=row["name"],
                reads=_READS[str(row["reads"])],
                count=row["leds"],
                pin=row["led_pin"],
                file=row["file"],
            )
        )


@_family.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A board file, or a board's name.")],
    as_json: Json = False,
) -> None:
    """Check a board file: what is wrong is named with its place in the file.

    Of a good one it says how much current the table takes at most.
    """
    try:
        board = files.read(file)
    except files.BoardFileError as error:
        if as_json:
            print_json({"good": False, "path": error.path, "message": error.message})
        raise
    number = f"{board_hash(board):08x}"
    draw = power_draw(board)
    if as_json:
        print_json(
            {
                "good": True,
                "name": board.name,
                "hash": number,
                "draw_ma": {**draw._asdict(), "total": draw.total},
                "needs_supply": needs_supply(draw.total),
            }
        )
        return
    print(tr("{name}: good, hash {number}", name=board.name, number=number))
    parts = [
        tr("{light} for light", light=draw.light),
        tr("{chips} for the LEDs' chips", chips=draw.led_chips),
        tr("{pico} for the Pico", pico=draw.pico),
    ]
    if draw.reeds:
        parts.append(tr("{reeds} for closed reeds", reeds=draw.reeds))
    print(
        tr(
            "At most {total} mA from 5 V ({parts}); {verdict}.",
            total=draw.total,
            parts=", ".join(parts),
            verdict=verdict(draw.total),
        )
    )
    for line in untried(files.read_data(file)["mcu"]):
        print(line)


@_family.command()
def draw(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A board's name, or a board file.")],
    wiring: Annotated[
        bool, typer.Option("--wiring", help="What is soldered to what, seen from below.")
    ] = False,
    reeds: Annotated[
        bool, typer.Option("--reeds", help="Where the reeds lie and which way, from below.")
    ] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Where to drill, one to one, seen from above.")
    ] = False,
    tile: Annotated[
        int | None,
        typer.Option("--tile", metavar="N", help="Of the template, sheet N of paper (from 1)."),
    ] = None,
    paper: Annotated[
        PaperName | None,
        typer.Option("--paper", help="What the sheets of the template are; a4 without it."),
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FILE", help="The file to write; - for stdout.")
    ] = "-",
) -> None:
    """Draw the table of a board as an SVG picture, or how to build it."""
    if wiring + reeds + template > 1:
        raise UserError(tr("one picture at a time: --wiring, --reeds or --template"))
    if tile is not None and not template:
        raise UserError(tr("--tile is a sheet of the --template"))
    if paper is not None and tile is None:
        raise UserError(
            tr(
                "--paper is what the sheets of the --template are printed on, so it needs --tile; "
                "without, the template is drawn whole"
            )
        )
    if Path(to).suffix.lower() not in ("", ".svg"):
        raise UserError(
            tr("{to}: a picture is drawn as .svg; a browser prints it, and saves it as PDF", to=to)
        )
    write_to(to, [_picture(name, (wiring, reeds, template), tile, paper or PaperName.A4)])


@_family.command()
def pcb(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A board's name, or a board file.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="The folder to write to; it is made.")
    ],
) -> None:
    """Write the circuit boards of a table: for KiCad, to order, lists of parts, pictures.

    Each has a folder with KiCad's files, what is to be made in `gerbers`, what is to be soldered
    and where as CSV, and a picture of each side.
    """
    made = circuits(files.read_data(name))
    print(tr("Nobody has built these boards yet; all that is known of them is calculated."))
    for kind, (circuit, count) in made.items():
        for file, text in files_of(circuit).items():
            _write(to / kind / file, text.encode())
        west, north, east, south = circuit.outline
        print(
            tr(
                "{board}: {count} of it, {width:.0f} x {height:.0f} mm, {parts} parts",
                board=kind,
                count=count,
                width=east - west,
                height=south - north,
                parts=len(circuit.parts),
            )
        )


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        said = tr("{to}: cannot be written ({why})", to=path, why=why_failed(error))
        raise UserError(said) from error


@_family.command("print")
def print_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A board's name, or a board file.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="The folder to write to; it is made.")
    ],
) -> None:
    """Write what a 3D printer makes for a table, as STL and 3MF.

    Bases and markers with a pocket for a magnet, feet and corners of the frame, labels of buttons,
    jigs for drilling and soldering.
    """
    try:
        from chronotable_host.hardware import printing  # noqa: PLC0415 - needs an extra
    except ImportError as error:
        said = tr("solids are made with manifold3d; in the clone: `pip install -q '.[print]'`")
        raise UserError(said) from error
    print(tr("Nobody has printed these parts yet; all that is known of them is calculated."))
    for part, printed in printing.printed_parts(files.read_data(name)).items():
        _write(to / f"{part}.stl", printing.stl(printed.solid))
        _write(to / f"{part}.3mf", printing.threemf(printed.solid))
        width, depth, height = printed.size
        print(
            tr(
                "{part}: {count} of it, {width:.1f} x {depth:.1f} x {height:.1f} mm",
                part=part,
                count=printed.quantity,
                width=width,
                depth=depth,
                height=height,
            )
        )


@_family.command()
def parts(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A board's name, or a board file.")
    ] = "reference",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV for each.")] = False,
    as_json: Json = False,
) -> None:
    """List what to order for a table: quantities, numbers of two makers, estimated prices."""
    if as_csv and as_json:
        raise UserError(tr("one form at a time: --csv or --json"))
    data = files.read_data(name)
    found = parts_of(data)
    total = sum(part.quantity * part.eur for part in found)
    if as_json:
        rows = [part._asdict() | {"examples": list(part.examples)} for part in found]
        print_json({"estimated": ESTIMATED, "eur": round(total, 2), "parts": rows})
        return
    if as_csv:
        lines = csv.writer(sys.stdout, lineterminator="\n")
        lines.writerow([*OrderedPart._fields[:-1], f"eur_estimated_{ESTIMATED}"])
        lines.writerows([*part[:4], " | ".join(part.examples), *part[5:]] for part in found)
        return
    whose = False
    for part in sorted(found, key=lambda part: part.by_assembler):
        if part.by_assembler != whose:
            print(tr("The assembler of the circuit boards brings:"))
            whose = True
        print(
            tr(
                "{quantity:4}  {part} ({package}), {eur:.2f} EUR each",
                quantity=part.quantity,
                part=part.part,
                package=part.package,
                eur=part.eur,
            )
        )
        examples = ", ".join(part.examples)
        print(
            tr(
                "      for example {examples}; or {instead}",
                examples=examples,
                instead=part.instead,
            )
        )
    print(
        tr(
            "Estimate of {month}: {total:.0f} EUR in all, without assembly, tools, tax and postage."
            " Numbers and prices are from memory: look at the data sheet before you order.",
            month=ESTIMATED,
            total=total,
        )
    )
    if "registers" in data:
        print(tr("Nobody has built these boards yet; all that is known of them is calculated."))


def _picture(name: str, kinds: tuple[bool, bool, bool], tile: int | None, paper: PaperName) -> str:
    """Return wiring, reeds, template, or with none of the `kinds` the table itself."""
    if tile is not None:
        return template.tile_svg(files.read_data(name), tile, paper.value)
    draws = (wiring.wiring_svg, reeds.reeds_svg, template.template_svg)
    for wanted, svg_of in zip(kinds, draws, strict=True):
        if wanted:
            data = files.read_data(name)
            if svg_of is reeds.reeds_svg and data.get("sensor", "reed") != "reed":
                said = tr("only reeds are drawn; Hall switches lie in the middle of their spaces")
                raise files.BoardFileError("sensor", said)
            return svg_of(data)
    return table.draw(name)


@app.command()
def lights(
    to: Annotated[
        str, typer.Option("--to", metavar="FILE", help="A file .svg or .pdf; - for SVG on stdout.")
    ] = "-",
) -> None:
    """Draw all lights and buttons on one page, to be printed.

    It has what the chapters that are unlocked here bring.
    """
    ending = Path(to).suffix.lower()
    if to != "-" and ending not in (".svg", ".pdf"):
        raise UserError(tr("{to}: the page is drawn as .svg or .pdf", to=to))
    sheet = sheet_svg(chapters.shown())
    write_to(to, [pdf.pdf_of(sheet) if ending == ".pdf" else paper.svg_text(sheet)])
