"""Installing as the guide says, into a fresh environment, from the registry or from what pip has kept of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.memory import roomy_memory

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
INSTALLED_BY_PIP = re.compile(r"pip install[^\n]*(beat-the-ai|\.)\[")
NEEDED_BYTES = 4 << 30
SUFFIXES = {".py", ".md", ".yaml", ".toml", ".html"}

EVERY_EXTRA_WORKS = """
import accelerate, nncf, psycopg
from beat_the_ai.adversary import replica
from beat_the_ai.kinds.nli import fine_tuning
from beat_the_ai.kinds.nli.backends import huggingface, onnx, openvino
from beat_the_ai.kinds.nli.cross_encoder import export, train
from beat_the_ai.kinds.reading_comprehension.backends import bidaf, huggingface, onnx, openvino
from beat_the_ai.kinds.reading_comprehension import fine_tuning
from beat_the_ai.kinds.reading_comprehension.bidaf import export, train
from beat_the_ai.mephisto import shim
print(psycopg.pq.version() > 0)
"""


def extras() -> list[str]:
    section = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[2]
    return re.findall(r"^(\w+) = ", section.partition("\n[")[0], re.MULTILINE)


@pytest.fixture(scope="module")
def fresh() -> Iterator[Path]:
    """The commands of an environment into which `make openvino ray train` has installed a checkout."""
    with tempfile.TemporaryDirectory(prefix="fresh-", dir=roomy_memory(NEEDED_BYTES)) as folder:
        checkout = Path(folder)
        for name in ("src", "scripts"):
            shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        locks = ROOT.glob("requirements*.lock")
        for path in (*(ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE", "Makefile")), *locks):
            shutil.copy(path, checkout)
        done = run(
            "make",
            "openvino",
            "ray",
            "train",
            f"PYTHON={sys.executable}",
            cwd=checkout,
            TMPDIR=folder,
            PIP_NO_COMPILE="1",
        )
        assert done.returncode == 0, done.stdout + done.stderr
        yield checkout / ".venv" / "bin"


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a module compiles to is kept, so that only the first command that needs it waits for it."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.timeout(900)
def test_every_extra_works_in_a_fresh_environment(fresh: Path) -> None:
    done = run(fresh / "python", "-c", EVERY_EXTRA_WORKS)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
    assert run(fresh / "beat-the-ai", "adversary", "list").returncode == 0


@pytest.mark.timeout(900)
def test_mephistos_command_is_ours_and_knows_our_blueprints(fresh: Path) -> None:
    done = run(fresh / "mephisto", "wut", "blueprint", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "beat_the_ai_writing" in done.stdout


@pytest.mark.timeout(900)
def test_pip_finds_nothing_wrong_in_it_but_mephistos_pins_and_what_would_tell_intel_of_its_use(fresh: Path) -> None:
    complaints = run(fresh / "python", "-m", "pip", "check").stdout.splitlines()
    allowed = re.compile(r"mephisto 1\.1\.1 |(openvino|nncf) .* requires openvino-telemetry, which is not installed")
    numpy_of_nncf = re.compile(r"nncf .* has requirement numpy<2\.5")
    wrong = [line for line in complaints if not (allowed.match(line) or numpy_of_nncf.match(line))]
    assert wrong == []


def test_the_guide_names_a_way_for_every_extra() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = dict(re.findall(r"\(the extra `(\w+)`\) \| `make (\w+)`", GUIDE))
    assert set(named) == set(extras())
    assert set(named.values()) <= set(targets)


def test_nothing_names_a_way_that_pip_cannot_go() -> None:
    listed = run("git", "ls-files", cwd=ROOT).stdout.split()
    texts = [ROOT / name for name in listed if Path(name).suffix in SUFFIXES and ROOT / name != Path(__file__)]
    assert len(texts) > 100
    assert [path for path in texts if INSTALLED_BY_PIP.search(path.read_text(encoding="utf-8"))] == []
