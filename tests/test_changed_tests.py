from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.changed_tests import ROOT, mirror_of, selection


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("src/beat_the_ai/store/works.py", "tests/store"),
        ("src/beat_the_ai/store/migrations/env.py", "tests/store"),
        ("src/beat_the_ai/campaign/settings/changes.py", "tests/campaign/settings"),
        ("src/beat_the_ai/errors.py", "tests"),
        ("src/beat_the_ai/store/removed.py", "tests/store"),
        ("blueprints/writing/blueprint.py", "tests/blueprints"),
        ("webapp/src/work/page.tsx", "tests/webapp"),
        ("tests/store/test_works.py", "tests/store/test_works.py"),
        ("tests/store/test_removed.py", "tests/store"),
        ("tests/store/conftest.py", "tests/store"),
        ("tests/conftest.py", "tests"),
    ],
)
def test_a_file_has_the_mirror_of_the_folder_that_mirrors_its_own(changed: str, test: str) -> None:
    assert mirror_of(Path(changed)) == Path(test)


@pytest.mark.parametrize("changed", ["README.md", "docs/code.md", "hydra_configs/pay/paper.yaml", "Makefile"])
def test_what_mirrors_no_tests_is_looked_at_by_those_of_the_whole_project(changed: str) -> None:
    assert mirror_of(Path(changed)) is None


def test_no_test_is_named_twice_and_those_of_the_whole_project_always_run() -> None:
    changed = [Path("src/beat_the_ai/store/works.py"), Path("tests/store/test_works.py"), Path("README.md")]
    named = selection(changed)
    assert Path("tests/store") in named
    assert Path("tests/test_layout.py") in named
    assert Path("tests/store/test_works.py") not in named
    assert selection([*changed, Path("src/beat_the_ai/errors.py")]) == [Path("tests")]


def test_new_files_are_changes_too_and_an_unknown_commit_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "checkout"
    (folder / "scripts").mkdir(parents=True)
    script = folder / "scripts" / "changed_tests.py"
    script.write_text((ROOT / "scripts" / "changed_tests.py").read_text())
    (folder / "tests" / "store").mkdir(parents=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "scripts"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    (folder / "tests" / "store" / "test_new.py").touch()
    done = subprocess.run([sys.executable, script, "HEAD"], capture_output=True, text=True, check=True)
    assert done.stdout == "tests/store/test_new.py\n"
    assert subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout == "tests\n"
    assert subprocess.run([sys.executable, script, "NOWHERE"], capture_output=True).returncode != 0
