from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.adversary.training_texts import number_trained_on
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import warnings_of_training_texts
from beat_the_ai.kinds.reading_comprehension.corpora import read_passages

TASK = Path(__file__).parents[2] / "tasks" / "reading_comprehension"


def texts(path: Path) -> list[str]:
    return [passage.text for passage in read_passages(path)]


def test_the_shipped_model_knows_what_it_was_trained_on_and_what_not(shared_data: Path, squad_dev: Path) -> None:
    trained, new = texts(shared_data / "squad" / "train-v1.1-44-articles.json"), texts(squad_dev)
    assert number_trained_on("onnx:bidaf-small", [f" {text}\n" for text in trained]) == len(trained)
    assert number_trained_on("onnx:bidaf-small", new) == 0
    assert number_trained_on("huggingface:any/model", trained) == number_trained_on("onnx:dan-small", trained) == 0


@pytest.mark.parametrize(("name", "warnings"), [("train-v1.1-44-articles.json", 1), ("dev-v1.1.json", 0)])
def test_a_campaign_on_what_its_adversary_was_trained_on_is_warned(
    shared_data: Path, tmp_path: Path, name: str, warnings: int
) -> None:
    settings = read_settings(TASK, [f"contexts={shared_data / 'squad' / name}"], out=tmp_path)
    found = warnings_of_training_texts(settings)
    assert len(found) == warnings
    assert all("onnx:bidaf-small was trained on " in warning and name in warning for warning in found)
