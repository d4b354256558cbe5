"""Pyodide, Python for browsers: the one version that the site is made with, found, not fetched.

It is npm's package `pyodide`, of which a few files are used. Whatever they are taken from, they are
these files and no others.
"""

from __future__ import annotations

import hashlib
import os
import tarfile
from pathlib import Path

from chronotable_host.errors import UserError
from chronotable_host.language import tr

VERSION = "314.0.7"
PYTHON = (3, 14)
"""What Python it is: modules are compiled for that version and no other."""
NOTICE = f"""\
Pyodide {VERSION}: copyright of its contributors and Mozilla; Mozilla Public License 2.0,
https://www.mozilla.org/MPL/2.0/. The files of this folder are unchanged; their source:
https://github.com/pyodide/pyodide, tag {VERSION}. python_stdlib.zip is a part of CPython, copyright
of the Python Software Foundation, https://docs.python.org/3.14/license.html.
"""
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
_ARCHIVE = (  # the SHA-512 of the package, by which npm's cache knows it
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)


def files_of(named: Path | None) -> dict[str, bytes]:
    """Return the files by name: of a folder or archive that is named, else of npm's cache.

    Raises UserError, which says how to get it, and OSError.
    """
    place = named or _in_npms_cache()
    if place is None or not place.exists():
        raise UserError(
            tr(
                "Pyodide {version} is not here; `npm pack pyodide@{version}` fetches it as "
                "pyodide-{version}.tgz, and --pyodide names that, or the folder of the package",
                version=VERSION,
            )
        )
    found = {}
    for name, digest in DIGESTS.items():
        content = (place / name).read_bytes() if place.is_dir() else _packed(place, name)
        if hashlib.sha256(content).hexdigest() != digest:
            raise UserError(
                tr(
                    "{place}: its {name} is not that of Pyodide {version}",
                    place=place,
                    name=name,
                    version=VERSION,
                )
            )
        found[name] = content
    return found


def _in_npms_cache() -> Path | None:
    """Return the archive of the package in npm's cache, which keeps all by their digests."""
    own = Path.home() / ("AppData/Local/npm-cache" if os.name == "nt" else ".npm")
    cache = Path(os.environ.get("NPM_CONFIG_CACHE") or own) / "_cacache/content-v2/sha512"
    file = cache / _ARCHIVE[:2] / _ARCHIVE[2:4] / _ARCHIVE[4:]
    return file if file.is_file() else None


def _packed(archive: Path, name: str) -> bytes:
    try:
        with tarfile.open(archive) as packed:
            member = packed.extractfile(f"package/{name}")
            return b"" if member is None else member.read()
    except (tarfile.TarError, KeyError, EOFError):
        return b""
