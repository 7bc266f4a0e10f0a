"""A real server of the protocol, `transformers serve`, with tiny models that the test makes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from beat_the_ai.adversary.protocol import Billed, LoadOptions
from beat_the_ai.adversary.registry import NLI, READING, open_adversary
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.nli.labels import Pair
from tests.adversary.fakes import wait_until
from tests.ports import free_port

for needed in ("accelerate", "fastapi", "openai"):
    pytest.importorskip(needed, reason=f"transformers serve needs {needed}, which is not installed: run `make test`")

PAIR = Pair(premise="Rome fell in 476.", hypothesis="Rome fell.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    port = free_port()
    script = Path(__file__).with_name("serve_transformers.py")
    command = [sys.executable, str(script), str(folder), str(port), '{"label": "neutral"}']
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: process.poll() is not None or is_well(port), "transformers serve answers")
        assert process.poll() is None
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def is_well(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).is_success
    except httpx.HTTPError:
        return False


def test_what_it_says_is_a_prediction_and_what_it_lacks_is_found_out(address: str, folder: Path) -> None:
    """It takes fields for schema and probabilities, and leaves them aside: no probabilities come back."""
    prices = "cents_per_million_tokens_in=1000000"
    adversary = open_adversary(f"openai:{address}?{prices}#{folder}/says", NLI, LoadOptions())
    [prediction] = adversary.predict([PAIR])
    assert prediction.label == "neutral"
    assert prediction.probabilities.neutral == 1
    assert adversary.identity.name == f"{folder}/says"
    assert isinstance(adversary, Billed)
    assert adversary.microcents > 500 * 1_000_000, "of which each is a character of prompt and pair"


@pytest.mark.parametrize(
    ("model", "kind", "said"),
    [("says", READING, "holds no JSON object with answer"), ("random", NLI, "cut off|no JSON object with label")],
)
def test_models_that_do_not_answer_as_asked_are_refused(
    address: str, folder: Path, model: str, kind: str, said: str
) -> None:
    with pytest.raises(AdversaryError, match=f"cannot be used.*({said})"):
        open_adversary(f"openai:{address}?max_answer_tokens=20#{folder}/{model}", kind, LoadOptions())


def test_a_model_that_the_server_does_not_have_is_refused(address: str, folder: Path) -> None:
    with pytest.raises(AdversaryError, match="cannot be used"):
        open_adversary(f"openai:{address}?timeout_seconds=8#{folder}/missing", NLI, LoadOptions())
