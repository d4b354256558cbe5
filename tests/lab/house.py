"""How large the house is: files and lines by room, and the longest files.

    python -m tests.lab.house [--longest N]

Lines are those of the files as they lie there, with docstrings and blanks.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).parent.parent.parent
_KINDS = {".py": "Python", ".js": "scripts", ".css": "styles", ".html": "pages"}
_FLOORS = {"firmware": 3, "host": 3, "boards": 1, "tests": 2}
"""Top folders, and how many folders of a path name a room."""


def files() -> Iterator[PurePath]:
    """Yield the paths of all files that have lines to be read."""
    for top in _FLOORS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in _KINDS and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)


def room_of(path: PurePath) -> str:
    return "/".join(path.parts[:-1][: _FLOORS[path.parts[0]]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.lab.house")
    parser.add_argument("--longest", type=int, default=10)
    longest: list[tuple[int, PurePath]] = []
    counted: Counter[tuple[str, str]] = Counter()
    for path in files():
        lines = (ROOT / path).read_bytes().count(b"\n")
        longest.append((lines, path))
        for room in {room_of(path), path.parts[0]}:
            counted[room, "files"] += path.suffix == ".py"
            counted[room, _KINDS[path.suffix]] += lines
    heads = ("files", *_KINDS.values())
    print(f"{'':36}" + "".join(f"{head:>9}" for head in heads))
    for room in sorted({room for room, _ in counted}):
        print(f"{room:36}" + "".join(f"{counted[room, head] or '':>9}" for head in heads))
    print("\nThe longest files:")
    for lines, path in sorted(longest, reverse=True)[: parser.parse_args().longest]:
        print(f"{lines:9} {path}")


if __name__ == "__main__":
    main()
