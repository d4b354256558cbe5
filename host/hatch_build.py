"""Hatchling's build hook: what is in no commit, and yet in a wheel.

That is the name of the commit (chronotable_host/commit.py), and the catalogues of sentences.
Python reads .mo, the page JSON; both lie beside their source and are in no commit. Who changes a
.po file in a clone makes them anew with `python -m tests.catalogues`, or by installing again.
"""

import json
import runpy
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path(__file__).parent / "chronotable_host" / "language" / "locale"
COMMIT = LOCALE.parents[1] / "commit.py"
PAGE = "page"
"""The domain that is kept as JSON (web/http/catalogue.py)."""


class BuildHook(BuildHookInterface[Any]):
    """Makes them before a wheel is packed, or an editable one points here, to a clone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have what git ignores packed, too."""
        self._folder = TemporaryDirectory()
        known = runpy.run_path(str(COMMIT))
        if version != "editable" and (commit := known["commit_of"](Path(self.root))):
            name = known["PACKED"]
            path = Path(self._folder.name, name)
            path.write_text(commit, "ascii")
            build_data["force_include"][str(path)] = f"chronotable_host/{name}"
        made = [compile_catalogue(path) for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))]
        build_data["artifacts"] += [path.relative_to(self.root).as_posix() for path in made]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made for packing alone."""
        del version, build_data, artifact_path
        self._folder.cleanup()


def compile_catalogue(po_path: Path) -> Path:
    """Write what programs read of a .po file, and return its path."""
    catalog = read_catalogue(po_path)
    if po_path.stem == PAGE:
        path = po_path.with_suffix(".json")
        words = json.dumps(page_words(catalog), ensure_ascii=False, indent=0)
        path.write_text(words + "\n", "utf-8")
        return path
    path = po_path.with_suffix(".mo")
    packed = BytesIO()
    write_mo(packed, catalog)
    path.write_bytes(packed.getvalue())
    return path


def read_catalogue(po_path: Path) -> Catalog:
    """Return a catalogue as it is kept in `locale/<language>/LC_MESSAGES/<domain>.po`."""
    with po_path.open("rb") as file:
        return read_po(file, locale=po_path.parent.parent.name, domain=po_path.stem)


def page_words(catalog: Catalog) -> dict[str, str | list[str]]:
    """Return the translated sentences of the page, as web/http/catalogue.py has them."""
    found: dict[str, str | list[str]] = {}
    for each in catalog:
        said = strings(each.string)
        if each.id and all(said):
            context = f"{each.context}\4" if each.context else ""
            found[context + strings(each.id)[0]] = said[0] if isinstance(each.id, str) else [*said]
    return found


def strings(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """Return a sentence of a catalogue, or its forms for one thing and for several."""
    return (string,) if isinstance(string, str) else tuple(string or [""])
