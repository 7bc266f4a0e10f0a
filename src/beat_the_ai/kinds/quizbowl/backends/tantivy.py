"""Retrieval over texts about pages, in this process: no network, no server ("Trick Me If You Can", §3.2).

A source is the name of a shipped collection (`sample`), or a file of questions.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.quizbowl.collection import collection_file, missing, read_questions
from beat_the_ai.kinds.quizbowl.reader import GuessingModel, Ranking, Reasons
from beat_the_ai.kinds.quizbowl.retrieval import Retrieval, Source
from beat_the_ai.kinds.quizbowl.writing import NAME

PRECISION = "exact"
TEMPERATURE = 3.0  # of BM25's scores


def load(source: str, options: LoadOptions) -> GuessingModel:
    """Build the index of a file of questions; where the threads run is tantivy's."""
    if options.precision is not None:
        raise InvalidInput("precision", f"{options.precision!r} was given; retrieval has no precision to choose.")
    if (path := collection_file(source)) is None:
        raise AdversaryError(missing(source))
    questions = read_questions(path, "adversary")
    retrieval = Retrieval.build(Source(question.page, question.text) for question in questions if question.page)
    identity = ModelIdentity(path.stem, NAME, hashlib.sha256(path.read_bytes()).hexdigest(), PRECISION)
    return GuessingModel(identity, RetrievalGuesser(retrieval))


@dataclass(frozen=True)
class RetrievalGuesser:
    """Confidence is a softmax over the scores of the pages that were found."""

    retrieval: Retrieval

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        return [ranking(self.retrieval.scores(text), TEMPERATURE) for text in texts]

    def reasons(self, text: str, page: str) -> Reasons:
        evidence = self.retrieval.evidence(text, page)
        return Reasons(evidence, self.retrieval.importance(text, evidence))


def ranking(scores: Sequence[tuple[str, float]], temperature: float) -> Ranking:
    """Return the ranking of pages by their scores, the best first."""
    weights = [math.exp((score - scores[0][1]) / temperature) for _, score in scores]
    return Ranking([page for page, _ in scores], [weight / sum(weights) for weight in weights])
