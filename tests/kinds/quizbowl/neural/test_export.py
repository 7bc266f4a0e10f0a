"""What a guesser's folder holds: the network as it was trained, and nothing of the machine that wrote it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
pytest.importorskip("onnxscript", reason="exporting needs the packages of the development install")

from beat_the_ai.kinds.quizbowl.backends.onnx import SHIPPED  # noqa: E402
from beat_the_ai.kinds.quizbowl.neural.network import TrainedGuesser  # noqa: E402
from beat_the_ai.networks.export import read_folder  # noqa: E402
from beat_the_ai.networks.packing import packed  # noqa: E402

WEIGHTS = Path(__file__).parents[4] / "src" / "beat_the_ai" / "kinds"
EXPORT = """
import sys
from pathlib import Path
from beat_the_ai.kinds.quizbowl.neural.export import export
export(Path(sys.argv[1]), Path(sys.argv[2]))
"""  # in a process of its own: torch warns of torch, and here warnings are errors


@pytest.mark.thorough  # its export takes twenty seconds; tests of training export the other architecture
def test_an_exported_gru_guesses_as_before_and_holds_no_path_of_the_machine(tmp_path: Path) -> None:
    trained = read_folder(TrainedGuesser, SHIPPED / "gru-small")
    trained.save(tmp_path / "read.pt")
    folder = tmp_path / "again"
    subprocess.run([sys.executable, "-c", EXPORT, tmp_path / "read.pt", folder], check=True, capture_output=True)
    pieces = np.random.default_rng(1).integers(0, 20_000, (2, 9))
    found = onnxruntime.InferenceSession(folder / "model.onnx").run(None, {"pieces": pieces})
    with torch.no_grad():
        expected = packed(trained.network)(torch.from_numpy(pieces))
    np.testing.assert_allclose(found[0], expected[0].numpy(), atol=1e-4)
    for name in ("model.onnx", "saliency.onnx"):
        assert b'File "' not in (folder / name).read_bytes()


@pytest.mark.parametrize("path", sorted(WEIGHTS.glob("*/weights/*/*.onnx")), ids=lambda path: path.parent.name)
def test_no_network_that_ships_holds_a_stack_trace(path: Path) -> None:
    assert b'File "' not in path.read_bytes()
