"""A model that answers at once, so that a latency is all overhead, and the work that a writer hands in for it.

`TrivialInProcess` is asked without a server. `python -m benchmarks.trivial [NAME]` serves the same model over HTTP.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from beat_the_ai.adversary import registry
from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.adversary.server import serve
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Value

NAME = "trivial"
ANSWER_WORDS = 4


def beginning(passage: str) -> str:
    return " ".join(passage.split(" ", ANSWER_WORDS)[:ANSWER_WORDS])


class Trivial:
    """Answers with the beginning of the passage."""

    query_type = Query
    identity = ModelIdentity(NAME, "reading_comprehension", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [Prediction(text=beginning(query.context), start=0, score=0.5) for query in queries]


class TrivialInProcess:
    """The same, as the writing desk asks it."""

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        assert isinstance(query, Query), "what is measured is reading comprehension"
        (prediction,), identity = Trivial().predict([query]), Trivial.identity
        return Reply(prediction, NAME, identity.name, identity.hash, identity.precision)


def load(source: str, options: LoadOptions) -> Trivial:
    """The backend `trivial`."""
    return Trivial()


def losing_work(passage: str, name: str) -> dict[str, Any]:
    """A question of its own, with the very answer that the model gives: it never beats it."""
    question = f"What are the words that this passage begins with, asked for the sake of number {name}?"
    return {"question": question, "answer": {"text": beginning(passage), "start": 0}}


if __name__ == "__main__":
    registry.BACKENDS[NAME] = {registry.READING: load}
    serve(dict.fromkeys(sys.argv[1:] or [NAME], f"{NAME}:{NAME}"))
