"""Compiles the modules in an archive for the Python that runs this: the browser's, at best.

It imports nothing of ours, as it runs in that one, too (`compile.mjs`).
"""

import importlib.util
import marshal
import sys
import zipfile

_WHEN = 1980, 1, 1, 0, 0, 0
_AS_TEXT = "_firmware/", "/on_device.py"
"""What stays as it is written: a table compiles it, or a virtual one does in its own way."""


def compile_all(source: str, target: str) -> None:
    """Write an archive in which each module of another one is compiled, without docstrings."""
    with (
        zipfile.ZipFile(source) as texts,
        zipfile.ZipFile(target, "w") as out,
    ):
        for name in texts.namelist():
            content, code = texts.read(name), None
            if name.endswith(".py") and not any(part in name for part in _AS_TEXT):
                code = compile(content, f"/program/{name}", "exec", dont_inherit=True, optimize=2)
                content = _HEAD + marshal.dumps(code)
            ending = "c" if code else ""
            out.writestr(zipfile.ZipInfo(name + ending, _WHEN), content)


_HEAD = importlib.util.MAGIC_NUMBER + bytes(12)

if __name__ == "__main__":
    compile_all(*sys.argv[1:])
