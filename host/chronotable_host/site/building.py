"""Makes the folder of the site: Python for browsers, the program, and the page in each language.

Nothing is fetched. The few packages of others that the program needs are those that are installed
here; of our own what a browser has no use for is left out.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

import chronotable
import chronotable_host
import ttykm
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_folder
from chronotable_host.hardware.firmware.image import device_files, file_system
from chronotable_host.help_pages import pages
from chronotable_host.language import LANGUAGES, speaking, tr
from chronotable_host.packages import FAR
from chronotable_host.site import core
from chronotable_host.site.work import FILES, FIRMWARE
from chronotable_host.web.http import catalogue, help_html
from chronotable_host.web.http.files import STATIC, TYPES, page_of
from chronotable_host.web.sharing.game_page import SHEETS
from chronotable_host.web.sharing.packing import packed_script

BOARD = "reference"
"""The board of a Pico that has none."""

_HERE = Path(__file__).parent
_NEEDED = ("starlette", "anyio", "typing_extensions")
_LATER = ("SQLAlchemy", "rich", "mpremote", "paho-mqtt", "segno")
"""What few visits need; it is loaded with the first import of any of it."""
_LEFT_OUT = re.compile(
    r"chronotable_host/(commands|site/(static|build|core|comp)|hardware/circuit|cli\.|"
    r"virtual/(faulty|serve|runtimes/rp2040)|web/http/(help_html|serving|server|reach)|engine/endgames-3v2|"
    r"web/static/(?!parts|share|tokens|materials|eras|replay|atkinson-next\.woff2|young-serif\.woff2))"
    r"|chronotable_far/(commands|broker/(embedded|packets))"
    r"|paho/mqtt/(publish|subscribe\.)|segno/(__main__|cli|helpers)"
    r"|anyio/(_backends/_trio|pytest_plugin)|starlette/(testclient|templating|schemas)"
    r"|mpremote/(?!__init__|transport|mp_errno)"
    r"|rich/(markdown|progress|syntax|traceback|pretty|_win|live|prompt|layout|tree|table)"
    r"|sqlalchemy/(testing|ext|orm|dialects/(?!sqlite|__init__|_typing)|connectors/(?!asyncio|__init__)|cyextension)"
    r"|\.(pyx|pxd|c|so|pyd|pyi|po|md\.orig)$|/py\.typed$|__pycache__|\.dist-info/(?!licenses/|LICEN)"
)
_WHEELS = ("_b", "_d", "_f")
"""How the folders begin that a wheel brings along: boards, docs and firmware."""
_ROOTED = re.compile(r'\b(href|src)="/')
_MANIFEST = {
    "name": "Chronotable",
    "short_name": "Chronotable",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#f4efe4",
    "theme_color": "#f4efe4",
    "icons": [
        {"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": purpose}
        for purpose in ("any", "maskable")
    ],
}


def build(folder: Path, pyodide: Path | None) -> bool:
    """Make the folder, which is new or empty; return whether its modules are compiled.

    `pyodide` see `core.files_of`. Raises UserError and OSError.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(tr("{folder} is there already, and not empty", folder=folder))
    files = {f"pyodide/{name}": content for name, content in core.files_of(pyodide).items()}
    files["pyodide/NOTICE.txt"] = core.NOTICE.encode()
    for language in LANGUAGES:
        with speaking(language):
            files |= _pages(language)
    for place in (STATIC, _HERE / "static"):
        files |= {
            f"static/{each.name}": each.read_bytes()
            for each in place.iterdir()
            if each.suffix in (*TYPES, ".txt") and each.name != "sw.js" and each.suffix != ".html"
        }
    files["manifest.webmanifest"] = json.dumps(_MANIFEST).encode()
    with tempfile.TemporaryDirectory() as work:
        compiler = _compiler(files, Path(work))
        for name, modules in (("program", _program()), ("later", _of_packages(*_LATER))):
            files[f"{name}.tar.xz"] = _packed(dict(modules), compiler, Path(work))
        firmware = device_files(boards.find(BOARD).read_bytes())
        files[FIRMWARE] = _packed(firmware, None, Path(work))
        files[FILES] = _packed({"files": file_system(firmware)}, None, Path(work))
    files |= _knowing_all(files)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return compiler is not None


# ---- the page


