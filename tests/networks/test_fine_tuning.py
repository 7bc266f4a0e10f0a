"""What does not fit into the memory of a GPU: a model that runs out of it with more than so many examples at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")
pytest.importorskip("accelerate", reason="the extra 'train' is not installed")

from beat_the_ai.errors import AdversaryError  # noqa: E402
from beat_the_ai.networks.fine_tuning import Material, TrainerSchedule, fine_tune  # noqa: E402
from beat_the_ai.networks.progress import Deciding, Look  # noqa: E402
from beat_the_ai.networks.sampling import Weighted  # noqa: E402
from tests.networks.looks import Looks  # noqa: E402
from tests.networks.tiny_bert import byte_tokenizer  # noqa: E402

BATCH = 8


class Forgetful(transformers.BertForSequenceClassification):  # type: ignore[misc,name-defined]
    """Has memory for `most` examples at once."""

    most: int

    def forward(self, **inputs: Any) -> Any:
        if len(inputs["input_ids"]) > self.most:
            raise torch.OutOfMemoryError
        return super().forward(**inputs)


def material(most: int) -> Material:
    tokens = byte_tokenizer()
    examples = [{**tokens("ab"[label] * 4), "labels": label} for label in (0, 1) * 10]

    def model() -> Forgetful:
        config = transformers.BertConfig(
            vocab_size=len(tokens),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        network = Forgetful(config)
        network.most = most
        return network

    def figures(logits: Any, labels: Any) -> dict[str, float]:
        return {"margin": float(np.mean((logits[:, 1] - logits[:, 0]) * (2 * labels - 1)))}

    deciding = Deciding("margin", more_is_better=True)
    return Material(model, tokens, [Weighted(examples, 1.0)], examples[:4], ("labels",), figures, deciding)


def looks(out: Path, most: int) -> list[Look]:
    seen: list[Look] = []
    schedule = TrainerSchedule(epochs=4, batch_size=BATCH, learning_rate=1e-3, check_steps=3)
    assert fine_tune(out, {}, schedule, material(most), Looks(seen)) is not None
    return seen


def test_a_batch_that_does_not_fit_is_split_and_teaches_the_same(tmp_path: Path) -> None:
    whole, split = looks(tmp_path / "whole", BATCH), looks(tmp_path / "split", 3)
    assert [look.step for look in whole] == [look.step for look in split] == [3, 6, 9, 12]
    for left, right in zip(whole, split, strict=True):
        assert left.loss == pytest.approx(right.loss, abs=1e-5)
        assert left.figures["margin"] == pytest.approx(right.figures["margin"], abs=1e-4)


def test_a_model_that_fits_with_no_batch_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError, match="Not even one example fits"):
        looks(tmp_path, 0)
