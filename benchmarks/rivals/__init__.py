"""The servers that `benchmarks.serving` compares this suite's with, each as its own guide shows it.

All serve the same model by the same code, `reader`: passage and question as JSON at `POST /predict`, the prediction
back. All but FastAPI's run in an environment of their own, for they bring along many packages that nothing else needs:

    python3 -m venv out/benchmarks/rivals
    out/benchmarks/rivals/bin/pip install torch==2.13.0 transformers litserve "ray[serve]" bentoml
"""

from __future__ import annotations

import os
from typing import Any

FOLDER, PORT = "RIVAL_FOLDER", "RIVAL_PORT"
CORES = len(os.sched_getaffinity(0))


def reader(threads: int) -> Any:
    """The model in the folder of the environment, in torch."""
    from beat_the_ai.adversary.protocol import LoadOptions
    from beat_the_ai.kinds.reading_comprehension.backends.huggingface import load

    return load(os.environ[FOLDER], LoadOptions(threads=threads))


def answer(loaded: Any, asked: dict[str, str]) -> dict[str, Any]:
    from beat_the_ai.kinds.reading_comprehension.writing import Query

    [prediction] = loaded.predict([Query(context=asked["context"], question=asked["question"])])
    return dict(prediction.model_dump())


def port() -> int:
    return int(os.environ[PORT])
