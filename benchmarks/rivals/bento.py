"""BentoML with a worker for each core: `python -m bentoml serve benchmarks.rivals.bento:Reader`."""

from __future__ import annotations

from typing import Any

import bentoml

from benchmarks.rivals import CORES, answer, reader


@bentoml.service(workers=CORES, traffic={"timeout": 600})
class Reader:
    def __init__(self) -> None:
        self.reader = reader(threads=1)

    @bentoml.api  # type: ignore[untyped-decorator]
    def predict(self, context: str, question: str) -> dict[str, Any]:
        return answer(self.reader, {"context": context, "question": question})
