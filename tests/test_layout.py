"""Who may import whom, and what the wheel holds: the directions that DESIGN and the README promise."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from scripts.imports import MODULES, ROOT, SOURCE, arrows, engine_path, imported, package_of, parts_imported
from scripts.measure import raw_configuration_reads, unbound_signatures
from tests.arrows import ARROWS

TOP_LEVEL = {"blueprints", "tasks", "qualification", "tests", "benchmarks", "scripts"}
# Training and the GPU backends need torch in whole; everything else runs where the extra `gpu` is not installed.
MAY_IMPORT_TORCH = {
    "kinds/reading_comprehension/backends/huggingface.py",
    "kinds/reading_comprehension/backends/bidaf.py",
    "kinds/nli/backends/huggingface.py",
    *(f"kinds/{kind}/backends/openvino.py" for kind in ("reading_comprehension", "nli")),
    *(f"kinds/{kind}/fine_tuning.py" for kind in ("reading_comprehension", "nli")),
    *(f"kinds/nli/cross_encoder/{name}.py" for name in ("network", "train")),
    *(f"kinds/quizbowl/neural/{name}.py" for name in ("recurrence", "network", "train", "export")),
    *(f"kinds/reading_comprehension/bidaf/{name}.py" for name in ("network", "recurrence", "train", "export")),
    *(
        f"networks/{name}.py"
        for name in (
            "encoder",
            "pretrained",
            "packing",
            "huggingface",
            "loading",
            "weights",
            "checkpoint",
            "device_memory",
            "openvino_network",
            "saliency",
            "optimisation",
            "training",
            "fine_tuning",
            "trainer",
            "trainer_checkpoints",
        )
    ),
}


def test_relative_and_late_imports_are_seen_too(tmp_path: Path) -> None:
    path = tmp_path / "beat_the_ai" / "store" / "late.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "from __future__ import annotations\nimport os\nfrom .. import writing\nfrom . import tables\n"
        "if TYPE_CHECKING:\n    import torch\n"
        "def late():\n    from beat_the_ai.mephisto.shim import Agent\n"
    )
    at_load = {"__future__.annotations", "os", "beat_the_ai.writing", "beat_the_ai.store.tables"}
    assert set(imported(path, tmp_path, on_load_only=True)) == at_load
    assert set(imported(path, tmp_path)) == at_load | {"torch", "beat_the_ai.mephisto.shim.Agent"}


def test_every_arrow_between_packages_is_one_that_is_wanted() -> None:
    """All of them, and no others: whoever adds or removes an import between packages changes `arrows.py`."""
    assert arrows() == {package: set(others) for package, others in ARROWS.items()}


def test_every_arrow_has_a_reason() -> None:
    assert all(reason.strip() for others in ARROWS.values() for reason in others.values())


def test_arrows_go_one_way() -> None:
    TopologicalSorter(ARROWS).prepare()  # raises `CycleError`


def test_kinds_of_task_are_reached_by_their_names_alone() -> None:
    assert [package for package, others in ARROWS.items() if "kinds" in others] == []


def test_raw_configuration_is_read_only_where_it_becomes_terms_or_settings() -> None:
    """Everybody else asks a bound campaign: one spelling for each term, and its default in one place."""
    assert raw_configuration_reads() == []


def test_whoever_works_on_a_campaign_takes_it_as_one_thing() -> None:
    """A bound campaign, or a planned round: nobody takes a store and looks up kind, terms and pay by an id."""
    assert unbound_signatures() == ["campaign/settings/planned_round.py:__init__"]  # before there is a campaign


@pytest.mark.parametrize("path", MODULES, ids=engine_path)
def test_a_module_imports_only_downward(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imported(path)} & TOP_LEVEL
    if package_of(path).partition("/")[0] not in ("mephisto", "campaign", "rehearsal", "cli"):
        assert "mephisto" not in parts_imported(path)
        assert "mephisto" not in {name.partition(".")[0] for name in imported(path)}


def test_torch_and_transformers_are_loaded_only_where_nothing_works_without_them() -> None:
    loading = {
        engine_path(path)
        for path in MODULES
        if {name.partition(".")[0] for name in imported(path, on_load_only=True)} & {"torch", "transformers"}
    }
    assert loading <= MAY_IMPORT_TORCH


@pytest.mark.parametrize("module", ["store", "rules", "writing", "adversary.protocol"])
def test_the_core_loads_neither_torch_nor_mephisto(module: str) -> None:
    code = (
        f"import sys, beat_the_ai.{module}; "
        "print([name for name in ('torch', 'transformers', 'mephisto', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("[]", "", 0)


def test_the_wheel_holds_the_package_with_its_data_and_nothing_else(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"  # a copy: building leaves folders in the tree that it builds
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(SOURCE, checkout / "src", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    for name in ("blueprints", "tests", "tasks"):  # what must stay outside, even where it looks like a package
        (checkout / name).mkdir()
        (checkout / name / "__init__.py").touch()
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    done = subprocess.run([*command, "-w", tmp_path, checkout], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"beat_the_ai"}
    packaged = {name for name in names if name.startswith("beat_the_ai/")}
    package = checkout / "src" / "beat_the_ai"
    assert packaged == {str(path.relative_to(checkout / "src")) for path in package.rglob("*") if path.is_file()}
    assert packaged >= {
        "beat_the_ai/py.typed",
        "beat_the_ai/networks/vocabulary.txt",
        "beat_the_ai/kinds/nli/weights/cross-encoder-small/vocabulary.sha256",
        "beat_the_ai/store/migrations/env.py",
        "beat_the_ai/store/migrations/script.py.mako",
        "beat_the_ai/store/migrations/versions/0026_first.py",
    }
