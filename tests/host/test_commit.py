"""The commit that a program is of: from what a build wrote, or from a clone's own files."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, cast

import pytest

import hatch_build
from chronotable_host import commit

ROOT = Path(__file__).resolve().parents[2]


def git(folder: Path, *words: str) -> str:
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(
        ["git", *name, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "one")
    return folder


def test_of_a_branch_packed_or_not(clone: Path) -> None:
    assert commit.commit_of(clone) == git(clone, "rev-parse", "HEAD")[:8]
    git(clone, "pack-refs", "--all")
    assert commit.commit_of(clone) == git(clone, "rev-parse", "HEAD")[:8]
    git(clone, "commit", "-q", "--allow-empty", "-m", "two")
    assert commit.commit_of(clone) == git(clone, "rev-parse", "HEAD")[:8]


def test_of_no_branch(clone: Path) -> None:
    git(clone, "checkout", "-q", "--detach")
    assert commit.commit_of(clone) == git(clone, "rev-parse", "HEAD")[:8]


def test_of_another_worktree(clone: Path) -> None:
    git(clone, "worktree", "add", "-q", "-b", "other", "../other")
    other = clone.parent / "other"
    git(other, "commit", "-q", "--allow-empty", "-m", "two")
    assert commit.commit_of(other) == git(other, "rev-parse", "HEAD")[:8]
    assert commit.commit_of(other) != commit.commit_of(clone)


def test_where_none_is_known(tmp_path: Path, clone: Path) -> None:
    assert commit.commit_of(tmp_path) == ""
    git(clone, "checkout", "-q", "--orphan", "empty")
    assert commit.commit_of(clone) == "", "a branch without a commit"
    (clone / ".git" / "HEAD").write_text("no name\n")
    assert commit.commit_of(clone) == ""
    (clone / ".git" / "HEAD").write_bytes(b"\xff")
    assert commit.commit_of(clone) == ""


def test_a_repository_around_an_environment_is_not_ours(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "_ROOT", clone)
    assert commit.commit() == ""
    (clone / "firmware" / "lib").mkdir(parents=True)
    assert commit.commit() == commit.commit_of(clone) != ""


def test_a_build_writes_it(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hatch_build, "LOCALE", tmp_path)  # others read the catalogues just now
    config = cast(Any, None)
    hook = hatch_build.BuildHook(str(clone), {}, config, config, str(tmp_path), "wheel")
    data: dict[str, Any] = {"artifacts": [], "force_include": {}}
    hook.initialize("standard", data)
    (path, name), *_ = data["force_include"].items()
    assert name == "chronotable_host/_commit.txt"
    module = tmp_path / "commit.py"
    module.with_name(commit.PACKED).write_text(Path(path).read_text("ascii"), "ascii")
    monkeypatch.setattr(commit, "__file__", str(module))
    assert commit.commit() == git(clone, "rev-parse", "HEAD")[:8]
    hook.finalize("standard", data, "")
    assert not Path(path).exists()


@pytest.mark.parametrize("version", ["editable", "standard"])
def test_a_build_that_has_none_to_write(
    version: str, clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hatch_build, "LOCALE", tmp_path)
    root, config = clone if version == "editable" else tmp_path, cast(Any, None)
    hook = hatch_build.BuildHook(str(root), {}, config, config, str(tmp_path), "wheel")
    data: dict[str, Any] = {"artifacts": [], "force_include": {}}
    hook.initialize(version, data)
    assert data["force_include"] == {}
    hook.finalize(version, data, "")
