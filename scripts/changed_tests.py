"""Print the tests to run for what differs from a commit; all of them when no commit is named.

    python scripts/changed_tests.py [COMMIT]

A changed test stands for itself. Any other file stands for the folder of tests that mirrors its own, or the nearest
one above. The tests of the whole project (`tests/test_*.py`) always run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = Path("tests")
ENGINE = Path("src/beat_the_ai")


def changed_files(commit: str) -> list[Path]:
    """Return what differs between the working tree and where this branch left the commit's, new files included."""
    commands = (("diff", "--name-only", "--merge-base", commit), ("ls-files", "--others", "--exclude-standard"))
    outputs = (
        subprocess.run(["git", *one], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True) for one in commands
    )
    return [Path(line) for output in outputs for line in output.stdout.splitlines()]


def mirror_of(path: Path) -> Path | None:
    """Return the test or folder of tests for a changed file; None for what only the whole project's tests look at."""
    if path.is_relative_to(TESTS):
        is_test = path.name.startswith("test_") and path.suffix == ".py" and (ROOT / path).is_file()
        mirror = path if is_test else path.parent
    else:
        mirror = TESTS / (path.relative_to(ENGINE) if path.is_relative_to(ENGINE) else path)
    while not (ROOT / mirror).exists():
        mirror = mirror.parent
    return mirror if mirror != TESTS or path.is_relative_to(TESTS) or path.is_relative_to(ENGINE) else None


def selection(changed: Iterable[Path]) -> list[Path]:
    """Return the tests for changed files, without what lies in a folder that is among them."""
    always = {path.relative_to(ROOT) for path in (ROOT / TESTS).glob("test_*.py")}
    tests = always | {test for path in changed if (test := mirror_of(path))}
    return sorted(test for test in tests if not tests & set(test.parents))


def main() -> None:
    print(*selection(changed_files(sys.argv[1])) if len(sys.argv) > 1 else [TESTS])


if __name__ == "__main__":
    main()
