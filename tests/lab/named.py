"""What a traceback of the table names: `python -m tests.lab.named tracking.py _31`.

Names are short on the table, to spare its memory (`chronotable_host.hardware.firmware.bundling`),
and two functions have the same one. Of those that are printed the traceback means one, of the same
version.
"""

from __future__ import annotations

import sys

from chronotable_host.hardware.firmware.bundling import BUNDLES, meant_by
from chronotable_host.hardware.firmware.image import module_name, module_sources


def main(file: str, short: str) -> None:
    paths = module_sources()
    sources = {module_name(path): text for path, text in paths.items()}
    print(*meant_by(sources, BUNDLES, file.removesuffix(".py"), short), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
