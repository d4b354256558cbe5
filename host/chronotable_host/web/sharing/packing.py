"""The page's own modules and style sheets, packed into one script and one sheet.

A file that is opened from a disk may not load modules. So each becomes a function that runs once
and returns what the module exports, and stands before those that import it. The modules here keep
to a few forms of `import` and `export`, which begin a line; another one is an error, not a guess.
"""

import re
from collections.abc import Callable, Iterable

Read = Callable[[str], str]
"""Gives the text of a module or sheet by the name of its file."""

_IMPORT = re.compile(
    r'^import (?:\{(?P<names>[^}]*)\} from )?"\.{1,2}/(?P<file>[\w.-]+)";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+))", re.MULTILINE)
_EXPORTED = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_RENAMED = re.compile(r"\b(\w+) as (\w+)")
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n|^[ \t]+|\n(?=\n)", re.M)
_TYPE = re.compile(r"/\*\* @type \{[^*]*\*/ ?")
_SHEET_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SHEET_SPACE = re.compile(r"""("[^"]*")|([,:;{]) | (?=\{)""")


def packed_script(entry: str, read: Read) -> str:
    """Return a script that does what the module `entry` does, with all that it imports.

    Raises ValueError for a form of import or export that is not known here and for what imports
    itself, and what `read` does for a file that is not there.
    """
    done: dict[str, str] = {}
    _pack(entry, read, done, ())
    return "".join(done.values())


def packed_sheet(names: Iterable[str], read: Read) -> str:
    """Return style sheets one behind the other, without comments, indents and most of the space."""
    text = "".join(_SHEET_COMMENT.sub("", read(name)) for name in names)
    lines = [line for each in text.splitlines() if (line := each.strip())]
    packed = (_SHEET_SPACE.sub(r"\1\2", line).replace(";}", "}") for line in lines)
    return "".join(f"{line}\n" if line.endswith("}") else line for line in packed)


def _pack(file: str, read: Read, done: dict[str, str], importing: tuple[str, ...]) -> None:
    """Put a module behind what it imports, each once."""
    if file in done:
        return
    if file in importing:
        raise ValueError(f"{file} imports itself, by {' and '.join(importing)}")
    text = read(file)
    for found in _IMPORT.finditer(text):
        _pack(found["file"], read, done, (*importing, file))
    names = [name for each in _EXPORT.findall(text) for name in each]
    names += [name.strip() for found in _EXPORTED.findall(text) for name in found.split(",")]
    exported = ", ".join(filter(None, names))
    body = _EXPORT.sub("", _EXPORTED.sub("", _IMPORT.sub(_import_as_constant, text)))
    other = _OTHER.search(body)
    if other:
        raise ValueError(f"{file}: not known how to pack: {other[0]}")
    body = _COMMENT.sub("", _TYPE.sub("", body)).strip()
    done[file] = f"const {_name(file)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def _import_as_constant(found: re.Match[str]) -> str:
    """Return an import as a constant."""
    names = found["names"]
    if names is None:
        return ""
    renamed = _RENAMED.sub(r"\1: \2", names)
    return f"const {{{renamed}}} = {_name(found['file'])};\n"


def _name(file: str) -> str:
    return "$" + re.sub(r"\W", "_", file.removesuffix(".js"))
