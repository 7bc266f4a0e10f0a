"""Our own guessers, run by onnxruntime on the CPU: a guess in milliseconds, no torch.

A source is the name of a shipped model (`dan-small`, `gru-small`) or a folder that `neural.export` wrote.
"""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.quizbowl.neural.features import probe
from beat_the_ai.kinds.quizbowl.neural.guesser import OUTPUTS, SALIENCY_FILE, SALIENCY_OUTPUTS, NetworkGuesser
from beat_the_ai.kinds.quizbowl.reader import GuessingModel
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.networks import onnx_folder
from beat_the_ai.networks.onnx_folder import Exported

SHIPPED = Path(__file__).resolve().parents[1] / "weights"


def load(source: str, options: LoadOptions) -> GuessingModel:
    """Load a shipped model by name, or the model in a folder."""
    exported = onnx_folder.load(source, options, SHIPPED, NAME, OUTPUTS, probe)
    _check_pages(exported)
    path, config = onnx_folder.find(source, SHIPPED, NAME)[0] / SALIENCY_FILE, exported.config
    if not path.is_file():
        raise AdversaryError(f"{path.parent.name!r} is no exported guesser: it lacks {SALIENCY_FILE}.")
    saliency = onnx_folder.session(path, options.threads, SALIENCY_OUTPUTS)
    guesser = NetworkGuesser(exported.vocabulary, config["pages"], config["temperature"], exported.run, saliency)
    return GuessingModel(exported.identity, guesser)


def _check_pages(exported: Exported) -> None:
    """Raise `AdversaryError` unless the network guesses just as many pages as config.json names."""
    logits, *_ = exported.run(probe(exported.vocabulary, 0))
    pages = exported.config.get("pages", [])
    if len(pages) != logits.shape[1]:
        raise AdversaryError(
            f"The config.json of {exported.identity.name!r} names {len(pages):,} pages, and its network guesses "
            f"{logits.shape[1]:,}. Export the model again."
        )
