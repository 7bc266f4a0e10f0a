"""FastAPI, one model on all cores, and a lock around it: what most projects begin with."""

from __future__ import annotations

import threading
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.rivals import CORES, answer, port, reader


class Asked(BaseModel):
    context: str
    question: str


def build_app() -> FastAPI:
    app, loaded, lock = FastAPI(), reader(threads=CORES), threading.Lock()

    @app.post("/predict")
    def predict(asked: Asked) -> dict[str, Any]:
        with lock:
            return answer(loaded, asked.model_dump())

    return app


if __name__ == "__main__":
    uvicorn.run(build_app(), host="127.0.0.1", port=port(), log_level="warning")
