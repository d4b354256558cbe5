"""Which commit of the repository this program is, as far as that is known.

A wheel has it in a file that its build writes (hatch_build.py, which runs this file alone); in a
clone it is read where Git keeps it, without Git.
"""

import re
from pathlib import Path

PACKED = "_commit.txt"
_DIGITS = 8
_ROOT = Path(__file__).resolve().parents[2]


def commit() -> str:
    """Return the first digits of the commit's hash, "" where it is not known."""
    packed = Path(__file__).with_name(PACKED)
    if packed.is_file():
        return packed.read_text("ascii")
    is_clone = (_ROOT / "firmware" / "lib").is_dir()  # and no repository around the environment
    return commit_of(_ROOT) if is_clone else ""


def commit_of(clone: Path) -> str:
    """Return what `commit` does of a clone of a repository, or of another worktree of one."""
    try:
        git = clone / ".git"
        if git.is_file():
            git = clone / git.read_text("utf-8").removeprefix("gitdir:").strip()
        shared = git / "commondir"
        common = git / shared.read_text("utf-8").strip() if shared.is_file() else git
        head = (git / "HEAD").read_text("ascii").strip()
        if head.startswith("ref: "):
            head = _branch(common, head.removeprefix("ref: "))
    except (OSError, ValueError):
        return ""
    return head[:_DIGITS] if re.fullmatch("[0-9a-f]{40,64}", head) else ""


def _branch(git: Path, name: str) -> str:
    """Return the commit of a branch; raises OSError where it has none."""
    if (git / name).is_file():
        return (git / name).read_text("ascii").strip()
    lines = (git / "packed-refs").read_text("utf-8").splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")
