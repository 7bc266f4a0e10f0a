"""The import shim, each time in a fresh process: a module is imported for the first time only once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from beat_the_ai.mephisto.shim import make_configuration

IMPORT = "import dataclasses; before = dataclasses.dataclass; import beat_the_ai.mephisto.shim as shim\n"
OTHERS = [minor for minor in (10, 11, 12, 13) if minor != sys.version_info.minor]


def run(code: str, python: str = sys.executable, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [python, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **environment})


def test_mephisto_can_be_imported_in_a_bare_home_with_warnings_as_errors(tmp_path: Path) -> None:
    done = run(f"{IMPORT}print(shim.Operator.__module__)", HOME=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "mephisto.operations.operator\n", "")
    assert (tmp_path / ".mephisto" / "config.yml").read_text() == "core: {}\n"


def test_first_processes_of_a_home_configure_mephisto_at_once(tmp_path: Path) -> None:
    """Each finds a whole configuration as soon as it is ready itself."""
    rounds, together = 20, 8
    barrier = Barrier(together)

    def configure_each(_process: int) -> None:
        for number in range(rounds):
            barrier.wait(60)
            make_configuration(tmp_path / str(number))
            assert (tmp_path / str(number) / "config.yml").read_text() == "core: {}\n"

    with ThreadPoolExecutor(together) as threads:
        list(threads.map(configure_each, range(together)))
    assert [file.name for file in sorted(tmp_path.glob("*/*"))] == ["config.yml"] * rounds


def test_a_configuration_of_the_users_own_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("core: {main_data_directory: /data}\n")
    make_configuration(tmp_path)
    assert (tmp_path / "config.yml").read_text() == "core: {main_data_directory: /data}\n"


def test_the_dataclass_decorator_is_left_as_it_was() -> None:
    done = run(f"{IMPORT}assert dataclasses.dataclass is before")
    assert done.returncode == 0, done.stderr


def test_dataclasses_of_mephisto_become_hashable_and_those_of_others_do_not() -> None:
    check = """
from mephisto.data_model.task_run import TaskRunArgs
from beat_the_ai.mephisto.shim import _hashable_mephisto_dataclasses
hash(TaskRunArgs())
with _hashable_mephisto_dataclasses():
    @dataclasses.dataclass
    class Other:
        x: int = 0
    @dataclasses.dataclass
    class Mephisto:
        __module__ = "mephistopheles.faust"
assert Other.__hash__ is None and Mephisto.__hash__ is None
"""
    done = run(IMPORT + check)
    assert done.returncode == 0, done.stderr


def test_logging_is_left_as_it_was() -> None:
    check = "import logging; root = logging.getLogger(); assert (root.handlers, root.level) == ([], logging.WARNING)"
    done = run(IMPORT + check)
    assert done.returncode == 0, done.stderr


def test_the_decorator_is_put_back_when_the_import_fails() -> None:
    check = """
from beat_the_ai.mephisto.shim import _hashable_mephisto_dataclasses
try:
    with _hashable_mephisto_dataclasses():
        raise ImportError
except ImportError:
    pass
assert dataclasses.dataclass is before
"""
    done = run(IMPORT + check)
    assert done.returncode == 0, done.stderr


def test_every_name_that_the_shim_promises_is_there() -> None:
    done = run(f"{IMPORT}assert all(hasattr(shim, name) for name in shim.__all__)")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("minor", OTHERS)
def test_mephisto_can_be_imported_on_other_pythons(minor: int) -> None:
    python = shutil.which(f"python3.{minor}")
    if python is None or run("import mephisto.data_model, httpx, websockets, beat_the_ai", python).returncode != 0:
        pytest.skip(f"no Python 3.{minor} with Mephisto and this package is installed here")
    done = run(f"{IMPORT}print(shim.Operator.__name__)", python)
    assert (done.returncode, done.stdout) == (0, "Operator\n"), done.stderr
