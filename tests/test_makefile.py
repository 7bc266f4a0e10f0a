from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from scripts.page_records import MODULES

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def printed(*arguments: str) -> list[str]:
    """Return what make prints. It knows nothing of the make that may have started these tests."""
    alone = {"PATH": os.environ["PATH"]}
    output = subprocess.check_output(["make", *arguments], cwd=ROOT, env=alone, text=True, timeout=60)
    return output.splitlines()


def test_make_alone_lists_every_target_in_the_order_of_the_file() -> None:
    [phony] = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    listed = [line.split()[1] for line in printed()]
    assert sorted(listed) == sorted(phony.split())
    assert listed == re.findall(r"^(\w+):", MAKEFILE, re.MULTILINE)
    assert printed("help") == printed()


def test_test_runs_all_that_check_runs() -> None:
    """A dry run that takes the environment and the pages for made."""
    made = ("--dry-run", *(f"--old-file={target}" for target in ("setup", ".venv/.dev", "webapp")))
    check, test = printed(*made, "check"), printed(*made, "test")
    assert check[:-1] == test[:-1] != []
    assert '-m "not slow and not thorough"' in check[-1]
    assert '-m "not thorough"' in test[-1]


def test_thorough_runs_every_test() -> None:
    made = ("--dry-run", *(f"--old-file={target}" for target in ("setup", ".venv/.dev", "webapp")))
    [thorough] = printed(*made, "thorough")
    assert "HYPOTHESIS_PROFILE=thorough" in thorough
    assert "-m " not in thorough


def test_the_pages_are_built_again_when_a_model_changes_that_their_types_follow() -> None:
    [named] = printed("--eval=models: ; @echo $(PAGE_MODELS)", "models")
    modules = {module for of_page in MODULES.values() for module in of_page}
    assert {ROOT / name for name in named.split()} == {ROOT / "src" / f"{m.replace('.', '/')}.py" for m in modules}
    assert "$(PAGE_MODELS)" in re.findall(r"^webapp/dist/.vite/manifest.json: (.*)$", MAKEFILE, re.MULTILINE)[0]


def test_the_tests_for_other_pythons_are_there() -> None:
    script = (ROOT / "scripts" / "test-other-pythons").read_text(encoding="utf-8")
    [named] = re.findall(r'TESTS="([^"]*)"', script)
    assert [name for name in named.split() if not (ROOT / name).exists()] == []
