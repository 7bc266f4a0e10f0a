"""The servers that `benchmarks.serving` compares this suite's with, each as its own guide shows it.

All serve the same model by the same code, `reader`: passage and question as JSON at `POST /predict`, the prediction
back. All but FastAPI's run in an environment of their own, for they bring along many packages that nothing else needs:

    python3 -m venv out/benchmarks/rivals
    out/benchmarks/rivals/bin/pip install torch==2.13.0 transformers litserve "ray[serve]" bentoml
"""

from __future__ import annotations

import os
from typing import Any

MODEL, PORT, DEVICE = "RIVAL_MODEL", "RIVAL_PORT", "RIVAL_DEVICE"
CORES = len(os.sched_getaffinity(0))


def reader(threads: int) -> Any:
    """The model and the device that the environment names, in fp32."""
    from beat_the_ai.adversary.protocol import LoadOptions
    from beat_the_ai.adversary.registry import READING, open_adversary

    options = LoadOptions(os.environ.get(DEVICE, "cpu"), threads, precision="fp32")
    return open_adversary(os.environ[MODEL], READING, options)


def answer(loaded: Any, asked: dict[str, str]) -> dict[str, Any]:
    from beat_the_ai.kinds.reading_comprehension.writing import Query

    [prediction] = loaded.predict([Query(context=asked["context"], question=asked["question"])])
    return dict(prediction.model_dump())


def port() -> int:
    return int(os.environ[PORT])
