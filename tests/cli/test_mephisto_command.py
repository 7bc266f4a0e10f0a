"""`mephisto`, Mephisto's own command line, with the suite's plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLUEPRINTS = ("beat_the_ai_qualification", "beat_the_ai_validation", "beat_the_ai_writing")


def mephisto(*arguments: str, cwd: Path, home: Path, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "beat_the_ai.cli.mephisto_command", *arguments],
        cwd=cwd,
        env={**os.environ, "HOME": str(home), "COLUMNS": "200"},
        input=answer,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("abstraction", "names"),
    [("blueprint", BLUEPRINTS), ("architect", ("beat_the_ai",)), ("provider", ("mturk", "mock"))],
)
def test_it_knows_the_suites_plugins(tmp_path: Path, abstraction: str, names: tuple[str, ...]) -> None:
    done = mephisto("wut", abstraction, cwd=ROOT, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(names) <= set(done.stdout.split())


def test_it_explains_their_settings_wherever_it_is_called(tmp_path: Path) -> None:
    for type_name, setting in (("architect=beat_the_ai", "absence_seconds"), ("blueprint=beat_the_ai_writing", "hits")):
        done = mephisto("wut", type_name, cwd=tmp_path, home=tmp_path)
        assert done.returncode == 0, done.stderr
        assert setting in done.stdout


def test_it_works_on_a_database_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    done = mephisto("check", cwd=tmp_path, home=tmp_path, answer=f"{tmp_path / 'data'}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "set up correctly" in done.stdout
