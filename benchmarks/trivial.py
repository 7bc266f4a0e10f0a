"""Models that answer at once, so that a latency is all overhead, and the work that a writer hands in for them.

`TrivialInProcess` is asked without a server. `python -m benchmarks.trivial [NAME ...] [--kind nli]` serves them over
HTTP.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from beat_the_ai.adversary import registry
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.server import serve
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Probabilities
from beat_the_ai.kinds.nli.labels import Prediction as PairPrediction
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


class TrivialNLI:
    """Answers with the label that the statement names, if it names one."""

    query_type = Pair
    identity = ModelIdentity(NAME, "nli", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Pair]) -> list[PairPrediction]:
        return [
            _certain(next((label for label in LABELS if label in query.hypothesis), LABELS[0])) for query in queries
        ]


def _certain(label: Label) -> PairPrediction:
    probabilities = Probabilities(**{each: float(each == label) for each in LABELS})
    return PairPrediction(label=label, probabilities=probabilities)


LOADS: dict[str, registry.Load] = {
    registry.READING: lambda _source, _options: Trivial(),
    registry.NLI: lambda _source, _options: TrivialNLI(),
}
"""The backend `trivial`, by kind of task."""


def losing_work(passage: str, name: str) -> dict[str, Any]:
    """A question of its own, with the very answer that the model gives: it never beats it."""
    question = f"What are the words that this passage begins with, asked for the sake of number {name}?"
    return {"question": question, "answer": {"text": beginning(passage), "start": 0}}


def losing_statement(target: Label, name: str) -> dict[str, Any]:
    """A statement of its own, which names the label that it is to have."""
    return {"hypothesis": f"The text says something, and for number {name} that is {target}."}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[NAME])
    parser.add_argument("--kind", choices=LOADS, default=registry.READING)
    given = parser.parse_args()
    registry.BACKENDS[NAME] = LOADS
    serve(dict.fromkeys(given.names, f"{NAME}:{NAME}"), given.kind)


if __name__ == "__main__":
    main()
