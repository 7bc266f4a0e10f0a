"""The defaults of the configuration are those of the code."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from omegaconf import OmegaConf

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.registry import bind
from beat_the_ai.terms.validation import ValidationTerms

PAPER = Path(__file__).parents[2] / "hydra_configs" / "validation" / "paper.yaml"


def test_the_papers_configuration_is_read_as_it_stands() -> None:
    content = OmegaConf.to_container(OmegaConf.load(PAPER))
    assert isinstance(content, dict)
    assert content["terms"] == asdict(ValidationTerms())
    assert bind("reading_comprehension", {}, content["rules"]).checking == Answerability(min_gold_accuracy=0.5)