def _pages(language: str) -> Iterator[tuple[str, bytes]]:
    """Yield what is another file in each language; English has the plain names."""
    mark = "" if language == "en" else f".{language}"
    page = _ROOTED.sub(r'\1="', page_of(STATIC / "index.html").decode())
    head = '<link rel="manifest" href="manifest.webmanifest">\n  '
    if mark:
        page = page.replace('href="catalogue.js"', f'href="catalogue{mark}.js"')
        known = json.dumps({"imports": {"./catalogue.js": f"./catalogue{mark}.js"}})
        head += f'<script type="importmap">{known}</script>\n  '
    first = '<script type="module" src="static/site.js"></script>\n  <script type="module"'
    page = page.replace('<link rel="stylesheet"', head + '<link rel="stylesheet"', 1)
    yield f"index{mark}.html", page.replace('<script type="module"', first, 1).encode()
    yield f"catalogue{mark}.js", catalogue.script()
    names = "|".join(map(re.escape, pages()))
    for name in ("", *pages()):
        text = help_html.page(name, is_alone=True).decode()
        text = re.sub(rf'href="({names})(["#])', r'href="\1.html\2', text)
        yield f"help{mark}/{name or 'index'}.html", text.encode()
    for name, picture in help_html.pictures().items():
        yield f"help{mark}/{name}", picture.read_bytes()


def _knowing_all(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts that keep the files, or a start, with what tells them from others."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    version = digest.hexdigest()[:16]
    kept = [name for name in files if not name.startswith("help")]
    stated = f'version: "{version}", files: {json.dumps(["./", *kept])}'
    text = (_HERE / "static" / "sw.js").read_text("utf-8")
    python, cable = (files[f"static/{name}.js"].decode() for name in ("python", "cable"))
    known = f"BOARDS = {json.dumps(boards.names())}"
    return {
        "sw.js": text.replace('version: "", files: [""]', stated).encode(),
        "static/python.js": python.replace('VERSION = ""', f'VERSION = "{version}"').encode(),
        "static/cable.js": cable.replace('BOARDS = [""]', known).encode(),
    }


# ---- the program


def _program() -> Iterator[tuple[str, bytes]]:
    """Yield the files of all that the program needs, by their names in it."""
    for package in (ttykm, chronotable, chronotable_host, import_module(FAR)):
        root = Path(package.__path__[0])
        yield from _tree(root, root.name)
    yield from _tree(app_folder(), "chronotable_host/_firmware")
    for name, text in _shared_page().items():
        yield f"chronotable_host/web/static/{name}", text.encode()
    for board in boards.names():
        yield f"chronotable_host/_boards/{board}.json", boards.find(board).read_bytes()
    about = f"Metadata-Version: 2.1\nName: chronotable\nVersion: {chronotable_host.__version__}\n"
    yield "chronotable.dist-info/METADATA", about.encode()
    yield from _of_packages(*_NEEDED)


def _shared_page() -> dict[str, str]:
    """Return the scripts and sheets of the page that a game is saved as, by their names."""
    found = {name: (STATIC / name).read_text("utf-8") for name in SHEETS}

    def read(name: str) -> str:
        if name != "catalogue.js":
            found[name] = (STATIC / name).read_text("utf-8")
        return found.get(name, "")

    packed_script("shared.js", read)
    return found


def _of_packages(*names: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of packages that are installed here, their licences among them."""
    for name in names:
        for file in distribution(name).files or ():
            if not _LEFT_OUT.search(file.as_posix()) and file.parts[0] != "..":
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def _tree(root: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for file in sorted(root.rglob("*")):
        inside = file.relative_to(root).as_posix()
        if (
            file.is_file()
            and not _LEFT_OUT.search(f"{name}/{inside}")
            and inside[:2] not in _WHEELS
        ):
            yield f"{name}/{inside}", file.read_bytes()


def _compiler(files: Mapping[str, bytes], work: Path) -> list[str] | None:
    """Return the command that compiles modules for that Python, None where there is none here."""
    if sys.version_info[:2] == core.PYTHON:
        return [sys.executable, "-S", str(_HERE / "compiling.py")]
    node = shutil.which("node")
    if node is None:
        return None
    for name in core.DIGESTS:
        (work / name).write_bytes(files[f"pyodide/{name}"])
    return [node, str(_HERE / "compile.mjs"), str(work)]


def _packed(modules: Mapping[str, bytes], compiler: list[str] | None, work: Path) -> bytes:
    """Return modules as an archive, compiled where that can be done.

    Few hosts compress archives, and none does it as well as xz. Unpacking takes the memory that a
    preset names: of this one 8 MB, which is no less small here than with 64.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as texts:
        for name in sorted(modules):
            texts.writestr(zipfile.ZipInfo(name), modules[name])
    if compiler is not None:
        (work / "from.zip").write_bytes(packed.getvalue())
        command = [*compiler, str(work / "from.zip"), str(work / "to.zip")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            why = done.stderr.strip().splitlines()[-1:]
            raise UserError(tr("the modules could not be compiled: {why}", why=why))
        packed = io.BytesIO((work / "to.zip").read_bytes())
    out = io.BytesIO()
    with (
        zipfile.ZipFile(packed) as done_ones,
        tarfile.open(fileobj=out, mode="w:xz", preset=6, format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name in sorted(done_ones.namelist(), key=lambda name: (Path(name).suffix, name)):
            about = tarfile.TarInfo(name)
            about.size = done_ones.getinfo(name).file_size
            tar.addfile(about, done_ones.open(name))
    return out.getvalue()
